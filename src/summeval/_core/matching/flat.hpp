// The arrays of Python callers, read as they are, and new arrays for them. Small problems cost less
// than the memory views of Cython, the buffers of Python, or calls of NumPy's functions from Python.
// A module that includes this calls `load_arrays` first.
#pragma once
#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#include <numpy/arrayobject.h>

#include <cstdint>

namespace summeval {

// The memory of an array of the caller. Needs the lock of the interpreter, and the array for as long
// as the memory is used.
class FlatArray {
  public:
    // Each returns whether the object is what was asked for: an array itself, as some subclasses
    // mean more than their memory, contiguous, aligned, in the byte order of this machine.
    bool integers(PyObject* object, int dimensions = 1) noexcept {
        return open(object, dimensions) && PyArray_ISSIGNED(array_) &&
               (PyArray_ITEMSIZE(array_) == 4 || PyArray_ITEMSIZE(array_) == 8);
    }
    bool doubles(PyObject* object, int dimensions = 1) noexcept {
        return open(object, dimensions) && PyArray_TYPE(array_) == NPY_DOUBLE;
    }

    const void* data() const noexcept { return PyArray_DATA(array_); }
    double* numbers() const noexcept { return static_cast<double*>(PyArray_DATA(array_)); }
    int64_t* places() const noexcept { return static_cast<int64_t*>(PyArray_DATA(array_)); }
    bool wide() const noexcept { return PyArray_ITEMSIZE(array_) == 8; }
    int64_t size() const noexcept { return PyArray_DIM(array_, 0); }
    int64_t width() const noexcept { return PyArray_DIM(array_, 1); }

  private:
    bool open(PyObject* object, int dimensions) noexcept {
        if (!PyArray_CheckExact(object)) return false;
        array_ = reinterpret_cast<PyArrayObject*>(object);
        return PyArray_NDIM(array_) == dimensions && PyArray_IS_C_CONTIGUOUS(array_) &&
               PyArray_ISALIGNED(array_) && PyArray_ISNOTSWAPPED(array_);
    }

    PyArrayObject* array_ = nullptr;
};

// Makes NumPy's functions known to the module; -1 with a Python exception set if it cannot.
inline int load_arrays() { return _import_array(); }

// New arrays: a new reference, or null with a Python exception set.
inline PyObject* new_numbers(int64_t size) noexcept {
    npy_intp shape = static_cast<npy_intp>(size);
    return PyArray_SimpleNew(1, &shape, NPY_DOUBLE);
}
inline PyObject* new_zeros(int64_t size) noexcept {
    npy_intp shape = static_cast<npy_intp>(size);
    return PyArray_ZEROS(1, &shape, NPY_DOUBLE, 0);
}
inline PyObject* new_places(int64_t size) noexcept {
    npy_intp shape = static_cast<npy_intp>(size);
    return PyArray_SimpleNew(1, &shape, NPY_INT64);
}
inline double* numbers_of(PyObject* array) noexcept {
    return static_cast<double*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
}
inline int64_t* places_of(PyObject* array) noexcept {
    return static_cast<int64_t*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)));
}

}  // namespace summeval
