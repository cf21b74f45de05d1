// Sixteen neighbouring entries of a row of weights, and the prices of their columns; the last block
// of a row may have fewer. The functions that read a whole block have no branches.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

#include "rows/lanes.hpp"

namespace summeval {

struct DenseBlock {
    static constexpr int SIZE = 16;

    const double* weights;  // of the row
    const double* prices;   // of all columns
    int32_t begin, end;

    bool whole() const noexcept { return end - begin == SIZE; }

    // The highest difference of weight and price.
    double top_gain() const noexcept {
        double best = -std::numeric_limits<double>::infinity();
        if (!whole()) {
            for (int32_t c = begin; c < end; ++c) best = std::max(best, weights[c] - prices[c]);
            return best;
        }
        Lanes top = Lanes::all(best);
        for (int i = begin; i < begin + SIZE; i += Lanes::COUNT) {
            top = higher(top, Lanes::load(weights + i) - Lanes::load(prices + i));
        }
        return highest(top);
    }

    // The highest weight. Adds NaN to `odd` if one is not finite.
    double top_weight(Lanes& odd) const noexcept {
        double best = -std::numeric_limits<double>::infinity();
        if (!whole()) {
            for (int32_t c = begin; c < end; ++c) {
                best = std::max(best, weights[c]);
                odd = odd + Lanes::all(weights[c] - weights[c]);
            }
            return best;
        }
        Lanes top = Lanes::all(best);
        for (int i = begin; i < begin + SIZE; i += Lanes::COUNT) {
            const Lanes weight = Lanes::load(weights + i);
            top = higher(top, weight);
            odd = odd + (weight - weight);
        }
        return highest(top);
    }

    // Which differences of weight and price exceed `limit`: bit i is for column begin + i.
    uint64_t gains_above(double limit) const noexcept {
        uint64_t which = 0;
        if (!whole()) {
            for (int32_t c = begin; c < end; ++c) {
                which |= static_cast<uint64_t>(weights[c] - prices[c] > limit) << (c - begin);
            }
            return which;
        }
        const Lanes least = Lanes::all(limit);
        for (int i = 0; i < SIZE; i += Lanes::COUNT) {
            const double *w = weights + begin + i, *v = prices + begin + i;
            which |= static_cast<uint64_t>(above(Lanes::load(w) - Lanes::load(v), least)) << i;
        }
        return which;
    }

    // Which weights are below `limit`, as bits.
    uint64_t weights_below(double limit) const noexcept {
        uint64_t which = 0;
        if (!whole()) {
            for (int32_t c = begin; c < end; ++c) {
                which |= static_cast<uint64_t>(weights[c] < limit) << (c - begin);
            }
            return which;
        }
        const Lanes most = Lanes::all(limit);
        for (int i = 0; i < SIZE; i += Lanes::COUNT) {
            which |= static_cast<uint64_t>(above(most, Lanes::load(weights + begin + i))) << i;
        }
        return which;
    }
};

}  // namespace summeval
