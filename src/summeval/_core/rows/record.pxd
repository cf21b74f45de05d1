cdef class Score(float):
    cdef tuple fields
    cdef tuple values_
    cdef Py_ssize_t primary


cdef Score new_score(tuple fields, tuple values, Py_ssize_t primary)

# Puts float64 numbers [name, row] into an empty dict as read-only columns, without a copy; their
# names are the keys of `blank`, in their order.
cdef int put_numbers(object table, dict blank, bytes numbers, Py_ssize_t rows) except -1
