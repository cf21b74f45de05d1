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

// Writes the tokens of `text` one after the other to `out` (room: 3 * size + 16 bytes) and their
// limits to `edges` (room: 2 * (size + 1)): token k is out[edges[2k] .. edges[2k + 1]). Returns the
// number of tokens. Folding makes a character at most three times as long; without FOLD, characters
// are not changed. With PLACES the limits are those in the text, and nothing else is written.
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
    std::size_t checked = stop::STEPS;
    for (std::size_t i = 0; i < size;) {
        if (i >= checked) {
            stop::look();
            checked = i + stop::STEPS;
        }
        if (PLACES) place = i;
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

}  // namespace summeval
