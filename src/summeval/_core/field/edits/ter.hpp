// The edits of the translation edit rate (Snover and others 2006), with the beam, the limits and the
// order of ties of sacrebleu 2.6.0. tests/definitions/field/ter.py defines them.
//
// Rows of the table are words of the candidate. A row is kept as the signs of the steps between
// neighbouring columns (Myers 1999; the band that slides: Hyyrö 2003), one bit each, for the beam has
// 50 columns. A shifted candidate is computed from the first row that it changes until a row has the
// steps of the candidate before.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"
#include "text/bits.hpp"

namespace summeval {
namespace ter {

using Word = uint32_t;  // its number in the reference; 0 if it is not in it

constexpr int64_t BEAM = 25;       // columns on each side of the diagonal
constexpr int64_t FAR = 50;        // words between the places of a stretch that may be shifted
constexpr int64_t LONGEST = 10;    // words of such a stretch
constexpr int64_t MOST_TRIED = 1000;

// The words of a reference: words[b] in 1 .. kinds, and where each kind stands.
struct Reference {
    std::vector<Word> words;
    size_t kinds = 0;
    std::vector<uint32_t> first, places;  // kind k is at places[first[k]] .. places[first[k + 1])
    std::vector<uint64_t> bits;           // [kind][stride], unless they would be too many
    size_t stride = 0;

    int64_t size() const noexcept { return static_cast<int64_t>(words.size()); }

    void build(const std::vector<Word>& given, size_t count) {
        words = given;
        kinds = count;
        first.assign(kinds + 2, 0);
        for (const Word word : words) ++first[word + 1];
        for (size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
        places.resize(words.size());
        std::vector<uint32_t> next(first);
        for (size_t b = 0; b < words.size(); ++b)
            places[next[words[b]]++] = static_cast<uint32_t>(b);
        stride = words.size() / 64 + 2;
        const bool few = kinds + 1 <= MOST_BITS / stride;
        bits.assign(few ? (kinds + 1) * stride : 0, 0);
        for (size_t b = 0; few && b < words.size(); ++b)
            bits[words[b] * stride + b / 64] |= uint64_t{1} << (b % 64);
    }

    const uint32_t* begin(Word word) const noexcept { return places.data() + first[word]; }
    const uint32_t* end(Word word) const noexcept { return places.data() + first[word + 1]; }

    // Bit k says whether `word` stands at `from` + k.
    uint64_t at(Word word, int64_t from) const noexcept {
        const auto start = static_cast<size_t>(from);
        if (!bits.empty()) {
            const uint64_t* const row = bits.data() + word * stride + start / 64;
            const size_t part = start % 64;
            return row[0] >> part | row[1] << 1 << (63 - part);
        }
        uint64_t found = 0;
        const uint32_t* const last = end(word);
        for (const uint32_t* at = std::lower_bound(begin(word), last, static_cast<uint32_t>(start));
             at != last && *at < start + 64; ++at)
            found |= uint64_t{1} << (*at - start);
        return found;
    }

    static constexpr size_t MOST_BITS = size_t{1} << 17;  // words of 64 bits
};

// Which columns of the table each row has; row 0 has all.
struct Columns {
    int64_t rows = 0, width = 0, reach = BEAM;
    double ratio = 1;
    int64_t outside = 0;  // a path that leaves the beam costs at least as much

    void start(int64_t n, int64_t m) {
        rows = n;
        width = m;
        ratio = static_cast<double>(m) / static_cast<double>(n);
        reach = ratio / 2 > BEAM ? static_cast<int64_t>(std::ceil(ratio / 2 + BEAM)) : BEAM;
        outside = INT64_MAX;
        for (int64_t i = 1; i <= n; ++i) {
            if (low(i) > 0) outside = std::min(outside, cost(i, low(i) - 1));
            if (high(i) < m) outside = std::min(outside, cost(i, high(i) + 1));
        }
    }
    bool is_narrow() const noexcept { return reach == BEAM; }
    int64_t middle(int64_t i) const noexcept {
        return static_cast<int64_t>(static_cast<double>(i) * ratio);
    }
    int64_t low(int64_t i) const noexcept { return std::max<int64_t>(0, middle(i) - reach); }
    int64_t high(int64_t i) const noexcept {
        return i == 0 || i == rows ? width : std::min(width, middle(i) + reach - 1);
    }

  private:
    // At least so many words are added or left out on the way through a cell.
    int64_t cost(int64_t i, int64_t j) const noexcept {
        return std::abs(i - j) + std::abs((rows - i) - (width - j));
    }
};

// A beam of 50 columns. Bit k of a row is the step to column `start` + k from the one before. Cells
// outside the beam have values that never win over those inside.
class NarrowBeam {
  public:
    struct Row {
        uint64_t up = ~uint64_t{0}, down = 0;  // steps of +1, of -1
        int64_t value = 0;                     // in the column before the first
    };

    void start(const Columns& columns, const Reference& reference) {
        reference_ = &reference;
        const auto rows = static_cast<size_t>(columns.rows);
        if (plans_.size() <= rows) grow(plans_, rows + 1 + rows / 2);
        if (kept_.size() <= rows) grow(kept_, rows + 1 + rows / 2);
        plans_[0] = Plan{1, 0, false, columns.width, 0, 0};
        kept_[0] = Kept{};
        for (int64_t i = 1; i <= columns.rows; ++i) {
            const Plan& above = plans_[static_cast<size_t>(i - 1)];
            Plan& plan = plans_[static_cast<size_t>(i)];
            plan.start = std::max<int64_t>(1, columns.low(i));
            plan.moved = static_cast<int>(plan.start - above.start);
            plan.walled = i > 1 && columns.low(i) > 0 && columns.low(i) == columns.low(i - 1);
            plan.high = columns.high(i);
            plan.inside = first_bits(plan.high - plan.start + 1);
            // beyond the end of the row above only the first column has a way from it
            const int64_t last = i == 1 ? plan.high : std::min(plan.high, above.high + 1);
            plan.equals = first_bits(last - plan.start + 1) & ~uint64_t{plan.walled};
        }
    }

    const Row& kept(int64_t i) const noexcept { return kept_[static_cast<size_t>(i)].row; }

    // From the row above to row i, whose word is `word`; returns which diagonal steps are free.
    uint64_t step(int64_t i, Word word, Row& row) const noexcept {
        const Plan& plan = plans_[static_cast<size_t>(i)];
        uint64_t up = row.up, down = row.down;
        if (plan.walled) {
            row.value += first_step(row) + 1;
            up &= ~uint64_t{1};
            down |= 1;
        } else if (plan.moved == 1) {
            row.value += first_step(row);
            up = up >> 1 | uint64_t{1} << 63;
            down >>= 1;
        } else if (plan.moved != 0) {
            const uint64_t gone = first_bits(plan.moved);
            row.value += steps(up & gone, down & gone);
            up = up >> plan.moved | ~(~uint64_t{0} >> plan.moved);
            down >>= plan.moved;
        }
        ++row.value;
        const uint64_t equal = reference_->at(word, plan.start - 1) & plan.equals;
        const uint64_t free = (((equal & up) + up) ^ up) | equal | down;
        const uint64_t right = (down | ~(free | up)) << 1 | 1;
        const uint64_t left = (free & up) << 1;
        row.up = left | ~(free | right) | ~plan.inside;
        row.down = right & free & plan.inside;
        return free;
    }

    void keep(int64_t i, Word word) noexcept {
        Kept& here = kept_[static_cast<size_t>(i)];
        here.row = kept(i - 1);
        here.free = step(i, word, here.row);
    }

    // By how much the values of a row are lower than those of the kept one, at the most.
    int64_t gain(int64_t i, const Row& row) const noexcept {
        const Row& other = kept(i);
        int64_t more = other.value - row.value, most = more;
        const uint64_t up = row.up ^ other.up, down = row.down ^ other.down;
        for (uint64_t left = up | down; left; left &= left - 1) {
            const uint64_t bit = left & (0 - left);
            more += ((other.up & bit) != 0) - ((other.down & bit) != 0) - ((row.up & bit) != 0) +
                    ((row.down & bit) != 0);
            most = std::max(most, more);
        }
        return most;
    }

    // Whether a row has the steps of the kept one, as all that follow then have.
    bool rejoins(int64_t i, const Row& row) const noexcept {
        const Row& other = kept(i);
        return row.up == other.up && row.down == other.down;
    }

    // The value in the last column of the last row.
    int64_t last(int64_t i, const Row& row) const noexcept {
        const uint64_t inside = plans_[static_cast<size_t>(i)].inside;
        return row.value + steps(row.up & inside, row.down);
    }

    // The step by which the kept table reaches row i and column j, both above 0.
    char way(int64_t i, int64_t j, bool equal) const noexcept {
        const Plan& plan = plans_[static_cast<size_t>(i)];
        const Plan& above = plans_[static_cast<size_t>(i - 1)];
        if (plan.walled && j == plan.start) return 'd';
        if (i > 1 && j > above.high + 1) return 'i';
        if (equal) return '=';
        if ((kept_[static_cast<size_t>(i)].free >> (j - plan.start) & 1) == 0) return 's';
        return i > 1 && (kept(i - 1).down >> (j - above.start) & 1) != 0 ? 'd' : 'i';
    }

  private:
    struct Plan {
        int64_t start;     // the column of the first bit
        int moved;         // by how many columns it is behind that of the row above
        bool walled;       // the column before it is outside the beam, here and above
        int64_t high;      // the last column
        uint64_t inside, equals;  // bits of columns inside; of those where words may be equal
    };
    struct Kept {
        Row row;
        uint64_t free = 0;
    };

    static int64_t first_step(const Row& row) noexcept {
        return static_cast<int64_t>(row.up & 1) - static_cast<int64_t>(row.down & 1);
    }
    static int64_t steps(uint64_t up, uint64_t down) noexcept {
        return static_cast<int64_t>(count_bits(up)) - static_cast<int64_t>(count_bits(down));
    }
    static uint64_t first_bits(int64_t count) noexcept {
        return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
    }

    const Reference* reference_ = nullptr;
    std::vector<Plan> plans_;
    std::vector<Kept> kept_;
};

// A beam of any width, for references over 50 times as long as the candidate: rows of numbers.
class WideBeam {
  public:
    using Row = std::vector<int32_t>;

    void start(const Columns& columns, const Reference& reference) {
        columns_ = &columns;
        reference_ = &reference;
        if (kept_.size() <= static_cast<size_t>(columns.rows))
            kept_.resize(static_cast<size_t>(columns.rows) + 1);
        kept_[0].resize(static_cast<size_t>(columns.width) + 1);
        for (size_t j = 0; j < kept_[0].size(); ++j) kept_[0][j] = static_cast<int32_t>(j);
    }

    const Row& kept(int64_t i) const noexcept { return kept_[static_cast<size_t>(i)]; }

    void step(int64_t i, Word word, Row& row) {
        fill(i, word, row, next_);
        row.swap(next_);
    }

    void keep(int64_t i, Word word) { fill(i, word, kept(i - 1), kept_[static_cast<size_t>(i)]); }

    bool rejoins(int64_t, const Row&) const noexcept { return false; }

    int64_t gain(int64_t, const Row&) const noexcept { return INT64_MAX; }

    int64_t last(int64_t, const Row& row) const noexcept { return row.back(); }

    char way(int64_t i, int64_t j, bool equal) const noexcept {
        const int32_t here = value(i, kept(i), j);
        if (value(i - 1, kept(i - 1), j - 1) + !equal == here) return equal ? '=' : 's';
        return value(i - 1, kept(i - 1), j) + 1 == here ? 'd' : 'i';
    }

  private:
    static constexpr int32_t NEVER = INT32_MAX / 2;

    int32_t value(int64_t i, const Row& row, int64_t j) const noexcept {
        const int64_t k = j - columns_->low(i);
        return k < 0 || k >= static_cast<int64_t>(row.size()) ? NEVER : row[static_cast<size_t>(k)];
    }

    void fill(int64_t i, Word word, const Row& above, Row& row) const {
        const int64_t low = columns_->low(i), high = columns_->high(i);
        row.resize(static_cast<size_t>(high - low + 1));
        int32_t left = NEVER;
        Pace pace;
        for (int64_t j = low; j <= high; ++j) {
            int32_t best = value(i - 1, above, j) + 1;
            if (j > 0) {
                const bool equal = reference_->words[static_cast<size_t>(j - 1)] == word;
                best = std::min(best, value(i - 1, above, j - 1) + !equal);
            }
            left = row[static_cast<size_t>(j - low)] = std::min(best, left + 1);
            pace(1);
        }
    }

    const Columns* columns_ = nullptr;
    const Reference* reference_ = nullptr;
    std::vector<Row> kept_;
    Row next_;
};

// A shift: the stretch of `size` words from `from` on goes before word `to`. The text is cut at
// `begin`, `middle` and `end`, and the two pieces between change places.
struct Shift {
    int64_t size, from, to, begin, middle, end;

    int64_t smaller() const noexcept { return std::min(middle - begin, end - middle); }
    // Which is taken of two with the same gain.
    bool before(const Shift& other) const noexcept {
        if (size != other.size) return size > other.size;
        return from != other.from ? from < other.from : to < other.to;
    }
    template <class T>
    T word(const T* words, int64_t i) const noexcept {
        if (i < begin || i >= end) return words[i];
        const int64_t later = i - begin + middle;
        return words[later < end ? later : later - end + begin];
    }
};

// What was done to a candidate: the shifts one after the other, then the steps to the reference.
struct Done {
    std::vector<Shift> shifts;
    std::vector<char> steps;  // from the first: = s d i
};

// Finds the edits of pairs; keeps its memory from pair to pair.
class Editor {
  public:
    // candidate: words, which are changed. done: filled, if it is not null.
    int64_t edits(std::vector<Word>& candidate, const Reference& reference, Done* done = nullptr) {
        const auto n = static_cast<int64_t>(candidate.size()), m = reference.size();
        if (done) done->shifts.clear();
        if (n == 0 || m == 0) {
            if (done) done->steps.assign(static_cast<size_t>(n + m), n ? 'd' : 'i');
            return n + m;
        }
        columns_.start(n, m);
        return columns_.is_narrow() ? search(narrow_, candidate, reference, done)
                                    : search(wide_, candidate, reference, done);
    }

  private:
    template <class Beam>
    int64_t search(Beam& beam, std::vector<Word>& words, const Reference& reference, Done* done) {
        const auto n = static_cast<int64_t>(words.size());
        beam.start(columns_, reference);
        int64_t shifts = 0, tried = 0, from = 0;
        for (;; ++shifts) {
            for (int64_t i = from + 1; i <= n; ++i) {
                beam.keep(i, words[static_cast<size_t>(i - 1)]);
                pace_(4);
            }
            const int64_t cost = beam.last(n, beam.kept(n));
            Shift best{};
            if (cost == 0 || (trace(beam, words, reference), !list(words, reference, tried)) ||
                !choose(beam, words, cost, best)) {
                if (done && cost == 0) trace(beam, words, reference);
                if (done) done->steps.assign(steps_.rbegin(), steps_.rend());
                return shifts + cost;
            }
            if (done) done->shifts.push_back(best);
            std::rotate(words.begin() + best.begin, words.begin() + best.middle,
                        words.begin() + best.end);
            from = best.begin;
        }
    }

    // The path through the table, from its end; which words are wrong, and what stands beside each
    // word of the reference.
    template <class Beam>
    void trace(const Beam& beam, const std::vector<Word>& words, const Reference& reference) {
        auto i = static_cast<int64_t>(words.size()), j = reference.size();
        wrong_.assign(words.size() + 1, i);
        missed_.assign(reference.words.size() + 1, j);
        beside_.resize(reference.words.size());
        steps_.clear();
        while (i > 0 || j > 0) {
            const bool equal = i > 0 && j > 0 &&
                               words[static_cast<size_t>(i - 1)] ==
                                   reference.words[static_cast<size_t>(j - 1)];
            const char step = i == 0 ? 'i' : j == 0 ? 'd' : beam.way(i, j, equal);
            steps_.push_back(step);
            if (step != 'd') {
                const auto b = static_cast<size_t>(--j);
                beside_[b] = i - 1;
                missed_[b] = step == '=' ? missed_[b + 1] : j;
            }
            if (step != 'i') {
                const auto a = static_cast<size_t>(--i);
                wrong_[a] = step == '=' ? wrong_[a + 1] : i;
            }
            pace_(4);
        }
    }

    // Lists the shifts to be tried; false if with them too many were.
    bool list(const std::vector<Word>& words, const Reference& reference, int64_t& tried) {
        const auto n = static_cast<int64_t>(words.size()), m = reference.size();
        shifts_.clear();
        for (int64_t a = 0; a < n; ++a) {
            pace_(4);
            const Word word = words[static_cast<size_t>(a)];
            if (wrong_[static_cast<size_t>(a)] >= a + LONGEST || word == 0) continue;
            const auto nearest = static_cast<uint32_t>(std::max<int64_t>(0, a - FAR));
            const uint32_t* const last = reference.end(word);
            for (const uint32_t* at = std::lower_bound(reference.begin(word), last, nearest);
                 at != last && *at <= a + FAR; ++at) {
                const int64_t b = *at;
                const int64_t most = std::min({LONGEST, n - a, m - b});
                const int64_t beside = beside_[static_cast<size_t>(b)];
                const int64_t least = 1 + std::max(wrong_[static_cast<size_t>(a)] - a,
                                                   missed_[static_cast<size_t>(b)] - b);
                pace_(8);
                for (int64_t size = 1; size <= most; ++size) {
                    if (words[static_cast<size_t>(a + size - 1)] !=
                        reference.words[static_cast<size_t>(b + size - 1)])
                        break;
                    if (size < least) continue;
                    if (a <= beside && beside < a + size) break;
                    targets(n, a, b, size);
                    if (tried + static_cast<int64_t>(shifts_.size()) >= MOST_TRIED) return false;
                }
            }
        }
        tried += static_cast<int64_t>(shifts_.size());
        return true;
    }

    // The places where the stretch may go: behind what stands beside each of its words.
    void targets(int64_t n, int64_t a, int64_t b, int64_t size) {
        int64_t before = -1;
        for (int64_t place = b - 1; place < b + size; ++place) {
            const int64_t to = place < 0 ? 0 : beside_[static_cast<size_t>(place)] + 1;
            if (to == before) continue;
            before = to;
            if (to < a)
                shifts_.push_back({size, a, to, to, a, a + size});
            else
                shifts_.push_back({size, a, to, a, a + size,
                                   to > a + size ? to : std::min(n, to + size)});
        }
    }

    // The best of the listed shifts; false if none gains.
    template <class Beam>
    bool choose(Beam& beam, const std::vector<Word>& words, int64_t cost, Shift& best) {
        // a word that changes its place is at most one less to leave out and one less to add
        const int64_t slack = std::max<int64_t>(0, cost - columns_.outside);
        std::sort(shifts_.begin(), shifts_.end(), [](const Shift& x, const Shift& y) noexcept {
            return x.smaller() != y.smaller() ? x.smaller() > y.smaller() : x.before(y);
        });
        int64_t most = 0;
        for (const Shift& shift : shifts_) {
            const int64_t bound = 2 * shift.smaller() + slack;
            if (bound < std::max<int64_t>(most, 1)) break;
            const int64_t wanted = most + (most == 0 || !shift.before(best));
            if (bound < wanted) continue;
            const int64_t gain = gain_of(beam, words, shift, cost, wanted);
            if (gain >= wanted) {
                most = gain;
                best = shift;
            }
        }
        return most > 0;
    }

    // How many edits a shift saves, or less than `wanted` if it does not save so many.
    template <class Beam>
    int64_t gain_of(Beam& beam, const std::vector<Word>& words, const Shift& shift, int64_t cost,
                    int64_t wanted) {
        const auto n = static_cast<int64_t>(words.size());
        auto row = beam.kept(shift.begin);
        int64_t i = shift.begin;
        while (i < shift.end) {
            const Word word = shift.word(words.data(), i);
            beam.step(++i, word, row);
        }
        pace_(static_cast<uint64_t>(4 * (i - shift.begin)));
        for (;;) {
            pace_(32);
            const int64_t gain = beam.gain(i, row);
            if (gain < wanted || beam.rejoins(i, row)) return gain;
            for (const int64_t next = std::min(n, i + 8); i < next;) {
                const Word word = words[static_cast<size_t>(i)];
                beam.step(++i, word, row);
            }
            if (i == n) return cost - beam.last(n, row);
        }
    }

    Columns columns_;
    NarrowBeam narrow_;
    WideBeam wide_;
    std::vector<int64_t> wrong_, missed_;  // the next wrong word from each on
    std::vector<int64_t> beside_;
    std::vector<char> steps_;
    std::vector<Shift> shifts_;
    Pace pace_;
};

}  // namespace ter
}  // namespace summeval
