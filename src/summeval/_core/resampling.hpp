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

// A metric and people, ready for draws: `u` says how often each system counts, `v` each topic.
class Correlator {
  public:
    explicit Correlator(const Design& design) : design_(design) {
        const int64_t slices = design.level == SUMMARY ? design.topics : 1;
        slices_.assign(static_cast<size_t>(slices), Pairs(design.coefficient));
        means_.resize(static_cast<size_t>(2 * design.systems));
    }

    // What does not depend on the draw is done here.
    void load(const double* x, const double* y) {
        x_ = x;
        y_ = y;
        kept_.clear();
        if (design_.level == SYSTEM) return;
        for (Pairs& slice : slices_) slice.clear();
        for (int64_t cell = 0; cell < design_.systems * design_.topics; ++cell) {
            const int64_t slice = design_.level == SUMMARY ? cell % design_.topics : 0;
            slices_[slice].add(x[cell], y[cell], cell);
        }
        for (Pairs& slice : slices_) slice.ready();
    }

    // From here on every draw has these systems: coefficients of topics are reckoned once.
    void keep_systems(const int64_t* u) {
        if (design_.level != SUMMARY) return;
        kept_.resize(slices_.size());
        for (size_t t = 0; t < slices_.size(); ++t) kept_[t] = of_topic(t, u);
    }

    double at(const int64_t* u, const int64_t* v) {
        if (design_.level == SYSTEM) return of_means(u, v);
        if (design_.level == SUMMARY) return mean_of_topics(u, v);
        const int64_t topics = design_.topics;
        return slices_[0].correlate(
            [=](int64_t cell) { return u[cell / topics] * v[cell % topics]; });
    }

  private:
    double of_topic(size_t topic, const int64_t* u) {
        const int64_t topics = design_.topics;
        return slices_[topic].correlate([=](int64_t cell) { return u[cell / topics]; });
    }

    // Topics without a coefficient are passed over.
    double mean_of_topics(const int64_t* u, const int64_t* v) {
        double sum = 0.0;
        int64_t count = 0;
        for (size_t t = 0; t < slices_.size(); ++t) {
            if (v[t] == 0) continue;
            const double value = kept_.empty() ? of_topic(t, u) : kept_[t];
            if (std::isnan(value)) continue;
            sum += static_cast<double>(v[t]) * value;
            count += v[t];
        }
        return count ? sum / static_cast<double>(count) : UNDEFINED;
    }

    double of_means(const int64_t* u, const int64_t* v) {
        double* x = means_.data();
        double* y = x + design_.systems;
        average(x_, v, x);
        average(y_, v, y);
        slices_[0].clear();
        for (int64_t s = 0; s < design_.systems; ++s) slices_[0].add(x[s], y[s], s);
        slices_[0].ready();
        return slices_[0].correlate([=](int64_t system) { return u[system]; });
    }

    // Means of systems over the topics drawn. Means of a metric that gives one number throughout
    // may differ by rounding; they are made equal, so that its correlation is undefined.
    void average(const double* table, const int64_t* v, double* means) const noexcept {
        double low = HUGE_VAL, high = -HUGE_VAL, largest = 0.0;
        for (int64_t s = 0; s < design_.systems; ++s) {
            const double* row = table + s * design_.topics;
            double sum = 0.0;
            int64_t count = 0;
            for (int64_t t = 0; t < design_.topics; ++t) {
                if (v[t] == 0 || std::isnan(row[t])) continue;
                sum += static_cast<double>(v[t]) * row[t];
                count += v[t];
                largest = std::max(largest, std::abs(row[t]));
            }
            means[s] = count ? sum / static_cast<double>(count) : UNDEFINED;
            if (count == 0) continue;
            low = std::min(low, means[s]);
            high = std::max(high, means[s]);
        }
        const double steps = static_cast<double>(design_.topics - 1);
        if (high - low > steps * std::numeric_limits<double>::epsilon() * largest) return;
        for (int64_t s = 0; s < design_.systems; ++s) {
            if (!std::isnan(means[s])) means[s] = low;
        }
    }

    Design design_;
    const double* x_ = nullptr;
    const double* y_ = nullptr;
    std::vector<Pairs> slices_;
    std::vector<double> kept_, means_;
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
