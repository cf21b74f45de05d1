"""Dask: each row has its own scores, whatever its index and its partition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ecosystem import ecosystem

import summeval

dask = ecosystem("dask.dataframe")
pa = pytest.importorskip("pyarrow")
import pandas as pd  # noqa: E402

from summeval.interop.dask import score  # noqa: E402

WORDS = "the a cat dog sat down ran it over and".split()
LONG = " ".join(f"w{i}" for i in range(70_000))  # more skip-bigrams than are counted


def text(seed: int) -> str:
    return " ".join(WORDS[(seed * 7 + i * i) % len(WORDS)] for i in range(1 + seed % 11))


ROWS = 60
PLAIN = pd.DataFrame(
    {
        "id": np.arange(ROWS),
        "candidate": [None if row % 13 == 5 else text(row) for row in range(ROWS)],
        "references": [text(3 * row + 1) for row in range(ROWS)],
        "other": [object() for _ in range(ROWS)],  # which Arrow cannot hold
    }
)


def with_index(index: Any) -> Any:
    frame = PLAIN.drop(columns="other")
    frame.index = index
    return frame


def halves() -> Any:
    """Two frames, one behind the other: labels come twice, strings are in several pieces."""
    both = pd.concat([with_index(range(ROWS)), with_index(range(ROWS))])
    both["candidate"] = both["candidate"].astype("string[pyarrow]")
    both["references"] = both["references"].astype("string[pyarrow]")
    return both


def from_delayed(frames: list[Any]) -> Any:
    return dask.from_map(lambda frame: frame, frames, meta=frames[0].iloc[:0])


FRAMES: dict[str, Callable[[], Any]] = {
    "duplicates": lambda: dask.from_pandas(with_index([7] * ROWS), npartitions=3, sort=False),
    "some duplicates": lambda: dask.from_pandas(
        with_index(np.arange(ROWS) // 4), npartitions=4, sort=False
    ),
    "unsorted": lambda: dask.from_pandas(
        with_index(np.random.RandomState(1).permutation(ROWS)), npartitions=4, sort=False
    ),
    "backwards": lambda: dask.from_pandas(
        with_index(np.arange(ROWS)[::-1]), npartitions=5, sort=False
    ),
    "named as a column": lambda: dask.from_pandas(
        with_index(pd.Index(range(ROWS), name="candidate")), npartitions=2
    ),
    "named as a score": lambda: dask.from_pandas(
        with_index(pd.Index(range(ROWS), name="rouge1.recall")), npartitions=2
    ),
    "strings": lambda: dask.from_pandas(
        with_index([f"row {row % 9}" for row in range(ROWS)]), npartitions=3, sort=False
    ),
    "empty partitions": lambda: from_delayed(
        [
            with_index(range(ROWS)).iloc[part]
            for part in (slice(0, 0), slice(0, 9), slice(9, 9), slice(9, None), slice(0, 0))
        ]
    ),
    "filtered to nothing": lambda: dask.from_pandas(with_index(range(ROWS)), npartitions=4).query(
        f"id > {ROWS}"
    ),
    "filtered": lambda: dask.from_pandas(with_index(range(ROWS)), npartitions=12).query(
        "id % 20 > 15"
    ),
    "unknown divisions": lambda: dask.from_pandas(
        with_index(range(ROWS)), npartitions=4
    ).clear_divisions(),
    "repartitioned": lambda: dask.from_pandas(with_index(range(ROWS)), npartitions=7).repartition(
        npartitions=2
    ),
    "merged": lambda: dask.from_pandas(with_index(range(ROWS)), npartitions=4).merge(
        dask.from_pandas(pd.DataFrame({"id": [1, 5, 5, 8, 59]}), npartitions=2), on="id"
    ),
    "without duplicates": lambda: dask.from_pandas(
        halves(), npartitions=4, sort=False
    ).drop_duplicates(subset=["id"]),
    "put together": lambda: dask.concat(
        [dask.from_pandas(with_index(range(ROWS)), npartitions=n) for n in (2, 3)]
    ),
    "put together by pandas": lambda: dask.from_pandas(halves(), npartitions=3, sort=False),
    "shuffled": lambda: dask.from_pandas(with_index(range(ROWS)), npartitions=4).shuffle("id"),
    "lists": lambda: dask.from_pandas(
        with_index(range(ROWS)).assign(references=[[text(row), None] for row in range(ROWS)]),
        npartitions=3,
    ),
}


@pytest.mark.parametrize("made", FRAMES)
def test_each_row_has_its_own_scores(made: str) -> None:
    frame = FRAMES[made]()
    given = frame.compute(scheduler="synchronous")
    found = score(frame, ["rouge1", "rougeL"], carry=["id", "candidate", "references"])
    done = found.compute(scheduler="synchronous")
    assert list(done.columns) == list(found.columns)
    assert (done.dtypes == found.dtypes).all()
    # rows as they are passed on, for a shuffle computed twice need not give them in one order
    assert sorted(done["id"]) == sorted(given["id"])
    assert sorted(map(str, done.index)) == sorted(map(str, given.index))
    texts = [None if pd.isna(one) else one for one in done["candidate"]]
    table = summeval.score_batch(texts, done["references"].tolist(), ["rouge1", "rougeL"])
    assert len(set(table["rouge1"])) > 2 or len(done) < 6
    for name in table.columns:
        np.testing.assert_array_equal(done[name].to_numpy(), table[name])


def test_columns_that_arrow_cannot_hold_are_passed_on() -> None:
    frame = dask.from_pandas(PLAIN, npartitions=3)
    done = score(frame, "rouge1", carry=["other", "id"]).compute(scheduler="synchronous")
    assert list(done.columns)[:2] == ["other", "id"]
    assert len(done) == ROWS


def test_a_missing_column_is_named() -> None:
    frame = dask.from_pandas(with_index(range(ROWS)), npartitions=2)
    with pytest.raises(KeyError, match=r"'summary'.*'candidate'"):
        score(frame, "rouge1", candidate_column="summary")


def test_a_refused_row_has_no_scores_and_its_message() -> None:
    texts = ["a cat", LONG, "a dog", LONG]
    given = pd.DataFrame({"candidate": texts, "references": texts}, index=[3, 3, 1, 3])
    frame = dask.from_pandas(given, npartitions=2, sort=False)
    with pytest.raises(Exception, match="row 1: too many skip-bigrams"):
        score(frame, "rougeS*").compute(scheduler="synchronous")
    made = score(frame, "rougeS*", on_error="skip", error_column="error")
    done = made.compute(scheduler="synchronous")
    assert done["rougeS*.recall"].isna().tolist() == [False, True, False, True]
    assert done["error"].isna().tolist() == [True, False, True, False]
    assert done["error"].iloc[3].startswith("row 1: too many skip-bigrams")
    assert (done.dtypes == made.dtypes).all()
