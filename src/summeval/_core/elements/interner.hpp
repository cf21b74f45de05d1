// Strings as numbers, and numbers that are found by a hash.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "text/bits.hpp"

namespace summeval {

constexpr uint32_t NO_STRING = UINT32_MAX;

inline uint64_t mix(uint64_t a, uint64_t b) noexcept {
    uint64_t mixed = (a ^ b) * 0x9E3779B97F4A7C15ull;
    return mixed ^ (mixed >> 32);
}

// A hash of bytes, eight at a time; the last eight overlap those before.
inline uint64_t hash_bytes(std::string_view text) noexcept {
    const char* at = text.data();
    size_t size = text.size();
    uint64_t mixed = mix(size, 0x51ED2701u), word = 0;
    if (size < 8) {
        for (size_t k = 0; k < size; ++k) word = word << 8 | static_cast<unsigned char>(at[k]);
        return mix(mix(mixed, word), 0x2545F491u);
    }
    for (; size > 8; at += 8, size -= 8) {
        std::memcpy(&word, at, 8);
        mixed = mix(mixed, word);
    }
    std::memcpy(&word, at + size - 8, 8);
    return mix(mix(mixed, word), 0x2545F491u);
}

// Numbers by the upper half of a hash; only numbers whose half is the same are compared.
class Index {
  public:
    static constexpr uint32_t NONE = UINT32_MAX;

    // Fetches what `find` will look at.
    void prepare(uint64_t hash) const noexcept { prefetch(&slots_[hash >> 32 & mask()]); }

    template <class Same>
    uint32_t find(uint64_t hash, Same same) const noexcept {
        const uint32_t half = static_cast<uint32_t>(hash >> 32);
        for (size_t at = half & mask();; at = (at + 1) & mask()) {
            const Slot& slot = slots_[at];
            if (slot.number == NONE || (slot.half == half && same(slot.number))) return slot.number;
        }
    }
    // `before` is called when nothing can fail any more but itself.
    template <class Before>
    void add(uint64_t hash, uint32_t number, Before before) {
        if (2 * (count_ + 1) > slots_.size()) {
            std::vector<Slot> old(2 * slots_.size());
            old.swap(slots_);
            for (const Slot& slot : old)
                if (slot.number != NONE) put(slot);
        }
        before();
        ++count_;
        put({number, static_cast<uint32_t>(hash >> 32)});
    }

  private:
    struct Slot {
        uint32_t number = NONE, half = 0;
    };
    std::vector<Slot> slots_ = std::vector<Slot>(1024);
    size_t count_ = 0;

    size_t mask() const noexcept { return slots_.size() - 1; }
    void put(const Slot& slot) noexcept {
        size_t at = slot.half & mask();
        while (slots_[at].number != NONE) at = (at + 1) & mask();
        slots_[at] = slot;
    }
};

// Numbers strings in the order in which they come.
class Interner {
  public:
    uint32_t size() const noexcept { return static_cast<uint32_t>(begin_.size()) - 1; }
    std::string_view text(uint32_t number) const noexcept {
        return {bytes_.data() + begin_[number], begin_[number + 1] - begin_[number]};
    }
    uint32_t find(std::string_view text) const noexcept { return find(text, hash_bytes(text)); }

    // `fresh`: whether the string was not there.
    uint32_t intern(std::string_view text, bool& fresh) {
        const uint64_t hash = hash_bytes(text);
        const uint32_t known = find(text, hash);
        fresh = known == NO_STRING;
        if (!fresh) return known;
        bytes_.resize(begin_.back());  // longer if memory ran out before
        bytes_.append(text);
        index_.add(hash, size(), [this] { begin_.push_back(bytes_.size()); });
        return size() - 1;
    }

  private:
    std::string bytes_;
    std::vector<size_t> begin_ = std::vector<size_t>(1, 0);
    Index index_;

    uint32_t find(std::string_view text, uint64_t hash) const noexcept {
        return index_.find(hash, [&](uint32_t number) { return this->text(number) == text; });
    }
};

}  // namespace summeval
