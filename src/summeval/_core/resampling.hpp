// Correlations of a metric with people, again and again: with systems and topics drawn any number of
// times, or with the scores of two metrics swapped. Tables are row-major [system, topic], NaN where
// a cell is missing.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "correlation.hpp"

namespace summeval {

enum Level : int { SUMMARY = 0, SYSTEM = 1, GLOBAL = 2 };

struct Design {
    int64_t systems;
    int64_t topics;
    int level;
    int coefficient;
};

// Scores turned to [topic, system], so that the means of all systems are summed side by side.
class Means {
  public:
    void load(const Design& design, const double* table) {
        systems_ = design.systems;
        topics_ = design.topics;
        scores_.assign(static_cast<size_t>(systems_ * topics_), 0.0);
        present_.assign(scores_.size(), 0.0);
        largest_ = 0.0;
        for (int64_t s = 0; s < systems_; ++s) {
            for (int64_t t = 0; t < topics_; ++t) {
                const double value = table[s * topics_ + t];
                if (std::isnan(value)) continue;
                scores_[t * systems_ + s] = value;
                present_[t * systems_ + s] = 1.0;
                largest_ = std::max(largest_, std::abs(value));
            }
        }
    }

    // Means over the topics drawn, NaN for a system with none. Means of a metric that gives one
    // number throughout may differ by rounding; they are made equal, so that its correlation is
    // undefined.
    const std::vector<double>& over(const int64_t* v) {
        means_.assign(static_cast<size_t>(systems_), 0.0);
        counts_.assign(means_.size(), 0.0);
        for (int64_t t = 0; t < topics_; ++t) {
            if (v[t] == 0) continue;
            const double times = static_cast<double>(v[t]);
            const double* score = scores_.data() + t * systems_;
            const double* present = present_.data() + t * systems_;
            for (int64_t s = 0; s < systems_; ++s) {
                means_[s] += times * score[s];
                counts_[s] += times * present[s];
            }
        }
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int64_t s = 0; s < systems_; ++s) {
            means_[s] = counts_[s] > 0.0 ? means_[s] / counts_[s] : UNDEFINED;
            if (means_[s] < low) low = means_[s];
            if (means_[s] > high) high = means_[s];
        }
        const double steps = static_cast<double>(topics_ - 1);
        if (high - low <= steps * std::numeric_limits<double>::epsilon() * largest_) {
            for (double& mean : means_) mean = std::isnan(mean) ? mean : low;
        }
        return means_;
    }

  private:
    int64_t systems_ = 0, topics_ = 0;
    double largest_ = 0.0;
    std::vector<double> scores_, present_, counts_, means_;
};

// A metric and people, ready for draws: `u` says how often each system counts, `v` each topic.
class Correlator {
  public:
    explicit Correlator(const Design& design) : design_(design) {
        const int64_t slices = design.level == SUMMARY ? design.topics : 1;
        slices_.assign(static_cast<size_t>(slices), Pairs(design.coefficient));
    }

    // What does not depend on the draw is done here.
    void load(const double* x, const double* y) {
        kept_.clear();
        if (design_.level == SYSTEM) {
            x_means_.load(design_, x);
            y_means_.load(design_, y);
            return;
        }
        for (Pairs& slice : slices_) slice.clear();
        for (int64_t s = 0; s < design_.systems; ++s) {
            for (int64_t t = 0; t < design_.topics; ++t) {
                const int64_t cell = s * design_.topics + t;
                slices_[design_.level == SUMMARY ? t : 0].add(x[cell], y[cell], s, t);
            }
        }
        for (Pairs& slice : slices_) slice.ready();
    }

    // From here on every draw has these systems: coefficients of topics are reckoned once.
    void keep_systems(const int64_t* u) {
        if (design_.level != SUMMARY) return;
        kept_.resize(slices_.size());
        for (size_t t = 0; t < slices_.size(); ++t) kept_[t] = of_systems(t, u);
    }

    double at(const int64_t* u, const int64_t* v) {
        if (design_.level == SUMMARY) return mean_of_topics(u, v);
        if (design_.level == GLOBAL) {
            return slices_[0].correlate([=](int64_t s, int64_t t) { return u[s] * v[t]; });
        }
        const std::vector<double>& x = x_means_.over(v);
        const std::vector<double>& y = y_means_.over(v);
        slices_[0].clear();
        for (int64_t s = 0; s < design_.systems; ++s) slices_[0].add(x[s], y[s], s, 0);
        slices_[0].ready();
        return of_systems(0, u);
    }

  private:
    double of_systems(size_t slice, const int64_t* u) {
        return slices_[slice].correlate([=](int64_t s, int64_t) { return u[s]; });
    }

    // Topics without a coefficient are passed over.
    double mean_of_topics(const int64_t* u, const int64_t* v) {
        double sum = 0.0;
        int64_t count = 0;
        for (size_t t = 0; t < slices_.size(); ++t) {
            if (v[t] == 0) continue;
            const double value = kept_.empty() ? of_systems(t, u) : kept_[t];
            if (std::isnan(value)) continue;
            sum += static_cast<double>(v[t]) * value;
            count += v[t];
        }
        return count ? sum / static_cast<double>(count) : UNDEFINED;
    }

    Design design_;
    std::vector<Pairs> slices_;
    Means x_means_, y_means_;
    std::vector<double> kept_;
};

// out[r]: the correlation with systems drawn u[r] times and topics v[r] times. One row of u serves
// all draws where `same_systems`.
inline void resampled(const Design& design, const double* x, const double* y, const int64_t* u,
                      bool same_systems, const int64_t* v, int64_t draws, double* out) {
    Correlator correlator(design);
    correlator.load(x, y);
    if (same_systems) correlator.keep_systems(u);
    for (int64_t r = 0; r < draws; ++r) {
        out[r] = correlator.at(same_systems ? u : u + r * design.systems, v + r * design.topics);
    }
}

// out[r]: by how much the correlation of x with z exceeds that of y, where x and y are swapped in
// the cells for which one, but not both, of rows[r][system] and columns[r][topic] is set.
inline void permuted(const Design& design, const double* x, const double* y, const double* z,
                     const uint8_t* rows, const uint8_t* columns, int64_t draws, double* out) {
    const int64_t size = design.systems * design.topics;
    std::vector<double> first(static_cast<size_t>(size)), second(static_cast<size_t>(size));
    const std::vector<int64_t> once(static_cast<size_t>(std::max(design.systems, design.topics)), 1);
    Correlator correlator(design);
    for (int64_t r = 0; r < draws; ++r) {
        for (int64_t cell = 0; cell < size; ++cell) {
            const bool swap = (rows[r * design.systems + cell / design.topics] != 0) !=
                              (columns[r * design.topics + cell % design.topics] != 0);
            first[cell] = swap ? y[cell] : x[cell];
            second[cell] = swap ? x[cell] : y[cell];
        }
        correlator.load(first.data(), z);
        const double own = correlator.at(once.data(), once.data());
        correlator.load(second.data(), z);
        out[r] = own - correlator.at(once.data(), once.data());
    }
}

}  // namespace summeval
