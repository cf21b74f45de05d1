// Whether bytes are ASCII, and whether they are UTF-8.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/bits.hpp"
#include "text/unicode.hpp"

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

// Says in one pass whether the bytes are ASCII, UTF-8 or neither.
inline Bytes look_at(const char* text, int64_t size) noexcept {
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

inline bool is_valid(const char* text, int64_t size) noexcept {
    return look_at(text, size) != Bytes::Other;
}

}  // namespace utf8
}  // namespace summeval
