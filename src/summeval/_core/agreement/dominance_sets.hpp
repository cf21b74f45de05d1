// KING and JACK of every set of metrics, depth first: each set is reached by one AND from the set
// without its last metric. Branches that can only fail are not searched.
#pragma once
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "agreement/dominance.hpp"
#include "rows/parallel.hpp"

namespace summeval {

enum : int { JACK_ONE_SIDED = 0, JACK_BOTH_SIDES = 1, JACK_QUEEN_POSITIVE = 2 };
enum : int { DOMINANCE_MEMORY = 1 };

using Bits = std::vector<uint64_t>;
using Wins = std::vector<uint8_t>;  // for each set, whether one model wins

// The bitsets of each metric, and their intersection at each depth of the search. With `merged` the
// only set is the one of all metrics.
class MetricBits {
  public:
    MetricBits(int metrics, bool merged, int64_t rows, int64_t words)
        : rows_(rows), words_(words), merged_(merged), metrics_(merged ? 1 : metrics) {
        grow(bits_, static_cast<size_t>(metrics_ * rows * words));
        grow(left_, bits_.size());
    }

    int metrics() const noexcept { return static_cast<int>(metrics_); }
    // The cost in steps of one pass over a bitset.
    uint64_t words() const noexcept { return static_cast<uint64_t>(words_) + 1; }

    // `fill(bits)` writes the bitset of one row of one metric; metrics are given in order.
    template <class Fill>
    void set(int64_t metric, int64_t row, Bits& room, Fill fill) {
        uint64_t* own = at(bits_, merged_ ? 0 : metric, row);
        if (!merged_ || metric == 0) return fill(own);
        room.resize(static_cast<size_t>(words_));
        fill(room.data());
        intersect(own, room.data(), own, words_);
    }

    // Goes from the set at `depth` - 1 to the set with one more metric; returns how many bits are
    // set.
    int64_t step(int depth, int64_t metric, int64_t row) noexcept {
        const uint64_t* own = at(bits_, metric, row);
        return intersect(depth ? at(left_, depth - 1, row) : own, own, at(left_, depth, row), words_);
    }

    // The same for all rows of all metrics: `fill(metric, row, bits)`.
    template <class Fill>
    void set_all(int64_t metrics, Fill fill) {
        Bits room;
        for (int64_t metric = 0; metric < metrics; ++metric)
            for (int64_t row = 0; row < rows_; ++row)
                set(metric, row, room, [&](uint64_t* bits) { fill(metric, row, bits); });
    }

    const uint64_t* left(int depth, int64_t row) noexcept { return at(left_, depth, row); }

  private:
    uint64_t* at(Bits& bits, int64_t metric, int64_t row) const noexcept {
        return bits.data() + (metric * rows_ + row) * words_;
    }

    int64_t rows_, words_;
    bool merged_;
    int64_t metrics_;
    Bits bits_, left_;
};

// Calls enter(depth, metric, set) for every set; its result says whether to visit larger sets.
template <class Walk>
inline void walk_sets(Walk& walk, int metrics, int first = 0, int depth = 0, uint32_t set = 0) {
    for (int metric = first; metric < metrics; ++metric) {
        const uint32_t larger = set | (uint32_t{1} << metric);
        if (walk.enter(depth, metric, larger))
            walk_sets(walk, metrics, metric + 1, depth + 1, larger);
    }
}

// The sets under which one model has a greater QUEEN than every peer; triples are of other models.
class KingWalk {
  public:
    KingWalk(const Similarities& s, int reading, int64_t model, bool ties_win, bool merged)
        : KingWalk(s, Triples(s, reading, model), model, ties_win, merged) {}

    void find(Wins& wins) {
        wins_ = &wins;
        walk_sets(*this, bits_.metrics());
    }

    bool enter(int depth, int metric, uint32_t set) {
        pace_(1);
        const int64_t own = bits_.step(depth, metric, 0);
        // a larger set has no more triples; without peers there is nothing to beat
        if (!own && !ties_win_ && peers_ > 0) return false;
        bool won = true;
        const int64_t* peers = live_.data() + depth * (peers_ + 1);
        int64_t* rest = live_.data() + (depth + 1) * (peers_ + 1);
        int64_t count = 0;
        for (int64_t i = 1; i <= peers[0]; ++i) {
            pace_(bits_.words());
            const int64_t hits = bits_.step(depth, metric, peers[i]);
            if (hits) rest[++count] = peers[i];
            won &= ties_win_ ? own >= hits : own > hits;
        }
        rest[0] = count;  // from here on, any text with triples beats a peer that has none
        (*wins_)[set] = won;
        return true;
    }

  private:
    KingWalk(const Similarities& s, const Triples& triples, int64_t model, bool ties_win, bool merged)
        : bits_(static_cast<int>(s.metrics), merged, 1 + s.peers(), triples.words()),
          peers_(s.peers()), ties_win_(ties_win) {
        bits_.set_all(s.metrics, [&](int64_t metric, int64_t row, uint64_t* bits) {
            triples.dominated(metric, row ? s.models + row - 1 : model, bits);
        });
        live_.resize(static_cast<size_t>((bits_.metrics() + 1) * (peers_ + 1)));
        std::iota(live_.begin(), live_.begin() + peers_ + 1, int64_t{0});
        live_[0] = peers_;
    }

    MetricBits bits_;
    int64_t peers_;
    bool ties_win_;
    Pace pace_;
    std::vector<int64_t> live_;  // for each depth their number, then the peers that have triples
    Wins* wins_ = nullptr;
};

// For each set, the peers with a QUEEN above 0, as a bitset: the variant `queen_positive` needs
// them.
class LivePeers {
  public:
    LivePeers(const Similarities& s, int reading, bool merged)
        : LivePeers(s, Triples(s, reading, -1), merged) {}

    const uint64_t* of(uint32_t set) const noexcept { return live_.data() + set * words_; }

    bool enter(int depth, int metric, uint32_t set) {
        bool any = false;
        for (int64_t peer = 0; peer < peers_; ++peer) {
            pace_(bits_.words());
            if (!bits_.step(depth, metric, peer)) continue;
            set_bit(live_.data() + set * words_, peer);
            any = true;
        }
        return any;
    }

  private:
    LivePeers(const Similarities& s, const Triples& triples, bool merged)
        : bits_(static_cast<int>(s.metrics), merged, s.peers(), triples.words()),
          peers_(s.peers()), words_(words_of(s.peers())) {
        bits_.set_all(s.metrics, [&](int64_t metric, int64_t peer, uint64_t* bits) {
            triples.dominated(metric, s.models + peer, bits);
        });
        grow(live_, (size_t{1} << bits_.metrics()) * static_cast<size_t>(words_));
        walk_sets(*this, bits_.metrics());
    }

    MetricBits bits_;
    int64_t peers_, words_;
    Pace pace_;
    Bits live_;
};

// The sets under which two peers a, a' are no closer to each other than a is to one model.
class JackWalk {
  public:
    JackWalk(const Similarities& s, int64_t model, bool both_sides, bool merged,
             const LivePeers* live)
        : bits_(static_cast<int>(s.metrics), merged, s.peers(), words_of(s.peers())),
          peers_(s.peers()), words_(words_of(s.peers())), live_(live) {
        bits_.set_all(s.metrics, [&](int64_t metric, int64_t peer, uint64_t* bits) {
            pace_(8 * static_cast<uint64_t>(peers_));
            std::fill_n(bits, words_, uint64_t{0});
            for (int64_t other = 0; other < peers_; ++other) {
                if (other == peer) continue;
                const int64_t a = s.models + peer, b = s.models + other;
                if (s.at(metric, a, b) <= s.at(metric, a, model) &&
                    (!both_sides || s.at(metric, b, a) <= s.at(metric, b, model)))
                    set_bit(bits, other);
            }
        });
    }

    void find(Wins& wins) {
        wins_ = &wins;
        walk_sets(*this, bits_.metrics());
    }

    bool enter(int depth, int metric, uint32_t set) {
        bool found = false;
        for (int64_t peer = 0; peer < peers_; ++peer) {
            pace_(bits_.words());
            const bool any = bits_.step(depth, metric, peer) != 0;
            found |= any && (!live_ || lives(depth, peer, live_->of(set)));
        }
        (*wins_)[set] = found;
        return found;
    }

  private:
    bool lives(int depth, int64_t peer, const uint64_t* live) noexcept {
        if (!(live[peer / 64] >> (peer % 64) & 1)) return false;
        const uint64_t* others = bits_.left(depth, peer);
        uint64_t any = 0;
        for (int64_t w = 0; w < words_; ++w) any |= others[w] & live[w];
        return any != 0;
    }

    MetricBits bits_;
    int64_t peers_, words_;
    Pace pace_;
    const LivePeers* live_;
    Wins* wins_ = nullptr;
};

// As for_chunks; notes the first row of a chunk for which memory is lacking.
template <class Work>
inline void for_some(int64_t rows, int64_t chunk, int workers, FirstFailure& failed, Work work) {
    for_chunks(rows, chunk, workers, [&](int64_t begin, int64_t end) {
        try {
            work(begin, end);
        } catch (const std::exception&) {
            failed.note(begin, DOMINANCE_MEMORY);
        }
    });
}

// Adds to counts[set] the models that win under it; find(model, wins) marks the sets of one model.
template <class Find>
inline void count_wins(const Similarities& s, int64_t sets, int workers, int64_t* counts,
                       FirstFailure& failed, Find find) {
    std::mutex mutex;
    for_some(s.models, 1, workers, failed, [&](int64_t model, int64_t) {
        Wins wins(static_cast<size_t>(sets), 0);
        find(model, wins);
        const std::lock_guard<std::mutex> lock(mutex);
        for (int64_t set = 0; set < sets; ++set) counts[set] += wins[static_cast<size_t>(set)];
    });
}

// counts[set] (zeros at first): for how many models KING holds; with `merged`, set 1 is all
// metrics.
inline void king_counts(const Similarities& s, int reading, bool ties_win, bool merged, int64_t sets,
                        int workers, int64_t* counts, FirstFailure& failed) {
    count_wins(s, sets, workers, counts, failed, [&](int64_t model, Wins& wins) {
        KingWalk(s, reading, model, ties_win, merged).find(wins);
    });
}

// The same for JACK.
inline void jack_counts(const Similarities& s, int reading, int variant, bool merged, int64_t sets,
                        int workers, int64_t* counts, FirstFailure& failed) {
    std::unique_ptr<LivePeers> live;
    if (variant == JACK_QUEEN_POSITIVE) live = std::make_unique<LivePeers>(s, reading, merged);
    count_wins(s, sets, workers, counts, failed, [&](int64_t model, Wins& wins) {
        JackWalk(s, model, variant == JACK_BOTH_SIDES, merged, live.get()).find(wins);
    });
}

// hits[peer]: how many triples of all models each peer dominates.
inline void peer_hits(const Similarities& s, int reading, int workers, int64_t* hits,
                      FirstFailure& failed) {
    const Triples triples(s, reading, -1);
    for_some(s.peers(), 16, workers, failed, [&](int64_t begin, int64_t end) {
        Bits room(static_cast<size_t>(2 * triples.words()));
        for (int64_t p = begin; p < end; ++p) hits[p] = triples.hits(s.models + p, room.data());
    });
}

// The triples that one peer dominates, of all models, under every set.
class HitsWalk {
  public:
    HitsWalk(const Similarities& s, const Triples& triples, int64_t peer, int64_t* hits)
        : bits_(static_cast<int>(s.metrics), false, 1, triples.words()), hits_(hits + peer),
          peers_(s.peers()) {
        bits_.set_all(s.metrics, [&](int64_t metric, int64_t, uint64_t* bits) {
            triples.dominated(metric, s.models + peer, bits);
        });
    }

    void find() { walk_sets(*this, bits_.metrics()); }

    bool enter(int depth, int metric, uint32_t set) {
        pace_(bits_.words());
        const int64_t count = bits_.step(depth, metric, 0);
        hits_[static_cast<int64_t>(set) * peers_] = count;
        return count != 0;  // a larger set has no more
    }

  private:
    MetricBits bits_;
    int64_t* hits_;
    int64_t peers_;
    Pace pace_;
};

// hits[set][peer] (zeros at first): how many triples of all models each peer dominates under a set.
inline void set_hits(const Similarities& s, int reading, int workers, int64_t* hits,
                     FirstFailure& failed) {
    const Triples triples(s, reading, -1);
    for_some(s.peers(), 1, workers, failed, [&](int64_t peer, int64_t) {
        HitsWalk(s, triples, peer, hits).find();
    });
}

// Rows of texts, each beside the models of one of several sets.
struct RowsOfSets {
    Similarities sets;          // values [metric][cell]: of each set [candidate][reference]
    const int64_t* cells;       // where each set begins among the cells
    const int64_t* sizes;       // how many models each set has
    const double* peers;        // [metric][item]: of each row one similarity for each model
    int64_t items;
    const int64_t* begins;      // where each row begins among the items
    const int64_t* set_of_row;  // rows of one set are read once if they follow each other
    int64_t rows;
};

// hits[row]: how many triples of its models the text of a row dominates.
inline void row_hits(const RowsOfSets& s, int reading, int workers, int64_t* hits,
                     FirstFailure& failed) {
    for_some(s.rows, 64, workers, failed, [&](int64_t begin, int64_t end) {
        std::unique_ptr<Triples> triples;
        Bits room;
        for (int64_t row = begin, read = -1; row < end; ++row) {
            const int64_t set = s.set_of_row[row];
            if (set != read) {
                Similarities own = s.sets;
                own.values += s.cells[set];
                own.texts = own.models = s.sizes[set];
                triples = std::make_unique<Triples>(own, reading, -1);
                room.resize(static_cast<size_t>(2 * triples->words()));
                read = set;
            }
            const double* const row_peers = s.peers + s.begins[row];
            hits[row] = triples->hits_of(
                [&](int64_t metric, int64_t m) { return row_peers[metric * s.items + m]; },
                room.data());
        }
    });
}

// hits[model][0 ... peers]: how many triples of the other models the model and each peer dominate.
inline void left_out_hits(const Similarities& s, int reading, int workers, int64_t* hits,
                          FirstFailure& failed) {
    for_some(s.models, 1, workers, failed, [&](int64_t model, int64_t) {
        const Triples triples(s, reading, model);
        Bits room(static_cast<size_t>(2 * triples.words()));
        int64_t* row = hits + model * (1 + s.peers());
        row[0] = triples.hits(model, room.data());
        for (int64_t p = 0; p < s.peers(); ++p)
            row[1 + p] = triples.hits(s.models + p, room.data());
    });
}

}  // namespace summeval
