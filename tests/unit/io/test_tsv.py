"""TSV is read and written as CSV is, wherever rows are."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest

from summeval.cli.main import main
from summeval.table.table import read_rows

SEVERAL = json.dumps(["a cat", "it\tsat"])
CELLS = [
    {"id": "1", "candidate": "a, cat", "references": SEVERAL, "note": 'say "no"'},
    {"id": "2", "candidate": "two\nlines", "references": "one", "note": "a\ttab"},
    {"id": "3", "candidate": "", "references": "", "note": "|"},
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, delimiter in {"rows.csv": ",", "rows.tsv": "\t"}.items():
        with open(name, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(CELLS[0]), delimiter=delimiter)
            writer.writeheader()
            writer.writerows(CELLS)
    Path("rows.tsv.gz").write_bytes(gzip.compress(Path("rows.tsv").read_bytes()))


def score(*arguments: str) -> int:
    return main(["score", *arguments, "-m", "rouge1", "--keep-text"])


@pytest.mark.parametrize("name", ["rows.tsv", "rows.tsv.gz"])
def test_rows_of_tsv_are_those_of_csv(name: str) -> None:
    for source, target in (("rows.csv", "csv.jsonl"), (name, "tsv.jsonl")):
        assert score(source, "-o", target) == 0
    assert Path("tsv.jsonl").read_bytes() == Path("csv.jsonl").read_bytes()
    assert json.loads(Path("tsv.jsonl").read_text().splitlines()[0])["rouge1.recall"] == 1.0


def test_cells_are_written_so_that_they_are_read_again(capsys: Any) -> None:
    assert score("rows.csv", "-o", "out.tsv") == 0
    text = Path("out.tsv").read_text(encoding="utf-8")
    header, *found = csv.reader(io.StringIO(text), delimiter="\t", strict=True)
    assert header[:4] == list(CELLS[0])
    assert [row[:4] for row in found] == [list(row.values()) for row in CELLS]
    assert "a, cat\t" in text  # a comma needs no quotes
    assert score("rows.tsv", "--means") == 0  # TSV in, a table out
    assert capsys.readouterr().out.startswith("3 rows, 2 scored, 1 null\n")
    assert score("rows.tsv") == 0
    assert capsys.readouterr().out == text


def test_standard_input_is_tsv_where_it_is_said(capsys: Any, monkeypatch: Any) -> None:
    assert score("rows.tsv") == 0
    text = capsys.readouterr().out
    data = Path("rows.tsv").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    assert score("-", "--format", "tsv") == 0
    assert capsys.readouterr().out == text


def test_a_wrong_row_is_one_line_that_names_tabs(capsys: Any) -> None:
    Path("bad.tsv").write_text("id\tcandidate\treferences\n1\ta\n")
    assert score("bad.tsv") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "summeval: bad.tsv:2: 2 cells, but the header row has 3; correct the tabs"
    )


def test_readers_of_scores_read_it() -> None:
    assert score("rows.csv", "-o", "out.tsv") == 0
    assert score("rows.csv", "-o", "out.csv") == 0
    assert read_rows("out.tsv").rows == read_rows("out.csv").rows
