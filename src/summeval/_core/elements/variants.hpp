// The elements of a document under the numbers of a lexicon, and what they can turn into before the
// stages that change only one part: periods, swaps, inversions, roles, nominalisations, adverbs
// (stages 1 to 6 of summeval.elements.stages).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "elements/lexicon.hpp"
#include "rows/stop.hpp"

namespace summeval {

// What a form of an element must agree in: string and class of each part, 0 if there is none.
using UnitKey = std::array<uint32_t, 3>;
inline uint32_t packed_unit(uint32_t string, uint32_t cls) noexcept {
    return (string << 2 | cls) + 1;
}
inline uint64_t hash(const UnitKey& key) noexcept {
    uint64_t mixed = key[0] * 0x9E3779B97F4A7C15ull;
    mixed = (mixed ^ (mixed >> 29) ^ key[1]) * 0xBF58476D1CE4E5B9ull;
    mixed = (mixed ^ (mixed >> 32) ^ key[2]) * 0x94D049BB133111EBull;
    return mixed ^ (mixed >> 31);
}

struct Variant {
    uint32_t first, last;  // numbers of codes; `last` is NO_STRING if there is one part
    Code middle;           // NO_CODE if there is none
    double value;

    size_t size() const noexcept { return last == NO_STRING ? 1 : middle == NO_CODE ? 2 : 3; }
};

struct Element {
    uint32_t rule : 30, size : 2;  // rule: RuleFlags
    std::array<uint32_t, 3> parts;  // of the registry
};

struct Document {
    std::vector<Element> elements;
    std::vector<UnitKey> units;             // of each element
    std::vector<uint32_t> strings, lemmas;  // of its parts
    std::vector<uint32_t> names;            // of its entities, without repetition
    std::vector<uint32_t> persons, groups;  // strings that pronouns can be replaced by
    // Of each element, of those of a candidate: variants[variants_at[e] ... variants_at[e + 1]).
    std::vector<Variant> variants;
    std::vector<uint32_t> variants_at;
    uint32_t weighed = 0;  // Lexicon::weighed when the variants were found

    void clear() noexcept {
        elements.clear();
        units.clear();
        for (std::vector<uint32_t>* one :
             {&strings, &lemmas, &names, &persons, &groups, &variants_at})
            one->clear();
        variants.clear();
        weighed = 0;
    }

    // Removes repetitions from the arrays that are only looked up.
    void close() {
        for (std::vector<uint32_t>* one : {&names, &persons, &groups}) {
            if (one->size() < 2) continue;
            std::sort(one->begin(), one->end());
            one->erase(std::unique(one->begin(), one->end()), one->end());
        }
    }
};

// Finds the variants of elements. The results of their first and last parts are then learned, if
// those of the elements were.
class Varier {
  public:
    void open(Lexicon& lexicon) {
        lexicon_ = &lexicon;
        of_ = lexicon.part(make_code(lexicon.intern("of"), PREPOSITION_PART, 1, false, false));
        in_ = lexicon.part(make_code(lexicon.intern("in"), PREPOSITION_PART, 1, false, false));
    }

    // Adds the variants of an element: RuleFlags, its parts, and those with other periods.
    void vary(uint32_t rule, size_t size, const std::array<Part, 3>& parts,
              const std::array<Part, 3>& dotted, std::vector<Variant>& out) {
        rule_ = rule;
        out_ = &out;
        first_ = out.size();
        dots({size, parts, 1.0}, dotted);
        if (rule & SWAPS && size > 1) {
            State turned{size, parts, lexicon_->coefficients[SWAP]};
            std::array<Part, 3> turned_dots = dotted;
            std::swap(turned.parts[0], turned.parts[size - 1]);
            std::swap(turned_dots[0], turned_dots[size - 1]);
            dots(turned, turned_dots);
        }
    }

  private:
    static constexpr uint32_t NONE = WordNet::NONE;
    struct State {
        size_t size;
        std::array<Part, 3> parts;
        double value;
    };
    Lexicon* lexicon_ = nullptr;
    Part of_, in_;
    uint32_t rule_ = 0;
    std::vector<Variant>* out_ = nullptr;
    size_t first_ = 0;  // variant of the element

    double coefficient(Kind kind) const noexcept { return lexicon_->coefficients[kind]; }
    bool is_noun(const Part& part) { return lexicon_->entry(string_of(part.code), NOUN) != NONE; }

    // Calls use(part) for what a part is related to (Lexicon::related).
    template <class Use>
    void each(const Part& part, bool all, Use use) {
        const Range range = lexicon_->related(part, all);
        for (uint32_t k = range.begin; k < range.end; ++k) use(lexicon_->related_part(k));
    }
    static State two(const Part& first, const Part& last, double value) {
        return {2, {{first, last, Part{}}}, value};
    }

    void dots(const State& state, const std::array<Part, 3>& dotted) {
        const size_t last = state.size - 1;
        for (const bool left : {false, true}) {
            for (const bool right : {false, true}) {
                if ((left && dotted[0].code == NO_CODE) ||
                    (right && (last == 0 || dotted[last].code == NO_CODE)))
                    continue;
                State next = state;
                if (left) next.parts[0] = dotted[0];
                if (right) next.parts[last] = dotted[last];
                next.value *= (left ? coefficient(PERI) : 1) * (right ? coefficient(PERI) : 1);
                invert(next);
            }
        }
    }

    void invert(const State& state) {
        nominalise(state);
        const Part first = state.parts[0], last = state.parts[state.size - 1];
        if (rule_ & INVERTS) {
            const double value = state.value * coefficient(NPPP);
            if (state.size == 2 && is_noun(last))
                nominalise({3, {{last, of_, first}}, value});
            else if (state.size == 3 && is_noun(first))
                nominalise(two(last, first, value));
        }
        if (state.size != 2) return;
        const double value = state.value * coefficient(ROLE);
        if (rule_ & ROLE_OF_NOUN && group_of(first.code) == NOUN_PART)
            each(first, false, [&](const Part& verb) { nominalise(two(last, verb, value)); });
        if (rule_ & ROLE_OF_VERB && group_of(last.code) == VERB_PART)
            each(last, false, [&](const Part& noun) {
                if (!lexicon_->original || !lexicon_->is_synonym(noun.code, last.code))
                    nominalise(two(noun, first, value));
            });
    }

    void nominalise(const State& state) {
        turn_adverbs(state);
        const double value = state.value * coefficient(NOMI);
        const auto& parts = state.parts;
        if (state.size == 2) {
            const bool first = group_of(parts[0].code) == VERB_PART;
            if (first || group_of(parts[1].code) == VERB_PART)
                each(parts[first ? 0 : 1], true, [&](const Part& noun) {
                    turn_adverbs({3, {{noun, of_, parts[first ? 1 : 0]}}, value});
                });
        } else if (state.size == 3 && group_of(parts[0].code) == NOUN_PART &&
                   group_of(parts[1].code) == PREPOSITION_PART) {
            each(parts[0], false, [&](const Part& verb) {
                turn_adverbs(two(parts[2], verb, value));
                turn_adverbs(two(verb, parts[2], value));
            });
        }
    }

    void turn_adverbs(const State& state) {
        keep(state);
        const double value = state.value * coefficient(ADJV);
        const auto& parts = state.parts;
        if (state.size == 2 && group_of(parts[0].code) == VERB_PART &&
            group_of(parts[1].code) == ADVERB_PART) {
            each(parts[1], false, [&](const Part& adjective) {
                keep({3, {{adjective, in_, parts[0]}}, value});
                each(parts[0], false, [&](const Part& noun) {
                    keep(two(adjective, noun, value));
                    keep({3, {{adjective, in_, noun}}, value});
                });
            });
        } else if (state.size > 1 && group_of(parts[0].code) == ADJECTIVE_PART) {
            const Part last = parts[state.size - 1];
            const bool noun = group_of(last.code) == NOUN_PART;
            const bool verb = state.size == 3 && group_of(last.code) == VERB_PART &&
                              group_of(parts[1].code) == PREPOSITION_PART;
            if (!noun && !verb) return;
            each(parts[0], false, [&](const Part& adverb) {
                if (verb) return keep(two(last, adverb, value));
                each(last, false, [&](const Part& its) { keep(two(its, adverb, value)); });
            });
        }
    }

    void keep(const State& state) {
        const Variant fresh{state.parts[0].number,
                            state.size == 1 ? NO_STRING : state.parts[state.size - 1].number,
                            state.size == 3 ? state.parts[1].code : NO_CODE, state.value};
        for (size_t k = first_; k < out_->size(); ++k) {
            Variant& known = (*out_)[k];
            if (known.first == fresh.first && known.last == fresh.last &&
                known.middle == fresh.middle) {
                known.value = std::max(known.value, fresh.value);
                return;
            }
        }
        out_->push_back(fresh);
    }
};

}  // namespace summeval
