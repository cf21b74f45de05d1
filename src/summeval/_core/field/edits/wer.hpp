// Error rates of words and of characters, over rows of texts.
#pragma once
#include <vector>

#include "field/edits/edit.hpp"
#include "field/edits/words.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t WER_FIELDS = 8, WER_COUNTS = 4;

struct WerSetup {
    int units = TOKENS_JIWER;

    // sums: hits, substitutions, insertions, deletions. out: WER, MER, WIL, WIP, and these.
    void of_sums(const double* sums, double* out) const noexcept {
        const double hits = sums[0], errors = sums[1] + sums[2] + sums[3];
        const double n = hits + sums[1] + sums[3], m = hits + sums[1] + sums[2];
        out[0] = n > 0 ? errors / n : errors;
        out[1] = errors > 0 ? errors / (errors + hits) : 0;
        out[3] = n > 0 && m > 0 ? hits / n * (hits / m) : n == m;
        out[2] = 1 - out[3];
        std::copy(sums, sums + WER_COUNTS, out + 4);
    }

    size_t width() const noexcept { return WER_FIELDS + WER_COUNTS; }
};

struct WerReferences {
    std::vector<Numbered> texts;
    size_t count = 0;
    void shrink() {}
};

class WerSpace : public KeptSpace<WerSetup, WerReferences, 14> {
  public:
    int build(const View* texts, size_t count, const WerSetup& setup, WerReferences& out) {
        out.count = count;
        if (out.texts.size() < count) out.texts.resize(count);
        for (size_t t = 0; t < count; ++t) {
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader_.read(setup.units, texts[t], reading_);
            out.texts[t].build(reading_);
        }
        return OK;
    }

    int score(View text, const WerReferences& side, const WerSetup& setup, double* results) {
        double least = 0;
        const int status = each(text, side, setup, nullptr, [&](size_t t, edit::Counts found) {
            const double sums[] = {static_cast<double>(found.hits),
                                   static_cast<double>(found.substitutions),
                                   static_cast<double>(found.insertions),
                                   static_cast<double>(found.deletions)};
            double fields[WER_FIELDS];
            setup.of_sums(sums, fields);
            if (t && fields[0] >= least) return;
            least = fields[0];
            std::copy(fields, fields + WER_FIELDS, results);
            std::copy(sums, sums + WER_COUNTS, results + WER_FIELDS);
        });
        return status;
    }

    // The alignment with a reference alone: = s i d from the end on.
    int align(View text, const WerReferences& side, const WerSetup& setup,
              std::vector<char>& steps) {
        return each(text, side, setup, &steps, [](size_t, edit::Counts) {});
    }

  private:
    static constexpr uint64_t MOST_CELLS = uint64_t{1} << 36;

    template <class Visit>
    int each(View text, const WerReferences& side, const WerSetup& setup,
             std::vector<char>* steps, Visit visit) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader_.read(setup.units, text, reading_);
        for (size_t t = 0; t < side.count; ++t) {
            const Numbered& reference = side.texts[t];
            reference.find(reading_, ids_);
            const edit::Items a{reference.ids.data(), reference.ids.size()};
            const edit::Items b{ids_.data(), ids_.size()};
            if (edit::cells(a, b) > MOST_CELLS) return TABLE_TOO_LARGE;
            visit(t, table_.align(a, b, reference.kinds(), steps));
        }
        return OK;
    }

    UnitReader reader_;
    Reading reading_;
    std::vector<uint32_t> ids_;
    edit::Table table_;
};

using WerEngine = EngineOf<WerSpace>;

inline int align_units(const WerSetup& setup, View text, View reference, std::vector<char>& steps) {
    WerSpace space;
    const int status = space.build(&reference, 1, setup, space.references);
    return status == OK ? space.align(text, space.references, setup, steps) : status;
}

}  // namespace summeval
