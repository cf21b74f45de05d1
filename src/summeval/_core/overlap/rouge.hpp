// ROUGE counts of one candidate against a set of references: hits and totals of every measure.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "overlap/lcs.hpp"
#include "overlap/pair_counts.hpp"
#include "overlap/plan.hpp"
#include "overlap/short_rouge.hpp"
#include "overlap/weighted_lcs.hpp"
#include "rows/units.hpp"

namespace summeval {

// Numbered tokens of a text; with a byte limit the LCS measures read a text of their own.
struct Tokens {
    std::vector<uint32_t> ids, ends, lcs_ids, lcs_ends;
    size_t size = 0, lcs_size = 0;
    bool own_lcs = false;

    Sentences sentences() const noexcept {
        return own_lcs ? Sentences{lcs_ids.data(), lcs_ends.data(), lcs_ends.size()}
                       : Sentences{ids.data(), ends.data(), ends.size()};
    }
    size_t sentence_tokens() const noexcept { return own_lcs ? lcs_size : size; }
};

// Both readings of a text, before its tokens have numbers.
struct Readings {
    Reading text, lcs;
    bool own_lcs = false;

    int read(View view, const Plan& plan, Reader& reader) {
        if (view.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        const Prefixes kept = reader.limit(view);
        reader.read({view.data, kept.text}, plan.lines, text);
        own_lcs = plan.lines && kept.lcs != kept.text;
        if (own_lcs) reader.read({view.data, kept.lcs}, true, lcs);
        return OK;
    }
    size_t tokens() const noexcept { return text.size + (own_lcs ? lcs.size : 0); }

    template <class Number>
    void number(bool lines, Number number, Tokens& out) const {
        out.size = text.size;
        uint32_t* ids = TokenSpans::room(out.ids, text.size + 1);
        number(text.keys.data(), text.size, ids);
        if (lines) out.ends.assign(text.line_ends.begin(), text.line_ends.end());
        out.own_lcs = own_lcs;
        if (!own_lcs) return;
        out.lcs_size = lcs.size;
        uint32_t* lcs_ids = TokenSpans::room(out.lcs_ids, lcs.size + 1);
        number(lcs.keys.data(), lcs.size, lcs_ids);
        out.lcs_ends.assign(lcs.line_ends.begin(), lcs.line_ends.end());
    }
};

inline size_t grams_of(size_t tokens, size_t n) noexcept {
    return tokens >= n ? tokens - n + 1 : 0;
}

inline void count_each(const uint32_t* units, size_t size, int32_t* counts) {
    each_piece(size, [=](size_t begin, size_t end) noexcept {
        for (size_t k = begin; k < end; ++k) ++counts[units[k]];
    });
}

// Prepared references: every unit numbered and counted. Scoring does not change them, so threads
// may share them.
class References {
  public:
    size_t size() const noexcept { return count_; }
    uint32_t numbers() const noexcept { return vocabulary_.size(); }
    const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
    const Tokens& text(size_t r) const noexcept { return texts_[r]; }
    const Level& grams(size_t order) const noexcept { return grams_[order - 1]; }
    const Level& skips(size_t index) const noexcept { return skips_[index]; }
    // If all texts are short, nothing else is known of them.
    bool are_short() const noexcept { return are_short_; }
    const ShortReference& short_text(size_t r) const noexcept { return short_texts_[r]; }

    int build(const View* views, size_t count, const Plan& plan, Reader& reader) {
        count_ = count;
        are_short_ = plan.short_too && reader.reads_plainly() && read_short(views, plan, reader);
        if (are_short_) return OK;
        if (texts_.size() < count) texts_.resize(count);
        if (readings_.size() < count) readings_.resize(count);
        size_t total = 0;
        for (size_t r = 0; r < count; ++r) {
            if (const int status = readings_[r].read(views[r], plan, reader)) return status;
            total += readings_[r].tokens();
        }
        vocabulary_.reset(total);
        total = 0;
        for (size_t r = 0; r < count; ++r) {
            readings_[r].number(
                plan.lines,
                [&](const Key* keys, size_t size, uint32_t* ids) {
                    vocabulary_.intern(keys, size, ids);
                },
                texts_[r]);
            total += texts_[r].size;
        }
        if (grams_.size() < plan.orders) grams_.resize(plan.orders);
        count_unigrams();
        if (plan.orders > 1) count_grams(plan.orders, total);
        return count_skips(plan);
    }

    // Frees the memory that only building needed; called if the references are kept.
    void shrink() {
        for (ShortReference& text : short_texts_) text.shrink();
        readings_.clear();
        readings_.shrink_to_fit();
        units_.clear();
        units_.shrink_to_fit();
    }

  private:
    bool read_short(const View* views, const Plan& plan, Reader& reader) {
        if (short_texts_.size() < count_) short_texts_.resize(count_);
        for (size_t r = 0; r < count_; ++r)
            if (!short_texts_[r].read(views[r], plan.lines, reader)) return false;
        return true;
    }

    void count_unigrams() {
        Level& level = grams_[0];
        level.start(count_, vocabulary_.size());
        for (size_t r = 0; r < count_; ++r)
            count_each(texts_[r].ids.data(), texts_[r].size, level.row(r));
    }

    void count_grams(size_t orders, size_t total) {
        size_t left = vocabulary_.size();
        const size_t right = left;
        uint32_t* units = TokenSpans::room(units_, total + 1);
        for (size_t r = 0, at = 0; r < count_; at += texts_[r++].size)
            copy_pieces(texts_[r].ids.data(), texts_[r].size, units + at);
        for (size_t n = 2; n <= orders; ++n) {
            Level& level = grams_[n - 1];
            level.table.reset(left, right, total);
            level.table.interning([&](auto& intern) { extend_grams(n, intern); });
            count_units(n, level);
            left = level.table.size();
        }
    }

    // units_ holds the (n-1)-gram that starts at each token; this replaces it by the n-gram.
    template <class Intern>
    void extend_grams(size_t n, Intern& intern) {
        uint32_t* units = units_.data();
        for (size_t r = 0; r < count_; ++r) {
            const size_t size = texts_[r].size;
            const uint32_t* ids = texts_[r].ids.data();
            for (const auto [begin, end] : pieces(grams_of(size, n)))
                for (size_t k = begin; k < end; ++k) units[k] = intern(units[k], ids[k + n - 1]);
            units += size;
        }
    }

    void count_units(size_t n, Level& level) {
        level.start(count_, level.table.size());
        const uint32_t* units = units_.data();
        for (size_t r = 0; r < count_; ++r) {
            count_each(units, grams_of(texts_[r].size, n), level.row(r));
            units += texts_[r].size;
        }
    }

    int count_skips(const Plan& plan) {
        if (skips_.size() < plan.gaps.size()) skips_.resize(plan.gaps.size());
        for (size_t g = 0; g < plan.gaps.size(); ++g) {
            uint64_t pairs = 0;
            for (size_t r = 0; r < count_; ++r) pairs += skip_pairs(texts_[r].size, plan.gaps[g]);
            const uint64_t words = vocabulary_.size();
            if (pairs > MAX_SKIP_STEPS || std::min(pairs, words * words) > MAX_SKIP_UNITS)
                return PAIRS_TOO_MANY;
            if (plan.gaps[g] < 0) continue;  // see pair_counts.hpp
            Level& level = skips_[g];
            level.table.reset(words, words, pairs);
            count_skip_level(plan.gaps[g], std::min(pairs, words * words), level);
        }
        return OK;
    }

    // For a limited gap. A single reference, the usual case, is counted while its pairs get
    // numbers. Several references must wait until the number of pairs is known.
    void count_skip_level(int gap, size_t most, Level& level) {
        if (count_ == 1) level.start(1, most);
        int32_t* const counts = level.counts.data();
        level.table.interning([&](auto& intern) {
            for (size_t r = 0; r < count_; ++r) {
                const uint32_t* const ids = texts_[r].ids.data();
                const bool count = count_ == 1;
                each_skip_pair(0, texts_[r].size, gap, [&](size_t i, size_t j) {
                    const uint32_t unit = intern(ids[i], ids[j]);
                    if (count) ++counts[unit];
                });
            }
        });
        if (count_ == 1) return;
        level.start(count_, level.table.size());
        level.table.finding([&](auto find) {
            for (size_t r = 0; r < count_; ++r) {
                int32_t* const row = level.row(r);
                const uint32_t* const ids = texts_[r].ids.data();
                each_skip_pair(0, texts_[r].size, gap,
                               [&](size_t i, size_t j) { ++row[find(ids[i], ids[j])]; });
            }
        });
    }

    size_t count_ = 0;
    bool are_short_ = false;
    std::vector<ShortReference> short_texts_;
    Vocabulary vocabulary_;
    std::vector<Tokens> texts_;
    std::vector<Level> grams_, skips_;
    std::vector<Readings> readings_;
    std::vector<uint32_t> units_;
};

// One candidate against prepared references.
class Candidate {
  public:
    // Fills counts[reference][measure].
    int score(View view, const References& refs, const Plan& plan, Reader& reader, Counts* counts) {
        if (refs.are_short()) return score_short(view, refs, plan, reader, counts);
        if (const int status = readings_.read(view, plan, reader)) return status;
        const Vocabulary& vocabulary = refs.vocabulary();
        readings_.number(
            plan.lines,
            [&](const Key* keys, size_t size, uint32_t* ids) {
                vocabulary.find(keys, size, ids);
            },
            tokens_);
        count_units(refs, plan);
        const size_t width = plan.measures.size();
        if (const int status = count_skips(refs, plan)) return status;
        for (size_t m = 0; m < width; ++m)
            for (size_t r = 0; r < refs.size(); ++r)
                if (const int status = measure(plan.measures[m], r, refs, plan, counts[r * width + m]))
                    return status;
        return OK;
    }

  private:
    int score_short(View view, const References& refs, const Plan& plan, Reader& reader,
                    Counts* counts) {
        if (view.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        if (short_.size() < refs.size()) short_.resize(refs.size());
        for (size_t r = 0; r < refs.size(); ++r) short_[r].start();
        Windows& windows = reader.windows();
        windows.start(view, plan.lines);
        const bool numbered = refs.size() > 0 && refs.short_text(0).numbered();
        Pace pace;
        while (windows.find()) {
            numbered ? windows.make_numbers(reader) : windows.make_keys(reader);
            for (size_t r = 0; r < refs.size(); ++r) short_[r].add(windows, refs.short_text(r));
            pace((refs.size() + 1) * 8 * windows.size());
        }
        for (size_t r = 0; r < refs.size(); ++r) {
            if (plan.lines) short_[r].end(windows.line_ends());
            if (const int status = count_short(short_[r], refs.short_text(r), plan, counts))
                return status;
            counts += plan.measures.size();
        }
        return OK;
    }

    static int count_short(ShortCandidate& text, const ShortReference& ref, const Plan& plan,
                           Counts* counts) {
        const ShortHits found = text.hits(ref);
        for (const Measure& measure : plan.measures) {
            const size_t n = measure.kind == NGRAM ? static_cast<size_t>(measure.order) : 1;
            int64_t hits = found.lcs;
            if (measure.kind == NGRAM) hits = n == 1 ? found.unigrams : found.bigrams;
            if (measure.kind == UNION_LCS) {
                if (text.has_long_line(ref)) return SENTENCES_TOO_LONG;
                // of two texts of one line each the union is their LCS
                if (ref.lines().size() > 1 || text.lines() > 1) hits = text.union_hits(ref);
            }
            const double total = double(grams_of(ref.size(), n));
            *counts++ = {double(hits), total, double(grams_of(text.size(), n)), total};
        }
        return OK;
    }

    // The tokens that a count has; those that one side lacks are on no common subsequence. (Leaving
    // them out only pays above some length.)
    struct Known {
        const uint32_t* ids;
        size_t size;
    };
    static Known keep_known(const Tokens& text, const int32_t* counts, std::vector<uint32_t>& room) {
        if (text.size < 128) return {text.ids.data(), text.size};
        uint32_t* const known = TokenSpans::room(room, text.size + 1);
        size_t size = 0;
        for (const auto [begin, end] : pieces(text.size)) {
            for (size_t k = begin; k < end; ++k) {
                known[size] = text.ids[k];
                size += counts[text.ids[k]] != 0;
            }
        }
        return {known, size};
    }

    void count_units(const References& refs, const Plan& plan) {
        if (grams_.size() < plan.orders) grams_.resize(plan.orders);
        const size_t size = tokens_.size;
        const uint32_t* ids = tokens_.ids.data();
        grams_[0].start(1, refs.numbers());
        count_each(ids, size, grams_[0].row(0));
        if (plan.orders == 1) return;
        uint32_t* units = TokenSpans::room(units_, size + 1);
        copy_pieces(ids, size, units);
        for (size_t n = 2; n <= plan.orders; ++n) {
            const Level& level = refs.grams(n);
            grams_[n - 1].start(1, level.table.size());
            int32_t* const counts = grams_[n - 1].row(0);
            level.table.finding([&](auto find) {
                each_piece(grams_of(size, n), [=](size_t begin, size_t end) noexcept {
                    for (size_t k = begin; k < end; ++k) {
                        units[k] = find(units[k], ids[k + n - 1]);
                        ++counts[units[k]];
                    }
                });
            });
        }
    }

    int count_skips(const References& refs, const Plan& plan) {
        if (skips_.size() < plan.gaps.size()) skips_.resize(plan.gaps.size());
        for (size_t g = 0; g < plan.gaps.size(); ++g) {
            if (skip_pairs(tokens_.size, plan.gaps[g]) > MAX_SKIP_STEPS) return PAIRS_TOO_MANY;
            if (plan.gaps[g] < 0) {
                shared_.assign(refs.size(), -1);
                continue;
            }
            const PairTable& table = refs.skips(g).table;
            skips_[g].start(1, table.size());
            int32_t* row = skips_[g].row(0);
            const uint32_t* ids = tokens_.ids.data();
            table.finding([&](auto find) {
                each_skip_pair(0, tokens_.size, plan.gaps[g],
                               [&](size_t i, size_t j) { ++row[find(ids[i], ids[j])]; });
            });
        }
        return OK;
    }

    int measure(const Measure& measure, size_t r, const References& refs, const Plan& plan,
                Counts& out) {
        const Tokens& ref = refs.text(r);
        const auto set = [&](double hits, double reference, double candidate) {
            out = {hits, reference, candidate, reference};
            return OK;
        };
        switch (measure.kind) {
        case NGRAM: {
            const size_t n = static_cast<size_t>(measure.order);
            const Level& level = refs.grams(n);
            const int64_t hits =
                sum_of_minima(level.row(r), grams_[n - 1].row(0), level.stride - 1);
            return set(double(hits), double(grams_of(ref.size, n)),
                       double(grams_of(tokens_.size, n)));
        }
        case LCS: {
            const Known theirs = keep_known(ref, grams_[0].row(0), known_refs_);
            const Known own = keep_known(tokens_, refs.grams(1).row(r), known_);
            return set(double(lcs_length(theirs.ids, theirs.size, own.ids, own.size, refs.numbers(),
                                         lcs_)),
                       double(ref.size), double(tokens_.size));
        }
        case UNION_LCS: {
            start_clip(r, refs);
            const int64_t hits = union_lcs_hits(ref.sentences(), tokens_.sentences(),
                                                refs.numbers(), clip_, lcs_);
            if (hits < 0) return SENTENCES_TOO_LONG;
            return set(double(hits), double(ref.sentence_tokens()), double(tokens_.size));
        }
        case WEIGHTED_LCS:
            return weighted(measure.weight, r, refs, out);
        default:
            return skip(measure, r, refs, plan, out);
        }
    }

    void start_clip(size_t r, const References& refs) {
        clip_.start(refs.grams(1).row(r), grams_[0].row(0), refs.numbers());
    }

    int weighted(double weight, size_t r, const References& refs, Counts& out) {
        const Tokens& ref = refs.text(r);
        const Sentences sentences = ref.sentences();
        start_clip(r, refs);
        const double hits =
            weighted_.hits(sentences, tokens_.sentences(), refs.numbers(), weight, clip_);
        if (hits < 0) return TABLE_TOO_LARGE;
        double base = 0.0;
        size_t begin = 0;
        for (size_t s = 0; s < sentences.count; begin = sentences.ends[s++])
            base += std::pow(static_cast<double>(sentences.ends[s] - begin), weight);
        out = {hits, std::pow(base, weight), std::pow(static_cast<double>(tokens_.size), weight),
               base};
        return OK;
    }

    int skip(const Measure& measure, size_t r, const References& refs, const Plan& plan,
             Counts& out) {
        const Tokens& ref = refs.text(r);
        double hits = double(measure.order < 0 ? pairs_at_any_distance(r, refs)
                                               : near_pairs(measure.order, r, refs, plan));
        double reference = double(skip_pairs(ref.size, measure.order));
        double candidate = double(skip_pairs(tokens_.size, measure.order));
        if (measure.unigrams) {
            hits += double(unigrams_but_last(r, refs));
            reference += ref.size ? double(ref.size - 1) : 0.0;
            candidate += tokens_.size ? double(tokens_.size - 1) : 0.0;
        }
        out = {hits, reference, candidate, reference};
        return OK;
    }

    int64_t near_pairs(int gap, size_t r, const References& refs, const Plan& plan) const noexcept {
        const size_t g = static_cast<size_t>(
            std::find(plan.gaps.begin(), plan.gaps.end(), gap) - plan.gaps.begin());
        const Level& level = refs.skips(g);
        return sum_of_minima(level.row(r), skips_[g].row(0), level.table.size());
    }

    // ROUGE-S* and ROUGE-SU* of one call share the number.
    int64_t pairs_at_any_distance(size_t r, const References& refs) {
        if (shared_[r] >= 0) return shared_[r];
        const Tokens& ref = refs.text(r);
        shared_[r] = static_cast<int64_t>(
            shared_pairs(ref.ids.data(), ref.size, refs.grams(1).row(r), tokens_.ids.data(),
                         tokens_.size, grams_[0].row(0), refs.numbers(), pairs_));
        return shared_[r];
    }

    // ROUGE-SU of the script does not count the last token of either text as a unigram.
    int64_t unigrams_but_last(size_t r, const References& refs) const noexcept {
        const Tokens& ref = refs.text(r);
        if (ref.size == 0 || tokens_.size == 0) return 0;
        const int32_t* a = refs.grams(1).row(r);
        const int32_t* b = grams_[0].row(0);
        const uint32_t x = ref.ids[ref.size - 1], y = tokens_.ids[tokens_.size - 1];
        const auto change = [&](uint32_t id) noexcept {
            if (id == 0) return 0;
            return std::min(a[id] - (id == x), b[id] - (id == y)) - std::min(a[id], b[id]);
        };
        return sum_of_minima(a, b, refs.numbers()) + change(x) + (x == y ? 0 : change(y));
    }

    std::vector<ShortCandidate> short_;
    Readings readings_;
    Tokens tokens_;
    std::vector<Level> grams_, skips_;
    std::vector<uint32_t> units_, known_, known_refs_;
    std::vector<int64_t> shared_;        // pairs at any distance with each reference; < 0: not known
    PairScratch pairs_;
    LcsScratch lcs_;
    WeightedLcs weighted_;
    ClipCounts clip_;
};

}  // namespace summeval
