// At which places of a source the definition of fragments.hpp looks for the stretch that begins at
// a word of a text, where matches may pass over each other.
//
// From a place of the word it goes on behind the match there. The few places with the longest
// matches aside, this depends only on the first words that the text shares with many places. For
// these words the way from each place to the next one is a forest, in which it takes one comparison
// to tell whether the way from one place leads to another; it serves all stretches that begin so.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "fragments/suffixes.hpp"

namespace summeval {

class MatchPaths {
  public:
    // Of a word, ascending.
    struct Places {
        const uint32_t *begin, *end;
    };

    void start(const uint32_t* words, size_t size, size_t types) {
        clear();
        few_ = 16 + 4 * static_cast<size_t>(std::sqrt(static_cast<double>(size)));
        numbers_.resize(size);
        seen_.assign(types + 1, 0);
        for (size_t k = 0; k < size; ++k, pace_(2)) numbers_[k] = seen_[words[k]]++;
    }

    void clear() {
        forests_.clear();
        kept_ = 0;
    }

    // The stretch that begins like `match`: the first place of the longest match that is not passed
    // over, and how long that is. False if the forests would take too much memory.
    bool find(const Suffixes& suffixes, Suffixes::Match match, Places places, uint32_t& place,
              uint32_t& size) {
        const Forest* const forest = look_around(suffixes, match, places);
        if (level_ > 0 && !forest) return false;
        std::sort(near_.begin(), near_.end(),
                  [](const Near& a, const Near& b) { return a.place < b.place; });
        pace_(16 * near_.size());
        size = 0;
        uint32_t after = 0, from = 0;  // the next place is at `after` or behind it, and its number
        for (const Near& one : near_) {
            if (one.place < after) continue;
            if (forest && !forest->leads(from, numbers_[one.place])) continue;
            if (one.size > size) {
                size = one.size;
                place = one.place;
            }
            after = one.place + one.size;
            from = next_number(places, numbers_[one.place], after);
            if (forest && from == places.end - places.begin) break;
        }
        if (size == 0) {
            size = forest->size;
            place = forest->place;
        }
        return true;
    }

  private:
    struct Near {
        uint32_t place, size;
    };

    // The ways between the places of a word, for words that begin with it: places are numbered, a
    // place is the child of the next one, and `entries` is their order from the roots on.
    struct Forest {
        uint32_t last = 0;             // in the order of the places, of those with all the words
        uint32_t place = 0, size = 0;  // of the longest match on the way from place 0, the first
        std::vector<uint32_t> entries, sizes;  // of each place and its descendants

        bool leads(uint32_t from, uint32_t to) const noexcept {
            return entries[from] - entries[to] < sizes[to];
        }
    };

    static constexpr size_t MOST_KEPT = size_t{1} << 24;  // numbers of places: 128 MiB

    // Sets near_ to the places with the longest matches, as long as they are few, and level_ to the
    // longest match of all others, 0 if there are none; returns the forest of these, if any.
    const Forest* look_around(const Suffixes& suffixes, Suffixes::Match match, Places places) {
        near_.assign(1, {suffixes.place(match.at), match.size});
        size_t low = match.at, high = match.at, kept = 0;
        for (level_ = match.size; level_ > 0;
             level_ = std::max(suffixes.shared(low), suffixes.shared(high + 1))) {
            size_t first = low, last = high;
            for (; near_.size() <= few_ && suffixes.shared(first) >= level_; pace_(1))
                near_.push_back({suffixes.place(--first), level_});
            for (; near_.size() <= few_ && suffixes.shared(last + 1) >= level_; pace_(1))
                near_.push_back({suffixes.place(++last), level_});
            if (near_.size() > few_) {
                near_.resize(kept);
                return forest_of(suffixes, low, places);
            }
            low = first;
            high = last;
            kept = near_.size();
        }
        return nullptr;
    }

    // The forest of the first level_ words at the place `at` of the order.
    const Forest* forest_of(const Suffixes& suffixes, size_t at, Places places) {
        const auto behind = forests_.upper_bound({level_, static_cast<uint32_t>(at)});
        if (behind != forests_.begin()) {
            const auto& [key, forest] = *std::prev(behind);
            if (key.first == level_ && at <= forest.last) return &forest;
        }
        const size_t count = static_cast<size_t>(places.end - places.begin);
        if (kept_ + count > MOST_KEPT) return nullptr;
        kept_ += count;
        uint32_t low = 0, high = 0;
        measure(suffixes, at, count, low, high);
        Forest& forest = forests_[{level_, low}];
        forest.last = high;
        plant(places, count, forest);
        return &forest;
    }

    // Sets sizes_ to the match of each place, and low and high to the ends of those of level_.
    void measure(const Suffixes& suffixes, size_t at, size_t count, uint32_t& low, uint32_t& high) {
        sizes_.resize(count);
        uint32_t least = level_;
        for (size_t k = at; least > 0; --k, pace_(2)) {
            if (least == level_) low = static_cast<uint32_t>(k);
            sizes_[numbers_[suffixes.place(k)]] = least;
            least = std::min(least, suffixes.shared(k));
        }
        high = static_cast<uint32_t>(at);
        least = std::min(level_, suffixes.shared(at + 1));
        for (size_t k = at + 1; least > 0; ++k, pace_(2)) {
            if (least == level_) high = static_cast<uint32_t>(k);
            sizes_[numbers_[suffixes.place(k)]] = least;
            least = std::min(least, suffixes.shared(k + 1));
        }
    }

    void plant(Places places, size_t count, Forest& forest) {
        next_.resize(count);
        forest.sizes.assign(count, 1);
        for (size_t k = 0; k < count; ++k, pace_(8)) {
            const uint32_t number = static_cast<uint32_t>(k);
            next_[k] = next_number(places, number, places.begin[k] + sizes_[k]);
            if (next_[k] < count) forest.sizes[next_[k]] += forest.sizes[k];
        }
        forest.entries.resize(count);
        free_.assign(count + 1, 0);  // where the next child begins
        for (size_t k = count; k-- > 0; pace_(4)) {
            const uint32_t entry = free_[next_[k]];
            forest.entries[k] = entry;
            free_[next_[k]] += forest.sizes[k];
            free_[k] = entry + 1;
        }
        for (size_t k = 0; k < count; k = next_[k], pace_(2)) {
            if (sizes_[k] > forest.size) {
                forest.size = sizes_[k];
                forest.place = places.begin[k];
            }
        }
    }

    // The number of the first place from `after` on; `number` is that of one before.
    static uint32_t next_number(Places places, uint32_t number, uint32_t after) noexcept {
        const uint32_t* at = places.begin + number;
        for (int k = 0; k < 8; ++k)
            if (++at == places.end || *at >= after) return static_cast<uint32_t>(at - places.begin);
        return static_cast<uint32_t>(std::lower_bound(at, places.end, after) - places.begin);
    }

    size_t few_ = 0, kept_ = 0;
    uint32_t level_ = 0;
    std::vector<Near> near_;
    std::vector<uint32_t> numbers_, seen_;      // of each place among those of its word
    std::vector<uint32_t> sizes_, next_, free_;  // of each place of a word
    std::map<std::pair<uint32_t, uint32_t>, Forest> forests_;  // by their level_ and first place
    Pace pace_;
};

}  // namespace summeval
