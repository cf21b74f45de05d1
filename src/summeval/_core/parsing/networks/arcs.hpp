// The dependency parser: arc-eager moves with Break, as spaCy's, each the best valid one; then labels
// like "dobj||xcomp" are resolved, and sentences begin at the left edges of roots.
//
// Source: Honnibal and Johnson, An improved non-monotonic transition system for dependency parsing,
// EMNLP 2015; Nivre and Nilsson, Pseudo-projective dependency parsing, ACL 2005.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsing/networks/decider.hpp"
#include "rows/stop.hpp"

namespace summeval::parsing {

// What the parser writes to: the result, and its state.
struct ArcRoom {
    std::vector<int32_t> heads;   // of each token of the line; its own number for roots
    std::vector<uint8_t> labels;  // numbers in ArcParser::labels()
    std::vector<uint8_t> starts;  // whether a sentence begins

    std::vector<int32_t> last_left, last_right, before;  // children; the one that came before
    std::vector<int32_t> stack, again;                   // `again` comes before the buffer
    std::vector<uint8_t> shifted_back, breaks;
    std::vector<int32_t> left, right;  // edges
    std::vector<int32_t> queue, next;
};

class ArcParser {
  public:
    explicit ArcParser(const Sections& sections)
        : decider_(sections, "parser", SLOTS, SectionReader(sections, "moves").lines().size()) {
        SectionReader from(sections, "moves");
        const std::vector<std::string> moves = from.lines();
        for (const std::string& move : moves) {
            const size_t kind = move.empty() ? std::string::npos : std::string("SDLRB").find(move[0]);
            if (kind > BREAK) from.fail();
            kinds_.push_back(static_cast<uint8_t>(kind));
            const std::string label = label_of(move);
            if (label.empty()) continue;
            const size_t at = label.find(SPLIT);
            number(label.substr(0, at));
            if (at != std::string::npos) number(label.substr(at + SPLIT.size()));
        }
        root_ = number("ROOT");
        labels_ = names_;
        // Labels like "dobj||xcomp", which the parser resolves at the end, have the numbers after
        // those of the others.
        for (const std::string& move : moves) move_labels_.push_back(number(label_of(move)));
        if (names_.size() > 255) from.fail();
        for (size_t k = 0; k < names_.size(); ++k) {
            const std::string label = names_[k];
            const size_t at = label.find(SPLIT);
            const bool split = at != std::string::npos;
            plain_.push_back(number(label.substr(0, at)));
            head_labels_.push_back(split ? number(label.substr(at + SPLIT.size())) : uint8_t{0});
        }
        for (const uint8_t kind : {SHIFT, REDUCE}) {  // one of them is always valid
            if (std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end()) from.fail();
        }
        // Which moves are barred, for each set of valid kinds; LEFT and RIGHT are valid together.
        for (size_t valid = 0; valid < 16; ++valid) {
            barred_.push_back(decider_.barred([&](uint32_t move) {
                const uint8_t kind = kinds_[move];
                const size_t bit = kind <= LEFT ? kind : kind == RIGHT ? LEFT : 3;
                return (valid >> bit & 1) != 0;
            }));
        }
    }

    const std::vector<std::string>& labels() const noexcept { return labels_; }
    const Decider& decider() const noexcept { return decider_; }

    // `given` is what the decider's layer gave for each token of the line.
    void parse(const float* given, size_t size, const Kernels& kernels, Pace& pace,
               ArcRoom& room) const {
        begin(size, room);
        const auto length = static_cast<int32_t>(size);
        int32_t unread = 0;
        std::vector<int32_t>&stack = room.stack, &again = room.again;
        const auto buffer = [&](size_t k) -> int32_t {
            if (k < again.size()) return again[again.size() - 1 - k];
            const int32_t at = unread + static_cast<int32_t>(k - again.size());
            return at < length ? at : -1;
        };
        const auto top = [&](size_t k) { return k < stack.size() ? stack[stack.size() - 1 - k] : -1; };
        const auto push = [&] {
            if (again.empty()) {
                stack.push_back(unread++);
            } else {
                stack.push_back(again.back());
                again.pop_back();
            }
        };
        while (true) {
            const size_t left = static_cast<size_t>(length - unread) + again.size();
            if (stack.empty() && left == 0) break;
            pace(100);
            const int32_t b0 = buffer(0), b1 = buffer(1), s0 = top(0);
            const bool begins = b0 >= 0 && room.breaks[b0];
            const bool shift =
                stack.empty() || (left >= 2 && !begins && !room.shifted_back[b0]);
            const bool arc = !stack.empty() && left > 0 && !begins;
            const bool breaks = left >= 2 && b1 == b0 + 1 && !room.breaks[b1];
            const size_t valid = size_t{shift} | size_t{!stack.empty()} << 1 | size_t{arc} << 2 |
                                 size_t{breaks} << 3;
            const int32_t tokens[SLOTS] = {b0,
                                           b1,
                                           s0,
                                           top(1),
                                           top(2),
                                           b0 < 0 ? -1 : room.last_left[b0],
                                           s0 < 0 ? -1 : room.last_left[s0],
                                           s0 < 0 ? -1 : room.last_right[s0]};
            const uint32_t move = decider_.choose(given, tokens, barred_[valid], kernels);
            switch (kinds_[move]) {
                case SHIFT: push(); break;
                case REDUCE:
                    if (room.heads[s0] < 0 && stack.size() > 1) {
                        room.shifted_back[s0] = 1;
                        again.push_back(s0);
                    }
                    stack.pop_back();
                    break;
                case LEFT:
                    if (room.heads[s0] >= 0) {  // it is the last right child of its head
                        room.last_right[room.heads[s0]] = room.before[s0];
                    }
                    room.before[s0] = room.last_left[b0];
                    room.last_left[b0] = s0;
                    room.heads[s0] = b0;
                    room.labels[s0] = move_labels_[move];
                    room.shifted_back[b0] = 0;
                    stack.pop_back();
                    break;
                case RIGHT:
                    room.before[b0] = room.last_right[s0];
                    room.last_right[s0] = b0;
                    room.heads[b0] = s0;
                    room.labels[b0] = move_labels_[move];
                    push();
                    break;
                default: room.breaks[b1] = 1;
            }
        }
        for (int32_t k = 0; k < length; ++k) {
            if (room.heads[k] >= 0) continue;
            room.heads[k] = k;
            room.labels[k] = root_;
        }
    }

    // Resolves labels and finds sentences. `spaces` says which tokens are white space.
    void finish(const uint8_t* spaces, ArcRoom& room) const {
        find_edges(room);
        bool changed = false;
        for (size_t k = 0; k < room.heads.size(); ++k) {
            const uint8_t label = room.labels[k];
            if (plain_[label] == label) continue;
            room.heads[k] = new_head(static_cast<int32_t>(k), head_labels_[label], spaces, room);
            room.labels[k] = plain_[label];
            changed = true;
        }
        if (changed) find_edges(room);
        room.starts.assign(room.heads.size(), 0);
        for (size_t k = 0; k < room.heads.size(); ++k)
            if (room.heads[k] == static_cast<int32_t>(k)) room.starts[room.left[k]] = 1;
        if (!room.starts.empty()) room.starts[0] = 1;
        join(room);
    }

  private:
    enum Kind : uint8_t { SHIFT, REDUCE, LEFT, RIGHT, BREAK };
    static constexpr size_t SLOTS = 8;
    static constexpr std::string_view SPLIT = "||";

    uint8_t number(const std::string& label) {
        const auto found = std::find(names_.begin(), names_.end(), label) - names_.begin();
        if (static_cast<size_t>(found) == names_.size()) names_.push_back(label);
        return static_cast<uint8_t>(found);
    }

    static std::string label_of(const std::string& move) {
        return move.size() > 2 ? move.substr(2) : "";
    }

    static void begin(size_t size, ArcRoom& room) {
        for (std::vector<int32_t>* of :
             {&room.heads, &room.last_left, &room.last_right, &room.before}) {
            of->assign(size, -1);
        }
        for (std::vector<uint8_t>* of : {&room.labels, &room.shifted_back, &room.breaks})
            of->assign(size, 0);
        room.stack.clear();
        room.again.clear();
    }

    // The first and last token below each token. With crossing arcs one round may be too few; like
    // spaCy, this gives up after twelve.
    static void find_edges(ArcRoom& room) {
        const size_t size = room.heads.size();
        room.left.resize(size);
        room.right.resize(size);
        for (size_t k = 0; k < size; ++k) room.left[k] = room.right[k] = static_cast<int32_t>(k);
        const auto widen = [&](size_t child) {
            const auto head = static_cast<size_t>(room.heads[child]);
            room.left[head] = std::min(room.left[head], room.left[child]);
            room.right[head] = std::max(room.right[head], room.right[child]);
        };
        for (int round = 0; round < 12; ++round) {
            for (size_t k = 0; k < size; ++k) widen(k);
            for (size_t k = size; k-- > 0;) widen(k);
            if (are_inside(room)) break;
        }
    }

    // Whether heads lie in the sentences of their children.
    static bool are_inside(ArcRoom& room) {
        const auto size = static_cast<int32_t>(room.heads.size());
        room.starts.assign(room.heads.size(), 0);
        for (int32_t k = 0; k < size; ++k)
            if (room.heads[k] == k) room.starts[room.left[k]] = 1;
        int32_t start = 0;
        for (int32_t end = 0; end < size; ++end) {
            if (!(end > 0 && room.starts[end]) && end != size - 1) continue;
            for (int32_t k = start; k < end; ++k)
                if (room.heads[k] < start || room.heads[k] > end) return false;
            start = end;
        }
        return true;
    }

    // The nearest token below a token's head that has a label, but not below the token itself.
    static int32_t new_head(int32_t token, uint8_t label, const uint8_t* spaces, ArcRoom& room) {
        const int32_t head = room.heads[token];
        room.queue.assign(1, head);
        while (!room.queue.empty()) {
            room.next.clear();
            for (const int32_t above : room.queue) {
                for (int32_t child = room.left[above]; child <= room.right[above]; ++child) {
                    if (child == above || room.heads[child] != above || child == token) continue;
                    if (spaces[child]) continue;
                    if (room.labels[child] == label) return child;
                    room.next.push_back(child);
                }
            }
            room.queue.swap(room.next);
        }
        return head;
    }

    // Joins sentences whose arcs cross their ends, which twelve rounds may leave.
    static void join(ArcRoom& room) {
        const auto size = static_cast<int32_t>(room.heads.size());
        std::vector<int32_t>& reach = room.next;  // how far the arcs of the tokens so far reach
        int32_t furthest = 0;
        reach.assign(room.heads.size(), 0);
        for (int32_t k = 0; k < size; ++k) {
            const int32_t low = std::min(k, room.heads[k]);
            reach[low] = std::max(reach[low], std::max(k, room.heads[k]));
        }
        for (int32_t k = 0; k < size; ++k) {
            if (room.starts[k] && furthest >= k && k > 0) room.starts[k] = 0;
            furthest = std::max(furthest, reach[k]);
        }
    }

    Decider decider_;
    std::vector<uint8_t> kinds_, move_labels_;
    std::vector<std::string> names_, labels_;       // labels_: those that are left at the end
    std::vector<uint8_t> plain_, head_labels_;  // of each name
    uint8_t root_ = 0;
    std::vector<Barred> barred_;
};

}  // namespace summeval::parsing
