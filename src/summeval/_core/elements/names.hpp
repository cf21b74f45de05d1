// The structure of names in ASCII. The definition, which also serves other names, is
// summeval.elements.resources.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
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

inline char low(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline bool is_word(char c) noexcept {
    return (low(c) >= 'a' && low(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
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
    std::string made(text);
    for (char& c : made) c = low(c);
    return made;
}

// Lower case without periods, brackets and double quotes.
inline std::string bare(std::string_view text) {
    std::string made;
    for (const char c : text)
        if (std::string_view(".()[]\"").find(c) == std::string_view::npos) made.push_back(low(c));
    return made;
}

inline Words split(std::string_view text) {
    Words found;
    bool inside = false;
    for (const char c : text) {
        const bool blank = is_blank(static_cast<unsigned char>(c));
        if (!blank && !inside) found.emplace_back();
        if (!blank) found.back().push_back(c);
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
    for (size_t k = 0; k < text.size(); ++k) {
        made.push_back(low(text[k]));
        if (is_word(text[k]) && (k == 0 || !is_word(text[k - 1])) && k + 1 < text.size() &&
            text[k + 1] == '.')
            ++k;
    }
    return made;
}

inline void read_person(Lexicon& lexicon, const NameLists& lists, std::string_view text,
                        Name& name) {
    const Words words = split(bare(text));
    Words told, plain;
    for (const std::string& word : words) {
        if (is_generation(word)) continue;
        told.push_back(word);
        if (lists.titles.count(word) == 0) plain.push_back(word);
    }
    if (!lexicon.original && !plain.empty()) told.swap(plain);
    name.text = lexicon.intern(joined(words));
    name.initials = lexicon.intern(initials(text));
    if (!told.empty() && !told.back().empty()) name.last = lexicon.intern(told.back());
    if (told.size() > 1) told.pop_back();
    for (const std::string& word : told)
        if (word.size() > 1) name.others.push_back(lexicon.intern(word));
}

inline void shorten(Lexicon& lexicon, const NameLists& lists, std::string_view text, Name& name) {
    const Words words = split(lowered(text));
    Words kept = words;
    if (name.group == ORGANIZATION_PART && !words.empty()) {
        std::string last = words.back();
        if (last.back() == '.') last.pop_back();
        // The original's list misspells this word.
        const bool slip = lexicon.original && (last == "incorporated" || last == "incoporated");
        if (slip ? last == "incoporated" : lists.suffixes.count(last) > 0) {
            kept.pop_back();
            if (!kept.empty() && !lexicon.original && kept.back().back() == ',')
                kept.back().pop_back();
        }
    } else if (name.group == LOCATION_PART) {
        kept.erase(std::remove_if(kept.begin(), kept.end(),
                                  [](const std::string& word) {
                                      for (const char* way : {"south", "east", "west", "north"})
                                          if (word.rfind(way, 0) == 0) return true;
                                      return false;
                                  }),
                   kept.end());
    }
    const std::string shorter = joined(kept);
    if (!shorter.empty() && kept != words) name.shortened = lexicon.intern(shorter);
}

inline void person_acronyms(Lexicon& lexicon, const NameLists& lists, const Words& words,
                            Name& name) {
    Words told;
    if (words.size() > 2)
        for (const std::string& word : words) {
            std::string plain = bare(word);
            if (!plain.empty() && lists.titles.count(plain) == 0) told.push_back(std::move(plain));
        }
    if (told.size() < 2) return;
    std::string letters;
    for (size_t k = 0; k < told.size(); ++k)
        letters += k > 0 && is_generation(told[k]) ? told[k] : told[k].substr(0, 1);
    name.acronyms.push_back(lexicon.intern(letters));
}

inline void organization_acronyms(Lexicon& lexicon, const Words& words, Name& name) {
    if (words.size() < 2) return;
    struct Way {
        const char *joined, *of;
    };
    for (const Way& way : {Way{"a", "o"}, Way{"", ""}, Way{"&", "o"}, Way{"", "o"}, Way{"&", ""}}) {
        std::string letters;
        for (const std::string& word : words) {
            const std::string lower = lowered(word);
            if (lower == "and" || lower == "&") letters += way.joined;
            else if (lower == "of") letters += way.of;
            else if (lower != "the") letters += in_capitals(word) ? lower : lower.substr(0, 1);
        }
        if (letters.empty()) continue;
        const uint32_t string = lexicon.intern(letters);
        if (std::find(name.acronyms.begin(), name.acronyms.end(), string) == name.acronyms.end())
            name.acronyms.push_back(string);
    }
}

}  // namespace names

// The name of an entity of one of the three groups; the text is ASCII.
inline uint32_t add_ascii_name(Lexicon& lexicon, const NameLists& lists, std::string_view text,
                               int group) {
    Name name{group, lexicon.intern(names::lowered(text)), NO_STRING, NO_STRING, NO_STRING,
              NO_STRING, {}, {}};
    const names::Words words = names::split(text);
    if (group == PERSON_PART) {
        names::read_person(lexicon, lists, text, name);
        names::person_acronyms(lexicon, lists, words, name);
    } else {
        names::shorten(lexicon, lists, text, name);
        if (group == ORGANIZATION_PART) names::organization_acronyms(lexicon, words, name);
    }
    return lexicon.add_name(std::move(name));
}

}  // namespace summeval
