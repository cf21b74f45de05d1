// Measures of how many different words a text has, from the numbers of its words.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

class LexicalReader {
  public:
    static constexpr size_t FIELDS = 16;

    // ids: from 0, in the order in which the words come first. out: words, types, TTR, RTTR, CTTR,
    // Herdan, Summer, Dugast, Maas, Yule's K and I, Simpson, MTLD, HD-D, MATTR, MSTTR.
    void read(const uint32_t* ids, size_t size, size_t window, double* out) {
        std::fill(out, out + FIELDS, NONE);
        size_t types = 0;
        for (const auto [begin, end] : pieces(size))
            for (size_t i = begin; i < end; ++i) types = std::max(types, size_t{ids[i]} + 1);
        const double n = static_cast<double>(size), v = static_cast<double>(types);
        out[0] = n;
        out[1] = v;
        out[12] = 0;
        if (size == 0) return;
        count(ids, size, types);
        double squares = 0, missed = 0;
        for (const double f : counts_) {
            squares += f * f;
            missed += size < DRAWS ? 0 : 1 - chance_of_none(n, f);
        }
        const double words = std::log(n), known = std::log(v);
        out[2] = v / n;
        out[3] = v / std::sqrt(n);
        out[4] = v / std::sqrt(2 * n);
        out[5] = quotient(known, words);
        if (types > 1) out[6] = quotient(std::log(known), std::log(words));
        if (types < size) out[7] = quotient(words * words, words - known);
        out[8] = quotient(words - known, words * words);
        out[9] = 10000 * (squares - n) / (n * n);
        out[10] = quotient(v * v, squares - v);
        out[11] = quotient(squares - n, n * (n - 1));
        out[12] = (mtld(size, v, [&](size_t i) { return ids[i]; }) +
                   mtld(size, v, [&](size_t i) { return ids[size - 1 - i]; })) /
                  2;
        if (size >= DRAWS) out[13] = missed / DRAWS;
        if (size >= window) out[14] = moving(ids, size, window);
        if (size > window) out[15] = segments(ids, size, window);
    }

  private:
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    static constexpr double THRESHOLD = 0.72;  // of MTLD
    static constexpr size_t DRAWS = 42;        // of HD-D

    static double quotient(double a, double b) noexcept { return b == 0 ? NONE : a / b; }

    void count(const uint32_t* ids, size_t size, size_t types) {
        counts_.assign(types, 0);
        double* const counts = counts_.data();
        each_piece(size, [=](size_t begin, size_t end) noexcept {
            for (size_t i = begin; i < end; ++i) ++counts[ids[i]];
        });
        seen_.assign(types, 0);
    }

    // That none of the draws, without return, is one of f of the n words.
    static double chance_of_none(double n, double f) noexcept {
        double chance = 1;
        for (size_t i = 0; i < DRAWS; ++i)
            chance *= std::max(0.0, n - f - static_cast<double>(i)) / (n - static_cast<double>(i));
        return chance;
    }

    // Words by the number of stretches whose share of types falls to the threshold.
    template <class Word>
    double mtld(size_t size, double types, Word word) {
        double factors = 0;
        size_t length = 0, fresh = 0;
        Pace pace;
        std::fill(seen_.begin(), seen_.end(), 0);
        uint64_t stretch = 1;
        for (size_t i = 0; i < size; ++i) {
            pace(4);
            ++length;
            uint64_t& last = seen_[word(i)];
            fresh += last != stretch;
            last = stretch;
            if (static_cast<double>(fresh) / static_cast<double>(length) <= THRESHOLD) {
                ++factors;
                ++stretch;
                length = fresh = 0;
            }
        }
        const double n = static_cast<double>(size);
        if (length)
            factors += (1 - static_cast<double>(fresh) / static_cast<double>(length)) / (1 - THRESHOLD);
        if (factors == 0) factors = types == n ? 1 : (1 - types / n) / (1 - THRESHOLD);
        return n / factors;
    }

    // The mean share of types over all windows.
    double moving(const uint32_t* ids, size_t size, size_t window) {
        std::fill(seen_.begin(), seen_.end(), 0);
        size_t types = 0;
        double sum = 0;
        Pace pace;
        for (size_t i = 0; i < size; ++i) {
            pace(4);
            types += seen_[ids[i]]++ == 0;
            if (i >= window) types -= --seen_[ids[i - window]] == 0;
            if (i + 1 >= window) sum += static_cast<double>(types) / static_cast<double>(window);
        }
        return sum / static_cast<double>(size - window + 1);
    }

    // The same over windows one after the other, without the last.
    double segments(const uint32_t* ids, size_t size, size_t window) {
        std::fill(seen_.begin(), seen_.end(), 0);
        const size_t count = (size - 1) / window;
        double sum = 0;
        Pace pace;
        for (size_t s = 0; s < count; ++s) {
            size_t types = 0;
            for (size_t i = s * window; i < (s + 1) * window; ++i) {
                pace(4);
                types += seen_[ids[i]] != s + 1;
                seen_[ids[i]] = s + 1;
            }
            sum += static_cast<double>(types) / static_cast<double>(window);
        }
        return sum / static_cast<double>(count);
    }

    std::vector<double> counts_;
    std::vector<uint64_t> seen_;
};

}  // namespace summeval
