// The best columns of each row of a dense matrix: the arcs that a dense transportation problem is
// solved on, until the whole rows show that others gain.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "rows/lanes.hpp"
#include "rows/stop.hpp"
#include "text/bits.hpp"

namespace summeval {

class ColumnLists {
  public:
    // `rows` lists of `kept` columns (a multiple of 4) of a matrix with so many columns.
    void reset(int32_t rows, int32_t columns, int32_t kept) {
        kept_ = kept;
        columns_ = columns;
        const size_t size = static_cast<size_t>(rows) * static_cast<size_t>(kept);
        grow(weights_, size);
        grow(places_, size);
        best_.resize(static_cast<size_t>(rows));
        found_.resize(static_cast<size_t>(kept) * ROOM + BLOCK + 1);
        guess_ = 0.0;
        high_ = 0.0;
        ties_ = 0;
        odd_ = Lanes::all(0.0);
    }

    // Makes the first list of number k, of the highest weights of a row, reading it from `start` on.
    // Also looks whether all weights are finite.
    void make_first(int32_t k, const double* row, int32_t start) {
        check(row);
        const int32_t half = kept_ / 2;
        int32_t size = collect(row, nullptr, guess_, start);
        if (size < half && guess_ > 0.0) size = collect(row, nullptr, 0.0, start);
        guess_ = limit_;  // a lower one lets more columns pass, of which the best must be selected
        keep(k, row, size);
    }

    // Makes a list again, by the difference of weight and price. `prices` have the sign changed.
    void make_again(int32_t k, const double* row, const double* prices, double price, int32_t start) {
        const double low = -std::numeric_limits<double>::infinity();
        int32_t size = collect(row, prices, price + again_, start);
        if (size < kept_ / 2) size = collect(row, prices, low, start);
        again_ = size < kept_ ? again_ : limit_ - price;
        keep(k, row, size);
    }

    bool finite() const noexcept { return !any_nan(odd_); }
    double highest_weight() const noexcept { return high_; }
    // How many lists began with two columns of equal weight.
    int32_t ties() const noexcept { return ties_; }

    // The highest difference of weight and price on list k, at least 0, the gain of a row that
    // does not send.
    double top(int32_t k, const double* prices) const noexcept {
        const double* const w = weights_.data() + static_cast<size_t>(k) * static_cast<size_t>(kept_);
        const int32_t* const c = places_.data() + static_cast<size_t>(k) * static_cast<size_t>(kept_);
        Lanes a = Lanes::all(0.0), b = a;
        for (int32_t t = 0; t < kept_; t += 4) {
            a = higher(Lanes::load(w + t) + Lanes::two(prices[c[t]], prices[c[t + 1]]), a);
            b = higher(Lanes::load(w + t + 2) + Lanes::two(prices[c[t + 2]], prices[c[t + 3]]), b);
        }
        return highest(higher(a, b));
    }

    // The position on list k of the column that has the highest difference, or -1.
    int32_t position(int32_t k, const double* prices, double top) const noexcept {
        int32_t found = -1;
        for (int32_t t = kept_ - 1; t >= 0; --t) {  // no jumps: they could not be predicted
            found = weight(k, t) + prices[column(k, t)] == top ? t : found;
        }
        return found;
    }
    // When the list was made; the number of columns if no column had a positive weight.
    int32_t best_column(int32_t k) const noexcept { return best_[static_cast<size_t>(k)]; }
    int32_t kept() const noexcept { return kept_; }
    double weight(int32_t k, int32_t t) const noexcept {
        return weights_[static_cast<size_t>(k) * static_cast<size_t>(kept_) + static_cast<size_t>(t)];
    }
    int32_t column(int32_t k, int32_t t) const noexcept {
        return places_[static_cast<size_t>(k) * static_cast<size_t>(kept_) + static_cast<size_t>(t)];
    }

  private:
    static constexpr int32_t ROOM = 2;  // columns that are found for each that is kept
    static constexpr int32_t BLOCK = 8;

    struct Found {
        double gain;
        int32_t column;
        int32_t rank;  // the position in the order in which the row was read
        bool operator<(const Found& other) const noexcept {
            return gain > other.gain || (gain == other.gain && rank < other.rank);
        }
    };

    void check(const double* row) noexcept {
        constexpr int SUMS = 4;  // a sum waits for the one before
        const Lanes none = Lanes::all(0.0);
        Lanes odd[SUMS] = {odd_, none, none, none}, high[SUMS] = {none, none, none, none};
        int32_t j = 0;
        for (; j + SUMS * Lanes::COUNT <= columns_; j += SUMS * Lanes::COUNT) {
            for (int i = 0; i < SUMS; ++i) {
                const Lanes w = Lanes::load(row + j + i * Lanes::COUNT);
                odd[i] = odd[i] + (w - w);
                high[i] = higher(w, high[i]);
            }
        }
        for (; j < columns_; ++j) {
            odd[0] = odd[0] + Lanes::all(row[j] - row[j]);
            high[0] = higher(Lanes::all(row[j]), high[0]);
        }
        odd_ = (odd[0] + odd[1]) + (odd[2] + odd[3]);
        high_ = std::max(high_, highest(higher(higher(high[0], high[1]), higher(high[2], high[3]))));
    }

    // Finds the columns with a positive weight that gain more than `limit`, or fewer with higher
    // gains.
    int32_t collect(const double* row, const double* prices, double limit, int32_t start) {
        size_ = 0;
        limit_ = limit;
        collect_part(row, prices, start, columns_, 0);
        collect_part(row, prices, 0, start, columns_ - start);
        if (size_ > kept_) cut();
        return size_;
    }

    void collect_part(const double* row, const double* prices, int32_t begin, int32_t end,
                      int32_t rank) {
        int32_t j = begin;
        for (; j + BLOCK <= end; j += BLOCK) {
            const Lanes least = Lanes::all(limit_);
            uint64_t which = 0;
            for (int i = 0; i < BLOCK; i += Lanes::COUNT) {
                const Lanes w = Lanes::load(row + j + i);
                const Lanes gain = prices ? w + Lanes::load(prices + j + i) : w;
                which |= static_cast<uint64_t>(above(gain, least)) << i;
            }
            for (; which; which &= which - 1) {
                const int32_t c = j + static_cast<int32_t>(lowest_bit(which));
                see(c, row[c], prices ? row[c] + prices[c] : row[c], rank + c - begin);
            }
            if (size_ > ROOM * kept_) cut();
        }
        for (; j < end; ++j) {
            see(j, row[j], prices ? row[j] + prices[j] : row[j], rank + j - begin);
        }
        if (size_ > ROOM * kept_) cut();
    }

    void see(int32_t c, double weight, double gain, int32_t rank) noexcept {
        found_[static_cast<size_t>(size_)] = Found{gain, c, rank};
        size_ += (weight > 0.0) & (gain > limit_);
    }

    void cut() {
        std::nth_element(found_.begin(), found_.begin() + kept_ - 1, found_.begin() + size_);
        size_ = kept_;
        limit_ = found_[static_cast<size_t>(kept_) - 1].gain;
    }

    // Keeps what was found as list k. Unused entries gain nothing.
    void keep(int32_t k, const double* row, int32_t size) {
        const size_t begin = static_cast<size_t>(k) * static_cast<size_t>(kept_);
        double first = 0.0, second = 0.0;
        int32_t best = columns_;
        for (int32_t t = 0; t < size; ++t) {
            const Found& one = found_[static_cast<size_t>(t)];
            weights_[begin + static_cast<size_t>(t)] = row[one.column];
            places_[begin + static_cast<size_t>(t)] = one.column;
            second = one.gain > first ? first : one.gain > second ? one.gain : second;
            best = one.gain > first ? one.column : best;
            first = one.gain > first ? one.gain : first;
        }
        for (int32_t t = size; t < kept_; ++t) {
            weights_[begin + static_cast<size_t>(t)] = -std::numeric_limits<double>::infinity();
            places_[begin + static_cast<size_t>(t)] = columns_;
        }
        ties_ += first > 0.0 && first == second;
        best_[static_cast<size_t>(k)] = best;
    }

    int32_t kept_ = 0, columns_ = 0, size_ = 0, ties_ = 0;
    double limit_ = 0.0;  // while a row is read: what a column must gain
    double guess_ = 0.0;  // the limit of the list made last
    double again_ = -std::numeric_limits<double>::infinity();
    double high_ = 0.0;
    Lanes odd_ = Lanes::all(0.0);  // NaN once a weight was not finite
    std::vector<double> weights_;
    std::vector<int32_t> places_;
    std::vector<int32_t> best_;
    std::vector<Found> found_;
};

}  // namespace summeval
