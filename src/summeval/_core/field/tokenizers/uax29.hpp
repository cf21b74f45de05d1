// WordSegments of Unicode Standard Annex 29, section 4: the segments that hold a letter or a number.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "field/tokenizers/characters.hpp"
#include "field/tokenizers/word_breaks.hpp"

namespace summeval {

inline uint32_t find_word_kind(uint32_t code) noexcept {
    const auto* after = std::upper_bound(std::begin(word_breaks::CHANGES),
                                         std::end(word_breaks::CHANGES), code << 6 | 63);
    return after[-1] & 63;
}

inline uint32_t word_kind(uint32_t code) noexcept {
    static const auto ASCII = [] {
        std::array<uint8_t, 128> kinds{};
        for (uint32_t k = 0; k < kinds.size(); ++k)
            kinds[k] = static_cast<uint8_t>(find_word_kind(k));
        return kinds;
    }();
    return code < ASCII.size() ? ASCII[code] : find_word_kind(code);
}

// Calls visit(begin, end) for each word, with its place in bytes.
//
// A mark between two letters, or two digits, joins them: what stands before it is held until the
// character behind it is known. Marks, joiners and formats (WB4) belong to the character before.
template <class Visit>
class WordSegments {
  public:
    explicit WordSegments(Visit visit) : visit_(visit) {}

    void read(View text) {
        Pace pace;
        each_character(text, [&](uint32_t code, size_t begin, size_t) {
            pace(4);
            add(word_kind(code), begin);
        });
        if (held_) cut(held_at_, held_words_);
        cut(static_cast<size_t>(text.size), false);
    }

  private:
    static bool is_letter(uint32_t kind) noexcept {
        return kind == word_breaks::ALETTER || kind == word_breaks::HEBREW_LETTER;
    }
    static bool is_between(uint32_t kind) noexcept {  // MidNumLetQ
        return kind == word_breaks::MIDNUMLET || kind == word_breaks::SINGLE_QUOTE;
    }
    static bool is_between_letters(uint32_t kind) noexcept {
        return kind == word_breaks::MIDLETTER || is_between(kind);
    }
    static bool is_between_digits(uint32_t kind) noexcept {
        return kind == word_breaks::MIDNUM || is_between(kind);
    }
    static bool is_in_word(uint32_t kind) noexcept {
        return is_letter(kind) || kind == word_breaks::NUMERIC || kind == word_breaks::KATAKANA;
    }

    void add(uint32_t all, size_t begin) {
        using namespace word_breaks;
        const uint32_t kind = all & 15;
        const bool is_word = all & WORD;
        if ((kind == EXTEND || kind == ZWJ) && last_ != NEWLINE) {
            (held_ ? held_words_ : words_) |= is_word;
            joiner_ = kind == ZWJ;
            extended_ = true;
            return;
        }
        const bool over_mark =
            (is_letter(before_) && is_between_letters(last_) && is_letter(kind)) ||
            (before_ == NUMERIC && is_between_digits(last_) && kind == NUMERIC) ||
            (before_ == HEBREW_LETTER && last_ == DOUBLE_QUOTE && kind == HEBREW_LETTER);
        if (held_ && over_mark) words_ |= held_words_;
        if (held_ && !over_mark) cut(held_at_, held_words_);
        held_ = false;
        if (!over_mark && !joins(kind, all & PICTURE)) {
            held_ = holds(kind);
            held_at_ = begin;
            if (!held_) cut(begin, false);
        }
        odd_ = kind == REGIONAL_INDICATOR && !(last_ == REGIONAL_INDICATOR && odd_);
        if (held_)
            held_words_ = is_word;
        else
            words_ |= is_word;
        before_ = last_;
        last_ = kind;
        joiner_ = kind == ZWJ;
        extended_ = false;
    }

    // Whether a character joins the one before it whatever follows.
    bool joins(uint32_t kind, bool picture) const noexcept {
        using namespace word_breaks;
        if (last_ == NEWLINE || kind == NEWLINE) return false;
        if (joiner_ && picture) return true;
        if (kind == WSEGSPACE) return last_ == WSEGSPACE && !extended_;
        if (kind == SINGLE_QUOTE) return last_ == HEBREW_LETTER;
        if (kind == REGIONAL_INDICATOR) return last_ == REGIONAL_INDICATOR && odd_;
        if (kind == EXTENDNUMLET) return is_in_word(last_) || last_ == EXTENDNUMLET;
        if (kind == KATAKANA) return last_ == KATAKANA || last_ == EXTENDNUMLET;
        if (!is_in_word(kind)) return false;
        return is_letter(last_) || last_ == NUMERIC || last_ == EXTENDNUMLET;
    }

    bool holds(uint32_t kind) const noexcept {
        using namespace word_breaks;
        return (is_letter(last_) && is_between_letters(kind)) ||
               (last_ == NUMERIC && is_between_digits(kind)) ||
               (last_ == HEBREW_LETTER && kind == DOUBLE_QUOTE);
    }

    // Ends the segment; the next one holds a letter or a number if `words`.
    void cut(size_t at, bool words) {
        if (words_) visit_(begin_, at);
        begin_ = at;
        words_ = words;
    }

    Visit visit_;
    size_t begin_ = 0, held_at_ = 0;
    uint32_t last_ = word_breaks::NEWLINE, before_ = word_breaks::OTHER;
    bool words_ = false, held_ = false, held_words_ = false;
    bool joiner_ = false, extended_ = false, odd_ = false;
};

}  // namespace summeval
