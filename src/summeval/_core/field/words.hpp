// The words of texts for metrics of edits: their keys, then their numbers in a reference.
#pragma once
#include <string>
#include <vector>

#include "field/characters.hpp"
#include "rows/units.hpp"

namespace summeval {

// How a text becomes units.
enum class Unit : int {
    SPLIT,       // words between blanks
    JIWER,       // words between U+0020 or two blanks; any other blank alone is part of a word
    MARKED,      // tokens that Python made
    STRIPPED,    // characters, without the blanks at both ends
    CHARACTERS,  // all characters
};

// The keys of the units of one text after the other.
class UnitReader {
  public:
    void read(View text, Unit unit, std::vector<Key>& keys) {
        keys.clear();
        if (unit == Unit::STRIPPED || unit == Unit::CHARACTERS)
            read_characters(text, unit == Unit::STRIPPED, keys);
        else if (unit == Unit::MARKED)
            read_tokens(text, keys);
        else
            read_words(text, unit == Unit::JIWER, keys);
    }

  private:
    void read_characters(View text, bool strip, std::vector<Key>& keys) {
        size_t black = 0;
        each_character(text, [&](uint32_t code, size_t, size_t) {
            pace_(2);
            if (strip && is_blank(code)) {
                if (black) keys.push_back({code, 1});
                return;
            }
            keys.push_back({code, 1});
            black = keys.size();
        });
        if (strip) keys.resize(black);
    }

    void read_words(View text, bool jiwer, std::vector<Key>& keys) {
        pad(text);
        size_t begin = 0, end = 0, blanks = 0;  // of the word; of the run of blanks behind it
        bool inside = false, parts = true;
        each_character(text, [&](uint32_t code, size_t from, size_t to) {
            pace_(4);
            if (is_blank(code)) {
                ++blanks;
                parts = !jiwer || code == ' ' || blanks > 1;
                return;
            }
            if (blanks && parts && inside) {
                add(begin, end, keys);
                inside = false;
            }
            if (!inside) begin = from;
            inside = true;
            blanks = 0;
            end = to;
        });
        if (inside) add(begin, end, keys);
    }

    // Each token ends with a mark; the last one of a line may lack it.
    void read_tokens(View text, std::vector<Key>& keys) {
        pad(text);
        size_t begin = 0;
        for (size_t at = 0; at < static_cast<size_t>(text.size); ++at) {
            pace_(2);
            const auto byte = static_cast<unsigned char>(padded_[at]);
            if (byte != TOKEN_MARK && byte != LINE_MARK) continue;
            if (byte == TOKEN_MARK || at > begin) add(begin, at, keys);
            begin = at + 1;
        }
        if (begin < static_cast<size_t>(text.size)) add(begin, static_cast<size_t>(text.size), keys);
    }

    void pad(View text) {
        padded_.assign(text.data, static_cast<size_t>(text.size));
        padded_.append(PADDING, '\0');
    }
    void add(size_t begin, size_t end, std::vector<Key>& keys) const {
        keys.push_back(sized_key(padded_.data() + begin, end - begin));
    }

    std::string padded_;
    Pace pace_;
};

// The numbers of the units of a reference, 1 .. kinds, and of those of candidates; 0 for others.
struct Numbered {
    Vocabulary vocabulary;
    std::vector<uint32_t> ids;

    size_t kinds() const noexcept { return vocabulary.size(); }

    void build(const std::vector<Key>& keys) {
        vocabulary.reset(keys.size());
        ids.resize(keys.size());
        vocabulary.intern(keys.data(), keys.size(), ids.data());
    }
    void find(const std::vector<Key>& keys, std::vector<uint32_t>& found) const {
        found.resize(keys.size());
        vocabulary.find(keys.data(), keys.size(), found.data());
    }
};

}  // namespace summeval
