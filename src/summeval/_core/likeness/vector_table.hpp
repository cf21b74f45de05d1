// A table from words to their vectors and weights; the vectors stay where the caller has them, such
// as in a memory-mapped file.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "likeness/vectors.hpp"
#include "rows/stop.hpp"
#include "text/grams.hpp"

namespace summeval {

class VectorTable {
  public:
    static constexpr int32_t NONE = -1;

    size_t size() const noexcept { return size_; }
    size_t dimensions() const noexcept { return dimensions_; }
    double weight(int32_t row) const noexcept { return row == NONE ? unknown_ : weights_[row]; }

    // `words` end in a newline each; one that comes again keeps its first row. One of `narrow` and
    // `wide` has the vectors [word][dimension] of the first `vectors` words. False if there are not
    // `size` words.
    bool set(const char* words, size_t bytes, const int8_t* narrow, const int16_t* wide,
             size_t vectors, size_t dimensions, const double* weights, size_t size,
             double unknown) {
        vectors_ = vectors;
        narrow_ = narrow;
        wide_ = wide;
        weights_ = weights;
        size_ = size;
        dimensions_ = dimensions;
        unknown_ = unknown;
        places_.assign(power_of_two_above(2 * size), 0);
        keys_.resize(size);
        bits_ = highest_bit(places_.size());
        std::string word;
        size_t begin = 0, row = 0;
        Pace pace;
        for (size_t i = 0; i < bytes; ++i) {
            if (words[i] != '\n') continue;
            if (row == size) return false;
            word.assign(words + begin, i - begin);
            const size_t length = word.size();
            word.resize(length + PADDING);
            keys_[row] = token_key(word.data(), length);
            size_t place = start(keys_[row]);
            while (places_[place] && !(keys_[places_[place] - 1] == keys_[row])) place = next(place);
            ++row;
            if (!places_[place]) places_[place] = static_cast<uint32_t>(row);
            begin = i + 1;
            pace(16 + length);
        }
        return row == size && begin == bytes;
    }

    // The row of a word, or NONE.
    int32_t find(const Key& key) const noexcept {
        if (size_ == 0) return NONE;
        size_t place = start(key);
        while (places_[place] && !(keys_[places_[place] - 1] == key)) place = next(place);
        return static_cast<int32_t>(places_[place]) - 1;
    }

    // Begins to load all that `find`, `weight` and `widen_row` read of some words.
    void prefetch(const Key* keys, size_t count) const noexcept {
        if (size_ == 0) return;
        for (size_t k = 0; k < count; ++k) summeval::prefetch(places_.data() + start(keys[k]));
        const size_t bytes = dimensions_ * (narrow_ ? 1 : 2);
        const char* const vectors = narrow_ ? reinterpret_cast<const char*>(narrow_)
                                            : reinterpret_cast<const char*>(wide_);
        for (size_t k = 0; k < count; ++k) {
            const uint32_t place = places_[start(keys[k])];
            if (!place) continue;
            summeval::prefetch(keys_.data() + place - 1);
            summeval::prefetch(weights_ + place - 1);
            if (place > vectors_) continue;
            for (size_t at = 0; at < bytes; at += 64)
                summeval::prefetch(vectors + (place - 1) * bytes + at);
        }
    }

    // Writes the vector of a row, or zeros; returns 1 by its length, or 0.
    float widen_row(int32_t row, int16_t* to) const noexcept {
        if (row == NONE || static_cast<size_t>(row) >= vectors_) {
            std::memset(to, 0, padded(dimensions_) * sizeof(int16_t));
            return 0;
        }
        const size_t at = static_cast<size_t>(row) * dimensions_;
        return narrow_ ? widen(narrow_ + at, dimensions_, to) : widen(wide_ + at, dimensions_, to);
    }

  private:
    size_t start(const Key& key) const noexcept {
        return static_cast<size_t>(key_hash(key) >> (64 - bits_));
    }
    size_t next(size_t place) const noexcept { return (place + 1) & (places_.size() - 1); }

    const int8_t* narrow_ = nullptr;
    const int16_t* wide_ = nullptr;
    const double* weights_ = nullptr;
    size_t size_ = 0, vectors_ = 0, dimensions_ = 0;
    double unknown_ = 0;
    unsigned bits_ = 4;
    std::vector<uint32_t> places_;  // a row and 1, or 0
    std::vector<Key> keys_;
};

}  // namespace summeval
