// Rows of summaries and the documents of their sources for copying.hpp; what a summary names that
// its source lacks.
#pragma once
#include <string>
#include <unordered_set>
#include <vector>

#include "rows/engine.hpp"
#include "support/copying.hpp"

namespace summeval {

struct SupportSetup {
    Analyzer analyzer;
    SentenceWords sentence_words;
    std::unordered_set<std::string> turning;  // stems that turn what is said
    bool by_rules = true;
    size_t width() const noexcept { return SUPPORT_FIELDS; }
};

// A part of the summary that the source lacks.
struct Lacking {
    bool number;
    uint32_t begin, end;  // bytes
};

// Finds names, runs of words with capitals, and numbers of which the source has no word. The first
// word of a sentence is a name only where another follows it; a text without small letters has
// no names.
class LackingFinder {
  public:
    const std::vector<Lacking>& find(View view, const SupportWords& text, const uint32_t* ids) {
        found_.clear();
        Pace pace;
        for (size_t k = 0; k < text.size; ++k) {
            pace(4);
            if (ids[k]) continue;
            if (text.is(k, NUMBER)) {
                if (!is_one(view, text.places[k]))
                    found_.push_back({true, text.places[k].begin, text.places[k].end});
            } else if (text.has_lower && is_name(view, text, k, ids)) {
                const size_t first = k;
                while (k + 1 < text.size && is_name(view, text, k + 1, ids) &&
                       is_joined(view, text, k))
                    ++k;
                if (k > first || !text.is(k, OPENS))
                    found_.push_back({false, text.places[first].begin, text.places[k].end});
            }
        }
        return found_;
    }

  private:
    static bool is_name(View view, const SupportWords& text, size_t k,
                        const uint32_t* ids) noexcept {
        if (ids[k] || !text.is(k, CAPITAL) || text.is(k, NUMBER)) return false;
        return !text.is(k, FUNCTION) || is_initial(view, text.places[k]);
    }
    static bool is_initial(View view, SupportWords::Place place) noexcept {
        const char c = view.data[place.begin];
        return place.end - place.begin == 1 && c != 'A' && c != 'I';
    }
    // "one" is a pronoun more often than a number.
    static bool is_one(View view, SupportWords::Place place) noexcept {
        return place.end - place.begin == 3 && (view.data[place.begin] | 0x20) == 'o';
    }
    // Whether the next word is of the same sentence, after a blank, a hyphen, an apostrophe or the
    // stop of an initial.
    static bool is_joined(View view, const SupportWords& text, size_t k) noexcept {
        if (text.is(k + 1, OPENS)) return false;
        const uint32_t from = text.places[k].end, to = text.places[k + 1].begin;
        if (to - from > 2) return false;
        for (uint32_t i = from; i < to; ++i) {
            const char c = view.data[i];
            const bool joins = c == ' ' || c == '-' || c == '\'' || (c == '.' && i == from);
            if (!joins) return false;
        }
        return true;
    }

    std::vector<Lacking> found_;
};

class SupportSpace : public KeptSpace<SupportSetup, CopySource, 20> {
  public:
    explicit SupportSpace(const SupportSetup& setup)
        : reader_(setup.analyzer, setup.sentence_words, setup.by_rules) {
        for (const std::string& stem : setup.turning) {
            std::string padded = stem;
            padded.resize(stem.size() + PADDING);
            turning_.push_back(token_key(padded.data(), stem.size()));
        }
    }

    int build(const View* texts, size_t size, const SupportSetup&, CopySource& out) {
        source_.clear();
        for (size_t i = 0; i < size; ++i) {
            if (texts[i].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            reader_.read(texts[i], false, source_);
            if (source_.size > MAX_WORDS) return TEXT_TOO_LONG;
        }
        out.build(source_, turning_, room_);
        return OK;
    }

    int score(View summary, const CopySource& documents, const SupportSetup&,
              double* results) {
        if (summary.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        summary_.clear();
        reader_.read(summary, true, summary_);
        model_.score(summary_, documents, results);
        last_ = summary;
        return OK;
    }

    // Each part that the source lacks: 1 for a number, its size, its bytes.
    void tell(std::vector<double>& out) {
        for (const Lacking& part : lacking_.find(last_, summary_, model_.ids())) {
            out.push_back(part.number);
            out.push_back(part.end - part.begin);
            for (uint32_t i = part.begin; i < part.end; ++i)
                out.push_back(static_cast<unsigned char>(last_.data[i]));
        }
    }

    const SupportWords& words(View text) {
        summary_.clear();
        reader_.read(text, true, summary_);
        return summary_;
    }
    const SupportWords& source_words() const noexcept { return source_; }
    const CopyModel& model() const noexcept { return model_; }

  private:
    static constexpr size_t MAX_WORDS = size_t{1} << 30;     // of a source, as in one text

    WordReader reader_;
    std::vector<Key> turning_;
    SupportWords summary_, source_;
    CopySource::Room room_;
    CopyModel model_;
    LackingFinder lacking_;
    View last_{nullptr, 0};
};

using SupportEngine = EngineOf<SupportSpace>;

}  // namespace summeval
