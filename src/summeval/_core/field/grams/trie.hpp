// The n-grams of characters of one text, of all orders up to one, and how many of them another has.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "field/tokenizers/characters.hpp"
#include "rows/stop.hpp"

namespace summeval {

// A trie of the n-grams of a text. An n-gram that the text has once is followed no further: at its
// place all longer ones are compared at once, as 8 bytes, with what another text has. So the trie
// is small, and its nodes are tables with a column for each character of the text.
//
// Only texts of up to MOST characters, of up to KINDS kinds, with orders up to ORDERS.
class GramTrie {
  public:
    static constexpr size_t MOST = size_t{1} << 14, KINDS = 250, ORDERS = 8;

    // What counting needs, for one text after the other.
    struct Room {
        std::vector<uint8_t> text;
        std::vector<uint64_t> met;  // of each place, a byte for each order that was met there
        std::vector<int32_t> counts, places, rows, once, once_places;
        size_t size = 0;  // characters
    };

    size_t size = 0;

    // Whether the text fits. `all`: blanks are characters, too.
    bool build(View text, bool all, size_t orders, Room& room) {
        orders_ = orders;
        if (!intern(text, all)) return false;
        columns_ = kinds_ + 2;
        std::memset(text_.data() + size, static_cast<int>(kinds_ + 1), PADDED);  // in no other text
        int32_t* const counts = space(counts_, kinds_ + 1);
        std::memset(counts, 0, (kinds_ + 1) * sizeof(int32_t));
        for (size_t i = 0; i < size; ++i) ++counts[text_[i]];
        starts_.assign(1, 0);
        ends_.assign(1, kinds_ + 1);
        int32_t* const places = space(room.places, size);
        int32_t* const rows = space(room.rows, size);
        for (size_t i = 0; i < size; ++i) {
            places[i] = static_cast<int32_t>(i);
            rows[i] = text_[i];
        }
        size_t begin = 0, left = size, nodes = kinds_ + 1;
        for (size_t n = 2; n <= orders; ++n) {
            starts_.push_back(begin);
            const size_t cells = nodes * columns_;
            if (cells_.size() < begin + cells) grow(cells_, begin + cells);
            std::memset(cells_.data() + begin, 0, cells * sizeof(int16_t));
            left = lengthen(n, cells_.data() + begin, left, room, nodes);
            begin += cells;
        }
        return true;
    }

    // shared[n - 1]: how many n-grams of order n both texts have. room.size: the characters.
    void count(View text, bool all, Room& room, uint64_t* shared) const {
        find(text, all, room);
        const size_t own = room.size;
        const uint8_t* const read = room.text.data();
        std::fill(shared, shared + orders_, 0);
        int32_t* const counts = space(room.counts, ends_.back());
        std::memset(counts, 0, ends_.back() * sizeof(int32_t));
        for (const auto [from, to] : pieces(own))
            for (size_t i = from; i < to; ++i) ++counts[read[i]];
        shared[0] = minima(counts, 1, ends_[0]);
        uint64_t* const met = space(room.met, size + 1);
        std::memset(met, 0, size * sizeof(uint64_t));
        int32_t* const places = space(room.places, own);
        int32_t* const rows = space(room.rows, own);
        int32_t* const once = space(room.once, own);
        int32_t* const once_places = space(room.once_places, own);
        size_t left = own;
        for (size_t n = 2; n <= orders_ && left; ++n) {
            const int16_t* const cells = cells_.data() + starts_[n - 1];
            int32_t* const more = counts + ends_[n - 2] - 1;
            size_t kept = 0, single = 0;
            const auto sort = [&](size_t i, size_t row) {
                const int32_t found = cells[row * columns_ + read[i + n - 1]];
                places[kept] = once[single] = static_cast<int32_t>(i);
                rows[kept] = found;
                once_places[single] = ~found;
                kept += found > 0;
                single += found < 0;
            };
            for (const auto [from, to] : pieces(left))
                if (n == 2)
                    for (size_t k = from; k < to; ++k) sort(k, read[k]);
                else
                    for (size_t k = from; k < to; ++k)
                        sort(static_cast<size_t>(places[k]), static_cast<size_t>(rows[k]));
            for (const auto [from, to] : pieces(kept))
                for (size_t k = from; k < to; ++k) ++more[rows[k]];
            shared[n - 1] += minima(counts, ends_[n - 2], ends_[n - 1]);
            for (const auto [from, to] : pieces(single))
                for (size_t k = from; k < to; k += EACH)
                    compare(read, met, once, once_places, k, std::min(k + EACH, to), n, shared);
            left = kept;
        }
    }

    void shrink() {
        cells_.shrink_to_fit();
        counts_.shrink_to_fit();
    }

  private:
    static constexpr size_t PADDED = 8, NEAR = 128, FAR = 512, EACH = 255;
    static constexpr std::array<bool, NEAR> NEAR_BLANKS = [] {
        std::array<bool, NEAR> blanks{};
        for (uint32_t code = 0; code < NEAR; ++code) blanks[code] = is_blank(code);
        return blanks;
    }();

    template <class T>
    static T* space(std::vector<T>& items, size_t size) {
        if (items.size() < size) grow(items, size + size / 2);
        return items.data();
    }

    // Numbers the characters of the text from 1 on: writes them as bytes, of ASCII or from NEAR on,
    // then the number of each byte. (Without branches for blanks, which would be guessed wrong.)
    bool intern(View text, bool all) {
        const size_t bytes = static_cast<size_t>(text.size);
        if (bytes > 4 * MOST) return false;
        far_.clear();
        std::memset(numbers_, 0, sizeof numbers_);  // first whether there are such bytes
        uint8_t* const out = space(text_, bytes + PADDED);
        const auto* const from = reinterpret_cast<const unsigned char*>(text.data);
        size_t count = 0, far = 0;
        for (size_t at = 0; at < bytes;) {
            for (; at < bytes && from[at] < NEAR; ++at) {
                const bool kept = all | !NEAR_BLANKS[from[at]];
                out[count] = from[at];
                numbers_[from[at]] |= kept;
                count += kept;
            }
            if (at == bytes) break;
            uint32_t code;
            at += unicode::read_character(from + at, bytes - at, code);
            if (!all && is_blank(code)) continue;
            if (far_.empty()) {
                far_.assign(FAR, 0);
                far_bytes_.assign(FAR, 0);
            }
            const size_t slot = far_slot(code);
            if (far_[slot] == 0) {
                if (far == KINDS - NEAR) return false;
                far_[slot] = code;
                far_bytes_[slot] = static_cast<uint8_t>(NEAR + far);
                numbers_[NEAR + far++] = 1;
            }
            out[count++] = far_bytes_[slot];
        }
        kinds_ = 0;
        for (size_t byte = 0; byte < NEAR + far; ++byte) {
            kinds_ += numbers_[byte];
            numbers_[byte] = static_cast<uint8_t>(numbers_[byte] ? kinds_ : 0);
        }
        for (size_t k = 0; k < count; ++k) out[k] = numbers_[out[k]];
        size = count;
        return size <= MOST;
    }

    // Writes the numbers of the characters; 0 for those that the text has not.
    void find(View text, bool all, Room& room) const {
        const size_t bytes = static_cast<size_t>(text.size);
        uint8_t* const out = space(room.text, bytes + PADDED);
        const auto* const from = reinterpret_cast<const unsigned char*>(text.data);
        size_t count = 0, at = 0;
        Pace pace;
        while (at < bytes) {
            const size_t begin = at, piece = std::min(bytes, at + stop::STEPS);
            for (; at < piece && from[at] < NEAR; ++at) {  // most texts have few others
                out[count] = numbers_[from[at]];
                count += all | !NEAR_BLANKS[from[at]];
            }
            if (at < piece) {
                uint32_t code;
                const size_t length = unicode::read_character(from + at, bytes - at, code);
                out[count] = far_.empty() ? 0 : far_found(code);
                count += all || !is_blank(code);
                at += length;
            }
            pace(at - begin);
        }
        std::memset(out + count, 0, PADDED);
        room.size = count;
    }

    uint8_t far_found(uint32_t code) const noexcept {
        const size_t slot = far_slot(code);
        return far_[slot] == code ? numbers_[far_bytes_[slot]] : 0;
    }
    size_t far_slot(uint32_t code) const noexcept {
        size_t slot = (code * 0x9E3779B1u) >> 23;
        while (far_[slot] != 0 && far_[slot] != code) slot = (slot + 1) % FAR;
        return slot;
    }

    // From the nodes of the places whose n-1-grams the text has several times to those whose
    // n-grams it has: their rows, by which `nodes` ends. Cells become rows, or ~ of the one place.
    size_t lengthen(size_t n, int16_t* cells, size_t left, Room& room, size_t& nodes) {
        int32_t* const places = room.places.data();
        int32_t* const rows = room.rows.data();
        int32_t* const at = space(room.once, left);
        int32_t* const counts = space(room.once_places, left + 1);
        const uint8_t* const text = text_.data();
        std::memset(counts, 0, (left + 1) * sizeof(int32_t));
        int32_t last = 0;
        for (size_t k = 0; k < left; ++k) {  // without branches, as all loops here
            const size_t cell = static_cast<size_t>(rows[k]) * columns_ +
                                text[static_cast<size_t>(places[k]) + n - 1];
            const int32_t found = cells[cell], fresh = found == 0;
            last += fresh;
            const int32_t number = found | (last & -fresh);
            ++counts[number];
            cells[cell] = static_cast<int16_t>(number);
            at[k] = static_cast<int32_t>(cell);
            rows[k] = number;
        }
        const size_t begin = ends_.back();
        if (counts_.size() < begin + left + 1) grow(counts_, begin + left + 1);
        int32_t* const kept_counts = counts_.data() + begin;
        int32_t several = 0;
        for (int32_t number = 1; number <= last; ++number) {
            const int32_t count = counts[number], more = count > 1;
            kept_counts[several] = count;
            several += more;
            counts[number] = several & -more;
        }
        size_t kept = 0;
        for (size_t k = 0; k < left; ++k) {
            const int32_t row = counts[rows[k]];
            cells[at[k]] = static_cast<int16_t>(row ? row : ~places[k]);
            places[kept] = places[k];
            rows[kept] = row;
            kept += row != 0;
        }
        ends_.push_back(begin + static_cast<size_t>(several));
        nodes = static_cast<size_t>(several) + 1;
        return kept;
    }

    uint64_t minima(const int32_t* counts, size_t begin, size_t end) const noexcept {
        int32_t sum = 0;
        for (size_t k = begin; k < end; ++k) sum += std::min(counts[k], counts_[k]);
        return static_cast<uint64_t>(sum);
    }

    // Adds up to 255 of the n-grams that the text has once, and all longer ones there.
    void compare(const uint8_t* read, uint64_t* met, const int32_t* once, const int32_t* places,
                 size_t begin, size_t end, size_t n, uint64_t* shared) const noexcept {
        uint64_t sum = 0;  // a byte for each order
        for (size_t k = begin; k < end; ++k) {
            uint64_t left, right;
            std::memcpy(&left, read + once[k], sizeof left);
            std::memcpy(&right, text_.data() + places[k], sizeof right);
            const uint64_t apart = left ^ right;
            const uint64_t same = ((apart & (0 - apart)) - 1) & 0x8080808080808080u;
            sum += (same & ~met[places[k]]) >> 7;
            met[places[k]] |= same;
        }
        for (; n <= orders_; ++n) shared[n - 1] += sum >> 8 * (n - 1) & 255;
    }

    size_t orders_ = 0, kinds_ = 0, columns_ = 0;
    uint8_t numbers_[256] = {};  // of bytes
    std::vector<uint32_t> far_;  // characters beyond ASCII, and their bytes
    std::vector<uint8_t> far_bytes_, text_;
    std::vector<int16_t> cells_;
    std::vector<size_t> starts_;   // of the cells of each order
    std::vector<int32_t> counts_;  // of the nodes that have rows, order by order
    std::vector<size_t> ends_;     // of the counts of each order
};

}  // namespace summeval
