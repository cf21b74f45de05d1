// From bytes to tokens: where each token begins and ends, and its 16-byte key.
//
// The `rouge155` tokeniser takes maximal runs of ASCII letters and digits, lower-cased. It
// classifies 64 bytes at a time and never branches on a single byte: what costs here is not
// instructions but mispredicted branches.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/bits.hpp"
#include "rows/stop.hpp"
#include "text/unicode.hpp"
#include "text/views.hpp"
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define SUMMEVAL_SSE2 1
#elif defined(__ARM_NEON) && defined(__aarch64__)
#include <arm_neon.h>
#define SUMMEVAL_NEON 1
#endif

namespace summeval {

constexpr int64_t MAX_TEXT_BYTES = int64_t{1} << 30;  // offsets are 32 bits wide
constexpr size_t PADDING = 64;                       // bytes that may be read past a token

enum TokenizerKind : int { TOKENS_ROUGE155 = 0, TOKENS_UNICODE = 1, TOKENS_SPLIT = 2 };
// TOKENS_SPLIT reads tokens that Python made. Each ends with a mark that never occurs in UTF-8; the
// last token of a line may lack it.
constexpr unsigned char TOKEN_MARK = 0xFF, LINE_MARK = 0xFE, FUNCTION_MARK = 0xFD;

// The key of a token: its bytes, padded with zeros, if there are at most 16; otherwise 120 bits of
// a hash and a last byte that does not occur in UTF-8.
struct Key {
    uint64_t lo, hi;
    bool operator==(const Key& other) const noexcept {
        return ((lo ^ other.lo) | (hi ^ other.hi)) == 0;
    }
};

// -1 if two keys differ, else 0: for loops in which a branch would often be predicted wrongly.
inline int keys_differ(const Key& a, const Key& b) noexcept {
#if defined(SUMMEVAL_SSE2)
    const __m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(&a)),
                                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(&b)));
    return (_mm_movemask_epi8(same) - 0xFFFF) >> 16;
#else
    const uint64_t bits = (a.lo ^ b.lo) | (a.hi ^ b.hi);
    return -static_cast<int>((bits | (0 - bits)) >> 63);
#endif
}

struct KeyMasks {
    Key of[17];
    KeyMasks() noexcept {
        unsigned char bytes[16];
        for (int size = 0; size <= 16; ++size) {
            for (int i = 0; i < 16; ++i) bytes[i] = i < size ? 0xFF : 0;
            std::memcpy(&of[size].lo, bytes, 8);
            std::memcpy(&of[size].hi, bytes + 8, 8);
        }
    }
};
inline const KeyMasks KEY_MASKS;

inline uint64_t mix(uint64_t x) noexcept {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

inline Key hash_key(const char* token, size_t size) noexcept {
    uint64_t a = 0x9E3779B97F4A7C15u ^ size, b = 0xC2B2AE3D27D4EB4Fu + size;
    size_t i = 0;
    for (; i + 8 <= size; i += 8) {
        uint64_t word;
        std::memcpy(&word, token + i, 8);
        a = mix(a ^ word);
        b = mix(b + word) * 0x165667B19E3779F9u;
    }
    uint64_t tail = 0;
    std::memcpy(&tail, token + i, size - i);
    Key key{mix(a ^ tail), mix(b + tail)};
    const unsigned char marker = 0xFF;
    std::memcpy(reinterpret_cast<char*>(&key.hi) + 7, &marker, 1);
    return key;
}

// The key of a token; at least PADDING bytes after the token must be readable.
inline Key token_key(const char* token, size_t size) noexcept {
    if (size > 16) return hash_key(token, size);
    Key key;
    std::memcpy(&key.lo, token, 8);
    std::memcpy(&key.hi, token + 8, 8);
    key.lo &= KEY_MASKS.of[size].lo;
    key.hi &= KEY_MASKS.of[size].hi;
    return key;
}

// The tokens of one text: the folded bytes, the edges of each token in them, and after which tokens
// a line ends.
struct TokenSpans {
    std::vector<char> bytes;
    std::vector<uint32_t> edges;       // token k is bytes[edges[2k], edges[2k + 1])
    std::vector<uint32_t> line_ends;   // number of tokens before each line end
    std::vector<uint8_t> function;     // for TOKENS_SPLIT: 1 for a token that FUNCTION_MARK ends
    size_t size = 0;

    template <class T>
    static T* room(std::vector<T>& v, size_t n) {
        if (v.size() < n) grow(v, n + n / 2);
        return v.data();
    }
};

struct ByteMasks {
    uint64_t word, newline;
};

// Classifies 64 bytes. With LOWER, writes them with one bit set, which lower-cases letters and keeps
// digits.
template <bool LINES, bool LOWER>
inline ByteMasks classify(const char* text, char* lower) noexcept {
    ByteMasks masks{0, 0};
#if defined(SUMMEVAL_SSE2)
    const __m128i bit = _mm_set1_epi8(0x20), a = _mm_set1_epi8('a'), z = _mm_set1_epi8(25);
    const __m128i zero = _mm_set1_epi8('0'), nine = _mm_set1_epi8(9), nl = _mm_set1_epi8('\n');
    for (int part = 0; part < 4; ++part) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * part));
        const __m128i low = _mm_or_si128(x, bit);
        if (LOWER) _mm_storeu_si128(reinterpret_cast<__m128i*>(lower + 16 * part), low);
        const __m128i letter = _mm_sub_epi8(low, a), digit = _mm_sub_epi8(x, zero);
        const __m128i is = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(letter, z), letter),
                                        _mm_cmpeq_epi8(_mm_min_epu8(digit, nine), digit));
        masks.word |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(is)))
                      << (16 * part);
        if (LINES)
            masks.newline |= static_cast<uint64_t>(static_cast<uint32_t>(
                                 _mm_movemask_epi8(_mm_cmpeq_epi8(x, nl))))
                             << (16 * part);
    }
#elif defined(SUMMEVAL_NEON)
    alignas(16) static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                    1, 2, 4, 8, 16, 32, 64, 128};
    const uint8x16_t weight = vld1q_u8(weights);
    const auto bits = [&](uint8x16_t flags) noexcept {
        const uint8x16_t chosen = vandq_u8(flags, weight);
        return static_cast<uint64_t>(vaddv_u8(vget_low_u8(chosen))) |
               static_cast<uint64_t>(vaddv_u8(vget_high_u8(chosen))) << 8;
    };
    for (int part = 0; part < 4; ++part) {
        const uint8x16_t x = vld1q_u8(reinterpret_cast<const uint8_t*>(text + 16 * part));
        const uint8x16_t low = vorrq_u8(x, vdupq_n_u8(0x20));
        if (LOWER) vst1q_u8(reinterpret_cast<uint8_t*>(lower + 16 * part), low);
        const uint8x16_t is = vorrq_u8(vcleq_u8(vsubq_u8(low, vdupq_n_u8('a')), vdupq_n_u8(25)),
                                       vcleq_u8(vsubq_u8(x, vdupq_n_u8('0')), vdupq_n_u8(9)));
        masks.word |= bits(is) << (16 * part);
        if (LINES) masks.newline |= bits(vceqq_u8(x, vdupq_n_u8('\n'))) << (16 * part);
    }
#else
    for (int i = 0; i < 64; ++i) {
        const unsigned char x = static_cast<unsigned char>(text[i]), low = x | 0x20;
        if (LOWER) lower[i] = static_cast<char>(low);
        const bool is = static_cast<unsigned char>(low - 'a') < 26 ||
                        static_cast<unsigned char>(x - '0') < 10;
        masks.word |= static_cast<uint64_t>(is) << i;
        if (LINES) masks.newline |= static_cast<uint64_t>(x == '\n') << i;
    }
#endif
    return masks;
}

// Appends the positions of the set bits. Writes in strides without testing how many there are, so
// `out` needs 64 extra places.
inline uint32_t* push_bits(uint64_t bits, uint32_t base, uint32_t* out) noexcept {
    const unsigned count = count_bits(bits);
    uint32_t* p = out;
    const auto eight = [&]() noexcept {
        for (int i = 0; i < 8; ++i) {
            *p++ = base + lowest_bit(bits | uint64_t{1} << 63);
            bits &= bits - 1;
        }
    };
    eight();
    eight();
    if (count > 16) {
        eight();
        if (count > 24) {
            eight();
            while (p < out + count) eight();
        }
    }
    return out + count;
}

// How many bytes of ASCII begin 64 bytes, without the last ones before another.
inline std::size_t plain_bytes(const char* text) noexcept {
    for (std::size_t at = 0; at < 64; at += 8) {
        uint64_t eight;
        std::memcpy(&eight, text + at, 8);
        if (eight & 0x8080808080808080u) return at;
    }
    return 64;
}

// Writes the tokens of `text` one after the other to `out` (room: 3 * size + 16 bytes) and their
// limits to `edges` (room: 2 * (size + 1)): token k is out[edges[2k] .. edges[2k + 1]). Returns the
// number of tokens. Folding makes a character at most three times as long; without FOLD, characters
// are not changed. With PLACES the limits are those in the text, and nothing else is written.
//
// ASCII is read in blocks; there `out` gets what is between two tokens, too.
template <bool FOLD = true, bool PLACES = false>
inline std::size_t tokenize_unicode(const char* text, std::size_t size, char* out,
                                    uint32_t* edges) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text);
    char* const start = out;
    uint32_t* edge = edges;
    unsigned inside = unicode::SEPARATOR;  // the kind of the current token's letters
    std::size_t place = 0;                 // of the character that is looked at
    const auto limit = [&]() noexcept {
        return static_cast<uint32_t>(PLACES ? place : static_cast<std::size_t>(out - start));
    };
    const auto close = [&]() noexcept {
        if (inside != unicode::SEPARATOR) *edge++ = limit();
        inside = unicode::SEPARATOR;
    };
    const auto open = [&](unsigned kind) noexcept {
        if (inside == unicode::LETTER && kind == unicode::LETTER) return;
        close();
        *edge++ = limit();
        inside = kind;
    };
    constexpr std::size_t LEAST = 16;  // bytes that are worth a block
    static_assert(3 * LEAST + 16 >= 64, "a block is written whole, also where few bytes are left");
    std::size_t checked = stop::STEPS, tried = 0;
    for (std::size_t i = 0; i < size;) {
        if (i >= checked) {
            stop::look();
            checked = i + stop::STEPS;
        }
        if (PLACES) place = i;
        if (i >= tried && size - i >= LEAST) {
            char tail[64];
            const char* block = text + i;
            if (size - i < sizeof tail) {
                std::memset(tail, 0x80, sizeof tail);
                std::memcpy(tail, block, size - i);
                block = tail;
            }
            const std::size_t plain = plain_bytes(block);
            tried = i + std::max(plain, LEAST);
            if (plain >= LEAST) {
                if (inside != unicode::LETTER) close();
                const uint64_t all = ~uint64_t{0} >> (64 - plain);
                const uint64_t words = classify<false, FOLD && !PLACES>(block, out).word & all;
                const uint64_t before = inside == unicode::LETTER;
                edge = push_bits((words ^ (words << 1 | before)) & all, limit(), edge);
                inside = words >> (plain - 1) ? unicode::LETTER : unicode::SEPARATOR;
                if (!FOLD && !PLACES) std::memcpy(out, block, plain);
                if (!PLACES) out += plain;
                i += plain;
                continue;
            }
        }
        if (bytes[i] < 0x80) {
            const char raw = text[i];
            const char folded = unicode::ascii_token_byte(bytes[i++]);
            if (folded == '\0') {
                close();
            } else {
                open(unicode::LETTER);
                if (!PLACES) *out++ = FOLD ? folded : raw;
            }
            continue;
        }
        uint32_t code = 0;
        const std::size_t length = unicode::decode(bytes + i, size - i, code);
        i += length == 0 ? 1 : length;
        const unsigned bits = length == 0 ? unicode::SEPARATOR : unicode::class_of(code);
        const unsigned kind = bits & 3u;
        if (kind == unicode::SEPARATOR || (kind == unicode::MARK && inside == 0)) {
            close();
            continue;
        }
        if (kind != unicode::MARK) open(kind);
        if (!PLACES) out = FOLD ? unicode::write_folded(code, bits, out) : unicode::encode(code, out);
    }
    place = size;
    close();
    return static_cast<std::size_t>(edge - edges) / 2;
}

// Where the edges of tokens are written, and whether the previous byte was in a token.
struct EdgeWriter {
    uint32_t* out;
    uint64_t carry;
};

template <bool LINES>
inline EdgeWriter mark_edges(View text, size_t from, size_t to, char* lower, const uint32_t* edges,
                             EdgeWriter at, TokenSpans& spans) {
    const size_t size = static_cast<size_t>(text.size);
    uint32_t* out = at.out;
    uint64_t carry = at.carry;
    char tail[64];
    for (size_t base = from; base < to; base += 64) {
        const char* source = text.data + base;
        if (size - base < 64) {
            std::memset(tail, 0, sizeof tail);
            std::memcpy(tail, source, size - base);
            source = tail;
        }
        const ByteMasks masks = classify<LINES, true>(source, lower + base);
        const uint64_t changes = masks.word ^ (masks.word << 1 | carry);
        carry = masks.word >> 63;
        if (LINES) {
            for (uint64_t lines = masks.newline; lines; lines &= lines - 1) {
                const uint64_t below = (lines & (~lines + 1)) - 1;
                const size_t before = static_cast<size_t>(out - edges) + count_bits(changes & below);
                spans.line_ends.push_back(static_cast<uint32_t>((before + 1) / 2));
            }
        }
        out = push_bits(changes, static_cast<uint32_t>(base), out);
    }
    return {out, carry};
}

template <bool LINES>
SUMMEVAL_APART EdgeWriter mark_edges_of_pieces(View text, char* lower, uint32_t* edges,
                                               TokenSpans& spans) {
    EdgeWriter at{edges, 0};
    for (const auto [from, to] : pieces(static_cast<size_t>(text.size)))
        at = mark_edges<LINES>(text, from, to, lower, edges, at, spans);
    return at;
}

template <bool LINES>
inline void tokenize_rouge155(View text, TokenSpans& spans) {
    const size_t size = static_cast<size_t>(text.size);
    char* lower = TokenSpans::room(spans.bytes, size + 2 * PADDING);
    uint32_t* const edges = TokenSpans::room(spans.edges, size + 2 + 128);
    if (LINES) spans.line_ends.clear();
    EdgeWriter at = size <= stop::STEPS
                        ? mark_edges<LINES>(text, 0, size, lower, edges, {edges, 0}, spans)
                        : mark_edges_of_pieces<LINES>(text, lower, edges, spans);
    if (at.carry) *at.out++ = static_cast<uint32_t>(size);
    spans.size = static_cast<size_t>(at.out - edges) / 2;
}

// Unicode tokens: line by line if line ends are needed, since the output does not show them.
template <bool LINES, bool FOLD>
inline void tokenize_unicode_lines(View text, TokenSpans& spans) {
    const size_t size = static_cast<size_t>(text.size);
    char* bytes = TokenSpans::room(spans.bytes, 3 * size + 16 + PADDING);
    uint32_t* edges = TokenSpans::room(spans.edges, 2 * (size + 1) + 2);
    spans.line_ends.clear();
    spans.size = 0;
    size_t used = 0, begin = 0;
    Pace pace;
    while (begin < size) {
        size_t length = size - begin;
        if (LINES) {
            const void* end = std::memchr(text.data + begin, '\n', length);
            if (end) length = static_cast<size_t>(static_cast<const char*>(end) - text.data) - begin;
        }
        uint32_t* const first = edges + 2 * spans.size;
        const size_t found =
            tokenize_unicode<FOLD>(text.data + begin, length, bytes + used, first);
        pace(length + 1);
        if (used) {
            const uint32_t before = static_cast<uint32_t>(used);
            for (const auto [from, to] : pieces(2 * found))
                for (size_t k = from; k < to; ++k) first[k] += before;
        }
        if (found) used = first[2 * found - 1];
        spans.size += found;
        spans.line_ends.push_back(static_cast<uint32_t>(spans.size));
        begin += length + 1;
    }
}

inline void tokenize_split(View text, TokenSpans& spans) {
    const size_t size = static_cast<size_t>(text.size);
    char* bytes = TokenSpans::room(spans.bytes, size + PADDING);
    uint32_t* edges = TokenSpans::room(spans.edges, size + 4);
    uint8_t* function = TokenSpans::room(spans.function, size / 2 + 1);
    copy_pieces(text.data, size, bytes);
    spans.line_ends.clear();
    spans.size = 0;
    size_t begin = 0;
    Pace pace;
    for (size_t i = 0; i <= size; ++i) {
        const unsigned char c = i < size ? static_cast<unsigned char>(bytes[i]) : LINE_MARK;
        if (c < FUNCTION_MARK) continue;
        pace(i - begin + 1);
        if (i > begin) {
            edges[2 * spans.size] = static_cast<uint32_t>(begin);
            edges[2 * spans.size + 1] = static_cast<uint32_t>(i);
            function[spans.size] = c == FUNCTION_MARK;
            ++spans.size;
        }
        if (c == LINE_MARK) spans.line_ends.push_back(static_cast<uint32_t>(spans.size));
        begin = i + 1;
    }
}

// With `fold` tokens are lower-cased or case-folded; TOKENS_SPLIT never changes its tokens.
inline void tokenize(int kind, bool lines, bool fold, View text, TokenSpans& spans) {
    if (kind == TOKENS_SPLIT) {
        tokenize_split(text, spans);
    } else if (kind == TOKENS_UNICODE && fold) {
        lines ? tokenize_unicode_lines<true, true>(text, spans)
              : tokenize_unicode_lines<false, true>(text, spans);
    } else if (kind == TOKENS_UNICODE) {
        lines ? tokenize_unicode_lines<true, false>(text, spans)
              : tokenize_unicode_lines<false, false>(text, spans);
    } else {
        lines ? tokenize_rouge155<true>(text, spans) : tokenize_rouge155<false>(text, spans);
        if (!fold) copy_pieces(text.data, static_cast<size_t>(text.size), spans.bytes.data());
    }
}

}  // namespace summeval
