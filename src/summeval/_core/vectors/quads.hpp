// Four floats at a time with the baseline instructions: SSE2, NEON, or none. Sums of products are
// added in the same order on every machine.
#pragma once

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define SUMMEVAL_QUADS_SSE2 1
#elif defined(__aarch64__) || defined(_M_ARM64)
#include <arm_neon.h>
#define SUMMEVAL_QUADS_NEON 1
#endif

namespace summeval {

struct Quad {
    static constexpr int COUNT = 4;
#if defined(SUMMEVAL_QUADS_SSE2)
    __m128 value;
    static Quad none() noexcept { return {_mm_setzero_ps()}; }
    static Quad load(const float* p) noexcept { return {_mm_loadu_ps(p)}; }
    void store(float* p) const noexcept { _mm_storeu_ps(p, value); }
    friend Quad operator+(Quad a, Quad b) noexcept { return {_mm_add_ps(a.value, b.value)}; }
    friend Quad operator*(Quad a, Quad b) noexcept { return {_mm_mul_ps(a.value, b.value)}; }
#elif defined(SUMMEVAL_QUADS_NEON)
    float32x4_t value;
    static Quad none() noexcept { return {vdupq_n_f32(0.0f)}; }
    static Quad load(const float* p) noexcept { return {vld1q_f32(p)}; }
    void store(float* p) const noexcept { vst1q_f32(p, value); }
    friend Quad operator+(Quad a, Quad b) noexcept { return {vaddq_f32(a.value, b.value)}; }
    friend Quad operator*(Quad a, Quad b) noexcept { return {vmulq_f32(a.value, b.value)}; }
#else
    float value[4];
    static Quad none() noexcept { return {{0.0f, 0.0f, 0.0f, 0.0f}}; }
    static Quad load(const float* p) noexcept { return {{p[0], p[1], p[2], p[3]}}; }
    void store(float* p) const noexcept {
        for (int k = 0; k < 4; ++k) p[k] = value[k];
    }
    friend Quad operator+(Quad a, Quad b) noexcept {
        return {{a.value[0] + b.value[0], a.value[1] + b.value[1], a.value[2] + b.value[2],
                 a.value[3] + b.value[3]}};
    }
    friend Quad operator*(Quad a, Quad b) noexcept {
        return {{a.value[0] * b.value[0], a.value[1] * b.value[1], a.value[2] * b.value[2],
                 a.value[3] * b.value[3]}};
    }
#endif
};

inline float total(Quad a) noexcept {
    float part[4];
    a.store(part);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace summeval
