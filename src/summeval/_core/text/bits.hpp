// Bit operations that the baseline instruction set lacks, in one portable place.
#pragma once
#include <cstdint>
#if defined(_MSC_VER)
#include <intrin.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

namespace summeval {

// Index of the lowest set bit; `x` must not be 0.
inline unsigned lowest_bit(uint64_t x) noexcept {
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanForward64(&index, x);
    return index;
#else
    return static_cast<unsigned>(__builtin_ctzll(x));
#endif
}

// Index of the highest set bit; `x` must not be 0.
inline unsigned highest_bit(uint64_t x) noexcept {
#if defined(_MSC_VER)
    unsigned long index;
    _BitScanReverse64(&index, x);
    return index;
#else
    return 63u - static_cast<unsigned>(__builtin_clzll(x));
#endif
}

// Baseline x86-64 has no popcnt instruction, and the compiler's fallback is a function call.
inline unsigned count_bits(uint64_t x) noexcept {
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return static_cast<unsigned>((x * 0x0101010101010101u) >> 56);
}

inline void prefetch(const void* address) noexcept {
#if defined(_MSC_VER)
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#else
    __builtin_prefetch(address);
#endif
}

// Returns a + b + carry, and sets `carry` (0 or 1) for the next word.
inline uint64_t add_carry(uint64_t a, uint64_t b, unsigned char& carry) noexcept {
#if defined(_M_X64) || defined(__x86_64__)
    unsigned long long sum;
    carry = _addcarry_u64(carry, a, b, &sum);
    return sum;
#else
    uint64_t sum = a + b;
    const bool over = sum < a;
    sum += carry;
    carry = static_cast<unsigned char>(over | (sum < carry));
    return sum;
#endif
}

}  // namespace summeval
