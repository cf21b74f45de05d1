// Dense bipartite assignment of maximum weight. As in Jonker and Volgenant (1987, "A shortest
// augmenting path algorithm for dense and sparse linear assignment problems", Computing 38), rows
// first bid for columns (augmenting row reduction); the remaining rows are matched by shortest
// paths.
//
// Bids, and searches in long rows, read a short list of each row's best columns. Prices of
// columns only rise, so a column off the list never gains more than the limit, which is the lowest
// gain at the time when the list was made. If the limit shows that a list is too short, the list is
// made again or the whole row is read.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "matching/assignment_paths.hpp"
#include "text/bits.hpp"
#include "matching/dense/dense_block.hpp"
#include "rows/lanes.hpp"

namespace summeval {

class DenseAssignment : AugmentingPaths<DenseAssignment> {
    friend AugmentingPaths<DenseAssignment>;

  public:
    // Returns whether all weights were finite; if not, nothing is solved.
    bool solve(const double* weights, int64_t rows, int64_t columns) {
        reset(weights, rows, columns);
        std::vector<int32_t> waiting;
        for (int32_t k = 0; k < static_cast<int32_t>(rows_.size()); ++k) {
            if (take_best(k)) continue;
            waiting.push_back(k);
            make_list(k);  // while the row is in the cache
        }
        if (any_nan(odd_)) return false;
        for (int round = 0; round < ROUNDS; ++round) bid(waiting);
        for (int32_t c = 0; c < marks_; ++c) {
            if (columns_[c].holder < 0) free_.push_back(c);
        }
        for (const int32_t k : waiting) {
            ++searches_;
            rows_[k].price = best_of(k).first;
            if (rows_[k].price <= 0.0) continue;
            // if lists do not help, or rows are short, reading whole rows is cheaper
            if (marks_ <= SHORT || whole_reads_ > static_cast<int64_t>(rows_.size()) / 4) {
                search_whole(k);
            } else {
                search(k);
            }
        }
        return true;
    }

    // -1 if the row is unmatched
    int32_t column_of_row(int64_t row) const noexcept { return rows_[static_cast<size_t>(row)].edge; }
    double row_price(int64_t row) const noexcept { return rows_[static_cast<size_t>(row)].price; }
    double column_price(int64_t c) const noexcept { return prices_[static_cast<size_t>(c)]; }

    // A larger workspace is not kept for the next problem.
    static constexpr int64_t KEPT_ROWS = 4096;

  private:
    static constexpr int KEPT = 8, ROOM = 24;  // columns of a list: after it is cut, and before
    static constexpr int ROUNDS = 2;
    static constexpr int64_t BIDS = 5;  // in a round, per row
    static constexpr int BLOCK = DenseBlock::SIZE;
    static constexpr size_t FEW = 64;
    static constexpr int32_t SHORT = 400;  // columns: reading all of them costs less than lists
    static constexpr double CLOSED = std::numeric_limits<double>::quiet_NaN();

    struct Candidate {
        double weight;
        int32_t column;
    };
    struct Found {
        double gain;
        int32_t column;
        int32_t rank;  // the position in the order in which the row was read
        // of equal gains the column read first comes first, whatever the library's selection does
        bool operator<(const Found& other) const noexcept {
            return gain > other.gain || (gain == other.gain && rank < other.rank);
        }
    };
    struct List {
        double limit = 0.0;   // no column off the list gains more; 0 if none of them gains anything
        int32_t size = 0;
        int64_t search = -1;  // the number of the search that made the list
    };
    // The highest and the second highest gain of a row; at least 0, the gain of an unmatched row.
    struct Best {
        double first = 0.0, second = 0.0;
        int32_t column = -1;
    };

    void reset(const double* weights, int64_t rows, int64_t columns) {
        const size_t height = static_cast<size_t>(rows), width = static_cast<size_t>(columns);
        weights_ = weights;
        width_ = columns;
        marks_ = static_cast<int32_t>(columns);
        rows_.assign(height, Row{});
        columns_.assign(width, Column{});
        prices_.assign(width, 0.0);
        lists_.assign(height, List{});
        tops_.resize((width + BLOCK - 1) / BLOCK);
        open_.assign(tops_.size(), (uint64_t{1} << BLOCK) - 1);
        if (width % BLOCK) open_.back() = (uint64_t{1} << (width % BLOCK)) - 1;
        grow(candidates_, height * ROOM);
        free_.clear();
        searches_ = whole_reads_ = 0;
        guess_ = 0.0;
        odd_ = Lanes::all(0.0);
    }

    const double* row_of(int32_t k) const noexcept { return weights_ + k * width_; }
    int32_t column_of(int32_t edge) const noexcept { return edge; }

    // Each row is read from a different column on, so that equal weights do not send all rows to
    // the same columns. Returns the first block of row k.
    int32_t first_block(int32_t k) const noexcept {
        return static_cast<int32_t>(k * static_cast<int64_t>(tops_.size()) /
                                    static_cast<int64_t>(rows_.size()));
    }

    // The block that is read as number b of the row `w`.
    DenseBlock block(const double* w, int32_t first, int32_t b) const noexcept {
        const int32_t blocks = static_cast<int32_t>(tops_.size());
        const int32_t begin = (b + first < blocks ? b + first : b + first - blocks) * BLOCK;
        return {w, prices_.data(), begin, std::min(begin + BLOCK, marks_)};
    }

    // Calls see(column, rank) for the columns of row k that gain more than `limit`, and perhaps for
    // some others. `limit` may rise during the loop.
    template <class See>
    void read_row(int32_t k, const double& limit, See see) {
        pace_(static_cast<uint64_t>(marks_));
        const double* w = row_of(k);
        const int32_t first = first_block(k);
        for (int32_t b = 0; b < static_cast<int32_t>(tops_.size()); ++b) {
            const DenseBlock part = block(w, first, b);
            if (part.top_gain() <= limit) continue;
            for (uint64_t which = part.gains_above(limit); which; which &= which - 1) {
                const int32_t i = static_cast<int32_t>(lowest_bit(which));
                see(part.begin + i, b * BLOCK + i);
            }
        }
    }

    // While all prices are 0: the row takes a free column among its best. False if it has to wait.
    bool take_best(int32_t k) {
        pace_(static_cast<uint64_t>(marks_));
        const double* w = row_of(k);
        const int32_t first = first_block(k);
        const int32_t blocks = static_cast<int32_t>(tops_.size());
        double best = 0.0;
        Lanes odd = odd_;
        for (int32_t b = 0; b < blocks; ++b) {
            tops_[b] = block(w, 0, b).top_weight(odd);
            best = tops_[b] > best ? tops_[b] : best;
        }
        odd_ = odd;
        rows_[k].price = best;
        if (best <= 0.0) return true;
        for (int32_t b = 0; b < blocks; ++b) {
            const DenseBlock part = block(w, first, b);
            if (tops_[part.begin / BLOCK] != best) continue;
            uint64_t& open = open_[part.begin / BLOCK];
            const uint64_t which = open & ~part.weights_below(best);
            if (!which) continue;
            const int32_t i = static_cast<int32_t>(lowest_bit(which));
            open &= ~(uint64_t{1} << i);
            columns_[part.begin + i].holder = k;
            rows_[k].edge = part.begin + i;
            return true;
        }
        return false;
    }

    void make_list(int32_t k) {
        // most rows resemble the previous one: with its limit no selection is needed
        if (collect(k, guess_) < KEPT / 3 && guess_ > 0.0) collect(k, 0.0);
        guess_ = lists_[k].limit;
    }

    // Makes the list of the columns that gain more than `limit`, or of fewer columns with higher
    // gains.
    int collect(int32_t k, double limit) {
        Found found[ROOM];
        int size = 0;
        bool cut = false;
        const double* w = row_of(k);
        read_row(k, limit, [&](int32_t c, int32_t rank) {
            const double gain = w[c] - prices_[c];
            if (!(gain > limit)) return;
            found[size++] = Found{gain, c, rank};
            if (size < ROOM) return;
            std::nth_element(found, found + KEPT - 1, found + size);
            size = KEPT;
            cut = true;
            limit = found[KEPT - 1].gain;
        });
        if (cut) {
            std::sort(found, found + size,
                      [](const Found& a, const Found& b) { return a.rank < b.rank; });
        }
        Candidate* list = list_of(k);
        for (int i = 0; i < size; ++i) list[i] = Candidate{w[found[i].column], found[i].column};
        lists_[k] = List{limit, size, searches_};
        return size;
    }

    Candidate* list_of(int32_t k) noexcept {
        return candidates_.data() + static_cast<int64_t>(k) * ROOM;
    }

    Best best_of(int32_t k) {
        pace_(ROOM);
        Best best = best_listed(k);
        if (lists_[k].search < 0 || best.second < lists_[k].limit) {
            make_list(k);
            best = best_listed(k);
        }
        return best;
    }

    Best best_listed(int32_t k) noexcept {
        Best best;
        const Candidate* list = list_of(k);
        const int32_t size = lists_[k].size;
        for (int32_t i = 0; i < size; ++i) {  // the maximum is hard to predict: no branches
            const double gain = list[i].weight - prices_[list[i].column];
            const bool leads = gain > best.first, follows = gain > best.second;
            best.second = leads ? best.first : follows ? gain : best.second;
            best.first = leads ? gain : best.first;
            best.column = leads ? list[i].column : best.column;
        }
        return best;
    }

    // A free column of the list with the same gain as the best column, or -1.
    int32_t free_listed(int32_t k, double gain) noexcept {
        const Candidate* list = list_of(k);
        for (int32_t i = 0; i < lists_[k].size; ++i) {
            const int32_t c = list[i].column;
            if (columns_[c].holder < 0 && list[i].weight - prices_[c] == gain) return c;
        }
        return -1;
    }

    // A row takes its best column from the row that had it, and raises the price until its second
    // best column gains as much; or it takes a free column that gains as much as the best.
    // `waiting` gets the rows that still wait.
    void bid(std::vector<int32_t>& waiting) {
        std::vector<int32_t> again;
        int64_t bids = 0;
        for (size_t at = 0; at < waiting.size();) {
            const int32_t k = waiting[at++];
            const Best best = best_of(k);
            rows_[k].price = best.second;
            if (best.first <= 0.0) continue;
            int32_t c = best.column;
            if (best.first == best.second && columns_[c].holder >= 0) {
                const int32_t other = free_listed(k, best.first);
                c = other >= 0 ? other : c;
            }
            const double before = prices_[c];
            prices_[c] += best.first - best.second;
            const int32_t evicted = columns_[c].holder;
            columns_[c].holder = k;
            rows_[k].edge = c;
            if (evicted < 0) continue;
            rows_[evicted].edge = -1;
            // prices may rise by tiny steps, or not at all: after a while evicted rows just wait
            if (prices_[c] > before && ++bids <= BIDS * static_cast<int64_t>(rows_.size())) {
                waiting[--at] = evicted;
            } else {
                again.push_back(evicted);
            }
        }
        waiting.swap(again);
    }

    void expand(int32_t k, double distance, End& end) {
        pace_(ROOM);
        if (lists_[k].search < 0) make_list(k);
        const Candidate* list = list_of(k);
        for (int32_t i = 0; i < lists_[k].size; ++i) {
            offer_pair(k, list[i].column, list[i].weight, distance, end);
        }
        if (lists_[k].limit <= 0.0) return;  // columns off the list gain nothing
        const double reached = distance + std::max(rows_[k].price - lists_[k].limit, 0.0);
        if (reached <= distance && free_.size() <= FEW) offer_free(k, distance, end);
        if (reached < end.distance) push(reached, marks_ + k);
    }

    // The list holds few of many equal gains: a free column among the others may end the search.
    void offer_free(int32_t k, double distance, End& end) {
        size_t kept = 0;
        for (const int32_t c : free_) {
            if (columns_[c].holder >= 0) continue;
            free_[kept++] = c;
            offer_pair(k, c, row_of(k)[c], distance, end);
        }
        free_.resize(kept);
    }

    // The search has reached the distance of the columns of row k that are not on its list.
    void resume(int32_t k, double, End& end) {
        const Row& row = rows_[k];
        const double distance = row.edge < 0 ? 0.0 : columns_[row.edge].distance;
        if (lists_[k].search != searches_) {
            make_list(k);
            expand(k, distance, end);
            return;
        }
        const double* w = row_of(k);
        ++whole_reads_;
        // only columns with a higher gain are reached before the search ends
        double limit = row.price - (end.distance - distance);
        read_row(k, limit, [&](int32_t c, int32_t) {
            offer_pair(k, c, w[c], distance, end);
            limit = row.price - (end.distance - distance);
        });
    }

    void offer_pair(int32_t k, int32_t c, double weight, double distance, End& end) {
        // rounding must not make a step negative
        const double step = std::max((rows_[k].price - weight) + prices_[c], 0.0);
        offer(c, distance + step, c, k, end);
    }

    struct Step {         // a row that search_whole has reached
        double base;      // what the keys of its columns start from
        double key;       // of its own column
        double distance;  // of its own column
        int32_t row;
        int32_t column;   // its own
        int32_t from;     // the step that gave it this key, or -1 if it is not known
    };

    // The search without lists: every row that it reaches lowers the keys of all columns, and the
    // lowest key is the next distance. Of the columns that have it, a free one ends the search;
    // else all are closed: their keys are no numbers, and stay so.
    void search_whole(int32_t entering) {
        steps_.clear();
        keys_.assign(columns_.size(), FAR);
        lows_.resize(tops_.size() * Lanes::COUNT);
        live_.clear();
        for (int32_t begin = 0; begin + BLOCK <= marks_; begin += BLOCK) live_.push_back(begin);
        lefts_.assign(tops_.size(), BLOCK);
        double end = rows_[entering].price, distance = 0.0;  // of the cheapest way out so far
        size_t last = 0, next = 0;                           // its step; the next row to expand
        int32_t column = -1;
        steps_.push_back(Step{end, FAR, 0.0, entering, -1, -1});
        double low = FAR;
        for (;;) {
            for (; next < steps_.size(); ++next) {
                pace_(static_cast<uint64_t>(marks_));
                low = lower_keys(row_of(steps_[next].row), steps_[next].base);
            }
            if (!(low < end)) break;
            distance = std::max(distance, low);  // rounding must not make a step negative
            column = close(low, distance);
            if (column >= 0) {
                end = distance;
                break;
            }
            for (size_t s = next; s < steps_.size(); ++s) {
                if (steps_[s].base < end) {
                    end = steps_[s].base;
                    last = s;
                }
            }
            low = FAR;
        }
        augment_whole(column, low, last);
        rows_[entering].price = std::max(rows_[entering].price - end, 0.0);
        for (size_t s = 1; s < steps_.size(); ++s) {
            const double shift = end - steps_[s].distance;
            Row& row = rows_[steps_[s].row];
            prices_[steps_[s].column] += shift;
            row.price = std::max(row.price - shift, 0.0);
        }
        if (column < 0) rows_[steps_[last].row].price = 0.0;
    }

    // The first free column with that key; or -1 after closing all columns that have it.
    int32_t close(double key, double distance) {
        const Lanes wanted = Lanes::all(key);
        const size_t before = steps_.size();
        for (const int32_t begin : live_) {  // the lowest keys of whole blocks are known
            if (!equal(Lanes::load(&lows_[begin / BLOCK * Lanes::COUNT]), wanted)) continue;
            uint64_t which = 0;
            for (int i = BLOCK - Lanes::COUNT; i >= 0; i -= Lanes::COUNT) {
                which = which << Lanes::COUNT | equal(Lanes::load(&keys_[begin + i]), wanted);
            }
            for (; which; which &= which - 1) {
                const int32_t c = begin + static_cast<int32_t>(lowest_bit(which));
                if (reach(c, key, distance, before)) return c;
            }
        }
        for (int32_t c = marks_ - marks_ % BLOCK; c < marks_; ++c) {
            if (keys_[c] == key && reach(c, key, distance, before)) return c;
        }
        for (size_t s = before; s < steps_.size(); ++s) close_one(steps_[s].column);
        return -1;
    }

    void close_one(int32_t c) {
        keys_[c] = CLOSED;
        if (--lefts_[c / BLOCK] > 0) return;
        live_.erase(std::remove(live_.begin(), live_.end(), c - c % BLOCK), live_.end());
    }

    // Whether the column is free; if not, its row is a step.
    bool reach(int32_t c, double key, double distance, size_t before) {
        const int32_t k = columns_[c].holder;
        if (k < 0) {
            steps_.resize(before);
            return true;
        }
        // often it was the last step, whose row is still in the cache
        const int32_t from = gives(before - 1, c, key) ? static_cast<int32_t>(before) - 1 : -1;
        steps_.push_back(Step{distance + rows_[k].price, key, distance, k, c, from});
        return false;
    }

    bool gives(size_t step, int32_t c, double key) const noexcept {
        return (prices_[c] - row_of(steps_[step].row)[c]) + steps_[step].base == key;
    }

    // Lowers the keys of all columns through a row; returns the lowest.
    double lower_keys(const double* w, double base) noexcept {
        const double* v = prices_.data();
        double *keys = keys_.data(), *lows = lows_.data();
        const Lanes start = Lanes::all(base);
        Lanes all = Lanes::all(FAR);
        for (const int32_t c : live_) {
            Lanes low[2] = {Lanes::all(FAR), Lanes::all(FAR)};
            for (int i = 0; i < BLOCK; i += Lanes::COUNT) {
                const Lanes way = (Lanes::load(v + c + i) - Lanes::load(w + c + i)) + start;
                const Lanes key = lower(way, Lanes::load(keys + c + i));
                key.store(keys + c + i);
                low[i / Lanes::COUNT % 2] = lower(key, low[i / Lanes::COUNT % 2]);
            }
            low[0] = lower(low[0], low[1]);
            low[0].store(lows + c / BLOCK * Lanes::COUNT);
            all = lower(low[0], all);
        }
        int32_t c = marks_ - marks_ % BLOCK;
        for (; c + Lanes::COUNT <= marks_; c += Lanes::COUNT) {
            const Lanes way = (Lanes::load(v + c) - Lanes::load(w + c)) + start;
            const Lanes key = lower(way, Lanes::load(keys + c));
            key.store(keys + c);
            all = lower(key, all);
        }
        double lowest_key = lowest(all);
        if (c < marks_) {
            const double way = (v[c] - w[c]) + base;
            keys[c] = way < keys[c] ? way : keys[c];
            lowest_key = keys[c] < lowest_key ? keys[c] : lowest_key;
        }
        return lowest_key;
    }

    // Changes the matches along the path to a free column, which has that key, or, without one, to
    // the row of step `last`. A column was reached in a step whose subtractions give its key again,
    // so no step needs to be kept for each column.
    void augment_whole(int32_t column, double key, size_t last) {
        size_t s = steps_.size();
        int32_t from = -1;
        if (column < 0) {
            if (last == 0) return;
            s = last;
            rows_[steps_[s].row].edge = -1;
            column = steps_[s].column;
            key = steps_[s].key;
            from = steps_[s].from;
        }
        for (;;) {
            const size_t after = s;
            s = from >= 0 ? static_cast<size_t>(from) : s - 1;
            while (from < 0 && !gives(s, column, key)) --s;
            pace_(16 * (after - s));
            rows_[steps_[s].row].edge = column;
            columns_[column].holder = steps_[s].row;
            if (s == 0) return;
            column = steps_[s].column;
            key = steps_[s].key;
            from = steps_[s].from;
        }
    }

    const double* weights_ = nullptr;
    int64_t width_ = 0;
    int64_t whole_reads_ = 0;
    std::vector<double> keys_;
    std::vector<double> lows_;  // the lowest keys of each whole block, one for each lane
    std::vector<int32_t> live_;   // where whole blocks begin that have columns which are not closed
    std::vector<int32_t> lefts_;  // how many of these, by block
    std::vector<Step> steps_;
    int64_t searches_ = 0;
    double guess_ = 0.0;         // the limit of the last list
    Lanes odd_ = Lanes::all(0.0);  // NaN once a weight was not finite
    std::vector<double> tops_;           // the highest of each block of a row
    std::vector<uint64_t> open_;         // one bit for each column that no row has taken, by block
    std::vector<Candidate> candidates_;  // ROOM for each row
    std::vector<List> lists_;
    std::vector<int32_t> free_;  // columns that were free before the first search
};

}  // namespace summeval
