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

// One problem, all numbers finite, supply and demand at least 0. Edges are to be sorted by row and
// column; `dense` problems have no `row` and `column`: weight is a matrix [rows, columns] and `edges`
// its size.
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

enum TransportStatus : int {
    TRANSPORT_OPTIMAL = 0,
    TRANSPORT_EDGES = 1,  // unsorted, repeated or outside the problem
    TRANSPORT_GAP = 2,    // rounding kept value and bound apart
    TRANSPORT_NO_MEMORY = 3
};

// Solves problem after problem in the same memory.
//
// Nodes are the rows, the columns and a root. Arcs run from a row to a column, from a row to the root
// (supply not sent) and from the root to a column (demand not met); those of the root weigh 0. Each
// node other than the root hangs on its parent by an arc: flow goes from a row up to its parent, and
// from a parent down to a column. The prices of the two ends of such an arc sum to its weight; the
// price of the root is 0.
class TransportSolver {
  public:
    int solve(const TransportProblem& problem, const TransportAnswer& answer) {
        if (!load(problem)) return TRANSPORT_EDGES;
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
    static constexpr int32_t BLOCK = 20;  // arcs to look at for each gain, at least

    struct Node {
        double flow;    // on the arc to the parent
        double weight;  // of that arc
        int32_t arc;
        int32_t parent;
        int32_t child;
        int32_t next;  // child of the same parent
        int32_t previous;
        int32_t depth;
        int32_t listed;  // among those of negative price
    };

    bool load(const TransportProblem& problem) {
        rows_ = static_cast<int32_t>(problem.rows);
        root_ = static_cast<int32_t>(problem.rows + problem.columns);
        nodes_.resize(static_cast<size_t>(root_) + 1);
        prices_.assign(static_cast<size_t>(root_) + 1, 0.0);
        left_.resize(static_cast<size_t>(root_));
        std::copy_n(problem.supply, problem.rows, left_.begin());
        std::copy_n(problem.demand, problem.columns, left_.begin() + problem.rows);
        std::fill(nodes_.begin(), nodes_.end(), Node{0, 0, NONE, NONE, NONE, NONE, NONE, 0, 0});
        first_.resize(static_cast<size_t>(rows_) + 1);
        make_room(problem.edges + root_);
        arcs_ = 0;
        int64_t e = 0;
        for (int32_t i = 0; i < rows_; ++i) {
            first_[i] = arcs_;
            int64_t before = -1;
            for (const int64_t end = problem.row_end(i, e); e < end; ++e) {
                const int64_t j = problem.column_of(i, e);
                if (j <= before || j >= problem.columns) return false;
                before = j;
                // arcs that can carry nothing, or gain nothing, are left out
                if (!(problem.weight[e] > 0)) continue;
                if (!(problem.supply[i] > 0 && problem.demand[j] > 0)) continue;
                add_arc(i, rows_ + static_cast<int32_t>(j), problem.weight[e], e);
            }
        }
        if (e != problem.edges) return false;
        first_[rows_] = arcs_;
        negative_.clear();
        next_ = 0;
        const double arcs = static_cast<double>(first_[rows_]);
        block_ = std::max(BLOCK, static_cast<int32_t>(std::sqrt(arcs)));
        for (int32_t i = 0; i < rows_; ++i) add_arc(i, root_, 0, NONE);
        for (int32_t j = rows_; j < root_; ++j) add_arc(root_, j, 0, NONE);
        return true;
    }

    // Arrays that only grow: they are written over, and never cleared.
    void make_room(int64_t arcs) {
        const size_t size = static_cast<size_t>(arcs);
        if (size <= weights_.size()) return;
        weights_.resize(size);
        from_.resize(size);
        to_.resize(size);
        edges_.resize(size);
    }

    void add_arc(int32_t from, int32_t to, double weight, int64_t edge) noexcept {
        weights_[arcs_] = weight;
        from_[arcs_] = from;
        to_[arcs_] = to;
        edges_[arcs_] = edge;
        ++arcs_;
    }

    // The slack arc of a row or column.
    int32_t slack(int32_t x) const noexcept { return first_[rows_] + x; }

    // The first tree: each row in turn sends what it has to its best columns with demand left. Each
    // step uses up a row, which then hangs on the column, or a column, which then hangs on the row.
    // Those with few arcs go first: they have no other choice later.
    void hang_greedily() {
        order_by_degree();
        for (const int32_t i : order_) {
            const double supply = left_[i];
            bool hangs = false;
            while (left_[i] > 0 && !hangs) {
                const int32_t a = best_arc(i);
                if (a == NONE) break;
                const int32_t j = to_[a];
                if (left_[j] - left_[i] <= DUST * supply) {
                    const double amount = std::min(left_[i], left_[j]);
                    hang(j, a, amount);
                    left_[i] = left_[i] - amount > DUST * supply ? left_[i] - amount : 0.0;
                    left_[j] = 0;
                } else {
                    hang(i, a, left_[i]);
                    left_[j] -= left_[i];
                    hangs = true;
                }
            }
            if (!hangs) hang(i, slack(i), left_[i]);
        }
        for (int32_t j = rows_; j < root_; ++j) {
            if (nodes_[j].parent == NONE) hang(j, slack(j), left_[j]);
        }
        for (int32_t x = nodes_[root_].child; x != NONE; x = nodes_[x].next) refresh(x);
    }

    // The degrees of the columns, and the rows in the order of theirs.
    void order_by_degree() {
        const int32_t arcs = first_[rows_];
        degrees_.assign(static_cast<size_t>(root_), 0);
        for (int32_t a = 0; a < arcs; ++a) ++degrees_[to_[a]];
        starts_.assign(static_cast<size_t>(root_ - rows_) + 2, 0);
        for (int32_t i = 0; i < rows_; ++i) ++starts_[first_[i + 1] - first_[i] + 1];
        for (size_t d = 1; d < starts_.size(); ++d) starts_[d] += starts_[d - 1];
        order_.resize(static_cast<size_t>(rows_));
        for (int32_t i = 0; i < rows_; ++i) order_[starts_[first_[i + 1] - first_[i]]++] = i;
    }

    int32_t best_arc(int32_t i) const noexcept {
        int32_t best = NONE;
        double weight = 0;
        int32_t degree = 0;
        for (int32_t a = first_[i]; a < first_[i + 1]; ++a) {
            if (weights_[a] < weight || !(left_[to_[a]] > 0)) continue;
            if (weights_[a] == weight && degrees_[to_[a]] >= degree) continue;
            weight = weights_[a];
            degree = degrees_[to_[a]];
            best = a;
        }
        return best;
    }

    // Hangs the end x of an arc on its other end.
    void hang(int32_t x, int32_t arc, double flow) noexcept {
        Node& node = nodes_[x];
        node.flow = flow;
        node.weight = weights_[arc];
        node.arc = arc;
        node.parent = x < rows_ ? to_[arc] : from_[arc];
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
    void refresh(int32_t top) {
        int32_t x = top;
        for (;;) {
            Node& node = nodes_[x];
            node.depth = nodes_[node.parent].depth + 1;
            prices_[x] = node.weight - prices_[node.parent];
            if (prices_[x] < 0 && !node.listed) {
                node.listed = 1;
                negative_.push_back(x);
            }
            if (node.child != NONE) {
                x = node.child;
                continue;
            }
            while (x != top && nodes_[x].next == NONE) x = nodes_[x].parent;
            if (x == top) return;
            x = nodes_[x].next;
        }
    }

    // A gain to make: by slack if there is one, else the best of the next `block_` arcs, or else of
    // the next; false if nothing gains.
    bool find_gain() noexcept {
        if (find_slack()) return true;
        const int32_t arcs = first_[rows_];
        double most = 0;
        for (int32_t seen = 0; seen < arcs;) {
            const int32_t end = std::min(arcs, next_ + block_);
            for (int32_t a = next_; a < end; ++a) {
                const double gain = weights_[a] - prices_[to_[a]] - prices_[from_[a]];
                if (gain > most && is_gain(a, gain)) {
                    most = gain;
                    entering_ = a;
                }
            }
            seen += end - next_;
            next_ = end == arcs ? 0 : end;
            if (most > 0) return true;
        }
        return false;
    }

    bool is_gain(int32_t a, double gain) const noexcept {
        const double scale = std::abs(prices_[from_[a]]) + std::abs(prices_[to_[a]]);
        return gain > tolerance_ * (weights_[a] + scale);
    }

    // The node of the lowest price below 0 gains by its slack.
    bool find_slack() noexcept {
        double lowest = 0;
        size_t kept = 0;
        for (const int32_t x : negative_) {
            const Node& node = nodes_[x];
            const double scale = node.weight + std::abs(prices_[node.parent]);
            if (!(prices_[x] < -tolerance_ * scale)) {
                nodes_[x].listed = 0;
                continue;
            }
            negative_[kept++] = x;
            if (prices_[x] < lowest) {
                lowest = prices_[x];
                entering_ = slack(x);
            }
        }
        negative_.resize(kept);
        return kept > 0;
    }

    // Sends flow around the cycle that the entering arc closes, and drops an arc that runs empty:
    // of several the last on the cycle as it runs from the join, which keeps the tree strongly
    // feasible (an arc without flow points to the root), so that it cannot return.
    void pivot() {
        double row_flow = INFINITY;
        double column_flow = INFINITY;
        int32_t row = NONE;
        int32_t column = NONE;
        int32_t x = from_[entering_];
        int32_t y = to_[entering_];
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
            for (int32_t k = from_[entering_]; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? -amount : amount;
            }
            for (int32_t k = to_[entering_]; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? amount : -amount;
            }
        }
        if (column_flow <= row_flow) {
            rehang(to_[entering_], column, amount);
        } else {
            rehang(from_[entering_], row, amount);
        }
    }

    // Cuts the tree above `cut` and hangs the part on the entering arc by its end `top`: the arcs
    // between the two change their direction.
    void rehang(int32_t top, int32_t cut, double flow) {
        int32_t arc = entering_;
        int32_t x = top;
        for (;;) {
            const Node old = nodes_[x];
            unhang(old);
            hang(x, arc, flow);
            if (x == cut) break;
            arc = old.arc;
            flow = old.flow;
            x = old.parent;
        }
        refresh(top);
    }

    // Row prices are computed anew from the column prices, so that no edge is undercut; value and
    // bound must then agree.
    int finish(const TransportProblem& problem, const TransportAnswer& answer) const noexcept {
        std::fill_n(answer.flow, problem.edges, 0.0);
        double value = 0;
        for (int32_t x = 0; x < root_; ++x) {
            const int64_t edge = edges_[nodes_[x].arc];
            if (edge == NONE) continue;
            answer.flow[edge] = nodes_[x].flow;
            value += nodes_[x].weight * nodes_[x].flow;
        }
        price_columns(problem, answer.column_prices);
        double bound = 0;
        int64_t e = 0;
        for (int64_t i = 0; i < problem.rows; ++i) {
            double price = 0;
            for (const int64_t end = problem.row_end(i, e); e < end; ++e) {
                const int64_t j = problem.column_of(i, e);
                price = std::max(price, problem.weight[e] - answer.column_prices[j]);
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
    int32_t arcs_ = 0;
    std::vector<Node> nodes_;
    std::vector<double> prices_;     // of the nodes
    std::vector<int32_t> negative_;  // the nodes whose price fell below 0
    std::vector<int32_t> first_;     // the arcs of row i are [first_[i], first_[i + 1])
    std::vector<double> weights_;    // of the arcs
    std::vector<int32_t> from_;      // of the arcs: a node
    std::vector<int32_t> to_;
    std::vector<int64_t> edges_;  // of the arcs: their places in the problem
    int32_t entering_ = NONE;     // the arc to hang into the tree
    int32_t next_ = 0;            // the arc to look at next
    int32_t block_ = 0;
    double tolerance_ = DUST;

    // For the first tree.
    std::vector<double> left_;      // of the nodes: what they can still send or take
    std::vector<int32_t> degrees_;  // of the columns, as nodes
    std::vector<int32_t> starts_;   // where the rows of each degree begin in order_
    std::vector<int32_t> order_;
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
