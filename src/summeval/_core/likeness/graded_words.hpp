// The different words of one or several texts, with all that the likeness of two words depends on,
// and texts as numbers of such words.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "likeness/vector_table.hpp"
#include "rows/units.hpp"

namespace summeval {

// Vectors of words, and 1 by the length of each.
struct WordVectors {
    std::vector<int16_t> vectors;  // [word][dimension], padded
    std::vector<float> inverse;
    size_t stride = 0;

    void start(size_t dimensions) noexcept { stride = padded(dimensions); }

    // Room for one more, and for three that are read but do not count; returns where its vector is
    // to be written.
    int16_t* more(size_t words) {
        const size_t wanted = (words + 4) * stride;
        if (vectors.size() < wanted) grow(vectors, std::max(wanted, 2 * vectors.size()));
        if (inverse.size() < words + 4) grow(inverse, 2 * words + 16);
        return vectors.data() + words * stride;
    }
};

// A text: its content words in order, and each of them once.
struct GradedText {
    std::vector<uint32_t> words;
    std::vector<uint32_t> distinct;
    std::vector<double> amount;  // of each distinct word: the squares of its weights, added
    double weight = 0;           // of all words
    double square = 0;           // the squares of the weights, added
};

class GradedWords {
  public:
    size_t size() const noexcept { return size_; }
    double weight(size_t word) const noexcept { return weights_[word]; }
    const Key* stems() const noexcept { return stems_.data(); }
    const WordVectors& table() const noexcept { return table_; }
    const WordVectors& context() const noexcept { return context_; }
    // The places of the content words of the text that was taken last.
    const std::vector<uint32_t>& chosen() const noexcept { return chosen_; }

    // `context`: how many dimensions the vectors in context have, 0 if there are none.
    void start(size_t tokens, const VectorTable& table, size_t context = 0) {
        vocabulary_.reset(tokens);
        size_ = 0;
        table_.start(table.dimensions());
        context_.start(context);
    }

    // Appends the content words of a text, or all if it has no others. `vectors`: of all its tokens
    // in context, [token][dimension], or none; then each token is a word of its own.
    void take(const Reading& forms, const Reading& stems, const int16_t* vectors, size_t dimensions,
              const VectorTable& table, GradedText& text) {
        choose(forms);
        const size_t count = chosen_.size();
        Key* const keys = TokenSpans::room(keys_, count + 1);
        uint32_t* const ids = TokenSpans::room(ids_, count + 1);
        for (size_t k = 0; k < count; ++k) keys[k] = forms.keys[chosen_[k]];
        if (!vectors) vocabulary_.intern(keys, count, ids);
        text.words.resize(count);
        text.weight = text.square = 0;
        if (count <= MANY) table.prefetch(keys, count);
        Pace pace;
        for (size_t k = 0; k < count; ++k) {
            pace(2 + table_.stride / LANE);
            const size_t word = vectors ? size_ : ids[k] - 1;
            if (word == size_) {
                add(keys[k], stems.keys[chosen_[k]], table);
                if (vectors) {
                    int16_t* const to = context_.more(word);
                    context_.inverse[word] = widen(vectors + chosen_[k] * dimensions, dimensions, to);
                }
                ++size_;
            }
            text.words[k] = static_cast<uint32_t>(word);
            text.weight += weights_[word];
            text.square += weights_[word] * weights_[word];
        }
        count_words(text);
    }

  private:
    static constexpr size_t MANY = 256;  // words that do not fit a near cache

    void choose(const Reading& forms) {
        chosen_.clear();
        Pace pace;
        for (size_t k = 0; k < forms.size; ++k) {
            pace(1);
            if (!forms.function[k]) chosen_.push_back(static_cast<uint32_t>(k));
        }
        if (!chosen_.empty()) return;
        for (size_t k = 0; k < forms.size; ++k) {
            pace(1);
            chosen_.push_back(static_cast<uint32_t>(k));
        }
    }

    void add(const Key& form, const Key& stem, const VectorTable& table) {
        if (stems_.size() <= size_) {
            grow(stems_, 2 * size_ + 16);
            grow(weights_, 2 * size_ + 16);
        }
        const int32_t row = table.find(form);
        stems_[size_] = stem;
        weights_[size_] = table.weight(row);
        int16_t* const to = table_.more(size_);
        table_.inverse[size_] = table.widen_row(row, to);
    }

    // Fills in the distinct words of a text, in ascending order.
    void count_words(GradedText& text) {
        if (amounts_.size() < size_) amounts_.resize(std::max(size_, 2 * amounts_.size()));
        text.distinct.clear();
        Pace pace;
        for (const uint32_t word : text.words) {
            pace(2);
            if (amounts_[word] == 0) text.distinct.push_back(word);
            amounts_[word] += weights_[word] * weights_[word];
        }
        std::sort(text.distinct.begin(), text.distinct.end());
        text.amount.resize(text.distinct.size());
        for (size_t k = 0; k < text.distinct.size(); ++k) {
            pace(2);
            text.amount[k] = amounts_[text.distinct[k]];
            amounts_[text.distinct[k]] = 0;
        }
    }

    Vocabulary vocabulary_;
    size_t size_ = 0;
    std::vector<Key> stems_;
    std::vector<double> weights_;
    WordVectors table_, context_;
    std::vector<uint32_t> chosen_, ids_;  // of the text that was taken last
    std::vector<Key> keys_;
    std::vector<double> amounts_;  // of the words; all 0 between calls
};

}  // namespace summeval
