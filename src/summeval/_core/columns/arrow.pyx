"""Arrow columns from any producer: the capsules of the PyCapsule interface, read by arrow.hpp."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid


cdef extern from "columns/arrow.hpp" namespace "summeval" nogil:
    cdef struct ArrowSchema:
        void (*release)(ArrowSchema*) noexcept

    cdef struct ArrowArray:
        void (*release)(ArrowArray*) noexcept

    cdef struct ArrowArrayStream:
        void (*release)(ArrowArrayStream*) noexcept

    cdef cppclass Owned[T]:
        void take(T*) noexcept

    cdef enum ArrowError:
        ARROW_OK
        ARROW_TYPE
        ARROW_STREAM
        ARROW_MEMORY

    cdef struct ArrowStatus:
        ArrowError error
        char message[320]

    ArrowStatus read_arrow_array(
        Owned[ArrowSchema]&, Owned[ArrowArray]&, bint, ArrowColumn&
    ) noexcept
    ArrowStatus read_arrow_stream(Owned[ArrowArrayStream]&, bint, ArrowColumn&) noexcept


cdef class ArrowOwner:
    """Owns the arrays that the views of its column point into."""

    def __dealloc__(self) -> None:
        # Released here, not in the destructor of `column`: Cython sets a pending exception aside
        # for __dealloc__, and producers may run Python to release an array.
        self.column.arrays.clear()


cdef bint is_arrow(object source):
    """Whether an object exports Arrow data."""
    return hasattr(type(source), "__arrow_c_stream__") or hasattr(type(source), "__arrow_c_array__")


cdef int check_sizes(object source, str name) except -1:
    """Raise ValueError if an array of pyarrow points past the end of its buffers.

    A capsule does not contain the length of a buffer. pyarrow has it, and reads files without
    checking their offsets. arrow.hpp checks all that a capsule contains, so pyarrow's cheap check
    is enough. A column of pandas may hold such an array.
    """
    library = type(source).__module__.partition(".")[0]
    if library == "pandas":
        if hasattr(type(source), "columns"):
            for place in range(source.shape[1]):
                check_sizes(source.iloc[:, place], name)
            return 0
        source = getattr(getattr(source, "array", None), "_pa_array", None)
        library = type(source).__module__.partition(".")[0]
    if library == "pyarrow" and hasattr(type(source), "validate"):
        try:
            source.validate()
        except ValueError as error:
            reason = " ".join(str(error).split())[:200]
            raise ValueError(f"{name}: a damaged array ({reason}); make it again") from None
    return 0


cdef object export_arrow(object source, str name):
    """The capsule of a stream, or the pair of capsules of a schema and an array.

    Raise ValueError for an array that points past the end of its buffers, if its library can find
    out; the message starts with `name`.

    Return None for a one-dimensional column that its library cannot export (pandas: objects of
    several types, or no pyarrow); its items can still be read one by one.
    """
    check_sizes(source, name)
    try:
        if hasattr(type(source), "__arrow_c_stream__"):
            return source.__arrow_c_stream__()
        return source.__arrow_c_array__()
    except Exception:
        if getattr(source, "ndim", 0) == 1:
            return None
        raise


cdef void* struct_in(object capsule, const char* kind, str name) except NULL:
    if not PyCapsule_IsValid(capsule, kind):
        raise TypeError(f"{name}: its Arrow export is no capsule named '{kind.decode()}'")
    return PyCapsule_GetPointer(capsule, kind)


cdef ArrowStatus read_stream(object capsule, str name, bint lists, ArrowColumn* column) except *:
    cdef ArrowArrayStream* exported = <ArrowArrayStream*> struct_in(
        capsule, "arrow_array_stream", name
    )
    cdef Owned[ArrowArrayStream] stream
    if exported.release == NULL:
        raise ValueError(f"{name}: the Arrow stream was already read; export it again")
    stream.take(exported)
    with nogil:
        return read_arrow_stream(stream, lists, column[0])


cdef ArrowStatus read_array(tuple capsules, str name, bint lists, ArrowColumn* column) except *:
    cdef ArrowSchema* exported_schema = <ArrowSchema*> struct_in(capsules[0], "arrow_schema", name)
    cdef ArrowArray* exported_array = <ArrowArray*> struct_in(capsules[1], "arrow_array", name)
    cdef Owned[ArrowSchema] schema
    cdef Owned[ArrowArray] array
    if exported_schema.release == NULL or exported_array.release == NULL:
        raise ValueError(f"{name}: the Arrow array was already read; export it again")
    schema.take(exported_schema)
    array.take(exported_array)
    with nogil:
        return read_arrow_array(schema, array, lists, column[0])


cdef ArrowOwner read_arrow(object exported, str name, bint lists):
    """The texts, or lists of texts, that `export_arrow` exported.

    Raise TypeError for a type that holds no text, ValueError for an array that breaks the rules of
    the interface, RuntimeError for a stream that fails, MemoryError; each message starts with
    `name`.
    """
    cdef ArrowOwner owner = ArrowOwner.__new__(ArrowOwner)
    cdef ArrowStatus status
    if isinstance(exported, tuple) and len(exported) == 2:
        status = read_array(exported, name, lists, &owner.column)
    else:
        status = read_stream(exported, name, lists, &owner.column)
    if status.error == ARROW_OK:
        return owner
    message = f"{name}: {status.message.decode('utf-8', 'replace')}"
    if status.error == ARROW_TYPE:
        raise TypeError(message)
    if status.error == ARROW_MEMORY:
        raise MemoryError(message)
    if status.error == ARROW_STREAM:
        raise RuntimeError(message)
    raise ValueError(message)
