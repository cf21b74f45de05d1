// JSON text: what a string says, and what Python's json module would write for a value.
//
// Each function takes a range of bytes that is UTF-8 and either reads all that it should or says
// that the value is not usual. What is not usual is left to the json module, which knows why.
#pragma once
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "lines/number_text.hpp"
#include "text/bits.hpp"
#include "text/unicode.hpp"

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define SUMMEVAL_JSON_SSE2 1
#endif

namespace summeval {
namespace json {

constexpr int MOST_DEPTH = 64;  // of lists and objects in each other
constexpr std::size_t FEW_KEYS = 32;  // compared with each other; more go into a hash table
constexpr std::size_t MOST_KEYS = 4096;  // of one object
constexpr std::ptrdiff_t MOST_DIGITS = 1000;

inline bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
inline bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

inline const char* skip_blanks(const char* at, const char* end) noexcept {
    while (at < end && is_blank(*at)) ++at;
    return at;
}

// The first quote, backslash or control character from `at` on; `end` if there is none.
inline const char* plain_end(const char* at, const char* end) noexcept {
#ifdef SUMMEVAL_JSON_SSE2
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\');
    const __m128i last_control = _mm_set1_epi8(0x1f);
    while (end - at >= 16) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __m128i found = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, slash)),
            _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes));
        const int mask = _mm_movemask_epi8(found);
        if (mask != 0) return at + lowest_bit(static_cast<uint64_t>(mask));
        at += 16;
    }
#endif
    while (at < end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) > 0x1f) ++at;
    return at;
}

// Reads four hexadecimal digits; returns -1 for anything else.
inline int32_t hexadecimal(const char* at, const char* end) noexcept {
    if (end - at < 4) return -1;
    int32_t value = 0;
    for (int k = 0; k < 4; ++k) {
        const char c = at[k];
        const int digit = is_digit(c)               ? c - '0'
                          : (c >= 'a' && c <= 'f') ? c - 'a' + 10
                          : (c >= 'A' && c <= 'F') ? c - 'A' + 10
                                                    : -1;
        if (digit < 0) return -1;
        value = value << 4 | digit;
    }
    return value;
}

// Reads the escape whose backslash is at `at`; sets `code` and returns the place after it, or
// nullptr if it is malformed or an unpaired surrogate.
inline const char* read_escape(const char* at, const char* end, uint32_t& code) noexcept {
    if (end - at < 2) return nullptr;
    switch (at[1]) {
        case '"': code = '"'; return at + 2;
        case '\\': code = '\\'; return at + 2;
        case '/': code = '/'; return at + 2;
        case 'b': code = '\b'; return at + 2;
        case 'f': code = '\f'; return at + 2;
        case 'n': code = '\n'; return at + 2;
        case 'r': code = '\r'; return at + 2;
        case 't': code = '\t'; return at + 2;
        case 'u': break;
        default: return nullptr;
    }
    const int32_t first = hexadecimal(at + 2, end);
    if (first < 0 || (first >= 0xDC00 && first < 0xE000)) return nullptr;
    code = static_cast<uint32_t>(first);
    if (first < 0xD800 || first >= 0xE000) return at + 6;
    if (end - at < 12 || at[6] != '\\' || at[7] != 'u') return nullptr;
    const int32_t second = hexadecimal(at + 8, end);
    if (second < 0xDC00 || second >= 0xE000) return nullptr;
    code = 0x10000u + ((code - 0xD800u) << 10) + (static_cast<uint32_t>(second) - 0xDC00u);
    return at + 12;
}

// Appends a character as it stands in a string that json.dumps(ensure_ascii=False) writes.
inline void write_escaped(uint32_t code, std::string& out) {
    static const char HEX[] = "0123456789abcdef";
    char bytes[8] = {'\\', 0, '0', '0', 0, 0, 0, 0};
    switch (code) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default: break;
    }
    if (code < 0x20) {
        bytes[1] = 'u';
        bytes[4] = HEX[code >> 4];
        bytes[5] = HEX[code & 15];
        out.append(bytes, 6);
        return;
    }
    out.append(bytes, static_cast<std::size_t>(unicode::encode(code, bytes) - bytes));
}

// A string: the bytes between its quotes, and whether there are escapes among them.
struct Raw {
    const char* begin;
    const char* end;
    bool escaped;
};

// Reads the string whose opening quote is at `at`; returns the place after its closing quote, or
// nullptr if it does not end or holds control characters. Escapes are not checked.
inline const char* read_string(const char* at, const char* end, Raw& out) noexcept {
    out.begin = ++at;
    out.escaped = false;
    for (;;) {
        at = plain_end(at, end);
        if (at == end) return nullptr;
        if (*at == '"') {
            out.end = at;
            return at + 1;
        }
        if (*at != '\\' || end - at < 2) return nullptr;
        out.escaped = true;
        at += 2;
    }
}

// Calls `piece` for each run of bytes without an escape and `code` for each escaped character.
template <class Piece, class Code>
bool each_part(const Raw& raw, Piece piece, Code code) {
    const char* at = raw.begin;
    while (at < raw.end) {
        const auto* next = static_cast<const char*>(
            std::memchr(at, '\\', static_cast<std::size_t>(raw.end - at)));
        if (next == nullptr) next = raw.end;
        piece(at, static_cast<std::size_t>(next - at));
        if (next == raw.end) break;
        uint32_t found = 0;
        at = read_escape(next, raw.end, found);
        if (at == nullptr) return false;
        code(found);
    }
    return true;
}

// Writes what a string says, in UTF-8, from `out` on, which has room for its raw length. Returns
// the end, or nullptr if an escape is malformed.
inline char* write_meaning(const Raw& raw, char* out) noexcept {
    const bool good = each_part(
        raw,
        [&](const char* at, std::size_t size) {
            std::memcpy(out, at, size);
            out += size;
        },
        [&](uint32_t code) { out = unicode::encode(code, out); });
    return good ? out : nullptr;
}

// Appends a string without its quotes as json.dumps writes it: equal strings give equal bytes.
inline bool append_string(const Raw& raw, std::string& out) {
    if (!raw.escaped) {
        out.append(raw.begin, static_cast<std::size_t>(raw.end - raw.begin));
        return true;
    }
    return each_part(
        raw, [&](const char* at, std::size_t size) { out.append(at, size); },
        [&](uint32_t code) { write_escaped(code, out); });
}

inline const char* skip_digits(const char* at, const char* end) noexcept {
    while (at < end && is_digit(*at)) ++at;
    return at;
}

// Whether a number with a point, as it stands, is what repr gives: at most 15 digits, of which the
// last is not a needless zero, and not so small that repr writes an exponent.
inline bool is_shortest(const char* begin, const char* point, const char* end) noexcept {
    if (*begin == '-') ++begin;
    const bool needless = end[-1] == '0' && end - point > 2;
    const bool small = *begin == '0' && end - point > 2;  // a zero before the point
    return !needless && !small && end - begin <= 16;
}

// Appends the number at `at` as Python writes it; nullptr if it is malformed or beyond the range
// of float64. With `beyond`, numbers that Python reads as infinite are null, and set it.
inline const char* append_number(const char* at, const char* end, std::string& out,
                                 bool* beyond) {
    const char* const begin = at;
    if (at < end && *at == '-') ++at;
    const char* const digits = at;
    at = skip_digits(at, end);
    if (at == digits || (*digits == '0' && at - digits > 1) || at - digits > MOST_DIGITS) {
        return nullptr;
    }
    const char* const point = at;
    if (at < end && *at == '.') {
        at = skip_digits(at + 1, end);
        if (at == point + 1) return nullptr;
    }
    const char* const mantissa_end = at;
    if (at < end && (*at == 'e' || *at == 'E')) {
        ++at;
        if (at < end && (*at == '+' || *at == '-')) ++at;
        const char* const power = at;
        at = skip_digits(at, end);
        if (at == power) return nullptr;
    }
    if (at == point) {  // a whole number; -0 is 0
        const bool is_minus_zero = *begin == '-' && *digits == '0';
        const char* const from = is_minus_zero ? digits : begin;
        out.append(from, static_cast<std::size_t>(at - from));
        return at;
    }
    if (at == mantissa_end && is_shortest(begin, point, at)) {
        out.append(begin, static_cast<std::size_t>(at - begin));
        return at;
    }
#ifdef SUMMEVAL_TO_CHARS
    double value = 0;
    const auto read = std::from_chars(begin, at, value);
    const bool is_tiny = *digits == '0' || std::memchr(mantissa_end, '-', static_cast<std::size_t>(
                                                                             at - mantissa_end));
    if (beyond != nullptr && read.ec == std::errc::result_out_of_range && !is_tiny) {
        *beyond = true;
        out += "null";
        return at;
    }
    if (read.ec != std::errc() || read.ptr != at || !std::isfinite(value)) return nullptr;
    char text[NUMBER_ROOM];
    out.append(text, static_cast<std::size_t>(write_number(value, text) - text));
    return at;
#else
    static_cast<void>(beyond);
    return nullptr;
#endif
}

inline const char* append_word(const char* at, const char* end, std::string_view word,
                               std::string_view written, std::string& out) {
    if (static_cast<std::size_t>(end - at) < word.size()) return nullptr;
    if (std::memcmp(at, word.data(), word.size()) != 0) return nullptr;
    out.append(written);
    return at + word.size();
}

using KeySet = std::unordered_set<std::string>;

// The keys of an object, by where they stand in the text that was written.
class KeyPlaces {
public:
    // Adds the key that ends `out`; false if it was there before, or if there are too many.
    bool add(const std::string& out, std::size_t begin) {
        if (count_ == MOST_KEYS) return false;
        const std::string_view key(out.data() + begin, out.size() - begin);
        if (count_ >= FEW_KEYS) {
            if (many_ == nullptr) {
                many_ = std::make_unique<KeySet>();
                for (std::size_t k = 0; k < FEW_KEYS; ++k) many_->emplace(known(out, k));
            }
            ++count_;
            return many_->emplace(key).second;
        }
        for (std::size_t k = 0; k < count_; ++k) {
            if (key == known(out, k)) return false;
        }
        begins_[count_] = begin;
        sizes_[count_++] = key.size();
        return true;
    }

private:
    std::size_t begins_[FEW_KEYS];
    std::size_t sizes_[FEW_KEYS];
    std::size_t count_ = 0;
    std::unique_ptr<KeySet> many_;  // from FEW_KEYS on, all of them

    std::string_view known(const std::string& out, std::size_t k) const noexcept {
        return std::string_view(out.data() + begins_[k], sizes_[k]);
    }
};

inline const char* append_value(const char* at, const char* end, int depth, std::string& out,
                                bool* beyond);

inline const char* append_list(const char* at, const char* end, int depth, std::string& out,
                               bool* beyond) {
    out += '[';
    at = skip_blanks(at + 1, end);
    if (at < end && *at == ']') {
        out += ']';
        return at + 1;
    }
    for (;;) {
        at = append_value(at, end, depth, out, beyond);
        if (at == nullptr) return nullptr;
        at = skip_blanks(at, end);
        if (at == end) return nullptr;
        if (*at == ']') {
            out += ']';
            return at + 1;
        }
        if (*at != ',') return nullptr;
        out += ", ";
        at = skip_blanks(at + 1, end);
    }
}

// Appends the key at `at` and the colon after it. Returns the place of the value.
inline const char* append_key(const char* at, const char* end, KeyPlaces& keys, std::string& out) {
    Raw key{};
    if (at == end || *at != '"') return nullptr;
    at = read_string(at, end, key);
    if (at == nullptr) return nullptr;
    out += '"';
    const std::size_t begin = out.size();
    if (!append_string(key, out) || !keys.add(out, begin)) return nullptr;
    out += "\": ";
    at = skip_blanks(at, end);
    if (at == end || *at != ':') return nullptr;
    return skip_blanks(at + 1, end);
}

inline const char* append_object(const char* at, const char* end, int depth, std::string& out,
                                 bool* beyond) {
    KeyPlaces keys;
    out += '{';
    at = skip_blanks(at + 1, end);
    if (at < end && *at == '}') {
        out += '}';
        return at + 1;
    }
    for (;;) {
        at = append_key(at, end, keys, out);
        if (at != nullptr) at = append_value(at, end, depth, out, beyond);
        if (at == nullptr) return nullptr;
        at = skip_blanks(at, end);
        if (at == end) return nullptr;
        if (*at == '}') {
            out += '}';
            return at + 1;
        }
        if (*at != ',') return nullptr;
        out += ", ";
        at = skip_blanks(at + 1, end);
    }
}

// Appends the value at `at` as json.dumps(json.loads(value), ensure_ascii=False) writes it, with
// null for NaN and infinities. Returns the place after it; nullptr if it is not usual. `beyond` is
// that of append_number.
inline const char* append_value(const char* at, const char* end, int depth, std::string& out,
                                bool* beyond) {
    if (at == end || depth == MOST_DEPTH) return nullptr;
    switch (*at) {
        case '"': {
            Raw raw{};
            at = read_string(at, end, raw);
            if (at == nullptr) return nullptr;
            out += '"';
            if (!append_string(raw, out)) return nullptr;
            out += '"';
            return at;
        }
        case '[': return append_list(at, end, depth + 1, out, beyond);
        case '{': return append_object(at, end, depth + 1, out, beyond);
        case 't': return append_word(at, end, "true", "true", out);
        case 'f': return append_word(at, end, "false", "false", out);
        case 'n': return append_word(at, end, "null", "null", out);
        case 'N': return append_word(at, end, "NaN", "null", out);
        case 'I': return append_word(at, end, "Infinity", "null", out);
        case '-':
            if (end - at > 1 && at[1] == 'I') {
                return append_word(at, end, "-Infinity", "null", out);
            }
            return append_number(at, end, out, beyond);
        default: return append_number(at, end, out, beyond);
    }
}

}  // namespace json
}  // namespace summeval
