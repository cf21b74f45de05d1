// A copy model of summaries (see _textbook/support.py, which defines it): a forward pass over a
// hidden Markov chain whose states are the positions of the source's words. Each word of a summary
// is copied from a position or is new; where the last word was copied from decides how probable a
// position is.
//
// A word that is not copied keeps the distribution over positions, times a factor. So the
// distribution is kept without this factor (`mass`, with its sum `total`), and a word changes only
// the positions of its own matches: the cost of a summary is the number of its matches, not the
// product of both lengths.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "support/words.hpp"
#include "text/grams.hpp"

namespace summeval {

namespace copying {

constexpr double FUNCTION_SHARE = 6e-3, CONTENT_SHARE = 2e-5;  // of a word in any text
constexpr double NEW = 0.15;
constexpr double ANYWHERE = 0.85;  // at the start of a sentence; elsewhere .85 is the sum of:
constexpr double NEXT = 0.55, AHEAD[] = {0.06, 0.03, 0.018, 0.012};
constexpr double SAME_SENTENCE = 0.12, NEAR_SENTENCE = 0.03, ELSEWHERE = 0.03;
constexpr double LIKE = 0.05;  // of a copy from a word that begins alike
constexpr size_t REACH = 5;    // positions back from which a word is reached in order
constexpr size_t LEAST_PREFIX = 4, LONG_WORD = 6;
constexpr double LOWEST = 0.2;  // share of words in `weakest`

inline size_t key_size(const Key& key) noexcept {
    char bytes[16];
    std::memcpy(bytes, &key.lo, 8);
    std::memcpy(bytes + 8, &key.hi, 8);
    size_t size = 0;
    while (size < 16 && bytes[size] != 0) ++size;
    return size;
}

inline bool is_hashed(const Key& key) noexcept {
    unsigned char last;
    std::memcpy(&last, reinterpret_cast<const char*>(&key.hi) + 7, 1);
    return last == 0xFF;
}

// Whether two stems of at most 16 bytes begin alike: at least 4 bytes are the same (5 if the longer
// one has more than 6), and at least 60 % of the longer one.
inline bool begin_alike(const Key& a, const Key& b) noexcept {
    char left[16], right[16];
    std::memcpy(left, &a.lo, 8);
    std::memcpy(left + 8, &a.hi, 8);
    std::memcpy(right, &b.lo, 8);
    std::memcpy(right + 8, &b.hi, 8);
    const size_t longer = std::max(key_size(a), key_size(b));
    size_t same = 0;
    while (same < 16 && left[same] == right[same] && left[same] != 0) ++same;
    return same >= LEAST_PREFIX + (longer > LONG_WORD) && 5 * same >= 3 * longer;
}

}  // namespace copying

// A source that was read. Between two documents stand REACH positions and a sentence without words,
// so that nothing is reached across. Scoring does not change it, so threads may share it.
class CopySource {
  public:
    size_t words() const noexcept { return words_; }
    size_t positions() const noexcept { return ids_.size(); }
    size_t sentences() const noexcept { return lengths_.size(); }
    uint32_t id(size_t position) const noexcept { return ids_[position]; }
    uint32_t sentence(size_t position) const noexcept { return sentence_[position]; }
    double length(size_t sentence) const noexcept { return lengths_[sentence]; }
    uint32_t word(size_t position) const noexcept { return word_[position]; }
    const uint32_t* begin(uint32_t id) const noexcept { return places_.data() + starts_[id]; }
    const uint32_t* end(uint32_t id) const noexcept { return places_.data() + starts_[id + 1]; }
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        vocabulary_.find(keys, count, ids);
    }

    // Calls visit(id) for each word of the source that begins like `key`.
    template <class Visit>
    void each_alike(const Key& key, Visit visit) const {
        if (copying::is_hashed(key) || heads_.empty()) return;
        for (uint32_t id = heads_[bucket(key)]; id; id = nexts_[id])
            if (copying::begin_alike(key, keys_[id])) visit(id);
    }

    void build(const SupportWords& text) {
        const size_t n = text.size, texts = text.text_ends.size();
        words_ = n;
        vocabulary_.reset(n);
        uint32_t* const found = TokenSpans::room(found_, n + 1);
        vocabulary_.intern(text.keys.data(), n, found);
        const size_t size = n + copying::REACH * (texts + 1);
        ids_.assign(size, 0);
        sentence_.assign(size, 0);
        word_.assign(size, 0);
        lengths_.assign(1, 0);
        starts_.assign(vocabulary_.size() + 2, 0);
        size_t position = copying::REACH, from = 0;
        Pace pace;
        for (const uint32_t to : text.text_ends) {
            for (size_t k = from; k < to; ++k, ++position) {
                pace(2);
                if (text.is(k, OPENS) || k == from) lengths_.push_back(0);
                ids_[position] = found[k];
                sentence_[position] = static_cast<uint32_t>(lengths_.size() - 1);
                word_[position] = static_cast<uint32_t>(k);
                lengths_.back() += 1;
                ++starts_[found[k] + 1];
            }
            lengths_.push_back(0);  // no sentence: between two documents
            position += copying::REACH;
            from = to;
        }
        list_places(pace);
        list_beginnings(text, found, pace);
    }

  private:
    static constexpr unsigned BUCKET_BITS = 8;

    static size_t bucket(const Key& key) noexcept {
        uint32_t head;
        std::memcpy(&head, &key.lo, 4);
        return (head * 0x9E3779B1u) >> (32 - BUCKET_BITS);
    }

    void list_places(Pace& pace) {
        for (size_t id = 1; id + 1 < starts_.size(); ++id) starts_[id + 1] += starts_[id];
        places_.resize(words_);
        next_ = starts_;
        for (size_t position = 0; position < ids_.size(); ++position) {
            pace(1);
            if (ids_[position]) places_[next_[ids_[position]]++] = static_cast<uint32_t>(position);
        }
    }

    // The words that may begin alike, by a hash of their first four bytes.
    void list_beginnings(const SupportWords& text, const uint32_t* found, Pace& pace) {
        heads_.assign(size_t{1} << BUCKET_BITS, 0);
        nexts_.assign(vocabulary_.size() + 1, 0);
        keys_.resize(vocabulary_.size() + 1);
        uint32_t last = 0;
        for (size_t k = 0; k < text.size; ++k) {
            pace(2);
            if (found[k] <= last) continue;  // it came before
            last = found[k];
            keys_[last] = text.keys[k];
            if (copying::is_hashed(text.keys[k])) continue;
            uint32_t& head = heads_[bucket(text.keys[k])];
            nexts_[last] = head;
            head = last;
        }
    }

    Vocabulary vocabulary_;
    std::vector<uint32_t> ids_, sentence_, word_;  // by position
    std::vector<double> lengths_;                  // by sentence, in words
    std::vector<uint32_t> starts_, places_;        // the positions of each word, ascending
    std::vector<uint32_t> heads_, nexts_;          // chains of words by their beginning
    std::vector<Key> keys_;                        // by word
    std::vector<uint32_t> found_, next_;
    size_t words_ = 0;
};

enum SupportField : size_t {
    EXPLAINED,
    WEAKEST,
    ONE_SENTENCE,
    TWO_SENTENCES,
    COPIED_PAIRS,
    SUPPORT_FIELDS,
};

// Runs the model; reuses its memory.
class CopyModel {
  public:
    // Of each word: its probability, and the position it was most probably copied from, or 0 if it
    // is more probable that it is new.
    const std::vector<double>& probabilities() const noexcept { return probabilities_; }
    const std::vector<uint32_t>& origins() const noexcept { return origins_; }
    const uint32_t* ids() const noexcept { return ids_.data(); }

    void score(const SupportWords& text, const CopySource& source, double* out) {
        using namespace copying;
        const double floor = 1 - std::log(NEW * FUNCTION_SHARE) / std::log(FUNCTION_SHARE);
        const double lowest = std::log(NEW * CONTENT_SHARE);
        std::fill_n(out, static_cast<size_t>(SUPPORT_FIELDS), 0.0);
        out[EXPLAINED] = floor;
        out[WEAKEST] = lowest;
        const size_t n = text.size;
        if (n == 0) {
            TokenSpans::room(ids_, 1);
            return;
        }
        start(text, source);
        size_t functions = 0, pairs = 0;
        for (size_t k = 0; k < n; ++k) {
            functions += text.is(k, FUNCTION);
            pairs += step(text, source, k);
        }
        close_sentence();
        const double known = static_cast<double>(functions) * std::log(FUNCTION_SHARE) +
                             static_cast<double>(n - functions) * std::log(CONTENT_SHARE);
        const double sum = log_of_product(probabilities_.data(), n);
        out[EXPLAINED] = std::max(floor, 1 - sum / known);
        out[WEAKEST] = std::max(lowest, weakest(n));
        if (counted_ > 0) {
            out[ONE_SENTENCE] = one_ / static_cast<double>(counted_);
            out[TWO_SENTENCES] = two_ / static_cast<double>(counted_);
        }
        out[COPIED_PAIRS] = static_cast<double>(pairs) / static_cast<double>(n);
    }

  private:
    static constexpr double LARGE = 0x1p300, SHRINK = 0x1p-300;

    void start(const SupportWords& text, const CopySource& source) {
        const size_t n = text.size;
        source.find(text.keys.data(), n, TokenSpans::room(ids_, n + 1));
        TokenSpans::room(probabilities_, n + 1);
        TokenSpans::room(origins_, n + 1);
        mass_.assign(source.positions(), 0);
        sums_.assign(source.sentences() + 1, 0);
        const double each = source.words() ? 1 / static_cast<double>(source.words()) : 0;
        Pace pace;
        for (size_t p = 0; p < source.positions(); ++p) {
            pace(1);
            if (source.id(p)) mass_[p] = each;
        }
        for (size_t s = 0; s < source.sentences(); ++s) sums_[s] = source.length(s) * each;
        total_ = 1;
        single_.assign(source.sentences() + 1, 0);
        double_.assign(source.sentences() + 1, 0);
        content_ = counted_ = 0;
        one_ = two_ = 0;
    }

    // Reads word k; returns whether the source has it after the word before.
    bool step(const SupportWords& text, const CopySource& source, size_t k) {
        using namespace copying;
        const bool opens = text.is(k, OPENS), content = !text.is(k, FUNCTION);
        if (opens && k > 0) close_sentence();
        content_ += content;
        const double share = NEW * (content ? CONTENT_SHARE : FUNCTION_SHARE);
        const uint32_t id = ids_[k], before = k > 0 ? ids_[k - 1] : 0;
        places_.clear();
        added_.clear();
        sum_ = 0;
        best_ = share * total_;  // that the word is new
        origins_[k] = 0;
        bool pair = false;
        if (id) {
            pair = visit(source, source.begin(id), source.end(id), opens, 1, before, k);
            if (content) count_sentences(source, source.begin(id), source.end(id));
        } else if (content && !text.is(k, NUMBER)) {
            source.each_alike(text.keys[k], [&](uint32_t like) {
                visit(source, source.begin(like), source.end(like), opens, LIKE, 0, k);
            });
        }
        probabilities_[k] = sum_ / total_ + share;
        for (size_t i = 0; i < places_.size(); ++i) {
            const double more = added_[i] / share;
            mass_[places_[i]] += more;
            sums_[source.sentence(places_[i])] += more;
        }
        total_ += sum_ / share;
        if (total_ > LARGE) shrink();
        return pair;
    }

    // Adds the copies from these positions, times `weight`; returns whether one of them comes after
    // the word `before`.
    bool visit(const CopySource& source, const uint32_t* from, const uint32_t* to, bool opens,
               double weight, uint32_t before, size_t k) {
        using namespace copying;
        const double words = static_cast<double>(source.words());
        bool pair = false;
        double any = opens ? ANYWHERE * total_ / words : 0;
        uint32_t last = 0;
        for (const auto [begin, end] : pieces(static_cast<size_t>(to - from))) {
            for (size_t i = begin; i < end; ++i) {
                const uint32_t p = from[i];
                pair |= before != 0 && source.id(p - 1) == before;
                double value = any;
                if (!opens) {
                    const uint32_t s = source.sentence(p);
                    if (s != last) {
                        any = ELSEWHERE * total_ / words +
                              (SAME_SENTENCE * sums_[s] +
                               NEAR_SENTENCE / 2 * (sums_[s - 1] + sums_[s + 1])) /
                                  source.length(s);
                        last = s;
                    }
                    const double* const m = mass_.data() + p;
                    value = any + NEXT * m[-1] + AHEAD[0] * m[-2] + AHEAD[1] * m[-3] +
                            AHEAD[2] * m[-4] + AHEAD[3] * m[-5];
                }
                value *= weight;
                if (value > best_) {
                    best_ = value;
                    origins_[k] = p;
                }
                sum_ += value;
                places_.push_back(p);
                added_.push_back(value);
            }
        }
        return pair;
    }

    // Counts a content word in each sentence of the source that has it, and in each two neighbours
    // of which one has it.
    void count_sentences(const CopySource& source, const uint32_t* from, const uint32_t* to) {
        uint32_t last = 0;
        for (; from != to; ++from) {
            const uint32_t s = source.sentence(*from);
            if (s == last) continue;
            if (single_[s]++ == 0) touched_.push_back(s);
            if (last + 1 != s || last == 0) ++double_[s - 1];
            ++double_[s];
            last = s;
        }
    }

    // Adds the shares of the best sentence and of the best two neighbours for a summary's sentence.
    void close_sentence() {
        uint32_t one = 0, two = 0;
        for (const uint32_t s : touched_) {
            one = std::max(one, single_[s]);
            two = std::max(two, std::max(double_[s], double_[s - 1]));
        }
        for (const uint32_t s : touched_) single_[s] = double_[s] = double_[s - 1] = 0;
        touched_.clear();
        if (content_ > 0) {
            one_ += static_cast<double>(one) / static_cast<double>(content_);
            two_ += static_cast<double>(two) / static_cast<double>(content_);
            ++counted_;
        }
        content_ = 0;
    }

    void shrink() {
        for (const auto [begin, end] : pieces(mass_.size()))
            for (size_t p = begin; p < end; ++p) mass_[p] *= SHRINK;
        for (double& sum : sums_) sum *= SHRINK;
        total_ *= SHRINK;
    }

    // The logarithm of a product of probabilities, none of which is below 1e-6.
    static double log_of_product(const double* values, size_t size) {
        constexpr size_t PART = 32;
        double sum = 0;
        Pace pace;
        for (size_t begin = 0; begin < size; begin += PART) {
            pace(PART);
            double product = 1;
            const size_t end = std::min(size, begin + PART);
            for (size_t k = begin; k < end; ++k) product *= values[k];
            sum += std::log(product);
        }
        return sum;
    }

    // The mean logarithm of the lowest fifth of the probabilities.
    double weakest(size_t n) {
        const size_t few = (n + 4) / 5;
        sorted_.assign(probabilities_.begin(), probabilities_.begin() + static_cast<long>(n));
        std::nth_element(sorted_.begin(), sorted_.begin() + static_cast<long>(few - 1),
                         sorted_.end());
        return log_of_product(sorted_.data(), few) / static_cast<double>(few);
    }

    std::vector<uint32_t> ids_, origins_, places_;
    std::vector<double> probabilities_, sorted_, added_;
    std::vector<double> mass_, sums_;         // by position, by sentence; without the common factor
    double total_ = 1, sum_ = 0, best_ = 0;   // of mass_; of the word's copies; of the best of them
    std::vector<uint32_t> single_, double_;   // content words of the sentence, by source sentence
    std::vector<uint32_t> touched_;
    size_t content_ = 0, counted_ = 0;
    double one_ = 0, two_ = 0;
};

}  // namespace summeval
