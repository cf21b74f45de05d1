"""`summeval explain`: which rows it shows, what it writes, and how it refuses."""

from __future__ import annotations

import base64
import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main

ROWS: list[dict[str, Any]] = [
    {"id": "a", "system": "s1", "candidate": "the cat sat", "references": ["the cat sat"]},
    {"id": "a", "system": "s2", "candidate": "a dog", "references": ["the cat sat"]},
    {"id": "b", "system": "s1", "candidate": "the cat", "references": ["the cat ran"]},
    {"id": "b", "system": "s2", "candidate": None, "references": ["the cat ran"]},
    {"id": "c,d", "system": "s1", "candidate": "cat the", "references": ["the cat on a mat"]},
    {"id": "e", "system": "s2", "candidate": "a mat", "references": ["the cat on a mat"]},
]


def write(path: Path, rows: list[dict[str, Any]] = ROWS) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.fixture
def rows(tmp_path: Path) -> str:
    return write(tmp_path / "rows.jsonl")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """What the command writes as JSON."""
    assert main(["explain", *arguments, "--format", "json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def numbers(found: list[dict[str, Any]]) -> list[int]:
    return [record["row"] for record in found]


def refused(capsys: pytest.CaptureFixture[str], status: int, *arguments: str) -> str:
    assert main(["explain", *arguments]) == status
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def blocks(page: bytes) -> list[Any]:
    """The rows of a page, unpacked, with their texts, and its index last."""
    texts, rows, index = (
        [
            json.loads(zlib.decompress(base64.b64decode(packed)))
            for packed in re.findall(rb'<script type="text/plain" class="%s">([^<]*)<' % kind, page)
        ]
        for kind in (b"texts", b"rows", b"index")
    )
    both = zip(texts, rows, strict=True)
    return [[a | b for a, b in zip(*some, strict=True)] for some in both] + index


def test_text_names_the_row_and_says_what_is_missing(
    rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", rows, "-m", "rouge1", "--row", "b"]) == 0
    assert capsys.readouterr().out == (
        "row 3 (b), s1\nrouge1 0.8000\n  +0.400  the  <-  the cat ran\n"
        "  +0.400  cat  <-  the cat ran\n  missing: ran\n\n"
        "row 4 (b), s2\nno candidate\n\n"
    )


def test_json_has_what_the_metric_explains(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, rows, "-m", "rouge1,rougeL")
    assert [record["explanation"]["metric"] for record in found[:2]] == ["rouge1", "rougeL"]
    assert numbers(found) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    wanted = summeval.metric("rouge1").explain("a dog", "the cat sat").to_dict()
    assert found[2] == {
        "row": 2,
        "id": "a",
        "system": "s2",
        "explanation": json.loads(json.dumps(wanted)),
    }
    assert (found[6]["explanation"], found[6]["problem"]) == (None, "no candidate")


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        (["--worst", "2"], [2, 5]),
        (["--best", "2"], [1, 3]),
        (["--best", "99"], [1, 3, 5, 6, 2]),  # without a value: none; a tie in the order of rows
        (["--row", "b,e"], [3, 4, 6]),
        (["--row", "e", "--row", "a"], [6, 1, 2]),
        (["--row", "c,d"], [5]),  # an id with a comma
    ],
)
def test_rows_are_chosen(
    rows: str, capsys: pytest.CaptureFixture[str], asked: list[str], wanted: list[int]
) -> None:
    assert numbers(told(capsys, rows, "-m", "rouge1", *asked)) == wanted


def test_where_lower_is_better_the_highest_is_worst(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        {"candidate": text, "source": "the cat sat on a mat"}
        for text in ("cat sat mat", "dogs run")
    ]
    path = write(tmp_path / "rows.jsonl", lines)
    assert not summeval.metric("simetrix").higher_is_better
    assert numbers(told(capsys, path, "-m", "simetrix", "--worst", "1")) == [2]
    assert numbers(told(capsys, path, "-m", "simetrix", "--row", "2")) == [2]  # rows without ids


def test_rows_on_which_two_metrics_part(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: ranks of rows 1, 2, 3, 5, 6 are 5, 1, 4, 2.5, 2.5 by rouge1, 5, 1.5, 4, 1.5, 3."""
    found = told(capsys, rows, "--apart", "rouge1,rouge2", "2")
    assert [record["explanation"]["metric"] for record in found[:2]] == ["rouge1", "rouge2"]
    assert numbers(found)[::2] == [5, 2]  # then row 6, a tie
    found = told(capsys, rows, "--apart", "rouge1", "rouge2", "-m", "rouge1")
    assert numbers(found)[::2] == [5, 2, 6, 1, 3]


def test_ties_stay_in_the_order_of_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"candidate": f"w{k}", "references": [f"w{k * (k % 7 > 0)}"]} for k in range(60)]
    path = write(tmp_path / "rows.jsonl", lines)
    assert numbers(told(capsys, path, "-m", "rouge1", "--best", "60")) == sorted(
        range(1, 61), key=lambda row: (row > 1 and (row - 1) % 7 == 0, row)
    )


def test_rows_lie_in_blocks(tmp_path: Path) -> None:
    lines = [{"candidate": f"w{k}", "references": ["w1 w2"]} for k in range(130)]
    path, out = write(tmp_path / "rows.jsonl", lines), tmp_path / "page.html"
    assert main(["explain", path, "-m", "rouge1", "-o", str(out)]) == 0
    *packed, index = blocks(out.read_bytes())
    assert [len(block) for block in packed] == [index["rows"], index["rows"], 2] == [64, 64, 2]
    assert [row["c"] for block in packed for row in block] == [row["candidate"] for row in lines]


def test_without_a_choice_a_terminal_gets_the_first_and_says_so(
    rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", rows, "-m", "rouge1"]) == 0
    out, err = capsys.readouterr()
    assert out.count("row ") == 5
    assert "the first 5 of 6 rows; choose others with --row" in err


def test_a_page_has_all_rows_and_what_it_shows_of_them(rows: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    assert main(["explain", rows, "-m", "rouge1,rouge2", "-o", str(out)]) == 0
    page = out.read_bytes()
    (packed, index) = blocks(page)
    assert index["ids"] == ["a", "a", "b", "b", "c,d", "e"]
    assert [index["names"][k] for k in index["systems"]] == [row["system"] for row in ROWS]
    assert index["values"][0] == [1.0, 0.0, 0.8, None, pytest.approx(4 / 7, abs=1e-5), 0.57143]
    assert packed[3] == {"c": None, "r": ["the cat ran"], "e": ["no candidate"] * 2}
    # the cat | the cat ran: two matches, each with its place; what is missing as a place alone
    assert packed[2]["e"][0] == {
        "i": [
            [40000, {"c": [0, 0, 3], "r": [0, 0, 3]}],
            [40000, {"c": [0, 4, 3], "r": [0, 4, 3]}],
        ],
        "r": [0, 8, 3],
    }
    assert b"default-src 'none'" in page
    assert re.findall(rb'(?:src|href)="(?!#)', page) == []


def test_no_text_stands_in_the_page_as_it_is(tmp_path: Path) -> None:
    """Texts are packed, and the title is escaped."""
    text = "</script><script>alert(1)</script> \u2028 \x00"
    folder = tmp_path / "<b>"
    folder.mkdir()
    path = write(folder / "r.jsonl", [{"id": text, "candidate": text, "references": [text]}])
    out = tmp_path / "page.html"
    assert main(["explain", path, "-m", "rouge1", "-o", str(out)]) == 0
    page = out.read_bytes()
    assert b"alert" not in page
    assert b"<b>" not in page
    packed, index = blocks(page)
    assert (index["ids"], packed[0]["c"]) == ([text], text)


def test_the_page_does_not_depend_on_how_rows_are_stored(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    lines = [{**row, "id": row["id"].replace(",", "")} for row in ROWS]
    plain = write(tmp_path / "rows.jsonl", lines)
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(Path(plain).read_text(encoding="utf-8"))
    pq.write_table(pa.Table.from_pylist(lines), tmp_path / "rows.parquet")
    made = []
    for name in ("rows.jsonl", "rows.jsonl.gz", "rows.parquet"):
        out = tmp_path / f"{name}.html"
        path = str(tmp_path / name)
        assert main(["explain", path, "-m", "rouge1", "-o", str(out)]) == 0
        made.append(blocks(out.read_bytes()))
    assert made[0] == made[1] == made[2]


def test_scores_with_their_texts_are_explained(
    rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, bare = str(tmp_path / "kept.csv"), str(tmp_path / "bare.jsonl")
    assert main(["score", rows, "-m", "rouge1", "-o", kept, "--keep-text"]) == 0
    assert main(["score", rows, "-m", "rouge1", "-o", bare]) == 0
    capsys.readouterr()
    assert numbers(told(capsys, kept, "-m", "rouge1", "--worst", "1")) == [2]
    error = refused(capsys, 1, bare, "-m", "rouge1")
    assert "has scores, but the texts that they are of are not in it" in error
    assert "summeval score --keep-text" in error


def test_rows_of_plain_files_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"one": "a cat\na dog\n", "two": "the cat\ndogs\n", "ref": "a cat\na\n"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    one, two, ref = (str(tmp_path / f"{name}.txt") for name in texts)
    out = str(tmp_path / "scores.tsv")
    assert main(["score", "--hyp", one, "--hyp", two, "--ref", ref, "-m", "rouge1", "-o", out]) == 0
    capsys.readouterr()
    found = told(capsys, out, "-m", "rouge1", "--worst", "1")
    assert [(record["id"], record["system"]) for record in found] == [("2", "two")]


def test_options_of_metrics_and_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "rows.jsonl", [{"key": 7, "hyp": "Cats", "ref": "cat", "model": "m"}])
    columns = "--candidate-column hyp --references-column ref --id-column key --system model"
    options = ["--option", "rouge.stemmer=porter", "--tokenizer", "unicode"]
    (found,) = told(capsys, path, "-m", "rouge1", *columns.split(), *options)
    assert (found["id"], found["system"], found["explanation"]["value"]) == ("7", "m", 1.0)
    assert found["explanation"]["items"][0]["text"] == "Cats = cat"


def test_colours_are_for_terminals(
    rows: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert main(["explain", rows, "-m", "rouge1", "--row", "b"]) == 0
    assert "\x1b[31mran\x1b[0m" in capsys.readouterr().out
    out = tmp_path / "told.txt"
    assert main(["explain", rows, "-m", "rouge1", "--row", "b", "-o", str(out)]) == 0
    assert "\x1b" not in out.read_text(encoding="utf-8")


def test_a_row_that_is_refused_ends_it_or_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = ROWS[0] | {"candidate": "a " * 4097, "references": ["a " * 4096]}
    path = write(tmp_path / "rows.jsonl", [long])
    error = refused(capsys, 1, path, "-m", "rougeW")
    assert "row 1 (a), s1: the texts are too long to explain rougeW" in error
    write(tmp_path / "rows.jsonl", [long, {"id": "x", "candidate": 3, "references": []}])
    found = told(capsys, path, "-m", "rougeW", "--on-error", "skip")
    assert found[0]["explanation"] is None
    assert "too long to explain rougeW" in found[0]["problem"]
    assert "'candidate' is a number, not a string" in found[1]["problem"]
    assert "--on-error skip" in refused(capsys, 1, path, "-m", "rouge1")


@pytest.mark.parametrize(
    ("status", "arguments", "message"),
    [
        (2, ["--row", "f"], "has no row with this id; did you mean"),
        (2, ["--worst", "0"], "--worst takes a number of rows from 1"),
        (2, ["--worst", "2", "--best", "2"], "pass one of --worst and --best"),
        (2, ["--apart", "rouge1"], "--apart takes two metrics"),
        (2, ["--apart", "rouge1,rouge1"], "--apart takes two metrics"),
        (2, ["--apart", "rouge1,rouge2", "0"], "--apart takes two metrics"),
        (2, ["-m", "rouge0"], "unknown metric 'rouge0'"),
        (2, ["-m", "memog", "--tokenizer", "unicode"], "--tokenizer: none of the metrics has it"),
        (1, ["-o", "nowhere/x.html"], "does not exist"),
        (1, ["-m", "support"], "no 'source'"),
    ],
)
def test_wrong_usage_is_one_line(
    rows: str,
    capsys: pytest.CaptureFixture[str],
    status: int,
    arguments: list[str],
    message: str,
) -> None:
    assert message in refused(capsys, status, rows, *arguments)


def test_files_that_are_no_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, wrong = tmp_path / "empty.jsonl", tmp_path / "wrong.jsonl"
    empty.write_text("")
    (tmp_path / "rows.txt").write_text("")
    wrong.write_text("{")
    assert "has no rows" in refused(capsys, 1, str(empty))
    assert "wrong.jsonl:1" in refused(capsys, 1, str(wrong))
    assert "no such file" in refused(capsys, 1, str(tmp_path / "none.jsonl"))
    assert "holds no .parquet file" in refused(capsys, 1, str(tmp_path))
    assert "pass --input-format jsonl or" in refused(capsys, 2, str(tmp_path / "rows.txt"))
