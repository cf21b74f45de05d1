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
#include "text/string_numbers.hpp"

namespace summeval::discourse {

using Text = std::string_view;

using Names = StringNumbers;

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
