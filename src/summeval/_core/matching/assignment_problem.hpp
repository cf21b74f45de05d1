// One assignment problem of sparse edges, and its solution.
#pragma once
#include <cstdint>

namespace summeval {

enum : int {
    ASSIGN_OK = 0,
    ASSIGN_ROW = 1,       // a row outside the shape
    ASSIGN_COLUMN = 2,    // a column outside the shape
    ASSIGN_TWICE = 3,     // a pair that is given twice
    ASSIGN_OVERFLOW = 4,  // a total beyond the largest double
    ASSIGN_MEMORY = 5,
};

// One problem of finite weights.
struct AssignmentProblem {
    const int64_t* row;
    const int64_t* column;
    const double* weight;
    int32_t edges;
    int64_t rows;
    int64_t columns;
};

// The solution of one problem: positions of the matched edges by row (room: edges), and the prices
// of their rows and columns. Unmatched rows and columns have the price 0.
struct AssignmentOutput {
    double* value;
    int64_t* matched;
    int64_t* count;
    double* row_prices;
    double* column_prices;
};

}  // namespace summeval
