"""`summeval annotate`: what it reads, writes and says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from summeval.annotate import annotate, batch, from_json, read_conllu, read_documents
from summeval.cli.main import main

ROWS = [
    {"id": 1, "candidate": "The cat sat.", "references": ["A cat sat down.", "The cat sat."]},
    {"id": 2, "candidate": None, "references": None, "source": ["It rained.", "The cat sat."]},
    {"id": 3, "candidate": "", "references": "It rained.", "source": "The end.\nYes."},
]
TEXTS = ["The cat sat.", "", "A cat sat down.", "It rained.", "The end.\nYes."]


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


@pytest.fixture
def fails(capsys) -> Callable[..., str]:
    """Runs the command, which must fail with a status; returns the line it says."""

    def run(status: int, *arguments: object) -> str:
        assert main(["annotate", *map(str, arguments)]) == status
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    return run


def test_each_distinct_text_is_written_once(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "parses.jsonl"
    assert main(["annotate", str(rows), "-o", str(out)]) == 0
    documents = list(read_documents(out))
    assert [document.text for document in documents] == TEXTS
    assert documents == annotate(TEXTS)


def test_texts_can_be_chosen(rows: Path, capsys) -> None:
    assert main(["annotate", str(rows), "--texts", "references"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [from_json(line).text for line in lines] == [TEXTS[2], TEXTS[0], TEXTS[3]]


def test_later_runs_find_documents_by_text(rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "parses.jsonl.gz"
    main(["annotate", str(rows), "-o", str(out)])
    assert annotate(TEXTS[::-1], f"file:{out}") == annotate(TEXTS[::-1])
    with pytest.raises(ValueError, match="no annotation of the text 'another'; run summeval anno"):
        annotate(["another"], f"file:{out}")


def test_conllu_holds_the_same(rows: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "parses.conllu"
    assert main(["annotate", str(rows), "-o", str(out)]) == 0
    assert list(read_documents(out)) == annotate(TEXTS)
    assert main(["annotate", str(rows), "--output-format", "conllu"]) == 0
    assert list(read_conllu(capsys.readouterr().out.split("\n"))) == annotate(TEXTS)


def test_file_of_parses_becomes_conllu_without_a_parser(rows: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "parses.jsonl", tmp_path / "parses.conllu"
    main(["annotate", str(rows), "-o", str(first)])
    assert main(["annotate", str(rows), "-o", str(second), "--provider", f"file:{first}"]) == 0
    assert list(read_documents(second)) == list(read_documents(first))


def test_workers_change_nothing(rows: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(batch, "WORTH_CHARACTERS", 1)
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    main(["annotate", str(rows), "-o", str(one), "--no-cache"])
    main(["annotate", str(rows), "-o", str(two), "--no-cache", "--workers", "2"])
    assert one.read_text() == two.read_text()


def test_cache_that_cannot_be_used_is_told_of_in_a_line(rows, tmp_path, monkeypatch, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SUMMEVAL_CACHE", str(tmp_path / "file"))
    assert main(["annotate", str(rows), "-o", str(tmp_path / "out.jsonl")]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"summeval: {tmp_path / 'file'}")
    assert said.endswith(
        "continuing without the cache (set SUMMEVAL_CACHE to use another folder)\n"
    )
    assert said.count("\n") == 1
    assert main(["annotate", str(rows), "-o", str(tmp_path / "out.jsonl"), "--no-cache"]) == 0
    assert capsys.readouterr().err == ""


def test_bad_use_ends_with_2(rows: Path, tmp_path: Path, fails) -> None:
    assert "FILE is the same file as INPUT; pass another one with -o" in fails(2, rows, "-o", rows)
    assert "unknown provider 'spaci'; did you mean spacy?" in fails(2, rows, "--provider", "spaci")
    assert " is not installed; p" in fails(2, rows, "--provider", "spacy:en_core_web_x")
    assert "provider 'file' needs a file" in fails(2, rows, "--provider", "file")
    assert "--texts is 'x'; choose from candidate,references" in fails(2, rows, "--texts", "x")
    assert "--workers takes a number" in fails(2, rows, "--workers", "0")


def test_bad_data_end_with_1_and_leave_no_file(rows: Path, tmp_path: Path, fails) -> None:
    out, empty, bad = tmp_path / "out.jsonl", tmp_path / "empty.jsonl", tmp_path / "bad.jsonl"
    empty.touch()
    bad.write_text('{"candidate": "a"}\n{"candidate": 3}\n')
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n{}\n")
    assert f"{empty}: holds no rows" in fails(1, empty, "-o", out)
    assert f"{bad}:2: 'candidate' is a number" in fails(1, bad, "-o", out)
    assert f"{bad}:1: no 'source'" in fails(1, bad, "-o", out, "--texts", "candidate,source")
    assert "absent.jsonl: no such file" in fails(1, rows, "--provider", "file:absent.jsonl")
    assert f"{broken}:2: 'sentences' is missing" in fails(2, rows, "--provider", f"file:{broken}")
    assert not list(tmp_path.glob("out*"))


def test_text_that_a_file_of_parses_lacks_is_named(rows: Path, tmp_path: Path, fails) -> None:
    parses = tmp_path / "parses.jsonl"
    main(["annotate", str(rows), "-o", str(parses), "--texts", "candidate"])
    said = fails(1, rows, "-o", tmp_path / "out.jsonl", "--provider", f"file:{parses}")
    assert f"{rows}: {parses}: no annotation of the text 'A cat sat down.'" in said


def test_long_line_is_refused_by_name(rows: Path, tmp_path: Path, fails, monkeypatch) -> None:
    monkeypatch.setattr("summeval.annotate.compiled.MOST_CHARACTERS", 13)
    said = fails(1, rows, "-o", tmp_path / "out.jsonl", "--no-cache")
    assert "a line of 15 characters ('A cat sat down.'…), but" in said


def test_file_without_texts_is_no_provider(tmp_path: Path) -> None:
    path = tmp_path / "parses.conllu"
    path.write_text("1 Yes UH 0 root\n")
    with pytest.raises(ValueError, match=r"a document has no text; use a file written by"):
        annotate(["Yes"], f"file:{path}")
    with pytest.raises(ValueError, match=r"unknown extension; use .jsonl, .conllu or .tr"):
        annotate(["Yes"], "file:parses.txt")
