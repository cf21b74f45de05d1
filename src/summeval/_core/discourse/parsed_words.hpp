// A packed document as the discourse kernels read it: distinct words in lower case, the classes of
// tags and labels, and the trees of its sentences.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "discourse/feature_names.hpp"
#include "documents/packed.hpp"
#include "rows/stop.hpp"

namespace summeval::discourse {

// What tags and labels say of a token, as bits.
enum : uint16_t {
    PUNCTUATION = 1,
    VERB = 2,
    CONTENT = 4,      // a noun, verb or adjective
    SUBJECT = 8,
    HELPER = 16,      // an auxiliary
    DEPENDENT = 32,   // an auxiliary, negation, mark or preposition
    CONJUNCT = 64,
    INTERJECTION = 128,
    NEAR_ROOT = 256,  // a label whose words are features of a pair of sentences
};

inline bool is_one_of(Text text, std::initializer_list<Text> some) noexcept {
    return std::find(some.begin(), some.end(), text) != some.end();
}

inline uint16_t tag_bits(Text tag) noexcept {
    uint16_t bits = 0;
    if (is_one_of(tag, {".", ",", ":", "``", "''", "-LRB-", "-RRB-", "HYPH", "NFP"}))
        bits |= PUNCTUATION;
    if (is_one_of(tag, {"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})) bits |= VERB;
    if (is_one_of(tag.substr(0, 2), {"NN", "VB", "JJ"})) bits |= CONTENT;
    if (tag == "UH") bits |= INTERJECTION;
    return bits;
}

inline uint16_t label_bits(Text label) noexcept {
    uint16_t bits = 0;
    if (is_one_of(label, {"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})) bits |= SUBJECT;
    if (is_one_of(label, {"aux", "auxpass"})) bits |= HELPER;
    if (is_one_of(label, {"aux", "auxpass", "neg", "mark", "prep"})) bits |= DEPENDENT;
    if (label == "conj") bits |= CONJUNCT;
    if (is_one_of(label, {"aux", "neg", "nsubj", "advmod", "prep"})) bits |= NEAR_ROOT;
    return bits;
}

inline char lower(char letter) noexcept {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter | 0x20) : letter;
}

// Strings of a document that are not ASCII: Python tells how each is in lower case.
struct Foreign {
    uint32_t string;  // its number
    bool is_upper;    // whether the first letter is a capital
    std::string lowered;
};

struct Parse {
    DocumentView view;
    std::vector<Foreign> foreign;  // by number

    Text string(uint32_t number) const noexcept {
        const uint32_t begin = view.string_offsets[number];
        return {view.strings + begin, view.string_offsets[number + 1] - begin};
    }
    const Foreign* foreign_of(uint32_t number) const noexcept {
        const auto found = std::lower_bound(
            foreign.begin(), foreign.end(), number,
            [](const Foreign& one, uint32_t other) { return one.string < other; });
        return found != foreign.end() && found->string == number ? &*found : nullptr;
    }
    // The string in lower case.
    void lowered(uint32_t number, std::string& out) const {
        if (const Foreign* const known = foreign_of(number)) {
            out = known->lowered;
            return;
        }
        const Text text = string(number);
        out.resize(text.size());
        std::transform(text.begin(), text.end(), out.begin(), lower);
    }
};

// Quotes and dashes in ASCII, as `trees.plain` writes them.
inline void make_plain(std::string& word) {
    size_t end = 0;
    for (size_t at = 0; at < word.size(); ++at) {
        if (word.compare(at, 2, "\xE2\x80") == 0 && at + 2 < word.size()) {
            const auto third = static_cast<unsigned char>(word[at + 2]);
            const char plain = third == 0x98 || third == 0x99   ? '\''
                               : third == 0x9C || third == 0x9D ? '"'
                               : third == 0x93 || third == 0x94 ? '-'
                                                                : '\0';
            if (plain != '\0') {
                word[end++] = plain;
                at += 2;
                continue;
            }
        }
        word[end++] = word[at];
    }
    word.resize(end);
    if (word == "``" || word == "''") word = '"';
}

// A sentence. Positions count from 0 in it.
struct Tree {
    int32_t size;
    const uint32_t *form, *tag, *label;  // numbers of the document's strings
    const uint32_t* word;                // numbers of `Words`
    const uint16_t* bits;
    const int32_t* head;
    const int32_t *first, *end;          // of each subtree: its first token, the one after its last
    const int32_t *child_ptr, *child;    // child_ptr counts from the document's first token
    const int32_t *stops, *verbs;        // of each position: how many come before it

    const int32_t* children(int32_t node) const noexcept { return child + child_ptr[node]; }
    const int32_t* children_end(int32_t node) const noexcept { return child + child_ptr[node + 1]; }
    bool is(int32_t position, uint16_t some) const noexcept { return (bits[position] & some) != 0; }

    // The first token of a span that has its head outside the span.
    int32_t top(int32_t begin, int32_t stop) const noexcept {
        for (int32_t position = begin; position < stop; ++position)
            if (head[position] < begin || head[position] >= stop) return position;
        return begin;
    }
    bool has_subject(int32_t node) const noexcept {
        for (const int32_t* each = children(node); each != children_end(node); ++each)
            if (is(*each, SUBJECT)) return true;
        return false;
    }
};

// The words and trees of one document after another.
class Document {
  public:
    Names words;  // distinct words in lower case, with ASCII quotes and dashes

    void read(const Parse& parse) {
        parse_ = &parse;
        const DocumentView& view = parse.view;
        tokens_ = view.tokens;
        read_strings();
        for (auto* const each : {&first_, &end_, &child_}) each->assign(tokens_, 0);
        child_ptr_.assign(tokens_ + view.sentences + 1, 0);
        stops_.assign(tokens_ + view.sentences + 1, 0);
        verbs_.assign(tokens_ + view.sentences + 1, 0);
        for (uint32_t s = 0; s < view.sentences; ++s) {
            const uint32_t begin = view.sentence_starts[s];
            read_tree(view.head + begin, begin, s, view.sentence_starts[s + 1] - begin);
        }
    }

    uint32_t sentences() const noexcept { return parse_->view.sentences; }
    uint32_t tokens() const noexcept { return tokens_; }
    uint32_t start(uint32_t sentence) const noexcept { return parse_->view.sentence_starts[sentence]; }

    Tree tree(uint32_t s) const noexcept {
        const DocumentView& view = parse_->view;
        const uint32_t begin = view.sentence_starts[s];
        const uint32_t own = begin + s;  // in arrays with one entry more for each sentence
        return {static_cast<int32_t>(view.sentence_starts[s + 1] - begin),
                view.form + begin, view.tag + begin, view.label + begin,
                word_.data() + begin, bits_.data() + begin, view.head + begin,
                first_.data() + begin, end_.data() + begin,
                child_ptr_.data() + own, child_.data() + begin,
                stops_.data() + own, verbs_.data() + own};
    }

    Text string(uint32_t number) const noexcept { return parse_->string(number); }

    // Whether the word begins with a capital.
    bool is_upper(uint32_t number) const noexcept {
        if (const Foreign* const known = parse_->foreign_of(number)) return known->is_upper;
        const Text text = string(number);
        return !text.empty() && text[0] >= 'A' && text[0] <= 'Z';
    }

  private:
    void read_strings() {
        const DocumentView& view = parse_->view;
        words.clear();
        word_of_.assign(view.string_count, 0);
        bits_of_.assign(2 * size_t{view.string_count}, UNREAD);
        word_.resize(tokens_);
        bits_.resize(tokens_);
        Pace pace;
        for (uint32_t t = 0; t < tokens_; ++t) {
            uint32_t& word = word_of_[view.form[t]];
            if (word == 0) {
                parse_->lowered(view.form[t], lowered_);
                make_plain(lowered_);
                word = words.add(lowered_);
                pace(16 + lowered_.size());
            }
            word_[t] = word;
            uint16_t& tag = bits_of_[2 * size_t{view.tag[t]}];
            if (tag == UNREAD) tag = tag_bits(string(view.tag[t]));
            uint16_t& label = bits_of_[2 * size_t{view.label[t]} + 1];
            if (label == UNREAD) label = label_bits(string(view.label[t]));
            bits_[t] = static_cast<uint16_t>(tag | label);
            pace(2);
        }
    }

    void read_tree(const int32_t* head, uint32_t begin, uint32_t s, uint32_t size) {
        int32_t* const ptr = child_ptr_.data() + begin + s;
        int32_t* const child = child_.data() + begin;
        int32_t *const first = first_.data() + begin, *const end = end_.data() + begin;
        int32_t *const stops = stops_.data() + begin + s, *const verbs = verbs_.data() + begin + s;
        const uint32_t dash = words.find("-");
        const auto length = static_cast<int32_t>(size);
        for (int32_t t = 0; t < length; ++t) {
            if (head[t] >= 0) ++ptr[head[t] + 1];
            first[t] = t;
            end[t] = t + 1;
            const uint16_t bits = bits_[begin + static_cast<uint32_t>(t)];
            const bool stops_here = (bits & PUNCTUATION) != 0 &&
                                    word_[begin + static_cast<uint32_t>(t)] != dash;
            stops[t + 1] = stops[t] + stops_here;
            verbs[t + 1] = verbs[t] + ((bits & (VERB | HELPER)) == VERB);
        }
        for (int32_t t = 0; t < length; ++t) ptr[t + 1] += ptr[t];
        left_.assign(size, 0);
        for (int32_t t = 0; t < length; ++t)
            if (head[t] >= 0) child[ptr[head[t]] + left_[static_cast<size_t>(head[t])]++] = t;
        order_.clear();  // children before their heads
        for (int32_t t = 0; t < length; ++t)
            if (left_[static_cast<size_t>(t)] == 0) order_.push_back(t);
        Pace pace;
        for (size_t k = 0; k < order_.size(); ++k) {
            pace(4);
            const int32_t node = order_[k], above = head[node];
            if (above < 0) continue;
            first[above] = std::min(first[above], first[node]);
            end[above] = std::max(end[above], end[node]);
            if (--left_[static_cast<size_t>(above)] == 0) order_.push_back(above);
        }
    }

    static constexpr uint16_t UNREAD = 0xFFFF;

    const Parse* parse_ = nullptr;
    uint32_t tokens_ = 0;
    std::string lowered_;
    std::vector<uint32_t> word_of_;   // of each string
    std::vector<uint16_t> bits_of_;   // of each string, as a tag and as a label
    std::vector<uint32_t> word_;      // of each token
    std::vector<uint16_t> bits_;
    std::vector<int32_t> first_, end_, child_, child_ptr_, stops_, verbs_, left_, order_;
};

}  // namespace summeval::discourse
