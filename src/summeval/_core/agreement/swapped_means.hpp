// The permutation test at the system level, for many pairs of metrics that share their draws.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "agreement/correlation.hpp"
#include "agreement/resampling.hpp"

namespace summeval {

// The system level. The mean of a system after swaps of topics follows from two sums of each
// metric: over all topics, and over those that a draw swaps. All pairs share these.
class SwappedMeans {
  public:
    SwappedMeans(const Design& design, const double* tables, int64_t metrics, const double* z,
                 const uint8_t* rows, const uint8_t* columns, int64_t draws)
        : design_(design), rows_(rows), draws_(draws), pairs_(design.coefficient) {
        const size_t systems = static_cast<size_t>(design.systems);
        grow(moved_, static_cast<size_t>(metrics * draws) * systems);
        totals_.assign(static_cast<size_t>(metrics) * systems, 0.0);
        counts_.assign(systems, 0.0);
        ranges_.resize(static_cast<size_t>(metrics));
        Means means;
        means.load(design, z);
        const std::vector<Row<1>> once(static_cast<size_t>(design.topics), Row<1>{{1.0}});
        const std::vector<double>& human = means.over(once.data());
        for (int64_t s = 0; s < design.systems; ++s) {
            for (int64_t t = 0; t < design.topics; ++t)
                counts_[s] += std::isnan(z[s * design.topics + t]) ? 0.0 : 1.0;
            pairs_.add(0.0, human[s], s, 0);
        }
        pairs_.ready(0.0, means.tolerance());
        for (int64_t k = 0; k < metrics; ++k)
            sum(tables + k * design.systems * design.topics, k, columns);
    }

    // out[r]: the coefficient of metric `a` minus that of `b`, after the swaps of draw r.
    void run(int64_t a, int64_t b, double* out) {
        const Range &x = ranges_[a], &y = ranges_[b];
        const double largest = std::max(x.largest, y.largest);
        const double range = std::max(x.high, y.high) - std::min(x.low, y.low);
        // A mean is a sum, a difference and a sum of rounded sums over topics.
        const double roundings = 3.0 * static_cast<double>(design_.topics) + 6.0;
        const double reach = std::numeric_limits<double>::epsilon() * (largest + roundings * range);
        const double tolerance = design_.topics > 1 ? reach : 0.0;
        for (int64_t r = 0; r < draws_; ++r) {
            const double own = coefficient(a, b, r, tolerance);
            out[r] = own - coefficient(b, a, r, tolerance);
        }
    }

  private:
    struct Range {
        double low = HUGE_VAL, high = -HUGE_VAL, largest = 0.0;
    };

    // The sums of a metric, and its range.
    void sum(const double* table, int64_t metric, const uint8_t* columns) {
        Range& range = ranges_[metric];
        double* const totals = totals_.data() + metric * design_.systems;
        double* const moved = moved_.data() + metric * draws_ * design_.systems;
        std::vector<double> scores(static_cast<size_t>(design_.systems * design_.topics));
        for (int64_t s = 0; s < design_.systems; ++s) {
            pace_(4 * static_cast<uint64_t>(design_.topics) + 1);
            for (int64_t t = 0; t < design_.topics; ++t) {
                const double score = table[s * design_.topics + t];
                if (std::isnan(score)) continue;
                scores[t * design_.systems + s] = score;
                totals[s] += score;
                range.low = std::min(range.low, score);
                range.high = std::max(range.high, score);
            }
        }
        range.largest = std::max(std::abs(range.low), std::abs(range.high));
        for (int64_t r = 0; r < draws_; ++r) {
            for (int64_t t = 0; t < design_.topics; ++t) {
                pace_(static_cast<uint64_t>(design_.systems) + 1);
                if (columns[r * design_.topics + t] == 0) continue;
                const double* const score = scores.data() + t * design_.systems;
                for (int64_t s = 0; s < design_.systems; ++s)
                    moved[r * design_.systems + s] += score[s];
            }
        }
    }

    // The coefficient of the metric that starts as `own` and takes the swapped scores of `other`.
    double coefficient(int64_t own, int64_t other, int64_t draw, double tolerance) {
        const auto moved = [&](int64_t metric, int64_t s) {
            return moved_[(metric * draws_ + draw) * design_.systems + s];
        };
        double low = HUGE_VAL, high = -HUGE_VAL;
        pairs_.replace_x(
            [&](int64_t s, int64_t) {
                const bool swap = rows_[draw * design_.systems + s] != 0;
                const int64_t first = swap ? other : own, second = swap ? own : other;
                const double kept = totals_[first * design_.systems + s] - moved(first, s);
                const double mean = (kept + moved(second, s)) / counts_[s];
                low = std::min(low, mean);
                high = std::max(high, mean);
                return mean;
            },
            tolerance);
        if (high - low <= tolerance) return UNDEFINED;
        return pairs_.correlate([](int64_t, int64_t) { return Row<1>{{1.0}}; })[0];
    }

    const Design& design_;
    const uint8_t* rows_;
    int64_t draws_;
    Pairs<1> pairs_;
    std::vector<double> moved_;  // [metric, draw, system]: sums over the swapped topics
    std::vector<double> totals_, counts_;
    std::vector<Range> ranges_;
    Pace pace_;
};

}  // namespace summeval
