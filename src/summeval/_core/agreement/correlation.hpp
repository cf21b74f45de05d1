// Pearson, Spearman and Kendall (tau-b) of pairs of numbers, each with a multiplicity. The pairs
// are sorted once; computing a coefficient for other multiplicities then needs no sorting. Several
// draws of multiplicities are computed side by side, one per lane: they differ only in weights, so
// one pass over the pairs serves all of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

enum Coefficient : int { PEARSON = 0, SPEARMAN = 1, KENDALL = 2 };

constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();

// One number per lane. Weights, and counts made from them, are whole numbers below 2^53.
template <int LANES>
struct Row {
    double at[LANES] = {};

    double& operator[](int lane) noexcept { return at[lane]; }
    double operator[](int lane) const noexcept { return at[lane]; }
    Row& operator+=(const Row& other) noexcept {
        for (int l = 0; l < LANES; ++l) at[l] += other.at[l];
        return *this;
    }
};

// One of the two sides: its values and, for ranks, the group of equal values that each is in.
template <int LANES>
class Side {
  public:
    // Sorts, and numbers the groups of equal values from 0 upwards. A group holds the values that
    // exceed its least value by at most `tolerance`.
    void rank(double tolerance) {
        const size_t count = values.size();
        sorted_.resize(count);
        for (size_t i = 0; i < count; ++i) sorted_[i] = {values[i], static_cast<int64_t>(i)};
        Pace pace;
        std::sort(sorted_.begin(), sorted_.end(), [&pace](const auto& a, const auto& b) {
            pace(1);
            return a < b;
        });
        order.resize(count);
        group.resize(count);
        groups = 0;
        double least = 0.0;
        for (size_t k = 0; k < count; ++k) {
            pace(4);
            const double value = sorted_[k].first;
            if (k == 0 || value - least > tolerance) {
                least = value;
                ++groups;
            }
            order[k] = sorted_[k].second;
            group[order[k]] = groups - 1;
        }
    }

    // The total multiplicity of each group.
    void count(const std::vector<Row<LANES>>& weights) {
        sizes.assign(static_cast<size_t>(groups), {});
        for (const auto [begin, end] : pieces(group.size()))
            for (size_t i = begin; i < end; ++i) sizes[group[i]] += weights[i];
    }

    // Twice the difference between the mid-rank of each group and the mean rank, which is a whole
    // number. Returns the sum of the squares over all values.
    Row<LANES> centre_ranks(const Row<LANES>& total) {
        Row<LANES> before, squares;
        ranks.resize(sizes.size());
        for (size_t g = 0; g < sizes.size(); ++g) {
            const Row<LANES>& size = sizes[g];
            for (int l = 0; l < LANES; ++l) {
                const double rank = 2.0 * before[l] + size[l] - total[l];
                ranks[g][l] = rank;
                squares[l] += size[l] * rank * rank;
            }
            before += size;
        }
        return squares;
    }

    // The number of pairs of values from different groups.
    Row<LANES> untied(const Row<LANES>& total) const noexcept {
        Row<LANES> pairs;
        for (int l = 0; l < LANES; ++l) pairs[l] = total[l] * (total[l] - 1.0);
        for (const Row<LANES>& size : sizes)
            for (int l = 0; l < LANES; ++l) pairs[l] -= size[l] * (size[l] - 1.0);
        for (int l = 0; l < LANES; ++l) pairs[l] *= 0.5;
        return pairs;
    }

    std::vector<double> values;
    std::vector<int64_t> order, group;
    std::vector<Row<LANES>> sizes, ranks;
    int64_t groups = 0;

  private:
    std::vector<std::pair<double, int64_t>> sorted_;
};

inline double clip(double value) noexcept { return std::min(1.0, std::max(-1.0, value)); }

// From the sums of products and squares; undefined if either side does not vary.
inline double coefficient_of(double xy, double xx, double yy) noexcept {
    return xx > 0.0 && yy > 0.0 ? clip(xy / std::sqrt(xx * yy)) : UNDEFINED;
}

template <int LANES>
class Pairs {
  public:
    using Lanes = Row<LANES>;

    explicit Pairs(int coefficient) noexcept : coefficient_(coefficient) {}

    void clear() noexcept {
        x_.values.clear();
        y_.values.clear();
        rows_.clear();
        columns_.clear();
    }

    // Adds the pair of a cell; pairs with a missing value (NaN) are left out.
    void add(double x, double y, int64_t row, int64_t column) {
        if (std::isnan(x) || std::isnan(y)) return;
        x_.values.push_back(x);
        y_.values.push_back(y);
        rows_.push_back(row);
        columns_.push_back(column);
    }

    // Values within the tolerance of their side count as tied.
    void ready(double x_tolerance = 0.0, double y_tolerance = 0.0) {
        if (coefficient_ == PEARSON) return;
        x_.rank(x_tolerance);
        y_.rank(y_tolerance);
    }

    // Replaces the values of x in the same cells; keeps the order and groups of y.
    template <class Value>
    void replace_x(Value value, double tolerance = 0.0) {
        for (const auto [begin, end] : pieces(rows_.size()))
            for (size_t i = begin; i < end; ++i) x_.values[i] = value(rows_[i], columns_[i]);
        if (coefficient_ != PEARSON) x_.rank(tolerance);
    }

    // The coefficients if the pair of a cell has the multiplicity weigh(row, column), for each
    // lane; NaN where the coefficient is undefined.
    template <class Weigh>
    Lanes correlate(Weigh weigh) {
        pace_(16 * rows_.size());
        weights_.resize(rows_.size());
        Lanes total;
        for (const auto [begin, end] : pieces(rows_.size())) {
            for (size_t i = begin; i < end; ++i) {
                weights_[i] = weigh(rows_[i], columns_[i]);
                total += weights_[i];
            }
        }
        if (coefficient_ == PEARSON) return pearson(total);
        x_.count(weights_);
        y_.count(weights_);
        return coefficient_ == SPEARMAN ? spearman(total) : kendall(total);
    }

  private:
    static Lanes quotient(const Lanes& xy, const Lanes& xx, const Lanes& yy) noexcept {
        Lanes found;
        for (int l = 0; l < LANES; ++l) found[l] = coefficient_of(xy[l], xx[l], yy[l]);
        return found;
    }

    // Values lie between 0 and 1. If they vary too little for a rounded mean, or not at all, the
    // lane is computed again with more care.
    Lanes pearson(const Lanes& total) {
        constexpr double LEAST_VARIANCE = 1e-10;
        Lanes x_mean, y_mean, xx, yy, xy;
        for (const auto [begin, end] : pieces(weights_.size())) {
            for (size_t i = begin; i < end; ++i) {
                const double x = x_.values[i], y = y_.values[i];
                for (int l = 0; l < LANES; ++l) {
                    x_mean[l] += weights_[i][l] * x;
                    y_mean[l] += weights_[i][l] * y;
                }
            }
        }
        for (int l = 0; l < LANES; ++l) x_mean[l] /= total[l], y_mean[l] /= total[l];
        for (const auto [begin, end] : pieces(weights_.size())) {
            for (size_t i = begin; i < end; ++i) {
                const double x = x_.values[i], y = y_.values[i];
                for (int l = 0; l < LANES; ++l) {
                    const double dx = x - x_mean[l], dy = y - y_mean[l];
                    const double weighted = weights_[i][l] * dx;
                    xx[l] += weighted * dx;
                    xy[l] += weighted * dy;
                    yy[l] += weights_[i][l] * dy * dy;
                }
            }
        }
        Lanes found = quotient(xy, xx, yy);
        for (int l = 0; l < LANES; ++l) {
            const bool sure = std::min(xx[l], yy[l]) > LEAST_VARIANCE * total[l];
            if (!sure) found[l] = pearson_of(l, total[l]);
        }
        return found;
    }

    double pearson_of(int lane, double total) {
        if (!centre(x_.values, lane, total, dx_) || !centre(y_.values, lane, total, dy_))
            return UNDEFINED;
        double xx = 0.0, yy = 0.0, xy = 0.0;
        for (size_t i = 0; i < weights_.size(); ++i) {
            const double weight = weights_[i][lane];
            xx += weight * dx_[i] * dx_[i];
            yy += weight * dy_[i] * dy_[i];
            xy += weight * dx_[i] * dy_[i];
        }
        return clip(xy / std::sqrt(xx * yy));
    }

    // Deviations from the mean in a lane, divided by the range of the drawn values, so that no
    // square leaves the range of a double. False if values vary by less than a normal number.
    bool centre(const std::vector<double>& values, int lane, double total,
                std::vector<double>& deviations) const {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < values.size(); ++i) {
            if (weights_[i][lane] == 0.0) continue;
            low = std::min(low, values[i]);
            high = std::max(high, values[i]);
        }
        if (!(high - low >= std::numeric_limits<double>::min())) return false;
        const double unit = 1.0 / (high - low);
        double mean = 0.0;
        deviations.assign(values.size(), 0.0);
        for (size_t i = 0; i < values.size(); ++i) {
            if (weights_[i][lane] == 0.0) continue;
            deviations[i] = (values[i] - low) * unit;
            mean += weights_[i][lane] * deviations[i];
        }
        for (double& deviation : deviations) deviation -= mean / total;
        return true;
    }

    Lanes spearman(const Lanes& total) {
        const Lanes xx = x_.centre_ranks(total), yy = y_.centre_ranks(total);
        Lanes xy;
        for (const auto [begin, end] : pieces(weights_.size())) {
            for (size_t i = begin; i < end; ++i) {
                const Lanes &weight = weights_[i], &x = x_.ranks[x_.group[i]];
                const Lanes& y = y_.ranks[y_.group[i]];
                for (int l = 0; l < LANES; ++l) xy[l] += weight[l] * x[l] * y[l];
            }
        }
        return quotient(xy, xx, yy);
    }

    // Knight 1966, with multiplicities: in the order of one side, each pair meets the pairs that
    // are less there; a Fenwick tree counts them by the other side, the one with fewer groups.
    Lanes kendall(const Lanes& total) {
        const bool turned = x_.groups < y_.groups;
        const Side<LANES>&walked = turned ? y_ : x_, &counted = turned ? x_ : y_;
        tree_.assign(static_cast<size_t>(counted.groups) + 1, {});
        met_.assign(static_cast<size_t>(counted.groups), {});
        Lanes all_met, balance;  // balance: concordant minus discordant pairs
        const std::vector<int64_t>& order = walked.order;
        Pace pace;
        for (size_t k = 0, end = 0; k < order.size(); k = end) {
            const int64_t group = walked.group[order[k]];
            for (; end < order.size() && walked.group[order[end]] == group; ++end) {
                pace(16);
                const int64_t i = order[end], own = counted.group[i];
                const Lanes &weight = weights_[i], &equal = met_[own];
                const Lanes less = below(own);
                for (int l = 0; l < LANES; ++l)
                    balance[l] += weight[l] * (2.0 * less[l] + equal[l] - all_met[l]);
            }
            for (size_t j = k; j < end; ++j) {
                const Lanes& weight = weights_[order[j]];
                meet(counted.group[order[j]], counted.groups, weight);
                all_met += weight;
            }
        }
        return quotient(balance, x_.untied(total), y_.untied(total));
    }

    Lanes below(int64_t group) const noexcept {
        Lanes sum;
        for (; group > 0; group &= group - 1) sum += tree_[group];
        return sum;
    }

    void meet(int64_t group, int64_t groups, const Lanes& weight) noexcept {
        met_[group] += weight;
        for (int64_t i = group + 1; i <= groups; i += i & -i) tree_[i] += weight;
    }

    int coefficient_;
    Side<LANES> x_, y_;
    std::vector<int64_t> rows_, columns_;
    std::vector<Lanes> weights_, tree_, met_;
    std::vector<double> dx_, dy_;
    Pace pace_;
};

}  // namespace summeval
