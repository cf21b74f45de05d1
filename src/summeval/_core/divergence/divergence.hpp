// The distance between the words of a summary and the words of its input (Louis and Nenkova 2009,
// 2013; the program SIMetrix): divergences of smoothed and plain distributions, cosines, topic
// words, likelihoods.
//
// An input is prepared once, with its types in groups of equal counts. For a summary only its own
// types are looked at: the other types of a group have the same term, so their sum is this term
// times a whole number. Nothing is subtracted from a sum, so equal texts give exactly 0.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "text/grams.hpp"

namespace summeval {

enum Feature : size_t {
    KL_INPUT_SUMMARY, KL_SUMMARY_INPUT, UNSMOOTHED_JSD, SMOOTHED_JSD, COSINE_ALL_WORDS,
    PERCENT_TOPIC_TOKENS, FRACTION_TOPIC_WORDS, TOPIC_WORD_OVERLAP, UNIGRAM_PROBABILITY,
    MULTINOMIAL_PROBABILITY, FEATURES,
};

using Features = std::array<double, FEATURES>;

// The longest texts that are read, and the most different words. Both bound the scores of a text:
// each different word that an input lacks adds to its smoothed distribution.
constexpr double MOST_WORDS = 2147483648.0;  // 2^31
constexpr double MOST_TYPES = 1048576.0;     // 2^20

inline Features missing_features() noexcept {
    Features features;
    features.fill(std::numeric_limits<double>::quiet_NaN());
    return features;
}

// The types of a text in the order of first occurrence, with their counts.
struct TypeCounts {
    std::vector<Key> keys;
    std::vector<int64_t> counts;
    size_t size = 0;
    int64_t total = 0;

    void clear() noexcept { size = 0, total = 0; }
    void add(Key key, int64_t count) {
        TokenSpans::room(keys, size + 1)[size] = key;
        TokenSpans::room(counts, size + 1)[size] = count;
        total += count;
        ++size;
    }
};

class TypeCounter {
  public:
    void count(const Key* tokens, size_t size, TypeCounts& out) {
        uint32_t* ids = TokenSpans::room(ids_, size + 1);
        vocabulary_.reset(size);
        vocabulary_.intern(tokens, size, ids);
        out.size = vocabulary_.size();
        out.total = static_cast<int64_t>(size);
        Key* keys = TokenSpans::room(out.keys, out.size + 1);
        int64_t* counts = TokenSpans::room(out.counts, out.size + 1);
        std::fill_n(counts, out.size, 0);
        for (const auto [begin, end] : pieces(size)) {
            for (size_t k = begin; k < end; ++k) {
                keys[ids[k] - 1] = tokens[k];
                ++counts[ids[k] - 1];
            }
        }
    }

  private:
    Vocabulary vocabulary_;
    std::vector<uint32_t> ids_;
};

// Knowledge about words that does not come from the texts: background counts, and idf.
class WordTables {
  public:
    void reset(size_t words, double unknown_weight) {
        vocabulary_.reset(words);
        counts_.assign(1, 0);
        weights_.assign(1, unknown_weight);
        total_ = 0;
    }
    void add_count(Key key, int64_t count) {
        counts_[intern(key)] += count;
        total_ += count;
    }
    void add_weight(Key key, double weight) { weights_[intern(key)] = weight; }

    void find(const Key* keys, size_t count, uint32_t* ids) const {
        vocabulary_.find(keys, count, ids);
    }
    int64_t count(uint32_t id) const noexcept { return counts_[id]; }
    double weight(uint32_t id) const noexcept { return weights_[id]; }
    int64_t total() const noexcept { return total_; }

  private:
    uint32_t intern(Key key) {
        uint32_t id;
        vocabulary_.intern(&key, 1, &id);
        if (id == counts_.size()) {
            counts_.push_back(0);
            weights_.push_back(weights_[0]);
        }
        return id;
    }

    Vocabulary vocabulary_;
    std::vector<int64_t> counts_;
    std::vector<double> weights_;
    int64_t total_ = 0;
};

struct DivergencePlan {
    double gamma = 0.005;         // Lidstone: (count + gamma) / (total + gamma * bins * types)
    double bins = 1.5;
    double log_scale = 1;         // factor of the divergences: 1 for natural logarithms
    double ratio_scale = 1;       // factor of the likelihood ratios
    double topic_cutoff = 10;
    bool has_background = false;  // without one there are no topic words
    bool compat = false;          // as in the program: numbers for empty texts, and empty tokens
    WordTables tables;
};

inline double times_log(int64_t count, int64_t part, int64_t whole) noexcept {
    if (count == 0) return 0;
    return static_cast<double>(count) *
           std::log(static_cast<double>(part) / static_cast<double>(whole));
}

// -2 log of Dunning's likelihood ratio of a word that occurs `a` times in `all_a` tokens and `b`
// times in `all_b`: one probability for both against one for each; natural logarithms.
inline double likelihood_ratio(int64_t a, int64_t all_a, int64_t b, int64_t all_b) noexcept {
    const int64_t both = a + b, all = all_a + all_b;
    const double same = times_log(both, both, all) + times_log(all - both, all - both, all);
    const double apart = times_log(a, a, all_a) + times_log(all_a - a, all_a - a, all_a) +
                         times_log(b, b, all_b) + times_log(all_b - b, all_b - b, all_b);
    return -2 * (same - apart);
}

// log10(n!). (std::lgamma may write to a global variable, which is unsafe in threads.)
inline double log10_factorial(int64_t n) noexcept {
    constexpr int64_t SMALL = 256;
    struct Table {
        double of[SMALL];
        Table() noexcept {
            of[0] = 0;
            for (int64_t i = 1; i < SMALL; ++i)
                of[i] = of[i - 1] + std::log10(static_cast<double>(i));
        }
    };
    static const Table table;
    if (n < SMALL) return table.of[n];
    const double x = static_cast<double>(n), inverse = 1 / x, square = inverse * inverse;
    const double series = inverse * (1 / 12.0 - square * (1 / 360.0 - square / 1260.0));
    return ((x + 0.5) * std::log(x) - x + 0.91893853320467274178 + series) / std::log(10.0);
}

// p log(p / m) + q log(q / m), where m is the mean of p and q; 0 if they are equal, never negative.
inline double jensen(double p, double q) noexcept {
    const double mean = (p + q) / 2;
    const double sum = p * std::log(p / mean) + q * std::log(q / mean);
    return sum < 0 ? 0 : sum;
}

inline double cosine(double dot, double left, double right) noexcept {
    if (!(dot > 0)) return 0;
    const double product = left * right;
    // The product of two very small sums of squares can underflow.
    const double both = product > 0 ? std::sqrt(product) : std::sqrt(left) * std::sqrt(right);
    return dot < both ? dot / both : 1;
}

// A prepared input. Scoring does not change it, so threads may share it.
class DivergenceInput {
  public:
    struct Type {
        int64_t count = 0;
        uint32_t group = 0;
        bool topic = false;
        double weight = 0;
    };
    struct Group {
        double share, smoothed, log_smoothed, log10_share;
        int64_t types;
    };

    bool empty() const noexcept { return total_ == 0; }
    int64_t total() const noexcept { return total_; }
    double bins() const noexcept { return bins_; }        // gamma * bins * types
    double unseen() const noexcept { return unseen_; }    // smoothed share of an unseen word
    double norm() const noexcept { return norm_; }        // squared norm of the counts times idf
    double topic_norm() const noexcept { return topic_norm_; }
    int64_t topics() const noexcept { return topics_; }
    const std::vector<Group>& groups() const noexcept { return groups_; }
    const Type& type(uint32_t id) const noexcept { return types_[id]; }
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        vocabulary_.find(keys, count, ids);
    }

    void build(const TypeCounts& text, const DivergencePlan& plan) {
        total_ = text.total;
        bins_ = plan.gamma * plan.bins * static_cast<double>(text.size);
        unseen_ = plan.gamma / (static_cast<double>(total_) + bins_);
        vocabulary_.reset(text.size);
        ids_.resize(text.size);
        vocabulary_.intern(text.keys.data(), text.size, ids_.data());
        group(text, plan);
        weigh(text, plan);
    }
    void shrink() noexcept {}

  private:
    void group(const TypeCounts& text, const DivergencePlan& plan) {
        std::vector<int64_t> steps(text.counts.begin(), text.counts.begin() + text.size);
        Pace pace;
        std::sort(steps.begin(), steps.end(), [&pace](int64_t a, int64_t b) {
            pace(1);
            return a < b;
        });
        steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
        groups_.clear();
        const double total = static_cast<double>(total_);
        for (const int64_t step : steps) {
            const double count = static_cast<double>(step), share = count / total;
            const double smoothed = (count + plan.gamma) / (total + bins_);
            groups_.push_back({share, smoothed, std::log(smoothed), std::log10(share), 0});
        }
        types_.assign(text.size + 1, Type());
        for (size_t k = 0; k < text.size; ++k) {
            pace(16);
            Type& type = types_[ids_[k]];
            const auto place = std::lower_bound(steps.begin(), steps.end(), text.counts[k]);
            type.count = text.counts[k];
            type.group = static_cast<uint32_t>(place - steps.begin());
            ++groups_[type.group].types;
        }
    }

    void weigh(const TypeCounts& text, const DivergencePlan& plan) {
        const WordTables& tables = plan.tables;
        norm_ = topic_norm_ = 0;
        topics_ = 0;
        std::vector<uint32_t> known(text.size);
        tables.find(text.keys.data(), text.size, known.data());
        Pace pace;
        for (size_t k = 0; k < text.size; ++k) {
            pace(16);
            Type& type = types_[ids_[k]];
            type.weight = tables.weight(known[k]);
            const double part = static_cast<double>(type.count) * type.weight;
            norm_ += part * part;
            if (!plan.has_background) continue;
            const double ratio = plan.ratio_scale * likelihood_ratio(type.count, total_,
                                                                     tables.count(known[k]),
                                                                     tables.total());
            type.topic = ratio > plan.topic_cutoff;
            if (!type.topic) continue;
            topic_norm_ += part * part;
            ++topics_;
        }
    }

    Vocabulary vocabulary_;
    std::vector<Type> types_;  // by number; number 0 is any word outside the input
    std::vector<Group> groups_;
    std::vector<uint32_t> ids_;
    int64_t total_ = 0, topics_ = 0;
    double bins_ = 0, unseen_ = 0, norm_ = 0, topic_norm_ = 0;
};

// Compares summaries with inputs; reuses its memory.
class DivergenceScorer {
  public:
    Features compare(const TypeCounts& summary, const DivergenceInput& input,
                     const DivergencePlan& plan) {
        if (!plan.compat && input.empty()) return missing_features();
        if (!plan.compat && summary.total == 0) return worst(input, plan);
        uint32_t* ids = TokenSpans::room(ids_, summary.size + 1);
        uint32_t* known = TokenSpans::room(known_, summary.size + 1);
        input.find(summary.keys.data(), summary.size, ids);
        plan.tables.find(summary.keys.data(), summary.size, known);
        Features features;
        smoothed(summary, input, plan, features);
        unsmoothed(summary, input, plan, features);
        words(summary, input, plan, features);
        return features;
    }

  private:
    // Bounds for a summary without words: no summary scores worse. Each field has its own bound,
    // made from the least smoothed share of a word of the input, the least of a word that the
    // summary has once, and the greatest sum of all shares of a summary.
    static Features worst(const DivergenceInput& input, const DivergencePlan& plan) noexcept {
        const double below = MOST_WORDS + input.bins(), outside = input.unseen();
        const double log_rare = std::log(plan.gamma / below), once = (1 + plan.gamma) / below;
        const double most = std::max(1 + plan.gamma, 1 / plan.bins);
        const double others = MOST_TYPES * outside;
        double forward = others * std::max(0.0, std::log(outside / once)), shares = others + most;
        for (const DivergenceInput::Group& group : input.groups()) {
            const double share = static_cast<double>(group.types) * group.smoothed;
            forward += share * (group.log_smoothed - log_rare);
            shares += share;
        }
        Features out;
        out[KL_INPUT_SUMMARY] = plan.log_scale * forward;
        out[KL_SUMMARY_INPUT] = plan.log_scale * most * std::log(most / outside);
        out[UNSMOOTHED_JSD] = plan.log_scale * std::log(2.0);
        out[SMOOTHED_JSD] = plan.log_scale * std::log(2.0) * shares / 2;
        out[COSINE_ALL_WORDS] = 0;
        const double none = plan.has_background ? 0 : std::numeric_limits<double>::quiet_NaN();
        out[PERCENT_TOPIC_TOKENS] = out[FRACTION_TOPIC_WORDS] = out[TOPIC_WORD_OVERLAP] = none;
        const double rarest = input.groups().front().log10_share;  // groups are in ascending order
        out[UNIGRAM_PROBABILITY] = out[MULTINOMIAL_PROBABILITY] = MOST_WORDS * rarest;
        return out;
    }

    void smoothed(const TypeCounts& summary, const DivergenceInput& input,
                  const DivergencePlan& plan, Features& out) {
        const double below = static_cast<double>(summary.total) + input.bins();
        const double unseen = plan.gamma / below, log_unseen = std::log(unseen);
        const double outside = input.unseen(), log_outside = std::log(outside);
        const auto& groups = input.groups();
        int64_t* covered = TokenSpans::room(covered_, groups.size() + 1);
        std::fill_n(covered, groups.size(), 0);
        double forward = 0, back = 0, both = 0;
        Pace pace;
        for (size_t k = 0; k < summary.size; ++k) {
            pace(16);
            const double q = (static_cast<double>(summary.counts[k]) + plan.gamma) / below;
            const double log_q = std::log(q);
            double p = outside, log_p = log_outside;
            if (ids_[k]) {
                const uint32_t group = input.type(ids_[k]).group;
                p = groups[group].smoothed;
                log_p = groups[group].log_smoothed;
                ++covered[group];
            }
            forward += p * (log_p - log_q);
            back += q * (log_q - log_p);
            both += jensen(p, q);
        }
        for (size_t g = 0; g < groups.size(); ++g) {
            pace(16);
            if (groups[g].types == covered[g]) continue;
            const double rest = static_cast<double>(groups[g].types - covered[g]);
            forward += rest * (groups[g].smoothed * (groups[g].log_smoothed - log_unseen));
            back += rest * (unseen * (log_unseen - groups[g].log_smoothed));
            both += rest * jensen(groups[g].smoothed, unseen);
        }
        out[KL_INPUT_SUMMARY] = plan.log_scale * forward;
        out[KL_SUMMARY_INPUT] = plan.log_scale * back;
        out[SMOOTHED_JSD] = plan.log_scale * both / 2;
    }

    // A word of only one side adds its share times log 2.
    void unsmoothed(const TypeCounts& summary, const DivergenceInput& input,
                    const DivergencePlan& plan, Features& out) const {
        const double total = static_cast<double>(summary.total);
        int64_t own_rest = summary.total, its_rest = input.total();
        double sum = 0;
        Pace pace;
        for (size_t k = 0; k < summary.size; ++k) {
            pace(16);
            if (!ids_[k]) continue;
            const DivergenceInput::Type& type = input.type(ids_[k]);
            const double share = static_cast<double>(summary.counts[k]) / total;
            sum += jensen(input.groups()[type.group].share, share);
            own_rest -= summary.counts[k];
            its_rest -= type.count;
        }
        double alone = 0;
        if (own_rest) alone += static_cast<double>(own_rest) / total;
        if (its_rest) alone += static_cast<double>(its_rest) / static_cast<double>(input.total());
        out[UNSMOOTHED_JSD] = plan.log_scale * (sum / 2 + alone / 2 * std::log(2.0));
    }

    void words(const TypeCounts& summary, const DivergenceInput& input,
               const DivergencePlan& plan, Features& out) const {
        double dot = 0, topic_dot = 0, norm = 0, unigrams = 0, repeats = 0;
        int64_t topic_tokens = 0, topic_types = 0;
        Pace pace;
        for (size_t k = 0; k < summary.size; ++k) {
            pace(16);
            const double count = static_cast<double>(summary.counts[k]);
            const double part = count * plan.tables.weight(known_[k]);
            norm += part * part;
            repeats += log10_factorial(summary.counts[k]);
            if (!ids_[k]) continue;
            const DivergenceInput::Type& type = input.type(ids_[k]);
            const double product = part * (static_cast<double>(type.count) * type.weight);
            dot += product;
            unigrams += count * input.groups()[type.group].log10_share;
            if (!type.topic) continue;
            topic_dot += product;
            topic_tokens += summary.counts[k];
            ++topic_types;
        }
        out[COSINE_ALL_WORDS] = cosine(dot, input.norm(), norm);
        out[UNIGRAM_PROBABILITY] = unigrams;
        out[MULTINOMIAL_PROBABILITY] = log10_factorial(summary.total) - repeats + unigrams;
        const double none = plan.has_background ? 0 : std::numeric_limits<double>::quiet_NaN();
        out[PERCENT_TOPIC_TOKENS] = out[FRACTION_TOPIC_WORDS] = out[TOPIC_WORD_OVERLAP] = none;
        if (topic_tokens == 0) return;
        out[PERCENT_TOPIC_TOKENS] =
            static_cast<double>(topic_tokens) / static_cast<double>(summary.total);
        out[FRACTION_TOPIC_WORDS] =
            static_cast<double>(topic_types) / static_cast<double>(input.topics());
        out[TOPIC_WORD_OVERLAP] = cosine(topic_dot, input.topic_norm(), norm);
    }

    std::vector<uint32_t> ids_, known_;  // of the summary's types: by input, by tables
    std::vector<int64_t> covered_;
};

}  // namespace summeval
