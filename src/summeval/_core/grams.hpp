// Dense numbers for tokens and for pairs of numbers.
//
// Everything that is counted becomes a small integer: a token by its key, an n-gram by the pair
// (number of its first n-1 tokens, last token), a skip-bigram by the pair of its tokens. Numbers
// count from 1; 0 means "not in any reference", and every pair with a 0 in it is 0 again, so the
// scoring loops need no branch for words that only the candidate has.
#pragma once
#include <cstdint>
#include <cstring>
#include <vector>

#include "tokens.hpp"

namespace summeval {

inline size_t power_of_two_above(size_t n) noexcept {
    size_t power = 16;
    while (power < n) power *= 2;
    return power;
}

// Its upper bits are the good ones: a table of 2^bits places takes the upper `bits`.
inline uint64_t key_hash(Key key) noexcept {
    return (key.lo ^ key.hi * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
}

class Vocabulary {
  public:
    void reset(size_t tokens) {
        capacity_ = power_of_two_above(tokens * (tokens < 512 ? 8 : tokens < 65536 ? 4 : 2));
        bits_ = highest_bit(capacity_);
        if (capacity_ > entries_.size()) entries_.resize(capacity_);
        if (++epoch_ == 0) {  // after four billion texts: forget them all
            for (Entry& entry : entries_) entry.epoch = 0;
            epoch_ = 1;
        }
        size_ = 0;
    }

    uint32_t intern(Key key) noexcept {
        Entry& entry = entries_[slot(key)];
        const bool fresh = entry.epoch != epoch_;
        size_ += fresh;
        entry.key = key;
        entry.epoch = epoch_;
        return entry.id = fresh ? size_ : entry.id;
    }

    uint32_t find(Key key) const noexcept {
        const Entry& entry = entries_[slot(key)];
        return entry.epoch == epoch_ ? entry.id : 0;
    }

    uint32_t size() const noexcept { return size_; }

  private:
    struct Entry {
        Key key{0, 0};
        uint32_t epoch = 0, id = 0;
    };

    // The place of the key: where it is, or the free place where it would go.
    size_t slot(Key key) const noexcept {
        const size_t mask = capacity_ - 1;
        size_t i = static_cast<size_t>(key_hash(key) >> (64 - bits_));
        while (entries_[i].epoch == epoch_ &&
               ((entries_[i].key.lo ^ key.lo) | (entries_[i].key.hi ^ key.hi)) != 0)
            i = (i + 1) & mask;
        return i;
    }

    std::vector<Entry> entries_;
    size_t capacity_ = 0;
    unsigned bits_ = 4;
    uint32_t epoch_ = 0, size_ = 0;
};

// Numbers for pairs (a, b), a <= left and b <= right: a table addressed directly while that is
// small enough to stay in a near cache, a hash table beyond.
class PairTable {
  public:
    static constexpr size_t DIRECT_CELLS = size_t{1} << 18;

    // `pairs` bounds how many pairs will be interned.
    void reset(size_t left, size_t right, size_t pairs) {
        undo();
        size_ = 0;
        stride_ = right + 1;
        const size_t cells = (left + 1) * stride_;
        pairs = pairs < left * right ? pairs : left * right;
        direct_ = cells <= DIRECT_CELLS && pairs < 65535;
        if (direct_) {
            if (cells_.size() < cells) cells_.resize(cells);
            used_cells_ = cells;
            clear_all_ = cells / 32 <= pairs;
        } else {
            const size_t wanted = power_of_two_above(2 * pairs);
            if (entries_.size() < wanted) entries_.resize(wanted);
            for (size_t i = 0; i < wanted; ++i) entries_[i].id = 0;
            bits_ = highest_bit(wanted);
        }
    }

    bool direct() const noexcept { return direct_; }
    uint32_t size() const noexcept { return size_; }

    // Both arguments of intern are >= 1.
    template <bool DIRECT>
    uint32_t intern(uint32_t a, uint32_t b) {
        if (DIRECT) {
            const size_t cell = a * stride_ + b;
            const uint32_t old = cells_[cell];
            const bool fresh = old == 0;
            size_ += fresh;
            const uint32_t id = fresh ? size_ : old;
            cells_[cell] = static_cast<uint16_t>(id);
            if (!clear_all_ && fresh) touched_.push_back(static_cast<uint32_t>(cell));
            return id;
        }
        Entry& entry = entries_[slot(a, b)];
        if (entry.id == 0) entry = {a, b, ++size_};
        return entry.id;
    }

    template <bool DIRECT>
    uint32_t find(uint32_t a, uint32_t b) const noexcept {
        if (DIRECT) return cells_[a * stride_ + b];
        if (a == 0 || b == 0) return 0;
        return entries_[slot(a, b)].id;
    }

  private:
    struct Entry {
        uint32_t a = 0, b = 0, id = 0;
    };

    void undo() noexcept {
        if (!direct_) return;
        if (clear_all_) {
            if (used_cells_) std::memset(cells_.data(), 0, used_cells_ * sizeof(uint16_t));
        } else {
            for (const uint32_t cell : touched_) cells_[cell] = 0;
        }
        touched_.clear();
        used_cells_ = 0;
    }

    size_t slot(uint32_t a, uint32_t b) const noexcept {
        const uint64_t pair = static_cast<uint64_t>(a) << 32 | b;
        const size_t mask = (size_t{1} << bits_) - 1;
        size_t i = static_cast<size_t>((mix(pair) * 0x9E3779B97F4A7C15u) >> (64 - bits_));
        while (entries_[i].id != 0 && (entries_[i].a != a || entries_[i].b != b)) i = (i + 1) & mask;
        return i;
    }

    std::vector<uint16_t> cells_;
    std::vector<uint32_t> touched_;
    std::vector<Entry> entries_;
    size_t stride_ = 1, used_cells_ = 0;
    unsigned bits_ = 4;
    uint32_t size_ = 0;
    bool direct_ = false, clear_all_ = true;
};

}  // namespace summeval
