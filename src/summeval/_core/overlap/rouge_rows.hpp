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

using RougeEngine = Engine<CountingFamily<RougeCount>>;

// counts: [reference][measure]; NaN if the reference has no text or the row has no candidate.
inline void count_rows(RougeEngine& engine, const Rows& rows, int workers, Counts* counts,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    workers = rows.worth(workers);
    engine.each_row(rows.size, workers, failure, [&](int64_t row, RougeEngine::Space& space) {
        const RougeEngine::References* references = nullptr;
        const Counts* found = nullptr;
        int status = engine.read_row(rows, row, space, references);
        if (references) status = space.count(rows.candidates[row], *references, engine, found);
        if (status != OK) found = nullptr;
        for (int64_t i = rows.begin(row); i < rows.end(row); ++i) {
            Counts* const own = counts + static_cast<size_t>(i) * width;
            const bool present = found && rows.references[i].data;
            for (size_t m = 0; m < width; ++m)
                own[m] = present ? *found++ : Counts{nan, nan, nan, nan};
        }
        return status;
    });
}

// out: [number][reference]; the scores of each row's candidate beside each of its references alone,
// NaN if the reference has no text or the row has no candidate.
inline void score_each(RougeEngine& engine, const Rows& rows, int workers, double* out,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const int64_t first = rows.begin(0), items = rows.end(rows.size - 1) - first;
    workers = rows.worth(workers);
    engine.each_row(rows.size, workers, failure, [&](int64_t row, RougeEngine::Space& space) {
        const RougeEngine::References* references = nullptr;
        const Counts* found = nullptr;
        int status = engine.read_row(rows, row, space, references);
        if (references) status = space.count(rows.candidates[row], *references, engine, found);
        if (status != OK) found = nullptr;
        for (int64_t i = rows.begin(row); i < rows.end(row); ++i) {
            const bool present = found && rows.references[i].data;
            double* number = out + (i - first);
            for (size_t m = 0; m < width; ++m) {
                Fscore score{nan, nan, nan};
                if (present)
                    score = overall(engine.plan.measures[m], found++, 1, width, engine.scoring);
                for (const double value : {score.precision, score.recall, score.fmeasure}) {
                    *number = value;
                    number += items;
                }
            }
        }
        return status;
    });
}

}  // namespace summeval
