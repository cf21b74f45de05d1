// spaCy's attribute ruler and rule lemmatizer for English: the lemma of a token by its tag, its
// label and its neighbours. ci/resources/parser_lemmas.py says what the section "lemmas" holds.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsing/characters.hpp"
#include "parsing/model.hpp"
#include "parsing/string_ids.hpp"
#include "parsing/token.hpp"
#include "rows/stop.hpp"

namespace summeval::parsing {

// As TokenizerRoom.
struct LemmaRoom {
    std::vector<std::string_view> lower;  // the tokens
    std::vector<uint32_t> words;          // their numbers in the patterns
    std::vector<std::string_view> forms, others;
    Strings strings;
};

class Lemmatizer {
  public:
    // Reads the sections "characters" and "lemmas". `tags` and `labels` (as spaCy writes them:
    // "ROOT", "nsubj") say what the numbers of `lemmatize` mean; there are at most 64 of each.
    Lemmatizer(const Sections& sections, const std::vector<std::string>& tags,
               const std::vector<std::string>& labels)
        : characters_(sections), tags_(tags.size()) {
        if (tags.size() > MOST || labels.size() > MOST)
            throw std::invalid_argument("it has more than 64 tags or labels");
        SectionReader reader(sections, "lemmas");
        read_patterns(reader, tags, labels);
        for (size_t kind = FIRST_TABLE; kind < KINDS; ++kind) {
            for (size_t left = reader.number<uint8_t>(); left; --left) {
                const std::string_view old = spelt(reader);
                endings_[kind].push_back({old, spelt(reader)});
            }
            read_exceptions(reader, kind);
        }
        const std::vector<std::string_view> words = read_words(reader);
        const std::vector<uint8_t> kinds = reader.numbers<uint8_t>(words.size());
        reader.end();
        words_ = StringTable(words.size());
        for (const std::string_view word : words)
            if (words_.add(word) + 1 != words_.size()) reader.fail();
        kinds_ = kinds;
    }

    Lemmatizer(const Lemmatizer&) = delete;  // its tables point into each other
    Lemmatizer& operator=(const Lemmatizer&) = delete;

    // Writes a lemma for each token of a line; it lives as long as the token, the tables and the
    // room's line. White space has the tag "_SP" whatever the tagger says; the caller sees to it.
    void lemmatize(const Token* tokens, size_t count, const uint8_t* tags, const uint8_t* labels,
                   LemmaRoom& room, std::string_view* lemmas) const {
        room.strings.clear();
        grow(room.lower, count);
        grow(room.words, count);
        Pace pace;
        for (size_t k = 0; k < count; ++k) {
            pace(tokens[k].form.size() + 8);
            room.lower[k] = characters_.lower(tokens[k].form, room.strings);
            room.words[k] = pattern_words_.find(room.lower[k]) + 1;  // 0: none
        }
        const Line line{tokens, count, tags, labels, room.words.data()};
        for (size_t k = 0; k < count; ++k) {
            pace(32);
            lemmas[k] = lemma(line, k, room);
        }
    }

  private:
    // As in ci/resources/parser_lemmas.py.
    enum Kind : uint8_t { OTHER, NAME, FIRST_TABLE, KINDS = 7 };
    static constexpr size_t MOST = 64;

    struct Line {
        const Token* tokens;
        size_t count;
        const uint8_t *tags, *labels;
        const uint32_t* words;
    };
    // What a token must be.
    struct Condition {
        uint64_t tags = ~uint64_t{0}, labels = ~uint64_t{0};
        std::vector<bool> words{};    // with "none of them" first; empty: any
        uint8_t space = 0;            // 1: yes, 2: no

        bool holds(const Line& line, size_t at) const noexcept {
            return (tags >> line.tags[at] & labels >> line.labels[at] & 1) != 0 &&
                   (words.empty() || words[line.words[at]]) &&
                   (space == 0 || (space == 1) == line.tokens[at].is_space);
        }
    };
    struct Rule {
        Condition token, other;
        int neighbour;  // where the other token is: -1, 1, or 0 if there is none
        uint8_t kind;   // + 1; 0: as before
        uint16_t base;  // 1 + 2^kind for each kind of which it is a base form; 0: as before
        bool has_lemma;
        std::string_view lemma;
    };
    struct Ending {
        std::string_view old, made;
    };

    static std::string_view spelt(SectionReader& reader) {
        return reader.text(reader.number<uint8_t>());
    }

    void read_patterns(SectionReader& reader, const std::vector<std::string>& tags,
                       const std::vector<std::string>& labels) {
        const size_t words = reader.number<uint16_t>();
        for (size_t k = 0; k < words; ++k) pattern_words_.add(spelt(reader));
        if (pattern_words_.size() != words) reader.fail();
        for (size_t left = reader.number<uint16_t>(); left; --left) {
            const size_t tokens = reader.number<uint8_t>(), changed = reader.number<uint8_t>();
            if (tokens - 1 > 1 || changed >= tokens) reader.fail();
            Rule rule{};
            for (size_t k = 0; k < tokens; ++k)
                (k == changed ? rule.token : rule.other) = read_condition(reader, tags, labels);
            rule.neighbour = tokens == 1 ? 0 : changed ? -1 : 1;
            rule.kind = reader.number<uint8_t>();
            rule.base = reader.number<uint16_t>();
            rule.has_lemma = reader.number<uint8_t>() != 0;
            if (rule.has_lemma) rule.lemma = spelt(reader);
            if (rule.kind > KINDS || rule.base > 1 << KINDS) reader.fail();
            rules_.push_back(rule);
        }
        std::vector<std::vector<uint32_t>> of_tag(tags_);
        for (size_t tag = 0; tag < tags_; ++tag)
            for (size_t k = 0; k < rules_.size(); ++k)
                if (rules_[k].token.tags >> tag & 1) of_tag[tag].push_back(static_cast<uint32_t>(k));
        for (size_t word = 0; word <= words; ++word) {
            for (const std::vector<uint32_t>& rules : of_tag) {
                first_rule_.push_back(static_cast<uint32_t>(chosen_.size()));
                for (const uint32_t rule : rules) {
                    const std::vector<bool>& wanted = rules_[rule].token.words;
                    if (wanted.empty() || wanted[word]) chosen_.push_back(rule);
                }
            }
        }
        first_rule_.push_back(static_cast<uint32_t>(chosen_.size()));
    }
    Condition read_condition(SectionReader& reader, const std::vector<std::string>& tags,
                             const std::vector<std::string>& labels) const {
        Condition found;
        for (const auto& [names, mask] :
             {std::pair(&tags, &found.tags), std::pair(&labels, &found.labels)}) {
            const uint8_t choice = reader.number<uint8_t>();
            uint64_t named = 0;
            for (size_t left = reader.number<uint8_t>(); left; --left) {
                const auto place = std::find(names->begin(), names->end(), spelt(reader));
                if (place != names->end()) named |= uint64_t{1} << (place - names->begin());
            }
            if (choice) *mask = choice == 1 ? named : ~named;
        }
        const uint8_t choice = reader.number<uint8_t>();
        if (choice) found.words.assign(pattern_words_.size() + 1, choice != 1);
        for (size_t left = reader.number<uint8_t>(); left; --left) {
            const size_t word = reader.number<uint16_t>();
            if (choice == 0 || word >= pattern_words_.size()) reader.fail();
            found.words[word + 1] = choice == 1;
        }
        found.space = reader.number<uint8_t>();
        return found;
    }

    // The strings that some have in common with others, and their own ends. `before` gives the other
    // one of a number; it is called in order.
    template <class Before>
    std::vector<std::string_view> read_tails(SectionReader& reader, size_t count, Before before) {
        const std::vector<uint8_t> common = reader.numbers<uint8_t>(count);
        const std::vector<uint8_t> own = reader.numbers<uint8_t>(count);
        const std::string_view ends = reader.text(reader.number<uint32_t>());
        size_t room = 0, at = 0;
        for (size_t k = 0; k < count; ++k) room += size_t{common[k]} + own[k];
        std::string& all = spelt_.emplace_back();
        all.resize(room);
        char* out = all.data();
        std::vector<std::string_view> found;
        found.reserve(count);
        for (size_t k = 0; k < count; ++k) {
            const std::string_view other = before(k, found);
            if (common[k] > other.size() || own[k] > ends.size() - at) reader.fail();
            std::copy_n(other.data(), common[k], out);
            std::copy_n(ends.data() + at, own[k], out + common[k]);
            found.emplace_back(out, size_t{common[k]} + own[k]);
            out += found.back().size();
            at += own[k];
        }
        if (at != ends.size()) reader.fail();
        return found;
    }
    std::vector<std::string_view> read_words(SectionReader& reader) {
        return read_tails(reader, reader.number<uint32_t>(), [](size_t, const auto& found) {
            return found.empty() ? std::string_view() : found.back();
        });
    }
    void read_exceptions(SectionReader& reader, size_t kind) {
        const std::vector<std::string_view> forms = read_words(reader);
        const std::vector<uint8_t> counts = reader.numbers<uint8_t>(forms.size());
        const size_t lemmas = reader.number<uint32_t>();
        size_t sum = 0;
        for (const uint8_t count : counts) sum += count;
        if (sum != lemmas) reader.fail();
        StringTable& table = exceptions_[kind] = StringTable(forms.size());
        std::vector<uint32_t>& first = first_lemma_[kind];
        std::vector<uint32_t> form_of;
        for (size_t k = 0; k < forms.size(); ++k) {
            if (table.add(forms[k]) != k) reader.fail();
            first.push_back(static_cast<uint32_t>(form_of.size()));
            form_of.insert(form_of.end(), counts[k], static_cast<uint32_t>(k));
        }
        first.push_back(static_cast<uint32_t>(lemmas));
        lemmas_[kind] = read_tails(reader, lemmas,
                                   [&](size_t k, const auto&) { return forms[form_of[k]]; });
    }

    std::string_view lemma(const Line& line, size_t at, LemmaRoom& room) const {
        uint8_t kind = OTHER;
        uint16_t base = 0;
        const Rule* said = nullptr;
        const uint32_t* const list = &first_rule_[line.words[at] * tags_ + line.tags[at]];
        for (uint32_t k = list[0]; k < list[1]; ++k) {
            const Rule& rule = rules_[chosen_[k]];
            if (!rule.token.holds(line, at)) continue;
            const size_t other = at + static_cast<size_t>(rule.neighbour);  // before 0: too large
            if (rule.neighbour && !(other < line.count && rule.other.holds(line, other))) continue;
            if (rule.kind) kind = rule.kind - 1;
            if (rule.base) base = rule.base - 1;
            if (rule.has_lemma) said = &rule;
        }
        if (said && !said->lemma.empty()) return said->lemma;
        if (base >> kind & 1 || kind == OTHER) return room.lower[at];
        if (kind == NAME) return line.tokens[at].form;
        return by_rules(line.tokens[at].form, room.lower[at], kind, room);
    }

    // The first lemma of spaCy's `rule_lemmatize`.
    std::string_view by_rules(std::string_view form, std::string_view lower, size_t kind,
                              LemmaRoom& room) const {
        std::vector<std::string_view>&forms = room.forms, &others = room.others;
        forms.clear();
        others.clear();
        for (const Ending& ending : endings_[kind]) {
            if (lower.size() < ending.old.size()) continue;
            const size_t stem = lower.size() - ending.old.size();
            if (lower.substr(stem) != ending.old || stem + ending.made.size() == 0) continue;
            char* const out = room.strings.room(stem + ending.made.size());
            std::copy_n(lower.data(), stem, out);
            std::copy_n(ending.made.data(), ending.made.size(), out + stem);
            const std::string_view made = room.strings.take(stem + ending.made.size());
            const uint32_t number = words_.find(made);
            if (number != StringTable::NONE && kinds_[number] >> (kind - FIRST_TABLE) & 1)
                forms.insert(forms.begin(), made);
            else if (!characters_.has_all(made, Characters::ALPHA))
                forms.push_back(made);
            else
                others.push_back(made);
        }
        const uint32_t number = exceptions_[kind].find(lower);
        if (number != StringTable::NONE) {
            for (uint32_t k = first_lemma_[kind][number]; k < first_lemma_[kind][number + 1]; ++k)
                if (std::find(forms.begin(), forms.end(), lemmas_[kind][k]) == forms.end())
                    forms.insert(forms.begin(), lemmas_[kind][k]);
        }
        return !forms.empty() ? forms[0] : !others.empty() ? others[0] : form;
    }

    Characters characters_;
    size_t tags_;
    StringTable pattern_words_;
    std::vector<Rule> rules_;
    std::vector<uint32_t> first_rule_, chosen_;  // rules by words and tags
    std::vector<Ending> endings_[KINDS];
    StringTable exceptions_[KINDS];
    std::vector<uint32_t> first_lemma_[KINDS];
    std::vector<std::string_view> lemmas_[KINDS];
    StringTable words_;
    std::vector<uint8_t> kinds_;     // of the words, as bits
    std::deque<std::string> spelt_;  // strings that the section has in parts
};

}  // namespace summeval::parsing
