// Texts with a sentence on each line, and what their marks tell.
#pragma once
#include <cstring>
#include <string>

#include "support/sentence_rules.hpp"
#include "text/views.hpp"

namespace summeval {

// Writes texts anew with each sentence on a line.
class SentenceLines {
  public:
    explicit SentenceLines(const SentenceWords& words) : rules_(words) {}

    // The text with each sentence on a line.
    View split(View text) {
        const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data);
        const size_t size = static_cast<size_t>(text.size);
        lines_.clear();
        Pace pace;
        for (size_t begin = 0; begin < size;) {
            const void* const found = std::memchr(bytes + begin, '\n', size - begin);
            const size_t end =
                found ? static_cast<size_t>(static_cast<const unsigned char*>(found) - bytes) : size;
            pace(end - begin + 1);
            split_line(bytes, begin, end, pace);
            begin = end + 1;
        }
        return {lines_.data(), static_cast<int64_t>(lines_.size())};
    }

  private:
    void split_line(const unsigned char* bytes, size_t begin, size_t end, Pace& pace) {
        SentenceRules::Line line{bytes, begin, end, begin, -1};
        size_t written = begin;
        for (size_t at = begin; at < end;) {
            pace(1);
            if (bytes[at] < 0x80 && bytes[at] != '.' && bytes[at] != '!' && bytes[at] != '?') {
                ++at;
                continue;
            }
            const Character one = character_at(bytes, end, at);
            size_t next = at + one.size;
            if (SentenceRules::is_stop(one.code) && rules_.ends(line, at, next)) {
                write_line(bytes, written, next);
                written = next;
            }
            at = next;
        }
        write_line(bytes, written, end);
    }

    // Without the blanks before it; lines without anything else are left out.
    void write_line(const unsigned char* bytes, size_t begin, size_t end) {
        while (begin < end) {
            const Character one = character_at(bytes, end, begin);
            if (!is_blank(one.code)) break;
            begin += one.size;
        }
        if (begin == end) return;
        lines_.append(reinterpret_cast<const char*>(bytes + begin), end - begin);
        lines_.push_back('\n');
    }

    SentenceRules rules_;
    std::string lines_;
};

struct TextMarks {
    size_t spaced = 0;  // blanks before a mark
    bool unbalanced = false, no_final = false;
};

inline bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Whether the last character is a full stop or the like; blanks, quotes and brackets may follow.
inline bool ends_with_mark(const char* data, size_t size) {
    Pace pace;
    while (size) {
        pace(1);
        const char c = data[size - 1];
        if (c == '.' || c == '!' || c == '?') return true;
        if (is_space(c) || c == '"' || c == '\'' || c == ')' || c == ']') {
            --size;
            continue;
        }
        if (size < 3 || std::memcmp(data + size - 3, "\xE2\x80", 2) != 0) return false;
        const unsigned char last = static_cast<unsigned char>(c);
        if (last == 0xA6) return true;                     // the ellipsis
        if (last != 0x99 && last != 0x9D) return false;    // closing quotes
        size -= 3;
    }
    return false;
}

inline TextMarks marks_of(View text) {
    const char* const data = text.data;
    const size_t size = static_cast<size_t>(text.size);
    size_t quotes = 0, opened = 0, closed = 0, spaced = 0;
    Pace pace;
    for (size_t i = 0; i < size; ++i) {
        pace(1);
        switch (data[i]) {
            case '"': ++quotes; break;
            case '(': ++opened; break;
            case ')': ++closed; break;
            case '.': case ',': case ';': case ':': case '!': case '?': case '\'':
                spaced += i && is_space(data[i - 1]) && data[i - 1] != '\n' &&
                          (i + 1 == size || is_space(data[i + 1]));
                break;
            default: break;
        }
    }
    return {spaced, quotes % 2 || opened != closed, !ends_with_mark(data, size)};
}

}  // namespace summeval
