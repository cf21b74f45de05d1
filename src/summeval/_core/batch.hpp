// Many rows at once: the loop over rows, and the memory that a worker reuses from row to row.
#pragma once
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "aggregate.hpp"
#include "parallel.hpp"

namespace summeval {

struct Workspace {
    explicit Workspace(const Analyzer& analyzer) : reader(analyzer) {}
    Reader reader;
    References references;
    Candidate candidate;
    std::vector<View> views;
    std::vector<Counts> counts;
    std::vector<Fscore> scores;
    int64_t largest = 0;  // bytes of the longest text seen

    void saw(View view) noexcept {
        if (view.size > largest) largest = view.size;
    }
};

// An analyzer, what is measured, how it is aggregated, and idle workspaces. All but the pool is
// constant once made, so threads share an engine.
class Engine {
  public:
    Analyzer analyzer;
    Plan plan;
    Scoring scoring;

    std::unique_ptr<Workspace> take() {
        return pool_.take([this] { return std::unique_ptr<Workspace>(new Workspace(analyzer)); });
    }
    void give_back(std::unique_ptr<Workspace> workspace) noexcept {
        if (workspace->largest <= KEEP_BYTES) pool_.give_back(std::move(workspace));
    }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;  // longer texts leave too much behind
    Pool<Workspace> pool_;
};

// Rows of texts: row i has candidates[i] and references[offsets[i] .. offsets[i + 1]), or
// references[i] alone when there are no offsets. Views without data are None.
struct Rows {
    const View* candidates;
    const View* references;
    const int64_t* offsets;
    int64_t size;
};

inline int count_row(const Engine& engine, const Rows& rows, int64_t row, Workspace& workspace,
                     size_t& references) {
    const int64_t begin = rows.offsets ? rows.offsets[row] : row;
    const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
    references = 0;
    const View candidate = rows.candidates[row];
    if (!candidate.data) return OK;
    workspace.views.clear();
    for (int64_t i = begin; i < end; ++i) {
        if (!rows.references[i].data) continue;
        workspace.views.push_back(rows.references[i]);
        workspace.saw(rows.references[i]);
    }
    workspace.saw(candidate);
    const size_t count = workspace.views.size();
    if (count == 0) return OK;
    Counts* counts = TokenSpans::room(workspace.counts, count * engine.plan.measures.size());
    int status = workspace.references.build(workspace.views.data(), count, engine.plan,
                                            workspace.reader);
    if (status == OK)
        status = workspace.candidate.score(candidate, workspace.references, engine.plan,
                                           workspace.reader, counts);
    if (status == OK) references = count;
    return status;
}

// Runs work(row, workspace) -> status for every row on `workers` threads.
template <class Work>
inline void each_row(Engine& engine, int64_t rows, int workers, FirstFailure& failure, Work work) {
    const int64_t chunk = std::max<int64_t>(1, std::min<int64_t>(256, rows / (8 * workers) + 1));
    for_chunks(rows, chunk, workers, [&](int64_t begin, int64_t end) noexcept {
        int64_t row = begin;
        try {
            std::unique_ptr<Workspace> workspace = engine.take();
            for (; row < end; ++row)
                if (const int status = work(row, *workspace)) failure.note(row, status);
            engine.give_back(std::move(workspace));
        } catch (const std::bad_alloc&) {
            failure.note(row, NO_MEMORY);
        } catch (const std::length_error&) {
            failure.note(row, NO_MEMORY);
        }
    });
}

inline void write_row(const Fscore* scores, size_t width, int64_t row, int64_t rows, double* out) {
    for (size_t m = 0; m < width; ++m) {
        double* column = out + 3 * m * static_cast<size_t>(rows) + row;
        column[0] = scores[m].precision;
        column[rows] = scores[m].recall;
        column[2 * rows] = scores[m].fmeasure;
    }
}

// scores: [measure][precision, recall, fmeasure][row], NaN for rows without a candidate or reference.
inline void score_rows(Engine& engine, const Rows& rows, int workers, double* scores,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    each_row(engine, rows.size, workers, failure, [&](int64_t row, Workspace& workspace) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        size_t references;
        const int status = count_row(engine, rows, row, workspace, references);
        workspace.scores.assign(width, Fscore{nan, nan, nan});
        for (size_t m = 0; references && m < width; ++m)
            workspace.scores[m] = overall(engine.plan.measures[m], workspace.counts.data() + m,
                                          references, width, engine.scoring);
        write_row(workspace.scores.data(), width, row, rows.size, scores);
        return status;
    });
}

// counts: [reference][measure], references without text (or of a row without a candidate) NaN.
inline void count_rows(Engine& engine, const Rows& rows, int workers, Counts* counts,
                       FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    each_row(engine, rows.size, workers, failure, [&](int64_t row, Workspace& workspace) {
        size_t references;
        const int status = count_row(engine, rows, row, workspace, references);
        const int64_t begin = rows.offsets ? rows.offsets[row] : row;
        const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
        const double nan = std::numeric_limits<double>::quiet_NaN();
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

// Runs work(workspace) -> status in a workspace of the engine's; no exception leaves it.
template <class Work>
inline int with_workspace(Engine& engine, Work work) noexcept {
    try {
        std::unique_ptr<Workspace> workspace = engine.take();
        const int status = work(*workspace);
        engine.give_back(std::move(workspace));
        return status;
    } catch (const std::bad_alloc&) {
        return NO_MEMORY;
    } catch (const std::length_error&) {
        return NO_MEMORY;
    }
}

// scores[measure] of a candidate against references that are ready; both have text.
inline int score_ready(const Engine& engine, const References& references, View candidate,
                       Workspace& workspace, Fscore* scores) {
    const size_t width = engine.plan.measures.size();
    workspace.saw(candidate);
    Counts* counts = TokenSpans::room(workspace.counts, references.size() * width);
    const int status = workspace.candidate.score(candidate, references, engine.plan,
                                                 workspace.reader, counts);
    if (status != OK) return status;
    for (size_t m = 0; m < width; ++m)
        scores[m] =
            overall(engine.plan.measures[m], counts + m, references.size(), width, engine.scoring);
    return OK;
}

inline int build_references(Engine& engine, const View* views, size_t count,
                            References& references) noexcept {
    return with_workspace(engine, [&](Workspace& workspace) {
        for (size_t i = 0; i < count; ++i) workspace.saw(views[i]);
        const int status = references.build(views, count, engine.plan, workspace.reader);
        references.shrink();
        return status;
    });
}

inline int score_pair(Engine& engine, const View* references, size_t count, View candidate,
                      Fscore* scores) noexcept {
    return with_workspace(engine, [&](Workspace& workspace) {
        for (size_t i = 0; i < count; ++i) workspace.saw(references[i]);
        const int status =
            workspace.references.build(references, count, engine.plan, workspace.reader);
        if (status != OK) return status;
        return score_ready(engine, workspace.references, candidate, workspace, scores);
    });
}

inline int score_prepared(Engine& engine, const References& references, View candidate,
                          Fscore* scores) noexcept {
    return with_workspace(engine, [&](Workspace& workspace) {
        return score_ready(engine, references, candidate, workspace, scores);
    });
}

// As score_rows, with the same ready references for every row.
inline void score_prepared_rows(Engine& engine, const References& references,
                                const View* candidates, int64_t size, int workers, double* scores,
                                FirstFailure& failure) {
    const size_t width = engine.plan.measures.size();
    each_row(engine, size, workers, failure, [&](int64_t row, Workspace& workspace) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        std::vector<Fscore>& row_scores = workspace.scores;
        row_scores.assign(width, Fscore{nan, nan, nan});
        int status = OK;
        if (candidates[row].data && references.size())
            status = score_ready(engine, references, candidates[row], workspace, row_scores.data());
        write_row(row_scores.data(), width, row, size, scores);
        return status;
    });
}

}  // namespace summeval
