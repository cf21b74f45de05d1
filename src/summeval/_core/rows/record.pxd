cdef class Score:
    cdef tuple fields
    cdef tuple values_
    cdef Py_ssize_t primary
    cdef Py_ssize_t place(self, object name)


cdef Score new_score(tuple fields, tuple values, Py_ssize_t primary)
