// Texts as numbers, in the order in which they come.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace summeval {

// Distinct texts with numbers from 1; 0 is an unknown one.
class StringNumbers {
  public:
    uint32_t find(std::string_view text) const noexcept {
        const uint64_t hash = hash_of(text);
        for (size_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
            const Slot seen = slots_[slot];
            if (seen.number == 0) return 0;
            if (seen.tag == static_cast<uint32_t>(hash >> 32) && (*this)[seen.number] == text)
                return seen.number;
        }
    }

    uint32_t add(std::string_view text) {
        if (const uint32_t known = find(text)) return known;
        bytes_.append(text);
        ends_.push_back(bytes_.size());
        const auto number = static_cast<uint32_t>(size());
        if (2 * size() > mask_) {
            slots_.assign(2 * slots_.size(), Slot{});
            mask_ = slots_.size() - 1;
            for (uint32_t other = 1; other < number; ++other) insert(other);
        }
        insert(number);
        return number;
    }

    void clear() {
        bytes_.clear();
        ends_.assign(1, 0);
        if (slots_.size() > KEPT) slots_.resize(KEPT);
        mask_ = slots_.size() - 1;
        std::fill(slots_.begin(), slots_.end(), Slot{});
    }

    size_t size() const noexcept { return ends_.size() - 1; }
    // The texts one after the other; where each ends, behind a 0.
    const std::string& bytes() const noexcept { return bytes_; }
    const std::vector<size_t>& ends() const noexcept { return ends_; }
    std::string_view operator[](uint32_t number) const noexcept {
        const size_t begin = ends_[number - 1];
        return {bytes_.data() + begin, ends_[number] - begin};
    }

  private:
    static constexpr size_t KEPT = 4096;  // slots, after a long text

    struct Slot {
        uint32_t tag, number;
    };

    static uint64_t load(const char* at, size_t size) noexcept {
        uint64_t found = 0;
        std::memcpy(&found, at, size);
        return found;
    }

    static uint64_t hash_of(std::string_view text) noexcept {
        constexpr uint64_t ODD = 0x9E3779B97F4A7C15u, MORE = 0xBF58476D1CE4E5B9u;
        const char* at = text.data();
        size_t left = text.size();
        uint64_t mixed = left * MORE;
        for (; left > 8; left -= 8, at += 8) {
            mixed = (mixed ^ load(at, 8)) * ODD;
            mixed ^= mixed >> 29;
        }
        uint64_t last = 0;
        if (left == 8) {
            last = load(at, 8);
        } else if (left >= 4) {
            last = load(at, 4) | load(at + left - 4, 4) << 32;
        } else if (left > 0) {
            const auto byte = [at](size_t k) -> uint64_t {
                return static_cast<unsigned char>(at[k]);
            };
            last = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
        }
        mixed = (mixed ^ last) * ODD;
        mixed = (mixed ^ (mixed >> 32)) * MORE;
        return mixed ^ (mixed >> 29);
    }

    void insert(uint32_t number) noexcept {
        const uint64_t hash = hash_of((*this)[number]);
        size_t slot = hash & mask_;
        while (slots_[slot].number != 0) slot = (slot + 1) & mask_;
        slots_[slot] = {static_cast<uint32_t>(hash >> 32), number};
    }

    std::string bytes_;
    std::vector<size_t> ends_ = std::vector<size_t>(1, 0);
    std::vector<Slot> slots_ = std::vector<Slot>(64, Slot{});
    size_t mask_ = 63;
};

}  // namespace summeval
