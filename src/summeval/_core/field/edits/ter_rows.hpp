// The translation edit rate over rows of texts.
#pragma once
#include <limits>
#include <vector>

#include "field/edits/ter.hpp"
#include "field/edits/words.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t TER_FIELDS = 3, TER_SUMS = 2;

struct TerSetup {
    int tokenizer = TOKENS_TERCOM;

    // sums: edits, mean length of the references. out: the rate, and these.
    void of_sums(const double* sums, double* out) const noexcept {
        out[0] = sums[1] > 0 ? sums[0] / sums[1] : sums[0] > 0;
        std::copy(sums, sums + TER_SUMS, out + 1);
    }

    size_t width() const noexcept { return TER_FIELDS + TER_SUMS; }
};

struct TerReferences {
    struct Text {
        Numbered numbered;
        ter::Reference words;
    };
    std::vector<Text> texts;
    size_t count = 0;
    double length = 0;
    void shrink() {}
};

class TerSpace : public KeptSpace<TerSetup, TerReferences, 18> {
  public:
    int build(const View* texts, size_t count, const TerSetup& setup, TerReferences& out) {
        out.count = count;
        if (out.texts.size() < count) out.texts.resize(count);
        size_t length = 0;
        for (size_t t = 0; t < count; ++t) {
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            // sacrebleu reads the words of references again
            reader_.read(setup.tokenizer, texts[t], reading_, setup.tokenizer != TOKENS_TERCOM);
            TerReferences::Text& made = out.texts[t];
            made.numbered.build(reading_);
            made.words.build(made.numbered.ids, made.numbered.kinds());
            length += reading_.size;
        }
        out.length = static_cast<double>(length) / static_cast<double>(count);
        return OK;
    }

    int score(View text, const TerReferences& side, const TerSetup& setup, double* results) {
        double sums[TER_SUMS] = {std::numeric_limits<double>::infinity(), side.length};
        const int status = each(text, side, setup, nullptr, [&](int64_t edits) {
            sums[0] = std::min(sums[0], static_cast<double>(edits));
        });
        if (status != OK) return status;
        setup.of_sums(sums, results);
        std::copy(sums, sums + TER_SUMS, results + TER_FIELDS);
        return OK;
    }

    // What makes a candidate the one reference.
    int trace(View text, const TerReferences& side, const TerSetup& setup, ter::Done& done) {
        return each(text, side, setup, &done, [](int64_t) {});
    }

  private:
    template <class Visit>
    int each(View text, const TerReferences& side, const TerSetup& setup, ter::Done* done,
             Visit visit) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader_.read(setup.tokenizer, text, reading_);
        for (size_t t = 0; t < side.count; ++t) {
            side.texts[t].numbered.find(reading_, words_);
            visit(editor_.edits(words_, side.texts[t].words, done));
        }
        return OK;
    }

    UnitReader reader_;
    Reading reading_;
    std::vector<ter::Word> words_;
    ter::Editor editor_;
};

using TerEngine = EngineOf<TerSpace>;

inline int trace_edits(const TerSetup& setup, View text, View reference, ter::Done& done) {
    TerSpace space;
    const int status = space.build(&reference, 1, setup, space.references);
    return status == OK ? space.trace(text, space.references, setup, done) : status;
}

}  // namespace summeval
