// Longest common subsequences of sequences of token numbers (0: a token that no reference has).
//
// Length: Hyyro, "Bit-parallel LCS-length computation revisited" (AWOCA 2004); bit i of the vector
// is 0 where the LCS grows from reference position i to i + 1. Union LCS: the same vectors are kept
// for each candidate token and steer the traceback, so no dynamic programming table is needed.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "text/bits.hpp"
#include "text/tokens.hpp"

namespace summeval {

struct LcsScratch {
    std::vector<uint64_t> masks;    // [token number][word]: reference positions of the token
    std::vector<uint64_t> rows;     // [candidate position + 1][word]
    std::vector<uint64_t> hits;     // [word]: those of a long sentence
    std::vector<uint8_t> carries;   // one for each candidate position
};

// Keeps the compiler from gathering words in vector registers, out of which each sum with carry would
// have to fetch its own.
inline void keep_apart(uint64_t& word) noexcept {
#if defined(__GNUC__)
    __asm__("" : "+r"(word));
#else
    (void)word;
#endif
}

// Handles up to WORDS * 64 reference positions against the whole candidate. If LINKED, carries (one
// for each candidate position) link them to the positions before.
template <int WORDS, bool LINKED>
inline unsigned lcs_block(const uint32_t* ref, size_t size, const uint32_t* cand, size_t n,
                          uint64_t* masks, uint8_t* carries) {
    for (size_t i = 0; i < size; ++i)
        masks[size_t{ref[i]} * WORDS + i / 64] |= uint64_t{1} << (i % 64);
    uint64_t v[WORDS];
    for (int w = 0; w < WORDS; ++w) v[w] = ~uint64_t{0};
    for (const auto [begin, end] : pieces(n)) {
        for (size_t j = begin; j < end; ++j) {
            const uint64_t* mask = masks + size_t{cand[j]} * WORDS;
            if (WORDS <= 2 && !LINKED) {  // most summaries: an add with carry would cost more
                const uint64_t match = v[0] & mask[0], sum = v[0] + match;
                v[0] = sum | (v[0] & ~mask[0]);
                if (WORDS == 2) {
                    const int last = WORDS - 1;
                    v[last] =
                        (v[last] + (v[last] & mask[last]) + (sum < match)) | (v[last] & ~mask[last]);
                }
                continue;
            }
            // the sums one after the other, so that the carry stays in its flag
            uint64_t match[WORDS], sum[WORDS];
            for (int w = 0; w < WORDS; ++w) keep_apart(match[w] = v[w] & mask[w]);
            unsigned char carry = LINKED ? carries[j] : 0;
            for (int w = 0; w < WORDS; ++w) sum[w] = add_carry(v[w], match[w], carry);
            if (LINKED) carries[j] = carry;
            for (int w = 0; w < WORDS; ++w) keep_apart(v[w] = sum[w] | (v[w] ^ match[w]));
        }
    }
    unsigned length = 0;
    for (int w = 0; w < WORDS; ++w) {
        const size_t rest = size - size_t(w) * 64;
        const uint64_t live = rest >= 64 ? ~uint64_t{0} : (uint64_t{1} << rest) - 1;
        length += count_bits(~v[w] & live);
    }
    for (size_t i = 0; i < size; ++i) masks[size_t{ref[i]} * WORDS + i / 64] = 0;
    return length;
}

// Length of the LCS; `numbers` bounds the token numbers. Time O(|ref| |cand| / 64), memory linear.
inline int64_t lcs_length(const uint32_t* ref, size_t m, const uint32_t* cand, size_t n,
                          size_t numbers, LcsScratch& scratch) {
    constexpr size_t WIDEST = 4;
    using BlockStep = decltype(&lcs_block<1, false>);
    static constexpr BlockStep WHOLE[WIDEST] = {lcs_block<1, false>, lcs_block<2, false>,
                                                lcs_block<3, false>, lcs_block<4, false>};
    static constexpr BlockStep LINKED[WIDEST] = {lcs_block<1, true>, lcs_block<2, true>,
                                                 lcs_block<3, true>, lcs_block<4, true>};
    if (m == 0) return 0;
    const size_t words = std::min(WIDEST, (m + 63) / 64);
    uint64_t* masks = TokenSpans::room(scratch.masks, (numbers + 1) * words);
    if (m <= 64 * WIDEST) return WHOLE[words - 1](ref, m, cand, n, masks, nullptr);
    uint8_t* const carries = TokenSpans::room(scratch.carries, n);
    each_piece(n, [=](size_t begin, size_t end) { std::fill(carries + begin, carries + end, 0); });
    int64_t length = 0;
    Pace pace;
    for (size_t begin = 0; begin < m; begin += 64 * WIDEST) {
        const size_t size = std::min(m - begin, 64 * WIDEST);
        length += LINKED[(size + 63) / 64 - 1](ref + begin, size, cand, n, masks, carries);
        pace(n);
    }
    return length;
}

// Marks in `hits` the reference positions of one LCS of a reference and a candidate sentence. Equal
// tokens are always taken; otherwise the reference token is dropped if that loses nothing, else the
// candidate token (as in ROUGE-1.5.5: the choice of LCS matters for the union).
// `masks` holds the positions of this reference sentence; rows has (n + 1) words.
inline void mark_lcs_narrow(size_t m, const uint32_t* cand, size_t n, const uint64_t* masks,
                            uint64_t* rows, uint64_t& hits) {
    uint64_t v = ~uint64_t{0};
    for (const auto [begin, end] : pieces(n)) {
        for (size_t j = begin; j < end; ++j) {
            const uint64_t mask = masks[cand[j]];
            v = (v + (v & mask)) | (v & ~mask);
            rows[j] = v;
        }
    }
    uint64_t live = m == 64 ? ~uint64_t{0} : (uint64_t{1} << m) - 1;
    uint64_t found = 0;
    for (size_t j = n; j-- > 0;) {
        const uint64_t mask = masks[cand[j]];
        const uint64_t stop = (mask | ~rows[j]) & live;
        if (stop == 0) break;
        const uint64_t bit = uint64_t{1} << highest_bit(stop);
        const uint64_t taken = mask & bit;
        found |= taken;
        live = bit + (bit - 1) - taken;  // without `bit` if it was taken
    }
    hits |= found;
}

// Of a sentence of any length: the rows behind the first, which is given.
inline void fill_lcs_rows(const uint32_t* cand, size_t n, const uint64_t* masks, size_t words,
                          uint64_t* rows) {
    Pace pace;
    for (size_t j = 0; j < n; ++j) {
        pace(words);
        const uint64_t* mask = masks + size_t{cand[j]} * words;
        const uint64_t* v = rows + j * words;
        unsigned char carry = 0;
        for (size_t w = 0; w < words; ++w)
            rows[(j + 1) * words + w] = add_carry(v[w], v[w] & mask[w], carry) | (v[w] & ~mask[w]);
    }
}

// Calls take(word, bit, taken, column) for each token of the candidate at which the walk back comes
// to another position; positions of the reference from i on are done. Returns those that are done
// then, 0 if all are.
template <class Take>
inline size_t trace_lcs(size_t i, const uint32_t* cand, size_t n, const uint64_t* masks,
                        size_t words, const uint64_t* rows, Take take) {
    Pace pace;
    for (size_t j = n; j > 0 && i > 0; --j) {
        pace(2);
        const uint64_t* mask = masks + size_t{cand[j - 1]} * words;
        const uint64_t* v = rows + j * words;
        size_t w = (i - 1) / 64;
        uint64_t stop = (mask[w] | ~v[w]) & (~uint64_t{0} >> (63 - (i - 1) % 64));
        while (stop == 0 && w > 0) {
            --w;
            stop = mask[w] | ~v[w];
        }
        if (stop == 0) return 0;
        const unsigned bit = highest_bit(stop);
        const bool taken = mask[w] >> bit & 1;
        take(w, bit, taken, j - 1);
        i = w * 64 + bit + !taken;
    }
    return i;
}

inline void mark_lcs_wide(size_t m, const uint32_t* cand, size_t n, const uint64_t* masks,
                          uint64_t* rows, uint64_t* hits) {
    const size_t words = (m + 63) / 64;
    std::fill_n(rows, words, ~uint64_t{0});
    fill_lcs_rows(cand, n, masks, words, rows);
    trace_lcs(m, cand, n, masks, words, rows, [=](size_t w, unsigned bit, bool taken, size_t) {
        hits[w] |= static_cast<uint64_t>(taken) << bit;
    });
}

struct Sentences {
    const uint32_t* tokens;
    const uint32_t* ends;  // number of tokens from the start to the end of each sentence
    size_t count;
};

// The occurrences of each token that remain on both sides while hits are counted.
class ClipCounts {
  public:
    void start(const int32_t* ref, const int32_t* cand, size_t numbers) {
        if (ref_.size() < numbers + 1) grow(ref_, numbers + 1);
        if (cand_.size() < numbers + 1) grow(cand_, numbers + 1);
        copy_pieces(ref, numbers + 1, ref_.data());
        copy_pieces(cand, numbers + 1, cand_.data());
    }
    bool take(uint32_t id) noexcept {
        const bool both = (ref_[id] > 0) & (cand_[id] > 0);
        ref_[id] -= both;
        cand_[id] -= both;
        return both;
    }

  private:
    std::vector<int32_t> ref_, cand_;
};

// Tokens of the longest sentence.
inline size_t longest_of(Sentences text) noexcept {
    size_t longest = 0, begin = 0;
    for (size_t s = 0; s < text.count; begin = text.ends[s++])
        longest = std::max(longest, text.ends[s] - begin);
    return longest;
}

constexpr size_t MAX_LCS_WORDS = size_t{1} << 26;  // 512 MiB of rows for one pair of sentences

// ROUGE-L of ROUGE-1.5.5: union over candidate sentences, clipped. Returns -1, before it allocates
// memory, if a pair of sentences is too long to keep its rows.
inline int64_t union_lcs_hits(Sentences ref, Sentences cand, size_t numbers, ClipCounts& clip,
                              LcsScratch& scratch) {
    const size_t widest = (longest_of(ref) + 63) / 64;
    if (widest && std::max(numbers, longest_of(cand)) + 1 > MAX_LCS_WORDS / widest) return -1;
    int64_t total = 0;
    size_t begin = 0;
    Pace pace;
    for (size_t s = 0; s < ref.count; ++s) {
        const size_t m = ref.ends[s] - begin, words = (m + 63) / 64;
        const uint32_t* tokens = ref.tokens + begin;
        begin = ref.ends[s];
        if (m == 0) continue;
        uint64_t* masks = TokenSpans::room(scratch.masks, (numbers + 1) * words);
        for (size_t i = 0; i < m; ++i)
            masks[size_t{tokens[i]} * words + i / 64] |= uint64_t{1} << (i % 64);
        uint64_t narrow = 0;
        if (words > 1) {
            // the hits of a long sentence are stored before its rows
            TokenSpans::room(scratch.hits, words);
            std::fill_n(scratch.hits.begin(), words, uint64_t{0});
        }
        size_t first = 0;
        for (size_t t = 0; t < cand.count; ++t) {
            const size_t n = cand.ends[t] - first;
            pace(4 + (n + 1) * words);
            uint64_t* rows = TokenSpans::room(scratch.rows, (n + 1) * words);
            if (words == 1)
                mark_lcs_narrow(m, cand.tokens + first, n, masks, rows, narrow);
            else
                mark_lcs_wide(m, cand.tokens + first, n, masks, rows, scratch.hits.data());
            first = cand.ends[t];
        }
        for (size_t i = 0; i < m; ++i) masks[size_t{tokens[i]} * words + i / 64] = 0;
        const uint64_t* hits = words == 1 ? &narrow : scratch.hits.data();
        for (size_t w = 0; w < words; ++w)
            for (uint64_t left = hits[w]; left; left &= left - 1)
                total += clip.take(tokens[w * 64 + lowest_bit(left)]);
    }
    return total;
}

}  // namespace summeval
