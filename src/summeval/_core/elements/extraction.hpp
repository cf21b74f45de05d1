// The Basic Elements of packed documents. The definition is
// tests/definitions/elements.
#pragma once
#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "documents/packed.hpp"
#include "elements/interner.hpp"
#include "elements/parses/cuts.hpp"
#include "elements/parses/parses.hpp"
#include "rows/parallel.hpp"

namespace summeval {

enum ExtractStatus : int {
    EXTRACT_OK,
    EXTRACT_UNFIT,   // the document has not what the rules need, or is damaged
    EXTRACT_MEMORY,
};

enum RuleKind : int { RULES_AUTO, RULES_DEPENDENCIES, RULES_TREES };

// A unit that the caller found (by coreference): its label, and its tokens.
struct GivenUnit {
    std::string label;
    uint32_t first, last;
};

struct GivenDocument {
    const unsigned char* data = nullptr;
    size_t size = 0;
    PythonText text;
    bool places = false;     // whether the tokens of parts are asked for
    bool has_units = false;  // else the entities of the document are its units
    std::vector<GivenUnit> units;
    std::vector<uint32_t> over;  // by token: 0, or one more than the number of its unit
};

// Extracts from one document after the other; kept to reuse its memory.
class Extractor {
  public:
    explicit Extractor(const Grammar& dependencies)
        : dependencies_(&dependencies), reader_(dependencies) {}

    int extract(const GivenDocument& given, int rules, Cut& out) {
        out.clear();
        if (given.data == nullptr || !view_document(given.data, given.size, view_))
            return EXTRACT_UNFIT;
        if (rules == RULES_AUTO) rules = has_trees() && !has_labels() ? RULES_TREES : RULES_DEPENDENCIES;
        if (rules == RULES_TREES) return EXTRACT_UNFIT;
        if (!find_units(given)) return EXTRACT_UNFIT;
        assembler_.begin(units_, over_, given.places, cut_);
        read_strings();
        for (uint32_t s = 0; s < view_.sentences; ++s)
            if (!extract_parse(view_.sentence_starts[s], view_.sentence_starts[s + 1]))
                return EXTRACT_UNFIT;
        out = cut_;  // no larger than it must be
        return EXTRACT_OK;
    }

    bool worth_keeping() const noexcept { return true; }

  private:
    struct Facts {  // about a string of the document, as far as they were asked for
        bool has_tag = false, has_relation = false, has_lists = false;
        Tag tag;
        Relation relation;
        uint32_t lists = 0;
    };

    static constexpr size_t MOST_KNOWN = 1024;
    // Facts about strings, which the next documents have too.
    template <class Fact>
    struct Memory {
        Interner strings;
        std::vector<Fact> facts;
    };

    const Grammar* dependencies_;
    ParseReader reader_;
    Assembler assembler_;
    Cut cut_;
    DocumentView view_{};
    std::vector<Facts> facts_;
    std::vector<Unit> units_;
    std::vector<uint32_t> over_, order_;
    std::vector<Found> found_;
    std::vector<Word> words_;
    Memory<Tag> tags_;
    Memory<Relation> relations_;
    Pace pace_;

    std::string_view string(uint32_t number) const noexcept {
        const uint32_t* const at = view_.string_offsets + number;
        return {view_.strings + at[0], at[1] - at[0]};
    }
    bool is_empty(uint32_t number) const noexcept {
        return view_.string_offsets[number] == view_.string_offsets[number + 1];
    }

    bool has_labels() const noexcept {
        for (uint32_t t = 0; t < view_.tokens; ++t)
            if (!is_empty(view_.label[t])) return true;
        return false;
    }
    bool has_trees() const noexcept {
        for (uint32_t s = 0; s < view_.sentences; ++s)
            if (view_.sentence_trees[s] != packed::NO_TREE && !is_empty(view_.sentence_trees[s]))
                return true;
        return false;
    }

    void read_strings() {
        facts_.assign(view_.string_count, Facts{});
        pace_(view_.string_count);
    }
    template <class Fact, class Make>
    Fact known(Memory<Fact>& memory, uint32_t number, Make make) {
        const std::string_view text = string(number);
        const uint32_t place = memory.strings.find(text);
        if (place < memory.facts.size()) return memory.facts[place];
        const Fact fresh = make(std::string(text));
        if (memory.facts.size() < MOST_KNOWN && text.size() < MOST_KNOWN) {
            bool is_new = false;
            memory.facts.resize(memory.strings.intern(text, is_new) + 1);
            memory.facts.back() = fresh;
        }
        return fresh;
    }
    Tag tag(uint32_t number) {
        Facts& its = facts_[number];
        if (!its.has_tag) {
            its.tag = known(tags_, number, [this](const std::string& text) {
                return dependencies_->tag(text);
            });
            its.has_tag = true;
        }
        return its.tag;
    }
    Relation relation(uint32_t number) {
        Facts& its = facts_[number];
        if (!its.has_relation) {
            its.relation = known(relations_, number, [this](const std::string& text) {
                return dependencies_->relation(text);
            });
            its.has_relation = true;
        }
        return its.relation;
    }
    uint32_t lists(uint32_t number) {
        Facts& its = facts_[number];
        if (!its.has_lists) {
            its.lists = dependencies_->lists.of(string(number));
            its.has_lists = true;
        }
        return its.lists;
    }

    bool extract_parse(uint32_t begin, uint32_t end) {
        const size_t size = end - begin;
        Parse& parse = reader_.parse;
        parse.resize(size);
        words_.resize(size);
        bool labelled = size == 0;
        pace_(64 * size);
        for (size_t t = 0; t < size; ++t) {
            const size_t at = begin + t;
            const std::string_view form = string(view_.form[at]);
            labelled = labelled || !is_empty(view_.label[at]);
            parse.head[t] = view_.head[at];
            parse.relation[t] = relation(view_.label[at]);
            parse.tag[t] = tag(view_.tag[at]);
            // A contracted verb ('s) is ambiguous; its lemma is not.
            const bool contracted =
                form.empty() || form[0] == '\'' || form.substr(0, 3) == "\xE2\x80\x99";
            const bool by_lemma = contracted && !is_empty(view_.lemma[at]);
            parse.lists[t] = lists(by_lemma ? view_.lemma[at] : view_.form[at]);
            words_[t] = {form, string(view_.tag[at]), parse.tag[t].lowers};
        }
        if (!labelled) return false;
        found_.clear();
        reader_.find(found_);
        assembler_.add(*dependencies_, words_, begin, found_, true);
        return true;
    }

    // The units of the document and the tokens that they take; false if there are none such.
    bool find_units(const GivenDocument& given) {
        units_.clear();
        if (given.has_units) {
            if (given.over.size() != view_.tokens) return false;
            over_ = given.over;
            for (const GivenUnit& unit : given.units) {
                if (unit.first > unit.last || unit.last >= view_.tokens) return false;
                add_unit(given.text, unit.label, unit.first, unit.last);
            }
            return std::all_of(over_.begin(), over_.end(),
                               [&](uint32_t unit) { return unit <= units_.size(); });
        }
        over_.assign(view_.tokens, 0);
        order_.resize(view_.entities);
        for (uint32_t k = 0; k < view_.entities; ++k) {
            if (preference(k) < 0) return false;
            order_[k] = k;
        }
        // The longest first; of equal ones organisations, then persons, then in their order.
        std::sort(order_.begin(), order_.end(), [this](uint32_t a, uint32_t b) {
            const uint32_t own = view_.entity_last[a] - view_.entity_first[a];
            const uint32_t other = view_.entity_last[b] - view_.entity_first[b];
            if (own != other) return own > other;
            if (preference(a) != preference(b)) return preference(a) < preference(b);
            return a < b;
        });
        for (const uint32_t k : order_) cover(given.text, k);
        return true;
    }

    void cover(const PythonText& text, uint32_t entity) {
        uint32_t number = 0;
        pace_(view_.entity_last[entity] - view_.entity_first[entity]);
        for (uint32_t t = view_.entity_first[entity]; t <= view_.entity_last[entity]; ++t) {
            if (over_[t] != 0) continue;
            if (number == 0) {
                static const char* const kinds[] = {"Organization", "Person", "Location"};
                add_unit(text, kinds[preference(entity)], view_.entity_first[entity],
                         view_.entity_last[entity]);
                number = static_cast<uint32_t>(units_.size());
            }
            over_[t] = number;
        }
    }

    int preference(uint32_t entity) const noexcept {
        const std::string_view label = string(view_.entity_label[entity]);
        return label == "ORG" ? 0 : label == "PER" ? 1 : label == "LOC" ? 2 : -1;
    }

    // The text of the document, or its tokens if they have no place in it.
    void add_unit(const PythonText& text, std::string_view label, uint32_t first, uint32_t last) {
        Unit unit;
        unit.kind.assign(label);
        if (view_.start[first] >= 0)
            unit.text = joined_slice(text, view_.start[first], view_.end[last]);
        if (unit.text.empty()) {
            const auto dropped = [&](uint32_t t) {
                const std::string_view form = string(view_.form[t]);
                return form == "." || form == ",";
            };
            while (last > first && dropped(last)) --last;
            for (uint32_t t = first; t <= last; ++t) {
                if (t > first) unit.text.push_back(' ');
                unit.text.append(string(view_.form[t]));
            }
        }
        units_.push_back(std::move(unit));
    }
};

// Extracts from each document; `statuses` has room for each.
inline void extract_all(const Grammar& dependencies, const std::vector<GivenDocument>& given,
                        int rules, int workers, Pool<Extractor>& pool,
                        std::vector<Cut*>& out, FirstFailure& failed) {
    for_rows(
        pool, static_cast<int64_t>(given.size()), 16, workers, failed, EXTRACT_MEMORY,
        [&] { return std::make_unique<Extractor>(dependencies); },
        [&](int64_t row, Extractor& extractor) {
            const size_t k = static_cast<size_t>(row);
            const int status = extractor.extract(given[k], rules, *out[k]);
            if (status != EXTRACT_OK) failed.note(row, status);
        });
}

}  // namespace summeval
