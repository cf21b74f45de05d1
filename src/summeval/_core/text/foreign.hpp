// Finds texts that lose more than half of their letters under a tokeniser of ASCII letters and
// digits.
#pragma once
#include <cstdint>
#include <cstring>

#include "text/views.hpp"

namespace summeval {

constexpr int64_t FOREIGN_WHOLE = 1024;  // a longer text (in bytes) is sampled at four places,
constexpr int64_t FOREIGN_PLACE = 256;   // of this many bytes each

// Weights of the letters of a text: ASCII letters and digits, and letters of other scripts.
struct Letters {
    int64_t kept = 0;
    int64_t foreign = 0;
};

// The weight of a character, from its first two bytes. A Chinese, Japanese or Korean character
// weighs as much as three letters, because a word has fewer of them. Marks, symbols and emoji are
// not letters.
inline int foreign_weight(unsigned char first, unsigned char second) {
    if (first < 0xC3) return 0;                                  // Latin-1 marks, continuations
    if (first == 0xC3) return second != 0x97 && second != 0xB7;  // not × and ÷
    if (first == 0xCC || (first == 0xCD && second < 0xB0)) return 0;  // combining accents
    if (first < 0xE2) return 1;
    if (first == 0xE2) return 0;                      // punctuation, arrows, mathematics, dingbats
    if (first == 0xE3) return second == 0x80 ? 0 : 3;  // CJK punctuation, kana and ideographs
    if (first < 0xEE) return 3;                       // ideographs, Hangul
    if (first == 0xEE) return 0;                      // private use
    if (first == 0xEF) return second >= 0xA4 && second < 0xB8 ? 1 : 0;  // presentation forms
    return first == 0xF0 && second >= 0xA0 && second < 0xB8 ? 3 : 0;    // rare ideographs, not emoji
}

// Adds the letters of the bytes in [begin, end).
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

// Whether less than one byte in four is outside ASCII, so that foreign letters hardly outweigh the
// rest.
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

// Whether ASCII letters and digits have less than half of the weight of all letters of a text.
inline bool is_foreign(const View& view) {
    if (view.data == nullptr) return false;
    const auto* text = reinterpret_cast<const unsigned char*>(view.data);
    Letters letters;
    const auto add = [&](int64_t begin, int64_t end) {
        if (!mostly_ascii(text + begin, text + end)) {
            weigh_letters(text + begin, text + end, letters);
        } else {
            letters.kept += (end - begin) / 2;  // an exact count would hardly change the answer
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
