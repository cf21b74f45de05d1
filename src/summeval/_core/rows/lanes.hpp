// Two doubles at a time with the baseline instructions: SSE2, NEON, or none. On every machine
// `lower` and `higher` return the second operand unless the first is strictly lower or higher.
#pragma once
#include <cmath>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define SUMMEVAL_SSE2 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define SUMMEVAL_NEON 1
#endif

namespace summeval {

struct Lanes {
    static constexpr int COUNT = 2;
#if defined(SUMMEVAL_SSE2)
    __m128d value;
    static Lanes load(const double* p) noexcept { return {_mm_loadu_pd(p)}; }
    static Lanes all(double x) noexcept { return {_mm_set1_pd(x)}; }
    static Lanes two(double x, double y) noexcept { return {_mm_set_pd(y, x)}; }
    void store(double* p) const noexcept { _mm_storeu_pd(p, value); }
    friend Lanes operator+(Lanes a, Lanes b) noexcept { return {_mm_add_pd(a.value, b.value)}; }
    friend Lanes operator-(Lanes a, Lanes b) noexcept { return {_mm_sub_pd(a.value, b.value)}; }
    friend Lanes operator*(Lanes a, Lanes b) noexcept { return {_mm_mul_pd(a.value, b.value)}; }
    friend Lanes operator/(Lanes a, Lanes b) noexcept { return {_mm_div_pd(a.value, b.value)}; }
    friend Lanes root(Lanes a) noexcept { return {_mm_sqrt_pd(a.value)}; }
    friend Lanes lower(Lanes a, Lanes b) noexcept { return {_mm_min_pd(a.value, b.value)}; }
    friend Lanes higher(Lanes a, Lanes b) noexcept { return {_mm_max_pd(a.value, b.value)}; }
    // bit i: whether lane i of `a` is above lane i of `b`
    friend unsigned above(Lanes a, Lanes b) noexcept {
        return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpgt_pd(a.value, b.value)));
    }
    // bit i: whether the lanes i are equal
    friend unsigned equal(Lanes a, Lanes b) noexcept {
        return static_cast<unsigned>(_mm_movemask_pd(_mm_cmpeq_pd(a.value, b.value)));
    }
#elif defined(SUMMEVAL_NEON)
    float64x2_t value;
    static Lanes load(const double* p) noexcept { return {vld1q_f64(p)}; }
    static Lanes all(double x) noexcept { return {vdupq_n_f64(x)}; }
    static Lanes two(double x, double y) noexcept {
        return {vcombine_f64(vdup_n_f64(x), vdup_n_f64(y))};
    }
    void store(double* p) const noexcept { vst1q_f64(p, value); }
    friend Lanes operator+(Lanes a, Lanes b) noexcept { return {vaddq_f64(a.value, b.value)}; }
    friend Lanes operator-(Lanes a, Lanes b) noexcept { return {vsubq_f64(a.value, b.value)}; }
    friend Lanes operator*(Lanes a, Lanes b) noexcept { return {vmulq_f64(a.value, b.value)}; }
    friend Lanes operator/(Lanes a, Lanes b) noexcept { return {vdivq_f64(a.value, b.value)}; }
    friend Lanes root(Lanes a) noexcept { return {vsqrtq_f64(a.value)}; }
    friend Lanes lower(Lanes a, Lanes b) noexcept {
        return {vbslq_f64(vcltq_f64(a.value, b.value), a.value, b.value)};
    }
    friend Lanes higher(Lanes a, Lanes b) noexcept {
        return {vbslq_f64(vcgtq_f64(a.value, b.value), a.value, b.value)};
    }
    friend unsigned above(Lanes a, Lanes b) noexcept {
        return bits(vcgtq_f64(a.value, b.value));
    }
    friend unsigned equal(Lanes a, Lanes b) noexcept { return bits(vceqq_f64(a.value, b.value)); }
    static unsigned bits(uint64x2_t found) noexcept {
        return static_cast<unsigned>((vgetq_lane_u64(found, 0) & 1) |
                                     (vgetq_lane_u64(found, 1) & 2));
    }
#else
    double value[2];
    static Lanes load(const double* p) noexcept { return {{p[0], p[1]}}; }
    static Lanes all(double x) noexcept { return {{x, x}}; }
    static Lanes two(double x, double y) noexcept { return {{x, y}}; }
    void store(double* p) const noexcept { p[0] = value[0], p[1] = value[1]; }
    friend Lanes operator+(Lanes a, Lanes b) noexcept {
        return {{a.value[0] + b.value[0], a.value[1] + b.value[1]}};
    }
    friend Lanes operator-(Lanes a, Lanes b) noexcept {
        return {{a.value[0] - b.value[0], a.value[1] - b.value[1]}};
    }
    friend Lanes operator*(Lanes a, Lanes b) noexcept {
        return {{a.value[0] * b.value[0], a.value[1] * b.value[1]}};
    }
    friend Lanes operator/(Lanes a, Lanes b) noexcept {
        return {{a.value[0] / b.value[0], a.value[1] / b.value[1]}};
    }
    friend Lanes root(Lanes a) noexcept {
        return {{std::sqrt(a.value[0]), std::sqrt(a.value[1])}};
    }
    friend Lanes lower(Lanes a, Lanes b) noexcept {
        return {{a.value[0] < b.value[0] ? a.value[0] : b.value[0],
                 a.value[1] < b.value[1] ? a.value[1] : b.value[1]}};
    }
    friend Lanes higher(Lanes a, Lanes b) noexcept {
        return {{a.value[0] > b.value[0] ? a.value[0] : b.value[0],
                 a.value[1] > b.value[1] ? a.value[1] : b.value[1]}};
    }
    friend unsigned above(Lanes a, Lanes b) noexcept {
        return (a.value[0] > b.value[0] ? 1u : 0u) | (a.value[1] > b.value[1] ? 2u : 0u);
    }
    friend unsigned equal(Lanes a, Lanes b) noexcept {
        return (a.value[0] == b.value[0] ? 1u : 0u) | (a.value[1] == b.value[1] ? 2u : 0u);
    }
#endif
};

inline double lowest(Lanes a) noexcept {
    double pair[2];
    a.store(pair);
    return pair[0] < pair[1] ? pair[0] : pair[1];
}

inline double highest(Lanes a) noexcept {
    double pair[2];
    a.store(pair);
    return pair[0] > pair[1] ? pair[0] : pair[1];
}

inline bool any_nan(Lanes a) noexcept {
    double pair[2];
    a.store(pair);
    return pair[0] != pair[0] || pair[1] != pair[1];
}

}  // namespace summeval
