// BLEU and GLEU: n-grams of tokens that a candidate and its references share.
#pragma once
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "field/grams/grams.hpp"
#include "field/tokenizers/tokenizers.hpp"
#include "rows/engine.hpp"

namespace summeval {

enum BleuSmoothing : int { SMOOTH_NONE = 0, SMOOTH_FLOOR = 1, SMOOTH_ADD = 2, SMOOTH_EXP = 3 };

struct BleuSetup {
    int tokenizer = TOKENS_13A;
    int least_order = 1, max_order = 4;
    bool gleu = false;
    int smoothing = SMOOTH_EXP;
    double smoothing_value = 0;
    bool effective_order = false;  // only orders of which the candidate has n-grams count

    size_t orders() const noexcept { return static_cast<size_t>(max_order); }
    size_t fields() const noexcept { return gleu ? 1 : 4 + orders(); }
    size_t statistics() const noexcept { return gleu ? 2 : 2 + 2 * orders(); }

    void of_sums(const double* sums, double* out) const noexcept {
        if (gleu)
            out[0] = sums[1] > 0 ? sums[0] / sums[1] : 0;
        else
            bleu_of(sums, out);
    }

    // sums: length of the candidate, of the reference; for each order the shared n-grams, then for
    // each order those of the candidate. out: BLEU, brevity penalty, both lengths, precisions.
    void bleu_of(const double* sums, double* out) const noexcept {
        const double length = sums[0], wanted = sums[1];
        const double *correct = sums + 2, *total = sums + 2 + orders();
        double* const precisions = out + 4;
        const double brevity = length >= wanted ? 1 : length > 0 ? std::exp(1 - wanted / length) : 0;
        out[0] = 0;
        out[1] = brevity;
        out[2] = length;
        out[3] = wanted;
        bool any = false;
        for (size_t n = 0; n < orders(); ++n) {
            precisions[n] = 0;
            any = any || correct[n] > 0;
        }
        if (!any) return;
        size_t order = orders();
        double halvings = 1;
        for (size_t n = 0; n < orders(); ++n) {
            const double added = smoothing == SMOOTH_ADD && n > 0 ? smoothing_value : 0;
            const double right = correct[n] + added, all = total[n] + added;
            if (all == 0) break;
            if (effective_order) order = n + 1;
            if (right > 0) {
                precisions[n] = right / all;
            } else if (smoothing == SMOOTH_EXP) {
                halvings *= 2;
                precisions[n] = 1 / (halvings * all);
            } else if (smoothing == SMOOTH_FLOOR) {
                precisions[n] = smoothing_value / all;
            }
        }
        double logs = 0;
        for (size_t n = 0; n < order; ++n) {
            if (precisions[n] == 0) return;
            logs += std::log(precisions[n]);
        }
        out[0] = brevity * std::exp(logs / static_cast<double>(order));
    }

    size_t width() const noexcept { return fields() + statistics(); }
};

struct BleuReferences {
    WordLevels grams;
    std::vector<std::vector<int32_t>> most;  // of each order, the greatest count of each n-gram
    void shrink() { grams.shrink(); }
};

class BleuSpace : public KeptSpace<BleuSetup, BleuReferences, 20> {
  public:
    int build(const View* texts, size_t count, const BleuSetup& setup, BleuReferences& out) {
        if (readings_.size() < count) readings_.resize(count);
        for (size_t t = 0; t < count; ++t)
            if (const int status = tokens_.read_keys(setup.tokenizer, texts[t], readings_[t]))
                return status;
        out.grams.build(readings_, count, setup.orders());
        if (count > 1 && !setup.gleu) out.grams.most(out.most);
        return OK;
    }

    int score(View text, const BleuReferences& side, const BleuSetup& setup, double* results) {
        if (const int status = tokens_.read_keys(setup.tokenizer, text, own_)) return status;
        double* const sums = results + setup.fields();
        if (setup.gleu)
            compare_each(side, setup, sums);
        else
            compare_all(side, setup, sums);
        setup.of_sums(sums, results);
        return OK;
    }

  private:
    void compare_all(const BleuReferences& side, const BleuSetup& setup, double* sums) {
        const auto away = [&](size_t size) {
            return size > own_.size ? size - own_.size : own_.size - size;
        };
        size_t closest = side.grams.sizes[0];
        for (const size_t size : side.grams.sizes)
            if (away(size) < away(closest) || (away(size) == away(closest) && size < closest))
                closest = size;
        sums[0] = static_cast<double>(own_.size);
        sums[1] = static_cast<double>(closest);
        const bool several = side.grams.texts > 1;
        side.grams.count(own_, ids_, counts_, [&](size_t n, const int32_t* found, const Level& level) {
            const int32_t* const most = several ? side.most[n - 1].data() : level.row(0);
            sums[1 + n] = static_cast<double>(sum_of_minima(found, most, level.stride - 1));
            sums[1 + n + setup.orders()] = static_cast<double>(grams_of(own_.size, n));
        });
    }

    // The shared n-grams of all orders, and the greater number of n-grams of both sides, beside the
    // reference with the best quotient; the first of equal ones.
    void compare_each(const BleuReferences& side, const BleuSetup& setup, double* sums) {
        shared_.assign(side.grams.texts, 0);
        const size_t least = static_cast<size_t>(setup.least_order);
        side.grams.count(own_, ids_, counts_, [&](size_t n, const int32_t* found, const Level& level) {
            if (n < least) return;
            for (size_t t = 0; t < side.grams.texts; ++t)
                shared_[t] += static_cast<double>(
                    sum_of_minima(found, level.row(t), level.stride - 1));
        });
        const auto all = [&](size_t size) {
            size_t sum = 0;
            for (size_t n = least; n <= setup.orders(); ++n) sum += grams_of(size, n);
            return static_cast<double>(sum);
        };
        sums[0] = sums[1] = 0;
        for (size_t t = 0; t < side.grams.texts; ++t) {
            const double most = std::max(all(own_.size), all(side.grams.sizes[t]));
            if (most > 0 && (sums[1] == 0 || shared_[t] / most > sums[0] / sums[1])) {
                sums[0] = shared_[t];
                sums[1] = most;
            }
        }
    }

    FieldTokens tokens_;
    std::vector<Reading> readings_;
    Reading own_;
    std::vector<uint32_t> ids_;
    std::vector<int32_t> counts_;
    std::vector<double> shared_;
};

using BleuEngine = EngineOf<BleuSpace>;

}  // namespace summeval
