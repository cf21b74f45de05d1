// Whether bytes are ASCII, and whether they are UTF-8.
#pragma once
#include <cstdint>
#include <cstring>

#include "unicode.hpp"

namespace summeval {
namespace utf8 {

// 64 bytes at a time, which compilers turn into a few wide instructions.
inline bool is_ascii(const char* text, int64_t size) noexcept {
    int64_t i = 0;
    for (; i + 64 <= size; i += 64) {
        uint64_t words[8];
        std::memcpy(words, text + i, sizeof words);
        uint64_t bits = 0;
        for (const uint64_t word : words) bits |= word;
        if ((bits & 0x8080808080808080u) != 0) return false;
    }
    unsigned char rest = 0;
    for (; i < size; ++i) rest |= static_cast<unsigned char>(text[i]);
    return rest < 0x80;
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
