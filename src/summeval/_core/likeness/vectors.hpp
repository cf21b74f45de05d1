// Vectors of words as whole numbers. A vector has at most the length 2^15, so that no sum of products
// of two vectors, nor a part of it, is beyond 2^30 (Cauchy and Schwarz): products of 16-bit numbers
// are added in 32 bits, and the result is the same in any order, so on any processor.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/tokens.hpp"

namespace summeval {

constexpr size_t LANE = 8;  // dimensions are padded to a multiple of this

inline size_t padded(size_t dimensions) noexcept { return (dimensions + LANE - 1) / LANE * LANE; }

inline int32_t product(const int16_t* a, const int16_t* b, size_t size) noexcept {
    int32_t sum = 0;
    for (size_t d = 0; d < size; ++d)
        sum += static_cast<int32_t>(a[d]) * static_cast<int32_t>(b[d]);
    return sum;
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

}  // namespace summeval
