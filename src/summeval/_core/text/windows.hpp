// The keys of the tokens of a text, straight from its bytes and window by window: what the kernels
// for short texts read. No copy of the text is made, and nothing depends on how long it is.
//
// Tokens are those of `rouge155`: runs of ASCII letters and digits, lower-cased.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text/grams.hpp"
#include "text/tokens.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define SUMMEVAL_READS_EXACTLY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SUMMEVAL_READS_EXACTLY 1
#endif
#endif

namespace summeval {

// For each byte of a mask, the places of its set bits, and how many there are.
struct BitPlaces {
    alignas(64) uint16_t of[256][8];
    uint8_t count[256];
    constexpr BitPlaces() noexcept : of(), count() {
        for (unsigned byte = 0; byte < 256; ++byte) {
            unsigned size = 0;
            for (unsigned bit = 0; bit < 8; ++bit)
                if (byte >> bit & 1) of[byte][size++] = static_cast<uint16_t>(bit);
            count[byte] = static_cast<uint8_t>(size);
        }
    }
};
inline constexpr BitPlaces BIT_PLACES{};

// Factors of the hash. They differ from process to process, so that nobody can make up texts whose
// tokens collide; no result depends on them.
struct HashSeed {
    alignas(16) int16_t factors[16];  // the last eight: two of them, four times
    uint64_t word;
    HashSeed() noexcept {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        word = mix(static_cast<uint64_t>(now) ^ reinterpret_cast<uintptr_t>(this));
        uint64_t state = word;
        for (int16_t& factor : factors) {
            state = mix(state + 0x9E3779B97F4A7C15u);
            factor = static_cast<int16_t>(state >> 40 | 1);
        }
        for (int k = 10; k < 16; ++k) factors[k] = factors[k - 2];
    }
};
inline const HashSeed HASH_SEED;

// The masks of KEY_MASKS, for any length modulo 32.
struct CutMasks {
    alignas(64) unsigned char of[32][16];
    constexpr CutMasks() noexcept : of() {
        for (int size = 0; size < 32; ++size)
            for (int i = 0; i < 16; ++i) of[size][i] = i < size ? 0xFF : 0;
    }
};
inline constexpr CutMasks CUT_MASKS{};

constexpr int KEY_HASH_BITS = 12;

#if defined(SUMMEVAL_SSE2)
// The hashes of four keys, of at most 16 bits; the middle bits of the sums are the well-mixed ones.
template <int BITS>
class FourHashes {
  public:
    FourHashes() noexcept
        : first_(_mm_load_si128(reinterpret_cast<const __m128i*>(HASH_SEED.factors))),
          second_(_mm_load_si128(reinterpret_cast<const __m128i*>(HASH_SEED.factors + 8))) {}

    void operator()(__m128i a, __m128i b, __m128i c, __m128i d, uint16_t* out) const noexcept {
        a = _mm_madd_epi16(a, first_);
        b = _mm_madd_epi16(b, first_);
        c = _mm_madd_epi16(c, first_);
        d = _mm_madd_epi16(d, first_);
        const __m128i ab = _mm_add_epi32(_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
        const __m128i cd = _mm_add_epi32(_mm_unpacklo_epi32(c, d), _mm_unpackhi_epi32(c, d));
        const __m128i sums = _mm_madd_epi16(
            _mm_add_epi32(_mm_unpacklo_epi64(ab, cd), _mm_unpackhi_epi64(ab, cd)), second_);
        // as if signed, since the next instruction keeps the sign
        const __m128i middle = _mm_srai_epi32(_mm_slli_epi32(sums, 8), 16);
        const __m128i packed = _mm_packs_epi32(middle, middle);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm_srli_epi16(packed, 16 - BITS));
    }

  private:
    const __m128i first_, second_;
};
#endif

// The hashes of keys; writes up to three more than `count`.
template <int BITS>
inline void hash_keys(const Key* keys, size_t count, uint16_t* hashes) noexcept {
#if defined(SUMMEVAL_SSE2)
    const FourHashes<BITS> hash;
    const __m128i* from = reinterpret_cast<const __m128i*>(keys);
    for (size_t k = 0; k < count; k += 4, from += 4)
        hash(_mm_loadu_si128(from), _mm_loadu_si128(from + 1), _mm_loadu_si128(from + 2),
             _mm_loadu_si128(from + 3), hashes + k);
#else
    for (size_t k = 0; k < count; ++k)
        hashes[k] = static_cast<uint16_t>(
            key_hash({keys[k].lo ^ HASH_SEED.word, keys[k].hi}) >> (64 - BITS));
#endif
}

class Windows {
  public:
    static constexpr size_t BYTES = 2048;
    static constexpr size_t TOKENS = BYTES / 2;

    // The tokens of the window.
    size_t size() const noexcept { return size_; }
    const Key* keys() const noexcept { return keys_; }
    const uint16_t* hashes() const noexcept { return hashes_; }
    const uint16_t* numbers() const noexcept { return hashes_; }  // after make_numbers

    // Starts with a text; `lines`: whether line ends are wanted.
    void start(View text, bool lines) noexcept {
        text_ = text;
        lines_ = lines;
        next_ = before_ = size_ = 0;
        line_ends_.clear();
    }

    // Finds where the tokens of the next window begin and end; false at the end of the text.
    bool find() {
        const size_t size = static_cast<size_t>(text_.size);
        before_ += size_;
        size_ = 0;
        if (next_ >= size) return false;
        const size_t from = next_, here = std::min(BYTES, size - from);
        next_ = from + here;
        giant_ = 0;
        bytes_ = readable(text_.data + from, here, size - from);
        const bool open = lines_ ? mark<true>(here) : mark<false>(here);
        if (open && next_ < size) {  // a token goes on in the next window: read all of it there
            next_ = from + edges_[2 * size_];
            if (next_ == from) find_giant(from);
        } else {
            size_ += open;
        }
        return true;
    }

    // Makes the keys of the tokens that were found; the reader replaces them by those of stems.
    template <class Reader>
    void make_keys(Reader& reader) {
        if (!reader.maps()) return cut_keys<KEY_HASH_BITS>();
        cut_keys<16>();
        reader.map(
            keys_, size_, [this](size_t k) noexcept -> size_t { return hashes_[k]; },
            [this](size_t k) noexcept { return length(k); },
            [this](size_t k) { return folded(k); });
        hash_keys<KEY_HASH_BITS>(keys_, size_, hashes_);
    }

    // Puts the numbers of the tokens' forms in the place of the hashes.
    template <class Reader>
    void make_numbers(Reader& reader) {
        cut_keys<Reader::FORM_HASH_BITS>();
        reader.number(
            keys_, size_, hashes_, [this](size_t k) noexcept { return length(k); },
            [this](size_t k) { return folded(k); });
    }

    // How many tokens stand before the end of each line, from the start of the text; lines without
    // tokens are left out. Complete after the last window.
    const std::vector<uint32_t>& line_ends() {
        const uint32_t all = static_cast<uint32_t>(before_ + size_);
        if (lines_ && all != (line_ends_.empty() ? 0 : line_ends_.back())) line_ends_.push_back(all);
        return line_ends_;
    }

  private:
    static constexpr size_t BEYOND = 64;  // bytes that may be read past a text, within its page

    // The bytes, in a place where BEYOND more may be read. `left`: to the end of the text.
    const char* readable(const char* bytes, size_t here, size_t left) noexcept {
        if (left >= here + BEYOND) return bytes;
#if !defined(SUMMEVAL_READS_EXACTLY)
        const uintptr_t last = reinterpret_cast<uintptr_t>(bytes) + left - 1;
        if ((last & 4095) + BEYOND < 4096) return bytes;
#endif
        std::memcpy(copy_, bytes, left);
        std::memset(copy_ + left, 0, BEYOND);
        return copy_;
    }

    // Writes the edges of the tokens; says whether the last byte is in one, which is not counted.
    template <bool LINES>
    bool mark(size_t here) {
        uint16_t* out = edges_;
        uint64_t carry = 0;
        for (size_t base = 0; base < here; base += 64) {
            ByteMasks masks = classify<LINES, false>(bytes_ + base, nullptr);
            if (here - base < 64) {
                const uint64_t inside = (uint64_t{1} << (here - base)) - 1;
                masks.word &= inside;
                masks.newline &= inside;
            }
            const uint64_t changes = masks.word ^ (masks.word << 1 | carry);
            carry = masks.word >> 63;
            if (LINES && masks.newline)
                end_lines(masks.newline, changes, static_cast<size_t>(out - edges_));
            out = push_places(changes, static_cast<unsigned>(base), out);
        }
        const size_t edges = static_cast<size_t>(out - edges_);
        size_ = edges / 2;
        if (carry) *out = static_cast<uint16_t>(here);
        return carry != 0;
    }

    void end_lines(uint64_t newlines, uint64_t changes, size_t edges) {
        for (; newlines; newlines &= newlines - 1) {
            const uint64_t below = (newlines & (~newlines + 1)) - 1;
            const size_t tokens = before_ + (edges + count_bits(changes & below) + 1) / 2;
            if (tokens != (line_ends_.empty() ? 0 : line_ends_.back()))
                line_ends_.push_back(static_cast<uint32_t>(tokens));
        }
    }

    static uint16_t* push_places(uint64_t bits, unsigned base, uint16_t* out) noexcept {
#if defined(SUMMEVAL_SSE2)
        __m128i at = _mm_set1_epi16(static_cast<int16_t>(base));
        for (int byte = 0; byte < 8; ++byte) {
            const unsigned index = bits & 255;
            const __m128i places =
                _mm_load_si128(reinterpret_cast<const __m128i*>(BIT_PLACES.of[index]));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_add_epi16(places, at));
            out += BIT_PLACES.count[index];
            at = _mm_add_epi16(at, _mm_set1_epi16(8));
            bits >>= 8;
        }
#else
        for (; bits; bits &= bits - 1)
            *out++ = static_cast<uint16_t>(base + lowest_bit(bits));
#endif
        return out;
    }

    // A token longer than a window has one of its own.
    SUMMEVAL_SELDOM void find_giant(size_t from) {
        const size_t size = static_cast<size_t>(text_.size);
        Pace pace;
        for (next_ = from + BYTES; next_ < size; next_ += 64) {
            char last[64] = {};
            std::memcpy(last, text_.data + next_, std::min<size_t>(64, size - next_));
            const uint64_t word = classify<false, false>(last, nullptr).word;
            pace(8);
            if (~word == 0) continue;
            next_ += lowest_bit(~word);
            break;
        }
        giant_ = next_ - from;
        bytes_ = text_.data + from;
        size_ = 1;
        edges_[0] = 0;
        edges_[1] = BYTES;
    }

    size_t length(size_t k) const noexcept {
        return giant_ ? giant_ : static_cast<size_t>(edges_[2 * k + 1] - edges_[2 * k]);
    }

    // Writes keys and hashes.
    template <int BITS>
    void cut_keys() {
        if (cut_short_keys<BITS>()) cut_long_keys<BITS>();
    }

    // Does so except for tokens of more than 16 bytes; says whether there are any.
    template <int BITS>
    bool cut_short_keys() noexcept {
        std::memset(edges_ + 2 * size_, 0, 8 * sizeof *edges_);
        const char* const bytes = bytes_;
        const uint16_t* edge = edges_;
        Key* key = keys_;
#if defined(SUMMEVAL_SSE2)
        const FourHashes<BITS> hash;
        const __m128i bit = _mm_set1_epi8(0x20);
        const auto cut = [&](size_t k) noexcept {
            const size_t size = static_cast<size_t>(edge[2 * k + 1] - edge[2 * k]) % 32;
            const __m128i mask = _mm_load_si128(reinterpret_cast<const __m128i*>(CUT_MASKS.of[size]));
            const __m128i text =
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + edge[2 * k]));
            const __m128i found = _mm_and_si128(_mm_or_si128(text, bit), mask);
            _mm_store_si128(reinterpret_cast<__m128i*>(key + k), found);
            return found;
        };
        __m128i longest = _mm_setzero_si128();
        uint16_t* out = hashes_;
        for (const Key* const end = keys_ + size_; key < end; key += 4, edge += 8, out += 4) {
            const __m128i edges = _mm_loadu_si128(reinterpret_cast<const __m128i*>(edge));
            longest = _mm_max_epi16(longest, _mm_sub_epi16(_mm_srli_epi32(edges, 16), edges));
            const __m128i a = cut(0), b = cut(1), c = cut(2), d = cut(3);
            hash(a, b, c, d, out);
        }
        const __m128i above = _mm_cmpgt_epi16(longest, _mm_set1_epi16(16));
        return (_mm_movemask_epi8(above) & 0x3333) != 0;
#else
        bool longer = false;
        for (size_t k = 0; k < size_; ++k) {
            const size_t size = length(k);
            longer |= size > 16;
            const Key& mask = KEY_MASKS.of[std::min<size_t>(size, 16)];
            Key found;
            std::memcpy(&found, bytes + edge[2 * k], sizeof found);
            key[k].lo = (found.lo | 0x2020202020202020u) & mask.lo;
            key[k].hi = (found.hi | 0x2020202020202020u) & mask.hi;
        }
        hash_keys<BITS>(keys_, size_, hashes_);
        return longer;
#endif
    }

    template <int BITS>
    SUMMEVAL_SELDOM void cut_long_keys() {
        for (size_t k = 0; k < size_; ++k)
            if (length(k) > 16) keys_[k] = hash_key(folded(k), length(k));
        hash_keys<BITS>(keys_, size_, hashes_);
    }

    // The bytes of a token, lower-cased; valid until the next one is asked for.
    const char* folded(size_t k) {
        const char* const from = bytes_ + edges_[2 * k];
        char* const to = TokenSpans::room(folded_, length(k) + PADDING);
        each_piece(length(k), [=](size_t begin, size_t end) noexcept {
            for (size_t i = begin; i < end; ++i) to[i] = static_cast<char>(from[i] | 0x20);
        });
        return to;
    }

    View text_{nullptr, 0};
    const char* bytes_ = nullptr;  // of the window
    bool lines_ = false;
    size_t next_ = 0, before_ = 0, size_ = 0;
    size_t giant_ = 0;  // bytes of a token that is longer than a window
    std::vector<uint32_t> line_ends_;
    std::vector<char> folded_;
    alignas(16) Key keys_[TOKENS + 4];
    uint16_t hashes_[TOKENS + 4];
    uint16_t edges_[2 * TOKENS + 2 * 64];
    char copy_[BYTES + 2 * BEYOND];
};

}  // namespace summeval
