// Rows of texts and the documents of their sources for fragments.hpp.
#pragma once
#include <vector>

#include "fragments/fragments.hpp"
#include "rows/engine.hpp"

namespace summeval {

struct FragmentSetup {
    Analyzer analyzer;
};

class FragmentSpace : public RowSpace {
  public:
    explicit FragmentSpace(const FragmentSetup& setup) : reader_(setup.analyzer) {}

    FragmentSource references;

    int build(const View* texts, size_t count, const FragmentSetup&, FragmentSource& out) {
        if (readings_.size() < count) readings_.resize(count);
        size_t tokens = 0;
        for (size_t t = 0; t < count; ++t) {
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader_.read(texts[t], false, readings_[t]);
            tokens += readings_[t].size;
            if (tokens > MAX_WORDS) return TEXT_TOO_LONG;
        }
        out.build(readings_, count, tokens);
        return OK;
    }

    int score(View text, const FragmentSource& source, const FragmentSetup&, double* results) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader_.read(text, false, text_);
        judge_.score(text_, source, results);
        return OK;
    }

    int find(View text, const FragmentSource& source, std::vector<Fragment>& out) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader_.read(text, false, text_);
        judge_.find(text_, source, out);
        return OK;
    }

    void tell(std::vector<double>&) const {}

    bool worth_keeping() const noexcept { return largest() <= KEEP_BYTES; }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;  // of texts, whose memory is kept
    static constexpr size_t MAX_WORDS = size_t{1} << 30;     // of a source, as in one text

    Reader reader_;
    std::vector<Reading> readings_;
    Reading text_;
    FragmentJudge judge_;
};

struct FragmentFamily {
    using Setup = FragmentSetup;
    using References = FragmentSource;
    using Space = FragmentSpace;
    static size_t width(const FragmentSetup&) noexcept { return FRAGMENT_FIELDS; }
};

using FragmentEngine = Engine<FragmentFamily>;

}  // namespace summeval
