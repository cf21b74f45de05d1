// Products of rows and matrices in whole numbers, for each instruction set.
//
// The model sees to it that sums of 96 products stay below 2^31, so they are exact and the same in any
// order: all functions of a kind give the same numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__) && defined(__x86_64__)
#define SUMMEVAL_X86 1
#include <immintrin.h>
#elif defined(__GNUC__) && defined(__aarch64__)
#define SUMMEVAL_NEON 1
#include <arm_neon.h>
#endif

#if defined(__GNUC__)
#define SUMMEVAL_TARGET(set) __attribute__((target(set)))
#define SUMMEVAL_INTO inline __attribute__((always_inline))
#else
#define SUMMEVAL_TARGET(set)
#define SUMMEVAL_INTO inline
#endif

namespace summeval::parsing {

inline constexpr size_t WIDTH = 96;  // of each vector of a token
inline constexpr size_t ROWS = 8;    // of a tile
inline constexpr size_t OUTPUTS = 48;
inline constexpr size_t PANEL = WIDTH * OUTPUTS;  // numbers of a panel
inline constexpr size_t LANES = 16;  // outputs of a row are a multiple
inline constexpr size_t MOST_OUTPUTS = 8 * LANES;

// A tile: of 8 rows of 96 numbers, their products with 48 columns. The panel is [48 pairs of
// inputs][48 columns][2].
using Tile = void (*)(const int16_t* const* rows, const int16_t* panel, int32_t* out);

// One row of `pairs` × 2 numbers, its products with up to 128 columns, a multiple of 16. The
// weights are [pairs][columns][2].
using Row = void (*)(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                     int32_t* out);

inline void tile_plain(const int16_t* const* rows, const int16_t* panel, int32_t* out) {
    for (size_t r = 0; r < ROWS; ++r) {
        int32_t* const sums = out + r * OUTPUTS;
        std::memset(sums, 0, OUTPUTS * sizeof(int32_t));
        for (size_t k = 0; k < WIDTH / 2; ++k) {
            const int32_t first = rows[r][2 * k], second = rows[r][2 * k + 1];
            const int16_t* const weights = panel + 2 * OUTPUTS * k;
            for (size_t o = 0; o < OUTPUTS; ++o) {
                sums[o] += first * weights[2 * o] + second * weights[2 * o + 1];
            }
        }
    }
}

inline void row_plain(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                      int32_t* out) {
    std::memset(out, 0, columns * sizeof(int32_t));
    for (size_t k = 0; k < pairs; ++k) {
        const int32_t first = row[2 * k], second = row[2 * k + 1];
        for (size_t o = 0; o < columns; ++o) {
            out[o] += first * weights[2 * o] + second * weights[2 * o + 1];
        }
        weights += 2 * columns;
    }
}

#if defined(SUMMEVAL_X86) || defined(SUMMEVAL_NEON)
// Two neighbours of a row.
inline int32_t pair(const int16_t* at) noexcept {
    int32_t both;
    std::memcpy(&both, at, sizeof both);
    return both;
}
#endif

#if defined(SUMMEVAL_X86)
#define SUMMEVAL_VNNI SUMMEVAL_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")
#define SUMMEVAL_AVX2 SUMMEVAL_TARGET("avx2")

// Written out, as GCC copies the sums of the intrinsic function to memory and back.
#define SUMMEVAL_DOT(sum, row, weights) \
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(row), "v"(weights))
#define SUMMEVAL_EACH_ROW(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
SUMMEVAL_VNNI inline void tile_vnni(const int16_t* const* rows, const int16_t* panel, int32_t* out) {
#define SUMMEVAL_BEGIN(r)                  \
    const int16_t* const row##r = rows[r]; \
    __m512i a##r = _mm512_setzero_si512(), b##r = a##r, c##r = a##r;
#define SUMMEVAL_ADD(r)                                                \
    {                                                                  \
        const __m512i both = _mm512_set1_epi32(pair(row##r + k));      \
        SUMMEVAL_DOT(a##r, both, first);                               \
        SUMMEVAL_DOT(b##r, both, second);                              \
        SUMMEVAL_DOT(c##r, both, third);                               \
    }
#define SUMMEVAL_END(r)                                                \
    _mm512_storeu_si512(out + r * OUTPUTS, a##r);                      \
    _mm512_storeu_si512(out + r * OUTPUTS + LANES, b##r);              \
    _mm512_storeu_si512(out + r * OUTPUTS + 2 * LANES, c##r);
    SUMMEVAL_EACH_ROW(SUMMEVAL_BEGIN)
    for (size_t k = 0; k < WIDTH; k += 2) {
        const int16_t* const weights = panel + OUTPUTS * k;
        const __m512i first = _mm512_loadu_si512(weights);
        const __m512i second = _mm512_loadu_si512(weights + 32);
        const __m512i third = _mm512_loadu_si512(weights + 64);
        SUMMEVAL_EACH_ROW(SUMMEVAL_ADD)
    }
    SUMMEVAL_EACH_ROW(SUMMEVAL_END)
#undef SUMMEVAL_BEGIN
#undef SUMMEVAL_ADD
#undef SUMMEVAL_END
}
#undef SUMMEVAL_EACH_ROW

template <size_t VECTORS>
SUMMEVAL_VNNI inline void some_of_row_vnni(const int16_t* row, size_t pairs, const int16_t* weights,
                                           int32_t* out) {
    __m512i sums[VECTORS];
    for (__m512i& sum : sums) sum = _mm512_setzero_si512();
    for (size_t k = 0; k < pairs; ++k) {
        const __m512i both = _mm512_set1_epi32(pair(row + 2 * k));
        for (size_t v = 0; v < VECTORS; ++v) {
            sums[v] = _mm512_dpwssd_epi32(sums[v], both, _mm512_loadu_si512(weights + 32 * v));
        }
        weights += 32 * VECTORS;
    }
    for (size_t v = 0; v < VECTORS; ++v) _mm512_storeu_si512(out + LANES * v, sums[v]);
}

inline void row_vnni(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                     int32_t* out) {
    switch (columns / LANES) {
        case 1: return some_of_row_vnni<1>(row, pairs, weights, out);
        case 2: return some_of_row_vnni<2>(row, pairs, weights, out);
        case 3: return some_of_row_vnni<3>(row, pairs, weights, out);
        case 4: return some_of_row_vnni<4>(row, pairs, weights, out);
        case 5: return some_of_row_vnni<5>(row, pairs, weights, out);
        case 6: return some_of_row_vnni<6>(row, pairs, weights, out);
        case 7: return some_of_row_vnni<7>(row, pairs, weights, out);
        default: return some_of_row_vnni<8>(row, pairs, weights, out);
    }
}

SUMMEVAL_AVX2 inline __m256i eight(const int16_t* at) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
}

SUMMEVAL_AVX2 inline void tile_avx2(const int16_t* const* rows, const int16_t* panel, int32_t* out) {
    for (size_t r = 0; r < ROWS; r += 2) {
        const int16_t *const first = rows[r], *const second = rows[r + 1];
        __m256i a[6], b[6];
        for (size_t v = 0; v < 6; ++v) a[v] = b[v] = _mm256_setzero_si256();
        for (size_t k = 0; k < WIDTH; k += 2) {
            const __m256i x = _mm256_set1_epi32(pair(first + k));
            const __m256i y = _mm256_set1_epi32(pair(second + k));
            const int16_t* const weights = panel + OUTPUTS * k;
            for (size_t v = 0; v < 6; ++v) {
                const __m256i w = eight(weights + 16 * v);
                a[v] = _mm256_add_epi32(a[v], _mm256_madd_epi16(x, w));
                b[v] = _mm256_add_epi32(b[v], _mm256_madd_epi16(y, w));
            }
        }
        auto* const at = reinterpret_cast<__m256i*>(out + r * OUTPUTS);
        for (size_t v = 0; v < 6; ++v) {
            _mm256_storeu_si256(at + v, a[v]);
            _mm256_storeu_si256(at + 6 + v, b[v]);
        }
    }
}

SUMMEVAL_AVX2 inline void row_avx2(const int16_t* row, size_t pairs, const int16_t* weights,
                                   size_t columns, int32_t* out) {
    for (size_t o = 0; o < columns; o += LANES) {
        __m256i a = _mm256_setzero_si256(), b = a;
        for (size_t k = 0; k < pairs; ++k) {
            const __m256i both = _mm256_set1_epi32(pair(row + 2 * k));
            const int16_t* const at = weights + 2 * (k * columns + o);
            a = _mm256_add_epi32(a, _mm256_madd_epi16(both, eight(at)));
            b = _mm256_add_epi32(b, _mm256_madd_epi16(both, eight(at + 16)));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + o), a);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + o + 8), b);
    }
}
#endif

#if defined(SUMMEVAL_NEON)
inline void tile_neon(const int16_t* const* rows, const int16_t* panel, int32_t* out) {
    for (size_t r = 0; r < ROWS; r += 2) {
        const int16_t *const first = rows[r], *const second = rows[r + 1];
        for (size_t half = 0; half < 2; ++half) {
            int32x4_t a[6], b[6];
            for (size_t v = 0; v < 6; ++v) a[v] = b[v] = vdupq_n_s32(0);
            for (size_t k = 0; k < WIDTH; k += 2) {
                const int16_t* const weights = panel + OUTPUTS * k + OUTPUTS * half;
                for (size_t v = 0; v < 6; ++v) {
                    const int16x4x2_t w = vld2_s16(weights + 8 * v);
                    a[v] = vmlal_n_s16(a[v], w.val[0], first[k]);
                    a[v] = vmlal_n_s16(a[v], w.val[1], first[k + 1]);
                    b[v] = vmlal_n_s16(b[v], w.val[0], second[k]);
                    b[v] = vmlal_n_s16(b[v], w.val[1], second[k + 1]);
                }
            }
            int32_t* const at = out + r * OUTPUTS + half * OUTPUTS / 2;
            for (size_t v = 0; v < 6; ++v) {
                vst1q_s32(at + 4 * v, a[v]);
                vst1q_s32(at + OUTPUTS + 4 * v, b[v]);
            }
        }
    }
}

inline void row_neon(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                     int32_t* out) {
    for (size_t o = 0; o < columns; o += LANES) {
        int32x4_t sums[4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};
        for (size_t k = 0; k < pairs; ++k) {
            const int16_t* const at = weights + 2 * (k * columns + o);
            for (size_t v = 0; v < 4; ++v) {
                const int16x4x2_t w = vld2_s16(at + 8 * v);
                sums[v] = vmlal_n_s16(sums[v], w.val[0], row[2 * k]);
                sums[v] = vmlal_n_s16(sums[v], w.val[1], row[2 * k + 1]);
            }
        }
        for (size_t v = 0; v < 4; ++v) vst1q_s32(out + o + 4 * v, sums[v]);
    }
}
#endif

}  // namespace summeval::parsing
