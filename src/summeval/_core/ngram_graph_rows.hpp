// AutoSummENG, MeMoG and NPowER of one candidate against a set of references, and of many.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "batch.hpp"
#include "ngram_graph.hpp"
#include "ngram_names.hpp"

namespace summeval {

enum GraphMeasureKind : int { AUTOSUMMENG = 0, MEMOG = 1, NPOWER = 2 };

// `low` and `span`: NPowER gives low + span * (the combination of the two others).
struct GraphMeasure {
    int kind;
    double low, span;
};

struct GraphPlan {
    size_t min_n = 3, max_n = 3, window = 3;
    bool released = false;  // as the first NPowER program: see repeat_defects; UTF-16 units; and an
                            // edge that is new in a merged graph enters with weight 1
    std::vector<GraphMeasure> measures;

    size_t levels() const noexcept { return max_n - min_n + 1; }

    // The share of n-grams of the given level in the whole: min_n + ... + n by the sum of these.
    double share(size_t level) const noexcept {
        double sum = 0, mine = 0, weight = 0;
        for (size_t k = 0; k < levels(); ++k) {
            weight += static_cast<double>(min_n + k);
            sum += weight;
            if (k == level) mine = weight;
        }
        return mine / sum;
    }

    // Whether a reference's own graph, and the merged one, are asked for.
    bool wants_each() const noexcept {
        return released || std::any_of(measures.begin(), measures.end(),
                                       [](const GraphMeasure& m) { return m.kind != MEMOG; });
    }
    bool wants_merged() const noexcept {
        return released || std::any_of(measures.begin(), measures.end(),
                                       [](const GraphMeasure& m) { return m.kind != AUTOSUMMENG; });
    }
};

using GraphLevels = std::vector<Graph>;  // one graph for each length of n-grams

// Calls number(n, keys, count, numbers) for the orders of a text in turn, and then finish(level) for
// those that are compared.
template <class Number, class Finish>
inline void each_order(NumberedText& text, const GraphPlan& plan, Number number, Finish finish) {
    for (size_t n = NumberedText::first_order(plan.min_n); n <= plan.max_n; ++n) {
        text.number(n, [&](const Key* keys, size_t count, uint32_t* numbers) {
            number(n, keys, count, numbers);
        });
        if (n >= plan.min_n) finish(n - plan.min_n);
    }
}

inline int check_graph_text(View view) noexcept {
    return view.size > MAX_TEXT_BYTES ? TEXT_TOO_LONG : OK;
}

inline int check_graph_pairs(const NumberedText& text, const GraphPlan& plan) noexcept {
    const int gap = static_cast<int>(plan.window) - 1;
    return skip_pairs(text.grams(plan.min_n), gap) > MAX_GRAPH_PAIRS ? PAIRS_TOO_MANY : OK;
}

// References made ready: their n-grams numbered, their graphs built and merged. Not changed by
// scoring, so threads may share one.
class GraphReferences {
  public:
    size_t size() const noexcept { return count_; }
    const GraphLevels& graphs(size_t r) const noexcept { return graphs_[r]; }
    const GraphLevels& merged() const noexcept { return count_ == 1 ? graphs_[0] : merged_; }
    const Vocabulary& vocabulary(size_t n) const noexcept { return vocabularies_[n - 1]; }

    int build(const View* views, size_t count, const GraphPlan& plan, GraphBuilder& builder) {
        count_ = count;
        if (texts_.size() < count) texts_.resize(count);
        if (graphs_.size() < count) graphs_.resize(count);
        uint64_t characters = 0;
        for (size_t r = 0; r < count; ++r) {
            if (const int status = check_graph_text(views[r])) return status;
            texts_[r].read(views[r], plan.released);
            if (const int status = check_graph_pairs(texts_[r], plan)) return status;
            characters += texts_[r].size();
        }
        if (characters > UINT32_MAX / 2) return TEXT_TOO_LONG;
        vocabularies_.resize(plan.max_n);
        for (size_t n = NumberedText::first_order(plan.min_n); n <= plan.max_n; ++n)
            vocabularies_[n - 1].reset(static_cast<size_t>(characters));
        for (size_t r = 0; r < count; ++r) build_one(r, plan, builder);
        if (count > 1 && plan.wants_merged()) merge(plan);
        return OK;
    }

    // What only building needed; called when the references are kept.
    void shrink() {
        texts_ = std::vector<NumberedText>();
        spare_ = Graph();
        for (GraphLevels& levels : graphs_)
            for (Graph& graph : levels) graph.shrink();
        for (Graph& graph : merged_) graph.shrink();
    }

  private:
    void build_one(size_t r, const GraphPlan& plan, GraphBuilder& builder) {
        NumberedText& text = texts_[r];
        GraphLevels& levels = graphs_[r];
        levels.resize(plan.levels());
        size_t order = 0;
        each_order(
            text, plan,
            [&](size_t n, const Key* keys, size_t count, uint32_t* numbers) {
                order = n;
                vocabularies_[n - 1].intern(keys, count, numbers);
            },
            [&](size_t level) {
                builder.build(text.numbers(), text.grams(order), plan.window,
                              vocabularies_[order - 1].size(), levels[level]);
            });
    }

    void merge(const GraphPlan& plan) {
        merged_.resize(plan.levels());
        for (size_t level = 0; level < plan.levels(); ++level) {
            Graph& sum = merged_[level];
            merge_graph(graphs_[0][level], graphs_[1][level], 2, plan.released, sum);
            for (size_t r = 2; r < count_; ++r) {
                merge_graph(sum, graphs_[r][level], r + 1, plan.released, spare_);
                std::swap(sum, spare_);
            }
        }
    }

    size_t count_ = 0;
    std::vector<Vocabulary> vocabularies_;  // of n-grams of n characters at n - 1
    std::vector<GraphLevels> graphs_;
    GraphLevels merged_;
    std::vector<NumberedText> texts_;
    Graph spare_;
};

// The likeness of a candidate to each reference, and to all of them merged.
struct GraphCounts {
    std::vector<Likeness> each;
    Likeness merged;
};

// The three columns of a measure: its value and the means of CS and SS for AutoSummENG and MeMoG;
// its value, AutoSummENG and MeMoG for NPowER.
struct GraphResult {
    double columns[3];
};

struct GraphWorkspace {
    GraphReferences references;
    GraphBuilder builder;
    NumberedText text;
    Newcomers newcomers;
    Graph graph;
    GraphCounts counts;
    std::vector<View> views;
    std::vector<GraphResult> results;
    int64_t largest = 0;  // bytes of the longest row seen

    void saw(View candidate, const View* texts, size_t count) noexcept {
        int64_t bytes = candidate.size;
        for (size_t i = 0; i < count; ++i) bytes += texts[i].size;
        if (bytes > largest) largest = bytes;
    }

    int build(const View* texts, size_t count, const GraphPlan& plan) {
        return references.build(texts, count, plan, builder);
    }

    // Fills counts.
    int compare(View candidate, const GraphReferences& refs, const GraphPlan& plan) {
        counts.each.assign(refs.size(), Likeness());
        counts.merged = Likeness();
        if (const int status = check_graph_text(candidate)) return status;
        text.read(candidate, plan.released);
        if (const int status = check_graph_pairs(text, plan)) return status;
        const bool each = plan.wants_each() || refs.size() == 1;
        const bool merged = plan.wants_merged() && refs.size() > 1;
        size_t order = 0;
        each_order(
            text, plan,
            [&](size_t n, const Key* keys, size_t count, uint32_t* numbers) {
                order = n;
                newcomers.number(refs.vocabulary(n), keys, count, numbers);
            },
            [&](size_t level) {
                builder.build(text.numbers(), text.grams(order), plan.window, newcomers.last(),
                              graph);
                const double share = plan.share(level);
                for (size_t r = 0; each && r < refs.size(); ++r)
                    counts.each[r].add(graph, refs.graphs(r)[level], share);
                if (merged) counts.merged.add(graph, refs.merged()[level], share);
            });
        if (refs.size() == 1) counts.merged = counts.each[0];
        return OK;
    }
};

class GraphEngine {
  public:
    GraphPlan plan;

    std::unique_ptr<GraphWorkspace> take() {
        return pool_.take([] { return std::unique_ptr<GraphWorkspace>(new GraphWorkspace()); });
    }
    void give_back(std::unique_ptr<GraphWorkspace> workspace) noexcept {
        if (workspace->largest <= KEEP_BYTES && workspace->builder.kept() <= KEEP_PAIRS)
            pool_.give_back(std::move(workspace));
    }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 18;  // longer texts leave too much behind
    static constexpr size_t KEEP_PAIRS = size_t{1} << 20;
    Pool<GraphWorkspace> pool_;
};

inline GraphResult mean_likeness(const std::vector<Likeness>& each) noexcept {
    Likeness sum;
    for (const Likeness& one : each) {
        sum.value += one.value;
        sum.containment += one.containment;
        sum.size += one.size;
    }
    const double n = static_cast<double>(each.size());
    return {{sum.value / n, sum.containment / n, sum.size / n}};
}

// The linear combination of NPowER (Giannakopoulos and Karkaletsis 2013).
inline double npower(double autosummeng, double memog) noexcept {
    return (5.2905 * autosummeng + 3.0053 * memog + 0.5866) / 10;
}

// In the released program the graph of the first reference is the one that the others are merged
// into, so that it is compared with in the place of the first; and what it calls MeMoG is the
// likeness to the last reference.
inline void repeat_defects(GraphCounts& counts) noexcept {
    const Likeness last = counts.each.back();
    counts.each.front() = counts.merged;
    counts.merged = counts.each.size() > 1 ? last : counts.merged;
}

inline void judge_graphs(const GraphPlan& plan, GraphCounts& counts, GraphResult* results) noexcept {
    if (plan.released) repeat_defects(counts);
    const GraphResult autosummeng = mean_likeness(counts.each);
    const Likeness& merged = counts.merged;
    for (const GraphMeasure& measure : plan.measures) {
        if (measure.kind == AUTOSUMMENG) {
            *results++ = autosummeng;
        } else if (measure.kind == MEMOG) {
            *results++ = {{merged.value, merged.containment, merged.size}};
        } else {
            const double mean = autosummeng.columns[0];
            const double value = measure.low + measure.span * npower(mean, merged.value);
            *results++ = {{value, mean, merged.value}};
        }
    }
}

inline GraphResult missing_graphs() noexcept {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {{nan, nan, nan}};
}

// Likeness and results of a candidate and references that both have text.
inline int score_graphs(View candidate, const GraphReferences& references, const GraphPlan& plan,
                        GraphWorkspace& workspace, GraphResult* results) {
    workspace.saw(candidate, nullptr, 0);
    const int status = workspace.compare(candidate, references, plan);
    if (status == OK) judge_graphs(plan, workspace.counts, results);
    return status;
}

inline void write_graphs(const std::vector<GraphResult>& results, int64_t row, int64_t rows,
                         double* out) noexcept {
    for (const GraphResult& result : results)
        for (const double column : result.columns) {
            out[row] = column;
            out += rows;
        }
}

// The references of a row that are not None, into the workspace.
inline void gather_references(const Rows& rows, int64_t row, GraphWorkspace& workspace) {
    const int64_t begin = rows.offsets ? rows.offsets[row] : row;
    const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
    workspace.views.clear();
    for (int64_t i = begin; i < end; ++i)
        if (rows.references[i].data) workspace.views.push_back(rows.references[i]);
}

// out: [measure][column][row], NaN for rows without candidate or reference.
inline void score_graph_rows(GraphEngine& engine, const Rows& rows, int workers, double* out,
                             FirstFailure& failure) {
    each_row(engine, rows.size, workers, failure, [&](int64_t row, GraphWorkspace& workspace) {
        workspace.results.assign(engine.plan.measures.size(), missing_graphs());
        int status = OK;
        gather_references(rows, row, workspace);
        const std::vector<View>& views = workspace.views;
        if (rows.candidates[row].data && !views.empty()) {
            workspace.saw(rows.candidates[row], views.data(), views.size());
            status = workspace.build(views.data(), views.size(), engine.plan);
            if (status == OK)
                status = score_graphs(rows.candidates[row], workspace.references, engine.plan,
                                      workspace, workspace.results.data());
        }
        write_graphs(workspace.results, row, rows.size, out);
        return status;
    });
}

// The same with ready references for every row.
inline void score_prepared_graph_rows(GraphEngine& engine, const GraphReferences& references,
                                      const View* candidates, int64_t size, int workers,
                                      double* out, FirstFailure& failure) {
    each_row(engine, size, workers, failure, [&](int64_t row, GraphWorkspace& workspace) {
        workspace.results.assign(engine.plan.measures.size(), missing_graphs());
        int status = OK;
        if (candidates[row].data && references.size())
            status = score_graphs(candidates[row], references, engine.plan, workspace,
                                  workspace.results.data());
        write_graphs(workspace.results, row, size, out);
        return status;
    });
}

inline int build_graphs(GraphEngine& engine, const View* views, size_t count,
                        GraphReferences& references) noexcept {
    return with_workspace(engine, [&](GraphWorkspace& workspace) {
        const int status = references.build(views, count, engine.plan, workspace.builder);
        references.shrink();
        return status;
    });
}

// One candidate; `likeness` gets what the results were made from.
inline int score_graph_pair(GraphEngine& engine, const View* references, size_t count,
                            View candidate, GraphResult* results, GraphCounts& likeness) noexcept {
    return with_workspace(engine, [&](GraphWorkspace& workspace) {
        workspace.saw(candidate, references, count);
        int status = workspace.build(references, count, engine.plan);
        if (status == OK)
            status = score_graphs(candidate, workspace.references, engine.plan, workspace, results);
        likeness = workspace.counts;
        return status;
    });
}

inline int score_prepared_graphs(GraphEngine& engine, const GraphReferences& references,
                                 View candidate, GraphResult* results,
                                 GraphCounts& likeness) noexcept {
    return with_workspace(engine, [&](GraphWorkspace& workspace) {
        const int status = score_graphs(candidate, references, engine.plan, workspace, results);
        likeness = workspace.counts;
        return status;
    });
}

}  // namespace summeval
