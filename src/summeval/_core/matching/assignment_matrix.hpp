// One dense assignment problem, solved in memory that later calls use again.
#pragma once
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
    // allocating memory would cost more than solving a small problem
    static Pool<DenseAssignment> pool;
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

}  // namespace summeval
