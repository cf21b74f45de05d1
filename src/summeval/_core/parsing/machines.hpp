// Automata that ci/resources/parser_machines.py made of spaCy's regular expressions. They read
// classes of characters, each once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "parsing/model.hpp"
#include "rows/stop.hpp"

namespace summeval::parsing {

class Machine {
  public:
    // `starts`: as many first states as there are columns, without the end; else 1.
    Machine(SectionReader& reader, size_t classes, int flags, bool with_end, bool starts) {
        const size_t states = reader.number<uint16_t>();
        width_ = reader.number<uint16_t>();
        const size_t firsts = reader.number<uint16_t>();
        columns_ = reader.numbers<uint8_t>(classes);
        starts_ = reader.numbers<uint16_t>(firsts);
        table_ = reader.numbers<uint16_t>(states * width_);
        const size_t inner = width_ - with_end;
        bool sound = states && width_ > with_end && firsts == (starts ? inner + 1 : 1);
        for (const uint8_t column : columns_) sound &= column < inner;
        for (const uint16_t state : starts_) sound &= state < states;
        for (const uint16_t each : table_) sound &= size_t{each} >> flags < states;
        if (!sound) reader.fail();
    }

  protected:
    uint16_t next(size_t state, uint8_t one) const noexcept {
        return table_[state * width_ + columns_[one]];
    }

    size_t width_;
    std::vector<uint8_t> columns_;
    std::vector<uint16_t> starts_, table_;
};

// Finds the match at a place.
class FirstMatch : Machine {
  public:
    FirstMatch(SectionReader& reader, size_t classes) : Machine(reader, classes, 1, true, true) {}

    // The size of the match at `at`, before `end`, of a string that begins at `begin`. 0 if there is
    // none.
    size_t match(const uint8_t* begin, const uint8_t* at, const uint8_t* end) const {
        const uint16_t start = at == begin ? starts_.back() : starts_[columns_[at[-1]]];
        if (at == end || start == 0) return 0;
        const uint16_t first = next(start, *at);
        return first < 2 ? 0 : follow(first >> 1, at, end);
    }

  private:
    size_t follow(size_t state, const uint8_t* at, const uint8_t* end) const {
        size_t best = 0;
        Pace pace;
        for (const uint8_t* now = at + 1; state; ++now) {
            pace(1);
            const uint16_t found =
                now == end ? table_[state * width_ + width_ - 1] : next(state, *now);
            if (found & 1) best = static_cast<size_t>(now - at);
            if (now == end) break;
            state = found >> 1;
        }
        return best;
    }
};

// Finds the longest match at the end.
class LastMatch : Machine {
  public:
    LastMatch(SectionReader& reader, size_t classes) : Machine(reader, classes, 2, false, false) {}

    size_t match(const uint8_t* begin, const uint8_t* end) const {
        size_t best = 0, state = starts_[0];
        Pace pace;
        for (const uint8_t* at = end; at != begin && state;) {
            pace(1);
            const uint16_t found = next(state, *--at);
            if (const size_t known = found & 3) {
                const size_t size = static_cast<size_t>(end - at);
                if (known <= size) best = std::max(best, size + 1 - known);
            }
            state = found >> 2;
        }
        return best;
    }
};

// Whether the whole string matches.
class WholeMatch : Machine {
  public:
    WholeMatch(SectionReader& reader, size_t classes) : Machine(reader, classes, 1, false, false) {}

    bool matches(const uint8_t* begin, const uint8_t* end) const {
        uint16_t state = static_cast<uint16_t>(starts_[0] << 1);
        for (const auto [from, to] : pieces(static_cast<size_t>(end - begin)))
            for (const uint8_t* at = begin + from; at != begin + to; ++at)
                state = next(state >> 1, *at);
        return state & 1;
    }
};

}  // namespace summeval::parsing
