// One transportation problem in compressed rows, solved in memory that later calls use again.
#pragma once
#include <cmath>
#include <cstdint>

#include "matching/compressed.hpp"
#include "matching/transport.hpp"

namespace summeval {

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
    static bool are_amounts(const double* amounts, int64_t size) {
        bool good = true;
        for (const auto [begin, end] : pieces(static_cast<size_t>(size))) {
            for (size_t k = begin; k < end; ++k) good &= amounts[k] >= 0.0 && amounts[k] < INFINITY;
        }
        return good;
    }

    CompressedEdges edges_;
    TransportSolver solver_;
    TransportProblem problem_{};
};

}  // namespace summeval
