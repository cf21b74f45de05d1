// Vectors of words as whole numbers. A vector has at most the length 2^15, so that no sum of products
// of two vectors, nor a part of it, is beyond 2^30 (Cauchy and Schwarz): products of 16-bit numbers
// are added in 32 bits, and the result is the same in any order, so on any processor.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/tokens.hpp"

namespace summeval {

constexpr size_t LANE = 8;  // dimensions are padded to a multiple of this

inline size_t padded(size_t dimensions) noexcept { return (dimensions + LANE - 1) / LANE * LANE; }

// Without a sign, because the sum for rooms behind the last vector, which do not count, may wrap.
inline int32_t product(const int16_t* a, const int16_t* b, size_t size) noexcept {
    uint32_t sum = 0;
    for (size_t d = 0; d < size; ++d)
        sum += static_cast<uint32_t>(static_cast<int32_t>(a[d]) * static_cast<int32_t>(b[d]));
    return static_cast<int32_t>(sum);
}

inline float inverse_of(int64_t square) noexcept {
    return square ? static_cast<float>(1 / std::sqrt(static_cast<double>(square))) : 0.0f;
}

// Writes a vector as 16-bit numbers with zeros behind; returns 1 by its length, or 0 for length 0.
inline float widen(const int16_t* from, size_t dimensions, int16_t* to) noexcept {
    const size_t size = padded(dimensions);
    if (dimensions) std::memcpy(to, from, dimensions * sizeof(int16_t));
    if (size > dimensions) std::memset(to + dimensions, 0, (size - dimensions) * sizeof(int16_t));
    return inverse_of(product(to, to, size));
}

inline float widen(const int8_t* from, size_t dimensions, int16_t* to) noexcept {
    const size_t size = padded(dimensions);
    for (size_t d = 0; d < dimensions; ++d) to[d] = from[d];
    if (size > dimensions) std::memset(to + dimensions, 0, (size - dimensions) * sizeof(int16_t));
    return inverse_of(product(to, to, size));
}

// Four products of a vector with vectors that follow each other; `size` is padded.
inline void four_products(const int16_t* a, const int16_t* b, size_t size, int32_t* out) noexcept {
#if defined(SUMMEVAL_SSE2)
    const auto load = [](const int16_t* at) noexcept {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    };
    __m128i s0 = _mm_setzero_si128(), s1 = s0, s2 = s0, s3 = s0;
    for (size_t d = 0; d < size; d += LANE) {
        const __m128i x = load(a + d);
        s0 = _mm_add_epi32(s0, _mm_madd_epi16(x, load(b + d)));
        s1 = _mm_add_epi32(s1, _mm_madd_epi16(x, load(b + size + d)));
        s2 = _mm_add_epi32(s2, _mm_madd_epi16(x, load(b + 2 * size + d)));
        s3 = _mm_add_epi32(s3, _mm_madd_epi16(x, load(b + 3 * size + d)));
    }
    const __m128i low = _mm_add_epi32(_mm_unpacklo_epi32(s0, s1), _mm_unpackhi_epi32(s0, s1));
    const __m128i high = _mm_add_epi32(_mm_unpacklo_epi32(s2, s3), _mm_unpackhi_epi32(s2, s3));
    const __m128i sums =
        _mm_add_epi32(_mm_unpacklo_epi64(low, high), _mm_unpackhi_epi64(low, high));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), sums);
#else
    for (size_t k = 0; k < 4; ++k) out[k] = product(a, b + k * size, size);
#endif
}

// Four numbers at a time. The compiler does not do this itself: comparisons of numbers that might be
// no numbers must keep their order, and whether one is larger could not be predicted.
#if defined(SUMMEVAL_SSE2)
struct Four {
    __m128 lanes;

    static Four all(float x) noexcept { return {_mm_set1_ps(x)}; }
    static Four load(const float* at) noexcept { return {_mm_loadu_ps(at)}; }
    static Four load(const int32_t* at) noexcept {
        return {_mm_cvtepi32_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)))};
    }
    void store(float* at) const noexcept { _mm_storeu_ps(at, lanes); }
    Four operator+(Four other) const noexcept { return {_mm_add_ps(lanes, other.lanes)}; }
    Four operator*(Four other) const noexcept { return {_mm_mul_ps(lanes, other.lanes)}; }
    Four larger(Four other) const noexcept { return {_mm_max_ps(lanes, other.lanes)}; }
    Four smaller(Four other) const noexcept { return {_mm_min_ps(lanes, other.lanes)}; }
};
#else
struct Four {
    float lanes[4];

    static Four all(float x) noexcept { return {{x, x, x, x}}; }
    template <class Number>
    static Four load(const Number* at) noexcept {
        Four found;
        for (size_t k = 0; k < 4; ++k) found.lanes[k] = static_cast<float>(at[k]);
        return found;
    }
    void store(float* at) const noexcept { std::memcpy(at, lanes, sizeof lanes); }
    Four operator+(Four other) const noexcept {
        for (size_t k = 0; k < 4; ++k) other.lanes[k] = lanes[k] + other.lanes[k];
        return other;
    }
    Four operator*(Four other) const noexcept {
        for (size_t k = 0; k < 4; ++k) other.lanes[k] = lanes[k] * other.lanes[k];
        return other;
    }
    Four larger(Four other) const noexcept {
        for (size_t k = 0; k < 4; ++k)
            other.lanes[k] = lanes[k] < other.lanes[k] ? other.lanes[k] : lanes[k];
        return other;
    }
    Four smaller(Four other) const noexcept {
        for (size_t k = 0; k < 4; ++k)
            other.lanes[k] = other.lanes[k] < lanes[k] ? other.lanes[k] : lanes[k];
        return other;
    }
};
#endif

// The largest of numbers of at least 0; up to three behind them are read and must be at least 0 and
// no larger.
inline float largest(const float* numbers, size_t size) noexcept {
    Four most = Four::all(0);
    for (size_t k = 0; k < size; k += 4) most = most.larger(Four::load(numbers + k));
    float lanes[4];
    most.store(lanes);
    return std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
}

}  // namespace summeval
