// The words and arguments of parsed documents in the arrays that `roles.hpp` reads.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "discourse/parsed_words.hpp"
#include "rows/stop.hpp"
#include "text/stem.hpp"

namespace summeval::discourse {

struct RoleSpans {
    std::vector<int64_t> ptr = std::vector<int64_t>(1, 0);
    std::vector<int32_t> first, last;
    std::vector<uint32_t> bits;
};

// Numbers the words with a column, by stem, and collects the spans of arguments.
class RoleWords {
  public:
    // `classes` has the first two letters of the tags of words with a column.
    explicit RoleWords(std::vector<std::string> classes) : classes_(std::move(classes)) {}

    // The columns of the tokens of a document are appended; returns how many columns there are.
    int32_t number(const Parse& parse, std::vector<int32_t>& column) {
        const DocumentView& view = parse.view;
        stems_.clear();
        column_of_.assign(view.string_count, UNREAD);
        has_column_.assign(view.string_count, 2);
        for (uint32_t t = 0; t < view.tokens; ++t) {
            pace_(2);
            uint8_t& known = has_column_[view.tag[t]];
            if (known == 2) known = is_one(parse.string(view.tag[t]));
            if (known == 0) {
                column.push_back(-1);
                continue;
            }
            int32_t& own = column_of_[view.form[t]];
            if (own == UNREAD) own = stem(parse, view.form[t]);
            column.push_back(own);
        }
        return static_cast<int32_t>(stems_.size());
    }

    // Adds the spans of a document's relations, without their connectives; `bits` has the roles
    // that each of the kinds gives its first and second argument. False if the relations are not
    // those of a document of so many tokens.
    bool add_spans(const int32_t* at, const int32_t* end, uint32_t tokens, const uint32_t* bits,
                   int64_t kinds, RoleSpans& out) {
        const auto limit = static_cast<int64_t>(tokens);
        while (at < end) {
            pace_(16);
            if (end - at < 4) return false;
            const int64_t kind = at[0], size = at[1], counts[2] = {at[2], at[3]};
            if (kind < 0 || kind >= kinds || size < 0 || counts[0] < 0 || counts[1] < 0) return false;
            if (end - at < 4 + size + 2 * (counts[0] + counts[1])) return false;
            const int32_t* const connective = at + 4;
            at = connective + size;
            for (int argument = 0; argument < 2; ++argument) {
                for (int64_t k = 0; k < counts[argument]; ++k, at += 2) {
                    if (at[0] < 0 || at[0] >= at[1] || at[1] > limit) return false;
                    add_span(at[0], at[1], connective, size, bits[2 * kind + argument], out);
                }
            }
        }
        out.ptr.push_back(static_cast<int64_t>(out.bits.size()));
        return true;
    }

    // Whether an ASCII letter or digit is in a form; if not, Python looks at the others.
    static bool has_plain_words(const DocumentView& view) {
        Pace pace;
        for (uint32_t t = 0; t < view.tokens; ++t) {
            pace(2);
            const char* const end = view.strings + view.string_offsets[view.form[t] + 1];
            for (const char* at = view.strings + view.string_offsets[view.form[t]]; at < end; ++at) {
                const char letter = static_cast<char>(*at | 0x20);
                if ((letter >= 'a' && letter <= 'z') || (*at >= '0' && *at <= '9')) return true;
            }
        }
        return false;
    }

  private:
    static constexpr int32_t UNREAD = -1;

    bool is_one(Text tag) const noexcept {
        return std::any_of(classes_.begin(), classes_.end(), [tag](const std::string& each) {
            return tag.substr(0, each.size()) == each;
        });
    }

    int32_t stem(const Parse& parse, uint32_t form) {
        parse.lowered(form, lowered_);
        pace_(64 + lowered_.size());
        room_.resize(std::max(room_.size(), lowered_.size() + 8));
        const int32_t size = summeval::stem(STEM_PORTER_JAVA, lowered_.data(),
                                            static_cast<int32_t>(lowered_.size()), room_.data());
        return static_cast<int32_t>(stems_.add({room_.data(), static_cast<size_t>(size)})) - 1;
    }

    static void add_span(int32_t first, int32_t last, const int32_t* connective, int64_t size,
                         uint32_t bits, RoleSpans& out) {
        const auto put = [&](int32_t begin, int32_t end) {
            if (begin >= end) return;
            out.first.push_back(begin);
            out.last.push_back(end);
            out.bits.push_back(bits);
        };
        int32_t begin = first;
        for (int64_t k = 0; k < size; ++k) {
            if (connective[k] < first || connective[k] >= last) continue;
            put(begin, connective[k]);
            begin = connective[k] + 1;
        }
        put(begin, last);
    }

    std::vector<std::string> classes_;
    Names stems_;
    std::string lowered_;
    std::vector<char> room_;
    std::vector<int32_t> column_of_;    // of each string as a form
    std::vector<uint8_t> has_column_;   // of each string as a tag; 2: not looked at
    Pace pace_;
};

}  // namespace summeval::discourse
