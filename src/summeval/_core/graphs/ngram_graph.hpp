// Graphs of neighbouring n-grams of a text (Giannakopoulos, Karkaletsis, Vouros, Stamatopoulos
// 2008), the similarity of two graphs, and the merging of several into one.
//
// Every co-occurrence counts in both directions, so a graph is symmetric: one entry is stored for
// both edges between two n-grams, and one for a loop. Both directed edges have the weight of the
// entry and a loop has twice that weight. Results use only ratios of weights, so they are the same.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "text/bits.hpp"
#include "text/tokens.hpp"

namespace summeval {

constexpr uint64_t MAX_GRAPH_PAIRS = uint64_t{1} << 26;  // of one text: 1 GiB while it is sorted

// Entries sorted by key: the lesser number in the upper half, the greater in the lower half.
struct Graph {
    std::vector<uint64_t> keys;
    std::vector<double> weights;
    size_t entries = 0, loops = 0;

    // The number of directed edges.
    size_t edges() const noexcept { return 2 * entries - loops; }

    void room(size_t n) {
        TokenSpans::room(keys, n);
        TokenSpans::room(weights, n);
    }

    void clear() noexcept { entries = loops = 0; }

    // Frees the unused capacity.
    void shrink() {
        keys.resize(entries);
        keys.shrink_to_fit();
        weights.resize(entries);
        weights.shrink_to_fit();
    }
};

inline bool is_loop(uint64_t key) noexcept {
    return static_cast<uint32_t>(key) == static_cast<uint32_t>(key >> 32);
}

// Builds graphs; reuses its arrays for the next graph.
class GraphBuilder {
  public:
    // The graph of a sequence of `count` n-grams, numbered from 1 to `last`; n-grams at most
    // `window` apart are neighbours.
    void build(const uint32_t* numbers, size_t count, size_t window, uint32_t last, Graph& graph) {
        graph.clear();
        if (count < 2) return;
        const size_t reach = std::min(window, count - 1);
        const size_t pairs = reach * count - reach * (reach + 1) / 2;
        uint64_t* key = TokenSpans::room(pairs_, pairs);
        uint32_t loops = 0;
        Pace pace;
        for (size_t apart = 1; apart <= reach; ++apart) {
            const uint32_t* const later = numbers + apart;
            for (const auto [begin, end] : pieces(count - apart)) {
                for (size_t i = begin; i < end; ++i) {
                    const uint32_t a = numbers[i], b = later[i];
                    *key++ = uint64_t{std::min(a, b)} << 32 | std::max(a, b);
                    loops += a == b;
                }
            }
            pace(count - apart);
        }
        sort(pairs, highest_bit(last) + 1);
        count_runs(pairs, graph);
        if (loops)  // loops are rare, so runs are counted without a test for them
            for (size_t k = 0; k < graph.entries; ++k) graph.loops += is_loop(graph.keys[k]);
    }

    size_t kept() const noexcept { return pairs_.size() + spare_.size(); }

  private:
    static constexpr unsigned DIGIT_BITS = 11, MOST_PASSES = 3;
    using Places = uint32_t[size_t{1} << DIGIT_BITS];

    // Sorts pairs_ by counting sort, digit by digit; each half of a key has `bits` bits.
    void sort(size_t size, unsigned bits) {
        const unsigned passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
        const unsigned digit = (bits + passes - 1) / passes;
        uint64_t* from = pairs_.data();
        uint64_t* to = TokenSpans::room(spare_, size);
        for (unsigned pass = 0; pass < passes; ++pass)
            count(from, size, pass * digit, digit, places_[pass], places_[passes + pass]);
        for (unsigned pass = 0; pass < 2 * passes; ++pass) {
            const unsigned shift = pass < passes ? pass * digit : 32 + (pass - passes) * digit;
            scatter(from, to, size, shift, digit, places_[pass]);
            std::swap(from, to);
        }
    }

    // Where the keys with each value of a digit begin, for this digit of both halves.
    static void count(const uint64_t* keys, size_t size, unsigned shift, unsigned digit,
                      Places& lower, Places& upper) {
        const uint64_t mask = (uint64_t{1} << digit) - 1;
        std::fill_n(lower, mask + 1, 0);
        std::fill_n(upper, mask + 1, 0);
        for (const auto [begin, end] : pieces(size)) {
            for (size_t k = begin; k < end; ++k) {
                ++lower[keys[k] >> shift & mask];
                ++upper[keys[k] >> (shift + 32) & mask];
            }
        }
        for (uint32_t* place : {lower, upper}) {
            uint32_t next = 0;
            for (size_t d = 0; d <= mask; ++d) {
                const uint32_t here = place[d];
                place[d] = next;
                next += here;
            }
        }
    }

    static void scatter(const uint64_t* from, uint64_t* to, size_t size, unsigned shift,
                        unsigned digit, Places& place) {
        const uint64_t mask = (uint64_t{1} << digit) - 1;
        for (const auto [begin, end] : pieces(size))
            for (size_t k = begin; k < end; ++k) to[place[from[k] >> shift & mask]++] = from[k];
    }

    void count_runs(size_t size, Graph& graph) {
        graph.room(size);
        uint32_t* const ends = TokenSpans::room(ends_, size);
        const uint64_t* const pairs = pairs_.data();
        uint64_t* const keys = graph.keys.data();
        uint64_t last = pairs[0];
        size_t at = 0;
        for (const auto [begin, end] : pieces(size)) {
            for (size_t k = begin; k < end; ++k) {
                const bool fresh = pairs[k] != last;
                last = pairs[k];
                at += fresh;
                keys[at] = last;
                ends[at] = static_cast<uint32_t>(k + 1);
            }
        }
        double* const weights = graph.weights.data();
        for (const auto [begin, end] : pieces(at + 1))
            for (size_t k = begin; k < end; ++k) weights[k] = ends[k] - (k ? ends[k - 1] : 0);
        graph.entries = at + 1;
    }

    std::vector<uint64_t> pairs_, spare_;
    std::vector<uint32_t> ends_;
    Places places_[2 * MOST_PASSES];
};

// The overlap of two graphs, summed over the n-gram lengths.
struct Likeness {
    double value = 0, containment = 0, size = 0;  // VS, CS, SS
    int64_t candidate_edges = 0, reference_edges = 0;

    void add(const Graph& candidate, const Graph& reference, double share) {
        const size_t own = candidate.edges(), others = reference.edges();
        candidate_edges += static_cast<int64_t>(own);
        reference_edges += static_cast<int64_t>(others);
        if (own == 0 || others == 0) return;
        const double less = static_cast<double>(std::min(own, others));
        const double more = static_cast<double>(std::max(own, others));
        size_t common = 0;
        const double ratios = shared(candidate, reference, common);
        value += share * (ratios / more);
        containment += share * (static_cast<double>(common) / less);
        size += share * (less / more);
    }

  private:
    // Sums lesser weight / greater weight over the common edges, and counts these edges. Steps
    // through both graphs without branching on which key is less, because that cannot be predicted.
    static double shared(const Graph& a, const Graph& b, size_t& common) {
        const uint64_t* const left = a.keys.data();
        const uint64_t* const right = b.keys.data();
        double sum = 0;
        size_t found = 0, i = 0, j = 0;
        for (;;) {
            const size_t end = std::min<size_t>(a.entries, i + stop::STEPS);
            const size_t other_end = std::min<size_t>(b.entries, j + stop::STEPS);
            while (i < end && j < other_end) {
                const uint64_t own = left[i], other = right[j];
                if (own == other) {
                    const double x = a.weights[i], y = b.weights[j];
                    const size_t edges = 2 - is_loop(own);
                    sum += static_cast<double>(edges) * (std::min(x, y) / std::max(x, y));
                    found += edges;
                }
                i += own <= other;
                j += other <= own;
            }
            if (i == a.entries || j == b.entries) break;
            stop::look();
        }
        common = found;
        return sum;
    }
};

// Adds to the worth of each n-gram what the edges from it add to VS times `factor`.
inline void share_edges(const Graph& candidate, const Graph& reference, double factor,
                        std::vector<double>& worth) {
    const auto larger = static_cast<double>(std::max(candidate.edges(), reference.edges()));
    Pace pace;
    for (size_t i = 0, j = 0; i < candidate.entries && j < reference.entries; pace(1)) {
        const uint64_t own = candidate.keys[i], other = reference.keys[j];
        if (own == other) {
            const double x = candidate.weights[i], y = reference.weights[j];
            const double one = factor * (std::min(x, y) / std::max(x, y)) / larger;
            worth[own >> 32] += one;
            if (!is_loop(own)) worth[static_cast<uint32_t>(own)] += one;
        }
        i += own <= other;
        j += other <= own;
    }
}

// Merges `graph` into `sum` as graph number `place` (from 2 on) and writes the result to `into`:
// the weight of a common edge moves towards its weight in `graph` by 1 / place; another edge of
// `graph` is added with its own weight, or with 1 if `enter_as_one`.
inline void merge_graph(const Graph& sum, const Graph& graph, size_t place, bool enter_as_one,
                        Graph& into) {
    const double share = 1.0 / static_cast<double>(place);
    into.room(sum.entries + graph.entries);
    size_t i = 0, j = 0, at = 0, common_loops = 0;
    Pace pace;
    while (i < sum.entries || j < graph.entries) {
        pace(1);
        const bool left = j == graph.entries ||
                          (i < sum.entries && sum.keys[i] <= graph.keys[j]);
        const bool right = i == sum.entries ||
                           (j < graph.entries && graph.keys[j] <= sum.keys[i]);
        const uint64_t key = left ? sum.keys[i] : graph.keys[j];
        double weight = left ? sum.weights[i] : graph.weights[j];
        if (left && right) {
            weight += share * (graph.weights[j] - weight);
            common_loops += is_loop(key);
        } else if (right && enter_as_one) {
            weight = is_loop(key) ? 0.5 : 1.0;  // a loop is stored with half its weight
        }
        into.keys[at] = key;
        into.weights[at++] = weight;
        i += left;
        j += right;
    }
    into.entries = at;
    into.loops = sum.loops + graph.loops - common_loops;
}

// Merges many graphs as merge_graph merges one after the other, to the last bit, but edge by edge:
// the time does not grow with the square of their number.
class GraphMerger {
  public:
    template <class GraphOf>
    void merge(size_t count, GraphOf graph_of, bool enter_as_one, Graph& into) {
        heads_.clear();
        size_t most = 0;
        for (size_t r = 0; r < count; ++r) {
            const Graph& graph = graph_of(r);
            most += graph.entries;
            if (graph.entries) heads_.push_back({graph.keys[0], static_cast<uint32_t>(r), 0});
        }
        into.room(most);
        into.clear();
        std::make_heap(heads_.begin(), heads_.end());
        Pace pace;
        for (uint64_t last = 0; !heads_.empty(); pace(8)) {
            std::pop_heap(heads_.begin(), heads_.end());
            Head& head = heads_.back();
            const Graph& graph = graph_of(head.graph);
            const double own = graph.weights[head.at];
            if (into.entries && head.key == last) {
                double& weight = into.weights[into.entries - 1];
                weight += 1.0 / static_cast<double>(head.graph + 1) * (own - weight);
            } else {
                last = head.key;
                into.loops += is_loop(last);
                into.keys[into.entries] = last;
                // A loop is stored with half its weight.
                const double one = is_loop(last) ? 0.5 : 1.0;
                into.weights[into.entries++] = enter_as_one && head.graph > 0 ? one : own;
            }
            if (++head.at < graph.entries) {
                head.key = graph.keys[head.at];
                std::push_heap(heads_.begin(), heads_.end());
            } else {
                heads_.pop_back();
            }
        }
    }

  private:
    // The next edge of a graph; on top of the heap is the least, of equal ones that of the first.
    struct Head {
        uint64_t key;
        uint32_t graph;
        size_t at;
        bool operator<(const Head& other) const noexcept {
            return key != other.key ? key > other.key : graph > other.graph;
        }
    };

    std::vector<Head> heads_;
};

}  // namespace summeval
