// The arcs of a transportation problem, and the order in which its rows are served.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

// One problem. All numbers are finite, supply and demand at least 0, and edges must be sorted by
// row and column. `dense` problems have no `row` and `column`: weight is a matrix [rows, columns]
// and `edges` its size.
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

    // From this many edges per row on, a separate loop over each row is faster.
    static constexpr int64_t LONG = 8;

    // Calls visit(row, column, edge) for each edge. One loop over all edges: the ends of short rows
    // cannot be predicted.
    template <typename Visit>
    void each_edge(Visit visit) const {
        if (!dense) {
            for (const auto [begin, end] : pieces(static_cast<size_t>(edges))) {
                for (size_t e = begin; e < end; ++e) visit(row[e], column[e], static_cast<int64_t>(e));
            }
            return;
        }
        int64_t e = 0;
        Pace pace;
        for (int64_t i = 0; i < rows; ++i) {
            for (int64_t j = 0; j < columns; ++j, ++e) visit(i, j, e);
            pace(static_cast<uint64_t>(columns) + 1);
        }
    }

    // For each row the largest value(row, column, edge) of its edges, at least 0.
    template <typename Value>
    void largest_of_rows(double* largest, Value value) const {
        if (!dense && edges < LONG * rows) {
            std::fill_n(largest, rows, 0.0);
            each_edge([&](int64_t i, int64_t j, int64_t e) {
                largest[i] = std::max(largest[i], value(i, j, e));
            });
            return;
        }
        int64_t e = 0;
        Pace pace;
        for (int64_t i = 0; i < rows; ++i) {
            double most = 0;
            const int64_t begin = e;
            if (dense) {
                for (int64_t j = 0; j < columns; ++j, ++e) most = std::max(most, value(i, j, e));
            } else {
                for (; e < edges && row[e] == i; ++e) most = std::max(most, value(i, column[e], e));
            }
            largest[i] = most;
            pace(static_cast<uint64_t>(e - begin) + 1);
        }
    }

    // Whether all edges are inside the problem, sorted, and given once.
    bool in_order() const {
        if (dense) return true;
        bool good = true;
        int64_t i = 0;
        int64_t j = -1;
        each_edge([&](int64_t next_row, int64_t next_column, int64_t) {
            good &= (i < next_row) | ((i == next_row) & (j < next_column));
            i = next_row;
            j = next_column;
            good &= static_cast<uint64_t>(j) < static_cast<uint64_t>(columns);
        });
        return good && (edges == 0 || i < rows);
    }
};

// Nodes are the rows, the columns and a root. Arcs run from a row to a column (grouped by row),
// then from each row to the root (supply not sent), and from the root to each column (demand not
// met). The last two kinds have weight 0. Edges that can carry no flow or gain nothing are left
// out.
class TransportArcs {
  public:
    static constexpr int32_t NONE = -1;

    int32_t rows = 0;
    int32_t root = 0;            // rows and columns
    std::vector<int32_t> first;  // the arcs of row i are [first[i], first[i + 1])
    std::vector<double> weight;  // of the arcs; these four arrays only grow and are overwritten
    std::vector<int32_t> from;
    std::vector<int32_t> to;
    std::vector<int64_t> edge;     // the place in the problem, or NONE
    std::vector<int32_t> degree;   // of the rows and columns
    std::vector<int32_t> order;    // of the rows
    std::vector<double> heaviest;  // the largest weight of each row

    // `left` is how much rows and columns can send and take.
    void load(const TransportProblem& problem, const std::vector<double>& left) {
        rows = static_cast<int32_t>(problem.rows);
        root = static_cast<int32_t>(problem.rows + problem.columns);
        make_room(static_cast<size_t>(problem.edges) + root);
        degree.assign(static_cast<size_t>(root), 0);
        first.assign(static_cast<size_t>(rows) + 1, 0);
        int32_t arcs = 0;
        problem.each_edge([&](int64_t i, int64_t j, int64_t e) {
            const double w = problem.weight[e];
            const int32_t x = rows + static_cast<int32_t>(j);
            const bool useful = (w > 0) & (left[i] > 0) & (left[x] > 0);
            put(arcs, static_cast<int32_t>(i), x, w, e);
            arcs += useful;
            degree[x] += useful;
            first[i + 1] = arcs;
        });
        for (int32_t i = 0; i < rows; ++i) {
            first[i + 1] = std::max(first[i], first[i + 1]);
            degree[i] = first[i + 1] - first[i];
        }
        heaviest.resize(static_cast<size_t>(rows));
        problem.largest_of_rows(heaviest.data(), [&](int64_t i, int64_t j, int64_t e) {
            return (left[i] > 0) & (left[problem.rows + j] > 0) ? problem.weight[e] : 0.0;
        });
        for (int32_t i = 0; i < rows; ++i) put(arcs++, i, root, 0, NONE);
        for (int32_t j = rows; j < root; ++j) put(arcs++, root, j, 0, NONE);
    }

    // How many arcs run from rows to columns.
    int32_t size() const noexcept { return first[rows]; }

    // The arc between a row or column and the root.
    int32_t slack(int32_t x) const noexcept { return size() + x; }

    // Sorts the rows: first those with few arcs, which would have no choice later, and those with a
    // heavy arc. A tenth of the largest weight counts as much as one arc.
    void order_rows() {
        double most = 0;
        for (int32_t i = 0; i < rows; ++i) most = std::max(most, heaviest[i]);
        starts_.assign(static_cast<size_t>(root - rows) + GRADES + 2, 0);
        ranks_.resize(static_cast<size_t>(rows));
        for (int32_t i = 0; i < rows; ++i) {
            const double share = most > 0 ? heaviest[i] / most : 0.0;
            ranks_[i] = degree[i] + GRADES - static_cast<int32_t>(GRADES * share);
            ++starts_[ranks_[i] + 1];
        }
        for (size_t r = 1; r < starts_.size(); ++r) starts_[r] += starts_[r - 1];
        order.resize(static_cast<size_t>(rows));
        for (int32_t i = 0; i < rows; ++i) order[starts_[ranks_[i]]++] = i;
    }

  private:
    static constexpr int GRADES = 10;

    void make_room(size_t arcs) {
        if (arcs <= weight.size()) return;
        grow(weight, arcs);
        grow(from, arcs);
        grow(to, arcs);
        grow(edge, arcs);
    }

    void put(int32_t arc, int32_t start, int32_t end, double w, int64_t place) noexcept {
        weight[arc] = w;
        from[arc] = start;
        to[arc] = end;
        edge[arc] = place;
    }

    std::vector<int32_t> ranks_;   // of the rows
    std::vector<int32_t> starts_;  // where the rows of each rank begin in order
};

}  // namespace summeval
