// Rows of texts for the guards. A row has the guards, the share of repeated words, and whether a
// look tells that the text is English.
#pragma once
#include <cstring>
#include <memory>

#include "guards/ground.hpp"
#include "guards/seams.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr int UNKNOWN_CHARACTER = 32;  // a status: tell `letters` of the text's characters

struct GuardSetup {
    std::shared_ptr<Letters> letters;
    std::shared_ptr<WordOrder> order;
    std::shared_ptr<Ngrams> ngrams;  // none: no text looks stitched together
    SeamFit of_references, of_source;
    size_t run = 3;       // words that count as repeated together
    uint32_t latin = 2;   // the number of its script
};

struct GuardGround {
    Ground ground;
    Copies copies;  // what may be copied: the source, or else the references; none if not English
    bool has_source = false;
    void shrink() noexcept {}
};

// Whether a text has a word that nearly every English text has: then it needs no other look.
inline bool looks_english(View text) noexcept {
    const char* at = text.data;
    const char* const end = at + text.size;
    while (end - at >= 5 &&
           (at = static_cast<const char*>(std::memchr(at, ' ', static_cast<size_t>(end - at))))) {
        const size_t left = static_cast<size_t>(end - at);
        const auto is = [=](const char* word, size_t size) noexcept {
            return left >= size && std::memcmp(at, word, size) == 0;
        };
        if (is(" the ", 5) || is(" and ", 5) || is(" with ", 6) || is(" that ", 6)) return true;
        ++at;
    }
    return false;
}

class GuardSpace : public RowSpace {
  public:
    explicit GuardSpace(const GuardSetup& setup)
        : reader_(*setup.letters), words_(*setup.order) {}

    GuardGround references;

    // The references come first; a text without data parts them from the documents of the source.
    int build(const View* texts, size_t size, const GuardSetup& setup, GuardGround& out) {
        all_.clear();
        told_ = {};
        out.has_source = false;
        size_t k = 0;
        for (; k < size && texts[k].data; ++k)
            if (const int status = add(texts[k], true, setup)) return status;
        for (++k; k < size; ++k) {
            const size_t before = all_.tokens.size();
            if (const int status = add(texts[k], false, setup)) return status;
            if (out.has_source || reader_.is_blank()) continue;
            out.has_source = true;
            all_.tokens.erase(all_.tokens.begin(),
                              all_.tokens.begin() + static_cast<std::ptrdiff_t>(before));
        }
        if (setup.ngrams && is_english()) out.copies.build(all_.tokens, numbers_);
        out.ground.usual = usual();
        out.ground.beginnings = all_.keys;
        out.ground.set_characters(all_.beyond_ascii, *setup.letters, setup.latin);
        return OK;
    }

    int score(View text, const GuardGround& given, const GuardSetup& setup, double* out) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        words_.clear();
        if (!reader_.read(text, words_)) return UNKNOWN_CHARACTER;
        guards_of(words_, reader_.characters(), given.ground, *setup.order, *setup.letters, out);
        std::fill(out + GUARDS + 2, out + WIDTH, 0.0);
        if (!given.copies.empty() && !words_.words.empty()) {
            seams_.look(words_, *setup.ngrams, given.copies, out + GUARDS + 2);
            const SeamFit& fit = given.has_source ? setup.of_source : setup.of_references;
            out[SEAMLESS] = fit.factor(out + GUARDS + 2);
        }
        out[GUARDS] = repetition_.share(words_.words, setup.run);
        out[GUARDS + 1] = looks_english(text);
        return OK;
    }

    static constexpr size_t WIDTH = GUARDS + 2 + SEAMS;

    void tell(std::vector<double>&) noexcept {}
    bool worth_keeping() const noexcept { return largest() <= KEEP_BYTES; }

  private:
    static constexpr int64_t KEEP_BYTES = int64_t{1} << 20;  // of texts, whose memory is kept

    // What the texts tell that are taken for usual: the references, or else the source.
    struct Told {
        size_t references = 0, ending = 0;  // which end in a mark
        size_t words = 0, functions = 0;
        size_t pieces = 0;  // between blanks, of the source
        double order = guarding::USUAL_ORDER;
    };

    // Reads a reference or a document. Blank ones count for nothing.
    int add(View text, bool is_reference, const GuardSetup& setup) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        const size_t characters = all_.beyond_ascii.size();
        const size_t tokens = all_.tokens.size();
        if (!reader_.read(text, all_)) return UNKNOWN_CHARACTER;
        all_.tokens.push_back({0, 0});  // no run goes from one text into the next
        if (reader_.is_blank()) {
            all_.beyond_ascii.resize(characters);
            all_.tokens.resize(tokens);
        } else if (is_reference) {
            ++told_.references;
            told_.ending += reader_.ends();
            return learn(text, *setup.order);
        } else if (told_.references == 0) {
            told_.pieces += reader_.pieces_of(text);
            const bool is_long = reader_.characters() > guarding::READ;
            return learn(is_long ? beginning(text) : text, *setup.order);
        }
        return OK;
    }

    int learn(View text, const WordOrder& order) {
        words_.clear();
        if (!reader_.read(text, words_)) return UNKNOWN_CHARACTER;
        told_.words += words_.words.size();
        Pace pace;
        for (const uint8_t kind : words_.kinds) {
            pace(1);
            told_.functions += kind == FUNCTION_WORD;
        }
        // Another language has another order: then the completion's need be no better.
        const double found = order.score(words_.classes.data(), words_.classes.size());
        told_.order = std::min(told_.order, found - guarding::ORDER_SPREAD);
        if (!words_.beginnings.empty()) all_.keys.add(words_.beginnings.back());  // that was cut
        return OK;
    }

    static View beginning(View text) {
        size_t at = 0, length = 0;
        for (size_t k = 0; k < guarding::READ; ++k, at += length)
            code_at(text.data, static_cast<size_t>(text.size), at, length);
        return {text.data, static_cast<int64_t>(at)};
    }

    // The model of runs of words knows English alone.
    bool is_english() const noexcept {
        return static_cast<double>(told_.functions) /
                   static_cast<double>(std::max<size_t>(1, told_.words)) >=
               guarding::ENGLISH;
    }

    GroundNumbers usual() const noexcept {
        double shortest, longest;
        if (told_.references != 0) {
            const double mean =
                static_cast<double>(told_.words) / static_cast<double>(told_.references);
            shortest = mean / guarding::NEAR;
            longest = mean * guarding::NEAR;
        } else {
            const double root = std::sqrt(static_cast<double>(told_.pieces));
            shortest = guarding::SHORTEST * root;
            longest = std::max(guarding::LONGEST * root, 2.0 * guarding::LEAST_WORDS);
        }
        const double share = static_cast<double>(told_.functions) /
                             static_cast<double>(std::max<size_t>(1, told_.words));
        GroundNumbers found;
        found.shortest = std::max(shortest, guarding::LEAST_WORDS);
        found.longest = std::max(longest, guarding::LEAST_WORDS);
        found.order = told_.order;
        found.function_words =
            std::min(guarding::USUAL_FUNCTION_WORDS, share * guarding::OF_USUAL);
        found.ends = 2 * told_.ending >= told_.references;
        return found;
    }

    GuardReader reader_;
    GuardWords words_;
    Beginnings all_;  // of the references and the source
    Told told_;
    Repetition repetition_;
    Vocabulary numbers_;
    Seams seams_;
};

struct GuardFamily {
    using Setup = GuardSetup;
    using References = GuardGround;
    using Space = GuardSpace;
    static size_t width(const GuardSetup&) noexcept { return GuardSpace::WIDTH; }
};

using GuardEngine = Engine<GuardFamily>;

}  // namespace summeval
