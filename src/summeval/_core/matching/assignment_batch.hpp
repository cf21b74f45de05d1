// Assignment problems one by one and in batches, read from arrays of int32 or int64 as they are,
// and solved in memory that later calls use again.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "matching/assignment.hpp"
#include "matching/compressed.hpp"
#include "rows/parallel.hpp"

namespace summeval {

// Integers of 32 or 64 bits.
struct Integers {
    const void* data;
    bool wide;

    int64_t operator[](int64_t i) const noexcept {
        return wide ? static_cast<const int64_t*>(data)[i] : static_cast<const int32_t*>(data)[i];
    }
    // The part [begin, end) as int64, in place or copied to `room`.
    const int64_t* part(int64_t begin, int64_t end, std::vector<int64_t>& room) const {
        if (wide) return static_cast<const int64_t*>(data) + begin;
        const int32_t* const from = static_cast<const int32_t*>(data) + begin;
        const size_t size = static_cast<size_t>(end - begin);
        grow(room, size);
        int64_t* const to = room.data();
        each_piece(size, [=](size_t first, size_t last) { std::copy(from + first, from + last, to + first); });
        return to;
    }
};

// A solver, and room for one problem and its solution.
struct AssignmentWork {
    AssignmentSolver solver;
    std::vector<int64_t> row, column;

    bool is_small() const noexcept {
        return solver.is_small() && row.size() <= KEPT && column.size() <= KEPT;
    }

    static constexpr size_t KEPT = 1 << 16;
};

// One matrix in compressed rows.
class CompressedAssignment {
  public:
    double value = 0.0;
    int64_t count = 0;  // of the matched pairs

    // False if the matrix is not a problem, or if its solution is no number.
    bool solve(const CompressedRows& matrix) {
        value = 0.0;
        count = 0;
        if (!edges_.read(matrix)) return false;
        if (edges_.size == 0) return true;
        const size_t most = static_cast<size_t>(std::min({edges_.size, matrix.rows, matrix.columns}));
        grow(matched_, most);
        grow(row_prices_, most);
        grow(column_prices_, most);
        const AssignmentProblem problem{edges_.row.data(), edges_.column.data(), matrix.weight,
                                        static_cast<int32_t>(edges_.size), matrix.rows,
                                        matrix.columns};
        return solver_.solve(problem, {&value, matched_.data(), &count, row_prices_.data(),
                                       column_prices_.data()}) == ASSIGN_OK;
    }

    // Prices go to arrays of zeros for all rows and all columns.
    void write(int64_t* rows, int64_t* columns, double* row_prices, double* column_prices) const {
        Pace pace;
        for (int64_t k = 0; k < count; ++k) {
            pace(4);
            const int64_t edge = matched_[static_cast<size_t>(k)];
            rows[k] = edges_.row[static_cast<size_t>(edge)];
            columns[k] = edges_.column[static_cast<size_t>(edge)];
            row_prices[rows[k]] = row_prices_[static_cast<size_t>(k)];
            column_prices[columns[k]] = column_prices_[static_cast<size_t>(k)];
        }
    }

    bool is_small() const noexcept {
        return solver_.is_small() && edges_.row.size() <= AssignmentWork::KEPT;
    }

  private:
    AssignmentSolver solver_;
    CompressedEdges edges_;
    std::vector<int64_t> matched_;
    std::vector<double> row_prices_, column_prices_;
};

// Problems in flat arrays: problem p has the edges [indptr[p], indptr[p + 1]) and the shape
// shapes[2p] x shapes[2p + 1]. Nothing of this is checked yet, other than the lengths.
struct AssignmentBatch {
    int64_t problems;
    int64_t edges;
    Integers indptr;
    Integers row;
    Integers column;
    const double* weight;
    Integers shapes;
};

class AssignmentBatchWork {
  public:
    int64_t total = 0;  // of the matched edges

    // False if offsets or shapes are out of place, or if a weight is not finite; of problems
    // without a solution, `failed` gets the first.
    bool solve(const AssignmentBatch& batch, int workers, double* values, FirstFailure& failed) {
        total = 0;
        if (!lay_out(batch)) return false;
        std::atomic<bool> finite{true};
        // each chunk has one solver, which reuses its memory for all problems of the chunk
        const int64_t chunk =
            std::max<int64_t>(batch.problems / (8 * static_cast<int64_t>(workers)), 1);
        for_chunks(batch.problems, chunk, workers, [&](int64_t begin, int64_t end) {
            std::unique_ptr<AssignmentWork> work;
            for (int64_t p = begin; p < end; ++p) {
                int status = ASSIGN_MEMORY;
                try {
                    if (!work) work = solvers().take([] { return std::make_unique<AssignmentWork>(); });
                    const int64_t first = batch.indptr[p];
                    // a search need not end among weights that are no numbers
                    if (!all_finite(batch.weight + first, batch.indptr[p + 1] - first)) {
                        finite = false;
                        break;
                    }
                    status = solve_one(*work, batch, p, values);
                } catch (const std::exception&) {
                }
                if (status) failed.note(p, status);
            }
            if (work && work->is_small()) solvers().give_back(std::move(work));
        });
        if (!finite) return false;
        if (failed.any()) return true;
        total = std::accumulate(counts_.begin(), counts_.begin() + batch.problems, int64_t{0});
        return true;
    }

    // The matched edges of problem p are [indptr[p], indptr[p + 1]) of the other arrays.
    void write(int64_t* indptr, int64_t* edges, double* row_prices, double* column_prices) const {
        int64_t done = 0;
        Pace pace;
        indptr[0] = 0;
        for (size_t p = 0; p < size_; ++p) {
            const int64_t begin = starts_[p], count = counts_[p];
            pace(static_cast<uint64_t>(count) + 1);
            for (int64_t k = 0; k < count; ++k) {
                edges[done + k] = matched_[static_cast<size_t>(begin + k)];
                row_prices[done + k] = row_prices_[static_cast<size_t>(begin + k)];
                column_prices[done + k] = column_prices_[static_cast<size_t>(begin + k)];
            }
            indptr[p + 1] = done += count;
        }
    }

    bool is_small() const noexcept { return matched_.size() <= KEPT && starts_.size() <= KEPT; }

  private:
    static constexpr size_t KEPT = 1 << 18;

    static Pool<AssignmentWork>& solvers() {
        static Pool<AssignmentWork>& kept = *new Pool<AssignmentWork>;
        return kept;
    }

    // Checks offsets and shapes, and finds where the solution of each problem is put meanwhile.
    bool lay_out(const AssignmentBatch& batch) {
        size_ = static_cast<size_t>(batch.problems);
        grow(starts_, size_ + 1);
        grow(counts_, size_);
        int64_t begin = 0, room = 0;
        if (batch.indptr[0] != 0) return false;
        Pace pace;
        for (int64_t p = 0; p < batch.problems; ++p) {
            pace(1);
            const int64_t end = batch.indptr[p + 1];
            const int64_t rows = batch.shapes[2 * p], columns = batch.shapes[2 * p + 1];
            const bool good = begin <= end && end <= batch.edges && end - begin <= INT32_MAX &&
                              rows >= 0 && columns >= 0 && rows <= INT32_MAX && columns <= INT32_MAX;
            if (!good) return false;
            starts_[static_cast<size_t>(p)] = room;
            counts_[static_cast<size_t>(p)] = 0;
            room += std::min({end - begin, rows, columns});
            begin = end;
        }
        if (begin != batch.edges) return false;
        grow(matched_, static_cast<size_t>(room));
        grow(row_prices_, static_cast<size_t>(room));
        grow(column_prices_, static_cast<size_t>(room));
        return true;
    }

    int solve_one(AssignmentWork& work, const AssignmentBatch& b, int64_t p, double* values) {
        const int64_t begin = b.indptr[p], end = b.indptr[p + 1];
        values[p] = 0.0;
        if (begin == end) return ASSIGN_OK;
        const AssignmentProblem problem{b.row.part(begin, end, work.row),
                                        b.column.part(begin, end, work.column),
                                        b.weight + begin,
                                        static_cast<int32_t>(end - begin),
                                        b.shapes[2 * p],
                                        b.shapes[2 * p + 1]};
        const int64_t start = starts_[static_cast<size_t>(p)];
        int64_t& count = counts_[static_cast<size_t>(p)];
        const AssignmentOutput out{values + p, matched_.data() + start, &count,
                                   row_prices_.data() + start, column_prices_.data() + start};
        const int status = work.solver.solve(problem, out);
        for (int64_t k = 0; status == ASSIGN_OK && k < count; ++k) out.matched[k] += begin;
        return status;
    }

    size_t size_ = 0;  // problems; the vectors only grow
    std::vector<int64_t> starts_, counts_, matched_;
    std::vector<double> row_prices_, column_prices_;
};

}  // namespace summeval
