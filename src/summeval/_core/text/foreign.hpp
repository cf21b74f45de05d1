// Texts of which a tokeniser that knows ASCII letters and digits alone keeps less than half.
#pragma once
#include <cstdint>
#include <cstring>

#include "text/views.hpp"

namespace summeval {

constexpr int64_t FOREIGN_WHOLE = 1024;  // a text of more bytes is looked at in four places,
constexpr int64_t FOREIGN_PLACE = 256;   // of so many bytes each

// What the letters of a text weigh: ASCII letters and digits, and those of other scripts.
struct Letters {
    int64_t kept = 0;
    int64_t foreign = 0;
};

// A character by its first two bytes. One of Chinese, Japanese or Korean weighs as much as three
// letters, for a word has fewer of them. Marks, symbols and emoji are no letters.
inline int foreign_weight(unsigned char first, unsigned char second) {
    if (first < 0xC3) return 0;                                  // Latin-1 marks, and continuations
    if (first == 0xC3) return second != 0x97 && second != 0xB7;  // not the signs of times and divide
    if (first == 0xCC || (first == 0xCD && second < 0xB0)) return 0;  // accents that combine
    if (first < 0xE2) return 1;
    if (first == 0xE2) return 0;                      // punctuation, arrows, mathematics, dingbats
    if (first == 0xE3) return second == 0x80 ? 0 : 3;  // CJK punctuation, kana and ideographs
    if (first < 0xEE) return 3;                       // ideographs, Hangul
    if (first == 0xEE) return 0;                      // private use
    if (first == 0xEF) return second >= 0xA4 && second < 0xB8 ? 1 : 0;  // presentation forms
    return first == 0xF0 && second >= 0xA0 && second < 0xB8 ? 3 : 0;    // rare ideographs, not emoji
}

// Adds the letters of the bytes from `begin` to before `end`.
inline void weigh_letters(const unsigned char* begin, const unsigned char* end, Letters& letters) {
    for (const unsigned char* at = begin; at != end; ++at) {
        const unsigned char byte = *at;
        if (byte < 0x80) {
            const unsigned char lower = byte | 0x20;
            letters.kept += (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9');
        } else if (byte >= 0xC3 && end - at >= 2 + (byte >= 0xE0) + (byte >= 0xF0)) {
            letters.foreign += foreign_weight(byte, at[1]);
        }
    }
}

// Whether so few bytes are outside ASCII, one in four, that they hardly outweigh the rest.
inline bool mostly_ascii(const unsigned char* begin, const unsigned char* end) {
    int64_t outside = 0;
    const int64_t size = end - begin;
    const unsigned char* at = begin;
    for (; end - at >= 8; at += 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        outside += static_cast<int64_t>(((word & 0x8080808080808080ULL) >> 7) *
                                        0x0101010101010101ULL >> 56);
    }
    for (; at != end; ++at) outside += *at >> 7;
    return outside * 4 < size;
}

// Whether less than half of what the letters of a text weigh are ASCII letters and digits.
inline bool is_foreign(const View& view) {
    if (view.data == nullptr) return false;
    const auto* text = reinterpret_cast<const unsigned char*>(view.data);
    Letters letters;
    const auto add = [&](int64_t begin, int64_t end) {
        if (!mostly_ascii(text + begin, text + end)) {
            weigh_letters(text + begin, text + end, letters);
        } else {
            letters.kept += (end - begin) / 2;  // more would not matter
        }
    };
    if (view.size <= FOREIGN_WHOLE) {
        add(0, view.size);
    } else {
        for (int64_t place = 0; place < 4; ++place) {
            const int64_t begin = place * (view.size - FOREIGN_PLACE) / 3;
            add(begin, begin + FOREIGN_PLACE);
        }
    }
    return letters.foreign > letters.kept;
}

}  // namespace summeval
