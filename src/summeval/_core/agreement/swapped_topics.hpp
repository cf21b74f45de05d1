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
#include "rows/lanes.hpp"

namespace summeval {

class SwappedTopics {
  public:
    static constexpr int LANES = 8;
    using Two = summeval::Lanes;

    SwappedTopics(const Design& design, const double* z, const uint8_t* rows,
                  const uint8_t* columns, int64_t draws)
        : design_(design), draws_(draws), exact_(design.coefficient) {
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
        grow(turned_, static_cast<size_t>(design.topics * draws));
        for (int64_t r = 0; r < draws; ++r) {
            pace_(static_cast<uint64_t>(design.topics));
            for (int64_t t = 0; t < design.topics; ++t)
                turned_[t * draws + r] = columns[r * design.topics + t];
        }
        topics_.resize(static_cast<size_t>(design.topics));
        for (int64_t t = 0; t < design.topics; ++t) prepare(z, t);
    }

    // out[r]: the coefficient of `a` minus that of `b`, after the swaps of draw r.
    void run(const double* a, const double* b, double* out) {
        for (auto* sums : {&sum_a_, &sum_b_, &missing_a_, &missing_b_})
            sums->assign(static_cast<size_t>(draws_), 0.0);
        double topics = 0.0;
        for (int64_t t = 0; t < design_.topics; ++t) {
            const Topic& topic = topics_[static_cast<size_t>(t)];
            if (topic.systems.empty()) continue;
            ++topics;
            load(topic, a, b, t);
            if (design_.coefficient == PEARSON) {
                pearson(topic, t);
            } else if (topic.systems.size() <= FEW) {
                spearman<float>(topic, t);
            } else {
                spearman<double>(topic, t);
            }
        }
        const auto mean = [topics](double sum, double missing) {
            return topics > missing ? sum / (topics - missing) : UNDEFINED;
        };
        for (int64_t r = 0; r < draws_; ++r)
            out[r] = mean(sum_a_[r], missing_a_[r]) - mean(sum_b_[r], missing_b_[r]);
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
    static constexpr int PATTERNS = 256;            // of swaps among eight systems
    static constexpr int64_t BLOCK = 256;           // draws; whole lanes
    // The sums of the scores of both metrics before any swap.
    struct Sums {
        double a = 0.0, aa = 0.0, az = 0.0, bb = 0.0, bz = 0.0;
    };
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
    void spearman(const Topic& topic, int64_t t) {
        for (int64_t first = 0; first < draws_; first += BLOCK) {
            const int64_t count = std::min(BLOCK, draws_ - first);
            for (int64_t r = 0; r < count; r += LANES) {
                pace_(16 * sorted_.size());
                const Mask* const masks = masks_.data() + (first + r) / LANES * design_.systems;
                spearman<Real>(topic, masks, own_ + r, other_ + r);
            }
            collect_defined(t, first, count);
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
            own[l] = coefficient_of(xy_a[l] / 2.0, (cubes - tied_a[l]) / 3.0, topic.zz);
            other[l] = coefficient_of(xy_b[l] / 2.0, (cubes - tied_b[l]) / 3.0, topic.zz);
        }
    }

    // Sums over systems change by what the swapped ones add: for every eight systems a table has
    // this for each pattern of swaps. A block of draws stays in the fastest cache.
    void pearson(const Topic& topic, int64_t t) {
        const size_t n = topic.systems.size();
        const double *a = joined_.data(), *b = a + n;
        Sums all;
        adds_.assign(static_cast<size_t>((design_.systems + 7) / 8 * 8), Added{});
        for (size_t i = 0; i < n; ++i) {
            const double z = topic.z[i];
            all.a += a[i];
            all.aa += a[i] * a[i];
            all.bb += b[i] * b[i];
            all.az += a[i] * z;
            all.bz += b[i] * z;
            adds_[topic.systems[i]] = {b[i] - a[i], b[i] * b[i] - a[i] * a[i], (b[i] - a[i]) * z};
        }
        tables_.resize(adds_.size() / 8 * PATTERNS);
        for (size_t eight = 0; eight < adds_.size() / 8; ++eight) tabulate(eight);
        for (int64_t first = 0; first < draws_; first += BLOCK) {
            const int64_t count = std::min(BLOCK, draws_ - first);
            pace_(static_cast<uint64_t>(4 * count) * (adds_.size() / 8 + 1) + PATTERNS);
            add_patterns(first, count);
            if (correlate(all, topic, count)) {
                collect(t, first, count);
            } else {
                repair(topic, first, count);
                collect_defined(t, first, count);
            }
        }
    }

    // What each pattern of swaps among eight systems adds.
    void tabulate(size_t eight) {
        Added* const table = tables_.data() + eight * PATTERNS;
        table[0] = {};
        for (int pattern = 1; pattern < PATTERNS; ++pattern) {
            int lowest = 0;
            while ((pattern >> lowest & 1) == 0) ++lowest;
            const Added &rest = table[pattern & (pattern - 1)], &one = adds_[8 * eight + lowest];
            table[pattern] = {rest.x + one.x, rest.xx + one.xx, rest.xz + one.xz};
        }
    }

    void add_patterns(int64_t first, int64_t count) {
        for (auto* sums : {change_, squares_, products_}) std::fill(sums, sums + count, 0.0);
        for (size_t eight = 0; eight < adds_.size() / 8; ++eight) {
            const Added* const table = tables_.data() + eight * PATTERNS;
            const uint8_t* const patterns = patterns_.data() + eight * draws_ + first;
            for (int64_t r = 0; r < count; ++r) {
                const Added& added = table[patterns[r]];
                change_[r] += added.x;
                squares_[r] += added.xx;
                products_[r] += added.xz;
            }
        }
    }

    // The coefficients of a block of draws; false if the scores hardly vary in one of them.
    bool correlate(const Sums& all, const Topic& topic, int64_t count) {
        const double size = static_cast<double>(topic.systems.size()), share = 1.0 / size;
        double least = HUGE_VAL;
        for (int64_t r = 0; r < count; ++r) {
            // The scores of both metrics together have the mean 0.
            const double x = all.a + change_[r];
            const double xx = all.aa + squares_[r] - x * x * share;
            const double yy = all.bb - squares_[r] - x * x * share;
            change_[r] = xx;
            squares_[r] = yy;
            const double less = xx < yy ? xx : yy;
            least = less < least ? less : least;
        }
        quotients(change_, products_, all.az, 1.0, topic.zz, count, own_);
        quotients(squares_, products_, all.bz, -1.0, topic.zz, count, other_);
        return least > LEAST_VARIANCE * size;
    }

    // out[r] = clip((xz + sign products[r]) / sqrt(squares[r] zz)); a block is whole lanes.
    static void quotients(const double* squares, const double* products, double xz, double sign,
                          double zz, int64_t count, double* out) noexcept {
        const Two sum = Two::all(xz), signs = Two::all(sign), scale = Two::all(zz);
        const Two most = Two::all(1.0), least = Two::all(-1.0);
        for (int64_t r = 0; r < count; r += Two::COUNT) {
            const Two above = sum + signs * Two::load(products + r);
            const Two found = above / root(Two::load(squares + r) * scale);
            lower(most, higher(least, found)).store(out + r);
        }
    }

    // Where the scores of a metric hardly vary, the coefficient is computed with care.
    void repair(const Topic& topic, int64_t first, int64_t count) {
        const double least = LEAST_VARIANCE * static_cast<double>(topic.systems.size());
        for (int64_t r = 0; r < count; ++r) {
            if (!(change_[r] > least)) own_[r] = careful(topic, first + r, false);
            if (!(squares_[r] > least)) other_[r] = careful(topic, first + r, true);
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

    // Adds the coefficients of a topic; where the draw swaps the whole topic, the other way round.
    void collect(int64_t t, int64_t first, int64_t count) {
        const double* const turned = turned_.data() + t * draws_ + first;
        double *const sum_a = sum_a_.data() + first, *const sum_b = sum_b_.data() + first;
        for (int64_t r = 0; r < count; ++r) {
            const bool swap = turned[r] > 0.0;
            sum_a[r] += swap ? other_[r] : own_[r];
            sum_b[r] += swap ? own_[r] : other_[r];
        }
    }

    // The same where some may be undefined.
    void collect_defined(int64_t t, int64_t first, int64_t count) {
        const double* const turned = turned_.data() + t * draws_ + first;
        for (int64_t r = 0; r < count; ++r) {
            const bool swap = turned[r] > 0.0;
            const double a = swap ? other_[r] : own_[r], b = swap ? own_[r] : other_[r];
            sum_a_[first + r] += std::isnan(a) ? 0.0 : a;
            sum_b_[first + r] += std::isnan(b) ? 0.0 : b;
            missing_a_[first + r] += std::isnan(a) ? 1.0 : 0.0;
            missing_b_[first + r] += std::isnan(b) ? 1.0 : 0.0;
        }
    }

    const Design& design_;
    int64_t draws_;
    Pairs<1> exact_;
    std::vector<Mask> masks_;         // [block, system]
    std::vector<uint8_t> patterns_;   // [eight systems, draw]: a bit for each swapped system
    std::vector<Added> adds_;         // of each system
    std::vector<Added> tables_;       // [eight systems, pattern]
    std::vector<double> turned_;      // [topic, draw]: 1 where the draw swaps the whole topic
    std::vector<Topic> topics_;
    double own_[BLOCK], other_[BLOCK];  // the coefficients of a topic in a block of draws
    // what the swaps of the block add
    double change_[BLOCK] = {}, squares_[BLOCK] = {}, products_[BLOCK] = {};
    // of each draw: the sums over topics, and how many have no coefficient
    std::vector<double> sum_a_, sum_b_, missing_a_, missing_b_;
    std::vector<double> a_, b_, joined_;
    std::vector<Score> sorted_;
    Pace pace_;
};

}  // namespace summeval
