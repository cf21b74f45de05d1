// Counts the words that a tokeniser of ASCII letters and digits cuts or drops.
#pragma once
#include <cstdint>
#include <cstring>

#include "text/views.hpp"

namespace summeval {

constexpr int64_t FOREIGN_WHOLE = 4096;  // a longer text (in bytes) is sampled at four places,
constexpr int64_t FOREIGN_PLACE = 1024;   // of this many bytes each
constexpr int64_t WORD_BYTES = 6;         // of an English word and the blank after it

// The words of some texts, which are runs of letters and digits; those of them that hold a letter
// which is not ASCII; and of these those that hold nothing else.
struct Words {
    int64_t all = 0;
    int64_t cut = 0;
    int64_t lost = 0;
};

// Whether a character outside ASCII is a letter, from its first two bytes: an accent that combines
// is, for it cuts a word; punctuation, symbols and emoji are not.
inline bool is_foreign_letter(unsigned char first, unsigned char second) {
    if (first < 0xC3) return false;                               // Latin-1 marks
    if (first == 0xC3) return second != 0x97 && second != 0xB7;   // not × and ÷
    if (first < 0xE2) return true;
    if (first == 0xE2) return second >= 0xB0 && second < 0xB8;    // not punctuation and symbols
    if (first == 0xE3) return second != 0x80;                     // not CJK punctuation
    if (first < 0xEE) return true;
    if (first == 0xEF) return second >= 0xA4 && second < 0xB8;    // presentation forms
    return first == 0xF0 && second >= 0xA0 && second < 0xB8;      // rare ideographs, not emoji
}

// Whether there is a foreign letter in [at, end).
inline bool has_foreign_letter(const unsigned char* at, const unsigned char* end) {
    while (at != end) {
        uint64_t eight = 0;
        if (end - at >= 8) std::memcpy(&eight, at, 8);
        if (end - at >= 8 && (eight & 0x8080808080808080ULL) == 0) {
            at += 8;
        } else if (*at < 0xC0) {
            ++at;
        } else {
            const int64_t length = 2 + (*at >= 0xE0) + (*at >= 0xF0);
            if (end - at < length) return false;
            if (is_foreign_letter(*at, at[1])) return true;
            at += length;
        }
    }
    return false;
}

// Adds the words of the bytes in [at, end); about, where no word is cut, as this takes no time.
inline void count_words(const unsigned char* at, const unsigned char* end, Words& words) {
    if (!has_foreign_letter(at, end)) {
        words.all += (end - at) / WORD_BYTES;
        return;
    }
    bool kept = false, cut = false;  // whether this word has ASCII, and other letters
    while (at != end) {
        const unsigned char byte = *at;
        if (byte < 0xC0) {  // ASCII, or what is left of a character where a place begins
            const unsigned char lower = byte | 0x20;
            const bool keeps = byte < 0x80 && ((lower >= 'a' && lower <= 'z') ||
                                               (byte >= '0' && byte <= '9'));
            words.all += keeps && !kept && !cut;
            words.lost += cut && !kept && !keeps;
            kept = keeps;
            cut = cut && keeps;
            ++at;
            continue;
        }
        const int64_t length = 2 + (byte >= 0xE0) + (byte >= 0xF0);
        if (end - at < length) break;
        const bool letter = is_foreign_letter(byte, at[1]);
        words.all += letter && !kept && !cut;
        words.cut += letter && !cut;
        words.lost += cut && !kept && !letter;
        kept = kept && letter;
        cut = letter;
        at += length;
    }
    words.lost += cut && !kept;
}

inline void count_words(const View& view, Words& words) {
    if (view.data == nullptr) return;
    const auto* text = reinterpret_cast<const unsigned char*>(view.data);
    if (view.size <= FOREIGN_WHOLE) return count_words(text, text + view.size, words);
    for (int64_t place = 0; place < 4; ++place) {
        const unsigned char* const begin = text + place * (view.size - FOREIGN_PLACE) / 3;
        count_words(begin, begin + FOREIGN_PLACE, words);
    }
}

// Whether at least half of the words of a text are dropped.
inline bool is_foreign(const View& view) {
    Words words;
    count_words(view, words);
    return words.lost > 0 && 2 * words.lost >= words.all;
}

}  // namespace summeval
