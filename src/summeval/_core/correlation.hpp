// Pearson, Spearman and Kendall (tau-b) of pairs of numbers that each stand some number of times.
// The pairs are sorted once; a coefficient for other multiplicities then takes no sorting.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace summeval {

enum Coefficient : int { PEARSON = 0, SPEARMAN = 1, KENDALL = 2 };

constexpr double UNDEFINED = std::numeric_limits<double>::quiet_NaN();

// One of the two sides: its values and, for ranks, the group of equal values of each.
class Side {
  public:
    void clear() noexcept { values.clear(); }

    // Sorts, and numbers the groups of equal values from 0 upwards.
    void rank() {
        const size_t count = values.size();
        sorted_.resize(count);
        for (size_t i = 0; i < count; ++i) sorted_[i] = {values[i], static_cast<int64_t>(i)};
        std::sort(sorted_.begin(), sorted_.end());
        order.resize(count);
        group.resize(count);
        groups = 0;
        for (size_t k = 0; k < count; ++k) {
            if (k == 0 || sorted_[k].first != sorted_[k - 1].first) ++groups;
            order[k] = sorted_[k].second;
            group[order[k]] = groups - 1;
        }
    }

    // Twice the mid rank of each group less the mean rank: whole numbers.
    void centre_ranks(const std::vector<int64_t>& weights, int64_t total) {
        sizes.assign(static_cast<size_t>(groups), 0);
        for (size_t i = 0; i < values.size(); ++i) sizes[group[i]] += weights[i];
        ranks.resize(sizes.size());
        int64_t before = 0;
        for (size_t g = 0; g < sizes.size(); ++g) {
            ranks[g] = static_cast<double>(2 * before + sizes[g] - total);
            before += sizes[g];
        }
    }

    std::vector<double> values;
    std::vector<int64_t> order, group, sizes;
    std::vector<double> ranks;
    int64_t groups = 0;

  private:
    std::vector<std::pair<double, int64_t>> sorted_;
};

class Pairs {
  public:
    explicit Pairs(int coefficient) noexcept : coefficient_(coefficient) {}

    void clear() noexcept {
        x_.clear();
        y_.clear();
        rows_.clear();
        columns_.clear();
    }

    // The pair of a cell; one with a missing value (NaN) is left out.
    void add(double x, double y, int64_t row, int64_t column) {
        if (std::isnan(x) || std::isnan(y)) return;
        x_.values.push_back(x);
        y_.values.push_back(y);
        rows_.push_back(row);
        columns_.push_back(column);
    }

    void ready() {
        if (coefficient_ == PEARSON) return;
        x_.rank();
        y_.rank();
    }

    // The coefficient where the pair of a cell stands weight(row, column) times; NaN where there is
    // none.
    template <class Weight>
    double correlate(Weight weight) {
        weights_.resize(rows_.size());
        int64_t total = 0;
        for (size_t i = 0; i < rows_.size(); ++i) {
            total += weights_[i] = weight(rows_[i], columns_[i]);
        }
        if (total < 2) return UNDEFINED;
        if (coefficient_ == PEARSON) return pearson(static_cast<double>(total));
        return coefficient_ == SPEARMAN ? spearman(total) : kendall(total);
    }

  private:
    static double clip(double value) noexcept { return std::min(1.0, std::max(-1.0, value)); }

    // Where the values of a side lie, and how far from it the farthest does; 0 for equal values.
    std::pair<double, double> locate(const Side& side, double total) const noexcept {
        double sum = 0.0, low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < weights_.size(); ++i) {
            if (weights_[i] == 0) continue;
            sum += static_cast<double>(weights_[i]) * side.values[i];
            low = std::min(low, side.values[i]);
            high = std::max(high, side.values[i]);
        }
        const double mean = sum / total;
        return {mean, low == high ? 0.0 : std::max(high - mean, mean - low)};
    }

    // Deviations are scaled to 1, so that no square leaves the range of a double. What varies by
    // less than a normal number is constant.
    double pearson(double total) const noexcept {
        const auto [x_mean, x_scale] = locate(x_, total);
        const auto [y_mean, y_scale] = locate(y_, total);
        const double least = std::numeric_limits<double>::min();
        if (!(x_scale >= least) || !(y_scale >= least)) return UNDEFINED;
        const double x_unit = 1.0 / x_scale, y_unit = 1.0 / y_scale;
        double xx = 0.0, yy = 0.0, xy = 0.0;
        for (size_t i = 0; i < weights_.size(); ++i) {
            const double w = static_cast<double>(weights_[i]);
            const double x = (x_.values[i] - x_mean) * x_unit;
            const double y = (y_.values[i] - y_mean) * y_unit;
            xx += w * x * x;
            yy += w * y * y;
            xy += w * x * y;
        }
        return clip(xy / std::sqrt(xx * yy));
    }

    double spearman(int64_t total) {
        x_.centre_ranks(weights_, total);
        y_.centre_ranks(weights_, total);
        double xx = 0.0, yy = 0.0, xy = 0.0;
        for (size_t i = 0; i < weights_.size(); ++i) {
            const double w = static_cast<double>(weights_[i]);
            const double x = x_.ranks[x_.group[i]], y = y_.ranks[y_.group[i]];
            xx += w * x * x;
            yy += w * y * y;
            xy += w * x * y;
        }
        if (xx == 0.0 || yy == 0.0) return UNDEFINED;
        return clip(xy / std::sqrt(xx * yy));
    }

    static double pairs_within(const std::vector<int64_t>& sizes) noexcept {
        double count = 0.0;
        for (const int64_t size : sizes) count += 0.5 * static_cast<double>(size) * (size - 1.0);
        return count;
    }

    // Knight 1966, with multiplicities: in the order of x each pair meets those with a smaller x,
    // which a Fenwick tree counts by their y.
    double kendall(int64_t total) {
        x_.centre_ranks(weights_, total);
        y_.centre_ranks(weights_, total);
        tree_.assign(static_cast<size_t>(y_.groups) + 1, 0);
        seen_.assign(static_cast<size_t>(y_.groups), 0);
        int64_t seen = 0;
        double concordant = 0.0;  // less the discordant
        const std::vector<int64_t>& order = x_.order;
        for (size_t k = 0, end = 0; k < order.size(); k = end) {
            const int64_t group = x_.group[order[k]];
            for (; end < order.size() && x_.group[order[end]] == group; ++end) {
                const int64_t i = order[end];
                if (weights_[i] == 0) continue;
                const int64_t less = below(y_.group[i]);
                const int64_t more = seen - less - seen_[y_.group[i]];
                concordant += static_cast<double>(weights_[i]) * static_cast<double>(less - more);
            }
            for (size_t j = k; j < end; ++j) {
                insert(y_.group[order[j]], weights_[order[j]]);
                seen += weights_[order[j]];
            }
        }
        const double all = 0.5 * static_cast<double>(total) * (static_cast<double>(total) - 1.0);
        const double x_untied = all - pairs_within(x_.sizes), y_untied = all - pairs_within(y_.sizes);
        if (x_untied == 0.0 || y_untied == 0.0) return UNDEFINED;
        return clip(concordant / std::sqrt(x_untied * y_untied));
    }

    int64_t below(int64_t group) const noexcept {
        int64_t sum = 0;
        for (; group > 0; group &= group - 1) sum += tree_[group];
        return sum;
    }

    void insert(int64_t group, int64_t weight) noexcept {
        if (weight == 0) return;
        seen_[group] += weight;
        for (int64_t i = group + 1; i <= y_.groups; i += i & -i) tree_[i] += weight;
    }

    int coefficient_;
    Side x_, y_;
    std::vector<int64_t> rows_, columns_, weights_, tree_, seen_;
};

}  // namespace summeval
