// Patterns of the rules of Basic Elements as tables, and their matches at the nodes of a structure
// (summeval.elements.rules makes the tables; tests/definitions/elements/patterns.py defines them).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

using LabelId = uint8_t;  // of a label that some pattern names; 0 for all others

struct LabelSet {
    static constexpr size_t MOST = 128;
    std::array<uint64_t, 2> bits{};

    void add(LabelId id) noexcept { bits[id >> 6] |= uint64_t{1} << (id & 63); }
    bool has(LabelId id) const noexcept { return bits[id >> 6] >> (id & 63) & 1; }
};

constexpr int NO_WORDS = -1;
constexpr size_t MOST_CAPTURES = 4;
constexpr size_t MOST_LEVELS = 16;  // of nodes in a pattern

struct PatternNode {
    LabelSet labels;
    bool negated = true;          // labels are those refused
    int words = NO_WORDS;         // the number of a list of words
    bool words_negated = false;
    bool captured = false;
    int captures = 0;             // of the node and all below it
    uint32_t first = 0, last = 0; // its links
};

enum LinkMode : int { SOME_NODE, NO_NODE, ONE_OF };

struct PatternLink {
    int relation = 0;  // of the structure; unused by ONE_OF
    LabelSet labels;   // that the relation asks for
    int mode = SOME_NODE;
    uint32_t first = 0, last = 0;  // its target; for ONE_OF the ways, which are nodes
};

struct PatternRule {
    uint32_t name = 0;  // its place in the sorted names of rules
    uint32_t root = 0;
    int size = 0;
    std::array<int, 3> order{};  // of the captures
};

// The captures of one way to match.
struct Captured {
    std::array<int32_t, MOST_CAPTURES> nodes{};
    int size = 0;
};

// The words that lists name, as bits; a list may also take all words with certain ends.
class WordLists {
  public:
    void add(const std::string& word, int list) {
        words_[word] |= uint32_t{1} << list;
        maybe_[word.size()][static_cast<unsigned char>(word[0])] = true;
    }
    void add_end(const std::string& end, int list) { ends_.emplace_back(end, uint32_t{1} << list); }

    // The lists that hold a word, in any case.
    uint32_t of(std::string_view word) const {
        uint32_t lists = 0;
        std::string lower;
        for (size_t k = 0; k < word.size() && word[k] != '\xE2'; ++k)
            if (k + 1 == word.size()) return of_plain(word, lower);
        // No letter outside ASCII is a part of a listed word but the sign of kelvin, a k.
        std::string plain;
        for (size_t k = 0; k < word.size(); ++k) {
            const bool kelvin = word.substr(k, 3) == "\xE2\x84\xAA";
            plain.push_back(kelvin ? 'k' : word[k]);
            k += kelvin ? 2 : 0;
        }
        return plain.empty() ? lists : of_plain(plain, lower);
    }

    static constexpr int MOST_LETTERS = 15;  // of a listed word

  private:
    std::unordered_map<std::string, uint32_t> words_;
    std::vector<std::pair<std::string, uint32_t>> ends_;
    std::array<std::array<bool, 256>, MOST_LETTERS + 1> maybe_{};  // by length and first letter

    static char low(char c) noexcept {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }

    uint32_t of_plain(std::string_view word, std::string& lower) const {
        uint32_t lists = 0;
        if (word.size() <= MOST_LETTERS &&
            maybe_[word.size()][static_cast<unsigned char>(low(word[0]))]) {
            for (const char c : word) lower.push_back(low(c));
            const auto found = words_.find(lower);
            if (found != words_.end()) lists = found->second;
        }
        for (const auto& [end, bit] : ends_) {
            if (word.size() < end.size()) continue;
            const std::string_view last = word.substr(word.size() - end.size());
            bool same = true;
            for (size_t k = 0; k < end.size(); ++k) same = same && low(last[k]) == end[k];
            if (same) lists |= bit;
        }
        return lists;
    }
};

struct Patterns {
    std::vector<PatternNode> nodes;
    std::vector<PatternLink> links;
    std::vector<PatternRule> rules;
};

// Matches patterns at nodes of a structure, which has
//   LabelId label(int32_t node), uint32_t words(int32_t node)
//   bool any(const PatternLink&, int32_t node, F f)  whether f holds for some related node, in order
template <class Structure>
class PatternMatcher {
  public:
    explicit PatternMatcher(const Patterns& patterns) : patterns_(&patterns) {}

    // Calls use(captures) for each way to match, in the order of the definition.
    template <class Use>
    void match(const Structure& in, uint32_t root, int32_t node, Use use) {
        const PatternNode& top = patterns_->nodes[root];
        if (!passes(in, top, node)) return;
        if (top.captures == 0) {
            if (links_hold(in, top, node)) use(Captured{});
            return;
        }
        if (levels_.size() < MOST_LEVELS) levels_.resize(MOST_LEVELS);
        std::vector<Captured>& found = levels_[0].found;
        found.clear();
        collect(in, top, node, 1, found);
        for (const Captured& one : found) use(one);
    }

    bool holds(const Structure& in, uint32_t number, int32_t node) {
        const PatternNode& top = patterns_->nodes[number];
        return passes(in, top, node) && links_hold(in, top, node);
    }


  private:
    struct Level {
        std::vector<Captured> found, own, others, both;
    };
    const Patterns* patterns_;
    std::vector<Level> levels_;
    Pace pace_;

    static bool passes(const Structure& in, const PatternNode& test, int32_t node) {
        if (test.labels.has(in.label(node)) == test.negated) return false;
        return test.words == NO_WORDS ||
               (in.words(node) >> test.words & 1) != static_cast<uint32_t>(test.words_negated);
    }

    bool links_hold(const Structure& in, const PatternNode& top, int32_t node) {
        for (uint32_t k = top.first; k < top.last; ++k)
            if (!link_holds(in, patterns_->links[k], node)) return false;
        return true;
    }

    bool link_holds(const Structure& in, const PatternLink& link, int32_t node) {
        if (link.mode == ONE_OF) {
            for (uint32_t way = link.first; way < link.last; ++way)
                if (holds(in, way, node)) return true;
            return false;
        }
        const bool found = in.any(link, node, [&](int32_t other) {
            pace_(2);
            return holds(in, link.first, other);
        });
        return found != (link.mode == NO_NODE);
    }

    int captures_of(const PatternLink& link) const {
        return link.mode == NO_NODE ? 0 : patterns_->nodes[link.first].captures;
    }

    // Adds the captures of a node that passes its own test.
    void collect(const Structure& in, const PatternNode& top, int32_t node, size_t depth,
                 std::vector<Captured>& out) {
        for (uint32_t k = top.first; k < top.last; ++k) {
            const PatternLink& link = patterns_->links[k];
            if (captures_of(link) == 0 && !link_holds(in, link, node)) return;
        }
        Level& level = levels_[depth];
        level.own.clear();
        Captured begin;
        if (top.captured) begin.nodes[static_cast<size_t>(begin.size++)] = node;
        level.own.push_back(begin);
        for (uint32_t k = top.first; k < top.last; ++k) {
            const PatternLink& link = patterns_->links[k];
            if (captures_of(link) == 0) continue;
            level.others.clear();
            collect_link(in, link, node, depth, level.others);
            if (level.others.empty()) return;
            join(level);
        }
        out.insert(out.end(), level.own.begin(), level.own.end());
    }

    void collect_link(const Structure& in, const PatternLink& link, int32_t node, size_t depth,
                      std::vector<Captured>& out) {
        const auto visit = [&](uint32_t number, int32_t other) {
            const PatternNode& target = patterns_->nodes[number];
            pace_(2);
            if (passes(in, target, other)) collect(in, target, other, depth + 1, out);
        };
        if (link.mode == ONE_OF) {
            for (uint32_t way = link.first; way < link.last; ++way) visit(way, node);
            return;
        }
        in.any(link, node, [&](int32_t other) {
            visit(link.first, other);
            return false;
        });
    }

    void join(Level& level) {
        if (level.own.size() == 1 && level.others.size() == 1) {
            append(level.own[0], level.others[0]);
            return;
        }
        level.both.clear();
        for (const Captured& own : level.own) {
            pace_(level.others.size());
            for (const Captured& others : level.others) {
                level.both.push_back(own);
                append(level.both.back(), others);
            }
        }
        level.own.swap(level.both);
    }

    static void append(Captured& to, const Captured& more) noexcept {
        for (int k = 0; k < more.size; ++k)
            to.nodes[static_cast<size_t>(to.size++)] = more.nodes[static_cast<size_t>(k)];
    }
};

}  // namespace summeval
