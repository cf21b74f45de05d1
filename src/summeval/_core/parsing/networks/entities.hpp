// The entity recognizer: moves Begin, In, Last, Unit and Out, as spaCy's, each the best valid one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parsing/networks/decider.hpp"
#include "rows/stop.hpp"

namespace summeval::parsing {

struct EntitySpan {
    uint32_t first, last;  // tokens
    uint32_t label;
};

class EntityRecognizer {
  public:
    explicit EntityRecognizer(const Sections& sections)
        : decider_(sections, "entities", SLOTS, SectionReader(sections, "entity_moves").lines().size()) {
        SectionReader from(sections, "entity_moves");
        for (const std::string& name : from.lines()) {
            const size_t kind = name.empty() ? std::string::npos : std::string("BILUO").find(name[0]);
            if (kind > OUT) from.fail();
            const std::string label = name.size() > 2 ? name.substr(2) : "";
            moves_.push_back({static_cast<uint8_t>(kind), label.empty() ? NONE : number(label)});
        }
        // Out is always valid outside, the end of the entity inside.
        const auto has = [&](uint8_t kind, uint32_t label) {
            return std::any_of(moves_.begin(), moves_.end(), [&](const Move& move) {
                return move.kind == kind && move.label == label;
            });
        };
        if (!has(OUT, NONE)) from.fail();
        for (const Move& move : moves_)
            if (move.kind == BEGIN && !has(LAST, move.label)) from.fail();
        // Outside an entity, by whether one may begin (1) and may be one token (2).
        for (size_t valid = 0; valid < 4; ++valid) {
            barred_.push_back(decider_.barred([&](uint32_t number) {
                const Move& move = moves_[number];
                if (move.label == NONE) return move.kind == OUT;
                return (move.kind == BEGIN && (valid & 1)) || (move.kind == UNIT && (valid & 2));
            }));
        }
        // Inside one, by its label and whether it may go on.
        for (uint32_t label = 0; label < labels_.size(); ++label) {
            for (const bool on : {false, true}) {
                barred_.push_back(decider_.barred([&](uint32_t number) {
                    const Move& move = moves_[number];
                    return move.label == label && (move.kind == LAST || (on && move.kind == IN));
                }));
            }
        }
    }

    const std::vector<std::string>& labels() const noexcept { return labels_; }
    const Decider& decider() const noexcept { return decider_; }

    // Appends the entities of a line; `starts` says where sentences begin, `spaces` which tokens are
    // white space. Tokens are numbered from `offset`.
    void find(const float* given, const uint8_t* starts, const uint8_t* spaces, size_t size,
              uint32_t offset, const Kernels& kernels, Pace& pace,
              std::vector<EntitySpan>& found) const {
        int32_t open = -1;  // first token of the entity
        uint32_t label = 0;
        for (size_t k = 0; k < size; ++k) {
            pace(60);
            const bool on = k + 1 < size && !starts[k + 1];
            const auto at = static_cast<int32_t>(k);
            const bool solid = !spaces[k];
            const size_t valid = open < 0 ? size_t{on && solid} + 2 * size_t{solid}
                                          : 4 + 2 * size_t{label} + size_t{on};
            const int32_t tokens[SLOTS] = {at, open, open < 0 ? -1 : at - 1};
            const Move& move = moves_[decider_.choose(given, tokens, barred_[valid], kernels)];
            const uint32_t token = offset + static_cast<uint32_t>(k);
            if (move.kind == BEGIN) {
                open = at;
                label = move.label;
            } else if (move.kind == UNIT) {
                found.push_back({token, token, move.label});
            } else if (move.kind == LAST) {
                found.push_back({offset + static_cast<uint32_t>(open), token, label});
                open = -1;
            }
        }
    }

  private:
    enum : uint8_t { BEGIN, IN, LAST, UNIT, OUT };
    struct Move {
        uint8_t kind;
        uint32_t label;
    };
    static constexpr size_t SLOTS = 3;
    static constexpr uint32_t NONE = 0xFFFFFFFF;

    uint32_t number(const std::string& label) {
        const auto found = std::find(labels_.begin(), labels_.end(), label) - labels_.begin();
        if (static_cast<size_t>(found) == labels_.size()) labels_.push_back(label);
        return static_cast<uint32_t>(found);
    }

    Decider decider_;
    std::vector<Move> moves_;
    std::vector<std::string> labels_;
    std::vector<Barred> barred_;
};

}  // namespace summeval::parsing
