// chrF: n-grams of characters, and of words, that a candidate and a reference share.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "field/grams/grams.hpp"
#include "field/grams/trie.hpp"
#include "field/tokenizers/characters.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t CHRF_FIELDS = 3;

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

    size_t width() const noexcept { return CHRF_FIELDS + statistics(); }
};

struct ChrfReferences {
    size_t texts = 0, tries = 0;  // tries of all texts, or of none
    std::vector<GramTrie> trie;
    CharacterLevels characters;  // without tries
    WordLevels words;
    void shrink() {
        for (GramTrie& one : trie) one.shrink();
        characters.shrink();
        words.shrink();
    }
};

class ChrfSpace : public KeptSpace<ChrfSetup, ChrfReferences, 20> {
  public:
    int build(const View* texts, size_t count, const ChrfSetup& setup, ChrfReferences& out) {
        for (size_t t = 0; t < count; ++t)
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        const size_t orders = static_cast<size_t>(setup.char_order);
        out.texts = count;
        out.tries = 0;
        if (out.trie.size() < count) out.trie.resize(count);
        if (orders <= GramTrie::ORDERS)
            while (out.tries < count &&
                   out.trie[out.tries].build(texts[out.tries], setup.whitespace, orders, room_))
                ++out.tries;
        if (out.tries < count) {
            out.tries = 0;
            if (characters_.size() < count) characters_.resize(count);
            for (size_t t = 0; t < count; ++t)
                read_characters(texts[t], setup.whitespace, characters_[t]);
            out.characters.build(characters_, count, orders);
        }
        if (!setup.word_order) return OK;
        if (words_.size() < count) words_.resize(count);
        for (size_t t = 0; t < count; ++t) read_words(texts[t], words_[t]);
        out.words.build(words_, count, static_cast<size_t>(setup.word_order));
        return OK;
    }

    int score(View text, const ChrfReferences& side, const ChrfSetup& setup, double* results) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        const size_t count = side.texts, width = setup.statistics();
        const size_t orders = static_cast<size_t>(setup.char_order);
        if (sums_.size() < count * width) grow(sums_, count * width);
        if (side.tries) {
            for (size_t t = 0; t < count; ++t) {
                uint64_t shared[GramTrie::ORDERS];
                side.trie[t].count(text, setup.whitespace, room_, shared);
                for (size_t n = 1; n <= orders; ++n)
                    note(t * width + 3 * (n - 1), grams_of(room_.size, n),
                         grams_of(side.trie[t].size, n), shared[n - 1]);
            }
        } else {
            read_characters(text, setup.whitespace, own_characters_);
            compare(own_characters_, side.characters, 0, width);
        }
        if (setup.word_order) {
            read_words(text, own_words_);
            compare(own_words_, side.words, orders, width);
        }
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

  private:
    // The n-grams of the candidate, unless the reference has none of this order; those of the
    // reference; those of both.
    void note(size_t place, size_t own, size_t other, uint64_t both) noexcept {
        sums_[place] = other ? static_cast<double>(own) : 0;
        sums_[place + 1] = static_cast<double>(other);
        sums_[place + 2] = static_cast<double>(both);
    }

    template <class Text, class Levels>
    void compare(const Text& own, const Levels& side, size_t first, size_t width) {
        side.count(own, ids_, counts_, [&](size_t n, const int32_t* found, const Level& level) {
            for (size_t t = 0; t < side.texts; ++t)
                note(t * width + 3 * (first + n - 1), grams_of(own.size, n),
                     grams_of(side.sizes[t], n),
                     static_cast<uint64_t>(sum_of_minima(found, level.row(t), level.stride - 1)));
        });
    }

    static void read_characters(View text, bool all, Characters& characters) {
        const size_t bytes = static_cast<size_t>(text.size);
        uint32_t* const keys = TokenSpans::room(characters.keys, bytes + 1);
        size_t size = 0;
        Pace pace;
        each_character(text, [&](uint32_t code, size_t, size_t) {
            pace(1);
            keys[size] = code;
            size += all || !is_blank(code);
        });
        characters.size = size;
    }

    // Words are what blanks separate; an ASCII mark at the end of a word, or else at its beginning,
    // is a word of its own.
    void read_words(View text, Reading& words) {
        const size_t bytes = static_cast<size_t>(text.size);
        words.size = 0;
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

    GramTrie::Room room_;
    std::vector<Characters> characters_;
    std::vector<Reading> words_;
    Characters own_characters_;
    Reading own_words_;
    std::vector<uint32_t> ids_;
    std::vector<int32_t> counts_;
    std::vector<double> sums_;
    std::string padded_;
};

using ChrfEngine = EngineOf<ChrfSpace>;

}  // namespace summeval
