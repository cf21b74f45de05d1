// The recalls of BEwT-E: of what can match, the best one-to-one assignment with each reference
// (summeval.metrics.elements.matching does the same for other solvers).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "elements/expansion.hpp"
#include "matching/assignment.hpp"
#include "rows/parallel.hpp"

namespace summeval {

// What an element weighs that f references have: the square root of f, 1, or f.
enum WeightKind : int { WEIGH_ROOT, WEIGH_BINARY, WEIGH_TOTAL };

// How many recalls a row has: one for each reference, then those for each reference left out.
inline size_t recalls_of(size_t references, bool jackknife) noexcept {
    return jackknife && references > 1 ? references * references : references;
}

// The sum of numbers, added in the order in which NumPy does it.
inline double pairwise_sum(const double* values, size_t size) noexcept {
    if (size < 8) {
        double sum = 0.0;
        for (size_t k = 0; k < size; ++k) sum += values[k];
        return sum;
    }
    if (size <= 128) {
        double part[8];
        std::copy(values, values + 8, part);
        size_t k = 8;
        for (; k + 8 <= size; k += 8)
            for (size_t j = 0; j < 8; ++j) part[j] += values[k + j];
        double sum = ((part[0] + part[1]) + (part[2] + part[3])) +
                     ((part[4] + part[5]) + (part[6] + part[7]));
        for (; k < size; ++k) sum += values[k];
        return sum;
    }
    size_t half = size / 2;
    half -= half % 8;
    return pairwise_sum(values, half) + pairwise_sum(values + half, size - half);
}

// Scores one row after the other; kept to reuse its memory.
class RecallWork {
  public:
    void score(const Lexicon& lexicon, const Pair& pair, int weights, bool jackknife, double* out) {
        matcher_.match(lexicon, *pair.candidate, pair.references, found_);
        rows_ = static_cast<int64_t>(pair.candidate->elements.size());
        const size_t references = pair.references.size();
        sort_edges();
        count_units();
        for (size_t r = 0; r < references; ++r) *out++ = recall(r, references, weights);
        if (!jackknife || references < 2) return;
        for (size_t left = 0; left < references; ++left)
            for (size_t r = 0; r < references; ++r)
                if (r != left) *out++ = recall(r, left, weights);
    }

    // Whether the memory in use is worth keeping for the next call.
    bool worth_keeping() const noexcept {
        return solver_.is_small() && row_.size() <= KEPT && in_.size() <= KEPT;
    }

  private:
    static constexpr size_t KEPT = 1 << 16;
    Matcher matcher_;
    Matched found_;
    AssignmentSolver solver_;
    int64_t rows_ = 0;
    std::vector<int64_t> row_, column_, matched_;
    std::vector<double> weight_, weights_, prices_;
    std::vector<uint32_t> has_;  // by unit: the number of references that have it
    std::vector<uint8_t> in_;    // by reference and unit: whether it has it
    Pace pace_;

    // The edges of a row stand together; the solver wants those of each in order.
    void sort_edges() {
        for (std::vector<Edge>& edges : found_.edges) {
            pace_(4 * edges.size());
            for (size_t k = 1; k < edges.size(); ++k)
                if (edges[k].row == edges[k - 1].row && edges[k].column < edges[k - 1].column) {
                    std::sort(edges.begin(), edges.end(), [this](const Edge& a, const Edge& b) {
                        pace_(1);
                        return a.row != b.row ? a.row < b.row : a.column < b.column;
                    });
                    break;
                }
        }
    }

    void count_units() {
        const size_t references = found_.units.size();
        const size_t distinct = static_cast<size_t>(found_.distinct);
        if (references < 2) return;
        has_.assign(distinct, 0);
        in_.assign(references * distinct, 0);
        pace_(references * distinct / 16);
        for (size_t r = 0; r < references; ++r) {
            pace_(found_.units[r].size());
            for (const int64_t unit : found_.units[r]) {
                uint8_t& in = in_[r * distinct + static_cast<size_t>(unit)];
                has_[static_cast<size_t>(unit)] += static_cast<uint32_t>(in == 0);
                in = 1;
            }
        }
    }

    // The recall of a reference with the weights of all references but `left`.
    double recall(size_t r, size_t left, int weights) {
        const std::vector<int64_t>& units = found_.units[r];
        weigh(units, left, weights);
        const double total = pairwise_sum(weights_.data(), units.size());
        if (total == 0.0) return 0.0;
        const std::vector<Edge>& edges = found_.edges[r];
        const size_t size = edges.size();
        for (std::vector<int64_t>* one : {&row_, &column_, &matched_})
            if (one->size() < size) one->resize(size);
        if (weight_.size() < size) weight_.resize(size);
        if (prices_.size() < 2 * size) prices_.resize(2 * size);
        pace_(4 * size);
        for (size_t k = 0; k < size; ++k) {
            row_[k] = edges[k].row;
            column_[k] = edges[k].column;
            weight_[k] = edges[k].value * weights_[static_cast<size_t>(edges[k].column)];
        }
        if (size > INT32_MAX) throw std::bad_alloc();
        const AssignmentProblem problem{row_.data(), column_.data(), weight_.data(),
                                        static_cast<int32_t>(size), rows_,
                                        static_cast<int64_t>(units.size())};
        double value = 0.0;
        int64_t count = 0;
        solver_.solve(problem, {&value, matched_.data(), &count, prices_.data(),
                                prices_.data() + size});
        return std::min(value / total, 1.0);
    }

    void weigh(const std::vector<int64_t>& units, size_t left, int weights) {
        weights_.resize(units.size());
        pace_(4 * units.size());
        const size_t references = found_.units.size();
        if (references < 2) {
            std::fill(weights_.begin(), weights_.end(), 1.0);
            return;
        }
        const size_t distinct = static_cast<size_t>(found_.distinct);
        for (size_t k = 0; k < units.size(); ++k) {
            const size_t unit = static_cast<size_t>(units[k]);
            uint32_t count = has_[unit];
            if (left < references) count -= in_[left * distinct + unit];
            weights_[k] = weights == WEIGH_ROOT     ? std::sqrt(static_cast<double>(count))
                          : weights == WEIGH_BINARY ? std::min(static_cast<double>(count), 1.0)
                                                    : static_cast<double>(count);
        }
    }
};

// The recalls of each row, which begin at out[begin[row]].
inline void recall_pairs(const Lexicon& lexicon, const std::vector<Pair>& pairs, int weights,
                         bool jackknife, int workers, Pool<RecallWork>& pool,
                         const std::vector<size_t>& begin, double* out, FirstFailure& failed) {
    for_rows(
        pool, static_cast<int64_t>(pairs.size()), 8, workers, failed, MATCH_MEMORY,
        [] { return std::make_unique<RecallWork>(); },
        [&](int64_t row, RecallWork& work) {
            const size_t k = static_cast<size_t>(row);
            work.score(lexicon, pairs[k], weights, jackknife, out + begin[k]);
        });
}

}  // namespace summeval
