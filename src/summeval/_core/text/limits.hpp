// Length limits of ROUGE-1.5.5 (-l and -b): each keeps a prefix of the raw text.
#pragma once
#include <cstdint>
#include <cstring>

#include "rows/stop.hpp"
#include "text/views.hpp"

namespace summeval {

inline bool is_blank(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Prefixes {
    int64_t text;  // bytes kept for ROUGE-N, S and the clip counts
    int64_t lcs;   // bytes kept for ROUGE-L and W: under -b they are limited in another way
};

// Calls visit(begin, size) for each line that is not empty until visit returns false.
template <class Visit>
inline void each_line(View text, Visit visit) {
    Pace pace;
    int64_t begin = 0;
    while (begin < text.size) {
        const void* end = std::memchr(text.data + begin, '\n', static_cast<size_t>(text.size - begin));
        const int64_t stop = end ? static_cast<const char*>(end) - text.data : text.size;
        if (stop > begin && !visit(begin, stop - begin)) return;
        pace(static_cast<uint64_t>(stop - begin) + 1);
        begin = stop + 1;
    }
}

// Words are the fields between runs of ASCII white space; a leading run makes one empty field.
// Returns the number of fields, and in `end` the position where field number `wanted` ends.
inline int64_t count_fields(const char* line, int64_t size, int64_t wanted, int64_t& end) {
    Pace pace;
    int64_t fields = 0, i = 0;
    end = 0;
    while (i < size) {
        const int64_t begin = i;
        while (i < size && !is_blank(line[i])) ++i;
        if (++fields == wanted) end = i;
        while (i < size && is_blank(line[i])) ++i;
        pace(static_cast<uint64_t>(i - begin));
    }
    const bool all_blank = size > 0 && fields == 1 && is_blank(line[0]);
    return all_blank ? 0 : fields;
}

inline Prefixes limit_words(View text, int64_t limit) {
    int64_t used = 0, kept = text.size;
    each_line(text, [&](int64_t begin, int64_t size) {
        int64_t end;
        const int64_t fields = count_fields(text.data + begin, size, limit - used, end);
        if (used + fields < limit) {
            used += fields;
            return true;
        }
        kept = begin + end;
        return false;
    });
    return {kept, kept};
}

inline Prefixes limit_bytes(View text, int64_t limit) {
    int64_t used = 0;
    Prefixes kept{text.size, text.size};
    bool full = false;
    each_line(text, [&](int64_t begin, int64_t size) {
        if (!full && used + size >= limit) {
            full = true;
            kept.text = begin + (limit - used);
        }
        used += size;
        if (size < limit) return true;  // for lcs lines do not add up: only a long line is cut
        kept.lcs = begin + limit;
        return false;
    });
    return kept;
}

}  // namespace summeval
