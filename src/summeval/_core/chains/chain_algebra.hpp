// The ways to combine potentials. A sweep over a document is written once for all of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace summeval {
namespace chains {

inline double log_sum(double a, double b) noexcept {
    const double high = std::max(a, b), low = std::min(a, b);
    return high + std::log1p(std::exp(low - high));
}

// log(1 / (1 + exp(-x)))
inline double log_logistic(double x) noexcept {
    return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}

// Sums of products of the potentials themselves, scaled so that the largest of a table is near 1.
// No entry is 0 and nothing is subtracted, so every entry is accurate unless it becomes too small;
// then `scale` returns false, and the document is done again by logarithms.
struct Sums {
    static constexpr bool LOGS = false;
    static constexpr double ONE = 1.0, NONE = 0.0;
    static constexpr double LEAST = 1e-140;  // the product of two is a normal number

    static double of_log(double potential) noexcept { return std::exp(potential); }
    static double times(double a, double b) noexcept { return a * b; }
    static double plus(double a, double b) noexcept { return a + b; }
    static double log_ratio(double a, double b) noexcept { return std::log(a) - std::log(b); }
    static bool accurate(double sum) noexcept { return sum >= 1e-290; }
    static bool scale(double* table, size_t size, double& log_scale) noexcept {
        double high = table[0], low = table[0];
        for (size_t i = 1; i < size; ++i) {
            high = table[i] > high ? table[i] : high;
            low = table[i] < low ? table[i] : low;
        }
        if (high < 0.25 || high > 4.0) {
            for (size_t i = 0; i < size; ++i) table[i] /= high;
            log_scale += std::log(high);
        }
        return low >= LEAST * high;
    }
};

// What logarithms have in common: they never become too small.
struct Logs {
    static constexpr bool LOGS = true;
    static constexpr double ONE = 0.0, NONE = -std::numeric_limits<double>::infinity();

    static double of_log(double potential) noexcept { return potential; }
    static double times(double a, double b) noexcept { return a + b; }
    static double log_ratio(double a, double b) noexcept { return a - b; }
    static bool accurate(double) noexcept { return true; }
    static bool scale(double* table, size_t size, double& log_scale) noexcept {
        const double high = *std::max_element(table, table + size);
        for (size_t i = 0; i < size; ++i) table[i] -= high;
        log_scale += high;
        return true;
    }
};

struct LogSums : Logs {
    static double plus(double a, double b) noexcept { return b == NONE ? a : log_sum(a, b); }
};

struct Maxima : Logs {
    static double plus(double a, double b) noexcept { return std::max(a, b); }
};

}  // namespace chains
}  // namespace summeval
