// The classes of words, and how much more often a class follows another than by chance (see
// text/word_order.py, which defines them); which words are function words.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "rows/stop.hpp"
#include "text/grams.hpp"

namespace summeval {

// A fixed table from keys to small numbers.
class KeyTable {
  public:
    void reset(size_t keys) {
        entries_.assign(power_of_two_above(2 * keys), Entry{{0, 0}, 0});
        bits_ = highest_bit(entries_.size());
    }
    // `number` is above 0.
    void add(Key key, uint32_t number) noexcept { entries_[place_of(key)] = {key, number}; }
    uint32_t find(Key key) const noexcept { return entries_[place_of(key)].number; }
    void prefetch(Key key) const noexcept { summeval::prefetch(entries_.data() + start(key)); }

  private:
    struct Entry {
        Key key;
        uint32_t number;
    };
    size_t start(Key key) const noexcept {
        return static_cast<size_t>(key_hash(key) >> (64 - bits_));
    }
    size_t place_of(Key key) const noexcept {
        const size_t last = entries_.size() - 1;
        size_t place = start(key);
        while (entries_[place].number != 0 && !(entries_[place].key == key))
            place = (place + 1) & last;
        return place;
    }
    std::vector<Entry> entries_{16, Entry{{0, 0}, 0}};
    unsigned bits_ = 4;
};

class WordOrder {
  public:
    static constexpr double STEP = 0.05;  // of the logarithms in the table
    static constexpr unsigned ZERO = 128;  // what stands for 0 there

    struct Known {
        bool has_class, function;
        uint8_t of_class;
    };
    struct Word {
        std::string form;
        Known known;
    };
    struct Ending {
        std::string letters;
        uint8_t of_class;
    };

    // pairs: [class][class after it]. Endings are tried in their order.
    void set(const std::vector<Word>& words, const std::vector<Ending>& endings, uint8_t number,
             uint8_t other, const std::vector<uint8_t>& pairs, size_t classes) {
        words_.reset(words.size());
        std::string padded;
        for (const Word& word : words) {
            padded.assign(word.form).resize(word.form.size() + PADDING);
            const uint32_t bits = 1u | uint32_t{word.known.has_class} << 1 |
                                  uint32_t{word.known.function} << 2 |
                                  uint32_t{word.known.of_class} << 8;
            words_.add(token_key(padded.data(), word.form.size()), bits);
        }
        for (auto& some : endings_) some.clear();
        for (const Ending& ending : endings)
            endings_[static_cast<unsigned char>(ending.letters.back())].push_back(ending);
        number_ = number;
        other_ = other;
        pairs_ = pairs;
        classes_ = classes;
    }

    Known known(Key key) const noexcept {
        const uint32_t bits = words_.find(key);
        return {(bits & 2) != 0, (bits & 4) != 0, static_cast<uint8_t>(bits >> 8)};
    }

    // The class of a word that has none of its own.
    uint8_t class_of(const char* word, size_t size, bool is_number) const noexcept {
        if (is_number) return number_;
        for (const Ending& ending : endings_[static_cast<unsigned char>(word[size - 1])]) {
            const size_t length = ending.letters.size();
            const char* const end = word + size;
            if (length <= size && std::memcmp(end - length, ending.letters.data(), length) == 0)
                return ending.of_class;
        }
        return other_;
    }

    unsigned pair(uint8_t first, uint8_t second) const noexcept {
        return pairs_[first * classes_ + second];
    }

    // The mean over neighbours of log P(second | first) / P(second); 0 without words.
    double score(const uint8_t* classes, size_t size) const noexcept {
        if (size == 0) return 0.0;
        uint64_t total = pair(0, classes[0]);
        for (size_t k = 1; k < size; ++k) total += pair(classes[k - 1], classes[k]);
        size_t count = size;
        const uint8_t last = classes[size - 1];
        if (last != 0) {  // an end that no mark shows
            total += pair(last, 0);
            ++count;
        }
        return STEP * (static_cast<double>(total) / static_cast<double>(count) - ZERO);
    }

  private:
    KeyTable words_;
    std::array<std::vector<Ending>, 256> endings_;
    std::vector<uint8_t> pairs_;
    size_t classes_ = 0;
    uint8_t number_ = 0, other_ = 0;
};

}  // namespace summeval
