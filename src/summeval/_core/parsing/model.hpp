// Sections of the parser's model file (summeval.annotate.compiled reads it), and a reader of
// the numbers and strings in one. Every read is checked, so a damaged section is an error, never a
// read outside it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace summeval::parsing {

struct Section {
    const unsigned char* data;
    size_t size;
};

// By name. Their bytes outlive the reading of the model, not the model.
using Sections = std::map<std::string, Section>;

class SectionReader {
  public:
    SectionReader(const Sections& sections, const std::string& name) : name_(name) {
        const auto found = sections.find(name);
        if (found == sections.end()) throw std::invalid_argument("it has no section " + name);
        at_ = found->second.data;
        left_ = found->second.size;
    }

    // Numbers of the file, which are little-endian, as those of every machine that this is for.
    template <class T>
    std::vector<T> numbers(size_t count) {
        if (count > left_ / sizeof(T)) fail();
        std::vector<T> found(count);
        if (count) std::memcpy(found.data(), at_, count * sizeof(T));
        at_ += count * sizeof(T);
        left_ -= count * sizeof(T);
        return found;
    }

    template <class T>
    T number() {
        return numbers<T>(1)[0];
    }

    // A string of the given size. It points into the section.
    std::string_view text(size_t size) {
        if (size > left_) fail();
        const std::string_view found(reinterpret_cast<const char*>(at_), size);
        at_ += size;
        left_ -= size;
        return found;
    }

    // What is left, as lines; the last one ends with the section.
    std::vector<std::string> lines() {
        std::vector<std::string> found;
        std::string_view rest = text(left_);
        while (!rest.empty()) {
            const size_t end = std::min(rest.find('\n'), rest.size());
            found.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return found;
    }

    size_t left() const noexcept { return left_; }
    // Raises unless the whole section was read.
    void end() const {
        if (left_) fail();
    }
    [[noreturn]] void fail() const {
        throw std::invalid_argument("its section " + name_ + " is damaged");
    }

  private:
    std::string name_;
    const unsigned char* at_;
    size_t left_;
};

}  // namespace summeval::parsing
