// Many rows at once: the loop over rows, and the memory that a worker reuses from row to row.
#pragma once
#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "parallel.hpp"
#include "units.hpp"

namespace summeval {

// A family of metrics, as the templates below want it:
//   Plan, Scoring              what is counted, how counts become results
//   References                 build(views, count, plan, reader) -> status, size(), shrink()
//   Counts, Candidate          score(view, references, plan, reader, counts) -> status
//   Result                     precision, recall, fmeasure, and what else the family wants
//   width(plan)                number of results, and of Counts for each reference
//   missing()                  the result of a row without a text: NaN
//   judge(plan, counts, references, scoring, results)

// The references of a row, in groups: dense counts take (references x different units) of a group,
// which for thousands of references at once would be too much.
template <class Family>
class ReferenceGroups {
  public:
    size_t size() const noexcept { return count_; }

    int build(const View* views, size_t count, const typename Family::Plan& plan, Reader& reader) {
        count_ = count;
        const size_t groups = (count + GROUP - 1) / GROUP;
        if (groups_.size() < groups) groups_.resize(groups);
        for (size_t g = 0; g < groups; ++g)
            if (const int status = groups_[g].build(views + g * GROUP, size_of(g), plan, reader))
                return status;
        return OK;
    }

    // Fills counts[reference][measure], `width` measures wide.
    int score(View candidate, typename Family::Candidate& scorer,
              const typename Family::Plan& plan, Reader& reader, size_t width,
              typename Family::Counts* counts) const {
        for (size_t g = 0; g * GROUP < count_; ++g)
            if (const int status = scorer.score(candidate, groups_[g], plan, reader,
                                                counts + g * GROUP * width))
                return status;
        return OK;
    }

    void shrink() {
        for (typename Family::References& group : groups_) group.shrink();
    }

  private:
    static constexpr size_t GROUP = 32;
    size_t size_of(size_t g) const noexcept { return std::min(GROUP, count_ - g * GROUP); }

    size_t count_ = 0;
    std::vector<typename Family::References> groups_;
};

template <class Family>
struct Workspace {
    explicit Workspace(const Analyzer& analyzer) : reader(analyzer) {}
    Reader reader;
    ReferenceGroups<Family> references;
    typename Family::Candidate candidate;
    std::vector<View> views;
    std::vector<View> read;  // what `references` was built of, for a row with the same ones
    std::vector<typename Family::Counts> counts;
    std::vector<typename Family::Result> results;
    int64_t largest = 0;  // bytes of the longest row seen

    // Whether `references` were built of `views`: the same memory, for a column keeps its texts.
    bool ready() const noexcept {
        return std::equal(views.begin(), views.end(), read.begin(), read.end(),
                          [](View a, View b) { return a.data == b.data && a.size == b.size; });
    }

    void saw(View candidate, const View* texts, size_t count) noexcept {
        int64_t bytes = candidate.size;
        for (size_t i = 0; i < count; ++i) bytes += texts[i].size;
        if (bytes > largest) largest = bytes;
    }
};

// An analyzer, what is measured, how it is aggregated, and idle workspaces. All but the pool is
// constant once made, so threads share an engine.
template <class Family>
class Engine {
  public:
    Analyzer analyzer;
    typename Family::Plan plan;
    typename Family::Scoring scoring;

    size_t width() const noexcept { return Family::width(plan); }
    std::unique_ptr<Workspace<Family>> take() {
        auto workspace = pool_.take([this] {
            return std::unique_ptr<Workspace<Family>>(new Workspace<Family>(analyzer));
        });
        workspace->read.clear();  // that memory may hold other texts by now
        return workspace;
    }
    void give_back(std::unique_ptr<Workspace<Family>> workspace) noexcept {
        if (workspace->largest <= KEEP_BYTES) pool_.give_back(std::move(workspace));
    }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;  // longer texts leave too much behind
    Pool<Workspace<Family>> pool_;
};

// Rows of texts: row i has candidates[i] and references[offsets[i] .. offsets[i + 1]), or
// references[i] alone when there are no offsets. Views without data are None.
struct Rows {
    const View* candidates;
    const View* references;
    const int64_t* offsets;
    int64_t size;
};

// Counts of a row against each of its references that has text; `references` is their number, 0 for
// a row that has no result.
template <class Family>
inline int count_row(const Engine<Family>& engine, const Rows& rows, int64_t row,
                     Workspace<Family>& workspace, size_t& references) {
    const int64_t begin = rows.offsets ? rows.offsets[row] : row;
    const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
    references = 0;
    const View candidate = rows.candidates[row];
    if (!candidate.data) return OK;
    workspace.views.clear();
    for (int64_t i = begin; i < end; ++i) {
        if (!rows.references[i].data) continue;
        workspace.views.push_back(rows.references[i]);
    }
    const size_t count = workspace.views.size();
    workspace.saw(candidate, workspace.views.data(), count);
    if (count == 0) return OK;
    auto* counts = TokenSpans::room(workspace.counts, count * engine.width());
    int status = OK;
    if (!workspace.ready()) {
        workspace.read.clear();
        status = workspace.references.build(workspace.views.data(), count, engine.plan,
                                            workspace.reader);
        if (status == OK) workspace.read = workspace.views;
    }
    if (status == OK)
        status = workspace.references.score(candidate, workspace.candidate, engine.plan,
                                            workspace.reader, engine.width(), counts);
    if (status == OK) references = count;
    return status;
}

// Runs work(row, workspace) -> status for every row on `workers` threads. `Pooled` is an Engine, or
// what lends workspaces as one does.
template <class Pooled, class Work>
inline void each_row(Pooled& engine, int64_t rows, int workers, FirstFailure& failure, Work work) {
    const int64_t share = rows / (int64_t{8} * workers) + 1;
    const int64_t chunk = std::min<int64_t>(256, share);
    for_chunks(rows, chunk, workers, [&](int64_t begin, int64_t end) noexcept {
        int64_t row = begin;
        try {
            auto workspace = engine.take();
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

template <class Result>
inline void write_row(const std::vector<Result>& results, int64_t row, int64_t rows, double* out) {
    double* column = out + row;
    for (const Result& result : results) {
        column[0] = result.precision;
        column[rows] = result.recall;
        column[2 * rows] = result.fmeasure;
        column += 3 * rows;
    }
}

// scores: [result][precision, recall, fmeasure][row], NaN for rows without candidate or reference.
template <class Family>
inline void score_rows(Engine<Family>& engine, const Rows& rows, int workers, double* scores,
                       FirstFailure& failure) {
    each_row(engine, rows.size, workers, failure, [&](int64_t row, Workspace<Family>& workspace) {
        size_t references;
        const int status = count_row(engine, rows, row, workspace, references);
        workspace.results.assign(engine.width(), Family::missing());
        if (references)
            Family::judge(engine.plan, workspace.counts.data(), references, engine.scoring,
                          workspace.results.data());
        write_row(workspace.results, row, rows.size, scores);
        return status;
    });
}

// Runs work(workspace) -> status in a workspace of the engine's; no exception leaves it.
template <class Pooled, class Work>
inline int with_workspace(Pooled& engine, Work work) noexcept {
    try {
        auto workspace = engine.take();
        const int status = work(*workspace);
        engine.give_back(std::move(workspace));
        return status;
    } catch (const std::bad_alloc&) {
        return NO_MEMORY;
    } catch (const std::length_error&) {
        return NO_MEMORY;
    }
}

// Results of a candidate against references that are ready; both have text.
template <class Family>
inline int score_ready(const Engine<Family>& engine, const ReferenceGroups<Family>& references,
                       View candidate, Workspace<Family>& workspace,
                       typename Family::Result* results) {
    workspace.saw(candidate, nullptr, 0);
    auto* counts = TokenSpans::room(workspace.counts, references.size() * engine.width());
    const int status = references.score(candidate, workspace.candidate, engine.plan,
                                        workspace.reader, engine.width(), counts);
    if (status == OK)
        Family::judge(engine.plan, counts, references.size(), engine.scoring, results);
    return status;
}

template <class Family>
inline int build_references(Engine<Family>& engine, const View* views, size_t count,
                            ReferenceGroups<Family>& references) noexcept {
    return with_workspace(engine, [&](Workspace<Family>& workspace) {
        workspace.saw({nullptr, 0}, views, count);
        const int status = references.build(views, count, engine.plan, workspace.reader);
        references.shrink();
        return status;
    });
}

template <class Family>
inline int score_pair(Engine<Family>& engine, const View* references, size_t count, View candidate,
                      typename Family::Result* results) noexcept {
    return with_workspace(engine, [&](Workspace<Family>& workspace) {
        workspace.saw(candidate, references, count);
        const int status =
            workspace.references.build(references, count, engine.plan, workspace.reader);
        if (status != OK) return status;
        return score_ready(engine, workspace.references, candidate, workspace, results);
    });
}

template <class Family>
inline int score_prepared(Engine<Family>& engine, const ReferenceGroups<Family>& references,
                          View candidate, typename Family::Result* results) noexcept {
    return with_workspace(engine, [&](Workspace<Family>& workspace) {
        return score_ready(engine, references, candidate, workspace, results);
    });
}

// As score_rows, with the same ready references for every row.
template <class Family>
inline void score_prepared_rows(Engine<Family>& engine,
                                const ReferenceGroups<Family>& references,
                                const View* candidates, int64_t size, int workers, double* scores,
                                FirstFailure& failure) {
    each_row(engine, size, workers, failure, [&](int64_t row, Workspace<Family>& workspace) {
        workspace.results.assign(engine.width(), Family::missing());
        int status = OK;
        if (candidates[row].data && references.size())
            status = score_ready(engine, references, candidates[row], workspace,
                                 workspace.results.data());
        write_row(workspace.results, row, size, scores);
        return status;
    });
}

}  // namespace summeval
