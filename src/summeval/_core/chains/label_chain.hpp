// Labels of many documents: partition functions, marginals and maxima. Exactly by one sweep, or, if
// links were cut, by sweeps that exchange messages until these no longer change.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "chains/chain_algebra.hpp"
#include "chains/chain_plan.hpp"
#include "chains/chain_sweep.hpp"
#include "rows/stop.hpp"

namespace summeval {

struct ChainSettings {
    int order;
    int most;      // labels in a table
    int most_cut;  // the same in documents with cut links, whose tables are made in every round
    int rounds;    // of messages, at most
    double keep;   // the share of a message that stays in each round
    double close;  // messages that change by no more are final
};

class Chains {
  public:
    // document_ptr[d] is the first label of document d; `parents` are counted within a document.
    void plan(int64_t documents, const int64_t* document_ptr, const int64_t* parents,
              const ChainSettings& settings) {
        settings_ = settings;
        begins_.clear();
        plans_.clear();
        loopy_ = widest_ = 0;
        for (int64_t d = 0; d < documents; ++d) {
            const int64_t begin = document_ptr[d];
            begins_.push_back(begin);
            const int64_t size = document_ptr[d + 1] - begin;
            plans_.emplace_back(size, parents + begin, settings.order, settings.most);
            if (!plans_.back().cuts().empty()) {
                plans_.back() =
                    chains::Plan(size, parents + begin, settings.order, settings.most_cut);
            }
            loopy_ += !plans_.back().cuts().empty();
            widest_ = std::max(widest_, plans_.back().widest());
            pace_(64);
        }
    }

    int64_t loopy() const noexcept { return loopy_; }
    int widest() const noexcept { return widest_; }

    // The log partition function of each document, the log odds of each label, and the expected
    // numbers of labels in their contexts, document d counted times[d] times.
    void sums(const chains::Potentials& potentials, const double* times, double* log_totals,
              double* odds, double* context, double* link) {
        chains::Expected expected;
        expected.context.assign(chains::Potentials::context_at(settings_.order + 1, 0), 0.0);
        expected.link.assign(4, 0.0);
        for (size_t d = 0; d < plans_.size(); ++d)
            log_totals[d] = times[d] == 0.0 ? 0.0 : sum(d, potentials, &expected, times[d], odds);
        std::copy(expected.context.begin(), expected.context.end(), context);
        std::copy(expected.link.begin(), expected.link.end(), link);
    }

    // The log odds of each label.
    void marginals(const chains::Potentials& potentials, double* odds) {
        for (size_t d = 0; d < plans_.size(); ++d) {
            if (potentials.local) {
                const chains::Potentials own = of_document(potentials, d);
                clear_messages(d);
                if (sums_.run_forward(plans_[d], own, messages_)) {
                    copy_out(sums_, d, odds);
                } else {
                    log_sums_.run_forward(plans_[d], own, messages_);
                    copy_out(log_sums_, d, odds);
                }
            } else {
                sum(d, potentials, nullptr, 1.0, odds);
            }
        }
    }

    // For each label the log potential of the best labelling with 1 there minus that with 0.
    void margins(const chains::Potentials& potentials, double* margins) {
        for (size_t d = 0; d < plans_.size(); ++d) {
            exchange(maxima_, d, of_document(potentials, d));
            maxima_.run(plans_[d], of_document(potentials, d), messages_, nullptr, 1.0);
            copy_out(maxima_, d, margins);
        }
    }

  private:
    double sum(size_t d, const chains::Potentials& potentials, chains::Expected* expected,
               double times, double* odds) {
        const chains::Potentials own = of_document(potentials, d);
        const chains::Expected before = expected ? *expected : chains::Expected{};
        if (exchange(sums_, d, own) && sums_.run(plans_[d], own, messages_, expected, times)) {
            copy_out(sums_, d, odds);
            return sums_.log_total + log_messages(d, sums_);
        }
        if (expected) *expected = before;
        exchange(log_sums_, d, own);
        log_sums_.run(plans_[d], own, messages_, expected, times);
        copy_out(log_sums_, d, odds);
        return log_sums_.log_total + log_messages(d, log_sums_);
    }

    chains::Potentials of_document(chains::Potentials potentials, size_t d) const noexcept {
        potentials.scores += begins_[d];
        return potentials;
    }

    template <class Algebra>
    void copy_out(const chains::Sweep<Algebra>& sweep, size_t d, double* out) const {
        copy_pieces(sweep.odds.data(), plans_[d].steps().size(), out + begins_[d]);
    }

    void clear_messages(size_t d) {
        const size_t cuts = plans_[d].cuts().size();
        messages_.to_copy.assign(cuts, 0.0);
        messages_.to_parent.assign(cuts, 0.0);
        messages_.at_label.clear();
        if (cuts) grow(messages_.at_label, plans_[d].steps().size());
    }

    // Sets the messages between the ends of the cut links. Returns false if numbers became too small.
    template <class Algebra>
    bool exchange(chains::Sweep<Algebra>& sweep, size_t d, const chains::Potentials& own) {
        clear_messages(d);
        const std::vector<chains::Cut>& cuts = plans_[d].cuts();
        for (int round = 0; !cuts.empty() && round < settings_.rounds; ++round) {
            if (!sweep.run(plans_[d], own, messages_, nullptr, 1.0)) return false;
            double change = 0.0;
            for (size_t c = 0; c < cuts.size(); ++c) {
                pace_(16);
                double& to_copy = messages_.to_copy[c];
                double& to_parent = messages_.to_parent[c];
                const double copy = damped(to_copy, sweep.odds[cuts[c].parent] - to_parent);
                const double parent = damped(to_parent, sweep.copy_odds[c] - to_copy);
                change = std::max({change, std::abs(copy - to_copy), std::abs(parent - to_parent)});
                messages_.at_label[cuts[c].parent] += parent - to_parent;
                to_copy = copy;
                to_parent = parent;
            }
            if (change <= settings_.close) break;
        }
        return true;
    }

    double damped(double before, double now) const noexcept {
        const double bounded = std::clamp(now, -MOST_ODDS, MOST_ODDS);
        return settings_.keep * before + (1.0 - settings_.keep) * bounded;
    }

    // What the messages add to the log partition function (Bethe): for each cut link the factor that
    // makes its ends equal, less what the messages at both ends count twice.
    template <class Algebra>
    double log_messages(size_t d, const chains::Sweep<Algebra>& sweep) const {
        const std::vector<chains::Cut>& cuts = plans_[d].cuts();
        double sum = 0.0;
        for (size_t c = 0; c < cuts.size(); ++c) {
            const double to_copy = messages_.to_copy[c], to_parent = messages_.to_parent[c];
            const double from_parent = sweep.odds[cuts[c].parent] - to_parent;
            const double from_copy = sweep.copy_odds[c] - to_copy;
            sum += equal(from_parent, from_copy) - equal(from_parent, to_parent) -
                   equal(from_copy, to_copy);
            sum += chains::log_logistic(-to_parent);  // at_label holds the ratio only
        }
        return sum;
    }

    // The log probability that two independent labels with these log odds are equal.
    static double equal(double a, double b) noexcept {
        using chains::log_logistic;
        return chains::log_sum(log_logistic(a) + log_logistic(b), log_logistic(-a) + log_logistic(-b));
    }

    static constexpr double MOST_ODDS = 500.0;

    ChainSettings settings_{};
    std::vector<int64_t> begins_;
    std::vector<chains::Plan> plans_;
    int64_t loopy_ = 0;
    int widest_ = 0;
    chains::Messages messages_;
    chains::Sweep<chains::Sums> sums_;
    chains::Sweep<chains::LogSums> log_sums_;
    chains::Sweep<chains::Maxima> maxima_;
    Pace pace_;
};

}  // namespace summeval
