// The reward that a preset makes of scores and guards (see tests/definitions/guards.py).
#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "guards/guard_rows.hpp"

namespace summeval {

struct PresetTerm {
    size_t column;  // of the scores of a row
    double share;
    bool rises;  // whether a higher score is better
};

// A part: the sum of some scores, on a scale from 0 to 1.
struct PresetPart {
    std::vector<PresetTerm> terms;
    double weight, worst, cap, minimum, top;
};

struct Preset {
    std::vector<PresetPart> parts;
    double form = 0;    // what form alone gives
    double beyond = 0;  // how fast a part grows beyond its cap
    double repetition = 0;  // the weight of the share of repeated words
    size_t width() const noexcept { return parts.size() + GUARDS + 1; }

    double scaled(const PresetPart& part, double score) const noexcept {
        const double found = (score - part.worst) / (part.cap - part.worst);
        if (found > 1.0) return (1.0 + beyond * (found - 1.0)) / part.top;
        return (found < 0.0 ? 0.0 : found) / part.top;
    }

    // Of the parts on their scales and the product of the guards.
    double reward(const double* scaled, double guard) const noexcept {
        double total = 0.0, most = 0.0, met = 1.0;
        for (size_t k = 0; k < parts.size(); ++k) {
            const PresetPart& part = parts[k];
            total += part.weight * part.top * scaled[k];
            most += part.weight * part.top;
            if (scaled[k] * part.top < part.minimum)
                met *= scaled[k] * part.top / part.minimum;
        }
        // No clip: what is better has the higher reward up to the top.
        return guard * (form + (1.0 - form) * total * met) / (form + (1.0 - form) * most);
    }

    // Writes the parts, guards and repetition of a row to `out`; returns its reward. Without some
    // score all of them are 0. scores: [column][row]; guards: [guard][row], then the repeated
    // share.
    double judge(const double* scores, const double* guards, size_t row, size_t rows,
                 double* out) const noexcept {
        double sum = 0.0;
        for (size_t k = 0; k < parts.size(); ++k) {
            double score = 0.0;
            for (const PresetTerm& term : parts[k].terms) {
                const double one = scores[term.column * rows + row];
                score += term.share * (term.rises ? one : 1.0 - one);
            }
            out[k] = scaled(parts[k], score);
            sum += out[k];
        }
        if (std::isnan(sum)) {
            for (size_t k = 0; k < width(); ++k) out[k] = 0.0;
            return 0.0;
        }
        double* const guard = out + parts.size();
        double product = 1.0;
        for (size_t k = 0; k < GUARDS; ++k) product *= guard[k] = guards[k * rows + row];
        const double repeated = guards[GUARDS * rows + row];
        guard[GUARDS] = std::max(0.0, 1.0 - repetition * repeated);
        return reward(out, product * guard[GUARDS]);
    }
};

// What texts are compared with, read by an engine.
struct ReadySide {
    TextEngine* engine;
    const Ready* ready;
};

// out: [side][number][row]; statuses: [side][row], zeros at first.
inline void score_sides(const std::vector<ReadySide>& sides, const View* texts, int64_t rows,
                        int workers, double* out, uint8_t* statuses) {
    for (const ReadySide& side : sides) {
        FirstFailure failure;
        failure.keep(statuses);
        side.engine->score_ready_rows(*side.ready, texts, rows, workers, out, failure);
        out += static_cast<int64_t>(side.engine->width()) * rows;
        statuses += rows;
    }
}

// out: [row][part, guard or repetition].
inline void judge_rows(const Preset& preset, const double* scores, const double* guards,
                       size_t rows, double* rewards, double* out) {
    Pace pace;
    for (size_t row = 0; row < rows; ++row, out += preset.width()) {
        pace(64);
        rewards[row] = preset.judge(scores, guards, row, rows, out);
    }
}

}  // namespace summeval
