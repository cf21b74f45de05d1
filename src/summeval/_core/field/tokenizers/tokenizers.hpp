// Tokens as other packages make them: what blanks separate, after passes over the text that put
// blanks around marks. Each pass reads one string and writes another.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "field/tokenizers/categories.hpp"
#include "field/tokenizers/characters.hpp"
#include "field/tokenizers/uax29.hpp"
#include "rows/units.hpp"
#include "text/analysis.hpp"

namespace summeval {

// TOKENS_MARKED: made by Python, each ends with TOKEN_MARK or LINE_MARK.
enum FieldTokenizer : int {
    TOKENS_MARKED = 0,
    TOKENS_BLANKS = 1,
    TOKENS_CHARACTERS = 2,
    TOKENS_13A = 3,
    TOKENS_ZH = 4,
    TOKENS_INTL = 5,
    TOKENS_JIWER = 6,    // words between U+0020 or two blanks; another blank alone is part of a word
    TOKENS_UAX29 = 7,
    TOKENS_TERCOM = 16,  // and what it does besides:
    TERCOM_NORMALIZED = 1,
    TERCOM_BARE = 2,  // without marks
    TERCOM_ASIAN = 4,
};

enum Category : uint32_t { CATEGORY_OTHER = 0, NUMBER = 1, PUNCTUATION = 2, SYMBOL = 3 };

inline uint32_t category_of(uint32_t code) noexcept {
    if (code < 0x80) {
        if (code >= '0' && code <= '9') return NUMBER;
        if (!is_ascii_mark(code)) return CATEGORY_OTHER;
        return code == '$' || code == '+' || code == '<' || code == '=' || code == '>' ||
                       code == '^' || code == '`' || code == '|' || code == '~'
                   ? SYMBOL
                   : PUNCTUATION;
    }
    const auto* after = std::upper_bound(std::begin(categories::CHANGES),
                                         std::end(categories::CHANGES), code << 2 | 3);
    return after[-1] & 3;
}

template <size_t N>
inline bool is_in(const uint32_t (&ranges)[N][2], uint32_t code) noexcept {
    for (const auto& range : ranges)
        if (code >= range[0] && code <= range[1]) return true;
    return false;
}

// What the tokenizer "zh" of sacrebleu takes for Chinese, with the blocks that it means by a slip.
inline bool is_split_for_chinese(uint32_t code) noexcept {
    constexpr uint32_t RANGES[][2] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
        {0x31C0, 0x31EF}, {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A},
        {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
    return is_in(RANGES, code);
}

// What tercom takes for an ideograph; U+3F22 stands for U+32FF by a slip.
inline bool is_ideograph_of_tercom(uint32_t code) noexcept {
    constexpr uint32_t RANGES[][2] = {{0x2E80, 0x2EFF}, {0x31C0, 0x31EF}, {0x3200, 0x4DBF},
                                      {0x4E00, 0x9FFF}, {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}};
    return is_in(RANGES, code);
}

inline bool is_asian_mark_of_tercom(uint32_t code) noexcept {
    constexpr uint32_t RANGES[][2] = {
        {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0x30FB, 0x30FB}, {0xFF01, 0xFF02},
        {0xFF08, 0xFF09}, {0xFF0C, 0xFF0C}, {0xFF0E, 0xFF0E}, {0xFF1A, 0xFF1B}, {0xFF1F, 0xFF1F},
        {0xFF61, 0xFF65}};
    return is_in(RANGES, code);
}

// What the tokenizer "13a" makes of a byte. Kinds up to DIGIT go on with a token; NUL does, too, but
// also stands behind a text.
enum Kind13a : uint8_t { LETTER, DIGIT, HYPHEN, DOT, FOREIGN, NUL, BLANK, MARK };
struct Kinds13a {
    uint8_t of[256] = {};
    constexpr Kinds13a() {
        for (uint32_t c = 0; c < 256; ++c) of[c] = kind(c);
    }
    static constexpr uint8_t kind(uint32_t c) noexcept {
        if (c >= 0x80) return FOREIGN;
        if (c >= '0' && c <= '9') return DIGIT;
        if (c == '-') return HYPHEN;
        if (c == '.' || c == ',') return DOT;
        if (c == 0) return NUL;
        if (is_blank(c)) return BLANK;
        return c != '\'' && is_ascii_mark(c) ? MARK : LETTER;
    }
};

class FieldTokens {
  public:
    std::string bytes;            // PADDING bytes follow the last token
    std::vector<uint32_t> edges;  // token k is bytes[edges[2k], edges[2k + 1])
    size_t size = 0;

    void read(int tokenizer, View text) {
        size = 0;
        if (tokenizer == TOKENS_MARKED) return split_marked(text);
        bytes.assign(text.data, static_cast<size_t>(text.size));
        if (tokenizer == TOKENS_13A && split_13a()) return;
        if (tokenizer == TOKENS_UAX29) return read_words();
        if (tokenizer == TOKENS_BLANKS) return split_blanks();
        strip(tokenizer == TOKENS_ZH);
        if (tokenizer == TOKENS_13A) {
            read_13a();
        } else if (tokenizer == TOKENS_ZH) {
            surround([](uint32_t code) { return is_split_for_chinese(code); });
            split_marks();
        } else if (tokenizer == TOKENS_INTL) {
            read_intl();
        } else if (tokenizer >= TOKENS_TERCOM) {
            read_tercom(tokenizer);
        }
        split(tokenizer);
    }

    // The tokens of the tokens, joined by blanks.
    void read_again(int tokenizer) {
        std::string joined;
        for (size_t k = 0; k < size; ++k)
            joined.append(bytes, edges[2 * k], edges[2 * k + 1] - edges[2 * k]).push_back(' ');
        read(tokenizer, {joined.data(), static_cast<int64_t>(joined.size())});
    }

    View token(size_t k) const noexcept {
        return {bytes.data() + edges[2 * k], static_cast<int64_t>(edges[2 * k + 1] - edges[2 * k])};
    }

    void keys(Reading& out) const {
        Key* const keys = TokenSpans::room(out.keys, size + 1);
        Pace pace;
        for (size_t k = 0; k < size; ++k) {
            pace(2);
            keys[k] = sized_key(bytes.data() + edges[2 * k], edges[2 * k + 1] - edges[2 * k]);
        }
        out.size = size;
    }

    // Reads a text, and its keys.
    int read_keys(int tokenizer, View text, Reading& out) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        read(tokenizer, text);
        keys(out);
        return OK;
    }

  private:
    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    static bool is_dot(char c) noexcept { return c == '.' || c == ','; }
    // An ASCII mark or a blank, but none of ' , - .
    static bool is_split(char c) noexcept {
        return c == ' ' || (is_ascii_mark(static_cast<unsigned char>(c)) && c != '\'' && c != ',' &&
                            c != '-' && c != '.');
    }

    void strip(bool both) {
        size_t first = bytes.size(), last = 0;
        bool seen = false;
        if (!bytes.empty() && static_cast<unsigned char>(bytes.back()) > ' ' &&
            static_cast<unsigned char>(bytes.back()) < 0x7F && !both)
            return;
        each_character(view(), [&](uint32_t code, size_t begin, size_t end) {
            if (is_blank(code)) return;
            if (!seen) first = begin;
            seen = true;
            last = end;
        });
        bytes.resize(last);
        if (both && seen) bytes.erase(0, first);
    }

    View view() const noexcept { return {bytes.data(), static_cast<int64_t>(bytes.size())}; }

    void replace(std::string_view from, std::string_view to) {
        size_t at = bytes.find(from);
        if (at == std::string::npos) return;
        other_.clear();
        size_t kept = 0;
        for (; at != std::string::npos; at = bytes.find(from, kept)) {
            other_.append(bytes, kept, at - kept).append(to);
            kept = at + from.size();
        }
        other_.append(bytes, kept, std::string::npos);
        bytes.swap(other_);
    }

    // Blanks around the characters that `is` chooses.
    template <class Is>
    void surround(Is is) {
        other_.clear();
        Pace pace;
        each_character(view(), [&](uint32_t code, size_t begin, size_t end) {
            pace(2);
            const bool apart = is(code);
            if (apart) other_.push_back(' ');
            other_.append(bytes, begin, end - begin);
            if (apart) other_.push_back(' ');
        });
        bytes.swap(other_);
    }

    // The tokens of read_13a and split, without writing blanks; false for a text in which read_13a
    // replaces something. Only bytes that are neither letters nor digits are looked at.
    //
    // The passes take periods and commas in pairs. So each of a run is a token, except the last one
    // before a digit if no pair took it: it begins the token of the digit, or goes on with that of
    // a digit before it.
    bool split_13a() {
        static constexpr Kinds13a KINDS;
        const size_t end = bytes.size();
        const uint32_t* const others = pad_and_find_others();
        Pace pace;
        const auto* const text = reinterpret_cast<const unsigned char*>(bytes.data());
        uint32_t* at = TokenSpans::room(edges, 2 * end + 4);
        const uint32_t* const first = at;
        const auto add = [&](size_t from, size_t to) {  // nothing if there is nothing between
            at[0] = static_cast<uint32_t>(from);
            at[1] = static_cast<uint32_t>(to);
            at += from < to ? 2 : 0;
        };
        const auto digit = [&](size_t k) { return KINDS.of[text[k]] == DIGIT; };
        size_t begin = 0;  // of the token that is being read
        for (const uint32_t* other = others;; ++other) {
            const size_t k = *other;
            if (k >= end) break;
            const uint8_t kind = KINDS.of[text[k]];
            pace(1);
            if (kind == BLANK) {
                add(begin, k);
                begin = k + 1;
            } else if (kind == MARK) {
                if (text[k] == '&' || (text[k] == '<' && starts(k, "<skipped>"))) return undo(end);
                add(begin, k);
                add(k, k + 1);
                begin = k + 1;
            } else if (kind == DOT) {
                size_t last = k + 1;
                while (KINDS.of[text[last]] == DOT) ++last;
                pace(last - k);
                const bool behind = k > 0 && digit(k - 1);
                const bool kept = digit(last) && (last - k) % 2 == (behind ? 1 : 0);
                if (!(kept && behind && last - k == 1)) {
                    add(begin, k);
                    for (begin = k; begin < last - kept; ++begin) add(begin, begin + 1);
                }
                other += last - k - 1;
            } else if (kind == HYPHEN) {
                if (text[k + 1] == '\n') return undo(end);
                if (k > 0 && digit(k - 1)) {
                    add(begin, k);
                    add(k, k + 1);
                    begin = k + 1;
                }
            } else if (kind == FOREIGN) {
                uint32_t code;
                const size_t length = unicode::decode(text + k, end - k, code);
                if (length == 0) continue;
                if (is_blank(code)) {
                    add(begin, k);
                    begin = k + length;
                }
                other += length - 1;
            }
        }
        add(begin, end);
        size = static_cast<size_t>(at - first) / 2;
        return true;
    }

    // The places of the bytes that are neither letters nor digits; the last ones are behind the text.
    const uint32_t* pad_and_find_others() {
        const size_t end = bytes.size();
        bytes.append(64 + PADDING, '\0');
        uint32_t* last = TokenSpans::room(others_, end + 65 + 64);
        Pace pace;
        for (size_t base = 0; base <= end; base += 64) {
            pace(16);
            const uint64_t words = classify<false, false>(bytes.data() + base, nullptr).word;
            last = push_bits(~words, static_cast<uint32_t>(base), last);
        }
        return others_.data();
    }

    // The tokens of split, when it splits at blanks.
    void split_blanks() {
        const size_t end = bytes.size();
        const uint32_t* other = pad_and_find_others();
        const auto* const text = reinterpret_cast<const unsigned char*>(bytes.data());
        uint32_t* at = TokenSpans::room(edges, 2 * end + 4);
        const uint32_t* const first = at;
        const auto add = [&](size_t from, size_t to) {
            at[0] = static_cast<uint32_t>(from);
            at[1] = static_cast<uint32_t>(to);
            at += from < to ? 2 : 0;
        };
        size_t begin = 0;
        Pace pace;
        for (; *other < end; ++other) {
            pace(1);
            const size_t k = *other;
            uint32_t code = text[k];
            size_t length = 1;
            if (code >= 0x80) {
                length = unicode::decode(text + k, end - k, code);
                if (length == 0) continue;
            }
            other += length - 1;
            if (!is_blank(code)) continue;
            add(begin, k);
            begin = k + length;
        }
        add(begin, end);
        size = static_cast<size_t>(at - first) / 2;
    }

    bool starts(size_t at, std::string_view text) const noexcept {
        return bytes.compare(at, text.size(), text) == 0;
    }
    bool undo(size_t end) {
        bytes.resize(end);
        return false;
    }

    void read_13a() {
        replace("<skipped>", "");
        replace("-\n", "");
        replace_entities();
        split_marks();
    }

    void read_tercom(int tokenizer) {
        const bool asian = (tokenizer & TERCOM_ASIAN) != 0;
        if (tokenizer & TERCOM_NORMALIZED) {
            replace("\n-", "");
            replace_entities();
            split_marks(true);
            if (asian)
                surround([](uint32_t code) {
                    return is_ideograph_of_tercom(code) || is_asian_mark_of_tercom(code);
                });
        }
        if ((tokenizer & TERCOM_BARE) == 0) return;
        other_.clear();
        Pace pace;
        each_character(view(), [&](uint32_t code, size_t begin, size_t end) {
            pace(2);
            constexpr std::string_view MARKS = ".,?:;!\"()";
            const bool mark = code < 0x80 && MARKS.find(bytes[begin]) != std::string_view::npos;
            if (!mark && !(asian && is_asian_mark_of_tercom(code)))
                other_.append(bytes, begin, end - begin);
        });
        bytes.swap(other_);
    }

    // Line ends become blanks, entities characters; there is a blank at both ends.
    void replace_entities() {
        std::replace(bytes.begin(), bytes.end(), '\n', ' ');
        if (bytes.find('&') != std::string::npos) {
            replace("&quot;", "\"");
            replace("&amp;", "&");
            replace("&lt;", "<");
            replace("&gt;", ">");
        }
        other_.assign(1, ' ').append(bytes).push_back(' ');
        bytes.swap(other_);
    }

    // The passes of mteval-v13a over marks, periods and commas, and hyphens behind digits. Bytes
    // will do: no byte of a longer character is a mark or a digit.
    void split_marks(bool possessives = false) {
        pass([](const char* at, const char*, std::string& out) -> size_t {
            if (!is_split(*at)) return 0;
            out.append(1, ' ').append(1, *at).push_back(' ');
            return 1;
        });
        if (possessives) replace("'s ", " 's ");
        pass([](const char* at, const char* end, std::string& out) -> size_t {
            if (at + 1 == end || is_digit(*at) || !is_dot(at[1])) return 0;
            out.append(1, *at).append(1, ' ').append(1, at[1]).push_back(' ');
            return 2;
        });
        pass([](const char* at, const char* end, std::string& out) -> size_t {
            if (at + 1 == end || !is_dot(*at) || is_digit(at[1])) return 0;
            out.append(1, ' ').append(1, *at).append(1, ' ').push_back(at[1]);
            return 2;
        });
        pass([](const char* at, const char* end, std::string& out) -> size_t {
            if (at + 1 == end || !is_digit(*at) || at[1] != '-') return 0;
            out.append(1, *at).append(" - ");
            return 2;
        });
    }

    // step(at, end, out) -> how many bytes it has written in its own way; others are copied.
    template <class Step>
    void pass(Step step) {
        other_.clear();
        other_.reserve(2 * bytes.size());
        const char* const end = bytes.data() + bytes.size();
        Pace pace;
        for (const char* at = bytes.data(); at != end;) {
            pace(1);
            const size_t read = step(at, end, other_);
            if (read == 0) other_.push_back(*at);
            at += read ? read : 1;
        }
        bytes.swap(other_);
    }

    // Pairs of characters are matched from left to right, without overlap.
    template <class Match>
    void pass_pairs(Match match, bool after) {
        other_.clear();
        size_t first = 0, middle = 0;  // the character before, whose category is `before`
        uint32_t before = 0;
        bool held = false;
        Pace pace;
        each_character(view(), [&](uint32_t code, size_t begin, size_t end) {
            pace(4);
            const uint32_t category = category_of(code);
            if (held && match(before, category)) {
                if (!after) other_.push_back(' ');
                other_.append(bytes, first, middle - first).push_back(' ');
                other_.append(bytes, begin, end - begin);
                if (after) other_.push_back(' ');
                held = false;
                return;
            }
            if (held) other_.append(bytes, first, middle - first);
            held = true;
            before = category;
            first = begin;
            middle = end;
        });
        if (held) other_.append(bytes, first, middle - first);
        bytes.swap(other_);
    }

    void read_intl() {
        pass_pairs([](uint32_t a, uint32_t b) { return a != NUMBER && b == PUNCTUATION; }, true);
        pass_pairs([](uint32_t a, uint32_t b) { return a == PUNCTUATION && b != NUMBER; }, false);
        surround([](uint32_t code) { return category_of(code) == SYMBOL; });
    }

    void read_words() {
        edges.resize(2 * bytes.size() + 2);
        WordSegments words([&](size_t begin, size_t end) {
            edges[2 * size] = static_cast<uint32_t>(begin);
            edges[2 * size++ + 1] = static_cast<uint32_t>(end);
        });
        words.read(view());
        bytes.append(PADDING, '\0');
    }

    void split(int tokenizer) {
        edges.resize(2 * bytes.size() + 2);
        uint32_t* const at = edges.data();
        size_t count = 0, blanks = 0;
        bool parted = true;  // from the character before
        Pace pace;
        each_character(view(), [&](uint32_t code, size_t begin, size_t end) {
            pace(2);
            if (is_blank(code)) {
                ++blanks;
                parted = parted || tokenizer != TOKENS_JIWER || code == ' ' || blanks > 1;
                return;
            }
            if (parted) at[2 * count++] = static_cast<uint32_t>(begin);
            at[2 * count - 1] = static_cast<uint32_t>(end);
            parted = tokenizer == TOKENS_CHARACTERS;
            blanks = 0;
        });
        size = count;
        bytes.append(PADDING, '\0');
    }

    void split_marked(View text) {
        bytes.assign(text.data, static_cast<size_t>(text.size));
        edges.resize(2 * bytes.size() + 2);
        size_t begin = 0;
        Pace pace;
        for (size_t at = 0; at < bytes.size(); ++at) {
            pace(1);
            const auto byte = static_cast<unsigned char>(bytes[at]);
            if (byte == TOKEN_MARK) {
                edges[2 * size] = static_cast<uint32_t>(begin);
                edges[2 * size++ + 1] = static_cast<uint32_t>(at);
            }
            if (byte == TOKEN_MARK || byte == LINE_MARK) begin = at + 1;
        }
        bytes.append(PADDING, '\0');
    }

    std::string other_;
    std::vector<uint32_t> others_;  // the places of bytes that are no letters and no digits
};

}  // namespace summeval
