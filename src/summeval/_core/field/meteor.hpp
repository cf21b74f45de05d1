// METEOR as NLTK computes it: a greedy alignment of equal words, then of equal stems, then of
// synonyms (the definition is tests/definitions/field/meteor.py).
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "elements/wordnet.hpp"
#include "field/tokenizers/tokenizers.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t METEOR_FIELDS = 4;

struct MeteorSetup {
    int tokenizer = TOKENS_BLANKS;
    double alpha = 0.9, beta = 3, gamma = 0.5;
    bool synonyms = false;
    bool tells = false;  // the alignment, where there is a single pair
    WordNet net;

    // out: the score, precision, recall, chunks by matches.
    void fields(size_t matches, size_t chunks, size_t own, size_t other, double* out) const noexcept {
        out[0] = out[1] = out[2] = 0;
        out[3] = 1;
        if (matches == 0) return;
        const auto count = static_cast<double>(matches);
        out[1] = count / static_cast<double>(own);
        out[2] = count / static_cast<double>(other);
        out[3] = static_cast<double>(chunks) / count;
        const double mean = out[1] * out[2] / (alpha * out[1] + (1 - alpha) * out[2]);
        out[0] = (1 - gamma * std::pow(out[3], beta)) * mean;
    }

    size_t width() const noexcept { return METEOR_FIELDS; }
};

// Writes the stem that NLTK's PorterStemmer gives a lower-case word of any script. Porter's rules
// look at characters: one outside ASCII is a consonant, which "A" or "B" stands for here; they
// differ where neighbours do.
inline void stem_characters(View word, std::string& scratch, std::string& out) {
    const auto size = static_cast<size_t>(word.size);
    const auto stemmed = [&](const char* text, size_t length, std::string& to) {
        to.resize(length + PADDING);
        to.resize(static_cast<size_t>(
            stem(STEM_PORTER, text, static_cast<int32_t>(length), to.data())));
    };
    if (std::all_of(word.data, word.data + size, [](char c) { return !(c & 0x80); }))
        return stemmed(word.data, size, out);
    scratch.clear();
    uint32_t before = 0;
    each_character(word, [&](uint32_t code, size_t, size_t) {
        char letter = static_cast<char>(code);
        if (code >= 0x80) {
            const char last = scratch.empty() ? 'B' : scratch.back();
            letter = code == before ? last : last == 'A' ? 'B' : 'A';
        }
        before = code;
        scratch.push_back(letter);
    });
    std::string letters;
    stemmed(scratch.data(), scratch.size(), letters);
    out.clear();
    size_t at = 0;
    each_character(word, [&](uint32_t code, size_t begin, size_t end) {
        if (at == letters.size()) return;
        const char letter = letters[at++];
        if (code >= 0x80 && (letter == 'A' || letter == 'B'))
            out.append(word.data + begin, end - begin);
        else
            out.push_back(letter);
    });
    out.append(letters, at, std::string::npos);  // where a rule has added a letter
}

// What later stages compare of a word: its stem, and the number of that among WordNet's strings.
struct WordForm {
    Key stem;
    uint32_t string;
};

// The forms of words, and the synonyms of stems, each found once.
class WordForms {
  public:
    WordForm form(const Key& key, View word, const MeteorSetup& setup) {
        const Entry& entry = entries_[find(key, word, setup)];
        return {entry.stem, entry.string};
    }

    // Calls visit(string) for each synonym of the stem of a word; a string may come twice.
    template <class Visit>
    void each_synonym(const Key& key, View word, const MeteorSetup& setup, Visit visit) {
        Entry& entry = entries_[find(key, word, setup)];
        if (entry.first == UNKNOWN) {
            stem_characters(word, scratch_, stem_);
            entry.first = static_cast<uint32_t>(synonyms_.size());
            setup.net.each_synonym(stem_, &near_,
                                   [&](uint32_t string) { synonyms_.push_back(string); });
            const auto begin = synonyms_.begin() + entry.first;
            std::sort(begin, synonyms_.end());
            synonyms_.erase(std::unique(begin, synonyms_.end()), synonyms_.end());
            entry.last = static_cast<uint32_t>(synonyms_.size());
        }
        for (uint32_t k = entry.first; k < entry.last; ++k) visit(synonyms_[k]);
    }

  private:
    static constexpr uint32_t UNKNOWN = UINT32_MAX;
    static constexpr size_t FIRST = 1 << 10, MOST = 1 << 16, MOST_SYNONYMS = 1 << 22;

    struct Entry {
        Key key{0, 0}, stem{0, 0};
        uint32_t string = 0, first = UNKNOWN, last = 0, used = 0;
    };

    size_t place_of(const Key& key) const noexcept {
        size_t place = static_cast<size_t>(key_hash(key) >> 32) & (entries_.size() - 1);
        while (entries_[place].used && !(entries_[place].key == key))
            place = (place + 1) & (entries_.size() - 1);
        return place;
    }

    size_t find(const Key& key, View word, const MeteorSetup& setup) {
        const size_t place = place_of(key);
        return entries_[place].used ? place : add(key, word, setup);
    }

    SUMMEVAL_SELDOM size_t add(const Key& key, View word, const MeteorSetup& setup) {
        if (2 * size_ >= entries_.size() || synonyms_.size() > MOST_SYNONYMS) {  // start anew
            entries_.assign(std::min(4 * entries_.size(), MOST), Entry{});
            synonyms_.clear();
            size_ = 0;
        }
        stem_characters(word, scratch_, stem_);
        const size_t length = stem_.size();
        Entry entry;
        entry.key = key;
        entry.string = setup.synonyms ? setup.net.number(stem_, &near_) : WordNet::NONE;
        stem_.resize(length + PADDING);
        entry.stem = sized_key(stem_.data(), length);
        entry.used = 1;
        const size_t place = place_of(key);
        entries_[place] = entry;
        ++size_;
        return place;
    }

    std::vector<Entry> entries_ = std::vector<Entry>(FIRST);
    std::vector<uint32_t> synonyms_;
    size_t size_ = 0;
    WordNet::Near near_;
    std::string stem_, scratch_;
};

struct MeteorReferences {
    Vocabulary words, stems;
    std::vector<size_t> starts;           // of the tokens of each reference
    std::vector<uint32_t> word, stem;     // of each token, their numbers
    std::vector<std::array<uint32_t, 2>> strings;  // sorted: a string of WordNet, its stem's number
    void shrink() {}

    uint32_t stem_of(uint32_t string) const noexcept {
        const auto at = std::lower_bound(
            strings.begin(), strings.end(), string,
            [](const std::array<uint32_t, 2>& a, uint32_t b) { return a[0] < b; });
        return at != strings.end() && (*at)[0] == string ? (*at)[1] : 0;
    }
};

class MeteorSpace : public KeptSpace<MeteorSetup, MeteorReferences, 20> {
  public:
    int build(const View* texts, size_t count, const MeteorSetup& setup, MeteorReferences& out) {
        keys_.clear();
        forms_.clear();
        out.starts.assign(1, 0);
        for (size_t t = 0; t < count; ++t) {
            if (const int status = tokens_.read_keys(setup.tokenizer, texts[t], own_))
                return status;
            Pace pace;
            for (size_t k = 0; k < tokens_.size; ++k) {
                pace(8);
                keys_.push_back(own_.keys[k]);
                forms_.push_back(table_.form(own_.keys[k], tokens_.token(k), setup));
            }
            out.starts.push_back(keys_.size());
        }
        const size_t size = keys_.size();
        if (out.word.size() < size) grow(out.word, size);
        if (out.stem.size() < size) grow(out.stem, size);
        out.words.reset(size);
        out.words.intern(keys_.data(), size, out.word.data());
        for (const auto [begin, end] : pieces(size))
            for (size_t k = begin; k < end; ++k) keys_[k] = forms_[k].stem;
        out.stems.reset(size);
        out.stems.intern(keys_.data(), size, out.stem.data());
        out.strings.clear();
        uint32_t seen = 0;
        for (size_t k = 0; k < size; ++k) {
            if (out.stem[k] <= seen) continue;
            seen = out.stem[k];
            if (forms_[k].string != WordNet::NONE) out.strings.push_back({forms_[k].string, seen});
        }
        std::sort(out.strings.begin(), out.strings.end());
        return OK;
    }

    int score(View text, const MeteorReferences& side, const MeteorSetup& setup, double* results) {
        if (const int status = tokens_.read_keys(setup.tokenizer, text, own_)) return status;
        const size_t size = tokens_.size;
        if (words_.size() < size) grow(words_, size);
        if (stems_.size() < size) grow(stems_, size);
        if (matches_.size() < size) grow(matches_, size);
        if (stages_.size() < size) grow(stages_, size);
        side.words.find(own_.keys.data(), size, words_.data());
        keys_.clear();
        Pace pace;
        for (size_t k = 0; k < size; ++k) {
            pace(8);
            keys_.push_back(table_.form(own_.keys[k], tokens_.token(k), setup).stem);
        }
        side.stems.find(keys_.data(), size, stems_.data());
        results[0] = -1;
        for (size_t t = 0; t + 1 < side.starts.size(); ++t) {
            const size_t begin = side.starts[t], length = side.starts[t + 1] - begin;
            const size_t found = align(side, begin, length, setup);
            double fields[METEOR_FIELDS];
            setup.fields(found, chunks(), size, length, fields);
            if (fields[0] <= results[0]) continue;
            std::copy(fields, fields + METEOR_FIELDS, results);
            if (setup.tells) keep_alignment(t);
        }
        return OK;
    }

    // The number of the best reference, then each match: both words, and the stage that found it.
    void tell(std::vector<double>& out) const {
        out.insert(out.end(), told_.begin(), told_.end());
    }

  private:
    static constexpr uint32_t NONE = UINT32_MAX;

    // For each number the last place in the reference that is free, and from there the ones before.
    void list(const uint32_t* numbers, size_t length) {
        if (next_.size() < length) grow(next_, length);
        Pace pace;
        for (size_t j = 0; j < length; ++j) {
            pace(1);
            if (taken_[j]) continue;
            next_[j] = last_[numbers[j]];
            last_[numbers[j]] = static_cast<uint32_t>(j);
        }
    }

    void forget(const uint32_t* numbers, size_t length) {
        Pace pace;
        for (size_t j = 0; j < length; ++j) {
            pace(1);
            last_[numbers[j]] = NONE;
        }
    }

    void match(size_t i, uint32_t number, uint8_t stage) {
        const uint32_t j = last_[number];
        matches_[i] = j;
        stages_[i] = stage;
        taken_[j] = 1;
        last_[number] = next_[j];
    }

    // Each word of the candidate, from the last to the first, takes the last free one that equals
    // it; then the same of stems, of those that are left; then of synonyms. Returns the matches.
    size_t align(const MeteorReferences& side, size_t begin, size_t length,
                 const MeteorSetup& setup) {
        const uint32_t* const word = side.word.data() + begin;
        const uint32_t* const stem = side.stem.data() + begin;
        const size_t numbers = std::max(side.words.size(), side.stems.size()) + size_t{1};
        if (last_.size() < numbers) last_.resize(numbers, NONE);
        taken_.assign(length, 0);
        size_t found = 0;
        Pace pace;
        list(word, length);
        for (size_t i = tokens_.size; i-- > 0;) {
            pace(2);
            matches_[i] = NONE;
            if (last_[words_[i]] == NONE) continue;
            match(i, words_[i], 0);
            ++found;
        }
        forget(word, length);
        if (found == std::min(tokens_.size, length)) return found;
        list(stem, length);
        for (size_t i = tokens_.size; i-- > 0;) {
            pace(2);
            if (matches_[i] != NONE || last_[stems_[i]] == NONE) continue;
            match(i, stems_[i], 1);
            ++found;
        }
        for (size_t i = tokens_.size; setup.synonyms && i-- > 0 && found < length;) {
            pace(2);
            if (matches_[i] != NONE) continue;
            uint32_t best = 0;
            table_.each_synonym(own_.keys[i], tokens_.token(i), setup, [&](uint32_t string) {
                pace(4);
                const uint32_t number = side.stem_of(string);
                const uint32_t place = last_[number];
                if (place != NONE && (best == 0 || place > last_[best])) best = number;
            });
            if (best == 0) continue;
            match(i, best, 2);
            ++found;
        }
        forget(stem, length);
        return found;
    }

    // Runs of matches that are neighbours in both texts.
    size_t chunks() const {
        size_t count = 0;
        uint32_t expected = NONE;  // what would go on with the last run
        for (size_t i = 0; i < tokens_.size; ++i) {
            const uint32_t j = matches_[i];
            count += j != NONE && j != expected;
            expected = j == NONE ? NONE : j + 1;
        }
        return count;
    }

    void keep_alignment(size_t reference) {
        told_.assign(1, static_cast<double>(reference));
        for (size_t i = 0; i < tokens_.size; ++i) {
            if (matches_[i] == NONE) continue;
            told_.insert(told_.end(), {static_cast<double>(i), static_cast<double>(matches_[i]),
                                       static_cast<double>(stages_[i])});
        }
    }

    FieldTokens tokens_;
    Reading own_;
    WordForms table_;
    std::vector<Key> keys_;
    std::vector<WordForm> forms_;
    std::vector<uint32_t> words_, stems_, matches_, last_, next_;
    std::vector<uint8_t> stages_, taken_;
    std::vector<double> told_;
};

using MeteorEngine = EngineOf<MeteorSpace>;

}  // namespace summeval
