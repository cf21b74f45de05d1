// Sparse bipartite assignment of maximum weight: rows and columns may stay unmatched.
//
// Rows enter one by one. A row whose best column (by weight less price) is free takes it; otherwise
// a Dijkstra search over reduced costs finds the cheapest end of an alternating path: a free column,
// or a row that gives up its column for what it then loses, the entering row included. That loss
// bounds the search, so it looks at few edges. Throughout, u[i] + v[j] >= w[i, j] with equality on
// matched pairs, u, v >= 0, and only matched rows and columns have a price: what is left at the end
// is an optimum and its dual solution.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "parallel.hpp"

namespace summeval {

enum : int {
    ASSIGN_OK = 0,
    ASSIGN_ROW = 1,       // a row outside the shape
    ASSIGN_COLUMN = 2,    // a column outside the shape
    ASSIGN_TWICE = 3,     // a pair given twice
    ASSIGN_OVERFLOW = 4,  // a total beyond the largest double
    ASSIGN_MEMORY = 5,
};

// One problem of finite weights.
struct AssignmentProblem {
    const int64_t* row;
    const int64_t* column;
    const double* weight;
    int32_t edges;
    int64_t rows;
    int64_t columns;
};

// What one problem gives: positions of the matched edges (room: edges) by row, and the prices,
// which must be 0 before; null prices are not written.
struct AssignmentOutput {
    double* value;
    int64_t* matched;
    int64_t* count;
    double* row_prices;
    double* column_prices;
};

class SparseAssignment {
  public:
    int solve(const AssignmentProblem& problem, const AssignmentOutput& out) {
        problem_ = problem;
        bool sorted = true;
        if (const int status = read(sorted)) return status;
        if (!sorted) {
            if (const int status = sort()) return status;
            read(sorted);
        }
        take_best();
        for (const int32_t k : waiting_) search(k);
        return write(out, sorted);
    }

  private:
    struct Column {
        double price;
        double distance;  // from the entering row, in the current search
        int32_t holder;   // the run that holds it, or -1
        int32_t edge;     // the edge by which the search reached it,
        int32_t via;      // and the run whose edge it is
    };
    struct Run {  // a row that has edges
        int32_t begin;
        int32_t edge;  // its matched edge, or -1
        double price;
    };
    struct Entry {
        double distance;
        int32_t column;
        // of equal distances the lowest column goes first, whatever the library's heap
        bool operator<(const Entry& other) const noexcept {
            return distance > other.distance ||
                   (distance == other.distance && column > other.column);
        }
    };

    static constexpr double FAR = std::numeric_limits<double>::infinity();

    // Checks the edges, resets the columns that they name, and finds the runs with their best edge.
    // Rows are short and their ends hard to predict, so the loop has no branch that depends on them.
    int read(bool& sorted) {
        const AssignmentProblem& p = problem_;
        if (columns_.size() < static_cast<size_t>(p.columns)) {
            columns_.resize(static_cast<size_t>(p.columns));
        }
        runs_.resize(static_cast<size_t>(p.edges) + 2);
        Run* run = runs_.data();  // of the row before the first edge: none
        int64_t last_row = -1, last_column = -1;
        double best = 0.0;
        int32_t edge = -1;
        for (int32_t e = 0; e < p.edges; ++e) {
            const int64_t row = p.row[e], column = p.column[e];
            const double weight = p.weight[e];
            if (row < 0 || row >= p.rows) return ASSIGN_ROW;
            if (column < 0 || column >= p.columns) return ASSIGN_COLUMN;
            const bool next = row != last_row;
            sorted &= next ? row > last_row : column > last_column;
            run += next;
            run->begin = next ? e : run->begin;
            best = next ? 0.0 : best;
            edge = next ? -1 : edge;
            edge = weight > best ? e : edge;
            best = weight > best ? weight : best;
            run->edge = edge;
            run->price = best;
            last_row = row;
            last_column = column;
            columns_[static_cast<size_t>(column)] = Column{0.0, FAR, -1, -1, -1};
        }
        count_ = static_cast<int32_t>(run - runs_.data());
        runs_[count_ + 1].begin = p.edges;
        return ASSIGN_OK;
    }

    // Puts a copy of the edges in order, so that the order given cannot show in the result.
    int sort() {
        const AssignmentProblem& p = problem_;
        const size_t edges = static_cast<size_t>(p.edges);
        order_.resize(edges);
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&p](int32_t a, int32_t b) {
            return p.row[a] != p.row[b] ? p.row[a] < p.row[b] : p.column[a] < p.column[b];
        });
        sorted_row_.resize(edges);
        sorted_column_.resize(edges);
        sorted_weight_.resize(edges);
        for (size_t e = 0; e < edges; ++e) {
            sorted_row_[e] = p.row[order_[e]];
            sorted_column_[e] = p.column[order_[e]];
            sorted_weight_[e] = p.weight[order_[e]];
            if (e && sorted_row_[e] == sorted_row_[e - 1] &&
                sorted_column_[e] == sorted_column_[e - 1]) {
                return ASSIGN_TWICE;
            }
        }
        problem_.row = sorted_row_.data();
        problem_.column = sorted_column_.data();
        problem_.weight = sorted_weight_.data();
        return ASSIGN_OK;
    }

    // Every run takes its best column if that is free; the others are kept for later.
    void take_best() {
        waiting_.clear();
        for (int32_t k = 1; k <= count_; ++k) {
            const int32_t edge = runs_[k].edge;
            if (edge < 0) continue;
            Column& column = columns_[problem_.column[edge]];
            if (column.holder < 0) {
                column.holder = k;
            } else {
                runs_[k].edge = -1;
                waiting_.push_back(k);
            }
        }
    }

    // The end of the cheapest path so far: a free column, or a run that gives its column up.
    struct End {
        double distance;
        int32_t column;
        int32_t run;
    };

    void search(int32_t entering) {
        heap_.clear();
        touched_.clear();
        scanned_.clear();
        End end{runs_[entering].price, -1, entering};
        expand(entering, 0.0, end);
        while (!heap_.empty()) {
            const Entry next = heap_.front();
            if (next.distance >= end.distance) break;
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
            const Column& column = columns_[next.column];
            if (next.distance > column.distance) continue;  // reached by a shorter way since
            scanned_.push_back(next.column);
            const double leave = next.distance + runs_[column.holder].price;
            if (leave < end.distance) end = End{leave, -1, column.holder};
            expand(column.holder, next.distance, end);
        }
        settle(entering, end);
        augment(entering, end);
        for (const int32_t c : touched_) columns_[c].distance = FAR;
    }

    void expand(int32_t k, double distance, End& end) {
        const double price = runs_[k].price;
        for (int32_t e = runs_[k].begin; e < runs_[k + 1].begin; ++e) {
            const int32_t c = static_cast<int32_t>(problem_.column[e]);
            Column& column = columns_[c];
            // rounding must not make a step negative
            const double step = std::max((price - problem_.weight[e]) + column.price, 0.0);
            const double reached = distance + step;
            if (reached >= end.distance || reached >= column.distance) continue;
            column.edge = e;
            column.via = k;
            if (column.holder < 0) {
                end = End{reached, c, -1};
                continue;
            }
            if (column.distance == FAR) touched_.push_back(c);
            column.distance = reached;
            heap_.push_back(Entry{reached, c});
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    // Moves the prices so that the path found becomes tight.
    void settle(int32_t entering, const End& end) {
        runs_[entering].price = std::max(runs_[entering].price - end.distance, 0.0);
        for (const int32_t c : scanned_) {
            const double shift = end.distance - columns_[c].distance;
            Run& holder = runs_[columns_[c].holder];
            columns_[c].price += shift;
            holder.price = std::max(holder.price - shift, 0.0);
        }
    }

    void augment(int32_t entering, const End& end) {
        if (end.run == entering) return;
        int32_t c = end.column;
        if (c < 0) {
            c = static_cast<int32_t>(problem_.column[runs_[end.run].edge]);
            runs_[end.run].edge = -1;
            runs_[end.run].price = 0.0;
        }
        for (;;) {
            const int32_t e = columns_[c].edge;
            const int32_t k = columns_[c].via;
            const int32_t before = runs_[k].edge;
            runs_[k].edge = e;
            columns_[c].holder = k;
            if (k == entering) return;
            c = static_cast<int32_t>(problem_.column[before]);
        }
    }

    int write(const AssignmentOutput& out, bool sorted) {
        double value = 0.0;
        int64_t count = 0;
        for (int32_t k = 1; k <= count_; ++k) {
            const Run& run = runs_[k];
            if (out.row_prices) out.row_prices[problem_.row[run.begin]] = run.price;
            if (run.edge < 0) continue;
            const int64_t column = problem_.column[run.edge];
            if (out.column_prices) {
                out.column_prices[column] = columns_[static_cast<size_t>(column)].price;
            }
            value += problem_.weight[run.edge];
            out.matched[count++] = sorted ? run.edge : order_[run.edge];
        }
        *out.value = value;
        *out.count = count;
        return std::isfinite(value) ? ASSIGN_OK : ASSIGN_OVERFLOW;
    }

    AssignmentProblem problem_{};
    int32_t count_ = 0;  // runs, from 1 on
    std::vector<Column> columns_;
    std::vector<Run> runs_;
    std::vector<Entry> heap_;
    std::vector<int32_t> waiting_, touched_, scanned_, order_;
    std::vector<int64_t> sorted_row_, sorted_column_;
    std::vector<double> sorted_weight_;
};

// Flat problems: problem p has the edges [indptr[p], indptr[p + 1]) and the shape
// shapes[2p] x shapes[2p + 1]; its prices start at row_offsets[p] and column_offsets[p].
// `matched` (room: all edges) gets positions within all edges, from indptr[p] on.
struct AssignmentBatch {
    int64_t problems;
    const int64_t* indptr;
    const int64_t* row;
    const int64_t* column;
    const double* weight;
    const int64_t* shapes;
    const int64_t* row_offsets;
    const int64_t* column_offsets;
    double* values;
    int64_t* matched;
    int64_t* counts;
    double* row_prices;
    double* column_prices;
};

inline void solve_one(SparseAssignment& solver, const AssignmentBatch& b, int64_t p,
                      FirstFailure& failed) noexcept {
    const int64_t begin = b.indptr[p];
    const AssignmentProblem problem{b.row + begin,
                                    b.column + begin,
                                    b.weight + begin,
                                    static_cast<int32_t>(b.indptr[p + 1] - begin),
                                    b.shapes[2 * p],
                                    b.shapes[2 * p + 1]};
    const AssignmentOutput out{b.values + p, b.matched + begin, b.counts + p,
                               b.row_prices ? b.row_prices + b.row_offsets[p] : nullptr,
                               b.column_prices ? b.column_prices + b.column_offsets[p] : nullptr};
    int status = ASSIGN_MEMORY;
    try {
        status = solver.solve(problem, out);
    } catch (const std::exception&) {
    }
    if (status) {
        failed.note(p, status);
    } else if (begin) {
        for (int64_t i = 0; i < *out.count; ++i) out.matched[i] += begin;
    }
}

// Returns the number of matched edges, which are moved to the front of `matched`.
inline int64_t assign_batch(const AssignmentBatch& batch, int workers, FirstFailure& failed) {
    // a chunk has one solver, whose memory serves all its problems
    const int64_t chunk = std::max<int64_t>(batch.problems / (8 * static_cast<int64_t>(workers)), 1);
    for_chunks(batch.problems, chunk, workers, [&](int64_t begin, int64_t end) noexcept {
        SparseAssignment solver;
        for (int64_t p = begin; p < end; ++p) solve_one(solver, batch, p, failed);
    });
    if (failed.any()) return 0;
    int64_t total = 0;
    for (int64_t p = 0; p < batch.problems; ++p) {
        const int64_t* found = batch.matched + batch.indptr[p];
        for (int64_t i = 0; i < batch.counts[p]; ++i) batch.matched[total++] = found[i];
    }
    return total;
}

}  // namespace summeval
