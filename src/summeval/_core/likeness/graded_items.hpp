// What the value of `tesla-e` comes from: the words of a reference, and the most alike of the
// candidate.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "likeness/graded_rows.hpp"
#include "rows/items.hpp"

namespace summeval {

// A text to explain; a text whose tokens Python made has vectors of them in context, or none.
struct GradedView {
    View text;
    const int16_t* vectors;
    size_t dimensions;
};

class GradedTeller {
  public:
    // `split`: the texts are tokens that Python made.
    GradedTeller(const GradedSetup& setup, bool split)
        : setup_(adapted(setup, split)), form_reader_(setup_.forms), stem_reader_(setup_.stems) {}

    // Tells each word of the references that count; all of their shares add up to `value`. The
    // first text is the candidate; of the others `chosen` count.
    int tell(const std::vector<GradedView>& views, const std::vector<size_t>& chosen, double value,
             Items& out) {
        const bool split = setup_.forms.tokenizer == TOKENS_SPLIT;
        std::vector<size_t> read(1, 0);
        read.insert(read.end(), chosen.begin(), chosen.end());
        forms_.resize(read.size());
        stems_.resize(read.size());
        out.texts.resize(views.size());
        size_t tokens = 0;
        for (size_t k = 0; k < read.size(); ++k) {
            const View text = views[read[k]].text;
            if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
            form_reader_.read(text, false, forms_[k]);
            stem_reader_.read_after(form_reader_, stems_[k]);
            PlacedText& placed = out.texts[read[k]];
            placed.size = forms_[k].size;
            if (!split) place_tokens(text, form_reader_, forms_[k], placed);
            tokens += k ? placed.size : 0;
        }
        const VectorTable& table = *setup_.table;
        const size_t dimensions = views[0].dimensions;
        const auto take = [&](size_t k, GradedWords& words, GradedText& text) {
            words.take(forms_[k], stems_[k], views[read[k]].vectors, dimensions, table, text);
            return words.chosen();
        };
        GradedText candidate;
        own_.start(forms_[0].size, table, dimensions);
        const std::vector<uint32_t> own_words = take(0, own_, candidate);
        others_.start(tokens, table, dimensions);
        std::vector<GradedText> references(chosen.size());
        std::vector<std::vector<uint32_t>> other_words;
        for (size_t r = 0; r < chosen.size(); ++r)
            other_words.push_back(take(r + 1, others_, references[r]));
        number_stems();
        likeness_.fill(others_, other_stems_.data(), own_, own_stems_.data());
        const size_t first = out.all.size();
        for (size_t r = 0; r < chosen.size(); ++r) {
            share(references[r], candidate);
            for (size_t k = 0; k < other_words[r].size(); ++k) {
                const auto text = static_cast<uint32_t>(chosen[r]);
                out.names.push_back(other_words[r][k]);
                out.theirs.push_back({text, other_words[r][k], other_words[r][k]});
                if (alike_[k] > 0) out.own.push_back({0, own_words[best_[k]], own_words[best_[k]]});
                out.end(text, shares_[k] / static_cast<double>(chosen.size()), ALIKE);
                out.all.back().details[0] = alike_[k];
                if (alike_[k] <= 0) continue;
                out.names.push_back(own_words[best_[k]]);
                out.also(0);
            }
        }
        scale(value, first, out);
        return OK;
    }

  private:
    static GradedSetup adapted(GradedSetup setup, bool split) {
        if (split) setup.forms.tokenizer = setup.stems.tokenizer = TOKENS_SPLIT;
        return setup;
    }

    void number_stems() {
        stem_numbers_.reset(others_.size());
        stem_numbers_.intern(others_.stems(), others_.size(),
                             TokenSpans::room(other_stems_, others_.size() + 1));
        stem_numbers_.find(own_.stems(), own_.size(),
                           TokenSpans::room(own_stems_, own_.size() + 1));
    }

    // What each word of a reference adds: half of it is its part of `recall`, half of it its part
    // of `pair`, that is, half of what each of its pairs has of it.
    void share(const GradedText& reference, const GradedText& candidate) {
        const size_t count = reference.words.size(), size = candidate.words.size();
        alike_.assign(count, 0);
        best_.assign(count, 0);
        shares_.assign(count, 0);
        if (size == 0) return;
        first_.assign(size + 2 * REACH, 0);
        second_.assign(size + 2 * REACH, 0);
        double weights = 0;
        for (size_t k = 0; k + 1 < count; ++k) weights += weight(reference, k, k + 1);
        Pace pace;
        for (size_t k = 0; k < count; ++k) {
            const float* const row = likeness_.row(reference.words[k]);
            first_.swap(second_);
            for (size_t i = 0; i < size; ++i) second_[REACH + i] = row[candidate.words[i]];
            for (size_t i = 0; i < size; ++i) {
                if (second_[REACH + i] <= alike_[k]) continue;
                alike_[k] = second_[REACH + i];
                best_[k] = i;
            }
            const double most = alike_[k];
            shares_[k] += others_.weight(reference.words[k]) * (most * most) / reference.weight / 2;
            if (count == 1) shares_[k] += most / 2;
            if (k > 0) share_pair(reference, k, size, weights);
            pace(size * (4 + 2 * REACH));
        }
    }

    // A word and the one before are most alike to a word and one near it.
    void share_pair(const GradedText& reference, size_t k, size_t size, double weights) {
        size_t place = 0;
        float most = -1, near_most = 0;
        for (size_t i = 0; i < size; ++i) {
            float near = second_[i];
            for (size_t j = 1; j <= 2 * REACH; ++j) near = std::max(near, second_[i + j]);
            if (first_[REACH + i] + near <= most) continue;
            most = first_[REACH + i] + near;
            near_most = near;
            place = i;
        }
        const double each = weight(reference, k - 1, k) / weights / 4;
        shares_[k - 1] += each * double(first_[REACH + place]);
        shares_[k] += each * double(near_most);
    }

    double weight(const GradedText& text, size_t k, size_t other) const noexcept {
        return others_.weight(text.words[k]) * others_.weight(text.words[other]);
    }

    // The score was rounded in another way.
    static void scale(double value, size_t first, Items& out) {
        double sum = 0;
        for (size_t k = first; k < out.all.size(); ++k) sum += out.all[k].share;
        if (sum <= 0 || std::abs(value - sum) > 1e-4 * sum) return;
        for (size_t k = first; k < out.all.size(); ++k) out.all[k].share *= value / sum;
    }

    const GradedSetup setup_;
    Reader form_reader_, stem_reader_;
    std::vector<Reading> forms_, stems_;
    GradedWords own_, others_;
    Vocabulary stem_numbers_;
    std::vector<uint32_t> own_stems_, other_stems_;
    Likeness likeness_;
    std::vector<float> first_, second_, alike_;  // of each place in the candidate; of each word
    std::vector<size_t> best_;
    std::vector<double> shares_;
};

}  // namespace summeval
