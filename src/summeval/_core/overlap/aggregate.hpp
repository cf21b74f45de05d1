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

// The scores of one measure over several references. counts: one for each, `stride` apart. A number
// of a reference `without` leaves it out; the number of all leaves out none.
class Over {
  public:
    Over(const Measure& measure, const Counts* counts, size_t references, size_t stride,
         const Scoring& how) noexcept
        : measure_(measure), counts_(counts), size_(references), stride_(stride), how_(how) {}

    Fscore all() const noexcept {
        if (how_.aggregate == AGGREGATE_AVERAGE) return score(sum(0, {0, 0, 0, 0}, size_));
        return best(size_).score;
    }

    // The mean over the sets that leave one reference out. Each reference is scored once: whichever
    // other is left out, the first of the best is the same.
    Fscore jackknife() const {
        return how_.aggregate == AGGREGATE_AVERAGE ? mean_of_sums() : mean_of_best();
    }

  private:
    const Counts& at(size_t r) const noexcept { return counts_[r * stride_]; }
    Fscore score(const Counts& counts) const noexcept { return score_counts(measure_, counts, how_); }

    struct Best {
        size_t reference;
        Fscore score;
    };

    // The first reference of those with the highest recall or F, and its score.
    Best best(size_t without) const noexcept {
        Best found{size_, {0, 0, -1}};
        if (how_.aggregate == AGGREGATE_MAX) {
            for (size_t r = 0; r < size_; ++r) {
                if (r == without) continue;
                const Fscore own = score(at(r));
                if (own.fmeasure > found.score.fmeasure) found = {r, own};
            }
            return found;
        }
        double highest = -1;
        for (size_t r = 0; r < size_; ++r) {
            const double recall = r == without ? -1 : best_by(measure_, at(r));
            if (recall > highest) {
                highest = recall;
                found.reference = r;
            }
        }
        found.score = score(found.reference < size_ ? at(found.reference) : Counts{0, 0, 0, 0});
        return found;
    }

    Counts sum(size_t first, Counts sum, size_t without) const noexcept {
        for (size_t r = first; r < size_; ++r) {
            if (r == without) continue;
            sum.hits += at(r).hits;
            sum.reference += at(r).reference;
            sum.candidate += at(r).candidate;
        }
        return sum;
    }

    Fscore mean_of_best() const noexcept {
        const Best usual = best(size_), other = best(usual.reference);
        Mean mean;
        for (size_t without = 0; without < size_; ++without)
            mean.add(without == usual.reference ? other.score : usual.score);
        return mean.of(size_);
    }

    Fscore mean_of_sums() const {
        // What ROUGE-W sums has no exact differences, so its sums are made anew from where they
        // differ; all other counts are whole numbers.
        const bool whole = measure_.kind != WEIGHTED_LCS;
        const Counts total = sum(0, {0, 0, 0, 0}, size_);
        Counts before{0, 0, 0, 0};
        Mean mean;
        Pace pace;
        for (size_t without = 0; without < size_; ++without) {
            pace(whole ? 1 : size_ - without);
            const Counts& own = at(without);
            mean.add(score(whole ? Counts{total.hits - own.hits, total.reference - own.reference,
                                          total.candidate - own.candidate, 0}
                                 : sum(without + 1, before, size_)));
            before.hits += own.hits;
            before.reference += own.reference;
            before.candidate += own.candidate;
        }
        return mean.of(size_);
    }

    struct Mean {
        Fscore sum{0, 0, 0};
        void add(const Fscore& score) noexcept {
            sum.precision += score.precision;
            sum.recall += score.recall;
            sum.fmeasure += score.fmeasure;
        }
        Fscore of(size_t size) const noexcept {
            const double n = static_cast<double>(size);
            return {sum.precision / n, sum.recall / n, sum.fmeasure / n};
        }
    };

    const Measure& measure_;
    const Counts* counts_;
    size_t size_, stride_;
    const Scoring& how_;
};

// The score of one measure over all references.
inline Fscore overall(const Measure& measure, const Counts* counts, size_t references,
                      size_t stride, const Scoring& how) {
    const Over over(measure, counts, references, stride, how);
    return how.jackknife && references >= 2 ? over.jackknife() : over.all();
}

}  // namespace summeval
