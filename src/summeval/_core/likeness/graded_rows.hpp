// Texts compared by the likeness of their words, over rows of texts.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "likeness/matching.hpp"
#include "rows/engine.hpp"

namespace summeval {

// The highest of each field over the references, those of the reference with the highest value, or
// the means.
enum GradedAggregate : int { GRADED_MAX = 0, GRADED_AVERAGE = 1, GRADED_BEST = 2 };

struct GradedSetup {
    Analyzer forms;  // flags function words
    Analyzer stems;  // reads the same tokens
    std::shared_ptr<const VectorTable> table;
    int aggregate = GRADED_MAX;
    bool flow = true;  // or 0 in its place
    size_t width() const noexcept { return 5; }
};

// References whose words are numbered together. Scoring does not change them, so threads may share
// them.
class GradedReferences {
  public:
    size_t size() const noexcept { return count_; }
    const GradedText& text(size_t r) const noexcept { return texts_[r]; }
    const GradedWords& words() const noexcept { return words_; }
    const Vocabulary& stem_numbers() const noexcept { return stem_numbers_; }
    const uint32_t* stems() const noexcept { return stems_.data(); }

    void start(size_t count, size_t tokens, const VectorTable& table, size_t context = 0) {
        count_ = count;
        if (texts_.size() < count) texts_.resize(count);
        words_.start(tokens, table, context);
    }
    void take(size_t r, const Reading& forms, const Reading& stems, const int16_t* vectors,
              size_t dimensions, const VectorTable& table) {
        words_.take(forms, stems, vectors, dimensions, table, texts_[r]);
    }
    void finish() {
        stem_numbers_.reset(words_.size());
        stem_numbers_.intern(words_.stems(), words_.size(),
                             TokenSpans::room(stems_, words_.size() + 1));
    }
    void shrink() {}

  private:
    size_t count_ = 0;
    GradedWords words_;
    std::vector<GradedText> texts_;
    Vocabulary stem_numbers_;
    std::vector<uint32_t> stems_;  // of the words
};

// Compares a candidate with references, and makes one score of several.
class GradedJudge {
  public:
    int judge(const GradedWords& words, const GradedText& candidate,
              const GradedReferences& references, int aggregate, bool flow, double* out) {
        const GradedWords& others = references.words();
        if (static_cast<uint64_t>(words.size()) * others.size() > MAX_CELLS) return TABLE_TOO_LARGE;
        references.stem_numbers().find(words.stems(), words.size(),
                                       TokenSpans::room(stems_, words.size() + 1));
        likeness_.fill(others, references.stems(), words, stems_.data());
        matching_.start(likeness_, others, words);
        scores_.resize(references.size());
        for (size_t r = 0; r < references.size(); ++r) {
            const int status = matching_.compare(references.text(r), candidate, flow, scores_[r]);
            if (status != TRANSPORT_OPTIMAL) return NO_CERTIFICATE;
        }
        gather(aggregate, out);
        return OK;
    }

  private:
    static constexpr size_t FIELDS = 5;
    static constexpr double GradedScore::* FIELD[FIELDS] = {
        &GradedScore::recall, &GradedScore::precision, &GradedScore::pair, &GradedScore::flow,
        &GradedScore::value};

    void gather(int aggregate, double* out) const {
        const size_t count = scores_.size();
        const size_t best = first_best(count, [&](size_t r) { return scores_[r].value; });
        for (size_t f = 0; f < FIELDS; ++f) {
            double sum = 0, most = 0;
            for (const GradedScore& score : scores_) {
                sum += score.*FIELD[f];
                most = std::max(most, score.*FIELD[f]);
            }
            out[f] = aggregate == GRADED_AVERAGE ? sum / static_cast<double>(count)
                     : aggregate == GRADED_BEST  ? most
                                                 : scores_[best].*FIELD[f];
        }
    }

    Likeness likeness_;
    GradedMatching matching_;
    std::vector<GradedScore> scores_;
    std::vector<uint32_t> stems_;
};

class GradedSpace : public KeptSpace<GradedSetup, GradedReferences, 16> {
  public:
    explicit GradedSpace(const Setup& setup)
        : form_reader_(setup.forms), stem_reader_(setup.stems), forms_(1), stems_(1) {}

    int build(const View* texts, size_t count, const Setup& setup, References& out) {
        if (forms_.size() < count) {
            forms_.resize(count);
            stems_.resize(count);
        }
        size_t tokens = 0;
        for (size_t r = 0; r < count; ++r) {
            if (texts[r].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            tokens += read(texts[r], r);
        }
        out.start(count, tokens, *setup.table);
        for (size_t r = 0; r < count; ++r)
            out.take(r, forms_[r], stems_[r], nullptr, 0, *setup.table);
        out.finish();
        return OK;
    }

    int score(View candidate, const References& against, const Setup& setup, double* out) {
        if (candidate.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        words_.start(read(candidate, 0), *setup.table);
        words_.take(forms_[0], stems_[0], nullptr, 0, *setup.table, text_);
        return judge_.judge(words_, text_, against, setup.aggregate, setup.flow, out);
    }

  private:
    // Returns the number of tokens.
    size_t read(View text, size_t place) {
        form_reader_.read(text, false, forms_[place]);
        stem_reader_.read_after(form_reader_, stems_[place]);
        return forms_[place].size;
    }

    Reader form_reader_, stem_reader_;
    std::vector<Reading> forms_, stems_;  // of each reference, or of the candidate
    GradedWords words_;
    GradedText text_;
    GradedJudge judge_;
};

// A text whose words have vectors in context.
struct EncodedText {
    Reading forms, stems;
    std::vector<int16_t> vectors;  // [token][dimension]
    size_t dimensions = 0;
};

// Compares such texts, one candidate at a time.
class EncodedMatching {
  public:
    explicit EncodedMatching(const GradedSetup& setup)
        : setup_(setup), form_reader_(setup.forms), stem_reader_(setup.stems) {}

    // `vectors` [words][dimensions], which are copied. False if the text has another number of words.
    bool read(View text, const int16_t* vectors, size_t words, size_t dimensions,
              EncodedText& out) {
        form_reader_.read(text, false, out.forms);
        stem_reader_.read_after(form_reader_, out.stems);
        if (out.forms.size != words) return false;
        out.vectors.assign(vectors, vectors + words * dimensions);
        out.dimensions = dimensions;
        return true;
    }

    // Writes the fields. All texts have the same dimensions.
    int score(const EncodedText& candidate, const EncodedText* const* references, size_t count,
              double* out) {
        const size_t dimensions = candidate.dimensions;
        references_.start(count, 0, *setup_.table, dimensions);
        for (size_t r = 0; r < count; ++r)
            references_.take(r, references[r]->forms, references[r]->stems,
                             references[r]->vectors.data(), dimensions, *setup_.table);
        references_.finish();
        words_.start(0, *setup_.table, dimensions);
        words_.take(candidate.forms, candidate.stems, candidate.vectors.data(), dimensions,
                    *setup_.table, text_);
        return judge_.judge(words_, text_, references_, setup_.aggregate, setup_.flow, out);
    }

  private:
    const GradedSetup& setup_;
    Reader form_reader_, stem_reader_;
    GradedReferences references_;
    GradedWords words_;
    GradedText text_;
    GradedJudge judge_;
};

using GradedEngine = EngineOf<GradedSpace>;

}  // namespace summeval
