// A parsed document as one block of bytes, which kernels read in place. The definition is
// read_document of tests/definitions/columns.py.
//
//   header           u32 x 9: magic, version, bytes of the block, flags (bit 0: all strings are
//                    ASCII), tokens, sentences, entities, strings, bytes of the strings
//   sentence_starts  u32[sentences + 1]  first token of each sentence, then the number of tokens
//   sentence_trees   u32[sentences]      string of the bracketed tree, or NO_TREE
//   form, tag, lemma, label  u32[tokens] each: strings
//   head             i32[tokens]         position of the head in the sentence; -1 for none
//   start, end       i32[tokens] each    character offsets; -1 for none
//   entity_label (string), entity_first, entity_last  u32[entities] each
//   string_offsets   u32[strings + 1]    into the bytes that follow
//   strings          UTF-8 (surrogates too), then zeros up to a multiple of 4
//
// Strings are the distinct strings of this document, numbered by first use. Numbers have the byte
// order of the machine; a block from a machine with another order has the wrong magic.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace summeval {

struct DocumentView {
    const uint32_t* sentence_starts;
    const uint32_t* sentence_trees;
    const uint32_t *form, *tag, *lemma, *label;
    const int32_t *head, *start, *end;
    const uint32_t *entity_label, *entity_first, *entity_last;
    const uint32_t* string_offsets;
    const char* strings;
    uint32_t tokens, sentences, entities, string_count;
    bool ascii;
};

namespace packed {

inline constexpr uint32_t MAGIC = 0x44504553;  // SEPD
inline constexpr uint32_t VERSION = 1;
inline constexpr uint32_t NO_TREE = 0xFFFFFFFF;
inline constexpr uint32_t ALL_ASCII = 1;
inline constexpr size_t HEADER = 9;

// The counts of a header, and the size of its block.
struct Counts {
    uint32_t tokens, sentences, entities, strings, string_bytes;

    uint64_t numbers() const noexcept {
        return HEADER + 2 * uint64_t{sentences} + 1 + 7 * uint64_t{tokens} +
               3 * uint64_t{entities} + uint64_t{strings} + 1;
    }
    uint64_t bytes() const noexcept {
        return 4 * numbers() + (uint64_t{string_bytes} + 3) / 4 * 4;
    }
};

// The parts of a block, in their order; nothing is read.
inline void place(const Counts& counts, const uint32_t* at, DocumentView& out) noexcept {
    const auto take = [&at](size_t size) {
        const uint32_t* const found = at;
        at += size;
        return found;
    };
    const auto take_signed = [&take](size_t size) {
        return reinterpret_cast<const int32_t*>(take(size));
    };
    out.tokens = counts.tokens;
    out.sentences = counts.sentences;
    out.entities = counts.entities;
    out.string_count = counts.strings;
    take(HEADER);
    out.sentence_starts = take(size_t{counts.sentences} + 1);
    out.sentence_trees = take(counts.sentences);
    out.form = take(counts.tokens);
    out.tag = take(counts.tokens);
    out.lemma = take(counts.tokens);
    out.label = take(counts.tokens);
    out.head = take_signed(counts.tokens);
    out.start = take_signed(counts.tokens);
    out.end = take_signed(counts.tokens);
    out.entity_label = take(counts.entities);
    out.entity_first = take(counts.entities);
    out.entity_last = take(counts.entities);
    out.string_offsets = take(size_t{counts.strings} + 1);
    out.strings = reinterpret_cast<const char*>(at);
}

// Whether offsets begin at 0, never fall, and end at `last`.
inline bool are_offsets(const uint32_t* offsets, size_t count, uint32_t last) noexcept {
    if (offsets[0] != 0 || offsets[count] != last) return false;
    bool falls = false;
    for (size_t k = 0; k < count; ++k) falls |= offsets[k] > offsets[k + 1];
    return !falls;
}

inline bool all_below(const uint32_t* numbers, size_t count, uint32_t limit) noexcept {
    bool all = true;
    for (size_t k = 0; k < count; ++k) all &= numbers[k] < limit;
    return all;
}

// Whether the bytes are UTF-8; surrogates, which Python's "surrogatepass" writes, are allowed.
inline bool is_text(const unsigned char* at, const unsigned char* end) noexcept {
    while (at < end) {
        const unsigned char first = *at;
        if (first < 0x80) {
            ++at;
            continue;
        }
        const std::ptrdiff_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
        if (first < 0xC2 || first > 0xF4 || end - at < length) return false;
        for (std::ptrdiff_t k = 1; k < length; ++k)
            if ((at[k] & 0xC0) != 0x80) return false;
        if (first == 0xE0 && at[1] < 0xA0) return false;  // fewer bytes would do
        if (first == 0xF0 && at[1] < 0x90) return false;
        if (first == 0xF4 && at[1] > 0x8F) return false;  // past the last code point
        at += length;
    }
    return true;
}

inline bool is_ascii(const char* text, size_t size) noexcept {
    unsigned char high = 0;
    for (size_t k = 0; k < size; ++k) high |= static_cast<unsigned char>(text[k]);
    return high < 0x80;
}

// Whether every head is a token of its sentence or -1, and heads form no cycle.
// `walks` is room for the tokens of the longest sentence.
inline bool are_heads(const int32_t* head, uint32_t size, uint32_t* walks) noexcept {
    bool inside = true;
    for (uint32_t k = 0; k < size; ++k) inside &= static_cast<uint32_t>(head[k]) + 1u <= size;
    if (!inside) return false;
    std::fill(walks, walks + size, 0u);
    for (uint32_t first = 0; first < size; ++first) {
        auto at = static_cast<int32_t>(first);
        while (at >= 0 && walks[at] == 0) {
            walks[at] = first + 1;
            at = head[at];
        }
        if (at >= 0 && walks[at] == first + 1) return false;
    }
    return true;
}

inline bool are_sentences(const DocumentView& view) {
    uint32_t longest = 0;
    for (uint32_t s = 0; s < view.sentences; ++s) {
        longest = std::max(longest, view.sentence_starts[s + 1] - view.sentence_starts[s]);
        const uint32_t tree = view.sentence_trees[s];
        if (tree != NO_TREE && tree >= view.string_count) return false;
    }
    uint32_t near[256];
    std::vector<uint32_t> far(longest > 256 ? longest : 0);
    uint32_t* const walks = longest > 256 ? far.data() : near;
    for (uint32_t s = 0; s < view.sentences; ++s) {
        const uint32_t first = view.sentence_starts[s];
        if (!are_heads(view.head + first, view.sentence_starts[s + 1] - first, walks)) return false;
    }
    return true;
}

inline bool are_strings(const DocumentView& view, uint32_t bytes) noexcept {
    if (!are_offsets(view.string_offsets, view.string_count, bytes)) return false;
    if (view.ascii) return is_ascii(view.strings, bytes);
    const auto* const text = reinterpret_cast<const unsigned char*>(view.strings);
    for (uint32_t k = 0; k < view.string_count; ++k)
        if (!is_text(text + view.string_offsets[k], text + view.string_offsets[k + 1]))
            return false;
    return true;
}

// A checksum of the bytes of a block, which are a multiple of 4: four lanes, so that it is read at
// the speed of memory. It finds damage, not fraud.
inline uint64_t checksum(const unsigned char* data, size_t size) noexcept {
    constexpr uint64_t FACTOR = 0x9E3779B97F4A7C15u;
    uint64_t lane[4] = {1, 2, 3, 4};
    const auto mix = [](uint64_t sum, uint64_t word) {
        sum = (sum ^ word) * FACTOR;
        return sum ^ (sum >> 29);
    };
    size_t at = 0;
    for (; size - at >= 32; at += 32) {
        for (size_t k = 0; k < 4; ++k) {
            uint64_t word;
            std::memcpy(&word, data + at + 8 * k, sizeof word);
            lane[k] = mix(lane[k], word);
        }
    }
    for (; size - at >= 4; at += 4) {
        uint32_t word;
        std::memcpy(&word, data + at, sizeof word);
        lane[0] = mix(lane[0], word);
    }
    return mix(mix(mix(lane[0], lane[1]), lane[2]), lane[3] + size);
}

}  // namespace packed

// Reads a block; false if it is damaged. Everything is checked but the values of start and end:
// sizes, offsets, strings and their UTF-8, entities, and heads (range, no cycle). `data` must be a
// multiple of 4, as the content of a Python bytes is. The view points into the block.
inline bool view_document(const unsigned char* data, size_t size, DocumentView& out) {
    using namespace packed;
    uint32_t header[HEADER];
    if (size < sizeof header || reinterpret_cast<uintptr_t>(data) % 4 != 0) return false;
    std::memcpy(header, data, sizeof header);
    const Counts counts{header[4], header[5], header[6], header[7], header[8]};
    if (header[0] != MAGIC || header[1] != VERSION || header[2] != size) return false;
    if ((header[3] & ~ALL_ASCII) != 0 || counts.bytes() != size) return false;
    place(counts, reinterpret_cast<const uint32_t*>(data), out);
    out.ascii = (header[3] & ALL_ASCII) != 0;
    if (!are_offsets(out.sentence_starts, out.sentences, out.tokens)) return false;
    if (!all_below(out.form, 4 * size_t{out.tokens}, out.string_count)) return false;  // to label
    if (!all_below(out.entity_label, out.entities, out.string_count)) return false;
    if (!all_below(out.entity_last, out.entities, out.tokens)) return false;
    for (uint32_t k = 0; k < out.entities; ++k)
        if (out.entity_first[k] > out.entity_last[k]) return false;
    return are_strings(out, counts.string_bytes) && are_sentences(out);
}

}  // namespace summeval
