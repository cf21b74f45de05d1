// The translation edit rate over rows of texts.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "field/ter.hpp"
#include "field/tercom.hpp"
#include "field/words.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t TER_FIELDS = 3, TER_SUMS = 2;

struct TerSetup {
    Tercom tokens;

    // sums: edits, mean length of the references. out: the rate, and these.
    void of_sums(const double* sums, double* out) const noexcept {
        out[0] = sums[1] > 0 ? sums[0] / sums[1] : sums[0] > 0;
        std::copy(sums, sums + TER_SUMS, out + 1);
    }
};

struct TerReferences {
    struct Text {
        Vocabulary vocabulary;
        ter::Reference words;
    };
    std::vector<Text> texts;
    size_t count = 0;
    double length = 0;
    void shrink() {}
};

class TerSpace : public RowSpace {
  public:
    explicit TerSpace(const TerSetup&) {}

    TerReferences references;

    int build(const View* texts, size_t count, const TerSetup& setup, TerReferences& out) {
        out.count = count;
        if (out.texts.size() < count) out.texts.resize(count);
        size_t length = 0;
        for (size_t t = 0; t < count; ++t) {
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            read(texts[t], setup, true);
            TerReferences::Text& made = out.texts[t];
            made.vocabulary.reset(keys_.size());
            made.words.words.resize(keys_.size());
            made.vocabulary.intern(keys_.data(), keys_.size(), made.words.words.data());
            made.words.kinds = made.vocabulary.size();
            made.words.index();
            length += keys_.size();
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

    void tell(std::vector<double>&) const {}

    bool worth_keeping() const noexcept { return largest() <= KEEP_BYTES; }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 18;

    template <class Visit>
    int each(View text, const TerReferences& side, const TerSetup& setup, ter::Done* done,
             Visit visit) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        read(text, setup, false);
        for (size_t t = 0; t < side.count; ++t) {
            words_.resize(keys_.size());
            side.texts[t].vocabulary.find(keys_.data(), keys_.size(), words_.data());
            visit(editor_.edits(words_, side.texts[t].words, done));
        }
        return OK;
    }

    // References are read twice: sacrebleu splits their tokens again.
    void read(View text, const TerSetup& setup, bool twice) {
        if (setup.tokens.normalized || !setup.tokens.punctuation) {
            text_.assign(text.data, static_cast<size_t>(text.size));
            setup.tokens.rewrite(text_);
            if (twice) {
                Tercom::join(text_);
                setup.tokens.rewrite(text_);
            }
            text = {text_.data(), static_cast<int64_t>(text_.size())};
        }
        reader_.read(text, Unit::SPLIT, keys_);
    }

    UnitReader reader_;
    std::string text_;
    std::vector<Key> keys_;
    std::vector<ter::Word> words_;
    ter::Editor editor_;
};

struct TerFamily {
    using Setup = TerSetup;
    using References = TerReferences;
    using Space = TerSpace;
    static size_t width(const TerSetup&) noexcept { return TER_FIELDS + TER_SUMS; }
};

using TerEngine = Engine<TerFamily>;

}  // namespace summeval
