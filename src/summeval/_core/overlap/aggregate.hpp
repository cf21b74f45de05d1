// From counts to precision, recall and F over one or several references.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "overlap/rouge.hpp"

namespace summeval {

enum AggregateKind : int { AGGREGATE_MAX = 0, AGGREGATE_AVERAGE = 1, AGGREGATE_BEST = 2 };

struct Scoring {
    int aggregate = AGGREGATE_MAX;
    bool jackknife = false;
    bool script_digits = false;  // R and P to five decimals, F from these, as ROUGE-1.5.5 prints
    double alpha = 0.5;
};

struct Fscore {
    double precision, recall, fmeasure;
};

// The decimal of five digits nearest to x >= 0, as printf("%.5f") computes it: from the exact
// binary value, ties to even. fma gives the sign of x * 1e5 - (k + 1/2) without a rounding error.
inline double five_decimals(double x) noexcept {
    double k = std::floor(x * 1e5);
    double rest = std::fma(x, 1e5, -k);
    if (rest < 0) rest = std::fma(x, 1e5, -(k -= 1));
    const double side = std::fma(x, 1e5, -(k + 0.5));
    if (side > 0 || (side == 0 && std::fmod(k, 2.0) != 0)) k += 1;
    return k / 1e5;
}

inline double ratio(const Measure& measure, double hits, double total) noexcept {
    if (total <= 0) return 0.0;
    const double share = hits / total;
    return measure.kind == WEIGHTED_LCS ? std::pow(share, 1.0 / measure.weight) : share;
}

inline double harmonic(double precision, double recall, double alpha) noexcept {
    const double below = (1 - alpha) * precision + alpha * recall;
    return below > 0 ? precision * recall / below : 0.0;
}

inline Fscore score_counts(const Measure& measure, const Counts& counts, const Scoring& how) noexcept {
    Fscore score;
    score.recall = ratio(measure, counts.hits, counts.reference);
    score.precision = ratio(measure, counts.hits, counts.candidate);
    if (!how.script_digits) {
        score.fmeasure = harmonic(score.precision, score.recall, how.alpha);
        return score;
    }
    score.recall = five_decimals(score.recall);
    score.precision = five_decimals(score.precision);
    score.fmeasure = five_decimals(harmonic(score.precision, score.recall, how.alpha));
    return score;
}

// The value that "best" compares. The script rounds the recall of n-grams and skip-bigrams first,
// and it divides the weighted hits by the sum of the sentences' weights alone.
inline double best_by(const Measure& measure, const Counts& counts) noexcept {
    const double recall = ratio(measure, counts.hits, counts.base);
    return measure.kind == NGRAM || measure.kind == SKIP ? five_decimals(recall) : recall;
}

// counts: one for each reference, `stride` apart; the reference with number `without` is left out.
inline Fscore aggregate(const Measure& measure, const Counts* counts, size_t references,
                        size_t stride, size_t without, const Scoring& how) noexcept {
    Counts sum{0, 0, 0, 0};
    const Counts* chosen = nullptr;
    Fscore best{0, 0, -1};
    double best_recall = -1;
    for (size_t r = 0; r < references; ++r) {
        if (r == without) continue;
        const Counts& mine = counts[r * stride];
        if (how.aggregate == AGGREGATE_AVERAGE) {
            sum.hits += mine.hits;
            sum.reference += mine.reference;
            sum.candidate += mine.candidate;
        } else if (how.aggregate == AGGREGATE_BEST) {
            const double recall = best_by(measure, mine);
            if (recall > best_recall) {
                best_recall = recall;
                chosen = &mine;
            }
        } else {
            const Fscore score = score_counts(measure, mine, how);
            if (score.fmeasure > best.fmeasure) best = score;
        }
    }
    if (how.aggregate == AGGREGATE_MAX) return best;
    return score_counts(measure, chosen ? *chosen : sum, how);
}

// The score of one measure over all references. With `jackknife` it is the mean over the sets that
// leave one reference out.
inline Fscore overall(const Measure& measure, const Counts* counts, size_t references,
                      size_t stride, const Scoring& how) noexcept {
    if (!how.jackknife || references < 2)
        return aggregate(measure, counts, references, stride, references, how);
    Fscore sum{0, 0, 0};
    for (size_t without = 0; without < references; ++without) {
        const Fscore score = aggregate(measure, counts, references, stride, without, how);
        sum.precision += score.precision;
        sum.recall += score.recall;
        sum.fmeasure += score.fmeasure;
    }
    const double n = static_cast<double>(references);
    return {sum.precision / n, sum.recall / n, sum.fmeasure / n};
}

}  // namespace summeval
