// What a score of shared units comes from, item by item, and where the items stand in the texts,
// in numbers: an explanation before Python makes objects of it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "rows/units.hpp"

namespace summeval {

// The tokens of a text: numbers that equal ones share, and where each stands, in characters.
struct PlacedText {
    std::vector<uint32_t> ids, begins, ends;
    std::vector<uint32_t> lines;  // how many tokens the text has up to the end of each line
    std::vector<uint8_t> function;
    size_t size = 0;

    // The line after a token.
    bool ends_line(size_t token) const noexcept {
        return std::binary_search(lines.begin(), lines.end(), static_cast<uint32_t>(token + 1));
    }
};

// Notes where the tokens stand of a text that a reader has just read.
inline void place_tokens(View text, Reader& reader, const Reading& reading, PlacedText& out) {
    out.begins.resize(out.size);
    out.ends.resize(out.size);
    int64_t at = 0;
    uint32_t characters = 0;
    const auto character = [&](uint32_t edge) {
        for (; at < edge; ++at)
            characters += !unicode::is_continuation(static_cast<unsigned char>(text.data[at]));
        return characters;
    };
    Pace pace;
    size_t k = 0;
    reader.each_place(text, reading, [&](uint32_t begin, uint32_t end) {
        pace(end - static_cast<uint64_t>(at));
        out.begins[k] = character(begin);
        out.ends[k++] = character(end);
    });
}

// Reads texts, numbers their tokens and notes where these stand, unless Python made them.
class Placer {
  public:
    explicit Placer(const Analyzer& analyzer) : analyzer_(analyzer), reader_(analyzer_) {}

    // Fills the texts of the views, the same number; `lcs`: the words that ROUGE-L and ROUGE-W read.
    int read(const std::vector<View>& views, bool lcs, std::vector<PlacedText>& out) {
        readings_.resize(views.size());
        size_t total = 0;
        for (size_t k = 0; k < views.size(); ++k) {
            if (views[k].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            const Prefixes kept = reader_.limit(views[k]);
            const View text{views[k].data, lcs ? kept.lcs : kept.text};
            Reading& reading = readings_[k];
            reader_.read(text, true, reading);
            PlacedText& placed = out[k];
            placed.size = reading.size;
            placed.lines.assign(reading.line_ends.begin(), reading.line_ends.end());
            if (analyzer_.flags_functions)
                placed.function.assign(
                    reading.function.begin(),
                    reading.function.begin() + static_cast<std::ptrdiff_t>(reading.size));
            if (analyzer_.tokenizer != TOKENS_SPLIT) place_tokens(text, reader_, reading, placed);
            total += reading.size;
        }
        vocabulary_.reset(total);
        for (size_t k = 0; k < views.size(); ++k) {
            out[k].ids.resize(out[k].size);
            vocabulary_.intern(readings_[k].keys.data(), out[k].size, out[k].ids.data());
        }
        return OK;
    }

    size_t numbers() const noexcept { return vocabulary_.size(); }

  private:
    Analyzer analyzer_;
    Reader reader_;
    Vocabulary vocabulary_;
    std::vector<Reading> readings_;
};

// Where a unit occurs: from its first to its last token; a pair of words at both.
struct Occurrence {
    uint32_t unit, first, last;
};

// The occurrences of units of one kind in a text, in their order and by unit. Units are numbered
// from 1.
struct UnitList {
    std::vector<Occurrence> all;
    std::vector<uint32_t> starts, sorted;

    void group(size_t units) {
        starts.assign(units + 2, 0);
        sorted.resize(all.size());
        Pace pace;
        for (const Occurrence& one : all) {
            ++starts[one.unit + 1];
            pace(1);
        }
        for (size_t u = 1; u < starts.size(); ++u) starts[u] += starts[u - 1];
        std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
        for (size_t k = 0; k < all.size(); ++k, pace(2))
            sorted[next[all[k].unit]++] = static_cast<uint32_t>(k);
    }
    size_t count(size_t unit) const noexcept { return starts[unit + 1] - starts[unit]; }
    const Occurrence& at(size_t unit, size_t k) const noexcept {
        return all[sorted[starts[unit] + k]];
    }
    // Whether a place has the first occurrence of its unit.
    bool is_first(size_t k) const noexcept { return sorted[starts[all[k].unit]] == k; }
};

// Lists units of several texts.
class UnitLister {
  public:
    // All runs of `order` tokens; returns how many different ones there are.
    size_t grams(const std::vector<PlacedText>& texts, size_t words, size_t order,
                 std::vector<UnitList>& out) {
        out.resize(texts.size());
        size_t total = 0, units = words;
        for (size_t t = 0; t < texts.size(); ++t) {
            const size_t size = texts[t].size >= order ? texts[t].size - order + 1 : 0;
            out[t].all.resize(size);
            for (size_t k = 0; k < size; ++k) {
                const auto first = static_cast<uint32_t>(k);
                out[t].all[k] = {texts[t].ids[k], first, first + static_cast<uint32_t>(order) - 1};
            }
            total += size;
        }
        for (size_t n = 1; n < order; ++n) {
            table_.reset(units, words, total);
            table_.interning([&](auto& intern) {
                Pace pace;
                for (size_t t = 0; t < texts.size(); ++t)
                    for (size_t k = 0; k < out[t].all.size(); ++k, pace(4))
                        out[t].all[k].unit = intern(out[t].all[k].unit, texts[t].ids[k + n]);
            });
            units = table_.size();
        }
        return units;
    }

    // All pairs of tokens with at most `gap` between (below 0: any number), within lines if not
    // `crossing`; with `words` also each token but the last.
    size_t pairs(const std::vector<PlacedText>& texts, size_t words, int gap, bool crossing,
                 bool unigrams, std::vector<UnitList>& out) {
        out.resize(texts.size());
        uint64_t total = 0;
        for (const PlacedText& text : texts) total += skip_pairs(text.size, gap);
        table_.reset(words, words, total);
        table_.interning([&](auto& intern) {
            for (size_t t = 0; t < texts.size(); ++t) {
                const PlacedText& text = texts[t];
                out[t].all.clear();
                out[t].all.reserve(skip_pairs(text.size, gap) + (unigrams ? text.size : 0));
                size_t begin = 0, next = 0;
                const auto visit = [&](size_t i, size_t j) {
                    if (unigrams && i == next) {
                        const auto token = static_cast<uint32_t>(next++);
                        out[t].all.push_back({SINGLE | text.ids[i], token, token});
                    }
                    out[t].all.push_back({intern(text.ids[i], text.ids[j]),
                                          static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
                };
                if (crossing) {
                    each_skip_pair(0, text.size, gap, visit);
                } else {
                    for (const uint32_t end : text.lines) {
                        each_skip_pair(begin, end, gap, visit);
                        begin = end;
                    }
                }
            }
        });
        const uint32_t units = table_.size();
        if (!unigrams) return units;
        for (UnitList& list : out)
            for (Occurrence& one : list.all)
                if (one.unit & SINGLE) one.unit = units + (one.unit & ~SINGLE);
        return units + words;
    }

  private:
    static constexpr uint32_t SINGLE = uint32_t{1} << 31;
    PairTable table_;
};

// Words from `first` to `last` of a text, in one place.
struct Spot {
    uint32_t text, first, last;
};

// A item of a score. What names it and where it stands ends before these places in lists of Items;
// it begins where the one before ends.
struct Item {
    size_t names, other_names;  // of words of `text`, and of `other_text`: "cats = cat"
    size_t own, theirs;         // of spots in the candidate and in the references
    uint32_t text, other_text;
    double share;
    bool opens;                 // its name is the first word of many units
    int kind;                   // of its details
    double details[4];
};

enum Details : int { NONE = 0, PAIRS = 1, FLOW = 2, GROUP = 3, ALIKE = 4 };

// Characters of a text.
struct Place {
    uint32_t text, begin, end;
    bool operator<(const Place& other) const noexcept {
        return std::tie(text, begin, end) < std::tie(other.text, other.begin, other.end);
    }
};

// Items of a score of the first of some texts.
struct Items {
    std::vector<PlacedText> texts;
    std::vector<Item> all;
    std::vector<uint32_t> names;
    std::vector<Spot> own, theirs;
    bool openings = false;  // of the items that are added

    // Adds a item of what was added to the lists.
    void end(uint32_t text, double share, int kind = NONE) {
        all.push_back({names.size(), names.size(), own.size(), theirs.size(), text, text, share,
                       openings, kind, {0, 0, 0, 0}});
    }
    // Where a spot is; the references are numbered from 0, as the candidate is.
    Place at(const Spot& spot) const {
        const PlacedText& text = texts[spot.text];
        return {spot.text ? spot.text - 1 : 0, text.begins[spot.first], text.ends[spot.last]};
    }
    // Gives the last item the words of another text too.
    void also(uint32_t text) {
        all.back().other_names = names.size();
        all.back().other_text = text;
    }
};

// Adds the number of the text, the distance from the place before and the length of each place.
inline void append_near(const std::vector<Place>& places, int64_t& at, std::vector<int64_t>& out) {
    for (const Place& place : places) {
        out.insert(out.end(), {place.text, place.begin - at, place.end - place.begin});
        at = place.begin;
    }
}

// The same of places in their order, those that overlap as one.
inline std::vector<int64_t> joined(std::vector<Place>& places) {
    std::sort(places.begin(), places.end());
    size_t kept = 0;
    for (const Place& place : places) {
        if (kept && places[kept - 1].text == place.text && place.begin < places[kept - 1].end)
            places[kept - 1].end = std::max(places[kept - 1].end, place.end);
        else
            places[kept++] = place;
    }
    places.resize(kept);
    int64_t at = 0;
    std::vector<int64_t> out;
    append_near(places, at, out);
    return out;
}

}  // namespace summeval
