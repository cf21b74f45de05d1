// The edges of an assignment problem as a matrix: pairs without an edge weigh 0, like going without,
// so no row with a price above 0 takes one.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "matching/assignment_problem.hpp"
#include "rows/stop.hpp"

namespace summeval {

class EdgeMatrix {
  protected:
    // Rows have `width` numbers, at least as many as the problem has columns.
    void make_room(const AssignmentProblem& problem, int64_t width) {
        problem_ = problem;
        width_ = width;
        height_ = problem.rows;
        grow(weights_, static_cast<size_t>(height_ * width_));
        grow(starts_, static_cast<size_t>(height_) + 1);
    }

    // Checks the edges and fills the matrix. Weights are finite.
    int read_edges(bool& sorted) {
        const AssignmentProblem& p = problem_;
        const uint64_t height = static_cast<uint64_t>(p.rows), width = static_cast<uint64_t>(p.columns);
        const int64_t wide = width_;
        double* const weights = weights_.data();
        int32_t* const starts = starts_.data();
        for (const auto [begin, end] : pieces(static_cast<size_t>(height_ * wide))) {
            std::fill(weights + begin, weights + end, 0.0);
        }
        std::fill_n(starts, static_cast<size_t>(height_) + 1, 0);
        int64_t last_row = -1, last_column = -1;
        bool in_order = true;
        for (const auto [begin, end] : pieces(static_cast<size_t>(p.edges))) {
            for (size_t e = begin; e < end; ++e) {
                const int64_t row = p.row[e], column = p.column[e];
                if (static_cast<uint64_t>(row) >= height) return ASSIGN_ROW;
                if (static_cast<uint64_t>(column) >= width) return ASSIGN_COLUMN;
                in_order &= (row > last_row) | ((row == last_row) & (column > last_column));
                weights[row * wide + column] = std::max(p.weight[e], 0.0);
                starts[row + 1] = static_cast<int32_t>(e) + 1;
                last_row = row;
                last_column = column;
            }
        }
        for (int64_t k = 0; k < height_; ++k) starts[k + 1] = std::max(starts[k + 1], starts[k]);
        sorted = in_order;
        return ASSIGN_OK;
    }

    // What `solver` found for the edges, which are sorted.
    template <class Solver>
    int write_edges(const Solver& solver, const AssignmentOutput& out) const noexcept {
        double value = 0.0;
        int64_t count = 0;
        for (int64_t k = 0; k < height_; ++k) {
            const int32_t c = solver.column_of_row(k);
            if (c < 0) continue;
            value += weights_[static_cast<size_t>(k * width_ + c)];
            out.row_prices[count] = solver.row_price(k);
            out.column_prices[count] = solver.column_price(c);
            out.matched[count++] = edge_of(k, c);
        }
        *out.value = value;
        *out.count = count;
        return std::isfinite(value) ? ASSIGN_OK : ASSIGN_OVERFLOW;
    }

    AssignmentProblem problem_{};
    int64_t width_ = 0, height_ = 0;
    std::vector<double> weights_;
    std::vector<int32_t> starts_;  // where the edges of each row begin

  private:
    // The position of a pair that has an edge, among those of its row: the number of edges before it.
    int64_t edge_of(int64_t k, int32_t column) const noexcept {
        const int64_t* from = problem_.column + starts_[k];
        int32_t size = starts_[k + 1] - starts_[k];
        if (size == problem_.columns) return starts_[k] + column;
        while (size > 1) {  // no jumps, which compilers make of a choice: they could not be predicted
            const int32_t half = size / 2;
            from += half & -static_cast<int32_t>(from[half - 1] < column);
            size -= half;
        }
        return from - problem_.column;
    }
};

}  // namespace summeval
