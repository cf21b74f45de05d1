// The transportation problem: maximise sum weight * flow with row sums <= supply and column sums <=
// demand, by the network simplex method (strongly feasible trees: W. H. Cunningham, Mathematical
// Programming 11, 1976). The definition is summeval._reference.transport.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "parallel.hpp"

namespace summeval {

// One problem, all numbers finite, supply and demand at least 0. Edges are sorted by row; `dense`
// problems have no `row` and `column`: weight is a matrix [rows, columns] and `edges` its size.
struct TransportProblem {
    bool dense;
    const int64_t* row;
    const int64_t* column;
    const double* weight;
    int64_t edges;
    const double* supply;
    int64_t rows;
    const double* demand;
    int64_t columns;

    // The end of the edges of row i, which begin at `first`.
    int64_t row_end(int64_t i, int64_t first) const noexcept {
        if (dense) return first + columns;
        while (first < edges && row[first] == i) ++first;
        return first;
    }

    int64_t column_of(int64_t i, int64_t edge) const noexcept {
        return dense ? edge - i * columns : column[edge];
    }
};

struct TransportAnswer {
    double* flow;           // [edges]
    double* row_prices;     // [rows]
    double* column_prices;  // [columns]
    double* value;
};

enum TransportStatus : int { TRANSPORT_OPTIMAL = 0, TRANSPORT_GAP = 1, TRANSPORT_NO_MEMORY = 2 };

// Solves problem after problem in the same memory.
//
// Nodes are the rows, the columns and a root. Each node other than the root hangs on its parent by
// an arc: a row on a column it sends to, a column on a row that sends to it, either on the root by
// its slack (supply not sent, demand not met). So flow goes from a row up to its parent, and from
// a parent down to a column. The prices of the two ends of an arc sum to its weight; slack weighs
// 0, and so does the price of the root.
class TransportSolver {
  public:
    int solve(const TransportProblem& problem, const TransportAnswer& answer) {
        load(problem);
        hang_greedily();
        tolerance_ = DUST;
        // Rounding can make a gain out of nothing, again and again: then ask for more of a gain.
        int64_t patience = 1000 + 50 * static_cast<int64_t>(root_);
        while (find_gain()) {
            pivot();
            if (--patience == 0) {
                patience = root_;
                tolerance_ *= 2;
            }
        }
        return finish(problem, answer);
    }

  private:
    // What is left of a capacity counts as nothing below this share of the capacity, and a gain
    // counts as none below this share of the numbers it is the difference of.
    static constexpr double DUST = 1e-14;
    static constexpr double GAP = 1e-9;
    static constexpr int32_t NONE = -1;

    struct Node {
        double flow;    // on the arc to the parent
        double weight;  // of that arc
        int32_t arc;    // its number; NONE: slack
        int32_t parent;
        int32_t child;
        int32_t next;  // child of the same parent
        int32_t previous;
        int32_t depth;
    };

    // A way to gain: the arc from row `from` to column `to`; slack has the root in place of one.
    struct Entering {
        int32_t from;
        int32_t to;
        int32_t arc;
        double weight;
    };

    void load(const TransportProblem& problem) {
        rows_ = static_cast<int32_t>(problem.rows);
        root_ = static_cast<int32_t>(problem.rows + problem.columns);
        nodes_.resize(static_cast<size_t>(root_) + 1);
        prices_.assign(static_cast<size_t>(root_) + 1, 0.0);
        left_.resize(static_cast<size_t>(root_));
        std::copy_n(problem.supply, problem.rows, left_.begin());
        std::copy_n(problem.demand, problem.columns, left_.begin() + problem.rows);
        std::fill(nodes_.begin(), nodes_.end(), Node{0, 0, NONE, NONE, NONE, NONE, NONE, 0});
        first_.resize(static_cast<size_t>(rows_) + 1);
        weights_.clear();
        columns_.clear();
        edges_.clear();
        int64_t e = 0;
        for (int32_t i = 0; i < rows_; ++i) {
            first_[i] = static_cast<int32_t>(weights_.size());
            for (const int64_t end = problem.row_end(i, e); e < end; ++e) {
                // arcs that can carry nothing, or gain nothing, are left out
                const int64_t j = problem.column_of(i, e);
                if (!(problem.weight[e] > 0)) continue;
                if (!(problem.supply[i] > 0 && problem.demand[j] > 0)) continue;
                weights_.push_back(problem.weight[e]);
                columns_.push_back(rows_ + static_cast<int32_t>(j));
                edges_.push_back(e);
            }
        }
        first_[rows_] = static_cast<int32_t>(weights_.size());
        next_row_ = 0;
        const double arcs = static_cast<double>(weights_.size());
        block_ = std::max<int64_t>(20, static_cast<int64_t>(std::sqrt(arcs)));
    }

    // The first tree: each row in turn sends what it has to its best columns with demand left. Each
    // step uses up a row, which then hangs on the column, or a column, which then hangs on the row.
    void hang_greedily() noexcept {
        for (int32_t i = 0; i < rows_; ++i) {
            const double supply = left_[i];
            bool hangs = false;
            while (left_[i] > 0 && !hangs) {
                const int32_t a = best_arc(i);
                if (a == NONE) break;
                const int32_t j = columns_[a];
                if (left_[j] - left_[i] <= DUST * supply) {
                    const double amount = std::min(left_[i], left_[j]);
                    hang(j, Entering{i, j, a, weights_[a]}, amount);
                    left_[i] = left_[i] - amount > DUST * supply ? left_[i] - amount : 0.0;
                    left_[j] = 0;
                } else {
                    hang(i, Entering{i, j, a, weights_[a]}, left_[i]);
                    left_[j] -= left_[i];
                    hangs = true;
                }
            }
            if (!hangs) hang(i, Entering{i, root_, NONE, 0}, left_[i]);
        }
        for (int32_t j = rows_; j < root_; ++j) {
            if (nodes_[j].parent == NONE) hang(j, Entering{root_, j, NONE, 0}, left_[j]);
        }
        for (int32_t x = nodes_[root_].child; x != NONE; x = nodes_[x].next) refresh(x);
    }

    int32_t best_arc(int32_t i) const noexcept {
        int32_t best = NONE;
        double weight = 0;
        for (int32_t a = first_[i]; a < first_[i + 1]; ++a) {
            if (weights_[a] > weight && left_[columns_[a]] > 0) {
                weight = weights_[a];
                best = a;
            }
        }
        return best;
    }

    // Hangs the end x of an arc on its other end.
    void hang(int32_t x, const Entering& arc, double flow) noexcept {
        Node& node = nodes_[x];
        node.flow = flow;
        node.weight = arc.weight;
        node.arc = arc.arc;
        node.parent = x == arc.from ? arc.to : arc.from;
        node.previous = NONE;
        node.next = nodes_[node.parent].child;
        if (node.next != NONE) nodes_[node.next].previous = x;
        nodes_[node.parent].child = x;
    }

    void unhang(const Node& node) noexcept {
        if (node.previous != NONE) {
            nodes_[node.previous].next = node.next;
        } else {
            nodes_[node.parent].child = node.next;
        }
        if (node.next != NONE) nodes_[node.next].previous = node.previous;
    }

    // Depths and prices of the nodes below `top`, and of itself, from its parent's.
    void refresh(int32_t top) noexcept {
        int32_t x = top;
        for (;;) {
            Node& node = nodes_[x];
            node.depth = nodes_[node.parent].depth + 1;
            prices_[x] = node.weight - prices_[node.parent];
            if (node.child != NONE) {
                x = node.child;
                continue;
            }
            while (x != top && nodes_[x].next == NONE) x = nodes_[x].parent;
            if (x == top) return;
            x = nodes_[x].next;
        }
    }

    // The best gain among the next rows, taken in turn until about `block_` arcs were seen and one
    // of them gains; false if no arc does.
    bool find_gain() noexcept {
        double most = 0;
        int64_t seen = 0;
        for (int32_t k = 0; k <= rows_; ++k) {
            if (next_row_ == rows_) {
                next_row_ = 0;
                for (int32_t j = rows_; j < root_; ++j) {
                    offer(most, -prices_[j], Entering{root_, j, NONE, 0});
                }
                seen += (root_ - rows_) / 4;
            } else {
                const int32_t i = next_row_++;
                const double price = prices_[i];
                offer(most, -price, Entering{i, root_, NONE, 0});
                for (int32_t a = first_[i]; a < first_[i + 1]; ++a) {
                    const double gain = weights_[a] - prices_[columns_[a]] - price;
                    if (gain > most) offer(most, gain, Entering{i, columns_[a], a, weights_[a]});
                }
                seen += first_[i + 1] - first_[i] + 1;
            }
            if (seen >= block_) {
                if (most > 0) return true;
                seen = 0;
            }
        }
        return most > 0;
    }

    void offer(double& most, double gain, const Entering& arc) noexcept {
        if (!(gain > most)) return;
        const double scale = arc.weight + std::abs(prices_[arc.from]) + std::abs(prices_[arc.to]);
        if (!(gain > tolerance_ * scale)) return;
        most = gain;
        entering_ = arc;
    }

    // Sends flow around the cycle that the entering arc closes, and drops an arc that runs empty:
    // of several the last on the cycle as it runs from the join, which keeps the tree strongly
    // feasible (an arc without flow points to the root), so that it cannot return.
    void pivot() noexcept {
        double row_flow = INFINITY;
        double column_flow = INFINITY;
        int32_t row = NONE;
        int32_t column = NONE;
        int32_t x = entering_.from;
        int32_t y = entering_.to;
        while (x != y) {
            const int32_t x_depth = nodes_[x].depth;
            const int32_t y_depth = nodes_[y].depth;
            if (x_depth >= y_depth) {
                if (x < rows_ && nodes_[x].flow < row_flow) row_flow = nodes_[row = x].flow;
                x = nodes_[x].parent;
            }
            if (y_depth >= x_depth) {
                if (y >= rows_ && nodes_[y].flow <= column_flow) {
                    column_flow = nodes_[column = y].flow;
                }
                y = nodes_[y].parent;
            }
        }
        const double amount = std::min(row_flow, column_flow);
        if (amount > 0) {
            for (int32_t k = entering_.from; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? -amount : amount;
            }
            for (int32_t k = entering_.to; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? amount : -amount;
            }
        }
        if (column_flow <= row_flow) {
            rehang(entering_.to, column, amount);
        } else {
            rehang(entering_.from, row, amount);
        }
    }

    // Cuts the tree above `cut` and hangs the part on the entering arc by its end `top`: the arcs
    // between the two change their direction.
    void rehang(int32_t top, int32_t cut, double flow) noexcept {
        Entering arc = entering_;
        int32_t x = top;
        for (;;) {
            const Node old = nodes_[x];
            unhang(old);
            hang(x, arc, flow);
            if (x == cut) break;
            arc = x < rows_ ? Entering{x, old.parent, old.arc, old.weight}
                            : Entering{old.parent, x, old.arc, old.weight};
            flow = old.flow;
            x = old.parent;
        }
        refresh(top);
    }

    // Row prices are computed anew from the column prices, so that no edge is undercut; value and
    // bound must then agree.
    int finish(const TransportProblem& problem, const TransportAnswer& answer) const noexcept {
        std::fill_n(answer.flow, problem.edges, 0.0);
        for (int32_t x = 0; x < root_; ++x) {
            if (nodes_[x].arc != NONE) answer.flow[edges_[nodes_[x].arc]] = nodes_[x].flow;
        }
        price_columns(problem, answer.column_prices);
        double value = 0;
        double bound = 0;
        int64_t e = 0;
        for (int64_t i = 0; i < problem.rows; ++i) {
            double price = 0;
            for (const int64_t end = problem.row_end(i, e); e < end; ++e) {
                const int64_t j = problem.column_of(i, e);
                price = std::max(price, problem.weight[e] - answer.column_prices[j]);
                value += problem.weight[e] * answer.flow[e];
            }
            answer.row_prices[i] = price;
            bound += problem.supply[i] * price;
        }
        for (int64_t j = 0; j < problem.columns; ++j) {
            bound += problem.demand[j] * answer.column_prices[j];
        }
        *answer.value = value;
        return bound - value <= GAP * bound ? TRANSPORT_OPTIMAL : TRANSPORT_GAP;
    }

    // A column without demand stands outside the tree: its price costs nothing, so it is as high
    // as the rows that have supply want it.
    void price_columns(const TransportProblem& problem, double* prices) const noexcept {
        bool all_have = true;
        for (int64_t j = 0; j < problem.columns; ++j) {
            const bool has = problem.demand[j] > 0;
            prices[j] = has ? std::max(0.0, prices_[rows_ + j]) : 0.0;
            all_have = all_have && has;
        }
        int64_t e = 0;
        for (int64_t i = 0; i < problem.rows && !all_have; ++i) {
            for (const int64_t end = problem.row_end(i, e); e < end; ++e) {
                const int64_t j = problem.column_of(i, e);
                if (problem.demand[j] > 0 || !(problem.supply[i] > 0)) continue;
                prices[j] = std::max(prices[j], problem.weight[e] - prices_[i]);
            }
        }
    }

    int32_t rows_ = 0;
    int32_t root_ = 0;  // nodes: the rows, the columns, the root
    std::vector<Node> nodes_;
    std::vector<double> prices_;  // of the nodes
    std::vector<double> left_;    // of the nodes, while the first tree is made
    std::vector<int32_t> first_;  // the arcs of row i are [first_[i], first_[i + 1])
    std::vector<double> weights_;   // of the arcs
    std::vector<int32_t> columns_;  // of the arcs: nodes
    std::vector<int64_t> edges_;    // of the arcs: their places in the problem
    Entering entering_{};
    int32_t next_row_ = 0;
    int64_t block_ = 0;
    double tolerance_ = DUST;
};

// Many problems in flat arrays. Problem k has the edges [indptr[k], indptr[k + 1]), whose rows and
// columns are numbered within it, and shapes[2k] rows and shapes[2k + 1] columns; the supplies of
// the problems follow each other, as do the demands.
struct TransportBatch {
    int64_t size;
    bool dense;
    const int64_t* indptr;
    const int64_t* row;
    const int64_t* column;
    const double* weight;
    const double* supply;
    const double* demand;
    const int64_t* shapes;
    const int64_t* row_offsets;     // [size + 1], of supply
    const int64_t* column_offsets;  // [size + 1], of demand
};

inline void solve_batch(const TransportBatch& batch, int workers, const TransportAnswer& answer,
                        FirstFailure& failed) {
    Pool<TransportSolver> solvers;
    for_chunks(batch.size, 8, workers, [&](int64_t begin, int64_t end) noexcept {
        int64_t k = begin;
        try {
            auto solver = solvers.take([] { return std::make_unique<TransportSolver>(); });
            for (; k < end; ++k) {
                const int64_t edge = batch.indptr[k];
                const int64_t row = batch.row_offsets[k];
                const int64_t column = batch.column_offsets[k];
                const TransportProblem problem{
                    batch.dense,
                    batch.dense ? nullptr : batch.row + edge,
                    batch.dense ? nullptr : batch.column + edge,
                    batch.weight + edge,
                    batch.indptr[k + 1] - edge,
                    batch.supply + row,
                    batch.shapes[2 * k],
                    batch.demand + column,
                    batch.shapes[2 * k + 1],
                };
                const int status =
                    solver->solve(problem, {answer.flow + edge, answer.row_prices + row,
                                            answer.column_prices + column, answer.value + k});
                if (status != TRANSPORT_OPTIMAL) failed.note(k, status);
            }
            solvers.give_back(std::move(solver));
        } catch (const std::bad_alloc&) {
            failed.note(k, TRANSPORT_NO_MEMORY);
        }
    });
}

}  // namespace summeval
