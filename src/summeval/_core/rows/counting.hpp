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
//
// Of more than KEPT references only the texts are kept, which must outlive this, and each group is
// read again for every candidate: a short text takes up to 5 KB once it was read.
template <class Count>
class ReferenceGroups {
  public:
    size_t size() const noexcept { return count_; }

    bool keeps_texts() const noexcept { return count_ > KEPT; }

    int build(const View* views, size_t count, const typename Count::Plan& plan, Reader& reader) {
        count_ = count;
        if (keeps_texts()) {
            texts_.assign(views, views + count);
            return OK;
        }
        const size_t groups = (count + GROUP - 1) / GROUP;
        if (groups_.size() < groups) groups_.resize(groups);
        for (size_t g = 0; g < groups; ++g)
            if (const int status = groups_[g].build(views + g * GROUP, size_of(g), plan, reader))
                return status;
        return OK;
    }

    // Calls work(number of its first reference, group) -> status; texts are read into `room`.
    template <class Work>
    int each(const typename Count::Plan& plan, Reader& reader, typename Count::References& room,
             Work work) const {
        Pace pace;
        for (size_t g = 0; g * GROUP < count_; ++g) {
            if (keeps_texts())
                if (const int status = room.build(texts_.data() + g * GROUP, size_of(g), plan, reader))
                    return status;
            if (const int status = work(g * GROUP, keeps_texts() ? room : groups_[g])) return status;
            pace(GROUP * REFERENCE_STEPS);
        }
        return OK;
    }

    void shrink() {
        for (typename Count::References& group : groups_) group.shrink();
    }

  private:
    static constexpr size_t GROUP = 5, KEPT = 1000;
    static constexpr uint64_t REFERENCE_STEPS = 512;  // of one, in addition to those of its tokens
    size_t size_of(size_t g) const noexcept { return std::min(GROUP, count_ - g * GROUP); }

    size_t count_ = 0;
    std::vector<typename Count::References> groups_;
    std::vector<View> texts_;
};

template <class Count>
struct CountingSetup {
    Analyzer analyzer;
    typename Count::Plan plan;
    typename Count::Scoring scoring;

    size_t width() const noexcept { return Count::FIELDS * Count::width(plan); }
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
        const bool own = &out == &references;
        reader_.number_forms(own && size <= FEW, FEW * NUMBERED_TOKENS);
        const int status = out.build(texts, size, setup.plan, reader_);
        if (own || status != OK || !out.keeps_texts()) return status;
        const auto refuse_none = [](size_t, const typename Count::References&) { return OK; };
        return out.each(setup.plan, reader_, room_, refuse_none);
    }

    // The counts[reference][measure] of a candidate; valid until the next call.
    int count(View candidate, const References& against, const Setup& setup,
              const typename Count::Counts*& counts) {
        const size_t width = Count::width(setup.plan);
        auto* const found = TokenSpans::room(counts_, against.size() * width);
        counts = found;
        if (against.keeps_texts()) reader_.number_forms(false, 0);
        return against.each(
            setup.plan, reader_, room_, [&](size_t first, const typename Count::References& group) {
                return candidate_.score(candidate, group, setup.plan, reader_, found + first * width);
            });
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
    typename Count::References room_;  // for a group of many
    typename Count::Candidate candidate_;
    std::vector<typename Count::Counts> counts_;
    typename Count::Told told_{};
};

}  // namespace summeval
