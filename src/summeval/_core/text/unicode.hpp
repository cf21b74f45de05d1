// Tokens in any script (see tests/definitions/text/tokens.py, which defines them): UTF-8 in, case-folded UTF-8
// tokens out. Bytes that are not valid UTF-8 (overlong forms and surrogates included) separate
// tokens, as a blank does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "rows/stop.hpp"
#include "text/unicode_tables.hpp"

namespace summeval {

// The characters that str.isspace knows.
constexpr bool is_blank(uint32_t code) noexcept {
    if (code < 0x85) return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20);
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

namespace unicode {

enum : unsigned { SEPARATOR = 0, LETTER = 1, MARK = 2, UNSPACED = 3, FOLDING = 4, EXPANDING = 8 };

inline unsigned class_of(uint32_t code) noexcept {
    if (code < END) {
        const uint64_t word = CLASSES[4 * BLOCKS[code / 64] + code / 16 % 4];
        return static_cast<unsigned>(word >> (4 * (code % 16))) & 15u;
    }
    return code >= FIRST_SELECTOR && code <= LAST_SELECTOR ? MARK : SEPARATOR;
}

inline bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0) == 0x80; }

// Decodes the non-ASCII character at `text` and returns its length, or 0 if it is not valid.
inline std::size_t decode(const unsigned char* text, std::size_t left, uint32_t& code) noexcept {
    const uint32_t lead = text[0];
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > left) return 0;
    code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(text[i])) return 0;
        code = code << 6 | (text[i] & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

// Reads any character at `text`, ASCII too, and returns its length. A byte that is no UTF-8 counts
// as U+FFFD.
inline std::size_t read_character(const unsigned char* text, std::size_t left,
                                  uint32_t& code) noexcept {
    code = text[0];
    const std::size_t length = code < 0x80 ? 1 : decode(text, left, code);
    if (length == 0) code = 0xFFFD;
    return length == 0 ? 1 : length;
}

inline char* encode(uint32_t code, char* out) noexcept {
    if (code < 0x80) {
        *out++ = static_cast<char>(code);
        return out;
    }
    if (code < 0x800) {
        *out++ = static_cast<char>(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        *out++ = static_cast<char>(0xE0 | code >> 12);
        *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    } else {
        *out++ = static_cast<char>(0xF0 | code >> 18);
        *out++ = static_cast<char>(0x80 | (code >> 12 & 0x3F));
        *out++ = static_cast<char>(0x80 | (code >> 6 & 0x3F));
    }
    *out++ = static_cast<char>(0x80 | (code & 0x3F));
    return out;
}

// Writes the case folding of a character of the given class. Both searches always find their entry:
// the class says that there is one.
inline char* write_folded(uint32_t code, unsigned kind, char* out) noexcept {
    if ((kind & FOLDING) != 0) {
        const Fold* low = FOLDS;
        const Fold* high = std::end(FOLDS);
        while (high - low > 1) {
            const Fold* middle = low + (high - low) / 2;
            (middle->first <= code ? low : high) = middle;
        }
        return encode(static_cast<uint32_t>(static_cast<int32_t>(code) + low->delta), out);
    }
    if ((kind & EXPANDING) != 0) {
        const Expansion* low = EXPANSIONS;
        const Expansion* high = std::end(EXPANSIONS);
        while (high - low > 1) {
            const Expansion* middle = low + (high - low) / 2;
            (middle->from <= code ? low : high) = middle;
        }
        for (const uint16_t part : low->to)
            if (part != 0) out = encode(part, out);
        return out;
    }
    return encode(code, out);
}

// A lower-case letter or a digit for such a byte of ASCII, 0 for all others.
inline char ascii_token_byte(unsigned byte) noexcept {
    if (byte - 'a' < 26u || byte - '0' < 10u) return static_cast<char>(byte);
    return byte - 'A' < 26u ? static_cast<char>(byte + 32) : '\0';
}

}  // namespace unicode

}  // namespace summeval
