// What can be counted in a text without a parse: lengths, repetition, runs of function words, pairs
// of word classes, marks. The definition is tests/definitions/text/features.py.
//
// Sentences end at newlines and where the rules of support/sentence_rules.hpp say. Everything is
// linear in the length of the text: sentences are compared with the NEAR before them only.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "likeness/vector_table.hpp"
#include "readability/sentence_lines.hpp"
#include "rows/parallel.hpp"
#include "text/analysis.hpp"

namespace summeval {

enum TextFeature : int {
    WORDS, SENTENCES, SENTENCE_LENGTH, SHORTEST_SENTENCE, LENGTH_SPREAD, DISTINCT_WORDS,
    DISTINCT_CONTENT, REPEATED_WORDS, REPEATED_BIGRAMS, REPEATED_CONTENT, WORDS_WITHIN,
    MOST_WORDS_WITHIN, NEAR_CONTENT, COMMONEST_CONTENT, SHARED_CONTENT, ALIKE_SENTENCES,
    NEW_CONTENT, LEAST_NEW_CONTENT, FUNCTION_RUNS, WORST_PAIRS, SHORT_SENTENCES, BROKEN_OFF,
    SPACED_MARKS, UNBALANCED, NO_FINAL_MARK, CONTINUITY, TEXT_FEATURES,
};

enum TextFeatureStatus : int { FEATURES_OK, FEATURES_TEXT_TOO_LONG, FEATURES_NO_MEMORY };

// What is known of a word.
struct WordTraits {
    uint16_t word_class = 0;
    bool is_function = false;  // not a content word
    bool wants_more = false;   // no sentence ends with it
};

struct WordSuffix {
    std::string letters;
    uint16_t word_class;
};

// The words and classes of a language.
struct TextFeaturePlan {
    enum : uint16_t { BOUNDARY, NUMBER, OTHER };  // classes that are not of the lists

    Analyzer analyzer;  // unicode tokens, folded, Porter stems
    SentenceWords sentence_words;
    std::unordered_map<std::string, WordTraits> words;
    std::vector<WordSuffix> suffixes;  // of words that have at least SUFFIX_REST more bytes
    std::vector<double> pairs;         // [class, class of the next]: pointwise mutual information
    size_t classes = 0;
    std::shared_ptr<const VectorTable> vectors;  // of words; none: no continuity
};

class TextFeatureSpace {
  public:
    explicit TextFeatureSpace(const TextFeaturePlan& plan)
        : plan_(plan), lines_(plan.sentence_words), stems_(plan.analyzer) {
        std::string padded;
        for (const auto& [word, traits] : plan.words) {
            padded.assign(word).resize(word.size() + PADDING);
            keys_.push_back(token_key(padded.data(), word.size()));
            traits_.push_back(traits);
        }
        known_.reset(keys_.size());
        ids_.resize(keys_.size());
        known_.intern(keys_.data(), keys_.size(), ids_.data());
        known_traits_.resize(keys_.size() + 1);
        for (size_t k = 0; k < keys_.size(); ++k) known_traits_[ids_[k]] = traits_[k];
    }

    // Writes TEXT_FEATURES numbers.
    int count(View given, double* out) {
        std::fill_n(out, static_cast<size_t>(TEXT_FEATURES), 0.0);
        if (given.size > MAX_TEXT_BYTES / 2) return FEATURES_TEXT_TOO_LONG;
        const View text = lines_.split(given);
        read(text);
        const TextMarks marks = marks_of(text);
        if (spans_.size) out[SPACED_MARKS] = static_cast<double>(marks.spaced) / spans_.size;
        out[UNBALANCED] = marks.unbalanced;
        out[NO_FINAL_MARK] = marks.no_final;
        if (!spans_.size) return FEATURES_OK;
        count_lengths(out);
        count_repetition(out);
        count_content(out);
        count_likeness(out);
        count_pairs(out);
        if (plan_.vectors) count_continuity(out);
        return FEATURES_OK;
    }

    bool worth_keeping() const noexcept { return keys_.capacity() <= KEPT_WORDS; }

  private:
    static constexpr size_t NEAR = 32;          // sentences before, with which one is compared
    static constexpr size_t SHORT = 4;          // words of a short sentence at most
    static constexpr size_t SUFFIX_REST = 3;
    static constexpr size_t LOWEST = 10;        // the lowest tenth of the pairs counts
    static constexpr size_t MOST_SORTED = size_t{1} << 16;
    static constexpr size_t KEPT_WORDS = size_t{1} << 18;

    struct Sentence {
        size_t begin, end;           // words
        size_t first, last;          // distinct words
        size_t content, content_end; // distinct stems of content words
    };

    // Words, their numbers and traits, and the sentences that have words.
    void read(View text) {
        tokenize(TOKENS_UNICODE, true, true, text, spans_);
        const size_t size = spans_.size;
        sentences_.clear();
        if (!size) return;
        const char* const bytes = spans_.bytes.data();
        const uint32_t* const edges = spans_.edges.data();
        keys_.resize(size);
        stem_keys_.resize(size);
        ids_.resize(size);
        stem_ids_.resize(size);
        traits_.resize(size);
        Pace pace;
        for (size_t k = 0; k < size; ++k) {
            pace(4);
            const char* const word = bytes + edges[2 * k];
            const size_t length = edges[2 * k + 1] - edges[2 * k];
            keys_[k] = token_key(word, length);
        }
        known_.find(keys_.data(), size, ids_.data());
        for (size_t k = 0; k < size; ++k) {
            pace(4);
            traits_[k] = ids_[k] ? known_traits_[ids_[k]]
                                 : traits_of(bytes + edges[2 * k], edges[2 * k + 1] - edges[2 * k]);
        }
        stems_.map(bytes, edges, size, stem_keys_.data());
        if (plan_.vectors) word_keys_ = keys_;  // keys_ is written over later
        words_.reset(size);
        words_.intern(keys_.data(), size, ids_.data());
        stem_words_.reset(size);
        stem_words_.intern(stem_keys_.data(), size, stem_ids_.data());
        size_t begin = 0;
        for (const uint32_t end : spans_.line_ends) {
            if (end > begin) sentences_.push_back({begin, end, 0, 0, 0, 0});
            begin = std::max<size_t>(begin, end);
        }
        if (begin < size) sentences_.push_back({begin, size, 0, 0, 0, 0});
    }

    // Of a word that is on no list.
    WordTraits traits_of(const char* word, size_t length) const noexcept {
        WordTraits found;
        found.word_class = TextFeaturePlan::OTHER;
        if (word[0] >= '0' && word[0] <= '9') {
            found.word_class = TextFeaturePlan::NUMBER;
            return found;
        }
        for (const WordSuffix& suffix : plan_.suffixes) {
            const size_t size = suffix.letters.size();
            if (length >= size + SUFFIX_REST &&
                std::memcmp(word + length - size, suffix.letters.data(), size) == 0) {
                found.word_class = suffix.word_class;
                break;
            }
        }
        return found;
    }

    void count_lengths(double* out) const {
        const double words = static_cast<double>(spans_.size);
        const double count = static_cast<double>(sentences_.size());
        const double mean = words / count;
        size_t shortest = spans_.size, few = 0, broken = 0;
        double squares = 0;
        Pace pace;
        for (const Sentence& each : sentences_) {
            pace(1);
            const size_t length = each.end - each.begin;
            shortest = std::min(shortest, length);
            few += length <= SHORT;
            broken += traits_[each.end - 1].wants_more;
            const double apart = static_cast<double>(length) - mean;
            squares += apart * apart;
        }
        out[WORDS] = words;
        out[SENTENCES] = count;
        out[SENTENCE_LENGTH] = std::log1p(mean);
        out[SHORTEST_SENTENCE] = std::log1p(static_cast<double>(shortest));
        out[LENGTH_SPREAD] = std::sqrt(squares / count) / mean;
        out[SHORT_SENTENCES] = static_cast<double>(few) / count;
        out[BROKEN_OFF] = static_cast<double>(broken) / count;
    }

    // Repeated words and pairs of words, in the text and within sentences; runs of function words.
    void count_repetition(double* out) {
        const size_t size = spans_.size;
        const double words = static_cast<double>(size);
        out[DISTINCT_WORDS] = words_.size() / std::sqrt(words);
        out[REPEATED_WORDS] = 1 - words_.size() / words;
        if (size > 1) {
            for (const auto [from, to] : pieces(size - 1))
                for (size_t k = from; k < to; ++k)
                    keys_[k] = {uint64_t{ids_[k]} << 32 | ids_[k + 1], 1};
            bigrams_.reset(size);
            bigrams_.intern(keys_.data(), size - 1, pair_ids_of(size));
            out[REPEATED_BIGRAMS] = 1 - bigrams_.size() / (words - 1);
        }
        size_t runs = 0;
        Pace pace;
        for (size_t k = 2; k < size; ++k) {
            pace(1);
            runs += traits_[k].is_function && traits_[k - 1].is_function &&
                    traits_[k - 2].is_function;
        }
        if (size > 2) out[FUNCTION_RUNS] = static_cast<double>(runs) / (words - 2);
    }

    uint32_t* pair_ids_of(size_t size) {
        pair_ids_.resize(size);
        return pair_ids_.data();
    }

    // Stems of content words: how many, how often again and how soon, how many are new in a sentence.
    void count_content(double* out) {
        times_.assign(stem_words_.size() + 1, 0);
        seen_.assign(stem_words_.size() + 1, 0);
        last_.assign(stem_words_.size() + 1, 0);
        content_.clear();
        size_t total = 0, distinct = 0, most = 0, sentences = 0;
        double soon = 0, shares = 0, least = 1;
        Pace pace;
        for (size_t s = 0; s < sentences_.size(); ++s) {
            Sentence& each = sentences_[s];
            each.content = content_.size();
            size_t fresh = 0;
            for (size_t k = each.begin; k < each.end; ++k) {
                pace(2);
                if (traits_[k].is_function) continue;
                const uint32_t stem = stem_ids_[k];
                ++total;
                if (times_[stem]) soon += 1.0 / static_cast<double>(total - last_[stem]);
                last_[stem] = total;
                const bool is_new = !times_[stem]++;
                distinct += is_new;
                most = std::max<size_t>(most, times_[stem]);
                if (seen_[stem] != s + 1) {
                    seen_[stem] = s + 1;
                    content_.push_back(stem);
                    fresh += is_new;
                }
            }
            each.content_end = content_.size();
            const size_t kinds = each.content_end - each.content;
            if (!kinds) continue;
            const double share = static_cast<double>(fresh) / static_cast<double>(kinds);
            if (sentences++) shares += share;
            least = std::min(least, share);
        }
        if (!total) return;
        const double words = static_cast<double>(total);
        out[DISTINCT_CONTENT] = static_cast<double>(distinct) / std::sqrt(words);
        out[REPEATED_CONTENT] = 1 - static_cast<double>(distinct) / words;
        out[NEAR_CONTENT] = soon / words;
        out[COMMONEST_CONTENT] = static_cast<double>(most) / words;
        out[NEW_CONTENT] = sentences > 1 ? shares / static_cast<double>(sentences - 1) : 1.0;
        out[LEAST_NEW_CONTENT] = least;
    }

    // Words again within a sentence, and what a sentence shares with those before it.
    void count_likeness(double* out) {
        seen_.assign(std::max(words_.size(), stem_words_.size()) + 1, 0);
        kinds_.clear();
        double within = 0, most = 0, alike = 0, shared = 0;
        Pace pace;
        for (size_t s = 0; s < sentences_.size(); ++s) {
            Sentence& each = sentences_[s];
            each.first = kinds_.size();
            for (size_t k = each.begin; k < each.end; ++k) {
                pace(1);
                if (seen_[ids_[k]] == s + 1) continue;
                seen_[ids_[k]] = s + 1;
                kinds_.push_back(ids_[k]);
            }
            each.last = kinds_.size();
            const double own = static_cast<double>(each.last - each.first);
            const double again = 1 - own / static_cast<double>(each.end - each.begin);
            within += again;
            most = std::max(most, again);
            for (size_t t = s > NEAR ? s - NEAR : 0; t < s; ++t) {
                const Sentence& other = sentences_[t];
                const size_t common = marked(kinds_, other.first, other.last, s + 1, pace);
                const double others = static_cast<double>(other.last - other.first);
                const double both = static_cast<double>(common);
                alike = std::max(alike, both / (own + others - both));
            }
        }
        std::fill(seen_.begin(), seen_.end(), size_t{0});
        for (size_t s = 0; s < sentences_.size(); ++s) {
            const Sentence& each = sentences_[s];
            const size_t own = each.content_end - each.content;
            for (size_t k = each.content; k < each.content_end; ++k) seen_[content_[k]] = s + 1;
            for (size_t t = s > NEAR ? s - NEAR : 0; own && t < s; ++t) {
                const Sentence& other = sentences_[t];
                const size_t others = other.content_end - other.content;
                if (!others) continue;
                const size_t common = marked(content_, other.content, other.content_end, s + 1, pace);
                shared = std::max(shared, static_cast<double>(common) /
                                              static_cast<double>(std::min(own, others)));
            }
        }
        out[WORDS_WITHIN] = within / static_cast<double>(sentences_.size());
        out[MOST_WORDS_WITHIN] = most;
        out[ALIKE_SENTENCES] = alike;
        out[SHARED_CONTENT] = shared;
    }

    size_t marked(const std::vector<uint32_t>& kinds, size_t begin, size_t end, size_t mark,
                  Pace& pace) const {
        size_t found = 0;
        for (const auto [from, to] : pieces(end - begin))
            for (size_t k = begin + from; k < begin + to; ++k) found += seen_[kinds[k]] == mark;
        pace(end - begin + 1);
        return found;
    }

    // The mean of the lowest tenth of the pairs of classes, ends of sentences included.
    void count_pairs(double* out) {
        const double* const table = plan_.pairs.data();
        const size_t classes = plan_.classes;
        values_.clear();
        Pace pace;
        for (const Sentence& each : sentences_) {
            size_t before = TextFeaturePlan::BOUNDARY;
            for (size_t k = each.begin; k < each.end; ++k) {
                pace(1);
                const size_t now = traits_[k].word_class;
                values_.push_back(table[before * classes + now]);
                before = now;
            }
            values_.push_back(table[before * classes + TextFeaturePlan::BOUNDARY]);
        }
        const size_t kept = std::max<size_t>(1, values_.size() / LOWEST);
        const double sum = values_.size() <= MOST_SORTED ? lowest_sorted(kept) : lowest_counted(kept);
        out[WORST_PAIRS] = sum / static_cast<double>(kept);
    }

    // The least cosine of neighbouring sentences that have vectors: sums of those of their content
    // words, times the words' weights. 1 if there are no neighbours.
    void count_continuity(double* out) {
        const VectorTable& table = *plan_.vectors;
        const size_t size = table.dimensions();
        wide_.resize(padded(size));
        now_.resize(size);
        double least = 1, before_norm = 0;
        Pace pace;
        for (const Sentence& each : sentences_) {
            std::fill(now_.begin(), now_.end(), 0.0);
            for (size_t k = each.begin; k < each.end; ++k) {
                if (traits_[k].is_function) continue;
                pace(size);
                const int32_t row = table.find(word_keys_[k]);
                const double scale = table.widen_row(row, wide_.data()) * table.weight(row);
                if (scale == 0) continue;
                for (size_t d = 0; d < size; ++d) now_[d] += scale * wide_[d];
            }
            double norm = 0, product = 0;
            for (size_t d = 0; d < size; ++d) norm += now_[d] * now_[d];
            if (norm == 0) continue;
            if (before_norm > 0) {
                for (size_t d = 0; d < size; ++d) product += now_[d] * before_[d];
                least = std::min(least, product / std::sqrt(norm * before_norm));
            }
            before_norm = norm;
            before_.swap(now_);
            now_.resize(size);
        }
        out[CONTINUITY] = least;
    }

    double lowest_sorted(size_t kept) {
        const auto middle = values_.begin() + static_cast<int64_t>(kept);
        std::partial_sort(values_.begin(), middle, values_.end());
        double sum = 0;
        for (auto each = values_.begin(); each != middle; ++each) sum += *each;
        return sum;
    }

    // The same of many values, of which few differ.
    double lowest_counted(size_t kept) {
        std::map<double, size_t> counts;
        Pace pace;
        for (const double value : values_) {
            pace(16);
            ++counts[value];
        }
        double sum = 0;
        for (const auto& [value, times] : counts) {
            const size_t taken = std::min(kept, times);
            sum += value * static_cast<double>(taken);
            kept -= taken;
        }
        return sum;
    }

    const TextFeaturePlan& plan_;
    SentenceLines lines_;
    TokenCache stems_;
    Vocabulary known_;  // the words on lists
    std::vector<WordTraits> known_traits_;  // by their numbers
    TokenSpans spans_;
    std::vector<Key> keys_, stem_keys_, word_keys_;
    std::vector<int16_t> wide_;
    std::vector<double> now_, before_;
    std::vector<uint32_t> ids_, stem_ids_, pair_ids_, kinds_, content_, times_;
    std::vector<size_t> seen_, last_;
    std::vector<WordTraits> traits_;
    std::vector<Sentence> sentences_;
    std::vector<double> values_;
    Vocabulary words_, stem_words_, bigrams_;
};

class TextFeatureCounter {
  public:
    TextFeaturePlan plan;

    // The features of each text [row, TEXT_FEATURES]; NaN for a null text.
    void count(const View* texts, int64_t rows, int workers, double* out, FirstFailure& failed) {
        for_rows(
            pool_, rows, CHUNK, workers, failed, FEATURES_NO_MEMORY,
            [&] { return std::make_unique<TextFeatureSpace>(plan); },
            [&](int64_t row, TextFeatureSpace& space) {
                double* const here = out + row * TEXT_FEATURES;
                std::fill_n(here, static_cast<size_t>(TEXT_FEATURES),
                            std::numeric_limits<double>::quiet_NaN());
                if (!texts[row].data) return;
                const int status = space.count(texts[row], here);
                if (status != FEATURES_OK) failed.note(row, status);
            });
    }

  private:
    static constexpr int64_t CHUNK = 64;
    Pool<TextFeatureSpace> pool_;
};

}  // namespace summeval
