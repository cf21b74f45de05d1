// ROUGE over many rows: what the row loop needs to know of it, and the counts behind its scores.
#pragma once
#include <limits>

#include "aggregate.hpp"
#include "batch.hpp"

namespace summeval {

struct RougeFamily {
    using Plan = summeval::Plan;
    using Scoring = summeval::Scoring;
    using References = summeval::References;
    using Candidate = summeval::Candidate;
    using Counts = summeval::Counts;
    using Result = Fscore;

    static size_t width(const Plan& plan) noexcept { return plan.measures.size(); }
    static Result missing() noexcept {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan};
    }
    static void judge(const Plan& plan, const Counts* counts, size_t references,
                      const Scoring& scoring, Result* results) noexcept {
        const size_t width = plan.measures.size();
        for (size_t m = 0; m < width; ++m)
            results[m] = overall(plan.measures[m], counts + m, references, width, scoring);
    }
};

using RougeEngine = Engine<RougeFamily>;
using RougeReferences = ReferenceGroups<RougeFamily>;

// counts: [reference][measure], references without text (or of a row without a candidate) NaN.
inline void count_rows(RougeEngine& engine, const Rows& rows, int workers, Counts* counts,
                       FirstFailure& failure) {
    const size_t width = engine.width();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    each_row(engine, rows.size, workers, failure,
             [&](int64_t row, Workspace<RougeFamily>& workspace) {
        size_t references;
        const int status = count_row(engine, rows, row, workspace, references);
        const int64_t begin = rows.offsets ? rows.offsets[row] : row;
        const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
        size_t used = 0;
        for (int64_t i = begin; i < end; ++i) {
            const bool present = references && rows.references[i].data;
            for (size_t m = 0; m < width; ++m)
                counts[static_cast<size_t>(i) * width + m] =
                    present ? workspace.counts[used * width + m] : Counts{nan, nan, nan, nan};
            used += present;
        }
        return status;
    });
}

}  // namespace summeval
