"""`summeval score --extract --strip`: candidates are cleaned before they are scored."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main
from summeval.cli.score import cleaned

ROWS = [
    {
        "id": 1,
        "candidate": "<think>A dog?</think>Answer: **a cat** sat",
        "references": ["a cat sat"],
    },
    {"id": 2, "candidate": "a dog", "references": ["a cat sat"]},
    {"id": 3, "candidate": None, "references": ["a cat sat"]},
]
BOTH = ["--strip", "think,markdown", "--extract", "Answer: (.*)"]
SIGNED = "|strip:think+markdown|extract:Answer: (.*)|v:"
TOLD = (
    "cleaned: think changed 1, extract changed 2 (1 without a match are empty texts),"
    " markdown changed 1 of 3 candidates"
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def run(path: object, *arguments: str) -> int:
    return main(["score", str(path), "-m", "rouge1", *arguments])


def test_the_clean_candidate_is_scored_written_and_counted(path: Path, capsys: Any) -> None:
    assert run(path, *BOTH, "--keep-text") == 0
    printed = capsys.readouterr()
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert [row["candidate"] for row in found] == ["a cat sat", "", None]
    assert [row["rouge1.recall"] for row in found] == [1.0, 0.0, None]
    assert printed.err == f"summeval: {TOLD}\nsummeval: 1 of 3 rows got null scores\n"


def test_the_table_counts_and_the_signature_names_it(path: Path, capsys: Any) -> None:
    assert run(path, *BOTH, "--means") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert TOLD in lines
    assert SIGNED in lines[-1]
    signature = summeval.Signature.parse(lines[-1].partition(": ")[2])
    assert signature.options["strip"] == "think+markdown"
    assert signature.options["extract"] == "Answer: (.*)"


@pytest.mark.parametrize("source", ["jsonl", "csv", "tsv", "parquet", "arrow"])
@pytest.mark.parametrize("target", ["jsonl", "csv", "parquet"])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_every_format_gives_the_same_texts_and_scores(
    path: Path, source: str, target: str, workers: str, capsys: Any
) -> None:
    if {source, target} & {"parquet", "arrow"}:
        pytest.importorskip("pyarrow")
    rows, out = f"rows.{source}", f"out.{target}"
    if source != "jsonl":
        assert run(path, "--keep-text", "-o", rows) == 0
    assert run(rows, *BOTH, "--keep-text", "-o", out, "--workers", workers) == 0
    assert TOLD in capsys.readouterr().err
    if target == "parquet":
        from pyarrow import parquet

        assert parquet.read_table(out)["rouge1.recall"].to_pylist()[:2] == [1.0, 0.0]
    assert run(out, "--keep-text", "-o", "again.jsonl") == 0
    found = [json.loads(line) for line in Path("again.jsonl").read_text().splitlines()]
    empty = "" if {source, target} & {"csv", "tsv"} else None  # CSV does not tell "" from null
    assert [row["candidate"] for row in found] == ["a cat sat", "", empty]
    assert [row["rouge1.recall"] for row in found][:2] == [1.0, 0.0]
    if target == "parquet":
        from pyarrow import parquet

        assert SIGNED.encode() in parquet.read_schema(out).metadata[b"rouge1"]


def test_plain_files_are_cleaned_too(path: Path, capsys: Any) -> None:
    Path("hyp.txt").write_text("<think>hm</think># A cat<n>- sat\n")
    Path("ref.txt").write_text("A cat\n")
    files = ["--hyp", "hyp.txt", "--ref", "ref.txt", "--newline", "<n>"]
    assert main(["score", *files, "--strip", "markdown", "think", "-m", "rouge1"]) == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert row["candidate"] == "A cat\nsat"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--extract", "(a"], "--extract '(a' is no regular expression: missing )"),
        (["--extract", ""], "--extract is empty"),
        (["--strip", "html"], "--strip takes think, markdown, not 'html'"),
        (["--strip", ","], "--strip is empty"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    path: Path, arguments: list[str], message: str, capsys: Any
) -> None:
    assert run(path, *arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_a_pattern_that_backtracks_without_end_is_stopped(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if not hasattr(__import__("signal"), "setitimer"):
        pytest.skip("no timers on this system")
    monkeypatch.setattr(cleaned, "MOST_S", 0.05)
    rows = [{"id": "x", "candidate": "a" * 60 + "!", "references": "a"}, ROWS[1]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    endless = ["--extract", "(a+)+$"]
    for workers in ("1", "2"):
        assert run(path, *endless, "--workers", workers, "-o", "out.jsonl") == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f'summeval: {path}: row 1 (id "x"): --extract takes more than ')
        assert not Path("out.jsonl").exists()
    assert run(path, *endless, "--on-error", "skip") == 0
    printed = capsys.readouterr()
    first, second = map(json.loads, printed.out.splitlines())
    assert (first["rouge1.recall"], second["rouge1.recall"]) == (None, 0.0)
    assert "--extract takes more than" in first["error"]
    assert "summeval: 1 of 2 rows got null scores" in printed.err.splitlines()


def test_outside_the_main_thread_there_is_no_timer() -> None:
    done: list[str] = []

    def work() -> None:
        with cleaned.limited(0.001):
            done.append("done")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == ["done"]


def test_a_resumed_run_counts_what_was_cleaned_before(path: Path, capsys: Any) -> None:
    out = ["-o", "out.jsonl", "--resume"]
    assert run(path, *BOTH, *out) == 0
    assert TOLD in capsys.readouterr().err
    assert run(path, *BOTH, *out) == 0
    assert TOLD in capsys.readouterr().err
    assert run(path, "--strip", "think", *out) == 1
    assert "another choice of metrics" in capsys.readouterr().err
