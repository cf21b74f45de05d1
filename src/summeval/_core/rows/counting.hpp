// Families that count: the units that a candidate shares with each reference are counted, and the
// scores are computed from the counts of all references.
#pragma once
#include <algorithm>
#include <vector>

#include "rows/engine.hpp"

namespace summeval {

// What the templates below need of a Count:
//   Plan, Scoring              what is counted, how counts become results
//   References                 build(views, count, plan, reader) -> status, size(), shrink()
//   Counts, Candidate          score(view, references, plan, reader, counts) -> status
//   FIELDS                     numbers of a result
//   width(plan)                number of results, and number of Counts for each reference
//   judge(plan, counts, references, scoring, results) -> Told
//   tell(told, out)            appends the extra numbers that only a single pair returns

// The references of a row, in groups: the tables of a group grow with the square of its words, and
// every reference is counted in all its units, so large groups would make many references slow.
template <class Count>
class ReferenceGroups {
  public:
    size_t size() const noexcept { return count_; }

    int build(const View* views, size_t count, const typename Count::Plan& plan, Reader& reader) {
        count_ = count;
        const size_t groups = (count + GROUP - 1) / GROUP;
        if (groups_.size() < groups) groups_.resize(groups);
        for (size_t g = 0; g < groups; ++g)
            if (const int status = groups_[g].build(views + g * GROUP, size_of(g), plan, reader))
                return status;
        return OK;
    }

    // Fills counts[reference][measure] with `width` measures for each reference.
    int score(View candidate, typename Count::Candidate& scorer, const typename Count::Plan& plan,
              Reader& reader, size_t width, typename Count::Counts* counts) const {
        for (size_t g = 0; g * GROUP < count_; ++g)
            if (const int status = scorer.score(candidate, groups_[g], plan, reader,
                                                counts + g * GROUP * width))
                return status;
        return OK;
    }

    void shrink() {
        for (typename Count::References& group : groups_) group.shrink();
    }

  private:
    static constexpr size_t GROUP = 5;
    size_t size_of(size_t g) const noexcept { return std::min(GROUP, count_ - g * GROUP); }

    size_t count_ = 0;
    std::vector<typename Count::References> groups_;
};

template <class Count>
struct CountingSetup {
    Analyzer analyzer;
    typename Count::Plan plan;
    typename Count::Scoring scoring;
};

template <class Count>
class CountingSpace : public RowSpace {
  public:
    using Setup = CountingSetup<Count>;
    using References = ReferenceGroups<Count>;

    explicit CountingSpace(const Setup& setup) : reader_(setup.analyzer) {}

    References references;

    int build(const View* texts, size_t size, const Setup& setup, References& out) {
        // others may share references that are not our own: their readers number forms otherwise
        reader_.number_forms(&out == &references && size <= FEW, FEW * NUMBERED_TOKENS);
        return out.build(texts, size, setup.plan, reader_);
    }

    // The counts[reference][measure] of a candidate; valid until the next call.
    int count(View candidate, const References& against, const Setup& setup,
              const typename Count::Counts*& counts) {
        const size_t width = Count::width(setup.plan);
        auto* room = TokenSpans::room(counts_, against.size() * width);
        counts = room;
        return against.score(candidate, candidate_, setup.plan, reader_, width, room);
    }

    int score(View candidate, const References& against, const Setup& setup, double* out) {
        const typename Count::Counts* counts;
        const int status = count(candidate, against, setup, counts);
        if (status == OK)
            told_ = Count::judge(setup.plan, counts, against.size(), setup.scoring, out);
        return status;
    }

    void tell(std::vector<double>& out) const { Count::tell(told_, out); }

    bool worth_keeping() const noexcept { return largest() <= KEEP_BYTES; }

  private:
    static constexpr size_t FEW = 5;               // references, in which forms are numbered
    static constexpr size_t NUMBERED_TOKENS = 128;  // of each of them, at most
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;  // memory kept after long texts

    Reader reader_;
    typename Count::Candidate candidate_;
    std::vector<typename Count::Counts> counts_;
    typename Count::Told told_{};
};

template <class Count>
struct CountingFamily {
    using Setup = CountingSetup<Count>;
    using References = ReferenceGroups<Count>;
    using Space = CountingSpace<Count>;
    static size_t width(const Setup& setup) noexcept {
        return Count::FIELDS * Count::width(setup.plan);
    }
};

}  // namespace summeval
