// What moves are chosen by: each token of a state gives sums for its slot, and a layer over them
// scores the moves.
#pragma once
#include <algorithm>
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

    // The best move of a state, of those that are not barred. (If the weights are damaged, no score
    // may be a number; then it is the first one.)
    uint32_t choose(const float* given, const int32_t* tokens, const std::vector<float>& barred,
                    const Kernels& kernels) const noexcept {
        const float* found[MOST_SLOTS];
        slots(given, tokens, found);
        const uint32_t move = kernels.choose(chooser_, found, slots_, barred.data());
        if (move < chooser_.moves && barred[move] == 0) return move;
        return static_cast<uint32_t>(std::find(barred.begin(), barred.end(), 0) - barred.begin());
    }

  private:
    static constexpr size_t MOST_SLOTS = 8;

    // The sums of the slots; `given` is [tokens][outputs of the map], a token is -1 if absent.
    void slots(const float* given, const int32_t* tokens, const float** found) const noexcept {
        for (size_t s = 0; s < slots_; ++s) {
            const float* const of = tokens[s] < 0
                                        ? absent_.data()
                                        : given + static_cast<size_t>(tokens[s]) * affine_.outputs();
            found[s] = of + s * STATE;
        }
    }

    size_t slots_;
    Affine affine_;
    std::vector<float> absent_;
    Chooser chooser_;
};

}  // namespace summeval::parsing
