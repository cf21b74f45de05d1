// Which Basic Elements of a summary can match which elements of its references, over
// transformations (Tratz and Hovy 2008). The definition, summeval.elements.stages, walks the
// pipeline depth first. Here the stages are separated. The results of an element alone were found
// when it was read (Lexicon). After that the first, the middle and the last part change
// independently, so the results of a part are found once for all elements that share it. No
// coefficient exceeds 1, so the best path to a match consists of the best path of each part.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "elements/lexicon.hpp"
#include "elements/registry.hpp"
#include "rows/parallel.hpp"

namespace summeval {

struct Edge {
    int64_t row, column;
    double value;
};

// The matches of one summary.
struct Matched {
    std::vector<std::vector<Edge>> edges;     // for each reference
    std::vector<std::vector<int64_t>> units;  // for each reference: the number of each element
    int64_t distinct = 0;                     // how many different numbers there are
};

// A set of strings.
class StringSet {
  public:
    void clear(size_t strings) {
        for (const uint32_t string : members_) bits_[string >> 6] = 0;
        members_.clear();
        if (bits_.size() * 64 < strings) bits_.resize(strings / 64 + 1, 0);
    }
    void add(uint32_t string) {
        if (has(string)) return;
        bits_[string >> 6] |= uint64_t{1} << (string & 63);
        members_.push_back(string);
    }
    bool has(uint32_t string) const noexcept { return bits_[string >> 6] >> (string & 63) & 1; }

  private:
    std::vector<uint64_t> bits_;
    std::vector<uint32_t> members_;
};

// Matches one summary against its references. Kept from pair to pair to reuse its memory.
class Matcher {
  public:
    void match(const Lexicon& lexicon, const Document& candidate,
               const std::vector<const Document*>& references, Matched& out) {
        lexicon_ = &lexicon;
        candidate_ = &candidate;
        read(references, out);
        for (size_t row = 0; row < candidate.elements.size(); ++row) {
            pace_(ELEMENT_STEPS);
            touched_.clear();
            for (uint32_t k = candidate.variants_at[row]; k < candidate.variants_at[row + 1]; ++k) {
                if (k + AHEAD < candidate.variants.size()) {
                    lexicon.prepare(candidate.variants[k + AHEAD].first);
                    if (candidate.variants[k + AHEAD].last != NO_STRING)
                        lexicon.prepare(candidate.variants[k + AHEAD].last);
                }
                if (sizes_[candidate.variants[k].size()]) reach(candidate.variants[k]);
            }
            for (const uint32_t unit : touched_) {
                pace_(2 + columns_at_[unit + 1] - columns_at_[unit]);
                for (uint32_t k = columns_at_[unit]; k < columns_at_[unit + 1]; ++k)
                    out.edges[columns_[k].reference].push_back(
                        {static_cast<int64_t>(row), columns_[k].column, best_[unit]});
                best_[unit] = -1;
            }
        }
    }

    bool worth_keeping() const noexcept { return true; }

  private:
    struct Final {
        uint32_t string, cls;
        double value;
    };
    struct Memo {
        uint32_t number = 0;  // of the code
        uint32_t epoch = 0;   // of the topic that it holds for
        Range range{};
    };
    struct State {
        Code code;
        double value;
    };
    struct Short {  // an acronym and its name, either way
        uint32_t from, to;
    };
    struct Column {
        uint32_t reference;
        int64_t column;
    };
    const Lexicon* lexicon_ = nullptr;
    const Document* candidate_ = nullptr;
    uint32_t epoch_ = 0;
    StringSet part_, lemma_;  // those of the references
    std::array<bool, 4> sizes_{};
    std::vector<uint32_t> names_;
    std::vector<Short> short_;
    std::vector<uint32_t> slots_;  // open addressing: unit + 1, or 0
    std::vector<UnitKey> units_;
    std::vector<double> best_;
    std::vector<uint32_t> touched_, columns_at_;
    std::vector<Column> columns_;
    std::vector<Memo> memo_ = std::vector<Memo>(512);  // open addressing
    size_t known_ = 0;                                 // entries of this topic
    std::vector<Final> finals_;
    std::vector<Final> middles_;
    std::vector<State> states_;
    std::vector<Outcome> scratch_;
    Pace pace_;

    static constexpr size_t AHEAD = 8;  // variants whose codes are fetched before their turn
    static constexpr uint64_t ELEMENT_STEPS = 64;  // to collect the results of its parts

    bool among_parts(uint32_t string) const noexcept {
        return string != NO_STRING && part_.has(string);
    }

    // The slot of the unit, or the free slot where it would be inserted.
    uint32_t& slot(const UnitKey& key) noexcept {
        size_t at = static_cast<size_t>(hash(key)) & (slots_.size() - 1);
        while (slots_[at] != 0 && units_[slots_[at] - 1] != key) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    void read(const std::vector<const Document*>& references, Matched& out) {
        if (++epoch_ == 0) {  // the epoch overflowed
            std::fill(memo_.begin(), memo_.end(), Memo{});
            epoch_ = 1;
        }
        known_ = 0;
        part_.clear(lexicon_->strings());
        lemma_.clear(lexicon_->strings());
        size_t total = 0;
        for (const Document* reference : references) total += reference->elements.size();
        size_t room = 16;
        while (room < 2 * total) room *= 2;
        slots_.assign(room, 0);
        units_.clear();
        finals_.clear();
        sizes_.fill(false);
        names_ = candidate_->names;
        out.edges.assign(references.size(), {});
        out.units.resize(references.size());
        for (size_t r = 0; r < references.size(); ++r) {
            names_.insert(names_.end(), references[r]->names.begin(), references[r]->names.end());
            out.units[r].clear();
            pace_(ELEMENT_STEPS * references[r]->units.size());
            for (const UnitKey& unit : references[r]->units) out.units[r].push_back(add_unit(unit));
            for (const uint32_t string : references[r]->strings) {
                part_.add(string);
                lemma_.add(string);
            }
            for (const uint32_t string : references[r]->lemmas) lemma_.add(string);
        }
        std::sort(names_.begin(), names_.end());
        names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
        list_names();
        out.distinct = static_cast<int64_t>(units_.size());
        best_.assign(units_.size(), -1);
        list_columns(out);
    }

    int64_t add_unit(const UnitKey& key) {
        sizes_[key[1] == 0 ? 1 : key[2] == 0 ? 2 : 3] = true;
        uint32_t& place = slot(key);
        if (place == 0) {
            units_.push_back(key);
            place = static_cast<uint32_t>(units_.size());
        }
        return place - 1;
    }

    // Keeps the names and acronyms that can become a string of the references.
    void list_names() {
        short_.clear();
        size_t kept = 0;
        for (const uint32_t id : names_) {
            const Name& its = lexicon_->names[id];
            pace_(8 + its.acronyms.size());
            const bool lower = among_parts(its.lower);
            for (const uint32_t acronym : its.acronyms) {
                if (among_parts(acronym)) short_.push_back({its.lower, acronym});
                if (lower) short_.push_back({acronym, its.lower});
            }
            if (lower || among_parts(its.text)) names_[kept++] = id;
        }
        names_.resize(kept);
    }

    void list_columns(const Matched& out) {
        columns_at_.assign(units_.size() + 1, 0);
        size_t total = 0;
        for (const auto& its : out.units) {
            total += its.size();
            for (const int64_t unit : its) ++columns_at_[static_cast<size_t>(unit) + 1];
        }
        for (size_t k = 0; k < units_.size(); ++k) columns_at_[k + 1] += columns_at_[k];
        columns_.resize(total);
        std::vector<uint32_t>& next = touched_;
        next.assign(columns_at_.begin(), columns_at_.end());
        for (size_t r = 0; r < out.units.size(); ++r)
            for (size_t c = 0; c < out.units[r].size(); ++c)
                columns_[next[static_cast<size_t>(out.units[r][c])]++] = {
                    static_cast<uint32_t>(r), static_cast<int64_t>(c)};
        touched_.clear();
    }

    void note(const UnitKey& key, double value) {
        const uint32_t place = slot(key);
        if (place == 0) return;
        if (best_[place - 1] < 0) touched_.push_back(place - 1);
        best_[place - 1] = std::max(best_[place - 1], value);
    }

    void reach(const Variant& variant) {
        const size_t last = variant.size() - 1;
        const Range left = finals(variant.first);
        if (left.begin == left.end) return;
        const Range right = last == 0 ? Range{0, 1} : finals(variant.last);
        if (right.begin == right.end) return;
        middles_.clear();
        if (last == 2) find_middles(variant.middle);
        for (uint32_t l = left.begin; l < left.end; ++l) {
            UnitKey key{{packed_unit(finals_[l].string, finals_[l].cls), 0, 0}};
            const double value = variant.value * finals_[l].value;
            pace_(8 * (1 + right.end - right.begin) * (1 + middles_.size()));
            if (last == 0) {
                note(key, value);
                continue;
            }
            for (uint32_t r = right.begin; r < right.end; ++r) {
                key[last] = packed_unit(finals_[r].string, finals_[r].cls);
                if (last == 1) note(key, value * finals_[r].value);
                for (const Final& middle : middles_) {
                    key[1] = packed_unit(middle.string, middle.cls);
                    note(key, value * finals_[r].value * middle.value);
                }
            }
        }
    }

    void find_middles(Code code) {
        const uint32_t string = string_of(code);
        if (among_parts(string)) middles_.push_back({string, class_of(code), 1});
        if (group_of(code) != PREPOSITION_PART) return;
        if (string >= lexicon_->tabled) return;
        const auto others = lexicon_->prepositions.find(string);
        if (others == lexicon_->prepositions.end()) return;
        for (const uint32_t other : others->second)
            if (among_parts(other))
                middles_.push_back({other, class_of(code), lexicon_->coefficients[PREP]});
    }

    // The final forms of a first or last part, restricted to those that the references have.
    Range finals(uint32_t number) {
        const Memo& known = memo(number);
        if (known.epoch == epoch_) return known.range;
        const Code code = lexicon_->code(number);
        states_.assign(1, {code, 1});
        step([this](const State& state) { pronouns(state); });
        step([this](const State& state) { share_names(state); });
        step([this](const State& state) { abbreviate(state); });
        const uint32_t begin = static_cast<uint32_t>(finals_.size());
        for (const State& state : states_) {
            const auto test = [this](uint32_t string) { return part_.has(string); };
            const auto use = [&](const Outcome& outcome) {
                if (outcome.required == NO_STRING || lemma_.has(outcome.required))
                    keep(begin, {outcome.string, outcome.cls, state.value * outcome.value});
            };
            if (&state == states_.data())
                lexicon_->later(number, test, use);
            else
                lexicon_->later(state.code, scratch_, test, use);
        }
        const Range range{begin, static_cast<uint32_t>(finals_.size())};
        remember(number, range);
        return range;
    }

    // The entry of a code, or the free one where it would be.
    Memo& memo(uint32_t number) noexcept {
        size_t at = (number * 0x9E3779B1u >> 8) & (memo_.size() - 1);
        while (memo_[at].epoch == epoch_ && memo_[at].number != number)
            at = (at + 1) & (memo_.size() - 1);
        return memo_[at];
    }

    void remember(uint32_t number, const Range& range) {
        if (2 * ++known_ > memo_.size()) {
            std::vector<Memo> before(2 * memo_.size());
            before.swap(memo_);
            for (const Memo& one : before)
                if (one.epoch == epoch_) memo(one.number) = one;
        }
        memo(number) = {number, epoch_, range};
    }

    void keep(uint32_t begin, const Final& fresh) {
        pace_(1 + finals_.size() - begin);
        for (size_t k = begin; k < finals_.size(); ++k)
            if (finals_[k].string == fresh.string && finals_[k].cls == fresh.cls) {
                finals_[k].value = std::max(finals_[k].value, fresh.value);
                return;
            }
        finals_.push_back(fresh);
    }

    template <class Stage>
    void step(Stage stage) {
        const size_t before = states_.size();
        for (size_t k = 0; k < before; ++k) {
            pace_(ELEMENT_STEPS + 2 * names_.size());
            stage(State(states_[k]));
        }
    }

    void add(const State& state, uint32_t string, Kind kind) {
        if (among_parts(string))
            states_.push_back(
                {with_string(state.code, string), state.value * lexicon_->coefficients[kind]});
    }

    void pronouns(const State& state) {
        const uint32_t word = string_of(state.code);
        const int group = group_of(state.code);
        const auto has = [&](const auto& words) {
            return std::find(words.begin(), words.end(), word) != words.end();
        };
        if (word < lexicon_->pronouns && has(lexicon_->singular)) {
            for (const uint32_t person : candidate_->persons) add(state, person, PRON);
        } else if (word < lexicon_->pronouns && has(lexicon_->plural)) {
            for (const uint32_t one : candidate_->groups) add(state, one, PRON);
        } else if (lexicon_->original && has_capitals(state.code) &&
                   (group == PERSON_PART || group == ORGANIZATION_PART)) {
            return;  // as released: looks for the name as written among names in lower case
        } else if (group == PERSON_PART) {
            for (const uint32_t pronoun : lexicon_->singular) add(state, pronoun, PRON);
        } else if (group == ORGANIZATION_PART || is_plural(state.code)) {
            for (const uint32_t pronoun : lexicon_->plural) add(state, pronoun, PRON);
        }
    }

    void share_names(const State& state) {
        const int group = group_of(state.code);
        const Name* own = group < PERSON_PART ? nullptr : lexicon_->name(group, string_of(state.code));
        if (own == nullptr) return;
        if (group != PERSON_PART) add(state, own->shortened, NAME);
        for (const uint32_t id : names_) {
            const Name& its = lexicon_->names[id];
            if (its.group != group) continue;
            if (group != PERSON_PART) {
                if (its.shortened == own->lower) add(state, its.lower, NAME);
                continue;
            }
            if (!(own->last != NO_STRING && own->last == its.last) && !share(*own, its)) continue;
            add(state, its.text, NAME);
            if (!lexicon_->original && its.initials != own->initials) add(state, its.lower, NAME);
        }
    }

    static bool share(const Name& own, const Name& its) noexcept {
        for (const uint32_t word : own.others)
            if (std::find(its.others.begin(), its.others.end(), word) != its.others.end())
                return true;
        return false;
    }

    void abbreviate(const State& state) {
        const int group = group_of(state.code);
        const uint32_t word = string_of(state.code);
        if (group != NOUN_PART && group < PERSON_PART) return;
        for (const Short& one : short_)
            if (one.from == word) add(state, one.to, ABBR);
        if (group != PERSON_PART) add_all(state, lexicon_->places);
        if (group == NOUN_PART) add_all(state, lexicon_->words);
    }

    void add_all(const State& state, const Lexicon::Words& table) {
        if (string_of(state.code) >= lexicon_->tabled) return;
        const auto found = table.find(string_of(state.code));
        if (found == table.end()) return;
        for (const uint32_t other : found->second) add(state, other, ABBR);
    }
};

struct Pair {
    const Document* candidate;
    std::vector<const Document*> references;
};

constexpr int MATCH_MEMORY = 1;

inline void match_pairs(const Lexicon& lexicon, const std::vector<Pair>& pairs, int workers,
                        Pool<Matcher>& pool, std::vector<Matched>& out, FirstFailure& failed) {
    out.resize(pairs.size());
    for_rows(
        pool, static_cast<int64_t>(pairs.size()), 8, workers, failed, MATCH_MEMORY,
        [] { return std::make_unique<Matcher>(); },
        [&](int64_t row, Matcher& matcher) {
            const size_t k = static_cast<size_t>(row);
            matcher.match(lexicon, *pairs[k].candidate, pairs[k].references, out[k]);
        });
}

}  // namespace summeval
