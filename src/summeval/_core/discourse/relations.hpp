// The discourse relations of parsed documents. The definition is the parser in Python,
// tests/definitions/discourse, which trains the models; this does the same steps on packed
// documents, with the same model, and finds the same relations.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "discourse/pair_features.hpp"
#include "rows/parallel.hpp"

namespace summeval::discourse {

enum : int { RELATIONS_MEMORY = 1, RELATIONS_NO_PARSE = 2 };
inline constexpr int64_t RELATIONS_CHUNK = 32;  // documents that a thread takes at a time

// What the relations of a document are written as: numbers of 32 bits. For each relation its kind (a
// number of the model), how many tokens its connective has, how many spans each argument has; then
// the tokens, and the first token and the one after the last of each span.
using Written = std::vector<int32_t>;

// The model of the parser, with the numbers of its kinds: type and sense of a relation.
class RelationModel {
  public:
    Family of_connectives, of_boundaries, of_stretches, of_preceding, of_neighbours;
    Linear connective, position, sense, boundary, stretches, preceding, neighbours;
    std::vector<int32_t> sense_kinds;      // of each class of `sense`, for any connective
    std::vector<int32_t> neighbour_kinds;  // of each class of `neighbours`

    void finish() {
        for (Linear* const each : {&connective, &position, &sense}) of_connectives.finish(*each);
        of_boundaries.finish(boundary);
        of_stretches.finish(stretches);
        of_preceding.finish(preceding);
        of_neighbours.finish(neighbours);
    }

    void add_connective(const std::vector<std::string>& words) {
        const uint32_t first = first_words_.add(words[0]);
        lexicon_.resize(std::max<size_t>(lexicon_.size(), first + 1));
        lexicon_[first].push_back(words);
    }
    // The full sense of a connective's words with a class of `sense`.
    void add_sense(Text words, size_t k, int32_t kind) {
        const uint32_t number = sensed_.add(words);
        kinds_.resize(std::max(kinds_.size(), (number + 1) * sense.classes()), -1);
        kinds_[number * sense.classes() + k] = kind;
    }

    const std::vector<std::vector<std::string>>* starting_with(Text word) const noexcept {
        const uint32_t first = first_words_.find(word);
        return first == 0 ? nullptr : &lexicon_[first];
    }
    int32_t kind_of(Text words, size_t k) const noexcept {
        const uint32_t number = sensed_.find(words);
        const int32_t own = number == 0 ? -1 : kinds_[number * sense.classes() + k];
        return own >= 0 ? own : sense_kinds[k];
    }

  private:
    Names first_words_, sensed_;
    std::vector<std::vector<std::vector<std::string>>> lexicon_;  // by the number of the first word
    std::vector<int32_t> kinds_;                                  // [words, class]; -1 for none
};

// Finds the relations of one document after another.
class RelationFinder {
  public:
    explicit RelationFinder(const RelationModel& model)
        : model_(model), features_(out_, style_), boundary_features_(out_), pair_features_(out_) {}

    // Returns 0, or RELATIONS_NO_PARSE if a sentence has no dependencies.
    int find(const Parse& parse, Written& written) {
        written.clear();
        written_ = &written;
        document_.read(parse);
        out_.document = &document_;
        const uint32_t sentences = document_.sentences();
        for (uint32_t s = 0; s < sentences; ++s)
            if (!is_parsed(document_.tree(s))) return RELATIONS_NO_PARSE;
        style_.read(document_);
        for (uint32_t s = 0; s < sentences; ++s) {
            const Tree tree = document_.tree(s);
            find_connectives(tree);
            explicit_.clear();
            bool linked = false;
            for (const Connective& connective : connectives_) relate(s, tree, connective, linked);
            if (s > 0 && !linked) between(s);
            written.insert(written.end(), explicit_.begin(), explicit_.end());
        }
        return 0;
    }

  private:
    struct Connective {
        std::vector<Stretch> parts;
        std::string words, kind;
        std::vector<uint32_t> names;  // known features of the first part
    };
    struct Candidate {
        double score;
        Stretch span;
        size_t features, end;  // in candidate_names_
    };
    struct Prefixes {
        uint32_t kind, words;
    };

    bool is_parsed(const Tree& tree) const noexcept {
        if (tree.size == 0) return true;
        for (int32_t t = 0; t < tree.size; ++t)
            if (!document_.string(tree.label[t]).empty()) return true;
        return false;
    }

    static Prefixes prefixes(const Family& family, Text kind, Text words) noexcept {
        return {family.prefixes.find(kind), family.prefixes.find(words)};
    }
    void start(const Linear& linear) { sums_.assign(linear.classes(), 0); }
    // Adds features alone and combined with both prefixes.
    void add(const Linear& linear, const uint32_t* begin, const uint32_t* end, Prefixes prefixes) {
        for (; begin != end; ++begin) {
            linear.add(*begin, sums_);
            linear.add(prefixes.kind, *begin, sums_);
            linear.add(prefixes.words, *begin, sums_);
        }
    }
    void add_found(const Linear& linear, Prefixes prefixes) {
        add(linear, out_.found.data(), out_.found.data() + out_.found.size(), prefixes);
    }

    Text text_of(const Tree& tree, Stretch span) {
        text_.clear();
        out_.put_text(text_, tree, span);
        return text_.text();
    }

    // The connectives of a sentence, in order; of overlapping candidates the most probable.
    void find_connectives(const Tree& tree) {
        candidates_.clear();
        candidate_names_.clear();
        Pace pace;
        for (int32_t first = 0; first < tree.size; ++first) {
            pace(8);
            const auto* const known = model_.starting_with(document_.words[tree.word[first]]);
            if (known == nullptr) continue;
            for (const std::vector<std::string>& words : *known) try_candidate(tree, first, words);
        }
        std::sort(candidates_.begin(), candidates_.end(), [](const auto& one, const auto& other) {
            if (one.score != other.score) return one.score > other.score;
            if (one.span.begin != other.span.begin) return one.span.begin < other.span.begin;
            return one.span.end < other.span.end;
        });
        chosen_.clear();
        taken_.assign(static_cast<size_t>(tree.size), 0);
        for (const Candidate& each : candidates_) {
            const auto begin = taken_.begin() + each.span.begin, end = taken_.begin() + each.span.end;
            if (std::find(begin, end, 1) != end) continue;
            std::fill(begin, end, uint8_t{1});
            chosen_.push_back(&each);
        }
        std::sort(chosen_.begin(), chosen_.end(), [](const Candidate* one, const Candidate* other) {
            return one->span.begin < other->span.begin;
        });
        connectives_.clear();
        for (const Candidate* const each : chosen_) join(tree, *each);
        others_.clear();
        for (const Connective& each : connectives_)
            others_.insert(others_.end(), each.parts.begin(), each.parts.end());
        std::sort(others_.begin(), others_.end(),
                  [](Stretch one, Stretch other) { return one.begin < other.begin; });
    }

    void try_candidate(const Tree& tree, int32_t first, const std::vector<std::string>& words) {
        if (words.size() > static_cast<size_t>(tree.size - first)) return;
        const Stretch span{first, first + static_cast<int32_t>(words.size())};
        for (size_t k = 1; k < words.size(); ++k)
            if (document_.words[tree.word[static_cast<size_t>(first) + k]] != words[k]) return;
        out_.start(model_.of_connectives.names);
        features_.write(tree, span);
        const Text words_text = text_of(tree, span);
        start(model_.connective);
        add_found(model_.connective,
                  prefixes(model_.of_connectives, out_.kind(tree, span), words_text));
        const double score = model_.connective.score(sums_, 0);
        if (!(score > 0) || span.end - span.begin >= tree.size) return;
        const size_t begin = candidate_names_.size();
        candidate_names_.insert(candidate_names_.end(), out_.found.begin(), out_.found.end());
        candidates_.push_back({score, span, begin, candidate_names_.size()});
    }

    // Adds a connective, or the second part of one of two parts.
    void join(const Tree& tree, const Candidate& candidate) {
        const Text words = text_of(tree, candidate.span);
        for (size_t k = connectives_.size(); k-- > 0;) {
            Connective& opener = connectives_[k];
            if (opener.parts.size() != 1 || !are_parts(opener.words, words)) continue;
            const int32_t size = opener.parts[0].end - opener.parts[0].begin + candidate.span.end -
                                 candidate.span.begin;
            if (tree.size <= size) continue;
            opener.parts.push_back(candidate.span);
            return;
        }
        Connective made;
        made.parts.push_back(candidate.span);
        made.words = words;
        made.kind = out_.kind(tree, candidate.span);
        const auto names = candidate_names_.begin();
        made.names.assign(names + static_cast<std::ptrdiff_t>(candidate.features),
                          names + static_cast<std::ptrdiff_t>(candidate.end));
        connectives_.push_back(std::move(made));
    }

    // Two-part connectives; both parts stand in the same sentence.
    static bool are_parts(Text one, Text two) noexcept {
        if (one == "if") return two == "then";
        if (one == "either") return two == "or";
        if (one == "neither") return two == "nor";
        if (one == "not only") return is_one_of(two, {"but also", "but", "also"});
        if (one == "not just") return is_one_of(two, {"but also", "but"});
        if (one == "both") return two == "and";
        return (one == "on the one hand" || one == "on one hand") && two == "on the other hand";
    }

    // Writes the relation of a connective, if both arguments have tokens.
    void relate(uint32_t s, const Tree& tree, const Connective& connective, bool& linked) {
        connective_tokens_.clear();
        for (const Stretch part : connective.parts)
            for (int32_t t = part.begin; t < part.end; ++t) connective_tokens_.push_back(t);
        const Prefixes own = prefixes(model_.of_connectives, connective.kind, connective.words);
        const uint32_t* const names = connective.names.data();
        const uint32_t* const names_end = names + connective.names.size();
        start(model_.position);
        add(model_.position, names, names_end, own);
        const bool earlier = s > 0 && model_.position.score(sums_, 0) > 0;
        uint32_t before = s;
        if (earlier) {
            linked = true;
            before = choose_preceding(s, tree, connective.words);
            if (document_.tree(before).size == 0) return;
            two_.clear();
            for (int32_t t = 0; t < tree.size; ++t) {
                if (std::find(connective_tokens_.begin(), connective_tokens_.end(), t) ==
                    connective_tokens_.end()) {
                    two_.push_back(t);
                }
            }
        } else {
            find_arguments(tree, connective);
            if (one_.empty() || two_.empty()) return;
        }
        const auto start_of = static_cast<int32_t>(document_.start(s));
        const size_t head = explicit_.size();
        explicit_.push_back(find_sense(tree, connective, own));
        explicit_.push_back(static_cast<int32_t>(connective_tokens_.size()));
        explicit_.resize(head + 4);
        for (const int32_t t : connective_tokens_) explicit_.push_back(start_of + t);
        if (earlier) {
            explicit_[head + 2] = 1;
            explicit_.push_back(static_cast<int32_t>(document_.start(before)));
            explicit_.push_back(static_cast<int32_t>(document_.start(before + 1)));
        } else {
            explicit_[head + 2] = put_spans(one_, start_of);
        }
        explicit_[head + 3] = put_spans(two_, start_of);
    }

    int32_t put_spans(const std::vector<int32_t>& tokens, int32_t start) {
        int32_t spans = 0;
        for (size_t k = 0; k < tokens.size(); ++k) {
            if (k > 0 && tokens[k] == tokens[k - 1] + 1) {
                ++explicit_.back();
                continue;
            }
            explicit_.push_back(start + tokens[k]);
            explicit_.push_back(start + tokens[k] + 1);
            ++spans;
        }
        return spans;
    }

    // The sentence before s that is Arg1 of a connective in s.
    uint32_t choose_preceding(uint32_t s, const Tree& tree, Text words) {
        constexpr uint32_t FURTHEST = 6;
        const uint32_t prefix = model_.of_preceding.prefixes.find(words);
        double best = -std::numeric_limits<double>::infinity();
        uint32_t chosen = s - 1;
        for (uint32_t distance = 1; distance <= std::min(FURTHEST, s); ++distance) {
            const Tree earlier = document_.tree(s - distance);
            if (earlier.size == 0) continue;
            out_.start(model_.of_preceding.names);
            const int shared = shared_.of(document_, tree, earlier);
            write_preceding(out_, tree, earlier, static_cast<int>(distance), shared);
            start(model_.preceding);
            add_found(model_.preceding, {0, prefix});
            const double score = model_.preceding.score(sums_, 0);
            if (score > best) {
                best = score;
                chosen = s - distance;
            }
        }
        return chosen;
    }

    // The tokens of both arguments within the sentence, in one_ and two_.
    void find_arguments(const Tree& tree, const Connective& connective) {
        const Stretch last = connective.parts.back();
        beside_.clear();
        for (const Stretch other : others_)
            if (!(other == last)) beside_.push_back(other);
        const Sight sight{tree, last, &connective_tokens_, &beside_};
        score_boundaries(sight);
        ranking_.rank(boundaries_.tried);
        one_.clear();
        two_.clear();
        choose(sight);
        if (!one_.empty() || !two_.empty()) return;
        for (int32_t t = 0; t < connective_tokens_.front(); ++t) one_.push_back(t);
        for (int32_t t = connective_tokens_.back() + 1; t < tree.size; ++t) two_.push_back(t);
    }

    void score_boundaries(const Sight& sight) {
        const Tree& tree = sight.tree;
        boundaries_.find(tree, sight.last);
        boundary_features_.start(sight, boundaries_);
        const std::vector<int32_t>& tried = boundaries_.tried;
        const auto own = std::lower_bound(tried.begin(), tried.end(), sight.last.begin) - tried.begin();
        const Prefixes both = prefixes(model_.of_boundaries, out_.kind(tree, sight.last),
                                       text_of(tree, sight.last));
        ranking_.scores.resize(tried.size());
        Pace pace;
        for (size_t k = 0; k < tried.size(); ++k) {
            pace(512);
            out_.start(model_.of_boundaries.names);
            const auto distance = std::abs(static_cast<std::ptrdiff_t>(k) - own);
            boundary_features_.write(tried[k], static_cast<int32_t>(std::min<std::ptrdiff_t>(distance, 6)));
            start(model_.boundary);
            add_found(model_.boundary, both);
            for (size_t kind = 0; kind < 4; ++kind)
                ranking_.scores[k][kind] = model_.boundary.score(sums_, kind);
        }
    }

    // Reads the tokens of the best pair of stretches; leaves both empty if there is none.
    void choose(const Sight& sight) {
        constexpr size_t COMPARED = 12;
        constexpr double BEHIND = 2.5;
        const std::vector<Pair>& ranked = ranking_.pairs;
        usable_.clear();
        for (size_t k = 0; k < std::min(ranked.size(), COMPARED); ++k) {
            if (ranked[k].score < ranked[0].score - BEHIND) break;
            tokens_of(ranked[k], *sight.tokens, tried_one_, tried_two_);
            if (tried_one_.empty() || tried_two_.empty()) continue;
            usable_.push_back(ranked[k]);
            if (usable_.size() == 1) {
                one_ = tried_one_;
                two_ = tried_two_;
            }
        }
        if (usable_.size() < 2) return;
        const Prefixes both = prefixes(model_.of_stretches, out_.kind(sight.tree, sight.last),
                                       text_of(sight.tree, sight.last));
        double best = -std::numeric_limits<double>::infinity();
        for (const Pair& pair : usable_) {
            tokens_of(pair, *sight.tokens, tried_one_, tried_two_);
            out_.start(model_.of_stretches.names);
            pair_features_.write(sight, pair, tried_one_, tried_two_);
            start(model_.stretches);
            add_found(model_.stretches, both);
            const double score = pair.score + model_.stretches.score(sums_, 0);
            if (score > best) {
                best = score;
                one_ = tried_one_;
                two_ = tried_two_;
            }
        }
    }

    // The kind of a connective's relation: its sense with the most frequent lower levels.
    int32_t find_sense(const Tree& tree, const Connective& connective, Prefixes own) {
        start(model_.sense);
        for (const uint32_t name : connective.names) model_.sense.add(own.words, name, sums_);
        out_.start(model_.of_connectives.names);
        write_near(out_, tree, connective.parts[0]);
        add_found(model_.sense, {0, own.words});
        return model_.kind_of(connective.words, model_.sense.best(sums_));
    }

    // Writes the relation of a sentence with the one before, if both have tokens.
    void between(uint32_t s) {
        const Tree one = document_.tree(s - 1), two = document_.tree(s);
        if (one.size == 0 || two.size == 0) return;
        out_.start(model_.of_neighbours.names);
        write_neighbours(out_, one, two, shared_.of(document_, one, two));
        start(model_.neighbours);
        for (const uint32_t name : out_.found) model_.neighbours.add(name, sums_);
        const auto first = static_cast<int32_t>(document_.start(s - 1));
        const auto middle = static_cast<int32_t>(document_.start(s));
        const auto end = static_cast<int32_t>(document_.start(s + 1));
        const int32_t kind = model_.neighbour_kinds[model_.neighbours.best(sums_)];
        written_->insert(written_->end(), {kind, 0, 1, 1, first, middle, middle, end});
    }

    const RelationModel& model_;
    Document document_;
    Style style_;
    Writer out_;
    ConnectiveFeatures features_;
    Boundaries boundaries_;
    BoundaryFeatures boundary_features_;
    PairFeatures pair_features_;
    Ranking ranking_;
    Shared shared_;
    Sums sums_;
    Line text_;
    Written* written_ = nullptr;
    Written explicit_;  // the relations of a sentence's connectives
    std::vector<Candidate> candidates_;
    std::vector<uint32_t> candidate_names_;
    std::vector<const Candidate*> chosen_;
    std::vector<uint8_t> taken_;
    std::vector<Connective> connectives_;
    std::vector<Stretch> others_, beside_;
    std::vector<Pair> usable_;
    std::vector<int32_t> connective_tokens_, one_, two_, tried_one_, tried_two_;
};

// The relations of documents, by `workers` threads, and the status of each.
inline void find_relations(const RelationModel& model, const std::vector<Parse>& parses, int workers,
                           std::vector<Written>& written, std::vector<unsigned char>& statuses) {
    written.assign(parses.size(), Written());
    statuses.assign(parses.size(), 0);
    const auto some = [&](int64_t begin, int64_t end) {
        auto d = static_cast<size_t>(begin);
        try {
            RelationFinder finder(model);
            Written found;
            for (; d < static_cast<size_t>(end); ++d) {
                statuses[d] = static_cast<unsigned char>(finder.find(parses[d], found));
                written[d].assign(found.begin(), found.end());
            }
        } catch (const std::bad_alloc&) {
            statuses[d] = RELATIONS_MEMORY;
        }
    };
    for_chunks(static_cast<int64_t>(parses.size()), RELATIONS_CHUNK, workers, some);
}

}  // namespace summeval::discourse
