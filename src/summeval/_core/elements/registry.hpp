// Elements as the numbers of a lexicon: their parts and the elements themselves are numbered once,
// and what their names and pronouns need is collected for each document.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "elements/cuts.hpp"
#include "elements/lexicon.hpp"
#include "elements/names.hpp"
#include "elements/strings.hpp"

namespace summeval {

struct Document {
    std::vector<uint32_t> elements;  // of the lexicon
    std::vector<uint32_t> names;     // of its entities, without repetition
    std::vector<uint32_t> persons, groups;  // strings that pronouns can be replaced by

    // Removes repetitions from the arrays that are only looked up.
    void close() {
        for (std::vector<uint32_t>* one : {&names, &persons, &groups}) {
            std::sort(one->begin(), one->end());
            one->erase(std::unique(one->begin(), one->end()), one->end());
        }
    }
};

// What a type of parts is to transformations.
struct PartKind {
    int group = OTHER_PART, cls = 1;
    bool plural = false;
};

// A part under the numbers of the lexicon.
struct PartFacts {
    Code code = NO_CODE, redotted = NO_CODE;
    uint32_t name = NO_STRING;
    bool person = false, group = false;  // what pronouns can stand for
};

// What only the caller knows. Each returns false if Python's exception is set.
struct Caller {
    void* self;
    bool (*kind)(void* self, std::string_view kind, PartKind& out);
    // The number of the name of an entity that is not ASCII.
    bool (*name)(void* self, std::string_view text, std::string_view kind, int group,
                 uint32_t& out);
    // The text with other periods; false in `has` if there is none.
    bool (*redot)(void* self, std::string_view text, std::string& out, bool& has);
};

// Numbers that are looked up by a hash: slots hold a number + 1, or 0.
class Slots {
  public:
    template <class Same>
    uint32_t* find(uint64_t hash, Same same) noexcept {
        size_t at = static_cast<size_t>(hash) & (slots_.size() - 1);
        while (slots_[at] != 0 && !same(slots_[at] - 1)) at = (at + 1) & (slots_.size() - 1);
        return &slots_[at];
    }
    // Makes room for one more; `hash_of` gives the hash of a number that is there.
    template <class HashOf>
    void reserve(size_t numbers, HashOf hash_of) {
        if (2 * (numbers + 1) <= slots_.size()) return;
        slots_.assign(2 * slots_.size(), 0);
        for (size_t k = 0; k < numbers; ++k)
            *find(hash_of(static_cast<uint32_t>(k)), [](uint32_t) { return false; }) =
                static_cast<uint32_t>(k) + 1;
    }

  private:
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024, 0);
};

class Registry {
  public:
    NameLists lists;
    std::vector<uint32_t> flags;  // of the rules of the elements that are read next, by their place

    size_t elements() const noexcept { return elements_.size(); }

    // Numbers the elements of a text; without `duplicates`, equal ones count once.
    void read(Lexicon& lexicon, const Caller& caller, const Cut& cut, bool duplicates,
              Document& out) {
        ++documents_;
        parts_of_.resize(cut.parts.size());
        for (size_t p = 0; p < cut.parts.size(); ++p)
            parts_of_[p] = part(lexicon, caller, cut, static_cast<uint32_t>(p));
        for (size_t e = 0; e < cut.size(); ++e) {
            pace_(16);
            const uint32_t number = element(lexicon, cut, e);
            if (!duplicates) {
                uint64_t& last = seen_[unit_[number]];
                if (last == documents_) continue;
                last = documents_;
            }
            out.elements.push_back(number);
            describe(elements_[number], out);
        }
        out.close();
    }

  private:
    struct PartKey {
        std::string_view whole;
        uint32_t text;
    };
    struct ElementKey {
        uint32_t flags, size;
        std::array<uint32_t, 3> parts;
        bool operator==(const ElementKey& other) const noexcept {
            return flags == other.flags && size == other.size && parts == other.parts;
        }
    };
    using UnitKey = std::array<uint32_t, 3>;

    std::unordered_map<std::string, PartKind> kinds_;
    std::unordered_map<std::string, uint32_t> names_;  // by group and text
    std::deque<std::string> texts_;
    std::vector<PartKey> part_keys_;
    std::vector<PartFacts> parts_;
    std::vector<uint64_t> told_;  // by part: the last document that was told of it
    std::vector<ElementKey> elements_;
    std::vector<uint32_t> unit_;  // by element: a number that equal elements share
    std::vector<UnitKey> units_;
    std::vector<uint64_t> seen_;  // by that number: the last document that has it
    Slots part_slots_, element_slots_, unit_slots_;
    std::vector<uint32_t> parts_of_;
    uint64_t documents_ = 0;
    std::string room_, redotted_, key_;
    Pace pace_;

    static uint64_t mix(uint64_t a, uint64_t b) noexcept {
        uint64_t mixed = (a ^ b) * 0x9E3779B97F4A7C15ull;
        return mixed ^ (mixed >> 29);
    }
    static uint64_t hash(const PartKey& key) noexcept {
        return mix(std::hash<std::string_view>()(key.whole), key.text);
    }
    static uint64_t hash(const ElementKey& key) noexcept {
        uint64_t mixed = mix(key.flags * 4 + key.size, key.parts[0]);
        mixed = mix(mixed, key.parts[1] + 0x51ED2701ull);
        mixed = mix(mixed, key.parts[2] + 0x7F4A7C15ull);
        return mixed ^ (mixed >> 32);
    }
    static uint64_t hash(const UnitKey& key) noexcept {
        uint64_t mixed = mix(key[0], 0x2545F491ull);
        mixed = mix(mixed, key[1] + 0x51ED2701ull);
        mixed = mix(mixed, key[2] + 0x7F4A7C15ull);
        return mixed ^ (mixed >> 32);
    }

    uint32_t part(Lexicon& lexicon, const Caller& caller, const Cut& cut, uint32_t p) {
        const PartKey key{cut.whole(p), cut.parts[p].text};
        pace_(16 + key.whole.size() / 8);
        const auto same = [&](uint32_t number) {
            return part_keys_[number].text == key.text && part_keys_[number].whole == key.whole;
        };
        const uint64_t its = hash(key);
        if (const uint32_t known = *part_slots_.find(its, same)) return known - 1;
        const PartFacts facts = new_part(lexicon, caller, cut.text(p), cut.kind(p));
        part_slots_.reserve(parts_.size(),
                            [this](uint32_t number) { return hash(part_keys_[number]); });
        texts_.emplace_back(key.whole);
        part_keys_.push_back({texts_.back(), key.text});
        parts_.push_back(facts);
        told_.push_back(0);
        *part_slots_.find(its, same) = static_cast<uint32_t>(parts_.size());
        return static_cast<uint32_t>(parts_.size()) - 1;
    }

    PartKind kind_of(const Caller& caller, std::string_view written) {
        const auto known = kinds_.find(std::string(written));
        if (known != kinds_.end()) return known->second;
        PartKind kind;
        if (!caller.kind(caller.self, written, kind)) throw Stopped{};
        kinds_.emplace(written, kind);
        return kind;
    }

    PartFacts new_part(Lexicon& lexicon, const Caller& caller, std::string_view text,
                       std::string_view written) {
        const PartKind kind = kind_of(caller, written);
        const bool is_name = kind.group >= PERSON_PART;
        const auto code_of = [&](std::string_view form) {
            const std::string_view lower = lower_case(form, room_);
            const bool capitals = is_name && lower != form;
            return make_code(lexicon.intern(lower), kind.group, kind.cls, kind.plural, capitals);
        };
        PartFacts facts;
        facts.code = code_of(text);
        if (is_name) facts.name = name_of(lexicon, caller, text, written, kind.group);
        lexicon.learn_lemma(facts.code);
        const uint32_t string = string_of(facts.code);
        if (string < lexicon.tabled &&
            (lexicon.places.count(string) || lexicon.words.count(string)))
            lexicon.learn_name(string);
        if (redot(caller, text)) {
            // Forms with other periods are parts too, but their own such forms are not needed.
            facts.redotted = code_of(redotted_);
            if (is_name) name_of(lexicon, caller, redotted_, written, kind.group);
        }
        facts.person = kind.group == PERSON_PART;
        facts.group = !facts.person && (kind.plural || kind.group == ORGANIZATION_PART);
        return facts;
    }

    uint32_t name_of(Lexicon& lexicon, const Caller& caller, std::string_view text,
                     std::string_view kind, int group) {
        if (std::any_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
            uint32_t number = NO_STRING;
            if (!caller.name(caller.self, text, kind, group, number)) throw Stopped{};
            return number;
        }
        key_.assign(1, static_cast<char>('0' + group));
        key_.append(text);
        const auto known = names_.find(key_);
        if (known != names_.end()) return known->second;
        return names_[key_] = add_ascii_name(lexicon, lists, text, group);
    }

    // Whether a text has a form with other periods, which is then in `redotted_`.
    bool redot(const Caller& caller, std::string_view text) {
        bool periods = false, ascii = true;
        for (const char c : text) {
            periods = periods || c == '.';
            ascii = ascii && static_cast<unsigned char>(c) < 0x80;
        }
        if (!ascii) {
            bool has = false;
            if (!caller.redot(caller.self, text, redotted_, has)) throw Stopped{};
            return has;
        }
        redotted_.clear();
        if (periods) {
            const auto blank = [](char c) { return is_blank(static_cast<unsigned char>(c)); };
            for (const char c : text)
                if (c != '.' && !(redotted_.empty() && blank(c))) redotted_.push_back(c);
            while (!redotted_.empty() && blank(redotted_.back())) redotted_.pop_back();
            return !redotted_.empty();
        }
        bool changed = false;
        for (size_t begin = 0; begin <= text.size();) {
            const size_t end = std::min(text.find(' ', begin), text.size());
            const std::string_view word = text.substr(begin, end - begin);
            const bool dots = !word.empty() && word.size() < 5 &&
                              std::all_of(word.begin(), word.end(),
                                          [](char c) { return c >= 'A' && c <= 'Z'; });
            for (const char c : word) {
                redotted_.push_back(c);
                if (dots) redotted_.push_back('.');
            }
            changed = changed || dots;
            if (end < text.size()) redotted_.push_back(' ');
            begin = end + 1;
        }
        return changed;
    }

    uint32_t element(Lexicon& lexicon, const Cut& cut, size_t e) {
        const uint32_t first = cut.first[e];
        ElementKey key{flags[cut.rule[e]], cut.first[e + 1] - first, {{0, 0, 0}}};
        for (size_t k = 0; k < key.size; ++k) key.parts[k] = parts_of_[cut.part[first + k]];
        const auto same = [&](uint32_t number) { return elements_[number] == key; };
        const uint64_t its = hash(key);
        if (const uint32_t known = *element_slots_.find(its, same)) return known - 1;
        element_slots_.reserve(elements_.size(),
                               [this](uint32_t number) { return hash(elements_[number]); });
        Element fresh{};
        fresh.rule = static_cast<int>(key.flags);
        fresh.size = static_cast<int>(key.size);
        for (size_t k = 0; k < key.size; ++k) {
            fresh.parts[k] = parts_[key.parts[k]].code;
            fresh.redotted[k] = parts_[key.parts[k]].redotted;
        }
        lexicon.elements.push_back(fresh);
        elements_.push_back(key);
        unit_.push_back(unit(fresh));
        *element_slots_.find(its, same) = static_cast<uint32_t>(elements_.size());
        return static_cast<uint32_t>(elements_.size()) - 1;
    }

    uint32_t unit(const Element& element) {
        UnitKey key{{0, 0, 0}};
        for (size_t k = 0; k < static_cast<size_t>(element.size); ++k)
            key[k] = (string_of(element.parts[k]) << 2 | class_of(element.parts[k])) + 1;
        const auto same = [&](uint32_t number) { return units_[number] == key; };
        const uint64_t its = hash(key);
        if (const uint32_t known = *unit_slots_.find(its, same)) return known - 1;
        unit_slots_.reserve(units_.size(),
                            [this](uint32_t number) { return hash(units_[number]); });
        units_.push_back(key);
        seen_.push_back(0);
        *unit_slots_.find(its, same) = static_cast<uint32_t>(units_.size());
        return static_cast<uint32_t>(units_.size()) - 1;
    }

    // Records the facts about parts that names and pronouns need.
    void describe(const ElementKey& element, Document& out) {
        for (size_t k = 0; k < element.size; ++k) {
            const uint32_t number = element.parts[k];
            if (told_[number] == documents_) continue;
            told_[number] = documents_;
            const PartFacts& facts = parts_[number];
            if (facts.name != NO_STRING) out.names.push_back(facts.name);
            if (facts.person) out.persons.push_back(string_of(facts.code));
            if (facts.group) out.groups.push_back(string_of(facts.code));
        }
    }
};

}  // namespace summeval
