// The n-grams of the references of a row, of all orders up to one, and how often a candidate has
// them.
#pragma once
#include <algorithm>
#include <vector>

#include "rows/units.hpp"

namespace summeval {

// How many n-grams of an order `size` tokens have.
inline size_t grams_of(size_t size, size_t order) noexcept {
    return size < order ? 0 : size - order + 1;
}

// Levels of n-grams: levels[n - 1] counts those of order n in each reference.
class GramLevels {
  public:
    size_t texts = 0;
    std::vector<size_t> sizes;  // tokens of each reference

    void build(const std::vector<Reading>& readings, size_t count, size_t orders) {
        build(readings, count, orders, [](size_t, size_t, const uint32_t*, const int32_t*) {});
    }

    // Calls visit(order, text, numbers, counts) for each order of each text, with the number of the
    // n-gram at each place, and the counts in the text of all numbers.
    template <class Visit>
    void build(const std::vector<Reading>& readings, size_t count, size_t orders, Visit visit) {
        texts = count;
        levels_.resize(orders);
        sizes.resize(count);
        starts_.assign(1, 0);
        for (size_t t = 0; t < count; ++t) {
            sizes[t] = readings[t].size;
            starts_.push_back(starts_.back() + sizes[t]);
        }
        const size_t tokens = starts_.back();
        if (ids_.size() < tokens + 1) grow(ids_, tokens + 1);
        if (tokens_.size() < tokens + 1) grow(tokens_, tokens + 1);
        vocabulary_.reset(tokens);
        for (size_t t = 0; t < count; ++t)
            vocabulary_.intern(readings[t].keys.data(), sizes[t], tokens_.data() + starts_[t]);
        copy_pieces(tokens_.data(), tokens, ids_.data());
        size_t units = vocabulary_.size();
        for (size_t n = 1; n <= orders; ++n) {
            Level& level = levels_[n - 1];
            if (n > 1) {
                level.table.reset(units, vocabulary_.size(), tokens);
                level.table.interning([&](auto& intern) {
                    for (size_t t = 0; t < count; ++t) lengthen(t, n, intern);
                });
                units = level.table.size();
            }
            level.start(count, units);
            for (size_t t = 0; t < count; ++t) {
                int32_t* const counts = level.row(t);
                const uint32_t* const ids = ids_.data() + starts_[t];
                each_piece(grams_of(sizes[t], n), [=](size_t begin, size_t end) noexcept {
                    for (size_t i = begin; i < end; ++i) ++counts[ids[i]];
                });
                visit(n, t, ids, static_cast<const int32_t*>(counts));
            }
        }
    }

    // out[n - 1][k]: the greatest count of n-gram k in a reference.
    void most(std::vector<std::vector<int32_t>>& out) const {
        out.resize(levels_.size());
        for (size_t n = 0; n < levels_.size(); ++n) {
            const Level& level = levels_[n];
            const size_t units = level.stride;
            if (out[n].size() < units) grow(out[n], units);
            int32_t* const best = out[n].data();
            copy_pieces(level.row(0), units, best);
            for (size_t t = 1; t < texts; ++t) {
                const int32_t* const counts = level.row(t);
                each_piece(units, [=](size_t begin, size_t end) noexcept {
                    for (size_t k = begin; k < end; ++k) best[k] = std::max(best[k], counts[k]);
                });
            }
        }
    }

    // Calls visit(order, counts, level) for each order, with the counts of a candidate.
    template <class Visit>
    void count(const Reading& reading, std::vector<uint32_t>& ids, std::vector<int32_t>& counts,
               Visit visit) const {
        const size_t size = reading.size;
        if (ids.size() < 2 * size + 2) grow(ids, 2 * size + 2);
        uint32_t* const tokens = ids.data();
        uint32_t* const grams = tokens + size + 1;
        vocabulary_.find(reading.keys.data(), size, tokens);
        copy_pieces(tokens, size, grams);
        for (size_t n = 1; n <= levels_.size(); ++n) {
            const Level& level = levels_[n - 1];
            const size_t found = grams_of(size, n);
            if (n > 1)
                level.table.finding([&](auto find) {
                    each_piece(found, [=](size_t begin, size_t end) noexcept {
                        for (size_t i = begin; i < end; ++i)
                            grams[i] = find(grams[i], tokens[i + n - 1]);
                    });
                });
            int32_t* const numbers = zeros(counts, level.stride);
            each_piece(found, [=](size_t begin, size_t end) noexcept {
                for (size_t i = begin; i < end; ++i) ++numbers[grams[i]];
            });
            visit(n, static_cast<const int32_t*>(numbers), level);
        }
    }

    void shrink() {  // what only building needed
        std::vector<uint32_t>().swap(ids_);
        std::vector<uint32_t>().swap(tokens_);
    }

  private:
    // From the numbers of the n-1-grams of a text to those of its n-grams.
    template <class Intern>
    void lengthen(size_t text, size_t n, Intern& intern) {
        uint32_t* const ids = ids_.data() + starts_[text];
        const uint32_t* const tokens = tokens_.data() + starts_[text];
        Pace pace;
        for (size_t i = 0; i + n <= sizes[text]; ++i) {
            pace(1);
            ids[i] = intern(ids[i], tokens[i + n - 1]);
        }
    }

    Vocabulary vocabulary_;
    std::vector<Level> levels_;
    std::vector<size_t> starts_;
    std::vector<uint32_t> ids_, tokens_;
};

}  // namespace summeval
