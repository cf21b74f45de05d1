// Texts in, packed documents out (documents/packed.hpp): tokens, networks and lemmas together.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "documents/packed.hpp"
#include "parsing/lemmas.hpp"
#include "parsing/networks/networks.hpp"
#include "parsing/tokenizer.hpp"
#include "rows/parallel.hpp"
#include "text/string_numbers.hpp"

namespace summeval::parsing {

// A line that is parsed, and where it stands in its text. After a clean-up, character k of the line
// is what became of the characters starts[k] to ends[k] from the offset on; else both are null.
struct GivenLine {
    std::string_view text;
    int32_t offset;
    const int32_t *starts, *ends;
};

struct GivenText {
    size_t first, end;  // lines
    size_t characters;
};

struct Wanted {
    bool entities, lemmas;
};

enum DocumentStatus { DOCUMENT_MADE = 0, DOCUMENT_TOO_LONG, DOCUMENT_MEMORY };

struct DocumentRoom {
    TokenizerRoom tokenizer;
    LemmaRoom lemmatizer;
    NetworksRoom networks;
    std::vector<Token> line, tokens;
    std::vector<uint32_t> line_ends;  // of all lines, in tokens
    std::vector<Word> words;
    std::vector<uint32_t> ends;  // of the lines that are analysed together
    Analysis some, all;
    std::vector<std::string_view> lemmas;
    StringNumbers strings;  // of a document, by first use; from 1
    std::vector<uint32_t> block;
};

class DocumentParser {
  public:
    explicit DocumentParser(const Sections& sections)
        : tokenizer_(sections),
          networks_(sections),
          lemmatizer_(sections, networks_.tags(), networks_.labels()) {
        for (std::string label : networks_.labels()) {
            for (char& letter : label)
                if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
            labels_.push_back(std::move(label));
        }
        for (const std::string& label : networks_.entity_labels()) {
            const bool place = label == "GPE" || label == "LOC" || label == "FAC";
            kinds_.emplace_back(label == "PERSON" ? "PER" : place ? "LOC" : label == "ORG" ? "ORG" : "");
        }
    }

    const Networks& networks() const noexcept { return networks_; }

    // Makes the block of each text; a text that fails is noted.
    void parse(const std::vector<GivenLine>& lines, const std::vector<GivenText>& texts,
               Wanted wanted, const Kernels& kernels, int workers, Pool<DocumentRoom>& pool,
               std::vector<std::string>& blocks, FirstFailure& failed) const {
        blocks.resize(texts.size());
        size_t characters = 0;
        for (const GivenText& text : texts) characters += text.characters;
        // Few texts a time, so that all threads end at about the same time.
        const size_t mean = characters / std::max<size_t>(texts.size(), 1) + 1;
        const auto chunk = static_cast<int64_t>(std::max<size_t>(TOGETHER / mean, 1));
        const auto some = [&](int64_t begin, int64_t end) {
            try {
                std::unique_ptr<DocumentRoom> room =
                    pool.take([] { return std::make_unique<DocumentRoom>(); });
                parse_some(lines, texts, static_cast<size_t>(begin), static_cast<size_t>(end), wanted,
                           kernels, *room, blocks, failed);
                pool.give_back(std::move(room));
            } catch (const std::bad_alloc&) {
                failed.note(begin, DOCUMENT_MEMORY);
            } catch (const std::length_error&) {
                failed.note(begin, DOCUMENT_TOO_LONG);
            }
        };
        for_chunks(static_cast<int64_t>(texts.size()), chunk, workers, some);
    }

  private:
    static constexpr size_t TOGETHER = 1500;   // characters that threads take together
    static constexpr uint32_t ANALYSED = 240;  // tokens that networks read together

    void parse_some(const std::vector<GivenLine>& lines, const std::vector<GivenText>& texts,
                    size_t begin, size_t end, Wanted wanted, const Kernels& kernels,
                    DocumentRoom& room, std::vector<std::string>& blocks,
                    FirstFailure& failed) const {
        const size_t first_line = texts[begin].first;
        tokenize(lines, first_line, texts[end - 1].end, room);
        analyse(wanted, kernels, room);
        size_t entity = 0;
        for (size_t text = begin; text < end; ++text) {
            const bool made = write(lines, texts[text], first_line, wanted, room, entity, blocks[text]);
            if (!made) failed.note(static_cast<int64_t>(text), DOCUMENT_TOO_LONG);
        }
    }

    void tokenize(const std::vector<GivenLine>& lines, size_t begin, size_t end,
                  DocumentRoom& room) const {
        room.tokens.clear();
        room.words.clear();
        room.line_ends.assign(1, 0);
        for (size_t line = begin; line < end; ++line) {
            tokenizer_.tokenize(lines[line].text, room.tokenizer, room.line);
            for (Token& token : room.line) {
                const TokenIds ids = tokenizer_.ids(token);
                room.words.push_back({ids.norm, ids.prefix, ids.suffix, ids.shape,
                                      uint64_t{token.blank_follows} | uint64_t{token.is_space} << 1});
                token.norm = {};  // the next line's tokens take its place
                room.tokens.push_back(token);
            }
            room.line_ends.push_back(static_cast<uint32_t>(room.tokens.size()));
        }
    }

    void analyse(Wanted wanted, const Kernels& kernels, DocumentRoom& room) const {
        Analysis& all = room.all;
        for (std::vector<uint8_t>* of : {&all.tags, &all.labels, &all.starts}) of->clear();
        all.heads.clear();
        all.entities.clear();
        uint32_t first = 0;
        room.ends.clear();
        for (size_t line = 1; line < room.line_ends.size(); ++line) {
            const uint32_t end = room.line_ends[line];
            if (end > room.line_ends[line - 1]) room.ends.push_back(end - first);
            const bool last = line + 1 == room.line_ends.size();
            if (room.ends.empty() || (!last && room.line_ends[line + 1] - first <= ANALYSED)) continue;
            const Lines lines{room.words.data() + first, room.ends.data(), room.ends.size()};
            networks_.analyse(lines, wanted.entities, kernels, room.networks, room.some);
            const auto append = [](auto& to, const auto& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            append(all.tags, room.some.tags);
            append(all.labels, room.some.labels);
            append(all.starts, room.some.starts);
            append(all.heads, room.some.heads);
            for (const EntitySpan& span : room.some.entities)
                all.entities.push_back({first + span.first, first + span.last, span.label});
            first = end;
            room.ends.clear();
        }
    }

    // Returns false if the block would be too long.
    bool write(const std::vector<GivenLine>& lines, const GivenText& text, size_t first_line,
               Wanted wanted, DocumentRoom& room, size_t& entity, std::string& out) const {
        const Analysis& all = room.all;
        const uint32_t* const ends = room.line_ends.data() + (text.first - first_line);
        const size_t line_count = text.end - text.first;
        const uint32_t begin = ends[0], end = ends[line_count];
        std::vector<uint32_t>& block = room.block;
        packed::Counts counts{};
        counts.tokens = end - begin;
        block.assign(packed::HEADER, 0);
        for (size_t line = 0; line < line_count; ++line)
            for (uint32_t t = ends[line]; t < ends[line + 1]; ++t)
                if (t == ends[line] || all.starts[t]) block.push_back(t - begin);
        counts.sentences = static_cast<uint32_t>(block.size() - packed::HEADER);
        block.push_back(counts.tokens);
        block.insert(block.end(), counts.sentences, packed::NO_TREE);
        put_strings(ends, line_count, wanted, room);
        put_heads(ends, line_count, room);
        put_places(lines, text.first, ends, line_count, room);
        const size_t first_entity = entity;
        size_t kept = 0;
        for (; entity < all.entities.size() && all.entities[entity].last < end; ++entity) {
            if (kinds_[all.entities[entity].label].empty()) continue;
            block.push_back(room.strings.add(kinds_[all.entities[entity].label]) - 1);
            ++kept;
        }
        for (const auto of : {&EntitySpan::first, &EntitySpan::last}) {
            for (size_t k = first_entity; k < entity; ++k) {
                const EntitySpan& span = all.entities[k];
                if (!kinds_[span.label].empty()) block.push_back(span.*of - begin);
            }
        }
        counts.entities = static_cast<uint32_t>(kept);
        const std::vector<size_t>& offsets = room.strings.ends();
        const std::string& bytes = room.strings.bytes();
        if (bytes.size() > 0x7FFFFFFF) return false;
        counts.strings = static_cast<uint32_t>(offsets.size() - 1);
        counts.string_bytes = static_cast<uint32_t>(bytes.size());
        if (counts.bytes() > 0x7FFFFFFF) return false;
        for (const size_t offset : offsets) block.push_back(static_cast<uint32_t>(offset));
        const bool ascii = packed::is_ascii(bytes.data(), bytes.size());
        const uint32_t header[packed::HEADER] = {
            packed::MAGIC, packed::VERSION, static_cast<uint32_t>(counts.bytes()),
            ascii ? packed::ALL_ASCII : 0, counts.tokens, counts.sentences, counts.entities,
            counts.strings, counts.string_bytes};
        std::copy(header, header + packed::HEADER, block.begin());
        out.reserve(counts.bytes());
        out.assign(reinterpret_cast<const char*>(block.data()), block.size() * sizeof(uint32_t));
        out.append(bytes);
        out.resize(counts.bytes(), '\0');
        return true;
    }

    // Forms, tags, lemmas and labels.
    void put_strings(const uint32_t* ends, size_t line_count, Wanted wanted, DocumentRoom& room) const {
        std::vector<uint32_t>& block = room.block;
        const Analysis& all = room.all;
        const uint32_t begin = ends[0], end = ends[line_count];
        room.strings.clear();
        for (uint32_t t = begin; t < end; ++t)
            block.push_back(room.strings.add(room.tokens[t].form) - 1);
        put_names(networks_.tags(), all.tags, begin, end, room);
        if (wanted.lemmas) {
            for (size_t line = 0; line < line_count; ++line) {
                const uint32_t first = ends[line], count = ends[line + 1] - first;
                room.lemmas.resize(count);
                lemmatizer_.lemmatize(room.tokens.data() + first, count, all.tags.data() + first,
                                      all.labels.data() + first, room.lemmatizer, room.lemmas.data());
                for (const std::string_view lemma : room.lemmas)
                    block.push_back(room.strings.add(lemma) - 1);
            }
        } else if (end > begin) {
            block.insert(block.end(), end - begin, room.strings.add("") - 1);
        }
        put_names(labels_, all.labels, begin, end, room);
    }

    static void put_names(const std::vector<std::string>& names, const std::vector<uint8_t>& which,
                          uint32_t begin, uint32_t end, DocumentRoom& room) {
        constexpr uint32_t NONE = 0xFFFFFFFF;
        uint32_t numbers[256];
        std::fill(numbers, numbers + 256, NONE);
        for (uint32_t t = begin; t < end; ++t) {
            uint32_t& number = numbers[which[t]];
            if (number == NONE) number = room.strings.add(names[which[t]]) - 1;
            room.block.push_back(number);
        }
    }

    // Heads in their sentences; -1 for roots.
    static void put_heads(const uint32_t* ends, size_t line_count, DocumentRoom& room) {
        const Analysis& all = room.all;
        for (size_t line = 0; line < line_count; ++line) {
            int32_t sentence = 0;
            for (uint32_t t = ends[line]; t < ends[line + 1]; ++t) {
                const auto at = static_cast<int32_t>(t - ends[line]);
                if (all.starts[t]) sentence = at;
                const int32_t head = all.heads[t] == at ? -1 : all.heads[t] - sentence;
                room.block.push_back(static_cast<uint32_t>(head));
            }
        }
    }

    // The places of tokens in their text.
    static void put_places(const std::vector<GivenLine>& lines, size_t first_line,
                           const uint32_t* ends, size_t line_count, DocumentRoom& room) {
        for (const bool is_end : {false, true}) {
            for (size_t k = 0; k < line_count; ++k) {
                const GivenLine& line = lines[first_line + k];
                for (uint32_t t = ends[k]; t < ends[k + 1]; ++t) {
                    const Token& token = room.tokens[t];
                    const uint32_t at = is_end ? token.end : token.start;
                    const int32_t place = line.starts == nullptr ? static_cast<int32_t>(at)
                                          : is_end               ? line.ends[at - 1]
                                                                 : line.starts[at];
                    room.block.push_back(static_cast<uint32_t>(line.offset + place));
                }
            }
        }
    }

    Tokenizer tokenizer_;
    Networks networks_;
    Lemmatizer lemmatizer_;
    std::vector<std::string> labels_;  // in lower case
    std::vector<std::string> kinds_;   // of entity labels; empty for those that are left out
};

}  // namespace summeval::parsing
