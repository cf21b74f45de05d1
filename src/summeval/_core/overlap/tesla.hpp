// TESLA-S of one candidate against a set of references (Lin, Liu, Ng, Kan 2012). If only equal units
// are similar, the transport problem between two bags of weighted units has the closed form
// S = sum over types of min(weight in one bag, weight in the other).
//
// The weight of a unit depends on how many function words it has: 0, 1 or 2. Each of these classes
// is counted in whole numbers, and the weights are applied last, so the score does not depend on
// the order of addition.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "overlap/aggregate.hpp"
#include "rows/counting.hpp"
#include "rows/units.hpp"

namespace summeval {

constexpr size_t CLASSES = 3, LANES = 4;  // counts of a unit take four lanes, one unused

using ClassWeights = std::array<double, CLASSES>;
using ClassCounts = std::array<int64_t, CLASSES>;

struct TeslaPlan {
    int gap = 4;  // words allowed between those of a skip-bigram, < 0 for any number
    bool cross_sentences = true;
    ClassWeights word{{1, 1, 0}}, pair{{1, 1, 1}};
};

template <class Counts>
inline double weigh(const Counts& counts, const ClassWeights& weights) noexcept {
    return static_cast<double>(counts[0]) * weights[0] +
           static_cast<double>(counts[1]) * weights[1] +
           static_cast<double>(counts[2]) * weights[2];
}

struct BagCounts {
    double hits, reference, candidate;
};

struct TeslaCounts {
    BagCounts unigram, skip;
};

// Numbered tokens of a text, which of them are function words, and where its sentences end.
struct FlaggedTokens {
    std::vector<uint32_t> ids, ends;
    std::vector<uint8_t> function;
    size_t size = 0;

    template <class Number>
    void take(const Reading& reading, bool lines, Number number) {
        size = reading.size;
        number(reading.keys.data(), size, TokenSpans::room(ids, size + 1));
        uint8_t* flags = TokenSpans::room(function, size + 1);
        copy_pieces(reading.function.data(), size, flags);
        if (lines)
            ends.assign(reading.line_ends.begin(), reading.line_ends.end());
        else
            ends.assign(1, static_cast<uint32_t>(size));
    }
};

constexpr uint64_t MAX_BAG_UNITS = uint64_t{1} << 27;  // pairs listed: 512 MiB

// The units of a text that some reference has, as unit * LANES + class, and the number of units in
// each class, including units that no reference has.
struct Bag {
    std::vector<uint32_t> units;
    size_t size = 0;
    ClassCounts classes{};

    void take_words(const FlaggedTokens& text) {
        uint32_t* out = TokenSpans::room(units, text.size + 1);
        size_t kept = 0, functions = 0;
        for (const auto [begin, end] : pieces(text.size)) {
            for (size_t k = begin; k < end; ++k) {
                out[kept] = text.ids[k] * LANES + text.function[k];
                kept += text.ids[k] != 0;
                functions += text.function[k];
            }
        }
        finish(kept, text.size, functions, 0);
    }

    // number(a, b) is the unit of the words a and b, or 0 if there is none.
    template <class Number>
    void take_pairs(const FlaggedTokens& text, int gap, Number& number) {
        uint32_t* out = TokenSpans::room(units, skip_pairs(text.size, gap) + 1);
        const uint32_t* word = text.ids.data();
        const uint8_t* flag = text.function.data();
        size_t kept = 0, functions = 0, doubles = 0, pairs = 0, begin = 0;
        Pace pace;
        for (const uint32_t end : text.ends) {
            pace(1 + 8 * (end - begin));
            each_skip_pair(begin, end, gap, [&](size_t i, size_t j) {
                const uint32_t kind = uint32_t{flag[i]} + flag[j];
                const uint32_t unit = number(word[i], word[j]);
                out[kept] = unit * LANES + kind;
                kept += unit != 0;
                functions += kind;
                doubles += kind >> 1;
            });
            pairs += skip_pairs(end - begin, gap);
            begin = end;
        }
        finish(kept, pairs, functions - 2 * doubles, doubles);
    }

  private:
    void finish(size_t kept, size_t all, size_t singles, size_t doubles) noexcept {
        size = kept;
        classes = {{static_cast<int64_t>(all - singles - doubles), static_cast<int64_t>(singles),
                    static_cast<int64_t>(doubles)}};
    }
};

// The bags of one kind from all references, counted.
class CountedBags {
  public:
    double weight(size_t r) const noexcept { return weights_[r]; }
    const int32_t* row(size_t r) const noexcept { return counts_.data() + r * stride_; }
    size_t stride() const noexcept { return stride_; }

    void count(const std::vector<Bag>& bags, size_t references, size_t units,
               const ClassWeights& weights) {
        stride_ = (units + 1) * LANES;
        int32_t* row = zeros(counts_, references * stride_);
        weights_.resize(references);
        for (size_t r = 0; r < references; ++r, row += stride_) {
            const uint32_t* const listed = bags[r].units.data();
            for (const auto [begin, end] : pieces(bags[r].size))
                for (size_t k = begin; k < end; ++k) ++row[listed[k]];
            weights_[r] = weigh(bags[r].classes, weights);
        }
    }

  private:
    std::vector<int32_t> counts_;  // [reference][unit][class]
    std::vector<double> weights_;
    size_t stride_ = 0;
};

// Prepared references: every unit numbered and counted. Scoring does not change them, so threads
// may share them.
class TeslaReferences {
  public:
    size_t size() const noexcept { return count_; }
    const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
    const PairTable& table() const noexcept { return table_; }
    const CountedBags& words() const noexcept { return words_; }
    const CountedBags& pairs() const noexcept { return pairs_; }

    int build(const View* views, size_t count, const TeslaPlan& plan, Reader& reader) {
        count_ = count;
        if (readings_.size() < count) readings_.resize(count);
        if (bags_.size() < count) bags_.resize(count);
        const bool lines = !plan.cross_sentences;
        size_t tokens = 0;
        uint64_t pairs = 0;
        for (size_t r = 0; r < count; ++r) {
            if (views[r].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader.read(views[r], lines, readings_[r]);
            tokens += readings_[r].size;
            pairs += skip_pairs(readings_[r].size, plan.gap);
        }
        if (texts_.size() < count) texts_.resize(count);
        vocabulary_.reset(tokens);
        for (size_t r = 0; r < count; ++r)
            texts_[r].take(readings_[r], lines,
                           [&](const Key* keys, size_t size, uint32_t* ids) {
                               vocabulary_.intern(keys, size, ids);
                           });
        const uint64_t words = vocabulary_.size();
        if (words > UINT32_MAX / LANES) return TEXT_TOO_LONG;
        if (pairs > MAX_BAG_UNITS || std::min(pairs, words * words) > MAX_SKIP_UNITS)
            return PAIRS_TOO_MANY;
        for (size_t r = 0; r < count; ++r) bags_[r].take_words(texts_[r]);
        words_.count(bags_, count, words, plan.word);
        table_.reset(words, words, pairs);
        table_.interning([&](auto& intern) {
            for (size_t r = 0; r < count; ++r) bags_[r].take_pairs(texts_[r], plan.gap, intern);
        });
        pairs_.count(bags_, count, table_.size(), plan.pair);
        return OK;
    }

    // Frees the memory that only building needed; called if the references are kept.
    void shrink() {
        readings_ = std::vector<Reading>();
        texts_ = std::vector<FlaggedTokens>();
        bags_ = std::vector<Bag>();
    }

  private:
    size_t count_ = 0;
    Vocabulary vocabulary_;
    PairTable table_;
    CountedBags words_, pairs_;
    std::vector<Reading> readings_;
    std::vector<FlaggedTokens> texts_;
    std::vector<Bag> bags_;
};

// The weight that a bag shares with each reference: the sum over units of the smaller weight.
class SharedWeight {
  public:
    // Calls tell(reference, weight).
    template <class Tell>
    void measure(const Bag& bag, const CountedBags& refs, size_t references,
                 const ClassWeights& weights, Tell tell) {
        int32_t* own = TokenSpans::room(counts_, refs.stride());
        uint32_t* distinct = TokenSpans::room(distinct_, bag.size + 1);
        size_t types = 0;
        for (const auto [begin, end] : pieces(bag.size)) {
            for (size_t k = begin; k < end; ++k) {
                const uint32_t unit = bag.units[k] & ~static_cast<uint32_t>(LANES - 1);
                distinct[types] = unit;
                types += own[unit + CLASSES] == 0;
                own[unit + CLASSES] = 1;
                ++own[bag.units[k]];
            }
        }
        for (size_t r = 0; r < references; ++r)
            tell(r, shared(refs.row(r), own, types, weights));
        for (const auto [begin, end] : pieces(types))
            for (size_t t = begin; t < end; ++t) std::fill_n(own + distinct[t], LANES, 0);
    }

  private:
    // Without branches: which side is smaller cannot be predicted.
    double shared(const int32_t* ref, const int32_t* own, size_t types,
                  const ClassWeights& weights) const {
        int32_t sums[CLASSES] = {};
        for (const auto [begin, end] : pieces(types)) {
            for (size_t t = begin; t < end; ++t) {
                const int32_t* a = ref + distinct_[t];
                const int32_t* b = own + distinct_[t];
                const int32_t more[CLASSES] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
                const int32_t lighter = -static_cast<int32_t>(weigh(more, weights) < 0);
                for (size_t c = 0; c < CLASSES; ++c) sums[c] += b[c] + (more[c] & lighter);
            }
        }
        return weigh(sums, weights);
    }

    std::vector<int32_t> counts_;  // [unit][class]; all 0 between calls
    std::vector<uint32_t> distinct_;
};

// One candidate against prepared references.
class TeslaCandidate {
  public:
    // Fills counts[reference].
    int score(View view, const TeslaReferences& refs, const TeslaPlan& plan, Reader& reader,
              TeslaCounts* counts) {
        if (view.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader.read(view, !plan.cross_sentences, reading_);
        if (skip_pairs(reading_.size, plan.gap) > MAX_BAG_UNITS) return PAIRS_TOO_MANY;
        const Vocabulary& vocabulary = refs.vocabulary();
        tokens_.take(reading_, !plan.cross_sentences,
                     [&](const Key* keys, size_t size, uint32_t* ids) {
                         vocabulary.find(keys, size, ids);
                     });
        bag_.take_words(tokens_);
        const double words = weigh(bag_.classes, plan.word);
        words_.measure(bag_, refs.words(), refs.size(), plan.word, [&](size_t r, double hits) {
            counts[r].unigram = {hits, refs.words().weight(r), words};
        });
        refs.table().finding([&](auto find) { bag_.take_pairs(tokens_, plan.gap, find); });
        const double pairs = weigh(bag_.classes, plan.pair);
        pairs_.measure(bag_, refs.pairs(), refs.size(), plan.pair, [&](size_t r, double hits) {
            counts[r].skip = {hits, refs.pairs().weight(r), pairs};
        });
        return OK;
    }

  private:
    Reading reading_;
    FlaggedTokens tokens_;
    Bag bag_;
    SharedWeight words_, pairs_;
};

enum TeslaAggregate : int { TESLA_MAX = 0, TESLA_MAX_PER_BAG = 1, TESLA_AVERAGE = 2 };

struct TeslaScoring {
    int aggregate = TESLA_MAX;
    double recall_weight = 0.8;
};

struct BagScore {
    double hits, precision, recall, fmeasure;
};

// The score and its two parts; precision, recall and F are the means of those of the parts.
struct TeslaScore {
    double precision, recall, fmeasure;
    BagScore unigram, skip;
};

// The paper's F = P R / (w P + (1 - w) R), in which a large w weights recall.
inline BagScore score_bag(const BagCounts& counts, double recall_weight) noexcept {
    BagScore score{counts.hits, 0, 0, 0};
    if (counts.candidate > 0) score.precision = counts.hits / counts.candidate;
    if (counts.reference > 0) score.recall = counts.hits / counts.reference;
    score.fmeasure = harmonic(score.recall, score.precision, recall_weight);
    return score;
}

inline TeslaScore join_bags(const BagScore& unigram, const BagScore& skip) noexcept {
    return {(unigram.precision + skip.precision) / 2, (unigram.recall + skip.recall) / 2,
            (unigram.fmeasure + skip.fmeasure) / 2, unigram, skip};
}

inline void add(BagScore& sum, const BagScore& score) noexcept {
    sum.hits += score.hits;
    sum.precision += score.precision;
    sum.recall += score.recall;
    sum.fmeasure += score.fmeasure;
}

inline BagScore divide(const BagScore& sum, double by) noexcept {
    return {sum.hits / by, sum.precision / by, sum.recall / by, sum.fmeasure / by};
}

inline TeslaScore judge_tesla(const TeslaCounts* counts, size_t references,
                              const TeslaScoring& how) noexcept {
    const auto unigram = [&](size_t r) { return score_bag(counts[r].unigram, how.recall_weight); };
    const auto skip = [&](size_t r) { return score_bag(counts[r].skip, how.recall_weight); };
    if (how.aggregate == TESLA_AVERAGE) {
        BagScore words{0, 0, 0, 0}, pairs{0, 0, 0, 0};
        for (size_t r = 0; r < references; ++r) {
            add(words, unigram(r));
            add(pairs, skip(r));
        }
        const double n = static_cast<double>(references);
        return join_bags(divide(words, n), divide(pairs, n));
    }
    if (how.aggregate == TESLA_MAX_PER_BAG)
        return join_bags(
            unigram(first_best(references, [&](size_t r) { return unigram(r).fmeasure; })),
            skip(first_best(references, [&](size_t r) { return skip(r).fmeasure; })));
    const size_t r = first_best(
        references, [&](size_t k) { return unigram(k).fmeasure + skip(k).fmeasure; });
    return join_bags(unigram(r), skip(r));
}

struct TeslaCount {
    using Plan = TeslaPlan;
    using Scoring = TeslaScoring;
    using References = TeslaReferences;
    using Candidate = TeslaCandidate;
    using Counts = TeslaCounts;
    using Told = TeslaScore;
    static constexpr size_t FIELDS = 3;

    static size_t width(const TeslaPlan&) noexcept { return 1; }
    static TeslaScore judge(const TeslaPlan&, const TeslaCounts* counts, size_t references,
                            const TeslaScoring& scoring, double* results) noexcept {
        const TeslaScore score = judge_tesla(counts, references, scoring);
        results[0] = score.precision;
        results[1] = score.recall;
        results[2] = score.fmeasure;
        return score;
    }
    static void tell(const TeslaScore& score, std::vector<double>& out) {
        for (const BagScore& bag : {score.unigram, score.skip})
            out.insert(out.end(), {bag.hits, bag.precision, bag.recall, bag.fmeasure});
    }
};

using TeslaEngine = EngineOf<CountingSpace<TeslaCount>>;

}  // namespace summeval
