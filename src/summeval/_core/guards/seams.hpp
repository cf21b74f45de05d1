// Whether a text looks stitched together: how surprising its words are where nothing is copied, and
// how it copies (see tests/definitions/seams.py, which defines it).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "guards/copies.hpp"
#include "guards/guard_words.hpp"
#include "guards/ngrams.hpp"

namespace summeval {

constexpr size_t SEAMS = 20;  // numbers that tell how a text is put together

// From numbers to the factor: 1 up to `low` of their weighted sum, 0 from `high` on.
struct SeamFit {
    std::array<double, SEAMS> weights{};
    double low = 0, high = 1;

    double factor(const double* numbers) const noexcept {
        double sum = 0;
        for (size_t k = 0; k < SEAMS; ++k) sum += weights[k] * numbers[k];
        return std::min(1.0, std::max(0.0, (high - sum) / (high - low)));
    }
};

class Seams {
  public:
    void look(const GuardWords& text, const Ngrams& ngrams, const Copies& source, double* out) {
        read(text, ngrams, source);
        const size_t size = numbers_.size();
        std::fill(out, out + SEAMS, 0.0);
        if (size == 0) return;
        find_surprises(ngrams);
        find_fragments(source);
        const double count = static_cast<double>(size);
        const double gaps = static_cast<double>(surprises_.size()) + REACH;
        uint64_t all = 0, own = 0, window = 0, worst = 0, high = 0;
        uint64_t frame = 0, both = 0, frames = 0, pairs = 0;
        bool before = true;  // whether the word before is a function word or a mark
        Pace pace;
        for (size_t k = 0; k < surprises_.size(); ++k) {
            pace(2);
            all += surprises_[k];
            own += copied_[k] ? 0 : surprises_[k];
            window += surprises_[k];
            if (k >= REACH) window -= surprises_[k - REACH];
            worst = std::max(worst, window);
            high += surprises_[k] >= HIGH;
            const bool is_frame = k >= size || text.kinds[k] != CONTENT_WORD;
            if (is_frame) {
                ++frames;
                frame += surprises_[k];
                pairs += before;
                both += before ? surprises_[k] : 0;
            }
            before = is_frame;
        }
        out[0] = static_cast<double>(all) / (16.0 * gaps);
        out[1] = static_cast<double>(own) / (16.0 * gaps);
        out[2] = static_cast<double>(worst) / (16.0 * REACH);
        out[3] = static_cast<double>(covered_) / count;
        out[4] = covered_ ? std::log(static_cast<double>(squares_) / static_cast<double>(covered_))
                          : 0.0;
        out[5] = static_cast<double>(fragments_) / count;
        out[6] = static_cast<double>(long_) / count;
        count_neighbours(text, source, out);
        out[11] = out[0] * out[3];
        out[12] = out[1] * out[3];
        out[13] = out[2] * out[3];
        out[14] = out[5] * out[3];
        out[15] = out[7] * out[3];
        out[16] = static_cast<double>(frame) / (16.0 * (static_cast<double>(frames) + REACH));
        out[17] = static_cast<double>(both) / (16.0 * (static_cast<double>(pairs) + REACH));
        out[18] = static_cast<double>(high) / gaps;
        out[19] = out[16] * out[3];
    }

  private:
    static constexpr size_t REACH = 5;     // neighbouring gaps
    static constexpr size_t LONG = 8;      // words of a long fragment
    static constexpr uint32_t NEAR = 12;   // words between the places of neighbours
    static constexpr size_t SHORT = 4;     // a sentence of fewer words is short
    static constexpr uint32_t HIGH = 48;   // steps of a high surprise
    static constexpr int USUAL = 16;       // steps that any word may surprise
    static constexpr size_t AHEAD = 32;    // words that are looked up together

    void read(const GuardWords& text, const Ngrams& ngrams, const Copies& source) {
        static constexpr char MARKS[] = {'.', ',', ';', ':'};
        const size_t size = text.kinds.size();
        numbers_.resize(size);
        ids_.resize(size);
        size_t word = 0, loaded = 0;
        Pace pace;
        for (size_t k = 0; k < size; ++k) {
            pace(2);
            while (loaded < text.words.size() && loaded < word + AHEAD)
                ngrams.prefetch(text.words[loaded++]);
            const uint32_t own = text.classes[k];
            if (text.kinds[k] == STOP || text.kinds[k] == PAUSE) {
                numbers_[k] = own;
                ids_[k] = source.number({static_cast<uint64_t>(MARKS[own]), 0});
                continue;
            }
            const Key key = text.words[word++];
            const uint32_t number = ngrams.number(key);
            numbers_[k] = number ? number : own < Ngrams::FIRST_WORD ? own : Ngrams::ENDING_S;
            ids_[k] = source.number(key);
        }
    }

    // Of each word and mark, and of the end if no mark is there. The model is larger than the near
    // caches: it is looked up for some words while it is loaded for others.
    void find_surprises(const Ngrams& ngrams) {
        if (numbers_.back() != 0) numbers_.push_back(0);
        const size_t size = numbers_.size();
        surprises_.resize(size);
        Ngrams::Place places[AHEAD + 1];
        places[0] = ngrams.place(0, 0, 0);
        ngrams.find(places[0]);
        uint32_t first = 0, second = 0, last = 0;
        Pace pace;
        for (size_t begin = 0; begin < size; begin += AHEAD) {
            const size_t count = std::min(AHEAD, size - begin);
            const uint32_t* const numbers = numbers_.data() + begin;
            pace(8 * count);
            for (size_t k = 0; k < count; ++k) {
                places[k + 1] = ngrams.place(first, second, numbers[k]);
                first = second;
                second = numbers[k];
            }
            for (size_t k = 1; k <= count; ++k) ngrams.prefetch(places[k]);
            for (size_t k = 0; k < count; ++k) {
                ngrams.find(places[k + 1]);
                const int found = ngrams.surprise(places[k], last, numbers[k], places[k + 1]);
                surprises_[begin + k] = static_cast<uint32_t>(std::max(0, found - USUAL));
                last = numbers[k];
            }
            places[0] = places[count];
        }
    }

    // The longest runs of two words and more that the source has, one after the other.
    void find_fragments(const Copies& source) {
        const size_t size = ids_.size();
        copied_.assign(surprises_.size(), 0);
        covered_ = squares_ = fragments_ = long_ = 0;
        Pace pace;
        for (size_t begin = 0; begin < size;) {
            size_t longest = 0;
            if (begin + 1 < size && ids_[begin] && ids_[begin + 1]) {
                uint32_t place = source.first(ids_[begin], ids_[begin + 1]);
                for (size_t tried = 0; place != Copies::NONE && tried < Copies::MOST; ++tried) {
                    size_t length = 2;
                    while (begin + length < size && place + length < source.size() &&
                           source[place + length] == ids_[begin + length])
                        ++length;
                    pace(length);
                    longest = std::max(longest, length);
                    place = source.next_pair(place);
                }
            }
            pace(1);
            if (longest == 0) {
                ++begin;
                continue;
            }
            const size_t end = begin + longest;
            ++fragments_;
            covered_ += longest;
            squares_ += uint64_t{longest} * longest;
            if (longest >= LONG) long_ += longest;
            // the word before a gap, one more before it and one behind are copied, too
            for (size_t k = begin == 0 ? 1 : begin + 2; k < end; ++k)
                copied_[k] = k + 1 < end || end == size;
            begin = end;
        }
    }

    // Neighbouring content words of a sentence, content words, and sentences.
    void count_neighbours(const GuardWords& text, const Copies& source, double* out) const {
        size_t pairs = 0, far = 0, content = 0, known = 0, sentences = 0, brief = 0, words = 0;
        size_t inside = 0;
        uint32_t last = 0;
        bool has_last = false;
        const auto end_sentence = [&]() noexcept {
            if (inside != 0) {
                ++sentences;
                brief += inside < SHORT;
                words += inside;
            }
            inside = 0;
            has_last = false;
        };
        Pace pace;
        for (size_t k = 0; k < ids_.size(); ++k) {
            pace(1);
            const uint8_t kind = text.kinds[k];
            if (kind == STOP) end_sentence();
            if (kind == STOP || kind == PAUSE) continue;
            ++inside;
            if (kind != CONTENT_WORD) continue;
            ++content;
            known += ids_[k] != 0;
            if (has_last) {
                ++pairs;
                if (last && ids_[k]) {
                    pace(2 * Copies::MOST);
                    far += !are_near(source, last, ids_[k]);
                }
            }
            last = ids_[k];
            has_last = true;
        }
        end_sentence();
        const auto share = [](size_t part, size_t whole) noexcept {
            return static_cast<double>(part) / static_cast<double>(std::max<size_t>(1, whole));
        };
        out[7] = share(far, pairs);
        out[8] = share(known, content);
        out[9] = share(brief, sentences);
        out[10] = words ? std::log(share(words, sentences)) : 0.0;
    }

    static bool are_near(const Copies& source, uint32_t one, uint32_t two) noexcept {
        if (source.first(one, two) != Copies::NONE) return true;
        uint32_t from = source.first(one), to = source.first(two);
        size_t left = Copies::MOST, right = Copies::MOST;
        while (from != Copies::NONE && to != Copies::NONE) {
            if (to <= from) {
                if (--right == 0) return false;
                to = source.next(to);
            } else if (to - from <= NEAR) {
                return true;
            } else {
                if (--left == 0) return false;
                from = source.next(from);
            }
        }
        return false;
    }

    std::vector<uint32_t> numbers_, ids_, surprises_;
    std::vector<uint8_t> copied_;
    uint64_t covered_ = 0, squares_ = 0, fragments_ = 0, long_ = 0;
};

}  // namespace summeval
