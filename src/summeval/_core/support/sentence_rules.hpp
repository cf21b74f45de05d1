// Where sentences end (see text/sentence_splitter.py, which defines it). The case of letters beyond
// the scripts of Europe may be told otherwise than Python tells it.
#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "support/characters.hpp"
#include "text/analysis.hpp"

namespace summeval {

using WordSet = std::unordered_set<std::string>;

// The words that the rules know, in lower case.
struct SentenceWords {
    WordSet never_last, before_number, maybe_last, starters;
};

class SentenceRules {
  public:
    explicit SentenceRules(const SentenceWords& words)
        : never_last_(words.never_last),
          before_number_(words.before_number),
          maybe_last_(words.maybe_last),
          starters_(words.starters) {}

    // A line of a text: where it begins and ends, where its last sentence began, and whether it has
    // a capital (-1: not looked for yet).
    struct Line {
        const unsigned char* text;
        size_t begin, end, sentence;
        int cased;
    };

    static bool is_stop(uint32_t code) noexcept {
        return code == '.' || code == '!' || code == '?' || code == 0x2026 || is_other_stop(code);
    }

    // With a terminator at `at`: sets `next` to the end of the run of terminators and what closes
    // it, and returns whether a sentence ends there. If so the next one begins at line.sentence.
    bool ends(Line& line, size_t at, size_t& next) {
        const Character first = get(line, at);
        const bool other = is_other_stop(first.code);
        size_t end = at;
        while (end < line.end) {
            const Character one = get(line, end);
            if (other ? !is_other_stop(one.code) : !is_stop(one.code) || is_other_stop(one.code))
                break;
            end += one.size;
        }
        const size_t stops = end;
        while (end < line.end && is_closer(get(line, end).code, other)) end += get(line, end).size;
        next = end;
        if (!decides(line, at, stops, end, first.code)) return false;
        next = line.sentence = after_loose_quote(line, end);
        return true;
    }

  private:
    static constexpr int LOOK_BACK = 24;

    static Character get(const Line& line, size_t at) noexcept {
        return character_at(line.text, line.end, at);
    }
    static bool is_other_stop(uint32_t code) noexcept {
        if (code < 0x600) return false;
        return code == 0x3002 || code == 0xFF01 || code == 0xFF1F || code == 0xFF61 ||
               code == 0x964 || code == 0x965 || code == 0x61F || code == 0x6D4;
    }
    static bool is_closer(uint32_t code, bool other) noexcept {
        if (code == '"' || code == '\'' || code == 0x201D || code == 0x2019 || code == 0xBB ||
            code == ')' || code == ']' || code == '}')
            return true;
        return other && (code == 0x300D || code == 0x300F || code == 0xFF09 || code == 0x3011);
    }
    static bool is_opener(uint32_t code) noexcept {
        return code == '"' || code == '\'' || code == 0x201C || code == 0x2018 || code == 0xAB ||
               code == '(' || code == '[' || code == '{' || code == '`' || code == 0xBF ||
               code == 0xA1;
    }

    static bool is_cased(Line& line) noexcept {
        if (line.cased < 0) {
            line.cased = 0;
            for (size_t i = line.begin; i < line.end;) {
                const Character one = get(line, i);
                if (is_upper(one)) {
                    line.cased = 1;
                    break;
                }
                i += one.size;
            }
        }
        return line.cased == 1;
    }

    // The quote after a stop in tokenised text: `he left . '' she`.
    static size_t after_loose_quote(const Line& line, size_t end) noexcept {
        if (end >= line.end || !is_blank(get(line, end).code)) return end;
        size_t at = end + get(line, end).size, after = at;
        if (at + 1 < line.end && line.text[at] == '\'' && line.text[at + 1] == '\'') after = at + 2;
        else if (at < line.end && get(line, at).code == 0x201D) after = at + 3;
        if (after == at) return end;
        return after == line.end || is_blank(get(line, after).code) ? after : end;
    }

    bool decides(Line& line, size_t at, size_t stops, size_t end, uint32_t terminator) {
        size_t blank = end;
        while (blank < line.end && is_blank(get(line, blank).code)) blank += get(line, blank).size;
        size_t open = blank;
        while (open < line.end && is_opener(get(line, open).code)) open += get(line, open).size;
        if (open >= line.end) return false;
        if (terminator == 0x3002 || terminator == 0xFF01 || terminator == 0xFF1F ||
            terminator == 0xFF61)
            return true;
        if (blank == end) return is_missing_blank(line, at, end);
        const bool alone =
            at > line.begin && is_blank(character_before(line.text, line.begin, at).code);
        const bool goes_on = is_cased(line) && is_lower(get(line, open));
        if (goes_on && !alone) return false;
        if (terminator != '.' || (stops > at + 1 && line.text[at + 1] == '.')) return !goes_on;
        return is_last_word(line, at, open);
    }

    // The end of the word of letters and digits that begins at `at`.
    static size_t word_end(const Line& line, size_t at) noexcept {
        while (at < line.end) {
            const Character one = get(line, at);
            if (!is_alphanumeric(one)) break;
            at += one.size;
        }
        return at;
    }

    // Whether a sentence ends at `left.The`, a common typing error.
    bool is_missing_blank(const Line& line, size_t at, size_t end) {
        if (at == line.begin || !is_lower(character_before(line.text, line.begin, at))) return false;
        const size_t last = word_end(line, end);
        return last > end && is_upper(get(line, end)) && starters_.has(key(line, end, last));
    }

    // Whether the word before the single stop at `at` is the last one of its sentence; the next word
    // begins at `open`.
    bool is_last_word(const Line& line, size_t at, size_t open) {
        size_t from = at;
        for (int k = 0; k < LOOK_BACK && from > line.sentence; ++k)
            from -= character_before(line.text, line.sentence, from).size;
        size_t begin = at, words = 0;
        bool inside = false;
        for (size_t i = from; i < at;) {
            const Character one = get(line, i);
            const bool blank = is_blank(one.code);
            if (!blank && !inside) begin = i, ++words;
            inside = !blank;
            i += one.size;
        }
        size_t last = at;
        while (last > begin) {
            const Character one = character_before(line.text, begin, last);
            if (!is_blank(one.code)) break;
            last -= one.size;
        }
        while (begin < last && is_opener_of_word(get(line, begin).code))
            begin += get(line, begin).size;
        // Of equal lengths in characters and bytes in all words that the rules know.
        const bool whole = from == line.sentence && characters(line, from, at) < LOOK_BACK;
        return ends_with(line, begin, last, open, words == 1 && whole);
    }

    static bool is_opener_of_word(uint32_t code) noexcept {
        return is_opener(code) && code != 0xBF && code != 0xA1;
    }
    static int characters(const Line& line, size_t from, size_t to) noexcept {
        int count = 0;
        for (; from < to; from += get(line, from).size) ++count;
        return count;
    }

    bool ends_with(const Line& line, size_t begin, size_t last, size_t open, bool first_word) {
        const size_t follower = word_end(line, open);
        const auto starts = [&] { return starters_.has(key(line, open, follower)); };
        const Character head = begin < last ? get(line, begin) : Character{0, 1, 0};
        const bool letter = begin < last && begin + head.size == last && is_letter(head);
        if (first_word && (letter || is_short_number(line, begin, last))) return false;
        const Key word = key(line, begin, last);
        if (never_last_.has(word)) return false;
        if (before_number_.has(word) && open < line.end && is_ascii_digit(line.text[open]))
            return false;
        if (letter || maybe_last_.has(word) || is_acronym(line, begin, last)) return starts();
        return true;
    }

    static bool is_letter(const Character& one) noexcept {
        return is_alphanumeric(one) && !is_ascii_digit(one.code);
    }
    static bool is_short_number(const Line& line, size_t begin, size_t last) noexcept {
        if (last == begin || last - begin > 3) return false;
        for (size_t i = begin; i < last; ++i)
            if (!is_ascii_digit(line.text[i])) return false;
        return true;
    }
    static bool is_acronym(const Line& line, size_t begin, size_t last) noexcept {
        size_t at = begin, letters = 0;
        while (at < last) {
            if (letters > 0) {
                if (line.text[at] != '.') return false;
                if (++at == last) return false;
            }
            const Character one = get(line, at);
            if (!is_letter(one)) return false;
            at += one.size;
            ++letters;
        }
        return letters > 1;
    }

    // The key of a word in lower case; that of a long one is of no word that the rules know.
    Key key(const Line& line, size_t begin, size_t end) noexcept {
        char word[16 + PADDING] = {};
        const size_t size = end - begin < 16 ? end - begin : 16;
        for (size_t i = 0; i < size; ++i) {
            const unsigned char c = line.text[begin + i];
            word[i] = static_cast<char>(static_cast<unsigned>(c) - 'A' < 26u ? c | 0x20 : c);
        }
        return token_key(word, size);
    }

    const KeySet never_last_, before_number_, maybe_last_, starters_;
};

}  // namespace summeval
