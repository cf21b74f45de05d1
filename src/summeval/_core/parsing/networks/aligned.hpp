// Numbers that begin at a multiple of 64 bytes, so that no vector of them lies across two lines of the
// processor's cache.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace summeval::parsing {

template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class Other>
    AlignedAllocator(const AlignedAllocator<Other>&) noexcept {}

    T* allocate(size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{64}));
    }
    void deallocate(T* at, size_t) noexcept { ::operator delete(at, std::align_val_t{64}); }

    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) noexcept { return true; }
    friend bool operator!=(const AlignedAllocator&, const AlignedAllocator&) noexcept { return false; }
};

template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;

}  // namespace summeval::parsing
