// Resampling with replacement as ROUGE-1.5.5 does it: sample s is drawn with drand48 seeded by s.
#pragma once
#include <algorithm>
#include <cstdint>

#include "rows/parallel.hpp"

namespace summeval {

// The 48-bit linear congruential generator of POSIX, which Perl's rand uses.
class Drand48 {
public:
    explicit Drand48(uint32_t seed) noexcept : state_((uint64_t{seed} << 16) | 0x330E) {}

    // An integer of [0, limit).
    int64_t below(int64_t limit) noexcept {
        state_ = (state_ * 0x5DEECE66DULL + 0xB) & ((uint64_t{1} << 48) - 1);
        return static_cast<int64_t>(static_cast<double>(state_) * 0x1p-48 *
                                    static_cast<double>(limit));
    }

private:
    uint64_t state_;
};

// Samples [first, last): out[s][c] = sum over `rows` draws of values[draw][c], in the order drawn.
// Both arrays are row-major with `columns` columns.
inline void resample_range(const double* values, int64_t rows, int64_t columns, int64_t first,
                           int64_t last, double* out) {
    Pace pace;
    for (int64_t sample = first; sample < last; ++sample) {
        double* sums = out + sample * columns;
        std::fill_n(sums, columns, 0.0);
        Drand48 random(static_cast<uint32_t>(sample));
        for (int64_t draw = 0; draw < rows; ++draw) {
            const double* row = values + random.below(rows) * columns;
            for (int64_t c = 0; c < columns; ++c) sums[c] += row[c];
            pace(static_cast<uint64_t>(columns) + 2);
        }
    }
}

// All samples. They are independent, so the sums do not depend on the number of workers.
inline void resample_sums(const double* values, int64_t rows, int64_t columns, int64_t samples,
                          int workers, double* out) {
    for_chunks(samples, 16, workers, [=](int64_t first, int64_t last) {
        resample_range(values, rows, columns, first, last, out);
    });
}

}  // namespace summeval
