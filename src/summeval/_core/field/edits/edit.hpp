// Edits between two sequences of numbers; tests/definitions/field/edits.py defines them. The table has
// a row for each item of `a` and a column for each of `b`, and is computed 64 rows at a time, as signs
// of the steps between its cells (Myers 1999; swaps and common subsequences: Hyyrö 2003, 2004).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"
#include "text/bits.hpp"
#include "text/tokens.hpp"

namespace summeval {
namespace edit {

// `a` has numbers from 1 to some `kinds`; `b` too, and 0 for what `a` lacks.
struct Items {
    const uint32_t* data;
    size_t size;

    uint32_t operator[](size_t k) const noexcept { return data[k]; }
};

// What both begin with, and end with behind that, is cut off both; returns its length.
struct Common {
    size_t begin = 0, end = 0;
};
inline Common cut(Items& a, Items& b) noexcept {
    Common common;
    size_t left = std::min(a.size, b.size);
    for (; left && a[common.begin] == b[common.begin]; --left) ++common.begin;
    for (; left && a[a.size - 1 - common.end] == b[b.size - 1 - common.end]; --left) ++common.end;
    for (Items* one : {&a, &b}) {
        one->data += common.begin;
        one->size -= common.begin + common.end;
    }
    return common;
}

// Of the table of what differs.
inline uint64_t cells(Items a, Items b) noexcept {
    cut(a, b);
    return static_cast<uint64_t>(a.size) * b.size;
}

struct Counts {
    size_t hits, substitutions, insertions, deletions;

    size_t errors() const noexcept { return substitutions + insertions + deletions; }
};

class Table {
  public:
    // How many edits make `b` of `a`; with SWAPS, one may swap neighbours that no other touches.
    template <bool SWAPS>
    size_t distance(Items a, Items b, size_t kinds) {
        cut(a, b);
        if (a.size == 0 || b.size == 0) return a.size + b.size;
        start(a, b, kinds, 1);
        for (size_t block = 0; block < blocks_; ++block) fill<false, SWAPS>(block, b.size);
        return last();
    }

    // How long the longest common subsequence is.
    size_t common(Items a, Items b, size_t kinds) {
        const Common ends = cut(a, b);
        start(a, b, kinds, 1);
        size_t found = ends.begin + ends.end;
        std::fill_n(up_.begin(), chunks_, 0);
        for (size_t block = 0; block < blocks_; ++block) {
            mark(block);
            uint64_t row = ~uint64_t{0};
            for (size_t chunk = 0; chunk < chunks_; ++chunk) {
                const uint64_t in = up_[chunk];
                const size_t first = 64 * chunk, size = std::min<size_t>(64, b.size - first);
                uint64_t out = 0;
                for (size_t k = 0; k < size; ++k) {
                    const uint64_t both = row & marks_[b[first + k]];
                    auto carry = static_cast<unsigned char>(in >> k & 1);
                    row = add_carry(row, both, carry) | (row & ~both);
                    out |= uint64_t{carry} << k;
                }
                up_[chunk] = out;
                pace_(64);
            }
            unmark(block);
            const size_t rows = std::min<size_t>(64, a.size - 64 * block);
            found += count_bits(~row & (~uint64_t{0} >> (64 - rows)));
        }
        return found;
    }

    // The edits of one alignment of those with the fewest: going back from the end, an item of `a`
    // is left out where this is on such a way, else one of `b` added where this saves an edit.
    // steps, if not null: = s i d of each item from the end of both on.
    Counts align(Items a, Items b, size_t kinds, std::vector<char>* steps = nullptr) {
        const size_t n = a.size, m = b.size;
        const Common ends = cut(a, b);
        if (steps) steps->assign(ends.end, '=');
        size_t i = a.size, j = b.size, errors = i + j, left_out = 0;
        const auto note = [steps](char step) {
            if (steps) steps->push_back(step);
        };
        if (i && j) {
            const size_t room = (i + 63) / 64;
            start(a, b, kinds, std::clamp<size_t>(ROOM / j, 1, room));
            for (size_t block = 0; block < blocks_; ++block) fill<true, false>(block, j);
            errors = last();
            size_t kept = blocks_ > slots_ ? blocks_ - slots_ : 0;
            for (size_t block = blocks_; block-- && j;) {
                if (block < kept) fill<true, false>(kept = block, j);
                const Step* const column = columns_.data() + block % slots_ * b.size;
                while (i > 64 * block && j) {
                    const unsigned bit = (i - 1) % 64;
                    if (column[j - 1].up >> bit & 1) {
                        ++left_out;
                        --i;
                        note('d');
                    } else if (j > 1 && column[j - 2].down >> bit & 1) {
                        --j;
                        note('i');
                    } else {
                        --i;
                        --j;
                        note(a[i] == b[j] ? '=' : 's');
                    }
                }
                pace_(128);
            }
        }
        left_out += i;
        if (steps) {
            steps->insert(steps->end(), i, 'd');
            steps->insert(steps->end(), j, 'i');
            steps->insert(steps->end(), ends.begin, '=');
        }
        const size_t added = left_out + m - n, changed = errors - left_out - added;
        return {n - left_out - changed, changed, added, left_out};
    }

  private:
    struct Step {
        uint64_t up, down;  // bit k: 1 more, or less, in row k of the block than in the one above
    };
    static constexpr size_t ROOM = size_t{1} << 16;  // steps that are kept for the way back

    void start(Items a, Items b, size_t kinds, size_t slots) {
        a_ = a;
        b_ = b;
        blocks_ = (a.size + 63) / 64;
        chunks_ = (b.size + 63) / 64;
        slots_ = slots;
        TokenSpans::room(marks_, kinds + 1);  // all 0 between two blocks
        // of the row above each block, or of that above the next alone
        const size_t rows = slots_ < blocks_ ? blocks_ + 1 : 1;
        stride_ = rows > 1 ? chunks_ : 0;
        std::fill_n(TokenSpans::room(up_, rows * chunks_), chunks_, ~uint64_t{0});
        std::fill_n(TokenSpans::room(down_, rows * chunks_), chunks_, 0);
        swap_.assign(chunks_, 0);
    }

    void mark(size_t block) noexcept {
        for (size_t i = 64 * block; i < std::min(a_.size, 64 * block + 64); ++i)
            marks_[a_[i]] |= uint64_t{1} << (i % 64);
    }
    void unmark(size_t block) noexcept {
        for (size_t i = 64 * block; i < std::min(a_.size, 64 * block + 64); ++i) marks_[a_[i]] = 0;
    }

    // Computes a block of rows, of so many columns; bit j of `up_` and `down_` is the step to column
    // j in the row above it, and becomes that in its last row.
    template <bool KEEP, bool SWAPS>
    void fill(size_t block, size_t columns) {
        mark(block);
        const unsigned bottom = block + 1 < blocks_ ? 63 : (a_.size - 1) % 64;
        uint64_t up = ~uint64_t{0}, down = 0, free = 0, before = 0;
        Step* kept = KEEP ? room(block) : nullptr;
        for (size_t chunk = 0; 64 * chunk < columns; ++chunk) {
            const size_t above = block * stride_ + chunk, below = above + stride_;
            const uint64_t in_up = up_[above], in_down = down_[above];
            const uint64_t in_swap = SWAPS ? swap_[chunk] : 0;
            const size_t first = 64 * chunk, size = std::min<size_t>(64, columns - first);
            uint64_t out_up = 0, out_down = 0, out_swap = 0;
            for (size_t k = 0; k < size; ++k) {
                const uint64_t equal = marks_[b_[first + k]];
                uint64_t swapped = 0;
                if (SWAPS) {
                    const uint64_t crossed = ~free & equal;
                    swapped = (crossed << 1 | (in_swap >> k & 1)) & before;
                    out_swap |= crossed >> 63 << k;
                    before = equal;
                }
                const uint64_t lower = in_down >> k & 1, match = equal | lower;
                free = (((match & up) + up) ^ up) | match | down | swapped;
                uint64_t right = down | ~(free | up), left = up & free;
                out_up |= (right >> bottom & 1) << k;
                out_down |= (left >> bottom & 1) << k;
                right = right << 1 | (in_up >> k & 1);
                left = left << 1 | lower;
                up = left | ~(free | right);
                down = right & free;
                if (KEEP) *kept++ = {up, down};
            }
            up_[below] = out_up;
            down_[below] = out_down;
            if (SWAPS) swap_[chunk] = out_swap;
            pace_(128);
        }
        unmark(block);
    }

    Step* room(size_t block) {
        return TokenSpans::room(columns_, slots_ * b_.size) + block % slots_ * b_.size;
    }

    // The value of the last cell.
    size_t last() const noexcept {
        size_t value = a_.size;
        for (size_t chunk = 0; chunk < chunks_; ++chunk) {
            const size_t at = blocks_ * stride_ + chunk;
            value += count_bits(up_[at]);
            value -= count_bits(down_[at]);
        }
        return value;
    }

    Items a_{}, b_{};
    size_t blocks_ = 0, chunks_ = 0, slots_ = 1, stride_ = 0;
    std::vector<uint64_t> marks_, up_, down_, swap_;
    std::vector<Step> columns_;
    Pace pace_;
};

// Edits of which some swap two items, whatever was or will be between them (Zhao and Sahni 2020,
// "String correction using the Damerau-Levenshtein distance": a way with the fewest edits has all
// swaps where either nothing is left out or nothing is added between the two).
class Swaps {
  public:
    // most: a number of edits that is enough. Cells that no way with so few goes through are left
    // out: those too far from the diagonals of the first cell and of the last.
    size_t distance(Items a, Items b, size_t kinds, size_t most) {
        cut(a, b);
        const auto n = static_cast<int64_t>(a.size), m = static_cast<int64_t>(b.size);
        const auto never = static_cast<int32_t>(n + m + 1);
        const auto bound = static_cast<int64_t>(most);
        const int64_t low = -((bound - m + n) / 2), high = (bound + m - n) / 2;  // of j - i
        const size_t width = b.size + 1;
        seen_.assign(kinds + 1, 0);
        row_.resize(width);
        for (size_t j = 0; j < width; ++j) row_[j] = static_cast<int32_t>(j);
        above_.assign(width, never);
        saved_.assign(width, never);
        for (int64_t i = 1; i <= n; ++i) {
            // row_ is row i - 1, and becomes row i - 2 while above_, row i - 2 before, becomes row i
            row_.swap(above_);
            const uint32_t own = a[static_cast<size_t>(i - 1)];
            const auto first = static_cast<size_t>(std::max<int64_t>(1, i + low));
            const auto last = static_cast<size_t>(std::min(m, i + high));
            if (i > 1 && i + high <= m) above_[last] = never;
            size_t match = 0;         // the last column before j where `b` has `own`
            int32_t corner = never;   // of row i - 2, before that column
            if (first > 1 && b[first - 2] == own) {
                match = first - 1;
                corner = row_[match - 1];
            }
            int32_t older = row_[first - 1];  // of row i - 2, one column back
            row_[first - 1] = first == 1 ? static_cast<int32_t>(i) : never;
            for (size_t j = first; j <= last; ++j) {
                const uint32_t other = b[j - 1];
                int32_t best = std::min({above_[j - 1] + (own != other), above_[j] + 1,
                                         row_[j - 1] + 1});
                const int32_t old = row_[j];
                if (own == other) {
                    match = j;
                    saved_[j] = j > 1 ? above_[j - 2] : never;
                    corner = older;
                } else if (const auto k = seen_[other]; k && match) {
                    if (j - match == 1)
                        best = std::min(best, saved_[j] + static_cast<int32_t>(i - k));
                    else if (i - k == 1)
                        best = std::min(best, corner + static_cast<int32_t>(j - match));
                }
                older = old;
                row_[j] = best;
            }
            if (last < b.size && last > 0 && b[last] == own) saved_[last + 1] = above_[last - 1];
            seen_[own] = i;
            pace_(last - first + 2);
        }
        return static_cast<size_t>(row_[b.size]);
    }

  private:
    std::vector<int64_t> seen_;  // the last row of each kind
    std::vector<int32_t> row_, above_, saved_;
    Pace pace_;
};

// Jaro's similarity (Jaro 1989): each item of `b` takes the first free one like it of `a` that is not
// too far.
class Jaro {
  public:
    double similarity(Items a, Items b, size_t kinds) {
        if (a.size == 0 || b.size == 0) return a.size == b.size ? 1 : 0;
        const size_t half = std::max(a.size, b.size) / 2, window = half ? half - 1 : 0;
        ends_.assign(kinds + 2, 0);
        for (size_t i = 0; i < a.size; ++i) ++ends_[a[i] + 1];
        for (size_t k = 1; k < ends_.size(); ++k) ends_[k] += ends_[k - 1];
        places_.resize(a.size);
        for (size_t i = 0; i < a.size; ++i) places_[ends_[a[i]]++] = i;
        next_.assign(kinds + 1, 0);  // what is left of each kind
        for (size_t k = 1; k <= kinds; ++k) next_[k] = ends_[k - 1];
        taken_.assign(a.size, 0);
        met_.clear();
        for (size_t j = 0; j < b.size; ++j) {
            const uint32_t kind = b[j];
            size_t& next = next_[kind];
            while (next < ends_[kind] && places_[next] + window < j) ++next;
            if (next == ends_[kind] || places_[next] > j + window) continue;
            taken_[places_[next++]] = 1;
            met_.push_back(kind);
            pace_(4);
        }
        if (met_.empty()) return 0;
        size_t turned = 0, k = 0;
        for (size_t i = 0; i < a.size; ++i)
            if (taken_[i]) turned += met_[k++] != a[i];
        const auto met = static_cast<double>(met_.size());
        return (met / static_cast<double>(b.size) + met / static_cast<double>(a.size) +
                (met - static_cast<double>(turned / 2)) / met) /
               3;
    }

  private:
    std::vector<size_t> ends_, places_, next_;
    std::vector<uint8_t> taken_;
    std::vector<uint32_t> met_;
    Pace pace_;
};

}  // namespace edit
}  // namespace summeval
