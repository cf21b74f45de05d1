// What Basic Elements can turn into, whatever the references: strings as numbers, parts as codes,
// and for each the results of the transformations (summeval._textbook.transformations) that need
// only the element itself. The caller reads names and passes them as numbers.
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

#include "elements/wordnet.hpp"
#include "rows/stop.hpp"

namespace summeval {

constexpr uint32_t NO_STRING = UINT32_MAX;

// The group of a part's type, as transformations distinguish them.
enum Group : int { NOUN_PART, VERB_PART, ADJECTIVE_PART, ADVERB_PART, OTHER_PART, PREPOSITION_PART,
                   PERSON_PART, ORGANIZATION_PART, LOCATION_PART };

// The groups of transformations; each has a coefficient.
enum Kind : int { LEMM, SYNO, PREP, ABBR, PERI, HYPE, NAME, PRON, PERT, MEMB, SWAP, NPPP, ROLE, NOMI,
                  ADJV, KINDS };

// Which transformations a rule allows.
enum RuleFlag : int { SWAPS = 1, INVERTS = 2, ROLE_OF_NOUN = 4, ROLE_OF_VERB = 8 };

// A part: its string, and the facts about its type.
//   bits 0-3 group, 4-5 class of equality minus 1, 6 plural noun, 7 written with capitals
using Code = uint64_t;
constexpr Code NO_CODE = UINT64_MAX;
inline Code make_code(uint32_t string, int group, int cls, bool plural, bool capitals) noexcept {
    return Code{string} << 8 | static_cast<Code>(group) | static_cast<Code>(cls - 1) << 4 |
           Code{plural} << 6 | Code{capitals} << 7;
}
inline uint32_t string_of(Code code) noexcept { return static_cast<uint32_t>(code >> 8); }
inline int group_of(Code code) noexcept { return static_cast<int>(code & 15); }
inline uint32_t class_of(Code code) noexcept { return static_cast<uint32_t>(code >> 4 & 3); }
inline bool is_plural(Code code) noexcept { return code >> 6 & 1; }
inline bool has_capitals(Code code) noexcept { return code >> 7 & 1; }
inline Code with_string(Code code, uint32_t string) noexcept {
    return Code{string} << 8 | (code & 0x7F);
}
inline int pos_of(Code code) noexcept { return group_of(code) <= ADVERB_PART ? group_of(code) : NO_POS; }

// A final form of a part: a string and class, allowed only if the references have `required`.
struct Outcome {
    uint32_t string, cls, required;
    double value;
};

struct Variant {
    int size;
    std::array<Code, 3> parts;
    double value;
};

struct Element {
    int rule, size;  // rule: RuleFlags
    std::array<Code, 3> parts, redotted;
    bool varied = false;
    std::vector<Variant> variants;
};

struct Name {  // of an entity; fields that its kind does not use are empty
    int group;
    uint32_t lower, text, initials, last, shortened;
    std::vector<uint32_t> others, acronyms;
};

class Lexicon {
  public:
    using Words = std::unordered_map<uint32_t, std::vector<uint32_t>>;
    std::array<double, KINDS> coefficients{};
    bool original = false, hyper = false;
    Words prepositions, places, words;
    uint32_t tabled = 0;  // strings of these tables are below
    std::vector<Name> names;
    std::vector<Element> elements;
    std::array<uint32_t, 5> singular{};
    std::array<uint32_t, 2> plural{};

    // `senses`: how many of a word to look at, 0 for all.
    void open(const unsigned char* table, uint32_t senses) {
        net_.open(table);
        net_.most_senses = senses == 0 ? UINT32_MAX : senses;
        of_pool_.assign(net_.strings(), NO_STRING);
        const char* he[] = {"he", "she", "him", "her", "his"};
        for (size_t k = 0; k < singular.size(); ++k) singular[k] = intern(he[k]);
        plural = {{intern("they"), intern("them")}};
        for (const uint32_t word : plural) learn_name(word);
        of_ = make_code(intern("of"), PREPOSITION_PART, 1, false, false);
        in_ = make_code(intern("in"), PREPOSITION_PART, 1, false, false);
        intern("person");
        intern("organization");
        intern("location");
    }

    uint32_t strings() const noexcept { return static_cast<uint32_t>(texts_.size()); }

    uint32_t intern(std::string_view text) {
        const auto found = ids_.find(text);
        if (found != ids_.end()) return found->second;
        texts_.emplace_back(text);
        const uint32_t id = strings() - 1;
        ids_.emplace(texts_.back(), id);
        for (auto& entries : entries_) entries.push_back(UNKNOWN);
        return id;
    }

    const Name* name(int group, uint32_t string) const noexcept {
        const auto found = by_string_.find(uint64_t{string} << 4 | static_cast<uint64_t>(group));
        return found == by_string_.end() ? nullptr : &names[found->second];
    }

    uint32_t add_name(Name name) {
        const uint32_t id = static_cast<uint32_t>(names.size());
        by_string_.emplace(uint64_t{name.lower} << 4 | static_cast<uint64_t>(name.group), id);
        learn_name(name.lower);
        learn_name(name.shortened);
        for (const uint32_t acronym : name.acronyms) learn_name(acronym);
        names.push_back(std::move(name));
        return id;
    }

    // The string of the entry of a part, or NO_STRING.
    uint32_t lemma(Code code) const {
        const uint32_t place = pos_of(code) == NO_POS ? NONE : entry(string_of(code), pos_of(code));
        return place == NONE ? NO_STRING : find_pool(net_.entry_string(place, pos_of(code)));
    }
    void learn_lemma(Code code) {
        const uint32_t place = pos_of(code) == NO_POS ? NONE : learn(string_of(code), pos_of(code));
        if (place != NONE) intern_pool(net_.entry_string(place, pos_of(code)));
    }

    // Learns the final forms of a name, or of a string that replaces one, tagged as a name or not.
    void learn_name(uint32_t string) {
        if (string == NO_STRING) return;
        learn_later(make_code(string, NOUN_PART, 1, false, false));
        learn_later(make_code(string, LOCATION_PART, 1, false, false));
    }

    // The results of the last stages for a part. Persons, organisations and others are not learned:
    // their results are only strings that the references have, namely themselves and words of their
    // lemmas.
    const std::vector<Outcome>& later(Code code, std::vector<Outcome>& scratch) const {
        const auto found = later_.find(code & MEANING);
        if (found != later_.end()) return found->second;
        scratch.clear();
        collect(*this, code, scratch);
        return scratch;
    }

    // Gives the transformations other coefficients. Strings, elements and names keep their numbers;
    // what was learned of elements is learned anew when they are next matched.
    void weigh(const std::array<double, KINDS>& fresh) {
        coefficients = fresh;
        for (Element& element : elements) {
            element.varied = false;
            element.variants.clear();
        }
        for (auto& [code, found] : later_) {
            found.clear();
            collect(*this, code, found);
        }
    }

    void learn(Element& element) {
        if (element.varied) return;
        element.varied = true;
        vary(element);
        for (const Variant& variant : element.variants) {
            learn_later(variant.parts[0]);
            if (variant.size > 1) learn_later(variant.parts[static_cast<size_t>(variant.size) - 1]);
        }
    }

    void learn_all(const std::vector<uint32_t>& numbers) {
        for (const uint32_t number : numbers) {
            pace_(16);
            learn(elements[number]);
        }
    }

  private:
    Pace pace_;
    static constexpr uint32_t NONE = WordNet::NONE, UNKNOWN = NONE - 1;
    static constexpr Code MEANING = ~Code{0xC0};  // all but plural and capitals
    WordNet net_;
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, uint32_t> ids_;
    std::array<std::vector<uint32_t>, 4> entries_;  // by string: the place of its entry
    std::vector<uint32_t> of_pool_;                 // by WordNet's number of the string
    std::unordered_map<uint64_t, uint32_t> by_string_;
    std::unordered_map<Code, std::vector<Outcome>> later_;
    Code of_ = 0, in_ = 0;

    uint32_t find(std::string_view text) const {
        const auto found = ids_.find(text);
        return found == ids_.end() ? NO_STRING : found->second;
    }
    static std::string lower(std::string_view word) {
        std::string text(word);
        for (char& letter : text)
            if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
        return text;
    }
    uint32_t find_pool(uint32_t id) const {
        return of_pool_[id] != NO_STRING ? of_pool_[id] : find(lower(net_.string(id)));
    }
    uint32_t intern_pool(uint32_t id) {
        if (of_pool_[id] == NO_STRING) of_pool_[id] = intern(lower(net_.string(id)));
        return of_pool_[id];
    }
    uint32_t entry(uint32_t string, int pos) const {
        const uint32_t known = entries_[static_cast<size_t>(pos)][string];
        std::string scratch;
        return known == UNKNOWN ? net_.entry(texts_[string], pos, scratch) : known;
    }
    uint32_t learn(uint32_t string, int pos) {
        return entries_[static_cast<size_t>(pos)][string] = entry(string, pos);
    }

    // The same steps learn (Self is Lexicon) or only look up (Self is const Lexicon).
    static uint32_t number(Lexicon& self, uint32_t pool) { return self.intern_pool(pool); }
    static uint32_t number(const Lexicon& self, uint32_t pool) { return self.find_pool(pool); }
    static uint32_t number(Lexicon& self, const std::string& text) { return self.intern(text); }
    static uint32_t number(const Lexicon& self, const std::string& text) { return self.find(text); }

    void learn_later(Code code) {
        code &= MEANING;
        if (later_.find(code) != later_.end()) return;
        if (pos_of(code) != NO_POS) learn(string_of(code), pos_of(code));
        std::vector<Outcome> found;
        collect(*this, code, found);
        later_.emplace(code, std::move(found));
    }

    // Adds the part and its inflections, each with `value`.
    template <class Self>
    static void forms(Self& self, Code code, uint32_t required, double value,
                      std::vector<Outcome>& found) {
        const uint32_t string = string_of(code);
        if (string == NO_STRING) return;
        found.push_back({string, class_of(code), required, value});
        const int pos = pos_of(code);
        const uint32_t place = pos > ADJECTIVE ? NONE : self.entry(string, pos);
        if (place == NONE) return;
        std::vector<std::string> told;
        inflect(self.net_, place, pos, self.original, told);
        for (const std::string& form : told) {
            const uint32_t id = number(self, form);
            if (id != NO_STRING)
                found.push_back({id, class_of(code), required, value * self.coefficients[LEMM]});
        }
    }

    template <class Self>
    static void collect(Self& self, Code code, std::vector<Outcome>& found) {
        forms(self, code, NO_STRING, 1.0, found);
        const WordNet& net = self.net_;
        const int pos = pos_of(code), group = group_of(code);
        const int looked = group == LOCATION_PART ? NOUN : pos;
        const uint32_t place = looked == NO_POS ? NONE : self.entry(string_of(code), looked);
        if (place != NONE) {
            const uint32_t own = net.entry_string(place, looked);
            if (pos <= ADJECTIVE) {
                const uint32_t lemma = number(self, own);
                if (lemma != string_of(code))
                    forms(self, with_string(code, lemma), NO_STRING, self.coefficients[LEMM], found);
                for (const uint32_t synset : net.synsets(place, pos))
                    for (const uint32_t id : net.words(synset)) {
                        const uint32_t word = number(self, id);
                        if (word != lemma)
                            forms(self, with_string(code, word), word, self.coefficients[SYNO],
                                  found);
                    }
            }
            if (looked == NOUN || looked == ADJECTIVE) pertain(self, place, looked, found);
            if (looked == NOUN) members(self, place, found);
        }
        if (self.hyper) broader(self, code, place, found);
    }

    template <class Self>
    static void pertain(Self& self, uint32_t place, int pos, std::vector<Outcome>& found) {
        const int wanted = pos == NOUN ? ADJECTIVE : NOUN;
        const int cls = pos == NOUN ? 3 : 1;
        const auto add = [&](Numbers targets) {
            for (const uint32_t target : targets)
                if (static_cast<int>(target >> 30) == wanted) {
                    const uint32_t word = number(self, target & WordNet::STRING);
                    forms(self, make_code(word, wanted, cls, false, false), NO_STRING,
                          self.coefficients[PERT], found);
                }
        };
        add(self.net_.derived(place, pos));
        if (pos == ADJECTIVE) add(self.net_.pertainyms(place, pos));
    }

    template <class Self>
    static void members(Self& self, uint32_t place, std::vector<Outcome>& found) {
        for (const uint32_t own : self.net_.synsets(place, NOUN))
            for (const uint32_t synset : self.net_.members(own))
                for (const uint32_t id : self.net_.words(synset)) {
                    const std::string_view word = self.net_.string(id);
                    if (lower(word) != word)
                        forms(self, make_code(number(self, id), NOUN_PART, 1, false, false),
                              NO_STRING, self.coefficients[MEMB], found);
                }
    }

    template <class Self>
    static void broader(Self& self, Code code, uint32_t place, std::vector<Outcome>& found) {
        int pos = pos_of(code);
        const int group = group_of(code);
        if (group >= PERSON_PART) {
            const char* of[] = {"person", "organization", "location"};
            pos = NOUN;
            place = self.net_.place(of[group - PERSON_PART], NOUN);
        }
        if (pos > VERB || place == NONE) return;
        for (const uint32_t own : self.net_.synsets(place, pos))
            for (const uint32_t synset : self.net_.kin(own))
                for (const uint32_t id : self.net_.words(synset)) {
                    const uint32_t word = number(self, id);
                    forms(self, with_string(code, word), word, self.coefficients[HYPE], found);
                }
    }

    // Stages 1 to 6: the results of the element alone.

    void vary(Element& element) {
        const Variant begin{element.size, element.parts, 1.0};
        const std::array<Code, 3>& dotted = element.redotted;
        dots(element, begin, dotted);
        if (element.rule & SWAPS && element.size > 1) {
            Variant turned = begin;
            std::array<Code, 3> turned_dots = dotted;
            const size_t last = static_cast<size_t>(element.size) - 1;
            std::swap(turned.parts[0], turned.parts[last]);
            std::swap(turned_dots[0], turned_dots[last]);
            turned.value = coefficients[SWAP];
            dots(element, turned, turned_dots);
        }
    }

    void dots(Element& element, const Variant& state, const std::array<Code, 3>& dotted) {
        const size_t last = static_cast<size_t>(state.size) - 1;
        for (const bool left : {false, true}) {
            for (const bool right : {false, true}) {
                if ((left && dotted[0] == NO_CODE) ||
                    (right && (last == 0 || dotted[last] == NO_CODE)))
                    continue;
                Variant next = state;
                if (left) next.parts[0] = dotted[0];
                if (right) next.parts[last] = dotted[last];
                next.value *= (left ? coefficients[PERI] : 1) * (right ? coefficients[PERI] : 1);
                invert(element, next);
            }
        }
    }

    void invert(Element& element, const Variant& state) {
        nominalise(element, state);
        const Code first = state.parts[0], last = state.parts[static_cast<size_t>(state.size) - 1];
        if (element.rule & INVERTS) {
            const double value = state.value * coefficients[NPPP];
            if (state.size == 2 && learn(string_of(last), NOUN) != NONE)
                nominalise(element, {3, {{last, of_, first}}, value});
            else if (state.size == 3 && learn(string_of(first), NOUN) != NONE)
                nominalise(element, {2, {{last, first, 0}}, value});
        }
        if (state.size != 2) return;
        const double value = state.value * coefficients[ROLE];
        if (element.rule & ROLE_OF_NOUN && group_of(first) == NOUN_PART)
            for (const Code verb : derived(first, VERB, VERB_PART, 2))
                nominalise(element, {2, {{last, verb, 0}}, value});
        if (element.rule & ROLE_OF_VERB && group_of(last) == VERB_PART)
            for (const Code noun : derived(last, NOUN, NOUN_PART, 1))
                if (!original || !is_synonym(noun, last))
                    nominalise(element, {2, {{noun, first, 0}}, value});
    }

    void nominalise(Element& element, const Variant& state) {
        turn_adverbs(element, state);
        const double value = state.value * coefficients[NOMI];
        const auto& parts = state.parts;
        if (state.size == 2) {
            const bool first = group_of(parts[0]) == VERB_PART;
            if (first || group_of(parts[1]) == VERB_PART)
                for (const Code noun : derived(parts[first ? 0 : 1], NO_POS, NOUN_PART, 1))
                    turn_adverbs(element, {3, {{noun, of_, parts[first ? 1 : 0]}}, value});
        } else if (state.size == 3 && group_of(parts[0]) == NOUN_PART &&
                   group_of(parts[1]) == PREPOSITION_PART) {
            for (const Code verb : derived(parts[0], VERB, VERB_PART, 2)) {
                turn_adverbs(element, {2, {{parts[2], verb, 0}}, value});
                turn_adverbs(element, {2, {{verb, parts[2], 0}}, value});
            }
        }
    }

    void turn_adverbs(Element& element, const Variant& state) {
        keep(element, state);
        const double value = state.value * coefficients[ADJV];
        const auto& parts = state.parts;
        if (state.size == 2 && group_of(parts[0]) == VERB_PART &&
            group_of(parts[1]) == ADVERB_PART) {
            const uint32_t place = learn(string_of(parts[1]), ADVERB);
            if (place == NONE) return;
            for (const uint32_t target : net_.pertainyms(place, ADVERB)) {
                if (target >> 30 != ADJECTIVE) continue;
                const Code adjective =
                    make_code(intern_pool(target & WordNet::STRING), ADJECTIVE_PART, 3, false, false);
                keep(element, {3, {{adjective, in_, parts[0]}}, value});
                for (const Code noun : derived(parts[0], NOUN, NOUN_PART, 1)) {
                    keep(element, {2, {{adjective, noun, 0}}, value});
                    keep(element, {3, {{adjective, in_, noun}}, value});
                }
            }
        } else if (state.size > 1 && group_of(parts[0]) == ADJECTIVE_PART) {
            const Code last = parts[static_cast<size_t>(state.size) - 1];
            std::vector<Code> verbs;
            if (group_of(last) == NOUN_PART)
                verbs = derived(last, VERB, VERB_PART, 2);
            else if (state.size == 3 && group_of(last) == VERB_PART &&
                     group_of(parts[1]) == PREPOSITION_PART)
                verbs = {last};
            if (verbs.empty()) return;
            for (const uint32_t adverb : adverbs(string_of(parts[0])))
                for (const Code verb : verbs)
                    keep(element,
                         {2, {{verb, make_code(adverb, ADVERB_PART, 4, false, false), 0}}, value});
        }
    }

    static void keep(Element& element, const Variant& state) {
        for (Variant& known : element.variants)
            if (known.size == state.size &&
                std::equal(known.parts.begin(), known.parts.begin() + state.size,
                           state.parts.begin())) {
                known.value = std::max(known.value, state.value);
                return;
            }
        element.variants.push_back(state);
    }

    // The words that a noun or verb is derivationally related to, of one part of speech or (NO_POS)
    // of all.
    std::vector<Code> derived(Code code, int wanted, int group, int cls) {
        std::vector<Code> found;
        const int pos = pos_of(code);
        const uint32_t place = pos == NO_POS ? NONE : learn(string_of(code), pos);
        if (place == NONE) return found;
        for (const uint32_t target : net_.derived(place, pos))
            if (wanted == NO_POS || static_cast<int>(target >> 30) == wanted)
                found.push_back(
                    make_code(intern_pool(target & WordNet::STRING), group, cls, false, false));
        return found;
    }

    // 0.5.1 refuses a noun that is written like a verb of its synsets: author, of "to author".
    bool is_synonym(Code noun, Code verb) {
        const uint32_t place = learn(string_of(verb), VERB);
        for (const uint32_t synset : net_.synsets(place, VERB))
            for (const uint32_t id : net_.words(synset))
                if (intern_pool(id) == string_of(noun)) return true;
        return false;
    }

    std::vector<uint32_t> adverbs(uint32_t adjective) {
        const std::string word = texts_[adjective];
        std::vector<std::string> forms{word + "ly"};
        const auto cut = [&](const char* end) { return word.substr(0, word.size() - 1) + end; };
        if (ends_with(word, "e")) {
            forms.push_back(cut("ly"));
            forms.push_back(cut("y"));
        } else if (ends_with(word, "l")) {
            forms.push_back(word + "y");
        } else if (ends_with(word, "y")) {
            forms.push_back(cut("ily"));
        }
        std::vector<uint32_t> found;
        for (const std::string& form : forms)
            if (net_.place(form, ADVERB) != NONE) found.push_back(intern(form));
        return found;
    }
};

}  // namespace summeval
