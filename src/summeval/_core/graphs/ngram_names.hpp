// Numbers for the n-grams of characters in some texts: two n-grams share a number if they are
// equal.
//
// Up to three characters fit into a key (21 bits each). The key of a longer n-gram is the number of
// its prefix (all but the last character), and the last character. So all orders up to the longest
// are numbered.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "text/grams.hpp"
#include "text/unicode.hpp"
#include "text/views.hpp"

namespace summeval {

constexpr size_t PACKED_CHARACTERS = 3;
constexpr unsigned CHARACTER_BITS = 21;
// Writes the code points of a text, or its UTF-16 units, to `out` (room: the bytes of the text).
inline size_t read_characters(View text, bool utf16, uint32_t* out) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data);
    const size_t size = static_cast<size_t>(text.size);
    uint32_t* const first = out;
    Pace pace;
    for (size_t i = 0; i < size;) {
        pace(1);
        uint32_t code = bytes[i];
        if (code < 0x80) {
            *out++ = code;
            ++i;
            continue;
        }
        i += unicode::read_character(bytes + i, size - i, code);
        if (utf16 && code >= 0x10000) {
            *out++ = 0xD7C0 + (code >> 10);
            code = 0xDC00 | (code & 0x3FF);
        }
        *out++ = code;
    }
    return static_cast<size_t>(out - first);
}

// The characters of a text and the numbers of its n-grams, one order after the other.
class NumberedText {
  public:
    // Reads the text; number() then starts at the first order.
    void read(View text, bool utf16) {
        size_ = read_characters(
            text, utf16, TokenSpans::room(characters_, static_cast<size_t>(text.size) + 1));
    }

    size_t size() const noexcept { return size_; }
    size_t grams(size_t n) const noexcept { return size_ < n ? 0 : size_ - n + 1; }
    const uint32_t* numbers() const noexcept { return numbers_.data(); }

    // The lowest order that must be numbered for n-grams of `least` characters and more.
    static size_t first_order(size_t least) noexcept {
        return std::min(least, PACKED_CHARACTERS);
    }

    // Numbers the n-grams of order n: the first order, or the one after the last call. Calls
    // number(keys, count, numbers).
    template <class Number>
    void number(size_t n, Number number) {
        const size_t count = grams(n);
        Key* keys = TokenSpans::room(keys_, count + 1);
        uint32_t* numbers = TokenSpans::room(numbers_, count + 1);
        const uint32_t* text = characters_.data();
        if (n > PACKED_CHARACTERS) {
            for (const auto [begin, end] : pieces(count))
                for (size_t i = begin; i < end; ++i) keys[i] = {numbers[i], text[i + n - 1]};
        } else {
            for (const auto [begin, end] : pieces(count)) {
                for (size_t i = begin; i < end; ++i) {
                    uint64_t packed = text[i];
                    for (size_t k = 1; k < n; ++k) packed = packed << CHARACTER_BITS | text[i + k];
                    keys[i] = {packed, 0};
                }
            }
        }
        number(keys, count, numbers);
    }

  private:
    std::vector<uint32_t> characters_, numbers_;
    std::vector<Key> keys_;
    size_t size_ = 0;
};

// Numbers for keys that a vocabulary lacks; they continue after the vocabulary's numbers.
class Newcomers {
  public:
    void number(const Vocabulary& known, const Key* keys, size_t count, uint32_t* numbers) {
        known.find(keys, count, numbers);
        Key* missing = TokenSpans::room(missing_, count + 1);
        size_t fresh = 0;
        for (const auto [begin, end] : pieces(count)) {
            for (size_t k = begin; k < end; ++k) {
                missing[fresh] = keys[k];
                fresh += numbers[k] == 0;
            }
        }
        uint32_t* given = TokenSpans::room(given_, count + 1);
        own_.reset(fresh);
        own_.intern(missing, fresh, given);
        last_ = known.size() + own_.size();
        for (const auto [begin, end] : pieces(count)) {
            for (size_t k = begin; k < end; ++k) {
                const bool fills = numbers[k] == 0;
                numbers[k] = fills ? known.size() + *given : numbers[k];
                given += fills;
            }
        }
    }

    uint32_t last() const noexcept { return last_; }  // the greatest number of the last call

  private:
    Vocabulary own_;
    std::vector<Key> missing_;
    std::vector<uint32_t> given_;
    uint32_t last_ = 0;
};

}  // namespace summeval
