// The places of a text in the order of what follows them, to find the longest match of another text
// in time that does not grow with the number of matches.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

class Suffixes {
  public:
    // The longest match: its length, and the first of the places in the order that begin with it.
    struct Match {
        size_t first, size;
    };

    // `words`: numbers of at most `types`; the last one is 0. Sorted by prefixes of 1, 2, 4, ...
    // words (Manber and Myers 1993, "Suffix Arrays").
    void build(const uint32_t* words, size_t size, size_t types) {
        words_ = words;
        order_.resize(size);
        ranks_.assign(words, words + size);
        next_.resize(size);
        std::iota(next_.begin(), next_.end(), 0u);
        sort(size, types + 1);
        for (size_t reach = 1; rank(reach / 2, size) < size && reach < size; reach *= 2) {
            size_t at = 0;
            Pace pace;
            for (size_t k = size - reach; k < size; ++k, pace(1))
                next_[at++] = static_cast<uint32_t>(k);
            for (size_t k = 0; k < size; ++k, pace(1))
                if (order_[k] >= reach) next_[at++] = order_[k] - static_cast<uint32_t>(reach);
            sort(size, size);
        }
    }

    // The longest match of the beginning of `text`, which has `most` words; 0 matches nothing.
    Match longest(const uint32_t* text, size_t most) {
        size_t low = 0, high = order_.size(), same = 0;
        Pace pace;
        for (; same < most && text[same] != 0; ++same) {
            if (high - low == 1) {
                const uint32_t* const found = words_ + order_[low];
                for (; same < most && text[same] != 0 && found[same] == text[same]; ++same) pace(1);
                break;
            }
            const auto word = [&](uint32_t place) { return words_[place + same]; };
            const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(low);
            const auto end = order_.begin() + static_cast<std::ptrdiff_t>(high);
            const auto first = std::lower_bound(
                begin, end, text[same], [&](uint32_t place, uint32_t own) { return word(place) < own; });
            const auto last = std::upper_bound(
                first, end, text[same], [&](uint32_t own, uint32_t place) { return own < word(place); });
            if (first == last) break;
            low = static_cast<size_t>(first - order_.begin());
            high = static_cast<size_t>(last - order_.begin());
            pace(32);
        }
        return {low, same};
    }

  private:
    // Puts the places of `next_` in the order of their ranks, which are below `ranks`; equal ones
    // keep their order.
    void sort(size_t size, size_t ranks) {
        starts_.assign(ranks + 1, 0);
        Pace pace;
        for (size_t k = 0; k < size; ++k, pace(1)) ++starts_[ranks_[k] + 1];
        for (size_t k = 0; k < ranks; ++k, pace(1)) starts_[k + 1] += starts_[k];
        for (size_t k = 0; k < size; ++k, pace(2))
            order_[starts_[ranks_[next_[k]]]++] = next_[k];
    }

    // Ranks the places by twice as many words; returns how many ranks there are.
    size_t rank(size_t reach, size_t size) {
        const auto second = [&](uint32_t place) -> uint64_t {
            return reach == 0 ? 0 : place + reach < size ? ranks_[place + reach] + uint64_t{1} : 0;
        };
        size_t count = 0;
        Pace pace;
        for (size_t k = 0; k < size; ++k, pace(4)) {
            const uint32_t place = order_[k], before = order_[k ? k - 1 : 0];
            count += k == 0 || ranks_[place] != ranks_[before] || second(place) != second(before);
            next_[place] = static_cast<uint32_t>(count - 1);
        }
        ranks_.swap(next_);
        return count;
    }

    const uint32_t* words_ = nullptr;
    std::vector<uint32_t> order_, ranks_, next_, starts_;
};

}  // namespace summeval
