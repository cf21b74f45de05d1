// Assignment problems of up to 64 columns that are not sparse, as padded matrices: pairs without an
// edge, and the columns that fill the last block, weigh 0, like going without. Every row takes a
// free column among its best; the others bid (Jonker and Volgenant 1987). What is left, if several
// columns are equally good, is matched along paths that change no price; else by searches for shortest
// augmenting paths, which look at all columns at once. The width is known to the compiler.
//
// Prices and invariants are those of assignment_paths.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching/dense/edge_matrix.hpp"
#include "rows/lanes.hpp"
#include "rows/stop.hpp"
#include "text/bits.hpp"

namespace summeval {

class PaddedAssignment : EdgeMatrix {
  public:
    static constexpr int64_t WIDEST = 64;

    static bool suits(const AssignmentProblem& p) noexcept {
        return p.columns <= WIDEST && p.edges >= FEWEST && p.edges >= p.rows * p.columns / 5 &&
               2 * p.rows >= p.columns && p.rows <= MOST_ROWS;
    }

    // Checks the edges and fills the matrix. Weights are finite.
    int read(const AssignmentProblem& problem, bool& sorted) {
        sorted = true;
        lay_out(problem);
        if (problem.edges == problem.rows * problem.columns && read_whole()) return ASSIGN_OK;
        return read_edges(sorted);
    }

    static bool suits_dense(int64_t rows, int64_t columns) noexcept {
        return columns <= WIDEST && rows <= MOST_ROWS;
    }

    // All pairs of a matrix. False if some weight is not finite.
    bool read_dense(const double* weights, int64_t rows, int64_t columns) {
        lay_out(AssignmentProblem{nullptr, nullptr, weights, 0, rows, columns});
        Lanes odd = Lanes::all(0.0);
        for (int32_t k = 0; k < height_; ++k) odd = odd + copy_row(k, weights + k * columns);
        return !any_nan(odd);
    }
    int32_t column_of_row(int64_t row) const noexcept { return match_[static_cast<size_t>(row)]; }
    double row_price(int64_t row) const noexcept { return prices_[static_cast<size_t>(row)]; }
    double column_price(int64_t c) const noexcept { return column_prices_[c]; }

    void solve() {
        switch (width_ / BLOCK) {
            case 1: return solve_wide<1 * BLOCK>();
            case 2: return solve_wide<2 * BLOCK>();
            case 3: return solve_wide<3 * BLOCK>();
            case 4: return solve_wide<4 * BLOCK>();
            case 5: return solve_wide<5 * BLOCK>();
            case 6: return solve_wide<6 * BLOCK>();
            case 7: return solve_wide<7 * BLOCK>();
            default: return solve_wide<8 * BLOCK>();
        }
    }

    int write(const AssignmentOutput& out) const noexcept { return write_edges(*this, out); }

    // Whether the memory in use is worth keeping for the next problem.
    bool is_small() const noexcept { return weights_.size() <= KEPT; }

  private:
    static constexpr size_t KEPT = 1 << 16;
    static constexpr int BLOCK = 8;
    static constexpr int LINE = 8;  // numbers in a line of the cache
    static constexpr int BIDS = 5;  // in a row, of a row and of those that it drives out
    static constexpr int64_t FEWEST = 40, MOST_ROWS = 1 << 12;
    static constexpr double FAR = std::numeric_limits<double>::infinity();
    static constexpr double CLOSED = std::numeric_limits<double>::quiet_NaN();

    struct Step {        // a row that the search has reached
        double base;     // what the keys of its columns start from
        double key;      // of its own column
        double distance; // of its own column
        int32_t row;
        int32_t column;  // its own
    };

    void lay_out(const AssignmentProblem& problem) {
        make_room(problem, (problem.columns + BLOCK - 1) / BLOCK * BLOCK);
        grow(prices_, static_cast<size_t>(height_));
        grow(match_, static_cast<size_t>(height_));
        grow(tight_, static_cast<size_t>(height_));
    }

    // Returns NaN if a weight is not finite.
    Lanes copy_row(int32_t k, const double* weight) noexcept {
        double* const to = weights_.data() + k * width_;
        const int32_t columns = static_cast<int32_t>(problem_.columns);
        const Lanes zero = Lanes::all(0.0);
        Lanes odd[2] = {zero, zero};
        int32_t c = 0;
        for (; c + 2 * Lanes::COUNT <= columns; c += 2 * Lanes::COUNT) {
            for (int i = 0; i < 2; ++i) {
                const Lanes w = Lanes::load(weight + c + i * Lanes::COUNT);
                odd[i] = odd[i] + (w - w);
                higher(w, zero).store(to + c + i * Lanes::COUNT);
            }
        }
        for (; c < columns; ++c) {
            odd[0] = odd[0] + Lanes::all(weight[c] - weight[c]);
            to[c] = std::max(weight[c], 0.0);
        }
        for (; c < width_; ++c) to[c] = 0.0;
        return odd[0] + odd[1];
    }

    // All pairs in order: copies the rows. False if the edges are others.
    bool read_whole() noexcept {
        const AssignmentProblem& p = problem_;
        const int32_t columns = static_cast<int32_t>(p.columns);
        const int32_t width = static_cast<int32_t>(width_), height = static_cast<int32_t>(height_);
        int64_t odd = 0;
        for (int32_t k = 0; k < height; ++k) {
            const int64_t* const row = p.row + k * columns;
            const int64_t* const column = p.column + k * columns;
            const double* const weight = p.weight + k * columns;
            double* const to = weights_.data() + k * width;
            for (int32_t c = 0; c < columns; ++c) {
                odd |= (row[c] ^ k) | (column[c] ^ c);
                to[c] = std::max(weight[c], 0.0);
            }
            for (int32_t c = columns; c < width; ++c) to[c] = 0.0;
            starts_[k] = k * columns;
        }
        starts_[height] = height * columns;
        return odd == 0;
    }

    template <int WIDTH>
    void solve_wide() {
        std::fill_n(column_prices_, WIDTH, 0.0);
        free_ = problem_.columns < 64 ? (uint64_t{1} << problem_.columns) - 1 : ~uint64_t{0};
        raised_ = 0;
        waiting_.clear();
        ahead_ = 0;
        for (int32_t k = 0; k < height_; ++k) {
            look_ahead();
            if (WIDTH > 3 * BLOCK) look_ahead();  // of wide rows one line for each would be too few
            const double* const w = row_of<WIDTH>(k);
            Lanes top[4] = {Lanes::load(w), Lanes::load(w + 2), Lanes::load(w + 4), Lanes::load(w + 6)};
            for (int c = BLOCK; c < WIDTH; c += BLOCK) {
                for (int i = 0; i < 4; ++i) top[i] = higher(top[i], Lanes::load(w + c + 2 * i));
            }
            const double best = highest(higher(higher(top[0], top[1]), higher(top[2], top[3])));
            prices_[k] = best;
            match_[k] = -1;
            if (best <= 0.0) continue;
            tight_[k] = equal_to<WIDTH>(w, best);
            const uint64_t open = tight_[k] & free_;
            if (!open) {
                waiting_.push_back(k);
                continue;
            }
            take(k, static_cast<int32_t>(lowest_bit(open)));
        }
        size_t left = 0;
        for (const int32_t first : waiting_) {
            const int32_t k = bid<WIDTH>(first);
            waiting_[left] = k;
            left += k >= 0;
        }
        waiting_.resize(left);
        for (const int32_t k : waiting_) {
            if (!follow_tight(k)) search<WIDTH>(k);
        }
    }

    // A row takes its best column at a price that leaves it as much as its second best one would;
    // the row that held the column bids next. Returns the row that is left to a search, or -1.
    template <int WIDTH>
    int32_t bid(int32_t k) noexcept {
        for (int bids = 0; bids < BIDS; ++bids) {
            look_ahead();
            double second;
            const double first = two_lowest<WIDTH>(row_of<WIDTH>(k), second);
            prices_[k] = std::max(-first, 0.0);
            if (first >= 0.0) return -1;
            const uint64_t best = equal_to<WIDTH>(keys_, first);
            tight_[k] = best;
            if (const uint64_t open = best & free_) {
                take(k, static_cast<int32_t>(lowest_bit(open)));
                return -1;
            }
            if (best & (best - 1)) return k;  // the price would not rise
            const int32_t c = static_cast<int32_t>(lowest_bit(best));
            const int32_t before = holders_[c];
            prices_[k] = -second;
            tight_[k] = 0;
            column_prices_[c] += second - first;
            raised_ |= uint64_t{1} << c;
            match_[before] = -1;
            take(k, c);
            k = before;
        }
        return k;
    }

    // The edges of a batch follow each other: those of the next problem, probably as many, are fetched
    // while this one is solved. Each call fetches a line of the three arrays, if there is one left.
    void look_ahead() noexcept {
        if (ahead_ >= problem_.edges) return;
        const uintptr_t bytes = static_cast<uintptr_t>(problem_.edges + ahead_) * sizeof(int64_t);
        ahead_ += LINE;
        const auto fetch = [=](const void* edges) {  // what may not exist
            prefetch(reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(edges) + bytes));
        };
        fetch(problem_.row);
        fetch(problem_.column);
        fetch(problem_.weight);
    }

    void take(int32_t k, int32_t c) noexcept {
        free_ &= ~(uint64_t{1} << c);
        match_[k] = c;
        holders_[c] = k;
    }

    // The keys of a row alone. Returns the lowest; `second` gets the next one, at most 0, the key of
    // going without.
    template <int WIDTH>
    double two_lowest(const double* w, double& second) noexcept {
        const Lanes far = Lanes::all(FAR), none = Lanes::all(0.0);
        Lanes low[4] = {far, far, far, far}, next[4] = {none, none, none, none};
        for (int c = 0; c < WIDTH; c += BLOCK) {
            for (int i = 0; i < 4; ++i) {
                const int at = c + 2 * i;
                const Lanes key = Lanes::load(column_prices_ + at) - Lanes::load(w + at);
                key.store(keys_ + at);
                next[i] = lower(higher(key, low[i]), next[i]);
                low[i] = lower(key, low[i]);
            }
        }
        for (int half = 2; half > 0; half /= 2) {
            for (int i = 0; i < half; ++i) {
                next[i] = lower(lower(next[i], next[i + half]), higher(low[i], low[i + half]));
                low[i] = lower(low[i], low[i + half]);
            }
        }
        second = std::min(lowest(next[0]), highest(low[0]));
        return lowest(low[0]);
    }

    template <int WIDTH>
    const double* row_of(int32_t k) const noexcept { return weights_.data() + k * WIDTH; }

    // Which numbers equal x, as bits.
    template <int WIDTH>
    static uint64_t equal_to(const double* numbers, double x) noexcept {
        const Lanes wanted = Lanes::all(x);
        uint64_t which = 0;
        for (int c = WIDTH; c > 0;) {
            unsigned part = 0;
            for (int i = BLOCK; i > 0; i -= Lanes::COUNT) {
                c -= Lanes::COUNT;
                part = part << Lanes::COUNT | equal(Lanes::load(numbers + c), wanted);
            }
            which = which << BLOCK % 64 | part;
        }
        return which;
    }

    // Lowers the keys of all columns through a row; returns the lowest. Closed columns keep theirs,
    // which is no number.
    template <int WIDTH, bool FIRST>
    double lower_keys(const double* w, double base) noexcept {
        const Lanes start = Lanes::all(base);
        Lanes low[4] = {Lanes::all(FAR), Lanes::all(FAR), Lanes::all(FAR), Lanes::all(FAR)};
        for (int c = 0; c < WIDTH; c += BLOCK) {
            for (int i = 0; i < 4; ++i) {
                const int at = c + 2 * i;
                const Lanes way = (Lanes::load(column_prices_ + at) - Lanes::load(w + at)) + start;
                const Lanes key = FIRST ? way : lower(way, Lanes::load(keys_ + at));
                key.store(keys_ + at);
                low[i] = lower(key, low[i]);
            }
        }
        return lowest(lower(lower(low[0], low[1]), lower(low[2], low[3])));
    }

    // Matches a free row along edges whose two prices are their weight, as far as these are known:
    // no price changes, and no key is needed. False if that leads to no free column.
    bool follow_tight(int32_t entering) noexcept {
        int32_t via[WIDEST], rows[WIDEST + 1];
        int32_t reached = 1;
        uint64_t left = ~raised_;  // the columns that may be reached yet
        rows[0] = entering;
        for (int32_t s = 0; s < reached; ++s) {
            const int32_t k = rows[s];
            uint64_t found = tight_[k] & left;
            if (const uint64_t open = found & free_) {
                int32_t c = static_cast<int32_t>(lowest_bit(open));
                for (int32_t row = k;; row = via[c]) {
                    const int32_t before = match_[row];
                    take(row, c);
                    if (row == entering) return true;
                    c = before;
                }
            }
            left &= ~found;
            for (; found; found &= found - 1) {
                const int32_t c = static_cast<int32_t>(lowest_bit(found));
                via[c] = k;
                rows[reached++] = holders_[c];
            }
        }
        return false;
    }

    // Matches a free row with a price above 0.
    template <int WIDTH>
    void search(int32_t entering) {
        double end = prices_[entering];  // of the path: the least price of a row that gives up
        int32_t last = 0, reached = 1;   // the step of that row; all steps
        steps_[0] = Step{end, FAR, 0.0, entering, -1};
        double distance = 0.0;
        double low = lower_keys<WIDTH, true>(row_of<WIDTH>(entering), end);
        int32_t column = -1;
        while (low < end) {
            pace_(WIDTH);
            look_ahead();
            distance = std::max(distance, low);  // rounding must not make a step negative
            const uint64_t nearest = equal_to<WIDTH>(keys_, low);
            if (const uint64_t open = nearest & free_) {
                column = static_cast<int32_t>(lowest_bit(open));
                end = distance;
                break;
            }
            int32_t next = reached;
            for (uint64_t which = nearest; which; which &= which - 1) {
                const int32_t c = static_cast<int32_t>(lowest_bit(which));
                const int32_t k = holders_[c];
                const double leave = distance + prices_[k];
                last = leave < end ? reached : last;
                end = std::min(leave, end);
                steps_[reached++] = Step{leave, low, distance, k, c};
                keys_[c] = CLOSED;
            }
            for (; next < reached; ++next) {
                low = lower_keys<WIDTH, false>(row_of<WIDTH>(steps_[next].row), steps_[next].base);
            }
        }
        augment<WIDTH>(column, low, column < 0 ? last : reached);
        prices_[entering] = std::max(prices_[entering] - end, 0.0);
        tight_[entering] = 0;
        for (int32_t s = 1; s < reached; ++s) {
            const double shift = end - steps_[s].distance;
            double& price = prices_[steps_[s].row];
            column_prices_[steps_[s].column] += shift;
            raised_ |= uint64_t{1} << steps_[s].column;
            price = std::max(price - shift, 0.0);
            tight_[steps_[s].row] = 0;
        }
        if (column < 0) prices_[steps_[last].row] = 0.0;
    }

    // Changes the matches along the path to a free column, which has that key, or, without one, to
    // the row of step `s`. A column was reached in the last step before its own whose subtractions
    // give its key again, so no step needs to be kept for each column.
    template <int WIDTH>
    void augment(int32_t column, double key, int32_t s) noexcept {
        if (column >= 0) {
            free_ &= ~(uint64_t{1} << column);
        } else {
            if (s == 0) return;
            column = steps_[s].column;
            key = steps_[s].key;
            match_[steps_[s].row] = -1;
        }
        for (;;) {
            do {
                --s;
            } while ((column_prices_[column] - row_of<WIDTH>(steps_[s].row)[column]) + steps_[s].base !=
                     key);
            match_[steps_[s].row] = column;
            holders_[column] = steps_[s].row;
            if (s == 0) return;
            column = steps_[s].column;
            key = steps_[s].key;
        }
    }

    int32_t ahead_ = 0;
    std::vector<double> prices_;
    std::vector<int32_t> match_, waiting_;
    uint64_t free_ = 0;    // the columns that no row holds
    uint64_t raised_ = 0;  // those with a price above 0
    // of each row the columns that it is as glad of as of its own, if they have no price; or 0
    std::vector<uint64_t> tight_;
    alignas(16) double column_prices_[WIDEST];
    alignas(16) double keys_[WIDEST];
    int32_t holders_[WIDEST];
    Step steps_[WIDEST + 1];
    Pace pace_;
};

}  // namespace summeval
