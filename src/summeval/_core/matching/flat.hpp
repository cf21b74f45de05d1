// The arrays of Python callers, read as they are. Small problems cost less than the memory views of
// Cython, or than a conversion to one type of integers.
#pragma once
#include <cstdint>
#include <cstring>

namespace summeval {

// A contiguous array that lends its memory until this object ends. Needs the lock of the
// interpreter, at its end too.
class FlatArray {
  public:
    FlatArray() = default;
    FlatArray(const FlatArray&) = delete;
    FlatArray& operator=(const FlatArray&) = delete;
    ~FlatArray() {
        if (held_) PyBuffer_Release(&view_);
    }

    // Each returns whether the array is what was asked for; no Python exception is left.
    bool integers(PyObject* array, int dimensions = 1) { return open(array, dimensions, "ilq"); }
    bool doubles(PyObject* array, int dimensions = 1) { return open(array, dimensions, "d"); }

    const void* data() const noexcept { return view_.buf; }
    double* numbers() const noexcept { return static_cast<double*>(view_.buf); }
    int64_t* places() const noexcept { return static_cast<int64_t*>(view_.buf); }
    bool wide() const noexcept { return view_.itemsize == 8; }
    int64_t size() const noexcept { return view_.shape[0]; }
    int64_t width() const noexcept { return view_.shape[1]; }

  private:
    // Any of the types named by the letters of the `struct` module, in this machine's byte order.
    bool open(PyObject* array, int dimensions, const char* types) {
        if (PyObject_GetBuffer(array, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
            PyErr_Clear();
            return false;
        }
        held_ = true;
        const char* type = view_.format;
        return view_.ndim == dimensions && type && type[0] && !type[1] &&
               std::strchr(types, type[0]) && (view_.itemsize == 4 || view_.itemsize == 8) &&
               reinterpret_cast<uintptr_t>(view_.buf) % static_cast<size_t>(view_.itemsize) == 0;
    }

    Py_buffer view_{};
    bool held_ = false;
};

}  // namespace summeval
