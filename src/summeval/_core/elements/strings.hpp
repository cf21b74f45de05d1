// Text as Python's str has it, in UTF-8: lower case, blanks, slices.
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>

#include "text/unicode.hpp"

namespace summeval {

// The character before `end`, which must not be the beginning of the text, and its length in bytes.
inline uint32_t character_before(std::string_view text, size_t end, size_t& length) noexcept {
    size_t begin = end - 1;
    while (begin > 0 && end - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
        --begin;
    length = end - begin;
    const auto lead = static_cast<unsigned char>(text[begin]);
    if (length == 1) return lead;
    uint32_t code = lead & (0xFFu >> (length + 1));
    for (size_t k = begin + 1; k < end; ++k)
        code = code << 6 | (static_cast<unsigned char>(text[k]) & 0x3Fu);
    return code;
}

// Removes the last period, unless the last word has another or is only a period.
inline std::string_view without_period(std::string_view text) noexcept {
    if (text.empty() || text.back() != '.') return text;
    size_t at = text.size() - 1, length = 0;
    for (; at > 0; at -= length) {
        const uint32_t code = character_before(text, at, length);
        if (code == '.') return text;
        if (is_blank(code)) break;
    }
    return at == text.size() - 1 ? text : text.substr(0, text.size() - 1);
}

// Whether no character has another form in lower case: punctuation of U+2000 to U+206F.
inline bool has_no_case(std::string_view text, size_t at) noexcept {
    const auto second = static_cast<unsigned char>(text[at + 1]);
    const auto third = static_cast<unsigned char>(text[at + 2]);
    return second == 0x80 || (second == 0x81 && third < 0xB0);
}

#ifdef PY_VERSION_HEX
// str.lower; takes the GIL.
inline void lower_in_python(std::string_view text, std::string& room) {
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject* const given = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()),
                                                 "surrogatepass");
    PyObject* const lower = given ? PyObject_CallMethod(given, "lower", nullptr) : nullptr;
    PyObject* const bytes =
        lower ? PyUnicode_AsEncodedString(lower, "utf-8", "surrogatepass") : nullptr;
    bool done = false;
    if (bytes) {
        try {
            room.assign(PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes)));
            done = true;
        } catch (const std::bad_alloc&) {
        }
    }
    PyErr_Clear();
    for (PyObject* object : {given, lower, bytes}) Py_XDECREF(object);
    PyGILState_Release(state);
    if (!done) throw std::bad_alloc();
}
#else
inline void lower_in_python(std::string_view text, std::string& room) { room.assign(text); }
#endif

// The text in lower case, as str.lower gives it; `room` holds it.
inline std::string_view lower_case(std::string_view text, std::string& room) {
    room.assign(text);
    for (size_t k = 0; k < text.size(); ++k) {
        const auto byte = static_cast<unsigned char>(text[k]);
        if (byte >= 'A' && byte <= 'Z') {
            room[k] = static_cast<char>(byte + 32);
        } else if (byte >= 0x80) {
            if (byte == 0xE2 && k + 2 < text.size() && has_no_case(text, k)) {
                k += 2;
                continue;
            }
            lower_in_python(text, room);
            break;
        }
    }
    return room;
}

// The characters of a Python str; it must outlive this. Without a text `data` is null.
struct PythonText {
    const void* data = nullptr;
    int width = 1;  // bytes of a character
    int64_t size = 0;

    uint32_t at(int64_t k) const noexcept {
        if (width == 1) return static_cast<const uint8_t*>(data)[k];
        if (width == 2) return static_cast<const uint16_t*>(data)[k];
        return static_cast<const uint32_t*>(data)[k];
    }
};

// The words of text[start:end] joined by blanks.
inline std::string joined_slice(const PythonText& text, int64_t start, int64_t end) {
    std::string found;
    if (end < 0) end += text.size;
    end = end < text.size ? end : text.size;
    bool blank = false;
    char bytes[4];
    for (int64_t k = start; k < end; ++k) {
        const uint32_t code = text.at(k);
        if (is_blank(code)) {
            blank = !found.empty();
            continue;
        }
        if (blank) found.push_back(' ');
        blank = false;
        found.append(bytes, unicode::encode(code, bytes));
    }
    return found;
}

}  // namespace summeval
