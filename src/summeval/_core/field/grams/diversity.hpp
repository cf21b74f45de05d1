// How different the texts of a group are: what each has in common with the others.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <vector>

#include "field/grams/grams.hpp"
#include "field/tokenizers/tokenizers.hpp"
#include "overlap/lcs.hpp"
#include "rows/parallel.hpp"

namespace summeval {

struct DiversitySetup {
    static constexpr size_t ORDERS = 4, BLEUS = ORDERS - 1;
    // of a text: self-BLEU of the orders up to 2, 3, 4; distinct n-grams; self-repetition; mean
    // ROUGE-L beside the others; whether another is nearly the same
    static constexpr size_t DISTINCT = BLEUS, REPEATED = DISTINCT + ORDERS, ALIKE = REPEATED + 1,
                            NEAR = ALIKE + 1, TEXT_FIELDS = NEAR + 1;
    // of a group: the means of these, then distinct n-grams, entropies, n-gram diversity
    static constexpr size_t OF_GROUP = TEXT_FIELDS, ENTROPY = OF_GROUP + ORDERS,
                            NGRAM_DIVERSITY = ENTROPY + ORDERS, GROUP_FIELDS = NGRAM_DIVERSITY + 1;
    int tokenizer = TOKENS_BLANKS;
    double near = 0.8;
};

class GroupReader {
    using Setup = DiversitySetup;

  public:
    // `tokens` are the texts for the tokenizer; `texts` as they were given. out: the fields of the
    // group; rows: those of each text.
    int read(const View* tokens, const View* texts, size_t count, const Setup& setup, double* out,
             double* rows) {
        std::fill(out, out + Setup::GROUP_FIELDS, NONE);
        std::fill(rows, rows + count * Setup::TEXT_FIELDS, NONE);
        int64_t bytes = static_cast<int64_t>(count);
        for (size_t t = 0; t < count; ++t) bytes += std::max(tokens[t].size, texts[t].size);
        if (bytes > MAX_TEXT_BYTES) return TEXT_TOO_LONG;
        if (count == 0) return OK;

        readings_.resize(std::max(readings_.size(), count));
        for (size_t t = 0; t < count; ++t) {
            spans_.read(setup.tokenizer, tokens[t]);
            spans_.keys(readings_[t]);
        }
        number(count);
        count_grams(count, out, rows);
        if (count > 1) {
            score_bleu(count, rows);
            each_pair(count, [&](size_t a, size_t b, double likeness) {
                if (likeness >= setup.near) near_[a] = near_[b] = 1;
            }, setup.near);
            for (size_t t = 0; t < count; ++t) rows[t * Setup::TEXT_FIELDS + Setup::NEAR] = near_[t];
            for (size_t t = 0; t < count; ++t) {
                read_rouge(texts[t]);
                spans_.keys(readings_[t]);
            }
            number(count);
            alike_.assign(count, 0);
            each_pair(count, [&](size_t a, size_t b, double likeness) {
                alike_[a] += likeness;
                alike_[b] += likeness;
            }, 0);
            for (size_t t = 0; t < count; ++t)
                rows[t * Setup::TEXT_FIELDS + Setup::ALIKE] =
                    alike_[t] / static_cast<double>(count - 1);
        }
        means(count, rows, out);
        out[Setup::NGRAM_DIVERSITY] = across(texts, count);
        return OK;
    }

    bool worth_keeping() const noexcept { return ids_.size() <= KEPT_TOKENS; }

  private:
    static constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    static constexpr size_t KEPT_TOKENS = size_t{1} << 18;

    struct Gram {
        int32_t all = 0, most = 0, second = 0;  // in the group; in the texts with most of it
        uint32_t texts = 0, owner = 0;          // how many have it; the one with most
    };
    struct Seen {
        uint32_t gram;
        int32_t count;
    };

    // The numbers of all tokens, text after text.
    void number(size_t count) {
        starts_.assign(1, 0);
        for (size_t t = 0; t < count; ++t) starts_.push_back(starts_.back() + readings_[t].size);
        const size_t tokens = starts_.back();
        if (ids_.size() < tokens + 1) grow(ids_, tokens + 1);
        vocabulary_.reset(tokens);
        for (size_t t = 0; t < count; ++t)
            vocabulary_.intern(readings_[t].keys.data(), readings_[t].size, ids_.data() + starts_[t]);
        if (grams_.size() < tokens + 1) grow(grams_, tokens + 1);
        copy_pieces(ids_.data(), tokens, grams_.data());
    }

    size_t size_of(size_t text) const noexcept { return starts_[text + 1] - starts_[text]; }

    // From the numbers of n-1-grams to those of n-grams of the tokens [begin, end).
    void lengthen(size_t begin, size_t end, size_t n) {
        table_.interning([&](auto& intern) {
            Pace pace;
            for (size_t i = begin; i + n <= end; ++i) {
                pace(1);
                grams_[i] = intern(grams_[i], ids_[i + n - 1]);
            }
        });
    }

    void count_grams(size_t count, double* out, double* rows) {
        correct_.assign(count, {});
        size_t units = vocabulary_.size();
        Pace pace;
        for (size_t n = 1; n <= Setup::ORDERS; ++n) {
            if (n > 1) {
                table_.reset(units, vocabulary_.size(), starts_.back());
                for (size_t t = 0; t < count; ++t) lengthen(starts_[t], starts_[t + 1], n);
                units = table_.size();
            }
            known_.assign(units + 1, Gram{});
            int32_t* const counts = zeros(counts_, units + 1);
            seen_.clear();
            ends_.clear();
            size_t all = 0;
            for (size_t t = 0; t < count; ++t) {
                const size_t found = grams_of(size_of(t), n), first = seen_.size();
                const uint32_t* const grams = grams_.data() + starts_[t];
                all += found;
                for (size_t i = 0; i < found; ++i) {
                    pace(2);
                    if (counts[grams[i]]++ == 0) seen_.push_back({grams[i], 0});
                }
                for (size_t k = first; k < seen_.size(); ++k) {
                    pace(2);
                    Seen& seen = seen_[k];
                    seen.count = counts[seen.gram];
                    counts[seen.gram] = 0;
                    note(known_[seen.gram], seen.count, static_cast<uint32_t>(t));
                }
                ends_.push_back(seen_.size());
                if (found)
                    rows[t * Setup::TEXT_FIELDS + Setup::DISTINCT + n - 1] =
                        static_cast<double>(seen_.size() - first) / static_cast<double>(found);
            }
            if (all) {
                out[Setup::OF_GROUP + n - 1] = static_cast<double>(units) / static_cast<double>(all);
                out[Setup::ENTROPY + n - 1] = entropy(units, static_cast<double>(all));
            }
            share(count, n, rows);
        }
    }

    static void note(Gram& gram, int32_t count, uint32_t text) noexcept {
        gram.all += count;
        ++gram.texts;
        if (count > gram.most) {
            gram.second = gram.most;
            gram.most = count;
            gram.owner = text;
        } else {
            gram.second = std::max(gram.second, count);
        }
    }

    double entropy(size_t units, double all) {
        double sum = 0;
        Pace pace;
        for (size_t k = 1; k <= units; ++k) {
            pace(16);
            const double count = known_[k].all;
            if (count > 1) sum += count * std::log(count);
        }
        return std::max(0.0, std::log(all) - sum / all);
    }

    // What each text has in common with the others: of an n-gram, the most that one of them has.
    void share(size_t count, size_t n, double* rows) {
        size_t k = 0;
        Pace pace;
        for (uint32_t t = 0; t < count; ++t) {
            int64_t shared = 0;
            double others = 0;
            for (; k < ends_[t]; ++k) {
                pace(2);
                const Gram& gram = known_[seen_[k].gram];
                shared += std::min(seen_[k].count, gram.owner == t ? gram.second : gram.most);
                others += gram.texts - 1;
            }
            correct_[t][n - 1] = static_cast<double>(shared);
            if (n == Setup::ORDERS)
                rows[t * Setup::TEXT_FIELDS + Setup::REPEATED] = std::log1p(others);
        }
    }

    // BLEU beside all others as references, with the smoothing "method1" of NLTK.
    void score_bleu(size_t count, double* rows) {
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), size_t{0});
        std::sort(order_.begin(), order_.end(), [&](size_t a, size_t b) {
            return size_of(a) < size_of(b) || (size_of(a) == size_of(b) && a < b);
        });
        for (size_t place = 0; place < count; ++place) {
            const size_t t = order_[place], size = size_of(t);
            double* const bleu = rows + t * Setup::TEXT_FIELDS;
            const size_t below = place ? size_of(order_[place - 1]) : SIZE_MAX;
            const size_t above = place + 1 < count ? size_of(order_[place + 1]) : SIZE_MAX;
            const bool lower = above == SIZE_MAX || (place && size - below <= above - size);
            const auto closest = static_cast<double>(lower ? below : above);
            const double length = static_cast<double>(size);
            const double brevity = length >= closest ? 1 : std::exp(1 - closest / length);
            double logs = 0;
            for (size_t n = 1; n <= Setup::ORDERS; ++n) {
                const double all = static_cast<double>(std::max<size_t>(1, grams_of(size, n)));
                logs += std::log((correct_[t][n - 1] ? correct_[t][n - 1] : 0.1) / all);
                if (n > 1)
                    bleu[n - 2] = correct_[t][0] ? brevity * std::exp(logs / static_cast<double>(n)) : 0;
            }
        }
    }

    // Calls visit(a, b, 2 LCS / (|a| + |b|)) for the pairs of texts where it can reach `least`.
    template <class Visit>
    void each_pair(size_t count, Visit visit, double least) {
        near_.assign(std::max(near_.size(), count), 0);
        masks_.assign(vocabulary_.size() + 1, 0);
        Pace pace;
        for (size_t b = 1; b < count; ++b) {
            const size_t n = size_of(b);
            const uint32_t* const other = ids_.data() + starts_[b];
            const bool is_short = n <= 64;
            for (size_t i = 0; is_short && i < n; ++i) masks_[other[i]] |= uint64_t{1} << i;
            const auto tell = [&](size_t a, size_t length) {
                visit(a, b, 2 * static_cast<double>(length) / static_cast<double>(size_of(a) + n));
            };
            Lanes lanes;
            for (size_t a = 0; a < b; ++a) {
                const size_t m = size_of(a);
                pace(8 + (m * (n + 63)) / 64);
                const double reach = 2 * static_cast<double>(std::min(m, n));
                if (m == 0 && n == 0) {
                    visit(a, b, least > 0 ? 1.0 : 0.0);
                } else if (reach < least * static_cast<double>(m + n)) {
                    continue;
                } else if (!is_short) {
                    const uint32_t* const one = ids_.data() + starts_[a];
                    const size_t numbers = vocabulary_.size();
                    tell(a, static_cast<size_t>(m < n ? lcs_length(one, m, other, n, numbers, lcs_)
                                                      : lcs_length(other, n, one, m, numbers, lcs_)));
                } else {
                    lanes.texts[lanes.used++] = a;
                    if (lanes.used == LANES) compare(lanes, n, tell);
                }
            }
            if (lanes.used) compare(lanes, n, tell);
            for (size_t i = 0; is_short && i < n; ++i) masks_[other[i]] = 0;
        }
    }

    static constexpr size_t LANES = 4;
    struct Lanes {
        size_t used = 0;
        std::array<size_t, LANES> texts{};
    };

    // The LCS of some texts with that of n tokens whose places are in the masks; as lcs_block, for
    // several texts at once, since each step waits for the one before.
    template <class Tell>
    void compare(Lanes& lanes, size_t n, Tell tell) {
        std::fill(lanes.texts.begin() + static_cast<std::ptrdiff_t>(lanes.used), lanes.texts.end(),
                  lanes.texts[0]);
        const uint32_t* ids[LANES];
        uint64_t grown[LANES];
        size_t common = SIZE_MAX;
        for (size_t k = 0; k < LANES; ++k) {
            ids[k] = ids_.data() + starts_[lanes.texts[k]];
            grown[k] = ~uint64_t{0};
            common = std::min(common, size_of(lanes.texts[k]));
        }
        const uint64_t* const masks = masks_.data();
        const auto step = [masks](uint64_t v, uint32_t id) noexcept {
            const uint64_t mask = masks[id];
            return (v + (v & mask)) | (v & ~mask);
        };
        Pace pace;
        for (size_t j = 0; j < common; ++j) {
            pace(LANES);
            for (size_t k = 0; k < LANES; ++k) grown[k] = step(grown[k], ids[k][j]);
        }
        const uint64_t live = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
        for (size_t k = 0; k < lanes.used; ++k) {
            for (size_t j = common; j < size_of(lanes.texts[k]); ++j) {
                pace(1);
                grown[k] = step(grown[k], ids[k][j]);
            }
            tell(lanes.texts[k], static_cast<size_t>(count_bits(~grown[k] & live)));
        }
        lanes.used = 0;
    }

    // The tokens of rouge-score: runs of a-z and 0-9 once the text is in small letters, to which
    // two letters beyond ASCII come: I with a dot, and the sign of Kelvin.
    void read_rouge(View text) {
        std::string& bytes = spans_.bytes;
        bytes.clear();
        spans_.size = 0;
        spans_.edges.resize(static_cast<size_t>(text.size) + 2);
        bool within = false;
        Pace pace;
        const auto put = [&](char c) {
            const auto at = static_cast<uint32_t>(bytes.size());
            if (!within) spans_.edges[2 * spans_.size++] = at;
            spans_.edges[2 * spans_.size - 1] = at + 1;
            bytes.push_back(c);
            within = true;
        };
        for (int64_t i = 0; i < text.size; ++i) {
            pace(2);
            const auto byte = static_cast<unsigned char>(text.data[i]);
            const auto next = [&](int64_t k) {
                return i + k < text.size ? static_cast<unsigned char>(text.data[i + k]) : 0;
            };
            if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9')) {
                put(static_cast<char>(byte));
            } else if (byte >= 'A' && byte <= 'Z') {
                put(static_cast<char>(byte + 32));
            } else if (byte == 0xC4 && next(1) == 0xB0) {
                put('i');
                within = false;  // a combining dot follows the i
                ++i;
            } else if (byte == 0xE2 && next(1) == 0x84 && next(2) == 0xAA) {
                put('k');
                i += 2;
            } else {
                within = false;
            }
        }
        bytes.append(PADDING, '\0');
    }

    void means(size_t count, const double* rows, double* out) const {
        for (size_t f = 0; f < Setup::TEXT_FIELDS; ++f) {
            double sum = 0;
            size_t have = 0;
            for (size_t t = 0; t < count; ++t) {
                const double value = rows[t * Setup::TEXT_FIELDS + f];
                if (std::isnan(value)) continue;
                sum += value;
                ++have;
            }
            if (have) out[f] = sum / static_cast<double>(have);
        }
    }

    // The sum over the orders of different n-grams by all, of the texts joined by blanks and split
    // at each blank.
    double across(const View* texts, size_t count) {
        std::string& bytes = spans_.bytes;
        bytes.clear();
        for (size_t t = 0; t < count; ++t) {
            if (t) bytes.push_back(' ');
            bytes.append(texts[t].data, static_cast<size_t>(texts[t].size));
        }
        bytes.push_back(' ');
        spans_.edges.resize(2 * bytes.size());
        spans_.size = 0;
        uint32_t begin = 0;
        Pace pace;
        for (uint32_t i = 0; i < bytes.size(); ++i) {
            pace(1);
            if (bytes[i] != ' ') continue;
            spans_.edges[2 * spans_.size] = begin;
            spans_.edges[2 * spans_.size++ + 1] = i;
            begin = i + 1;
        }
        bytes.append(PADDING, '\0');
        spans_.keys(readings_[0]);
        number(1);
        const size_t tokens = starts_.back();
        size_t units = vocabulary_.size();
        double sum = static_cast<double>(units) / static_cast<double>(tokens);
        for (size_t n = 2; n <= std::min(tokens, Setup::ORDERS); ++n) {
            table_.reset(units, vocabulary_.size(), tokens);
            lengthen(0, tokens, n);
            units = table_.size();
            sum += static_cast<double>(units) / static_cast<double>(grams_of(tokens, n));
        }
        return sum;
    }

    FieldTokens spans_;
    std::vector<Reading> readings_;
    Vocabulary vocabulary_;
    PairTable table_;
    LcsScratch lcs_;
    std::vector<size_t> starts_, ends_, order_;
    std::vector<uint32_t> ids_, grams_;
    std::vector<int32_t> counts_;
    std::vector<uint64_t> masks_;  // of each token, its places in a short text
    std::vector<Gram> known_;
    std::vector<Seen> seen_;
    std::vector<std::array<double, DiversitySetup::ORDERS>> correct_;
    std::vector<double> alike_;
    std::vector<uint8_t> near_;
};

// Group g has the texts offsets[g] to offsets[g + 1].
inline void read_groups(const View* tokens, const View* texts, const int64_t* offsets,
                        int64_t groups, const DiversitySetup& setup, int workers, double* out,
                        double* rows, FirstFailure& failed) {
    static Pool<GroupReader>& pool = *new Pool<GroupReader>();
    for_rows(
        pool, groups, 1, workers, failed, NO_MEMORY, [] { return std::make_unique<GroupReader>(); },
        [&](int64_t g, GroupReader& reader) {
            const int64_t first = offsets[g];
            const auto count = static_cast<size_t>(offsets[g + 1] - first);
            const int status =
                reader.read(tokens + first, texts + first, count, setup,
                            out + static_cast<size_t>(g) * DiversitySetup::GROUP_FIELDS,
                            rows + static_cast<size_t>(first) * DiversitySetup::TEXT_FIELDS);
            if (status != OK) failed.note(g, status);
        });
}

}  // namespace summeval
