// Which instructions this processor has and the system lets programs use, asked of the processor
// itself: what the compiler offers for this does not work with every C library.
#pragma once
#include "parsing/networks/products.hpp"

#if defined(SUMMEVAL_X86)
#include <cpuid.h>

namespace summeval::parsing {

struct Processor {
    bool avx2 = false, avx512_vnni = false;
};

inline Processor processor() noexcept {
    Processor found;
    unsigned a, b, c, d;
    constexpr unsigned SAVES = 1u << 27;  // the system says which registers it saves
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & SAVES)) return found;
    unsigned saved, high;
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    constexpr unsigned OF_AVX = 0x06, OF_AVX512 = 0xE6;
    if ((saved & OF_AVX) != OF_AVX || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
    found.avx2 = b >> 5 & 1;
    constexpr unsigned F = 1u << 16, DQ = 1u << 17, BW = 1u << 30, VL = 1u << 31, VNNI = 1u << 11;
    constexpr unsigned ALL = F | DQ | BW | VL;
    found.avx512_vnni = (saved & OF_AVX512) == OF_AVX512 && (b & ALL) == ALL && (c & VNNI);
    return found;
}

}  // namespace summeval::parsing
#endif
