// Dense numbers for tokens, and for pairs of numbers.
//
// Everything that is counted becomes a small integer: a token by its key, an n-gram by the pair
// (number of its first n-1 tokens, last token), a skip-bigram by the pair of its tokens. Numbers
// start at 1. 0 means "not in any reference", and every pair with a 0 gets the number 0, so the
// scoring loops need no branch for words that only the candidate has.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/tokens.hpp"

namespace summeval {

inline size_t power_of_two_above(size_t n) noexcept {
    size_t power = 16;
    while (power < n) power *= 2;
    return power;
}

// The upper bits are the well-mixed ones: a table of 2^bits places uses the upper `bits`.
inline uint64_t key_hash(Key key) noexcept {
    return (key.lo ^ key.hi * 0xC2B2AE3D27D4EB4Fu) * 0x9E3779B97F4A7C15u;
}

class Vocabulary {
  public:
    // `tokens` is an upper bound on the number of keys that will be interned.
    void reset(size_t tokens) {
        bits_ = highest_bit(power_of_two_above(tokens * (tokens < 512 ? 8 : tokens < 65536 ? 4 : 2)));
        if (size_t{1} << bits_ > slots_.size()) grow(slots_, size_t{1} << bits_);
        if (tokens + 2 > keys_.size()) grow(keys_, tokens + 2);
        base_ += size_;
        size_ = 0;
        if (tokens <= UINT32_MAX - base_) return;
        each_piece(slots_.size(), [slots = slots_.data()](size_t begin, size_t end) noexcept {
            std::fill(slots + begin, slots + end, 0);
        });
        base_ = 0;
    }

    // Numbers of the keys; unknown keys get new numbers. (The loops use locals, not members: the
    // compiler must assume that writing an entry changes a member.)
    void intern(const Key* keys, size_t count, uint32_t* ids) {
        each_piece(count, [=](size_t begin, size_t end) noexcept {
            intern_piece(keys + begin, end - begin, ids + begin);
        });
    }

    // Numbers of the keys; 0 for unknown keys.
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        each_piece(count, [=](size_t begin, size_t end) noexcept {
            const Slots slots = this->slots();
            for (size_t k = begin; k < end; ++k) slots.find(keys[k], ids[k]);
        });
    }

    uint32_t size() const noexcept { return size_; }
    const Key& key(uint32_t number) const noexcept { return keys_[number]; }

  private:
    void intern_piece(const Key* keys, size_t count, uint32_t* ids) noexcept {
        const Slots slots = this->slots();
        uint32_t* const places = slots_.data();
        Key* const own = keys_.data();
        uint32_t size = size_;
        for (size_t k = 0; k < count; ++k) {
            uint32_t id;
            const size_t slot = slots.find(keys[k], id);
            const uint32_t fresh = id == 0;
            own[size + 1] = keys[k];
            size += fresh;
            id |= size & (0 - fresh);
            places[slot] = slots.base + id;
            ids[k] = id;
        }
        size_ = size;
    }

    // Where keys are found. A slot holds the number of a key above `base`; what others held before
    // the last reset is not above it.
    struct Slots {
        const uint32_t* places;
        const Key* keys;
        size_t mask;
        unsigned shift;
        uint32_t base;

        // The slot of the key, or the free one where it would be inserted; `id` is the key's number
        // or 0. Whether a word is known cannot be predicted, and a misprediction costs more than all
        // the rest. So the loop tests only whether another key has the slot, which is rarely true.
        size_t find(const Key& key, uint32_t& id) const noexcept {
            size_t i = static_cast<size_t>(key_hash(key) >> shift);
            for (;; i = (i + 1) & mask) {
                const int64_t above = int64_t{places[i]} - base;
                id = static_cast<uint32_t>(above & ~(above >> 63));
                if ((keys_differ(keys[id], key) & -static_cast<int>(id)) == 0) return i;
            }
        }
    };

    Slots slots() const noexcept {
        return {slots_.data(), keys_.data(), (size_t{1} << bits_) - 1, 64 - bits_, base_};
    }

    std::vector<uint32_t> slots_;
    std::vector<Key> keys_;  // [number]
    unsigned bits_ = 4;
    uint32_t base_ = 0, size_ = 0;
};

// The same in as little memory as it goes, for keys that are kept; it grows with them.
class KeptKeys {
  public:
    // Removes all keys, and makes room for so many.
    void reset(size_t keys) {
        slots_.assign(power_of_two_above(2 * keys), 0);
        bits_ = highest_bit(slots_.size());
        keys_.reserve(keys + 1);
        keys_.resize(1);
    }
    // Keeps the memory.
    void clear() noexcept {
        std::fill(slots_.begin(), slots_.end(), 0);
        keys_.resize(1);
    }
    void add(const Key& key) {
        uint32_t id;
        const size_t slot = find(key, id);
        if (id) return;
        keys_.push_back(key);
        slots_[slot] = size();
        if (2 * size_t{size()} > slots_.size()) enlarge();
    }

    uint32_t size() const noexcept { return static_cast<uint32_t>(keys_.size() - 1); }
    const Key& operator[](uint32_t number) const noexcept { return keys_[number]; }

    // The number of a key, or 0.
    uint32_t find(const Key& key) const noexcept {
        uint32_t id;
        find(key, id);
        return id;
    }
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        Pace pace;
        for (size_t k = 0; k < count; ++k, pace(2)) ids[k] = find(keys[k]);
    }

  private:
    size_t find(const Key& key, uint32_t& id) const noexcept {
        size_t i = static_cast<size_t>(key_hash(key) >> (64 - bits_));
        for (;; i = (i + 1) & (slots_.size() - 1)) {
            id = slots_[i];
            if ((keys_differ(keys_[id], key) & -static_cast<int>(id != 0)) == 0) return i;
        }
    }
    SUMMEVAL_SELDOM void enlarge() {
        std::vector<Key> keys(1);
        keys.swap(keys_);
        reset(2 * keys.size());
        Pace pace;
        for (size_t k = 1; k < keys.size(); ++k, pace(4)) add(keys[k]);
    }

    std::vector<uint32_t> slots_ = std::vector<uint32_t>(16);
    std::vector<Key> keys_ = std::vector<Key>(1);  // [number]
    unsigned bits_ = 4;
};

// Numbers for pairs (a, b), a <= left and b <= right: a directly addressed table while it is small
// enough to stay in a near cache, a hash table beyond that size.
class PairTable {
  public:
    static constexpr size_t DIRECT_CELLS = size_t{1} << 18;

    // `pairs` is an upper bound on the number of pairs that will be interned.
    void reset(size_t left, size_t right, size_t pairs) {
        clear();
        stride_ = right + 1;
        const size_t cells = (left + 1) * stride_;
        pairs = pairs < left * right ? pairs : left * right;
        direct_ = cells <= DIRECT_CELLS && pairs < 65535;
        if (direct_) {
            if (cells_.size() < cells) cells_.resize(cells);
            if (touched_.size() < pairs + 1) grow(touched_, pairs + 1);
        } else {
            const size_t wanted = power_of_two_above(2 * pairs);
            if (entries_.size() < wanted) grow(entries_, wanted);
            Entry* const entries = entries_.data();
            for (const auto [begin, end] : pieces(wanted))
                for (size_t i = begin; i < end; ++i) entries[i].id = 0;
            bits_ = highest_bit(wanted);
        }
    }

    uint32_t size() const noexcept { return size_; }

    // The directly addressed table; a loop that interns holds it in locals.
    class Direct {
      public:
        explicit Direct(PairTable& table) noexcept
            : table_(table), cells_(table.cells_.data()), touched_(table.touched_.data()),
              stride_(table.stride_), size_(table.size_) {}
        ~Direct() { table_.size_ = size_; }
        uint32_t operator()(uint32_t a, uint32_t b) noexcept {
            const size_t place = a * stride_ + b;
            uint16_t& cell = cells_[place];
            const bool fresh = cell == 0;
            touched_[size_] = static_cast<uint32_t>(place);
            size_ += fresh;
            const uint32_t id = fresh ? size_ : cell;
            cell = static_cast<uint16_t>(id);
            return id;
        }

      private:
        PairTable& table_;
        uint16_t* const cells_;
        uint32_t* const touched_;
        const size_t stride_;
        uint32_t size_;
    };

    class Hashed {
      public:
        explicit Hashed(PairTable& table) noexcept : table_(table) {}
        uint32_t operator()(uint32_t a, uint32_t b) noexcept {
            Entry& entry = table_.entries_[table_.slot(a, b)];
            if (entry.id == 0) entry = {a, b, ++table_.size_};
            return entry.id;
        }

      private:
        PairTable& table_;
    };

    // Calls work(intern), where intern maps a pair (both >= 1) to its number.
    template <class Work>
    void interning(Work work) {
        if (direct_) {
            Direct intern(*this);
            work(intern);
        } else {
            Hashed intern(*this);
            work(intern);
        }
    }

    // Calls work(find), where find maps a pair to its number, or to 0 if it has none.
    template <class Work>
    void finding(Work work) const {
        if (direct_) {
            const uint16_t* const cells = cells_.data();
            const size_t stride = stride_;
            work([cells, stride](uint32_t a, uint32_t b) noexcept -> uint32_t {
                return cells[a * stride + b];
            });
        } else {
            work([this](uint32_t a, uint32_t b) noexcept -> uint32_t {
                return a && b ? entries_[slot(a, b)].id : 0;
            });
        }
    }

  private:
    struct Entry {
        uint32_t a = 0, b = 0, id = 0;
    };

    // Leaves all cells 0: a table has far more cells than pairs.
    void clear() noexcept {
        if (direct_)
            for (uint32_t k = 0; k < size_; ++k) cells_[touched_[k]] = 0;
        size_ = 0;
    }

    size_t slot(uint32_t a, uint32_t b) const noexcept {
        const uint64_t pair = static_cast<uint64_t>(a) << 32 | b;
        const size_t mask = (size_t{1} << bits_) - 1;
        size_t i = static_cast<size_t>((mix(pair) * 0x9E3779B97F4A7C15u) >> (64 - bits_));
        while (entries_[i].id != 0 && (entries_[i].a != a || entries_[i].b != b)) i = (i + 1) & mask;
        return i;
    }

    std::vector<uint16_t> cells_;     // 0 but for the pairs
    std::vector<uint32_t> touched_;  // the cells of the pairs
    std::vector<Entry> entries_;
    size_t stride_ = 1;
    unsigned bits_ = 4;
    uint32_t size_ = 0;
    bool direct_ = false;
};

}  // namespace summeval
