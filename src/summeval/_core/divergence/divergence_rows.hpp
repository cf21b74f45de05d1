// Texts and rows of texts for divergence.hpp: a row is a summary and the documents of its input.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "divergence/divergence.hpp"
#include "rows/engine.hpp"

namespace summeval {

// Counts lines without a token that have a character other than a blank. (The program treats a line
// of blanks and control characters as blank.)
inline size_t hollow_lines(View text) {
    size_t lines = 0;
    bool marked = false, worded = false;
    Pace pace;
    for (int64_t i = 0; i <= text.size; ++i) {
        pace(1);
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

struct DivergenceSetup {
    Analyzer analyzer;
    DivergencePlan plan;
    size_t width() const noexcept { return FEATURES; }
};

class DivergenceSpace : public KeptSpace<DivergenceSetup, DivergenceInput, 20> {
  public:
    explicit DivergenceSpace(const DivergenceSetup& setup) : reader_(setup.analyzer) {}

    int build(const View* texts, size_t size, const DivergenceSetup& setup,
              DivergenceInput& out) {
        const int status = count(texts, size, setup.plan, source_);
        if (status == OK) out.build(source_, setup.plan);
        return status;
    }

    int score(View summary, const DivergenceInput& documents, const DivergenceSetup& setup,
              double* results) {
        const int status = count(&summary, 1, setup.plan, summary_);
        if (status != OK) return status;
        const Features features = scorer_.compare(summary_, documents, setup.plan);
        std::copy(features.begin(), features.end(), results);
        return OK;
    }

  private:
    static constexpr size_t MAX_TOKENS = size_t{1} << 31;

    int count(const View* texts, size_t size, const DivergencePlan& plan, TypeCounts& out) {
        size_t tokens = 0;
        for (size_t i = 0; i < size; ++i) {
            if (texts[i].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader_.read(texts[i], false, reading_);
            const size_t hollow = plan.compat ? hollow_lines(texts[i]) : 0;
            if (tokens + reading_.size + hollow > MAX_TOKENS) return TEXT_TOO_LONG;
            Key* keys = TokenSpans::room(keys_, tokens + reading_.size + hollow + 1);
            copy_pieces(reading_.keys.data(), reading_.size, keys + tokens);
            tokens += reading_.size;
            std::fill_n(keys + tokens, hollow, Key{0, 0});
            tokens += hollow;
        }
        counter_.count(TokenSpans::room(keys_, 1), tokens, out);
        return OK;
    }

    Reader reader_;
    Reading reading_;
    std::vector<Key> keys_;
    TypeCounter counter_;
    TypeCounts summary_, source_;
    DivergenceScorer scorer_;
};

using DivergenceEngine = EngineOf<DivergenceSpace>;

// The key of a word; the bytes after the word need not be readable.
inline Key word_key(const char* word, size_t size) {
    std::string padded(word, size);
    padded.resize(size + PADDING);
    return token_key(padded.data(), size);
}

}  // namespace summeval
