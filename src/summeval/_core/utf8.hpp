// Whether bytes are ASCII, and whether they are UTF-8.
#pragma once
#include <cstdint>
#include <cstring>

#include "unicode.hpp"

namespace summeval {
namespace utf8 {

// Whether `blocks` times 64 bytes are ASCII. Eight sums side by side, looked at once: compilers make
// wide instructions of it, and nothing waits for a branch.
inline bool blocks_are_ascii(const char* text, int64_t blocks) noexcept {
    uint64_t sums[8] = {};
    for (int64_t i = 0; i < blocks; ++i) {
        uint64_t words[8];
        std::memcpy(words, text + 64 * i, sizeof words);
        for (int k = 0; k < 8; ++k) sums[k] |= words[k];
    }
    uint64_t bits = 0;
    for (const uint64_t sum : sums) bits |= sum;
    return (bits & 0x8080808080808080u) == 0;
}

inline bool is_ascii(const char* text, int64_t size) noexcept {
    constexpr int64_t MOST = 64;  // blocks between two looks, so that a column of other letters ends
    const int64_t blocks = size / 64;
    for (int64_t i = 0; i < blocks; i += MOST)
        if (!blocks_are_ascii(text + 64 * i, blocks - i < MOST ? blocks - i : MOST)) return false;
    int64_t at = 64 * blocks;
    uint64_t bits = 0;
    for (; at + 8 <= size; at += 8) {
        uint64_t word;
        std::memcpy(&word, text + at, sizeof word);
        bits |= word;
    }
    for (; at < size; ++at) bits |= static_cast<unsigned char>(text[at]);
    return (bits & 0x8080808080808080u) == 0;
}

inline bool is_valid(const char* text, int64_t size) noexcept {
    if (is_ascii(text, size)) return true;
    const auto* at = reinterpret_cast<const unsigned char*>(text);
    const unsigned char* end = at + size;
    while (at < end) {
        uint64_t word = 0x80;
        if (end - at >= 8) std::memcpy(&word, at, sizeof word);
        if ((word & 0x8080808080808080u) == 0) {
            at += 8;
            continue;
        }
        uint32_t code = 0;
        const std::size_t length =
            *at < 0x80 ? 1 : unicode::decode(at, static_cast<std::size_t>(end - at), code);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

}  // namespace utf8
}  // namespace summeval
