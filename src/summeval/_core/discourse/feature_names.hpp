// Linear classifiers over features that have names. A feature is a name alone (`p ,`), or a name
// combined with a prefix (`and|p ,`). A name is looked up once; its combinations are then found by
// number.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows/stop.hpp"

namespace summeval::discourse {

using Text = std::string_view;

inline uint64_t load(const char* at, size_t size) noexcept {
    uint64_t found = 0;
    std::memcpy(&found, at, size);
    return found;
}

inline uint64_t hash_of(Text text) noexcept {
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
        const auto byte = [at](size_t k) { return uint64_t{static_cast<unsigned char>(at[k])}; };
        last = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
    }
    mixed = (mixed ^ last) * ODD;
    mixed = (mixed ^ (mixed >> 32)) * MORE;
    return mixed ^ (mixed >> 29);
}

// Distinct texts with numbers from 1; 0 is an unknown one.
class Names {
  public:
    uint32_t find(Text text) const noexcept {
        const uint64_t hash = hash_of(text);
        for (size_t slot = hash & mask_;; slot = (slot + 1) & mask_) {
            const Slot seen = slots_[slot];
            if (seen.number == 0) return 0;
            if (seen.tag == static_cast<uint32_t>(hash >> 32) && (*this)[seen.number] == text)
                return seen.number;
        }
    }

    uint32_t add(Text text) {
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
    Text operator[](uint32_t number) const noexcept {
        const size_t begin = ends_[number - 1];
        return {bytes_.data() + begin, ends_[number] - begin};
    }

  private:
    static constexpr size_t KEPT = 4096;  // slots, after a long text

    struct Slot {
        uint32_t tag, number;
    };

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

// A name that is being written; words of a text may have any length.
class Line {
  public:
    void clear() noexcept { size_ = 0; }
    void cut(size_t size) noexcept { size_ = size; }
    size_t size() const noexcept { return size_; }
    Text text() const noexcept { return {room_.data(), size_}; }

    Line& operator<<(Text text) {
        if (room_.size() - size_ < text.size()) room_.resize(2 * room_.size() + text.size());
        std::memcpy(room_.data() + size_, text.data(), text.size());
        size_ += text.size();
        return *this;
    }
    Line& operator<<(const char* text) { return *this << Text(text); }
    Line& operator<<(char letter) {
        if (room_.size() == size_) room_.resize(2 * room_.size());
        room_[size_++] = letter;
        return *this;
    }
    Line& operator<<(bool flag) { return *this << (flag ? '1' : '0'); }
    Line& operator<<(int number) {
        if (number >= 0 && number < 10) return *this << static_cast<char>('0' + number);
        return *this << Text(std::to_string(number));
    }

  private:
    std::vector<char> room_ = std::vector<char>(256);
    size_t size_ = 0;
};

// The rows of weights of combined features, by prefix and name. Each prefix has a small table of
// its own, because one connective asks for the same two prefixes again and again.
class Crossings {
  public:
    struct Item {
        uint32_t prefix, name, row;
    };

    void fill(std::vector<Item> items, size_t prefixes) {
        std::vector<size_t> counts(prefixes + 1, 0);
        for (const Item& item : items) ++counts[item.prefix];
        tables_.assign(prefixes + 1, Table{0, 0});
        slots_.assign(1, Slot{0, 0});  // the table of a prefix without items
        for (size_t prefix = 1; prefix <= prefixes; ++prefix) {
            if (counts[prefix] == 0) continue;
            size_t room = 2;
            while (room < 2 * counts[prefix]) room *= 2;
            tables_[prefix] = {slots_.size(), static_cast<uint32_t>(room - 1)};
            slots_.resize(slots_.size() + room, Slot{0, 0});
        }
        for (const Item& item : items) {
            Slot* const slot = place(item.prefix, item.name);
            *slot = {item.name, item.row};
        }
    }

    // The number of the row, from 1; 0 if there is none. The prefix may be 0, unknown.
    uint32_t find(uint32_t prefix, uint32_t name) const noexcept {
        return const_cast<Crossings*>(this)->place(prefix, name)->row;
    }

  private:
    struct Slot {
        uint32_t name, row;
    };
    struct Table {
        size_t begin;
        uint32_t mask;
    };

    Slot* place(uint32_t prefix, uint32_t name) noexcept {
        const Table table = tables_[prefix];
        Slot* const slots = slots_.data() + table.begin;
        uint32_t slot = (name * 0x9E3779B9u >> 7) & table.mask;
        while (slots[slot].row != 0 && slots[slot].name != name) slot = (slot + 1) & table.mask;
        return slots + slot;
    }

    std::vector<Table> tables_ = std::vector<Table>(1, Table{0, 0});
    std::vector<Slot> slots_ = std::vector<Slot>(1, Slot{0, 0});
};

// The sums of the weights of features; whole numbers, so their order does not matter.
using Sums = std::vector<int64_t>;

// A classifier. Its names are numbers of its family's `Names`.
class Linear {
  public:
    std::vector<double> bias, scale;  // one of each class

    size_t classes() const noexcept { return bias.size(); }

    void add(uint32_t name, Sums& sums) const noexcept { add_row(own_[name], sums); }
    void add(uint32_t prefix, uint32_t name, Sums& sums) const noexcept {
        add_row(crossings_.find(prefix, name), sums);
    }
    double score(const Sums& sums, size_t k) const noexcept {
        const double weighted = scale[k] * static_cast<double>(sums[k]);
        return bias[k] + weighted;
    }
    size_t best(const Sums& sums) const noexcept {  // the first one on ties
        size_t found = 0;
        for (size_t k = 1; k < classes(); ++k)
            if (score(sums, k) > score(sums, found)) found = k;
        return found;
    }

  private:
    friend class Family;

    void add_row(uint32_t row, Sums& sums) const noexcept {
        if (row == 0) return;
        const int16_t* const weights = weights_.data() + (row - 1) * classes();
        for (size_t k = 0; k < classes(); ++k) sums[k] += weights[k];
    }

    std::vector<int16_t> weights_;  // [row, class]
    std::vector<uint32_t> own_;     // for each name the row of the name alone, or 0
    std::vector<Crossings::Item> items_;
    Crossings crossings_;
};

// Classifiers that are asked about the same names.
class Family {
  public:
    Names names, prefixes;

    // `features` are separated by newlines; `weights` [feature, class].
    void read(Linear& linear, Text features, const int16_t* weights, size_t rows) {
        linear.weights_.assign(weights, weights + rows * linear.classes());
        Pace pace;
        for (size_t begin = 0, row = 1; row <= rows; ++row) {
            const Text feature = features.substr(begin, features.find('\n', begin) - begin);
            begin += feature.size() + 1;
            pace(64 + feature.size());
            const uint32_t own = names.add(feature);
            grow_to(linear, own);
            linear.own_[own] = static_cast<uint32_t>(row);
            for (size_t bar = feature.find('|'); bar != Text::npos;
                 bar = feature.find('|', bar + 1)) {
                const uint32_t prefix = prefixes.add(feature.substr(0, bar));
                const uint32_t name = names.add(feature.substr(bar + 1));
                linear.items_.push_back({prefix, name, static_cast<uint32_t>(row)});
            }
        }
    }

    // To be called for each classifier when all have been read.
    void finish(Linear& linear) {
        grow_to(linear, static_cast<uint32_t>(names.size()));
        linear.crossings_.fill(std::move(linear.items_), prefixes.size());
        linear.items_.clear();
    }

  private:
    static void grow_to(Linear& linear, uint32_t name) {
        if (linear.own_.size() <= name) linear.own_.resize(name + 1, 0);
    }
};

}  // namespace summeval::discourse
