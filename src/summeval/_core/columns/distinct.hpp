// Which rows of a column hold the same texts as an earlier row.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rows/stop.hpp"
#include "text/views.hpp"

namespace summeval {

// Row i has views[offsets[i] .. offsets[i + 1]), or views[i] alone without offsets. Appends to
// `first` each row that differs from all before it; places[i]: where the texts of row i are in it.
inline void distinct_rows(const View* views, const int64_t* offsets, int64_t rows,
                          std::vector<int64_t>& first, int64_t* places) {
    const auto begin = [=](int64_t row) { return offsets ? offsets[row] : row; };
    const auto end = [=](int64_t row) { return offsets ? offsets[row + 1] : row + 1; };
    const auto text = [=](int64_t item) {
        return std::string_view(views[item].data, static_cast<size_t>(views[item].size));
    };
    const auto same_text = [&](int64_t a, int64_t b) {
        if (views[a].data == views[b].data) return views[a].size == views[b].size;
        return views[a].data && views[b].data && text(a) == text(b);
    };
    const auto same = [&](int64_t a, int64_t b) {
        if (end(a) - begin(a) != end(b) - begin(b)) return false;
        for (int64_t i = begin(a), j = begin(b); i < end(a); ++i, ++j)
            if (!same_text(i, j)) return false;
        return true;
    };
    std::unordered_map<uint64_t, std::vector<int64_t>> known;  // hash: places of rows in `first`
    Pace pace;
    for (int64_t row = 0; row < rows; ++row) {
        uint64_t hash = static_cast<uint64_t>(end(row) - begin(row));
        for (int64_t i = begin(row); i < end(row); ++i) {
            const uint64_t own = views[i].data ? std::hash<std::string_view>()(text(i)) + 1 : 0;
            hash = (hash ^ own) * 0x9E3779B97F4A7C15u;
            pace(16 + static_cast<uint64_t>(views[i].size) / 8);
        }
        std::vector<int64_t>& alike = known[hash];
        int64_t place = -1;
        for (const int64_t one : alike)
            if (same(first[static_cast<size_t>(one)], row)) place = one;
        if (place < 0) {
            place = static_cast<int64_t>(first.size());
            alike.push_back(place);
            first.push_back(row);
        }
        places[row] = place;
    }
}

}  // namespace summeval
