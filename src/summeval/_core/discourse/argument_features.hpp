// The arguments of a connective within its sentence: boundaries, pairs of stretches and their
// features, as arguments.py and stretches.py of tests/definitions/discourse define them.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "discourse/connective_features.hpp"

namespace summeval::discourse {

// The sum of numbers, rounded once, as Python's math.fsum. None is infinite or NaN.
class ExactSum {
  public:
    void add(double x) {
        size_t kept = 0;
        for (size_t k = 0; k < parts_.size(); ++k) {
            double y = parts_[k];
            if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
            const double high = x + y;
            const double back = high - x;
            const double low = y - back;
            if (low != 0.0) parts_[kept++] = low;
            x = high;
        }
        parts_.resize(kept);
        if (x != 0.0) parts_.push_back(x);
    }
    double total() const noexcept {
        size_t k = parts_.size();
        if (k == 0) return 0.0;
        double high = parts_[--k], low = 0.0;
        while (k > 0) {
            const double x = high, y = parts_[--k];
            high = x + y;
            const double back = high - x;
            low = y - back;
            if (low != 0.0) break;
        }
        // A tie is rounded to even, unless the rest says where the sum lies.
        if (k > 0 && ((low < 0.0 && parts_[k - 1] < 0.0) || (low > 0.0 && parts_[k - 1] > 0.0))) {
            const double twice = low * 2.0, x = high + twice;
            if (twice == x - high) high = x;
        }
        return high;
    }
    void clear() noexcept { parts_.clear(); }

  private:
    std::vector<double> parts_;
};

inline bool is_inside(Stretch inner, Stretch outer) noexcept {
    return outer.begin <= inner.begin && inner.end <= outer.end;
}

// A connective and its sentence.
struct Sight {
    Tree tree;
    Stretch last;                         // the last part of the connective
    const std::vector<int32_t>* tokens;   // of all parts
    const std::vector<Stretch>* others;   // other connectives of the sentence, in order
};

// The tokens before which an argument can start or end, in order.
class Boundaries {
  public:
    static constexpr int32_t FURTHEST = 200, LONG = 8;

    std::vector<int32_t> tried;
    std::vector<int32_t> path;   // the connective's top and its heads
    std::vector<int32_t> level;  // of each token: its place in the path, or -1

    void find(const Tree& tree, Stretch span) {
        tree_ = &tree;
        span_ = span;
        tried = {0, tree.size};
        add(span.begin);
        add(span.end);
        path.clear();
        level.assign(static_cast<size_t>(tree.size), -1);
        for (int32_t node = tree.top(span.begin, span.end); node >= 0; node = tree.head[node]) {
            pace_(2);
            level[static_cast<size_t>(node)] = static_cast<int32_t>(path.size());
            path.push_back(node);
        }
        for (const int32_t node : path) {
            if (node < span.begin || node >= span.end) {
                add(node);
                add(node + 1);
            }
            for (const int32_t* each = tree.children(node); each != tree.children_end(node); ++each) {
                pace_(2);
                const bool inside = span.begin <= *each && *each < span.end;
                if (level[static_cast<size_t>(*each)] < 0 && !inside) add_subtree(*each);
            }
        }
        for (int32_t node = 0; node < tree.size; ++node) {
            pace_(1);
            if (tree.head[node] < 0 && level[static_cast<size_t>(node)] < 0) add_subtree(node);
        }
        std::sort(tried.begin(), tried.end());
        tried.erase(std::unique(tried.begin(), tried.end()), tried.end());
    }

  private:
    void add(int32_t at) {
        const bool near = at >= span_.begin - FURTHEST && at <= span_.end + FURTHEST;
        if (near) tried.push_back(at);
    }

    void add_subtree(int32_t node) {
        const Tree& tree = *tree_;
        if (tree.end[node] - tree.first[node] < LONG) {
            add(tree.first[node]);
            add(tree.end[node]);
            return;
        }
        add(node);
        add(node + 1);
        for (const int32_t* each = tree.children(node); each != tree.children_end(node); ++each) {
            pace_(2);
            add(tree.first[*each]);
            add(tree.end[*each]);
        }
    }

    const Tree* tree_ = nullptr;
    Stretch span_{0, 0};
    Pace pace_;
};

// The features of each boundary of a connective, without those combined with its kind and words.
class BoundaryFeatures {
  public:
    explicit BoundaryFeatures(Writer& out) : out_(out) {}

    void start(const Sight& sight, const Boundaries& found) {
        sight_ = &sight;
        found_ = &found;
        const Tree& tree = sight.tree;
        const auto room = static_cast<size_t>(tree.size) + 1;
        begin_.assign(room, -1);
        finish_.assign(room, -1);
        for (int32_t node = 0; node < tree.size; ++node) {  // the longest subtree at each edge
            pace_(2);
            int32_t& begin = begin_[static_cast<size_t>(tree.first[node])];
            if (begin < 0 || tree.end[node] > tree.end[begin]) begin = node;
            int32_t& finish = finish_[static_cast<size_t>(tree.end[node])];
            if (finish < 0 || tree.first[node] < tree.first[finish]) finish = node;
        }
        above_[0] = found.path.size() > 1 ? found.path[1] : -1;
        above_[1] = found.path.size() > 2 ? found.path[2] : -1;
        above_[2] = found.path[0];
        closed_.clear();
        for (const Stretch other : *sight.others) closed_.push_back(other.end);
        std::sort(closed_.begin(), closed_.end());
    }

    void write(int32_t at, int32_t distance) {
        const Tree& tree = sight_->tree;
        const Stretch last = sight_->last;
        side_ = at == last.begin ? '=' : at == last.end ? '+' : at < last.begin ? '<' : '>';
        const int32_t low = at <= last.begin ? at : last.end;
        const int32_t high = at <= last.begin ? last.begin : at;
        const int stops = high > low ? std::min(tree.stops[high] - tree.stops[low], 3) : 0;
        const int verbs = high > low ? std::min(tree.verbs[high] - tree.verbs[low], 3) : 0;
        const Text left = out_.word(tree, at - 1), left_tag = out_.tag(tree, at - 1);
        const Text right = out_.word(tree, at), right_tag = out_.tag(tree, at);
        const bool left_mark = out_.is_mark(tree, at - 1), right_mark = out_.is_mark(tree, at);
        const char edge_text[2] = {at == 0 ? '1' : '0', at == tree.size ? '1' : '0'};
        const Text edge(edge_text, 2);
        const char left_point = point(at - 1, left_mark), right_point = point(at, right_mark);
        const char points_text[2] = {left_point, right_point};
        const Text points(points_text, 2);
        const Subtree r = subtree(begin_[static_cast<size_t>(at)], right_own_);
        const Subtree l = subtree(finish_[static_cast<size_t>(at)], left_own_);
        write_fit(at);
        const Text fit = fit_.text();
        (line() << edge), out_.note();
        (line() << 'd' << distance), out_.note();
        (line() << 'n' << stops << edge), out_.note();
        (line() << 'v' << verbs << edge), out_.note();
        (line() << "nv" << stops << verbs << points), out_.note();
        (line() << 's' << r.own), out_.note();
        (line() << 'e' << l.own), out_.note();
        (line() << 's' << r.own << r.level()), out_.note();
        (line() << 'e' << l.own << l.level()), out_.note();
        (line() << "se" << r.own << '|' << l.own), out_.note();
        (line() << "le" << r.level() << '|' << l.level() << points), out_.note();
        (line() << 'h' << fit), out_.note();
        (line() << "hp" << fit << points << verbs), out_.note();
        (line() << "sh" << r.own << r.head), out_.note();
        (line() << "eh" << l.own << l.head), out_.note();
        (line() << "lw" << left), out_.note();
        (line() << "rw" << right), out_.note();
        (line() << "lr" << left_tag << right_tag), out_.note();
        (line() << "lp" << (left_mark ? left : left_tag) << ' ' << (right_mark ? right : right_tag)),
            out_.note();
        (line() << "at" << place_of(last.begin) << stops << verbs << points), out_.note();
        (line() << "rr" << right << ' ' << out_.word(tree, at + 1)), out_.note();
        (line() << "lv" << r.level() << l.level() << stops << verbs), out_.note();
        (line() << "sl" << r.own << r.level() << stops << left_point), out_.note();
        connectives(at, low, high, left_mark ? left : Text("-"));
    }

  private:
    struct Subtree {
        Text own, head;
        char levels[2];
        int count;
        Text level() const noexcept { return {levels, static_cast<size_t>(count)}; }
    };

    Line& line() { return out_.line() << side_; }

    // "p" for a mark, the end of the sentence itself, or "-".
    char point(int32_t position, bool is_mark) const noexcept {
        if (is_mark) return 'p';
        return position < 0 ? '^' : position >= sight_->tree.size ? '$' : word_point(position);
    }
    // A word may look like the end of a sentence.
    char word_point(int32_t position) const noexcept {
        const Text word = out_.word(sight_->tree, position);
        return word == "^" || word == "$" ? word[0] : '-';
    }

    // Label and tag of a subtree, where it joins the path to the root, and its head's label.
    Subtree subtree(int32_t node, Line& own) const {
        if (node < 0) return {"-", "^", {'8', ' '}, 1};
        const Tree& tree = sight_->tree;
        const int32_t head = tree.head[node];
        const int32_t here = found_->level[static_cast<size_t>(node)];
        const int32_t above = head >= 0 ? found_->level[static_cast<size_t>(head)] : -1;
        const int32_t level = here >= 0 ? here : above;
        own.clear();
        own << out_.label(tree, node) << '.' << out_.tag(tree, node);
        const auto digit = static_cast<char>('0' + (level < 0 ? 9 : std::min(level, 4)));
        return {own.text(), head >= 0 ? out_.label(tree, head) : Text("^"),
                {digit, here >= 0 ? '1' : '0'}, 2};
    }

    // Position of a boundary in the subtrees of the two nodes above the connective and its top.
    void write_fit(int32_t at) {
        const Tree& tree = sight_->tree;
        fit_.clear();
        for (const int32_t node : above_) {
            if (node < 0) {
                fit_ << 'x';
            } else {
                fit_ << (node < at) << (at == tree.first[node]) << (at == tree.end[node]);
            }
        }
    }

    // Whether another connective starts or ends there, and how many start in between.
    void connectives(int32_t at, int32_t low, int32_t high, Text left) {
        const std::vector<Stretch>& others = *sight_->others;
        const auto from = [&others](int32_t position) {
            return std::lower_bound(others.begin(), others.end(), position,
                                    [](Stretch one, int32_t other) { return one.begin < other; });
        };
        const auto here = from(at);
        const bool is_here = here != others.end() && here->begin == at;
        const auto between = static_cast<int>(std::min<std::ptrdiff_t>(from(high) - from(low), 3));
        const Tree& tree = sight_->tree;
        Line& words = line() << "cw";
        is_here ? out_.put_text(words, tree, *here) : void(words << '-');
        out_.note();
        Line& kind = line() << "ck";
        is_here ? void(kind << out_.kind(tree, {at, at + 1})) : void(kind << '-');
        out_.note();
        const bool closes = std::binary_search(closed_.begin(), closed_.end(), at);
        (line() << "ce" << closes), out_.note();
        (line() << "ci" << is_here << between), out_.note();
        (line() << "cp" << is_here << between << left), out_.note();
    }

    Writer& out_;
    const Sight* sight_ = nullptr;
    const Boundaries* found_ = nullptr;
    char side_ = '=';
    std::array<int32_t, 3> above_{};
    std::vector<int32_t> begin_, finish_, closed_;
    mutable Line right_own_, left_own_;
    Line fit_;
    Pace pace_;
};

// Stretches of both arguments.
struct Pair {
    double score;
    Stretch one, two;

    bool operator<(const Pair& other) const noexcept {
        if (score != other.score) return score < other.score;
        const std::array<int32_t, 4> left{one.begin, one.end, two.begin, two.end};
        const std::array<int32_t, 4> right{other.one.begin, other.one.end, other.two.begin,
                                            other.two.end};
        return left < right;
    }
};

// The compatible stretches of both arguments by the scores of their boundaries, best first.
class Ranking {
  public:
    std::vector<std::array<double, 4>> scores;  // of each boundary
    std::vector<Pair> pairs;

    void rank(const std::vector<int32_t>& tried) {
        for (size_t kind = 0; kind < 4; ++kind) soften(kind);
        stretches(tried, 0, ones_);
        stretches(tried, 2, twos_);
        pairs.clear();
        for (const Scored& one : ones_) {
            for (const Scored& two : twos_)
                if (fit_together(one.hull, two.hull))
                    pairs.push_back({one.score + two.score, one.hull, two.hull});
        }
        std::sort(pairs.rbegin(), pairs.rend());
    }

  private:
    static constexpr size_t TRIED = 4;
    struct Scored {
        double score;
        Stretch hull;
        bool operator<(const Scored& other) const noexcept {
            if (score != other.score) return score < other.score;
            if (hull.begin != other.hull.begin) return hull.begin < other.hull.begin;
            return hull.end < other.hull.end;
        }
    };

    // Log-probabilities over the boundaries.
    void soften(size_t kind) {
        double highest = scores[0][kind];
        for (const auto& row : scores) highest = std::max(highest, row[kind]);
        sum_.clear();
        for (const auto& row : scores) sum_.add(std::exp(row[kind] - highest));
        const double total = highest + std::log(sum_.total());
        for (auto& row : scores) row[kind] -= total;
    }

    void best(size_t kind, std::vector<size_t>& found) {
        found.clear();
        for (size_t at = 0; at < scores.size(); ++at) {
            size_t place = found.size();
            while (place > 0 && scores[at][kind] > scores[found[place - 1]][kind]) --place;
            if (place >= TRIED) continue;
            if (found.size() == TRIED) found.pop_back();
            found.insert(found.begin() + static_cast<std::ptrdiff_t>(place), at);
        }
    }

    void stretches(const std::vector<int32_t>& tried, size_t kind, std::vector<Scored>& out) {
        out.clear();
        best(kind, begins_);
        best(kind + 1, ends_);
        const auto scored = [&](size_t a, size_t b) {
            return Scored{scores[a][kind] + scores[b][kind + 1], {tried[a], tried[b]}};
        };
        for (const size_t a : begins_)
            for (const size_t b : ends_)
                if (a < b) out.push_back(scored(a, b));
        if (!out.empty()) return;
        Scored most = scored(0, 1);
        for (size_t a = 0; a < tried.size(); ++a)
            for (size_t b = a + 1; b < tried.size(); ++b) most = std::max(most, scored(a, b));
        out.push_back(most);
    }

    static bool fit_together(Stretch one, Stretch two) noexcept {
        if (one.end <= two.begin || two.end <= one.begin) return true;
        return !(one == two) && (is_inside(one, two) || is_inside(two, one));
    }

    ExactSum sum_;
    std::vector<size_t> begins_, ends_;
    std::vector<Scored> ones_, twos_;
};

}  // namespace summeval::discourse
