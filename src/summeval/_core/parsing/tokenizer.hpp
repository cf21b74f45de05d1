// spaCy's English tokenizer (spacy/tokenizer.pyx): white space ends a chunk; prefixes and suffixes
// are taken off a chunk until an exception or nothing more is left of them; what is left is an
// exception, an address, or is split at infixes. At the end, exceptions are found among tokens that
// affixes split.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsing/characters.hpp"
#include "parsing/machines.hpp"
#include "parsing/model.hpp"
#include "parsing/string_ids.hpp"
#include "parsing/token.hpp"
#include "rows/stop.hpp"
#include "text/utf8.hpp"

namespace summeval::parsing {

// What a call of the tokenizer may write to; one for each thread. Strings of tokens may lie in it,
// so they live until the next call with the same room.
struct TokenizerRoom {
    struct Range {
        uint32_t begin, end;
    };

    std::string mended;             // a line that was no UTF-8
    std::vector<uint8_t> classes;   // of the characters
    std::vector<uint32_t> places;   // their first bytes, and the end
    uint32_t characters = 0;
    std::vector<Range> suffixes;    // of a chunk, the last one first
    std::vector<uint32_t> parts;    // of tokens: their numbers as parts of exceptions
    std::vector<Range> found, kept;  // tokens that may be exceptions
    std::vector<bool> seen;
    std::vector<Token> tokens;
    Strings norms;
};

class Tokenizer {
  public:
    // Reads the sections "characters", "tokens" and "norms"; std::invalid_argument if one is damaged.
    explicit Tokenizer(const Sections& sections) : Tokenizer(sections, {sections, "tokens"}) {}

    // Replaces `out` by the tokens of a line (one document of spaCy's). Bytes that are no UTF-8 are
    // read as U+FFFD, each by itself. Throws `Stopped` (see stop.hpp), and std::invalid_argument for
    // 2^30 bytes or more.
    void tokenize(std::string_view line, TokenizerRoom& room, std::vector<Token>& out) const {
        room.norms.clear();
        room.parts.clear();
        out.clear();
        if (line.size() >= MOST_BYTES)  // mended, it has less than 2^32
            throw std::invalid_argument("a line of 2^30 bytes or more cannot be parsed");
        if (utf8::look_at(line.data(), static_cast<int64_t>(line.size())) == utf8::Bytes::Other)
            line = mended(line, room.mended);
        read(line, room);
        Call call{*this, line, room, out};
        call.chunks();
        if (!out.empty()) call.exceptions_of_tokens();
        for (Token& token : out)
            if (token.norm.data() == nullptr) token.norm = characters_.lower(token.form, room.norms);
    }

    TokenIds ids(const Token& token) const {
        const std::string_view form = token.form;
        size_t prefix = 1, suffix = form.size();
        while (prefix < form.size() && is_inside(form[prefix])) ++prefix;
        for (int k = 0; k < SUFFIX && suffix;)
            if (!is_inside(form[--suffix])) ++k;
        return {ids_(token.norm), ids_(form.substr(0, prefix)), ids_(form.substr(suffix)),
                shape(form, token.end - token.start)};
    }

    const Characters& characters() const noexcept { return characters_; }
    const StringIds& string_ids() const noexcept { return ids_; }

  private:
    static constexpr uint32_t NONE = StringTable::NONE;
    static constexpr size_t MOST_BYTES = size_t{1} << 30;
    static constexpr int SUFFIX = 3;
    static constexpr uint32_t LONG = 100;  // characters of a form whose shape is "LONG"
    static constexpr int RUN = 4;          // as much of a run of like characters is in a shape

    // A token of an exception.
    struct Piece {
        uint32_t characters, bytes;
        std::string_view norm;
        uint32_t part;
    };
    // A string that has an entry somewhere.
    struct Known {
        uint32_t exception = NONE;  // its first piece
        uint32_t pieces = 0;
        uint32_t part = 0;  // of exceptions that affixes split; 0: of none
        std::string_view norm{};
    };
    // A beginning of the tokens of exceptions that affixes split; the first one is empty.
    struct Beginning {
        std::vector<std::pair<uint32_t, uint32_t>> longer;  // a part, the beginning with it
        bool whole = false;
    };

    Tokenizer(const Sections& sections, SectionReader reader)
        : characters_(sections),
          prefixes_(reader, characters_.classes()),
          suffixes_(reader, characters_.classes()),
          infixes_(reader, characters_.classes()),
          addresses_(reader, characters_.classes()) {
        read_norms(sections);
        read_exceptions(reader);
        for (uint32_t code = 0; code < 0x80; ++code) {
            const uint8_t has = characters_.properties(code);
            const bool alpha = has & Characters::ALPHA;
            shapes_[code] = alpha ? (has & Characters::UPPER ? 'X' : 'x')
                                  : has & Characters::DIGIT ? 'd' : static_cast<char>(code);
        }
    }

    static std::string_view spelt(SectionReader& reader) {
        return reader.text(reader.number<uint8_t>());
    }
    Known& known(std::string_view text) {
        const uint32_t number = names_.add(text);
        if (number == known_.size()) known_.emplace_back();
        return known_[number];
    }
    void read_norms(const Sections& sections) {
        SectionReader reader(sections, "norms");
        for (size_t left = reader.number<uint16_t>(); left; --left) {
            const uint16_t number = reader.number<uint16_t>();
            ids_.add(spelt(reader), number);
        }
        for (size_t left = reader.number<uint16_t>(); left; --left) {
            const std::string_view form = spelt(reader);
            known(form).norm = spelt(reader);
        }
        reader.end();
    }
    void read_exceptions(SectionReader& reader) {
        beginnings_.emplace_back();
        uint32_t parts = 0;
        const auto part_of = [&](std::string_view form) {
            uint32_t& part = known(form).part;
            return part ? part : part = ++parts;
        };
        for (size_t left = reader.number<uint16_t>(); left; --left) {
            const std::string_view text = spelt(reader);
            if (utf8::look_at(text.data(), static_cast<int64_t>(text.size())) == utf8::Bytes::Other)
                reader.fail();
            const uint32_t first = static_cast<uint32_t>(pieces_.size());
            const uint32_t count = reader.number<uint8_t>();
            size_t at = 0;
            for (uint32_t k = 0; k < count; ++k) {
                const std::string_view form = cut(text, at, reader);
                const std::string_view norm = spelt(reader);
                Piece piece{0, static_cast<uint32_t>(form.size()), norm, 0};
                for (const char byte : form) piece.characters += !is_inside(byte);
                pieces_.push_back(piece);
            }
            if (count == 0 || at != text.size()) reader.fail();
            known(text).exception = first;
            known(text).pieces = count;
            at = 0;
            uint32_t beginning = 0;
            const size_t tokens = reader.number<uint8_t>();
            for (size_t k = 0; k < tokens; ++k)
                beginning = longer(beginning, part_of(cut(text, at, reader)));
            if (tokens && at != text.size()) reader.fail();
            if (tokens) beginnings_[beginning].whole = true;
        }
        reader.end();
        for (const Known& each : known_) {
            if (each.exception == NONE) continue;
            const char* form = names_.string(static_cast<uint32_t>(&each - known_.data())).data();
            for (uint32_t k = 0; k < each.pieces; ++k) {
                Piece& piece = pieces_[each.exception + k];
                complete({form, piece.bytes}, piece);
                form += piece.bytes;
            }
        }
        first_longer_.assign(parts + 1, 0);
        for (const auto& [part, beginning] : beginnings_[0].longer) first_longer_[part] = beginning;
    }
    static std::string_view cut(std::string_view text, size_t& at, SectionReader& reader) {
        const size_t size = reader.number<uint8_t>();
        if (size == 0 || size > text.size() - at) reader.fail();
        at += size;
        return text.substr(at - size, size);
    }
    uint32_t longer(uint32_t beginning, uint32_t part) {
        for (const auto& [each, longer] : beginnings_[beginning].longer)
            if (each == part) return longer;
        const uint32_t found = static_cast<uint32_t>(beginnings_.size());
        beginnings_[beginning].longer.emplace_back(part, found);
        beginnings_.emplace_back();
        return found;
    }
    // The norm of a piece that says none is that of its form.
    void complete(std::string_view form, Piece& piece) {
        const uint32_t number = names_.find(form);
        if (number != NONE) piece.part = known_[number].part;
        if (!piece.norm.empty()) return;
        piece.norm = number == NONE ? std::string_view() : known_[number].norm;
        if (piece.norm.data() == nullptr) piece.norm = characters_.lower(form, norms_);
    }

    static bool is_inside(char byte) noexcept { return (byte & 0xC0) == 0x80; }

    static std::string_view mended(std::string_view line, std::string& out) {
        out.clear();
        out.reserve(3 * line.size());
        const auto* at = reinterpret_cast<const unsigned char*>(line.data());
        size_t left = line.size();
        for (Pace pace; left;) {
            pace(1);
            uint32_t code = 0;
            const size_t size = *at < 0x80 ? 1 : unicode::decode(at, left, code);
            if (size) out.append(reinterpret_cast<const char*>(at), size);
            else out += "\xEF\xBF\xBD";
            at += size ? size : 1;
            left -= size ? size : 1;
        }
        return out;
    }

    void read(std::string_view line, TokenizerRoom& room) const {
        if (room.places.size() <= line.size()) {
            grow(room.classes, line.size());
            grow(room.places, line.size() + 1);
        }
        const auto* const bytes = reinterpret_cast<const unsigned char*>(line.data());
        uint8_t* classes = room.classes.data();
        uint32_t* places = room.places.data();
        size_t at = 0;
        for (const auto [begin, end] : pieces(line.size())) {
            (void)begin;
            while (at < end) {
                *places++ = static_cast<uint32_t>(at);
                if (bytes[at] < 0x80) {
                    *classes++ = characters_.ascii_class(bytes[at++]);
                } else {
                    uint32_t code = 0;
                    at += unicode::decode(bytes + at, line.size() - at, code);
                    *classes++ = characters_.class_of(code);
                }
            }
        }
        *places = static_cast<uint32_t>(at);
        room.characters = static_cast<uint32_t>(places - room.places.data());
    }

    uint64_t shape(std::string_view form, uint32_t size) const {
        if (size >= LONG) return ids_("LONG");
        char out[4 * LONG];
        char* end = out;
        uint32_t last = UINT32_MAX;
        int run = 0;
        each_code(form, [&](uint32_t code, std::string_view bytes) {
            uint32_t shown = code;
            if (code < 0x80) {
                shown = static_cast<unsigned char>(shapes_[code]);
            } else {
                const uint8_t has = characters_.properties(code);
                if (has & Characters::ALPHA) shown = has & Characters::UPPER ? 'X' : 'x';
                else if (has & Characters::DIGIT) shown = 'd';
            }
            run = shown == last ? run + 1 : 0;
            last = shown;
            if (run >= RUN) return true;
            if (shown != code || code < 0x80) *end++ = static_cast<char>(shown);
            else end = std::copy(bytes.begin(), bytes.end(), end);
            return true;
        });
        return ids_({out, static_cast<size_t>(end - out)});
    }

    // The tokens of a line. Ranges are of its characters, but in the last step of its tokens.
    struct Call {
        using Range = TokenizerRoom::Range;

        const Tokenizer& tables;
        std::string_view line;
        TokenizerRoom& room;
        std::vector<Token>& out;
        Pace pace{};

        std::string_view text(uint32_t begin, uint32_t end) const noexcept {
            const uint32_t* const places = room.places.data();
            return line.substr(places[begin], places[end] - places[begin]);
        }
        const Known* known(std::string_view text) const noexcept {
            const uint32_t number = tables.names_.find(text);
            return number == NONE ? nullptr : &tables.known_[number];
        }
        const Known* exception(uint32_t begin, uint32_t end) const noexcept {
            const Known* const found = known(text(begin, end));
            return found && found->exception != NONE ? found : nullptr;
        }

        void chunks() {
            const uint8_t* const classes = room.classes.data();
            const uint32_t size = room.characters;
            if (size == 0) return;
            const auto is_space = [&](uint32_t at) {
                const uint8_t has = tables.characters_.properties_of_class(classes[at]);
                return (has & Characters::SPACE) != 0;
            };
            bool inside = is_space(0);  // white space
            uint32_t start = 0;
            for (uint32_t at = 1; at < size; ++at) {
                if (is_space(at) == inside) continue;
                if (start < at) chunk(start, at, inside);
                const bool blank = line[room.places[at]] == ' ';
                if (blank) out.back().blank_follows = true;
                start = blank ? at + 1 : at;
                inside = !inside;
            }
            if (start < size) chunk(start, size, inside);
        }

        void chunk(uint32_t begin, uint32_t end, bool is_space) {
            pace(end - begin + 16);
            const Known* found = exception(begin, end);
            if (found) return pieces_of(*found, begin, is_space);
            if (is_space) return token(begin, end, true);
            room.suffixes.clear();
            const uint8_t* const classes = room.classes.data();
            for (;;) {
                const uint8_t *const first = classes + begin, *const last = classes + end;
                const uint32_t prefix =
                    static_cast<uint32_t>(tables.prefixes_.match(first, first, last));
                if (prefix && prefix < end - begin && (found = exception(begin + prefix, end))) {
                    token(begin, begin + prefix, false);
                    begin += prefix;
                    break;
                }
                const uint32_t suffix =
                    static_cast<uint32_t>(tables.suffixes_.match(first + prefix, last));
                if (suffix && suffix < end - begin && (found = exception(begin, end - suffix))) {
                    room.suffixes.push_back({end - suffix, end});
                    end -= suffix;
                    break;
                }
                if (prefix + suffix == 0) break;
                if (prefix) token(begin, begin + prefix, false);
                if (suffix) room.suffixes.push_back({end - suffix, end});
                begin += prefix;
                end -= suffix;
                if (begin == end || (found = exception(begin, end))) break;
                pace(16);
            }
            if (begin < end) inner(begin, end, found);
            for (size_t k = room.suffixes.size(); k--;)
                token(room.suffixes[k].begin, room.suffixes[k].end, false);
        }

        // What is left without affixes.
        void inner(uint32_t begin, uint32_t end, const Known* found) {
            if (found) return pieces_of(*found, begin, false);
            const uint8_t* const first = room.classes.data() + begin;
            const uint8_t* const last = room.classes.data() + end;
            if (tables.addresses_.matches(first, last)) return token(begin, end, false);
            uint32_t start = begin;
            for (uint32_t at = begin; at < end;) {
                pace(2);
                const uint32_t size = static_cast<uint32_t>(
                    tables.infixes_.match(first, room.classes.data() + at, last));
                if (size == 0) {
                    ++at;
                    continue;
                }
                if (at != begin) {  // spaCy overlooks an infix at the beginning
                    if (start < at) token(start, at, false);
                    token(at, at + size, false);
                    start = at + size;
                }
                at += size;
            }
            if (start < end) token(start, end, false);
        }

        void token(uint32_t begin, uint32_t end, bool is_space) {
            const std::string_view form = text(begin, end);
            const Known* const found = known(form);
            out.push_back({form, found ? found->norm : std::string_view(), begin, end, false, is_space});
            room.parts.push_back(found ? found->part : 0);
        }
        void pieces_of(const Known& exception, uint32_t begin, bool is_space) {
            uint32_t at = room.places[begin];
            for (uint32_t k = 0; k < exception.pieces; ++k) {
                const Piece& piece = tables.pieces_[exception.exception + k];
                const uint32_t end = begin + piece.characters;
                out.push_back({line.substr(at, piece.bytes), piece.norm, begin, end, false, is_space});
                room.parts.push_back(piece.part);
                at += piece.bytes;
                begin = end;
            }
        }

        // Exceptions of several tokens, the longest one first.
        void exceptions_of_tokens() {
            room.found.clear();
            const uint32_t count = static_cast<uint32_t>(out.size());
            for (uint32_t k = 0; k < count; ++k) {
                uint32_t beginning = tables.first_longer_[room.parts[k]];
                for (uint32_t end = k + 1; beginning; ++end) {
                    pace(8);
                    if (tables.beginnings_[beginning].whole) room.found.push_back({k, end});
                    if (end == count) break;
                    beginning = tables.next_beginning(beginning, room.parts[end]);
                }
            }
            if (room.found.empty()) return;
            std::sort(room.found.begin(), room.found.end(), [](Range one, Range other) {
                const uint32_t sizes[] = {one.end - one.begin, other.end - other.begin};
                return sizes[0] != sizes[1] ? sizes[0] > sizes[1] : one.begin < other.begin;
            });
            room.seen.assign(count, false);
            room.kept.clear();
            for (const Range range : room.found) {
                if (!room.seen[range.begin] && !room.seen[range.end - 1]) room.kept.push_back(range);
                for (uint32_t k = range.begin; k < range.end; ++k) room.seen[k] = true;
            }
            std::sort(room.kept.begin(), room.kept.end(),
                      [](Range one, Range other) { return one.begin < other.begin; });
            replace();
        }
        void replace() {
            room.tokens.swap(out);
            out.clear();
            const std::vector<Token>& before = room.tokens;
            size_t at = 0;
            for (const Range range : room.kept) {
                out.insert(out.end(), before.begin() + at, before.begin() + range.begin);
                at = range.end;
                const uint32_t begin = before[range.begin].start;
                const Token& last = before[range.end - 1];
                const Known* const found = exception(begin, last.end);
                if (!found) {  // there is a blank between its tokens
                    out.insert(out.end(), before.begin() + range.begin, before.begin() + at);
                    continue;
                }
                pieces_of(*found, begin, last.is_space);
                out.back().blank_follows = last.blank_follows;
            }
            out.insert(out.end(), before.begin() + at, before.end());
        }
    };

    uint32_t next_beginning(uint32_t beginning, uint32_t part) const noexcept {
        if (part == 0) return 0;
        for (const auto& [each, longer] : beginnings_[beginning].longer)
            if (each == part) return longer;
        return 0;
    }

    Characters characters_;
    FirstMatch prefixes_;
    LastMatch suffixes_;
    FirstMatch infixes_;
    WholeMatch addresses_;
    StringIds ids_;
    StringTable names_;
    std::vector<Known> known_;  // of the names
    std::vector<Piece> pieces_;
    std::vector<Beginning> beginnings_;
    std::vector<uint32_t> first_longer_;  // for each part, the beginning that it alone is; 0: none
    Strings norms_;
    char shapes_[0x80];
};

}  // namespace summeval::parsing
