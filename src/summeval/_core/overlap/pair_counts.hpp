// The pairs (earlier token, later token) that two texts share, with any number of tokens between:
// each pair of types counts with the smaller of its two counts.
//
// Only types that both texts have can be in a shared pair. For each text, a table holds how often a
// type (row) stands after another (column): at each token, the numbers of the tokens before it are
// added to its row, many columns at a time. No pair is visited by itself.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "rows/stop.hpp"
#include "text/tokens.hpp"

namespace summeval {

struct PairScratch {
    std::vector<uint32_t> numbers;  // of a token's type among the common types; 0: not common
    std::vector<uint32_t> first, second;
    std::vector<uint32_t> first_counts, second_counts;
    std::vector<uint16_t> narrow;
    std::vector<uint32_t> wide;
};

namespace pair_counts {

constexpr size_t LANE = 16;                    // columns are a multiple of it
constexpr size_t TABLE_BYTES = size_t{1} << 18;  // of both tables together: they stay in the cache
constexpr uint64_t NARROW_MOST = 65535;

// A text without the tokens whose types are not common, and how often the others occur.
struct Side {
    const uint32_t* types;   // from 0
    size_t size;
    const uint32_t* counts;  // [type]

    uint64_t most(size_t begin, size_t end) const noexcept {
        uint32_t most = 0;
        for (size_t t = begin; t < end; ++t) most = std::max(most, counts[t]);
        return most;
    }
};

// row[k] += before[k] for `size` columns, a multiple of LANE. Sums of 16 bits end at their largest
// value.
inline void add(uint16_t* row, const uint16_t* before, size_t size) noexcept {
#if defined(SUMMEVAL_SSE2)
    for (size_t k = 0; k < size; k += LANE) {
        __m128i* const to = reinterpret_cast<__m128i*>(row + k);
        const __m128i* const from = reinterpret_cast<const __m128i*>(before + k);
        const __m128i low = _mm_adds_epu16(_mm_loadu_si128(to), _mm_loadu_si128(from));
        const __m128i high = _mm_adds_epu16(_mm_loadu_si128(to + 1), _mm_loadu_si128(from + 1));
        _mm_storeu_si128(to, low);
        _mm_storeu_si128(to + 1, high);
    }
#elif defined(SUMMEVAL_NEON)
    for (size_t k = 0; k < size; k += 8)
        vst1q_u16(row + k, vqaddq_u16(vld1q_u16(row + k), vld1q_u16(before + k)));
#else
    for (size_t k = 0; k < size; ++k) {
        const uint32_t sum = uint32_t{row[k]} + before[k];
        row[k] = static_cast<uint16_t>(sum < NARROW_MOST ? sum : NARROW_MOST);
    }
#endif
}

inline void add(uint32_t* row, const uint32_t* before, size_t size) noexcept {
    for (size_t k = 0; k < size; ++k) row[k] += before[k];
}

// The sum of the minima. All pairs of a text are fewer than 2^31, so 32 bits suffice for any part.
inline uint64_t minima(const uint16_t* a, const uint16_t* b, size_t size) noexcept {
#if defined(SUMMEVAL_SSE2)
    const __m128i low = _mm_set1_epi32(0xFFFF);
    __m128i even = _mm_setzero_si128(), odd = even;
    for (size_t k = 0; k < size; k += 8) {
        const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + k));
        const __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + k));
        const __m128i least = _mm_sub_epi16(x, _mm_subs_epu16(x, y));
        even = _mm_add_epi32(even, _mm_and_si128(least, low));
        odd = _mm_add_epi32(odd, _mm_srli_epi32(least, 16));
    }
    uint32_t parts[4];
    _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), _mm_add_epi32(even, odd));
    return uint64_t{parts[0]} + parts[1] + parts[2] + parts[3];
#else
    uint32_t sum = 0;
    for (size_t k = 0; k < size; ++k) sum += a[k] < b[k] ? a[k] : b[k];
    return sum;
#endif
}

inline uint64_t minima(const uint32_t* a, const uint32_t* b, size_t size) noexcept {
    uint32_t sum = 0;
    for (size_t k = 0; k < size; ++k) sum += a[k] < b[k] ? a[k] : b[k];
    return sum;
}

// The rows of the types first .. first + rows - 1, which all occur. `before` has `columns` places.
template <class Cell>
void fill(Side side, size_t first, size_t rows, size_t columns, Cell* table, Cell* before,
          Pace& pace) {
    std::fill_n(before, columns, Cell{0});
    size_t reach = 0;  // columns from here on are still 0
    for (size_t k = 0; k < side.size; ++k) {
        const size_t type = side.types[k], row = type - first;
        if (row < rows) {
            Cell* const own = table + row * columns;
            if (before[type] == 0)  // the first token of the type: nothing stands in its row yet
                std::memcpy(own, before, columns * sizeof(Cell));
            else
                add(own, before, reach);
            pace(1 + columns / LANE);
        } else {
            pace(1);
        }
        // 16 bits may be too few for the last tokens of a type that fills a whole text
        if (sizeof(Cell) > 2 || before[type] < NARROW_MOST) ++before[type];
        reach = std::max(reach, (type / LANE + 1) * LANE);
    }
}

template <class Cell>
uint64_t tile_hits(Side a, Side b, size_t first, size_t rows, size_t columns,
                   std::vector<Cell>& memory, Pace& pace) {
    Cell* const table = TokenSpans::room(memory, (2 * rows + 1) * columns);
    Cell* const other = table + rows * columns;
    Cell* const before = other + rows * columns;
    fill(a, first, rows, columns, table, before, pace);
    fill(b, first, rows, columns, other, before, pace);
    uint64_t hits = 0;
    for (size_t r = 0; r < rows; ++r) {
        hits += minima(table + r * columns, other + r * columns, columns);
        pace(columns / LANE + 1);
    }
    return hits;
}

// A table of 16 bits is exact if no pair of one of the texts occurs more often: the other's counts
// then end above it.
inline uint64_t hits(Side a, Side b, size_t types, PairScratch& scratch) {
    const size_t columns = (types + LANE - 1) / LANE * LANE;
    const size_t most_rows = std::max<size_t>(TABLE_BYTES / (2 * sizeof(uint16_t) * columns), 1);
    const uint64_t most_a = a.most(0, types), most_b = b.most(0, types);
    uint64_t sum = 0;
    Pace pace;
    for (size_t first = 0; first < types; first += most_rows) {
        const size_t rows = std::min(most_rows, types - first);
        const uint64_t pairs = std::min(a.most(first, first + rows) * most_a,
                                        b.most(first, first + rows) * most_b);
        sum += pairs <= NARROW_MOST
                   ? tile_hits(a, b, first, rows, columns, scratch.narrow, pace)
                   : tile_hits(a, b, first, rows, columns, scratch.wide, pace);
    }
    return sum;
}

// Keeps the tokens whose types have a number.
inline size_t keep_common(const uint32_t* ids, size_t size, const uint32_t* numbers,
                          std::vector<uint32_t>& room) {
    uint32_t* const kept = TokenSpans::room(room, size + 1);
    size_t count = 0;
    for (const auto [begin, end] : pieces(size)) {
        for (size_t k = begin; k < end; ++k) {
            const uint32_t number = numbers[ids[k]];
            kept[count] = number - 1;
            count += number != 0;
        }
    }
    return count;
}

}  // namespace pair_counts

// Shared pairs of the texts a and b, each of fewer than 2^31 pairs. Their counts of each token
// number are a_counts and b_counts; 0 is the number of all tokens that one of the texts lacks.
inline uint64_t shared_pairs(const uint32_t* a, size_t a_size, const int32_t* a_counts,
                             const uint32_t* b, size_t b_size, const int32_t* b_counts,
                             size_t numbers, PairScratch& scratch) {
    using pair_counts::keep_common;
    uint32_t* const number = TokenSpans::room(scratch.numbers, numbers + 1);
    uint32_t* const a_most = TokenSpans::room(scratch.first_counts, numbers + 1);
    uint32_t* const b_most = TokenSpans::room(scratch.second_counts, numbers + 1);
    number[0] = 0;
    uint32_t types = 0;
    for (const auto [begin, end] : pieces(numbers)) {
        for (size_t id = begin + 1; id <= end; ++id) {
            const bool common = (a_counts[id] > 0) & (b_counts[id] > 0);
            a_most[types] = static_cast<uint32_t>(a_counts[id]);
            b_most[types] = static_cast<uint32_t>(b_counts[id]);
            types += common;
            number[id] = common ? types : 0;
        }
    }
    if (types == 0) return 0;
    const size_t a_kept = keep_common(a, a_size, number, scratch.first);
    const size_t b_kept = keep_common(b, b_size, number, scratch.second);
    return pair_counts::hits({scratch.first.data(), a_kept, a_most},
                             {scratch.second.data(), b_kept, b_most}, types, scratch);
}

}  // namespace summeval
