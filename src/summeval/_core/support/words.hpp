// The words of a text that the copy model compares, and its sentences (see _textbook/support.py,
// which defines them).
//
// A word is a number (digits, with commas in thousands and decimals, and without the ending of an
// ordinal), a run of letters of any script, or a single letter of a script without blanks. The
// "n't" of a negation is a word of its own. Letters are case-folded; keys are those of the stems.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "rows/units.hpp"
#include "support/sentence_rules.hpp"
#include "text/analysis.hpp"

namespace summeval {

enum WordFlag : uint8_t {
    FUNCTION = 1,  // a function word
    NUMBER = 2,    // digits, or a word that stands for them
    OPENS = 4,     // the first word of its sentence
    CAPITAL = 8,   // begins with a capital
};

// The words of one text, or of several: where each stands in its text, its key, and its flags.
struct SupportWords {
    struct Place {
        uint32_t begin, end;  // bytes
    };
    std::vector<Place> places;
    std::vector<Key> keys;
    std::vector<uint8_t> flags;
    std::vector<uint32_t> text_ends;  // number of words before the end of each text
    size_t size = 0;
    bool has_lower = false;  // some letter of ASCII is lower case

    void clear() noexcept {
        text_ends.clear();
        size = 0;
        has_lower = false;
    }
    bool is(size_t word, uint8_t flag) const noexcept { return (flags[word] & flag) != 0; }
};

class WordReader {
  public:
    WordReader(const Analyzer& analyzer, const SentenceWords& words, bool by_rules)
        : rules_(words), functions_(analyzer.function_words), cache_(analyzer),
          by_rules_(by_rules) {}

    // Appends the words of a text. Function words are told only where `flags_functions`.
    void read(View text, bool flags_functions, SupportWords& out) {
        text_ = reinterpret_cast<const unsigned char*>(text.data);
        size_ = static_cast<size_t>(text.size);
        out_ = &out;
        used_ = 0;
        found_ = 0;
        bytes_ = TokenSpans::room(folded_, 3 * size_ + 16 + PADDING);
        const size_t before = out.size;
        for (size_t begin = 0; begin < size_;) {
            const void* const newline = std::memchr(text_ + begin, '\n', size_ - begin);
            const size_t end =
                newline ? static_cast<size_t>(static_cast<const unsigned char*>(newline) - text_)
                        : size_;
            read_line(begin, end);
            begin = end + 1;
        }
        map_keys(before, flags_functions);
        out.text_ends.push_back(static_cast<uint32_t>(out.size));
    }

  private:
    void read_line(size_t begin, size_t end) {
        SentenceRules::Line line{text_, begin, end, begin, -1};
        opens_ = true;
        for (size_t i = begin; i < end;) {
            pace_(1);
            const unsigned char c = text_[i];
            if (is_ascii_letter(c) || c >= 0x80) {
                i = c >= 0x80 ? read_other(line, i) : read_letters(i, end);
            } else if (is_ascii_digit(c)) {
                i = read_number(i, end);
            } else if (c == '.' || c == '!' || c == '?') {
                i = stop_at(line, i);
            } else {
                ++i;
            }
        }
    }

    size_t stop_at(SentenceRules::Line& line, size_t at) {
        if (!by_rules_) return at + 1;
        size_t next = at + 1;
        if (rules_.ends(line, at, next)) opens_ = true;
        return next;
    }

    // A character outside ASCII: a letter, a terminator or neither.
    size_t read_other(SentenceRules::Line& line, size_t at) {
        const Character one = character_at(text_, line.end, at);
        if (SentenceRules::is_stop(one.code) && one.kind() == unicode::SEPARATOR) {
            const size_t next = stop_at(line, at);
            return std::max(next, at + one.size);
        }
        if (one.kind() == unicode::LETTER) return read_letters(at, line.end);
        if (one.kind() == unicode::UNSPACED) return read_unspaced(at, line.end);
        return at + one.size;
    }

    size_t read_unspaced(size_t at, size_t end) {
        char* out = bytes_ + used_;
        Character one = character_at(text_, end, at);
        size_t i = at;
        do {
            out = unicode::write_folded(one.code, one.bits, out);
            i += one.size;
            if (i >= end || text_[i] < 0x80) break;
            one = character_at(text_, end, i);
        } while (one.kind() == unicode::MARK);
        add(at, i, static_cast<size_t>(out - bytes_), 0);
        return i;
    }

    size_t read_letters(size_t at, size_t end) {
        char* const start = bytes_ + used_;
        char* out = start;
        size_t i = at;
        uint8_t flags = is_upper(character_at(text_, end, at)) ? CAPITAL : 0;
        bool lower = false;
        for (;;) {
            while (i < end && is_ascii_letter(text_[i])) {
                lower |= (text_[i] & 0x20) != 0;
                *out++ = static_cast<char>(text_[i++] | 0x20);
            }
            if (i >= end || text_[i] < 0x80) break;
            const Character one = character_at(text_, end, i);
            if (one.kind() != unicode::LETTER && one.kind() != unicode::MARK) break;
            out = unicode::write_folded(one.code, one.bits, out);
            i += one.size;
        }
        out_->has_lower |= lower;
        const size_t rest = i < end && (text_[i] == '\'' || text_[i] == 0xE2) ? negation(i, end) : 0;
        if (rest == 0 || out[-1] != 'n') {
            add(at, i, static_cast<size_t>(out - bytes_), flags);
            return i;
        }
        if (out - start > 1) {  // before the n of "n't"
            add(at, i - 1, static_cast<size_t>(out - 1 - bytes_), flags);
            flags = 0;
        }
        bytes_[used_] = 'n';
        bytes_[used_ + 1] = 't';
        add(i - 1, rest, used_ + 2, flags);
        return rest;
    }

    // With an apostrophe at `at`: the end of the "'t" there, if no letter or digit follows, or 0.
    size_t negation(size_t at, size_t end) const noexcept {
        const size_t size = text_[at] == '\'' ? 1 : 3;
        if (size == 3 && (at + 3 > end || text_[at + 1] != 0x80 || text_[at + 2] != 0x99)) return 0;
        at += size;
        if (at >= end || (text_[at] | 0x20) != 't') return 0;
        if (++at == end) return at;
        const Character one = character_at(text_, end, at);
        return one.kind() == unicode::SEPARATOR ? at : 0;
    }

    size_t read_number(size_t at, size_t end) {
        char* out = bytes_ + used_;
        size_t i = at;
        const auto digits = [&](size_t from) noexcept {
            size_t count = 0;
            while (from + count < end && is_ascii_digit(text_[from + count])) ++count;
            return count;
        };
        const auto copy = [&](size_t count) noexcept {
            std::memcpy(out, text_ + i, count);
            out += count;
            i += count;
        };
        copy(digits(i));
        while (i < end && text_[i] == ',' && digits(i + 1) == 3) {
            ++i;
            copy(3);
        }
        if (i + 1 < end && text_[i] == '.' && is_ascii_digit(text_[i + 1])) {
            copy(1);
            copy(digits(i));
        }
        add(at, i, static_cast<size_t>(out - bytes_), 0);
        return after_ordinal(i, end);
    }

    // The end of the ending of an ordinal at `at`, or `at`.
    size_t after_ordinal(size_t at, size_t end) const noexcept {
        if (at + 2 > end) return at;
        const unsigned first = text_[at] | 0x20, second = text_[at + 1] | 0x20;
        const bool is = (first == 's' && second == 't') || (first == 'n' && second == 'd') ||
                        (first == 'r' && second == 'd') || (first == 't' && second == 'h');
        if (!is) return at;
        if (at + 2 == end) return at + 2;
        const Character one = character_at(text_, end, at + 2);
        return one.kind() == unicode::SEPARATOR ? at + 2 : at;
    }

    void add(size_t begin, size_t end, size_t folded_end, uint8_t flags) {
        SupportWords& out = *out_;
        uint32_t* edges = TokenSpans::room(edges_, 2 * found_ + 2);
        edges[2 * found_] = static_cast<uint32_t>(used_);
        edges[2 * found_ + 1] = static_cast<uint32_t>(folded_end);
        used_ = folded_end;
        ++found_;
        TokenSpans::room(out.places, out.size + 1)[out.size] = {static_cast<uint32_t>(begin),
                                                               static_cast<uint32_t>(end)};
        TokenSpans::room(out.flags, out.size + 1)[out.size] =
            static_cast<uint8_t>(flags | (opens_ ? OPENS : 0));
        opens_ = false;
        ++out.size;
    }

    // Sets the keys of the words from `before` on, and the flags that keys tell.
    void map_keys(size_t before, bool flags_functions) {
        Key* const keys = TokenSpans::room(out_->keys, out_->size + 1) + before;
        uint8_t* const flags = out_->flags.data() + before;
        if (flags_functions) {
            for (size_t k = 0; k < found_; ++k) {
                pace_(4);
                const uint32_t* const edge = edges_.data() + 2 * k;
                if (functions_.has(token_key(bytes_ + edge[0], edge[1] - edge[0])))
                    flags[k] |= FUNCTION;
            }
        }
        cache_.map(bytes_, edges_.data(), found_, keys);
        if (!flags_functions) return;
        for (size_t k = 0; k < found_; ++k) {
            pace_(1);
            char first;
            std::memcpy(&first, &keys[k].lo, 1);
            if (is_ascii_digit(static_cast<unsigned char>(first)))
                flags[k] = static_cast<uint8_t>((flags[k] | NUMBER) & ~FUNCTION);
        }
    }

    SentenceRules rules_;
    const KeySet functions_;
    TokenCache cache_;
    const bool by_rules_;
    std::vector<char> folded_;
    std::vector<uint32_t> edges_;
    Pace pace_;
    const unsigned char* text_ = nullptr;
    size_t size_ = 0, used_ = 0, found_ = 0;
    char* bytes_ = nullptr;
    SupportWords* out_ = nullptr;
    bool opens_ = false;
};

}  // namespace summeval
