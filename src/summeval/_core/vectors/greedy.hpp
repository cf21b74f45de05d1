// Greedy matching of token vectors by cosine, as in BERTScore: each token of one text takes the
// token of the other that is most like it.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "rows/parallel.hpp"
#include "rows/stop.hpp"
#include "vectors/quads.hpp"

namespace summeval {

enum : int { GREEDY_MEMORY = 1 };

// The tokens of texts, one after the other: those of text t are starts[t] to starts[t + 1].
struct TokenVectors {
    const float* rows;     // [token, size], of any length but finite
    const double* weights;  // [token]
    const int64_t* starts;  // [text + 1]
    int64_t texts;
    int64_t size;

    int64_t tokens(int64_t text) const noexcept { return starts[text + 1] - starts[text]; }
    const float* at(int64_t token) const noexcept { return rows + token * size; }
};

inline double dot(const float* a, const float* b, int64_t size) noexcept {
    double even = 0.0, odd = 0.0;
    int64_t k = 0;
    for (; k + 2 <= size; k += 2) {
        even += static_cast<double>(a[k]) * b[k];
        odd += static_cast<double>(a[k + 1]) * b[k + 1];
    }
    if (k < size) even += static_cast<double>(a[k]) * b[k];
    return even + odd;
}

// 1 / length of each vector, 0 for one of length 0.
inline void inverse_lengths(const TokenVectors& v, int workers, double* inverse) {
    for_chunks(v.texts, 64, workers, [&](int64_t first, int64_t last) {
        Pace pace;
        for (int64_t token = v.starts[first]; token < v.starts[last]; ++token) {
            pace(static_cast<uint64_t>(v.size) / 2 + 1);
            const double square = dot(v.at(token), v.at(token), v.size);
            inverse[token] = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
        }
    });
}

// Compares two texts; kept to reuse its memory.
class GreedyWork {
  public:
    GreedyWork(const TokenVectors& vectors, const double* inverse) noexcept
        : v_(vectors), inverse_(inverse) {}

    // The weighted means of the greatest cosines of each token of `left`, and of `right`.
    void match(int64_t left, int64_t right, double* precision, double* recall) {
        const int64_t n = v_.tokens(left), m = v_.tokens(right);
        if (n == 0 || m == 0) {
            *precision = *recall = std::numeric_limits<double>::quiet_NaN();
            return;
        }
        left_.restart(n);
        right_.restart(m);
        search(v_.starts[left], n, v_.starts[right], m);
        *precision = mean(v_.starts[left], n, v_.starts[right], left_);
        *recall = mean(v_.starts[right], m, v_.starts[left], right_);
    }

  private:
    static constexpr int HIGH = 4, WIDE = 2;  // with the sums they fill the sixteen registers

    // The best partner so far of each token of one text.
    struct Best {
        std::vector<float> cosine;
        std::vector<int64_t> place;
        void restart(int64_t tokens) {
            cosine.assign(static_cast<size_t>(tokens), -std::numeric_limits<float>::infinity());
            place.assign(static_cast<size_t>(tokens), 0);
        }
        void take(int64_t token, float found, int64_t partner) noexcept {
            if (found > cosine[static_cast<size_t>(token)]) {
                cosine[static_cast<size_t>(token)] = found;
                place[static_cast<size_t>(token)] = partner;
            }
        }
    };

    TokenVectors v_;
    const double* inverse_;
    Best left_, right_;
    Pace pace_;

    void search(int64_t left, int64_t n, int64_t right, int64_t m) {
        for (int64_t i = 0; i < n; i += HIGH)
            for (int64_t j = 0; j < m; j += WIDE) {
                pace_(static_cast<uint64_t>(v_.size) + 16);
                block(left, i, n, right, j, m);
            }
    }

    // The cosines of HIGH tokens of one text with WIDE of the other; at its end a text's last token
    // comes again.
    void block(int64_t left, int64_t i, int64_t n, int64_t right, int64_t j, int64_t m) noexcept {
        const float *a[HIGH], *b[WIDE];
        for (int k = 0; k < HIGH; ++k) a[k] = v_.at(left + std::min(i + k, n - 1));
        for (int k = 0; k < WIDE; ++k) b[k] = v_.at(right + std::min(j + k, m - 1));
        Quad sums[HIGH][WIDE];
        for (int x = 0; x < HIGH; ++x)
            for (int y = 0; y < WIDE; ++y) sums[x][y] = Quad::none();
        const int64_t whole = v_.size - v_.size % Quad::COUNT;
        for (int64_t k = 0; k < whole; k += Quad::COUNT) {
            const Quad right0 = Quad::load(b[0] + k), right1 = Quad::load(b[1] + k);
            for (int x = 0; x < HIGH; ++x) {
                const Quad one = Quad::load(a[x] + k);
                sums[x][0] = sums[x][0] + one * right0;
                sums[x][1] = sums[x][1] + one * right1;
            }
        }
        for (int x = 0; x < HIGH && i + x < n; ++x)
            for (int y = 0; y < WIDE && j + y < m; ++y) {
                float sum = total(sums[x][y]);
                for (int64_t k = whole; k < v_.size; ++k) sum += a[x][k] * b[y][k];
                const double cosine =
                    sum * inverse_[left + i + x] * inverse_[right + j + y];
                left_.take(i + x, static_cast<float>(cosine), j + y);
                right_.take(j + y, static_cast<float>(cosine), i + x);
            }
    }

    // The search is in float32; the cosines that were found are computed again in double, so that
    // equal texts have exactly 1.
    double mean(int64_t own, int64_t tokens, int64_t other, const Best& best) {
        double sum = 0.0, weights = 0.0;
        for (int64_t k = 0; k < tokens; ++k) {
            const double weight = v_.weights[own + k];
            weights += weight;
            if (weight == 0.0) continue;
            pace_(static_cast<uint64_t>(v_.size));
            const int64_t partner = other + best.place[static_cast<size_t>(k)];
            const double cosine = dot(v_.at(own + k), v_.at(partner), v_.size) *
                                  (inverse_[own + k] * inverse_[partner]);
            sum += weight * std::min(std::max(cosine, -1.0), 1.0);
        }
        return sum / weights;
    }
};

// precision[pair] and recall[pair] of the texts left[pair] and right[pair].
inline void greedy_pairs(const TokenVectors& v, const int64_t* left, const int64_t* right,
                         int64_t pairs, int workers, double* precision, double* recall,
                         FirstFailure& failed) {
    std::vector<double> inverse(static_cast<size_t>(v.starts[v.texts]));
    inverse_lengths(v, workers, inverse.data());
    for_chunks(pairs, 8, workers, [&](int64_t first, int64_t last) {
        int64_t pair = first;
        try {
            GreedyWork work(v, inverse.data());
            for (; pair < last; ++pair)
                work.match(left[pair], right[pair], precision + pair, recall + pair);
        } catch (const std::bad_alloc&) {
            failed.note(pair, GREEDY_MEMORY);
        }
    });
}

}  // namespace summeval
