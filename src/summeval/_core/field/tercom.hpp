// The tokens of tercom, as sacrebleu has them; tests/definitions/field/ter.py defines them.
#pragma once
#include <iterator>
#include <string>
#include <string_view>

#include "field/characters.hpp"
#include "rows/stop.hpp"

namespace summeval {

class Tercom {
  public:
    bool normalized = false, punctuation = true, asian = false;

    // Puts blanks around tokens, and leaves out what is none.
    void rewrite(std::string& text) const {
        strip(text);
        if (normalized) {
            replace(text, "\n-", "");
            replace(text, "\n", " ");
            replace(text, "&quot;", "\"");
            replace(text, "&amp;", "&");
            replace(text, "&lt;", "<");
            replace(text, "&gt;", ">");
            text.insert(0, 1, ' ').push_back(' ');
            part(text);
        }
        if (!punctuation) leave_out(text);
    }

    // Each run of blanks becomes one U+0020.
    static void join(std::string& text) {
        each(text, [](uint32_t code, std::string_view bytes, std::string& out) {
            if (!is_blank(code))
                out.append(bytes);
            else if (!out.empty() && out.back() != ' ')
                out.push_back(' ');
        });
    }

  private:
    // Leaves out the blanks at the end.
    static void strip(std::string& text) {
        size_t last = 0;
        each_character({text.data(), static_cast<int64_t>(text.size())},
                       [&](uint32_t code, size_t, size_t end) {
                           if (!is_blank(code)) last = end;
                       });
        text.resize(last);
    }

    static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
    static bool is_dot(char c) noexcept { return c == '.' || c == ','; }
    // An ASCII mark, but none of ' , - .
    static bool is_mark(char c) noexcept {
        return is_ascii_mark(static_cast<unsigned char>(c)) && c != '\'' && c != ',' && c != '-' &&
               c != '.';
    }
    static bool is_one_of(const uint32_t (*ranges)[2], size_t count, uint32_t code) noexcept {
        for (size_t k = 0; k < count; ++k)
            if (code >= ranges[k][0] && code <= ranges[k][1]) return true;
        return false;
    }
    static bool is_asian_mark(uint32_t code) noexcept {
        static constexpr uint32_t RANGES[][2] = {
            {0x3001, 0x3002}, {0x3008, 0x3011}, {0x3014, 0x301F}, {0xFF61, 0xFF65},
            {0x30FB, 0x30FB}, {0xFF0E, 0xFF0E}, {0xFF0C, 0xFF0C}, {0xFF1F, 0xFF1F},
            {0xFF1A, 0xFF1B}, {0xFF01, 0xFF02}, {0xFF08, 0xFF09}};
        return is_one_of(RANGES, std::size(RANGES), code);
    }
    // Ideographs, and what is taken for one: U+3200 .. 3F22 for U+3200 .. 32FF.
    static bool is_ideograph(uint32_t code) noexcept {
        static constexpr uint32_t RANGES[][2] = {{0x4E00, 0x9FFF}, {0x3200, 0x4DBF},
                                                 {0x31C0, 0x31EF}, {0x2E80, 0x2EFF},
                                                 {0xF900, 0xFAFF}, {0xFE30, 0xFE4F}};
        return is_one_of(RANGES, std::size(RANGES), code);
    }

    static void replace(std::string& text, std::string_view from, std::string_view to) {
        size_t at = text.find(from);
        if (at == std::string::npos) return;
        std::string made;
        size_t kept = 0;
        for (; at != std::string::npos; at = text.find(from, kept)) {
            made.append(text, kept, at - kept).append(to);
            kept = at + from.size();
        }
        text = made.append(text, kept, std::string::npos);
    }

    // step(text, at, out) -> how many bytes it has written in its own way; others are copied.
    template <class Step>
    static void pass(std::string& text, Step step) {
        std::string made;
        made.reserve(2 * text.size());
        Pace pace;
        for (size_t at = 0; at < text.size();) {
            pace(1);
            const size_t read = step(text, at, made);
            if (read == 0) made.push_back(text[at]);
            at += read ? read : 1;
        }
        text.swap(made);
    }

    // Bytes will do: no byte of a longer character is a mark or a digit.
    void part(std::string& text) const {
        using std::string;
        pass(text, [](const string& in, size_t at, string& out) -> size_t {
            if (!is_mark(in[at])) return 0;
            out.append(1, ' ').append(1, in[at]).push_back(' ');
            return 1;
        });
        replace(text, "'s ", " 's ");
        pass(text, [](const string& in, size_t at, string& out) -> size_t {
            if (is_digit(in[at]) || at + 1 == in.size() || !is_dot(in[at + 1])) return 0;
            out.append(1, in[at]).append(1, ' ').append(1, in[at + 1]).push_back(' ');
            return 2;
        });
        pass(text, [](const string& in, size_t at, string& out) -> size_t {
            if (!is_dot(in[at]) || at + 1 == in.size() || is_digit(in[at + 1])) return 0;
            out.append(1, ' ').append(1, in[at]).append(1, ' ').push_back(in[at + 1]);
            return 2;
        });
        pass(text, [](const string& in, size_t at, string& out) -> size_t {
            if (!is_digit(in[at]) || at + 1 == in.size() || in[at + 1] != '-') return 0;
            out.append(1, in[at]).append(" - ");
            return 2;
        });
        if (!asian) return;
        each(text, [](uint32_t code, std::string_view bytes, string& out) {
            const bool alone = is_ideograph(code) || is_asian_mark(code);
            if (alone) out.push_back(' ');
            out.append(bytes);
            if (alone) out.push_back(' ');
        });
    }

    void leave_out(std::string& text) const {
        constexpr std::string_view MARKS = ".,?:;!\"()";
        each(text, [&](uint32_t code, std::string_view bytes, std::string& out) {
            const bool mark = code < 0x80 && MARKS.find(bytes[0]) != std::string_view::npos;
            if (!mark && !(asian && is_asian_mark(code))) out.append(bytes);
        });
    }

    // write(code, bytes, out) for each character.
    template <class Write>
    static void each(std::string& text, Write write) {
        std::string made;
        Pace pace;
        each_character({text.data(), static_cast<int64_t>(text.size())},
                       [&](uint32_t code, size_t begin, size_t end) {
                           pace(2);
                           write(code, std::string_view(text).substr(begin, end - begin), made);
                       });
        text.swap(made);
    }
};

}  // namespace summeval
