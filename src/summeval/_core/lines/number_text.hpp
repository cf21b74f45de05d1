// Numbers as Python's repr writes them: the shortest digits that read back as the same float64.
#pragma once
#include <Python.h>

#include <charconv>
#include <cstdint>
#include <cstring>

#include "text/bits.hpp"

#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
#define SUMMEVAL_TO_CHARS 1
#endif

namespace summeval {

constexpr std::size_t NUMBER_ROOM = 32;  // bytes that any number fits into

// Whether numbers can be written without the lock of the interpreter.
#ifdef SUMMEVAL_TO_CHARS
constexpr bool NUMBERS_NEED_NO_LOCK = true;
#else
constexpr bool NUMBERS_NEED_NO_LOCK = false;
#endif

// Writes a finite number from `out` on, which has NUMBER_ROOM bytes; returns the end.
inline char* write_number(double value, char* out) {
#ifdef SUMMEVAL_TO_CHARS
    // Small whole numbers are common among scores, and digits need not be looked for.
    if (value == 0.0 && !(1.0 / value < 0.0)) return static_cast<char*>(std::memcpy(out, "0.0", 3)) + 3;
    if (value == 1.0) return static_cast<char*>(std::memcpy(out, "1.0", 3)) + 3;
    char digits[NUMBER_ROOM];
    const char* end =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
    const char* at = digits;
    if (*at == '-') *out++ = *at++;
    const char* power = end;
    while (*--power != 'e') {
    }
    int exponent = 0;
    for (const char* k = power + 2; k < end; ++k) exponent = 10 * exponent + (*k - '0');
    if (power[1] == '-') exponent = -exponent;
    // The digits are at[0], and from at[2] to the power.
    const int more = power - at > 2 ? static_cast<int>(power - at) - 2 : 0;
    if (exponent < -4 || exponent >= 16) {  // repr has two digits of the power at least, as here
        std::memcpy(out, at, static_cast<std::size_t>(end - at));
        return out + (end - at);
    }
    const auto copy = [&out](const char* from, int size) {
        std::memcpy(out, from, static_cast<std::size_t>(size));
        out += size;
    };
    const auto zeros = [&out](int size) {
        std::memset(out, '0', static_cast<std::size_t>(size));
        out += size;
    };
    if (exponent < 0) {
        copy("0.", 2);
        zeros(-exponent - 1);
        copy(at, 1);
        copy(at + 2, more);
        return out;
    }
    const int whole = exponent < more ? exponent : more;
    copy(at, 1);
    copy(at + 2, whole);
    zeros(exponent - whole);
    *out++ = '.';
    if (more > whole) {
        copy(at + 2 + whole, more - whole);
    } else {
        *out++ = '0';
    }
    return out;
#else
    char* const text = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
    if (text == nullptr) return out;  // no memory: Python has set the error
    const std::size_t size = std::strlen(text);
    std::memcpy(out, text, size);
    PyMem_Free(text);
    return out + size;
#endif
}

// Writes numbers, many of which are repeated, as scores of short texts are.
class KnownNumbers {
  public:
    // As `write_number`.
    char* write(double value, char* out) {
        uint64_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        Known& known = known_[bits * 0x9E3779B97F4A7C15u >> (64 - BITS)];
        if (known.bits != bits || known.size == 0) {
            known.bits = bits;
            known.size = static_cast<std::size_t>(write_number(value, known.text) - known.text);
        }
        std::memcpy(out, known.text, NUMBER_ROOM);  // of a fixed size, so without a call
        return out + known.size;
    }

  private:
    static constexpr int BITS = 9;
    struct Known {
        uint64_t bits;
        std::size_t size;  // 0 if nothing is known
        char text[NUMBER_ROOM];
    };
    Known known_[std::size_t{1} << BITS] = {};
};

}  // namespace summeval
