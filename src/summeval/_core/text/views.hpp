// A text as the kernels see it: borrowed UTF-8 bytes. `data == nullptr` is a null (None) row.
#pragma once
#include <cstdint>

namespace summeval {

struct View {
    const char* data;
    int64_t size;
};

}  // namespace summeval
