// What ROUGE measures in one pass, and the counts that each measure gives.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace summeval {

enum MeasureKind : int { NGRAM = 0, LCS = 1, UNION_LCS = 2, WEIGHTED_LCS = 3, SKIP = 4 };

struct Measure {
    int kind;
    int order;        // NGRAM: n; SKIP: words allowed between, < 0 for any number
    bool unigrams;    // SKIP: count unigrams too
    double weight;    // WEIGHTED_LCS
};

struct Counts {
    double hits, reference, candidate;
    double base;      // the denominator for "best": differs from `reference` for WEIGHTED_LCS
};

struct Plan {
    std::vector<Measure> measures;
    size_t orders = 1;           // longest n-gram
    std::vector<int> gaps;       // of the SKIP measures, each once
    bool lines = false;          // some measure needs sentences
    bool short_too = true;       // short_rouge.hpp has all measures

    void add(Measure measure) {
        if (measure.kind == NGRAM) orders = std::max(orders, static_cast<size_t>(measure.order));
        if (measure.kind == SKIP && std::find(gaps.begin(), gaps.end(), measure.order) == gaps.end())
            gaps.push_back(measure.order);
        if (measure.kind == UNION_LCS || measure.kind == WEIGHTED_LCS) lines = true;
        const bool bigrams = measure.kind == NGRAM && measure.order <= 2;
        short_too = short_too && (bigrams || measure.kind == LCS || measure.kind == UNION_LCS);
        measures.push_back(measure);
    }
};

}  // namespace summeval
