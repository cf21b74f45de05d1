// Dense bipartite assignment of maximum weight (Jonker and Volgenant 1987, "A shortest augmenting
// path algorithm for dense and sparse linear assignment problems", Computing 38), for matrices with
// at least as many columns as rows. Weights below 0 count as 0: with them every row can be given a
// column, and the pairs that weigh nothing are left out at the end. Column prices start at 0 and a
// column that gets a price keeps a row, so free columns cost nothing and the prices are dual
// feasible for the problem in which rows and columns may stay unmatched.
//
// The loops over a row work in blocks without branches, which compilers turn into vector code.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "lanes.hpp"

namespace summeval {

class DenseAssignment {
  public:
    // `weights` [rows, columns] with rows <= columns.
    DenseAssignment(const double* weights, int64_t rows, int64_t columns)
        : weights_(weights),
          rows_(static_cast<int32_t>(rows)),
          columns_(static_cast<int32_t>(columns)),
          price_(static_cast<size_t>(columns), 0.0),
          holder_(static_cast<size_t>(columns), -1),
          match_(static_cast<size_t>(rows), -1) {}

    void solve() {
        std::vector<int32_t> waiting(static_cast<size_t>(rows_));
        for (int32_t i = 0; i < rows_; ++i) waiting[static_cast<size_t>(i)] = i;
        for (int round = 0; round < ROUNDS && !waiting.empty(); ++round) reduce(waiting);
        if (waiting.empty()) return;
        for (int32_t j = 0; j < columns_; ++j) {
            if (holder_[j] < 0) free_.push_back(j);
        }
        key_.resize(static_cast<size_t>(columns_));
        for (const int32_t i : waiting) search(i);
    }

    int32_t column_of(int64_t row) const noexcept { return match_[static_cast<size_t>(row)]; }
    double column_price(int64_t column) const noexcept {
        return price_[static_cast<size_t>(column)];
    }
    double row_price(int64_t row) const noexcept {
        const int32_t j = match_[static_cast<size_t>(row)];
        return std::max(weight(row, j) - price_[static_cast<size_t>(j)], 0.0);
    }

  private:
    static constexpr int ROUNDS = 2;
    static constexpr int64_t CHANGES = 2;  // of holders, for each row and round
    static constexpr int BLOCK = 16;
    static constexpr double FAR = std::numeric_limits<double>::infinity();

    static double clip(double weight) noexcept {
        return weight > 0.0 ? weight : 0.0;
    }
    double weight(int64_t row, int64_t column) const noexcept {
        return clip(weights_[row * columns_ + column]);
    }
    const double* row_of(int32_t row) const noexcept {
        return weights_ + static_cast<int64_t>(row) * columns_;
    }

    static Lanes clip(Lanes weight) noexcept {
        return higher(weight, Lanes::all(0.0));
    }

    // The best column of a row by weight less price, and the second best.
    struct Best {
        double first = -FAR, second = -FAR;
        int32_t column = -1, next = -1;
    };

    // First the highest gain of each block, for the two best blocks; then those two are looked into.
    Best best_of(int32_t row) const noexcept {
        const double* w = row_of(row);
        const double* v = price_.data();
        double first = -FAR, second = -FAR;
        int32_t at = 0, next = 0, j = 0;
        for (; j + BLOCK <= columns_; j += BLOCK) {
            Lanes top = clip(Lanes::load(w + j)) - Lanes::load(v + j);
            for (int k = Lanes::COUNT; k < BLOCK; k += Lanes::COUNT) {
                top = higher(top, clip(Lanes::load(w + j + k)) - Lanes::load(v + j + k));
            }
            const double gain = highest(top);
            const bool leads = gain > first, follows = gain > second;
            next = leads ? at : follows ? j : next;
            second = leads ? first : follows ? gain : second;
            at = leads ? j : at;
            first = leads ? gain : first;
        }
        Best best;
        if (first > -FAR) look(w, v, at, at + BLOCK, best);
        if (second > best.second) look(w, v, next, next + BLOCK, best);
        look(w, v, j, columns_, best);
        // a row can always do without a column, whose gain is 0
        best.second = std::max(best.second, 0.0);
        return best;
    }

    static void look(const double* w, const double* v, int32_t begin, int32_t end,
                     Best& best) noexcept {
        for (int32_t j = begin; j < end; ++j) {
            const double gain = clip(w[j]) - v[j];
            if (gain <= best.second) continue;
            if (gain > best.first) {
                best.second = best.first;
                best.next = best.column;
                best.first = gain;
                best.column = j;
            } else {
                best.second = gain;
                best.next = j;
            }
        }
    }

    // Augmenting row reduction: a row takes its best column, at a price that makes its second best
    // as good, from the row that had it. Ends with the rows that wait still.
    void reduce(std::vector<int32_t>& waiting) {
        std::vector<int32_t> again;
        int64_t steps = 0;
        for (size_t at = 0; at < waiting.size();) {
            const int32_t row = waiting[at];
            const Best best = best_of(row);
            int32_t column = best.column;
            int32_t evicted = holder_[column];
            const bool raises = price_[column] + (best.first - best.second) > price_[column];
            if (raises) {
                price_[column] += best.first - best.second;
            } else if (evicted >= 0 && best.next >= 0) {
                column = best.next;
                evicted = holder_[column];
            }
            match_[row] = column;
            holder_[column] = row;
            ++at;
            if (evicted < 0) continue;
            match_[evicted] = -1;
            // prices of floating point can rise by ever so little: after a while rows just wait
            if (raises && ++steps <= CHANGES * static_cast<int64_t>(rows_)) {
                waiting[--at] = evicted;
            } else {
                again.push_back(evicted);
            }
        }
        waiting.swap(again);
    }

    struct Scanned {
        int32_t column;
        int32_t row;      // that holds the column
        double distance;  // of the column
        double price;     // of the column, whose place in price_ is infinite during the search
        double offset;    // reduced costs of the row less this are distances
        double key;       // of the column when it was scanned: its distance but for rounding
    };

    // Shortest augmenting path from a free row.
    void search(int32_t entering) {
        scanned_.clear();
        std::fill(key_.begin(), key_.end(), FAR);
        int32_t row = entering;
        double distance = -FAR, offset = 0.0;
        for (;;) {
            const int32_t column = free_one(relax(row, offset));
            const double key = key_[column];
            distance = std::max(distance, key);
            row = holder_[column];
            if (row < 0) {
                finish(entering, column, distance);
                return;
            }
            const double price = price_[column];
            offset = (price - weight(row, column)) - distance;
            scanned_.push_back(Scanned{column, row, distance, price, offset, key});
            price_[column] = FAR;
            key_[column] = FAR;
        }
    }

    // Of equally near columns a free one ends the search.
    int32_t free_one(int32_t column) const noexcept {
        if (holder_[column] < 0) return column;
        for (const int32_t j : free_) {
            if (key_[j] == key_[column]) return j;
        }
        return column;
    }

    // Lowers the keys of all columns by way of `row`; returns the first column of the lowest key.
    int32_t relax(int32_t row, double offset) noexcept {
        const double* w = row_of(row);
        const double* v = price_.data();
        double* key = key_.data();
        const Lanes off = Lanes::all(offset);
        double nearest = FAR;
        int32_t block = 0, j = 0;
        for (; j + BLOCK <= columns_; j += BLOCK) {
            Lanes low = Lanes::all(FAR);
            for (int k = 0; k < BLOCK; k += Lanes::COUNT) {
                const Lanes way = (Lanes::load(v + j + k) - clip(Lanes::load(w + j + k))) - off;
                const Lanes least = lower(way, Lanes::load(key + j + k));
                least.store(key + j + k);
                low = lower(least, low);
            }
            const double found = lowest(low);
            block = found < nearest ? j : block;
            nearest = found < nearest ? found : nearest;
        }
        for (; j < columns_; ++j) {
            const double way = (v[j] - clip(w[j])) - offset;
            key[j] = way < key[j] ? way : key[j];
            block = key[j] < nearest ? j : block;
            nearest = key[j] < nearest ? key[j] : nearest;
        }
        while (key[block] != nearest) ++block;
        return block;
    }

    void finish(int32_t entering, int32_t end, double distance) noexcept {
        for (const Scanned& s : scanned_) price_[s.column] = s.price;
        int32_t column = end;
        double key = key_[end];
        size_t known = scanned_.size();
        for (;;) {
            known = reached_by(entering, column, key, known);
            const int32_t row = known ? scanned_[known - 1].row : entering;
            match_[row] = column;
            holder_[column] = row;
            if (!known) break;
            --known;
            column = scanned_[known].column;
            key = scanned_[known].key;
        }
        for (const Scanned& s : scanned_) price_[s.column] += distance - s.distance;
        free_.erase(std::find(free_.begin(), free_.end(), end));
    }

    // Which row gave the column its key: 0 is the entering row, s + 1 the s-th scanned. The same
    // subtractions give the same number again, so no row need be stored for each column.
    size_t reached_by(int32_t entering, int32_t column, double key, size_t known) const noexcept {
        const double price = price_[column];
        if (price - weight(entering, column) == key) return 0;
        for (size_t s = 0; s < known; ++s) {
            const Scanned& by = scanned_[s];
            if ((price - weight(by.row, column)) - by.offset == key) return s + 1;
        }
        return 0;
    }

    const double* weights_;
    int32_t rows_, columns_;
    std::vector<double> price_, key_;
    std::vector<int32_t> holder_, match_, free_;
    std::vector<Scanned> scanned_;
};

// A dense problem: the column of each row or -1, and prices, of which `column_prices` must be 0.
struct DenseProblem {
    const double* weights;
    int64_t rows;
    int64_t columns;
    int64_t* match;
    double* row_prices;
    double* column_prices;
};

inline void assign_dense(const DenseProblem& p) {
    const bool upright = p.rows <= p.columns;
    std::vector<double> turned;
    if (!upright) {
        turned.resize(static_cast<size_t>(p.rows * p.columns));
        for (int64_t i = 0; i < p.rows; ++i) {
            for (int64_t j = 0; j < p.columns; ++j) {
                turned[static_cast<size_t>(j * p.rows + i)] = p.weights[i * p.columns + j];
            }
        }
    }
    const int64_t few = upright ? p.rows : p.columns, many = upright ? p.columns : p.rows;
    DenseAssignment solver(upright ? p.weights : turned.data(), few, many);
    solver.solve();
    double* few_prices = upright ? p.row_prices : p.column_prices;
    double* many_prices = upright ? p.column_prices : p.row_prices;
    std::fill(p.match, p.match + p.rows, -1);
    for (int64_t j = 0; j < many; ++j) many_prices[j] = solver.column_price(j);
    for (int64_t i = 0; i < few; ++i) {
        const int64_t j = solver.column_of(i);
        few_prices[i] = solver.row_price(i);
        const int64_t row = upright ? i : j, column = upright ? j : i;
        if (p.weights[row * p.columns + column] > 0.0) p.match[row] = column;
    }
}

}  // namespace summeval
