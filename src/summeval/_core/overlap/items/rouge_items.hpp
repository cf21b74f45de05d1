// The items of ROUGE: n-grams, skip-bigrams, or first words of many of these, and runs of a common
// subsequence. The counts of the first three come first; they decide which references are told.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "overlap/items/runs.hpp"
#include "rows/items.hpp"

namespace summeval {

// A reference that counts, and what a shared unit of it adds.
struct Weight {
    size_t reference;
    double each;
};

class RougeItems {
  public:
    Items found;

    // Counts the units of the first text beside each of the others. More than `most` skip-bigrams of
    // all texts are told by their first words.
    void count(const Measure& measure, size_t words, uint64_t most, std::vector<Counts>& out) {
        const bool skips = is_pair_ = measure.kind == SKIP;
        uint64_t pairs = 0;
        for (const PlacedText& text : found.texts) pairs += skip_pairs(text.size, measure.order);
        whole_ = found.openings = skips && pairs > most;
        size_t units = words;
        if (whole_ || !skips)
            units = lister_.grams(found.texts, words, whole_ ? 1 : size_t(measure.order), lists_);
        else
            units = lister_.pairs(found.texts, words, measure.order, true, measure.unigrams, lists_);
        for (UnitList& list : lists_) list.group(units);
        hits_.assign(lists_.size(), std::vector<uint64_t>(units + 1, 0));
        for (size_t t = 1; t < lists_.size(); ++t) {
            uint64_t hits = 0;
            Pace pace;
            for (size_t u = 1; u <= units; ++u, pace(4)) {
                uint64_t& shared = hits_[t][u];
                shared = std::min(lists_[0].count(u), lists_[t].count(u));
                if (whole_ && shared) shared = openings(u, t, measure, words);
                hits += shared;
            }
            const double total = all_of(t, measure);
            out.push_back({double(hits), total, all_of(0, measure), total});
        }
    }

    // Tells the units of both sides, those that the candidate lacks, and those of it alone. Of a unit
    // that has more places on one side the first are those of both; of first words all of them.
    void tell(const std::vector<Weight>& weights) {
        const UnitList& own = lists_[0];
        std::vector<Rest> extra;
        std::vector<Spot> spots;
        Pace pace;
        for (size_t k = 0; k < own.all.size(); ++k, pace(4)) {
            const uint32_t unit = own.all[k].unit;
            if (!own.is_first(k)) continue;
            size_t shown = 0;
            uint64_t count = 0;
            double share = 0;
            uint32_t said = 0;
            for (const auto& [r, each] : weights) {
                const uint64_t hits = hits_[r][unit];
                if (hits == 0) continue;
                const UnitList& list = lists_[r];
                for (size_t i = 0; i < (whole_ ? list.count(unit) : hits); ++i)
                    add_spots(static_cast<uint32_t>(r), list.at(unit, i), found.theirs);
                share += each * double(hits);
                count += hits;
                shown = std::max(shown, whole_ ? own.count(unit) : size_t(hits));
                said = static_cast<uint32_t>(r);
            }
            if (count) {
                for (size_t i = 0; i < shown; ++i) add_spots(0, own.at(unit, i), found.own);
                name(own.at(unit, 0));
                found.end(0, share, whole_ ? PAIRS : NONE);
                found.all.back().details[0] = double(count);
                if (!whole_) {
                    name(lists_[said].at(unit, 0));
                    found.also(said);
                }
            }
            if (shown == own.count(unit)) continue;
            extra.push_back({own.at(unit, shown), 0, spots.size(), 0});
            for (size_t i = shown; i < own.count(unit); ++i) add_spots(0, own.at(unit, i), spots);
            extra.back().end = spots.size();
        }
        tell_missing(weights);
        tell_rests(extra, spots, found.own);
    }

    // Tells the runs of a common subsequence, what lies between them in the references, and what the
    // candidate alone has. False if a run has a token that the texts do not.
    bool tell_runs(const std::vector<Runs>& runs, const std::vector<Weight>& weights) {
        std::vector<uint8_t> paired(found.texts[0].size, 0);
        std::vector<std::vector<uint8_t>> had(found.texts.size());
        for (const auto& [r, each] : weights) {
            const Runs& here = runs[r - 1];
            had[r].assign(found.texts[r].size, 0);
            const auto text = static_cast<uint32_t>(r);
            for (size_t k = 0, begin = 0; k < here.ends.size(); begin = here.ends[k++]) {
                const size_t size = here.ends[k] - begin;
                for (size_t i = begin; i < here.ends[k]; ++i)
                    if (here.columns[i] >= paired.size() || here.rows[i] >= had[r].size())
                        return false;
                add_run(0, here.columns.data() + begin, size, paired, found.own);
                found.end(0, each * here.weights[k]);
                add_run(text, here.rows.data() + begin, size, had[r], found.theirs);
                found.also(text);
                found.all.back().theirs = found.theirs.size();
            }
        }
        for (const auto& weight : weights)
            tell_rest(static_cast<uint32_t>(weight.reference), had[weight.reference], found.theirs);
        tell_rest(0, paired, found.own);
        return true;
    }

  private:
    // The units of both texts that begin with a word: its pairs, and the word itself.
    uint64_t openings(size_t unit, size_t t, const Measure& measure, size_t words) {
        const size_t texts[2] = {0, t};
        uint64_t singles[2] = {0, 0}, shared = 0;
        Pace pace;
        for (const bool other : {false, true}) {
            std::vector<int32_t>& after = after_[other];
            if (after.size() < words + 1) after.resize(words + 1, 0);
            each_after(texts[other], unit, measure.order, [&](uint32_t id) { ++after[id]; });
            const UnitList& list = lists_[texts[other]];
            for (size_t i = 0; i < list.count(unit); ++i)
                singles[other] += list.at(unit, i).first + 1 < found.texts[texts[other]].size;
        }
        each_after(0, unit, measure.order, [&](uint32_t id) {
            shared += static_cast<uint64_t>(std::min(after_[0][id], after_[1][id]));
            after_[0][id] = 0;
        });
        each_after(t, unit, measure.order, [&](uint32_t id) { after_[1][id] = 0; });
        return shared + (measure.unigrams ? std::min(singles[0], singles[1]) : 0);
    }

    // Visits the words at most `gap` words after each place of a first word.
    template <class Visit>
    void each_after(size_t t, size_t unit, int gap, Visit visit) const {
        const PlacedText& text = found.texts[t];
        Pace pace;
        for (size_t i = 0; i < lists_[t].count(unit); ++i) {
            const size_t first = lists_[t].at(unit, i).first;
            const size_t rest = text.size - first - 1;
            const size_t reach = gap < 0 ? rest : std::min(rest, static_cast<size_t>(gap) + 1);
            for (size_t k = 1; k <= reach; ++k) visit(text.ids[first + k]);
            pace(reach + 1);
        }
    }

    double all_of(size_t t, const Measure& measure) const noexcept {
        const uint64_t size = found.texts[t].size;
        if (measure.kind != SKIP) return double(lists_[t].all.size());
        return double(skip_pairs(size, measure.order) +
                      (measure.unigrams && size ? size - 1 : uint64_t{0}));
    }

    void add_spots(uint32_t text, const Occurrence& one, std::vector<Spot>& out) const {
        if (is_pair_ && one.first != one.last) {
            out.push_back({text, one.first, one.first});
            out.push_back({text, one.last, one.last});
        } else {
            out.push_back({text, one.first, one.last});
        }
    }

    void name(const Occurrence& one) {
        found.names.push_back(one.first);
        for (uint32_t k = is_pair_ ? one.last : one.first + 1; k <= one.last && k > one.first; ++k)
            found.names.push_back(k);
    }

    // What one side has alone of a unit: where it is named, and its part of a list of spots.
    struct Rest {
        Occurrence named;
        uint32_t text;
        size_t begin, end;
    };

    void tell_missing(const std::vector<Weight>& weights) {
        std::vector<Rest> rests;
        std::vector<Spot> spots;
        std::vector<uint8_t> known(hits_[0].size(), 0);
        const auto had = [&](size_t r, uint32_t unit) -> size_t {
            const uint64_t hits = hits_[r][unit];
            return whole_ && hits ? lists_[r].count(unit) : size_t(hits);
        };
        Pace pace;
        for (const auto& first : weights) {
            const UnitList& list = lists_[first.reference];
            for (size_t k = 0; k < list.all.size(); ++k, pace(2)) {
                const uint32_t unit = list.all[k].unit;
                const size_t hits = had(first.reference, unit);
                if (known[unit] || !list.is_first(k) || hits == list.count(unit)) continue;
                known[unit] = 1;
                rests.push_back({list.at(unit, hits), static_cast<uint32_t>(first.reference),
                                 spots.size(), 0});
                for (const auto& weight : weights) {
                    const size_t r = weight.reference;
                    for (size_t i = had(r, unit); i < lists_[r].count(unit); ++i)
                        add_spots(static_cast<uint32_t>(r), lists_[r].at(unit, i), spots);
                }
                rests.back().end = spots.size();
            }
        }
        tell_rests(rests, spots, found.theirs);
    }

    // In the order of their places.
    void tell_rests(std::vector<Rest>& rests, const std::vector<Spot>& spots,
                    std::vector<Spot>& out) {
        const auto place = [&](const Spot& spot) {
            const PlacedText& text = found.texts[spot.text];
            return std::make_tuple(spot.text, text.begins[spot.first], text.ends[spot.last]);
        };
        const auto at = [&](size_t k) { return spots.begin() + static_cast<std::ptrdiff_t>(k); };
        Pace pace;
        std::stable_sort(rests.begin(), rests.end(), [&](const Rest& a, const Rest& b) {
            pace(4);
            return std::lexicographical_compare(
                at(a.begin), at(a.end), at(b.begin), at(b.end),
                [&](const Spot& x, const Spot& y) { return place(x) < place(y); });
        });
        for (const Rest& rest : rests) {
            out.insert(out.end(), at(rest.begin), at(rest.end));
            name(rest.named);
            found.end(rest.text, 0.0);
        }
    }

    // Adds the words and the places of the tokens of a run.
    void add_run(uint32_t text, const uint32_t* tokens, size_t size, std::vector<uint8_t>& taken,
                 std::vector<Spot>& spots) {
        for (size_t k = 0; k < size; ++k) taken[tokens[k]] = 1;
        found.names.insert(found.names.end(), tokens, tokens + size);
        // ROUGE-W's runs may go on in an earlier line.
        const auto apart = [](uint32_t a, uint32_t b) { return b != a + 1; };
        if (std::adjacent_find(tokens, tokens + size, apart) == tokens + size) {
            spots.push_back({text, tokens[0], tokens[size - 1]});
            return;
        }
        std::vector<uint32_t> sorted(tokens, tokens + size);
        std::sort(sorted.begin(), sorted.end());
        each_neighbours(text, sorted.data(), size,
                        [&](uint32_t first, uint32_t last) { spots.push_back({text, first, last}); });
    }

    // Calls tell(first, last) for each row of neighbours in one line.
    template <class Tell>
    void each_neighbours(uint32_t text, const uint32_t* tokens, size_t size, Tell tell) const {
        for (size_t k = 0, first = 0; k < size; ++k) {
            const bool follows = k + 1 < size && tokens[k + 1] == tokens[k] + 1;
            if (follows && !found.texts[text].ends_line(tokens[k])) continue;
            tell(tokens[first], tokens[k]);
            first = k + 1;
        }
    }

    // The rows of tokens that are in no run.
    void tell_rest(uint32_t text, const std::vector<uint8_t>& taken, std::vector<Spot>& spots) {
        std::vector<uint32_t> rest;
        for (size_t k = 0; k < taken.size(); ++k)
            if (!taken[k]) rest.push_back(static_cast<uint32_t>(k));
        each_neighbours(text, rest.data(), rest.size(), [&](uint32_t first, uint32_t last) {
            for (uint32_t k = first; k <= last; ++k) found.names.push_back(k);
            spots.push_back({text, first, last});
            found.end(text, 0.0);
        });
    }

    UnitLister lister_;
    std::vector<UnitList> lists_;
    std::vector<std::vector<uint64_t>> hits_;  // [text][unit]
    std::vector<int32_t> after_[2];            // how often words follow; all 0 between calls
    bool whole_ = false, is_pair_ = false;
};

}  // namespace summeval
