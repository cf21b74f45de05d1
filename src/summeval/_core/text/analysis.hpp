// From a text to the keys of the tokens that are compared: length limit, tokens, stop words, stems.
//
// The result for a token depends on its bytes alone, so it is cached: a bounded table maps the key
// of a token to the key of its stem and a few flags. Only the first occurrence of a type is slow.
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

#include "text/grams.hpp"
#include "text/limits.hpp"
#include "text/stem.hpp"
#include "text/tokens.hpp"
#include "text/windows.hpp"

namespace summeval {

using WordTable = std::unordered_map<std::string, std::string>;

struct Analyzer {
    int tokenizer = TOKENS_ROUGE155;
    int stemmer = STEM_NONE;
    int64_t unstemmed = 3;  // tokens of at most this many bytes are not stemmed
    int64_t looked_up = 0;  // tokens of at most this many bytes are stemmed by exceptions alone
    int64_t max_words = 0;
    int64_t max_bytes = 0;
    bool fold = true;              // compare tokens without regard to case
    bool flags_functions = false;  // mark the function words in a Reading
    std::shared_ptr<WordTable> exceptions;           // looked up before stemming; may be shared
    std::unordered_set<std::string> stopwords;       // dropped before stemming
    std::unordered_set<std::string> function_words;  // lower case; found before stemming

    bool drops_tokens() const noexcept { return !stopwords.empty(); }
    bool maps_tokens() const noexcept {
        return stemmer != STEM_NONE || exceptions || drops_tokens();
    }

    bool stems(size_t size) const noexcept { return static_cast<int64_t>(size) > unstemmed; }

    // Writes the form of a token that is compared. Tokens with a byte outside ASCII are not
    // stemmed: no stemmer here is defined for them.
    void stem_token(const char* token, size_t size, std::string& out) const {
        out.assign(token, size);
        if (!stems(size)) return;
        if (exceptions) {
            const auto found = exceptions->find(out);
            if (found != exceptions->end()) {
                out = found->second;
                return;
            }
        }
        if (stemmer == STEM_NONE || static_cast<int64_t>(size) <= looked_up) return;
        for (size_t i = 0; i < size; ++i)
            if (static_cast<unsigned char>(token[i]) >= 0x80) return;
        out.resize(size + PADDING);
        const int32_t length = stem(stemmer, token, static_cast<int32_t>(size), &out[0]);
        out.resize(static_cast<size_t>(length));
    }
};

// A table of zeros that starts at a cache line.
template <class T>
class ZeroTable {
  public:
    explicit ZeroTable(size_t size) : memory_(std::calloc(size * sizeof(T) + LINE, 1)) {
        if (!memory_) throw std::bad_alloc();
        const uintptr_t address = reinterpret_cast<uintptr_t>(memory_.get());
        data_ = reinterpret_cast<T*>((address + LINE - 1) / LINE * LINE);
    }
    T* data() const noexcept { return data_; }
    T& operator[](size_t index) const noexcept { return data_[index]; }

  private:
    static constexpr size_t LINE = 64;
    struct Free {
        void operator()(void* memory) const noexcept { std::free(memory); }
    };
    std::unique_ptr<void, Free> memory_;
    T* data_;
};

// Two-way set-associative cache from a token to the form that is compared. A set is one cache line.
// An empty entry is all zeros, and no token has that key. It begins small, since a process may have
// many, and grows four times. It is empty then, but takes what it needs again from the table before;
// with larger steps the calls that follow would meet too much new memory at once.
class TokenCache {
  public:
    explicit TokenCache(const Analyzer& analyzer)
        : analyzer_(analyzer), sets_(FIRST), dropped_(analyzer.drops_tokens() ? 2 * FIRST : 0) {}

    // Maps each token to the key of the form that is compared. Short tokens keep their key; the
    // entries of the others are prefetched, since the table is larger than the nearest cache.
    void map(const char* bytes, const uint32_t* edges, size_t count, Key* keys) {
        for (const auto [begin, end] : pieces(count))
            map_piece(bytes, edges + 2 * begin, end - begin, keys + begin);
    }

    // Does the same with keys that are there. set(k), size(k), token(k): the number of a token's set,
    // below 2^16, which its key alone decides; its length; its bytes.
    template <class SetOf, class Size, class Token>
    void map_keys(Key* keys, size_t count, SetOf set_of, Size size, Token token) {
        uint32_t* const long_ones = TokenSpans::room(long_ones_, count + 1);
        size_t found = 0;
        for (size_t k = 0; k < count; ++k) {
            long_ones[found] = static_cast<uint32_t>(k);
            prefetch(sets_.data() + (set_of(k) & last_));
            found += analyzer_.stems(size(k));
        }
        for (size_t n = 0; n < found; ++n) {
            const uint32_t k = long_ones[n];
            const Key key = keys[k];
            const Set& set = sets_[set_of(k) & last_];
            // which way holds a token cannot be predicted: only branch on whether one does
            const int not_second = keys_differ(set.key[1], key);
            if (keys_differ(set.key[0], key) & not_second)
                keys[k] = form(add(set_of(k), key, token(k), size(k)));
            else
                keys[k] = set.mapped[1 + not_second];
        }
    }

    // The key of the form of one token; the analyzer drops no tokens.
    Key mapped(const Key& key, const char* token, size_t size) {
        if (!analyzer_.stems(size)) return key;
        return form(look_up(slot(key), key, token, size));
    }

    // Does the same as the first one, and also says whether each token is a stop word.
    void map(const char* bytes, const uint32_t* edges, size_t count, Key* keys, uint8_t* dropped) {
        Pace pace;
        for (size_t k = 0; k < count; ++k) {
            pace(4);
            const char* token = bytes + edges[2 * k];
            const size_t size = edges[2 * k + 1] - edges[2 * k];
            const Key key = token_key(token, size);
            const size_t place = look_up(slot(key), key, token, size);
            keys[k] = form(place);
            dropped[k] = dropped_[place];
        }
    }

  private:
    struct Set {
        Key key[2];
        Key mapped[2];
    };

    void map_piece(const char* bytes, const uint32_t* edges, size_t count, Key* keys) {
        uint32_t* const slots = TokenSpans::room(slots_, count + 1);
        for (size_t k = 0; k < count; ++k) {
            keys[k] = token_key(bytes + edges[2 * k], edges[2 * k + 1] - edges[2 * k]);
            slots[k] = static_cast<uint32_t>(slot(keys[k]));
        }
        map_keys(
            keys, count, [=](size_t k) noexcept -> size_t { return slots[k]; },
            [=](size_t k) noexcept { return edges[2 * k + 1] - edges[2 * k]; },
            [=](size_t k) noexcept { return bytes + edges[2 * k]; });
    }

    static_assert(sizeof(Set) == 64, "a set should be a cache line");
    static constexpr int BITS = 16;
    static constexpr size_t FIRST = size_t{1} << 8, MOST = size_t{1} << BITS;  // sets

    static size_t slot(Key key) noexcept {
        return static_cast<size_t>(key_hash(key) >> (64 - BITS));
    }
    const Key& form(size_t place) const noexcept { return sets_[place / 2].mapped[place % 2]; }

    // Returns the place of the token, two in a set; adds the token if it was missing.
    size_t look_up(size_t slot, Key key, const char* token, size_t size) {
        const size_t index = slot & last_;
        if (sets_[index].key[0] == key) return 2 * index;
        if (sets_[index].key[1] == key) return 2 * index + 1;
        return add(slot, key, token, size);
    }

    SUMMEVAL_APART size_t add(size_t slot, Key key, const char* token, size_t size) {
        if (++added_ > last_ && last_ + 1 < MOST) enlarge();
        const size_t index = slot & last_, old = slot & last_before_;
        Set& set = sets_[index];
        set.key[1] = set.key[0];
        set.mapped[1] = set.mapped[0];
        const int way = before_[old].key[0] == key ? 0 : before_[old].key[1] == key ? 1 : -1;
        set.mapped[0] = way < 0 ? stemmed(token, size) : before_[old].mapped[way];
        set.key[0] = key;
        if (analyzer_.drops_tokens()) {
            dropped_[2 * index + 1] = dropped_[2 * index];
            dropped_[2 * index] = analyzer_.stopwords.count(word_.assign(token, size)) != 0;
        }
        return 2 * index;
    }

    Key stemmed(const char* token, size_t size) {
        analyzer_.stem_token(token, size, stem_);
        const size_t length = stem_.size();
        stem_.resize(length + PADDING);
        return token_key(stem_.data(), length);
    }

    void enlarge() {
        const size_t sets = 4 * (last_ + 1);
        ZeroTable<Set> larger(sets);
        dropped_ = ZeroTable<uint8_t>(analyzer_.drops_tokens() ? 2 * sets : 0);
        before_ = std::move(sets_);
        last_before_ = last_;
        sets_ = std::move(larger);
        last_ = sets - 1;
        added_ = 0;
    }

    const Analyzer& analyzer_;
    ZeroTable<Set> sets_, before_{1};
    ZeroTable<uint8_t> dropped_;
    size_t last_ = FIRST - 1, last_before_ = 0, added_ = 0;
    std::vector<uint32_t> slots_, long_ones_;
    std::string stem_, word_;
};

// Small numbers for forms, in the order in which they appear, so that frequent ones share cache lines.
// A text becomes numbers by one look-up for each token, and tables of forms need no keys.
//
// A set of the table from tokens to numbers is one cache line; a token that is pushed out of it is
// found again by its form. 0 is the number of no form. Both tables begin small, and grow twice.
class FormNumbers {
  public:
    static constexpr int BITS = 14;                       // of a token's hash
    static constexpr size_t MOST = (size_t{1} << 15) - 1;  // forms


    // Makes sure that so many tokens get numbers; all that were given may then be void.
    void need(size_t tokens) noexcept {
        if (size_ + tokens <= MOST) return;
        std::memset(static_cast<void*>(sets_.data()), 0, (last_ + 1) * sizeof(Set));
        std::memset(numbers_.data(), 0, EACH * (last_ + 1) * sizeof(uint16_t));
        size_ = 0;
    }

    // Replaces the hash of each token by the number of its form. When all numbers are in use, new
    // forms have the number 0. form(k): the key of a token's form.
    template <class Form>
    void find(const Key* keys, size_t count, uint16_t* hashes, Form form) {
        const Set* sets = sets_.data();
        size_t last = last_;
        for (size_t k = 0; k < count; ++k) prefetch(sets + (hashes[k] & last));
        for (size_t k = 0; k < count; ++k) {
            const Set& set = sets[hashes[k] & last];
            // which way holds a token cannot be predicted: only branch on whether one does
            const int number = (~keys_differ(set.key[0], keys[k]) & set.number[0]) |
                               (~keys_differ(set.key[1], keys[k]) & set.number[1]) |
                               (~keys_differ(set.key[2], keys[k]) & set.number[2]);
            if (number) {
                hashes[k] = static_cast<uint16_t>(number);
                continue;
            }
            hashes[k] = add(hashes[k], keys[k], form(k));
            sets = sets_.data();
            last = last_;
        }
    }

  private:
    struct Set {
        Key key[3];
        uint16_t number[3];
        uint16_t unused[5];
    };
    static_assert(sizeof(Set) == 64, "a set should be a cache line");
    static constexpr size_t FIRST = size_t{1} << 8, SETS = size_t{1} << BITS;
    static constexpr size_t EACH = 4;  // places for forms to a set; half of them for MOST

    // The place of a form, or the free one where it would be put.
    size_t place_of(const Key& form) const noexcept {
        const Key seeded{form.lo ^ HASH_SEED.word, form.hi};
        const size_t last = EACH * (last_ + 1) - 1;
        size_t place = static_cast<size_t>(key_hash(seeded) >> 48) & last;
        while (numbers_[place] && !(forms_[place] == form)) place = (place + 1) & last;
        return place;
    }

    SUMMEVAL_SELDOM uint16_t add(size_t hash, const Key& key, const Key& form) {
        if (size_ > last_ && last_ + 1 < SETS) enlarge();
        const size_t place = place_of(form);
        if (!numbers_[place]) {
            if (size_ == MOST) return 0;
            forms_[place] = form;
            numbers_[place] = static_cast<uint16_t>(++size_);
        }
        Set& set = sets_[hash & last_];
        for (int way = 2; way > 0; --way) {
            set.key[way] = set.key[way - 1];
            set.number[way] = set.number[way - 1];
        }
        set.key[0] = key;
        set.number[0] = numbers_[place];
        return numbers_[place];
    }

    // Forms keep their numbers.
    void enlarge() {
        const size_t sets = 8 * (last_ + 1), places = EACH * (last_ + 1);
        ZeroTable<Set> larger(sets);
        ZeroTable<Key> forms(EACH * sets);
        ZeroTable<uint16_t> numbers(EACH * sets);
        std::swap(forms, forms_);
        std::swap(numbers, numbers_);
        sets_ = std::move(larger);
        last_ = sets - 1;
        for (size_t k = 0; k < places; ++k) {
            if (!numbers[k]) continue;
            const size_t place = place_of(forms[k]);
            forms_[place] = forms[k];
            numbers_[place] = numbers[k];
        }
    }

    ZeroTable<Set> sets_{FIRST};
    ZeroTable<Key> forms_{EACH * FIRST};
    ZeroTable<uint16_t> numbers_{EACH * FIRST};
    size_t last_ = FIRST - 1;  // set
    size_t size_ = 0;
};

// A fixed set of words, stored by their keys. A key can be in one of two places (cuckoo hashing),
// so a look-up compares two keys and never branches on the result.
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

// A text after analysis: the keys of its tokens, and after which tokens a line ends.
struct Reading {
    std::vector<Key> keys;
    std::vector<uint8_t> dropped;      // 1 for a stop word, when the analyzer has any
    std::vector<uint8_t> function;     // 1 for a function word, when the analyzer flags them
    std::vector<uint32_t> line_ends;   // ascending; the last one is the number of tokens
    size_t size = 0;
};

class Reader {
  public:
    static constexpr int FORM_HASH_BITS = FormNumbers::BITS;

    explicit Reader(const Analyzer& analyzer)
        : analyzer_(analyzer), functions_(analyzer.function_words) {
        if (analyzer.maps_tokens()) cache_.reset(new TokenCache(analyzer));
    }

    // Whether the tokens are those of `rouge155`, all of them and the whole text, or their stems.
    bool reads_plainly() const noexcept {
        return analyzer_.tokenizer == TOKENS_ROUGE155 && analyzer_.fold &&
               !analyzer_.drops_tokens() && !analyzer_.flags_functions &&
               analyzer_.max_words <= 0 && analyzer_.max_bytes <= 0;
    }

    // For texts that are read plainly; made at the first call.
    Windows& windows() {
        if (!windows_) windows_.reset(new Windows);
        return *windows_;
    }

    // Whether keys are replaced by those of the stems.
    bool maps() const noexcept { return cache_ != nullptr; }
    template <class... How>
    void map(Key* keys, size_t count, How... how) {
        cache_->map_keys(keys, count, how...);
    }

    // Whether the tokens of the references that are read next become numbers of their forms. They do
    // if they are `few` and serve this reader alone; `tokens`: how many need numbers at most.
    void number_forms(bool few, size_t tokens) {
        few_ = few;
        numbers_forms_ = few && maps() && reads_plainly();
        if (!numbers_forms_) return;
        if (!numbers_) numbers_.reset(new FormNumbers);
        numbers_->need(tokens);
    }
    bool numbers_forms() const noexcept { return numbers_forms_; }
    bool reads_few() const noexcept { return few_; }

    // Replaces hashes of FormNumbers::BITS bits by numbers of forms. size(k), token(k): a token's
    // length and bytes.
    template <class Size, class Token>
    void number(const Key* keys, size_t count, uint16_t* hashes, Size size, Token token) {
        numbers_->find(keys, count, hashes,
                       [&](size_t k) { return cache_->mapped(keys[k], token(k), size(k)); });
    }

    Prefixes limit(View text) const {
        if (analyzer_.max_words > 0) return limit_words(text, analyzer_.max_words);
        if (analyzer_.max_bytes > 0) return limit_bytes(text, analyzer_.max_bytes);
        return {text.size, text.size};
    }

    void read(View text, bool lines, Reading& out) {
        tokenize(analyzer_.tokenizer, lines, analyzer_.fold, text, spans_);
        if (lines) out.line_ends.swap(spans_.line_ends);
        map_keys(spans_, out);
        if (analyzer_.flags_functions) flag_functions(TokenSpans::room(out.function, out.size + 1));
        if (analyzer_.drops_tokens()) drop_tokens(lines, out);
        if (lines && (out.line_ends.empty() || out.line_ends.back() != out.size))
            out.line_ends.push_back(static_cast<uint32_t>(out.size));
    }

    // Maps the tokens that another reader, which cuts texts as this one does, has read last; this
    // one neither drops nor flags any.
    void read_after(const Reader& other, Reading& out) { map_keys(other.spans_, out); }

    // Calls tell(begin, end) for the tokens of a text, which was read last, into `reading`: their
    // edges in it. Tokens that Python made have none.
    template <class Tell>
    void each_place(View text, const Reading& reading, Tell tell) {
        const uint32_t* edges = spans_.edges.data();  // those of `rouge155`, which keeps all bytes
        if (analyzer_.tokenizer == TOKENS_UNICODE) {
            const size_t size = static_cast<size_t>(text.size);
            places_.resize(2 * (size + 1));
            tokenize_unicode<false, true>(text.data, size, nullptr, places_.data());
            edges = places_.data();
        }
        const bool drops = analyzer_.drops_tokens();
        for (size_t k = 0; k < spans_.size; ++k)
            if (!drops || !reading.dropped[k]) tell(edges[2 * k], edges[2 * k + 1]);
    }

  private:
    void map_keys(const TokenSpans& spans, Reading& out) {
        const size_t size = spans.size;
        Key* keys = TokenSpans::room(out.keys, size + 1);
        const char* bytes = spans.bytes.data();
        const uint32_t* edges = spans.edges.data();
        out.size = size;
        if (!cache_) {
            each_piece(size, [=](size_t begin, size_t end) noexcept {
                for (size_t k = begin; k < end; ++k)
                    keys[k] = token_key(bytes + edges[2 * k], edges[2 * k + 1] - edges[2 * k]);
            });
        } else if (!analyzer_.drops_tokens()) {
            cache_->map(bytes, edges, size, keys);
        } else {
            cache_->map(bytes, edges, size, keys, TokenSpans::room(out.dropped, size + 1));
        }
    }

    void drop_tokens(bool lines, Reading& out) const {
        size_t kept = 0, line = 0;
        const size_t line_count = lines ? out.line_ends.size() : 0;
        Pace pace;
        for (size_t k = 0; k < out.size; ++k) {
            pace(1);
            while (line < line_count && out.line_ends[line] == k)
                out.line_ends[line++] = static_cast<uint32_t>(kept);
            out.keys[kept] = out.keys[k];
            if (analyzer_.flags_functions) out.function[kept] = out.function[k];
            kept += !out.dropped[k];
        }
        while (line < line_count) out.line_ends[line++] = static_cast<uint32_t>(kept);
        out.size = kept;
    }

    void flag_functions(uint8_t* function) {
        const char* bytes = spans_.bytes.data();
        const uint32_t* edges = spans_.edges.data();
        const bool split = analyzer_.tokenizer == TOKENS_SPLIT;
        Pace pace;
        for (size_t k = 0; k < spans_.size; ++k) {
            pace(4);
            const char* token = bytes + edges[2 * k];
            const size_t size = edges[2 * k + 1] - edges[2 * k];
            if (analyzer_.fold && !split)
                function[k] = functions_.has(token_key(token, size));
            else
                function[k] = (split && spans_.function[k]) || functions_.has(lower_key(token, size));
        }
    }

    // The key of the token with its ASCII letters lower-cased.
    Key lower_key(const char* token, size_t size) {
        lower_.assign(token, size);
        for (char& c : lower_) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
        lower_.resize(size + PADDING);
        return token_key(lower_.data(), size);
    }

    const Analyzer& analyzer_;
    const KeySet functions_;
    std::unique_ptr<TokenCache> cache_;
    std::unique_ptr<FormNumbers> numbers_;
    bool few_ = false, numbers_forms_ = false;
    std::unique_ptr<Windows> windows_;
    TokenSpans spans_;
    std::vector<uint32_t> places_;
    std::string lower_;
};

}  // namespace summeval
