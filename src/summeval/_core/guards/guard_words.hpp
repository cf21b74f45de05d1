// The words and marks of a text as the guards read them: runs of letters, digits and `_` in lower
// case, each letter of a script without blanks, and the marks .,;:!? (see
// tests/definitions/guards.py).
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include "guards/letters.hpp"
#include "guards/word_order.hpp"
#include "rows/stop.hpp"
#include "text/tokens.hpp"

namespace summeval {

enum GuardKind : uint8_t { STOP = 0, PAUSE = 1, FUNCTION_WORD = 2, CONTENT_WORD = 3 };

// The words and marks of one text, or of several.
class GuardWords {
  public:
    std::vector<uint8_t> kinds, classes;  // of each word and mark
    std::vector<Key> words, beginnings;   // of each word: its key, and that of its first letters
    std::vector<uint32_t> beyond_ascii;   // code points

    explicit GuardWords(const WordOrder& order) noexcept : order_(order) {}

    void clear() noexcept {
        kinds.clear();
        classes.clear();
        words.clear();
        beginnings.clear();
        beyond_ascii.clear();
    }

    // `beginning`: the number of bytes of its first letters.
    void add_word(const char* form, size_t size, size_t beginning, bool is_number) {
        const Key key = token_key(form, size);
        const WordOrder::Known known = order_.known(key);
        kinds.push_back(known.function ? FUNCTION_WORD : CONTENT_WORD);
        classes.push_back(known.has_class ? known.of_class
                                          : order_.class_of(form, size, is_number));
        words.push_back(key);
        beginnings.push_back(beginning < size ? token_key(form, beginning) : key);
    }
    void add_mark(uint32_t mark) {
        const bool stops = mark == '.' || mark == '!' || mark == '?';
        kinds.push_back(stops ? STOP : PAUSE);
        // in the order of the classes
        classes.push_back(stops ? 0 : mark == ',' ? 1 : mark == ';' ? 2 : 3);
    }

  private:
    const WordOrder& order_;
};

// The key of a mark, as a word of its own: an end of a sentence, or a pause.
inline Key mark_key(uint32_t mark) noexcept {
    const bool stops = mark == '!' || mark == '?';
    return {stops ? uint64_t{'.'} : mark, 0};
}

// The first letters of all words, and all words and marks in their order.
class Beginnings {
  public:
    KeptKeys keys;
    std::vector<Key> tokens;
    std::vector<uint32_t> beyond_ascii;

    void clear() noexcept {
        keys.clear();
        tokens.clear();
        beyond_ascii.clear();
    }
    void add_word(const char* form, size_t size, size_t beginning, bool) {
        const Key key = token_key(form, size);
        keys.add(beginning < size ? token_key(form, beginning) : key);
        tokens.push_back(key);
    }
    void add_mark(uint32_t mark) { tokens.push_back(mark_key(mark)); }
};

class GuardReader {
  public:
    explicit GuardReader(const Letters& letters) noexcept : letters_(letters) {
        for (uint32_t code = 0; code < 128; ++code) {
            const Letter letter = letters[code];
            const bool word = letter.is(Letter::WORD), mark = letter.is(Letter::MARK);
            plain_[code] = {word || mark ? static_cast<char>(letter.code()) : '\0', word};
        }
    }

    // Adds the words and marks of a text. Returns false if it has a character that is not known.
    //
    // Runs of letters and digits of ASCII are found 64 bytes at a time. Most are words; only those
    // beside other letters, and what stands between two, are read character by character.
    template <class Sink>
    bool read(View text, Sink& out) {
        text_ = text.data;
        characters_ = size_ = static_cast<size_t>(text.size);
        known_ = true;
        form_size_ = letters_in_form_ = 0;
        tokenize_rouge155<false>(text, runs_);
        size_t at = 0;
        Pace pace;
        for (size_t k = 0; k < runs_.size; ++k) {
            const size_t begin = runs_.edges[2 * k], end = runs_.edges[2 * k + 1];
            pace(8);
            if (at + 1 != begin || text_[at] != ' ' || letters_in_form_ != 0)
                read_stretch(at, begin, out);
            if (letters_in_form_ == 0 && (end == size_ || is_between(text_[end]))) {
                const char* const form = runs_.bytes.data() + begin;
                const size_t size = end - begin;
                out.add_word(form, size, std::min(size, BEGINNING), is_digit(*form));
            } else {
                read_stretch(begin, end, out);
            }
            at = end;
        }
        read_stretch(at, size_, out);
        close(out);
        look_at_end();
        return known_;
    }

    // Of the text that was read: how many characters it has; whether it has blanks alone; whether
    // its last character that is none may end a text.
    size_t characters() const noexcept { return characters_; }
    bool is_blank() const noexcept { return blank_; }
    bool ends() const noexcept { return ends_; }

    // The number of pieces between blanks, letters of a script without blanks each being one.
    size_t pieces_of(View text) const {
        const size_t size = static_cast<size_t>(text.size);
        bool is_space[128];
        for (uint32_t code = 0; code < 128; ++code)
            is_space[code] = letters_[code].is(Letter::SPACE);
        size_t count = 0, length = 1;
        bool inside = false;
        for (const auto [begin, end] : pieces(size)) {
            size_t at = begin;
            // a character that the piece before ends in has been read
            while (begin > 0 && at < end && is_continuation(text.data[at])) ++at;
            for (; at < end; at += length) {
                length = 1;
                bool space = false, apart = false;
                if (is_ascii(text.data[at])) {
                    space = is_space[static_cast<size_t>(text.data[at])];
                } else {
                    const Letter letter = letters_[code_at(text.data, size, at, length)];
                    space = letter.is(Letter::SPACE);
                    apart = letter.is(Letter::APART);
                }
                count += apart | (!space & !inside);
                inside = !space & !apart;
            }
        }
        return count;
    }

  private:
    // What a character of ASCII is in lower case, if it is of words or a mark, and which of these.
    struct Plain {
        char lower;
        bool word;
    };
    static constexpr size_t BEGINNING = 5;  // letters that two forms of a word share

    static bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }
    static bool is_ascii(char byte) noexcept { return static_cast<unsigned char>(byte) < 0x80; }
    static bool is_continuation(char byte) noexcept {
        return unicode::is_continuation(static_cast<unsigned char>(byte));
    }

    // Whether a byte is neither of a word nor of a character beyond ASCII.
    bool is_between(char byte) const noexcept {
        return is_ascii(byte) && !plain_[static_cast<size_t>(byte)].word;
    }

    // Reads the characters from `at` to before `end`; the last word may go on behind.
    template <class Sink>
    void read_stretch(size_t at, size_t end, Sink& out) {
        Pace pace;
        while (at < end) {
            pace(4);
            if (is_ascii(text_[at])) {
                read_plain(text_[at++], out);
                continue;
            }
            size_t length = 0;
            const uint32_t code = code_at(text_, size_, at, length);
            const Letter letter = letters_[code];
            known_ &= letter.is(Letter::KNOWN);
            out.beyond_ascii.push_back(code);
            uint32_t lower = letter.code();
            if (code == CAPITAL_SIGMA) lower = is_final(at, length) ? 0x3C2 : 0x3C3;
            if (letter.is(Letter::APART) || !letter.is(Letter::WORD)) close(out);
            if (letter.is(Letter::WORD)) {
                if (letters_in_form_ == 0) begins_with_digit_ = letter.is(Letter::DIGIT);
                char* const begin = form_.data() + form_size_;
                form_size_ += static_cast<size_t>(unicode::encode(lower, begin) - begin);
                make_room();
                if (++letters_in_form_ == BEGINNING) beginning_ = form_size_;
                if (letter.is(Letter::APART | Letter::BREAKS)) close(out);
            } else if (letter.is(Letter::MARK)) {
                out.add_mark(lower);
            }
            at += length;
            characters_ -= length - 1;
        }
    }

    template <class Sink>
    void read_plain(char byte, Sink& out) {
        const Plain one = plain_[static_cast<size_t>(byte)];
        if (!one.word) {
            close(out);
            if (one.lower) out.add_mark(static_cast<unsigned char>(one.lower));
            return;
        }
        if (letters_in_form_ == 0) begins_with_digit_ = is_digit(byte);
        form_[form_size_++] = one.lower;
        make_room();
        if (++letters_in_form_ == BEGINNING) beginning_ = form_size_;
    }

    // Makes sure that a character, and what is read past the word, have room behind it.
    void make_room() {
        if (form_size_ + 2 * PADDING > form_.size()) grow(form_, 2 * form_.size());
    }

    template <class Sink>
    void close(Sink& out) {
        if (letters_in_form_ == 0) return;
        if (letters_in_form_ < BEGINNING) beginning_ = form_size_;
        out.add_word(form_.data(), form_size_, beginning_, begins_with_digit_);
        form_size_ = letters_in_form_ = 0;
    }

    // Whether a sigma at `at` ends a word: a letter with two cases is before it and none after it.
    bool is_final(size_t at, size_t length) const noexcept {
        size_t before = at, size = 0;
        Letter letter{Letter::IGNORED, 0};
        while (letter.is(Letter::IGNORED)) {
            if (before == 0) return false;
            do --before;
            while (before > 0 && is_continuation(text_[before]));
            letter = letters_[code_at(text_, size_, before, size)];
        }
        if (!letter.is(Letter::CASED)) return false;
        for (size_t after = at + length; after < size_; after += size) {
            letter = letters_[code_at(text_, size_, after, size)];
            if (!letter.is(Letter::IGNORED)) return !letter.is(Letter::CASED);
        }
        return true;
    }

    // Looks for the last character that is no blank.
    void look_at_end() {
        blank_ = true;
        ends_ = false;
        Pace pace;
        for (size_t end = size_; end > 0 && blank_;) {
            pace(4);
            do --end;
            while (end > 0 && is_continuation(text_[end]));
            size_t length = 0;
            const Letter letter = letters_[code_at(text_, size_, end, length)];
            blank_ = letter.is(Letter::SPACE);
            ends_ = letter.is(Letter::ENDS);
        }
    }

    static constexpr uint32_t CAPITAL_SIGMA = 0x3A3;

    const Letters& letters_;
    TokenSpans runs_;
    Plain plain_[128];
    std::vector<char> form_ = std::vector<char>(4 * PADDING);  // of the word that is read
    size_t form_size_ = 0, letters_in_form_ = 0, beginning_ = 0, size_ = 0, characters_ = 0;
    bool begins_with_digit_ = false, ends_ = false, blank_ = false, known_ = true;
    const char* text_ = nullptr;
};

}  // namespace summeval
