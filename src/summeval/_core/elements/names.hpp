// The structure of names, and their periods. The definition is tests/definitions/elements/names.py.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "elements/lexicon.hpp"
#include "elements/strings.hpp"

namespace summeval {

struct NameLists {
    std::unordered_set<std::string> titles, suffixes;
};

namespace names {

using Words = std::vector<std::string>;

// A person's name in lower case: without periods, with those after more than one letter, and words.
struct Person {
    std::string text, initials, last;
    Words others;
};

// The character at `begin`, and its length in bytes.
inline uint32_t character_at(std::string_view text, size_t begin, size_t& length) noexcept {
    const auto lead = static_cast<unsigned char>(text[begin]);
    length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    length = std::min(length, text.size() - begin);
    if (length == 1) return lead;
    uint32_t code = lead & (0xFFu >> (length + 1));
    for (size_t k = begin + 1; k < begin + length; ++k)
        code = code << 6 | (static_cast<unsigned char>(text[k]) & 0x3Fu);
    return code;
}

inline std::string first_of(const std::string& word) {
    size_t length = 0;
    character_at(word, 0, length);
    return word.substr(0, length);
}

// Whether \w matches it.
inline bool is_word(uint32_t code) noexcept {
    if (code < 0x80)
        return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z') ||
               (code >= '0' && code <= '9') || code == '_';
#ifdef PY_VERSION_HEX
    return Py_UNICODE_ISALNUM(code);
#else
    return true;
#endif
}

inline bool in_capitals(std::string_view word) noexcept {
    return !word.empty() &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

inline bool is_generation(const std::string& word) noexcept {
    for (const char* one : {"jr", "sr", "i", "ii", "iii", "iv", "v"})
        if (word == one) return true;
    return false;
}

inline std::string lowered(std::string_view text) {
    std::string made;
    lower_case(text, made);
    return made;
}

// Lower case without periods, brackets and double quotes.
inline std::string bare(std::string_view text) {
    std::string made = lowered(text);
    const auto drops = [](char c) { return std::string_view(".()[]\"").find(c) != std::string_view::npos; };
    made.erase(std::remove_if(made.begin(), made.end(), drops), made.end());
    return made;
}

inline Words split(std::string_view text) {
    Words found;
    bool inside = false;
    size_t length = 0;
    for (size_t at = 0; at < text.size(); at += length) {
        const bool blank = is_blank(character_at(text, at, length));
        if (!blank && !inside) found.emplace_back();
        if (!blank) found.back().append(text.substr(at, length));
        inside = !blank;
    }
    return found;
}

inline std::string joined(const Words& words) {
    std::string made;
    for (const std::string& word : words) {
        if (&word != words.data()) made.push_back(' ');
        made += word;
    }
    return made;
}

// Without periods after letters that stand alone.
inline std::string initials(std::string_view text) {
    std::string made;
    bool before = false;  // whether a letter is
    size_t length = 0;
    for (size_t at = 0; at < text.size();) {
        const bool letter = is_word(character_at(text, at, length));
        made.append(text.substr(at, length));
        at += length;
        const bool alone = letter && !before && at < text.size() && text[at] == '.';
        at += alone;
        before = letter && !alone;
    }
    return made;
}

inline Person person(std::string_view text, const NameLists& lists, bool original) {
    const Words words = split(bare(text));
    Words parts, plain;
    for (const std::string& word : words) {
        if (is_generation(word)) continue;
        parts.push_back(word);
        if (lists.titles.count(word) == 0) plain.push_back(word);
    }
    if (!original && !plain.empty()) parts.swap(plain);
    Person found{joined(words), initials(lowered(text)), parts.empty() ? "" : parts.back(), {}};
    if (parts.size() > 1) parts.pop_back();
    for (const std::string& word : parts)
        if (word != first_of(word)) found.others.push_back(word);
    return found;
}

// Whether a name of that group becomes shorter, which is then in `out`.
inline bool shortened(std::string_view text, int group, const NameLists& lists, bool original,
                      std::string& out) {
    const Words words = split(lowered(text));
    Words kept = words;
    if (group == ORGANIZATION_PART && !words.empty()) {
        std::string last = words.back();
        if (last.back() == '.') last.pop_back();
        // The original's list misspells this word.
        const bool slip = original && (last == "incorporated" || last == "incoporated");
        if (slip ? last == "incoporated" : lists.suffixes.count(last) > 0) {
            kept.pop_back();
            if (!kept.empty() && !original && kept.back().back() == ',') kept.back().pop_back();
        }
    } else if (group == LOCATION_PART) {
        const auto is_way = [](const std::string& word) {
            for (const char* way : {"south", "east", "west", "north"})
                if (word.rfind(way, 0) == 0) return true;
            return false;
        };
        kept.erase(std::remove_if(kept.begin(), kept.end(), is_way), kept.end());
    }
    out = joined(kept);
    return !out.empty() && kept != words;
}

// In alphabetical order.
inline Words acronyms(std::string_view text, int group, const NameLists& lists) {
    const Words words = split(text);
    if (group == PERSON_PART) {
        Words parts;
        if (words.size() > 2)
            for (const std::string& word : words) {
                std::string plain = bare(word);
                if (!plain.empty() && lists.titles.count(plain) == 0)
                    parts.push_back(std::move(plain));
            }
        if (parts.size() < 2) return {};
        std::string letters;
        for (size_t k = 0; k < parts.size(); ++k)
            letters += k > 0 && is_generation(parts[k]) ? parts[k] : first_of(parts[k]);
        return {letters};
    }
    if (group != ORGANIZATION_PART || words.size() < 2) return {};
    struct Way {
        const char *joined, *of;
    };
    std::set<std::string> found;
    for (const Way& way : {Way{"a", "o"}, Way{"", ""}, Way{"&", "o"}, Way{"", "o"}, Way{"&", ""}}) {
        std::string letters;
        for (const std::string& word : words) {
            const std::string lower = lowered(word);
            if (lower == "and" || lower == "&") letters += way.joined;
            else if (lower == "of") letters += way.of;
            else if (lower != "the") letters += in_capitals(word) ? lower : first_of(lower);
        }
        found.insert(std::move(letters));
    }
    found.erase("");
    return Words(found.begin(), found.end());
}

// Whether a text has a form with other periods, which is then in `out`.
inline bool redotted(std::string_view text, std::string& out) {
    out.clear();
    if (text.find('.') != std::string_view::npos) {
        for (const char c : text)
            if (c != '.') out.push_back(c);
        size_t begin = 0, end = out.size(), length = 0;
        while (begin < end && is_blank(character_at(out, begin, length))) begin += length;
        while (begin < end && is_blank(character_before(out, end, length))) end -= length;
        out = out.substr(begin, end - begin);
        return !out.empty();
    }
    bool changed = false;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(' ', begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const bool dots = word.size() < 5 && in_capitals(word);
        for (const char c : word) {
            out.push_back(c);
            if (dots) out.push_back('.');
        }
        changed = changed || dots;
        if (end < text.size()) out.push_back(' ');
        begin = end + 1;
    }
    return changed;
}

}  // namespace names

// Adds the name of an entity of one of the three groups.
inline uint32_t add_name(Lexicon& lexicon, const NameLists& lists, std::string_view text,
                         int group) {
    Name name{group, lexicon.intern(names::lowered(text)), NO_STRING, NO_STRING, NO_STRING,
              NO_STRING, {}, {}};
    if (group == PERSON_PART) {
        const names::Person found = names::person(text, lists, lexicon.original);
        name.text = lexicon.intern(found.text);
        name.initials = lexicon.intern(found.initials);
        if (!found.last.empty()) name.last = lexicon.intern(found.last);
        for (const std::string& word : found.others) name.others.push_back(lexicon.intern(word));
    } else {
        std::string shorter;
        if (names::shortened(text, group, lists, lexicon.original, shorter))
            name.shortened = lexicon.intern(shorter);
    }
    for (const std::string& acronym : names::acronyms(text, group, lists))
        name.acronyms.push_back(lexicon.intern(acronym));
    return lexicon.add_name(std::move(name));
}

}  // namespace summeval
