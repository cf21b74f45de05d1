// All networks: from words in lines to tags, heads, labels, sentences and entities.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "parsing/networks/arcs.hpp"
#include "parsing/networks/encoder.hpp"
#include "parsing/networks/entities.hpp"

namespace summeval::parsing {

// What is found in lines, for all of their tokens one after the other.
struct Analysis {
    std::vector<uint8_t> tags, labels, starts;  // starts: whether a sentence begins
    std::vector<int32_t> heads;                 // in the line; its own number for roots
    std::vector<EntitySpan> entities;
};

struct NetworksRoom {
    EncoderRoom words, entity_words;
    ArcRoom arcs;
    Aligned<float> given;
    std::vector<uint8_t> spaces;
    Pace pace;
};

class Networks {
  public:
    explicit Networks(const Sections& sections)
        : tags_(SectionReader(sections, "tags").lines()),
          words_(sections, "words"),
          arcs_(sections),
          entity_words_(sections, "entity_words"),
          entities_(sections) {
        SectionReader from(sections, "tagger");
        tagger_ = read_affine(from, tags_.size(), [](size_t row) { return row; });
        std::fill(tagger_.addends.begin() + static_cast<std::ptrdiff_t>(tags_.size()),
                  tagger_.addends.end(), -std::numeric_limits<float>::infinity());
        from.end();
        const auto space = std::find(tags_.begin(), tags_.end(), "_SP");
        if (tags_.size() > 255 || space == tags_.end()) from.fail();
        space_ = static_cast<uint8_t>(space - tags_.begin());
    }

    const std::vector<std::string>& tags() const noexcept { return tags_; }
    const std::vector<std::string>& labels() const noexcept { return arcs_.labels(); }
    const std::vector<std::string>& entity_labels() const noexcept { return entities_.labels(); }

    // No line is empty. The result of a line does not depend on the others.
    void analyse(const Lines& lines, bool with_entities, const Kernels& kernels, NetworksRoom& room,
                 Analysis& found) const {
        const size_t size = lines.size();
        found.entities.clear();
        for (std::vector<uint8_t>* of : {&found.tags, &found.labels, &found.starts, &room.spaces})
            of->resize(size);
        found.heads.resize(size);
        if (size == 0) return;
        for (size_t k = 0; k < size; ++k) room.spaces[k] = lines.words[k].flags >> 1 & 1;
        words_.encode(lines, kernels, room.words);
        tag(kernels, room, found);
        give(arcs_.decider().affine(), room.words, kernels, room);
        for (size_t line = 0; line < lines.count; ++line) {
            const uint32_t first = lines.first(line), end = lines.ends[line];
            arcs_.parse(given(arcs_.decider(), first, room), end - first, kernels, room.pace,
                        room.arcs);
            arcs_.finish(room.spaces.data() + first, room.arcs);
            std::copy(room.arcs.heads.begin(), room.arcs.heads.end(), found.heads.data() + first);
            std::copy(room.arcs.labels.begin(), room.arcs.labels.end(), found.labels.data() + first);
            std::copy(room.arcs.starts.begin(), room.arcs.starts.end(), found.starts.data() + first);
        }
        if (!with_entities) return;
        entity_words_.encode(lines, kernels, room.entity_words);
        give(entities_.decider().affine(), room.entity_words, kernels, room);
        for (size_t line = 0; line < lines.count; ++line) {
            const uint32_t first = lines.first(line);
            entities_.find(given(entities_.decider(), first, room), found.starts.data() + first,
                           room.spaces.data() + first, lines.ends[line] - first, first, kernels,
                           room.pace, found.entities);
        }
    }

  private:
    static constexpr size_t TOGETHER = 256;  // words; a multiple of ROWS

    void tag(const Kernels& kernels, NetworksRoom& room, Analysis& found) const {
        const EncoderRoom& words = room.words;
        give(tagger_, words, kernels, room);
        for (size_t k = 0; k < found.tags.size(); ++k) {
            const float* const scores = room.given.data() + k * tagger_.outputs();
            const size_t best = kernels.first_largest(scores, tagger_.outputs());
            // Damaged weights may give no numbers.
            const auto tag = static_cast<uint8_t>(std::min(best, tags_.size() - 1));
            found.tags[k] = room.spaces[k] ? space_ : tag;
        }
    }

    // What a map gives for each word.
    static void give(const Affine& map, const EncoderRoom& words, const Kernels& kernels,
                     NetworksRoom& room) {
        const size_t size = words.found.size();
        grow(room.given, size * map.outputs());
        for (size_t first = 0; first < size; first += TOGETHER) {
            const size_t count = std::min(TOGETHER, size - first);
            room.pace(count << 8);
            kernels.affine(map, words.found.data() + first, words.found_scales.data() + first, count,
                           room.given.data() + first * map.outputs());
        }
    }

    static const float* given(const Decider& decider, size_t first, const NetworksRoom& room) {
        return room.given.data() + first * decider.affine().outputs();
    }

    std::vector<std::string> tags_;
    Encoder words_;
    Affine tagger_;
    ArcParser arcs_;
    Encoder entity_words_;
    EntityRecognizer entities_;
    uint8_t space_ = 0;
};

}  // namespace summeval::parsing
