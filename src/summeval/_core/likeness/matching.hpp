// How alike the words of two texts are, and how much of one text the other has by it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "likeness/graded_words.hpp"
#include "matching/transport.hpp"
#include "text/grams.hpp"

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
            std::fill(out + width_, out + stride_, 0.0f);  // of vectors that do not count
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
        const int16_t* const left = references.vectors.data() + word * size;
        const int16_t* right = candidate.vectors.data();
        int32_t* const products = products_.data();
        for (size_t j = 0; j < width_; j += 4, right += 4 * size) {
            four_products(left, right, size, products + j);
            pace(size / 4);
        }
        const float* const inverses = candidate.inverse.data();
        const Four left_inverse = Four::all(inverse), none = Four::all(0), one = Four::all(1);
        for (size_t j = 0; j < stride_; j += 4) {
            const Four cosine = Four::load(products + j) * left_inverse * Four::load(inverses + j);
            const Four clipped = cosine.larger(none).smaller(one);
            (Four::load(out + j) + clipped * Four::all(share)).store(out + j);
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
    int compare(const GradedText& reference, const GradedText& candidate, bool with_flow,
                GradedScore& score) {
        score = {};
        if (reference.words.empty() || candidate.words.empty()) return TRANSPORT_OPTIMAL;
        score.recall = recall(reference);
        score.precision = precision(reference, candidate);
        score.pair = pair(reference, candidate);
        score.value = (score.recall + score.pair) / 2;
        return with_flow ? flow(reference, candidate, score.flow) : TRANSPORT_OPTIMAL;
    }

  private:
    static constexpr size_t LONG = 256;                  // words, from which repeats are looked for
    static constexpr uint32_t NO_WORD = UINT32_MAX;

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
        columns_.assign(width + 3, 0);
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

    // Pairs of words that come again in a long text, and in a long candidate words that come again
    // with the same ones around them, are looked at once.
    double pair(const GradedText& reference, const GradedText& candidate) {
        const size_t count = reference.words.size();
        if (count == 1) return best_[reference.words[0]];
        const std::vector<uint32_t>& words =
            candidate.words.size() > LONG ? without_repeats(candidate.words) : candidate.words;
        const size_t size = words.size();
        first_.assign(size + 4 * REACH, 0);
        second_.assign(size + 4 * REACH, 0);
        uint32_t spread_last = reference.words[0];
        spread(spread_last, words, second_.data());
        if (count > LONG) number_pairs(reference.words);
        double sum = 0, weights = 0;
        Pace pace;
        for (size_t k = 0; k + 1 < count; ++k) {
            const uint32_t one = reference.words[k], other = reference.words[k + 1];
            const double weight = references_->weight(one) * references_->weight(other);
            weights += weight;
            float* const known = count > LONG ? &known_[pairs_[k]] : nullptr;
            pace(8);
            if (known && *known >= 0) {
                sum += weight * *known;
                continue;
            }
            first_.swap(second_);
            if (spread_last != one) spread(one, words, first_.data());
            spread(other, words, second_.data());
            spread_last = other;
            const float found = nearest(size);
            if (known) *known = found;
            sum += weight * found;
            pace(4 * size + 16);
        }
        return std::min(1.0, sum / weights);
    }

    // Numbers the pairs of neighbours; what they give is not known.
    void number_pairs(const std::vector<uint32_t>& words) {
        pairs_.resize(words.size());
        const size_t last = *std::max_element(words.begin(), words.end()) + size_t{1};
        intern_pairs(words.data(), words.data() + 1, words.size() - 1, last, last, pairs_.data());
        known_.assign(table_.size() + size_t{1}, -1);
    }

    // Writes the number of each pair (left[k] + 1, right[k] + 1).
    void intern_pairs(const uint32_t* left, const uint32_t* right, size_t size, size_t most_left,
                      size_t most_right, uint32_t* out) {
        table_.reset(most_left, most_right, size);
        table_.interning([=](auto& intern) {
            Pace pace;
            for (size_t k = 0; k < size; ++k, pace(8)) out[k] = intern(left[k] + 1, right[k] + 1);
        });
    }

    // The words of a candidate, of those that come again with the same REACH words on each side
    // only the first; where some were left out, stands NO_WORD as often as keeps the others apart.
    const std::vector<uint32_t>& without_repeats(const std::vector<uint32_t>& words) {
        // Numbers for the words around each: of 2, 4, 8 and 9 in a row; the text has REACH zeros
        // more on each side.
        constexpr size_t AROUND = 2 * REACH + 1;
        const size_t size = words.size(), room = size + 4 * REACH;
        around_.assign(room, 0);
        Pace pace;
        uint32_t most = 0;
        for (size_t k = 0; k < size; ++k, pace(2)) {
            around_[k + REACH] = words[k] + 1;
            most = std::max(most, words[k] + 2);
        }
        wider_ = around_;
        for (size_t step = 1; step < AROUND - 1; step *= 2) {
            const size_t count = room - 2 * step;
            intern_pairs(wider_.data(), wider_.data() + step, count, most, most, wider_.data());
            most = table_.size() + 1;
        }
        intern_pairs(wider_.data(), around_.data() + AROUND - 1, size, most, room, wider_.data());
        seen_.assign(table_.size() + size_t{1}, 0);
        fewer_.clear();
        size_t next = 0;  // the first word that was not looked at
        for (size_t k = 0; k < size; ++k, pace(2)) {
            uint8_t& seen = seen_[wider_[k]];
            if (seen) continue;
            seen = 1;
            const size_t begin = std::max(k, REACH) - REACH;
            if (begin > next) fewer_.insert(fewer_.end(), REACH, NO_WORD);
            for (size_t i = std::max(begin, next); i < std::min(k + REACH + 1, size); ++i)
                fewer_.push_back(words[i]);
            next = std::max(next, std::min(k + REACH + 1, size));
        }
        return fewer_;
    }

    // The likeness of a word to each word of the candidate in turn, behind REACH zeros.
    void spread(uint32_t word, const std::vector<uint32_t>& words, float* out) const {
        const float* const row = likeness_->row(word);
        out += REACH;
        for (const auto [begin, end] : pieces(words.size()))
            for (size_t k = begin; k < end; ++k) out[k] = words[k] == NO_WORD ? 0 : row[words[k]];
    }

    // The largest mean of the likeness of the first word to a word of the candidate, and of the
    // second to one that is near it. The largest of nine neighbours is that of eight and the ninth,
    // the largest of eight that of two fours, and the largest of four that of two twos. What
    // is read behind the last place is there and does not count.
    float nearest(size_t size) {
        const size_t all = size + 2 * REACH;
        float* const twos = room(twos_, all + 8);
        float* const fours = room(fours_, all + 8);
        const float* const x = second_.data();
        const float* const y = first_.data() + REACH;
        for (size_t k = 0; k < all; k += 4)
            Four::load(x + k).larger(Four::load(x + k + 1)).store(twos + k);
        Four::all(0).store(twos + (all + 3) / 4 * 4);
        for (size_t k = 0; k < size + REACH; k += 4)
            Four::load(twos + k).larger(Four::load(twos + k + 2)).store(fours + k);
        Four most = Four::all(0);
        size_t k = 0;
        for (; k + 4 <= size; k += 4) most = most.larger(sum_at(x + k, y + k, fours + k));
        float lanes[4], last[4];
        most.store(lanes);
        sum_at(x + k, y + k, fours + k).store(last);
        for (size_t rest = 0; rest < size - k; ++rest) lanes[0] = std::max(lanes[0], last[rest]);
        return largest(lanes, 4) / 2;
    }

    static Four sum_at(const float* x, const float* y, const float* fours) noexcept {
        const Four eight = Four::load(fours).larger(Four::load(fours + 4));
        return Four::load(y) + eight.larger(Four::load(x + 8));
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

    static void raise(float* most, const float* row, size_t size) noexcept {
        for (size_t k = 0; k < size; k += 4)
            Four::load(most + k).larger(Four::load(row + k)).store(most + k);
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
    PairTable table_;
    std::vector<uint32_t> pairs_, around_, wider_, fewer_;
    std::vector<float> known_;   // of each pair of neighbours in the reference; below 0 if not
    std::vector<uint8_t> seen_;  // of the words around each word of the candidate
    std::vector<int64_t> rows_, columns_of_;
    std::vector<double> worth_, flows_, row_prices_, column_prices_;
    TransportSolver solver_;
};

}  // namespace summeval
