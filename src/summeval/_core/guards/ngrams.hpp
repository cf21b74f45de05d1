// How much a word costs after the two before it, beside what it costs anywhere: a model of runs of
// up to three words of English, read from a file that ci/resources/ngrams.py writes. Costs are minus
// logarithms, in steps of 1/16 (see tests/definitions/seams.py, which defines it).
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "guards/word_order.hpp"
#include "text/bits.hpp"
#include "text/views.hpp"

namespace summeval {

// The file: MAGIC; six numbers of 32 bits: bytes of the words, words with marks and endings, buckets
// and entries of pairs, buckets and entries of triples; the words, a line each, to a multiple of 4
// bytes; of each word its cost and what it costs to leave its pairs, to a multiple of 4; where each
// bucket of pairs begins; the pairs (16 bits of a hash, cost, cost of leaving its triples); where
// each bucket of triples begins; 16 bits of the hash of each; the cost of each; a checksum, which
// Python looks at. Numbers are little-endian.
class Ngrams {
  public:
    static constexpr uint32_t FIRST_WORD = 18;  // before it: four marks and fourteen endings
    static constexpr uint32_t ENDING_S = 16;    // its class is that of the word "s"

    // Returns false if the file is no such file.
    bool read(View file) {
        static constexpr char MAGIC[] = "summeval n-grams 1\n";
        static_assert(sizeof(MAGIC) == 20);
        data_ = file.data;
        left_ = static_cast<size_t>(file.size);
        uint32_t sizes[6];
        if (left_ < sizeof(MAGIC) || std::memcmp(data_, MAGIC, sizeof(MAGIC)) != 0) return false;
        skip(sizeof(MAGIC));
        if (!take(sizes, 6)) return false;
        const auto [bytes, words, pair_buckets, pairs, triple_buckets, triples] = sizes;
        if (words < FIRST_WORD || words > MOST || pair_buckets == 0 || triple_buckets == 0)
            return false;
        if (left_ < bytes || bytes % 4 != 0 || !read_words(bytes, words)) return false;
        skip(bytes);
        if (!fill(costs_, words) || !fill(leaving_, words) || !skip((4 - 2 * words % 4) % 4))
            return false;
        return fill(pair_starts_, size_t{pair_buckets} + 1) && fill(pairs_, pairs) &&
               fill(triple_starts_, size_t{triple_buckets} + 1) && fill(triple_hashes_, triples) &&
               fill(triple_costs_, triples) && rises(pair_starts_, pairs) &&
               rises(triple_starts_, triples);
    }

    // The number of a word, 0 if it has none of its own.
    uint32_t number(Key key) const noexcept { return numbers_.find(key); }

    // Begins to load what `number` reads.
    void prefetch(Key key) const noexcept { numbers_.prefetch(key); }

    // Where the costs of a word stand after one and after two others.
    struct Place {
        uint64_t pair, triple;  // hashes
        uint32_t found;         // of the pair; set by `find`
    };

    // Begins to load what `prefetch` of the place reads.
    Place place(uint32_t first, uint32_t second, uint32_t third) const noexcept {
        const uint64_t pair = second | uint64_t{third} << 20;
        const Place found{mix(pair), mix(first | pair << 20), NONE};
        summeval::prefetch(pair_starts_.data() + pair_bucket(found.pair));
        summeval::prefetch(triple_starts_.data() + triple_bucket(found.triple));
        return found;
    }

    // Begins to load what `find` and `surprise` read.
    void prefetch(const Place& place) const noexcept {
        const uint32_t triple = triple_starts_[triple_bucket(place.triple)];
        summeval::prefetch(pairs_.data() + pair_starts_[pair_bucket(place.pair)]);
        summeval::prefetch(triple_hashes_.data() + triple);
        summeval::prefetch(triple_costs_.data() + triple);
    }

    void find(Place& place) const noexcept {
        const size_t bucket = pair_bucket(place.pair);
        for (uint32_t k = pair_starts_[bucket]; k < pair_starts_[bucket + 1]; ++k) {
            if ((pairs_[k] & 0xFFFF) != (place.pair & 0xFFFF)) continue;
            place.found = pairs_[k];
            return;
        }
    }

    // What the word `third` at a place costs after two others, less what it costs anywhere.
    // `before`: the place of the word `second` before it.
    int surprise(const Place& before, uint32_t second, uint32_t third,
                 const Place& place) const noexcept {
        const size_t bucket = triple_bucket(place.triple);
        for (uint32_t k = triple_starts_[bucket]; k < triple_starts_[bucket + 1]; ++k)
            if (triple_hashes_[k] == (place.triple & 0xFFFF))
                return triple_costs_[k] - costs_[third];
        const int back = before.found == NONE ? 0 : static_cast<int>(before.found >> 24);
        if (place.found == NONE) return back + leaving_[second];
        return back + static_cast<int>(place.found >> 16 & 255) - costs_[third];
    }

  private:
    static constexpr uint32_t MOST = 1u << 20, NONE = 0xFFFFFFFF;

    static uint64_t mix(uint64_t key) noexcept {
        key *= 0x9E3779B97F4A7C15;
        key ^= key >> 32;
        key *= 0xD6E8FEB86659FD93;
        return key ^ key >> 32;
    }
    static size_t bucket_of(uint64_t mixed, size_t buckets) noexcept {
        return static_cast<size_t>((mixed >> 32) * buckets >> 32);
    }
    size_t pair_bucket(uint64_t mixed) const noexcept {
        return bucket_of(mixed, pair_starts_.size() - 1);
    }
    size_t triple_bucket(uint64_t mixed) const noexcept {
        return bucket_of(mixed, triple_starts_.size() - 1);
    }

    bool skip(size_t bytes) noexcept {
        if (left_ < bytes) return false;
        data_ += bytes;
        left_ -= bytes;
        return true;
    }
    template <class T>
    bool take(T* to, size_t count) noexcept {
        if (left_ / sizeof(T) < count) return false;
        if (count != 0) std::memcpy(to, data_, count * sizeof(T));
        return skip(count * sizeof(T));
    }
    template <class T>
    bool fill(std::vector<T>& to, size_t count) {
        if (left_ / sizeof(T) < count) return false;
        to.resize(count);
        return take(to.data(), count);
    }
    static bool rises(const std::vector<uint32_t>& starts, size_t end) noexcept {
        return starts.front() == 0 && starts.back() == end &&
               std::is_sorted(starts.begin(), starts.end());
    }
    bool read_words(size_t bytes, uint32_t words) {
        numbers_.reset(words);
        std::vector<char> padded(PADDING);
        uint32_t number = FIRST_WORD;
        const char* const end = data_ + bytes;
        for (const char* at = data_; at < end && *at != '\n'; ++number) {
            const char* const stop = std::find(at, end, '\n');
            if (number == words || stop == end) return false;
            const size_t size = static_cast<size_t>(stop - at);
            if (padded.size() < size + PADDING) padded.resize(size + PADDING);
            std::copy(at, stop, padded.begin());
            numbers_.add(token_key(padded.data(), size), number);
            at = stop + 1;
        }
        return number == words;
    }

    const char* data_ = nullptr;
    size_t left_ = 0;
    KeyTable numbers_;
    std::vector<uint8_t> costs_, leaving_, triple_costs_;
    std::vector<uint16_t> triple_hashes_;
    std::vector<uint32_t> pair_starts_, pairs_, triple_starts_;
};

}  // namespace summeval
