// The words of a text that the copy model compares, and its sentences (see tests/definitions/support.py,
// which defines them).
//
// A word is a number (digits, with commas in thousands and decimals, and without the ending of an
// ordinal), a run of letters of any script, or a single letter of a script without blanks. The
// "n't" of a negation is a word of its own. Letters are case-folded; keys are those of the stems,
// forms those of the words before they are stemmed: where function words are not told, of words with
// a capital alone.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "rows/units.hpp"
#include "support/sentence_rules.hpp"
#include "text/analysis.hpp"

namespace summeval {

enum WordFlag : uint32_t {
    FUNCTION = 1,  // a function word
    NUMBER = 2,    // digits, or a word that stands for them
    OPENS = 4,     // the first word of its sentence
    CAPITAL = 8,   // begins with a capital
};

// The words of one text, or of several: where each stands in its text, its key, its form, and its
// flags.
struct SupportWords {
    struct Place {
        uint32_t begin, end;  // bytes
        uint32_t flags;
    };
    std::vector<Place> places;
    std::vector<Key> keys, forms;
    std::vector<uint32_t> text_ends;  // number of words before the end of each text
    std::vector<uint32_t> capitals;   // which words begin with a capital
    size_t size = 0, capital = 0;     // numbers of words, and of those with a capital
    bool has_lower = false;  // some word ends with a small letter of ASCII

    void clear() noexcept {
        text_ends.clear();
        size = capital = 0;
        has_lower = false;
    }
    bool has_capital_inside() const noexcept {
        for (size_t i = 0; i < capital; ++i)
            if (!is(capitals[i], OPENS)) return true;
        return false;
    }
    bool is(size_t word, uint32_t flag) const noexcept { return (places[word].flags & flag) != 0; }
};

class WordReader {
  public:
    WordReader(const Analyzer& analyzer, const SentenceWords& words, bool by_rules)
        : rules_(words), functions_(analyzer.function_words), cache_(analyzer),
          by_rules_(by_rules) {}

    // Appends the words of a text. Function words are told only where `flags_functions`.
    //
    // Runs of letters and digits of ASCII are found 64 bytes at a time. Most are words with one blank
    // before them; only what stands between two others, or is none, is read byte by byte.
    void read(View text, bool flags_functions, SupportWords& out) {
        text_ = reinterpret_cast<const unsigned char*>(text.data);
        size_ = static_cast<size_t>(text.size);
        tokenize_rouge155<false>(text, runs_);
        out_ = &out;
        first_ = out.size;
        first_capital_ = out.capital;
        found_ = 0;
        used_ = size_ + 2 * PADDING;
        bytes_ = TokenSpans::room(runs_.bytes, used_ + 3 * size_ + 16 + PADDING);
        line_ = {text_, 0, 0, 0, -1};
        opens_ = OPENS;
        make_room(runs_.size + 1);
        size_t at = 0;
        for (const auto [begin, end] : pieces(runs_.size))
            for (size_t k = begin; k < end; ++k) at = read_run(k, at);
        while (at < size_) at = read_byte(at);
        map_keys(flags_functions);
        out.text_ends.push_back(static_cast<uint32_t>(out.size));
    }

  private:
    // Reads what stands between `at` and the end of a run; returns where it stopped.
    size_t read_run(size_t k, size_t at) {
        const size_t begin = runs_.edges[2 * k], end = runs_.edges[2 * k + 1];
        if (at + 1 != begin || text_[at] != ' ')
            while (at < begin) at = read_byte(at);
        else
            at = begin;
        if (at == begin && is_plain(begin, end)) {
            add(begin, end, begin, end, text_[begin] & 0x20 ? 0u : uint32_t{CAPITAL});
            out_->has_lower |= (text_[end - 1] & 0x20) != 0;
            return end;
        }
        while (at < end) at = read_byte(at);
        return at;
    }

    // Whether a run is one word: it has no digits, and neither an apostrophe nor a letter outside
    // ASCII follows. (Of letters the bit 0x40 is set.)
    bool is_plain(size_t begin, size_t end) const noexcept {
        const unsigned char after = end < size_ ? text_[end] : ' ';
        if (after == '\'' || after >= 0x80 || end - begin > 16) return false;
        uint64_t low, high;
        std::memcpy(&low, bytes_ + begin, 8);
        std::memcpy(&high, bytes_ + begin + 8, 8);
        const Key& mask = KEY_MASKS.of[end - begin];
        constexpr uint64_t LETTERS = 0x4040404040404040u;
        return ((~low & LETTERS & mask.lo) | (~high & LETTERS & mask.hi)) == 0;
    }

    // Reads the word that begins at `at`, or a mark; returns where it ends.
    size_t read_byte(size_t at) {
        const unsigned char c = text_[at];
        if (is_ascii_letter(c)) return read_letters(at);
        if (is_ascii_digit(c)) return read_number(at);
        if (c == '.' || c == '!' || c == '?') return stop_at(at);
        if (c >= 0x80) return read_other(at);
        pace_(1);
        if (c == '\n') {
            line_ = {text_, at + 1, at + 1, at + 1, -1};
            opens_ = OPENS;
        }
        return at + 1;
    }

    // The end of the line that holds `at`.
    size_t line_end(size_t at) noexcept {
        if (at < line_.end) return line_.end;
        const void* const newline = std::memchr(text_ + at, '\n', size_ - at);
        line_.end = newline ? static_cast<size_t>(static_cast<const unsigned char*>(newline) - text_)
                            : size_;
        return line_.end;
    }

    size_t stop_at(size_t at) {
        size_t next = at + 1;
        pace_(64);
        if (!by_rules_) return next;
        line_end(at);
        if (rules_.ends(line_, at, next)) opens_ = OPENS;
        pace_(next - at);
        return next;
    }

    // A character outside ASCII: a letter, a terminator or neither.
    size_t read_other(size_t at) {
        const Character one = character_at(text_, size_, at);
        if (one.kind() == unicode::LETTER) return read_letters(at);
        if (one.kind() == unicode::UNSPACED) return read_unspaced(at);
        if (SentenceRules::is_stop(one.code)) return std::max(stop_at(at), at + one.size);
        pace_(1);
        return at + one.size;
    }

    size_t read_unspaced(size_t at) {
        char* out = bytes_ + used_;
        Character one = character_at(text_, size_, at);
        size_t i = at;
        do {
            out = unicode::write_folded(one.code, one.bits, out);
            i += one.size;
            if (i >= size_ || text_[i] < 0x80) break;
            one = character_at(text_, size_, i);
        } while (one.kind() == unicode::MARK);
        add_folded(at, i, static_cast<size_t>(out - bytes_), 0);
        return i;
    }

    size_t read_letters(size_t at) {
        char* const start = bytes_ + used_;
        char* out = start;
        size_t i = at;
        uint32_t flags = is_upper(character_at(text_, size_, at)) ? uint32_t{CAPITAL} : 0u;
        for (;;) {
            while (i < size_ && is_ascii_letter(text_[i]))
                *out++ = static_cast<char>(text_[i++] | 0x20);
            if (i >= size_ || text_[i] < 0x80) break;
            const Character one = character_at(text_, size_, i);
            if (one.kind() != unicode::LETTER && one.kind() != unicode::MARK) break;
            out = unicode::write_folded(one.code, one.bits, out);
            i += one.size;
        }
        pace_(i - at);
        out_->has_lower |= text_[i - 1] < 0x80 && (text_[i - 1] & 0x20) != 0;
        const size_t rest = negation(i);
        if (rest == 0 || out[-1] != 'n') {
            add_folded(at, i, static_cast<size_t>(out - bytes_), flags);
            return i;
        }
        if (out - start > 1) {  // before the n of "n't"
            add_folded(at, i - 1, static_cast<size_t>(out - 1 - bytes_), flags);
            flags = 0;
        }
        bytes_[used_] = 'n';
        bytes_[used_ + 1] = 't';
        add_folded(i - 1, rest, used_ + 2, flags);
        return rest;
    }

    // With an apostrophe at `at`: the end of the "'t" there, if no letter or digit follows; else 0.
    size_t negation(size_t at) const noexcept {
        if (at >= size_ || (text_[at] != '\'' && text_[at] != 0xE2)) return 0;
        const size_t size = text_[at] == '\'' ? 1 : 3;
        if (size == 3 && (at + 3 > size_ || text_[at + 1] != 0x80 || text_[at + 2] != 0x99))
            return 0;
        at += size;
        if (at >= size_ || (text_[at] | 0x20) != 't') return 0;
        return ++at == size_ || is_separator(at) ? at : 0;
    }

    bool is_separator(size_t at) const noexcept {
        return character_at(text_, size_, at).kind() == unicode::SEPARATOR;
    }

    size_t read_number(size_t at) {
        char* out = bytes_ + used_;
        size_t i = at;
        const auto digits = [&](size_t from) noexcept {
            size_t count = 0;
            while (from + count < size_ && is_ascii_digit(text_[from + count])) ++count;
            return count;
        };
        const auto copy = [&](size_t count) noexcept {
            std::memcpy(out, text_ + i, count);
            out += count;
            i += count;
        };
        copy(digits(i));
        while (i < size_ && text_[i] == ',' && digits(i + 1) == 3) {
            ++i;
            copy(3);
        }
        if (i + 1 < size_ && text_[i] == '.' && is_ascii_digit(text_[i + 1])) {
            copy(1);
            copy(digits(i));
        }
        pace_(i - at);
        add_folded(at, i, static_cast<size_t>(out - bytes_), 0);
        return after_ordinal(i);
    }

    // The end of the ending of an ordinal at `at`, or `at`.
    size_t after_ordinal(size_t at) const noexcept {
        if (at + 2 > size_) return at;
        const unsigned first = text_[at] | 0x20, second = text_[at + 1] | 0x20;
        const bool is = (first == 's' && second == 't') || (first == 'n' && second == 'd') ||
                        (first == 'r' && second == 'd') || (first == 't' && second == 'h');
        return is && (at + 2 == size_ || is_separator(at + 2)) ? at + 2 : at;
    }

    // Adds a word whose form ends the bytes that were written.
    void add_folded(size_t begin, size_t end, size_t folded_end, uint32_t flags) {
        make_room(found_ + 1);
        add(begin, end, used_, folded_end, flags);
        used_ = folded_end;
    }

    // Adds the word text[begin .. end), whose form is bytes[from .. to); there is room.
    void add(size_t begin, size_t end, size_t from, size_t to, uint32_t flags) noexcept {
        SupportWords& out = *out_;
        edges_[2 * found_] = static_cast<uint32_t>(from);
        edges_[2 * found_ + 1] = static_cast<uint32_t>(to);
        ++found_;
        out.capitals[out.capital] = static_cast<uint32_t>(out.size);
        out.capital += (flags & CAPITAL) != 0;
        out.places[out.size++] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                                  flags | opens_};
        opens_ = 0;
    }

    // Makes room for so many words of this text, and for those of its runs that are left.
    void make_room(size_t words) {
        words += runs_.size;
        if (words < room_ && first_ + words < out_->places.size()) return;
        room_ = TokenSpans::room(edges_, 2 * words + 2) ? edges_.size() / 2 : 0;
        TokenSpans::room(out_->places, first_ + words + 1);
        TokenSpans::room(out_->keys, first_ + words + 1);
        TokenSpans::room(out_->forms, first_ + words + 1);
        TokenSpans::room(out_->capitals, first_ + words + 1);
    }

    // Sets the keys of the words, and the flags that keys tell.
    void map_keys(bool flags_functions) {
        Key* const keys = out_->keys.data() + first_;
        Key* const forms = out_->forms.data() + first_;
        SupportWords::Place* const places = out_->places.data() + first_;
        const auto form = [this](size_t k) noexcept {
            const uint32_t* const edge = edges_.data() + 2 * k;
            return token_key(bytes_ + edge[0], edge[1] - edge[0]);
        };
        if (flags_functions) {
            for (size_t k = 0; k < found_; ++k) {
                pace_(4);
                forms[k] = form(k);
                if (functions_.has(forms[k])) places[k].flags |= FUNCTION;
            }
        } else {
            for (size_t i = first_capital_; i < out_->capital; ++i) {
                pace_(1);
                const size_t k = out_->capitals[i] - first_;
                forms[k] = form(k);
            }
        }
        cache_.map(bytes_, edges_.data(), found_, keys);
        if (!flags_functions) return;
        for (size_t k = 0; k < found_; ++k) {
            pace_(1);
            char first;
            std::memcpy(&first, &keys[k].lo, 1);
            if (is_ascii_digit(static_cast<unsigned char>(first)))
                places[k].flags = (places[k].flags | NUMBER) & ~uint32_t{FUNCTION};
        }
    }

    SentenceRules rules_;
    const KeySet functions_;
    TokenCache cache_;
    const bool by_rules_;
    TokenSpans runs_;              // of letters and digits of ASCII; its bytes end with other forms
    std::vector<uint32_t> edges_;  // of the form of each word in these bytes
    Pace pace_;
    const unsigned char* text_ = nullptr;
    char* bytes_ = nullptr;
    size_t size_ = 0, used_ = 0, first_ = 0, found_ = 0, room_ = 0, first_capital_ = 0;
    SentenceRules::Line line_{nullptr, 0, 0, 0, -1};
    SupportWords* out_ = nullptr;
    uint32_t opens_ = 0;  // OPENS where the next word does
};

}  // namespace summeval
