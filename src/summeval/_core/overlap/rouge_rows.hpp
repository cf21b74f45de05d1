// ROUGE over many rows: its interface to the row loop, and the counts behind its scores.
#pragma once
#include <limits>

#include "overlap/aggregate.hpp"
#include "rows/counting.hpp"

namespace summeval {

struct RougeCount {
    struct Told {};
    using Plan = summeval::Plan;
    using Scoring = summeval::Scoring;
    using References = summeval::References;
    using Candidate = summeval::Candidate;
    using Counts = summeval::Counts;
    static constexpr size_t FIELDS = 3;

    static size_t width(const Plan& plan) noexcept { return plan.measures.size(); }
    static Told judge(const Plan& plan, const Counts* counts, size_t references,
                      const Scoring& scoring, double* results) {
        const size_t width = plan.measures.size();
        for (size_t m = 0; m < width; ++m) {
            const Fscore score =
                overall(plan.measures[m], counts + m, references, width, scoring);
            *results++ = score.precision;
            *results++ = score.recall;
            *results++ = score.fmeasure;
        }
        return {};
    }
    static void tell(Told, std::vector<double>&) noexcept {}
};

using RougeEngine = EngineOf<CountingSpace<RougeCount>>;

// Calls visit(reference, counts of the measures) for the references of all rows; the counts are
// null if the reference has no text or the row has no candidate.
template <class Visit>
inline void each_reference(RougeEngine& engine, const Rows& rows, int workers,
                           FirstFailure& failure, Visit visit) {
    const size_t width = engine.plan.measures.size();
    workers = rows.worth(workers);
    engine.each_row(rows.size, workers, failure, [&](int64_t row, RougeEngine::Space& space) {
        const RougeEngine::References* references = nullptr;
        const Counts* found = nullptr;
        int status = engine.read_row(rows, row, space, references);
        if (references) status = space.count(rows.candidates[row], *references, engine, found);
        if (status != OK) found = nullptr;
        for (int64_t i = rows.begin(row); i < rows.end(row); ++i) {
            const bool present = found && rows.references[i].data;
            visit(i, present ? found : nullptr);
            if (present) found += width;
        }
        return status;
    });
}

// counts: [reference][measure]; NaN where there are none.
inline void count_rows(RougeEngine& engine, const Rows& rows, int workers, Counts* counts,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    each_reference(engine, rows, workers, failure, [&](int64_t i, const Counts* found) {
        Counts* const own = counts + static_cast<size_t>(i) * width;
        for (size_t m = 0; m < width; ++m) own[m] = found ? found[m] : Counts{nan, nan, nan, nan};
    });
}

// out: [number][reference]; the scores of each row's candidate beside each of its references alone,
// NaN where there are none.
inline void score_each(RougeEngine& engine, const Rows& rows, int workers, double* out,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const int64_t first = rows.begin(0), items = rows.end(rows.size - 1) - first;
    each_reference(engine, rows, workers, failure, [&](int64_t i, const Counts* found) {
        double* number = out + (i - first);
        for (size_t m = 0; m < width; ++m) {
            Fscore score{nan, nan, nan};
            if (found)
                score = overall(engine.plan.measures[m], found + m, 1, width, engine.scoring);
            for (const double value : {score.precision, score.recall, score.fmeasure}) {
                *number = value;
                number += items;
            }
        }
    });
}

}  // namespace summeval
