// The trees of the network simplex method for dense transportation problems, with their flows and
// prices, as arrays in preorder.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

// Nodes are the rows, then the columns, then a root. Each node other than the root hangs on its
// parent by an arc: a row on a column, a column on a row, and both on the root. The flow of an arc
// runs from a row to its parent, and from the parent to a column; that of an arc to the root is
// what the row does not send, or what the column does not get. Columns always have flow (the tree is
// strongly feasible), so no tree can return.
//
// The price of a column is stored with the sign changed: then a part of the tree that is hung
// elsewhere changes all its prices by the same number. The price of the root is 0.
//
// A tree that hangs on the root takes consecutive places, in preorder; places between two such trees
// may be unused. So the nodes below a node are a range.
class TransportTree {
  public:
    static constexpr int32_t NONE = -1;

    // Every node hangs on the root. Nodes without supply or demand are not in the tree; such a
    // column gains nothing at its price.
    void plant(const double* supply, int32_t rows, const double* demand, int32_t columns) {
        rows_ = rows;
        root_ = rows + columns;
        const size_t size = static_cast<size_t>(root_) + 1;
        nodes_.resize(size);
        prices_.resize(size);
        dust_.resize(size);
        left_.resize(size);
        right_.resize(size);
        moved_.resize(size);
        order_.resize(ROOM * size);
        tail_ = 1;
        for (int32_t x = 0; x < root_; ++x) {
            const double amount = x < rows ? supply[x] : demand[x - rows];
            nodes_[x] = Node{root_, 0, 1, amount, 0.0};
            dust_[x] = DUST * amount;
            prices_[x] = x < rows || amount > 0 ? 0.0 : -std::numeric_limits<double>::infinity();
            if (amount > 0) append(x);
        }
        nodes_[root_] = Node{root_, 0, UINT32_MAX, 0.0, 0.0};  // all places are below it
        prices_[root_] = 0.0;
        dust_[root_] = 0.0;
    }

    int32_t rows() const noexcept { return rows_; }
    int32_t root() const noexcept { return root_; }
    double row_price(int32_t i) const noexcept { return prices_[i]; }
    // Minus the prices of the columns; one more for the root.
    const double* signed_prices() const noexcept { return prices_.data() + rows_; }
    double* signed_prices() noexcept { return prices_.data() + rows_; }

    // Calls see(row, column, flow) for the arcs between a row and a column.
    template <class See>
    void each_flow(See see) const {
        for (int32_t x = 0; x < root_; ++x) {
            const Node& node = nodes_[x];
            if (node.parent == root_) continue;
            const int32_t row = x < rows_ ? x : node.parent, column = x < rows_ ? node.parent : x;
            see(row, column - rows_, node.flow);
        }
    }

    // Only for the first tree: hangs a row on a column or a column on a row, whose tree is not
    // ordered before `order` is called. Each node is hung before its parent, whose flow is then
    // `rest`.
    void hang(int32_t x, int32_t parent, double weight, double flow, double rest) noexcept {
        nodes_[x].parent = parent;
        nodes_[x].weight = weight;
        nodes_[x].flow = flow;
        nodes_[parent].flow = rest;
        hung_.push_back(x);
    }
    double left_over(int32_t x) const noexcept { return nodes_[x].flow; }
    double dust(int32_t x) const noexcept { return dust_[x]; }
    bool hangs_alone(int32_t x) const noexcept { return nodes_[x].parent == root_; }

    // Gives all nodes their places, after nodes were hung.
    void order() {
        for (const int32_t x : hung_) nodes_[nodes_[x].parent].size += nodes_[x].size;
        nodes_[root_].size = UINT32_MAX;
        tail_ = 1;
        for (int32_t x = 0; x < root_; ++x) {  // left_ holds the next free place below a node
            if (nodes_[x].parent != root_ || nodes_[x].place == 0) continue;
            nodes_[x].place = tail_;
            order_[tail_] = x;
            left_[x] = static_cast<int32_t>(tail_ + 1);
            tail_ += nodes_[x].size;
        }
        for (size_t k = hung_.size(); k-- > 0;) {
            const int32_t x = hung_[k];
            Node& node = nodes_[x];
            node.place = static_cast<uint32_t>(left_[node.parent]);
            left_[node.parent] += static_cast<int32_t>(node.size);
            left_[x] = static_cast<int32_t>(node.place + 1);
            order_[node.place] = x;
        }
        hung_.clear();
        settle();
    }

    // Computes all prices again from the weights.
    void settle() noexcept {
        for (uint32_t p = 1; p < tail_; ++p) {
            const int32_t x = order_[p];
            const Node& node = nodes_[x];
            if (node.place != p) continue;
            prices_[x] = prices_[node.parent] + (x < rows_ ? node.weight : -node.weight);
        }
    }

    // Sends flow around the cycle that an arc from a row (or the root) to a column (or the root)
    // closes, and drops an arc that becomes empty. If there are several, it drops the last on the
    // cycle, counted from the join. The ends' prices then differ by the weight. Returns how many
    // nodes it looked at.
    uint64_t pivot(int32_t from, int32_t to, double weight, double gain) {
        find_cycle(from, to);
        const double amount = amount_;
        int32_t row_cut = NONE, column_cut = NONE;
        for (int32_t t = 0; t < left_count_; ++t) {
            Node& node = nodes_[left_[t]];
            if (t % 2 == 1) {
                node.flow += amount;
                continue;
            }
            node.flow -= amount;
            if (node.flow > dust_[left_[t]]) continue;
            node.flow = 0.0;
            row_cut = row_cut == NONE ? t : row_cut;
        }
        for (int32_t t = 0; t < right_count_; ++t) {
            Node& node = nodes_[right_[t]];
            if (t % 2 == 1) {
                node.flow += amount;
                continue;
            }
            node.flow -= amount;
            if (node.flow > dust_[right_[t]]) continue;
            node.flow = 0.0;
            column_cut = t;
        }
        const uint32_t before = tail_;
        if (column_cut != NONE) {
            rehang({right_.data(), right_count_}, {left_.data(), left_count_}, column_cut, from,
                   weight, -gain);
        } else {
            rehang({left_.data(), left_count_}, {right_.data(), right_count_}, row_cut, to, weight,
                   gain);
        }
        return work_ + (tail_ > before ? tail_ - before : 0);
    }

  private:
    // A flow of this share of the node's own amount counts as none.
    static constexpr double DUST = 1e-14;
    static constexpr size_t ROOM = 4;  // places for each node

    struct Node {
        int32_t parent;
        uint32_t place;
        uint32_t size;  // of the range: the node and those below it
        double flow;    // on the arc to the parent
        double weight;  // of that arc
    };
    struct Path {  // from one end of the entering arc up to the node before the join
        const int32_t* nodes;
        int32_t count;
    };

    void append(int32_t x) noexcept {
        order_[tail_] = x;
        nodes_[x].place = tail_++;
    }

    // Both ways from the entering arc to the node where they meet, and the flow that the arcs allow.
    void find_cycle(int32_t from, int32_t to) noexcept {
        const uint32_t at = nodes_[to].place;
        double amount = std::numeric_limits<double>::infinity();
        int32_t x = from, count = 0;
        int32_t* path = left_.data();
        for (;;) {
            const Node& row = nodes_[x];
            if (at - row.place < row.size) break;
            path[count++] = x;
            amount = row.flow < amount ? row.flow : amount;
            x = row.parent;
            const Node& column = nodes_[x];
            if (at - column.place < column.size) break;
            path[count++] = x;
            x = column.parent;
        }
        join_ = x;
        left_count_ = count;
        path = right_.data();
        count = 0;
        int32_t y = to;
        while (y != join_) {
            path[count++] = y;
            amount = nodes_[y].flow < amount ? nodes_[y].flow : amount;
            y = nodes_[y].parent;
            if (y == join_) break;
            path[count++] = y;
            y = nodes_[y].parent;
        }
        right_count_ = count;
        amount_ = amount;
    }

    // Cuts the tree above node `cut` of a path, and hangs the part on `host`, the start of the other
    // path, by the start of the path: the arcs between the two nodes are reversed.
    void rehang(Path path, Path other, int32_t cut, int32_t host, double weight, double change) {
        const uint32_t size = nodes_[path.nodes[cut]].size;
        const bool moves = join_ == root_ && host != root_;
        const int32_t host_top = moves ? other.nodes[other.count - 1] : NONE;
        const bool copies = moves && nodes_[host_top].place + nodes_[host_top].size != tail_;
        const uint32_t need = moves ? size + (copies ? nodes_[host_top].size : 0) : 0;
        if (tail_ + need > order_.size()) compact();
        const uint32_t begin = nodes_[path.nodes[cut]].place;
        gather(path.nodes, cut);
        work_ = 2 * size + static_cast<uint32_t>(left_count_ + right_count_) + need;
        if (join_ != root_) {
            fill(make_gap(host, begin, size), size, change);
        } else {
            const int32_t top = path.nodes[path.count - 1];
            uint32_t first = nodes_[top].place, last = first + nodes_[top].size;
            const bool left = begin - first < last - begin - size;
            if (left) {
                shift_right(first, begin, size);
            } else {
                shift_left(begin + size, last, size);
            }
            fill(moves ? gap_at_tail(host, host_top, size) : left ? first : last - size, size, change);
        }
        reverse(path.nodes, cut, host, amount_, weight, size);
        for (int32_t t = cut + 1; t < path.count; ++t) nodes_[path.nodes[t]].size -= size;
        for (int32_t t = 0; t < other.count; ++t) nodes_[other.nodes[t]].size += size;
    }

    // The part of the tree below path[cut], in the preorder that it has with path[0] at its top.
    void gather(const int32_t* path, int32_t cut) noexcept {
        int32_t* out = moved_.data();
        const int32_t* order = order_.data();
        uint32_t begin = nodes_[path[0]].place, end = begin + nodes_[path[0]].size;
        out = std::copy(order + begin, order + end, out);
        for (int32_t t = 1; t <= cut; ++t) {
            const uint32_t first = nodes_[path[t]].place, last = first + nodes_[path[t]].size;
            out = std::copy(order + first, order + begin, out);
            out = std::copy(order + end, order + last, out);
            begin = first;
            end = last;
        }
    }

    void reverse(const int32_t* path, int32_t cut, int32_t parent, double flow, double weight,
                 uint32_t size) noexcept {
        uint32_t inside = 0;
        for (int32_t t = 0; t <= cut; ++t) {
            Node& node = nodes_[path[t]];
            std::swap(flow, node.flow);
            std::swap(weight, node.weight);
            node.parent = parent;
            parent = path[t];
            inside = std::exchange(node.size, size - inside);
        }
    }

    // Moves what is between the range at `begin` and a place below `host`, in the same tree. Returns
    // where the gap is then.
    uint32_t make_gap(int32_t host, uint32_t begin, uint32_t size) noexcept {
        const uint32_t first = nodes_[host].place + 1;
        const uint32_t last = nodes_[host].place + nodes_[host].size;
        // of the two places, before and after the nodes below the host, take the nearer one
        const bool after = last <= begin || (first <= begin && last - begin - size < begin - first);
        const uint32_t place = after ? last : first;
        if (place <= begin) {
            shift_right(place, begin, size);
            return place;
        }
        shift_left(begin + size, place, size);
        return place - size;
    }

    // Makes room below `host` in another tree, which is moved to the end unless it is there.
    uint32_t gap_at_tail(int32_t host, int32_t top, uint32_t size) noexcept {
        const uint32_t begin = nodes_[top].place, end = begin + nodes_[top].size;
        const uint32_t place = nodes_[host].place + nodes_[host].size;
        if (end == tail_) {
            shift_right(place, end, size);
            tail_ += size;
            return place;
        }
        uint32_t to = tail_;
        for (uint32_t p = begin; p < place; ++p, ++to) put(order_[p], to);
        const uint32_t gap = to;
        to += size;
        for (uint32_t p = place; p < end; ++p, ++to) put(order_[p], to);
        tail_ = to;
        return gap;
    }

    void put(int32_t x, uint32_t place) noexcept {
        order_[place] = x;
        nodes_[x].place = place;
    }
    void shift_right(uint32_t begin, uint32_t end, uint32_t by) noexcept {
        work_ += end - begin;
        for (uint32_t p = end; p > begin; --p) put(order_[p - 1], p - 1 + by);
    }
    void shift_left(uint32_t begin, uint32_t end, uint32_t by) noexcept {
        work_ += end - begin;
        for (uint32_t p = begin; p < end; ++p) put(order_[p], p - by);
    }
    // Puts the part there, whose prices change.
    void fill(uint32_t place, uint32_t size, double change) noexcept {
        for (uint32_t k = 0; k < size; ++k) {
            put(moved_[k], place + k);
            prices_[moved_[k]] += change;
        }
    }

    // Closes the gaps between the trees.
    void compact() noexcept {
        uint32_t to = 1;
        for (uint32_t p = 1; p < tail_; ++p) {
            const int32_t x = order_[p];
            if (nodes_[x].place == p) put(x, to++);
        }
        tail_ = to;
    }

    int32_t rows_ = 0, root_ = 0;
    std::vector<Node> nodes_;
    std::vector<double> prices_;
    std::vector<double> dust_;     // a flow up to this counts as none
    std::vector<int32_t> order_;   // the node at each place; valid if the node has that place
    uint32_t tail_ = 1;            // places from here on are free
    std::vector<int32_t> moved_;   // the part that is hung elsewhere
    std::vector<int32_t> hung_;

    // The cycle of the pivot.
    std::vector<int32_t> left_, right_;
    int32_t left_count_ = 0, right_count_ = 0, join_ = 0;
    double amount_ = 0.0;
    uint64_t work_ = 0;
};

}  // namespace summeval
