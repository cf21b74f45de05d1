// Rows of texts and the documents of their sources for fragments.hpp.
#pragma once
#include <vector>

#include "fragments/fragments.hpp"
#include "rows/engine.hpp"

namespace summeval {

struct FragmentSetup {
    Analyzer analyzer;
    size_t width() const noexcept { return FRAGMENT_FIELDS; }
};

class FragmentSpace : public KeptSpace<FragmentSetup, FragmentSource, 20> {
  public:
    explicit FragmentSpace(const FragmentSetup& setup) : reader_(setup.analyzer) {}

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

  private:
    static constexpr size_t MAX_WORDS = size_t{1} << 30;     // of a source, as in one text

    Reader reader_;
    std::vector<Reading> readings_;
    Reading text_;
    FragmentJudge judge_;
};

using FragmentEngine = EngineOf<FragmentSpace>;

inline int find_fragments(const FragmentSetup& setup, View text, const std::vector<View>& views,
                          FragmentSource& source, std::vector<Fragment>& out) {
    FragmentSpace space(setup);
    const int status = space.build(views.data(), views.size(), setup, source);
    return status == OK ? space.find(text, source, out) : status;
}

}  // namespace summeval
