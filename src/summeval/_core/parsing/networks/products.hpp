// Products of rows and matrices in whole numbers, for each instruction set.
//
// The model sees to it that sums of 96 products stay below 2^31, so they are exact and the same in any
// order: all functions of a kind give the same numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rows/stop.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#define SUMMEVAL_X86 1
#define SUMMEVAL_SSE2 1
#include <immintrin.h>
#elif defined(_M_X64)
#define SUMMEVAL_SSE2 1
#include <emmintrin.h>
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
            for (size_t o = 0; o < OUTPUTS; ++o)
                sums[o] += first * weights[2 * o] + second * weights[2 * o + 1];
        }
    }
}

inline void row_plain(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                      int32_t* out) {
    std::memset(out, 0, columns * sizeof(int32_t));
    for (size_t k = 0; k < pairs; ++k) {
        const int32_t first = row[2 * k], second = row[2 * k + 1];
        for (size_t o = 0; o < columns; ++o)
            out[o] += first * weights[2 * o] + second * weights[2 * o + 1];
        weights += 2 * columns;
    }
}

#if defined(SUMMEVAL_SSE2) || defined(SUMMEVAL_NEON)
// Two neighbours of a row.
inline int32_t pair(const int16_t* at) noexcept {
    int32_t both;
    std::memcpy(&both, at, sizeof both);
    return both;
}
#endif

// A set of instructions: a vector of sums, and how the products of two neighbours of a row, in all its
// lanes, with as many pairs of weights are added to it.
#if defined(SUMMEVAL_SSE2)
struct Sse2 {
    using Vector = __m128i;
    static constexpr size_t WIDE = 4;
    static Vector zeros() noexcept { return _mm_setzero_si128(); }
    static Vector both(int32_t pair) noexcept { return _mm_set1_epi32(pair); }
    static Vector weights(const int16_t* at) noexcept {
        return _mm_loadu_si128(reinterpret_cast<const Vector*>(at));
    }
    static void add(Vector& sum, Vector both, Vector weights) noexcept {
        sum = _mm_add_epi32(sum, _mm_madd_epi16(both, weights));
    }
    static void put(int32_t* at, Vector sum) noexcept {
        _mm_storeu_si128(reinterpret_cast<Vector*>(at), sum);
    }
};
#endif

#if defined(SUMMEVAL_X86)
#define SUMMEVAL_VNNI SUMMEVAL_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")
#define SUMMEVAL_AVX2 SUMMEVAL_TARGET("avx2")

struct Avx2 {
    using Vector = __m256i;
    static constexpr size_t WIDE = 8;
    SUMMEVAL_AVX2 static Vector zeros() noexcept { return _mm256_setzero_si256(); }
    SUMMEVAL_AVX2 static Vector both(int32_t pair) noexcept { return _mm256_set1_epi32(pair); }
    SUMMEVAL_AVX2 static Vector weights(const int16_t* at) noexcept {
        return _mm256_loadu_si256(reinterpret_cast<const Vector*>(at));
    }
    SUMMEVAL_AVX2 static void add(Vector& sum, Vector both, Vector weights) noexcept {
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(both, weights));
    }
    SUMMEVAL_AVX2 static void put(int32_t* at, Vector sum) noexcept {
        _mm256_storeu_si256(reinterpret_cast<Vector*>(at), sum);
    }
};

struct Vnni {
    using Vector = __m512i;
    static constexpr size_t WIDE = 16;
    SUMMEVAL_VNNI static Vector zeros() noexcept { return _mm512_setzero_si512(); }
    SUMMEVAL_VNNI static Vector both(int32_t pair) noexcept { return _mm512_set1_epi32(pair); }
    SUMMEVAL_VNNI static Vector weights(const int16_t* at) noexcept { return _mm512_loadu_si512(at); }
    // Written out, as GCC copies the sums of the intrinsic function to memory and back.
    SUMMEVAL_VNNI static void add(Vector& sum, Vector both, Vector weights) noexcept {
        __asm__("vpdpwssd %2, %1, %0" : "+v"(sum) : "v"(both), "v"(weights));
    }
    SUMMEVAL_VNNI static void put(int32_t* at, Vector sum) noexcept { _mm512_storeu_si512(at, sum); }
};
#endif

// These short loops are to be written out, so that the sums are in registers.
#if defined(__clang__)
#define SUMMEVAL_EACH _Pragma("unroll")
#elif defined(__GNUC__)
#define SUMMEVAL_EACH _Pragma("GCC unroll 8")
#else
#define SUMMEVAL_EACH
#endif

// A tile; the sums of `SOME` rows with `VECTORS` vectors of columns are in registers at a time. (A
// macro, as a template cannot be compiled for the instructions of its argument.)
#define SUMMEVAL_TILE(name, target, Set, SOME, VECTORS)                                            \
    target SUMMEVAL_APART inline void tile_##name(const int16_t* const* rows,                      \
                                                  const int16_t* panel, int32_t* out) {            \
        for (size_t o = 0; o < OUTPUTS; o += VECTORS * Set::WIDE) {                                \
            for (size_t q = 0; q < ROWS; q += SOME) {                                              \
                Set::Vector sums[SOME][VECTORS], weights[VECTORS];                                 \
                SUMMEVAL_EACH                                                                      \
                for (size_t r = 0; r < SOME; ++r) {                                                \
                    SUMMEVAL_EACH                                                                  \
                    for (size_t v = 0; v < VECTORS; ++v) sums[r][v] = Set::zeros();                \
                }                                                                                  \
                for (size_t k = 0; k < WIDTH; k += 2) {                                            \
                    const int16_t* const at = panel + OUTPUTS * k + 2 * o;                         \
                    SUMMEVAL_EACH                                                                  \
                    for (size_t v = 0; v < VECTORS; ++v) {                                         \
                        weights[v] = Set::weights(at + 2 * v * Set::WIDE);                         \
                    }                                                                              \
                    SUMMEVAL_EACH                                                                  \
                    for (size_t r = 0; r < SOME; ++r) {                                            \
                        const Set::Vector both = Set::both(pair(rows[q + r] + k));                 \
                        SUMMEVAL_EACH                                                              \
                        for (size_t v = 0; v < VECTORS; ++v) {                                     \
                            Set::add(sums[r][v], both, weights[v]);                                \
                        }                                                                          \
                    }                                                                              \
                }                                                                                  \
                SUMMEVAL_EACH                                                                      \
                for (size_t r = 0; r < SOME; ++r) {                                                \
                    int32_t* const to = out + (q + r) * OUTPUTS + o;                               \
                    SUMMEVAL_EACH                                                                  \
                    for (size_t v = 0; v < VECTORS; ++v) Set::put(to + v * Set::WIDE, sums[r][v]); \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

// `VECTORS` vectors of columns of a row.
#define SUMMEVAL_ROW(set, target, Set, VECTORS)                                                    \
    target inline void row_##set##_##VECTORS(const int16_t* row, size_t pairs,                     \
                                             const int16_t* weights, size_t columns,               \
                                             int32_t* out) {                                       \
        Set::Vector sums[VECTORS];                                                                 \
        SUMMEVAL_EACH                                                                              \
        for (size_t v = 0; v < VECTORS; ++v) sums[v] = Set::zeros();                               \
        for (size_t k = 0; k < pairs; ++k) {                                                       \
            const Set::Vector both = Set::both(pair(row + 2 * k));                                 \
            const int16_t* const at = weights + 2 * k * columns;                                   \
            SUMMEVAL_EACH                                                                          \
            for (size_t v = 0; v < VECTORS; ++v) {                                                 \
                Set::add(sums[v], both, Set::weights(at + 2 * v * Set::WIDE));                     \
            }                                                                                      \
        }                                                                                          \
        SUMMEVAL_EACH                                                                              \
        for (size_t v = 0; v < VECTORS; ++v) Set::put(out + v * Set::WIDE, sums[v]);               \
    }

#if defined(SUMMEVAL_SSE2)
SUMMEVAL_TILE(sse2, , Sse2, 4, 2)
SUMMEVAL_ROW(sse2, , Sse2, 4)
inline void row_sse2(const int16_t* row, size_t pairs, const int16_t* weights, size_t columns,
                     int32_t* out) {
    for (size_t o = 0; o < columns; o += LANES)
        row_sse2_4(row, pairs, weights + 2 * o, columns, out + o);
}
#endif

#if defined(SUMMEVAL_X86)
SUMMEVAL_TILE(avx2, SUMMEVAL_AVX2, Avx2, 4, 2)
SUMMEVAL_ROW(avx2, SUMMEVAL_AVX2, Avx2, 2)
SUMMEVAL_AVX2 inline void row_avx2(const int16_t* row, size_t pairs, const int16_t* weights,
                                   size_t columns, int32_t* out) {
    for (size_t o = 0; o < columns; o += LANES)
        row_avx2_2(row, pairs, weights + 2 * o, columns, out + o);
}

SUMMEVAL_TILE(vnni, SUMMEVAL_VNNI, Vnni, 8, 3)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 1)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 2)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 3)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 4)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 5)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 6)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 7)
SUMMEVAL_ROW(vnni, SUMMEVAL_VNNI, Vnni, 8)
// A sum waits for the one before, so all columns are added up side by side.
SUMMEVAL_VNNI inline void row_vnni(const int16_t* row, size_t pairs, const int16_t* weights,
                                   size_t columns, int32_t* out) {
    switch (columns / LANES) {
        case 1: return row_vnni_1(row, pairs, weights, columns, out);
        case 2: return row_vnni_2(row, pairs, weights, columns, out);
        case 3: return row_vnni_3(row, pairs, weights, columns, out);
        case 4: return row_vnni_4(row, pairs, weights, columns, out);
        case 5: return row_vnni_5(row, pairs, weights, columns, out);
        case 6: return row_vnni_6(row, pairs, weights, columns, out);
        case 7: return row_vnni_7(row, pairs, weights, columns, out);
        default: return row_vnni_8(row, pairs, weights, columns, out);
    }
}
#endif
#undef SUMMEVAL_TILE
#undef SUMMEVAL_ROW
#undef SUMMEVAL_EACH

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
