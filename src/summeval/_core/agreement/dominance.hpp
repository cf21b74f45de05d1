// QUEEN: how many pairs of models a text dominates under every metric. The pairs of models are
// sorted by their similarity once for each metric. The pairs at or below a given similarity are
// then a prepared bitset, and "under every metric" is an AND of such bitsets.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "text/bits.hpp"
#include "rows/stop.hpp"

namespace summeval {

// Which triples (m, m', m'') of models count: those with m' and m'' different; those with all three
// different; all.
enum : int { TRIPLES_PAIRS = 0, TRIPLES_DISTINCT = 1, TRIPLES_ALL = 2 };

// similarities[metric][candidate][reference] of texts; the first `models` texts are the models.
// `stride` is the distance between two metrics: texts * texts, or more if other numbers lie between.
struct Similarities {
    const double* values;
    int64_t metrics;
    int64_t texts;
    int64_t models;
    int64_t stride;

    double at(int64_t metric, int64_t candidate, int64_t reference) const noexcept {
        return values[metric * stride + candidate * texts + reference];
    }
    int64_t peers() const noexcept { return texts - models; }
};

inline int64_t words_of(int64_t bits) noexcept { return (bits + 63) / 64; }

inline void set_bit(uint64_t* bits, int64_t index) noexcept {
    bits[index / 64] |= uint64_t{1} << (index % 64);
}

// out = a AND b; returns how many bits are set.
inline int64_t intersect(const uint64_t* a, const uint64_t* b, uint64_t* out,
                         int64_t words) noexcept {
    int64_t count = 0;
    for (int64_t w = 0; w < words; ++w) {
        out[w] = a[w] & b[w];
        count += count_bits(out[w]);
    }
    return count;
}

// The pairs of one metric, sorted by similarity, with bitsets of the first pairs.
class PairOrder {
  public:
    explicit PairOrder(const std::vector<double>& values)
        : words_(words_of(static_cast<int64_t>(values.size()))) {
        const int64_t pairs = static_cast<int64_t>(values.size());
        order_.resize(values.size());
        std::iota(order_.begin(), order_.end(), int64_t{0});
        Pace pace;
        std::sort(order_.begin(), order_.end(), [&values, &pace](int64_t a, int64_t b) {
            pace(1);
            return values[a] != values[b] ? values[a] < values[b] : a < b;
        });
        // one bitset per `stride_` pairs, so that the bitsets stay small with many models
        stride_ = 1 + pairs * words_ / MOST_WORDS;
        std::vector<uint64_t> bits(static_cast<size_t>(words_), 0);
        sorted_.reserve(values.size());
        for (int64_t rank = 0; rank <= pairs; ++rank) {
            pace(4);
            if (rank % stride_ == 0) prefixes_.insert(prefixes_.end(), bits.begin(), bits.end());
            if (rank == pairs) break;
            sorted_.push_back(values[order_[rank]]);
            set_bit(bits.data(), order_[rank]);
        }
    }

    // Sets the bits of the pairs with a similarity of at most `limit`.
    void at_most(double limit, uint64_t* bits) const noexcept {
        const int64_t rank = std::upper_bound(sorted_.begin(), sorted_.end(), limit) - sorted_.begin();
        const int64_t block = rank / stride_;
        std::copy_n(prefixes_.data() + block * words_, words_, bits);
        for (int64_t i = block * stride_; i < rank; ++i) set_bit(bits, order_[i]);
    }

    // The most bits that at_most sets one by one.
    uint64_t longest() const noexcept { return static_cast<uint64_t>(stride_); }

  private:
    static constexpr int64_t MOST_WORDS = 1 << 17;
    int64_t words_;
    int64_t stride_ = 1;
    std::vector<int64_t> order_;
    std::vector<double> sorted_;
    std::vector<uint64_t> prefixes_;
};

// The triples of all models, or of all but one, as a bitset of `words` words, ordered by m, then by
// pair.
class Triples {
  public:
    Triples(const Similarities& s, int reading, int64_t left_out) : s_(s) {
        for (int64_t m = 0; m < s.models; ++m)
            if (m != left_out) models_.push_back(m);
        std::vector<int64_t> first, second;
        Pace pace;
        for (const int64_t m : models_) {
            pace(4 * models_.size());
            for (const int64_t other : models_) {
                if (m == other && reading != TRIPLES_ALL) continue;
                first.push_back(m);
                second.push_back(other);
            }
        }
        const size_t pairs = first.size();
        pair_words_ = words_of(static_cast<int64_t>(pairs));
        std::vector<double> values(pairs);
        for (int64_t metric = 0; metric < s.metrics; ++metric) {
            for (const auto [begin, end] : pieces(pairs))
                for (size_t p = begin; p < end; ++p) values[p] = s.at(metric, first[p], second[p]);
            orders_.emplace_back(values);
        }
        if (reading != TRIPLES_DISTINCT) return;
        kept_.assign(static_cast<size_t>(words()), 0);
        for (size_t i = 0; i < models_.size(); ++i) {
            pace(pairs);
            for (size_t p = 0; p < pairs; ++p) {
                if (first[p] == models_[i] || second[p] == models_[i]) continue;
                set_bit(kept_.data() + static_cast<int64_t>(i) * pair_words_,
                        static_cast<int64_t>(p));
            }
        }
    }

    int64_t words() const noexcept {
        return static_cast<int64_t>(models_.size()) * pair_words_;
    }

    // Sets the bits of the triples with x(text, m) >= x(m', m'').
    void dominated(int64_t metric, int64_t text, uint64_t* bits) const {
        mark(metric, [this, metric, text](int64_t m) { return s_.at(metric, text, m); }, bits);
    }

    // How many triples the text dominates under every metric; `room` must hold 2 * words() words.
    int64_t hits(int64_t text, uint64_t* room) const {
        return hits_of([this, text](int64_t x, int64_t m) { return s_.at(x, text, m); }, room);
    }

    // The same for a text outside: `with(metric, m)` is its similarity with a model.
    template <class With>
    int64_t hits_of(With with, uint64_t* room) const {
        const int64_t size = words();
        int64_t count = 1;
        for (int64_t metric = 0; metric < s_.metrics && count; ++metric) {
            uint64_t* const bits = metric ? room + size : room;
            mark(metric, [&with, metric](int64_t m) { return with(metric, m); }, bits);
            count = intersect(room, bits, room, size);
        }
        return count;
    }

  private:
    template <class With>
    void mark(int64_t metric, With with, uint64_t* bits) const {
        Pace pace;
        for (size_t i = 0; i < models_.size(); ++i) {
            pace(static_cast<uint64_t>(pair_words_) + orders_[0].longest());
            orders_[static_cast<size_t>(metric)].at_most(
                with(models_[i]), bits + static_cast<int64_t>(i) * pair_words_);
        }
        for (size_t w = 0; w < kept_.size(); ++w) bits[w] &= kept_[w];
    }

    Similarities s_;
    int64_t pair_words_ = 0;
    std::vector<int64_t> models_;
    std::vector<PairOrder> orders_;
    std::vector<uint64_t> kept_;  // only for `distinct`: the pairs without m itself
};

}  // namespace summeval
