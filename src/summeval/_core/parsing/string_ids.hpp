// spaCy's numbers of strings, and a table of known strings.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace summeval::parsing {

// MurmurHash64A (Appleby, public domain) with the seed 1.
inline uint64_t hash_of(std::string_view text) noexcept {
    constexpr uint64_t MIX = 0xc6a4a7935bd1e995u;
    const char* at = text.data();
    size_t left = text.size();
    uint64_t hash = 1 ^ (left * MIX);
    for (; left >= 8; at += 8, left -= 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        word *= MIX;
        word ^= word >> 47;
        hash = (hash ^ word * MIX) * MIX;
    }
    if (left) {
        uint64_t word = 0;
        for (size_t k = 0; k < left; ++k)
            word |= static_cast<uint64_t>(static_cast<unsigned char>(at[k])) << 8 * k;
        hash = (hash ^ word) * MIX;
    }
    hash = (hash ^ hash >> 47) * MIX;
    return hash ^ hash >> 47;
}

// Numbers of strings. The strings outlive the table.
class StringTable {
  public:
    static constexpr uint32_t NONE = UINT32_MAX;

    explicit StringTable(size_t expected = 0) {
        make_room(2 * expected + 2);
        strings_.reserve(expected);
    }

    // The number of a string, which is the next one if it is new.
    uint32_t add(std::string_view text) {
        if (2 * (strings_.size() + 1) > places_.size()) make_room(4 * strings_.size());
        const uint64_t hash = hash_of(text);
        Place& place = places_[place_of(text, hash)];
        if (place.number == NONE) {
            place = {static_cast<uint32_t>(hash), static_cast<uint32_t>(strings_.size())};
            strings_.push_back(text);
            if (text.size() > longest_) longest_ = text.size();
        }
        return place.number;
    }
    uint32_t find(std::string_view text) const noexcept {
        return text.size() > longest_ ? NONE : find(text, hash_of(text));
    }
    uint32_t find(std::string_view text, uint64_t hash) const noexcept {
        return places_[place_of(text, hash)].number;
    }
    std::string_view string(uint32_t number) const noexcept { return strings_[number]; }
    size_t size() const noexcept { return strings_.size(); }

  private:
    struct Place {
        uint32_t hash = 0, number = NONE;
    };

    size_t place_of(std::string_view text, uint64_t hash) const noexcept {
        const size_t last = places_.size() - 1;
        size_t at = (hash >> 32) & last;
        while (places_[at].number != NONE && (places_[at].hash != static_cast<uint32_t>(hash) ||
                                              strings_[places_[at].number] != text))
            at = (at + 1) & last;
        return at;
    }
    void make_room(size_t wanted) {
        size_t size = 16;
        while (size < wanted) size *= 2;
        places_.assign(size, Place{});
        for (size_t k = 0; k < strings_.size(); ++k) {
            const uint64_t hash = hash_of(strings_[k]);
            places_[place_of(strings_[k], hash)] = {static_cast<uint32_t>(hash),
                                                    static_cast<uint32_t>(k)};
        }
    }

    std::vector<Place> places_;  // a power of two, at most half of them taken
    std::vector<std::string_view> strings_;
    size_t longest_ = 0;
};

// The numbers that spaCy's networks read: hashes, but for names of its symbols and "".
class StringIds {
  public:
    void add(std::string_view symbol, uint64_t number) {
        const uint64_t hash = hash_of(symbol);
        numbers_.resize(symbols_.add(symbol) + 1);
        numbers_.back() = number;
        seen_[hash / 64 % SEEN] |= uint64_t{1} << hash % 64;
    }
    uint64_t operator()(std::string_view text) const noexcept {
        const uint64_t hash = hash_of(text);
        if ((seen_[hash / 64 % SEEN] >> hash % 64 & 1) == 0) return text.empty() ? 0 : hash;
        const uint32_t found = symbols_.find(text, hash);
        return found == StringTable::NONE ? hash : numbers_[found];
    }

  private:
    static constexpr size_t SEEN = 256;  // words of bits, of which a thirtieth is set

    StringTable symbols_;
    std::vector<uint64_t> numbers_;
    uint64_t seen_[SEEN] = {};
};

}  // namespace summeval::parsing
