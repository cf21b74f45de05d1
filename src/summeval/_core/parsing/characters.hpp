// Characters as spaCy and Python see them: classes for the automata, properties, lower case.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "parsing/model.hpp"
#include "rows/stop.hpp"
#include "text/unicode.hpp"

namespace summeval::parsing {

// Strings that are made while a line is read. They keep their place until `clear`.
class Strings {
  public:
    // Room for `most` bytes; the caller takes what it used of it.
    char* room(size_t most) {
        if (most > left_) {
            while (++current_ < blocks_.size() && blocks_[current_].size < most) {}
            if (current_ >= blocks_.size()) {
                const size_t size = std::max<size_t>(most, BLOCK);
                blocks_.push_back({std::make_unique<char[]>(size), size});
                current_ = blocks_.size() - 1;
            }
            at_ = blocks_[current_].bytes.get();
            left_ = blocks_[current_].size;
        }
        return at_;
    }
    std::string_view take(size_t size) noexcept {
        const std::string_view taken(at_, size);
        at_ += size;
        left_ -= size;
        return taken;
    }
    void clear() noexcept {
        current_ = SIZE_MAX;
        left_ = 0;
    }

  private:
    static constexpr size_t BLOCK = 1 << 14;
    struct Block {
        std::unique_ptr<char[]> bytes;
        size_t size;
    };

    std::vector<Block> blocks_;
    size_t current_ = SIZE_MAX, left_ = 0;  // SIZE_MAX: before the first one
    char* at_ = nullptr;
};

// Calls work(code, bytes) for each character of UTF-8 until it returns false. A byte that is no
// UTF-8, which only damaged tables have, is U+FFFD.
template <class Work>
inline void each_code(std::string_view text, Work work) {
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    for (size_t left = text.size(); left;) {
        uint32_t code;
        const size_t size = unicode::read_character(at, left, code);
        if (!work(code, std::string_view(reinterpret_cast<const char*>(at), size))) return;
        at += size;
        left -= size;
    }
}

class Characters {
  public:
    enum Property : uint8_t { SPACE = 1, ALPHA = 2, DIGIT = 4, UPPER = 8, CASED = 16, IGNORABLE = 32 };

    explicit Characters(const Sections& sections) {
        SectionReader reader(sections, "characters");
        const size_t classes = reader.number<uint16_t>();
        properties_ = reader.numbers<uint8_t>(classes);
        index_ = reader.numbers<uint16_t>(CODES / BLOCK);
        const size_t blocks = reader.number<uint16_t>();
        classes_ = reader.numbers<uint8_t>(blocks * BLOCK);
        for (const uint16_t block : index_)
            if (block >= blocks) reader.fail();
        for (const uint8_t one : classes_)
            if (one >= classes) reader.fail();
        const size_t lower = reader.number<uint32_t>();
        upper_ = reader.numbers<uint32_t>(lower);
        lower_ = reader.numbers<uint32_t>(lower);
        second_ = reader.numbers<uint32_t>(lower);
        reader.end();
        if (!std::is_sorted(upper_.begin(), upper_.end())) reader.fail();
        for (size_t k = 0; k < lower; ++k) {
            const size_t grown = size_of(lower_[k]) + (second_[k] ? size_of(second_[k]) : 0);
            if (grown > GROWTH * size_of(upper_[k])) reader.fail();
        }
        for (uint32_t code = 0; code < 0x80; ++code) {
            ascii_[code] = class_of(code);
            ascii_properties_[code] = properties_[ascii_[code]];
        }
    }

    size_t classes() const noexcept { return properties_.size(); }
    uint8_t ascii_class(unsigned char code) const noexcept { return ascii_[code]; }
    uint8_t class_of(uint32_t code) const noexcept {
        return classes_[size_t{index_[code / BLOCK]} * BLOCK + code % BLOCK];
    }
    // Bits of Property.
    uint8_t properties_of_class(uint8_t one) const noexcept { return properties_[one]; }
    uint8_t properties(uint32_t code) const noexcept {
        return code < 0x80 ? ascii_properties_[code] : properties_[class_of(code)];
    }

    bool has_all(std::string_view text, Property property) const {
        bool all = !text.empty();
        each_code(text, [&](uint32_t code, std::string_view) {
            return all = (properties(code) & property) != 0;
        });
        return all;
    }

    // The lower case of UTF-8, which is the text itself where nothing changes.
    std::string_view lower(std::string_view text, Strings& strings) const {
        unsigned char high = 0, capital = 0;
        for (const unsigned char byte : text) {
            high |= byte;
            capital |= is_capital(byte);
        }
        if (high >= 0x80) return lower_of_any(text, strings);
        if (!capital) return text;
        char* const out = strings.room(text.size());
        for (size_t k = 0; k < text.size(); ++k) {
            const unsigned char byte = text[k];
            out[k] = static_cast<char>(is_capital(byte) ? byte | 0x20 : byte);
        }
        return strings.take(text.size());
    }

  private:
    static constexpr uint32_t CODES = 0x110000, BLOCK = 256, SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2;

    static constexpr size_t GROWTH = 2;  // of a character that becomes another one, or two

    static bool is_capital(uint32_t code) noexcept { return code - 'A' < 26; }
    static size_t size_of(uint32_t code) noexcept {
        return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : code < CODES ? 4 : 100;
    }

    std::string_view lower_of_any(std::string_view text, Strings& strings) const {
        char* const out = strings.room(GROWTH * text.size() + 4);
        char* end = out;
        bool changed = false, cased = false;  // what is before, but for ignorable characters
        Pace pace;
        each_code(text, [&](uint32_t code, std::string_view bytes) {
            pace(8);
            const auto found = code < 0x80 && !is_capital(code)
                                   ? upper_.end()
                                   : std::lower_bound(upper_.begin(), upper_.end(), code);
            if (found == upper_.end() || *found != code) {
                end = std::copy(bytes.begin(), bytes.end(), end);
            } else {
                const size_t place = static_cast<size_t>(found - upper_.begin());
                const char* const next = bytes.data() + bytes.size();
                const size_t left = static_cast<size_t>(text.data() + text.size() - next);
                const bool last = code == SIGMA && cased && !cased_next({next, left});
                end = unicode::encode(last ? FINAL_SIGMA : lower_[place], end);
                if (second_[place]) end = unicode::encode(second_[place], end);
                changed = true;
            }
            const uint8_t has = properties(code);
            if ((has & IGNORABLE) == 0) cased = (has & CASED) != 0;
            return true;
        });
        return changed ? strings.take(static_cast<size_t>(end - out)) : text;
    }
    bool cased_next(std::string_view text) const {
        bool found = false;
        each_code(text, [&](uint32_t code, std::string_view) {
            const uint8_t has = properties(code);
            found = (has & CASED) != 0 && (has & IGNORABLE) == 0;
            return (has & IGNORABLE) != 0;
        });
        return found;
    }

    std::vector<uint8_t> properties_, classes_;
    std::vector<uint16_t> index_;
    std::vector<uint32_t> upper_, lower_, second_;
    uint8_t ascii_[0x80], ascii_properties_[0x80];
};

}  // namespace summeval::parsing
