// Correlations of a metric with human scores, many times over: with systems and topics drawn with
// multiplicities, or with the scores of two metrics swapped. Tables are row-major [system, topic],
// with NaN for a missing cell.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "agreement/correlation.hpp"

namespace summeval {

enum Level : int { SUMMARY = 0, SYSTEM = 1, GLOBAL = 2 };

struct Design {
    int64_t systems;
    int64_t topics;
    int level;
    int coefficient;
};

// A table scaled to [0, 1]: its least value is subtracted, and a power of two divides the rest. So
// no sum leaves the range of a double, and leading digits that all values share cost no accuracy.
class Unit {
  public:
    Unit(const double* table, int64_t size) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (const auto [begin, end] : pieces(static_cast<size_t>(size))) {
            for (size_t i = begin; i < end; ++i) {
                if (table[i] < low) low = table[i];
                if (table[i] > high) high = table[i];
            }
        }
        const double largest = std::max(std::abs(low), std::abs(high));
        if (!(low <= high) || largest == 0.0) return;
        const int shift = -2 - std::ilogb(largest);
        // in two steps, since 2 to the shift of a subnormal number exceeds a double
        half_ = std::scalbn(1.0, shift / 2);
        rest_ = std::scalbn(1.0, shift - shift / 2);
        low_ = low * half_ * rest_;
        range = high * half_ * rest_ - low_;
        size_of_largest = largest * half_ * rest_;
    }

    double operator()(double value) const noexcept { return value * half_ * rest_ - low_; }

    double range = 0.0, size_of_largest = 0.0;

  private:
    double half_ = 1.0, rest_ = 1.0, low_ = 0.0;
};

// Scores transposed to [topic, system], so that the means of all systems are summed side by side.
class Means {
  public:
    void load(const Design& design, const double* table) {
        systems_ = design.systems;
        topics_ = design.topics;
        scores_.assign(static_cast<size_t>(systems_ * topics_), 0.0);
        present_.assign(scores_.size(), 0.0);
        const Unit unit(table, systems_ * topics_);
        Pace pace;
        for (int64_t s = 0; s < systems_; ++s) {
            pace(2 * static_cast<uint64_t>(topics_) + 1);
            for (int64_t t = 0; t < topics_; ++t) {
                const double value = table[s * topics_ + t];
                if (std::isnan(value)) continue;
                scores_[t * systems_ + s] = unit(value);
                present_[t * systems_ + s] = 1.0;
            }
        }
        // one rounding for each score when it was written, one for each sum, product and quotient
        const double roundings = static_cast<double>(topics_) + 2.0;
        const double most = unit.size_of_largest + roundings * unit.range;
        tolerance_ = topics_ > 1 ? std::numeric_limits<double>::epsilon() * most : 0.0;
    }

    // Means over the drawn topics; NaN for a system with none. If all means are equal up to
    // rounding, they are set equal, so that their correlation is undefined.
    const std::vector<double>& over(const Row<1>* v) {
        means_.assign(static_cast<size_t>(systems_), 0.0);
        counts_.assign(means_.size(), 0.0);
        Pace pace;
        for (int64_t t = 0; t < topics_; ++t) {
            const double times = v[t][0];
            pace(static_cast<uint64_t>(systems_) + 1);
            if (times == 0.0) continue;
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
        if (high - low <= tolerance_)
            for (double& mean : means_) mean = std::isnan(mean) ? mean : low;
        return means_;
    }

    // The greatest difference that rounding can make between equal means.
    double tolerance() const noexcept { return tolerance_; }

  private:
    int64_t systems_ = 0, topics_ = 0;
    double tolerance_ = 0.0;
    std::vector<double> scores_, present_, counts_, means_;
};

// The scores of a metric and of people, prepared for draws: `u` gives the multiplicity of each
// system, `v` of each topic, in each lane.
template <int LANES>
class Correlator {
  public:
    using Lanes = Row<LANES>;

    // Does the part that does not depend on the draw. If every draw has the same systems, `same`,
    // this includes the coefficient of each topic at the summary level.
    Correlator(const Design& design, const double* x, const double* y, const Lanes* same = nullptr)
        : design_(design) {
        if (design_.level == SYSTEM) {
            slices_.assign(1, Pairs<LANES>(design.coefficient));
            x_means_.load(design_, x);
            y_means_.load(design_, y);
            return;
        }
        const Unit x_unit(x, scaled_cells()), y_unit(y, scaled_cells());
        if (design_.level == SUMMARY && same != nullptr) {
            keep(x, x_unit, y, y_unit, same);
            return;
        }
        const int64_t slices = design_.level == SUMMARY ? design_.topics : 1;
        slices_.assign(static_cast<size_t>(slices), Pairs<LANES>(design.coefficient));
        for (int64_t s = 0; s < design_.systems; ++s) {
            for (int64_t t = 0; t < design_.topics; ++t) {
                pace_(8);
                const int64_t cell = s * design_.topics + t;
                Pairs<LANES>& slice = slices_[design_.level == SUMMARY ? t : 0];
                slice.add(x_unit(x[cell]), y_unit(y[cell]), s, t);
            }
        }
        for (Pairs<LANES>& slice : slices_) {
            pace_(SLICE);
            slice.ready();
        }
    }

    // Sets another x; the same cells must be missing.
    void replace_x(const double* x) {
        if (design_.level == SYSTEM) {
            x_means_.load(design_, x);
            return;
        }
        const Unit unit(x, scaled_cells());
        for (Pairs<LANES>& slice : slices_) {
            pace_(SLICE);
            slice.replace_x([&](int64_t s, int64_t t) { return unit(x[s * design_.topics + t]); });
        }
    }

    // The coefficient of each topic, where all draws have the same systems.
    const std::vector<Lanes>& kept() const noexcept { return kept_; }

    Lanes at(const Lanes* u, const Lanes* v) {
        if (design_.level == SUMMARY) return mean_of_topics(u, v);
        if constexpr (LANES == 1) {
            if (design_.level == SYSTEM) return of_means(u, v);
        }
        return of_cells(u, v);
    }

  private:
    // The steps of a slice beside those that it counts itself, as it does for each anew.
    static constexpr uint64_t SLICE = 64;

    // One topic at a time, in one slice: together they would take much more memory than the tables.
    void keep(const double* x, const Unit& x_unit, const double* y, const Unit& y_unit,
              const Lanes* same) {
        slices_.assign(1, Pairs<LANES>(design_.coefficient));
        grow(kept_, static_cast<size_t>(design_.topics));
        for (int64_t t = 0; t < design_.topics; ++t) {
            pace_(SLICE);
            slices_[0].clear();
            for (int64_t s = 0; s < design_.systems; ++s) {
                pace_(8);
                const int64_t cell = s * design_.topics + t;
                slices_[0].add(x_unit(x[cell]), y_unit(y[cell]), s, t);
            }
            slices_[0].ready();
            kept_[t] = of_systems(0, same);
        }
    }

    // Ranks use the numbers unscaled: scaling could make the smallest ones equal.
    int64_t scaled_cells() const noexcept {
        return design_.coefficient == PEARSON ? design_.systems * design_.topics : 0;
    }

    Lanes of_systems(size_t slice, const Lanes* u) {
        return slices_[slice].correlate([=](int64_t s, int64_t) { return u[s]; });
    }

    Lanes of_cells(const Lanes* u, const Lanes* v) {
        return slices_[0].correlate([=](int64_t s, int64_t t) {
            Lanes weight;
            for (int l = 0; l < LANES; ++l) weight[l] = u[s][l] * v[t][l];
            return weight;
        });
    }

    // The order of the means differs in every draw, so lanes could share no work: there is only
    // one.
    Lanes of_means(const Lanes* u, const Lanes* v) {
        const std::vector<double>& x = x_means_.over(v);
        const std::vector<double>& y = y_means_.over(v);
        slices_[0].clear();
        for (int64_t s = 0; s < design_.systems; ++s) slices_[0].add(x[s], y[s], s, 0);
        slices_[0].ready(x_means_.tolerance(), y_means_.tolerance());
        return of_systems(0, u);
    }

    // Topics with an undefined coefficient are skipped.
    Lanes mean_of_topics(const Lanes* u, const Lanes* v) {
        Lanes sum, count;
        for (int64_t t = 0; t < design_.topics; ++t) {
            pace_(SLICE);
            const Lanes value = kept_.empty() ? of_systems(t, u) : kept_[t];
            for (int l = 0; l < LANES; ++l) {
                const double times = std::isnan(value[l]) ? 0.0 : v[t][l];
                sum[l] += times > 0.0 ? times * value[l] : 0.0;
                count[l] += times;
            }
        }
        for (int l = 0; l < LANES; ++l) sum[l] = count[l] > 0.0 ? sum[l] / count[l] : UNDEFINED;
        return sum;
    }

    Design design_;
    std::vector<Pairs<LANES>> slices_;
    Means x_means_, y_means_;
    std::vector<Lanes> kept_;
    Pace pace_;
};

// Transposes LANES draws [lane, size] to [size, lane]; lanes beyond `draws` get multiplicity 0.
template <int LANES>
void turn(const int64_t* drawn, int64_t size, int64_t draws, std::vector<Row<LANES>>& turned) {
    turned.assign(static_cast<size_t>(size), {});
    for (int64_t l = 0; l < draws; ++l)
        for (int64_t i = 0; i < size; ++i)
            turned[i].at[l] = static_cast<double>(drawn[l * size + i]);
}

template <int LANES>
void resample(const Design& design, const double* x, const double* y, const int64_t* u,
              bool same_systems, const int64_t* v, int64_t draws, double* out) {
    std::vector<Row<LANES>> systems, topics;
    if (same_systems) {
        systems.resize(static_cast<size_t>(design.systems));
        for (int64_t s = 0; s < design.systems; ++s)
            for (int l = 0; l < LANES; ++l) systems[s][l] = static_cast<double>(u[s]);
    }
    Correlator<LANES> correlator(design, x, y, same_systems ? systems.data() : nullptr);
    Pace pace;
    for (int64_t r = 0; r < draws; r += LANES) {
        pace(8 * LANES * static_cast<uint64_t>(design.systems + design.topics));
        const int64_t some = std::min<int64_t>(LANES, draws - r);
        if (!same_systems) turn(u + r * design.systems, design.systems, some, systems);
        turn(v + r * design.topics, design.topics, some, topics);
        const Row<LANES> found = correlator.at(systems.data(), topics.data());
        std::copy_n(found.at, some, out + r);
    }
}

// out[r]: the correlation with systems drawn u[r] times and topics v[r] times. With `same_systems`,
// one row of u serves all draws.
inline void resampled(const Design& design, const double* x, const double* y, const int64_t* u,
                      bool same_systems, const int64_t* v, int64_t draws, double* out) {
    const auto run = design.level == SYSTEM ? resample<1> : resample<8>;
    run(design, x, y, u, same_systems, v, draws, out);
}

// out[t]: the coefficient of topic t.
inline void by_topic(const Design& design, const double* x, const double* y, double* out) {
    constexpr int LANES = 8;  // as in `resampled`, so that both print the same digits
    Row<LANES> one;
    for (int l = 0; l < LANES; ++l) one[l] = 1.0;
    const std::vector<Row<LANES>> once(static_cast<size_t>(design.systems), one);
    const Correlator<LANES> correlator(design, x, y, once.data());
    for (const Row<LANES>& value : correlator.kept()) *out++ = value[0];
}

// out[r]: the correlation of x with z minus the correlation of y with z, after x and y are swapped
// in the cells where exactly one of rows[r][system] and columns[r][topic] is set. The same cells
// must be missing in all three.
inline void permuted(const Design& design, const double* x, const double* y, const double* z,
                     const uint8_t* rows, const uint8_t* columns, int64_t draws, double* out) {
    const int64_t size = design.systems * design.topics;
    std::vector<double> first(static_cast<size_t>(size)), second(static_cast<size_t>(size));
    const size_t longer = static_cast<size_t>(std::max(design.systems, design.topics));
    const std::vector<Row<1>> once(longer, Row<1>{{1.0}});
    Correlator<1> correlator(design, x, z);
    Pace pace;
    for (int64_t r = 0; r < draws; ++r) {
        for (int64_t cell = 0; cell < size; ++cell) {
            pace(8);
            const bool swap = (rows[r * design.systems + cell / design.topics] != 0) !=
                              (columns[r * design.topics + cell % design.topics] != 0);
            first[cell] = swap ? y[cell] : x[cell];
            second[cell] = swap ? x[cell] : y[cell];
        }
        correlator.replace_x(first.data());
        const double own = correlator.at(once.data(), once.data())[0];
        correlator.replace_x(second.data());
        out[r] = own - correlator.at(once.data(), once.data())[0];
    }
}

}  // namespace summeval
