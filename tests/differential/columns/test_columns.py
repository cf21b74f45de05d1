"""Columns from Python sequences: the compiled reader against its twin, and its errors."""

import gc
import sys

import numpy as np
import pytest
from definitions import columns as twin
from hypothesis import given
from hypothesis import strategies as st

from summeval._core.columns import columns

ANY_TEXT = st.text(st.characters(codec=None), max_size=20)  # unpaired surrogates too
ITEM = st.one_of(st.none(), st.text(max_size=20), st.binary(max_size=20))
HARD_ITEM = st.one_of(ITEM, ANY_TEXT, st.integers(), st.floats())
ROW = st.one_of(ITEM, st.lists(ITEM, max_size=4), st.lists(ITEM, max_size=4).map(tuple))
HARD_ROW = st.one_of(ROW, st.lists(HARD_ITEM, max_size=4), st.integers(), st.just({"a": "b"}))


def decoded(item):
    return None if item is None else item.decode("utf-8", "replace")


def outcome(read, *arguments):
    """What `read` returns, or the type and words of what it raises."""
    try:
        return read(*arguments)
    except (TypeError, ValueError) as error:
        return type(error), str(error)


class Word(str):
    """A str of another type, as NumPy and others have."""


@given(st.lists(HARD_ITEM, max_size=8), st.booleans())
def test_texts_are_what_the_twin_says(rows, raw):
    def expected():
        return [decoded(item) for item in twin.texts(rows, "candidates", raw)]

    def actual():
        return columns.texts(rows, "candidates", raw).to_list()

    assert outcome(actual) == outcome(expected)


@given(st.lists(HARD_ROW, max_size=8), st.booleans())
def test_references_are_what_the_twin_says(rows, raw):
    def expected():
        read = twin.references(rows, "references", raw)
        return [[decoded(item) for item in row] for row in read]

    def actual():
        return columns.references(rows, "references", raw).to_list()

    assert outcome(actual) == outcome(expected)


@pytest.mark.parametrize(
    "source",
    [
        ("a", None, "é"),
        np.array(["a", None, "é"], dtype=object),
        (text for text in ("a", None, "é")),
        dict.fromkeys(("a", None, "é")).keys(),
        [Word("a"), None, Word("é")],
    ],
    ids=["tuple", "numpy", "generator", "dict keys", "str subclass"],
)
def test_any_ordered_collection_is_a_column(source):
    assert columns.texts(source, "candidates").to_list() == ["a", None, "é"]


def test_numpy_strings_are_texts():
    assert columns.texts(np.array(["a", "é"]), "candidates").to_list() == ["a", "é"]


@pytest.mark.parametrize(
    "row",
    [["a", "b"], ("a", "b"), np.array(["a", "b"], dtype=object), (text for text in "ab")],
    ids=["list", "tuple", "numpy", "generator"],
)
def test_any_ordered_collection_is_a_row_of_references(row):
    assert columns.references([row], "references").to_list() == [["a", "b"]]


def test_length_counts_rows():
    assert len(columns.texts([], "candidates")) == 0
    assert len(columns.texts(["a", None], "candidates")) == 2
    assert len(columns.references([["a", "b", "c"], None], "references")) == 2


def test_a_nul_and_an_empty_text_are_kept():
    rows = ["", "a\0b", "\0"]
    assert columns.texts(rows, "candidates").to_list() == rows


def test_a_column_keeps_what_its_source_loses():
    inner = ["".join(["to", "kens"]), "".join(["le", "mma"])]
    rows = ["".join(["can", "didate"]), inner, iter(["".join(["it", "em"])])]
    column = columns.references(rows, "references")
    inner.clear()
    rows.clear()
    gc.collect()
    assert column.to_list() == [["candidate"], ["tokens", "lemma"], ["item"]]


def test_a_column_gives_back_what_it_kept():
    text = "".join(["to", "kens"])
    before = sys.getrefcount(text)
    column = columns.references([[text, text], (text,), text], "references")
    assert sys.getrefcount(text) > before
    del column
    assert sys.getrefcount(text) == before


def test_a_refused_column_gives_back_what_it_kept():
    text = "".join(["to", "kens"])
    before = sys.getrefcount(text)
    with pytest.raises(TypeError):
        columns.references([[text, text], [text, 5]], "references")
    gc.collect()
    assert sys.getrefcount(text) == before


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("the cat", "candidates is a str; pass a list of texts"),
        (b"the cat", "candidates is a bytes; pass a list of texts"),
        ({"a": "b"}, "candidates is a dict; pass a list of texts"),
        ({"a", "b"}, "candidates is a set; pass a list of texts"),
        (None, "candidates is NoneType; pass a list of texts"),
        (5, "candidates is int; pass a list of texts"),
        (["a", 5], "candidates[1] is int, expected str or None"),
        ([["a"]], "candidates[0] is list, expected str or None"),
        (
            ["a", float("nan")],
            "candidates[1] is float, expected str or None; pass None for a missing text",
        ),
    ],
)
def test_what_is_no_column_of_texts_is_named(source, message):
    with pytest.raises(TypeError) as caught:
        columns.texts(source, "candidates")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("the cat", "references is a str; pass a list with the references of each row"),
        (5, "references is int; pass a list with the references of each row"),
        (["a", 5], "references[1] is int, expected str, a list of str, or None"),
        ([{"a"}], "references[0] is set, expected str, a list of str, or None"),
        ([["a", ["b"]]], "references[0][1] is list, expected str or None"),
        ([("a", 5)], "references[0][1] is int, expected str or None"),
    ],
)
def test_what_is_no_column_of_references_is_named(source, message):
    with pytest.raises(TypeError) as caught:
        columns.references(source, "references")
    assert str(caught.value) == message


def test_a_lone_surrogate_is_placed():
    with pytest.raises(
        ValueError, match=r"^candidates\[1\] contains an unpaired surrogate at character 5"
    ):
        columns.texts(["a", "the c\ud800at"], "candidates")
    with pytest.raises(
        ValueError, match=r"^references\[1\]\[1\] contains an unpaired surrogate at char"
    ):
        columns.references([None, ["a", "\udfff"]], "references")


def test_an_error_of_the_source_passes_through():
    def broken():
        yield "a"
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        columns.texts(broken(), "candidates")


def test_a_frame_without_arrow_is_no_list_of_its_column_names():
    class Frame:
        columns = ("text",)

        def __iter__(self):
            return iter(self.columns)

    with pytest.raises(TypeError, match="candidates is a Frame; pass one of its columns"):
        columns.texts(Frame(), "candidates")
