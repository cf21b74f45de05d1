// How alike the words of two texts are, and how much of one text the other has by it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "likeness/graded_words.hpp"
#include "matching/transport.hpp"

namespace summeval {

// The fields of `tesla-e`.
struct GradedScore {
    double recall = 0, precision = 0, pair = 0, flow = 0, value = 0;
};

constexpr size_t REACH = 4;              // words on each side that count as near
constexpr float LEAST_ALIKE = 0.5f;      // that gives a flow any value
constexpr uint64_t MAX_CELLS = uint64_t{1} << 27;  // pairs of different words: 512 MiB

// The likeness of words [of the references, of the candidate], each from 0 to 1.
class Likeness {
  public:
    const float* row(size_t word) const noexcept { return cells_.data() + word * stride_; }
    size_t width() const noexcept { return width_; }

    // `own`: for each word of the candidate, and `other`: of the references, the number of its
    // stem; equal ones are alike to 1. 0 is equal to none.
    void fill(const GradedWords& references, const uint32_t* other, const GradedWords& candidate,
              const uint32_t* own) {
        width_ = candidate.size();
        stride_ = (width_ + 3) / 4 * 4;
        const size_t cells = references.size() * stride_;
        if (cells_.size() < cells) grow(cells_, cells);
        if (products_.size() < stride_) products_.resize(2 * stride_);
        const bool in_context = candidate.context().stride != 0;
        const bool in_table = candidate.table().stride != 0;
        const float share = in_context && in_table ? 0.5f : 1.0f;
        Pace pace;
        for (size_t i = 0; i < references.size(); ++i) {
            float* const out = cells_.data() + i * stride_;
            std::fill_n(out, stride_, 0.0f);
            if (in_table) add(references.table(), i, candidate.table(), share, out, pace);
            if (in_context) add(references.context(), i, candidate.context(), share, out, pace);
            const uint32_t stem = other[i];
            for (size_t j = 0; j < width_; ++j) out[j] = own[j] == stem ? 1.0f : out[j];
            pace(width_ + 4);
        }
    }

  private:
    // First all products, then all cosines: whether one is below 0 could not be predicted.
    void add(const WordVectors& references, size_t word, const WordVectors& candidate, float share,
             float* out, Pace& pace) {
        const float inverse = references.inverse[word];
        if (inverse == 0) return;
        const size_t size = references.stride;
        const int16_t* const mine = references.vectors.data() + word * size;
        const int16_t* theirs = candidate.vectors.data();
        int32_t* const products = products_.data();
        for (size_t j = 0; j < width_; j += 4, theirs += 4 * size) {
            four_products(mine, theirs, size, products + j);
            pace(size / 4);
        }
        const float* const inverses = candidate.inverse.data();
        for (size_t j = 0; j < width_; ++j) {
            const float cosine = static_cast<float>(products[j]) * inverse * inverses[j];
            const float raised = cosine < 0.0f ? 0.0f : cosine;
            out[j] += share * (raised > 1.0f ? 1.0f : raised);
        }
    }

    std::vector<float> cells_;
    std::vector<int32_t> products_;
    size_t width_ = 0, stride_ = 0;
};

// Compares one candidate with references by the likeness of their words.
class GradedMatching {
  public:
    // Takes the likeness of all words; the texts that are compared next consist of them.
    void start(const Likeness& likeness, const GradedWords& references,
               const GradedWords& candidate) {
        likeness_ = &likeness;
        references_ = &references;
        candidate_ = &candidate;
        best_.resize(references.size());
        Pace pace;
        for (size_t i = 0; i < references.size(); ++i) {
            best_[i] = largest(likeness.row(i), likeness.width());
            pace(likeness.width() / 4 + 4);
        }
    }

    // Status of the flow's programme.
    int compare(const GradedText& reference, const GradedText& candidate, GradedScore& score) {
        score = {};
        if (reference.words.empty() || candidate.words.empty()) return TRANSPORT_OPTIMAL;
        score.recall = recall(reference);
        score.precision = precision(reference, candidate);
        score.pair = pair(reference, candidate);
        score.value = (score.recall + score.pair) / 2;
        return flow(reference, candidate, score.flow);
    }

  private:
    double recall(const GradedText& reference) const {
        double sum = 0;
        for (const auto [begin, end] : pieces(reference.words.size())) {
            for (size_t k = begin; k < end; ++k) {
                const double best = best_[reference.words[k]];
                sum += references_->weight(reference.words[k]) * (best * best);
            }
        }
        return std::min(1.0, sum / reference.weight);
    }

    double precision(const GradedText& reference, const GradedText& candidate) {
        const size_t width = likeness_->width();
        columns_.assign(width, 0);
        Pace pace;
        for (const uint32_t word : reference.distinct) {
            raise(columns_.data(), likeness_->row(word), width);
            pace(width / 4 + 4);
        }
        double sum = 0;
        for (const auto [begin, end] : pieces(candidate.words.size())) {
            for (size_t k = begin; k < end; ++k) {
                const double best = columns_[candidate.words[k]];
                sum += candidate_->weight(candidate.words[k]) * (best * best);
            }
        }
        return std::min(1.0, sum / candidate.weight);
    }

    double pair(const GradedText& reference, const GradedText& candidate) {
        const size_t count = reference.words.size(), size = candidate.words.size();
        if (count == 1) return best_[reference.words[0]];
        first_.assign(size + 2 * REACH, 0);
        second_.assign(size + 2 * REACH, 0);
        spread(reference.words[0], candidate, second_.data());
        double sum = 0, weights = 0;
        Pace pace;
        for (size_t k = 0; k + 1 < count; ++k) {
            const uint32_t one = reference.words[k], other = reference.words[k + 1];
            first_.swap(second_);
            spread(other, candidate, second_.data());
            const double weight = references_->weight(one) * references_->weight(other);
            sum += weight * nearest(size);
            weights += weight;
            pace(4 * size + 16);
        }
        return std::min(1.0, sum / weights);
    }

    // The likeness of a word to each word of the candidate in turn, behind REACH zeros.
    void spread(uint32_t word, const GradedText& candidate, float* out) const {
        const float* const row = likeness_->row(word);
        const uint32_t* const words = candidate.words.data();
        out += REACH;
        for (const auto [begin, end] : pieces(candidate.words.size()))
            for (size_t k = begin; k < end; ++k) out[k] = row[words[k]];
    }

    // The largest mean of the likeness of the first word to a word of the candidate, and of the
    // second to one that is near it. The largest of nine neighbours is that of eight and the ninth,
    // and the largest of eight that of two fours.
    float nearest(size_t size) {
        const size_t all = size + 2 * REACH;
        float* const twos = room(twos_, all);
        float* const fours = room(fours_, all);
        const float* const x = second_.data();
        const float* const y = first_.data() + REACH;
        for (size_t k = 0; k + 1 < all; ++k) twos[k] = larger(x[k], x[k + 1]);
        for (size_t k = 0; k + 3 < all; ++k) fours[k] = larger(twos[k], twos[k + 2]);
        float* const sums = twos;  // no longer needed
        for (size_t k = 0; k < size; ++k)
            sums[k] = y[k] + larger(larger(fours[k], fours[k + 4]), x[k + 8]);
        return largest(sums, size) / 2;
    }

    int flow(const GradedText& reference, const GradedText& candidate, double& value) {
        rows_.clear();
        columns_of_.clear();
        worth_.clear();
        Pace pace;
        for (size_t i = 0; i < reference.distinct.size(); ++i) {
            const float* const row = likeness_->row(reference.distinct[i]);
            for (size_t j = 0; j < candidate.distinct.size(); ++j) {
                const float alike = row[candidate.distinct[j]];
                if (alike <= LEAST_ALIKE) continue;
                rows_.push_back(static_cast<int64_t>(i));
                columns_of_.push_back(static_cast<int64_t>(j));
                worth_.push_back((static_cast<double>(alike) - LEAST_ALIKE) / LEAST_ALIKE);
            }
            pace(candidate.distinct.size() + 4);
        }
        const size_t edges = rows_.size();
        value = 0;
        if (edges == 0) return TRANSPORT_OPTIMAL;
        const size_t height = reference.distinct.size(), width = candidate.distinct.size();
        const TransportProblem problem{
            false, rows_.data(), columns_of_.data(), worth_.data(), static_cast<int64_t>(edges),
            reference.amount.data(), static_cast<int64_t>(height),
            candidate.amount.data(), static_cast<int64_t>(width)};
        flows_.resize(edges);
        row_prices_.resize(height);
        column_prices_.resize(width);
        double found = 0;
        const int status = solver_.solve(
            problem, {flows_.data(), row_prices_.data(), column_prices_.data(), &found});
        value = std::min(1.0, found / reference.square);
        return status;
    }

    static float larger(float a, float b) noexcept { return a < b ? b : a; }

    static void raise(float* most, const float* row, size_t size) noexcept {
        for (size_t k = 0; k < size; ++k) most[k] = larger(most[k], row[k]);
    }

    // Of numbers of at least 0, four at a time: the compiler must not change the order itself.
    static float largest(const float* numbers, size_t size) noexcept {
        float lanes[4] = {0, 0, 0, 0};
        size_t k = 0;
        for (; k + 4 <= size; k += 4)
            for (size_t lane = 0; lane < 4; ++lane)
                lanes[lane] = larger(lanes[lane], numbers[k + lane]);
        for (; k < size; ++k) lanes[0] = larger(lanes[0], numbers[k]);
        return larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]));
    }

    static float* room(std::vector<float>& numbers, size_t size) {
        if (numbers.size() < size) grow(numbers, size);
        return numbers.data();
    }

    const Likeness* likeness_ = nullptr;
    const GradedWords* references_ = nullptr;
    const GradedWords* candidate_ = nullptr;
    std::vector<float> best_;     // of each word of the references
    std::vector<float> columns_;  // of each word of the candidate
    std::vector<float> first_, second_, twos_, fours_;  // of each place in the candidate
    std::vector<int64_t> rows_, columns_of_;
    std::vector<double> worth_, flows_, row_prices_, column_prices_;
    TransportSolver solver_;
};

}  // namespace summeval
