// One pass over the labels of a document from the first to the last, and one back: the partition
// function, and for each label the belief in its two values (sums or maxima of the potentials of all
// labellings with that value).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "chains/chain_algebra.hpp"
#include "chains/chain_plan.hpp"
#include "rows/stop.hpp"

namespace summeval {
namespace chains {

constexpr int MOST_ORDER = 3, CONTEXTS = 2 << MOST_ORDER;  // of history and linked label
constexpr size_t BLOCK = size_t{1} << 19;  // entries of the tables that are kept at a time

// Log potentials: scores[t] of label 1 at t; context[(2 << k) - 2 + 2 h + y] of label y after the
// labels h, of which there are k (bit 0 is the earliest); link[2 p + y] of label y linked to label p.
struct Potentials {
    const double* scores;
    const double* context;
    const double* link;
    bool local;  // divide each factor by its sum over y

    static size_t context_at(int history, size_t labels) noexcept {
        return (size_t{2} << history) - 2 + 2 * labels;
    }
};

// What the ends of the cut links tell each other, as log odds of label 1.
struct Messages {
    std::vector<double> to_copy, to_parent;
    std::vector<double> at_label;  // the sum of to_parent over the cut links to a label
};

// Expected numbers of labels in their contexts; the arrays are as in Potentials.
struct Expected {
    std::vector<double> context, link;
};

// The factor of a label: an entry for each context and value, [h][p][y].
struct Factor {
    double whole[2 * CONTEXTS];       // as it is
    double without_copy[2 * CONTEXTS];  // a copied parent combined away: [h][0][y]
    double log_scale;                 // of without_copy

    static size_t at(size_t h, size_t p, size_t y) noexcept { return (h * 2 + p) * 2 + y; }
};

template <class Algebra>
class Sweep {
  public:
    std::vector<double> odds;       // for each label the log ratio of the beliefs in 1 and 0
    std::vector<double> copy_odds;  // the same for each copy
    double log_total = 0.0;         // of all labellings: the log partition function

    // Returns false if numbers became too small (Sums only). With `expected`, adds `times` the
    // expected numbers to it.
    bool run(const Plan& plan, const Potentials& potentials, const Messages& messages,
             Expected* expected, double times) {
        plan_ = &plan;
        potentials_ = potentials;
        messages_ = &messages;
        const int64_t size = static_cast<int64_t>(plan.steps().size());
        grow(odds, static_cast<size_t>(size));
        copy_odds.resize(plan.cuts().size());
        log_total = 0.0;
        if (size == 0) return true;
        full_.resize(size_t{1} << plan.widest());
        if (!forward(size)) return false;
        log_total += Algebra::LOGS ? next_[0] : std::log(next_[0]);
        next_.assign(1, Algebra::ONE);
        int64_t end = size;
        for (size_t b = starts_.size(); b-- > 0;) {
            if (end < size) again(b, end);
            for (int64_t t = end; t-- > starts_[b];)
                if (!back(t, expected, times)) return false;
            end = starts_[b];
        }
        return true;
    }

    // The beliefs with local normalisation, in one pass: nothing that comes later changes them. A
    // copy has the probabilities of its label. Returns false as `run` does.
    bool run_forward(const Plan& plan, const Potentials& potentials, Messages& messages) {
        plan_ = &plan;
        potentials_ = potentials;
        messages_ = &messages;
        const int64_t size = static_cast<int64_t>(plan.steps().size());
        grow(odds, static_cast<size_t>(size));
        full_.resize(size_t{1} << plan.widest());
        next_.assign(1, Algebra::ONE);
        double unused = 0.0;
        for (int64_t t = 0; t < size; ++t) {
            const Step& now = plan.steps()[t];
            if (now.cut >= 0) messages.to_copy[now.cut] = odds[plan.cuts()[now.cut].parent];
            begin_block(t);
            if (!step(t, &unused, true)) return false;
        }
        return true;
    }

  private:
    // Tables are kept for the last block only; for the blocks before, the first table is.
    bool forward(int64_t size) {
        starts_.clear();
        firsts_.clear();
        next_.assign(1, Algebra::ONE);
        size_t kept = BLOCK;
        for (int64_t t = 0; t < size; ++t) {
            if (kept >= BLOCK) {
                kept = 0;
                begin_block(t);
                starts_.push_back(t);
                firsts_.push_back(next_);
            }
            kept += next_.size();
            if (!step(t, &log_total)) return false;
        }
        return true;
    }

    void again(size_t b, int64_t end) {
        double unused = 0.0;
        back_.swap(next_);
        next_ = firsts_[b];
        begin_block(starts_[b]);
        for (int64_t t = starts_[b]; t < end; ++t) step(t, &unused);
        back_.swap(next_);
    }

    void begin_block(int64_t t) {
        tables_.clear();
        offsets_.clear();
        block_ = t;
    }

    // From the table before label t, in next_, to the one before t + 1. With `noting`, the beliefs at
    // t as far as t.
    bool step(int64_t t, double* log_scale, bool noting = false) {
        const Step& now = plan_->steps()[t];
        offsets_.push_back(tables_.size());
        tables_.insert(tables_.end(), next_.begin(), next_.end());
        read_factor(t, now);
        *log_scale += factor_.log_scale;
        const size_t half = next_.size();
        pace_(4 * half + 64);
        each_context(now, [&](size_t h, size_t p, size_t begin, size_t end) {
            const double zero = factor_.without_copy[Factor::at(h, p, 0)];
            const double one = factor_.without_copy[Factor::at(h, p, 1)];
            for (size_t s = begin; s < end; ++s) {
                full_[s] = Algebra::times(next_[s], zero);
                full_[half + s] = Algebra::times(next_[s], one);
            }
        });
        if (noting) {
            const auto sum = [&](size_t from) {
                double found = Algebra::NONE;
                for (size_t s = from; s < from + half; ++s) found = Algebra::plus(found, full_[s]);
                return found;
            };
            const double one = sum(half), zero = sum(0);
            odds[t] = Algebra::log_ratio(one, zero);
            if (!Algebra::accurate(one) || !Algebra::accurate(zero)) return false;
        }
        size_t size = 2 * half;
        for (int j = now.width; j >= 0; --j)
            if (now.out >> j & 1) size = leave(size, j);
        next_.assign(full_.begin(), full_.begin() + static_cast<int64_t>(size));
        return Algebra::scale(next_.data(), size, *log_scale);
    }

    // Combines the entries of full_ that differ in bit j.
    size_t leave(size_t size, int j) {
        const size_t low = size_t{1} << j;
        for (size_t from = 0, to = 0; from < size; from += 2 * low, to += low)
            for (size_t s = 0; s < low; ++s)
                full_[to + s] = Algebra::plus(full_[from + s], full_[from + low + s]);
        return size / 2;
    }

    // The opposite: copies each entry for both values of bit j.
    size_t enter(size_t size, int j) {
        const size_t low = size_t{1} << j;
        for (size_t from = size, to = 2 * size; from > 0;) {
            from -= low;
            to -= 2 * low;
            for (size_t s = low; s-- > 0;) full_[to + low + s] = full_[from + s];
            for (size_t s = low; s-- > 0;) full_[to + s] = full_[from + s];
        }
        return 2 * size;
    }

    // From the table after label t, in next_, to the one after t - 1, and the beliefs at t.
    bool back(int64_t t, Expected* expected, double times) {
        const Step& now = plan_->steps()[t];
        read_factor(t, now);
        std::copy(next_.begin(), next_.end(), full_.begin());
        size_t size = next_.size();
        for (int j = 0; j <= now.width; ++j)
            if (now.out >> j & 1) size = enter(size, j);
        const size_t half = size / 2;
        const double* before = tables_.data() + offsets_[static_cast<size_t>(t - block_)];
        double beliefs[2 * CONTEXTS];
        std::fill_n(beliefs, 2 * CONTEXTS, Algebra::NONE);
        next_.resize(half);
        pace_(6 * half + 64);
        each_context(now, [&](size_t h, size_t p, size_t begin, size_t end) {
            const size_t at = Factor::at(h, p, 0);
            const double zero = factor_.without_copy[at], one = factor_.without_copy[at + 1];
            double sum_zero = beliefs[at], sum_one = beliefs[at + 1];
            for (size_t s = begin; s < end; ++s) {
                const double first = Algebra::times(full_[s], zero);
                const double second = Algebra::times(full_[half + s], one);
                sum_zero = Algebra::plus(sum_zero, Algebra::times(before[s], first));
                sum_one = Algebra::plus(sum_one, Algebra::times(before[s], second));
                next_[s] = Algebra::plus(first, second);
            }
            beliefs[at] = sum_zero;
            beliefs[at + 1] = sum_one;
        });
        if (now.parent == COPIED) split(now, beliefs);
        double unused = 0.0;
        return note(t, now, beliefs, expected, times) &&
               Algebra::scale(next_.data(), half, unused);
    }

    // Beliefs without the copy's label, [h][0][y], become [h][p][y].
    void split(const Step& now, double* beliefs) const {
        for (size_t h = 0; h < size_t{1} << now.history; ++h) {
            for (size_t y = 0; y < 2; ++y) {
                const double both = beliefs[Factor::at(h, 0, y)];
                const double sum = factor_.without_copy[Factor::at(h, 0, y)];
                for (size_t p = 0; p < 2; ++p) {
                    const double part = factor_.whole[Factor::at(h, p, y)];
                    beliefs[Factor::at(h, p, y)] =
                        Algebra::LOGS ? both + (part - sum) : sum > 0.0 ? both * (part / sum) : 0.0;
                }
            }
        }
    }

    // Returns false if a belief became too small.
    bool note(int64_t t, const Step& now, const double* beliefs, Expected* expected, double times) {
        double value[2] = {Algebra::NONE, Algebra::NONE}, copy[2] = {Algebra::NONE, Algebra::NONE};
        const size_t linked = now.parent == NO_PARENT ? 1 : 2;
        for (size_t h = 0; h < size_t{1} << now.history; ++h) {
            for (size_t p = 0; p < linked; ++p) {
                for (size_t y = 0; y < 2; ++y) {
                    const double belief = beliefs[Factor::at(h, p, y)];
                    value[y] = Algebra::plus(value[y], belief);
                    copy[p] = Algebra::plus(copy[p], belief);
                }
            }
        }
        odds[t] = Algebra::log_ratio(value[1], value[0]);
        if (now.cut >= 0) copy_odds[now.cut] = Algebra::log_ratio(copy[1], copy[0]);
        for (const double belief : {value[0], value[1]})
            if (!Algebra::accurate(belief)) return false;
        for (const double belief : {copy[0], copy[1]})
            if (now.cut >= 0 && !Algebra::accurate(belief)) return false;
        if (expected == nullptr) return true;
        const double all = Algebra::plus(value[0], value[1]);
        for (size_t h = 0; h < size_t{1} << now.history; ++h) {
            for (size_t p = 0; p < linked; ++p) {
                for (size_t y = 0; y < 2; ++y) {
                    const double belief = beliefs[Factor::at(h, p, y)];
                    const double share = times * (Algebra::LOGS ? std::exp(belief - all) : belief / all);
                    expected->context[Potentials::context_at(now.history, h) + y] += share;
                    if (linked == 2) expected->link[2 * p + y] += share;
                }
            }
        }
        return true;
    }

    // Calls work(h, p, begin, end) for the pieces of a table before a label in which history and
    // linked label are the same.
    template <class Work>
    void each_context(const Step& now, Work work) const {
        const int first = now.width - now.history;  // bit of the earliest label of the history
        const int low = now.parent >= 0 ? std::min<int>(now.parent, first) : first;
        const size_t size = size_t{1} << now.width, piece = size_t{1} << low;
        for (size_t s = 0; s < size; s += piece)
            work(s >> first, now.parent >= 0 ? s >> now.parent & 1 : 0, s, s + piece);
    }

    void read_factor(int64_t t, const Step& now) {
        const size_t histories = size_t{1} << now.history, linked = now.parent == NO_PARENT ? 1 : 2;
        const bool copied = now.parent == COPIED;
        double logs[2 * CONTEXTS], high = -HUGE_VAL;
        const double message = copied ? messages_->to_copy[now.cut] : 0.0;
        const double of_copy[2] = {copied ? log_logistic(-message) : 0.0,
                                copied ? log_logistic(message) : 0.0};
        const double unary = messages_->at_label.empty() ? 0.0 : messages_->at_label[t];
        for (size_t h = 0; h < histories; ++h) {
            const double* context = potentials_.context + Potentials::context_at(now.history, h);
            for (size_t p = 0; p < linked; ++p) {
                double zero = context[0], one = context[1] + potentials_.scores[t];
                if (linked == 2) {
                    zero += potentials_.link[2 * p];
                    one += potentials_.link[2 * p + 1];
                }
                if (potentials_.local) {
                    const double difference = one - zero;
                    zero = log_logistic(-difference);
                    one = log_logistic(difference);
                }
                logs[Factor::at(h, p, 0)] = zero + of_copy[p];
                logs[Factor::at(h, p, 1)] = one + of_copy[p] + unary;
                high = std::max(high, std::max(zero + of_copy[p], one + of_copy[p] + unary));
            }
        }
        factor_.log_scale = high;
        for (size_t h = 0; h < histories; ++h) {
            for (size_t p = 0; p < linked; ++p) {
                for (size_t y = 0; y < 2; ++y) {
                    const size_t at = Factor::at(h, p, y);
                    factor_.whole[at] = Algebra::of_log(logs[at] - high);
                    factor_.without_copy[at] = factor_.whole[at];
                }
            }
            for (size_t y = 0; copied && y < 2; ++y) {
                factor_.without_copy[Factor::at(h, 0, y)] = Algebra::plus(
                    factor_.whole[Factor::at(h, 0, y)], factor_.whole[Factor::at(h, 1, y)]);
            }
        }
    }

    const Plan* plan_ = nullptr;
    Potentials potentials_{};
    const Messages* messages_ = nullptr;
    Factor factor_{};
    std::vector<double> full_, next_, back_;
    std::vector<double> tables_;           // before the labels of the block from block_ on
    std::vector<size_t> offsets_;          // of each of them
    std::vector<int64_t> starts_;          // of the blocks
    std::vector<std::vector<double>> firsts_;  // the table before the first label of each block
    int64_t block_ = 0;
    Pace pace_;
};

}  // namespace chains
}  // namespace summeval
