"""Arrow arrays and streams made by hand with ctypes, so that a test can break any rule."""

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p

RELEASE = ctypes.CFUNCTYPE(None, c_void_p)
GET = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)
LAST_ERROR = ctypes.CFUNCTYPE(c_void_p, c_void_p)

KEPT = []  # what C still points into

PyCapsule_New = ctypes.pythonapi.PyCapsule_New
PyCapsule_New.restype = ctypes.py_object
PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]


def capsule(address, name):
    """A capsule, which borrows its name."""
    KEPT.append(name)
    return PyCapsule_New(address, name, None)


class Schema(ctypes.Structure):
    """ArrowSchema."""


Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Array(ctypes.Structure):
    """ArrowArray."""


Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", c_void_p),
    ("private_data", c_void_p),
]


class Stream(ctypes.Structure):
    """ArrowArrayStream."""

    _fields_ = (
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    )


class Node:
    """An array with its schema. `buffers` are bytes or None; every number can be a wrong one.

    The schema is `self.schema`, the array `self.array`; tests change their fields at will.
    """

    def __init__(
        self, format, length, buffers, children=(), *, dictionary=None, null_count=0, offset=0
    ):
        KEPT.append(self)
        self.released = []  # "Schema" and "Array", as they are released
        self.buffers = [None if b is None else ctypes.create_string_buffer(b) for b in buffers]
        self.children = children
        self.dictionary = dictionary
        self.release_schema = RELEASE(lambda at: self.release(Schema, at))
        self.release_array = RELEASE(lambda at: self.release(Array, at))
        self.schema = Schema(format=format, name=b"text", n_children=len(children))
        self.schema.children = self.pointers(Schema, [child.schema for child in children])
        self.array = Array(
            length=length,
            null_count=null_count,
            offset=offset,
            n_buffers=len(buffers),
            n_children=len(children),
        )
        self.array.children = self.pointers(Array, [child.array for child in children])
        self.array.buffers = (c_void_p * max(1, len(buffers)))(
            *(None if b is None else ctypes.addressof(b) for b in self.buffers)
        )
        if dictionary is not None:
            self.schema.dictionary = ctypes.pointer(dictionary.schema)
            self.array.dictionary = ctypes.pointer(dictionary.array)
        self.schema.release = ctypes.cast(self.release_schema, c_void_p)
        self.array.release = ctypes.cast(self.release_array, c_void_p)

    @staticmethod
    def pointers(kind, items):
        return (POINTER(kind) * max(1, len(items)))(*(ctypes.pointer(item) for item in items))

    def release(self, kind, at):
        kind.from_address(at).release = None
        self.released.append(kind.__name__)

    def __arrow_c_array__(self, requested_schema=None):
        return (
            capsule(ctypes.addressof(self.schema), b"arrow_schema"),
            capsule(ctypes.addressof(self.array), b"arrow_array"),
        )


class Chunks:
    """A stream of nodes of one schema; `fail_at` is the chunk at which it fails."""

    def __init__(self, nodes, fail_at=None, message=b"the disk is gone", fail_schema=False):
        KEPT.append(self)
        self.nodes = nodes
        self.next = 0
        self.fail_at = fail_at
        self.fail_schema = fail_schema
        self.released = 0
        self.message = None if message is None else ctypes.create_string_buffer(message)
        self.callbacks = (
            GET(self.get_schema),
            GET(self.get_next),
            LAST_ERROR(self.get_last_error),
            RELEASE(self.release),
        )
        self.stream = Stream(*(ctypes.cast(call, c_void_p) for call in self.callbacks))

    def get_schema(self, _, out):
        if self.fail_schema:
            return 5
        ctypes.memmove(out, ctypes.addressof(self.nodes[0].schema), ctypes.sizeof(Schema))
        return 0

    def get_next(self, _, out):
        if self.next == self.fail_at:
            return 5
        array = self.nodes[self.next].array if self.next < len(self.nodes) else Array()
        ctypes.memmove(out, ctypes.addressof(array), ctypes.sizeof(Array))
        self.next += 1
        return 0

    def get_last_error(self, _):
        return None if self.message is None else ctypes.addressof(self.message)

    def release(self, at):
        Stream.from_address(at).release = None
        self.released += 1

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(ctypes.addressof(self.stream), b"arrow_array_stream")
