// Arrow arrays of texts, in any Arrow layout, as views into the arrays' own memory. Every number
// from the producer is checked before it is used as a position, and texts of a string type are
// checked to be UTF-8. The interface does not give the sizes of plain buffers; export_arrow asks
// producers that know them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "columns/arrow_abi.hpp"
#include "columns/arrow_types.hpp"
#include "text/utf8.hpp"
#include "text/views.hpp"

namespace summeval {

// Does not initialise new elements: each is written at once, and zeroing would cost a pass.
template <class T>
struct UninitAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitAllocator<U>;
    };
    UninitAllocator() noexcept = default;
    template <class U>
    UninitAllocator(const UninitAllocator<U>&) noexcept {}
    template <class U, class... Args>
    void construct(U* place, Args&&... args) noexcept {
        if constexpr (sizeof...(Args) == 0)
            ::new (static_cast<void*>(place)) U;
        else
            ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
    }
};

using Views = std::vector<View, UninitAllocator<View>>;

namespace arrow_detail {

// Larger lengths are errors; up to this limit no sum of positions overflows.
constexpr int64_t MAX_LENGTH = int64_t{1} << 48;

// Buffers may be unaligned, so elements are copied out.
template <class T>
inline T load(const void* buffer, int64_t index) noexcept {
    T value;
    std::memcpy(&value, static_cast<const char*>(buffer) + index * int64_t{sizeof(T)}, sizeof(T));
    return value;
}

// Rows [begin, begin + count) of an array, counted from the array's own offset.
struct Part {
    const ArrowSchema* schema;
    const ArrowArray* array;
    int64_t begin;
    int64_t count;

    int64_t first() const noexcept { return array->offset + begin; }
    const void* buffer(int64_t index) const noexcept { return array->buffers[index]; }
    Part child(int64_t index, int64_t from, int64_t size) const noexcept {
        return {schema->children[index], array->children[index], from, size};
    }
    Part child(int64_t index) const noexcept {
        return child(index, 0, array->children[index]->length);
    }
};

inline Part whole(const ArrowSchema& schema, const ArrowArray& array) noexcept {
    return {&schema, &array, 0, array.length};
}

[[noreturn]] inline void bad_array(const Part& part, const std::string& message) {
    bad_data("an array of format " + quoted(part.schema->format) + " " + message);
}

[[noreturn]] inline void bad_row(const Part& part, int64_t row, const std::string& message) {
    bad_array(part, "has at row " + std::to_string(part.begin + row) + " " + message);
}

// Checks the array's numbers and pointers against its format. `more`: there may be further buffers.
inline void check_array(const Part& part, int64_t buffers, int64_t children, bool more = false) {
    const ArrowArray& array = *part.array;
    const auto text = [](int64_t number) { return std::to_string(number); };
    if (array.length < 0 || array.length > MAX_LENGTH)
        bad_array(part, "has length " + text(array.length));
    if (array.offset < 0 || array.offset > MAX_LENGTH)
        bad_array(part, "has offset " + text(array.offset));
    if (array.null_count < -1 || array.null_count > array.length)
        bad_array(part, "has null_count " + text(array.null_count));
    if (part.begin < 0 || part.count < 0 || part.count > array.length - part.begin)
        bad_array(part, "has " + text(array.length) + " rows, fewer than its parent says");
    if (array.n_buffers < buffers || (array.n_buffers > buffers && !more))
        bad_array(part, "has " + text(array.n_buffers) + " buffers, not " + text(buffers));
    if (array.n_buffers > 0 && array.buffers == nullptr) bad_array(part, "has no buffers");
    if (array.n_children != children)
        bad_array(part, "has " + text(array.n_children) + " children, not " + text(children));
    for (int64_t i = 0; i < children; ++i)
        if (array.children == nullptr || array.children[i] == nullptr)
            bad_array(part, "lacks a child");
    if ((array.dictionary == nullptr) != (part.schema->dictionary == nullptr))
        bad_array(part, "and its schema differ about having a dictionary");
}

inline void need_buffer(const Part& part, int64_t index) {
    if (part.buffer(index) == nullptr) bad_array(part, "lacks buffer " + std::to_string(index));
}

// The validity bitmap of a part whose array has been checked.
class Validity {
public:
    explicit Validity(const Part& part) : first_(part.first()) {
        if (part.array->null_count == 0 || part.count == 0) return;
        bits_ = static_cast<const uint8_t*>(part.buffer(0));
        if (bits_ == nullptr && part.array->null_count > 0)
            bad_array(part, "has nulls but no validity bitmap");
    }
    bool all() const noexcept { return bits_ == nullptr; }
    bool operator[](int64_t row) const noexcept {
        const int64_t bit = first_ + row;
        return bits_ == nullptr || (bits_[bit >> 3] >> (bit & 7) & 1) != 0;
    }

private:
    const uint8_t* bits_ = nullptr;
    int64_t first_;
};

inline void clear_nulls(const Part& part, View* out) {
    const Validity valid(part);
    if (valid.all()) return;
    for (int64_t i = 0; i < part.count; ++i)
        if (!valid[i]) out[i] = {nullptr, 0};
}

inline View* extend(Views& out, int64_t count) {
    const size_t old = out.size();
    out.resize(old + static_cast<size_t>(count));
    return out.data() + old;
}

// Whether the texts of a format must be UTF-8. A binary column may hold other bytes.
inline bool is_string(const Part& part) noexcept {
    return std::strpbrk(part.schema->format, "uU") != nullptr;
}

// For rows of a string type: raises if a text is not UTF-8.
inline void check_utf8(const Part& part, const View* texts, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
        if (texts[i].data != nullptr && !utf8::is_valid(texts[i].data, texts[i].size))
            bad_row(part, i, "a text that is not UTF-8; encode it so, or cast the column to binary");
}

// The same check for adjacent texts, at `offsets` from `data`: ROWS of them are checked as one. If
// the whole is UTF-8, each text is too, unless it begins or ends within a character. (The bytes of
// a null row may be anything; if they fail, the rows are checked one by one.)
template <class Offset>
void check_utf8_together(const Part& part, const View* texts, const void* offsets,
                         const char* data) {
    constexpr int64_t ROWS = 64;  // few enough to stay in a near cache
    const auto offset = [&](int64_t row) {
        return static_cast<int64_t>(load<Offset>(offsets, part.first() + row));
    };
    for (int64_t begin = 0; begin < part.count; begin += ROWS) {
        const int64_t end = std::min(begin + ROWS, part.count);
        const int64_t first = offset(begin), last = offset(end);
        const utf8::Bytes found = utf8::look_at(data + first, last - first);
        bool good = found != utf8::Bytes::Other;
        if (found == utf8::Bytes::Utf8)
            for (int64_t i = begin; i < end; ++i) {
                const int64_t at = offset(i);
                if (at < last && unicode::is_continuation(static_cast<unsigned char>(data[at])))
                    good = false;
            }
        if (!good) check_utf8(part, texts, begin, end);
    }
}

inline void append_texts(const Part& part, Views& out);

template <class Offset>
void append_plain(const Part& part, Views& out) {
    check_array(part, 3, 0);
    if (part.count == 0) return;
    need_buffer(part, 1);
    View* to = extend(out, part.count);
    const void* offsets = part.buffer(1);
    const int64_t first = part.first();
    const void* data = part.buffer(2);
    // Unsigned sums: an offset may have any value until the check after the loop.
    const auto base = reinterpret_cast<uintptr_t>(data == nullptr ? "" : data);
    const auto begin = static_cast<uint64_t>(load<Offset>(offsets, first));
    uint64_t start = begin;
    uint64_t signs = start;
    for (int64_t i = 0; i < part.count; ++i) {
        const auto end = static_cast<uint64_t>(load<Offset>(offsets, first + i + 1));
        to[i].data = reinterpret_cast<const char*>(base + static_cast<uintptr_t>(start));
        to[i].size = static_cast<int64_t>(end - start);
        signs |= end | (end - start);
        start = end;
    }
    if (signs >> 63 != 0) bad_array(part, "has offsets that decrease or are negative");
    if (data == nullptr && start != 0) bad_array(part, "has texts but no data buffer");
    clear_nulls(part, to);
    if (is_string(part) && start != begin)
        check_utf8_together<Offset>(part, to, offsets, static_cast<const char*>(data));
}

// A text of up to 12 bytes lies in its 16-byte entry, after the size. The entry of a longer text
// has its size, 4 bytes of prefix, the number of a data buffer and the position in it. The last
// buffer holds the sizes of the data buffers.
inline void append_string_views(const Part& part, Views& out) {
    check_array(part, 3, 0, true);
    if (part.count == 0) return;
    need_buffer(part, 1);
    const Validity valid(part);
    View* to = extend(out, part.count);
    const int64_t n_data = part.array->n_buffers - 3;
    const void* sizes = part.buffer(n_data + 2);
    const char* entry = static_cast<const char*>(part.buffer(1)) + part.first() * 16;
    for (int64_t i = 0; i < part.count; ++i, entry += 16) {
        if (!valid[i]) {
            to[i] = {nullptr, 0};
            continue;
        }
        const int64_t size = load<int32_t>(entry, 0);
        if (size <= 12) {
            if (size < 0) bad_row(part, i, "a text of negative size");
            to[i] = {entry + 4, size};
            continue;
        }
        const int64_t index = load<int32_t>(entry, 2);
        const int64_t position = load<int32_t>(entry, 3);
        if (index < 0 || index >= n_data || sizes == nullptr || part.buffer(index + 2) == nullptr)
            bad_row(part, i, "data buffer " + std::to_string(index) + ", which it lacks");
        const int64_t room = load<int64_t>(sizes, index);
        if (position < 0 || room < size || position > room - size)
            bad_row(part, i, "a text that goes past its data buffer");
        to[i] = {static_cast<const char*>(part.buffer(index + 2)) + position, size};
    }
    if (is_string(part)) check_utf8(part, to, 0, part.count);
}

// Calls `visit` with a zero of the C type that belongs to an integer format.
template <class Visit>
void with_integer(char format, Visit&& visit) {
    switch (format) {
        case 'c': return visit(int8_t{});
        case 'C': return visit(uint8_t{});
        case 's': return visit(int16_t{});
        case 'S': return visit(uint16_t{});
        case 'i': return visit(int32_t{});
        case 'I': return visit(uint32_t{});
        case 'l': return visit(int64_t{});
        default: return visit(uint64_t{});
    }
}

inline Part dictionary_of(const Part& part) {
    check_array(part, 2, 0);
    return whole(*part.schema->dictionary, *part.array->dictionary);
}

// Calls take(row, index) for the rows of a dictionary of `size` values; index is -1 for a null.
template <class Take>
void each_index(const Part& part, int64_t size, const char* values, Take&& take) {
    if (part.count == 0) return;
    need_buffer(part, 1);
    const Validity valid(part);
    with_integer(part.schema->format[0], [&](auto zero) {
        for (int64_t i = 0; i < part.count; ++i) {
            if (!valid[i]) {
                take(i, int64_t{-1});
                continue;
            }
            const auto index = load<decltype(zero)>(part.buffer(1), part.first() + i);
            if (static_cast<uint64_t>(index) >= static_cast<uint64_t>(size))
                bad_row(part, i, "dictionary index " + std::to_string(index) +
                                     ", outside the dictionary of " + std::to_string(size) + " " +
                                     values);
            take(i, static_cast<int64_t>(index));
        }
    });
}

inline void append_dictionary(const Part& part, Views& out) {
    const Part dictionary = dictionary_of(part);
    Views values;
    append_texts(dictionary, values);
    View* to = extend(out, part.count);
    each_index(part, dictionary.count, "texts", [&](int64_t row, int64_t index) {
        to[row] = index < 0 ? View{nullptr, 0} : values[static_cast<size_t>(index)];
    });
}

inline void append_runs(const Part& part, Views& out) {
    check_array(part, 0, 2);
    const Part ends = part.child(0);
    check_array(ends, 2, 0);
    Views values;
    append_texts(part.child(1), values);
    if (part.count == 0) return;
    if (static_cast<int64_t>(values.size()) < ends.count) bad_array(part, "has more runs than texts");
    if (ends.count > 0) need_buffer(ends, 1);
    View* to = extend(out, part.count);
    int64_t done = 0;
    with_integer(ends.schema->format[0], [&](auto zero) {
        int64_t last = 0;
        for (int64_t run = 0; run < ends.count && done < part.count; ++run) {
            const auto end =
                static_cast<int64_t>(load<decltype(zero)>(ends.buffer(1), ends.first() + run));
            if (end <= last) bad_array(part, "has run ends that do not increase");
            const int64_t stop = std::min(end - part.first(), part.count);
            for (; done < stop; ++done) to[done] = values[static_cast<size_t>(run)];
            last = end;
        }
    });
    if (done < part.count) bad_array(part, "has runs that end before its last row");
}

// The only column of a table.
inline Part column_of(const Part& part) {
    check_array(part, 1, 1);
    return part.child(0, part.first(), part.count);
}

inline void append_struct(const Part& part, Views& out) {
    const size_t old = out.size();
    append_texts(column_of(part), out);
    clear_nulls(part, out.data() + old);
}

inline void append_texts(const Part& part, Views& out) {
    switch (layout_of(*part.schema)) {
        case Layout::Text32: return append_plain<int32_t>(part, out);
        case Layout::Text64: return append_plain<int64_t>(part, out);
        case Layout::TextView: return append_string_views(part, out);
        case Layout::Dictionary: return append_dictionary(part, out);
        case Layout::RunEnd: return append_runs(part, out);
        case Layout::Struct: return append_struct(part, out);
        default:
            check_array(part, 0, 0, true);
            std::fill_n(extend(out, part.count), part.count, View{nullptr, 0});
    }
}

}  // namespace arrow_detail
}  // namespace summeval
