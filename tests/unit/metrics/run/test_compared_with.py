"""The texts that a metric compares a candidate with: references, the source, or none."""

from __future__ import annotations

import math
import pickle
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import summeval
from summeval import Metric, Score
from summeval.io import DataError
from summeval.io.formats import read_chunks
from summeval.io.rows import Columns
from summeval.io.source import InputFile
from summeval.metrics.run.runner import Runner

NAN = float("nan")


class Lengths(Metric):
    """Characters of the candidate, and of the texts it is compared with."""

    name = "lengths"
    fields = ("own", "other")
    primary = "other"
    compared_with = "source"

    @property
    def signature(self) -> str:
        return "lengths"

    def fusion_key(self) -> Hashable:
        return type(self)

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> Runner[str]:
        return Runner.of_pairs(metrics[0], lambda text, _: text, _lengths, _score(NAN, NAN))


class Own(Lengths):
    """Characters of the candidate alone."""

    name = "own"
    fields = ("own",)
    primary = "own"
    compared_with = "nothing"

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> Any:
        return Runner.of_pairs(metrics[0], lambda text, _: text, _own)


def _lengths(candidate: str, others: Sequence[str]) -> Score:
    return _score(float(len(candidate)), float(sum(map(len, others))))


def _own(candidate: str, others: Sequence[str]) -> Score:
    return Score(("own",), (float(len(candidate)),), "own")


def _score(own: float, other: float) -> Score:
    return Score(("own", "other"), (own, other), "other")


def test_a_source_metric_scores_against_the_source_not_the_references() -> None:
    assert Lengths().score("ab", source=["abc", "d"]).other == 4
    assert Lengths().score("ab", ["ignored"], source="abc").other == 3
    both = summeval.score("a", ["a b"], ["rouge1", Lengths()], source=["abc", "d"])
    assert both["rouge1"].recall == 0.5
    assert both["lengths"].other == 4


@pytest.mark.parametrize("arrow", [False, True])
def test_each_row_has_its_own_source(arrow: bool) -> None:
    candidates: Any = ["a", "bb", None, "d"]
    sources: Any = [["x", "yy"], ["zzz"], ["w"], None]
    if arrow:
        candidates, sources = pa.array(candidates), pa.array(sources)
    table = summeval.score_batch(
        candidates, ["a"] * 4, ["rouge1", Lengths(), Own()], sources=sources
    )
    assert table["lengths.other"][:2].tolist() == [3, 3]
    assert all(map(math.isnan, table["lengths.other"][2:]))
    assert table["own"][[0, 1, 3]].tolist() == [1, 2, 1]
    assert table["rouge1.recall"][0] == 1


def test_parts_of_a_batch_keep_their_sources() -> None:
    seen: list[int] = []
    chosen = summeval.suite([Lengths(), "rouge1"])
    rows = 9000
    table = chosen.score_batch(
        ["a"] * rows,
        ["a"] * rows,
        sources=["x" * (i % 7) for i in range(rows)],
        progress=lambda done, _: seen.append(done),
    )
    assert len(seen) > 1
    assert table["lengths.other"].tolist() == [i % 7 for i in range(rows)]


def test_references_are_not_asked_for_where_no_metric_reads_them() -> None:
    table = summeval.score_batch(["ab"], metrics=[Lengths(), Own()], sources=["abc"])
    assert table["lengths.other"].tolist() == [3]
    assert summeval.score("ab", metrics=[Own()])["own"].own == 2


def test_a_prepared_source_scores_and_pickles() -> None:
    prepared = summeval.suite(["rouge1", Lengths()]).prepare("a b", source="abc")
    again = pickle.loads(pickle.dumps(prepared))
    for one in (prepared, again):
        assert one.score("a")["lengths"].other == 3
        assert one.score("a")["rouge1"].recall == 0.5
    table = Lengths().prepare(source=["a", "b"]).score_batch(["xyz", None])
    assert table["lengths.own"][0] == 3
    assert table["lengths.other"][0] == 2


def test_a_missing_source_is_an_error_that_names_the_argument() -> None:
    with pytest.raises(ValueError, match=r"lengths compares a candidate with its input; pass sou"):
        Lengths().score("a", ["b"])
    with pytest.raises(ValueError, match="pass sources="):
        summeval.score_batch(["a"], ["b"], [Lengths()])
    with pytest.raises(ValueError, match="1 candidates but 2 sources"):
        summeval.score_batch(["a"], ["b"], [Lengths()], sources=["c", "d"])
    with pytest.raises(TypeError, match="sources is str"):
        summeval.score_batch(["a"], ["b"], [Lengths()], sources="c")
    with pytest.raises(TypeError, match=r"sources\[1\]"):
        summeval.score_batch(["a", "b"], ["b", "c"], [Lengths()], sources=["c", 3])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "rows.jsonl",
            '{"candidate": "a", "source": ["b", "c"]}\n{"candidate": "d", "source": "e"}\n',
        ),
        ("rows.csv", 'candidate,source\na,"[""b"", ""c""]"\nd,e\n'),
    ],
)
def test_a_file_needs_only_what_the_metrics_read(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    form = "csv" if name.endswith("csv") else "jsonl"
    with InputFile(str(path)) as file:
        (chunk,) = read_chunks(file, form, Columns(needs=("source",)))
    sources = [[source] if isinstance(source, str) else source for source in chunk.sources]
    assert sources == [["b", "c"], ["e"]]
    with InputFile(str(path)) as file, pytest.raises(DataError, match="no 'references'"):
        list(read_chunks(file, form, Columns(needs=("references", "source"))))
    path.write_text(content.replace("source", "input"))
    with InputFile(str(path)) as file, pytest.raises(DataError, match="no 'source'"):
        list(read_chunks(file, form, Columns(needs=("source",))))
