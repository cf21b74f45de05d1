"""`summeval join`: files of scores side by side and one after the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from summeval.cli.main import main

ROWS = [
    {"id": n, "system": system, "candidate": text, "references": ["a cat sat", "the dog ran"]}
    for n in (1, 2)
    for system, text in (("a", "a cat"), ("b", "[dogs], they ran"))
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("rows.jsonl", ROWS)
    return tmp_path


def write(name: str, rows: list[dict[str, Any]]) -> str:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


def score(name: str, metrics: str, rows: str = "rows.jsonl", *more: str) -> str:
    command = ["score", rows, "-m", metrics, "-o", name, "--keep-text", *more]
    assert main(command) == 0
    return name


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(name).read_text().splitlines()]


def join(capsys: Any, *arguments: str) -> str:
    capsys.readouterr()
    assert main(["join", *arguments]) == 0
    printed = capsys.readouterr()
    (line,) = printed.err.splitlines()
    return line.removeprefix("summeval: ")


def refusal(capsys: Any, *arguments: str, status: int = 1) -> str:
    capsys.readouterr()
    assert main(["join", *arguments]) == status
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line.removeprefix("summeval: ")


@pytest.mark.parametrize("one", ["jsonl", "csv", "tsv", "parquet"])
@pytest.mark.parametrize("other", ["jsonl", "csv", "arrow"])
def test_two_metrics_side_by_side_are_as_scored_at_once(one: str, other: str, capsys: Any) -> None:
    if {one, other} & {"parquet", "arrow"}:
        pytest.importorskip("pyarrow")
    score(f"one.{one}", "rouge1")
    score(f"other.{other}", "simetrix,rouge2", "rows.jsonl", "--source-column", "references")
    said = join(capsys, f"one.{one}", f"other.{other}", "-o", "both.jsonl")
    assert said.startswith("2 files side by side: 4 rows, ")
    assert said.endswith(", 2 systems")
    metrics = ("rouge1,simetrix,rouge2", "rows.jsonl", "--source-column", "references")
    want = read(score("want.jsonl", *metrics))
    found = read("both.jsonl")
    if one in ("csv", "tsv") and other == "csv":  # a cell is a text
        want = [{**row, "id": str(row["id"])} for row in want]
    assert found == want


@pytest.mark.parametrize("form", ["jsonl", "csv", "tsv", "parquet", "arrow"])
def test_more_systems_follow_each_other(form: str, capsys: Any) -> None:
    if form in ("parquet", "arrow"):
        pytest.importorskip("pyarrow")
    names = [f"{system}.{form}" for system in "ab"]
    for system, name in zip("ab", names, strict=True):
        write("own.jsonl", [row for row in ROWS if row["system"] == system])
        score(name, "rouge1", "own.jsonl")
    said = join(capsys, *names, "-o", f"all.{form}")
    assert said == "2 files one after the other: 4 rows, 7 columns, 2 systems"
    assert main(["rank", f"all.{form}", "-m", "rouge1"]) == 0
    assert main(["score", f"all.{form}", "-m", "rouge1", "--means"]) == 0
    assert "4 rows, 4 scored, 0 null; 2 systems" in capsys.readouterr().out


def test_files_without_systems_and_the_same_scores_are_systems(capsys: Any) -> None:
    one = [{"id": 1, "m.f": 0.5}, {"id": 2, "m.f": 1.0}]
    write("bart.jsonl", one)
    write("t5.jsonl", [{"id": 1, "m.f": 0.25}, {"id": 2, "m.f": None}])
    said = join(capsys, "bart.jsonl", "t5.jsonl", "-o", "all.jsonl")
    assert said == (
        "2 files one after the other: 4 rows, 3 columns, 2 systems; rows that lack a score: 1"
    )
    assert [row["system"] for row in read("all.jsonl")] == ["bart", "bart", "t5", "t5"]
    write("more.jsonl", [{"id": 2, "n.f": 7}])
    said = join(capsys, "bart.jsonl", "more.jsonl", "-o", "both.jsonl")
    assert said == "2 files side by side: 2 rows, 3 columns; rows that lack a score: 1"
    assert read("both.jsonl") == [{**one[0], "n.f": None}, {**one[1], "n.f": 7}]


def test_keys_are_found_under_the_names_that_rank_knows(capsys: Any) -> None:
    keys = [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    write("one.jsonl", [{"model": s, "doc_id": n, "m.f": n / 4} for s, n in keys])
    write("two.jsonl", [{"model": s, "doc_id": n, "n.f": n / 8} for s, n in keys])
    assert main(["join", "one.jsonl", "two.jsonl", "-o", "all.jsonl"]) == 0
    assert "2 files side by side: 4 rows, 4 columns, 2 systems" in capsys.readouterr().err
    assert read("all.jsonl")[1] == {"model": "a", "doc_id": 2, "m.f": 0.5, "n.f": 0.25}
    assert main(["rank", "all.jsonl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["paired by"] == "doc_id"
    write("two.jsonl", [{"system": s, "topic": n, "n.f": n / 8} for s, n in keys])
    assert main(["join", "one.jsonl", "two.jsonl", "-o", "all.jsonl"]) == 0
    err = capsys.readouterr().err
    assert "one.jsonl: reading the systems from 'model'" in err
    assert "two.jsonl: reading the ids from 'topic'" in err
    assert read("all.jsonl")[1] == {"system": "a", "id": 2, "m.f": 0.5, "n.f": 0.25}


def test_rows_that_only_some_files_have_are_counted(capsys: Any) -> None:
    write("one.jsonl", [{"id": n, "system": "a", "m.f": n} for n in range(5)])
    write("two.jsonl", [{"id": n, "system": "a", "n.f": n} for n in range(3, 9)])
    said = join(capsys, "one.jsonl", "two.jsonl", "-o", "all.jsonl")
    assert said == (
        "2 files by rows: 9 rows, 4 columns, 1 systems; 2 rows met another, 4 were new;"
        " rows that lack a score: 7"
    )


def test_ids_are_equal_as_texts_and_samples_are_told_apart(capsys: Any) -> None:
    write("one.jsonl", [{"id": 1, "sample": s, "system": "a", "m.f": s} for s in (1, 2)])
    write("two.jsonl", [{"id": "1", "sample": s, "system": "a", "n.f": s} for s in (1.0, 2.0)])
    join(capsys, "one.jsonl", "two.jsonl", "-o", "all.jsonl")
    found = read("all.jsonl")
    assert [(row["m.f"], row["n.f"]) for row in found] == [(1, 1.0), (2, 2.0)]


@pytest.mark.parametrize("first", ["one.jsonl", "two.csv"])
def test_a_cell_of_csv_is_the_value_that_it_writes(first: str, capsys: Any) -> None:
    carried = {"n": 5.0, "k": 3, "list": ["a", 1], "none": None, "text": "5", "yes": True}
    rows = [row | carried for row in ROWS]
    write("rows.jsonl", rows)
    names = [score("one.jsonl", "rouge1"), score("two.csv", "rouge2")]
    names.sort(key=lambda name: name != first)
    assert join(capsys, *names, "-o", "all.jsonl").startswith("2 files side by side: 4 rows, ")
    for row, given in zip(read("all.jsonl"), rows, strict=True):
        assert {key: row[key] for key in carried} == carried
        assert row["references"] == given["references"]
    write("rows.jsonl", [row | {"n": 6.0} for row in rows])
    score("two.csv", "rouge2")
    assert "'n' is " in refusal(capsys, *names)


def test_directions_and_signatures_are_carried(capsys: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    source = ("rows.jsonl", "--source-column", "references")
    score("one.parquet", "simetrix", *source)
    score("two.parquet", "rouge1")
    join(capsys, "one.parquet", "two.parquet", "-o", "both.parquet")
    both = parquet.read_schema("both.parquet")
    for name in ("one", "two"):
        schema = parquet.read_schema(f"{name}.parquet")
        assert schema.metadata.items() <= both.metadata.items()
        for field in schema:
            assert both.field(field.name).metadata == field.metadata
    score("three.parquet", "rouge1", "rows.jsonl", "--option", "rouge.stemmer=porter")
    assert refusal(capsys, "two.parquet", "three.parquet", "-o", "o.parquet").startswith(
        "three.parquet: rouge1 has another signature than in the files before; "
    )


def test_what_does_not_fit_is_one_line(capsys: Any) -> None:
    one = [{"id": 1, "system": "a", "m.f": 0.5}]
    write("one.jsonl", one)
    write("twice.jsonl", one * 2)
    write("other.jsonl", [{"id": 1, "system": "a", "m.f": 0.25}])
    write("none.jsonl", [{"name": 1, "m.f": 0.25}])
    write("gap.jsonl", [{"id": 1, "m.f": 1}, {"id": None, "m.f": 0.25}])
    write("empty.jsonl", [])
    for name, message in {
        "other.jsonl": "other.jsonl: system a, id 1: 'm.f' is 0.25, but 0.5 in one.jsonl; ",
        "twice.jsonl": "twice.jsonl: row 2: system a, id 1 comes twice; ",
        "none.jsonl": "none.jsonl: no 'id' (there is 'name', 'm.f'); name the column",
        "gap.jsonl": "gap.jsonl: row 2: no 'id'; ",
        "empty.jsonl": "empty.jsonl: holds no rows; ",
        "nowhere.jsonl": "nowhere.jsonl: no such file or directory; ",
    }.items():
        assert refusal(capsys, "one.jsonl", name, "-o", "out.jsonl").startswith(message)
        assert not Path("out.jsonl").exists()
    for arguments, message in [
        (["one.jsonl"], "join takes two files or more"),
        (["one.jsonl", "other.jsonl", "-o", "one.jsonl"], "OUT is one of the files"),
        (["one.jsonl", "other.jsonl", "-o", "out.txt"], "-o out.txt: unknown extension"),
        (["-", "-"], "- (standard input) can stand for one file only"),
    ]:
        assert message in refusal(capsys, *arguments, status=2)


def test_standard_output_takes_json_lines(capsys: Any) -> None:
    write("one.jsonl", [{"id": 1, "m.f": float("nan")}])
    write("two.jsonl", [{"id": 1, "n.f": 2}])
    assert main(["join", "one.jsonl", "two.jsonl"]) == 0
    assert json.loads(capsys.readouterr().out) == {"id": 1, "m.f": None, "n.f": 2}
