// What Basic Elements can turn into, whatever the references: strings as numbers, parts as codes,
// and for each the results of the transformations (summeval.elements.stages) that need
// only the element itself. The caller reads names and passes them as numbers.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "elements/interner.hpp"
#include "elements/wordnet.hpp"
#include "rows/stop.hpp"

namespace summeval {

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

// A code and its number in the lexicon.
struct Part {
    Code code = NO_CODE;
    uint32_t number = NO_STRING;
};

// Some of an array.
struct Range {
    uint32_t begin = NO_STRING, end = 0;
    bool is_known() const noexcept { return begin != NO_STRING; }
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
    std::array<uint32_t, 5> singular{};
    std::array<uint32_t, 2> plural{};
    uint32_t pronouns = 0;  // strings of pronouns are below
    uint32_t weighed = 1;   // how often it was given coefficients

    // `senses`: how many of a word to look at, 0 for all.
    void open(const unsigned char* table, uint32_t senses) {
        net_.open(table);
        net_.most_senses = senses == 0 ? UINT32_MAX : senses;
        of_pool_.assign(net_.strings(), NO_STRING);
        const char* he[] = {"he", "she", "him", "her", "his"};
        for (size_t k = 0; k < singular.size(); ++k) singular[k] = intern(he[k]);
        plural = {{intern("they"), intern("them")}};
        pronouns = strings();
        for (const uint32_t word : plural) learn_name(word);
        intern("person");
        intern("organization");
        intern("location");
    }

    const WordNet& net() const noexcept { return net_; }
    uint32_t strings() const noexcept { return strings_.size(); }
    size_t codes() const noexcept { return known_.size(); }
    std::string_view text(uint32_t string) const noexcept { return strings_.text(string); }

    uint32_t intern(std::string_view text) {
        bool fresh = false;
        return strings_.intern(text, fresh);
    }
    // A string of WordNet in lower case.
    uint32_t intern_pool(uint32_t id) {
        if (of_pool_[id] == NO_STRING) of_pool_[id] = intern(lower(net_.string(id)));
        return of_pool_[id];
    }

    Code code(uint32_t number) const noexcept { return known_[number].code; }
    // Fetches what is known of a code that is asked for soon.
    void prepare(uint32_t number) const noexcept { prefetch(known_.data() + number); }
    Part part(Code code) {
        uint32_t number = find_code(code);
        if (number == NO_STRING) {
            number = static_cast<uint32_t>(known_.size());
            index_.add(mix(code, 0x7F4A7C15u), number, [&] { known_.push_back({code, {}, {}}); });
        }
        return {code, number};
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
    uint32_t lemma(Code code) {
        const uint32_t place = pos_of(code) == NO_POS ? NONE : entry(string_of(code), pos_of(code));
        return place == NONE ? NO_STRING : intern_pool(net_.entry_string(place, pos_of(code)));
    }

    // The place of the entry of a string, which is then known.
    uint32_t entry(uint32_t string, int pos) {
        if (entries_.size() <= string)
            entries_.resize(strings(), {{UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}});
        uint32_t& known = entries_[string][static_cast<size_t>(pos)];
        if (known == UNKNOWN) known = net_.entry(text(string), pos, room_, &near_);
        return known;
    }

    // Learns the final forms of a name, or of a string that replaces one, tagged as a name or not.
    void learn_name(uint32_t string) {
        if (string == NO_STRING) return;
        learn(part(make_code(string, NOUN_PART, 1, false, false)).number);
        learn(part(make_code(string, LOCATION_PART, 1, false, false)).number);
    }

    // Learns the results of the last stages for a code. Persons, organisations and others that
    // replace a part are not learned: their results are only strings that the references have,
    // namely themselves and words of their lemmas.
    void learn(uint32_t number) {
        if (known_[number].later.is_known()) return;
        const uint32_t same = part(known_[number].code & MEANING).number;
        if (!known_[same].later.is_known()) {
            if (pos_of(known_[same].code) != NO_POS)
                entry(string_of(known_[same].code), pos_of(known_[same].code));
            const uint32_t begin = static_cast<uint32_t>(outcomes_.size());
            collect(*this, known_[same].code, outcomes_);
            for (size_t k = begin; k < outcomes_.size(); ++k) told_.push_back(outcomes_[k].string);
            known_[same].later = {begin, static_cast<uint32_t>(outcomes_.size())};
        }
        known_[number].later = known_[same].later;
    }

    // Calls use(outcome) for each result of the last stages whose string passes the test.
    template <class Test, class Use>
    void later(uint32_t number, Test test, Use use) const {
        const Range range = known_[number].later;
        for (uint32_t k = range.begin; k < range.end; ++k)
            if (test(told_[k])) use(outcomes_[k]);
    }
    // The same for any code.
    template <class Test, class Use>
    void later(Code code, std::vector<Outcome>& scratch, Test test, Use use) const {
        const uint32_t number = find_code(code & MEANING);
        if (number != NO_STRING && known_[number].later.is_known()) return later(number, test, use);
        scratch.clear();
        collect(*this, code, scratch);
        for (const Outcome& outcome : scratch)
            if (test(outcome.string)) use(outcome);
    }

    // Gives the transformations other coefficients. Strings, codes and names keep their numbers;
    // what was learned of elements is learned anew when they are next matched.
    void weigh(const std::array<double, KINDS>& fresh) {
        coefficients = fresh;
        ++weighed;
        outcomes_.clear();
        told_.clear();
        std::vector<uint32_t> learned;
        for (uint32_t number = 0; number < known_.size(); ++number) {
            if (known_[number].later.is_known()) learned.push_back(number);
            known_[number].later = {};
        }
        for (const uint32_t number : learned) learn(number);
    }

    // The words that a code is related to, as other parts of speech, and learned. A noun: the verbs
    // derived of it. A verb: the nouns derived of it; with `all`, all words as nouns. An adverb: its
    // adjectives. An adjective: its adverbs. They are related_part(k) for k in the range.
    Range related(const Part& part, bool all = false) {
        Range known = known_[part.number].related[all];
        if (known.is_known()) return known;
        std::vector<Code> found;
        const uint32_t string = string_of(part.code);
        switch (group_of(part.code)) {
            case NOUN_PART: derive(string, NOUN, VERB, VERB_PART, 2, found); break;
            case VERB_PART: derive(string, VERB, all ? NO_POS : NOUN, NOUN_PART, 1, found); break;
            case ADVERB_PART: adjectives(string, found); break;
            case ADJECTIVE_PART: adverbs(string, found); break;
            default: break;
        }
        known.begin = static_cast<uint32_t>(related_.size());
        for (const Code code : found) related_.push_back(this->part(code));
        known.end = static_cast<uint32_t>(related_.size());
        for (uint32_t k = known.begin; k < known.end; ++k) learn(related_[k].number);
        known_[part.number].related[all] = known;
        return known;
    }
    Part related_part(uint32_t k) const noexcept { return related_[k]; }

    // 0.5.1 refuses a noun that is written like a verb of its synsets: author, of "to author".
    bool is_synonym(Code noun, Code verb) {
        const uint32_t place = entry(string_of(verb), VERB);
        for (const uint32_t synset : net_.synsets(place, VERB))
            for (const uint32_t id : net_.words(synset))
                if (intern_pool(id) == string_of(noun)) return true;
        return false;
    }

  private:
    static constexpr uint32_t NONE = WordNet::NONE, UNKNOWN = NONE - 1;
    static constexpr Code MEANING = ~Code{0xC0};  // all but plural and capitals
    struct Known {
        Code code;
        Range later, related[2];
    };
    WordNet net_;
    Interner strings_;
    std::vector<std::array<uint32_t, 4>> entries_;  // by string: the places of its entries
    std::vector<uint32_t> of_pool_;                 // by WordNet's number of the string
    std::unordered_map<uint64_t, uint32_t> by_string_;
    std::vector<Known> known_;  // by number of a code
    Index index_;               // of codes
    std::vector<Outcome> outcomes_;
    std::vector<uint32_t> told_;  // their strings
    std::vector<Part> related_;
    std::vector<Range> forms_;    // the inflections of entries
    std::vector<uint64_t> forms_of_;
    std::vector<uint32_t> form_;
    Index forms_index_;
    std::string room_;
    WordNet::Near near_;

    uint32_t find_code(Code code) const noexcept {
        return index_.find(mix(code, 0x7F4A7C15u),
                           [&](uint32_t number) { return known_[number].code == code; });
    }
    static std::string lower(std::string_view word) {
        std::string text(word);
        for (char& letter : text)
            if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
        return text;
    }
    uint32_t find_pool(uint32_t id) const {
        return of_pool_[id] != NO_STRING ? of_pool_[id] : strings_.find(lower(net_.string(id)));
    }
    uint32_t entry(uint32_t string, int pos) const {
        const uint32_t known =
            string < entries_.size() ? entries_[string][static_cast<size_t>(pos)] : UNKNOWN;
        std::string scratch;
        return known == UNKNOWN ? net_.entry(text(string), pos, scratch) : known;
    }

    // The same steps learn (Self is Lexicon) or only look up (Self is const Lexicon).
    static uint32_t number(Lexicon& self, uint32_t pool) { return self.intern_pool(pool); }
    static uint32_t number(const Lexicon& self, uint32_t pool) { return self.find_pool(pool); }

    // Calls use(string) for each inflection of an entry.
    template <class Use>
    static void inflections(Lexicon& self, uint32_t place, int pos, Use use) {
        const uint64_t key = uint64_t{place} << 2 | static_cast<uint64_t>(pos);
        uint32_t known = self.forms_index_.find(
            mix(key, 0), [&](uint32_t number) { return self.forms_of_[number] == key; });
        if (known == NO_STRING) {
            Range range{static_cast<uint32_t>(self.form_.size()), 0};
            std::vector<std::string> inflected;
            inflect(self.net_, place, pos, self.original, inflected);
            for (const std::string& form : inflected) self.form_.push_back(self.intern(form));
            range.end = static_cast<uint32_t>(self.form_.size());
            known = static_cast<uint32_t>(self.forms_.size());
            self.forms_.push_back(range);
            self.forms_of_.resize(known);
            self.forms_index_.add(mix(key, 0), known, [&] { self.forms_of_.push_back(key); });
        }
        const Range range = self.forms_[known];
        for (uint32_t k = range.begin; k < range.end; ++k) use(self.form_[k]);
    }
    template <class Use>
    static void inflections(const Lexicon& self, uint32_t place, int pos, Use use) {
        std::vector<std::string> inflected;
        inflect(self.net_, place, pos, self.original, inflected);
        for (const std::string& form : inflected) {
            const uint32_t id = self.strings_.find(form);
            if (id != NO_STRING) use(id);
        }
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
        const double inflected = value * self.coefficients[LEMM];
        inflections(self, place, pos, [&](uint32_t form) {
            found.push_back({form, class_of(code), required, inflected});
        });
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

    // Adds the words that an entry is derivationally related to, of one part of speech or (NO_POS)
    // of all.
    void derive(uint32_t string, int pos, int wanted, int group, int cls, std::vector<Code>& found) {
        const uint32_t place = entry(string, pos);
        if (place == NONE) return;
        for (const uint32_t target : net_.derived(place, pos))
            if (wanted == NO_POS || static_cast<int>(target >> 30) == wanted)
                found.push_back(
                    make_code(intern_pool(target & WordNet::STRING), group, cls, false, false));
    }

    void adjectives(uint32_t adverb, std::vector<Code>& found) {
        const uint32_t place = entry(adverb, ADVERB);
        if (place == NONE) return;
        for (const uint32_t target : net_.pertainyms(place, ADVERB))
            if (target >> 30 == ADJECTIVE)
                found.push_back(make_code(intern_pool(target & WordNet::STRING), ADJECTIVE_PART, 3,
                                          false, false));
    }

    void adverbs(uint32_t adjective, std::vector<Code>& found) {
        const std::string word(text(adjective));
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
        for (const std::string& form : forms)
            if (net_.place(form, ADVERB, &near_) != NONE)
                found.push_back(make_code(intern(form), ADVERB_PART, 4, false, false));
    }
};

}  // namespace summeval
