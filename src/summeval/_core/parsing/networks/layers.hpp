// The layers of the networks: rows in whole numbers come in, with a scale for each, floats go out.
//
// What is done in floats is written here once, in a fixed order and without fused operations (the
// build says -ffp-contract=off), so that every instruction set gives the same bits.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parsing/model.hpp"
#include "parsing/networks/aligned.hpp"
#include "parsing/networks/processor.hpp"
#include "parsing/networks/products.hpp"

namespace summeval::parsing {

inline constexpr unsigned TABLE_BITS = 12, WEIGHT_BITS = 14;
inline constexpr int64_t MOST_WHOLE = 8191;  // of a row in whole numbers
inline constexpr float MOST = MOST_WHOLE;
inline constexpr float LEAST = 1e-30f;  // rows of less are zeros
inline constexpr size_t HIDDEN = 64;       // numbers of a state, after the better of two
inline constexpr size_t STATE = 2 * HIDDEN;

// The largest of three affine maps of several rows together, then layer norm: 96 outputs.
struct Maxout {
    size_t blocks = 0;           // rows together
    Aligned<int16_t> panels;     // [6 groups of 16 outputs][blocks], three maps in each
    Aligned<float> scales, addends;  // [6][48]
    float gain[WIDTH], shift[WIDTH];
};

// An affine map of a row.
struct Affine {
    size_t panels_ = 0;
    Aligned<int16_t> panels;
    std::vector<float> scales, addends;
    size_t outputs() const noexcept { return panels_ * OUTPUTS; }
};

// The layer over moves: the better of two sums, then an affine map.
struct Chooser {
    size_t moves = 0, columns = 0;
    float bias[STATE];
    Aligned<int16_t> weights;
    std::vector<float> scales, addends;
};

// A matrix of the model file.
struct Matrix {
    size_t rows, inputs;
    std::vector<float> scales, addends;
    std::vector<int16_t> whole;
};

// Numbers of so many bits (at most 16), the low bits first; eight of them fill whole bytes.
inline std::vector<int16_t> read_packed(SectionReader& from, size_t count, unsigned bits) {
    if (count % 8 || count / 8 > from.left() / bits) from.fail();
    const char* at = from.text(count / 8 * bits).data();
    std::vector<int16_t> found(count);
    for (size_t k = 0; k < count; k += 8, at += bits) {
        char group[20] = {};
        std::memcpy(group, at, bits);
        for (unsigned j = 0; j < 8; ++j) {
            uint32_t word;
            std::memcpy(&word, group + j * bits / 8, sizeof word);
            const auto high = static_cast<uint16_t>(word >> (j * bits % 8) << (16 - bits));
            found[k + j] = static_cast<int16_t>(static_cast<int16_t>(high) >> (16 - bits));
        }
    }
    return found;
}

inline Matrix read_matrix(SectionReader& from) {
    Matrix found{};
    found.rows = from.number<uint32_t>();
    found.inputs = from.number<uint32_t>();
    if (found.rows == 0 || found.inputs == 0 || found.rows > 4096 || found.inputs > 4096) from.fail();
    found.scales = from.numbers<float>(found.rows);
    found.addends = from.numbers<float>(found.rows);
    found.whole = read_packed(from, found.rows * found.inputs, WEIGHT_BITS);
    // Products with a row must fit into 32 bits.
    for (size_t first = 0; first < found.whole.size();) {
        const size_t end = first + std::min(WIDTH, found.inputs - first % found.inputs);
        int64_t sum = 0;
        for (; first < end; ++first) sum += std::abs(int32_t{found.whole[first]});
        if (sum * MOST_WHOLE > INT32_MAX) from.fail();
    }
    return found;
}

// Puts 96 weights of an output into a column of a panel.
inline void put(int16_t* panel, size_t column, const int16_t* weights) noexcept {
    for (size_t k = 0; k < WIDTH; ++k) panel[k / 2 * 2 * OUTPUTS + 2 * column + k % 2] = weights[k];
}

inline Maxout read_maxout(SectionReader& from, size_t blocks) {
    const Matrix matrix = read_matrix(from);
    if (matrix.rows != 3 * WIDTH || matrix.inputs != blocks * WIDTH) from.fail();
    Maxout found;
    found.blocks = blocks;
    found.panels.resize(matrix.whole.size());
    found.scales.resize(matrix.rows);
    found.addends.resize(matrix.rows);
    for (size_t row = 0; row < matrix.rows; ++row) {
        const size_t output = row / 3, group = output / LANES;
        const size_t column = row % 3 * LANES + output % LANES;
        found.scales[group * OUTPUTS + column] = matrix.scales[row];
        found.addends[group * OUTPUTS + column] = matrix.addends[row];
        for (size_t b = 0; b < blocks; ++b) {
            put(found.panels.data() + (group * blocks + b) * PANEL, column,
                matrix.whole.data() + (row * blocks + b) * WIDTH);
        }
    }
    const auto read = [&](float* to) {
        const std::vector<float> numbers = from.numbers<float>(WIDTH);
        std::copy(numbers.begin(), numbers.end(), to);
    };
    read(found.gain);
    read(found.shift);
    return found;
}

// `place(row)` says which output a row of the matrix becomes.
template <class Place>
Affine read_affine(SectionReader& from, size_t rows, Place place) {
    const Matrix matrix = read_matrix(from);
    if (matrix.rows != rows || matrix.inputs != WIDTH) from.fail();
    Affine found;
    found.panels_ = (rows + OUTPUTS - 1) / OUTPUTS;
    found.panels.resize(found.panels_ * PANEL);
    found.scales.resize(found.outputs());
    found.addends.resize(found.outputs());
    for (size_t row = 0; row < rows; ++row) {
        const size_t output = place(row);
        found.scales[output] = matrix.scales[row];
        found.addends[output] = matrix.addends[row];
        put(found.panels.data() + output / OUTPUTS * PANEL, output % OUTPUTS,
            matrix.whole.data() + row * WIDTH);
    }
    return found;
}

// Numbers for [pieces of a state]: 64 pairs become 64 firsts and 64 seconds.
inline size_t planar(size_t number) noexcept {
    return number / STATE * STATE + number % 2 * HIDDEN + number % STATE / 2;
}

inline Chooser read_chooser(SectionReader& from, size_t moves) {
    Chooser found;
    const std::vector<float> bias = from.numbers<float>(STATE);
    for (size_t k = 0; k < STATE; ++k) found.bias[planar(k)] = bias[k];
    const Matrix matrix = read_matrix(from);
    if (matrix.rows != moves || matrix.inputs != HIDDEN || moves > MOST_OUTPUTS) from.fail();
    found.moves = moves;
    found.columns = (moves + LANES - 1) / LANES * LANES;
    found.weights.resize(HIDDEN * found.columns);
    found.scales = matrix.scales;
    found.scales.resize(found.columns);
    found.addends = matrix.addends;
    found.addends.resize(found.columns);
    for (size_t move = 0; move < moves; ++move) {
        for (size_t k = 0; k < HIDDEN; ++k) {
            found.weights[k / 2 * 2 * found.columns + 2 * move + k % 2] =
                matrix.whole[move * HIDDEN + k];
        }
    }
    return found;
}

// A loop over lanes is one or a few vectors. GCC would write it out in single numbers before it looks
// for vectors.
#if defined(__GNUC__) && !defined(__clang__)
#define SUMMEVAL_LANES _Pragma("GCC unroll 1")
#else
#define SUMMEVAL_LANES
#endif

// The sum, or what `fold` makes, of numbers in 16 lanes.
template <size_t WIDE = LANES, class T, class Fold>
SUMMEVAL_INTO T folded(const T* lanes, Fold fold) {
    T half[WIDE / 2];
    SUMMEVAL_LANES
    for (size_t l = 0; l < WIDE / 2; ++l) half[l] = fold(lanes[l], lanes[l + WIDE / 2]);
    if constexpr (WIDE == 2) {
        return half[0];
    } else {
        return folded<WIDE / 2>(half, fold);
    }
}

SUMMEVAL_INTO float larger(float a, float b) noexcept { return a > b ? a : b; }
SUMMEVAL_INTO int32_t smaller(int32_t a, int32_t b) noexcept { return a < b ? a : b; }
SUMMEVAL_INTO float plus(float a, float b) noexcept { return a + b; }

template <size_t SIZE>
SUMMEVAL_INTO void quantize(const float* row, int16_t* whole, float& scale) {
    float sizes[SIZE], lanes[LANES];
    for (size_t k = 0; k < SIZE; ++k) sizes[k] = std::fabs(row[k]);
    SUMMEVAL_LANES
    for (size_t l = 0; l < LANES; ++l) lanes[l] = sizes[l];
    for (size_t k = LANES; k < SIZE; k += LANES) {
        SUMMEVAL_LANES
        for (size_t l = 0; l < LANES; ++l) lanes[l] = larger(lanes[l], sizes[k + l]);
    }
    const float most = folded(lanes, larger);
    const float inverse = most > LEAST ? MOST / most : 0;
    constexpr float ROUND = 12582912;  // 1.5 × 2^23: adding it rounds to a whole number
    for (size_t k = 0; k < SIZE; ++k) {
        const float rounded = (row[k] * inverse + ROUND) - ROUND;
        whole[k] = static_cast<int16_t>(static_cast<int32_t>(rounded));
    }
    scale = most / MOST;
}

SUMMEVAL_INTO float sum_of_row(const float* row) {
    float lanes[LANES];
    SUMMEVAL_LANES
    for (size_t l = 0; l < LANES; ++l) lanes[l] = row[l];
    for (size_t k = LANES; k < WIDTH; k += LANES) {
        SUMMEVAL_LANES
        for (size_t l = 0; l < LANES; ++l) lanes[l] += row[k + l];
    }
    return folded(lanes, plus);
}

SUMMEVAL_INTO void normalize(float* row, const float* gain, const float* shift) {
    const float mean = sum_of_row(row) / WIDTH;
    float squares[WIDTH];
    for (size_t k = 0; k < WIDTH; ++k) {
        row[k] -= mean;
        squares[k] = row[k] * row[k];
    }
    const float factor = 1 / std::sqrt(sum_of_row(squares) / WIDTH + 1e-8f);
    for (size_t k = 0; k < WIDTH; ++k) row[k] = row[k] * factor * gain[k] + shift[k];
}

// `rows` and `scales` are [blocks][count]; `count` is a multiple of 8. Writes [count][96].
template <Tile tile>
SUMMEVAL_INTO void maxout(const Maxout& layer, const int16_t* const* rows, const float* scales,
                          size_t count, float* out) {
    alignas(64) int32_t whole[ROWS * OUTPUTS];
    alignas(64) float sums[ROWS * OUTPUTS];
    for (size_t group = 0; group < WIDTH / LANES; ++group) {
        const int16_t* const panels = layer.panels.data() + group * layer.blocks * PANEL;
        const float* const by = layer.scales.data() + group * OUTPUTS;
        const float* const more = layer.addends.data() + group * OUTPUTS;
        for (size_t first = 0; first < count; first += ROWS) {
            for (size_t b = 0; b < layer.blocks; ++b) {
                tile(rows + b * count + first, panels + b * PANEL, whole);
                for (size_t r = 0; r < ROWS; ++r) {
                    const float scale = scales[b * count + first + r];
                    float* const sum = sums + r * OUTPUTS;
                    const int32_t* const of = whole + r * OUTPUTS;
                    if (b == 0) {
                        for (size_t o = 0; o < OUTPUTS; ++o) sum[o] = static_cast<float>(of[o]) * scale;
                    } else {
                        for (size_t o = 0; o < OUTPUTS; ++o) sum[o] += static_cast<float>(of[o]) * scale;
                    }
                }
            }
            for (size_t r = 0; r < ROWS; ++r) {
                const float* const sum = sums + r * OUTPUTS;
                float* const to = out + (first + r) * WIDTH + group * LANES;
                SUMMEVAL_LANES
                for (size_t l = 0; l < LANES; ++l) {
                    const float one = sum[l] * by[l] + more[l];
                    const float two = sum[LANES + l] * by[LANES + l] + more[LANES + l];
                    const float three = sum[2 * LANES + l] * by[2 * LANES + l] + more[2 * LANES + l];
                    to[l] = larger(larger(one, two), three);
                }
            }
        }
    }
    for (size_t r = 0; r < count; ++r) normalize(out + r * WIDTH, layer.gain, layer.shift);
}

// Writes [count][outputs].
template <Tile tile>
SUMMEVAL_INTO void affine(const Affine& layer, const int16_t* const* rows, const float* scales,
                          size_t count, float* out) {
    alignas(64) int32_t whole[ROWS * OUTPUTS];
    const size_t outputs = layer.outputs();
    for (size_t p = 0; p < layer.panels_; ++p) {
        const float* const by = layer.scales.data() + p * OUTPUTS;
        const float* const more = layer.addends.data() + p * OUTPUTS;
        for (size_t first = 0; first < count; first += ROWS) {
            tile(rows + first, layer.panels.data() + p * PANEL, whole);
            for (size_t r = 0; r < ROWS; ++r) {
                const float scale = scales[first + r];
                const int32_t* const sum = whole + r * OUTPUTS;
                float* const to = out + (first + r) * outputs + p * OUTPUTS;
                for (size_t o = 0; o < OUTPUTS; ++o)
                    to[o] = static_cast<float>(sum[o]) * scale * by[o] + more[o];
            }
        }
    }
}

// Rows of a table in whole numbers, added up.
SUMMEVAL_INTO void add_rows(const int16_t* const* rows, const float* scales, size_t count,
                            float* sum) {
    for (size_t o = 0; o < WIDTH; ++o) sum[o] = 0;
    for (size_t k = 0; k < count; ++k)
        for (size_t o = 0; o < WIDTH; ++o) sum[o] += static_cast<float>(rows[k][o]) * scales[k];
}

// A row as it is.
SUMMEVAL_INTO void expand(const int16_t* whole, float scale, float* row) {
    for (size_t o = 0; o < WIDTH; ++o) row[o] = static_cast<float>(whole[o]) * scale;
}

// Adds what a layer gave to the rows that it had read, and makes whole numbers of the sums.
SUMMEVAL_INTO void settle(const float* given, const uint32_t* rows, size_t count, float* sums,
                          int16_t* whole, float* scales) {
    for (size_t k = 0; k < count; ++k) {
        float* const sum = sums + rows[k] * WIDTH;
        for (size_t o = 0; o < WIDTH; ++o) sum[o] += given[k * WIDTH + o];
        quantize<WIDTH>(sum, whole + rows[k] * WIDTH, scales[rows[k]]);
    }
}

// The place of the largest number, the first one if there are several, or none. `count` is a multiple
// of 16.
SUMMEVAL_INTO uint32_t first_largest(const float* numbers, size_t count) {
    alignas(64) float best[LANES];
    alignas(64) int32_t which[LANES];
    SUMMEVAL_LANES
    for (size_t l = 0; l < LANES; ++l) {
        best[l] = numbers[l];
        which[l] = static_cast<int32_t>(l);
    }
    for (size_t o = LANES; o < count; o += LANES) {
        SUMMEVAL_LANES
        for (size_t l = 0; l < LANES; ++l) {
            const float number = numbers[o + l];
            which[l] = number > best[l] ? static_cast<int32_t>(o + l) : which[l];
            best[l] = larger(number, best[l]);
        }
    }
    const float most = folded(best, larger);
    constexpr int32_t NONE = INT32_MAX;
    SUMMEVAL_LANES
    for (size_t l = 0; l < LANES; ++l) which[l] = best[l] == most ? which[l] : NONE;
    const int32_t found = folded(which, smaller);
    return found == NONE ? 0 : static_cast<uint32_t>(found);
}

// The sums of a state: the parser has eight slots, the recognizer of entities three.
template <size_t SLOTS>
SUMMEVAL_INTO void add_slots(const float* const* slots, const float* bias, float* sums) {
    for (size_t k = 0; k < STATE; ++k) {
        float sum = slots[0][k];
        for (size_t s = 1; s < SLOTS; ++s) sum += slots[s][k];
        sums[k] = sum + bias[k];
    }
}

// The best move of a state: the first one of those with the highest score. `slots` are the sums
// that its tokens give; `barred` is -infinity for moves that are not valid, else 0.
template <Row row>
SUMMEVAL_INTO uint32_t choose(const Chooser& layer, const float* const* slots, size_t count,
                              const float* barred) {
    alignas(64) float sums[STATE];
    alignas(64) float hidden[HIDDEN];
    alignas(64) int16_t whole[HIDDEN];
    alignas(64) int32_t scores[MOST_OUTPUTS];
    if (count == 8) {
        add_slots<8>(slots, layer.bias, sums);
    } else {
        add_slots<3>(slots, layer.bias, sums);
    }
    for (size_t k = 0; k < HIDDEN; ++k) hidden[k] = larger(sums[k], sums[HIDDEN + k]);
    float scale;
    quantize<HIDDEN>(hidden, whole, scale);
    row(whole, HIDDEN / 2, layer.weights.data(), layer.columns, scores);
    alignas(64) float each[MOST_OUTPUTS];
    const float* const by = layer.scales.data();
    const float* const more = layer.addends.data();
    size_t o = 0;
    do {
        each[o] = static_cast<float>(scores[o]) * scale * by[o] + more[o] + barred[o];
    } while (++o < layer.columns);
    return first_largest(each, layer.columns);
}

// The layers in one instruction set.
struct Kernels {
    const char* name;
    void (*maxout)(const Maxout&, const int16_t* const*, const float*, size_t, float*);
    void (*affine)(const Affine&, const int16_t* const*, const float*, size_t, float*);
    void (*settle)(const float*, const uint32_t*, size_t, float*, int16_t*, float*);
    void (*add_rows)(const int16_t* const*, const float*, size_t, float*);
    void (*quantize)(const float*, int16_t*, float&);
    void (*expand)(const int16_t*, float, float*);
    uint32_t (*choose)(const Chooser&, const float* const*, size_t, const float*);
    uint32_t (*first_largest)(const float*, size_t);
};

#define SUMMEVAL_LAYERS(name, target)                                                              \
    target inline void maxout_##name(const Maxout& layer, const int16_t* const* rows,              \
                                     const float* scales, size_t count, float* out) {              \
        maxout<tile_##name>(layer, rows, scales, count, out);                                      \
    }                                                                                              \
    target inline void affine_##name(const Affine& layer, const int16_t* const* rows,              \
                                     const float* scales, size_t count, float* out) {              \
        affine<tile_##name>(layer, rows, scales, count, out);                                      \
    }                                                                                              \
    target inline void settle_##name(const float* given, const uint32_t* rows, size_t count,       \
                                     float* sums, int16_t* whole, float* scales) {                 \
        settle(given, rows, count, sums, whole, scales);                                           \
    }                                                                                              \
    target inline void add_rows_##name(const int16_t* const* rows, const float* scales,            \
                                       size_t count, float* sum) {                                 \
        add_rows(rows, scales, count, sum);                                                        \
    }                                                                                              \
    target inline void quantize_##name(const float* row, int16_t* whole, float& scale) {           \
        quantize<WIDTH>(row, whole, scale);                                                        \
    }                                                                                              \
    target inline void expand_##name(const int16_t* whole, float scale, float* row) {              \
        expand(whole, scale, row);                                                                 \
    }                                                                                              \
    target inline uint32_t choose_##name(const Chooser& layer, const float* const* slots,          \
                                         size_t count, const float* barred) {                      \
        return choose<row_##name>(layer, slots, count, barred);                                    \
    }                                                                                              \
    target inline uint32_t first_largest_##name(const float* numbers, size_t count) {              \
        return first_largest(numbers, count);                                                      \
    }                                                                                              \
    inline constexpr Kernels kernels_##name{#name,         maxout_##name,   affine_##name,         \
                                            settle_##name, add_rows_##name, quantize_##name,       \
                                            expand_##name, choose_##name,   first_largest_##name};

SUMMEVAL_LAYERS(plain, )
#if defined(SUMMEVAL_SSE2)
SUMMEVAL_LAYERS(sse2, )
#endif
#if defined(SUMMEVAL_X86)
SUMMEVAL_LAYERS(avx2, SUMMEVAL_AVX2)
SUMMEVAL_LAYERS(vnni, SUMMEVAL_VNNI)
#elif defined(SUMMEVAL_NEON)
SUMMEVAL_LAYERS(neon, )
#endif
#undef SUMMEVAL_LAYERS

// What this machine can run, the fastest first.
inline const std::vector<const Kernels*>& runnable() {
    static const std::vector<const Kernels*> found = [] {
        std::vector<const Kernels*> all;
#if defined(SUMMEVAL_X86)
        if (processor().avx512_vnni) all.push_back(&kernels_vnni);
        if (processor().avx2) all.push_back(&kernels_avx2);
#elif defined(SUMMEVAL_NEON)
        all.push_back(&kernels_neon);
#endif
#if defined(SUMMEVAL_SSE2)
        all.push_back(&kernels_sse2);
#endif
        all.push_back(&kernels_plain);
        return all;
    }();
    return found;
}

}  // namespace summeval::parsing
