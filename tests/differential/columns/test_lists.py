"""Columns taken apart and put together, as the definitions do it with lists."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from definitions import columns as twin
from hypothesis import given
from hypothesis import strategies as st

from summeval._core.columns import columns, lists

TEXTS = st.none() | st.sampled_from(["", "a", "b", "ab", "größe"])
ROWS = st.lists(st.none() | TEXTS | st.lists(TEXTS, max_size=3), max_size=8)


def decoded(rows: list[Any]) -> list[Any]:
    return [decoded(row) if isinstance(row, list) else row and row.decode() for row in rows]


@given(ROWS, st.booleans())
def test_lists_are_taken_apart_as_defined(rows: list[Any], arrow: bool) -> None:
    given_rows: Any = rows
    wanted = twin.references(rows, "references")
    if arrow:
        pa = pytest.importorskip("pyarrow")
        whole = [[row] if isinstance(row, str) else row for row in rows]
        given_rows = pa.array(whole, pa.list_(pa.string()))
    column = columns.references(given_rows, "references")
    assert lists.sizes(column).tolist() == twin.sizes(wanted)
    found = lists.present(column)
    texts = [text.decode() for text in twin.items(wanted)]
    assert found.to_list() == [[t.decode() for t in row] for row in twin.present(wanted)]
    assert lists.items(column).to_list() == lists.items(found).to_list() == texts
    assert lists.items(column, lists=True).to_list() == [[text] for text in texts]
    first, places = lists.distinct(column)
    assert (first.tolist(), places.tolist()) == twin.distinct(wanted)
    for begin in range(len(rows)):
        part = column.part(begin, len(rows))
        assert lists.items(part).to_list() == [t.decode() for t in twin.items(wanted[begin:])]
        assert lists.distinct(part)[1].tolist() == twin.distinct(wanted[begin:])[1]
        assert lists.present(part).first == begin


@given(st.lists(TEXTS), st.lists(TEXTS))
def test_columns_are_joined(one: list[Any], other: list[Any]) -> None:
    left, right = columns.texts(one, "candidates"), columns.texts(other, "candidates")
    both = lists.joined(left, right)
    assert both.to_list() == one + other
    assert both.ascii == (left.ascii and right.ascii)
    assert lists.distinct(both)[0].tolist() == [
        row for row, text in enumerate(one + other) if text not in (one + other)[:row]
    ]
    assert lists.sizes(left).tolist() == [text is not None for text in one]


def test_only_texts_are_joined() -> None:
    texts, rows = columns.texts(["a"], "candidates"), columns.references(["a"], "references")
    for pair in ((texts, rows), (rows, texts)):
        with pytest.raises(TypeError, match="only columns with one text in a row"):
            lists.joined(*pair)


def test_texts_stay_when_their_column_is_gone() -> None:
    made = lists.items(lists.present(columns.references([["a" * 99, None]] * 3, "references")))
    taken = lists.joined(made, made).take(np.arange(6))
    del made
    assert taken.to_list() == ["a" * 99] * 6
