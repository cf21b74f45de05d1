// What a text copies of its source, stretch by stretch, and what is new in it (see
// tests/definitions/fragments.py, which defines them).
//
// The stretch that begins at a word is looked for at each place of that word in the source. Where
// this takes long, because a text repeats itself, the places are put in the order of what follows
// them. The longest match is then known. It is the stretch unless its first word comes again within
// it: only then may the definition pass over it (see paths.hpp).
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "fragments/paths.hpp"
#include "rows/units.hpp"

namespace summeval {

enum FragmentField : size_t {
    COVERAGE, DENSITY, COMPRESSION, NOVEL_1, NOVEL_2, NOVEL_3, REPETITION, LENGTH_RATIO,
    FRAGMENT_FIELDS
};

// A stretch of a text: its first word, where it begins in the source, how many words it has.
struct Fragment {
    uint32_t begin, place, size;
};

// The words of a source's documents, each document with a 0 behind it, and where each word stands.
// Scoring does not change it, so threads may share it.
class FragmentSource {
  public:
    size_t tokens() const noexcept { return tokens_; }
    size_t types() const noexcept { return vocabulary_.size(); }
    size_t size() const noexcept { return size_; }
    const uint32_t* words() const noexcept { return words_.data(); }
    const uint32_t* begin(uint32_t word) const noexcept { return places_.data() + starts_[word]; }
    const uint32_t* end(uint32_t word) const noexcept { return places_.data() + starts_[word + 1]; }
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        vocabulary_.find(keys, count, ids);
    }
    const PairTable& pairs() const noexcept { return pairs_; }      // of words
    const PairTable& triples() const noexcept { return triples_; }  // of a pair and a word
    // The document of a place, and the number of the word in it.
    void locate(uint32_t place, size_t& document, size_t& word) const noexcept {
        document = 0;
        uint32_t from = 0;
        while (place >= ends_[document]) from = ends_[document++];
        word = place - from;
    }

    void build(const std::vector<Reading>& texts, size_t count, size_t tokens) {
        tokens_ = tokens;
        size_ = tokens + count;
        vocabulary_.reset(tokens);
        uint32_t* const words = TokenSpans::room(words_, size_ + 1);
        ends_.clear();
        size_t at = 0;
        for (size_t t = 0; t < count; ++t) {
            vocabulary_.intern(texts[t].keys.data(), texts[t].size, words + at);
            at += texts[t].size;
            words[at++] = 0;
            ends_.push_back(static_cast<uint32_t>(at));
        }
        list_places();
        const size_t types = this->types();
        uint32_t* const pair = TokenSpans::room(pair_, size_ + 1);
        pairs_.reset(types, types, tokens);
        pairs_.interning([&](auto& intern) {
            Pace pace;
            for (size_t k = 0; k < size_; ++k, pace(4))
                pair[k] = words[k] && words[k + 1] ? intern(words[k], words[k + 1]) : 0;
        });
        triples_.reset(pairs_.size(), types, tokens);
        triples_.interning([&](auto& intern) {
            Pace pace;
            for (size_t k = 0; k < size_; ++k, pace(4))
                if (pair[k] && words[k + 2]) intern(pair[k], words[k + 2]);
        });
    }
    void shrink() noexcept {}

  private:
    void list_places() {
        starts_.assign(types() + 2, 0);
        places_.resize(tokens_ + 1);
        Pace pace;
        for (size_t k = 0; k < size_; ++k, pace(1))
            if (words_[k]) ++starts_[words_[k] + 1];
        for (size_t id = 1; id + 1 < starts_.size(); ++id, pace(1)) starts_[id + 1] += starts_[id];
        next_ = starts_;
        for (size_t k = 0; k < size_; ++k, pace(2))
            if (words_[k]) places_[next_[words_[k]]++] = static_cast<uint32_t>(k);
    }

    Vocabulary vocabulary_;
    size_t tokens_ = 0, size_ = 0;
    std::vector<uint32_t> words_, ends_, starts_, next_, places_, pair_;
    PairTable pairs_, triples_;
};

class FragmentFinder {
  public:
    // Calls visit(fragment) for each stretch of the text. `ids`: the numbers that its words have in
    // the source, 0 for none, and a 0 behind them. With `in_order` the place is the first of those
    // with the longest match.
    template <class Visit>
    void find(const uint32_t* ids, size_t size, const FragmentSource& source, bool in_order,
              Visit visit) {
        uint64_t left = STEPS + STEPS_OF_WORD * (size + source.size());
        size_t at = 0;
        while (at < size && left) {
            const Fragment found = longest(ids, at, size, source, left);
            if (found.size) visit(found);
            at += found.size ? found.size : 1;
        }
        if (at < size) find_sorted(ids + at, at, size - at, source, in_order, visit);
    }

  private:
    static constexpr uint64_t STEPS = 4096, STEPS_OF_WORD = 64;  // that sorting takes, about

    // The longest of the matches at the places of a word, each of which begins after the end of the
    // one before. Takes its steps from `left`.
    Fragment longest(const uint32_t* ids, size_t at, size_t size, const FragmentSource& source,
                     uint64_t& left) {
        Fragment best{static_cast<uint32_t>(at), 0, 0};
        const uint32_t* const words = source.words();
        const uint32_t* const own = ids + at;
        if (!*own) return best;
        const size_t most = size - at;
        uint32_t after = 0;
        uint64_t steps = 0;
        const uint32_t* const end = source.end(*own);
        for (const uint32_t* place = source.begin(*own); place != end; ++place) {
            pace_(1);
            ++steps;
            if (*place < after) continue;
            const uint32_t* const other = words + *place;
            size_t same = 1;
            while (own[same] && own[same] == other[same]) ++same;
            steps += same;
            pace_(same);
            if (same > best.size) {
                best.place = *place;
                best.size = static_cast<uint32_t>(same);
                if (same == most) break;
            }
            after = *place + static_cast<uint32_t>(same);
        }
        left -= std::min(left, steps);
        return best;
    }

    // As `find`, for the words from number `first` on.
    template <class Visit>
    void find_sorted(const uint32_t* ids, size_t first, size_t size, const FragmentSource& source,
                     bool in_order, Visit visit) {
        suffixes_.build(source.words(), source.size(), ids, size + 1, source.types());
        again_.resize(size);
        last_.assign(source.types() + 1, static_cast<uint32_t>(size));
        for (size_t k = size; k-- > 0; pace_(2)) {
            again_[k] = last_[ids[k]];
            last_[ids[k]] = static_cast<uint32_t>(k);
        }
        paths_.start(source.words(), source.size(), source.types());
        uint64_t unlimited = std::numeric_limits<uint64_t>::max();
        for (size_t at = 0; at < size; pace_(16)) {
            const Suffixes::Match match = suffixes_.match(at);
            Fragment found{static_cast<uint32_t>(at), 0, match.size};
            const bool hidden = match.size > 1 && again_[at] < at + match.size;
            if (match.size && (in_order || hidden)) {
                const MatchPaths::Places places{source.begin(ids[at]), source.end(ids[at])};
                if (!paths_.find(suffixes_, match, places, found.place, found.size))
                    found = longest(ids, at, size, source, unlimited);
            }
            found.begin += static_cast<uint32_t>(first);
            if (found.size) visit(found);
            at += found.size ? found.size : 1;
        }
        paths_.clear();
    }

    Suffixes suffixes_;
    MatchPaths paths_;
    std::vector<uint32_t> again_, last_;
    Pace pace_;
};

// Scores texts beside a source.
class FragmentJudge {
  public:
    void score(const Reading& text, const FragmentSource& source, double* out) {
        const size_t size = text.size;
        const double words = static_cast<double>(size), others = static_cast<double>(source.tokens());
        out[LENGTH_RATIO] =
            source.tokens() ? words / others : std::numeric_limits<double>::quiet_NaN();
        if (size == 0) {
            out[COVERAGE] = out[DENSITY] = out[COMPRESSION] = 0;
            out[NOVEL_1] = out[NOVEL_2] = out[NOVEL_3] = out[REPETITION] = 1;
            return;
        }
        const uint32_t* const ids = number(text, source);
        uint64_t copied = 0, squares = 0;
        finder_.find(ids, size, source, false, [&](const Fragment& found) {
            copied += found.size;
            squares += static_cast<uint64_t>(found.size) * found.size;
        });
        out[COVERAGE] = static_cast<double>(copied) / words;
        out[DENSITY] = static_cast<double>(squares) / words;
        out[COMPRESSION] = others / words;
        count_new(text, ids, source, out);
    }

    // The stretches of a text, the first of the longest places each.
    void find(const Reading& text, const FragmentSource& source, std::vector<Fragment>& out) {
        finder_.find(number(text, source), text.size, source, true,
                     [&](const Fragment& found) { out.push_back(found); });
    }

  private:
    const uint32_t* number(const Reading& text, const FragmentSource& source) {
        uint32_t* const ids = TokenSpans::room(ids_, text.size + 1);
        source.find(text.keys.data(), text.size, ids);
        ids[text.size] = 0;
        return ids;
    }

    // The different words, pairs and triples of words, those of them that the source lacks, and how
    // many triples came before.
    void count_new(const Reading& text, const uint32_t* ids, const FragmentSource& source,
                   double* out) {
        const size_t size = text.size;
        own_words_.reset(size);
        uint32_t* const own = TokenSpans::room(own_, size + 1);
        own_words_.intern(text.keys.data(), size, own);
        const size_t types = own_words_.size();
        out[NOVEL_1] = novel(size, own, ids);

        const size_t pairs = size - 1;
        uint32_t* const origin = TokenSpans::room(origin_, size + 1);
        uint32_t* const grams = TokenSpans::room(grams_, size + 1);
        source.pairs().finding([&](auto found) {
            Pace pace;
            for (size_t k = 0; k < pairs; ++k, pace(4)) origin[k] = found(ids[k], ids[k + 1]);
        });
        own_pairs_.reset(types, types, pairs);
        own_pairs_.interning([&](auto& intern) {
            Pace pace;
            for (size_t k = 0; k < pairs; ++k, pace(4)) grams[k] = intern(own[k], own[k + 1]);
        });
        out[NOVEL_2] = novel(pairs, grams, origin);

        const size_t triples = size > 2 ? size - 2 : 0;
        source.triples().finding([&](auto found) {
            Pace pace;
            for (size_t k = 0; k < triples; ++k, pace(4)) origin[k] = found(origin[k], ids[k + 2]);
        });
        own_triples_.reset(own_pairs_.size(), types, triples);
        own_triples_.interning([&](auto& intern) {
            Pace pace;
            for (size_t k = 0; k < triples; ++k, pace(4)) grams[k] = intern(grams[k], own[k + 2]);
        });
        out[NOVEL_3] = novel(triples, grams, origin);
        const double all = static_cast<double>(triples);
        out[REPETITION] = triples ? (all - own_triples_.size()) / all : 0;
    }

    // Of different units, which have the numbers 1, 2, ... in the order in which they come, the
    // share that is 0 in the source; 0 where there are none.
    static double novel(size_t size, const uint32_t* grams, const uint32_t* origin) {
        uint32_t seen = 0, novel_grams = 0;
        Pace pace;
        for (size_t k = 0; k < size; ++k, pace(1)) {
            const bool fresh = grams[k] > seen;
            seen += fresh;
            novel_grams += fresh && origin[k] == 0;
        }
        return seen ? static_cast<double>(novel_grams) / seen : 0;
    }

    FragmentFinder finder_;
    Vocabulary own_words_;
    PairTable own_pairs_, own_triples_;
    std::vector<uint32_t> ids_, own_, grams_, origin_;
};

}  // namespace summeval
