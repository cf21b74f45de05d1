// One dense assignment problem, solved in memory that later calls use again.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>

#include "matching/dense/assignment_dense.hpp"
#include "matching/dense/assignment_padded.hpp"
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

// A solver for each kind of dense matrix, with memory that later problems use again: allocating it
// would cost more than solving a small problem.
struct DenseSolvers {
    DenseAssignment lists;
    PaddedAssignment padded;
};

template <class Solver>
void write_solution(const Solver& solver, const DenseProblem& p) noexcept {
    for (int64_t i = 0; i < p.rows; ++i) {
        p.match[i] = solver.column_of_row(i);
        p.row_prices[i] = solver.row_price(i);
    }
    for (int64_t j = 0; j < p.columns; ++j) p.column_prices[j] = solver.column_price(j);
}

// Returns whether all weights are finite; if not, the output is not changed.
inline bool assign_dense(const DenseProblem& p) {
    if (p.rows == 0 || p.columns == 0) {
        std::fill_n(p.match, p.rows, int64_t{-1});
        return true;
    }
    static Pool<DenseSolvers>& pool = *new Pool<DenseSolvers>;
    std::unique_ptr<DenseSolvers> solvers =
        pool.take([] { return std::make_unique<DenseSolvers>(); });
    bool finite;
    if (PaddedAssignment::suits_dense(p.rows, p.columns)) {
        finite = solvers->padded.read_dense(p.weights, p.rows, p.columns);
        if (finite) {
            solvers->padded.solve();
            write_solution(solvers->padded, p);
        }
    } else {
        finite = solvers->lists.solve(p.weights, p.rows, p.columns);
        if (finite) write_solution(solvers->lists, p);
    }
    if (p.rows <= DenseAssignment::KEPT_ROWS) pool.give_back(std::move(solvers));
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
