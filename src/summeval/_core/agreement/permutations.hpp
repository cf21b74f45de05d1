// The permutation test for many pairs of metrics that share their draws.
#pragma once
#include <cstdint>

#include "agreement/resampling.hpp"
#include "agreement/swapped_means.hpp"
#include "agreement/swapped_topics.hpp"

namespace summeval {

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
