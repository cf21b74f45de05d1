// The features of a pair of stretches and of pairs of sentences, as stretches.py and pairs.py of
// tests/definitions/discourse define them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "discourse/argument_features.hpp"

namespace summeval::discourse {

// The tokens of two stretches, without the connective and without a nested argument.
inline void tokens_of(const Pair& pair, const std::vector<int32_t>& connective,
                      std::vector<int32_t>& one, std::vector<int32_t>& two) {
    const auto read = [&connective](Stretch hull, const Stretch* without, std::vector<int32_t>& out) {
        out.clear();
        for (int32_t t = hull.begin; t < hull.end; ++t) {
            if (without && without->begin <= t && t < without->end) continue;
            if (std::find(connective.begin(), connective.end(), t) == connective.end())
                out.push_back(t);
        }
    };
    const bool two_within = is_inside(pair.two, pair.one);
    const bool one_within = !two_within && is_inside(pair.one, pair.two);
    read(pair.one, two_within ? &pair.two : nullptr, one);
    read(pair.two, one_within ? &pair.one : nullptr, two);
}

// The features of a pair, without those combined with the connective's kind and words.
class PairFeatures {
  public:
    explicit PairFeatures(Writer& out) : out_(out) {}

    void write(const Sight& sight, const Pair& pair, const std::vector<int32_t>& one,
               const std::vector<int32_t>& two) {
        places(sight, pair);
        contents(sight.tree, one, two);
    }

  private:
    // Position of the stretches relative to each other, the connective and the sentence.
    void places(const Sight& sight, const Pair& pair) {
        const Tree& tree = sight.tree;
        const int32_t first = sight.last.begin, end = sight.last.end;
        const Stretch one = pair.one, two = pair.two;
        Text order, between = "-";
        int32_t gap = one.begin - two.end;
        if (is_inside(two, one)) {
            order = "2 in 1";
        } else if (is_inside(one, two)) {
            order = "1 in 2";
        } else if (one.end <= two.begin) {
            order = "1 2";
            gap = two.begin - one.end;
            between = out_.point(tree, one.end);
        } else {
            order = "2 1";
        }
        const auto side = [=](Stretch hull) {
            return hull.begin >= end ? '+' : hull.end <= first ? '<' : '=';
        };
        const auto passed = [&sight](Stretch hull) {
            int found = 0;
            for (const Stretch other : *sight.others)
                found += hull.begin < other.begin && other.begin < hull.end;
            return std::min(found, 2);
        };
        const auto whole = [&tree](Stretch hull) { return hull == Stretch{0, tree.size}; };
        (out_.line() << 'o' << order), out_.note();
        (out_.line() << "os" << order << side(two) << side(one)), out_.note();
        (out_.line() << 't' << (two.begin == end) << (one.end == first) << order), out_.note();
        (out_.line() << 'c' << passed(one) << passed(two)), out_.note();
        (out_.line() << 'g' << std::min(gap, 4) << between), out_.note();
        (out_.line() << 'e' << out_.point(tree, one.end - 1) << ' ' << out_.point(tree, two.end - 1)),
            out_.note();
        (out_.line() << 'w' << whole(one) << whole(two) << (one.begin == 0)
                     << (std::max(one.end, two.end) == tree.size)),
            out_.note();
    }

    struct Content {
        int verbs = 0, subjects = 0, size = 0;
        int count = 0;  // of tops
        std::array<int32_t, 5> tops{};
    };

    // Verbs, subjects, and the first tokens with a head outside.
    Content content(const Tree& tree, const std::vector<int32_t>& tokens) {
        inside_.resize(std::max(inside_.size(), static_cast<size_t>(tree.size)), 0);
        for (const int32_t t : tokens) inside_[static_cast<size_t>(t)] = 1;
        Content found;
        for (const int32_t t : tokens) {
            pace_(2);
            found.verbs += tree.is(t, VERB) && !tree.is(t, HELPER);
            found.subjects += tree.is(t, SUBJECT);
            const int32_t head = tree.head[t];
            const bool is_top = head < 0 || inside_[static_cast<size_t>(head)] == 0;
            if (is_top && found.count < 5 && !tree.is(t, PUNCTUATION))
                found.tops[static_cast<size_t>(found.count++)] = t;
        }
        for (const int32_t t : tokens) inside_[static_cast<size_t>(t)] = 0;
        found.verbs = std::min(found.verbs, 3);
        found.subjects = std::min(found.subjects, 2);
        found.size = std::min(bit_length(static_cast<int32_t>(tokens.size())), 6);
        return found;
    }

    void put_tops(Line& line, const Tree& tree, const Content& of, bool labels) const {
        for (int k = 0; k < of.count; ++k) {
            if (k > 0) line << '+';
            const int32_t top = of.tops[static_cast<size_t>(k)];
            line << (labels ? out_.label(tree, top) : out_.tag(tree, top));
        }
    }

    void contents(const Tree& tree, const std::vector<int32_t>& ones,
                  const std::vector<int32_t>& twos) {
        const Content one = content(tree, ones), two = content(tree, twos);
        const Text opening_1 = out_.tag(tree, ones[0]), opening_2 = out_.tag(tree, twos[0]);
        (out_.line() << 'v' << one.verbs << two.verbs), out_.note();
        (out_.line() << "vs" << one.verbs << one.subjects << two.verbs << two.subjects), out_.note();
        (out_.line() << 'L' << one.size << two.size), out_.note();
        (out_.line() << 'b' << opening_1 << ' ' << opening_2), out_.note();
        (out_.line() << "sb" << one.subjects << two.subjects << ' ' << beginning(opening_1) << ' '
                     << beginning(opening_2)),
            out_.note();
        put_tops(out_.line() << "p1", tree, one, true), out_.note();
        put_tops(out_.line() << "p2", tree, two, true), out_.note();
        (out_.line() << 'n' << one.count << two.count), out_.note();
        (out_.line() << "n1" << one.count), out_.note();
        (out_.line() << "n2" << two.count), out_.note();
        Line& hung = out_.line() << 'a';
        for (int k = 0; k < std::min(two.count, 3); ++k) {
            if (k > 0) hung << '+';
            const int32_t top = two.tops[static_cast<size_t>(k)];
            const bool within = std::binary_search(ones.begin(), ones.end(), tree.head[top]);
            hung << out_.label(tree, top) << within;
        }
        out_.note();
        Line& tags = out_.line() << 'k';
        put_tops(tags, tree, two, false);
        tags << '|';
        put_tops(tags, tree, one, false);
        out_.note();
    }

    // The first two characters.
    static Text beginning(Text tag) noexcept {
        size_t at = 0;
        for (int characters = 0; at < tag.size(); ++at) {
            const bool begins = (static_cast<unsigned char>(tag[at]) & 0xC0) != 0x80;
            if (begins && ++characters > 2) break;
        }
        return tag.substr(0, at);
    }

    Writer& out_;
    std::vector<uint8_t> inside_;
    Pace pace_;
};

// The words of the nouns, verbs and adjectives of sentences, for how many two sentences share.
class Shared {
  public:
    int of(const Document& document, const Tree& one, const Tree& two) {
        seen_.resize(std::max(seen_.size(), document.words.size() + 1), 0);
        int found = 0;
        for (int32_t t = 0; t < one.size; ++t)
            if (one.is(t, CONTENT)) seen_[one.word[t]] = 1;
        for (int32_t t = 0; t < two.size; ++t) {
            if (!two.is(t, CONTENT) || seen_[two.word[t]] != 1) continue;
            seen_[two.word[t]] = 2;
            ++found;
        }
        for (int32_t t = 0; t < one.size; ++t) seen_[one.word[t]] = 0;
        pace_(2 * static_cast<uint64_t>(one.size) + static_cast<uint64_t>(two.size));
        return std::min(found, 3);
    }

  private:
    std::vector<uint8_t> seen_;  // of each word
    Pace pace_;
};

inline bool has_verb(const Tree& tree) noexcept {
    return std::any_of(tree.bits, tree.bits + tree.size,
                       [](uint16_t bits) { return (bits & VERB) != 0; });
}

// The features of a sentence as a possible Arg1 of a connective in a later one, without those
// combined with the connective's words.
inline void write_preceding(Writer& out, const Tree& tree, const Tree& earlier, int distance,
                            int shared) {
    const bool question = earlier.size > 0 && out.word(earlier, earlier.size - 1) == "?";
    const bool verb = has_verb(earlier);
    const int length = std::min(bit_length(earlier.size), 6);
    const Text opening = out.word(earlier, 0);
    (out.line() << 'd' << distance), out.note();
    (out.line() << 'o' << distance << shared), out.note();
    (out.line() << 'q' << distance << question), out.note();
    (out.line() << 'v' << distance << verb), out.note();
    (out.line() << 'l' << distance << length), out.note();
    (out.line() << 'f' << opening), out.note();
    (out.line() << 'f' << distance << opening), out.note();
    (out.line() << 'e' << out.word(earlier, earlier.size - 1)), out.note();
    (out.line() << 's' << distance << (opening == out.word(tree, 0))), out.note();
    (out.line() << "lv" << length << verb << shared), out.note();
}

// The features of a sentence and the next one, each once.
inline void write_neighbours(Writer& out, const Tree& one, const Tree& two, int shared) {
    const auto size = [](const Tree& tree) { return std::min(tree.size / 8, 4); };
    (out.line() << "last " << out.word(one, one.size - 1)), out.note();
    (out.line() << "last2 " << out.word(two, two.size - 1)), out.note();
    (out.line() << "shared " << shared), out.note();
    (out.line() << "verbs " << has_verb(one) << has_verb(two)), out.note();
    (out.line() << "sizes " << size(one) << ' ' << size(two)), out.note();
    (out.line() << "size2 " << size(two)), out.note();
    Pace pace;
    char name = 'a';
    for (const Tree* const tree : {&one, &two}) {
        const int32_t opening = std::min(tree->size, 3);
        for (int k = 0; k < opening; ++k) {
            (out.line() << name << k << ' ' << out.word(*tree, k)), out.note();
            (out.line() << name << 't' << k << ' ' << out.tag(*tree, k)), out.note();
        }
        Line& both = out.line() << name << "12 ";
        out.put_text(both, *tree, {0, std::min(tree->size, 2)});
        out.note();
        int32_t root = 0;
        while (root < tree->size && tree->head[root] >= 0) ++root;
        if (root < tree->size) {
            (out.line() << name << "r " << out.tag(*tree, root)), out.note();
            for (const int32_t* each = tree->children(root); each != tree->children_end(root);
                 ++each) {
                pace(64);
                (out.line() << name << "rl " << out.label(*tree, *each)), out.note();
                if (!tree->is(*each, NEAR_ROOT)) continue;
                (out.line() << name << "rw " << out.word(*tree, *each)), out.note();
            }
        }
        name = 'b';
    }
    Line& tags = out.line() << "tt ";
    for (const Tree* const tree : {&one, &two}) {
        if (tree == &two) tags << '|';
        for (int32_t k = 0; k < std::min(tree->size, 2); ++k) {
            if (k > 0) tags << ' ';
            tags << out.tag(*tree, k);
        }
    }
    out.note();
    std::sort(out.found.begin(), out.found.end());
    out.found.erase(std::unique(out.found.begin(), out.found.end()), out.found.end());
}

}  // namespace summeval::discourse
