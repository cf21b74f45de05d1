// What is usual beside given references or a given source, and how far a text is from it: the
// guards (see tests/definitions/guards.py, which defines them).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "guards/guard_words.hpp"
#include "text/grams.hpp"

namespace summeval {

enum Guard : size_t { ORDER, FUNCTION_WORDS, ENDING, LENGTH, STRAYS, CHARACTERS, SEAMLESS, GUARDS };

struct GroundNumbers {
    // of words between which the factor of the length is 1
    double shortest = 0, longest = 0;
    // the word order, and the share of function words, from which their factors are 1
    double order = 0, function_words = 0;
    bool ends = true;  // whether a text ends in a mark, as half of the references do
};

class Ground {
  public:
    GroundNumbers usual;

    KeptKeys beginnings;  // of the content words that are known

    bool knows(const Key& beginning) const noexcept { return beginnings.find(beginning) != 0; }
    bool has(uint32_t character) const noexcept {
        return std::binary_search(characters_.begin(), characters_.end(), character);
    }
    bool has_script(uint32_t script) const noexcept {
        return std::binary_search(scripts_.begin(), scripts_.end(), script);
    }

    void set_characters(const std::vector<uint32_t>& codes, const Letters& letters,
                        uint32_t latin) {
        characters_ = codes;
        keep_distinct(characters_);
        scripts_.assign(1, latin);
        for (const uint32_t code : characters_) {
            const uint32_t script = letters[code].script;
            if (script != NO_SCRIPT && script != ODD) scripts_.push_back(script);
        }
        keep_distinct(scripts_);
    }

  private:
    static void keep_distinct(std::vector<uint32_t>& items) {
        std::sort(items.begin(), items.end());
        items.erase(std::unique(items.begin(), items.end()), items.end());
        items.shrink_to_fit();
    }

    std::vector<uint32_t> characters_, scripts_;
};

// Python's `**` calls pow. The exponent is not known to the compiler, which would make a product of
// it, with another last digit.
inline double to_power(double base, const volatile double& exponent) noexcept {
    return std::pow(base, exponent);
}

namespace guarding {

constexpr double LONG_POWER = 2.5;    // of the ratio to the longest usual length
constexpr double ORDER_SPREAD = 0.2;  // how fast the factor of the word order falls
constexpr double FUNCTION_SPREAD = 0.06;
constexpr double ENDLESS = 0.35;  // an end without a mark
constexpr double BROKEN = 0.25, BROKEN_BELOW = -0.6;  // an end in mid-phrase
constexpr double KNOWN = 0.25;   // the share of a sentence's content words that its subject has
constexpr double OFF = 0.95;     // what a text off the subject loses
constexpr double USUAL_ORDER = 0.1;  // nearly every text has this word order
constexpr double USUAL_FUNCTION_WORDS = 0.2;
constexpr double OF_USUAL = 0.6;  // of the share that the references have, as in telegrams
constexpr double ENGLISH = 0.15;  // the share of function words that only English texts have
constexpr double NEAR = 1.6;      // how far from the references a length is still usual
// Of a summary without references: its number of words beside the square root of the source's.
constexpr double SHORTEST = 0.7, LONGEST = 4.5;
constexpr double LEAST_WORDS = 4;
constexpr size_t READ = 4000;  // characters of a source that its word order is taken from

inline double bell(double lacking, double spread) noexcept {
    const double below = std::max(0.0, lacking) / spread;
    return std::exp(-0.5 * below * below);
}

// The number of words in sentences off the subject; of those partly off, a part.
inline double strays(const GuardWords& text, const Ground& ground) {
    double found = 0;
    size_t met = 0, content = 0, others = 0, word = 0;
    const auto end_sentence = [&]() noexcept {
        const double least = KNOWN * static_cast<double>(content);
        const double known = static_cast<double>(met);
        if (known < least)
            found += static_cast<double>(content + others) * (1.0 - known / least);
        met = content = others = 0;
    };
    Pace pace;
    for (const uint8_t kind : text.kinds) {
        pace(4);
        if (kind == STOP) end_sentence();
        if (kind == STOP || kind == PAUSE) continue;
        if (kind == CONTENT_WORD) {
            ++content;
            met += ground.knows(text.beginnings[word]);
        } else {
            ++others;
        }
        ++word;
    }
    end_sentence();
    return found;
}

inline double ending(const GuardWords& text, const Ground& ground, const WordOrder& order) {
    const bool marked = text.kinds.back() == STOP;
    if (!ground.usual.ends && !marked) return 1.0;
    uint8_t last = 0;
    Pace pace;
    for (size_t k = text.kinds.size(); k-- > 0;) {
        pace(1);
        if (text.kinds[k] == STOP) continue;
        last = text.classes[k];
        break;
    }
    const double ends =
        WordOrder::STEP * (static_cast<double>(order.pair(last, 0)) - WordOrder::ZERO);
    if (ends < BROKEN_BELOW) return BROKEN;
    return marked ? 1.0 : ENDLESS;
}

inline double length(double count, const GroundNumbers& usual) noexcept {
    static const volatile double power = LONG_POWER;
    if (count > usual.longest) return to_power(usual.longest / count, power);
    return std::min(1.0, count / usual.shortest);
}

// 1 less ten times the share of characters that stand for others or cannot be seen.
inline double characters(const GuardWords& text, size_t size, const Ground& ground,
                         const Letters& letters) {
    if (text.beyond_ascii.empty()) return 1.0;
    size_t odd = 0;
    Pace pace;
    for (const uint32_t code : text.beyond_ascii) {
        pace(16);
        const uint32_t script = letters[code].script;
        odd += script != NO_SCRIPT && !ground.has(code) && !ground.has_script(script);
    }
    return std::max(0.0, 1.0 - static_cast<double>(10 * odd) / static_cast<double>(size));
}

}  // namespace guarding

// The factors of a text; all are 0 if it has no words. `size`: how many characters it has.
inline void guards_of(const GuardWords& text, size_t size, const Ground& ground,
                      const WordOrder& order, const Letters& letters, double* out) {
    const size_t words = text.words.size();
    std::fill(out, out + GUARDS, 0.0);
    if (words == 0) return;
    static const volatile double square = 2.0;
    const double count = static_cast<double>(words);
    double functions = 0;
    Pace pace;
    for (const uint8_t kind : text.kinds) {
        pace(1);
        functions += kind == FUNCTION_WORD;
    }
    const double found = order.score(text.classes.data(), text.classes.size());
    out[ORDER] = guarding::bell(ground.usual.order - found, guarding::ORDER_SPREAD);
    out[FUNCTION_WORDS] = guarding::bell(ground.usual.function_words - functions / count,
                                         guarding::FUNCTION_SPREAD);
    out[ENDING] = guarding::ending(text, ground, order);
    out[LENGTH] = guarding::length(count, ground.usual);
    out[STRAYS] =
        to_power(1.0 - guarding::OFF * guarding::strays(text, ground) / count, square);
    out[CHARACTERS] = guarding::characters(text, size, ground, letters);
    out[SEAMLESS] = 1.0;  // unless a model of runs of words says otherwise
}

// The share of words that end a run of `size` words met before.
class Repetition {
  public:
    double share(const std::vector<Key>& words, size_t size) {
        const size_t count = words.size();
        if (count < size + 1) return 0.0;  // fewer than two runs
        keys_.resize(count);
        ids_.resize(count);
        std::copy(words.begin(), words.end(), keys_.begin());
        size_t length = 1, runs = count;
        number(runs);
        while (length < size) {  // of runs of a length those of up to four times it
            const size_t next = std::min(4 * length, size), last = next - length;
            const size_t second = std::min(length, last), third = std::min(2 * length, last);
            runs = count - next + 1;
            Pace pace;
            for (size_t k = 0; k < runs; ++k) {
                pace(2);
                keys_[k] = {ids_[k] | uint64_t{ids_[k + second]} << 32,
                            ids_[k + third] | uint64_t{ids_[k + last]} << 32};
            }
            length = next;
            number(runs);
        }
        return static_cast<double>(runs - numbers_.size()) / static_cast<double>(count);
    }

  private:
    void number(size_t runs) {
        numbers_.reset(runs);
        numbers_.intern(keys_.data(), runs, ids_.data());
    }

    Vocabulary numbers_;
    std::vector<Key> keys_;
    std::vector<uint32_t> ids_;
};

}  // namespace summeval
