// The words and marks of a text as the guards read them: runs of letters, digits and `_` in lower case,
// each letter of a script without blanks, and the marks .,;:!? (see tests/definitions/guards.py).
#pragma once
#include <vector>

#include "guards/letters.hpp"
#include "guards/word_order.hpp"
#include "rows/stop.hpp"
#include "text/tokens.hpp"
#include "text/utf8.hpp"

namespace summeval {

enum GuardKind : uint8_t { STOP = 0, PAUSE = 1, FUNCTION_WORD = 2, CONTENT_WORD = 3 };

// The words and marks of one text, or of several.
struct GuardWords {
    std::vector<uint8_t> kinds, classes;  // of each word and mark
    std::vector<Key> words, beginnings;   // of each word: its key, and that of its first letters
    std::vector<uint32_t> beyond_ascii;   // code points

    void clear() noexcept {
        kinds.clear();
        classes.clear();
        words.clear();
        beginnings.clear();
        beyond_ascii.clear();
    }
};

class GuardReader {
  public:
    GuardReader(const Letters& letters, const WordOrder& order) noexcept
        : letters_(letters), order_(order) {}

    // Appends the words and marks of a text. Returns false if it has a character that is not known.
    bool read(View text, GuardWords& out) {
        text_ = text.data;
        size_ = static_cast<size_t>(text.size);
        out_ = &out;
        ends_ = blank_ = false;
        characters_ = size_;
        if (utf8::look_at(text.data, text.size) == utf8::Bytes::Ascii &&
            (size_ == 0 || !std::memchr(text_, '_', size_))) {
            read_ascii(text);
            return true;
        }
        return read_any();
    }

    // Of the text that was read: how many characters it has; whether it has blanks alone; whether its
    // last character that is none may end a text.
    size_t characters() const noexcept { return characters_; }
    bool is_blank() const noexcept { return blank_; }
    bool ends() const noexcept { return ends_; }

    // The number of pieces between blanks, letters of a script without blanks each being one.
    size_t pieces_of(View text) {
        size_t count = 0, length = 0;
        bool inside = false;
        Pace pace;
        for (size_t at = 0; at < static_cast<size_t>(text.size); at += length) {
            pace(1);
            const Letter letter =
                letters_[code_at(text.data, static_cast<size_t>(text.size), at, length)];
            const bool space = letter.is(Letter::SPACE), apart = letter.is(Letter::APART);
            count += apart || (!space && !inside);
            inside = !space && !apart;
        }
        return count;
    }

  private:
    static constexpr size_t BEGINNING = 5;  // letters that two forms of a word share

    // Finds runs of letters and digits 64 bytes at a time; only what is between two is read byte by
    // byte.
    void read_ascii(View text) {
        tokenize_rouge155<false>(text, runs_);
        size_t at = 0;
        Pace pace;
        for (size_t k = 0; k < runs_.size; ++k) {
            const size_t begin = runs_.edges[2 * k], end = runs_.edges[2 * k + 1];
            pace(8 + begin - at);
            if (at + 1 != begin || text_[at] != ' ') read_marks(at, begin);
            const char* const form = runs_.bytes.data() + begin;
            const Key key = token_key(form, end - begin);
            Key first = key;
            if (end - begin > BEGINNING) first = token_key(form, BEGINNING);
            add(form, end - begin, key, first, is_digit(*form));
            at = end;
        }
        read_marks(at, size_);
        look_at_end();
    }

    static bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }

    void read_marks(size_t at, size_t end) {
        for (const auto [from, to] : pieces(end - at))
            for (size_t i = at + from; i < at + to; ++i) {
                const Letter letter = letters_[static_cast<unsigned char>(text_[i])];
                if (letter.is(Letter::MARK)) add_mark(letter.code());
            }
    }

    bool read_any() {
        form_.clear();
        letters_in_form_ = 0;
        characters_ = 0;
        size_t length = 0;
        bool known = true;
        Pace pace;
        for (size_t at = 0; at < size_; at += length, ++characters_) {
            pace(4);
            const uint32_t code = code_at(text_, size_, at, length);
            const Letter letter = letters_[code];
            known &= letter.is(Letter::KNOWN);
            if (code >= 0x80) out_->beyond_ascii.push_back(code);
            uint32_t lower = letter.code();
            if (code == CAPITAL_SIGMA) lower = is_final(at, length, known) ? 0x3C2 : 0x3C3;
            if (letter.is(Letter::APART) || !letter.is(Letter::WORD)) close();
            if (letter.is(Letter::WORD)) {
                push(lower, letter);
                if (letter.is(Letter::APART | Letter::BREAKS)) close();
            } else if (letter.is(Letter::MARK)) {
                add_mark(lower);
            }
        }
        close();
        look_at_end();
        return known;
    }

    void push(uint32_t code, Letter letter) {
        if (letters_in_form_ == 0) begins_with_digit_ = letter.is(Letter::DIGIT);
        char bytes[4];
        form_.append(bytes, unicode::encode(code, bytes));
        if (++letters_in_form_ == BEGINNING) beginning_ = form_.size();
    }

    void close() {
        if (letters_in_form_ == 0) return;
        const size_t size = form_.size();
        if (letters_in_form_ < BEGINNING) beginning_ = size;
        form_.append(PADDING, '\0');
        const Key key = token_key(form_.data(), size);
        add(form_.data(), size, key, token_key(form_.data(), beginning_), begins_with_digit_);
        form_.clear();
        letters_in_form_ = 0;
    }

    // Whether a sigma at `at` ends a word: a letter with two cases is before it and none after it.
    bool is_final(size_t at, size_t length, bool& known) const noexcept {
        size_t before = at, size = 0;
        Letter letter{Letter::IGNORED, 0};
        while (letter.is(Letter::IGNORED)) {
            if (before == 0) return false;
            do --before;
            while (before > 0 && unicode::is_continuation(static_cast<unsigned char>(text_[before])));
            letter = letters_[code_at(text_, size_, before, size)];
        }
        known &= letter.is(Letter::KNOWN);
        if (!letter.is(Letter::CASED)) return false;
        for (size_t after = at + length; after < size_; after += size) {
            letter = letters_[code_at(text_, size_, after, size)];
            if (!letter.is(Letter::IGNORED)) return !letter.is(Letter::CASED);
        }
        return true;
    }

    void add(const char* form, size_t size, Key key, Key beginning, bool is_number) {
        const WordOrder::Known known = order_.known(key);
        out_->kinds.push_back(known.function ? FUNCTION_WORD : CONTENT_WORD);
        out_->classes.push_back(known.has_class ? known.of_class
                                                : order_.class_of(form, size, is_number));
        out_->words.push_back(key);
        out_->beginnings.push_back(beginning);
    }

    void add_mark(uint32_t mark) {
        const bool stops = mark == '.' || mark == '!' || mark == '?';
        out_->kinds.push_back(stops ? STOP : PAUSE);
        // in the order of the classes
        out_->classes.push_back(stops ? 0 : mark == ',' ? 1 : mark == ';' ? 2 : 3);
    }

    // Looks for the last character that is no blank.
    void look_at_end() {
        blank_ = true;
        Pace pace;
        for (size_t end = size_; end > 0 && blank_;) {
            pace(4);
            do --end;
            while (end > 0 && unicode::is_continuation(static_cast<unsigned char>(text_[end])));
            size_t length = 0;
            const Letter letter = letters_[code_at(text_, size_, end, length)];
            blank_ = letter.is(Letter::SPACE);
            ends_ = letter.is(Letter::ENDS);
        }
    }

    static constexpr uint32_t CAPITAL_SIGMA = 0x3A3;

    const Letters& letters_;
    const WordOrder& order_;
    TokenSpans runs_;
    std::string form_;  // of the word that is read
    size_t letters_in_form_ = 0, beginning_ = 0, size_ = 0, characters_ = 0;
    bool begins_with_digit_ = false, ends_ = false, blank_ = false;
    const char* text_ = nullptr;
    GuardWords* out_ = nullptr;
};

}  // namespace summeval
