// Where the common subsequences of ROUGE-L and ROUGE-W lie in both texts, run by run, and their
// counts: what an explanation shows.
#pragma once
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "overlap/rouge.hpp"

namespace summeval {

constexpr size_t MAX_RUN_CELLS = size_t{1} << 24;  // of ROUGE-W, for one pair of lines
constexpr size_t MAX_RUN_WORDS = size_t{1} << 24;  // of the rows of an LCS that are kept: 128 MiB

inline Prefixes limits(const Analyzer& analyzer, View text) {
    return Reader(analyzer).limit(text);
}

// Runs of one candidate and one reference: token rows[k] of the reference is columns[k] of the
// candidate; run r ends before ends[r] and has weights[r].
struct Runs {
    std::vector<uint32_t> rows, columns;
    std::vector<size_t> ends;
    std::vector<double> weights;
    Counts counts{};

    void add(size_t row, size_t column) {
        rows.push_back(static_cast<uint32_t>(row));
        columns.push_back(static_cast<uint32_t>(column));
    }
    size_t open() const noexcept { return rows.size() - (ends.empty() ? 0 : ends.back()); }
    void end(double weight) {
        if (open() == 0) return;
        ends.push_back(rows.size());
        weights.push_back(weight);
        counts.hits += weight;
    }
};

// The pairs of one LCS, the last first: equal tokens are always paired; otherwise a token of the
// reference is dropped if that loses nothing, else one of the candidate, as in ROUGE-1.5.5. Of a
// large table only every few rows are kept, and the others made again.
class LcsPairs {
  public:
    void find(const uint32_t* ref, size_t m, const uint32_t* cand, size_t n, size_t numbers,
              TokenPairs& pairs) {
        if (m == 0 || n == 0) return;
        words_ = (m + 63) / 64;
        masks_.assign((numbers + 1) * words_, 0);
        for (size_t i = 0; i < m; ++i) masks_[ref[i] * words_ + i / 64] |= uint64_t{1} << (i % 64);
        const bool whole = n < MAX_RUN_WORDS / words_;
        const size_t step = whole ? n : static_cast<size_t>(std::sqrt(double(n))) + 1;
        std::vector<std::vector<uint64_t>> kept(1, std::vector<uint64_t>(words_, ~uint64_t{0}));
        rows_.resize((step + 1) * words_);
        for (size_t begin = 0; begin + step < n; begin += step) {
            advance(kept.back(), cand + begin, step);
            kept.emplace_back(rows_.end() - static_cast<std::ptrdiff_t>(words_), rows_.end());
        }
        size_t i = m;
        for (size_t block = kept.size(); block-- > 0 && i > 0;) {
            const size_t begin = block * step, size = std::min(step, n - begin);
            advance(kept[block], cand + begin, size);
            i = trace_lcs(i, cand + begin, size, masks_.data(), words_, rows_.data(),
                          [&](size_t w, unsigned bit, bool taken, size_t column) {
                              if (taken) pairs.emplace_back(w * 64 + bit, begin + column);
                          });
        }
    }

  private:
    void advance(const std::vector<uint64_t>& first, const uint32_t* cand, size_t size) {
        std::copy(first.begin(), first.end(), rows_.begin());
        fill_lcs_rows(cand, size, masks_.data(), words_, rows_.data());
    }

    size_t words_ = 0;
    std::vector<uint64_t> masks_, rows_;
};

class RunFinder {
  public:
    explicit RunFinder(const Analyzer& analyzer) : reader_(analyzer) {}

    // Fills runs[r] for each reference; views[0] is the candidate.
    int find(const std::vector<View>& views, const Plan& plan, const Measure& measure,
             std::vector<Runs>& runs) {
        std::vector<Readings> readings(views.size());
        std::vector<Tokens> texts(views.size());
        size_t total = 0;
        for (size_t k = 0; k < views.size(); ++k) {
            if (const int status = readings[k].read(views[k], plan, reader_)) return status;
            total += readings[k].tokens();
        }
        Vocabulary vocabulary;
        vocabulary.reset(total);
        for (size_t k = 0; k < views.size(); ++k)
            readings[k].number(
                plan.lines,
                [&](const Key* keys, size_t size, uint32_t* ids) {
                    vocabulary.intern(keys, size, ids);
                },
                texts[k]);
        numbers_ = vocabulary.size();
        for (size_t k = 1; k < views.size(); ++k) {
            runs.emplace_back();
            if (measure.kind == LCS)
                longest(texts[k], texts[0], runs.back());
            else if (const int status = united(texts[k], texts[0], measure.weight, runs.back()))
                return status;
        }
        return OK;
    }

  private:
    void longest(const Tokens& ref, const Tokens& cand, Runs& out) {
        pairs_.clear();
        lcs_.find(ref.ids.data(), ref.size, cand.ids.data(), cand.size, numbers_, pairs_);
        for (size_t k = pairs_.size(); k-- > 0;) add(pairs_[k].first, pairs_[k].second, out);
        out.end(double(out.open()));
        out.counts = {out.counts.hits, double(ref.size), double(cand.size), double(ref.size)};
    }

    // Pairs that follow each other on both sides are a run of ROUGE-L.
    static void add(size_t row, size_t column, Runs& out) {
        const size_t open = out.open();
        if (open && (out.rows.back() + 1 != row || out.columns.back() + 1 != column))
            out.end(double(open));
        out.add(row, column);
    }

    // The subsequences of a sentence of the reference with all sentences of the candidate are
    // united, and each token counts as often as both texts have it. With a weight a run ends where
    // no subsequence has the next token; as in the script it weighs nothing if the token that would
    // end it does not count and no other follows in its sentence.
    int united(const Tokens& ref, const Tokens& cand, double weight, Runs& out) {
        const Sentences own_lines = cand.sentences(), others = ref.sentences();
        std::vector<int32_t> counts[2];
        for (const bool own : {false, true}) {
            const Tokens& text = own ? cand : ref;
            counts[own].assign(numbers_ + 1, 0);
            count_each(text.ids.data(), text.size, counts[own].data());
        }
        clip_.start(counts[0].data(), counts[1].data(), numbers_);
        for (size_t s = 0, begin = 0; s < others.count; begin = others.ends[s++]) {
            const size_t m = others.ends[s] - begin;
            if (m == 0) continue;
            out.counts.base += weight > 0 ? std::pow(double(m), weight) : double(m);
            partners_.assign(m + 1, NONE);
            if (const int status = pair(others.tokens + begin, m, own_lines, weight)) return status;
            for (size_t i = 0; i < m; ++i) {
                if (partners_[i] == NONE || !clip_.take(others.tokens[begin + i])) continue;
                if (weight > 0) {
                    out.add(begin + i, partners_[i]);
                    if (partners_[i + 1] == NONE) out.end(std::pow(double(out.open()), weight));
                } else {
                    add(begin + i, partners_[i], out);
                }
            }
            out.end(weight > 0 ? 0.0 : double(out.open()));
        }
        const double power = weight > 0 ? weight : 1.0;
        out.counts.reference = std::pow(out.counts.base, power);
        out.counts.candidate = std::pow(double(cand.size), power);
        return OK;
    }

    // Notes for each token of a sentence the first that it is paired with.
    int pair(const uint32_t* ref, size_t m, Sentences cand, double weight) {
        for (size_t t = 0, first = 0; t < cand.count; first = cand.ends[t++]) {
            const size_t n = cand.ends[t] - first;
            if (n == 0) continue;
            pairs_.clear();
            if (weight > 0) {
                if (n > MAX_RUN_CELLS / m) return TABLE_TOO_LARGE;
                weighted_.pairs(ref, m, cand.tokens + first, n, weight, pairs_);
            } else {
                lcs_.find(ref, m, cand.tokens + first, n, numbers_, pairs_);
            }
            for (const auto& [row, column] : pairs_)
                if (partners_[row] == NONE) partners_[row] = static_cast<uint32_t>(first + column);
        }
        return OK;
    }

    static constexpr uint32_t NONE = UINT32_MAX;
    Reader reader_;
    LcsPairs lcs_;
    WeightedLcs weighted_;
    ClipCounts clip_;
    TokenPairs pairs_;
    std::vector<uint32_t> partners_;  // of the tokens of a sentence, in the candidate
    size_t numbers_ = 0;
};

// The runs of the first measure.
inline int find_runs(const Analyzer& analyzer, const std::vector<View>& views, const Plan& plan,
                     std::vector<Runs>& runs) {
    return RunFinder(analyzer).find(views, plan, plan.measures[0], runs);
}

}  // namespace summeval
