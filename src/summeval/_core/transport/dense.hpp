// Dense transportation problems by the network simplex method on lists of each row's best columns.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "matching/assignment_matrix.hpp"
#include "matching/transport_arcs.hpp"
#include "transport/lists.hpp"
#include "transport/tree.hpp"

namespace summeval {

// The flows of an optimal plan that are not 0, by row and column, with prices that prove it.
struct DensePlan {
    std::vector<int64_t> row, column;
    std::vector<double> flow, row_prices, column_prices;
    double value = 0.0;
};

class DenseTransport {
  public:
    // Solves a dense problem of at least one row and column. False if some number is not finite or
    // some amount is below 0; or if rounding hides the optimum, or it is too far.
    bool solve(const TransportProblem& problem) {
        problem_ = &problem;
        rows_ = static_cast<int32_t>(problem.rows);
        columns_ = static_cast<int32_t>(problem.columns);
        double amount;
        if (!are_amounts(amount)) return false;
        if (amount > 0.0) return assign(amount);
        load();
        return lists_.finite() && find_optimum() && prove();
    }
    const DensePlan& plan() const noexcept { return plan_; }

    // Whether the memory in use is worth keeping for the next problem.
    bool is_small() const noexcept { return rows_ + columns_ <= KEPT; }

  private:
    static constexpr int32_t BLOCK = 32;    // rows whose lists are looked at together
    static constexpr int32_t AGAIN = 2;     // more pivots for a block
    static constexpr double SHARE = 0.7;    // of the gain of the first, for those
    static constexpr int32_t BEST = 16;     // columns of a list
    static constexpr int32_t MOST = 64;     // lists that are made again at once
    static constexpr double SMALL = 1e-12;  // a gain below this share of the highest weight is none
    static constexpr double GAP = 1e-12;    // between value and bound, at most
    static constexpr int32_t KEPT = 1 << 14;

    const double* row_of(int32_t i) const noexcept {
        return problem_->weight + static_cast<int64_t>(i) * problem_->columns;
    }
    // Each row is read from another column on, so that equal weights do not lead all rows to the
    // same columns.
    int32_t start_of(int32_t i) const noexcept {
        return static_cast<int32_t>(i * problem_->columns / problem_->rows);
    }

    // Whether all supplies and demands are amounts. `same` is what they all are, else 0.
    bool are_amounts(double& same) const noexcept {
        const double first = problem_->supply[0];
        bool good = true, equal = true;
        const auto look = [&](const double* amounts, int64_t size) {
            for (int64_t k = 0; k < size; ++k) {
                good &= amounts[k] >= 0.0 && amounts[k] < std::numeric_limits<double>::infinity();
                equal &= amounts[k] == first;
            }
        };
        look(problem_->supply, problem_->rows);
        look(problem_->demand, problem_->columns);
        same = equal ? first : 0.0;
        return good;
    }

    // If all amounts are equal, no better plan than an assignment exists.
    bool assign(double amount) {
        const size_t rows = static_cast<size_t>(rows_), columns = static_cast<size_t>(columns_);
        match_.assign(rows, -1);
        clear(rows, columns);
        const DenseProblem problem{problem_->weight,          problem_->rows,
                                   problem_->columns,         match_.data(),
                                   plan_.row_prices.data(), plan_.column_prices.data()};
        if (!assign_dense(problem)) return false;
        for (int32_t i = 0; i < rows_; ++i) {
            const int64_t j = match_[static_cast<size_t>(i)];
            if (j < 0 || !(row_of(i)[j] > 0.0)) continue;
            plan_.row.push_back(i);
            plan_.column.push_back(j);
            plan_.flow.push_back(amount);
        }
        return agree();
    }

    void clear(size_t rows, size_t columns) {
        plan_.row_prices.assign(rows, 0.0);
        plan_.column_prices.assign(columns, 0.0);
        plan_.row.clear();
        plan_.column.clear();
        plan_.flow.clear();
    }

    void load() {
        active_.clear();
        for (int32_t i = 0; i < rows_; ++i) {
            if (problem_->supply[i] > 0) active_.push_back(i);
        }
        tree_.plant(problem_->supply, rows_, problem_->demand, columns_);
        const int32_t size = static_cast<int32_t>(active_.size());
        int32_t kept = BEST * std::max(1, (columns_ + size / 2) / std::max(size, 1));
        kept = std::min(kept, (columns_ + 3) / 4 * 4);
        lists_.reset(size, columns_, std::max(kept, 4));
        for (int32_t k = 0; k < size; ++k) {
            pace_(static_cast<uint64_t>(columns_));
            lists_.make_first(k, row_of(active_[k]), start_of(active_[k]));
        }
        tolerance_ = SMALL * lists_.highest_weight();
        tops_.assign(BLOCK, 0.0);
        clear(static_cast<size_t>(rows_), static_cast<size_t>(columns_));
        next_ = 0;
        pivots_ = blocks_ = 0;
        if (lists_.finite() && rows_compete()) hang_greedily();
    }

    // Whether many rows have equal best columns, or few columns are the best of all rows: then the
    // lists have too few columns for all that must be sent.
    bool rows_compete() {
        const int32_t size = static_cast<int32_t>(active_.size());
        taken_.assign(static_cast<size_t>(columns_) + 1, 0);
        int32_t distinct = 0;
        for (int32_t k = 0; k < size; ++k) {
            double& taken = taken_[static_cast<size_t>(lists_.best_column(k))];
            distinct += taken == 0.0;
            taken = 1.0;
        }
        return lists_.ties() > size / 4 || distinct < std::min(size, columns_) / 4;
    }

    double best_weight(int32_t k) const noexcept {
        const int32_t j = lists_.best_column(k);
        return j < columns_ ? row_of(active_[k])[j] : 0.0;
    }

    // Each row in turn sends its supply to its best columns with demand left. Each step exhausts a
    // row, which then hangs on the column, or a column, which then hangs on the row.
    void hang_greedily() {
        order_.resize(active_.size());
        for (size_t k = 0; k < order_.size(); ++k) order_[k] = static_cast<int32_t>(k);
        std::stable_sort(order_.begin(), order_.end(), [&](int32_t k, int32_t l) {
            return best_weight(k) > best_weight(l);
        });
        const double closed = -std::numeric_limits<double>::infinity();
        for (int32_t j = 0; j < columns_; ++j) taken_[j] = problem_->demand[j] > 0 ? 0.0 : closed;
        for (const int32_t k : order_) {
            const int32_t i = active_[k];
            const double* const w = row_of(i);
            double rest = problem_->supply[i];
            while (rest > 0.0) {
                pace_(static_cast<uint64_t>(columns_));
                const double top = top_of(w, columns_, taken_.data());
                if (!(top > 0.0)) break;
                int32_t j = start_of(i);
                while (w[j] + taken_[j] != top) j = j + 1 == columns_ ? 0 : j + 1;
                const double left = tree_.left_over(rows_ + j);
                if (left - rest > tree_.dust(rows_ + j)) {
                    tree_.hang(i, rows_ + j, top, rest, left - rest);
                    break;
                }
                rest = rest - left > tree_.dust(i) ? rest - left : 0.0;
                tree_.hang(rows_ + j, i, top, left, rest);
                taken_[j] = closed;
            }
        }
        tree_.order();
    }

    // Pivots on the lists, then looks at whole rows, and so on until all rows in turn are clean.
    bool find_optimum() {
        const int32_t size = static_cast<int32_t>(active_.size());
        patience_ = 1000 + 100 * static_cast<int64_t>(tree_.root());
        int32_t next = 0;
        for (;;) {
            if (!use_lists()) return false;
            tree_.settle();
            if (pivot_columns()) continue;  // rounding had hidden a gain
            for (int32_t j = 0; j < columns_; ++j) {
                plan_.column_prices[j] = std::min(tree_.signed_prices()[j], 0.0);
            }
            int32_t made = 0;
            for (int32_t seen = 0; seen < size && made < MOST; ++seen) {
                made += !is_clean(next);
                next = next + 1 == size ? 0 : next + 1;
            }
            if (made == 0) return true;
        }
    }

    // Pivots until no arc on the lists gains. False if that takes too long.
    bool use_lists() {
        const int32_t size = static_cast<int32_t>(active_.size());
        int32_t quiet = 0;  // rows without a gain, until now
        while (quiet < size) {
            if (pivots_ > patience_) return false;
            const int32_t end = std::min(next_ + BLOCK, size);
            quiet = pivot_block(next_, end) ? 0 : quiet + (end - next_);
            next_ = end == size ? 0 : end;
            if (++blocks_ % 4 == 0 || quiet >= size) quiet = pivot_columns() ? 0 : quiet;
        }
        return true;
    }

    // Pivots on the best arc of the lists of a block, and on arcs of other rows that gain nearly as
    // much; false if none gains.
    bool pivot_block(int32_t begin, int32_t end) {
        const double* const prices = tree_.signed_prices();
        pace_(static_cast<uint64_t>((end - begin) * lists_.kept()));
        for (int32_t k = begin; k < end; ++k) {
            tops_[k - begin] = lists_.top(k, prices) - tree_.row_price(active_[k]);
        }
        std::fill(tops_.begin() + (end - begin), tops_.end(), 0.0);
        double first = 0.0;
        for (int32_t turn = 0; turn <= AGAIN; ++turn) {
            const double best = top_of(tops_.data(), BLOCK);
            if (!(best > tolerance_) || best < SHARE * first) break;
            const int32_t at = place_of(best);
            const int32_t k = begin + at;
            tops_[at] = 0.0;
            const double price = tree_.row_price(active_[k]);
            const double top = lists_.top(k, prices);
            if (!(top - price > tolerance_) || top - price < SHARE * first) continue;
            if (turn == 0) first = top - price;
            const int32_t t = lists_.position(k, prices, top);
            const int32_t to = t < 0 ? tree_.root() : rows_ + lists_.column(k, t);
            pivot(active_[k], to, t < 0 ? 0.0 : lists_.weight(k, t), top - price);
        }
        return first > 0.0;
    }

    // Of the first row of the block that has it. Where a search ends is hard to predict: no branches.
    int32_t place_of(double top) const noexcept {
        const Lanes wanted = Lanes::all(top);
        uint64_t which = 0;
        for (int32_t k = BLOCK - Lanes::COUNT; k >= 0; k -= Lanes::COUNT) {
            which = which << Lanes::COUNT | equal(Lanes::load(&tops_[k]), wanted);
        }
        return static_cast<int32_t>(lowest_bit(which));
    }

    void pivot(int32_t from, int32_t to, double weight, double gain) {
        pace_(tree_.pivot(from, to, weight, gain));
        ++pivots_;
    }

    // Pivots while a column has a price below 0: it gains by getting less.
    bool pivot_columns() {
        const double* const prices = tree_.signed_prices();
        bool any = false;
        for (;;) {
            pace_(static_cast<uint64_t>(columns_) / 4 + 1);
            const double most = top_of(prices, columns_);
            if (!(most > tolerance_)) return any;
            any = true;
            const double* const at = std::find(prices, prices + columns_, most);
            pivot(tree_.root(), rows_ + static_cast<int32_t>(at - prices), 0.0, most);
        }
    }

    // Whether no column gains for a row; if one does, the row's list is made again. Sets the price
    // that the row has in the proof; `plan_` holds those of the columns, with the sign changed.
    bool is_clean(int32_t k) {
        pace_(static_cast<uint64_t>(columns_));
        const int32_t i = active_[k];
        const double* const prices = plan_.column_prices.data();
        const double price = tree_.row_price(i), top = top_of(row_of(i), columns_, prices);
        plan_.row_prices[i] = top;
        if (top - price <= tolerance_) return true;
        lists_.make_again(k, row_of(i), prices, price, start_of(i));
        return false;
    }

    // The highest number, or sum of two, at least 0.
    static double top_of(const double* w, int32_t size, const double* prices = nullptr) noexcept {
        Lanes top[4] = {Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0), Lanes::all(0.0)};
        int32_t j = 0;
        for (; j + 4 * Lanes::COUNT <= size; j += 4 * Lanes::COUNT) {
            for (int i = 0; i < 4; ++i) {
                const int32_t at = j + i * Lanes::COUNT;
                const Lanes sum = Lanes::load(w + at);
                top[i] = higher(prices ? sum + Lanes::load(prices + at) : sum, top[i]);
            }
        }
        double most = highest(higher(higher(top[0], top[1]), higher(top[2], top[3])));
        for (; j < size; ++j) most = std::max(most, prices ? w[j] + prices[j] : w[j]);
        return most;
    }

    // Completes prices and plan; whether the prices prove it.
    bool prove() {
        price_others();
        for (double& price : plan_.column_prices) price = 0.0 - price;
        sort_flows();
        return agree();
    }

    // Rows without supply and columns without demand: their prices cost nothing, so they are set as
    // high as the others require.
    void price_others() {
        double* const prices = plan_.column_prices.data();
        others_.clear();
        for (int32_t j = 0; j < columns_; ++j) {
            if (problem_->demand[j] > 0) continue;
            others_.push_back(j);
            prices[j] = 0.0;
        }
        for (const int32_t i : active_) {
            pace_(others_.size());
            for (const int32_t j : others_) {
                prices[j] = std::min(prices[j], plan_.row_prices[i] - row_of(i)[j]);
            }
        }
        if (active_.size() == plan_.row_prices.size()) return;
        for (int32_t i = 0; i < rows_; ++i) {
            if (problem_->supply[i] > 0) continue;
            pace_(static_cast<uint64_t>(columns_));
            plan_.row_prices[i] = top_of(row_of(i), columns_, prices);
        }
    }

    // Flows by row, and by column within a row: they are sorted by column, then by row.
    void sort_flows() {
        row_ends_.assign(static_cast<size_t>(rows_) + 1, 0);
        column_ends_.assign(static_cast<size_t>(columns_) + 1, 0);
        size_t size = 0;
        tree_.each_flow([&](int32_t i, int32_t j, double flow) {
            if (!(flow > 0.0)) return;
            ++row_ends_[static_cast<size_t>(i) + 1];
            ++column_ends_[static_cast<size_t>(j) + 1];
            ++size;
        });
        for (int32_t i = 0; i < rows_; ++i) row_ends_[i + 1] += row_ends_[i];
        for (int32_t j = 0; j < columns_; ++j) column_ends_[j + 1] += column_ends_[j];
        flows_.resize(size);
        plan_.row.resize(size);
        plan_.column.resize(size);
        plan_.flow.resize(size);
        tree_.each_flow([&](int32_t i, int32_t j, double flow) {
            if (flow > 0.0) flows_[column_ends_[j]++] = Flow{flow, i, j};
        });
        for (const Flow& one : flows_) {
            const size_t at = row_ends_[one.row]++;
            plan_.row[at] = one.row;
            plan_.column[at] = one.column;
            plan_.flow[at] = one.flow;
        }
    }

    // Computes the value; whether it is finite and equals the bound of the prices.
    bool agree() noexcept {
        double value = 0.0, bound = 0.0;
        for (size_t k = 0; k < plan_.flow.size(); ++k) {
            value += plan_.flow[k] * row_of(static_cast<int32_t>(plan_.row[k]))[plan_.column[k]];
        }
        for (int32_t i = 0; i < rows_; ++i) bound += problem_->supply[i] * plan_.row_prices[i];
        for (int32_t j = 0; j < columns_; ++j) bound += problem_->demand[j] * plan_.column_prices[j];
        plan_.value = value;
        return std::isfinite(bound) && std::abs(bound - value) <= GAP * bound;
    }

    struct Flow {
        double flow;
        int32_t row, column;
    };

    const TransportProblem* problem_ = nullptr;
    int32_t rows_ = 0, columns_ = 0;
    std::vector<int32_t> active_;  // the rows with supply; lists are numbered by it
    std::vector<double> tops_;     // of the block
    std::vector<double> taken_;    // of the columns, for the first tree
    std::vector<int32_t> order_;   // of the rows, for the first tree
    std::vector<int32_t> others_;  // the columns without demand
    std::vector<int32_t> row_ends_, column_ends_;
    std::vector<Flow> flows_;
    std::vector<int64_t> match_;
    DensePlan plan_;
    TransportTree tree_;
    ColumnLists lists_;
    int32_t next_ = 0;  // the row whose list is looked at next
    int64_t pivots_ = 0, blocks_ = 0;
    int64_t patience_ = 0;
    double tolerance_ = 0.0;
    Pace pace_;
};

}  // namespace summeval
