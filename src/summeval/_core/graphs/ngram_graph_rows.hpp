// AutoSummENG, MeMoG and NPowER of one candidate, or of many, against a set of references.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "rows/engine.hpp"
#include "graphs/ngram_graph.hpp"
#include "graphs/ngram_names.hpp"

namespace summeval {

enum GraphMeasureKind : int { AUTOSUMMENG = 0, MEMOG = 1, NPOWER = 2 };

// `low` and `span`: NPowER gives low + span * (the combination of the other two).
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

    // The weight of level n: min_n + ... + n, divided by the sum of this over all levels.
    double share(size_t level) const noexcept {
        double sum = 0, own = 0, weight = 0;
        for (size_t k = 0; k < levels(); ++k) {
            weight += static_cast<double>(min_n + k);
            sum += weight;
            if (k == level) own = weight;
        }
        return own / sum;
    }

    // Whether the graph of each reference, and the merged graph, are needed.
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

// Calls number(n, keys, count, numbers) for each order of a text in turn, and then finish(level)
// for the orders that are compared.
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

// Prepared references: their n-grams numbered, their graphs built and merged. Scoring does not
// change them, so threads may share them.
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

    // Frees the memory that only building needed; called if the references are kept.
    void shrink() {
        texts_ = std::vector<NumberedText>();
        spare_ = Graph();
        merger_ = GraphMerger();
        for (GraphLevels& levels : graphs_)
            for (Graph& graph : levels) graph.shrink();
        for (Graph& graph : merged_) graph.shrink();
    }

  private:
    static constexpr size_t MANY = 16;  // references, from which one pass takes less time

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
            const auto graph_of = [&](size_t r) -> const Graph& { return graphs_[r][level]; };
            Graph& sum = merged_[level];
            if (count_ > MANY) {
                merger_.merge(count_, graph_of, plan.released, sum);
                continue;
            }
            merge_graph(graph_of(0), graph_of(1), 2, plan.released, sum);
            for (size_t r = 2; r < count_; ++r) {
                merge_graph(sum, graph_of(r), r + 1, plan.released, spare_);
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
    GraphMerger merger_;
};

// The similarity of a candidate to each reference, and to all of them merged.
struct GraphCounts {
    std::vector<Likeness> each;
    Likeness merged;
};

// The three numbers of a measure: its value and the means of CS and SS for AutoSummENG and MeMoG;
// its value, AutoSummENG and MeMoG for NPowER.
constexpr size_t GRAPH_FIELDS = 3;

inline Likeness mean_likeness(const std::vector<Likeness>& each) noexcept {
    Likeness sum;
    for (const Likeness& one : each) {
        sum.value += one.value;
        sum.containment += one.containment;
        sum.size += one.size;
    }
    const double n = static_cast<double>(each.size());
    sum.value /= n;
    sum.containment /= n;
    sum.size /= n;
    return sum;
}

// The linear combination of NPowER (Giannakopoulos and Karkaletsis 2013).
inline double npower(double autosummeng, double memog) noexcept {
    return (5.2905 * autosummeng + 3.0053 * memog + 0.5866) / 10;
}

// The released program merges the other references into the graph of the first reference itself, so
// the candidate is compared with the merged graph in place of the first; and it reports as MeMoG
// the similarity to the last reference.
inline void repeat_defects(GraphCounts& counts) noexcept {
    const Likeness last = counts.each.back();
    counts.each.front() = counts.merged;
    counts.merged = counts.each.size() > 1 ? last : counts.merged;
}

inline void judge_graphs(const GraphPlan& plan, const GraphCounts& counts,
                         double* results) noexcept {
    const Likeness mean = mean_likeness(counts.each);
    const Likeness& merged = counts.merged;
    for (const GraphMeasure& measure : plan.measures) {
        const Likeness& one = measure.kind == MEMOG ? merged : mean;
        results[0] = one.value;
        results[1] = one.containment;
        results[2] = one.size;
        if (measure.kind == NPOWER) {
            results[0] = measure.low + measure.span * npower(mean.value, merged.value);
            results[1] = mean.value;
            results[2] = merged.value;
        }
        results += GRAPH_FIELDS;
    }
}

struct GraphSetup {
    GraphPlan plan;
    size_t width() const noexcept { return GRAPH_FIELDS * plan.measures.size(); }
};

class GraphSpace : public KeptSpace<GraphSetup, GraphReferences, 18> {
  public:
    int build(const View* texts, size_t count, const GraphSetup& setup, GraphReferences& out) {
        return out.build(texts, count, setup.plan, builder_);
    }

    // Apart: where GCC 12 put it into the loop over rows, prepared references took 15 % longer.
    SUMMEVAL_APART int score(View candidate, const GraphReferences& refs, const GraphSetup& setup,
                             double* results) {
        const int status = compare(candidate, refs, setup.plan);
        if (status != OK) return status;
        if (setup.plan.released) repeat_defects(counts_);
        judge_graphs(setup.plan, counts_, results);
        return OK;
    }

    // The similarity to the merged references, then to each reference: five numbers for each.
    void tell(std::vector<double>& out) const {
        append(counts_.merged, out);
        for (const Likeness& one : counts_.each) append(one, out);
    }

    // What the n-grams that begin at each character of a candidate add to a value, by the edges from
    // them: equally at all places of an n-gram. The value is the sum of the similarities to the
    // graph of each reference and to the merged one, each times its factor.
    int place(View candidate, const GraphReferences& refs, const GraphSetup& setup,
              const std::vector<double>& factors, std::vector<double>& out) {
        std::vector<double> worth;
        std::vector<uint32_t> times;
        const GraphPlan& plan = setup.plan;
        return each_graph(candidate, refs, plan, [&](size_t level, size_t grams) {
            if (level == 0) out.assign(text_.size(), 0);
            worth.assign(newcomers_.last() + 1, 0);
            times.assign(newcomers_.last() + 1, 0);
            for (size_t r = 0; r <= refs.size(); ++r) {
                if (factors[r] == 0) continue;
                const GraphLevels& levels = r < refs.size() ? refs.graphs(r) : refs.merged();
                share_edges(graph_, levels[level], factors[r] * plan.share(level), worth);
            }
            const uint32_t* const numbers = text_.numbers();
            for (size_t at = 0; at < grams; ++at) ++times[numbers[at]];
            for (size_t at = 0; at < grams; ++at) out[at] += worth[numbers[at]] / times[numbers[at]];
        });
    }

    bool worth_keeping() const noexcept {
        return KeptSpace::worth_keeping() && builder_.kept() <= KEEP_PAIRS;
    }

  private:
    static constexpr size_t KEEP_PAIRS = size_t{1} << 20;

    static void append(const Likeness& one, std::vector<double>& out) {
        out.insert(out.end(), {one.value, one.containment, one.size,
                               static_cast<double>(one.candidate_edges),
                               static_cast<double>(one.reference_edges)});
    }

    // Fills counts_.
    int compare(View candidate, const GraphReferences& refs, const GraphPlan& plan) {
        counts_.each.assign(refs.size(), Likeness());
        counts_.merged = Likeness();
        const bool each = plan.wants_each() || refs.size() == 1;
        const bool merged = plan.wants_merged() && refs.size() > 1;
        const int status = each_graph(candidate, refs, plan, [&](size_t level, size_t) {
            const double share = plan.share(level);
            for (size_t r = 0; each && r < refs.size(); ++r)
                counts_.each[r].add(graph_, refs.graphs(r)[level], share);
            if (merged) counts_.merged.add(graph_, refs.merged()[level], share);
        });
        if (status == OK && refs.size() == 1) counts_.merged = counts_.each[0];
        return status;
    }

    // Calls visit(level, n-grams) for each graph of a candidate, which is then in graph_.
    template <class Visit>
    int each_graph(View candidate, const GraphReferences& refs, const GraphPlan& plan,
                   Visit visit) {
        if (const int status = check_graph_text(candidate)) return status;
        text_.read(candidate, plan.released);
        if (const int status = check_graph_pairs(text_, plan)) return status;
        size_t order = 0;
        each_order(
            text_, plan,
            [&](size_t n, const Key* keys, size_t count, uint32_t* numbers) {
                order = n;
                newcomers_.number(refs.vocabulary(n), keys, count, numbers);
            },
            [&](size_t level) {
                builder_.build(text_.numbers(), text_.grams(order), plan.window,
                               newcomers_.last(), graph_);
                visit(level, text_.grams(order));
            });
        return OK;
    }

    GraphBuilder builder_;
    NumberedText text_;
    Newcomers newcomers_;
    Graph graph_;
    GraphCounts counts_;
};

using GraphEngine = EngineOf<GraphSpace>;

inline int place_edges(const GraphSetup& setup, View candidate, const std::vector<View>& views,
                       const std::vector<double>& factors, std::vector<double>& out) {
    GraphSpace space;
    const int status = space.build(views.data(), views.size(), setup, space.references);
    return status == OK ? space.place(candidate, space.references, setup, factors, out) : status;
}

}  // namespace summeval
