// One sparse problem in compressed rows, as SciPy keeps it: read and checked in one pass.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "rows/lanes.hpp"
#include "rows/parallel.hpp"

namespace summeval {

// A matrix in compressed rows. Nothing of it is checked yet, other than the lengths of the arrays.
struct CompressedRows {
    const void* indptr;   // [rows + 1], and
    const void* indices;  // [size]: of int64 if `wide`, else of int32
    const double* weight;  // [size], at least
    bool wide;
    int64_t size;
    int64_t rows;
    int64_t columns;
};

inline bool all_finite(const double* values, int64_t size) {
    constexpr size_t SUMS = 4;  // a sum waits for the one before
    const Lanes none = Lanes::all(0.0);
    Lanes odd[SUMS] = {none, none, none, none};  // NaN once a number was not finite
    double rest = 0.0;
    for (const auto [begin, end] : pieces(static_cast<size_t>(size))) {
        size_t k = begin;
        for (; k + SUMS * Lanes::COUNT <= end; k += SUMS * Lanes::COUNT) {
            for (size_t i = 0; i < SUMS; ++i) {
                const Lanes value = Lanes::load(values + k + i * Lanes::COUNT);
                odd[i] = odd[i] + (value - value);
            }
        }
        for (; k < end; ++k) rest += values[k] - values[k];
    }
    return !any_nan((odd[0] + odd[1]) + (odd[2] + odd[3])) && rest == 0.0;
}

// Its entries as the solvers want them.
class CompressedEdges {
  public:
    int64_t size = 0;
    std::vector<int64_t> row, column;

    // False if the matrix is not a problem: some offset, column or weight is out of place, or the
    // entries of a row are not sorted.
    bool read(const CompressedRows& matrix) {
        return matrix.wide ? read_as<int64_t>(matrix) : read_as<int32_t>(matrix);
    }

  private:
    template <class Index>
    bool read_as(const CompressedRows& matrix) {
        const Index* const indptr = static_cast<const Index*>(matrix.indptr);
        const Index* const indices = static_cast<const Index*>(matrix.indices);
        size = indptr[matrix.rows];
        if (indptr[0] != 0 || size < 0 || size > matrix.size || size > INT32_MAX) return false;
        grow(row, static_cast<size_t>(size));
        grow(column, static_cast<size_t>(size));
        Pace pace;
        bool good = true;
        double odd = 0.0;  // NaN once a weight was not finite
        for (int64_t i = 0; i < matrix.rows; ++i) {
            const int64_t begin = indptr[i], end = indptr[i + 1];
            if (end < begin || end > size) return false;
            pace(static_cast<uint64_t>(end - begin) + 1);
            int64_t last = -1;
            for (int64_t e = begin; e < end; ++e) {
                const int64_t j = indices[e];
                good &= j > last;
                last = j;
                row[static_cast<size_t>(e)] = i;
                column[static_cast<size_t>(e)] = j;
                odd += matrix.weight[e] - matrix.weight[e];
            }
            if (!good || last >= matrix.columns) return false;
        }
        return odd == 0.0;
    }
};

// A workspace that outlives the call, unless its problem was large.
template <class Work>
class Borrowed {
  public:
    Borrowed() : work_(pool().take([] { return std::make_unique<Work>(); })) {}
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    // What an exception interrupted is not used again.
    ~Borrowed() {
        if (good_ && work_->is_small()) pool().give_back(std::move(work_));
    }

    // Calls a step of the work, which returns whether it succeeded; a lack of memory is a failure.
    template <class Step>
    bool attempt(Step step) {
        good_ = false;
        bool done = false;
        try {
            done = step(*work_);
        } catch (const std::exception&) {
            return false;
        }
        good_ = true;
        return done;
    }
    Work& get() noexcept { return *work_; }

  private:
    static Pool<Work>& pool() {
        static Pool<Work>& kept = *new Pool<Work>;
        return kept;
    }

    std::unique_ptr<Work> work_;
    bool good_ = true;  // not after an exception
};

template <class Work, class... Problem>
bool borrow_and_read(Borrowed<Work>& borrowed, const Problem&... problem) {
    return borrowed.attempt([&](Work& work) { return work.read(problem...); });
}

template <class Work, class... Problem>
bool borrow_and_solve(Borrowed<Work>& borrowed, Problem&&... problem) {
    return borrowed.attempt([&](Work& work) { return work.solve(problem...); });
}

}  // namespace summeval
