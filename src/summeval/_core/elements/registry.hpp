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

#include "elements/lexicon.hpp"
#include "elements/names.hpp"
#include "elements/parses/cuts.hpp"
#include "elements/strings.hpp"
#include "elements/variants.hpp"
#include "rows/stop.hpp"

namespace summeval {

// What a type of parts is to transformations.
struct PartKind {
    int group = OTHER_PART, cls = 1;
    bool plural = false;
};

// A part under the numbers of the lexicon.
struct PartFacts {
    Part part, redotted;
    uint32_t name = NO_STRING, lemma = NO_STRING, unit = 0;
    bool person = false, group = false;  // what pronouns can stand for
};

// What only the caller knows; false if Python's exception is set.
struct Caller {
    void* self;
    bool (*kind)(void* self, std::string_view kind, PartKind& out);
};

class Registry {
  public:
    NameLists lists;
    std::vector<uint32_t> flags;  // of the rules of the elements that are read next, by their place

    size_t parts() const noexcept { return parts_.size(); }

    void open(Lexicon& lexicon) { varier_.open(lexicon); }

    // Numbers the elements of a text; without `duplicates`, equal ones count once.
    void read(Lexicon& lexicon, const Caller& caller, const Cut& cut, bool duplicates,
              Document& given) {
        ++documents_;
        Document& out = room_for_one_;
        out.clear();
        parts_of_.resize(cut.parts.size());
        hashes_.resize(cut.parts.size());
        for (uint32_t p = 0; p < cut.parts.size(); ++p) {
            hashes_[p] = mix(hash_bytes(cut.whole(p)), cut.parts[p].text);
            index_.prepare(hashes_[p]);
        }
        for (uint32_t p = 0; p < cut.parts.size(); ++p)
            parts_of_[p] = part(lexicon, caller, cut, p);
        const size_t size = cut.size();
        pace_(16 * size);
        size_t room = 16;
        while (room < 2 * size && !duplicates) room *= 2;
        seen_.assign(room, 0);
        for (size_t e = 0; e < size; ++e) {
            const uint32_t first = cut.first[e], parts = cut.first[e + 1] - first;
            Element fresh{flags[cut.rule[e]], parts & 3, {{0, 0, 0}}};
            UnitKey unit{{0, 0, 0}};
            for (uint32_t k = 0; k < parts; ++k) {
                fresh.parts[k] = parts_of_[cut.part[first + k]];
                unit[k] = parts_[fresh.parts[k]].facts.unit;
            }
            if (!duplicates && was_seen(unit, out.units)) continue;
            out.elements.push_back(fresh);
            out.units.push_back(unit);
            for (uint32_t k = 0; k < parts; ++k) describe(parts_[fresh.parts[k]], out);
        }
        out.close();
        given = out;  // no larger than it must be
    }

    // Finds what the elements of a candidate can turn into.
    void vary(Lexicon& lexicon, Document& document) {
        if (document.weighed == lexicon.weighed) return;
        document.weighed = 0;
        variants_.clear();
        document.variants_at.assign(1, 0);
        document.variants_at.reserve(document.elements.size() + 1);
        for (const Element& element : document.elements) {
            pace_(16);
            std::array<Part, 3> parts, dotted;
            for (size_t k = 0; k < element.size; ++k) {
                Known& known = parts_[element.parts[k]];
                if (!known.learned) learn(lexicon, known);
                parts[k] = known.facts.part;
                dotted[k] = known.facts.redotted;
            }
            varier_.vary(element.rule, element.size, parts, dotted, variants_);
            document.variants_at.push_back(static_cast<uint32_t>(variants_.size()));
        }
        document.variants = variants_;
        document.weighed = lexicon.weighed;
    }

  private:
    struct Known {
        std::string_view whole;  // of texts_
        uint32_t text;           // where the text of the part ends
        uint64_t last_document = 0;       // the last document that was told of it
        bool learned = false;    // whether what it can turn into is
        PartFacts facts;
    };

    std::unordered_map<std::string, PartKind> kinds_;
    std::unordered_map<std::string, uint32_t> names_;  // by group and text
    std::deque<std::string> texts_;
    std::vector<Known> parts_;
    Index index_;  // of the parts
    Varier varier_;
    std::vector<uint32_t> parts_of_;
    std::vector<uint64_t> hashes_;
    Document room_for_one_;
    std::vector<Variant> variants_;
    std::vector<uint32_t> seen_;  // open addressing: an element of this document + 1, or 0
    uint64_t documents_ = 0;
    std::string room_, redotted_, key_;
    Pace pace_;

    static void learn(Lexicon& lexicon, Known& part) {
        lexicon.learn(part.facts.part.number);
        if (part.facts.redotted.code != NO_CODE) lexicon.learn(part.facts.redotted.number);
        part.learned = true;
    }

    bool was_seen(const UnitKey& unit, const std::vector<UnitKey>& units) noexcept {
        size_t at = static_cast<size_t>(hash(unit)) & (seen_.size() - 1);
        for (; seen_[at] != 0; at = (at + 1) & (seen_.size() - 1))
            if (units[seen_[at] - 1] == unit) return true;
        seen_[at] = static_cast<uint32_t>(units.size()) + 1;
        return false;
    }

    uint32_t part(Lexicon& lexicon, const Caller& caller, const Cut& cut, uint32_t p) {
        const std::string_view whole = cut.whole(p);
        const uint32_t text = cut.parts[p].text;
        pace_(16 + whole.size() / 8);
        const uint64_t its = hashes_[p];
        const uint32_t known = index_.find(its, [&](uint32_t number) {
            return parts_[number].text == text && parts_[number].whole == whole;
        });
        if (known != Index::NONE) return known;
        Known fresh{{}, text, 0, false, new_part(lexicon, caller, cut.text(p), cut.kind(p))};
        fresh.whole = texts_.emplace_back(whole);
        const uint32_t number = static_cast<uint32_t>(parts_.size());
        index_.add(its, number, [&] { parts_.push_back(fresh); });
        return number;
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
            return lexicon.part(
                make_code(lexicon.intern(lower), kind.group, kind.cls, kind.plural, capitals));
        };
        PartFacts facts;
        facts.part = code_of(text);
        const Code code = facts.part.code;
        facts.unit = packed_unit(string_of(code), class_of(code));
        if (is_name) facts.name = name_of(lexicon, text, kind.group);
        facts.lemma = lexicon.lemma(code);
        const uint32_t string = string_of(code);
        if (string < lexicon.tabled &&
            (lexicon.places.count(string) || lexicon.words.count(string)))
            lexicon.learn_name(string);
        if (names::redotted(text, redotted_)) {
            // Forms with other periods are parts too, but their own such forms are not needed.
            facts.redotted = code_of(redotted_);
            if (is_name) name_of(lexicon, redotted_, kind.group);
        }
        facts.person = kind.group == PERSON_PART;
        facts.group = !facts.person && (kind.plural || kind.group == ORGANIZATION_PART);
        return facts;
    }

    uint32_t name_of(Lexicon& lexicon, std::string_view text, int group) {
        key_.assign(1, static_cast<char>('0' + group));
        key_.append(text);
        const auto known = names_.find(key_);
        if (known != names_.end()) return known->second;
        return names_[key_] = add_name(lexicon, lists, text, group);
    }

    // Records what the matching needs of a part.
    void describe(Known& part, Document& out) const {
        if (part.last_document == documents_) return;
        part.last_document = documents_;
        const PartFacts& facts = part.facts;
        const uint32_t string = string_of(facts.part.code);
        out.strings.push_back(string);
        if (facts.lemma != NO_STRING) out.lemmas.push_back(facts.lemma);
        if (facts.name != NO_STRING) out.names.push_back(facts.name);
        if (facts.person) out.persons.push_back(string);
        if (facts.group) out.groups.push_back(string);
    }
};

}  // namespace summeval
