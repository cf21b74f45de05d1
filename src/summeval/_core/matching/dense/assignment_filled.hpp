// Assignment problems of many columns with at least a quarter of their pairs, solved as dense ones:
// where many edges compete, to read whole rows costs less than to follow the edges.
#pragma once
#include <cstdint>

#include "matching/dense/assignment_dense.hpp"
#include "matching/dense/assignment_padded.hpp"
#include "matching/dense/edge_matrix.hpp"

namespace summeval {

class FilledAssignment : EdgeMatrix {
  public:
    // Of many more rows than columns most take a column at once, or none.
    static bool suits(const AssignmentProblem& p) noexcept {
        return p.columns > PaddedAssignment::WIDEST && p.rows <= p.columns + p.columns / 4 &&
               p.edges >= p.rows * p.columns / 4;
    }

    int read(const AssignmentProblem& problem, bool& sorted) {
        make_room(problem, problem.columns);
        return read_edges(sorted);
    }

    void solve() { dense_.solve(weights_.data(), height_, width_); }

    int write(const AssignmentOutput& out) const noexcept { return write_edges(dense_, out); }

    // Whether the memory in use is worth keeping for the next problem.
    bool is_small() const noexcept {
        return weights_.size() <= KEPT && height_ <= DenseAssignment::KEPT_ROWS;
    }

  private:
    static constexpr size_t KEPT = 1 << 17;

    DenseAssignment dense_;
};

}  // namespace summeval
