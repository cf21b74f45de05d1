// What the guards need to know of characters. Python tells it (interop/shaping/guards.py), character
// by character, when a text first has one: so case, letters and digits are those of the running
// Python.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "rows/stop.hpp"
#include "text/unicode.hpp"
#include "text/views.hpp"

namespace summeval {

// A character: its code point in lower case, or of the English mark that it stands for, and bits.
struct Letter {
    enum : uint32_t {
        CODE = 0x1FFFFF,
        KNOWN = 1u << 21,
        WORD = 1u << 22,     // of words; what is neither of words nor a mark is as a blank
        MARK = 1u << 23,     // one of .,;:!?
        APART = 1u << 24,    // of a script without blanks: a word of its own
        DIGIT = 1u << 25,    // a word that begins with it is a number
        BREAKS = 1u << 26,   // a blank follows
        SPACE = 1u << 27,    // separates pieces of a text
        CASED = 1u << 28,    // with a letter of this kind before and none after it a sigma is final
        IGNORED = 1u << 29,  // these are skipped to find out
        ENDS = 1u << 30,     // may end a text
    };
    uint32_t bits;
    uint32_t script;  // its number

    uint32_t code() const noexcept { return bits & CODE; }
    bool is(uint32_t bit) const noexcept { return (bits & bit) != 0; }
};

constexpr uint32_t NO_SCRIPT = 0, ODD = 1;  // of marks; of what is invisible or stands for another

class Letters {
  public:
    Letters() noexcept {
        for (auto& page : pages_) page.store(nullptr, std::memory_order_relaxed);
    }
    ~Letters() {
        for (auto& page : pages_) delete page.load();
    }
    Letters(const Letters&) = delete;
    Letters& operator=(const Letters&) = delete;

    // The bits are 0 if the character is not known yet.
    Letter operator[](uint32_t code) const noexcept {
        const Page* const page = pages_[code / SIZE].load(std::memory_order_acquire);
        if (!page) return {0, 0};
        const uint64_t found = page->letters[code % SIZE].load(std::memory_order_relaxed);
        return {static_cast<uint32_t>(found), static_cast<uint32_t>(found >> 32)};
    }

    // Only one thread at a time may call this, others may read meanwhile.
    void learn(uint32_t code, uint32_t bits, uint32_t script) {
        std::atomic<Page*>& place = pages_[code / SIZE];
        Page* page = place.load(std::memory_order_relaxed);
        if (!page) {
            page = new Page;
            for (auto& letter : page->letters) letter.store(0, std::memory_order_relaxed);
            place.store(page, std::memory_order_release);
        }
        const uint64_t told = bits | Letter::KNOWN | static_cast<uint64_t>(script) << 32;
        page->letters[code % SIZE].store(told, std::memory_order_relaxed);
    }

  private:
    static constexpr uint32_t SIZE = 256, CODES = 0x110000;
    struct Page {
        std::array<std::atomic<uint64_t>, SIZE> letters;
    };
    std::array<std::atomic<Page*>, CODES / SIZE> pages_;
};

// The character at text[at], below `size`, and its length in bytes.
inline uint32_t code_at(const char* text, size_t size, size_t at, size_t& length) noexcept {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text);
    uint32_t code = bytes[at];
    length = 1;
    if (code < 0x80) return code;
    length = unicode::decode(bytes + at, size - at, code);
    if (length != 0) return code;
    length = 1;
    return 0xFFFD;
}

// The characters of texts that are not known, in their order; some may come several times.
class UnknownCharacters {
  public:
    std::vector<uint32_t> codes;

    void look(View text, const Letters& letters) {
        const size_t size = static_cast<size_t>(text.size);
        size_t length = 0;
        Pace pace;
        for (size_t at = 0; at < size; at += length) {
            pace(2);
            const uint32_t code = code_at(text.data, size, at, length);
            if (letters[code].is(Letter::KNOWN)) continue;
            if (codes.size() < MOST && (codes.empty() || codes.back() != code))
                codes.push_back(code);
        }
    }

  private:
    static constexpr size_t MOST = size_t{1} << 21;
};

}  // namespace summeval
