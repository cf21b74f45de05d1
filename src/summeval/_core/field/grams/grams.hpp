// The n-grams of the references of a row, of all orders up to one, and how often a candidate has
// them.
#pragma once
#include <algorithm>
#include <iterator>
#include <vector>

#include "rows/units.hpp"

namespace summeval {

// How many n-grams of an order `size` tokens have.
inline size_t grams_of(size_t size, size_t order) noexcept {
    return size < order ? 0 : size - order + 1;
}

// The characters of a text.
struct Characters {
    std::vector<uint32_t> keys;
    size_t size = 0;
};

// Numbers of characters, as Vocabulary has them of words.
class Alphabet {
  public:
    void reset(size_t characters) {
        std::fill(std::begin(near_), std::end(near_), 0);
        far_numbers_.clear();
        characters_ = characters;
        size_ = 0;
    }

    void intern(const uint32_t* codes, size_t count, uint32_t* ids) {
        for (const auto [begin, end] : pieces(count))
            for (size_t k = begin; k < end; ++k) {
                const uint32_t code = codes[k];
                if (code < NEAR) {
                    size_ += near_[code] == 0;
                    if (near_[code] == 0) near_[code] = size_;
                    ids[k] = near_[code];
                } else {
                    ids[k] = intern_far(code);
                }
            }
    }

    void find(const uint32_t* codes, size_t count, uint32_t* ids) const {
        for (const auto [begin, end] : pieces(count))
            for (size_t k = begin; k < end; ++k)
                ids[k] = codes[k] < NEAR ? near_[codes[k]] : find_far(codes[k]);
    }

    uint32_t size() const noexcept { return size_; }

  private:
    static constexpr uint32_t NEAR = 256;

    uint32_t intern_far(uint32_t code) {
        if (far_numbers_.empty()) {
            far_.reset(characters_);
            far_numbers_.push_back(0);
        }
        const Key key{code, 1};
        uint32_t place;
        far_.intern(&key, 1, &place);
        if (place == far_numbers_.size()) far_numbers_.push_back(++size_);
        return far_numbers_[place];
    }

    uint32_t find_far(uint32_t code) const {
        if (far_numbers_.empty()) return 0;
        const Key key{code, 1};
        uint32_t place;
        far_.find(&key, 1, &place);
        return far_numbers_[place];
    }

    uint32_t near_[NEAR] = {};
    Vocabulary far_;
    std::vector<uint32_t> far_numbers_;  // of those that `far_` numbers; 0 for 0
    size_t characters_ = 0;
    uint32_t size_ = 0;
};

// Levels of n-grams: levels[n - 1] counts those of order n in each reference.
template <class Numbers, class Text>
class GramLevels {
  public:
    size_t texts = 0;
    std::vector<size_t> sizes;  // tokens of each reference

    void build(const std::vector<Text>& readings, size_t count, size_t orders) {
        build(readings, count, orders, [](size_t, size_t, const uint32_t*, const int32_t*) {});
    }

    // Calls visit(order, text, numbers, counts) for each order of each text, with the number of the
    // n-gram at each place, and the counts in the text of all numbers.
    template <class Visit>
    void build(const std::vector<Text>& readings, size_t count, size_t orders, Visit visit) {
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
            if (n == 1) {
                level.start(count, units);
                for (size_t t = 0; t < count; ++t) tally(t, n, level.row(t));
            } else {
                level.table.reset(units, vocabulary_.size(), tokens);
                if (count == 1) level.start(1, tokens);  // the most that there can be
                level.table.interning([&](auto& intern) {
                    for (size_t t = 0; t < count; ++t)
                        lengthen(t, n, intern, count == 1 ? level.row(0) : nullptr);
                });
                units = level.table.size();
                level.stride = units + 1;
                if (count > 1) {
                    level.start(count, units);
                    for (size_t t = 0; t < count; ++t) tally(t, n, level.row(t));
                }
            }
            for (size_t t = 0; t < count; ++t)
                visit(n, t, ids_.data() + starts_[t], static_cast<const int32_t*>(level.row(t)));
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
    void count(const Text& reading, std::vector<uint32_t>& ids, std::vector<int32_t>& counts,
               Visit visit) const {
        const size_t size = reading.size, orders = levels_.size();
        const size_t room = size + orders;  // behind the last token there is none of a reference
        if (ids.size() < 3 * room) grow(ids, 3 * room);
        uint32_t* const tokens = ids.data();
        uint32_t* const grams = tokens + room;
        uint32_t* const begins = grams + room;  // of the grams, which only those in references have
        vocabulary_.find(reading.keys.data(), size, tokens);
        std::fill(tokens + size, tokens + room, 0);
        size_t kept = 0;
        for (const auto [begin, end] : pieces(size))
            for (size_t i = begin; i < end; ++i) {
                grams[kept] = tokens[i];
                begins[kept] = static_cast<uint32_t>(i);
                kept += tokens[i] != 0;
            }
        for (size_t n = 1; n <= orders; ++n) {
            const Level& level = levels_[n - 1];
            if (n > 1)
                level.table.finding([&](auto find) {
                    const uint32_t* const last = tokens + n - 1;
                    size_t found = 0;
                    for (const auto [begin, end] : pieces(kept))
                        for (size_t k = begin; k < end; ++k) {
                            const uint32_t start = begins[k], id = find(grams[k], last[start]);
                            grams[found] = id;
                            begins[found] = start;
                            found += id != 0;
                        }
                    kept = found;
                });
            int32_t* const numbers = zeros(counts, level.stride);
            each_piece(kept, [=](size_t begin, size_t end) noexcept {
                for (size_t k = begin; k < end; ++k) ++numbers[grams[k]];
            });
            visit(n, static_cast<const int32_t*>(numbers), level);
        }
    }

    void shrink() {  // what only building needed
        std::vector<uint32_t>().swap(ids_);
        std::vector<uint32_t>().swap(tokens_);
    }

  private:
    // From the numbers of the n-1-grams of a text to those of its n-grams, which are counted unless
    // `counts` is null.
    template <class Intern>
    void lengthen(size_t text, size_t n, Intern& intern, int32_t* counts) {
        uint32_t* const ids = ids_.data() + starts_[text];
        const uint32_t* const last = tokens_.data() + starts_[text] + n - 1;
        const size_t grams = grams_of(sizes[text], n);
        for (const auto [begin, end] : pieces(grams)) {
            if (counts)
                for (size_t i = begin; i < end; ++i) ++counts[ids[i] = intern(ids[i], last[i])];
            else
                for (size_t i = begin; i < end; ++i) ids[i] = intern(ids[i], last[i]);
        }
    }

    void tally(size_t text, size_t n, int32_t* counts) const {
        const uint32_t* const ids = ids_.data() + starts_[text];
        each_piece(grams_of(sizes[text], n), [=](size_t begin, size_t end) noexcept {
            for (size_t i = begin; i < end; ++i) ++counts[ids[i]];
        });
    }

    Numbers vocabulary_;
    std::vector<Level> levels_;
    std::vector<size_t> starts_;
    std::vector<uint32_t> ids_, tokens_;
};

using WordLevels = GramLevels<Vocabulary, Reading>;
using CharacterLevels = GramLevels<Alphabet, Characters>;

}  // namespace summeval
