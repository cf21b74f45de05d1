// The places of a source in the order of what follows them, and for each word of a text the longest
// match that begins there.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {

class Suffixes {
  public:
    // The longest match: its length, and where one of the places with it stands in the order.
    struct Match {
        uint32_t at, size;
    };

    // `words`: numbers of at most `types`, and `text`; the last one of each is 0, which matches
    // nothing.
    void build(const uint32_t* words, size_t size, const uint32_t* text, size_t own, size_t types) {
        words_.clear();
        append(words, size);
        append(text, own);
        sort_places(size + own, types);
        measure(size + own);
        divide(size, own);
    }

    size_t size() const noexcept { return size_; }
    const Match& match(size_t at) const noexcept { return matches_[at]; }
    uint32_t place(size_t at) const noexcept { return order_[at]; }
    // The words that a place shares with the one before in the order, up to a 0.
    uint32_t shared(size_t at) const noexcept { return at < size_ ? shared_[at] : 0; }

  private:
    void append(const uint32_t* words, size_t size) {
        const size_t before = words_.size();
        grow(words_, before + size);
        copy_pieces(words, size, words_.data() + before);
    }

    // By prefixes of 1, 2, 4, ... words (Manber and Myers 1993, "Suffix Arrays").
    void sort_places(size_t size, size_t types) {
        order_.resize(size);
        ranks_ = words_;
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

    // Kasai and others 2001: what a place shares with the one before it in the order is at most one
    // word more than what the next place shares.
    void measure(size_t size) {
        shared_.resize(size);
        Pace pace;
        for (size_t k = 0; k < size; ++k, pace(1)) ranks_[order_[k]] = static_cast<uint32_t>(k);
        uint32_t same = 0;
        for (size_t k = 0; k < size; ++k, pace(2)) {
            if (ranks_[k] == 0) {
                same = 0;
            } else {
                const uint32_t* const suffix = words_.data() + k;
                const uint32_t* const other = words_.data() + order_[ranks_[k] - 1];
                for (; suffix[same] != 0 && suffix[same] == other[same]; ++same) pace(1);
            }
            shared_[ranks_[k]] = same;
            same -= same > 0;
        }
    }

    // Takes the places of the text out of the order; the longest match of each is with the next one
    // of the source, behind it or before it.
    void divide(size_t size, size_t own) {
        matches_.assign(own, {0, 0});
        uint32_t least = 0, next = static_cast<uint32_t>(size);
        Pace pace;
        for (size_t k = size + own; k-- > 0; pace(2)) {
            if (order_[k] >= size) matches_[order_[k] - size] = {next, least};
            else --next, least = std::numeric_limits<uint32_t>::max();
            least = std::min(least, shared_[k]);
        }
        least = 0;
        size_ = 0;
        for (size_t k = 0; k < size + own; ++k, pace(2)) {
            const uint32_t place = order_[k];
            least = std::min(least, shared_[k]);
            if (place < size) {
                order_[size_] = place;
                shared_[size_++] = least;
                least = std::numeric_limits<uint32_t>::max();
            } else if (least > matches_[place - size].size) {
                matches_[place - size] = {static_cast<uint32_t>(size_ - 1), least};
            }
        }
    }

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

    size_t size_ = 0;  // of the source
    std::vector<uint32_t> words_, order_, ranks_, next_, starts_, shared_;
    std::vector<Match> matches_;
};

}  // namespace summeval
