// A copy model of summaries (see tests/definitions/support.py, which defines it): a forward pass over a
// hidden Markov chain whose states are the positions of the source's words. Each word of a summary
// is copied from a position or is new; where the last word was copied from decides how probable a
// position is.
//
// A word that is not copied keeps the distribution over positions, times a factor. So the
// distribution is kept without this factor (`mass`, with its sum `total`), and a word changes only
// the positions of its own matches: the cost of a summary is the number of its matches, not the
// product of both lengths. A word has at most MOST_PLACES matches, so that texts that repeat
// themselves do not make it the product after all.
//
// Words are compared by their stems, but names whole. A name is a word that the source never has
// without a capital, and has with one inside a sentence. A word of the summary is compared with it
// as a name where it has a capital, or the summary has none inside a sentence.
//
// A copy that goes on behind a word that turns what is said, such as "not" or "denied", and leaves it
// out, is TURNED times as probable as others.
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
constexpr double NEXT = 0.65, AHEAD[] = {0.075, 0.0375, 0.0225, 0.015};
constexpr double TURNED = 0.1;  // times AHEAD, where what is left out turns what is said
constexpr double SAME_SENTENCE = 0.045, NEAR_SENTENCE = 0.003, ELSEWHERE = 0.002;
constexpr double LIKE = 0.05;  // of a copy from a word that begins alike
constexpr size_t REACH = 5;    // positions back from which a word is reached in order
constexpr size_t LEAST_PREFIX = 4, LONG_WORD = 6;
constexpr size_t MOST_PLACES = 2048;  // that a word may be copied from
constexpr size_t WEAKEST_OF = 5;  // one word of so many is of the weakest

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

inline uint32_t first_bytes(const Key& key) noexcept {
    uint32_t bytes;
    std::memcpy(&bytes, &key.lo, sizeof bytes);
    return bytes;
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
    // A position of a word: its sentence, the word before it, 0 for none, and how many positions
    // back the last word stands that turns what is said, 0 where none is within reach.
    struct Place {
        uint32_t position, sentence, before, turn;
    };
    struct Range {
        const Place *begin, *end;
        size_t size() const noexcept { return static_cast<size_t>(end - begin); }
    };

    size_t words() const noexcept { return places_.size(); }
    size_t positions() const noexcept { return positions_; }
    size_t sentences() const noexcept { return lengths_.size(); }
    double length(size_t sentence) const noexcept { return lengths_[sentence]; }
    Range range(uint32_t id) const noexcept {
        return {places_.data() + starts_[id], places_.data() + starts_[id + 1]};
    }
    static Range first(Range range, size_t most) noexcept {
        return {range.begin, range.begin + std::min(range.size(), most)};
    }
    size_t types() const noexcept { return heads_.size(); }  // and one
    void find(const Key* keys, size_t count, uint32_t* ids) const {
        vocabulary_.find(keys, count, ids);
    }

    void shrink() noexcept {}

    // Whether a word has more places than count; the rest is for sources with such words alone.
    bool is_crowded() const noexcept { return !numbers_.empty(); }
    bool has_pair(uint32_t before, uint32_t id) const {
        bool found = false;
        pairs_.finding([&](auto find) { found = find(before, id) != 0; });
        return found;
    }
    // The place at a position, if it is one of `range`.
    const Place* place_of(Range range, size_t position) const noexcept {
        const Place* const place = places_.data() + numbers_[position];
        return place >= range.begin && place < range.end ? place : nullptr;
    }

    // Whether a word of the source is a name of another form, as "Smiths" is not "Smith".
    bool is_other_name(uint32_t id, const Key& form) const {
        return names_[id] && name_forms_.find(form) == 0;
    }

    // Calls visit(id) for each word of the source that begins like `key`; not for names, if the
    // word may be one.
    template <class Visit>
    void each_alike(const Key& key, bool may_be_name, Visit visit) const {
        const uint32_t head = copying::first_bytes(key);
        if (!has_beginning(head) || copying::is_hashed(key)) return;
        for (const auto [begin, end] : pieces(heads_.size()))
            for (size_t id = begin; id < end; ++id)
                if (heads_[id] == head && !(may_be_name && names_[id]) &&
                    copying::begin_alike(key, vocabulary_[static_cast<uint32_t>(id)]))
                    visit(static_cast<uint32_t>(id));
    }

    // Calls visit(begin, end) for the positions of each document.
    template <class Visit>
    void each_document(Visit visit) const {
        size_t position = copying::REACH, from = 0;
        for (const uint32_t to : text_ends_) {
            visit(position, position + (to - from));
            position += to - from + copying::REACH;
            from = to;
        }
    }
    // The number of a position's word, over all documents.
    size_t word(size_t position) const noexcept {
        size_t document = 0, last = text_ends_.size() - 1;
        while (document < last) {
            const size_t middle = (document + last) / 2;
            const bool later = position >= text_ends_[middle] + copying::REACH * (middle + 1);
            (later ? document : last) = middle + later;
        }
        return position - copying::REACH * (document + 1);
    }

    // What only building needs.
    struct Room {
        Vocabulary numbers;
        std::vector<uint32_t> ids, next;
    };

    // `turning` are the stems that turn what is said.
    void build(const SupportWords& text, const std::vector<Key>& turning, Room& room) {
        const size_t n = text.size;
        text_ends_ = text.text_ends;
        positions_ = n + copying::REACH * (text_ends_.size() + 1);
        room.numbers.reset(n);
        uint32_t* const ids = TokenSpans::room(room.ids, n + 1);
        room.numbers.intern(text.keys.data(), n, ids);
        const size_t types = room.numbers.size() + size_t{1};
        vocabulary_.reset(types - 1);
        starts_.assign(types + 1, 0);
        uint32_t* const starts = starts_.data();
        for (const auto [begin, end] : pieces(n))
            for (size_t k = begin; k < end; ++k) ++starts[ids[k] + 1];
        heads_.resize(types);
        beginnings_.assign(SLOTS / 64, 0);
        turns_.assign(types, 0);
        Pace pace;
        for (size_t id = 1; id < types; ++id) {
            pace(4);
            const Key& key = room.numbers.key(static_cast<uint32_t>(id));
            vocabulary_.add(key);
            starts[id + 1] += starts[id];
            heads_[id] = copying::first_bytes(key);
            beginnings_[slot(heads_[id]) / 64] |= uint64_t{1} << slot(heads_[id]) % 64;
        }
        heads_[0] = 0;  // of no word
        for (const Key& key : turning) turns_[vocabulary_.find(key)] = 1;
        turns_[0] = 0;
        list_places(text, ids, room.next);
        find_names(text, ids, room.next);
        numbers_.clear();
        for (uint32_t id = 1; id < types; ++id)
            if (range(id).size() > copying::MOST_PLACES) return find_crowds();
    }

  private:
    static constexpr unsigned SLOT_BITS = 11;
    static constexpr size_t SLOTS = size_t{1} << SLOT_BITS;

    // Whether some word may have these first bytes; most have not.
    bool has_beginning(uint32_t head) const noexcept {
        return !beginnings_.empty() && (beginnings_[slot(head) / 64] >> slot(head) % 64 & 1) != 0;
    }
    static size_t slot(uint32_t head) noexcept { return (head * 0x9E3779B1u) >> (32 - SLOT_BITS); }

    // Finds the names, and their forms. Texts in capitals alone have none.
    void find_names(const SupportWords& text, const uint32_t* ids, std::vector<uint32_t>& cased) {
        names_.assign(types(), 0);
        name_forms_.reset(0);
        if (!text.has_lower) return;
        cased.assign(types(), 0);  // how often each word has a capital
        Pace pace;
        for (size_t i = 0; i < text.capital; ++i, pace(1)) {
            const uint32_t k = text.capitals[i];
            ++cased[ids[k]];
            if (!text.is(k, OPENS)) names_[ids[k]] = 1;
        }
        for (size_t i = 0; i < text.capital; ++i, pace(1)) {
            const uint32_t k = text.capitals[i], id = ids[k];
            if (cased[id] < range(id).size()) names_[id] = 0;
            if (names_[id]) name_forms_.add(text.forms[k]);
        }
    }

    void list_places(const SupportWords& text, const uint32_t* ids, std::vector<uint32_t>& next) {
        next = starts_;
        places_.resize(text.size);
        lengths_.assign(1, 0);
        uint32_t position = copying::REACH, before = 0;
        uint32_t turned = 0;  // the last position that turns what is said; 0 is out of reach of all
        size_t k = 0;
        Pace pace;
        for (const uint32_t to : text.text_ends) {
            size_t opened = k;
            for (; k < to; ++k) {
                pace(2);
                if (text.is(k, OPENS) && k > opened) {
                    lengths_.push_back(static_cast<double>(k - opened));
                    opened = k;
                }
                const uint32_t back = position - turned;
                places_[next[ids[k]]++] = {position, static_cast<uint32_t>(lengths_.size()),
                                            before, back < copying::REACH ? back : 0};
                before = ids[k];
                // "May" inside a sentence is a month.
                if (turns_[before] && (!text.is(k, CAPITAL) || text.is(k, OPENS)))
                    turned = position;
                ++position;
            }
            if (k > opened) lengths_.push_back(static_cast<double>(k - opened));
            lengths_.push_back(0);  // no sentence: between two documents
            position += copying::REACH;
            before = 0;
        }
    }

    void find_crowds() {
        numbers_.assign(positions_, static_cast<uint32_t>(words()));
        pairs_.reset(types() - 1, types() - 1, words());
        pairs_.interning([this](auto& intern) {
            Pace pace;
            for (uint32_t id = 1; id < types(); ++id) {
                for (uint32_t k = starts_[id]; k < starts_[id + 1]; ++k, pace(4)) {
                    numbers_[places_[k].position] = k;
                    if (places_[k].before) intern(places_[k].before, id);
                }
            }
        });
    }

    KeptKeys vocabulary_;
    std::vector<uint32_t> numbers_;  // of the place at each position
    PairTable pairs_;                // of a word and the one behind it
    std::vector<Place> places_;      // of each word, ascending
    std::vector<uint32_t> starts_;   // in places_, of each word
    std::vector<uint32_t> heads_;    // the first bytes of each word
    std::vector<uint64_t> beginnings_;  // a bit for each slot of first bytes that some word has
    std::vector<uint8_t> names_;     // whether each word is one
    std::vector<uint8_t> turns_;     // whether each word turns what is said
    KeptKeys name_forms_;
    std::vector<double> lengths_;    // of each sentence, in words
    std::vector<uint32_t> text_ends_;
    size_t positions_ = copying::REACH;
};

enum SupportField : size_t {
    EXPLAINED, WEAKEST, ONE_SENTENCE, TWO_SENTENCES, COPIED_PAIRS, SUPPORT_FIELDS,
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
        static const double log_function = std::log(FUNCTION_SHARE);
        static const double log_content = std::log(CONTENT_SHARE), log_new = std::log(NEW);
        const double floor = 1 - (log_new + log_function) / log_function;
        const double lowest = log_new + log_content;
        std::fill_n(out, static_cast<size_t>(SUPPORT_FIELDS), 0.0);
        out[EXPLAINED] = floor;
        out[WEAKEST] = lowest;
        const size_t n = text.size;
        start(text, source);
        if (n == 0) return;
        size_t functions = 0, pairs = 0;
        for (size_t k = 0; k < n; ++k) {
            functions += text.is(k, FUNCTION);
            pairs += step(text, source, k);
        }
        close_sentence();
        const double known = static_cast<double>(functions) * log_function +
                             static_cast<double>(n - functions) * log_content;
        out[EXPLAINED] = std::max(floor, 1 - log_of_product(probabilities_.data(), n) / known);
        out[WEAKEST] = std::max(lowest, weakest(n));
        if (counted_ > 0) {
            out[ONE_SENTENCE] = one_ / static_cast<double>(counted_);
            out[TWO_SENTENCES] = two_ / static_cast<double>(counted_);
        }
        out[COPIED_PAIRS] = static_cast<double>(pairs) / static_cast<double>(n);
    }

  private:
    using Range = CopySource::Range;
    using Place = CopySource::Place;
    static constexpr double LARGE = 0x1p900, SHRINK = 0x1p-900;

    void start(const SupportWords& text, const CopySource& source) {
        const size_t n = text.size;
        source.find(text.keys.data(), n, TokenSpans::room(ids_, n + 1));
        cased_ = text.has_capital_inside();
        for (size_t k = 0; k < n; ++k) {
            pace_(1);
            if (ids_[k] && may_be_name(text, k) && source.is_other_name(ids_[k], text.forms[k]))
                ids_[k] = 0;
        }
        TokenSpans::room(probabilities_, n + 1);
        TokenSpans::room(origins_, n + 1);
        TokenSpans::room(added_, source.words() + 1);
        mass_.assign(source.positions(), 0);
        sums_.assign(source.sentences() + 2, 0);
        each_ = source.words() ? 1 / static_cast<double>(source.words()) : 0;
        source.each_document([this](size_t begin, size_t end) {
            for (const auto [from, to] : pieces(end - begin))
                std::fill(mass_.data() + begin + from, mass_.data() + begin + to, each_);
        });
        for (size_t s = 0; s < source.sentences(); ++s) sums_[s] = source.length(s) * each_;
        total_ = 1;
        single_.assign(source.sentences() + 1, 0);
        double_.assign(source.sentences() + 1, 0);
        last_.clear();
        content_ = counted_ = 0;
        one_ = two_ = 0;
    }

    bool may_be_name(const SupportWords& text, size_t k) const noexcept {
        return !text.is(k, FUNCTION | NUMBER) && (!cased_ || text.is(k, CAPITAL));
    }

    // Reads word k; returns whether the source has it after the word before.
    bool step(const SupportWords& text, const CopySource& source, size_t k) {
        using namespace copying;
        const bool opens = text.is(k, OPENS), content = !text.is(k, FUNCTION);
        if (opens && k > 0) close_sentence();
        content_ += content;
        const double share = NEW * (content ? CONTENT_SHARE : FUNCTION_SHARE);
        const uint32_t id = ids_[k];
        sum_ = 0;
        best_ = share * total_;  // that the word is new
        origin_ = 0;
        size_ = 0;
        bool pair = false;
        copies_.clear();
        if (id) {
            const Range range = source.range(id);
            const uint32_t before = k > 0 ? ids_[k - 1] : 0;
            const bool many = range.size() > MOST_PLACES;
            pair = many ? source.has_pair(before, id) : has(range, before);
            copies_.push_back(many ? choose(source, range) : range);
            visit(source, copies_[0], opens, 1);
            if (source.is_crowded()) remember(copies_[0]);
            if (content) count_sentences(source.first(range, MOST_PLACES));
        } else if (content && !text.is(k, NUMBER)) {
            source.each_alike(text.keys[k], may_be_name(text, k), [&](uint32_t like) {
                const Range range = source.first(source.range(like), MOST_PLACES - size_);
                copies_.push_back(range);
                visit(source, range, opens, LIKE);
            });
            pace_(source.types() / 4);
        }
        pace_(16 + 4 * size_);
        probabilities_[k] = sum_ / total_ + share;
        origins_[k] = origin_;
        const double scale = content ? 1 / (NEW * CONTENT_SHARE) : 1 / (NEW * FUNCTION_SHARE);
        size_t from = 0;
        for (const Range range : copies_) add(range, scale, from);
        total_ += sum_ * scale;
        if (total_ > LARGE) shrink();
        return pair;
    }

    static bool has(Range range, uint32_t before) noexcept {
        uint32_t found = 0;
        for (const Place* at = range.begin; at != range.end; ++at) found |= at->before == before;
        return found && before;
    }

    // Of the places of a word that has too many: first those that are reached in order from the
    // places of the last word, then the first ones.
    Range choose(const CopySource& source, Range range) {
        chosen_.clear();
        size_t position = 0;
        for (const uint32_t last : last_) {
            position = std::max<size_t>(position, last + 1);
            for (; position <= last + copying::REACH; ++position) {
                const Place* const place = source.place_of(range, position);
                if (place && chosen_.size() < copying::MOST_PLACES) chosen_.push_back(*place);
            }
        }
        near_ = chosen_.size();
        size_t next = 0;
        for (const Place* at = range.begin; chosen_.size() < copying::MOST_PLACES; ++at) {
            if (next < near_ && chosen_[next].position == at->position) ++next;
            else chosen_.push_back(*at);
        }
        return {chosen_.data(), chosen_.data() + chosen_.size()};
    }

    // Takes the places of a word as those of the last word, in ascending order.
    void remember(Range range) {
        last_.clear();
        for (const Place* at = range.begin; at != range.end; ++at) last_.push_back(at->position);
        if (range.begin != chosen_.data()) return;
        const auto first = last_.begin() + static_cast<std::ptrdiff_t>(near_);
        std::inplace_merge(last_.begin(), first, last_.end());
    }

    // Finds the probability of a copy from each place, times `weight` and the total.
    void visit(const CopySource& source, Range range, bool opens, double weight) noexcept {
        if (opens)
            visit_at_start(range, weight);
        else
            visit_later(source, range, weight);
    }

    void visit_at_start(Range range, double weight) noexcept {
        const double value = weight * copying::ANYWHERE * total_ * each_;
        const size_t count = range.size();
        std::fill_n(added_.data() + size_, count, value);
        size_ += count;
        sum_ += value * static_cast<double>(count);
        if (count > 0 && value > best_) {
            best_ = value;
            origin_ = range.begin->position;
        }
    }

    void visit_later(const CopySource& source, Range range, double weight) noexcept {
        using namespace copying;
        const double elsewhere = ELSEWHERE * total_ * each_;
        const double *const mass = mass_.data(), *const sums = sums_.data();
        double* added = added_.data() + size_;
        double any = 0, sum = 0, best = best_;
        uint32_t last = 0, origin = origin_;
        for (const Place* at = range.begin; at != range.end; ++at) {
            const uint32_t s = at->sentence;
            if (s != last) {
                any = elsewhere + (SAME_SENTENCE * sums[s] +
                                   NEAR_SENTENCE / 2 * (sums[s - 1] + sums[s + 1])) /
                                      source.length(s);
                last = s;
            }
            const double* const m = mass + at->position;
            double near = any + NEXT * m[-1] + AHEAD[0] * m[-2] + AHEAD[1] * m[-3] +
                          AHEAD[2] * m[-4] + AHEAD[3] * m[-5];
            if (at->turn) near -= (1 - TURNED) * leaving_out(m, at->turn);
            const double value = weight * near;
            if (value > best) {
                best = value;
                origin = at->position;
            }
            sum += value;
            *added++ = value;
        }
        size_ += static_cast<size_t>(range.end - range.begin);
        sum_ += sum;
        best_ = best;
        origin_ = origin;
    }

    // The probability of copies from more than `turn` positions back.
    static double leaving_out(const double* m, uint32_t turn) noexcept {
        double sum = 0;
        for (size_t back = turn + 1; back <= copying::REACH; ++back)
            sum += copying::AHEAD[back - 2] * *(m - back);
        return sum;
    }

    // Adds what was found for these places, times `scale`, from added_[from] on.
    void add(Range range, double scale, size_t& from) noexcept {
        double *const mass = mass_.data(), *const sums = sums_.data();
        const double* added = added_.data() + from;
        for (const Place* at = range.begin; at != range.end; ++at) {
            const double more = *added++ * scale;
            mass[at->position] += more;
            sums[at->sentence] += more;
        }
        from += range.size();
    }

    // Counts a content word in each sentence of the source that has it, and in each two neighbours
    // of which one has it.
    void count_sentences(Range range) {
        uint32_t last = 0;
        for (const Place* at = range.begin; at != range.end; ++at) {
            const uint32_t s = at->sentence;
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
        pace_(2 * touched_.size());
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
        pace_(mass_.size() / 4);
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
        const size_t few = (n + copying::WEAKEST_OF - 1) / copying::WEAKEST_OF;
        double* const sorted = TokenSpans::room(sorted_, n);
        copy_pieces(probabilities_.data(), n, sorted);
        std::nth_element(sorted, sorted + few - 1, sorted + n);
        return log_of_product(sorted, few) / static_cast<double>(few);
    }

    std::vector<uint32_t> ids_, origins_;
    std::vector<Range> copies_;    // what the word may be copied from
    std::vector<Place> chosen_;    // of a word with too many places
    size_t near_ = 0;              // of them, how many are reached in order
    std::vector<uint32_t> last_;   // positions of the last word that the source has
    std::vector<double> probabilities_, sorted_, added_;
    std::vector<double> mass_, sums_;        // by position, by sentence; without the common factor
    double total_ = 1, each_ = 0;            // of mass_; the mass of a position at first
    double sum_ = 0, best_ = 0;              // of the word's copies; of the best of them
    uint32_t origin_ = 0;                    // of the best copy
    size_t size_ = 0;                        // of added_
    std::vector<uint32_t> single_, double_;  // content words of the sentence, by source sentence
    std::vector<uint32_t> touched_;
    size_t content_ = 0, counted_ = 0;
    bool cased_ = false;  // the summary has a capital inside a sentence
    Pace pace_;
    double one_ = 0, two_ = 0;
};

}  // namespace summeval
