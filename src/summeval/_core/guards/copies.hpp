// Where the words of what may be copied stand: a source, or references (see
// tests/definitions/seams.py).
#pragma once
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"
#include "text/grams.hpp"

namespace summeval {

class Copies {
  public:
    static constexpr size_t MOST = 12;  // places of a word or a pair that are looked at
    static constexpr uint32_t NONE = 0xFFFFFFFF;

    // tokens: words and marks.
    void build(const std::vector<Key>& tokens, Vocabulary& numbers) {
        const size_t size = tokens.size();
        ids_.resize(size);
        numbers.reset(size);
        numbers.intern(tokens.data(), size, ids_.data());
        words_.reset(numbers.size());
        first_of_word_.assign(numbers.size() + 1, NONE);
        next_of_word_.resize(size);
        next_of_pair_.resize(size);
        pairs_.assign(power_of_two_above(2 * size), NONE);
        bits_ = highest_bit(pairs_.size());
        Pace pace;
        for (uint32_t id = 1; id <= numbers.size(); ++id, pace(4)) words_.add(numbers.key(id));
        for (size_t k = size; k-- > 0;) {
            pace(4);
            const uint32_t id = ids_[k], place = static_cast<uint32_t>(k);
            next_of_word_[k] = first_of_word_[id];
            first_of_word_[id] = place;
            next_of_pair_[k] = NONE;
            if (k + 1 == size) continue;
            uint32_t& pair = pairs_[slot(id, ids_[k + 1])];
            next_of_pair_[k] = pair;
            pair = place;
        }
    }

    bool empty() const noexcept { return ids_.empty(); }
    size_t size() const noexcept { return ids_.size(); }
    uint32_t operator[](size_t place) const noexcept { return ids_[place]; }

    // The number of a word or mark, 0 if it is not here.
    uint32_t number(Key key) const noexcept { return words_.find(key); }

    // The first place of a word or of two neighbours, and the one after a place; or NONE.
    uint32_t first(uint32_t id) const noexcept { return first_of_word_[id]; }
    uint32_t next(uint32_t place) const noexcept { return next_of_word_[place]; }
    uint32_t first(uint32_t one, uint32_t two) const noexcept {
        return pairs_[slot(one, two)];
    }
    uint32_t next_pair(uint32_t place) const noexcept { return next_of_pair_[place]; }

  private:
    size_t slot(uint32_t one, uint32_t two) const noexcept {
        const uint64_t key = (one | uint64_t{two} << 32) * 0x9E3779B97F4A7C15;
        const size_t last = pairs_.size() - 1;
        size_t place = static_cast<size_t>(key >> (64 - bits_));
        for (;; place = (place + 1) & last) {
            const uint32_t first = pairs_[place];
            if (first == NONE || (ids_[first] == one && ids_[first + 1] == two)) return place;
        }
    }

    KeptKeys words_;
    std::vector<uint32_t> ids_, first_of_word_, next_of_word_, next_of_pair_;
    std::vector<uint32_t> pairs_;  // the first place of each, by a hash
    unsigned bits_ = 4;
};

}  // namespace summeval
