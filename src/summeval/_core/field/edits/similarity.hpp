// Similarities of strings by edits, over rows of texts.
#pragma once
#include <algorithm>
#include <vector>

#include "field/edits/edit.hpp"
#include "field/edits/words.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t SIMILARITY_FIELDS = 9;

struct SimilaritySetup {
    size_t width() const noexcept { return SIMILARITY_FIELDS; }
};

// The characters of a text, and its tokens in the order of their characters.
struct Characters {
    struct Token {
        size_t begin, end;
    };
    Reading reading;
    std::vector<Token> tokens;

    uint64_t code(size_t k) const noexcept { return reading.keys[k].lo; }
    bool equal(Token one, const Characters& other, Token that) const noexcept {
        return compare(one, other, that) == 0;
    }
    int compare(Token one, const Characters& other, Token that) const noexcept {
        const size_t size = one.end - one.begin, shorter = std::min(size, that.end - that.begin);
        for (size_t k = 0; k < shorter; ++k) {
            const uint64_t x = code(one.begin + k), y = other.code(that.begin + k);
            if (x != y) return x < y ? -1 : 1;
        }
        return size == that.end - that.begin ? 0 : size == shorter ? -1 : 1;
    }
    size_t length(Token token) const noexcept { return token.end - token.begin; }

    // Without characters above U+00FF, U+0085 and U+00A0 are letters to RapidFuzz.
    void find_tokens() {
        tokens.clear();
        bool latin = true;
        for (size_t k = 0; k < reading.size; ++k) latin &= code(k) <= 0xFF;
        bool within = false;
        for (size_t k = 0; k < reading.size; ++k) {
            const bool blank =
                is_blank(static_cast<uint32_t>(code(k))) && !(latin && code(k) > 0x7F);
            if (!blank && !within) tokens.push_back({k, k});
            if (!blank) tokens.back().end = k + 1;
            within = !blank;
        }
        std::sort(tokens.begin(), tokens.end(),
                  [this](Token x, Token y) { return compare(x, *this, y) < 0; });
    }
};

struct SimilarityReferences {
    struct Text {
        Characters characters;
        Numbered numbered;
        uint32_t blank = 0;  // the number of U+0020
    };
    std::vector<Text> texts;
    size_t count = 0;
    void shrink() {}
};

class SimilaritySpace : public KeptSpace<SimilaritySetup, SimilarityReferences, 18> {
  public:
    int build(const View* texts, size_t count, const SimilaritySetup&, SimilarityReferences& out) {
        out.count = count;
        if (out.texts.size() < count) out.texts.resize(count);
        for (size_t t = 0; t < count; ++t) {
            SimilarityReferences::Text& made = out.texts[t];
            if (const int status = read(texts[t], made.characters)) return status;
            // with a blank behind it, which joins tokens
            made.characters.reading.keys[made.characters.reading.size++] = {' ', 1};
            made.numbered.build(made.characters.reading);
            --made.characters.reading.size;
            made.blank = made.numbered.ids.back();
            made.numbered.ids.pop_back();
        }
        return OK;
    }

    int score(View text, const SimilarityReferences& side, const SimilaritySetup&,
              double* results) {
        if (const int status = read(text, own_)) return status;
        for (size_t t = 0; t < side.count; ++t) {
            double fields[SIMILARITY_FIELDS];
            if (const int status = compare(side.texts[t], fields)) return status;
            for (size_t k = 0; k < SIMILARITY_FIELDS; ++k)
                results[k] = t ? std::max(results[k], fields[k]) : fields[k];
        }
        return OK;
    }

  private:
    using Text = SimilarityReferences::Text;
    using Items = edit::Items;
    static constexpr uint64_t MOST_CELLS = uint64_t{1} << 32;

    int read(View text, Characters& out) {
        if (text.size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        reader_.read(ALL_CHARACTERS, text, out.reading);
        out.find_tokens();
        return OK;
    }

    int compare(const Text& other, double* out) {
        const size_t kinds = other.numbered.kinds();
        other.numbered.find(own_.reading, ids_);
        const Items a{other.numbered.ids.data(), other.numbered.ids.size()};
        const Items b{ids_.data(), ids_.size()};
        if (edit::cells(a, b) > MOST_CELLS) return TABLE_TOO_LARGE;
        const auto longer = static_cast<double>(std::max(a.size, b.size));
        const auto share = [longer](size_t part) {
            return longer > 0 ? static_cast<double>(part) / longer : 1;
        };
        const auto kept = [longer](size_t edits) {
            return longer > 0 ? 1 - static_cast<double>(edits) / longer : 1;
        };
        const size_t common = table_.common(a, b, kinds);
        out[0] = kept(table_.distance<false>(a, b, kinds));
        out[1] = indel(common, a.size + b.size);
        const size_t swapped = table_.distance<true>(a, b, kinds);
        out[2] = kept(swaps_.distance(a, b, kinds, swapped));
        out[3] = kept(swapped);
        out[4] = share(common);
        out[5] = jaro_.similarity(a, b, kinds);
        size_t prefix = 0;
        while (prefix < std::min<size_t>({4, a.size, b.size}) && a[prefix] == b[prefix]) ++prefix;
        out[6] = out[5] > 0.7 ? out[5] + 0.1 * static_cast<double>(prefix) * (1 - out[5]) : out[5];
        return compare_tokens(other, out);
    }

    static double indel(size_t common, size_t both) noexcept {
        return both ? 2 * static_cast<double>(common) / static_cast<double>(both) : 1;
    }

    int compare_tokens(const Text& other, double* out) {
        const Characters& others = other.characters;
        mine_.clear();
        its_.clear();
        for (const Token& token : own_.tokens) join(ids_, token, other.blank, mine_);
        for (const Token& token : others.tokens)
            join(other.numbered.ids, token, other.blank, its_);
        size_t common = 0;
        if (!find_common(other, common)) return TABLE_TOO_LARGE;
        out[7] = indel(common, mine_.size() + its_.size());
        out[8] = 0;
        if (own_.tokens.empty() || others.tokens.empty()) return OK;
        mine_.clear();
        its_.clear();
        size_t shared = 0;  // the length of the common tokens, joined
        auto x = own_.tokens.begin();
        auto y = others.tokens.begin();
        while (x != own_.tokens.end() || y != others.tokens.end()) {
            const int order = x == own_.tokens.end()      ? 1
                              : y == others.tokens.end() ? -1
                                                         : own_.compare(*x, others, *y);
            if (order < 0) {
                join(ids_, *x, other.blank, mine_);
            } else if (order > 0) {
                join(other.numbered.ids, *y, other.blank, its_);
            } else {
                shared += (shared > 0) + own_.length(*x);
            }
            // to the next tokens that are others
            const auto x_now = x;
            const auto y_now = y;
            if (order <= 0)
                while (x != own_.tokens.end() && own_.equal(*x, own_, *x_now)) ++x;
            if (order >= 0)
                while (y != others.tokens.end() && others.equal(*y, others, *y_now)) ++y;
        }
        if (shared && (mine_.empty() || its_.empty())) {
            out[8] = 1;
            return OK;
        }
        if (!find_common(other, common)) return TABLE_TOO_LARGE;
        const auto left = static_cast<double>(mine_.size()), right = static_cast<double>(its_.size());
        const double gap = shared ? 1 : 0, s = static_cast<double>(shared);
        const double edits = left + right - 2 * static_cast<double>(common);
        out[8] = 1 - edits / (2 * (s + gap) + left + right);
        if (shared)
            out[8] = std::max({out[8], 1 - (gap + left) / (s + s + gap + left),
                               1 - (gap + right) / (s + s + gap + right)});
        return OK;
    }

    using Token = Characters::Token;

    static void join(const std::vector<uint32_t>& ids, Token token, uint32_t blank,
                     std::vector<uint32_t>& out) {
        if (!out.empty()) out.push_back(blank);
        out.insert(out.end(), ids.begin() + static_cast<std::ptrdiff_t>(token.begin),
                   ids.begin() + static_cast<std::ptrdiff_t>(token.end));
    }

    // The longest common subsequence of `mine_` and `its_`; false if their table is too large.
    bool find_common(const Text& other, size_t& common) {
        const Items a{its_.data(), its_.size()}, b{mine_.data(), mine_.size()};
        if (edit::cells(a, b) > MOST_CELLS) return false;
        common = table_.common(a, b, other.numbered.kinds());
        return true;
    }

    UnitReader reader_;
    Characters own_;
    std::vector<uint32_t> ids_, mine_, its_;
    edit::Table table_;
    edit::Swaps swaps_;
    edit::Jaro jaro_;
};

using SimilarityEngine = EngineOf<SimilaritySpace>;

}  // namespace summeval
