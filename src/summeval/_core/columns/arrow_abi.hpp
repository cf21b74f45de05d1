// The Arrow C data interface and C stream interface: the structs as the specification defines them
// (https://arrow.apache.org/docs/format/CDataInterface.html), and a class that owns one.
#pragma once
#include <cstdint>
#include <utility>

namespace summeval {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    int64_t flags;
    int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

// Owns one of the structs above and releases it once, also after moves. A struct with a null
// `release` is empty (already released, or moved out).
template <class T>
class Owned {
public:
    Owned() noexcept = default;
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Owned() { reset(); }

    // Takes over the struct at `source`, which is left marked as released.
    void take(T* source) noexcept {
        reset();
        value_ = *source;
        source->release = nullptr;
    }

    void reset() noexcept {
        if (value_.release != nullptr) value_.release(&value_);
        value_ = T{};
    }

    explicit operator bool() const noexcept { return value_.release != nullptr; }
    T* get() noexcept { return &value_; }
    const T& operator*() const noexcept { return value_; }
    T* operator->() noexcept { return &value_; }

private:
    T value_{};
};

}  // namespace summeval
