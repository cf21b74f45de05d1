// Sentences with dependencies, and the matches of rules in them. The definition is
// tests/definitions/elements/extraction.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "elements/parses/patterns.hpp"

namespace summeval {

// What a rule found: its number in the table, and the tokens of the sentence in its order.
struct Found {
    uint32_t rule;
    int size;
    std::array<int32_t, 3> tokens{{-1, -1, -1}};

    // `token`: from a node that was captured to its token.
    template <class Token>
    Found(uint32_t number, const PatternRule& given, const Captured& one, Token token)
        : rule(number), size(given.size) {
        for (size_t k = 0; k < static_cast<size_t>(size); ++k)
            tokens[k] = token(one.nodes[static_cast<size_t>(given.order[k])]);
    }
};

using LabelIds = std::unordered_map<std::string, LabelId>;

// Facts about a part of speech or category.
struct Tag {
    LabelId id = 0;
    bool lowers = false;  // its forms are written in lower case
};

// Facts about the label of a dependency.
struct Relation {
    LabelId id = 0;
    bool clausal = false;     // a dependent of the clause, not of its predicate
    bool possessive = false;  // nmod:poss and its kinds
};

// A table of rules, and what else its structures need.
struct Grammar : Patterns {
    LabelIds tags, relations;
    WordLists lists;
    std::vector<Relation> known;  // by number of a relation
    std::vector<std::string> closed, verbs;           // tags, and the beginnings of tags, that lower
    std::vector<std::string> clausal, clausal_kinds;  // the same of relations
    // Of dependencies: by number of a relation the new numbers and their patterns, and the rules.
    std::vector<std::vector<std::pair<LabelId, uint32_t>>> renames;
    std::vector<std::vector<uint32_t>> by_relation;
    std::vector<std::vector<uint32_t>> anywhere;  // by number of a tag: rules that any token may begin
    // The numbers of what the conversion of dependencies names.
    LabelId cop = 0, case_ = 0, prep = 0, pobj = 0, rcmod = 0, pos = 0, wrb = 0;
    int be = 0, negations = 0;  // lists

    Tag tag(const std::string& written) const {
        Tag found;
        const auto place = tags.find(written);
        if (place != tags.end()) found.id = place->second;
        found.lowers = any_is(closed, written) || any_begins(verbs, written);
        return found;
    }
    Relation relation(const std::string& written) const {
        Relation found;
        const auto place = relations.find(written);
        if (place != relations.end()) found.id = place->second;
        found.clausal = any_is(clausal, written) || any_begins(clausal_kinds, written);
        found.possessive = written.compare(0, 9, "nmod:poss") == 0;
        return found;
    }

    // Lists the rules that any token may begin by the tags that their first nodes take.
    void list_anywhere(const std::vector<uint32_t>& numbers) {
        anywhere.assign(LabelSet::MOST, {});
        for (size_t tag = 0; tag < LabelSet::MOST; ++tag)
            for (const uint32_t number : numbers) {
                const PatternNode& first = nodes[rules[number].root];
                if (first.labels.has(static_cast<LabelId>(tag)) != first.negated)
                    anywhere[tag].push_back(number);
            }
    }

  private:
    static bool any_is(const std::vector<std::string>& all, const std::string& one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    }
    static bool any_begins(const std::vector<std::string>& all, const std::string& one) {
        return std::any_of(all.begin(), all.end(), [&](const std::string& begin) {
            return one.compare(0, begin.size(), begin) == 0;
        });
    }
};

enum ParseLink : int { HEAD, DEPENDENT, FIRST_DEPENDENT, ANTECEDENT };

// A sentence; the nodes of patterns are its tokens.
struct Parse {
    const Grammar* grammar = nullptr;
    std::vector<int32_t> head;
    std::vector<Relation> relation;
    std::vector<Tag> tag;
    std::vector<uint32_t> lists;
    std::vector<int32_t> child, child_at;  // those of token t: child[child_at[t] ... child_at[t + 1])

    int32_t size() const noexcept { return static_cast<int32_t>(head.size()); }

    void resize(size_t size) {
        head.resize(size);
        relation.resize(size);
        tag.resize(size);
        lists.resize(size);
    }

    void find_children() {
        child_at.assign(head.size() + 2, 0);
        for (const int32_t above : head)
            if (above >= 0) ++child_at[at(above) + 2];
        for (size_t t = 2; t < child_at.size(); ++t) child_at[t] += child_at[t - 1];
        child.resize(at(child_at.back()));
        for (int32_t t = 0; t < size(); ++t)
            if (head[at(t)] >= 0) child[at(child_at[at(head[at(t)]) + 1]++)] = t;
    }

    LabelId label(int32_t token) const noexcept { return tag[at(token)].id; }
    uint32_t words(int32_t token) const noexcept { return lists[at(token)]; }

    template <class F>
    bool any(const PatternLink& link, int32_t token, F f) const {
        const size_t t = at(token);
        if (link.relation == HEAD)
            return head[t] >= 0 && link.labels.has(relation[t].id) && f(head[t]);
        if (link.relation == ANTECEDENT) {
            int32_t up = token;
            for (size_t steps = 0; up >= 0 && relation[at(up)].id != grammar->rcmod; ++steps) {
                if (steps > head.size()) return false;  // heads in a circle
                up = head[at(up)];
            }
            return up >= 0 && head[at(up)] >= 0 && f(head[at(up)]);
        }
        for (int32_t k = child_at[t]; k < child_at[t + 1]; ++k) {
            const int32_t below = child[at(k)];
            if (!link.labels.has(relation[at(below)].id)) continue;
            if (f(below)) return true;
            if (link.relation == FIRST_DEPENDENT) return false;
        }
        return false;
    }

    static size_t at(int32_t k) noexcept { return static_cast<size_t>(k); }
};

// Converts parses to the structure and labels of the rules, and finds what the rules match.
class ParseReader {
  public:
    explicit ParseReader(const Grammar& grammar) : grammar_(&grammar), matcher_(grammar) {
        parse.grammar = &grammar;
    }
    Parse parse;  // to be filled, but for its children

    void find(std::vector<Found>& found) {
        normalise();
        for (int32_t t = 0; t < parse.size(); ++t) {
            for (const uint32_t rule : grammar_->anywhere[parse.label(t)]) apply(rule, t, found);
            for (const uint32_t rule : grammar_->by_relation[parse.relation[Parse::at(t)].id])
                apply(rule, t, found);
        }
    }

  private:
    const Grammar* grammar_;
    PatternMatcher<Parse> matcher_;
    std::vector<Relation> renamed_;

    void apply(uint32_t number, int32_t token, std::vector<Found>& found) {
        const PatternRule& rule = grammar_->rules[number];
        matcher_.match(parse, rule.root, token, [&](const Captured& one) {
            found.emplace_back(number, rule, one, [](int32_t node) { return node; });
        });
    }

    bool is_case(size_t t) const noexcept {
        return parse.relation[t].id == grammar_->case_ && parse.tag[t].id != grammar_->pos;
    }
    bool in_list(size_t t, int list) const noexcept { return parse.lists[t] >> list & 1; }

    void normalise() {
        bool other = false;
        for (size_t t = 0; t < parse.head.size(); ++t)
            other = other || parse.relation[t].id == grammar_->cop || is_case(t);
        parse.find_children();
        if (other) {
            restructure();
            parse.find_children();
        }
        renamed_ = parse.relation;
        for (int32_t t = 0; t < parse.size(); ++t) {
            for (const auto& [name, root] : grammar_->renames[parse.relation[Parse::at(t)].id]) {
                if (!matcher_.holds(parse, root, t)) continue;
                renamed_[Parse::at(t)] = grammar_->known[name];
                break;
            }
        }
        parse.relation.swap(renamed_);
    }

    // Makes copulas and prepositions heads.
    void restructure() {
        renamed_ = parse.relation;  // as they were
        for (size_t t = 0; t < renamed_.size(); ++t)
            if (renamed_[t].id == grammar_->cop && in_list(t, grammar_->be) && parse.head[t] >= 0)
                raise_copula(t);
        for (size_t t = 0; t < renamed_.size(); ++t) {
            const int32_t noun = parse.head[t];
            if (renamed_[t].id != grammar_->case_ || parse.tag[t].id == grammar_->pos || noun < 0)
                continue;
            const Relation its = parse.relation[Parse::at(noun)];
            if (its.possessive || its.id == grammar_->pobj) continue;
            parse.head[t] = parse.head[Parse::at(noun)];
            parse.head[Parse::at(noun)] = static_cast<int32_t>(t);
            parse.relation[t] = grammar_->known[grammar_->prep];
            parse.relation[Parse::at(noun)] = grammar_->known[grammar_->pobj];
        }
    }

    void raise_copula(size_t copula) {
        const int32_t predicate = parse.head[copula];
        const size_t p = Parse::at(predicate);
        if (in_list(p, grammar_->be)) return;
        parse.head[copula] = parse.head[p];
        parse.head[p] = static_cast<int32_t>(copula);
        parse.relation[copula] = parse.relation[p];
        parse.relation[p] = grammar_->known[grammar_->cop];
        for (int32_t k = parse.child_at[p]; k < parse.child_at[p + 1]; ++k) {
            const size_t below = Parse::at(parse.child[Parse::at(k)]);
            if (below == copula || parse.head[below] != predicate) continue;
            if (parse.relation[below].clausal || parse.tag[below].id == grammar_->wrb ||
                in_list(below, grammar_->negations))
                parse.head[below] = static_cast<int32_t>(copula);
        }
    }
};

}  // namespace summeval
