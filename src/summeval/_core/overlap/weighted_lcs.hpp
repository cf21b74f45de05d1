// ROUGE-W: longest common subsequences in which a run of k neighbours weighs f(k) = k^weight.
//
// By definition a table has a row for each reference token and a column for each candidate token.
// Where the tokens match, a cell is the cell before it on the diagonal and the gain of its run; it
// may be less than its neighbours. Any other cell is the larger of the one above and the one to the
// left. Here one row is kept and changed from row to row, and only where it changes: at matches;
// behind a match, as far as the row is lower; and behind a match of the row above that fell below
// its left neighbour. (Elsewhere a row never falls.) The values are those of the table to the last
// bit, since each of them comes from the same sums.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "overlap/lcs.hpp"

namespace summeval {

constexpr size_t MAX_WLCS_CELLS = size_t{1} << 29;   // for one pair of sentences: 512 MiB of moves
constexpr size_t MAX_WLCS_WORK = size_t{1} << 36;    // for one pair of texts: a minute or two

// Places of equal tokens in a sentence of the reference and in one of the candidate.
using TokenPairs = std::vector<std::pair<size_t, size_t>>;

class WeightedLcs {
  public:
    // ROUGE-W of ROUGE-1.5.5: the weighted hits. A position that fails the clip test does not end a
    // run, but at the end of a sentence such a run is lost. Returns -1, before any work, if two
    // sentences need too large a table or if all of them are too much work.
    double hits(Sentences ref, Sentences cand, size_t numbers, double weight, ClipCounts& clip) {
        const size_t ref_size = ref.count ? ref.ends[ref.count - 1] : 0;
        const size_t cand_size = cand.count ? cand.ends[cand.count - 1] : 0;
        if (ref_size && cand_size > MAX_WLCS_WORK / ref_size) return -1.0;
        const size_t longest = longest_of(ref);
        if (longest && longest_of(cand) > MAX_WLCS_CELLS / longest) return -1.0;
        need_powers(longest + 2, weight);
        index(ref, ref_size, cand, cand_size, numbers);
        double total = 0.0;
        for (size_t s = 0, begin = 0; s < ref.count; begin = ref.ends[s++]) {
            const size_t m = ref.ends[s] - begin;
            if (m == 0) continue;
            hits_.assign(m + 1, 0);
            mark(ref.tokens + begin, m, cand, cand_size);
            add_clipped(ref.tokens + begin, m, clip, total);
        }
        return total;
    }

    // The pairs of the subsequence of one pair of sentences, the last first.
    void pairs(const uint32_t* ref, size_t m, const uint32_t* cand, size_t n, double weight,
               TokenPairs& out) {
        need_powers(m + 2, weight);
        hits_.assign(m + 1, 0);
        mark_by_cells(ref, m, cand, n, &out);
    }

  private:
    // A table with more matches, or with so many in all, is computed cell by cell.
    static constexpr size_t CELLS_A_MATCH = 4;
    static constexpr size_t MAX_MATCHES = size_t{1} << 23;

    struct Token {
        uint32_t last;   // 0: the reference lacks it; 1: the candidate lacks it; else position + 2
        uint32_t count;  // in the candidate
    };
    struct Place {
        uint32_t column;    // in its sentence, from 1
        uint32_t sentence;
        uint32_t before;    // as `last`, of the same token
    };
    struct Match {
        uint32_t row, column;  // row from 0, column from 1
    };
    struct Span {
        uint32_t begin, end;  // columns that took their value from the left
    };
    struct Row {
        uint32_t row;
        size_t first, last;  // its matches
        size_t spans;        // the spans of all rows up to this one
    };

    // The powers are kept for the next pair: they would be a fifth of its time.
    void need_powers(size_t size, double weight) {
        if (weight != weight_) powers_.clear();
        weight_ = weight;
        Pace pace;
        powers_.reserve(size);
        while (powers_.size() < size) {
            powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight));
            pace(16);
        }
    }

    void add_clipped(const uint32_t* tokens, size_t m, ClipCounts& clip, double& total) {
        const double* const f = powers_.data();
        size_t run = 0;
        for (const auto [begin, end] : pieces(m)) {
            for (size_t i = begin; i < end; ++i) {
                if (!hits_[i] || !clip.take(tokens[i])) continue;
                ++run;
                if (!hits_[i + 1]) {
                    total += f[run];
                    run = 0;
                }
            }
        }
    }

    // Links the occurrences of each token in the candidate, and gives them columns. Neighbours that
    // the reference lacks share one: after the first of them, their columns would be equal.
    void index(Sentences ref, size_t ref_size, Sentences cand, size_t cand_size, size_t numbers) {
        tokens_.clear();
        grow(tokens_, numbers + 1);
        for (const auto [begin, end] : pieces(ref_size))
            for (size_t k = begin; k < end; ++k) tokens_[ref.tokens[k]].last = 1;
        tokens_[0].last = 0;
        Place* const places = TokenSpans::room(places_, cand_size + 1);
        TokenSpans::room(columns_, cand.count);
        Pace pace;
        size_t k = 0;
        for (size_t t = 0; t < cand.count; ++t) {
            pace(1 + cand.ends[t] - k);
            uint32_t column = 0;
            bool lacked = false;
            for (; k < cand.ends[t]; ++k) {
                Token& token = tokens_[cand.tokens[k]];
                const bool lacks = token.last == 0;
                column += !(lacks && lacked);
                lacked = lacks;
                if (lacks) continue;
                places[k] = {column, static_cast<uint32_t>(t), token.last};
                token.last = static_cast<uint32_t>(k + 2);
                ++token.count;
            }
            columns_[t] = column;
        }
    }

    // Marks in `hits_` the positions of one LCS with each sentence of the candidate.
    void mark(const uint32_t* ref, size_t m, Sentences cand, size_t cand_size) {
        uint64_t matches = 0;
        for (const auto [begin, end] : pieces(m))
            for (size_t i = begin; i < end; ++i) matches += tokens_[ref[i]].count;
        if (matches == 0) return;
        if (matches > MAX_MATCHES || matches * CELLS_A_MATCH > uint64_t{m} * cand_size) {
            for (size_t t = 0, first = 0; t < cand.count; first = cand.ends[t++])
                if (cand.ends[t] > first)
                    mark_by_cells(ref, m, cand.tokens + first, cand.ends[t] - first);
            return;
        }
        collect(ref, m, cand.count, static_cast<size_t>(matches));
        size_t first = 1;
        Pace pace;
        for (size_t t = 0; t < cand.count; ++t) {
            pace(1);
            const size_t last = ends_[t];
            if (last > first) mark_by_matches(m, columns_[t], first, last);
            first = last;
        }
    }

    // The matches of a sentence, by sentences of the candidate, rows, and columns from right to left.
    void collect(const uint32_t* ref, size_t m, size_t sentences, size_t count) {
        Match* const out = TokenSpans::room(matches_, count + 1);
        size_t* const ends = TokenSpans::room(ends_, sentences);
        const Place* const places = places_.data();
        Pace pace;
        if (sentences == 1) {
            size_t size = 1;
            for (size_t i = 0; i < m; ++i) {
                pace(1 + tokens_[ref[i]].count);
                for (uint32_t at = tokens_[ref[i]].last; at > 1; at = places[at - 2].before)
                    out[size++] = {static_cast<uint32_t>(i), places[at - 2].column};
            }
            ends[0] = size;
            return;
        }
        std::fill_n(ends, sentences, size_t{0});
        pace(sentences);
        for (size_t i = 0; i < m; ++i) {
            pace(1 + tokens_[ref[i]].count);
            for (uint32_t at = tokens_[ref[i]].last; at > 1; at = places[at - 2].before)
                ++ends[places[at - 2].sentence];
        }
        size_t before = 1;  // makes them begins, which the next loop moves to the ends
        for (size_t t = 0; t < sentences; ++t) {
            const size_t words = ends[t];
            ends[t] = before;
            before += words;
        }
        pace(sentences);
        for (size_t i = 0; i < m; ++i) {
            pace(1 + tokens_[ref[i]].count);
            for (uint32_t at = tokens_[ref[i]].last; at > 1; at = places[at - 2].before) {
                const Place& place = places[at - 2];
                out[ends[place.sentence]++] = {static_cast<uint32_t>(i), place.column};
            }
        }
    }

    void mark_by_matches(size_t m, size_t columns, size_t first, size_t last) {
        const Match* const matches = matches_.data();
        scores_.assign(columns + 1, 0.0);
        runs_.assign(columns + 1, 0);
        rows_.clear();
        spans_size_ = falls_size_ = 0;
        TokenSpans::room(falls_, 1)[0] = static_cast<uint32_t>(columns + 1);
        Pace pace;
        pace(columns);
        Row above{0, first, first, 0};
        while (first < last || falls_size_ > 0) {
            const size_t row = falls_size_ == 0 ? matches[first].row : size_t{above.row} + 1;
            if (row >= m) break;
            size_t end = first;
            while (end < last && matches[end].row == row) ++end;
            if (above.first < above.last && above.row + 1 != row) {
                forget_runs(above);
                above.last = above.first;
            }
            match_row(first, end);
            // the same token has the same columns, others have others
            if (above.first < above.last &&
                (first == end || matches[above.first].column != matches[first].column))
                forget_runs(above);
            pace(2 + spread_row(columns, first, end));
            above = {static_cast<uint32_t>(row), first, end, spans_size_};
            rows_.push_back(above);
            first = end;
        }
        trace(columns);
    }

    void forget_runs(const Row& row) noexcept {
        for (size_t k = row.first; k < row.last; ++k) runs_[matches_[k].column] = 0;
    }

    // Matches read the row above, so the right one is written before the left one.
    void match_row(size_t first, size_t end) noexcept {
        const double* const f = powers_.data();
        double* const c = scores_.data();
        uint32_t* const run = runs_.data();
        for (size_t k = first; k < end; ++k) {
            const size_t j = matches_[k].column;
            const uint32_t before = run[j - 1];
            c[j] = (c[j - 1] + f[before + 1]) - f[before];
            run[j] = before + 1;
        }
    }

    // Raises the cells between the matches, from left to right; returns the number of steps. Which
    // kind of place comes next cannot be predicted, so the loop has no branch for it.
    size_t spread_row(size_t columns, size_t first, size_t end) {
        const uint32_t none = static_cast<uint32_t>(columns + 1);
        double* const c = scores_.data();
        const Match* const matches = matches_.data();
        const uint32_t* low = falls_.data();
        uint32_t* const fallen = TokenSpans::room(fallen_, end - first + 1);
        if (spans_.size() < spans_size_ + (end - first) + falls_size_)
            grow(spans_, 2 * spans_.size() + (end - first) + falls_size_);
        Span* span = spans_.data() + spans_size_;
        size_t steps = 0, fallen_size = 0;
        const auto match_before = [=](size_t k) noexcept {
            const uint32_t column = matches[k - 1].column;
            return k > first ? column : none;
        };
        uint32_t match = match_before(end), fall = *low;
        for (uint32_t here; (here = std::min(match, fall)) != none;) {
            const bool matches_here = match <= fall;
            low += fall <= match;
            end -= matches_here;
            match = match_before(end);
            fall = *low;
            const uint32_t stop = std::min(match, fall), begin = here + matches_here;
            fallen[fallen_size] = here;
            fallen_size += matches_here & (c[here] < c[here - 1]);
            const double value = c[begin - 1];
            uint32_t at = begin;
            // without a fall in between, the last of eight cells is the highest
            for (; at + 8 <= stop && c[at + 7] < value; at += 8) std::fill_n(c + at, 8, value);
            for (; at < stop && c[at] < value; ++at) c[at] = value;
            *span = {begin, at};
            span += at > begin;
            steps += 4 + (at - begin);
        }
        fallen[fallen_size] = none;
        falls_size_ = fallen_size;
        falls_.swap(fallen_);
        spans_size_ = static_cast<size_t>(span - spans_.data());
        return steps;
    }

    // Walks back from the last cell. A match goes to the row above and the column before, a span
    // to the left, any other cell upwards.
    void trace(size_t columns) {
        size_t j = columns;
        Pace pace;
        for (size_t r = rows_.size(); r-- > 0 && j > 0;) {
            const Row& row = rows_[r];
            size_t match = row.first, span = row.spans;
            const size_t first_span = r ? rows_[r - 1].spans : 0;
            pace(2 + (row.last - row.first) + (span - first_span));
            while (j > 0) {
                while (match < row.last && matches_[match].column > j) ++match;
                if (match < row.last && matches_[match].column == j) {
                    hits_[row.row] = 1;
                    --j;
                    break;
                }
                while (span > first_span && spans_[span - 1].begin > j) --span;
                if (span == first_span || spans_[span - 1].end <= j) break;
                j = spans_[span - 1].begin - 1;
            }
        }
    }

    // The definition: a table of moves.
    void mark_by_cells(const uint32_t* ref, size_t m, const uint32_t* cand, size_t n,
                       TokenPairs* pairs = nullptr) {
        const double* const f = powers_.data();
        scores_.assign(n + 1, 0.0);
        runs_.assign(n + 1, 0);
        uint8_t* moves = TokenSpans::room(moves_, m * n);
        double* c = scores_.data();
        uint32_t* run = runs_.data();
        Pace pace;
        for (size_t i = 0; i < m; ++i) {
            double diagonal = 0.0, left = 0.0;
            uint32_t diagonal_run = 0;
            for (const auto [begin, end] : pieces(n)) {
                for (size_t j = begin; j < end; ++j) {
                    const double up = c[j + 1];
                    const uint32_t up_run = run[j + 1];
                    uint8_t move;
                    if (ref[i] == cand[j]) {
                        const uint32_t k = diagonal_run;
                        c[j + 1] = (diagonal + f[k + 1]) - f[k];
                        run[j + 1] = k + 1;
                        move = 0;
                    } else {
                        move = up >= left ? 1 : 2;
                        c[j + 1] = move == 1 ? up : left;
                        run[j + 1] = 0;
                    }
                    moves[i * n + j] = move;
                    left = c[j + 1];
                    diagonal = up;
                    diagonal_run = up_run;
                }
            }
            pace(n);
        }
        for (size_t i = m, j = n; i > 0 && j > 0;) {
            pace(1);
            const uint8_t move = moves[(i - 1) * n + (j - 1)];
            if (move == 0) hits_[i - 1] = 1;
            if (move == 0 && pairs) pairs->emplace_back(i - 1, j - 1);
            i -= move != 2;
            j -= move != 1;
        }
    }

    std::vector<double> powers_;
    double weight_ = 0.0;
    std::vector<Token> tokens_;      // [token number]
    std::vector<Place> places_;      // [candidate position]
    std::vector<uint32_t> columns_;  // [candidate sentence]
    std::vector<size_t> ends_;       // the same: the end of its matches
    std::vector<Match> matches_;     // from 1
    std::vector<double> scores_;     // the row
    std::vector<uint32_t> runs_;
    std::vector<uint32_t> falls_, fallen_;  // columns lower than the one before, and one behind all
    size_t falls_size_ = 0;
    std::vector<Span> spans_;
    size_t spans_size_ = 0;
    std::vector<Row> rows_;
    std::vector<uint8_t> moves_;
    std::vector<uint8_t> hits_;      // reference positions on the union of the LCSs
};

}  // namespace summeval
