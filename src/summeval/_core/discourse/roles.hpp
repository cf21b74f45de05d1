// Matrices of roles (rows: sentences, columns: words) and the sub-sequences of their columns. A
// cell is a set of up to 32 roles, one bit each; a cell without roles is the symbol nil. The
// definition is tests/definitions/roles.py.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "text/bits.hpp"
#include "rows/parallel.hpp"

namespace summeval {

enum : int { ROLES_MEMORY = 1 };
inline constexpr int64_t ROLES_CHUNK = 64;  // documents that a thread takes at a time
inline constexpr int32_t ROLES_MOST = 32;   // a cell has one bit per role

// Documents in flat arrays: the tokens, sentences and spans of document d are those from ptr[d] to
// ptr[d+1].
struct RoleDocuments {
    int64_t documents;
    const int64_t* token_ptr;
    const int32_t* column;  // of each token, from 0 in its document; -1 for a token without one
    const int32_t* columns;  // how many a document has
    const int64_t* sentence_ptr;
    const int32_t* sentence_end;  // of each sentence: the tokens up to its end
    const int64_t* span_ptr;
    const int32_t* first;  // of each span: its first token, from 0 in the document
    const int32_t* last;   // of each span: the token after its last
    const uint32_t* bits;  // the roles that the span gives its tokens
    bool highest;          // a cell keeps only its lowest bit
};

// A group of features with its own denominators: some roles, some columns.
struct RoleGroup {
    uint32_t roles;
    int32_t least, most;  // how often the word of a column may occur in the text
};

struct RoleFeatures {
    int32_t symbols;  // roles; symbol 0 is nil, symbol i + 1 is bit i
    int32_t groups;
    const RoleGroup* group;
    bool triples;     // also sub-sequences of length 3
    bool nil_only;    // also the sub-sequences of nil alone
    bool pairs;       // pairs of roles within a cell
    bool pair_norm;   // divide these by their own number, not by that of sub-sequences of length 2
    const uint32_t* skipped;  // for each role, the later roles that it makes no pair with

    int32_t base() const noexcept { return symbols + 1; }
    int32_t third() const noexcept { return base() * base(); }  // index of the first of length 3
    int32_t pair() const noexcept { return third() + third() * base(); }
    int32_t size() const noexcept { return pair() + symbols * symbols; }

    // The features that are left out of the rows, though they count in the totals.
    std::vector<int32_t> left_out() const {
        std::vector<int32_t> found;
        if (!nil_only) found = {0, third()};
        for (int32_t i = 0; pairs && i < symbols; ++i)
            for (uint32_t rest = skipped[i]; rest != 0; rest &= rest - 1)
                found.push_back(pair() + i * symbols + static_cast<int32_t>(lowest_bit(rest)));
        return found;
    }
};

namespace roles {

// The cells [column, sentence] of a document, and how often the word of each column occurs.
class Matrix {
  public:
    void read(const RoleDocuments& all, int64_t d) {
        const int64_t begin = all.token_ptr[d];
        const auto tokens = static_cast<size_t>(all.token_ptr[d + 1] - begin);
        roles_.assign(tokens, 0);
        Pace pace;
        for (int64_t s = all.span_ptr[d]; s < all.span_ptr[d + 1]; ++s) {
            pace(static_cast<uint64_t>(1 + std::max(0, all.last[s] - all.first[s])));
            for (int32_t t = all.first[s]; t < all.last[s]; ++t)
                roles_[static_cast<size_t>(t)] |= all.bits[s];
        }
        const int32_t* ends = all.sentence_end + all.sentence_ptr[d];
        sentences = static_cast<int32_t>(all.sentence_ptr[d + 1] - all.sentence_ptr[d]);
        columns = all.columns[d];
        cells.clear();
        grow(cells, static_cast<size_t>(columns) * static_cast<size_t>(sentences));
        occurrences.assign(static_cast<size_t>(columns), 0);
        int32_t token = 0;
        for (int32_t s = 0; s < sentences; ++s) {
            for (; token < ends[s]; ++token) {
                pace(2);
                const int32_t column = all.column[begin + token];
                if (column < 0) continue;
                ++occurrences[static_cast<size_t>(column)];
                at(column, s) |= roles_[static_cast<size_t>(token)];
            }
        }
        if (all.highest) {
            uint32_t* const all_cells = cells.data();
            for (const auto [begin, end] : pieces(cells.size()))
                for (size_t k = begin; k < end; ++k) all_cells[k] &= ~all_cells[k] + 1;
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

// The symbols of a cell, in order; nil where it is empty.
struct Symbols {
    std::array<uint8_t, 32> symbol;
    int32_t count;
    uint64_t bits;  // symbol k is bit k

    explicit Symbols(uint32_t cell) noexcept : count(0), bits(cell ? uint64_t{cell} << 1 : 1) {
        for (uint64_t rest = bits; rest != 0; rest &= rest - 1)
            symbol[static_cast<size_t>(count++)] = static_cast<uint8_t>(lowest_bit(rest));
    }
    const uint8_t* begin() const noexcept { return symbol.data(); }
    const uint8_t* end() const noexcept { return symbol.data() + count; }
};

// A feature of a group and its count in one word. The rows of many documents are kept until all are
// done, and less memory means fewer pages to request. A count is at most the number of cells of a
// matrix, and no machine has memory for 2^48 cells.
using Packed = uint64_t;
inline constexpr int FEATURE_BITS = 16;

inline constexpr Packed pack(int32_t feature, int64_t count) noexcept {
    return static_cast<uint64_t>(count) << FEATURE_BITS | static_cast<uint64_t>(feature);
}
inline constexpr int32_t feature_of(Packed item) noexcept {
    return static_cast<int32_t>(item & ((1u << FEATURE_BITS) - 1));
}
inline constexpr int64_t count_of(Packed item) noexcept {
    return static_cast<int64_t>(item >> FEATURE_BITS);
}
static_assert((ROLES_MOST + 1) * (ROLES_MOST + 1) * (ROLES_MOST + 2) + ROLES_MOST * ROLES_MOST <=
              1 << FEATURE_BITS);

// A contiguous range of features of one document with one denominator.
struct Run {
    size_t features;
    int64_t total;
};

// The results of the documents of one chunk; three runs for each document and group.
struct Found {
    std::vector<Packed> items;
    std::vector<Run> runs;
};

// Windows of up to three cells, with equal windows merged: words that occur once share a few
// windows.
class Windows {
  public:
    struct Window {
        std::array<uint32_t, 3> cells;
        int64_t times;
    };

    void add(uint32_t a, uint32_t b = 0, uint32_t c = 0) {
        if ((a | b | c) == 0) {
            ++empty;
            return;
        }
        size_t slot = hash(a, b, c) & mask_;
        while (slots_[slot] != 0) {
            Window& seen = found[slots_[slot] - 1];
            if (seen.cells[0] == a && seen.cells[1] == b && seen.cells[2] == c) {
                ++seen.times;
                return;
            }
            slot = (slot + 1) & mask_;
        }
        found.push_back({{a, b, c}, 1});
        slots_[slot] = static_cast<uint32_t>(found.size());
        if (2 * found.size() > mask_) grow();
    }

    void clear() {
        found.clear();
        empty = 0;
        std::fill(slots_.begin(), slots_.end(), 0);
    }

    std::vector<Window> found;
    int64_t empty = 0;  // windows of nil alone

  private:
    static size_t hash(uint32_t a, uint32_t b, uint32_t c) noexcept {
        uint64_t mixed = a * 0x9E3779B97F4A7C15u + b;
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9u + c;
        mixed = (mixed ^ (mixed >> 32)) * 0x94D049BB133111EBu;
        return static_cast<size_t>(mixed >> 32);
    }

    void grow() {
        slots_.assign(2 * slots_.size(), 0);
        mask_ = slots_.size() - 1;
        for (size_t k = 0; k < found.size(); ++k) {
            const auto& cells = found[k].cells;
            size_t slot = hash(cells[0], cells[1], cells[2]) & mask_;
            while (slots_[slot] != 0) slot = (slot + 1) & mask_;
            slots_[slot] = static_cast<uint32_t>(k + 1);
        }
    }

    std::vector<uint32_t> slots_ = std::vector<uint32_t>(256, 0);  // places in `found`, from 1
    size_t mask_ = 255;
};

// Room for the features of one document. Between documents every count and mark is 0, so the next
// call can use it too: a call for one document would spend most of its time on new memory.
struct Room {
    std::vector<int64_t> counts;  // by feature
    std::vector<uint64_t> marks;  // which features were counted, one bit each
    std::vector<Packed> row;      // the features of a document, in order

    void make_place(size_t features) {
        counts.resize(std::max(counts.size(), features));
        marks.resize(std::max(marks.size(), features / 64 + 2));
        row.resize(std::max(row.size(), features));
    }
};

inline Pool<Room>& rooms() {
    static Pool<Room>& kept = *new Pool<Room>;
    return kept;
}

// Counts the features of one document after another.
class Counter {
  public:
    explicit Counter(const RoleFeatures& features)
        : features_(features),
          left_out_(features.left_out()),
          room_(rooms().take([] { return std::make_unique<Room>(); })),
          marks_used_(static_cast<size_t>(features.size()) / 64 + 2) {
        room_->make_place(static_cast<size_t>(features.size()));
    }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    ~Counter() {
        if (is_whole_) rooms().give_back(std::move(room_));
    }

    // Adds the features of document d to those of its chunk; returns how many.
    int64_t count(const RoleDocuments& all, int64_t d) {
        is_whole_ = false;
        const int64_t added = count_whole(all, d);
        is_whole_ = true;
        return added;
    }

    // Copies the features of a chunk to memory of the exact size, and starts the next chunk in its
    // own memory.
    void move_to(Found& found) {
        found = found_;
        found_.items.clear();
        found_.runs.clear();
    }

  private:
    int64_t count_whole(const RoleDocuments& all, int64_t d) {
        const size_t before = found_.items.size();
        matrix_.read(all, d);
        for (int32_t g = 0; g < features_.groups; ++g) {
            for (Windows* windows : {&singles_, &doubles_, &triples_}) windows->clear();
            for (int32_t c = 0; c < matrix_.columns; ++c) read_column(features_.group[g], c);
            totals_.fill(0);
            count_doubles();
            if (features_.triples) count_triples();
            if (features_.pairs) count_pairs();
            write();
        }
        return static_cast<int64_t>(found_.items.size() - before);
    }

    void read_column(const RoleGroup& group, int32_t c) {
        const int32_t times = matrix_.occurrences[static_cast<size_t>(c)];
        if (times < group.least || times > group.most) return;
        const uint32_t* cell = &matrix_.at(c, 0);
        const int32_t sentences = matrix_.sentences;
        pace_(static_cast<uint64_t>(sentences) + 1);
        uint32_t any = 0;
        for (int32_t s = 0; s < sentences; ++s) any |= cell[s];
        if ((any & group.roles) == 0) return;
        uint32_t before = 0, last = 0;
        pace_(16 * static_cast<uint64_t>(sentences));
        for (int32_t s = 0; s < sentences; ++s) {
            const uint32_t here = cell[s] & group.roles;
            if (features_.pairs) singles_.add(here);
            if (s >= 1) doubles_.add(last, here);
            if (s >= 2 && features_.triples) triples_.add(before, last, here);
            before = last;
            last = here;
        }
    }

    void count_doubles() {
        if (doubles_.empty != 0) add(0, NIL, doubles_.empty, totals_[0]);
        for (const Windows::Window& window : doubles_.found) {
            const Symbols left(window.cells[0]), right(window.cells[1]);
            pace_(16 + 8 * static_cast<uint64_t>(left.count));
            for (const uint8_t a : left) add(a * features_.base(), right, window.times, totals_[0]);
        }
    }

    void count_triples() {
        const int32_t base = features_.base();
        if (triples_.empty != 0) add(features_.third(), NIL, triples_.empty, totals_[1]);
        for (const Windows::Window& window : triples_.found) {
            const Symbols left(window.cells[0]), middle(window.cells[1]), right(window.cells[2]);
            pace_(16 + 8 * static_cast<uint64_t>(left.count * middle.count));
            for (const uint8_t a : left) {
                for (const uint8_t b : middle) {
                    const int32_t begin = features_.third() + (a * base + b) * base;
                    add(begin, right, window.times, totals_[1]);
                }
            }
        }
    }

    void count_pairs() {
        for (const Windows::Window& window : singles_.found) {
            pace_(256);
            for (uint32_t rest = window.cells[0]; (rest & (rest - 1)) != 0;) {
                const auto i = static_cast<int32_t>(lowest_bit(rest));
                rest &= rest - 1;
                const int32_t begin = features_.pair() + i * features_.symbols - 1;
                add(begin, Symbols(rest), window.times, totals_[2]);
            }
        }
    }

    // Counts the features begin + k for the symbols k.
    void add(int32_t begin, const Symbols& symbols, int64_t times, int64_t& total) noexcept {
        int64_t* counts = room_->counts.data() + begin;
        for (const uint8_t symbol : symbols) counts[symbol] += times;
        uint64_t* mark = room_->marks.data() + begin / 64;
        const int shift = begin % 64;
        mark[0] |= symbols.bits << shift;
        mark[1] |= symbols.bits >> 1 >> (63 - shift);
        total += times * symbols.count;
    }

    // Moves the counts of a group to the chunk, in the order of the features.
    void write() {
        std::vector<int64_t>& counts = room_->counts;
        std::vector<uint64_t>& marks = room_->marks;
        for (const int32_t feature : left_out_) {
            counts[static_cast<size_t>(feature)] = 0;
            marks[static_cast<size_t>(feature) / 64] &= ~(uint64_t{1} << feature % 64);
        }
        Packed* const row = room_->row.data();
        Packed* end = row;
        for (size_t word = 0; word < marks_used_; ++word) {
            for (uint64_t mark = marks[word]; mark != 0; mark &= mark - 1) {
                const size_t feature = 64 * word + lowest_bit(mark);
                *end++ = pack(static_cast<int32_t>(feature), counts[feature]);
                counts[feature] = 0;
            }
            marks[word] = 0;
        }
        const auto before = [&](int32_t limit) {
            return std::partition_point(
                row, end, [=](Packed item) { return feature_of(item) < limit; });
        };
        const Packed* third = before(features_.third());
        const Packed* pair = before(features_.pair());
        const int64_t pairs = totals_[features_.pair_norm ? 2 : 0];
        if (pairs == 0) end = before(features_.pair());  // one sentence: the denominator is 0
        found_.items.insert(found_.items.end(), row, end);
        found_.runs.push_back({static_cast<size_t>(third - row), totals_[0]});
        found_.runs.push_back({static_cast<size_t>(pair - third), totals_[1]});
        found_.runs.push_back({static_cast<size_t>(end - pair), pairs});
    }

    inline static const Symbols NIL{0};

    const RoleFeatures& features_;
    const std::vector<int32_t> left_out_;
    std::unique_ptr<Room> room_;
    const size_t marks_used_;
    bool is_whole_ = true;  // whether no document is half counted
    Found found_;
    Matrix matrix_;
    Windows singles_, doubles_, triples_;
    std::array<int64_t, 3> totals_{};  // sub-sequences of length 2 and 3, pairs
    Pace pace_;
};

}  // namespace roles

// The features of documents as the rows of a sparse matrix.
class RoleRows {
  public:
    // Fills `indptr` [documents + 1].
    void count(const RoleDocuments& all, const RoleFeatures& features, int workers,
               int64_t* indptr, FirstFailure& failed) {
        const int64_t chunks = (all.documents + ROLES_CHUNK - 1) / ROLES_CHUNK;
        found_.resize(static_cast<size_t>(chunks));
        Pool<roles::Counter> counters;
        indptr[0] = 0;
        for_chunks(all.documents, ROLES_CHUNK, workers, [&](int64_t begin, int64_t end) {
            try {
                auto counter =
                    counters.take([&] { return std::make_unique<roles::Counter>(features); });
                for (int64_t d = begin; d < end; ++d) indptr[d + 1] = counter->count(all, d);
                counter->move_to(found_[static_cast<size_t>(begin / ROLES_CHUNK)]);
                counters.give_back(std::move(counter));
            } catch (const std::bad_alloc&) {
                failed.note(begin, ROLES_MEMORY);
            }
        });
        if (failed.any()) return;
        for (int64_t d = 0; d < all.documents; ++d) indptr[d + 1] += indptr[d];
    }

    // Copies the rows, which have indptr[documents] features in total.
    void copy(const RoleFeatures& features, int32_t* index, int64_t* count, int64_t* total) const {
        const auto runs = static_cast<size_t>(3 * features.groups);  // per document
        for (const roles::Found& found : found_) {
            const roles::Packed* item = found.items.data();
            for (size_t r = 0; r < found.runs.size(); ++r) {
                const roles::Run run = found.runs[r];
                const int32_t begin = static_cast<int32_t>(r % runs / 3) * features.size();
                for (size_t k = 0; k < run.features; ++k) {
                    index[k] = begin + roles::feature_of(item[k]);
                    count[k] = roles::count_of(item[k]);
                    total[k] = run.total;
                }
                item += run.features;
                index += run.features;
                count += run.features;
                total += run.features;
            }
        }
    }

  private:
    std::vector<roles::Found> found_;
};

}  // namespace summeval
