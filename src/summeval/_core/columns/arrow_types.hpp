// Which Arrow types are columns of texts, and checks of a schema before any array is read.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "columns/arrow_abi.hpp"

namespace summeval {

enum ArrowError : int { ARROW_OK, ARROW_TYPE, ARROW_DATA, ARROW_STREAM, ARROW_MEMORY };

namespace arrow_detail {

constexpr int MAX_DEPTH = 16;

// Thrown and caught inside the reader, which turns it into an ArrowStatus.
struct Fault : std::exception {
    ArrowError error;
    std::string text;
    Fault(ArrowError kind, std::string message) : error(kind), text(std::move(message)) {}
    const char* what() const noexcept override { return text.c_str(); }
};

[[noreturn]] inline void bad_type(const std::string& message) { throw Fault(ARROW_TYPE, message); }
[[noreturn]] inline void bad_data(const std::string& message) { throw Fault(ARROW_DATA, message); }

inline std::string quoted(const char* text) {
    return text == nullptr ? "''" : "'" + std::string(text).substr(0, 40) + "'";
}

enum class Layout {
    Text32, Text64, TextView, Null, Dictionary, RunEnd, Struct,
    List32, List64, ListView32, ListView64, FixedList, Other,
};

// The layout of a schema that passed `check_type`, or of any other schema with a format.
inline Layout layout_of(const ArrowSchema& schema) noexcept {
    static constexpr struct {
        const char* format;
        Layout layout;
    } known[] = {
        {"u", Layout::Text32},      {"z", Layout::Text32},     {"U", Layout::Text64},
        {"Z", Layout::Text64},      {"vu", Layout::TextView},  {"vz", Layout::TextView},
        {"n", Layout::Null},        {"+r", Layout::RunEnd},    {"+s", Layout::Struct},
        {"+l", Layout::List32},     {"+L", Layout::List64},    {"+vl", Layout::ListView32},
        {"+vL", Layout::ListView64},
    };
    if (schema.dictionary != nullptr) return Layout::Dictionary;
    for (const auto& entry : known)
        if (std::strcmp(schema.format, entry.format) == 0) return entry.layout;
    return std::strncmp(schema.format, "+w:", 3) == 0 ? Layout::FixedList : Layout::Other;
}

inline bool is_list(Layout layout) noexcept {
    return layout >= Layout::List32 && layout <= Layout::FixedList;
}

// N of the format "+w:N", or -1.
inline int64_t fixed_size(const ArrowSchema& schema) noexcept {
    const char* digits = schema.format + 3;
    if (*digits < '0' || *digits > '9' || std::strlen(digits) > 10) return -1;
    char* end = nullptr;
    const long long size = std::strtoll(digits, &end, 10);
    return *end == '\0' ? static_cast<int64_t>(size) : -1;
}

inline bool is_integer(const ArrowSchema& schema, const char* formats) noexcept {
    return schema.format != nullptr && schema.format[0] != '\0' && schema.format[1] == '\0' &&
           std::strchr(formats, schema.format[0]) != nullptr;
}

inline void check_children(const ArrowSchema& schema, int64_t wanted) {
    if (schema.n_children != wanted)
        bad_data("a schema of format " + quoted(schema.format) + " has " +
                 std::to_string(schema.n_children) + " children, not " + std::to_string(wanted));
    for (int64_t i = 0; i < wanted; ++i)
        if (schema.children == nullptr || schema.children[i] == nullptr)
            bad_data("a schema of format " + quoted(schema.format) + " lacks a child");
}

// A table counts as text if it has one column.
inline void check_one_column(const ArrowSchema& schema) {
    if (schema.n_children == 1) return;
    std::string names;
    for (int64_t i = 0; i < schema.n_children && schema.children != nullptr; ++i) {
        if (i == 8) {
            names += ", ...";
            break;
        }
        const ArrowSchema* child = schema.children[i];
        names += (i == 0 ? "" : ", ") + quoted(child == nullptr ? nullptr : child->name);
    }
    bad_type("the table has " + std::to_string(schema.n_children) + " columns" +
             (names.empty() ? "" : " (" + names + ")") + "; select the one that holds the texts");
}

// Throws if `schema` is not a column of texts or, with `lists`, not a column of lists of texts.
inline void check_type(const ArrowSchema& schema, bool lists, int depth = 0) {
    if (schema.format == nullptr) bad_data("a schema has no format");
    if (depth > MAX_DEPTH) bad_type("the column is nested too deeply");
    const Layout layout = layout_of(schema);
    if (is_list(layout)) {
        if (!lists)
            bad_type("format " + quoted(schema.format) + " is a list where one text is expected");
        if (layout == Layout::FixedList && fixed_size(schema) < 0)
            bad_data("format " + quoted(schema.format) + " has no list size");
        check_children(schema, 1);
        return check_type(*schema.children[0], false, depth + 1);
    }
    switch (layout) {
        case Layout::Dictionary:
            if (!is_integer(schema, "cCsSiIlL"))
                bad_data("dictionary indices have format " + quoted(schema.format));
            return check_type(*schema.dictionary, lists, depth + 1);
        case Layout::RunEnd:
            check_children(schema, 2);
            if (!is_integer(*schema.children[0], "sil"))
                bad_data("run ends have format " + quoted(schema.children[0]->format));
            return check_type(*schema.children[1], false, depth + 1);
        case Layout::Struct:
            check_one_column(schema);
            check_children(schema, 1);
            return check_type(*schema.children[0], lists, depth + 1);
        case Layout::Other:
            bad_type("format " + quoted(schema.format) + " is not text; cast it to a string type");
        default:
            return check_children(schema, 0);
    }
}

// Whether the rows of a checked schema are lists, inside any one-column tables and dictionaries.
inline bool rows_are_lists(const ArrowSchema& schema) noexcept {
    const Layout layout = layout_of(schema);
    if (layout == Layout::Struct) return rows_are_lists(*schema.children[0]);
    if (layout == Layout::Dictionary) return rows_are_lists(*schema.dictionary);
    return is_list(layout);
}

}  // namespace arrow_detail
}  // namespace summeval
