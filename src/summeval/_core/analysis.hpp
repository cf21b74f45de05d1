// From a text to the keys of the tokens that are compared: length limit, tokens, stop words, stems.
//
// What happens to a token depends on its bytes alone, so it is looked up: a bounded cache maps the
// key of a token to the key of its stem and a few flags. Only the first sight of a type is slow.
#pragma once
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "grams.hpp"
#include "limits.hpp"
#include "stem.hpp"
#include "tokens.hpp"

namespace summeval {

enum TokenFlag : uint32_t { TOKEN_CACHED = 1, TOKEN_DROPPED = 2 };

struct Analyzer {
    int tokenizer = TOKENS_ROUGE155;
    int stemmer = STEM_NONE;
    int64_t max_words = 0;
    int64_t max_bytes = 0;
    bool fold = true;             // tokens lose their case
    bool flags_functions = false;  // function words are to be told from others
    std::unordered_map<std::string, std::string> exceptions;  // looked up before stemming
    std::unordered_set<std::string> stopwords;                // dropped before stemming
    std::unordered_set<std::string> function_words;           // lower case; found before stemming

    bool maps_tokens() const noexcept { return stemmer != STEM_NONE || !stopwords.empty(); }

    // The comparable form of a token of more than three bytes; the original programs leave shorter
    // ones alone, and no stemmer here is defined outside ASCII.
    void stem_token(const char* token, size_t size, std::string& out) const {
        out.assign(token, size);
        if (stemmer == STEM_NONE || size <= 3) return;
        if (!exceptions.empty()) {
            const auto found = exceptions.find(out);
            if (found != exceptions.end()) {
                out = found->second;
                return;
            }
        }
        for (size_t i = 0; i < size; ++i)
            if (static_cast<unsigned char>(token[i]) >= 0x80) return;
        out.resize(size + PADDING);
        const int32_t length = stem(stemmer, token, static_cast<int32_t>(size), &out[0]);
        out.resize(static_cast<size_t>(length));
    }
};

struct Mapped {
    Key key;
    uint32_t flags;
};

// Two-way set-associative cache from token to mapped token. Its memory is zeroed by the operating
// system page by page, so a process that sees few types touches little of it.
class TokenCache {
  public:
    TokenCache() : entries_(static_cast<Entry*>(std::calloc(SIZE, sizeof(Entry)))) {
        if (!entries_) throw std::bad_alloc();
    }
    ~TokenCache() { std::free(entries_); }
    TokenCache(const TokenCache&) = delete;
    TokenCache& operator=(const TokenCache&) = delete;

    Mapped map(const Analyzer& analyzer, Key key, const char* token, size_t size) {
        if (size > 16) return compute(analyzer, token, size);
        const size_t slot = static_cast<size_t>(key_hash(key) >> (64 - BITS));
        Entry& first = entries_[slot];
        if ((first.flags & TOKEN_CACHED) && first.key == key) return {first.mapped, first.flags};
        Entry& second = entries_[slot ^ 1];
        if ((second.flags & TOKEN_CACHED) && second.key == key)
            return {second.mapped, second.flags};
        const Mapped mapped = compute(analyzer, token, size);
        if (first.flags & TOKEN_CACHED) second = first;
        first = {key, mapped.key, mapped.flags | TOKEN_CACHED};
        return mapped;
    }

  private:
    struct Entry {
        Key key, mapped;
        uint32_t flags;
    };
    static constexpr int BITS = 15;
    static constexpr size_t SIZE = size_t{1} << BITS;

    Mapped compute(const Analyzer& analyzer, const char* token, size_t size) {
        analyzer.stem_token(token, size, stem_);
        const size_t length = stem_.size();
        uint32_t flags = 0;
        if (!analyzer.stopwords.empty() && analyzer.stopwords.count(word_.assign(token, size)))
            flags |= TOKEN_DROPPED;
        stem_.resize(length + PADDING);
        return {token_key(stem_.data(), length), flags};
    }

    Entry* entries_;
    std::string stem_, word_;
};

// A fixed set of words by their keys. A key is in one of two places (cuckoo hashing), so that a
// look-up compares two keys and never branches on what it finds.
class KeySet {
  public:
    explicit KeySet(const std::unordered_set<std::string>& words) {
        bits_ = highest_bit(power_of_two_above(4 * words.size()));
        entries_.resize(size_t{1} << bits_, FREE);
        std::string padded;
        for (const std::string& word : words) {
            padded.assign(word).resize(word.size() + PADDING);
            insert(token_key(padded.data(), word.size()));
        }
    }

    bool has(Key key) const noexcept {
        const uint64_t hash = key_hash(key);
        bool found = same(entries_[first(hash)], key) | same(entries_[second(hash)], key);
        for (const Key& other : homeless_) found |= same(other, key);
        return found & !same(key, FREE);
    }

  private:
    static constexpr Key FREE{0, 0};  // also the key of a token of NUL bytes

    static bool same(Key a, Key b) noexcept { return ((a.lo ^ b.lo) | (a.hi ^ b.hi)) == 0; }
    size_t first(uint64_t hash) const noexcept { return hash >> (64 - bits_); }
    size_t second(uint64_t hash) const noexcept {
        return (hash >> (64 - 2 * bits_)) & ((size_t{1} << bits_) - 1);
    }

    void insert(Key key) {
        size_t place = first(key_hash(key));
        for (int moves = 0; moves < 64; ++moves) {
            std::swap(key, entries_[place]);
            if (same(key, FREE)) return;
            const uint64_t hash = key_hash(key);
            place = first(hash) ^ second(hash) ^ place;
        }
        homeless_.push_back(key);
    }

    std::vector<Key> entries_, homeless_;
    unsigned bits_ = 4;
};

// One reading of a text: the keys of its tokens, and after which of them a line ends.
struct Reading {
    std::vector<Key> keys;
    std::vector<uint8_t> function;     // 1 for a function word, when the analyzer flags them
    std::vector<uint32_t> line_ends;   // ascending; the last one is the number of tokens
    size_t size = 0;
};

class Reader {
  public:
    explicit Reader(const Analyzer& analyzer)
        : analyzer_(analyzer), functions_(analyzer.function_words) {
        if (analyzer.maps_tokens()) cache_.reset(new TokenCache);
    }

    Prefixes limit(View text) const noexcept {
        if (analyzer_.max_words > 0) return limit_words(text, analyzer_.max_words);
        if (analyzer_.max_bytes > 0) return limit_bytes(text, analyzer_.max_bytes);
        return {text.size, text.size};
    }

    void read(View text, bool lines, Reading& out) {
        tokenize(analyzer_.tokenizer, lines, analyzer_.fold, text, spans_);
        const size_t size = spans_.size;
        Key* keys = TokenSpans::room(out.keys, size + 1);
        const char* bytes = spans_.bytes.data();
        const uint32_t* edges = spans_.edges.data();
        if (lines) out.line_ends.swap(spans_.line_ends);
        if (cache_) {
            map_tokens(lines, out);
        } else {
            for (size_t k = 0; k < size; ++k) {
                const uint32_t begin = edges[2 * k];
                keys[k] = token_key(bytes + begin, edges[2 * k + 1] - begin);
            }
            out.size = size;
            if (analyzer_.flags_functions) flag_functions(out);
        }
        if (lines && (out.line_ends.empty() || out.line_ends.back() != out.size))
            out.line_ends.push_back(static_cast<uint32_t>(out.size));
    }

  private:
    void map_tokens(bool lines, Reading& out) {
        const char* bytes = spans_.bytes.data();
        const uint32_t* edges = spans_.edges.data();
        Key* keys = out.keys.data();
        const bool flags = analyzer_.flags_functions, lower = lower_case();
        uint8_t* function = flags ? TokenSpans::room(out.function, spans_.size + 1) : nullptr;
        size_t kept = 0, line = 0;
        for (size_t k = 0; k < spans_.size; ++k) {
            while (lines && line < out.line_ends.size() && out.line_ends[line] == k)
                out.line_ends[line++] = static_cast<uint32_t>(kept);
            const uint32_t begin = edges[2 * k];
            const size_t length = edges[2 * k + 1] - begin;
            const Key key = token_key(bytes + begin, length);
            const Mapped mapped = cache_->map(analyzer_, key, bytes + begin, length);
            keys[kept] = mapped.key;
            if (flags) function[kept] = lower ? functions_.has(key) : is_function(k);
            kept += (mapped.flags & TOKEN_DROPPED) == 0;
        }
        if (lines)
            for (; line < out.line_ends.size(); ++line)
                out.line_ends[line] = static_cast<uint32_t>(kept);
        out.size = kept;
    }

    void flag_functions(Reading& out) {
        const size_t size = out.size;
        const Key* keys = out.keys.data();
        uint8_t* function = TokenSpans::room(out.function, size + 1);
        if (lower_case())
            for (size_t k = 0; k < size; ++k) function[k] = functions_.has(keys[k]);
        else
            for (size_t k = 0; k < size; ++k) function[k] = is_function(k);
    }

    bool lower_case() const noexcept {
        return analyzer_.fold && analyzer_.tokenizer != TOKENS_SPLIT;
    }

    // Whether token k is a function word; its case does not matter.
    bool is_function(size_t k) {
        const char* token = spans_.bytes.data() + spans_.edges[2 * k];
        const size_t size = spans_.edges[2 * k + 1] - spans_.edges[2 * k];
        lower_.assign(token, size);
        for (char& c : lower_) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        lower_.resize(size + PADDING);
        const bool marked = analyzer_.tokenizer == TOKENS_SPLIT && spans_.function[k];
        return marked || functions_.has(token_key(lower_.data(), size));
    }

    const Analyzer& analyzer_;
    const KeySet functions_;
    std::unique_ptr<TokenCache> cache_;
    TokenSpans spans_;
    std::string lower_;
};

}  // namespace summeval
