// Shared by the kernels that count units: row statuses, tables of counts, skip-bigrams.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/analysis.hpp"
#include "text/grams.hpp"

namespace summeval {

enum Status : int {
    OK = 0,
    TEXT_TOO_LONG = 1,
    SENTENCES_TOO_LONG = 2,   // rougeLsum
    TABLE_TOO_LARGE = 3,      // rougeW
    PAIRS_TOO_MANY = 4,       // skip-bigrams; neighbours in an n-gram graph
    NO_MEMORY = 5,
    NO_CERTIFICATE = 6,       // the optimum of a programme that is within rounding of its bound
};

// Sets the first n counts to zero and returns them; counts beyond are not changed. (A vector's own
// assign() fills in a loop, which took 7 % of the time of a short pair; this is memset.)
inline int32_t* zeros(std::vector<int32_t>& counts, size_t n) {
    if (counts.size() < n) grow(counts, n);
    int32_t* const data = counts.data();
    if (n != 0)
        each_piece(n, [=](size_t begin, size_t end) noexcept {
            std::memset(data + begin, 0, (end - begin) * sizeof(int32_t));
        });
    return data;
}

// How often each unit of one kind (n-grams of one order, skip-bigrams of one gap) occurs: dense
// counts [text][unit], unit 0 being "not in any reference".
struct Level {
    PairTable table;
    std::vector<int32_t> counts;
    size_t stride = 1;

    void start(size_t texts, size_t units) {
        stride = units + 1;
        zeros(counts, texts * stride);
    }
    int32_t* row(size_t text) noexcept { return counts.data() + text * stride; }
    const int32_t* row(size_t text) const noexcept { return counts.data() + text * stride; }
};

constexpr uint64_t MAX_SKIP_STEPS = INT32_MAX;          // pairs visited: counts have 32 bits
constexpr uint64_t MAX_SKIP_UNITS = uint64_t{1} << 24;  // pairs stored

// Number of pairs (i, j), i < j <= i + gap + 1, of n tokens.
inline uint64_t skip_pairs(uint64_t n, int gap) noexcept {
    if (n < 2) return 0;
    const uint64_t reach = gap < 0 || static_cast<uint64_t>(gap) + 1 > n - 1
                               ? n - 1
                               : static_cast<uint64_t>(gap) + 1;
    return reach * n - reach * (reach + 1) / 2;
}

// Calls visit(i, j) for these pairs among the tokens begin .. end - 1.
template <class Visit>
inline void each_skip_pair(size_t begin, size_t end, int gap, Visit visit) {
    size_t i = begin;
    if (gap == 4) {  // ROUGE-SU4 and TESLA-S: the compiler unrolls a loop of known length
        const size_t full = end - begin > 5 ? end - 5 : begin;
        if (full - begin <= stop::STEPS) {  // one piece: a loop without checks, as in each_piece
            for (; i < full; ++i)
                for (size_t j = 1; j <= 5; ++j) visit(i, i + j);
        } else {
            for (const auto [from, to] : pieces(full - begin))
                for (i = begin + from; i < begin + to; ++i)
                    for (size_t j = 1; j <= 5; ++j) visit(i, i + j);
        }
        for (; i + 1 < end; ++i)
            for (size_t j = i + 1; j < end; ++j) visit(i, j);
        return;
    }
    Pace pace;
    for (; i + 1 < end; ++i) {
        const size_t last = gap < 0 || end - 1 - i <= static_cast<size_t>(gap) + 1
                                ? end - 1
                                : i + static_cast<size_t>(gap) + 1;
        for (size_t j = i + 1; j <= last; ++j) visit(i, j);
        pace(last - i);
    }
}

inline int64_t sum_of_minima(const int32_t* a, const int32_t* b, size_t size) noexcept {
    int32_t sum = 0;  // limited by memory speed, so it needs no checks
    for (size_t i = 1; i <= size; ++i) sum += a[i] < b[i] ? a[i] : b[i];
    return sum;
}

// The first reference with the greatest value. Values that differ only by rounding count as equal,
// so the order in which weights were added cannot decide the reference (and its P and R).
template <class Value>
inline size_t first_best(size_t references, Value value) noexcept {
    constexpr double ROUNDING = 1e-9;
    if (references == 1) return 0;
    double best = 0;
    for (size_t r = 0; r < references; ++r) best = std::max(best, value(r));
    size_t r = 0;
    while (value(r) < best * (1 - ROUNDING)) ++r;
    return r;
}

}  // namespace summeval
