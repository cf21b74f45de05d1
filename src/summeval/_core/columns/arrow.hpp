// Arrow columns of texts, or of lists of texts, as views: no text is copied, each costs 16 bytes.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "columns/arrow_abi.hpp"
#include "columns/arrow_texts.hpp"
#include "columns/arrow_types.hpp"
#include "text/views.hpp"

namespace summeval {

// The column as read. The views point into `arrays`.
struct ArrowColumn {
    int64_t rows = 0;
    Views views;
    std::vector<int64_t> row_offsets;  // only for lists: row i is views[row_offsets[i] .. [i + 1])
    std::vector<int64_t> codes;  // only for dictionaries: rows of one code are equal; nulls have -1
    std::vector<Owned<ArrowArray>> arrays;
};

struct ArrowStatus {
    ArrowError error = ARROW_OK;
    char message[320] = "";
};

namespace arrow_detail {

// Where each row of a list column lies in the child array `values`; a null row has size 0.
struct ListRows {
    Part values;
    std::vector<int64_t> starts;
    std::vector<int64_t> sizes;
};

template <class Offset>
void find_by_offsets(const Part& part, ListRows& rows) {
    check_array(part, 2, 1);
    if (part.count == 0) return;
    need_buffer(part, 1);
    int64_t start = load<Offset>(part.buffer(1), part.first());
    for (int64_t i = 0; i < part.count; ++i) {
        const int64_t end = load<Offset>(part.buffer(1), part.first() + i + 1);
        if (start < 0 || end < start || end > rows.values.count)
            bad_row(part, i, "offsets that decrease or leave its child");
        rows.starts[static_cast<size_t>(i)] = start;
        rows.sizes[static_cast<size_t>(i)] = end - start;
        start = end;
    }
}

template <class Offset>
void find_by_views(const Part& part, ListRows& rows) {
    check_array(part, 3, 1);
    if (part.count == 0) return;
    need_buffer(part, 1);
    need_buffer(part, 2);
    const Validity valid(part);
    for (int64_t i = 0; i < part.count; ++i) {
        if (!valid[i]) continue;
        const int64_t start = load<Offset>(part.buffer(1), part.first() + i);
        const int64_t size = load<Offset>(part.buffer(2), part.first() + i);
        if (start < 0 || size < 0 || start > rows.values.count || size > rows.values.count - start)
            bad_row(part, i, "a list that leaves its child");
        rows.starts[static_cast<size_t>(i)] = start;
        rows.sizes[static_cast<size_t>(i)] = size;
    }
}

inline void find_by_size(const Part& part, ListRows& rows) {
    check_array(part, 1, 1);
    const int64_t size = fixed_size(*part.schema);
    if (size > 0 && part.first() + part.count > rows.values.count / size)
        bad_array(part, "has a child that is too short");
    for (int64_t i = 0; i < part.count; ++i) {
        rows.starts[static_cast<size_t>(i)] = (part.first() + i) * size;
        rows.sizes[static_cast<size_t>(i)] = size;
    }
}

inline ListRows find_rows(const Part& part);

inline ListRows find_by_index(const Part& part) {
    const Part dictionary = dictionary_of(part);
    const ListRows lists = find_rows(dictionary);
    const auto count = static_cast<size_t>(part.count);
    ListRows rows{lists.values, std::vector<int64_t>(count), std::vector<int64_t>(count)};
    each_index(part, dictionary.count, "lists", [&](int64_t row, int64_t index) {
        if (index < 0) return;
        rows.starts[static_cast<size_t>(row)] = lists.starts[static_cast<size_t>(index)];
        rows.sizes[static_cast<size_t>(row)] = lists.sizes[static_cast<size_t>(index)];
    });
    return rows;
}

inline ListRows find_rows(const Part& part) {
    const Layout layout = layout_of(*part.schema);
    if (layout == Layout::Struct) {
        ListRows rows = find_rows(column_of(part));
        const Validity valid(part);
        for (int64_t i = 0; i < part.count; ++i)
            if (!valid[i]) rows.sizes[static_cast<size_t>(i)] = 0;
        return rows;
    }
    if (layout == Layout::Dictionary) return find_by_index(part);
    check_array(part, 1, 1, true);
    const auto count = static_cast<size_t>(part.count);
    ListRows rows{part.child(0), std::vector<int64_t>(count), std::vector<int64_t>(count)};
    switch (layout) {
        case Layout::List32: find_by_offsets<int32_t>(part, rows); break;
        case Layout::List64: find_by_offsets<int64_t>(part, rows); break;
        case Layout::ListView32: find_by_views<int32_t>(part, rows); break;
        case Layout::ListView64: find_by_views<int64_t>(part, rows); break;
        default: find_by_size(part, rows);
    }
    const Validity valid(part);
    for (int64_t i = 0; i < part.count && !valid.all(); ++i)
        if (!valid[i]) rows.sizes[static_cast<size_t>(i)] = 0;
    return rows;
}

inline void append_lists(const Part& part, ArrowColumn& column) {
    const ListRows rows = find_rows(part);
    int64_t total = 0;
    int64_t low = rows.values.count;
    int64_t high = 0;
    bool packed = true;  // the lists follow each other in the child
    const int64_t base = column.row_offsets.back();
    for (size_t i = 0; i < rows.sizes.size(); ++i) {
        const int64_t start = rows.starts[i];
        const int64_t size = rows.sizes[i];
        if (size > 0) {
            packed = packed && (total == 0 || start == high);
            low = std::min(low, start);
            high = std::max(high, start + size);
            total += size;
            if (total > MAX_LENGTH) bad_array(part, "has too many texts");
        }
        column.row_offsets.push_back(base + total);
    }
    Part values = rows.values;
    values.begin = total == 0 ? 0 : low;
    values.count = total == 0 ? 0 : high - low;
    if (packed) return append_texts(values, column.views);
    Views texts;
    append_texts(values, texts);
    View* to = extend(column.views, total);
    for (size_t i = 0; i < rows.sizes.size(); ++i)
        if (rows.sizes[i] > 0) to = std::copy_n(&texts[static_cast<size_t>(rows.starts[i] - low)],
                                                rows.sizes[i], to);
}

// Turns a column of texts into one of lists: a text becomes a list of one, null an empty list.
inline void wrap_rows(ArrowColumn& column) {
    size_t kept = 0;
    for (const View view : column.views) {
        if (view.data != nullptr) column.views[kept++] = view;
        column.row_offsets.push_back(static_cast<int64_t>(kept));
    }
    column.views.resize(kept);
}

// Whether two arrays hold the same values in the same memory, as do chunks that share a dictionary.
inline bool same_memory(const ArrowArray& one, const ArrowArray& other) noexcept {
    return one.length == other.length && one.offset == other.offset &&
           one.n_buffers == other.n_buffers && one.n_children == 0 && other.n_children == 0 &&
           one.dictionary == nullptr && other.dictionary == nullptr &&
           std::equal(one.buffers, one.buffers + one.n_buffers, other.buffers);
}

// Fills `codes` from the indices of dictionary arrays, which were checked when they were read.
inline void read_codes(const ArrowSchema& schema, ArrowColumn& column) {
    column.codes.reserve(static_cast<size_t>(column.rows));
    const ArrowArray* last = nullptr;
    int64_t base = 0;
    for (const auto& array : column.arrays) {
        const Part part = whole(schema, *array);
        const ArrowArray& dictionary = *part.array->dictionary;
        if (last != nullptr && !same_memory(*last, dictionary)) base += last->length;
        last = &dictionary;
        each_index(part, dictionary.length, "values", [&](int64_t, int64_t index) {
            column.codes.push_back(index < 0 ? -1 : base + index);
        });
    }
}

inline void read_arrays(const ArrowSchema& schema, bool lists, ArrowColumn& column) {
    for (const auto& array : column.arrays) {
        if ((*array).length < 0 || (*array).length > MAX_LENGTH - column.rows)
            bad_array(whole(schema, *array), "has length " + std::to_string((*array).length));
        column.rows += (*array).length;
    }
    column.views.reserve(static_cast<size_t>(column.rows));
    if (lists) {
        column.row_offsets.reserve(static_cast<size_t>(column.rows) + 1);
        column.row_offsets.push_back(0);
    }
    const bool nested = rows_are_lists(schema);
    for (size_t chunk = 0; chunk < column.arrays.size(); ++chunk) {
        const Part part = whole(schema, *column.arrays[chunk]);
        try {
            if (nested)
                append_lists(part, column);
            else
                append_texts(part, column.views);
        } catch (Fault& fault) {
            fault.text = "chunk " + std::to_string(chunk) + ": " + fault.text;
            throw;
        }
    }
    if (lists && !nested) wrap_rows(column);
    if (schema.dictionary != nullptr) read_codes(schema, column);
}

template <class T>
void receive(Owned<ArrowArrayStream>& stream, int (*get)(ArrowArrayStream*, T*), Owned<T>& out) {
    T value{};
    const int code = get == nullptr ? -1 : get(stream.get(), &value);
    if (code == 0) return out.take(&value);
    const char* reason = stream->get_last_error == nullptr ? nullptr
                                                           : stream->get_last_error(stream.get());
    throw Fault(ARROW_STREAM, "the Arrow stream failed with code " + std::to_string(code) +
                                  (reason == nullptr ? "" : std::string(": ") + reason));
}

// Runs `read`, which fills `column`, and turns exceptions into the status. Releases the arrays of a
// failed column here, while no Python exception is set: a producer may run Python to release one.
template <class Read>
ArrowStatus guarded(ArrowColumn& column, Read&& read) noexcept {
    ArrowStatus status;
    try {
        read();
    } catch (const Fault& fault) {
        status.error = fault.error;
        std::snprintf(status.message, sizeof status.message, "%s", fault.what());
    } catch (const std::exception&) {  // bad_alloc or length_error of a vector
        status.error = ARROW_MEMORY;
        std::snprintf(status.message, sizeof status.message, "not enough memory for its views");
    }
    if (status.error != ARROW_OK) column.arrays.clear();
    return status;
}

inline void check_schema(const Owned<ArrowSchema>& schema, bool lists) {
    if (!schema) bad_data("the schema was already released");
    check_type(*schema, lists);
}

}  // namespace arrow_detail

// Reads one array into an empty column. With `lists`, rows are lists of texts, or texts that become
// lists of one; otherwise rows are texts.
inline ArrowStatus read_arrow_array(Owned<ArrowSchema>& schema, Owned<ArrowArray>& array,
                                    bool lists, ArrowColumn& column) noexcept {
    return arrow_detail::guarded(column, [&] {
        arrow_detail::check_schema(schema, lists);
        column.arrays.push_back(std::move(array));
        arrow_detail::read_arrays(*schema, lists, column);
    });
}

// Reads all arrays of a stream into an empty column; `lists` as above.
inline ArrowStatus read_arrow_stream(Owned<ArrowArrayStream>& stream, bool lists,
                                     ArrowColumn& column) noexcept {
    return arrow_detail::guarded(column, [&] {
        Owned<ArrowSchema> schema;
        arrow_detail::receive(stream, stream->get_schema, schema);
        arrow_detail::check_schema(schema, lists);
        for (;;) {
            Owned<ArrowArray> array;
            arrow_detail::receive(stream, stream->get_next, array);
            if (!array) break;
            column.arrays.push_back(std::move(array));
        }
        arrow_detail::read_arrays(*schema, lists, column);
    });
}

}  // namespace summeval
