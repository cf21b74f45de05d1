// The words or characters of texts for metrics of edits: their keys, then their numbers in a
// reference.
#pragma once
#include <vector>

#include "field/tokenizers/tokenizers.hpp"
#include "rows/units.hpp"

namespace summeval {

// Beside the tokenizers: all characters, and those between the blanks at both ends.
enum CharacterUnits : int { ALL_CHARACTERS = 32, INNER_CHARACTERS = 33 };

class UnitReader {
  public:
    // `units`: a FieldTokenizer or CharacterUnits. again: as tercom reads references.
    void read(int units, View text, Reading& out, bool again = false) {
        if (units == ALL_CHARACTERS || units == INNER_CHARACTERS)
            return read_characters(text, units == INNER_CHARACTERS, out);
        tokens_.read(units, text);
        if (again) tokens_.read_again(units);
        tokens_.keys(out);
    }

  private:
    static void read_characters(View text, bool inner, Reading& out) {
        Key* const keys = TokenSpans::room(out.keys, static_cast<size_t>(text.size) + 1);
        size_t count = 0;
        out.size = 0;
        Pace pace;
        each_character(text, [&](uint32_t code, size_t, size_t) {
            pace(2);
            const bool blank = inner && is_blank(code);
            if (blank && count == 0) return;
            keys[count++] = {code, 1};
            if (!blank) out.size = count;
        });
    }

    FieldTokens tokens_;
};

// The numbers of the units of a reference, 1 .. kinds, and of those of candidates; 0 for others.
struct Numbered {
    Vocabulary vocabulary;
    std::vector<uint32_t> ids;

    size_t kinds() const noexcept { return vocabulary.size(); }

    void build(const Reading& units) {
        vocabulary.reset(units.size);
        ids.resize(units.size);
        vocabulary.intern(units.keys.data(), units.size, ids.data());
    }
    void find(const Reading& units, std::vector<uint32_t>& found) const {
        found.resize(units.size);
        vocabulary.find(units.keys.data(), units.size, found.data());
    }
};

}  // namespace summeval
