// One dense assignment problem, solved in memory that later calls use again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>

#include "matching/assignment_dense.hpp"
#include "rows/parallel.hpp"

namespace summeval {

// A dense problem; its output is the column of each row (or -1) and the prices.
struct DenseProblem {
    const double* weights;
    int64_t rows;
    int64_t columns;
    int64_t* match;
    double* row_prices;
    double* column_prices;
};

// Returns whether all weights are finite; if not, the output is not changed.
inline bool assign_dense(const DenseProblem& p) {
    if (p.rows == 0 || p.columns == 0) {
        std::fill_n(p.match, p.rows, int64_t{-1});
        return true;
    }
    // allocating memory would cost more than solving a small problem
    static Pool<DenseAssignment>& pool = *new Pool<DenseAssignment>;
    std::unique_ptr<DenseAssignment> solver =
        pool.take([] { return std::make_unique<DenseAssignment>(); });
    const bool finite = solver->solve(p.weights, p.rows, p.columns);
    for (int64_t i = 0; finite && i < p.rows; ++i) {
        p.match[i] = solver->column_of_row(i);
        p.row_prices[i] = solver->row_price(i);
    }
    for (int64_t j = 0; finite && j < p.columns; ++j) {
        p.column_prices[j] = solver->column_price(j);
    }
    if (p.rows <= DenseAssignment::KEPT_ROWS) pool.give_back(std::move(solver));
    return finite;
}

inline int64_t matched_pairs(const DenseProblem& p) {
    return p.rows - std::count(p.match, p.match + p.rows, int64_t{-1});
}

// Writes the matched pairs by row, and their weights; returns the sum of these.
inline double write_pairs(const DenseProblem& p, int64_t* rows, int64_t* columns, double* weights) {
    double total = 0.0;
    for (int64_t i = 0; i < p.rows; ++i) {
        if (p.match[i] < 0) continue;
        *rows++ = i;
        *columns++ = p.match[i];
        total += *weights++ = p.weights[i * p.columns + p.match[i]];
    }
    return total;
}

}  // namespace summeval
