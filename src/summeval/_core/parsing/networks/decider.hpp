// What moves are chosen by: each token of a state gives sums for its slot, and a layer over them
// scores the moves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parsing/networks/layers.hpp"

namespace summeval::parsing {

class Decider {
  public:
    Decider(const Sections& sections, const std::string& name, size_t slots, size_t moves)
        : slots_(slots) {
        SectionReader from(sections, name);
        affine_ = read_affine(from, slots * STATE, planar);
        const std::vector<float> absent = from.numbers<float>(slots * STATE);
        absent_.resize(absent.size());
        for (size_t k = 0; k < absent.size(); ++k) absent_[planar(k)] = absent[k];
        chooser_ = read_chooser(from, moves);
        from.end();
    }

    const Affine& affine() const noexcept { return affine_; }
    const Chooser& chooser() const noexcept { return chooser_; }

    // The sums of the slots; `given` is [tokens][outputs of the map], a token is -1 if absent.
    void slots(const float* given, const int32_t* tokens, const float** found) const noexcept {
        for (size_t s = 0; s < slots_; ++s) {
            const float* const of = tokens[s] < 0
                                        ? absent_.data()
                                        : given + static_cast<size_t>(tokens[s]) * affine_.outputs();
            found[s] = of + s * STATE;
        }
    }

  private:
    size_t slots_;
    Affine affine_;
    std::vector<float> absent_;
    Chooser chooser_;
};

}  // namespace summeval::parsing
