// Matrices of roles (rows sentences, columns words) and the sub-sequences of their columns. A cell
// is a set of up to 32 roles, one bit each; a cell without roles is the symbol nil. The definition
// is _reference/roles.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <vector>

#include "parallel.hpp"

namespace summeval {

enum : int { ROLES_MEMORY = 1 };
inline constexpr int64_t ROLES_CHUNK = 64;  // documents that a thread takes at a time

// Documents in flat arrays: document d has the tokens, sentences and spans from ptr[d] to ptr[d+1].
struct RoleDocuments {
    int64_t documents;
    const int64_t* token_ptr;
    const int32_t* column;  // of each token, from 0 in its document; -1 for a token without one
    const int32_t* columns;  // how many a document has
    const int64_t* sentence_ptr;
    const int32_t* sentence_end;  // tokens of the document up to the end of the sentence
    const int64_t* span_ptr;
    const int32_t* first;  // of each span, tokens from 0 in the document
    const int32_t* last;   // exclusive
    const uint32_t* bits;  // the roles that the span gives its tokens
    bool highest;          // a cell keeps its lowest bit alone
};

// A part of the features with denominators of its own: some roles, some columns.
struct RoleGroup {
    uint32_t roles;
    int32_t least, most;  // occurrences of the word of a column in the text
};

struct RoleFeatures {
    int32_t symbols;  // roles; symbol 0 is nil, symbol i + 1 is bit i
    int32_t groups;
    const RoleGroup* group;
    bool triples;   // sub-sequences of length 3, too
    bool nil_only;  // count those of nil alone
    bool pairs;     // pairs of roles within a cell
    const uint32_t* skipped;  // for each role the later ones that it makes no pair with

    int32_t base() const noexcept { return symbols + 1; }
    int32_t third() const noexcept { return base() * base(); }  // where those of length 3 begin
    int32_t pair() const noexcept { return third() + third() * base(); }
    int32_t size() const noexcept { return pair() + symbols * symbols; }
};

namespace roles {

// The cells [column, sentence] of a document, and how often each word occurs.
class Matrix {
  public:
    void read(const RoleDocuments& all, int64_t d) {
        const int64_t begin = all.token_ptr[d];
        const auto tokens = static_cast<size_t>(all.token_ptr[d + 1] - begin);
        roles_.assign(tokens, 0);
        for (int64_t s = all.span_ptr[d]; s < all.span_ptr[d + 1]; ++s) {
            for (int32_t t = all.first[s]; t < all.last[s]; ++t) {
                roles_[static_cast<size_t>(t)] |= all.bits[s];
            }
        }
        const int32_t* ends = all.sentence_end + all.sentence_ptr[d];
        sentences = static_cast<int32_t>(all.sentence_ptr[d + 1] - all.sentence_ptr[d]);
        columns = all.columns[d];
        cells.assign(static_cast<size_t>(columns) * static_cast<size_t>(sentences), 0);
        occurrences.assign(static_cast<size_t>(columns), 0);
        int32_t token = 0;
        for (int32_t s = 0; s < sentences; ++s) {
            for (; token < ends[s]; ++token) {
                const int32_t column = all.column[begin + token];
                if (column < 0) continue;
                ++occurrences[static_cast<size_t>(column)];
                at(column, s) |= roles_[static_cast<size_t>(token)];
            }
        }
        if (all.highest) {
            for (uint32_t& cell : cells) cell &= ~cell + 1;
        }
    }

    uint32_t& at(int32_t column, int32_t sentence) noexcept {
        return cells[static_cast<size_t>(column) * static_cast<size_t>(sentences) +
                     static_cast<size_t>(sentence)];
    }

    int32_t sentences = 0;
    int32_t columns = 0;
    std::vector<uint32_t> cells;
    std::vector<int32_t> occurrences;

  private:
    std::vector<uint32_t> roles_;  // of the tokens
};

// The symbols of a cell, in order.
struct Symbols {
    std::array<uint8_t, 32> symbol;
    int32_t count;

    explicit Symbols(uint32_t cell = 0) noexcept : symbol{}, count(0) {
        for (int k = 0; cell != 0; cell >>= 1, ++k) {
            if (cell & 1u) symbol[static_cast<size_t>(count++)] = static_cast<uint8_t>(k + 1);
        }
        if (count == 0) count = 1;  // nil
    }
    const uint8_t* begin() const noexcept { return symbol.data(); }
    const uint8_t* end() const noexcept { return symbol.data() + count; }
};

// What the documents of one chunk gave.
struct Found {
    std::vector<int32_t> index;
    std::vector<int64_t> count;
};

// Counts the features of one document after another.
class Counter {
  public:
    explicit Counter(const RoleFeatures& features)
        : features_(features),
          counts_(static_cast<size_t>(features.size()) * static_cast<size_t>(features.groups), 0) {}

    // Adds the features of document d to `found`; `totals` [group, 3] are its denominators.
    int64_t count(const RoleDocuments& all, int64_t d, int64_t* totals, Found& found) {
        matrix_.read(all, d);
        for (int32_t g = 0; g < features_.groups; ++g) {
            totals_ = totals + 3 * g;
            offset_ = g * features_.size();
            std::fill(totals_, totals_ + 3, 0);
            for (int32_t c = 0; c < matrix_.columns; ++c) count_column(features_.group[g], c);
        }
        std::sort(touched_.begin(), touched_.end());
        for (const int32_t id : touched_) {
            found.index.push_back(id);
            found.count.push_back(counts_[static_cast<size_t>(id)]);
            counts_[static_cast<size_t>(id)] = 0;
        }
        const auto size = static_cast<int64_t>(touched_.size());
        touched_.clear();
        return size;
    }

  private:
    void count_column(const RoleGroup& group, int32_t c) {
        const int32_t times = matrix_.occurrences[static_cast<size_t>(c)];
        if (times < group.least || times > group.most) return;
        column_.clear();
        bool empty = true;
        for (int32_t s = 0; s < matrix_.sentences; ++s) {
            const uint32_t cell = matrix_.at(c, s) & group.roles;
            empty &= cell == 0;
            column_.emplace_back(cell);
            if (features_.pairs) count_pairs(column_.back());
        }
        if (empty) return;
        for (size_t s = 0; s + 1 < column_.size(); ++s) {
            count_pair(column_[s], column_[s + 1]);
            if (features_.triples && s + 2 < column_.size()) {
                count_triple(column_[s], column_[s + 1], column_[s + 2]);
            }
        }
    }

    void count_pair(const Symbols& left, const Symbols& right) {
        totals_[0] += static_cast<int64_t>(left.count) * right.count;
        for (const uint8_t a : left) {
            for (const uint8_t b : right) add(a * features_.base() + b, (a | b) != 0);
        }
    }

    void count_triple(const Symbols& left, const Symbols& middle, const Symbols& right) {
        totals_[1] += static_cast<int64_t>(left.count) * middle.count * right.count;
        const int32_t base = features_.base();
        for (const uint8_t a : left) {
            for (const uint8_t b : middle) {
                for (const uint8_t c : right) {
                    add(features_.third() + (a * base + b) * base + c, (a | b | c) != 0);
                }
            }
        }
    }

    void count_pairs(const Symbols& cell) {
        totals_[2] += static_cast<int64_t>(cell.count) * (cell.count - 1) / 2;
        for (const uint8_t* a = cell.begin(); a != cell.end(); ++a) {
            for (const uint8_t* b = a + 1; b != cell.end(); ++b) {
                if (features_.skipped[*a - 1] >> (*b - 1) & 1u) continue;
                add(features_.pair() + (*a - 1) * features_.symbols + *b - 1, true);
            }
        }
    }

    void add(int32_t feature, bool roles) {
        if (!roles && !features_.nil_only) return;
        const int32_t id = offset_ + feature;
        if (counts_[static_cast<size_t>(id)]++ == 0) touched_.push_back(id);
    }

    const RoleFeatures& features_;
    std::vector<uint32_t> counts_;  // a feature occurs at most once in a window of a column
    std::vector<int32_t> touched_;
    Matrix matrix_;
    std::vector<Symbols> column_;
    int64_t* totals_ = nullptr;
    int32_t offset_ = 0;
};

}  // namespace roles

// The features of documents as rows of a sparse matrix, and their denominators.
class RoleRows {
  public:
    // Fills `indptr` [documents + 1] and `totals` [document, group, 3].
    void count(const RoleDocuments& all, const RoleFeatures& features, int workers,
               int64_t* indptr, int64_t* totals, FirstFailure& failed) {
        const int64_t chunks = (all.documents + ROLES_CHUNK - 1) / ROLES_CHUNK;
        found_.resize(static_cast<size_t>(chunks));
        indptr[0] = 0;
        for_chunks(all.documents, ROLES_CHUNK, workers, [&](int64_t begin, int64_t end) {
            try {
                roles::Counter counter(features);
                roles::Found& found = found_[static_cast<size_t>(begin / ROLES_CHUNK)];
                for (int64_t d = begin; d < end; ++d) {
                    int64_t* own = totals + 3 * features.groups * d;
                    indptr[d + 1] = counter.count(all, d, own, found);
                }
            } catch (const std::bad_alloc&) {
                failed.note(begin, ROLES_MEMORY);
            }
        });
        if (failed.any()) return;
        for (int64_t d = 0; d < all.documents; ++d) indptr[d + 1] += indptr[d];
    }

    // Copies the rows, which have indptr[documents] features in all.
    void copy(int32_t* index, int64_t* count) const {
        for (const roles::Found& found : found_) {
            index = std::copy(found.index.begin(), found.index.end(), index);
            count = std::copy(found.count.begin(), found.count.end(), count);
        }
    }

  private:
    std::vector<roles::Found> found_;
};

}  // namespace summeval
