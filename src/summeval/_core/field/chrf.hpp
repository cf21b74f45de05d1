// chrF: n-grams of characters, and of words, that a candidate and a reference share.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "field/characters.hpp"
#include "field/grams.hpp"
#include "rows/engine.hpp"

namespace summeval {

struct ChrfSetup {
    int char_order = 6, word_order = 0;
    double beta = 2;
    bool whitespace = false;  // blanks are characters, too
    bool eps = false;         // every order counts

    size_t orders() const noexcept { return static_cast<size_t>(char_order + word_order); }
    size_t statistics() const noexcept { return 3 * orders(); }

    double fscore(double p, double r) const noexcept {
        const double below = beta * beta * p + r;
        return below > 0 ? (1 + beta * beta) * p * r / below : 0;
    }

    // sums: for each order the n-grams of the candidate, of the reference, of both.
    // out: F, precision, recall.
    void of_sums(const double* sums, double* out) const noexcept {
        constexpr double EPS = 1e-16;
        double precision = 0, recall = 0, smoothed = 0;
        int used = 0;
        for (size_t k = 0; k < orders(); ++k, sums += 3) {
            const double p = sums[0] > 0 ? sums[2] / sums[0] : EPS;
            const double r = sums[1] > 0 ? sums[2] / sums[1] : EPS;
            const double below = beta * beta * p + r;
            smoothed += below > 0 ? (1 + beta * beta) * p * r / below : EPS;
            if (sums[0] > 0 && sums[1] > 0) {
                precision += p;
                recall += r;
                ++used;
            }
        }
        out[1] = used ? precision / used : 0;
        out[2] = used ? recall / used : 0;
        out[0] = eps ? smoothed / static_cast<double>(orders()) : fscore(out[1], out[2]);
    }
};

constexpr size_t CHRF_FIELDS = 3;

struct ChrfReferences {
    CharacterLevels characters;
    WordLevels words;
    void shrink() {
        characters.shrink();
        words.shrink();
    }
};

class ChrfSpace : public RowSpace {
  public:
    explicit ChrfSpace(const ChrfSetup&) {}

    ChrfReferences references;

    int build(const View* texts, size_t count, const ChrfSetup& setup, ChrfReferences& out) {
        if (characters_.size() < count) {
            characters_.resize(count);
            words_.resize(count);
        }
        for (size_t t = 0; t < count; ++t) {
            const int status = read(texts[t], setup, characters_[t], words_[t]);
            if (status != OK) return status;
        }
        out.characters.build(characters_, count, static_cast<size_t>(setup.char_order));
        if (setup.word_order)
            out.words.build(words_, count, static_cast<size_t>(setup.word_order));
        return OK;
    }

    int score(View text, const ChrfReferences& side, const ChrfSetup& setup, double* results) {
        const int status = read(text, setup, own_characters_, own_words_);
        if (status != OK) return status;
        const size_t count = side.characters.texts, width = setup.statistics();
        if (sums_.size() < count * width) grow(sums_, count * width);
        compare(own_characters_, side.characters, 0, width);
        if (setup.word_order)
            compare(own_words_, side.words, static_cast<size_t>(setup.char_order), width);
        double best = -1;
        for (size_t t = 0; t < count; ++t) {
            double fields[CHRF_FIELDS];
            const double* const sums = sums_.data() + t * width;
            setup.of_sums(sums, fields);
            if (fields[0] > best) {
                best = fields[0];
                std::copy(fields, fields + CHRF_FIELDS, results);
                std::copy(sums, sums + width, results + CHRF_FIELDS);
            }
        }
        return OK;
    }

    void tell(std::vector<double>&) const {}

    bool worth_keeping() const noexcept { return largest() <= KEEP_BYTES; }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;

    // sums[text][first + n - 1]: the n-grams of the candidate, unless the reference has none of
    // this order; those of the reference; those of both.
    template <class Text, class Levels>
    void compare(const Text& own, const Levels& side, size_t first, size_t width) {
        side.count(own, ids_, counts_, [&](size_t n, const int32_t* found, const Level& level) {
            for (size_t t = 0; t < side.texts; ++t) {
                double* const sums = sums_.data() + t * width + 3 * (first + n - 1);
                sums[1] = static_cast<double>(grams_of(side.sizes[t], n));
                sums[0] = sums[1] > 0 ? static_cast<double>(grams_of(own.size, n)) : 0;
                sums[2] = static_cast<double>(
                    sum_of_minima(found, level.row(t), level.stride - 1));
            }
        });
    }

    int read(View text, const ChrfSetup& setup, Characters& characters, Reading& words) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        const size_t bytes = static_cast<size_t>(text.size);
        uint32_t* const keys = TokenSpans::room(characters.keys, bytes + 1);
        const bool all = setup.whitespace;
        const auto* const from = reinterpret_cast<const unsigned char*>(text.data);
        size_t size = 0, at = 0;
        Pace pace;
        while (at < bytes) {
            const size_t begin = at, piece = std::min(bytes, at + stop::STEPS);
            for (; at < piece && from[at] < 0x80; ++at) {  // most texts have few others
                const uint32_t code = from[at];
                keys[size] = code;
                size += all || !is_blank(code);
            }
            if (at < piece) {
                uint32_t code;
                size_t length = unicode::decode(from + at, bytes - at, code);
                if (length == 0) code = 0xFFFD, length = 1;
                keys[size] = code;
                size += all || !is_blank(code);
                at += length;
            }
            pace(at - begin);
        }
        characters.size = size;
        words.size = 0;
        if (setup.word_order) read_words(text, words);
        return OK;
    }

    // Words are what blanks separate; an ASCII mark at the end of a word, or else at its beginning,
    // is a word of its own.
    void read_words(View text, Reading& words) {
        const size_t bytes = static_cast<size_t>(text.size);
        padded_.assign(text.data, bytes);
        padded_.append(PADDING, '\0');
        Key* const keys = TokenSpans::room(words.keys, bytes + 1);
        const auto add = [&](size_t begin, size_t end) {
            keys[words.size++] = sized_key(padded_.data() + begin, end - begin);
        };
        size_t begin = 0, characters = 0;
        const auto close = [&](size_t end) {
            const bool marked = characters > 1;
            if (marked && is_ascii_mark(static_cast<unsigned char>(padded_[end - 1]))) {
                add(begin, end - 1);
                add(end - 1, end);
            } else if (marked && is_ascii_mark(static_cast<unsigned char>(padded_[begin]))) {
                add(begin, begin + 1);
                add(begin + 1, end);
            } else if (characters) {
                add(begin, end);
            }
            characters = 0;
        };
        Pace pace;
        each_character(text, [&](uint32_t code, size_t from, size_t to) {
            pace(2);
            if (is_blank(code)) {
                close(from);
                begin = to;
            } else {
                ++characters;
            }
        });
        close(bytes);
    }

    std::vector<Characters> characters_;
    std::vector<Reading> words_;
    Characters own_characters_;
    Reading own_words_;
    std::vector<uint32_t> ids_;
    std::vector<int32_t> counts_;
    std::vector<double> sums_;
    std::string padded_;
};

struct ChrfFamily {
    using Setup = ChrfSetup;
    using References = ChrfReferences;
    using Space = ChrfSpace;
    static size_t width(const ChrfSetup& setup) noexcept {
        return CHRF_FIELDS + setup.statistics();
    }
};

using ChrfEngine = Engine<ChrfFamily>;

}  // namespace summeval
