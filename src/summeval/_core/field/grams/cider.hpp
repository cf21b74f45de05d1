// CIDEr and CIDEr-D: n-grams that a candidate and references share, weighted by how few rows have
// them (the definition is tests/definitions/field/cider.py).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "field/grams/grams.hpp"
#include "field/tokenizers/tokenizers.hpp"
#include "rows/engine.hpp"

namespace summeval {

constexpr size_t CIDER_ORDERS = 4;

// In how many rows each n-gram of references is. Tokens and n-grams have numbers from 1, in the
// order in which they came; an n-gram is the pair of the number of its first n - 1 tokens (0 for
// none) and its last token.
class Frequencies {
  public:
    struct Gram {
        uint64_t pair = 0;
        uint32_t number = 0, rows = 0;
    };

    uint32_t rows = 0;
    std::vector<std::string> tokens;

    size_t size() const noexcept { return grams_; }

    uint32_t token(const Key& key) const noexcept { return words_[word_place(key)].number; }
    const Gram& gram(uint32_t first, uint32_t last) const noexcept {
        return table_[place(pair_of(first, last))];
    }

    // An n-gram that is looked up soon: the table is larger than the nearest cache.
    void fetch(uint32_t first, uint32_t last) const noexcept {
        prefetch(table_.data() + home(pair_of(first, last)));
    }
    static constexpr size_t AHEAD = 8;

    // Adds the references of a row.
    int add(const View* texts, size_t count, int tokenizer) {
        if (count == 0) return OK;
        for (size_t t = 0; t < count; ++t)
            if (texts[t].size > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        ++rows;
        for (size_t t = 0; t < count; ++t) {
            read_.read(tokenizer, texts[t]);
            read_.keys(reading_);
            numbers_.resize(read_.size);
            before_.assign(read_.size, 0);
            Pace pace;
            for (size_t k = 0; k < read_.size; ++k) {
                pace(8);
                numbers_[k] = add_token(reading_.keys[k], read_.token(k));
            }
            for (size_t n = 1; n <= CIDER_ORDERS; ++n) {
                const size_t found = grams_of(read_.size, n);
                for (size_t k = 0; k < found; ++k) {
                    pace(8);
                    if (k + AHEAD < found) fetch(before_[k + AHEAD], numbers_[k + AHEAD + n - 1]);
                    Gram& gram = add_gram(before_[k], numbers_[k + n - 1]);
                    before_[k] = gram.number;
                    if (last_[gram.number] == rows) continue;
                    last_[gram.number] = rows;
                    ++gram.rows;
                }
            }
        }
        return OK;
    }

    // In how many rows the n-gram of these tokens is.
    uint32_t count(const std::vector<std::string>& gram) const {
        Gram found;
        for (const std::string& token : gram) {
            const std::string padded = token + std::string(PADDING, '\0');
            const uint32_t last = this->token(sized_key(padded.data(), token.size()));
            if (last == 0) return 0;
            found = this->gram(found.number, last);
            if (found.number == 0) return 0;
        }
        return found.rows;
    }

    // Adds a token, or an n-gram with its rows, as another table had them. False if it was there.
    bool restore_token(std::string_view token) {
        const size_t before = tokens.size();
        std::string padded(token);
        padded.append(PADDING, '\0');
        const View view{padded.data(), static_cast<int64_t>(token.size())};
        return add_token(sized_key(padded.data(), token.size()), view) > before;
    }
    bool restore_gram(uint32_t first, uint32_t last, uint32_t count) {
        const size_t before = grams_;
        add_gram(first, last).rows = count;
        return grams_ > before;
    }

    // out[number - 1]: first, last, rows.
    void tell(uint32_t* out) const noexcept {
        for (const Gram& gram : table_) {
            if (gram.number == 0) continue;
            uint32_t* const row = out + 3 * (gram.number - size_t{1});
            row[0] = static_cast<uint32_t>(gram.pair >> 32);
            row[1] = static_cast<uint32_t>(gram.pair);
            row[2] = gram.rows;
        }
    }

    void shrink() {
        std::vector<uint32_t>().swap(last_);
        std::vector<uint32_t>().swap(numbers_);
        std::vector<uint32_t>().swap(before_);
    }

  private:
    struct Word {
        Key key{0, 0};
        uint32_t number = 0;
    };

    static uint64_t pair_of(uint32_t first, uint32_t last) noexcept {
        return static_cast<uint64_t>(first) << 32 | last;
    }

    size_t word_place(const Key& key) const noexcept {
        const size_t last = words_.size() - 1;
        size_t at = static_cast<size_t>(key_hash(key) >> 32) & last;
        while (words_[at].number && !(words_[at].key == key)) at = (at + 1) & last;
        return at;
    }

    size_t home(uint64_t pair) const noexcept {
        return static_cast<size_t>((mix(pair) * 0x9E3779B97F4A7C15u) >> 24) & (table_.size() - 1);
    }

    size_t place(uint64_t pair) const noexcept {
        const size_t last = table_.size() - 1;
        size_t at = home(pair);
        while (table_[at].number && table_[at].pair != pair) at = (at + 1) & last;
        return at;
    }

    uint32_t add_token(const Key& key, View token) {
        const size_t at = word_place(key);
        if (words_[at].number) return words_[at].number;
        tokens.emplace_back(token.data, static_cast<size_t>(token.size));
        const auto number = static_cast<uint32_t>(tokens.size());
        words_[at] = {key, number};
        if (2 * tokens.size() > words_.size()) {
            std::vector<Word> old(2 * words_.size());
            old.swap(words_);
            for (const Word& word : old)
                if (word.number) words_[word_place(word.key)] = word;
        }
        return number;
    }

    Gram& add_gram(uint32_t first, uint32_t last) {
        const uint64_t pair = pair_of(first, last);
        size_t at = place(pair);
        if (table_[at].number) return table_[at];
        if (2 * (grams_ + 1) > table_.size()) {
            std::vector<Gram> old;
            grow(old, 4 * table_.size());
            old.swap(table_);
            Pace pace;
            for (const Gram& gram : old) {
                pace(4);
                if (gram.number) table_[place(gram.pair)] = gram;
            }
            at = place(pair);
        }
        table_[at] = {pair, static_cast<uint32_t>(++grams_), 0};
        if (last_.size() <= grams_) last_.resize(2 * grams_, 0);
        return table_[at];
    }

    std::vector<Word> words_ = std::vector<Word>(1 << 10);
    std::vector<Gram> table_ = std::vector<Gram>(1 << 12);
    size_t grams_ = 0;
    std::vector<uint32_t> last_ = std::vector<uint32_t>(1 << 10);  // row of each n-gram
    std::vector<uint32_t> numbers_, before_;
    FieldTokens read_;
    Reading reading_;
};

struct CiderSetup {
    int tokenizer = TOKENS_BLANKS;
    bool clipped = true;  // CIDEr-D
    double sigma = 6;
    std::shared_ptr<const Frequencies> table;
    std::vector<double> squares;  // of the weights of n-grams that few rows have

    void use(std::shared_ptr<const Frequencies> given) {
        table = std::move(given);
        squares.clear();
        std::vector<double> found;
        for (uint32_t rows = 0; rows <= std::min(table->rows, FEW); ++rows)
            found.push_back(square(rows));
        squares.swap(found);
    }

    // The square of the weight of one occurrence.
    double square(uint32_t rows) const noexcept {
        if (rows < squares.size()) return squares[rows];
        const double weight = std::log(static_cast<double>(table->rows)) -
                              std::log(static_cast<double>(std::max(rows, 1u)));
        return weight * weight;
    }
    static constexpr uint32_t FEW = 1 << 12;

    size_t width() const noexcept { return 1; }
};

using CiderNorms = std::array<double, CIDER_ORDERS>;

struct CiderReferences {
    WordLevels grams;
    std::array<std::vector<double>, CIDER_ORDERS> squares;  // of the n-grams of each order
    std::vector<CiderNorms> norms;                          // of each reference
    void shrink() { grams.shrink(); }
};

class CiderSpace : public KeptSpace<CiderSetup, CiderReferences, 20> {
  public:
    int build(const View* texts, size_t count, const CiderSetup& setup, CiderReferences& out) {
        if (readings_.size() < count) readings_.resize(count);
        for (size_t t = 0; t < count; ++t)
            if (const int status = tokens_.read_keys(setup.tokenizer, texts[t], readings_[t]))
                return status;
        weigh(readings_, count, setup, out);
        return OK;
    }

    int score(View text, const CiderReferences& side, const CiderSetup& setup, double* results) {
        if (const int status = tokens_.read_keys(setup.tokenizer, text, own_[0])) return status;
        weigh(own_, 1, setup, own_side_);
        const size_t bigrams = grams_of(own_[0].size, 2);
        double sum = 0;
        side.grams.count(own_[0], ids_, counts_, [&](size_t n, const int32_t* found,
                                                     const Level& level) {
            const double* const squares = side.squares[n - 1].data();
            for (size_t t = 0; t < side.grams.texts; ++t) {
                const double product = own_side_.norms[0][n - 1] * side.norms[t][n - 1];
                if (product == 0) continue;
                const int32_t* const others = level.row(t);
                const bool clipped = setup.clipped;
                double shared = 0;
                for (const auto [begin, end] : pieces(level.stride))
                    for (size_t k = std::max<size_t>(begin, 1); k < end; ++k) {
                        const int32_t taken = clipped ? std::min(found[k], others[k]) : found[k];
                        shared += static_cast<double>(taken) * others[k] * squares[k];
                    }
                const double away = static_cast<double>(bigrams) -
                                    static_cast<double>(grams_of(side.grams.sizes[t], 2));
                const double near =
                    clipped ? std::exp(-(away * away) / (2 * setup.sigma * setup.sigma)) : 1;
                sum += shared / product * near;
            }
        });
        results[0] = 10 * sum / CIDER_ORDERS / static_cast<double>(side.grams.texts);
        return OK;
    }

  private:
    // Counts the n-grams of texts, and looks up their weights. An n-gram that no row has weighs as
    // much as one that a single row has; so one that goes on with such an n-gram needs no look.
    void weigh(const std::vector<Reading>& readings, size_t count, const CiderSetup& setup,
               CiderReferences& out) {
        const Frequencies& table = *setup.table;
        const double unknown = setup.square(0);
        size_t all = 0;
        for (size_t t = 0; t < count; ++t) all += readings[t].size;
        if (words_.size() < all) grow(words_, all);
        if (first_.size() < all) grow(first_, all);
        if (places_.size() < all) grow(places_, all);
        left_.assign(count, 0);
        out.norms.assign(count, CiderNorms{});
        size_t start = 0, order = 0;
        out.grams.build(readings, count, CIDER_ORDERS, [&](size_t n, size_t t, const uint32_t* ids,
                                                           const int32_t* counts) {
            const Reading& reading = readings[t];
            std::vector<double>& squares = out.squares[n - 1];
            if (n != order) {
                start = 0;
                if (squares.size() <= all) grow(squares, all + 1);
                double* const first = squares.data();
                each_piece(all + 1, [=](size_t from, size_t to) {
                    std::fill(first + from, first + to, unknown);
                });
            }
            order = n;
            uint32_t* const words = words_.data() + start;
            uint32_t* const first = first_.data() + start;   // numbers of n-1-grams, and where
            uint32_t* const places = places_.data() + start;  // they begin
            start += reading.size;
            const size_t found = grams_of(reading.size, n);
            size_t& left = left_[t];
            Pace pace;
            if (n == 1) {
                left = found;
                for (size_t k = 0; k < found; ++k) {
                    pace(4);
                    words[k] = table.token(reading.keys[k]);
                    first[k] = 0;
                    places[k] = static_cast<uint32_t>(k);
                }
            }
            constexpr size_t AHEAD = Frequencies::AHEAD;
            size_t kept = 0;
            for (size_t k = 0; k < left; ++k) {
                pace(8);
                if (k + AHEAD < left) {
                    const size_t next = places[k + AHEAD] + n - 1;
                    if (next < reading.size) table.fetch(first[k + AHEAD], words[next]);
                }
                const size_t place = places[k];
                if (place >= found) break;
                const uint32_t last = words[place + n - 1];
                if (last == 0) continue;
                const Frequencies::Gram& gram = table.gram(first[k], last);
                squares[ids[place]] = setup.square(gram.rows);
                first[kept] = gram.number;
                places[kept] = static_cast<uint32_t>(place);
                kept += gram.rows > 1;
            }
            left = kept;
            double norm = 0;
            for (const auto [from, to] : pieces(found))
                for (size_t k = from; k < to; ++k) norm += counts[ids[k]] * squares[ids[k]];
            out.norms[t][n - 1] = std::sqrt(norm);
        });
    }

    FieldTokens tokens_;
    std::vector<Reading> readings_, own_ = std::vector<Reading>(1);
    CiderReferences own_side_;
    std::vector<uint32_t> words_, first_, places_, ids_;
    std::vector<size_t> left_;
    std::vector<int32_t> counts_;
};

using CiderEngine = EngineOf<CiderSpace>;

}  // namespace summeval
