// ROUGE-1, -2, -L and -Lsum against a reference of at most 128 tokens: the positions that each type
// of token has in the reference are the bits of a mask, and one walk over the masks of the
// candidate's tokens counts everything.
//
// Types own disjoint positions. So a token of the candidate hits a unigram if a position of its mask
// is free, which it then takes; a bigram if a position is free at which its type follows that of the
// token before. No counts are kept and nothing is cleared. Lines, which -Lsum compares, have a bit
// between them that no token owns: it stops the carries of the LCS.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "overlap/lcs.hpp"
#include "rows/units.hpp"
#include "text/analysis.hpp"

namespace summeval {

// A set of up to 128 positions, and as a number what the LCS adds and subtracts.
struct Wide {
    uint64_t low, high;

    friend Wide operator&(Wide a, Wide b) noexcept { return {a.low & b.low, a.high & b.high}; }
    friend Wide operator|(Wide a, Wide b) noexcept { return {a.low | b.low, a.high | b.high}; }
    friend Wide operator^(Wide a, Wide b) noexcept { return {a.low ^ b.low, a.high ^ b.high}; }
    friend Wide operator+(Wide a, Wide b) noexcept {
        const uint64_t low = a.low + b.low;
        return {low, a.high + b.high + (low < b.low)};
    }
    friend Wide operator-(Wide a, Wide b) noexcept {
        return {a.low - b.low, a.high - b.high - (a.low < b.low)};
    }
    friend Wide operator<<(Wide a, int by) noexcept {  // by 1 or 2
        return {a.low << by, a.high << by | a.low >> (64 - by)};
    }
    Wide operator~() const noexcept { return {~low, ~high}; }
};

namespace positions {

template <class Set>
Set none() noexcept;
template <>
inline uint64_t none() noexcept { return 0; }
template <>
inline Wide none() noexcept { return {0, 0}; }

template <class Set>
Set one(unsigned bit) noexcept;
template <>
inline uint64_t one(unsigned bit) noexcept { return uint64_t{1} << bit; }
template <>
inline Wide one(unsigned bit) noexcept {
    const uint64_t word = uint64_t{1} << (bit & 63);
    return bit < 64 ? Wide{word, 0} : Wide{0, word};
}

inline bool any(uint64_t set) noexcept { return set != 0; }
inline bool any(Wide set) noexcept { return (set.low | set.high) != 0; }
inline unsigned count(uint64_t set) noexcept { return count_bits(set); }
inline unsigned count(Wide set) noexcept { return count_bits(set.low) + count_bits(set.high); }

// The set without its lowest position.
inline uint64_t but_lowest(uint64_t set) noexcept { return set & (set - 1); }
inline Wide but_lowest(Wide set) noexcept {
    const uint64_t low_empty = set.low == 0;
    return {set.low & (set.low - 1), set.high & (set.high - low_empty)};
}

// The highest position alone, of a set that has one.
inline uint64_t highest(uint64_t set) noexcept { return uint64_t{1} << highest_bit(set); }
inline Wide highest(Wide set) noexcept {
    return set.high ? Wide{0, highest(set.high)} : Wide{highest(set.low), 0};
}

}  // namespace positions

// The positions of one line of a reference: first <= position < end.
struct LinePlace {
    unsigned first, end;
};

// A reference of at most 128 tokens, and lines between them.
class ShortReference {
  public:
    static constexpr size_t MOST = 128;         // tokens, and bits between lines
    static constexpr int64_t MOST_BYTES = 1024;  // longer texts are not looked at

    // False if the text is too long; the object then holds no reference.
    bool read(View view, bool lines, Reader& reader) {
        if (view.size > MOST_BYTES) return false;
        Windows& windows = reader.windows();
        windows.start(view, lines);
        const bool found = windows.find();
        if (windows.size() > MOST) return false;
        clear();
        numbered_ = reader.numbers_forms();
        if (numbered_ && !forms_) forms_.emplace(FormNumbers::MOST + 1);
        if (found) numbered_ ? windows.make_numbers(reader) : windows.make_keys(reader);
        size_ = bits_ = static_cast<unsigned>(windows.size());
        lines_.clear();
        if (lines) place(windows.line_ends());
        if (bits_ > MOST) return false;
        make_room(reader.reads_few() ? SLOTS : std::min(SLOTS, power_of_two_above(32 * size_)));
        wide() ? number(windows, wide_.data()) : number(windows, narrow_.data());
        return true;
    }

    // Frees the memory that only another reading would need.
    void shrink() noexcept { taken_ = std::vector<uint16_t>(); }

    size_t size() const noexcept { return size_; }
    bool wide() const noexcept { return bits_ > 64; }
    bool numbered() const noexcept { return numbered_; }  // wants numbers of forms, not keys
    const std::vector<LinePlace>& lines() const noexcept { return lines_; }

    // The positions of each token.
    void find(const Windows& windows, uint64_t* out) const noexcept {
        find(windows, narrow_.data(), out);
    }
    void find(const Windows& windows, Wide* out) const noexcept { find(windows, wide_.data(), out); }

  private:
    static constexpr size_t SLOTS = size_t{1} << KEY_HASH_BITS;  // at most

    // Where types are found; a loop holds it in locals.
    struct Slots {
        uint8_t* numbers;
        const Key* keys;
        size_t last;

        // The slot of a key, or the free one where it would be put; `number` is what it holds.
        // Whether a type is known cannot be predicted, so the only branch is on what is rare:
        // another type has the slot.
        size_t find(const Key& key, size_t hash, int& number) const noexcept {
            for (size_t slot = hash & last;; slot = (slot + 1) & last) {
                number = numbers[slot];
                if (!(keys_differ(keys[number], key) & -number)) return slot;
            }
        }
    };

    // As much as this reference needs, since there may be many, and kept for the next one. More
    // slots than that make it rarer that another type has the slot.
    void make_room(size_t slots) {
        last_ = slots - 1;
        if (size_ >= room_ || slots > slots_.size()) enlarge(slots);
        if (wide() && size_ >= wide_.size()) wide_.resize(size_ + 1);
    }

    SUMMEVAL_SELDOM void enlarge(size_t slots) {
        room_ = std::max<size_t>(room_, size_ + 1);
        taken_.resize(room_);
        keys_.resize(room_);
        narrow_.resize(std::min<size_t>(room_, 64 + 1));
        slots_.resize(std::max(slots_.size(), slots));
    }

    template <class Set>
    void find(const Windows& windows, const Set* masks, Set* out) const noexcept {
        const Key* const keys = windows.keys();
        const uint16_t* const hashes = windows.hashes();
        const size_t count = windows.size();
        if (numbered_) {
            const uint8_t* const forms = forms_->data();
            for (size_t k = 0; k < count; ++k) out[k] = masks[forms[windows.numbers()[k]]];
            return;
        }
        const Slots slots{const_cast<uint8_t*>(slots_.data()), keys_.data(), last_};
        for (size_t k = 0; k < count; ++k) {
            int number;
            slots.find(keys[k], hashes[k], number);
            out[k] = masks[number];
        }
    }

    // Leaves a bit between lines, if there are several.
    void place(const std::vector<uint32_t>& ends) {
        unsigned begin = 0, at = 0;
        for (const uint32_t end : ends) {
            lines_.push_back({at, at + end - begin});
            at += end - begin + 1;
            begin = end;
        }
        if (at) bits_ = at - 1;
    }

    // Frees the slots of the reference before.
    void clear() noexcept {
        uint8_t* const slots = numbered_ ? forms_->data() : slots_.data();
        const uint16_t* const taken = taken_.data();
        for (size_t k = 0, used = used_; k < used; ++k) slots[taken[k]] = 0;
        used_ = 0;
    }

    template <class Set>
    void number(const Windows& windows, Set* masks) noexcept {
        if (lines_.size() < 2) return number_some(windows, 0, size_, 0, masks);
        size_t begin = 0;
        for (const LinePlace line : lines_) {
            const size_t end = begin + line.end - line.first;
            number_some(windows, begin, end, line.first, masks);
            begin = end;
        }
    }

    template <class Set>
    void number_some(const Windows& windows, size_t begin, size_t end, unsigned place,
                     Set* masks) noexcept {
        if (numbered_)
            number_forms(windows.numbers(), begin, end, place, masks);
        else
            number_line(windows, begin, end, place, masks);
    }

    // As number_line, where a form has a slot of its own.
    template <class Set>
    void number_forms(const uint16_t* found, size_t begin, size_t end, unsigned place,
                      Set* masks) noexcept {
        uint8_t* const forms = forms_->data();
        uint16_t* const taken = taken_.data();
        Set bit = positions::one<Set>(place);
        for (size_t k = begin; k < end; ++k) {
            const uint16_t form = found[k];
            const unsigned known = forms[form];
            const unsigned number = known ? known : static_cast<unsigned>(k + 1);
            masks[k + 1] = positions::none<Set>();
            taken[k] = form;
            forms[form] = static_cast<uint8_t>(number);
            masks[number] = masks[number] | bit;
            bit = bit << 1;
        }
        used_ = end;
    }

    // The type of a token has the number of its first token, from 1.
    template <class Set>
    void number_line(const Windows& windows, size_t begin, size_t end, unsigned place,
                     Set* masks) noexcept {
        const Key* const keys = windows.keys();
        const uint16_t* const hashes = windows.hashes();
        Key* const own = keys_.data();
        const Slots slots{slots_.data(), own, last_};
        uint16_t* const taken = taken_.data();
        Set bit = positions::one<Set>(place);
        for (size_t k = begin; k < end; ++k) {
            int number;
            const size_t slot = slots.find(keys[k], hashes[k], number);
            number = number ? number : static_cast<int>(k + 1);
            own[k + 1] = keys[k];
            masks[k + 1] = positions::none<Set>();
            taken[k] = static_cast<uint16_t>(slot);
            slots.numbers[slot] = static_cast<uint8_t>(number);
            masks[number] = masks[number] | bit;
            bit = bit << 1;
        }
        used_ = end;
    }

    unsigned size_ = 0;
    unsigned bits_ = 0;             // tokens, and bits between lines
    size_t used_ = 0;               // slots
    bool numbered_ = false;
    std::vector<LinePlace> lines_;
    size_t last_ = 0;               // slot
    size_t room_ = 0;               // for tokens, and one
    std::vector<uint8_t> slots_;    // the number of a type, 0: free
    std::optional<ZeroTable<uint8_t>> forms_;  // the same by the numbers of forms
    std::vector<uint16_t> taken_;   // slots
    std::vector<Key> keys_;         // and the two below: of a type's number
    std::vector<uint64_t> narrow_;
    std::vector<Wide> wide_;
};

struct ShortHits {
    unsigned unigrams, bigrams, lcs;
};

// One candidate, of any length, against a short reference.
class ShortCandidate {
  public:
    void start() noexcept { size_ = 0; }

    // Reads the next window; the functions below need all read for the same reference.
    void add(const Windows& windows, const ShortReference& reference) {
        if (reference.wide())
            add(windows, reference, wide_);
        else
            add(windows, reference, narrow_);
        size_ += windows.size();
    }
    void end(const std::vector<uint32_t>& line_ends) { line_ends_ = line_ends; }

    size_t size() const noexcept { return size_; }
    size_t lines() const noexcept { return line_ends_.size(); }

    ShortHits hits(const ShortReference& reference) const {
        const bool gaps = reference.lines().size() > 1;
        if (reference.wide()) return gaps ? count<true>(wide_, reference) : count<false>(wide_, reference);
        return gaps ? count<true>(narrow_, reference) : count<false>(narrow_, reference);
    }

    // Whether a line is too long for the rows of union_hits, by the limit of union_lcs_hits.
    bool has_long_line(const ShortReference& reference) const noexcept {
        size_t widest = 1, longest = 0, begin = 0;
        for (const LinePlace line : reference.lines())
            if (line.end - line.first > 64) widest = 2;
        for (const uint32_t end : line_ends_) {
            longest = std::max<size_t>(longest, end - begin);
            begin = end;
        }
        return longest + 1 > MAX_LCS_WORDS / widest && !reference.lines().empty();
    }

    // Hits of ROUGE-Lsum.
    int64_t union_hits(const ShortReference& reference) {
        return reference.wide() ? unite(wide_, wide_rows_, reference)
                                : unite(narrow_, narrow_rows_, reference);
    }

  private:
    template <class Set>
    void add(const Windows& windows, const ShortReference& reference, std::vector<Set>& masks) {
        reference.find(windows, TokenSpans::room(masks, size_ + windows.size() + 1) + size_);
    }

    template <bool GAPS, class Set>
    ShortHits count(const std::vector<Set>& masks, const ShortReference& reference) const {
        using namespace positions;
        Set last = none<Set>();  // of each line but the last one
        if (GAPS)
            for (const LinePlace line : reference.lines()) last = last | one<Set>(line.end - 1);
        const Set all = ~none<Set>();
        Set v = all, free = all, free_pairs = all, before = none<Set>();
        const Set* const mask = masks.data();
        for (const auto [begin, end] : pieces(size_)) {
            for (size_t k = begin; k < end; ++k) {
                const Set m = mask[k];
                v = (v + (v & m)) | (v & ~m);
                free = (free & ~m) | but_lowest(free & m);
                Set next = before << 1;
                if (GAPS) next = ((before & ~last) << 1) | ((before & last) << 2);
                const Set pairs = next & m;
                free_pairs = (free_pairs & ~pairs) | but_lowest(free_pairs & pairs);
                before = m;
            }
        }
        return {positions::count(~free), positions::count(~free_pairs), positions::count(~v)};
    }

    // As union_lcs_hits in lcs.hpp: for each pair of lines the positions of one LCS, by the same
    // rule; their union, of which each type keeps as many as the candidate has tokens.
    template <class Set>
    int64_t unite(const std::vector<Set>& masks, std::vector<Set>& kept,
                  const ShortReference& reference) {
        using namespace positions;
        Set lines = none<Set>();  // the positions of tokens, not those between lines
        for (const LinePlace line : reference.lines()) lines = lines | range<Set>(line);
        Set hits = none<Set>();
        size_t begin = 0;
        for (const uint32_t end : line_ends_) {
            Set* const rows = TokenSpans::room(kept, end - begin);
            const Set* const mask = masks.data() + begin;
            Set v = lines;
            for (const auto [from, to] : pieces(end - begin)) {
                for (size_t k = from; k < to; ++k) {
                    v = ((v + (v & mask[k])) | (v & ~mask[k])) & lines;
                    rows[k] = v;
                }
            }
            for (const LinePlace line : reference.lines())
                hits = hits | walk_back(mask, rows, end - begin, range<Set>(line));
            begin = end;
        }
        Set free = hits;
        for (const auto [from, to] : pieces(size_))
            for (size_t k = from; k < to; ++k)
                free = (free & ~masks[k]) | but_lowest(free & masks[k]);
        return positions::count(hits & ~free);
    }

    // The positions of one LCS of a line of the candidate and the `live` line of the reference.
    template <class Set>
    static Set walk_back(const Set* mask, const Set* rows, size_t size, Set line) {
        using namespace positions;
        Set live = line, found = none<Set>();
        Pace pace;
        for (size_t k = size; k-- > 0;) {
            pace(1);
            const Set stop = (mask[k] | ~rows[k]) & live;
            if (!any(stop)) break;
            const Set bit = highest(stop), taken = mask[k] & bit;
            found = found | taken;
            live = (bit + (bit - one<Set>(0)) - taken) & line;  // without `bit` if it was taken
        }
        return found;
    }

    template <class Set>
    static Set range(LinePlace line) noexcept {
        using namespace positions;
        const Set below = line.end == 8 * sizeof(Set) ? ~none<Set>() : one<Set>(line.end) - one<Set>(0);
        return below & ~(one<Set>(line.first) - one<Set>(0));
    }

    size_t size_ = 0;
    std::vector<uint64_t> narrow_, narrow_rows_;
    std::vector<Wide> wide_, wide_rows_;
    std::vector<uint32_t> line_ends_;
};

}  // namespace summeval
