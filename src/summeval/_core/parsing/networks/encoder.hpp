// From the attributes of words to vectors of tokens in their line: hashed tables, a layer that mixes
// them, and four convolutions over three neighbours.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "parsing/networks/layers.hpp"
#include "rows/stop.hpp"

namespace summeval::parsing {

// What the networks know of a token by itself.
struct Word {
    uint64_t norm, prefix, suffix, shape;
    uint64_t flags;  // 1: a blank follows; 2: it is white space

    bool operator==(const Word& other) const noexcept {
        return norm == other.norm && prefix == other.prefix && suffix == other.suffix &&
               shape == other.shape && flags == other.flags;
    }
    uint64_t attribute(size_t column) const noexcept {
        const uint64_t all[6] = {norm, prefix, suffix, shape, flags & 1, flags >> 1};
        return all[column];
    }
};

// Four rows of a table for an id: MurmurHash3 (128 bits) of its eight bytes.
inline void hash_rows(uint64_t id, uint32_t seed, uint32_t* rows) noexcept {
    const auto last = [](uint64_t h) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdu;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53u;
        return h ^ (h >> 33);
    };
    uint64_t first = id * 0x87c37b91114253d5u;
    first = (first << 31) | (first >> 33);
    first *= 0x4cf5ad432745937fu;
    first ^= seed;
    first ^= 8;
    uint64_t second = uint64_t{seed} ^ 8;
    first += second;
    second += first;
    first = last(first);
    second = last(second);
    first += second;
    second += first;
    rows[0] = static_cast<uint32_t>(first);
    rows[1] = static_cast<uint32_t>(first >> 32);
    rows[2] = static_cast<uint32_t>(second);
    rows[3] = static_cast<uint32_t>(second >> 32);
}

// Lines of words, one after the other: `ends` are the numbers of words up to the end of each.
struct Lines {
    const Word* words;
    const uint32_t* ends;
    size_t count;
    uint32_t size() const noexcept { return count ? ends[count - 1] : 0; }
    uint32_t first(size_t line) const noexcept { return line ? ends[line - 1] : 0; }
};

// What an encoder writes to.
struct EncoderRoom {
    // Mixed vectors of words, by the words.
    struct Mixed {
        Word word;
        float scale = -1;  // none yet
        int16_t whole[WIDTH];
    };
    std::vector<Mixed> mixed;
    std::vector<uint32_t> unmixed;  // words of these lines that it lacks
    std::vector<int16_t> sums;      // of the rows of a table, [attributes][unmixed][96]

    std::vector<float> vectors;         // [rows][96]
    std::vector<int16_t> whole[2];      // of the layer that is read, and of the next
    std::vector<float> scales[2];
    std::vector<uint32_t> rows;         // that a layer makes
    std::vector<const int16_t*> inputs;
    std::vector<float> input_scales, made;
    Pace pace;

    // The vectors of the words, in whole numbers; a multiple of 8, the last one repeated.
    std::vector<const int16_t*> found;
    std::vector<float> found_scales;
};

class Encoder {
  public:
    Encoder(const Sections& sections, const std::string& name) {
        SectionReader from(sections, name);
        const size_t tables = from.number<uint32_t>(), depth = from.number<uint32_t>();
        if (tables == 0 || tables > 6 || depth != DEPTH) from.fail();
        for (size_t k = 0; k < tables; ++k) {
            Table table;
            table.rows = from.number<uint32_t>();
            table.seed = from.number<uint32_t>();
            const auto scale = from.number<float>();
            if (table.rows == 0 || table.rows > (1u << 20)) from.fail();
            for (const uint8_t factor : from.numbers<uint8_t>(table.rows))
                table.scales.push_back(scale * factor);
            table.whole = read_packed(from, table.rows * WIDTH, TABLE_BITS);
            tables_.push_back(std::move(table));
        }
        mix_ = read_maxout(from, tables);
        for (size_t k = 0; k < depth; ++k) layers_.push_back(read_maxout(from, 3));
        from.end();
        settle_far();
    }

    // Writes the vectors of the words of lines to room.found.
    void encode(const Lines& lines, const Kernels& kernels, EncoderRoom& room) const {
        const size_t size = lines.size() + lines.count * 2 * MARGIN;
        room.vectors.resize(size * WIDTH);
        for (size_t k = 0; k < 2; ++k) {
            room.whole[k].resize(size * WIDTH);
            room.scales[k].resize(size);
        }
        put_zeros(lines, room);
        mix(lines, kernels, room);
        // Rows beside a line that a layer makes: those that the following ones read, and that are
        // not the same beside every line.
        constexpr size_t BESIDE[DEPTH] = {1, 2, 1, 0};
        for (size_t k = 0; k < DEPTH; ++k) {
            if (k == 1) put_far(lines, room);
            convolve(layers_[k], BESIDE[k], lines, kernels, room);
        }
        room.found.clear();
        room.found_scales.clear();
        each_row(lines, 0, [&](uint32_t row) {
            room.found.push_back(room.whole[0].data() + row * WIDTH);
            room.found_scales.push_back(room.scales[0][row]);
        });
        while (room.found.size() % ROWS) {
            room.found.push_back(room.found.back());
            room.found_scales.push_back(room.found_scales.back());
        }
    }

  private:
    struct Table {
        uint32_t rows = 0, seed = 0;
        std::vector<float> scales;  // of the rows
        std::vector<int16_t> whole;
    };
    static constexpr size_t DEPTH = 4;
    static constexpr size_t MARGIN = 3;  // rows of zeros on each side of a line
    static constexpr size_t TOGETHER = 256;  // rows, whose numbers stay in the processor's cache
    static constexpr std::ptrdiff_t AHEAD = 6;  // words
    static constexpr size_t MIXED = size_t{1} << 14;

    // Calls with the rows of all lines and of `beside` rows on each side.
    template <class Call>
    static void each_row(const Lines& lines, size_t beside, Call call) {
        for (size_t line = 0; line < lines.count; ++line) {
            const size_t first = lines.first(line) + (2 * line + 1) * MARGIN;
            const size_t size = lines.ends[line] - lines.first(line);
            for (size_t row = first - beside; row < first + size + beside; ++row)
                call(static_cast<uint32_t>(row));
        }
    }

    void mix(const Lines& lines, const Kernels& kernels, EncoderRoom& room) const {
        if (room.mixed.empty()) room.mixed.resize(MIXED);
        room.unmixed.clear();
        room.rows.clear();
        const Word* word = lines.words;
        const Word* const end = word + lines.size();
        each_row(lines, 0, [&](uint32_t row) {
            if (end - word > AHEAD) fetch(room.mixed[slot(word[AHEAD])]);
            const EncoderRoom::Mixed& kept = room.mixed[slot(*word)];
            if (kept.scale >= 0 && kept.word == *word) {
                put(kept, row, kernels, room);
            } else {
                room.unmixed.push_back(static_cast<uint32_t>(word - lines.words));
                room.rows.push_back(row);
            }
            ++word;
        });
        for (size_t first = 0; first < room.rows.size(); first += TOGETHER) {
            mix_anew(lines, room.unmixed.data() + first, room.rows.data() + first,
                     std::min(TOGETHER, room.rows.size() - first), kernels, room);
        }
    }

    static size_t slot(const Word& word) noexcept {
        uint64_t mixed = word.norm ^ (word.shape * 0x9E3779B97F4A7C15u) ^ word.flags;
        mixed ^= word.suffix * 0xC2B2AE3D27D4EB4Fu;
        mixed *= 0xff51afd7ed558ccdu;
        return mixed >> 50;
    }

    // What is kept lies anywhere in memory, so it is asked for before it is read.
    static void fetch(const EncoderRoom::Mixed& mixed) noexcept {
#if defined(__GNUC__)
        const char* const at = reinterpret_cast<const char*>(&mixed);
        for (size_t k = 0; k < sizeof mixed; k += 64) __builtin_prefetch(at + k);
#else
        (void)mixed;
#endif
    }

    static void put(const EncoderRoom::Mixed& mixed, uint32_t row, const Kernels& kernels,
                    EncoderRoom& room) {
        std::copy(mixed.whole, mixed.whole + WIDTH, room.whole[0].data() + row * WIDTH);
        room.scales[0][row] = mixed.scale;
        kernels.expand(mixed.whole, mixed.scale, room.vectors.data() + row * WIDTH);
    }

    void mix_anew(const Lines& lines, const uint32_t* unmixed, const uint32_t* places, size_t count,
                  const Kernels& kernels, EncoderRoom& room) const {
        room.pace(count << 10);
        const size_t full = (count + ROWS - 1) / ROWS * ROWS;
        room.sums.resize(tables_.size() * count * WIDTH);
        room.inputs.clear();
        room.input_scales.clear();
        int16_t* sum = room.sums.data();
        for (size_t t = 0; t < tables_.size(); ++t) {
            const Table& table = tables_[t];
            for (size_t k = 0; k < count; ++k, sum += WIDTH) {
                uint32_t numbers[4];
                hash_rows(lines.words[unmixed[k]].attribute(t), table.seed, numbers);
                const int16_t* rows[4];
                float scales[4], added[WIDTH], scale;
                for (size_t j = 0; j < 4; ++j) {
                    rows[j] = table.whole.data() + numbers[j] % table.rows * WIDTH;
                    scales[j] = table.scales[numbers[j] % table.rows];
                }
                kernels.add_rows(rows, scales, 4, added);
                kernels.quantize(added, sum, scale);
                room.inputs.push_back(sum);
                room.input_scales.push_back(scale);
            }
            room.inputs.insert(room.inputs.end(), full - count, sum - WIDTH);
            room.input_scales.insert(room.input_scales.end(), full - count, 0.0f);
        }
        room.made.resize(full * WIDTH);
        kernels.maxout(mix_, room.inputs.data(), room.input_scales.data(), full, room.made.data());
        for (size_t k = 0; k < count; ++k) {
            const Word& word = lines.words[unmixed[k]];
            EncoderRoom::Mixed& kept = room.mixed[slot(word)];
            kept.word = word;
            kernels.quantize(room.made.data() + k * WIDTH, kept.whole, kept.scale);
            put(kept, places[k], kernels, room);
        }
    }

    void convolve(const Maxout& layer, size_t beside, const Lines& lines, const Kernels& kernels,
                  EncoderRoom& room) const {
        room.rows.clear();
        each_row(lines, beside, [&](uint32_t row) { room.rows.push_back(row); });
        for (size_t first = 0; first < room.rows.size(); first += TOGETHER) {
            const size_t count = std::min(TOGETHER, room.rows.size() - first);
            convolve_some(layer, room.rows.data() + first, count, kernels, room);
        }
        std::swap(room.whole[0], room.whole[1]);
        std::swap(room.scales[0], room.scales[1]);
    }

    void convolve_some(const Maxout& layer, const uint32_t* rows, size_t count,
                       const Kernels& kernels, EncoderRoom& room) const {
        room.pace(count << 10);
        const size_t full = (count + ROWS - 1) / ROWS * ROWS;
        room.inputs.resize(3 * full);
        room.input_scales.resize(3 * full);
        for (size_t b = 0; b < 3; ++b) {
            for (size_t k = 0; k < full; ++k) {
                const size_t row = rows[std::min(k, count - 1)] + b - 1;
                room.inputs[b * full + k] = room.whole[0].data() + row * WIDTH;
                room.input_scales[b * full + k] = room.scales[0][row];
            }
        }
        room.made.resize(full * WIDTH);
        kernels.maxout(layer, room.inputs.data(), room.input_scales.data(), full, room.made.data());
        kernels.settle(room.made.data(), rows, count, room.vectors.data(), room.whole[1].data(),
                       room.scales[1].data());
    }

    // What the first layer makes of zeros, which are all that it reads two rows beside a line.
    void settle_far() {
        const std::vector<int16_t> zeros(WIDTH);
        const std::vector<const int16_t*> rows(3 * ROWS, zeros.data());
        const std::vector<float> scales(3 * ROWS);
        std::vector<float> made(ROWS * WIDTH);
        kernels_plain.maxout(layers_[0], rows.data(), scales.data(), ROWS, made.data());
        far_.resize(WIDTH);
        std::copy(made.begin(), made.begin() + WIDTH, far_.begin());
        far_whole_.resize(WIDTH);
        kernels_plain.quantize(far_.data(), far_whole_.data(), far_scale_);
    }

    void put_far(const Lines& lines, EncoderRoom& room) const {
        each_beside(lines, 2, [&](size_t row) {
            std::copy(far_.begin(), far_.end(), room.vectors.data() + row * WIDTH);
            std::copy(far_whole_.begin(), far_whole_.end(), room.whole[0].data() + row * WIDTH);
            room.scales[0][row] = far_scale_;
        });
    }

    static void put_zeros(const Lines& lines, EncoderRoom& room) {
        each_beside(lines, MARGIN, [&](size_t row) {
            std::fill_n(room.vectors.data() + row * WIDTH, WIDTH, 0.0f);
            std::fill_n(room.whole[0].data() + row * WIDTH, WIDTH, int16_t{0});
            room.scales[0][row] = 0;
        });
    }

    // Calls with the outermost rows beside each line.
    template <class Call>
    static void each_beside(const Lines& lines, size_t count, Call call) {
        for (size_t line = 0; line < lines.count; ++line) {
            const size_t first = lines.first(line) + 2 * line * MARGIN;
            const size_t end = lines.ends[line] + 2 * (line + 1) * MARGIN;
            for (size_t k = 0; k < count; ++k) {
                call(first + k);
                call(end - 1 - k);
            }
        }
    }

    std::vector<Table> tables_;
    Maxout mix_;
    std::vector<Maxout> layers_;
    std::vector<float> far_;
    std::vector<int16_t> far_whole_;
    float far_scale_ = 0;
};

}  // namespace summeval::parsing
