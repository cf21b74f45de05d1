// Bipartite assignment of maximum weight, of sparse edges. First every row with a free best column
// takes it, then the others bid; what is left is matched by searches for shortest augmenting paths.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "matching/dense/assignment_filled.hpp"
#include "matching/dense/assignment_padded.hpp"
#include "matching/assignment_paths.hpp"
#include "matching/assignment_problem.hpp"
#include "rows/stop.hpp"

namespace summeval {

class SparseAssignment : AugmentingPaths<SparseAssignment> {
    friend AugmentingPaths<SparseAssignment>;

  public:
    // Whether the memory in use is worth keeping for the next problem.
    bool is_small() const noexcept {
        return columns_.size() <= KEPT && rows_.size() <= KEPT;
    }

    // Checks the edges, resets the columns that they name, and finds the rows with their best edge.
    // Rows are short and their ends are hard to predict, so no branch in the loop depends on them.
    int read(const AssignmentProblem& p, bool& sorted) {
        problem_ = p;
        grow(columns_, static_cast<size_t>(p.columns));
        grow(prices_, static_cast<size_t>(p.columns));
        grow(rows_, static_cast<size_t>(p.edges) + 2);
        rows_[1].begin = 0;
        Row* run = rows_.data();  // no row before the first edge
        Column* const columns = columns_.data();
        double* const prices = prices_.data();
        const uint64_t height = static_cast<uint64_t>(p.rows), width = static_cast<uint64_t>(p.columns);
        int64_t last_row = -1, last_column = -1;
        bool in_order = true;
        double best = 0.0;
        int32_t edge = -1;
        for (const auto [begin, end] : pieces(static_cast<size_t>(p.edges))) {
            for (size_t e = begin; e < end; ++e) {
                const int64_t row = p.row[e], column = p.column[e];
                const double weight = p.weight[e];
                if (static_cast<uint64_t>(row) >= height) return ASSIGN_ROW;
                if (static_cast<uint64_t>(column) >= width) return ASSIGN_COLUMN;
                const int32_t number = static_cast<int32_t>(e);
                const bool next = row != last_row;
                in_order &= (row > last_row) | (!next & (column > last_column));
                run += next;
                best = kept_unless(next, best);
                edge = next ? -1 : edge;
                edge = weight > best ? number : edge;
                best = std::max(best, weight);
                run[1].begin = number + 1;
                run->edge = edge;
                run->price = best;
                last_row = row;
                last_column = column;
                columns[column] = Column{};
                prices[column] = 0.0;
            }
        }
        sorted = in_order;
        count_ = static_cast<int32_t>(run - rows_.data());
        return ASSIGN_OK;
    }

    void solve() {
        take_best();
        size_t left = 0;
        for (const int32_t first : waiting_) {
            const int32_t k = bid(first);
            waiting_[left] = k;
            left += k > 0;
        }
        waiting_.resize(left);
        for (const int32_t k : waiting_) search(k);
    }

    int write(const AssignmentOutput& out) {
        double value = 0.0;
        int64_t count = 0;
        for (int32_t k = 1; k <= count_; ++k) {
            const Row& row = rows_[k];
            pace_(2);
            if (row.edge < 0) continue;
            value += problem_.weight[row.edge];
            out.row_prices[count] = row.price;
            out.column_prices[count] = prices_[column_of(row.edge)];
            out.matched[count++] = row.edge;
        }
        *out.value = value;
        *out.count = count;
        return std::isfinite(value) ? ASSIGN_OK : ASSIGN_OVERFLOW;
    }

  private:
    static constexpr size_t KEPT = 1 << 16;
    static constexpr int BIDS = 8;  // in a row, of a row and of those that it drives out

    // The number, or 0 if `gone`: without a jump, which compilers make of a choice of doubles.
    static double kept_unless(bool gone, double number) noexcept {
        uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        bits &= static_cast<uint64_t>(gone) - 1;
        std::memcpy(&number, &bits, sizeof bits);
        return number;
    }

    // Every row takes its best column if that is free; the other rows are kept for later.
    void take_best() {
        waiting_.clear();
        for (int32_t k = 1; k <= count_; ++k) {
            const int32_t edge = rows_[k].edge;
            pace_(1);
            if (edge < 0) continue;
            Column& column = columns_[problem_.column[edge]];
            if (column.holder < 0) {
                column.holder = k;
            } else {
                rows_[k].edge = -1;
                waiting_.push_back(k);
            }
        }
    }

    // A row takes its best column at a price that leaves it as much as its second best one would
    // (Jonker and Volgenant 1987); the row that held the column bids next. Returns the row that is
    // left to a search, or 0.
    int32_t bid(int32_t k) {
        for (int bids = 0; bids < BIDS; ++bids) {
            const int32_t begin = rows_[k].begin, end = rows_[k + 1].begin;
            pace_(static_cast<uint64_t>(end - begin) + 4);
            double first = 0.0, second = 0.0;  // the gain of going without is 0
            int32_t edge = -1;
            for (int32_t e = begin; e < end; ++e) {
                const double gain = problem_.weight[e] - prices_[column_of(e)];
                second = std::max(second, std::min(first, gain));
                edge = gain > first ? e : edge;
                first = std::max(first, gain);
            }
            rows_[k].price = first;
            if (edge < 0) return 0;
            Column& column = columns_[column_of(edge)];
            const int32_t before = column.holder;
            if (before >= 0) {
                if (first == second) return k;  // the price would not rise
                prices_[column_of(edge)] += first - second;
                rows_[k].price = second;
                rows_[before].edge = -1;
            }
            column.holder = k;
            rows_[k].edge = edge;
            if (before < 0) return 0;
            k = before;
        }
        return k;
    }

    int32_t column_of(int32_t edge) const noexcept {
        return static_cast<int32_t>(problem_.column[edge]);
    }

    void expand(int32_t k, double distance, End& end) {
        const double price = rows_[k].price;
        pace_(static_cast<uint64_t>(rows_[k + 1].begin - rows_[k].begin));
        for (int32_t e = rows_[k].begin; e < rows_[k + 1].begin; ++e) {
            const int32_t c = column_of(e);
            // rounding must not make a step negative
            const double step = std::max((price - problem_.weight[e]) + prices_[c], 0.0);
            offer(c, distance + step, e, k, end);
        }
    }

    void resume(int32_t, double, End&) const noexcept {}  // expand postpones nothing

    AssignmentProblem problem_{};
    int32_t count_ = 0;  // rows that have edges: rows_[1 ... count_], whose edges are contiguous
    std::vector<int32_t> waiting_;
};

// A copy of the edges by row and column, so that the result does not depend on their order.
class SortedEdges {
  public:
    // Changes the problem to the sorted edges.
    int sort(AssignmentProblem& p) {
        const size_t edges = static_cast<size_t>(p.edges);
        order_.resize(edges);
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&p, this](int32_t a, int32_t b) {
            pace_(1);
            return p.row[a] != p.row[b] ? p.row[a] < p.row[b] : p.column[a] < p.column[b];
        });
        row_.resize(edges);
        column_.resize(edges);
        weight_.resize(edges);
        for (size_t e = 0; e < edges; ++e) {
            pace_(4);
            row_[e] = p.row[order_[e]];
            column_[e] = p.column[order_[e]];
            weight_[e] = p.weight[order_[e]];
            if (e && row_[e] == row_[e - 1] && column_[e] == column_[e - 1]) return ASSIGN_TWICE;
        }
        p.row = row_.data();
        p.column = column_.data();
        p.weight = weight_.data();
        return ASSIGN_OK;
    }

    // From positions among the sorted edges to positions among those given.
    void restore(const AssignmentOutput& out) {
        for (int64_t k = 0; k < *out.count; ++k) {
            pace_(1);
            out.matched[k] = order_[static_cast<size_t>(out.matched[k])];
        }
    }

    bool is_small() const noexcept { return order_.size() <= KEPT; }

  private:
    static constexpr size_t KEPT = 1 << 16;

    std::vector<int32_t> order_;
    std::vector<int64_t> row_, column_;
    std::vector<double> weight_;
    Pace pace_;
};

// Solves each problem in the way that suits its edges, one after another in the same memory.
class AssignmentSolver {
  public:
    int solve(const AssignmentProblem& problem, const AssignmentOutput& out) {
        return PaddedAssignment::suits(problem)   ? solve_with(padded_, problem, out)
               : FilledAssignment::suits(problem) ? solve_with(filled_, problem, out)
                                                  : solve_with(sparse_, problem, out);
    }

    bool is_small() const noexcept {
        return padded_.is_small() && filled_.is_small() && sparse_.is_small() &&
               sorted_.is_small();
    }

  private:
    template <class Solver>
    int solve_with(Solver& solver, AssignmentProblem problem, const AssignmentOutput& out) {
        bool sorted, again;
        if (const int status = solver.read(problem, sorted)) return status;
        if (!sorted) {
            if (const int status = sorted_.sort(problem)) return status;
            solver.read(problem, again);
        }
        solver.solve();
        const int status = solver.write(out);
        if (!sorted) sorted_.restore(out);
        return status;
    }

    PaddedAssignment padded_;
    FilledAssignment filled_;
    SparseAssignment sparse_;
    SortedEdges sorted_;
};

}  // namespace summeval
