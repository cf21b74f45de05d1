"""Readers of judgements, and the messages about designs that do not match."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from summeval.io import DataError
from summeval.meta import Scores
from summeval.table.table import read_rows, read_score_table


def row(system: str, topic: str, value: Any = 1.0, **more: Any) -> dict[str, Any]:
    return {"system": system, "topic": topic, "x": value, **more}


def test_rows_become_tables_by_name() -> None:
    rows = [row("1", "t", 1), row("2", "t", "0.5"), row("1", "u", None), row("2", "u", "")]
    scores = Scores.from_rows(rows, ["x"])
    assert (scores.systems, scores.topics) == (("1", "2"), ("t", "u"))
    assert np.array_equal(scores["x"], [[1, np.nan], [0.5, np.nan]], equal_nan=True)
    assert scores.notes == ("x: 2 of 4 rows have no value",)


def test_an_unbalanced_design_is_told_with_names() -> None:
    rows = [row("1", "t"), row("2", "t"), row("1", "u"), row("3", "t")]
    assert Scores.from_rows(rows, ["x"]).notes == (
        "unbalanced: 2 of 6 cells have no row; systems with missing topics (2): 2, 3",
        "topics with one system (1): u",
    )


def test_names_that_do_not_match_are_told() -> None:
    left = Scores.from_rows([row("1", "t"), row("2", "t"), row("9", "t")], ["x"])
    right = Scores.from_rows([{"system": s, "topic": t, "y": 2} for s in "12" for t in "tv"], ["y"])
    joined = left.join(right)
    assert (joined.systems, joined.topics, list(joined)) == (("1", "2"), ("t",), ["x", "y"])
    assert joined.notes == (
        "systems only in the scores (1): 9",
        "topics only in the judgements (1): v",
    )
    other = Scores.from_rows([{"system": "A", "topic": "t", "y": 2}], ["y"])
    with pytest.raises(ValueError, match="no systems in common: 1, 2, 9 and A"):
        left.join(other)
    with pytest.raises(ValueError, match="both have a column 'x'"):
        left.join(left)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([row("1", "t"), row("1", "t")], "row 2: system '1' is repeated for topic 't'"),
        ([row("", "t")], "row 1: 'system' is ''; write a name"),
        ([{"system": "1", "x": 1}], "row 1: unknown column 'topic'"),
        ([row("1", "t", "good")], "row 1: 'x' is 'good', not a finite number"),
        ([row("1", "t", True)], "row 1: 'x' is 'True', not a finite number"),
        ([row("1", "t", "inf")], "row 1: 'x' is 'inf', not a finite number"),
        ([row("1", "t", 10**400)], "row 1: 'x' is '10000"),
        ([{"system": "1", "topic": "t"}], "no row has a column 'x'"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Scores.from_rows(rows, ["x"])


def test_some_systems_can_be_chosen() -> None:
    scores = Scores.from_rows([row("1", "t", 1), row("2", "t", 2)], ["x"])
    assert scores.choose(systems=["2"])["x"].tolist() == [[2.0]]
    with pytest.raises(ValueError, match="unknown system '7'"):
        scores.choose(systems=["7"])
    with pytest.raises(KeyError, match="unknown column 'y'"):
        scores["y"]


def test_json_lines_and_csv_hold_the_same_rows(tmp_path: Path) -> None:
    lines = '\ufeff{"system": "1", "topic": "t", "x": 0.5}\n\n{"system": "2", "topic": "t", "x": 1}'
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "a.csv").write_text('system,topic,x\n1,t,0.5\n2,"t",1\n')
    tables = [
        Scores.from_rows(read_rows(str(tmp_path / name)).rows, ["x"])["x"].tolist()
        for name in ("a.jsonl.gz", "a.csv")
    ]
    assert tables[0] == tables[1] == [[0.5], [1.0]]


ROWS = [
    {"system": "1", "topic": "t", "x": 0.5, "scores": {"all": 3}},
    {"system": "2", "topic": "t", "x": None, "scores": {"all": None}},
]


def in_columns(path: Path, rows: Any = ROWS, **more: Any) -> str:
    """A file in columns with these rows; `more` are columns beside them."""
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(rows)
    for name, column in more.items():
        table = table.append_column(name, pa.array(column))
    table = table.replace_schema_metadata({"rouge1": "rouge1|v:0.1.0", "other": "x"})
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path, row_group_size=1)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    return str(path)


@pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
def test_files_in_columns_hold_the_rows_that_json_lines_hold(tmp_path: Path, name: str) -> None:
    found = read_rows(in_columns(tmp_path / name))
    assert found.rows == ROWS
    assert (found.notes, found.signatures) == ([], {"rouge1": "rouge1|v:0.1.0"})
    scores = Scores.from_rows(found.rows, ["x", "scores.all"])
    assert np.array_equal(scores["scores.all"], [[3], [np.nan]], equal_nan=True)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert read_rows(str(tmp_path / "a.jsonl")).rows == ROWS


def test_a_directory_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    for number, one in enumerate(ROWS):
        in_columns(tmp_path / f"{number}.parquet", [{**ROWS[0], "system": one["system"]}])
    assert [found["system"] for found in read_rows(str(tmp_path)).rows] == ["1", "2"]


def test_columns_that_hold_no_text_and_no_number_are_passed_over(tmp_path: Path) -> None:
    found = read_rows(in_columns(tmp_path / "a.parquet", image=[b"\x00", b"\x01"]))
    assert found.rows == ROWS
    assert found.notes == ["columns that hold neither text nor numbers (1): image"]


def test_files_in_columns_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    whole = Path(in_columns(tmp_path / "a.parquet")).read_bytes()
    for name, data, message in (
        ("cut.parquet", whole[:-9], "cut.parquet: damaged, truncated or not Parquet"),
        ("void.parquet", b"", "void.parquet: is empty"),
        ("a.bin", whole, "a.bin: is in Parquet or Arrow; end its name in .parquet or .arrow"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DataError, match=message):
            read_rows(str(tmp_path / name))
    with pytest.raises(DataError, match=r"none\.parquet: no such file"):
        read_rows(str(tmp_path / "none.parquet"))
    pa = pytest.importorskip("pyarrow")
    with pa.ipc.new_file(tmp_path / "a.arrow", pa.schema({"x": pa.float64()})):
        pass
    with pytest.raises(DataError, match=r"a\.arrow: holds no rows"):
        read_rows(str(tmp_path / "a.arrow"))


def test_a_text_in_a_cell_keeps_its_lines_and_its_length(tmp_path: Path) -> None:
    text = "first\n\nsecond, " + "x" * 200_000
    (tmp_path / "a.csv").write_bytes(f'\ufeffsystem,text\r\n1,"{text}"\r\n\r\n2,b\r\n'.encode())
    assert read_rows(str(tmp_path / "a.csv")).rows == [
        {"system": "1", "text": text},
        {"system": "2", "text": "b"},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a.txt: holds no rows"),
        ('{"a": 1}\n[1]\n', "a.txt:2: the line holds a list"),
        ("a,b\n1\n", "a.txt:2: 1 cells, but the header row has 2"),
        ("a,b\n", "a.txt: holds no rows"),
        ("a,a\n1,2\n", "a.txt:1: duplicate column 'a'"),
        ("a,b\r1,2\r", "a carriage return without a line feed"),
        ('[[{"a": 1}]]', "the line holds a list; write one JSON object on each line"),
        ('a,b\n"1"x,2\n', "malformed CSV"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_files_that_are_no_rows_are_refused(tmp_path: Path, text: Any, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataError, match=message):
        read_rows(str(path))


@pytest.mark.parametrize(
    ("text", "names", "wanted"),
    [
        ("D1-A 12 0.5 3\nD1-A B NA 4\n", (), [("D1-A", "12", 0.5, 3), ("D1-A", "B", None, 4)]),
        ("topic\tsystem\tpyramid\tall\nD1\t2\t0.5\t\n", (), [("D1", "2", 0.5, None)]),
        ("# judged\nD1-A.M.100.C.7,0.25,5\n", ("pyramid", "all"), [("D1-A", "7", 0.25, 5)]),
        ("\n  \ntopic system pyramid\n\n7 D1 1\n\n", (), [("7", "D1", 1)]),
        ("summary pyramid all\nD1-A.M.100.C.7 1 5\n", (), [("D1-A", "7", 1, 5)]),
        ("\ufeffsystem topic pyramid\r\n7 D1 1\r\n", (), [("D1", "7", 1)]),
        ('"D1, part A",7,"0.5"\nD2,7,n/a\n', (), [("D1, part A", "7", 0.5), ("D2", "7", None)]),
    ],
)
def test_tables_of_manual_scores(tmp_path: Path, text: str, names: Any, wanted: Any) -> None:
    (tmp_path / "manual.peer").write_text(text)
    rows = read_score_table(str(tmp_path / "manual.peer"), names).rows
    assert [tuple(found.values()) for found in rows] == wanted
    assert list(rows[0])[2] in ("pyramid", "score_1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "D1 2 0.5\nD1 3\n",
            "manual:2: 2 cells separated by blanks, not 3; write topic, system and 1",
        ),
        ("D1 2 0.5\nD1 3 good\n", "manual:2: score_1 is 'good'; write a number"),
        ("D1 2 inf\n", "manual:1: score_1 is 'inf'; write a number"),
        ("D1 2 1_0\n", "manual:1: score_1 is '1_0'; write a number"),
        ("D1 2 0.5 good\nD1 3 1 1\n", "manual:1: score_2 is 'good'; write a number"),
        ("topic system a a\nD1 2 1 1\n", "manual:1: duplicate column 'a'"),
        ("topic system a\n", "manual: holds no rows"),
        ("D1 2\n", "manual:1: no scores; write them after topic and system"),
        ('D1,"2,1\n', "manual:1: malformed CSV"),
        ("D1.M.100.A.1 0.5\nD1 0.5\n", "manual:2: 'D1' is not named TOPIC.M.100.X.N"),
        ("# nothing\n", "manual: holds no rows"),
    ],
)
def test_tables_with_a_bad_line_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "manual").write_text(text)
    with pytest.raises(DataError, match=message):
        read_score_table(str(tmp_path / "manual"))
