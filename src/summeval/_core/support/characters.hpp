// What the words and sentences of a text need to know of its characters.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/unicode.hpp"

namespace summeval {

// A character of a text and its length in bytes; bytes that are not UTF-8 are characters of class
// SEPARATOR, one byte long.
struct Character {
    uint32_t code;
    uint32_t size;
    unsigned bits;  // of unicode::class_of, for characters outside ASCII

    unsigned kind() const noexcept { return bits & 3u; }
    bool folds() const noexcept { return (bits & (unicode::FOLDING | unicode::EXPANDING)) != 0; }
};

inline bool is_ascii_letter(uint32_t code) noexcept { return (code | 0x20) - 'a' < 26u; }
inline bool is_ascii_digit(uint32_t code) noexcept { return code - '0' < 10u; }

inline Character character_at(const unsigned char* text, size_t size, size_t at) noexcept {
    const uint32_t byte = text[at];
    if (byte < 0x80) {
        const bool word = is_ascii_letter(byte) || is_ascii_digit(byte);
        return {byte, 1, word ? unicode::LETTER : unicode::SEPARATOR};
    }
    uint32_t code = 0;
    const size_t length = unicode::decode(text + at, size - at, code);
    if (length == 0) return {0xFFFD, 1, unicode::SEPARATOR};
    return {code, static_cast<uint32_t>(length), unicode::class_of(code)};
}

// The character that ends before `at`, which is above `begin`.
inline Character character_before(const unsigned char* text, size_t begin, size_t at) noexcept {
    size_t first = at - 1;
    while (first > begin && at - first < 4 && unicode::is_continuation(text[first])) --first;
    const Character found = character_at(text, at, first);
    if (first + found.size == at) return found;
    return {0xFFFD, 1, unicode::SEPARATOR};
}

// Whether a character has a lower-case form of its own. Case folding, which the tables tell, also
// changes a few letters that are lower case.
inline bool is_upper(const Character& one) noexcept {
    if (one.code < 0x80) return one.code - 'A' < 26u;
    if (!one.folds()) return false;
    const uint32_t c = one.code;
    const bool lower = c == 0xB5 || c == 0xDF || c == 0x149 || c == 0x17F || c == 0x1F0 ||
                       c == 0x345 || c == 0x390 || c == 0x3B0 || c == 0x3C2 || c == 0x3D0 ||
                       c == 0x3D1 || c == 0x3D5 || c == 0x3D6 || c == 0x3F0 || c == 0x3F1 ||
                       c == 0x3F5 || c == 0x587 || (c >= 0x1E96 && c <= 0x1E9B);
    return !lower;
}

// Whether a character is a lower-case letter: one that does not fold, of a script with two cases.
inline bool is_lower(const Character& one) noexcept {
    const uint32_t c = one.code;
    if (c < 0x80) return c - 'a' < 26u;
    if (one.kind() != unicode::LETTER || is_upper(one)) return false;
    const bool cased = (c >= 0xDF && c < 0x250) || c == 0xAA || c == 0xB5 || c == 0xBA ||
                       (c >= 0x370 && c < 0x530) || (c >= 0x561 && c < 0x588) ||
                       (c >= 0x10D0 && c < 0x1100) || (c >= 0x1E00 && c < 0x2000) ||
                       (c >= 0x2C30 && c < 0x2D00) || (c >= 0xA640 && c < 0xA69C) ||
                       (c >= 0xA722 && c < 0xA788) || (c >= 0xFB00 && c < 0xFB18) ||
                       (c >= 0xFF41 && c < 0xFF5B);
    return cased;
}

// Whether a character may be in a word of the rules for sentences.
inline bool is_alphanumeric(const Character& one) noexcept {
    if (one.kind() == unicode::LETTER || one.kind() == unicode::UNSPACED) return true;
    return one.code == 0xFF9E || one.code == 0xFF9F;
}

}  // namespace summeval
