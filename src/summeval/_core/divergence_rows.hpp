// Texts, and rows of them, for divergence.hpp: a row is a summary and the documents of its input.
#pragma once
#include <atomic>
#include <cstring>
#include <vector>

#include "batch.hpp"
#include "divergence.hpp"

namespace summeval {

// Lines with a character that is neither blank nor part of a token. (A line of blanks and control
// characters is blank to the program.)
inline size_t hollow_lines(View text) noexcept {
    size_t lines = 0;
    bool marked = false, worded = false;
    for (int64_t i = 0; i <= text.size; ++i) {
        const unsigned char c = i < text.size ? static_cast<unsigned char>(text.data[i]) : '\n';
        if (c == '\n' || c == '\r') {
            lines += marked && !worded;
            marked = worded = false;
        }
        const unsigned char low = c | 0x20;
        worded |= (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9');
        marked |= c > ' ';
    }
    return lines;
}

// Reads texts, and remembers the input that it read last.
class DivergenceTexts {
  public:
    int count(const View* views, size_t size, const DivergencePlan& plan, Reader& reader,
              TypeCounts& out) {
        size_t tokens = 0;
        for (size_t i = 0; i < size; ++i) {
            if (views[i].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader.read(views[i], false, reading_);
            const size_t hollow = plan.compat ? hollow_lines(views[i]) : 0;
            if (tokens + reading_.size + hollow > MAX_TOKENS) return TEXT_TOO_LONG;
            Key* keys = TokenSpans::room(keys_, tokens + reading_.size + hollow + 1);
            std::copy_n(reading_.keys.data(), reading_.size, keys + tokens);
            tokens += reading_.size;
            std::fill_n(keys + tokens, hollow, Key{0, 0});
            tokens += hollow;
        }
        counter_.count(TokenSpans::room(keys_, 1), tokens, out);
        return OK;
    }

    int build(const View* views, size_t size, const DivergencePlan& plan, Reader& reader,
              DivergenceInput& input) {
        const int status = count(views, size, plan, reader, source_);
        if (status == OK) input.build(source_, plan);
        return status;
    }

    int score(View summary, const DivergenceInput& input, const DivergencePlan& plan,
              Reader& reader, Features* features) {
        const int status = count(&summary, 1, plan, reader, summary_);
        if (status == OK) *features = scorer_.compare(summary_, input, plan);
        return status;
    }

    // As score, with an input of texts. Rows of one call often follow each other with the same
    // input: it is built again only where a text differs. `call` names the call, 0 for none, while
    // whose views point to texts that are there.
    int score_pair(View summary, const std::vector<View>& views, uint64_t call,
                   const DivergencePlan& plan, Reader& reader, Features* features) {
        if (call == 0 || call != call_ || !same(views, built_)) {
            call_ = 0;
            const int status = build(views.data(), views.size(), plan, reader, input_);
            if (status != OK) return status;
            built_ = views;
            call_ = call;
        }
        return score(summary, input_, plan, reader, features);
    }

  private:
    static constexpr size_t MAX_TOKENS = size_t{1} << 31;

    static bool same(const std::vector<View>& a, const std::vector<View>& b) noexcept {
        if (a.size() != b.size()) return false;
        for (size_t i = 0; i < a.size(); ++i)
            if (a[i].size != b[i].size) return false;
        for (size_t i = 0; i < a.size(); ++i)
            if (a[i].data != b[i].data &&
                std::memcmp(a[i].data, b[i].data, static_cast<size_t>(a[i].size)) != 0)
                return false;
        return true;
    }

    Reading reading_;
    std::vector<Key> keys_;
    TypeCounter counter_;
    TypeCounts summary_, source_;
    DivergenceScorer scorer_;
    DivergenceInput input_;
    std::vector<View> built_;
    uint64_t call_ = 0;
};

// What the templates of batch.hpp want to know; rows are scored by the functions below.
struct DivergenceFamily {
    struct Nothing {};
    using Plan = DivergencePlan;
    using Scoring = Nothing;
    using References = Nothing;
    using Candidate = DivergenceTexts;
    using Counts = Nothing;
    using Result = Features;
};

using DivergenceEngine = Engine<DivergenceFamily>;
using DivergenceSpace = Workspace<DivergenceFamily>;

inline void write_features(const Features& features, int64_t row, int64_t rows,
                           double* out) noexcept {
    for (size_t f = 0; f < FEATURES; ++f) out[static_cast<int64_t>(f) * rows + row] = features[f];
}

// scores: [feature][row], NaN for rows without summary or input.
inline void score_divergence_rows(DivergenceEngine& engine, const Rows& rows, int workers,
                                  double* scores, FirstFailure& failure) {
    static std::atomic<uint64_t> calls{0};
    const uint64_t call = ++calls;
    each_row(engine, rows.size, workers, failure, [&](int64_t row, DivergenceSpace& space) {
        const View summary = rows.candidates[row];
        const int64_t begin = rows.offsets ? rows.offsets[row] : row;
        const int64_t end = rows.offsets ? rows.offsets[row + 1] : row + 1;
        space.views.clear();
        for (int64_t i = begin; i < end; ++i)
            if (rows.references[i].data) space.views.push_back(rows.references[i]);
        Features features = missing_features();
        int status = OK;
        if (summary.data && !space.views.empty()) {
            space.saw(summary, space.views.data(), space.views.size());
            status = space.candidate.score_pair(summary, space.views, call, engine.plan,
                                                space.reader, &features);
        }
        write_features(features, row, rows.size, scores);
        return status;
    });
}

inline void score_prepared_divergences(DivergenceEngine& engine, const DivergenceInput& input,
                                       const View* summaries, int64_t size, int workers,
                                       double* scores, FirstFailure& failure) {
    each_row(engine, size, workers, failure, [&](int64_t row, DivergenceSpace& space) {
        Features features = missing_features();
        int status = OK;
        if (summaries[row].data) {
            space.saw(summaries[row], nullptr, 0);
            status = space.candidate.score(summaries[row], input, engine.plan, space.reader,
                                           &features);
        }
        write_features(features, row, size, scores);
        return status;
    });
}

inline int score_divergence(DivergenceEngine& engine, const std::vector<View>& views, View summary,
                            Features* features) noexcept {
    return with_workspace(engine, [&](DivergenceSpace& space) {
        space.saw(summary, views.data(), views.size());
        return space.candidate.score_pair(summary, views, 0, engine.plan, space.reader, features);
    });
}

inline int build_divergence(DivergenceEngine& engine, const std::vector<View>& views,
                            DivergenceInput& input) noexcept {
    return with_workspace(engine, [&](DivergenceSpace& space) {
        space.saw({nullptr, 0}, views.data(), views.size());
        return space.candidate.build(views.data(), views.size(), engine.plan, space.reader, input);
    });
}

inline int score_prepared_divergence(DivergenceEngine& engine, const DivergenceInput& input,
                                     View summary, Features* features) noexcept {
    return with_workspace(engine, [&](DivergenceSpace& space) {
        space.saw(summary, nullptr, 0);
        return space.candidate.score(summary, input, engine.plan, space.reader, features);
    });
}

// The key of a word that nothing needs to follow.
inline Key word_key(const char* word, size_t size) {
    std::string padded(word, size);
    padded.resize(size + PADDING);
    return token_key(padded.data(), size);
}

}  // namespace summeval
