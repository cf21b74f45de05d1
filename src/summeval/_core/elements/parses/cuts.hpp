// The Basic Elements of a document as flat arrays, and how they are built from what rules find. The
// definition is tests/definitions/elements/units.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "elements/parses/parses.hpp"
#include "elements/strings.hpp"

namespace summeval {

// Elements of a document. A part is written text|kind; where its text ends is kept.
struct Cut {
    struct Part {
        uint32_t begin, text, size;  // in `bytes`: of the text, and of the whole
    };
    std::string bytes;
    std::vector<Part> parts;
    std::vector<uint32_t> rule;   // of each element: the place of its name
    std::vector<uint32_t> first;  // of each element, and of none after the last, in `part`
    std::vector<uint32_t> part;
    // If asked for, beside `part`: the first and the last token that it stands for, in the document.
    std::vector<uint32_t> places;

    void clear() {
        bytes.clear();
        parts.clear();
        rule.clear();
        first.assign(1, 0);
        part.clear();
        places.clear();
    }
    size_t size() const noexcept { return rule.size(); }
    std::string_view text(uint32_t p) const noexcept {
        return {bytes.data() + parts[p].begin, parts[p].text};
    }
    std::string_view kind(uint32_t p) const noexcept {
        return whole(p).substr(parts[p].text + 1);
    }
    std::string_view whole(uint32_t p) const noexcept {
        return {bytes.data() + parts[p].begin, parts[p].size};
    }
};

// A token that rules found, as it is written.
struct Word {
    std::string_view form, kind;
    bool lowers;
};

// Tokens that count as one, and the text and kind of the part that they make.
struct Unit {
    std::string text, kind;
};

// Builds the elements of sentences, one after the other.
class Assembler {
  public:
    // `units` that replace tokens: over[t] is 0, or one more than the number of the unit.
    void begin(const std::vector<Unit>& units, const std::vector<uint32_t>& over, bool places,
               Cut& out) {
        units_ = &units;
        over_ = &over;
        places_ = places;
        out_ = &out;
        out.clear();
        unit_parts_.assign(units.size(), NONE);
    }

    // Adds what rules found in a sentence whose first token in the document is `start`; with
    // `sorted`, in the order of what elements look like.
    void add(const Grammar& grammar, const std::vector<Word>& words, uint32_t start,
             const std::vector<Found>& found, bool sorted) {
        words_ = &words;
        start_ = start;
        orders_ = 0;
        word_parts_.assign(words.size(), NONE);
        kept_.clear();
        size_t room = 16;
        while (room < 2 * found.size()) room *= 2;
        slots_.assign(room, 0);
        for (const Found& one : found) keep(grammar, one);
        if (sorted) {
            sort_kept();
            for (const Line& line : lines_) write(kept_[line.element]);
            return;
        }
        std::sort(kept_.begin(), kept_.end(),
                  [](const Kept& a, const Kept& b) { return a.order < b.order; });
        for (const Kept& one : kept_) write(one);
    }

  private:
    static constexpr uint32_t NONE = UINT32_MAX;
    using Units = std::array<int32_t, 3>;  // a token, or a unit as -1 - its number; then EMPTY
    static constexpr int32_t EMPTY = INT32_MAX;

    struct Kept {
        Units same, units;  // sorted; in the order of the rule
        std::array<uint32_t, 3> tokens;  // that the rule found, the first of each unit
        uint32_t rule, order;
    };
    struct Line {
        uint64_t head;  // its first bytes
        uint32_t rule, element;
    };

    const std::vector<Unit>* units_ = nullptr;
    const std::vector<uint32_t>* over_ = nullptr;
    const std::vector<Word>* words_ = nullptr;
    Cut* out_ = nullptr;
    bool places_ = false;
    uint32_t start_ = 0;
    std::vector<uint32_t> unit_parts_, word_parts_;
    std::vector<Kept> kept_;
    std::vector<uint32_t> slots_;  // open addressing: a kept element + 1, or 0
    std::vector<Line> lines_;
    std::string own_, other_, room_;
    Pace pace_;

    void keep(const Grammar& grammar, const Found& one) {
        pace_(32);
        Kept fresh{{{EMPTY, EMPTY, EMPTY}}, {{EMPTY, EMPTY, EMPTY}}, {}, grammar.rules[one.rule].name, 0};
        size_t size = 0;
        for (size_t k = 0; k < static_cast<size_t>(one.size); ++k) {
            const uint32_t over = (*over_)[start_ + static_cast<uint32_t>(one.tokens[k])];
            const int32_t unit = over ? -static_cast<int32_t>(over) : one.tokens[k];
            if (std::find(fresh.units.begin(), fresh.units.begin() + size, unit) !=
                fresh.units.begin() + size)
                continue;
            fresh.tokens[size] = start_ + static_cast<uint32_t>(one.tokens[k]);
            fresh.units[size++] = unit;
        }
        fresh.same = fresh.units;
        std::sort(fresh.same.begin(), fresh.same.end());
        fresh.order = ++orders_;
        uint32_t& slot = place(fresh.same);
        if (slot == 0) {
            kept_.push_back(fresh);
            slot = static_cast<uint32_t>(kept_.size());
        } else if (fresh.rule < kept_[slot - 1].rule) {
            kept_[slot - 1] = fresh;
        }
    }

    uint32_t& place(const Units& same) noexcept {
        uint64_t mixed = static_cast<uint32_t>(same[0]) * 0x9E3779B97F4A7C15ull;
        mixed = (mixed ^ (mixed >> 29) ^ static_cast<uint32_t>(same[1])) * 0xBF58476D1CE4E5B9ull;
        mixed = (mixed ^ (mixed >> 32) ^ static_cast<uint32_t>(same[2])) * 0x94D049BB133111EBull;
        size_t at = static_cast<size_t>(mixed >> 32) & (slots_.size() - 1);
        while (slots_[at] != 0 && kept_[slots_[at] - 1].same != same)
            at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }

    // Sorts by rule, then by the parts as they are written, then by order.
    void sort_kept() {
        lines_.clear();
        pace_(32 * kept_.size());
        for (size_t k = 0; k < kept_.size(); ++k)
            lines_.push_back({head(kept_[k].units), kept_[k].rule, static_cast<uint32_t>(k)});
        std::sort(lines_.begin(), lines_.end(), [this](const Line& a, const Line& b) {
            if (a.rule != b.rule) return a.rule < b.rule;
            if (a.head != b.head) return a.head < b.head;
            const Kept &own = kept_[a.element], &other = kept_[b.element];
            write_out(own.units, own_);
            write_out(other.units, other_);
            pace_(8 + std::min(own_.size(), other_.size()) / 8);
            const int found = own_.compare(other_);
            return found != 0 ? found < 0 : own.order < other.order;
        });
    }

    // The first eight bytes of an element as it is written, as a number.
    uint64_t head(const Units& units) {
        uint64_t head = 0;
        int left = 8;
        for (const int32_t unit : units) {
            if (unit == EMPTY) break;
            if (left < 8 && left > 0) head |= uint64_t{'+'} << 8 * --left;
            const std::string_view whole = out_->whole(part_of(unit));
            for (size_t k = 0; k < whole.size() && left > 0; ++k)
                head |= uint64_t{static_cast<unsigned char>(whole[k])} << 8 * --left;
        }
        return head;
    }

    void write_out(const Units& units, std::string& out) {
        out.clear();
        for (const int32_t unit : units) {
            if (unit == EMPTY) break;
            const std::string_view whole = out_->whole(part_of(unit));
            room_for(out, whole.size() + 1);
            if (!out.empty()) out.push_back('+');
            out.append(whole);
        }
    }

    void write(const Kept& one) {
        out_->rule.push_back(one.rule);
        for (size_t k = 0; k < one.units.size(); ++k) {
            if (one.units[k] == EMPTY) break;
            out_->part.push_back(part_of(one.units[k]));
            if (places_) place_token(one.tokens[k]);
        }
        out_->first.push_back(static_cast<uint32_t>(out_->part.size()));
    }

    // The tokens that are one with a token, those beside it.
    void place_token(uint32_t token) {
        uint32_t first = token, last = token;
        if (const uint32_t over = (*over_)[token]; over != 0) {
            while (first > 0 && (*over_)[first - 1] == over) --first;
            while (last + 1 < over_->size() && (*over_)[last + 1] == over) ++last;
        }
        pace_(last - first);
        out_->places.insert(out_->places.end(), {first, last});
    }

    uint32_t part_of(int32_t unit) {
        if (unit < 0) {
            uint32_t& known = unit_parts_[static_cast<size_t>(-1 - unit)];
            if (known == NONE) {
                const Unit& its = (*units_)[static_cast<size_t>(-1 - unit)];
                known = add_part(its.text, its.kind);
            }
            return known;
        }
        uint32_t& known = word_parts_[static_cast<size_t>(unit)];
        if (known == NONE) {
            const Word& word = (*words_)[static_cast<size_t>(unit)];
            known = add_part(word.lowers ? lower_case(word.form, room_) : word.form, word.kind);
        }
        return known;
    }

    uint32_t add_part(std::string_view text, std::string_view kind) {
        text = without_period(text);
        const uint32_t begin = room_for(out_->bytes, text.size() + kind.size() + 1);
        pace_((text.size() + kind.size()) / 8);
        out_->bytes.append(text);
        out_->bytes.push_back('|');
        out_->bytes.append(kind);
        out_->parts.push_back({begin, static_cast<uint32_t>(text.size()),
                               static_cast<uint32_t>(text.size() + kind.size() + 1)});
        return static_cast<uint32_t>(out_->parts.size()) - 1;
    }

    // Where text may be added that stays below 2^31 bytes.
    static uint32_t room_for(const std::string& bytes, size_t more) {
        if (bytes.size() + more > INT32_MAX) throw std::bad_alloc();
        return static_cast<uint32_t>(bytes.size());
    }

    uint32_t orders_ = 0;
};

}  // namespace summeval
