// Porter's stemmer in three variants (see tests/definitions/text/stemmer.py, which defines them). A word is
// stemmed in place, in the caller's buffer: a step shortens it, or adds one letter where an earlier
// step had removed one, so the word never grows. Letters are bytes; every byte that is not an ASCII
// vowel counts as a consonant. Suffixes are ASCII, so a UTF-8 word stays valid.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace summeval {

enum : int { STEM_NONE = 0, STEM_ROUGE155 = 1, STEM_PORTER = 2, STEM_PORTER_JAVA = 3 };

namespace stemming {

struct Rule {
    std::string_view suffix, replacement;
};

// In each table a suffix comes before the suffixes that it ends with: the first match is the
// longest.
inline constexpr Rule STEP2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
    {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
    {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
    {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
    {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
    {"logi", "log"},
};
inline constexpr Rule STEP2_PORTER[] = {{"fulli", "ful"}};
inline constexpr Rule STEP3[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
    {"ical", "ic"},  {"ful", ""},   {"ness", ""},
};
inline constexpr Rule STEP4_ROUGE155[] = {
    {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""}, {"ement", ""}, {"al", ""},
    {"er", ""},   {"ic", ""},   {"ant", ""},  {"ou", ""},   {"ism", ""},   {"ate", ""},
    {"iti", ""},  {"ous", ""},  {"ive", ""},  {"ize", ""},
};
inline constexpr Rule STEP4_ENT[] = {{"ment", ""}, {"ent", ""}};
inline constexpr Rule STEP4_ION[] = {{"ion", ""}};
inline constexpr Rule IRREGULAR[] = {
    {"skies", "sky"},      {"dying", "die"},      {"lying", "lie"},        {"tying", "tie"},
    {"innings", "inning"}, {"outings", "outing"}, {"cannings", "canning"}, {"sky", "sky"},
    {"news", "news"},      {"inning", "inning"},  {"outing", "outing"},    {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},   {"succeed", "succeed"},
};

inline bool is_plain_vowel(char c) noexcept {
    return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u';
}

// The word that is being stemmed: text[0 .. size). Its steps have the names of the paper.
struct Word {
    char* text;
    int32_t size;
    int kind;

    bool ends(std::string_view suffix) const noexcept {
        const auto length = static_cast<int32_t>(suffix.size());
        return size >= length &&
               std::memcmp(text + size - length, suffix.data(), suffix.size()) == 0;
    }

    char last(int32_t back = 1) const noexcept { return size >= back ? text[size - back] : '\0'; }

    // In a run of y, each y is a vowel if the letter before it is a consonant, so they alternate.
    bool is_vowel(int32_t i) const noexcept {
        if (text[i] != 'y') return is_plain_vowel(text[i]);
        int32_t first = i;
        while (first > 0 && text[first - 1] == 'y') --first;
        const bool first_is_vowel = first > 0 && !is_plain_vowel(text[first - 1]);
        return ((i - first) & 1) != 0 ? !first_is_vowel : first_is_vowel;
    }

    bool has_vowel(int32_t length) const noexcept {
        for (int32_t i = 0; i < length; ++i)
            if (is_plain_vowel(text[i]) || (text[i] == 'y' && i > 0)) return true;
        return false;
    }

    // Porter's m of the first `length` letters, counted up to 2: no rule needs more.
    int measure(int32_t length) const noexcept {
        int m = 0;
        bool after_vowel = false;
        for (int32_t i = 0; i < length && m < 2; ++i) {
            const bool vowel =
                is_plain_vowel(text[i]) || (text[i] == 'y' && i > 0 && !after_vowel);
            m += after_vowel && !vowel;
            after_vowel = vowel;
        }
        return m;
    }

    // Porter's *o of the first `length` letters, as the variant defines it; implies m == 1.
    bool is_short(int32_t length) const noexcept {
        if (measure(length) != 1) return false;
        if (length == 2) return kind == STEM_PORTER && is_vowel(0) && !is_vowel(1);
        if (length < 3 || is_vowel(length - 1) || !is_vowel(length - 2) || is_vowel(length - 3))
            return false;
        if (kind == STEM_ROUGE155 && has_vowel(length - 2)) return false;
        const char end = text[length - 1];
        return end != 'w' && end != 'x' && end != 'y';
    }

    void add(char letter) noexcept { text[size++] = letter; }

    // Applies the first rule with a matching suffix, if the rest of the word has m >= minimum.
    template <std::size_t N>
    bool replace(const Rule (&rules)[N], int minimum) noexcept {
        for (const Rule& rule : rules) {
            if (!ends(rule.suffix)) continue;
            const int32_t before = size - static_cast<int32_t>(rule.suffix.size());
            if (measure(before) < minimum) return true;
            std::memcpy(text + before, rule.replacement.data(), rule.replacement.size());
            size = before + static_cast<int32_t>(rule.replacement.size());
            return true;
        }
        return false;
    }

    void plural() noexcept {
        if (kind == STEM_PORTER && size == 4 && ends("ies")) {
            size -= 1;
        } else if (ends("sses") || ends("ies")) {
            size -= 2;
        } else if (last() == 's' && last(2) != 's') {
            size -= 1;
        }
    }

    void ed_ing() noexcept {
        if (kind == STEM_PORTER && ends("ied")) {
            size -= size == 4 ? 1 : 2;
            return;
        }
        if (ends("eed")) {
            size -= measure(size - 3) > 0;
            return;
        }
        const int32_t length = ends("ed") ? 2 : ends("ing") ? 3 : 0;
        if (length == 0 || !has_vowel(size - length)) return;
        size -= length;
        const char end = last();
        if (ends("at") || ends("bl") || ends("iz")) {
            add('e');
        } else if (end == last(2) && static_cast<unsigned char>(end) < 0x80 &&
                   !is_vowel(size - 1) && !(kind == STEM_ROUGE155 && end == 'y')) {
            size -= end != 'l' && end != 's' && end != 'z';
        } else if (is_short(size)) {
            add('e');
        }
    }

    void y_to_i() noexcept {
        if (last() != 'y') return;
        const bool applies =
            kind == STEM_PORTER ? size > 2 && !is_vowel(size - 2) : has_vowel(size - 1);
        if (applies) text[size - 1] = 'i';
    }

    void double_suffixes() noexcept {
        if (kind == STEM_PORTER) {
            if (ends("alli") && measure(size - 4) > 0) size -= 2;
            if (ends("logi")) {
                size -= measure(size - 3) > 0;
                return;
            }
            if (replace(STEP2_PORTER, 1)) return;
        }
        replace(STEP2, 1);
    }

    void long_suffixes() noexcept {
        const bool matched = replace(STEP4_ROUGE155, 2);
        if (kind == STEM_ROUGE155) {
            // ROUGE-1.5.5 continues with the shortened word: several suffixes may be removed
            if (ends("ment") && measure(size - 4) > 1) size -= 4;
            if (ends("ent")) {
                if (measure(size - 3) > 1) size -= 3;
                return;
            }
        } else if (matched || replace(STEP4_ENT, 2)) {
            return;
        }
        if (ends("sion") || ends("tion")) replace(STEP4_ION, 2);
    }

    void tidy() noexcept {
        if (last() == 'e') {
            const int m = measure(size - 1);
            if (m > 1 || (m == 1 && !is_short(size - 1))) size -= 1;
        }
        if (last() == 'l' && last(2) == 'l' && measure(size) > 1) size -= 1;
    }
};

}  // namespace stemming

// Writes the stem of a lower-case word to `out` (room: size + 8) and returns its length. Words of 1
// or 2 bytes are not changed. The caller handles ROUGE's limit of 3 bytes and its exceptions.
inline int32_t stem(int kind, const char* word, int32_t size, char* out) noexcept {
    if (size > 0) std::memcpy(out, word, static_cast<std::size_t>(size));
    if (kind == STEM_NONE || size < 3) return size;
    if (kind == STEM_PORTER) {
        const std::string_view whole(word, static_cast<std::size_t>(size));
        for (const auto& rule : stemming::IRREGULAR) {
            if (rule.suffix != whole) continue;
            std::memcpy(out, rule.replacement.data(), rule.replacement.size());
            return static_cast<int32_t>(rule.replacement.size());
        }
    }
    stemming::Word result{out, size, kind};
    result.plural();
    result.ed_ing();
    result.y_to_i();
    result.double_suffixes();
    result.replace(stemming::STEP3, 1);
    result.long_suffixes();
    result.tidy();
    return result.size;
}

}  // namespace summeval
