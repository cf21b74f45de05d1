// The items of TESLA-S: a bag of words or of skip-bigrams, and the flow of each unit.
#pragma once
#include <cstdint>
#include <vector>

#include "rows/items.hpp"
#include "overlap/tesla.hpp"

namespace summeval {

// A reference that counts for a bag, and what its F adds to the value.
struct BagPart {
    size_t reference;
    double share;
};

class TeslaItems {
  public:
    Items found;

    // Tells the units of a bag, the candidate's first. More than `most` different skip-bigrams are
    // told by their first words: those that both sides have, those of the references, those of the
    // candidate.
    void tell(bool pairs, const TeslaPlan& plan, size_t words, const std::vector<BagPart>& parts,
              size_t most) {
        const ClassWeights& weights = pairs ? plan.pair : plan.word;
        std::vector<PlacedText> chosen(1, found.texts[0]);
        for (const BagPart& part : parts) chosen.push_back(found.texts[part.reference]);
        const size_t units = pairs ? lister_.pairs(chosen, words, plan.gap, plan.cross_sentences,
                                                   false, lists_)
                                   : lister_.grams(chosen, words, 1, lists_);
        units_.assign(units + 1, Unit{});
        count(chosen, weights);
        send(parts);
        const bool grouped = pairs && units > most;
        size_t groups = units;
        found.openings = grouped;
        if (grouped)
            groups = group(words, chosen);
        else
            for (size_t u = 1; u <= units; ++u) units_[u].group = static_cast<uint32_t>(u - 1);
        list(pairs, grouped, parts, groups);
    }

  private:
    struct Unit {
        double sent = 0, price = 0, share = 0;
        uint32_t group = 0;
        bool own = false, theirs = false;
    };

    // The weight of each unit in each text.
    void count(const std::vector<PlacedText>& texts, const ClassWeights& weights) {
        weights_.resize(lists_.size());
        Pace pace;
        for (size_t t = 0; t < lists_.size(); ++t) {
            std::vector<ClassCounts> counts(units_.size(), ClassCounts{});
            const std::vector<uint8_t>& function = texts[t].function;
            for (const Occurrence& one : lists_[t].all) {
                const size_t flags =
                    function[one.first] + (one.last == one.first ? 0 : function[one.last]);
                ++counts[one.unit][flags];
                (t == 0 ? units_[one.unit].own : units_[one.unit].theirs) = true;
                pace(2);
            }
            weights_[t].resize(units_.size());
            for (size_t u = 1; u < units_.size(); ++u, pace(1))
                weights_[t][u] = weigh(counts[u], weights);
        }
    }

    // What the bags share of each unit, and the part of the references that have more of it.
    void send(const std::vector<BagPart>& parts) {
        Pace pace;
        for (size_t t = 1; t < lists_.size(); ++t) {
            double all = 0;
            for (size_t u = 1; u < units_.size(); ++u, pace(1))
                all += std::min(weights_[t][u], weights_[0][u]);
            const double each = all > 0 ? parts[t - 1].share / all : 0.0;
            for (size_t u = 1; u < units_.size(); ++u, pace(2)) {
                const double flow = std::min(weights_[t][u], weights_[0][u]);
                units_[u].sent += flow;
                units_[u].share += each * flow;
                units_[u].price +=
                    weights_[t][u] > weights_[0][u] ? 1.0 / static_cast<double>(parts.size()) : 0.0;
            }
        }
    }

    // Gives units of one first word and of the same sides one group; returns how many there are.
    size_t group(size_t words, const std::vector<PlacedText>& texts) {
        std::vector<uint32_t> numbers(4 * (words + 1), 0);
        uint32_t groups = 0;
        Pace pace;
        for (size_t t = 0; t < lists_.size(); ++t)
            for (const Occurrence& one : lists_[t].all) {
                Unit& unit = units_[one.unit];
                const size_t sides = 2 * size_t{unit.own} + size_t{unit.theirs};
                uint32_t& number = numbers[4 * texts[t].ids[one.first] + sides];
                if (number == 0) number = ++groups;
                unit.group = number - 1;
                pace(2);
            }
        return groups;
    }

    void list(bool pairs, bool grouped, const std::vector<BagPart>& parts, size_t groups) {
        std::vector<Unit> sums(groups);
        std::vector<size_t> members(groups, 0);
        Pace pace;
        for (size_t u = 1; u < units_.size(); ++u, pace(2)) {
            Unit& sum = sums[units_[u].group];
            sum.sent += units_[u].sent;
            sum.share += units_[u].share;
            sum.price = units_[u].price;
            sum.own = units_[u].own;
            sum.theirs = units_[u].theirs;
            ++members[units_[u].group];
        }
        // Groups in the order of their first units, and where the places of each begin.
        std::vector<uint32_t> order;
        std::vector<uint8_t> known(groups, 0);
        std::vector<size_t> ends[2];
        for (std::vector<size_t>& side : ends) side.assign(groups, 0);
        for (size_t t = 0; t < lists_.size(); ++t)
            for (const Occurrence& one : lists_[t].all) {
                const uint32_t number = units_[one.unit].group;
                if (!known[number]) order.push_back(number);
                known[number] = 1;
                ends[t > 0][number] += pairs ? 2 : 1;
                pace(2);
            }
        std::vector<Spot>* const spots[2] = {&found.own, &found.theirs};
        size_t begins[2];
        for (const size_t side : {size_t{0}, size_t{1}}) {
            size_t at = begins[side] = spots[side]->size();
            for (const uint32_t number : order) {
                const size_t size = ends[side][number];
                ends[side][number] = at;
                at += size;
            }
            grow(*spots[side], at);
        }
        for (size_t t = 0; t < lists_.size(); ++t) {
            const auto text = static_cast<uint32_t>(t ? parts[t - 1].reference : 0);
            Spot* const out = spots[t > 0]->data();
            for (const Occurrence& one : lists_[t].all) {
                size_t& end = ends[t > 0][units_[one.unit].group];
                out[end++] = {text, one.first, one.first};
                if (pairs) out[end++] = {text, one.last, one.last};
                pace(2);
            }
        }
        for (const uint32_t number : order) {
            const Unit& sum = sums[number];
            const size_t side = sum.own ? 0 : 1;
            const Spot* const named = spots[side]->data() + begins[side];
            found.names.push_back(named[0].first);
            if (pairs && !grouped) found.names.push_back(named[1].first);
            const bool many = members[number] > 1;
            found.end(named[0].text, sum.share, many ? GROUP : FLOW);
            Item& item = found.all.back();
            item.details[0] = sum.sent;
            item.details[1] = many ? double(members[number]) : double(sum.own && sum.theirs);
            item.details[2] = sum.price;
            item.details[3] = 1.0 - sum.price;
            item.own = begins[0] = ends[0][number];
            item.theirs = begins[1] = ends[1][number];
        }
    }

    UnitLister lister_;
    std::vector<UnitList> lists_;
    std::vector<Unit> units_;
    std::vector<std::vector<double>> weights_;  // [text][unit]
};

}  // namespace summeval
