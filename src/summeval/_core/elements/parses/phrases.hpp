// Phrase structure trees, and the elements that rules find in them. The definition is
// tests/definitions/elements/trees.py.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "elements/parses/cuts.hpp"
#include "elements/parses/parses.hpp"

namespace summeval {

// The relations of Tregex, in the order of summeval.elements.trees.RELATIONS.
enum TreeLink : int {
    CHILD, BELOW, HEAD_CHILD, FIRST_CHILD, LAST_CHILD, ONLY_CHILD, PARENT, ABOVE, HEADED, NEXT,
    PREVIOUS, LATER, EARLIER, THROUGH,
};

// A tree, its nodes in the order of their opening brackets; those below a node follow it.
struct Phrases {
    std::vector<int32_t> parent;  // -1 for the root
    std::vector<int32_t> head;    // the child that is the head
    std::vector<int32_t> token;   // of the head word of each node, from 0 in the sentence
    std::vector<int32_t> end;     // the first node after those below it
    std::vector<int32_t> last, before;  // the last child, and the sister before; -1 if there is none
    std::vector<Tag> tag;
    std::vector<uint32_t> lists;  // of each token

    LabelId label(int32_t node) const noexcept { return tag[at(node)].id; }
    uint32_t words(int32_t node) const noexcept { return lists[at(token[at(node)])]; }

    void find_family() {
        const size_t size = parent.size();
        end.assign(size, 0);
        last.assign(size, -1);
        before.assign(size, -1);
        for (size_t n = size; n-- > 0;) {
            end[n] = std::max(end[n], static_cast<int32_t>(n) + 1);
            if (parent[n] >= 0) end[at(parent[n])] = std::max(end[at(parent[n])], end[n]);
        }
        for (size_t n = 0; n < size; ++n) {
            if (parent[n] < 0) continue;
            const bool is_last = end[n] == end[at(parent[n])];
            (is_last ? last[at(parent[n])] : before[at(end[n])]) = static_cast<int32_t>(n);
        }
    }

    template <class F>
    bool any(const PatternLink& link, int32_t node, F f) const {
        const int32_t up = parent[at(node)], after = end[at(node)];
        const int32_t outside = up < 0 ? after : end[at(up)];  // after the sisters
        switch (link.relation) {
            case CHILD: return among(node + 1, after, f);
            case BELOW:
                for (int32_t k = node + 1; k < after; ++k)
                    if (f(k)) return true;
                return false;
            case THROUGH:
                for (int32_t k = node + 1; k < after; k = link.labels.has(label(k)) ? k + 1 : end[at(k)])
                    if (f(k)) return true;
                return false;
            case HEAD_CHILD: return node + 1 < after && f(head[at(node)]);
            case FIRST_CHILD: return node + 1 < after && f(node + 1);
            case LAST_CHILD: return node + 1 < after && f(last[at(node)]);
            case ONLY_CHILD: return node + 1 < after && end[at(node + 1)] == after && f(node + 1);
            case PARENT: return up >= 0 && f(up);
            case ABOVE:
                for (int32_t k = up; k >= 0; k = parent[at(k)])
                    if (f(k)) return true;
                return false;
            case HEADED: return up >= 0 && head[at(up)] == node && f(up);
            case NEXT: return after < outside && f(after);
            case PREVIOUS: return before[at(node)] >= 0 && f(before[at(node)]);
            case LATER: return among(after, outside, f);
            default: return up >= 0 && among(up + 1, node, f);  // EARLIER
        }
    }

    static size_t at(int32_t k) noexcept { return static_cast<size_t>(k); }

  private:
    // Whether f holds for one of the sisters from a node to another.
    template <class F>
    bool among(int32_t node, int32_t outside, F f) const {
        for (; node < outside; node = end[at(node)])
            if (f(node)) return true;
        return false;
    }
};

// Finds the elements of trees, one after the other.
class PhraseReader {
  public:
    PhraseReader(const Grammar& grammar, std::vector<Unit> units, std::vector<uint32_t> over,
                 bool places, Cut& out)
        : grammar_(&grammar), matcher_(grammar), units_(std::move(units)), over_(std::move(over)) {
        assembler_.begin(units_, over_, places, out);
    }
    Phrases tree;  // to be filled, but for its tags, lists and family

    // Adds the elements of the tree, whose nodes have these labels, and whose tokens these forms;
    // false if the units are not those of so many tokens.
    bool add(const std::vector<std::string>& labels, const std::vector<int32_t>& tokens,
             const std::vector<std::string>& forms) {
        if (start_ + forms.size() > over_.size()) return false;
        tree.tag.clear();
        for (const std::string& label : labels) tree.tag.push_back(grammar_->tag(label));
        tree.lists.clear();
        words_.clear();
        for (size_t t = 0; t < forms.size(); ++t) {
            const size_t node = Phrases::at(tokens[t]);
            tree.lists.push_back(grammar_->lists.of(forms[t]));
            words_.push_back({forms[t], labels[node], tree.tag[node].lowers});
        }
        tree.find_family();
        found_.clear();
        for (uint32_t rule = 0; rule < grammar_->rules.size(); ++rule)
            for (int32_t node = 0; node < static_cast<int32_t>(labels.size()); ++node)
                apply(rule, node);
        assembler_.add(*grammar_, words_, start_, found_, false);
        start_ += static_cast<uint32_t>(forms.size());
        return true;
    }

  private:
    const Grammar* grammar_;
    PatternMatcher<Phrases> matcher_;
    Assembler assembler_;
    std::vector<Unit> units_;
    std::vector<uint32_t> over_;
    std::vector<Word> words_;
    std::vector<Found> found_;
    uint32_t start_ = 0;

    void apply(uint32_t number, int32_t node) {
        const PatternRule& rule = grammar_->rules[number];
        matcher_.match(tree, rule.root, node, [&](const Captured& one) {
            found_.emplace_back(number, rule, one,
                                [this](int32_t at) { return tree.token[Phrases::at(at)]; });
        });
    }
};

}  // namespace summeval
