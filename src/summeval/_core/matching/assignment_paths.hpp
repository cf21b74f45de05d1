// Shortest augmenting paths for bipartite assignment of maximum weight; rows and columns may stay
// unmatched.
//
// Invariants: u[i] + v[j] >= w[i, j], with equality on matched pairs; u, v >= 0; only matched rows
// and columns have a price other than 0. So once every row is matched or has the price 0, the
// matching is optimal and the prices are its dual solution. Prices of columns never fall.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

// `Graph` gives the edges:
//   expand(row, distance, end)   offers the edges of a row that the search has reached
//   resume(mark, distance, end)  continues with the edges that expand postponed by a mark on the heap
//   column_of(edge)
template <class Graph>
class AugmentingPaths {
  protected:
    static constexpr double FAR = std::numeric_limits<double>::infinity();

    struct Column {
        double distance = FAR;  // from the entering row, in the current search
        int32_t holder = -1;    // the row matched with it
        int32_t via = -1;       // the row from which the search reached it,
        int32_t edge = -1;      // and the edge
    };
    struct Row {
        double price = 0.0;
        int32_t edge = -1;   // its matched edge
        int32_t begin = 0;   // where its edges are
    };
    // The best end of a path so far: a free column, or a row that gives up its column, at the loss
    // of that row's price. The first end is the entering row itself, so searches stay short.
    struct End {
        double distance;
        int32_t column;
        int32_t row;
    };
    struct Entry {
        double distance;
        int32_t place;  // a column, or a mark beyond the columns
        // of equal distances the lowest place comes first, whatever the library's heap does
        bool operator<(const Entry& other) const noexcept {
            return distance > other.distance ||
                   (distance == other.distance && place > other.place);
        }
    };

    // Matches a free row with a price above 0 that is high enough for its edges.
    void search(int32_t entering) {
        Graph& graph = static_cast<Graph&>(*this);
        heap_.clear();
        touched_.clear();
        scanned_.clear();
        End end{rows_[entering].price, -1, entering};
        graph.expand(entering, 0.0, end);
        while (!heap_.empty()) {
            const Entry next = heap_.front();
            if (next.distance >= end.distance) break;
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
            pace_(16);
            if (next.place >= marks_) {
                graph.resume(next.place - marks_, next.distance, end);
                continue;
            }
            const Column& column = columns_[next.place];
            if (next.distance > column.distance) continue;  // a shorter path to it was found since
            scanned_.push_back(next.place);
            const double leave = next.distance + rows_[column.holder].price;
            if (leave < end.distance) end = End{leave, -1, column.holder};
            graph.expand(column.holder, next.distance, end);
        }
        finish(entering, end);
    }

    // Applies the path: changes the prices so that its edges become tight, then the matches.
    void finish(int32_t entering, const End& end) noexcept {
        settle(entering, end);
        augment(entering, end);
        for (const int32_t c : touched_) columns_[c].distance = FAR;
    }

    // Offers a path of length `reached` to column c, by an edge of row k.
    void offer(int32_t c, double reached, int32_t edge, int32_t k, End& end) {
        Column& column = columns_[c];
        if (reached >= end.distance || reached >= column.distance) return;
        column.edge = edge;
        column.via = k;
        if (column.holder < 0) {
            end = End{reached, c, -1};
            return;
        }
        if (column.distance == FAR) touched_.push_back(c);
        column.distance = reached;
        pace_(16);
        push(reached, c);
    }

    void push(double distance, int32_t place) {
        heap_.push_back(Entry{distance, place});
        std::push_heap(heap_.begin(), heap_.end());
    }

    std::vector<Column> columns_;
    std::vector<double> prices_;  // of columns
    std::vector<Row> rows_;
    std::vector<int32_t> touched_, scanned_;  // columns with a distance; with a final one
    int32_t marks_ = std::numeric_limits<int32_t>::max();  // the number of columns, if marks are used
    Pace pace_;

  private:
    void settle(int32_t entering, const End& end) noexcept {
        rows_[entering].price = std::max(rows_[entering].price - end.distance, 0.0);
        for (const int32_t c : scanned_) {
            const double shift = end.distance - columns_[c].distance;
            Row& holder = rows_[columns_[c].holder];
            prices_[c] += shift;
            holder.price = std::max(holder.price - shift, 0.0);
        }
    }

    void augment(int32_t entering, const End& end) noexcept {
        const Graph& graph = static_cast<const Graph&>(*this);
        if (end.row == entering) return;
        int32_t c = end.column;
        if (c < 0) {
            c = graph.column_of(rows_[end.row].edge);
            rows_[end.row].edge = -1;
            rows_[end.row].price = 0.0;
        }
        for (;;) {
            const int32_t k = columns_[c].via;
            const int32_t before = rows_[k].edge;
            rows_[k].edge = columns_[c].edge;
            columns_[c].holder = k;
            if (k == entering) return;
            c = graph.column_of(before);
        }
    }

    std::vector<Entry> heap_;
};

}  // namespace summeval
