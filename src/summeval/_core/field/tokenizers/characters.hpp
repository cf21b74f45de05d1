// The characters (code points) of UTF-8, and keys of tokens of any characters.
#pragma once
#include <cstddef>
#include <cstdint>

#include "text/tokens.hpp"
#include "text/unicode.hpp"
#include "text/views.hpp"

namespace summeval {

// One of the 32 ASCII characters that are neither letters, digits, blanks nor control characters.
constexpr bool is_ascii_mark(uint32_t code) noexcept {
    return code > 0x20 && code < 0x7F && !((code | 0x20) >= 'a' && (code | 0x20) <= 'z') &&
           !(code >= '0' && code <= '9');
}

// The key of a token of any characters, NUL too: it holds the size. At least PADDING bytes after the
// token must be readable.
inline Key sized_key(const char* token, size_t size) noexcept {
    if (size > 15) return hash_key(token, size);
    Key key = token_key(token, size);
    const auto last = static_cast<unsigned char>(size);
    std::memcpy(reinterpret_cast<char*>(&key.hi) + 7, &last, 1);
    return key;
}

// Calls visit(code, begin, end) for each character, with its place in bytes. A byte that is no
// UTF-8 counts as U+FFFD.
template <class Visit>
inline void each_character(View text, Visit visit) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data);
    const size_t size = static_cast<size_t>(text.size);
    for (size_t at = 0; at < size;) {
        uint32_t code;
        const size_t length = unicode::read_character(bytes + at, size - at, code);
        visit(code, at, at + length);
        at += length;
    }
}

}  // namespace summeval
