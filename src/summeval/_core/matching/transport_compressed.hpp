// Transportation problems read from the arrays of callers as they are: one in compressed rows, or
// many in flat arrays. They are solved in memory that later calls use again.
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "matching/compressed.hpp"
#include "matching/transport.hpp"

namespace summeval {

inline bool are_amounts(const double* amounts, int64_t size) {
    bool good = true;
    for (const auto [begin, end] : pieces(static_cast<size_t>(size))) {
        for (size_t k = begin; k < end; ++k) good &= (amounts[k] >= 0.0) & (amounts[k] < INFINITY);
    }
    return good;
}

class CompressedTransport {
  public:
    // False if this is not a problem: see CompressedEdges; amounts must be finite and at least 0.
    bool read(const CompressedRows& matrix, const double* supply, const double* demand) {
        if (!edges_.read(matrix)) return false;
        if (matrix.rows + matrix.columns + edges_.size > INT32_MAX) return false;
        if (!are_amounts(supply, matrix.rows) || !are_amounts(demand, matrix.columns)) return false;
        problem_ = {false, edges_.row.data(), edges_.column.data(), matrix.weight, edges_.size,
                    supply, matrix.rows, demand, matrix.columns};
        return true;
    }

    // Solves what was read. False if there is no optimum, or a value that is no number.
    bool solve(const TransportAnswer& answer) {
        return solver_.solve(problem_, answer) == TRANSPORT_OPTIMAL && std::isfinite(*answer.value);
    }

    int64_t edges() const noexcept { return edges_.size; }

    bool is_small() const noexcept {
        constexpr int64_t KEPT = 1 << 16;
        return problem_.rows + problem_.columns <= KEPT &&
               edges_.row.size() <= static_cast<size_t>(KEPT);
    }

  private:
    CompressedEdges edges_;
    TransportSolver solver_;
    TransportProblem problem_{};
};

// How many of these there are.
struct TransportSizes {
    int64_t edges;
    int64_t supplies;
    int64_t demands;
};

class FlatTransports {
  public:
    // Finds the offsets of a batch of sparse problems, which has none yet. False if the arrays do not
    // go together, or if a number is out of place; the solver checks rows and columns of edges.
    bool read(const TransportBatch& batch, const TransportSizes& sizes) {
        batch_ = batch;
        grow(offsets_, 2 * (static_cast<size_t>(batch.size) + 1));
        int64_t* const rows = offsets_.data();
        int64_t* const columns = rows + batch.size + 1;
        rows[0] = columns[0] = 0;
        if (batch.indptr[0] != 0 || batch.indptr[batch.size] != sizes.edges) return false;
        Pace pace;
        for (int64_t k = 0; k < batch.size; ++k) {
            pace(1);
            const int64_t begin = batch.indptr[k], end = batch.indptr[k + 1];
            if (begin < 0 || end < begin || end > sizes.edges) return false;
            const int64_t height = batch.shapes[2 * k], width = batch.shapes[2 * k + 1];
            const bool good = height >= 0 && width >= 0 && height <= INT32_MAX &&
                              width <= INT32_MAX && end - begin <= INT32_MAX &&
                              height + width + (end - begin) <= INT32_MAX;
            if (!good) return false;
            rows[k + 1] = rows[k] + height;
            columns[k + 1] = columns[k] + width;
        }
        batch_.row_offsets = rows;
        batch_.column_offsets = columns;
        return rows[batch.size] == sizes.supplies && columns[batch.size] == sizes.demands &&
               all_finite(batch.weight, sizes.edges) && are_amounts(batch.supply, sizes.supplies) &&
               are_amounts(batch.demand, sizes.demands);
    }

    // False if some problem has no optimum.
    bool solve(int workers, const TransportAnswer& answer) const {
        FirstFailure failed;
        solve_batch(batch_, workers, answer, failed);
        return !failed.any();
    }

    bool is_small() const noexcept { return offsets_.size() <= size_t{1} << 16; }

  private:
    TransportBatch batch_{};
    std::vector<int64_t> offsets_;
};

}  // namespace summeval
