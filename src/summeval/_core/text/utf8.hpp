// Whether bytes are ASCII, and whether they are UTF-8.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/bits.hpp"
#include "text/unicode.hpp"

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define SUMMEVAL_OF_AVX2 __attribute__((target("avx2")))
#endif

namespace summeval {
namespace utf8 {

enum class Bytes { Ascii, Utf8, Other };

constexpr uint64_t HIGH_BITS = 0x8080808080808080u;
constexpr std::ptrdiff_t BLOCK = 64;
// Prefetches this far ahead: the processor's own prefetcher stops at the end of a page.
constexpr uintptr_t AHEAD = 4096;

// Whether BLOCK bytes are ASCII.
inline bool is_ascii_block(const unsigned char* text) noexcept {
    prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(text) + AHEAD));
    uint64_t bits[2] = {};  // word by word; otherwise compilers copy the block first
    for (std::ptrdiff_t k = 0; k < BLOCK; k += 16) {
        uint64_t word[2];
        std::memcpy(&word[0], text + k, 8);
        std::memcpy(&word[1], text + k + 8, 8);
        bits[0] |= word[0];
        bits[1] |= word[1];
    }
    return ((bits[0] | bits[1]) & HIGH_BITS) == 0;
}

// What `look_at` says, on any processor.
inline Bytes look_plainly(const char* text, int64_t size) noexcept {
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    const unsigned char* const end = at + size;
    Bytes found = Bytes::Ascii;
    while (at < end) {
        while (end - at >= BLOCK && is_ascii_block(at)) at += BLOCK;
        const unsigned char* const stop = end - at >= BLOCK ? at + BLOCK : end;
        while (at < stop) {
            uint64_t word = HIGH_BITS;
            if (stop - at >= 8) std::memcpy(&word, at, sizeof word);
            if ((word & HIGH_BITS) == 0) {
                at += 8;
                continue;
            }
            if (*at < 0x80) {
                ++at;
                continue;
            }
            uint32_t code = 0;
            const std::size_t length =
                unicode::decode(at, static_cast<std::size_t>(end - at), code);
            if (length == 0) return Bytes::Other;
            found = Bytes::Utf8;
            at += length;
        }
    }
    return found;
}

#if defined(SUMMEVAL_OF_AVX2)
// Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021): three tables,
// of the upper half of a byte, its lower half, and the upper half of the byte after it, say which
// rules the two may break; they break those that all three name.
enum : unsigned char {
    CUT = 1, REST = 2,                    // a character that is cut off; the rest of one
    LONG2 = 4, LONG3 = 8, LONG4 = 32,     // bytes for what takes fewer; also beyond U+10FFFF
    SURROGATE = 16, BEYOND = 64,          // beyond U+10FFFF
    INNER = 128,                          // right where a third or fourth byte must be
    ANY = CUT | REST | INNER,
    OUT = ANY | LONG4 | BEYOND,
    NEXT = REST | LONG2 | INNER,
};
alignas(16) constexpr unsigned char UPPER[16] = {
    REST, REST, REST, REST, REST, REST, REST, REST, INNER, INNER, INNER, INNER,
    CUT | LONG2, CUT, CUT | LONG3 | SURROGATE, CUT | LONG4 | BEYOND};
alignas(16) constexpr unsigned char LOWER[16] = {
    ANY | LONG2 | LONG3 | LONG4, ANY | LONG2, ANY, ANY, ANY | BEYOND, OUT, OUT, OUT,
    OUT, OUT, OUT, OUT, OUT, OUT | SURROGATE, OUT, OUT};
alignas(16) constexpr unsigned char AFTER[16] = {
    CUT, CUT, CUT, CUT, CUT, CUT, CUT, CUT, NEXT | LONG3 | LONG4, NEXT | LONG3 | BEYOND,
    NEXT | SURROGATE | BEYOND, NEXT | SURROGATE | BEYOND, CUT, CUT, CUT, CUT};

SUMMEVAL_OF_AVX2 inline __m256i load_lanes(const char* from) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

SUMMEVAL_OF_AVX2 inline bool is_ascii_in_lanes(const char* block) noexcept {
    const __m256i all = _mm256_or_si256(load_lanes(block), load_lanes(block + BLOCK / 2));
    return _mm256_movemask_epi8(all) == 0;
}

// What a table says of the lower half of each byte.
SUMMEVAL_OF_AVX2 inline __m256i look_up(const unsigned char* table, __m256i bytes) noexcept {
    const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(entries),
                               _mm256_and_si256(bytes, _mm256_set1_epi8(0x0F)));
}

// Not zero where a byte of `bytes` breaks a rule, after those of `before`.
SUMMEVAL_OF_AVX2 inline __m256i broken(__m256i before, __m256i bytes) noexcept {
    const __m256i joint = _mm256_permute2x128_si256(before, bytes, 0x21);
    const __m256i one = _mm256_alignr_epi8(bytes, joint, 15);  // the byte before each
    const __m256i two = _mm256_alignr_epi8(bytes, joint, 14);
    const __m256i three = _mm256_alignr_epi8(bytes, joint, 13);
    const __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(look_up(UPPER, _mm256_srli_epi16(one, 4)), look_up(LOWER, one)),
        look_up(AFTER, _mm256_srli_epi16(bytes, 4)));
    const __m256i must = _mm256_or_si256(_mm256_subs_epu8(two, _mm256_set1_epi8(0xE0 - 0x80)),
                                         _mm256_subs_epu8(three, _mm256_set1_epi8(0xF0 - 0x80)));
    const __m256i highest = _mm256_set1_epi8(static_cast<char>(0x80));
    return _mm256_xor_si256(pairs, _mm256_and_si256(must, highest));
}

// What `look_at` says of at least BLOCK bytes.
SUMMEVAL_OF_AVX2 inline Bytes look_in_lanes(const char* text, int64_t size) noexcept {
    const char* const end = text + size;
    __m256i before = _mm256_setzero_si256(), wrong = before;
    bool ascii = true;
    unsigned open = 0;  // not 0 if a character may go on after the block
    const auto add = [&](const char* block) SUMMEVAL_OF_AVX2 {
        const __m256i one = load_lanes(block), two = load_lanes(block + BLOCK / 2);
        wrong = _mm256_or_si256(wrong, _mm256_or_si256(broken(before, one), broken(one, two)));
        before = two;
        open = static_cast<unsigned>(_mm256_movemask_epi8(two)) >> 29;
        ascii = false;
    };
    for (; end - text >= BLOCK; text += BLOCK) {
        prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(text) + AHEAD));
        if (open != 0 || !is_ascii_in_lanes(text)) add(text);
    }
    // what is left is ASCII if the last block is
    if (open != 0 || !is_ascii_in_lanes(end - BLOCK)) {
        char rest[BLOCK] = {};
        std::memcpy(rest, text, static_cast<std::size_t>(end - text));
        add(rest);
    }
    if (_mm256_testz_si256(wrong, wrong) == 0) return Bytes::Other;
    return ascii ? Bytes::Ascii : Bytes::Utf8;
}

inline const bool HAS_LANES = (__builtin_cpu_init(), __builtin_cpu_supports("avx2"));
#endif

// Says in one pass whether the bytes are ASCII, UTF-8 or neither.
inline Bytes look_at(const char* text, int64_t size) noexcept {
#if defined(SUMMEVAL_OF_AVX2)
    if (size >= BLOCK && HAS_LANES) return look_in_lanes(text, size);
#endif
    return look_plainly(text, size);
}

inline bool is_valid(const char* text, int64_t size) noexcept {
    return look_at(text, size) != Bytes::Other;
}

}  // namespace utf8
}  // namespace summeval
