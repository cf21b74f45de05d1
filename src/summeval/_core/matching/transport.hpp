// The transportation problem: maximise sum weight * flow with row sums <= supply and column sums <=
// demand, by the network simplex method (strongly feasible trees: W. H. Cunningham, Mathematical
// Programming 11, 1976). The definition is tests/definitions/transport.py.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "rows/parallel.hpp"
#include "matching/transport_arcs.hpp"

namespace summeval {

struct TransportAnswer {
    double* flow;           // [edges]
    double* row_prices;     // [rows]
    double* column_prices;  // [columns]
    double* value;
};

enum TransportStatus : int {
    TRANSPORT_OPTIMAL = 0,
    TRANSPORT_EDGES = 1,  // unsorted, repeated or outside the problem
    TRANSPORT_GAP = 2,    // rounding left value and bound apart
    TRANSPORT_NO_MEMORY = 3
};

// Solves one problem after another in the same memory.
//
// Each node other than the root hangs on its parent by an arc: flow goes from a row up to its
// parent, and from a parent down to a column. The prices of the two ends of such an arc sum to its
// weight; the price of the root is 0.
class TransportSolver {
  public:
    int solve(const TransportProblem& problem, const TransportAnswer& answer) {
        if (!load(problem)) return TRANSPORT_EDGES;
        hang_greedily();
        tolerance_ = DUST;
        // Rounding can produce false gains again and again: then require a larger gain.
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

    // Whether the memory in use is worth keeping for the next problem.
    bool is_small() const noexcept {
        return arcs_.weight.size() <= KEPT && nodes_.capacity() <= KEPT;
    }

  private:
    // A remaining capacity below this share of the capacity counts as zero. A gain below this share
    // of the numbers whose difference it is counts as zero, too.
    static constexpr double DUST = 1e-14;
    static constexpr double GAP = 1e-9;
    static constexpr size_t KEPT = 1 << 16;
    static constexpr int32_t NONE = TransportArcs::NONE;
    static constexpr int32_t BLOCK = 8;  // arcs to look at for each gain, at least

    struct Node {
        double flow;    // on the arc to the parent
        double weight;  // of that arc
        int32_t arc;
        int32_t parent;
        int32_t child;
        int32_t next;  // child of the same parent
        int32_t previous;  // not set for the root
        int32_t depth;
        int32_t listed;  // the position among the nodes of negative price
    };

    bool load(const TransportProblem& problem) {
        if (!problem.in_order()) return false;
        left_.resize(static_cast<size_t>(problem.rows + problem.columns));
        std::copy_n(problem.supply, problem.rows, left_.begin());
        std::copy_n(problem.demand, problem.columns, left_.begin() + problem.rows);
        arcs_.load(problem, left_);
        rows_ = arcs_.rows;
        root_ = arcs_.root;
        nodes_.resize(static_cast<size_t>(root_) + 1);
        std::fill(nodes_.begin(), nodes_.end(), Node{0, 0, NONE, NONE, NONE, NONE, NONE, 0, 0});
        prices_.resize(static_cast<size_t>(root_) + 1);
        prices_[root_] = 0;
        negative_.clear();
        next_ = 0;
        block_ = std::max(BLOCK, static_cast<int32_t>(std::sqrt(arcs_.size()) / 2));
        return true;
    }

    // The first tree: each row in turn sends its supply to its best columns with demand left. Each
    // step exhausts a row, which then hangs on the column, or a column, which then hangs on the
    // row. There are few branches, here and below, because they could not be predicted.
    void hang_greedily() {
        arcs_.order_rows();
        hung_.resize(static_cast<size_t>(root_) + 1);
        int32_t count = 0;
        for (const int32_t i : arcs_.order) {
            pace_(16);
            const double dust = DUST * left_[i];
            double rest = left_[i];
            int32_t a = rest > 0 ? best_arc(i) : NONE;
            while (a != NONE) {
                const int32_t j = arcs_.to[a];
                const bool fills = left_[j] - rest <= dust;
                const int32_t x = fills ? j : i;
                const double amount = std::min(rest, left_[j]);
                hang(x, a, amount);
                hung_[count++] = x;
                left_[j] = fills ? 0.0 : left_[j] - amount;
                rest = rest - amount > dust ? rest - amount : 0.0;
                a = rest > 0 ? best_arc(i) : NONE;
            }
            left_[i] = rest;
            if (nodes_[i].parent == NONE) {
                hang(i, arcs_.slack(i), rest);
                hung_[count++] = i;
            }
        }
        int32_t end = count;
        for (int32_t j = rows_; j < root_; ++j) {
            hung_[end] = j;
            end += nodes_[j].parent == NONE;
        }
        for (; count < end; ++count) hang(hung_[count], arcs_.slack(hung_[count]), left_[hung_[count]]);
        // each node was hung before its parent
        while (count > 0) settle(hung_[--count]);
    }

    // The heaviest arc of row i to a column with demand left; of equally heavy arcs, the one to the
    // column with the fewest arcs.
    int32_t best_arc(int32_t i) {
        pace_(static_cast<uint64_t>(arcs_.first[i + 1] - arcs_.first[i]) + 1);
        int32_t best = NONE;
        double weight = 0;
        int32_t degree = 0;
        for (int32_t a = arcs_.first[i]; a < arcs_.first[i + 1]; ++a) {
            const int32_t j = arcs_.to[a];
            const double w = arcs_.weight[a] * (left_[j] > 0);
            const int32_t d = arcs_.degree[j];
            const bool better = (w > weight) | ((w == weight) & (d < degree));
            weight = std::max(weight, w);
            degree = better ? d : degree;
            best = better ? a : best;
        }
        return best;
    }

    // Hangs the end x of an arc on its other end.
    void hang(int32_t x, int32_t arc, double flow) noexcept {
        Node& node = nodes_[x];
        node.flow = flow;
        node.weight = arcs_.weight[arc];
        node.arc = arc;
        node.parent = x < rows_ ? arcs_.to[arc] : arcs_.from[arc];
        node.previous = NONE;
        node.next = nodes_[node.parent].child;
        nodes_[node.next == NONE ? root_ : node.next].previous = x;
        nodes_[node.parent].child = x;
    }

    void unhang(const Node& node) noexcept {
        Node& before = nodes_[node.previous == NONE ? node.parent : node.previous];
        *(node.previous == NONE ? &before.child : &before.next) = node.next;
        nodes_[node.next == NONE ? root_ : node.next].previous = node.previous;
    }

    // Sets depths and prices of `top` and the nodes below it, starting from the parent of `top`.
    void refresh(int32_t top) {
        int32_t x = top;
        for (;;) {
            settle(x);
            if (nodes_[x].child != NONE) {
                x = nodes_[x].child;
                continue;
            }
            while (x != top && nodes_[x].next == NONE) x = nodes_[x].parent;
            if (x == top) return;
            x = nodes_[x].next;
        }
    }

    // Sets depth and price of one node from those of its parent.
    void settle(int32_t x) {
        pace_(4);
        Node& node = nodes_[x];
        node.depth = nodes_[node.parent].depth + 1;
        prices_[x] = node.weight - prices_[node.parent];
        if (prices_[x] < 0 && !node.listed) {
            node.listed = 1;
            negative_.push_back(x);
        }
    }

    // Finds an arc that gains: a slack arc if one gains, else the best of the next `block_` arcs,
    // or of the blocks after it; false if no arc gains.
    bool find_gain() {
        if (find_slack()) return true;
        const int32_t arcs = arcs_.size();
        for (int32_t seen = 0; seen < arcs;) {
            const int32_t end = std::min(arcs, next_ + block_);
            pace_(static_cast<uint64_t>(end - next_) + 8);
            entering_ = best_gain(next_, end);
            seen += end - next_;
            next_ = end == arcs ? 0 : end;
            if (entering_ != NONE) return true;
        }
        return false;
    }

    // The arc of [begin, end) that gains most, or NONE. Gains are rare and hard to predict: the
    // first loop has no branches.
    int32_t best_gain(int32_t begin, int32_t end) const noexcept {
        double most = 0;
        for (int32_t a = begin; a < end; ++a) {
            const double gain = gain_of(a);
            most = gain > most ? gain : most;
        }
        if (!(most > 0)) return NONE;
        int32_t best = begin;
        while (best + 1 < end && gain_of(best) != most) ++best;
        if (is_gain(best, most)) return best;
        best = NONE;
        most = 0;
        for (int32_t a = begin; a < end; ++a) {
            const double gain = gain_of(a);
            if (gain > most && is_gain(a, gain)) {
                most = gain;
                best = a;
            }
        }
        return best;
    }

    double gain_of(int32_t a) const noexcept {
        return arcs_.weight[a] - prices_[arcs_.to[a]] - prices_[arcs_.from[a]];
    }

    bool is_gain(int32_t a, double gain) const noexcept {
        const double scale = std::abs(prices_[arcs_.from[a]]) + std::abs(prices_[arcs_.to[a]]);
        return gain > tolerance_ * (arcs_.weight[a] + scale);
    }

    // The node with the lowest price below 0 gains by its slack arc.
    bool find_slack() {
        pace_(2 * negative_.size());
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
                entering_ = arcs_.slack(x);
            }
        }
        negative_.resize(kept);
        return kept > 0;
    }

    // Sends flow around the cycle that the entering arc closes, and drops an arc that becomes
    // empty. If there are several, it drops the last on the cycle, counted from the join. This
    // keeps the tree strongly feasible (an arc without flow points to the root), so no tree can
    // return.
    void pivot() {
        double row_flow = INFINITY;
        double column_flow = INFINITY;
        int32_t row = NONE;
        int32_t column = NONE;
        int32_t x = arcs_.from[entering_];
        int32_t y = arcs_.to[entering_];
        while (x != y) {
            pace_(8);
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
            for (int32_t k = arcs_.from[entering_]; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? -amount : amount;
            }
            for (int32_t k = arcs_.to[entering_]; k != x; k = nodes_[k].parent) {
                nodes_[k].flow += k < rows_ ? amount : -amount;
            }
        }
        if (column_flow <= row_flow) {
            rehang(arcs_.to[entering_], column, amount);
        } else {
            rehang(arcs_.from[entering_], row, amount);
        }
    }

    // Cuts the tree above `cut` and hangs the cut part on the entering arc by its end `top`: the
    // arcs between the two nodes are reversed.
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

    // Computes row prices again from the column prices, so that every edge satisfies the dual
    // constraint; value and bound must then agree.
    int finish(const TransportProblem& problem, const TransportAnswer& answer) const {
        std::fill_n(answer.flow, problem.edges, 0.0);
        double value = 0;
        double unused;
        for (int32_t x = 0; x < root_; ++x) {
            const int64_t edge = arcs_.edge[nodes_[x].arc];
            *(edge == NONE ? &unused : answer.flow + edge) = nodes_[x].flow;
            value += nodes_[x].weight * nodes_[x].flow;
        }
        price_columns(problem, answer.column_prices);
        problem.largest_of_rows(answer.row_prices, [&](int64_t, int64_t j, int64_t e) {
            return problem.weight[e] - answer.column_prices[j];
        });
        double bound = 0;
        for (int64_t i = 0; i < problem.rows; ++i) bound += problem.supply[i] * answer.row_prices[i];
        for (int64_t j = 0; j < problem.columns; ++j) {
            bound += problem.demand[j] * answer.column_prices[j];
        }
        *answer.value = value;
        return bound - value <= GAP * bound ? TRANSPORT_OPTIMAL : TRANSPORT_GAP;
    }

    // A column without demand is not in the tree. Its price costs nothing, so it is set as high as
    // the rows with supply require.
    void price_columns(const TransportProblem& problem, double* prices) const {
        bool all_have = true;
        for (int64_t j = 0; j < problem.columns; ++j) {
            const bool has = problem.demand[j] > 0;
            prices[j] = has ? std::max(0.0, prices_[rows_ + j]) : 0.0;
            all_have = all_have && has;
        }
        if (all_have) return;
        problem.each_edge([&](int64_t i, int64_t j, int64_t e) {
            const bool wanted = problem.supply[i] > 0 && !(problem.demand[j] > 0);
            if (wanted) prices[j] = std::max(prices[j], problem.weight[e] - prices_[i]);
        });
    }

    TransportArcs arcs_;
    int32_t rows_ = 0;
    int32_t root_ = 0;  // nodes: the rows, the columns, the root
    std::vector<Node> nodes_;
    std::vector<double> prices_;     // of the nodes
    std::vector<int32_t> negative_;  // the nodes with a price below 0
    int32_t entering_ = NONE;     // the arc that enters the tree
    int32_t next_ = 0;            // the arc to look at next
    int32_t block_ = 0;
    double tolerance_ = DUST;
    Pace pace_;

    // Only for the first tree.
    std::vector<double> left_;   // of the nodes: how much they can still send or take
    std::vector<int32_t> hung_;  // the nodes in the order in which they were hung
};

// Problems in flat arrays. Problem k has the edges [indptr[k], indptr[k + 1]), with rows and
// columns numbered from 0 in each problem, and the shape shapes[2k] x shapes[2k + 1]. The supplies
// of the problems follow each other, and so do the demands.
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
    // new memory costs more than small problems
    static Pool<TransportSolver>& solvers = *new Pool<TransportSolver>;
    for_chunks(batch.size, 8, workers, [&](int64_t begin, int64_t end) {
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
            if (solver->is_small()) solvers.give_back(std::move(solver));
        } catch (const std::bad_alloc&) {
            failed.note(k, TRANSPORT_NO_MEMORY);
        }
    });
}

}  // namespace summeval
