// The order in which the labels of a document are summed out. Labels are read from the first to the
// last. The frontier before label t has the labels that later factors still need: the last k, and
// every earlier one that a link from t or later goes to. A table over the frontier has an entry for
// each combination of labels; bit j of its index is the j-th earliest label.
//
// If the frontier would grow too large, the label whose last link ends furthest away is taken out.
// Its remaining links are cut: the factor at their later end gets a copy of the label, and the copy
// and the label tell each other their beliefs (loopy belief propagation).
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"

namespace summeval {
namespace chains {

constexpr int8_t NO_PARENT = -1, COPIED = -2;

// What happens at a label.
struct Step {
    uint8_t width = 0;     // labels in the frontier before it
    uint8_t history = 0;   // labels before it that its factor reads, the last of the frontier
    int8_t parent = NO_PARENT;  // the bit of the label that it is linked to
    uint32_t out = 0;      // the bits that leave the frontier after it; bit `width` is the label's own
    int32_t cut = -1;      // the number of the cut link, if the parent is a copy
};

struct Cut {
    int64_t child, parent;
};

class Plan {
  public:
    // parents[t] is the label that t is linked to, below t, or -1. `most` is the largest number of
    // labels in a table, more than `order`.
    Plan(int64_t size, const int64_t* parents, int order, int most) : steps_(0) {
        grow(steps_, static_cast<size_t>(size));
        std::vector<int64_t> last;  // the last label linked to each
        grow(last, static_cast<size_t>(size));
        Pace pace;
        for (int64_t t = 0; t < size; ++t) {
            pace(4);
            last[t] = -1;
            if (parents[t] >= 0) last[parents[t]] = t;
        }
        std::vector<int64_t> frontier;
        for (int64_t t = 0; t < size; ++t) {
            pace(16);
            Step& step = steps_[t];
            step.width = static_cast<uint8_t>(frontier.size());
            step.history = static_cast<uint8_t>(std::min<int64_t>(order, t));
            if (parents[t] >= 0) find_parent(frontier, t, parents[t], step);
            widest_ = std::max<int>(widest_, step.width + 1);
            frontier.push_back(t);
            advance(frontier, t + 1, size, order, most, last);
            for (size_t j = 0, kept = 0; j <= step.width; ++j) {
                const int64_t label = j < step.width ? before_[j] : t;
                if (kept < frontier.size() && frontier[kept] == label) {
                    ++kept;
                } else {
                    step.out |= uint32_t{1} << j;
                }
            }
            before_ = frontier;
        }
    }

    const std::vector<Step>& steps() const noexcept { return steps_; }
    const std::vector<Cut>& cuts() const noexcept { return cuts_; }
    int widest() const noexcept { return widest_; }

  private:
    void find_parent(const std::vector<int64_t>& frontier, int64_t t, int64_t parent, Step& step) {
        const auto place = std::find(frontier.begin(), frontier.end(), parent);
        if (place != frontier.end()) {
            step.parent = static_cast<int8_t>(place - frontier.begin());
            return;
        }
        step.parent = COPIED;
        step.cut = static_cast<int32_t>(cuts_.size());
        cuts_.push_back({t, parent});
    }

    // Makes the frontier before label t of one that holds all labels that could be in it.
    static void advance(std::vector<int64_t>& frontier, int64_t t, int64_t size, int order, int most,
                        std::vector<int64_t>& last) {
        const auto recent = [=](int64_t label) { return t < size && t - label <= order; };
        const auto leaves = [&](int64_t label) { return !recent(label) && last[label] < t; };
        frontier.erase(std::remove_if(frontier.begin(), frontier.end(), leaves), frontier.end());
        while (static_cast<int>(frontier.size()) >= most) {
            auto furthest = frontier.end();
            for (auto label = frontier.begin(); label != frontier.end() && !recent(*label); ++label)
                if (furthest == frontier.end() || last[*label] > last[*furthest]) furthest = label;
            last[*furthest] = -1;
            frontier.erase(furthest);
        }
    }

    std::vector<Step> steps_;
    std::vector<Cut> cuts_;
    std::vector<int64_t> before_;  // the frontier before the label at hand
    int widest_ = 0;
};

}  // namespace chains
}  // namespace summeval
