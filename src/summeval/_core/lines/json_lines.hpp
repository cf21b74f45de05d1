// Rows of JSON Lines: the texts of each row as views, and all else as json.dumps writes it.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lines/json_text.hpp"
#include "text/utf8.hpp"
#include "text/views.hpp"

namespace summeval {
namespace json {

// What a row holds for the references or the source.
enum Kind : unsigned char { NOTHING = 0, ONE = 1, SEVERAL = 2 };

// The columns with the texts, by their names as JSON strings without quotes.
struct Wanted {
    std::string candidate;
    std::vector<std::string> references;
    std::string source;
    bool needs_references = true;
    bool needs_source = false;
    bool keeps_texts = false;  // also among the columns that are carried through
};

constexpr std::size_t MOST_NAMES = MOST_KEYS;

// A row with numbers beyond the range of float64, and the place of its line in the block.
struct Beyond {
    int64_t row;
    std::ptrdiff_t begin;
    std::ptrdiff_t end;
};

class Lines {
public:
    Wanted wanted;
    // Row i has candidates[i]; references from reference_ends[i - 1] to reference_ends[i]; sources
    // in the same way. `heads` has each row's carried columns as an object without its last brace.
    std::vector<View> candidates, references, sources;
    std::vector<int64_t> reference_ends, source_ends, head_ends;
    std::vector<unsigned char> reference_kinds, source_kinds;
    std::string heads;
    std::set<std::string> names;  // of the carried columns, as JSON strings
    bool has_all_names = true;                 // false if there are too many of them
    std::vector<Beyond> beyond;                // their heads have null for these numbers

    // Takes rows from the line at `at` on, and skips empty lines, up to the first line that is not
    // usual, or the end. Returns its place, and counts the lines before it. Every call gets the
    // same block, which must live as long as the views. Lines with numbers beyond the range of
    // float64 are usual if `takes_beyond`.
    std::ptrdiff_t take(const char* block, std::ptrdiff_t at, std::ptrdiff_t size,
                        bool takes_beyond, int64_t& lines) {
        const char* const end = block + size;
        const char* line = block + at;
        if (!is_prepared_) prepare(block, static_cast<std::size_t>(size));
        while (line < end) {
            const auto* stop = static_cast<const char*>(
                std::memchr(line, '\n', static_cast<std::size_t>(end - line)));
            if (stop == nullptr) stop = end;
            bool is_beyond = false;
            beyond_ = takes_beyond ? &is_beyond : nullptr;
            if (stop != line && !take_line(line, stop)) break;
            if (is_beyond) {
                const auto row = static_cast<int64_t>(candidates.size()) - 1;
                beyond.push_back(Beyond{row, line - block, stop - block});
            }
            ++lines;
            line = stop == end ? end : stop + 1;
        }
        return line - block;
    }

    // Adds a row that was read elsewhere; the texts are copied.
    void add(std::string_view head, const std::string* candidate,
             const std::vector<std::string>& given_references, Kind references_kind,
             const std::vector<std::string>& given_sources, Kind sources_kind) {
        const auto keep = [this](const std::string& text) {
            kept_.push_back(text);
            return View{kept_.back().data(), static_cast<int64_t>(kept_.back().size())};
        };
        candidates.push_back(candidate == nullptr ? View{nullptr, 0} : keep(*candidate));
        for (const auto& text : given_references) references.push_back(keep(text));
        for (const auto& text : given_sources) sources.push_back(keep(text));
        heads.append(head);
        close_row(references_kind, sources_kind);
    }

private:
    struct Member {
        const char* value;  // nullptr if the row lacks it
        const char* end;
    };

    bool is_prepared_ = false;
    std::unique_ptr<char[]> room_;  // none if the block has no escapes
    char* free_ = nullptr;
    std::deque<std::string> kept_;
    std::vector<std::string> layout_;  // the keys of the row before
    std::string key_;
    KeySet many_keys_;  // of this row, once it has FEW_KEYS, unless they are as in the row before
    std::vector<Member> found_;
    bool* beyond_ = nullptr;  // set if the line has a number beyond the range; nullptr refuses it

    // Looks for escapes once: a block may be taken in as many calls as it has lines.
    void prepare(const char* block, std::size_t size) {
        if (std::memchr(block, '\\', size) != nullptr) {
            // What strings say is never longer than how they are written.
            room_.reset(new char[size]);
            free_ = room_.get();
        }
        is_prepared_ = true;
    }

    void close_row(Kind references_kind, Kind sources_kind) {
        reference_ends.push_back(static_cast<int64_t>(references.size()));
        source_ends.push_back(static_cast<int64_t>(sources.size()));
        reference_kinds.push_back(references_kind);
        source_kinds.push_back(sources_kind);
        head_ends.push_back(static_cast<int64_t>(heads.size()));
    }

    bool take_line(const char* at, const char* end) {
        const std::size_t head = heads.size();
        const std::size_t reference = references.size(), source = sources.size();
        char* const free = free_;
        if (take_object(at, end)) return true;
        heads.resize(head);
        references.resize(reference);
        sources.resize(source);
        free_ = free;
        layout_.clear();
        return false;
    }

    // Which text a key names: 0 for the candidate, 1 for the source, from 2 on the references; -1
    // for a column that is carried through.
    int text_of(std::string_view key) const noexcept {
        if (key == wanted.candidate) return 0;
        if (key == wanted.source) return 1;
        for (std::size_t k = 0; k < wanted.references.size(); ++k) {
            if (key == wanted.references[k]) return static_cast<int>(k) + 2;
        }
        return -1;
    }

    // Whether the key is new in its row. Rows mostly have the keys of the row before, in order.
    bool is_new(std::size_t place, bool& as_before) {
        const std::string& key = key_;
        as_before = as_before && place < layout_.size() && layout_[place] == key;
        if (as_before) return true;
        if (place >= MOST_KEYS) return false;
        layout_.resize(place);
        if (place < FEW_KEYS) {
            for (const auto& other : layout_) {
                if (other == key) return false;
            }
        } else {
            if (many_keys_.empty()) many_keys_.insert(layout_.begin(), layout_.end());
            if (!many_keys_.insert(key).second) return false;
        }
        layout_.push_back(key);
        return true;
    }

    bool take_object(const char* at, const char* end) {
        found_.assign(wanted.references.size() + 2, Member{nullptr, nullptr});
        if (!many_keys_.empty()) many_keys_.clear();
        at = skip_blanks(at, end);
        if (at == end || *at != '{') return false;
        heads += '{';
        bool is_first = true, as_before = true;
        std::size_t place = 0;
        at = skip_blanks(at + 1, end);
        bool is_open = at < end && *at != '}';
        while (is_open) {
            Raw raw{};
            if (at == end || *at != '"') return false;
            at = read_string(at, end, raw);
            if (at == nullptr) return false;
            key_.clear();
            if (!append_string(raw, key_)) return false;
            const bool is_repeated = as_before && place < layout_.size() && layout_[place] == key_;
            if (!is_new(place++, as_before)) return false;
            at = skip_blanks(at, end);
            if (at == end || *at != ':') return false;
            at = skip_blanks(at + 1, end);
            const int text = text_of(key_);
            const char* const value = at;
            if (text < 0 || wanted.keeps_texts) {
                if (!is_first) heads += ", ";
                is_first = false;
                if (!is_repeated) remember(key_);
                heads += '"';
                heads += key_;
                heads += "\": ";
                at = append_value(at, end, 1, heads, beyond_);
                if (at == nullptr) return false;
            }
            if (text >= 0) {
                at = skip_text(value, end);
                if (at == nullptr) return false;
                found_[static_cast<std::size_t>(text)] = Member{value, at};
            }
            at = skip_blanks(at, end);
            if (at == end) return false;
            is_open = *at == ',';
            if (!is_open && *at != '}') return false;
            if (is_open) at = skip_blanks(at + 1, end);
        }
        if (at == end || skip_blanks(at + 1, end) != end) return false;
        layout_.resize(place);
        return take_texts();
    }

    void remember(const std::string& key) {
        if (names.size() < MOST_NAMES) {
            names.insert(key);
        } else if (names.find(key) == names.end()) {
            has_all_names = false;
        }
    }

    // Returns the place after a string, null, or a list of strings and nulls; nullptr for others.
    static const char* skip_text(const char* at, const char* end) noexcept {
        if (at == end) return nullptr;
        if (*at != '[') return skip_item(at, end);
        at = skip_blanks(at + 1, end);
        if (at < end && *at == ']') return at + 1;
        for (;;) {
            if (at == end) return nullptr;
            at = skip_item(at, end);
            if (at == nullptr) return nullptr;
            at = skip_blanks(at, end);
            if (at == end) return nullptr;
            if (*at == ']') return at + 1;
            if (*at != ',') return nullptr;
            at = skip_blanks(at + 1, end);
        }
    }

    static const char* skip_item(const char* at, const char* end) noexcept {
        Raw raw{};
        if (*at == '"') return read_string(at, end, raw);
        return end - at >= 4 && std::memcmp(at, "null", 4) == 0 ? at + 4 : nullptr;
    }

    // The view of a string; false if it has a malformed escape.
    bool view(const char* at, const char* end, View& out) noexcept {
        Raw raw{};
        read_string(at, end, raw);
        out = View{raw.begin, raw.end - raw.begin};
        if (!raw.escaped) return true;
        char* const stop = write_meaning(raw, free_);
        if (stop == nullptr) return false;
        out = View{free_, stop - free_};
        free_ = stop;
        return true;
    }

    // Adds the texts of a member that `skip_text` accepted, without its nulls.
    bool add_texts(const Member& member, std::vector<View>& out, Kind& kind) {
        if (member.value == nullptr || *member.value == 'n') return true;
        View text{};
        if (*member.value == '"') {
            if (kind == NOTHING) kind = ONE;
            if (!view(member.value, member.end, text)) return false;
            out.push_back(text);
            return true;
        }
        kind = SEVERAL;
        const char* at = skip_blanks(member.value + 1, member.end);
        while (*at != ']') {
            if (*at == '"') {
                if (!view(at, member.end, text)) return false;
                out.push_back(text);
            }
            at = skip_blanks(skip_item(at, member.end), member.end);
            if (*at == ',') at = skip_blanks(at + 1, member.end);
        }
        return true;
    }

    bool take_texts() {
        bool has_references = false;
        for (std::size_t k = 2; k < found_.size(); ++k) {
            has_references = has_references || found_[k].value != nullptr;
        }
        const Member& candidate = found_[0];
        if (candidate.value == nullptr || *candidate.value == '[') return false;
        if (wanted.needs_references && !has_references) return false;
        if (wanted.needs_source && found_[1].value == nullptr) return false;
        Kind references_kind = NOTHING, source_kind = NOTHING;
        View text{nullptr, 0};
        if (*candidate.value == '"' && !view(candidate.value, candidate.end, text)) return false;
        for (std::size_t k = 2; k < found_.size(); ++k) {
            if (!add_texts(found_[k], references, references_kind)) return false;
        }
        if (!add_texts(found_[1], sources, source_kind)) return false;
        candidates.push_back(text);
        close_row(references_kind, source_kind);
        return true;
    }
};

// The bytes that lines of these rows take at most, the heads aside.
inline std::size_t room_of(int64_t rows, const std::vector<std::string>& befores) noexcept {
    std::size_t most = 4;
    for (const auto& before : befores) most += before.size() + 2 + NUMBER_ROOM;
    return most * static_cast<std::size_t>(rows);
}

// Writes lines: each head, its end, and a row of numbers, each after its own text. `columns` are
// pointers to the numbers; `befores` has the text before each; NaN and infinities are null. `at`
// has the room of the heads and `room_of`; returns the end.
inline char* write_lines(const char* heads, const int64_t* head_ends, int64_t rows,
                         const std::vector<const double*>& columns,
                         const std::vector<std::string>& befores, char* at) {
    KnownNumbers numbers;
    int64_t begin = 0;
    for (int64_t row = 0; row < rows; ++row) {
        const auto size = static_cast<std::size_t>(head_ends[row] - begin);
        std::memcpy(at, heads + begin, size);
        at += size;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (column != 0 || size > 1) {
                *at++ = ',';
                *at++ = ' ';
            }
            std::memcpy(at, befores[column].data(), befores[column].size());
            at += befores[column].size();
            const double value = columns[column][row] + 0.0;  // without the sign of a zero
            if (std::isfinite(value)) {
                at = numbers.write(value, at);
            } else {
                std::memcpy(at, "null", 4);
                at += 4;
            }
        }
        *at++ = '}';
        *at++ = '\n';
        begin = head_ends[row];
    }
    return at;
}

}  // namespace json
}  // namespace summeval
