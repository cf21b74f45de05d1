// The permutation test for many pairs of metrics that share their draws. At the summary level, and
// for Pearson and Spearman, a coefficient of swapped scores needs no sorting: for each pair and
// topic the scores of both metrics are sorted or centred once, and a pass over them gives the
// coefficients of LANES draws side by side.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "agreement/correlation.hpp"
#include "agreement/resampling.hpp"

namespace summeval {

class SwappedTopics {
  public:
    static constexpr int LANES = 8;
    using Lanes = Row<LANES>;

    SwappedTopics(const Design& design, const double* z, const uint8_t* rows,
                  const uint8_t* columns, int64_t draws)
        : design_(design), columns_(columns), draws_(draws), exact_(design.coefficient) {
        const int64_t blocks = (draws + LANES - 1) / LANES, bytes = (design.systems + 7) / 8;
        if (design.coefficient == SPEARMAN) grow(masks_, static_cast<size_t>(blocks * design.systems));
        if (design.coefficient == PEARSON) grow(patterns_, static_cast<size_t>(bytes * draws));
        for (int64_t r = 0; r < draws; ++r) {
            pace_(static_cast<uint64_t>(design.systems) + 1);
            for (int64_t s = 0; s < design.systems; ++s) {
                if (rows[r * design.systems + s] == 0) continue;
                if (design.coefficient == SPEARMAN) {
                    masks_[r / LANES * design.systems + s].at[r % LANES] = 2.0F;
                } else {
                    patterns_[s / 8 * draws + r] |= static_cast<uint8_t>(1 << s % 8);
                }
            }
        }
        for (auto* lanes : {&own_, &other_, &change_, &squares_, &products_}) {
            lanes->resize(static_cast<size_t>(blocks * LANES));
        }
        topics_.resize(static_cast<size_t>(design.topics));
        for (int64_t t = 0; t < design.topics; ++t) prepare(z, t);
    }

    // out[r]: the coefficient of `a` minus that of `b`, after the swaps of draw r.
    void run(const double* a, const double* b, double* out) {
        for (auto* sums : {&sum_a_, &sum_b_, &count_a_, &count_b_}) {
            sums->assign(static_cast<size_t>(draws_), 0.0);
        }
        for (int64_t t = 0; t < design_.topics; ++t) {
            const Topic& topic = topics_[static_cast<size_t>(t)];
            if (topic.systems.empty()) continue;
            load(topic, a, b, t);
            if (design_.coefficient == PEARSON) {
                pearson(topic);
            } else if (topic.systems.size() <= FEW) {
                spearman<float>(topic);
            } else {
                spearman<double>(topic);
            }
            collect(t);
        }
        for (int64_t r = 0; r < draws_; ++r) {
            const double own = count_a_[r] > 0.0 ? sum_a_[r] / count_a_[r] : UNDEFINED;
            out[r] = own - (count_b_[r] > 0.0 ? sum_b_[r] / count_b_[r] : UNDEFINED);
        }
    }

  private:
    // Up to so many systems every sum of `spearman` is a whole number below 2^24.
    static constexpr size_t FEW = 64;

    // For each lane 2 where the scores of a system are swapped, otherwise 0.
    struct Mask {
        float at[LANES] = {};
    };
    // What swapping a system adds to the sums of the first metric, and takes from the second.
    struct Added {
        double x = 0.0, xx = 0.0, xz = 0.0;
    };
    static constexpr double LEAST_VARIANCE = 1e-3;  // of scores in a range of 1
    static constexpr double UNSURE = 2.0;           // no coefficient
    struct Topic {
        std::vector<int64_t> systems;  // those with scores
        std::vector<double> z;         // for Pearson centred; for Spearman as `Side::centre_ranks`
        double zz = 0.0;
    };
    struct Score {
        double value, z;
        int64_t system;
        bool second;  // of the second metric
        bool operator<(const Score& other) const noexcept { return value < other.value; }
    };

    void prepare(const double* z, int64_t t) {
        Topic& topic = topics_[static_cast<size_t>(t)];
        Side<1> side;
        for (int64_t s = 0; s < design_.systems; ++s) {
            pace_(1);
            const double value = z[s * design_.topics + t];
            if (std::isnan(value)) continue;
            topic.systems.push_back(s);
            side.values.push_back(value);
        }
        const size_t n = side.values.size();
        const auto [low, high] = std::minmax_element(side.values.begin(), side.values.end());
        if (n < 2 || *low == *high) return topic.systems.clear();  // no coefficient is defined
        if (design_.coefficient == SPEARMAN) {
            side.rank(0.0);
            side.count(std::vector<Row<1>>(n, Row<1>{{1.0}}));
            topic.zz = side.centre_ranks(Row<1>{{static_cast<double>(n)}})[0];
            for (const int64_t group : side.group) topic.z.push_back(side.ranks[group][0]);
            return;
        }
        topic.z.swap(side.values);
        topic.zz = centre(topic.z);
    }

    // Divides by the range, subtracts the mean, and returns the sum of squares.
    static double centre(std::vector<double>& values) {
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const double low = *least, range = *most / 2 - low / 2;
        double mean = 0.0, squares = 0.0;
        for (double& value : values) mean += value = value / 2 / range - low / 2 / range;
        mean /= static_cast<double>(values.size());
        for (double& value : values) {
            value -= mean;
            squares += value * value;
        }
        return squares;
    }

    void load(const Topic& topic, const double* a, const double* b, int64_t t) {
        const size_t n = topic.systems.size();
        a_.resize(n);
        b_.resize(n);
        for (size_t i = 0; i < n; ++i) {
            const int64_t cell = topic.systems[i] * design_.topics + t;
            a_[i] = a[cell];
            b_[i] = b[cell];
        }
        if (design_.coefficient == SPEARMAN) {
            pace_(32 * n);
            sorted_.clear();
            for (size_t i = 0; i < n; ++i) {
                sorted_.push_back({a_[i], topic.z[i], topic.systems[i], false});
                sorted_.push_back({b_[i], topic.z[i], topic.systems[i], true});
            }
            std::sort(sorted_.begin(), sorted_.end());
            return;
        }
        joined_.assign(a_.begin(), a_.end());
        joined_.insert(joined_.end(), b_.begin(), b_.end());
        const auto [least, most] = std::minmax_element(joined_.begin(), joined_.end());
        if (*least < *most) centre(joined_);
    }

    // One walk over the scores of both metrics in order. A score is drawn for the first metric or
    // for the second, so that the rank in the one follows from the rank in the other. All numbers
    // are whole: a Real holds them exactly.
    template <class Real>
    void spearman(const Topic& topic) {
        for (int64_t first = 0; first < draws_; first += LANES) {
            pace_(16 * sorted_.size());
            const Mask* const masks = masks_.data() + first / LANES * design_.systems;
            spearman<Real>(topic, masks, own_.data() + first, other_.data() + first);
        }
    }

    template <class Real>
    void spearman(const Topic& topic, const Mask* masks, double* own, double* other) const {
        Real twice[LANES], xy_a[LANES] = {}, xy_b[LANES] = {}, tied_a[LANES] = {}, tied_b[LANES] = {};
        for (Real& lane : twice) lane = 1;  // 1 + twice the scores that the first metric has drawn
        const Score* const scores = sorted_.data();
        const size_t count = sorted_.size();
        for (size_t k = 0; k < count;) {
            const Real after = static_cast<Real>(2 * k + 2);
            if (k + 1 == count || scores[k].value != scores[k + 1].value) {
                const float* const mask = masks[scores[k].system].at;
                const Real z = static_cast<Real>(scores[k].z), flip = scores[k].second ? 1 : -1;
                const Real none = scores[k].second ? 0 : 2;
                for (int l = 0; l < LANES; ++l) {
                    const Real in = none + flip * static_cast<Real>(mask[l]), z_in = in * z;
                    xy_a[l] += z_in * twice[l];
                    xy_b[l] += (2 * z - z_in) * (after - twice[l]);
                    twice[l] += in;
                }
                ++k;
                continue;
            }
            Real drawn[LANES] = {}, z_a[LANES] = {}, z_both = 0, size = 0;
            for (const double value = scores[k].value; k < count && scores[k].value == value; ++k) {
                const float* const mask = masks[scores[k].system].at;
                const Real z = static_cast<Real>(scores[k].z);
                z_both += z;
                size += 1;
                for (int l = 0; l < LANES; ++l) {
                    const Real in = (scores[k].second ? mask[l] : 2 - mask[l]) / 2;
                    drawn[l] += in;
                    z_a[l] += in * z;
                }
            }
            for (int l = 0; l < LANES; ++l) {
                const Real left = size - drawn[l];
                xy_a[l] += 2 * z_a[l] * (twice[l] - 1 + drawn[l]);
                xy_b[l] += 2 * (z_both - z_a[l]) * (after - 1 - twice[l] + left);
                twice[l] += 2 * drawn[l];
                tied_a[l] += drawn[l] * drawn[l] * drawn[l] - drawn[l];
                tied_b[l] += left * left * left - left;
            }
        }
        // The sum of squares of doubled and centred ranks.
        const double n = static_cast<double>(topic.systems.size()), cubes = n * n * n - n;
        for (int l = 0; l < LANES; ++l) {
            own[l] = quotient(xy_a[l] / 2.0, (cubes - tied_a[l]) / 3.0, topic.zz);
            other[l] = quotient(xy_b[l] / 2.0, (cubes - tied_b[l]) / 3.0, topic.zz);
        }
    }

    // Sums over systems change by what the swapped ones add: for every eight systems a table has
    // this for each pattern of swaps.
    void pearson(const Topic& topic) {
        const size_t n = topic.systems.size();
        const double *a = joined_.data(), *b = a + n;
        for (auto* sums : {&change_, &squares_, &products_}) std::fill(sums->begin(), sums->end(), 0.0);
        double all_a = 0.0, all_aa = 0.0, all_az = 0.0, all_bb = 0.0, all_bz = 0.0;
        std::fill(adds_.begin(), adds_.end(), Added{});
        adds_.resize(static_cast<size_t>((design_.systems + 7) / 8 * 8));
        for (size_t i = 0; i < n; ++i) {
            const double z = topic.z[i];
            all_a += a[i];
            all_aa += a[i] * a[i];
            all_bb += b[i] * b[i];
            all_az += a[i] * z;
            all_bz += b[i] * z;
            adds_[topic.systems[i]] = {b[i] - a[i], b[i] * b[i] - a[i] * a[i], (b[i] - a[i]) * z};
        }
        for (size_t eight = 0; eight < adds_.size(); eight += 8) add_patterns(eight);
        const double size = static_cast<double>(n), least = LEAST_VARIANCE * size;
        // The scores of both metrics together have the mean 0.
        const double share = 1.0 / size;
        for (int64_t r = 0; r < draws_; ++r) {
            const double x = all_a + change_[r];
            const double xx = all_aa + squares_[r] - x * x * share;
            const double yy = all_bb - squares_[r] - x * x * share;
            const double xz = all_az + products_[r], yz = all_bz - products_[r];
            own_[r] = xx > least ? xz / std::sqrt(xx * topic.zz) : UNSURE;
            other_[r] = yy > least ? yz / std::sqrt(yy * topic.zz) : UNSURE;
        }
        for (int64_t r = 0; r < draws_; ++r) {
            own_[r] = own_[r] == UNSURE ? careful(topic, r, false) : clip(own_[r]);
            other_[r] = other_[r] == UNSURE ? careful(topic, r, true) : clip(other_[r]);
        }
    }

    // Adds, in each draw, what the swaps among eight systems add.
    void add_patterns(size_t eight) {
        pace_(static_cast<uint64_t>(512 + 2 * draws_));
        for (int pattern = 1; pattern < 256; ++pattern) {
            int lowest = 0;
            while ((pattern >> lowest & 1) == 0) ++lowest;
            const Added &rest = patterns_add_[pattern & (pattern - 1)], &one = adds_[eight + lowest];
            patterns_add_[pattern] = {rest.x + one.x, rest.xx + one.xx, rest.xz + one.xz};
        }
        const uint8_t* const patterns = patterns_.data() + eight / 8 * draws_;
        for (int64_t r = 0; r < draws_; ++r) {
            const Added& added = patterns_add_[patterns[r]];
            change_[r] += added.x;
            squares_[r] += added.xx;
            products_[r] += added.xz;
        }
    }

    // For scores that hardly vary, or not at all.
    double careful(const Topic& topic, int64_t draw, bool second) {
        pace_(16 * topic.systems.size());
        exact_.clear();
        for (size_t i = 0; i < topic.systems.size(); ++i) {
            const int64_t s = topic.systems[i];
            const bool swap = (patterns_[s / 8 * draws_ + draw] >> s % 8 & 1) != second;
            exact_.add(swap ? b_[i] : a_[i], topic.z[i], 0, 0);
        }
        return exact_.correlate([](int64_t, int64_t) { return Row<1>{{1.0}}; })[0];
    }

    static double clip(double value) noexcept { return std::min(1.0, std::max(-1.0, value)); }

    static double quotient(double xy, double xx, double yy) noexcept {
        const bool varies = xx > 0.0 && yy > 0.0;
        return varies ? clip(xy / std::sqrt(xx * yy)) : UNDEFINED;
    }

    // Adds the coefficients of a topic; where the draw swaps the whole topic, the other way round.
    void collect(int64_t t) {
        for (int64_t r = 0; r < draws_; ++r) {
            const bool swap = columns_[r * design_.topics + t] != 0;
            const double a = swap ? other_[r] : own_[r], b = swap ? own_[r] : other_[r];
            sum_a_[r] += std::isnan(a) ? 0.0 : a;
            sum_b_[r] += std::isnan(b) ? 0.0 : b;
            count_a_[r] += std::isnan(a) ? 0.0 : 1.0;
            count_b_[r] += std::isnan(b) ? 0.0 : 1.0;
        }
    }

    const Design& design_;
    const uint8_t* columns_;
    int64_t draws_;
    Pairs<1> exact_;
    std::vector<Mask> masks_;         // [block, system]
    std::vector<uint8_t> patterns_;   // [eight systems, draw]: a bit for each swapped system
    std::vector<Added> adds_;         // of each system
    Added patterns_add_[256];         // of each pattern of eight systems
    std::vector<Topic> topics_;
    std::vector<double> own_, other_;  // the coefficients of a topic in each draw
    std::vector<double> change_, squares_, products_;  // what its swaps add
    std::vector<double> sum_a_, sum_b_, count_a_, count_b_, a_, b_, joined_;
    std::vector<Score> sorted_;
    Pace pace_;
};

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
            for (int64_t t = 0; t < design.topics; ++t) {
                counts_[s] += std::isnan(z[s * design.topics + t]) ? 0.0 : 1.0;
            }
            pairs_.add(0.0, human[s], s, 0);
        }
        pairs_.ready(0.0, means.tolerance());
        for (int64_t k = 0; k < metrics; ++k) {
            sum(tables + k * design.systems * design.topics, k, columns);
        }
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
                for (int64_t s = 0; s < design_.systems; ++s) {
                    moved[r * design_.systems + s] += score[s];
                }
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

// out[pair][draw]: what `permuted` gives for the two metrics of each pair, from the same draws.
inline void permuted_pairs(const Design& design, const double* tables, int64_t metrics,
                           const double* z, const int64_t* pairs, int64_t count,
                           const uint8_t* rows, const uint8_t* columns, int64_t draws, double* out) {
    const int64_t size = design.systems * design.topics;
    const auto each = [=](auto run) {
        for (int64_t p = 0; p < count; ++p) run(pairs[2 * p], pairs[2 * p + 1], out + p * draws);
    };
    if (design.level == SYSTEM) {
        SwappedMeans means(design, tables, metrics, z, rows, columns, draws);
        each([&](int64_t a, int64_t b, double* found) { means.run(a, b, found); });
    } else if (design.level == SUMMARY && design.coefficient != KENDALL) {
        SwappedTopics topics(design, z, rows, columns, draws);
        each([&](int64_t a, int64_t b, double* found) {
            topics.run(tables + a * size, tables + b * size, found);
        });
    } else {
        each([&](int64_t a, int64_t b, double* found) {
            permuted(design, tables + a * size, tables + b * size, z, rows, columns, draws, found);
        });
    }
}

}  // namespace summeval
