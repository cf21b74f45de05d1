// The features of candidates for a connective, and of pairs of sentences, as connectives.py and
// pairs.py of tests/definitions/discourse define them.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "discourse/feature_names.hpp"
#include "discourse/parsed_words.hpp"

namespace summeval::discourse {

struct Stretch {
    int32_t begin, end;
    bool operator==(Stretch other) const noexcept {
        return begin == other.begin && end == other.end;
    }
};

inline int bit_length(int32_t number) noexcept {
    int bits = 0;
    for (; number > 0; number >>= 1) ++bits;
    return bits;
}

// Writes features of one document after another and finds the numbers of their names.
class Writer {
  public:
    const Document* document = nullptr;
    std::vector<uint32_t> found;  // the known names since `start`

    void start(const Names& names) {
        names_ = &names;
        found.clear();
    }
    Line& line() {
        line_.clear();
        return line_;
    }
    void note() { note(line_.text()); }
    void note(Text name) {
        if (const uint32_t number = names_->find(name)) found.push_back(number);
    }

    Text word(const Tree& tree, int32_t position) const {
        if (position < 0) return "^";
        return position >= tree.size ? Text("$") : document->words[tree.word[position]];
    }
    Text tag(const Tree& tree, int32_t position) const {
        if (position < 0) return "^";
        return position >= tree.size ? Text("$") : document->string(tree.tag[position]);
    }
    Text label(const Tree& tree, int32_t position) const {
        return document->string(tree.label[position]);
    }
    bool is_mark(const Tree& tree, int32_t position) const noexcept {
        return position >= 0 && position < tree.size && tree.is(position, PUNCTUATION);
    }
    // The word if it is a mark, else "-".
    Text point(const Tree& tree, int32_t position) const {
        return is_mark(tree, position) ? word(tree, position) : Text("-");
    }
    void put_text(Line& line, const Tree& tree, Stretch span) const {
        for (int32_t at = span.begin; at < span.end; ++at) {
            if (at > span.begin) line << ' ';
            line << word(tree, at);
        }
    }
    // Tag and label of a span's top token.
    Text kind(const Tree& tree, Stretch span) {
        const int32_t top = tree.top(span.begin, span.end);
        kind_.clear();
        kind_ << tag(tree, top) << '.' << label(tree, top);
        return kind_.text();
    }

  private:
    const Names* names_ = nullptr;
    Line line_, kind_;
};

inline char place_of(int32_t first) noexcept { return first == 0 ? '0' : first < 3 ? '1' : 'm'; }

// How the sentences of a document begin, and how spoken it is; as `connectives.Style`.
class Style {
  public:
    int level = 0;

    void read(const Document& document) {
        openings_.assign(document.words.size() + 1, 0);
        sentences_ = document.sentences();
        int64_t spoken = 0;
        spoken_words_.assign(document.words.size() + 1, 2);  // 2: not looked at
        Pace pace;
        for (uint32_t s = 0; s < sentences_; ++s) {
            const Tree tree = document.tree(s);
            if (tree.size > 0) ++openings_[tree.word[0]];
            pace(2 * static_cast<uint64_t>(tree.size) + 8);
            for (int32_t t = 0; t < tree.size; ++t) {
                uint8_t& known = spoken_words_[tree.word[t]];
                if (known == 2) {
                    known = is_one_of(document.words[tree.word[t]],
                                      {"i", "you", "um", "uh", "like", "'m", "yeah"});
                }
                spoken += known != 0 || tree.is(t, INTERJECTION);
            }
        }
        const double share = static_cast<double>(spoken) / std::max<uint32_t>(document.tokens(), 1);
        level = 0;
        for (const double limit : {0.005, 0.02, 0.05}) level += share >= limit;
    }

    // How common a word is at the start of sentences, from 0 to 3.
    int opening(uint32_t word) const noexcept {
        const double share = static_cast<double>(openings_[word]) / std::max<uint32_t>(sentences_, 1);
        int found = 0;
        for (const double limit : {0.03, 0.1, 0.2}) found += share >= limit;
        return found;
    }

  private:
    uint32_t sentences_ = 0;
    std::vector<int64_t> openings_;  // of each word
    std::vector<uint8_t> spoken_words_;
};

// The features of a candidate, without those that are combined with its kind and words.
class ConnectiveFeatures {
  public:
    ConnectiveFeatures(Writer& out, const Style& style) : out_(out), style_(style) {}

    void write(const Tree& tree, Stretch span) {
        tree_ = &tree;
        span_ = span;
        top_ = tree.top(span.begin, span.end);
        neighbours();
        dependencies();
        coordination();
        verbs();
        const bool first = span.begin == 0;
        (out_.line() << "at " << place_of(span.begin) << (span.end >= tree.size - 1)), out_.note();
        (out_.line() << "size " << std::min(tree.size / 10, 4)), out_.note();
        (out_.line() << "cap " << out_.document->is_upper(tree.form[span.begin])), out_.note();
        (out_.line() << "style " << style_.level << first), out_.note();
        Line& line = out_.line() << "open " << style_.level;
        first ? line << style_.opening(tree.word[0]) : line << '-';
        out_.note();
    }

  private:
    void neighbours() {
        const Tree& tree = *tree_;
        const int32_t first = span_.begin, end = span_.end;
        const Text p1 = out_.word(tree, first - 1), pt1 = out_.tag(tree, first - 1);
        const Text p2 = out_.word(tree, first - 2), pt2 = out_.tag(tree, first - 2);
        const Text n1 = out_.word(tree, end), nt1 = out_.tag(tree, end);
        const Text n2 = out_.word(tree, end + 1), nt2 = out_.tag(tree, end + 1);
        out_.note("");
        Line& line = out_.line() << "t ";
        for (int32_t at = first; at < end; ++at) {
            if (at > first) line << ' ';
            line << out_.tag(tree, at);
        }
        out_.note();
        (out_.line() << "p " << p1), out_.note();
        (out_.line() << "pt " << pt1), out_.note();
        (out_.line() << "n " << n1), out_.note();
        (out_.line() << "nt " << nt1), out_.note();
        (out_.line() << "pnt " << pt1 << ' ' << nt1), out_.note();
        (out_.line() << "pt2 " << pt2 << ' ' << pt1), out_.note();
        (out_.line() << "nt2 " << nt1 << ' ' << nt2), out_.note();
        (out_.line() << "n2 " << n1 << ' ' << n2), out_.note();
        (out_.line() << "p2 " << p2 << ' ' << p1), out_.note();
    }

    void dependencies() {
        const Tree& tree = *tree_;
        const int32_t head = tree.head[top_];
        const Text label = out_.label(tree, top_);
        const Text head_tag = head >= 0 ? out_.tag(tree, head) : Text("^");
        const Text head_label = head >= 0 ? out_.label(tree, head) : Text("^");
        (out_.line() << "l " << label), out_.note();
        (out_.line() << "ht " << head_tag), out_.note();
        (out_.line() << "hl " << head_label), out_.note();
        (out_.line() << "lh " << label << ' ' << head_tag << ' ' << head_label), out_.note();
        below(Text("bl "), true);
        below(Text("bt "), false);
        Line& path = out_.line() << "path ";
        int32_t verb = -1;
        int64_t steps = 0;
        for (int32_t node = top_; node >= 0; node = tree.head[node], ++steps) {
            pace_(1);
            if (steps > 0 && steps < 4) path << '/';
            if (steps < 4) path << out_.label(tree, node);
            if (steps > 0 && tree.is(node, VERB)) {
                verb = node;
                if (steps >= 3) break;
                ++steps;
                for (node = tree.head[node]; node >= 0 && steps < 4; node = tree.head[node]) {
                    path << '/' << out_.label(tree, node);
                    ++steps;
                }
                break;
            }
        }
        out_.note();
        Line& line = out_.line() << "v ";
        if (verb < 0) {
            line << '-';
        } else {
            line << (verb < span_.begin ? '<' : '>') << out_.tag(tree, verb)
                 << out_.label(tree, verb) << tree.has_subject(verb);
        }
        out_.note();
    }

    // The labels or tags of what hangs on the candidate's top.
    void below(Text name, bool labels) {
        const Tree& tree = *tree_;
        Line& line = out_.line() << name;
        bool is_first = true;
        for (const int32_t* each = tree.children(top_); each != tree.children_end(top_); ++each) {
            pace_(2);
            const int32_t child = *each;
            if ((span_.begin <= child && child < span_.end) || tree.is(child, PUNCTUATION)) continue;
            if (!is_first) line << '+';
            is_first = false;
            line << (labels ? out_.label(tree, child) : out_.tag(tree, child));
        }
        out_.note();
    }

    void coordination() {
        const Tree& tree = *tree_;
        const int32_t head = tree.head[top_];
        if (head < 0) return;
        int32_t conjunct = -1;
        bool between = false;
        const Text head_tag = out_.tag(tree, head);
        inside_.clear();
        for (const int32_t* each = tree.children(head); each != tree.children_end(head); ++each) {
            pace_(2);
            const int32_t child = *each;
            if (head < child && child < span_.begin && !tree.is(child, PUNCTUATION)) {
                if (between) inside_ << '+';
                between = true;
                inside_ << out_.label(tree, child);
            }
            if (conjunct < 0 && child >= span_.end && tree.is(child, CONJUNCT)) conjunct = child;
        }
        shape_.clear();
        own_.clear();
        bool marked = false;
        char size = '-';
        if (conjunct < 0) {
            shape_ << '-';
            own_ << '-';
        } else {
            shape_ << out_.tag(tree, conjunct) << tree.has_subject(conjunct);
            size = static_cast<char>(
                '0' + std::min((tree.end[conjunct] - tree.first[conjunct]) / 3, 4));
            bool is_first = true;
            for (const int32_t* each = tree.children(conjunct);
                 each != tree.children_end(conjunct); ++each) {
                pace_(2);
                marked |= tree.is(*each, DEPENDENT);
                if (tree.is(*each, PUNCTUATION)) continue;
                if (!is_first) own_ << '+';
                is_first = false;
                own_ << out_.label(tree, *each);
            }
        }
        const Text shape = shape_.text();
        const int behind = std::min(floor_third(span_.begin - tree.first[head]), 4);
        (out_.line() << "j " << head_tag << ' ' << shape), out_.note();
        (out_.line() << "js " << head_tag << tree.has_subject(head) << ' ' << shape << ' ' << marked),
            out_.note();
        (out_.line() << "jl " << out_.label(tree, head) << ' ' << shape), out_.note();
        (out_.line() << "in " << head_tag << ' ' << inside_.text()), out_.note();
        (out_.line() << "js " << head_tag << ' ' << size), out_.note();
        (out_.line() << "jj " << size << ' ' << behind), out_.note();
        (out_.line() << "jo " << own_.text()), out_.note();
        (out_.line() << "ji " << between << ' ' << size << ' '
                     << (conjunct >= 0 ? out_.tag(tree, conjunct) : Text("-"))),
            out_.note();
    }

    // A third, rounded down also below 0.
    static int floor_third(int32_t number) noexcept {
        return number >= 0 ? number / 3 : -((2 - number) / 3);
    }

    // The nearest verb on each side and its distance; on the right, up to punctuation.
    void verbs() {
        const Tree& tree = *tree_;
        left_.clear();
        right_.clear();
        for (int32_t at = span_.begin - 1; at >= 0; --at) {
            pace_(1);
            if (!tree.is(at, VERB)) continue;
            left_ << out_.tag(tree, at) << std::min(span_.begin - at, 5);
            break;
        }
        if (left_.size() == 0) left_ << '-';
        bool subject = false;
        for (int32_t at = span_.end; at < tree.size; ++at) {
            pace_(1);
            subject |= tree.is(at, SUBJECT);
            if (tree.is(at, VERB)) {
                right_ << out_.tag(tree, at) << std::min(at - span_.end, 5) << subject;
                break;
            }
            if (tree.is(at, PUNCTUATION) && at > span_.end) {
                right_ << ',';
                break;
            }
        }
        if (right_.size() == 0) right_ << '-';
        (out_.line() << "vl " << left_.text()), out_.note();
        (out_.line() << "vr " << right_.text()), out_.note();
        (out_.line() << "vlr " << left_.text() << ' ' << right_.text()), out_.note();
    }

    Writer& out_;
    const Style& style_;
    const Tree* tree_ = nullptr;
    Stretch span_{0, 0};
    int32_t top_ = 0;
    Line inside_, shape_, own_, left_, right_;
    Pace pace_;
};

// The words near a connective, each once: features of its sense.
inline void write_near(Writer& out, const Tree& tree, Stretch span) {
    constexpr int32_t NEAR = 5;
    for (int32_t at = std::max(span.begin - NEAR, 0); at < span.begin; ++at)
        (out.line() << "before " << out.word(tree, at)), out.note();
    for (int32_t at = span.end; at < std::min(span.end + NEAR, tree.size); ++at)
        (out.line() << "after " << out.word(tree, at)), out.note();
    std::sort(out.found.begin(), out.found.end());
    out.found.erase(std::unique(out.found.begin(), out.found.end()), out.found.end());
}

}  // namespace summeval::discourse
