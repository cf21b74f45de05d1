"""Arrow arrays that break the rules of the interface give clear errors, never a crash."""

import ctypes
import os
import struct

import pytest
from arrow_c import Chunks, Node, capsule
from every import every

from summeval._core.columns import columns


def ints(*values):
    return struct.pack(f"={len(values)}i", *values)


def longs(*values):
    return struct.pack(f"={len(values)}q", *values)


OFFSETS = ints(0, 1, 3)


def plain(format=b"u", length=2, offsets=OFFSETS, data=b"abc", validity=None, **more):
    """The texts "a" and "bc"."""
    return Node(format, length, [validity, offsets, data], **more)


def views(*entries, data=b"a text of 20 letters", sizes=(20,), length=1):
    return Node(b"vu", length, [None, b"".join(entries), data, longs(*sizes)])


def view(size, index=0, position=0):
    return ints(size) + b"a te" + ints(index, position)


def dictionary(*indices, format=b"c"):
    """Indices into the texts "a" and "bc"."""
    packed = struct.pack(f"={len(indices)}b", *indices)
    return Node(format, len(indices), [None, packed], dictionary=plain())


def runs(*ends, length=3):
    return Node(b"+r", length, [], [Node(b"i", len(ends), [None, ints(*ends)]), plain()])


def lists(offsets, format=b"+l", length=1, child=None):
    return Node(format, length, [None, offsets], [child or plain()])


def with_schema(node, **fields):
    for field, value in fields.items():
        setattr(node.schema, field, value)
    return node


def with_array(node, **fields):
    for field, value in fields.items():
        setattr(node.array, field, value)
    return node


def without(node, kind, field):
    """`node` with a null pointer in the field of its "schema" or "array"."""
    part = getattr(node, kind)
    setattr(part, field, type(getattr(part, field))())
    return node


def nested(depth):
    node = plain()
    for _ in range(depth):
        node = Node(b"+s", 2, [None], [node])
    return node


def test_arrays_made_by_hand_are_read():
    assert columns.texts(plain(), "c").to_list() == ["a", "bc"]
    assert columns.texts(views(view(20)), "c").to_list() == ["a text of 20 letters"]
    assert columns.texts(dictionary(1, 0), "c").to_list() == ["bc", "a"]
    assert columns.texts(runs(1, 3), "c").to_list() == ["a", "bc", "bc"]
    assert columns.texts(nested(3), "c").to_list() == ["a", "bc"]
    assert columns.references(lists(ints(0, 2)), "r").to_list() == [["a", "bc"]]


def test_null_buffers_of_empty_arrays_are_legal():
    for format in (b"u", b"U", b"vu"):
        assert columns.texts(Node(format, 0, [None] * 3), "c").to_list() == []
    assert columns.references(lists(None, length=0), "r").to_list() == []
    assert columns.texts(plain(offsets=ints(0, 0, 0), data=None), "c").to_list() == ["", ""]


def test_a_null_slot_may_hold_anything():
    entries = [view(20), view(-5, index=99, position=-1), b"\xff" * 16]
    node = Node(b"vu", 3, [b"\x01", b"".join(entries), b"a text of 20 letters", longs(20)])
    node.array.null_count = -1
    assert columns.texts(node, "c").to_list() == ["a text of 20 letters", None, None]
    node = Node(b"c", 2, [b"\x02", b"\x7f\x00"], dictionary=plain(), null_count=1)
    assert columns.texts(node, "c").to_list() == [None, "a"]


def test_a_null_count_of_zero_makes_the_bitmap_moot():
    assert columns.texts(plain(validity=b"\x00"), "c").to_list() == ["a", "bc"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (plain(format=b"i"), "format 'i' is not text; cast it to a string type"),
        (plain(format=b""), "format '' is not text"),
        (plain(format=b"u" * 5000), "format 'u{40}' is not text"),
        (plain(format=b"\xff\xfe"), "format '\ufffd\ufffd' is not text"),
        (plain(format=b"+m"), "format '[+]m' is not text"),
        (lists(ints(0, 2)), "format '[+]l' is a list where one text is expected"),
        (Node(b"+s", 2, [None], [plain(), plain()]), "has 2 columns .'text', 'text'.; select"),
        (Node(b"+s", 2, [None]), "the table has 0 columns; select"),
        (with_schema(Node(b"+s", 2, [None], [plain()]), n_children=-1), "has -1 columns; select"),
        (nested(40), "nested too deeply"),
        (Node(b"c", 1, [None, b"\0"], dictionary=lists(ints(0, 2))), "is a list where one text"),
    ],
)
def test_a_type_that_is_no_text_is_named(source, message):
    with pytest.raises(TypeError, match=message):
        columns.texts(source, "c")


@every(
    ("source", "message"),
    [
        (with_schema(plain(), format=None), "a schema has no format"),
        (dictionary(0, format=b"u"), "dictionary indices have format 'u'"),
        (dictionary(0, format=b"cc"), "dictionary indices have format 'cc'"),
        (with_schema(plain(), n_children=1), "format 'u' has 1 children, not 0"),
        (without(nested(1), "schema", "children"), "a schema of format '[+]s' lacks a child"),
        (Node(b"+r", 1, [], [plain()]), "format '[+]r' has 1 children, not 2"),
        (Node(b"+r", 1, [], [plain(), plain()]), "run ends have format 'u'"),
        (plain(length=-1), "has length -1"),
        (plain(length=2**62), "has length 4611686018427387904"),
        (plain(offset=-1), "has offset -1"),
        (plain(offset=2**62), "has offset 4611686018427387904"),
        (plain(null_count=-2), "has null_count -2"),
        (plain(null_count=3), "has null_count 3"),
        (plain(null_count=1), "has nulls but no validity bitmap"),
        (with_array(plain(), n_buffers=2), "has 2 buffers, not 3"),
        (with_array(plain(), n_buffers=4), "has 4 buffers, not 3"),
        (with_array(plain(), n_buffers=-1), "has -1 buffers, not 3"),
        (with_array(plain(), n_children=1), "has 1 children, not 0"),
        (without(plain(), "array", "buffers"), "has no buffers"),
        (without(nested(1), "array", "children"), "lacks a child"),
        (without(dictionary(0), "array", "dictionary"), "differ about having a dictionary"),
        (without(dictionary(0, format=b"u"), "schema", "dictionary"), "has 2 buffers, not 3"),
        (Node(b"+s", 3, [None], [plain(length=2)]), "has 2 rows, fewer than its parent says"),
        (plain(offsets=None), "lacks buffer 1"),
        (plain(data=None), "has texts but no data buffer"),
        (plain(offsets=ints(0, 2, 1)), "offsets that decrease or are negative"),
        (plain(offsets=ints(-1, 0, 1)), "offsets that decrease or are negative"),
        (plain(b"U", offsets=longs(0, 2**63 - 1, -(2**63))), "offsets that decrease or are"),
        (views(view(-1)), "has at row 0 a text of negative size"),
        (views(view(20, index=1)), "has at row 0 data buffer 1, which it lacks"),
        (views(view(20, index=-1)), "has at row 0 data buffer -1, which it lacks"),
        (views(view(20), data=None), "has at row 0 data buffer 0, which it lacks"),
        (views(view(20, position=1)), "has at row 0 a text that goes past its data buffer"),
        (views(view(20, position=-1)), "has at row 0 a text that goes past its data buffer"),
        (views(view(20), sizes=(-(2**63),)), "has at row 0 a text that goes past its data"),
        (dictionary(1, 2), "has at row 1 dictionary index 2, outside the dictionary of 2 texts"),
        (dictionary(-1), "has at row 0 dictionary index -1, outside"),
        (dictionary(-1, format=b"C"), "has at row 0 dictionary index 255, outside"),
        (runs(1, 1), "has run ends that do not increase"),
        (runs(-1, 3), "has run ends that do not increase"),
        (runs(1, 2), "has runs that end before its last row"),
        (runs(1, 2, 3), "has more runs than texts"),
        (runs(), "has runs that end before its last row"),
    ],
)
def test_an_array_that_breaks_a_rule_is_described(source, message):
    with pytest.raises(ValueError, match=message):
        columns.texts(source, "c")


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer aborts")
def test_a_length_that_no_memory_can_hold_is_an_error():
    with pytest.raises(MemoryError, match="c: not enough memory for its views"):
        columns.texts(views(b"", length=2**47), "c")


@every(
    ("source", "message"),
    [
        (lists(ints(0, 3)), "has at row 0 offsets that decrease or leave its child"),
        (lists(ints(1, 0)), "has at row 0 offsets that decrease or leave its child"),
        (lists(ints(-1, 0)), "has at row 0 offsets that decrease or leave its child"),
        (lists(longs(0, 2**63 - 1), format=b"+L"), "has at row 0 offsets that decrease or leave"),
        (lists(None), "lacks buffer 1"),
        (lists(ints(0, 2), child=plain(length=-1)), "offsets that decrease or leave its child"),
        (lists(ints(0), format=b"+vl"), "has 2 buffers, not 3"),
        (Node(b"+vl", 1, [None, ints(1), ints(2)], [plain()]), "row 0 a list that leaves its chil"),
        (Node(b"+vl", 1, [None, ints(-1), ints(1)], [plain()]), "row 0 a list that leaves its chi"),
        (Node(b"+w:2", 2, [None], [plain()]), "has a child that is too short"),
        (Node(b"+w:", 1, [None], [plain()]), "format '[+]w:' has no list size"),
        (Node(b"+w:-1", 1, [None], [plain()]), "format '[+]w:-1' has no list size"),
        (Node(b"+w:2x", 1, [None], [plain()]), "format '[+]w:2x' has no list size"),
        (without(lists(ints(0, 2)), "array", "children"), "lacks a child"),
        (without(lists(ints(0, 2)), "array", "buffers"), "has no buffers"),
    ],
)
def test_a_list_that_breaks_a_rule_is_described(source, message):
    with pytest.raises(ValueError, match=message):
        columns.references(source, "r")


def test_a_broken_chunk_is_numbered():
    with pytest.raises(ValueError, match=r"^c: chunk 1: an array of format 'u' has offsets that"):
        columns.texts(Chunks([plain(), plain(offsets=ints(0, 2, 1))]), "c")


def test_an_array_is_moved_out_and_released_once():
    node = plain()
    column = columns.texts(node, "c")
    assert not node.array.release
    assert node.released == ["Schema"]
    del column
    assert node.released == ["Schema", "Array"]


def test_an_array_is_released_while_an_exception_is_on_its_way():
    node = plain()
    with pytest.raises(KeyError):
        _ = [columns.texts(node, "c"), {}["absent"]]
    assert node.released == ["Schema", "Array"]


def test_a_refused_array_is_released_once():
    node = plain(offsets=ints(0, 2, 1))
    with pytest.raises(ValueError, match="decrease"):
        columns.texts(node, "c")
    assert sorted(node.released) == ["Array", "Schema"]


def test_what_was_read_cannot_be_read_again():
    node = plain()
    columns.texts(node, "c")
    with pytest.raises(ValueError, match="c: the Arrow array was already read; export it again"):
        columns.texts(node, "c")
    chunks = Chunks([plain()])
    columns.texts(chunks, "c")
    with pytest.raises(ValueError, match="c: the Arrow stream was already read; export it again"):
        columns.texts(chunks, "c")


def test_a_stream_is_read_to_its_end_and_released_once():
    nodes = [plain(), plain(length=1), plain(length=0)]
    chunks = Chunks(nodes)
    column = columns.texts(chunks, "c")
    assert column.to_list() == ["a", "bc", "a"]
    assert chunks.released == 1
    del column
    assert [node.released.count("Array") for node in nodes] == [1, 1, 1]


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        (Chunks([plain()], fail_schema=True), "stream failed with code 5: the disk is gone"),
        (Chunks([plain()], fail_at=0), "stream failed with code 5: the disk is gone"),
        (Chunks([plain()], fail_at=1), "stream failed with code 5: the disk is gone"),
        (Chunks([plain()], fail_at=1, message=None), "stream failed with code 5$"),
        (Chunks([plain()], fail_at=1, message=b"long" * 999), "code 5: longlong"),
        (without(Chunks([plain()]), "stream", "get_next"), "stream failed with code -1"),
        (without(Chunks([plain()]), "stream", "get_schema"), "stream failed with code -1"),
    ],
)
def test_a_stream_that_fails_gives_its_reason_and_is_released(chunks, message):
    with pytest.raises(RuntimeError, match=message):
        columns.texts(chunks, "c")
    assert chunks.released == 1


class Exporter:
    """Gives `exported` as its Arrow array."""

    def __init__(self, exported):
        self.exported = exported

    def __arrow_c_array__(self, requested_schema=None):
        return self.exported


@pytest.mark.parametrize(
    "exported",
    [None, 5, (), (None, None), (capsule(1, b"arrow_schema"),) * 2],
    ids=["None", "int", "no capsules", "None twice", "other names"],
)
def test_what_is_no_capsule_of_arrow_is_refused(exported):
    with pytest.raises(TypeError):
        columns.texts(Exporter(exported), "c")


def test_buffers_need_no_alignment():
    node = plain()
    shifted = ctypes.create_string_buffer(b"\0" + ints(0, 1, 3))
    node.buffers.append(shifted)
    node.array.buffers[1] = ctypes.addressof(shifted) + 1
    assert columns.texts(node, "c").to_list() == ["a", "bc"]
