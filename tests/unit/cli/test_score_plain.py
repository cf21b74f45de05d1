"""`summeval score --hyp`: plain files and folders as systems, references and sources."""

from __future__ import annotations

import gzip
import io
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import summeval
from summeval.cli.main import main
from summeval.cli.score import command
from summeval.io.formats import read_chunks
from summeval.io.source import BLOCK_BYTES

pytestmark = pytest.mark.filterwarnings("ignore::summeval.ScoreWarning")
BART = ["a cat sat", "the dog ran", "", "x y"]
T5 = ["a cat", "Zürich 東京", "it rained\u2028here", "x"]
GOLD = ["the cat sat", "the dog ran", "it rained", "x y z"]
OTHER = ["a cat", "dogs ran", "rain", "x"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, texts in {"bart": BART, "t5": T5, "gold": GOLD, "other": OTHER}.items():
        write(f"{name}.txt", texts)
    return tmp_path


def write(name: str, texts: Sequence[str], end: str = "\n") -> None:
    Path(name).parent.mkdir(exist_ok=True)
    data = "".join(text + end for text in texts).encode()
    Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)


def run(*arguments: object, metrics: str = "rouge1") -> int:
    return main(["score", *map(str, arguments), "-m", metrics])


def rows(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, Any]]:
    assert run(*arguments) == 0
    return [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]


def error(capsys: pytest.CaptureFixture[str]) -> str:
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    return line.removeprefix("summeval: ")


def test_a_row_holds_all_that_other_commands_need(capsys: Any) -> None:
    found = rows(capsys, "--hyp", "bart.txt", "t5.txt", "--ref", "gold.txt", "--ref", "other.txt")
    assert len(found) == 8
    references = [list(pair) for pair in zip(GOLD, OTHER, strict=True)]
    for texts, name, mine in [(BART, "bart", found[::2]), (T5, "t5", found[1::2])]:
        assert [row["id"] for row in mine] == [1, 2, 3, 4]
        assert {row["system"] for row in mine} == {name}
        assert [row["candidate"] for row in mine] == texts
        assert [row["references"] for row in mine] == references
        table = summeval.score_batch(texts, references, ["rouge1"])
        assert [row["rouge1.recall"] for row in mine] == table["rouge1.recall"].tolist()
    assert list(found[0])[:4] == ["id", "system", "candidate", "references"]


def test_sources_are_a_column_too(capsys: Any) -> None:
    found = rows(
        capsys, "--hyp", "bart.txt", "--src", "gold.txt", "-m", "support", "--ref", "gold.txt"
    )
    assert [row["source"] for row in found] == GOLD
    want = summeval.score_batch(BART, None, ["support"], sources=GOLD)["support.explained"]
    assert [row["support.explained"] for row in found] == pytest.approx(want.tolist())


@pytest.mark.parametrize("made", ["crlf", "bom", "gzip", "no end", "pipe"])
def test_all_ways_to_write_lines_give_the_same_rows(
    made: str, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = rows(capsys, "--hyp", "m=t5.txt", "--ref", "gold.txt")
    name = "m.txt"
    if made == "crlf":
        write(name, T5, "\r\n")
    elif made == "bom":
        Path(name).write_bytes(b"\xef\xbb\xbf" + Path("t5.txt").read_bytes())
    elif made == "gzip":
        write(name := "m.txt.gz", T5)
    elif made == "no end":
        Path(name).write_bytes(Path("t5.txt").read_bytes()[:-1])
    else:
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(Path("t5.txt").read_bytes())))
        monkeypatch.setattr(sys, "stdin", stream)
        name = "m=-"
    assert rows(capsys, "--hyp", name, "--ref", "gold.txt") == wanted


def test_the_place_of_a_bad_byte_counts_a_mark_at_the_start(capsys: Any) -> None:
    size = BLOCK_BYTES + 100  # it is in a second block
    Path("bad.txt").write_bytes(b"\xef\xbb\xbf" + b"a cat\n" * (size // 6) + b"the d\xffog\n")
    assert run("--hyp", "bad.txt", "--ref", "bad.txt") == 1
    at = 3 + size // 6 * 6 + 5
    assert (
        f"invalid UTF-8 (0xff) at byte {at} of the file, 5 of the line" in capsys.readouterr().err
    )


def test_an_empty_line_is_an_empty_text(capsys: Any) -> None:
    found = rows(capsys, "--hyp", "bart.txt", "--ref", "gold.txt")
    assert (found[2]["candidate"], found[2]["rouge1.recall"]) == ("", 0.0)


def test_no_lines_are_no_rows(capsys: Any) -> None:
    write("none.txt", [])
    for more in ([], ["--means", "--ci"]):
        assert run("--hyp", "none.txt", "--ref", "none.txt", *more) == 1
        said = "summeval: none.txt: holds no rows; write one row on each line\n"
        assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("piped", [False, True])
def test_unequal_numbers_of_lines_are_told_with_both_files(
    piped: bool, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("short.txt", GOLD[:2])
    name, shown = "short.txt", "short.txt"
    if piped:
        stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(Path(name).read_bytes())))
        monkeypatch.setattr(sys, "stdin", stream)
        name, shown = "-", "standard input"
    out = ["-o", "out.jsonl"] if piped else []  # of files nothing is written before
    assert run("--hyp", "bart.txt", "t5.txt", "--ref", name, *out) == 1
    line = error(capsys)
    assert line.startswith(f"{shown}: has 2 lines, but bart.txt has 4; ")
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bart.txt", "--hyp", "t5.txt", "--ref", "gold.txt"], "pass INPUT (bart.txt) or --hyp"),
        (["--hyp", "t5.txt", "--ref", "gold.txt", "rows.jsonl"], "rows.jsonl is a file of rows"),
        (["--hyp", "t5.txt"], "rouge1: compared with the references; add --ref FILE"),
        (["--hyp", "t5.txt", "./t5.txt", "--ref", "gold.txt"], "--hyp names t5.txt twice"),
        (["--hyp", "t5=bart.txt", "t5.txt", "--ref", "gold.txt"], "two systems t5; name both"),
        (["--hyp", "-", "--ref", "-"], "- (standard input) can stand for one file only"),
        (["--hyp", "t5.txt", "--ref", "gold.txt", "--format", "csv"], "--format is for rows"),
        (["--ref", "gold.txt"], "the following arguments are required: INPUT"),
        (["rows.jsonl", "--ref", "gold.txt"], "--ref needs --hyp FILE"),
        (["rows.jsonl", "--newline", "<n>"], "--newline needs --hyp FILE"),
        (["--hyp", "t5.txt", "--ref", "gold.txt", "-o", "gold.txt"], "gold.txt: unknown extension"),
        (["--hyp", "-", "--ref", "gold.txt", "-o", "o.csv", "--resume"], "--resume needs files"),
        (["--hyp", "t5.txt", "--ref", "gold.txt", "--ci"], "--ci needs --means"),
        (["--hyp", "t5.txt", "--ref", "gold.txt", "--means", "-w", "99"], "-w takes a number"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    arguments: list[str], message: str, capsys: Any
) -> None:
    assert run(*arguments) == 2
    assert message in error(capsys)


def test_bytes_that_are_not_utf8_are_told_with_their_file_and_line(capsys: Any) -> None:
    Path("bad.txt").write_bytes(b"a cat\nthe d\xffog\nx\ny\n")
    assert run("--hyp", "t5.txt", "bad.txt", "--ref", "gold.txt") == 1
    assert error(capsys).startswith(
        "bad.txt:2: invalid UTF-8 (0xff) at byte 11 of the file, 5 of the line; "
    )
    assert run("--hyp", "t5.txt", "bad.txt", "--ref", "gold.txt", "--on-error", "skip") == 0
    printed = capsys.readouterr()
    found = [json.loads(line) for line in printed.out.split("\n") if line]
    assert [row["rouge1.recall"] is None for row in found] == [False] * 3 + [True] + [False] * 4
    assert found[3]["error"].startswith("bad.txt:2: invalid UTF-8")
    assert printed.err.splitlines()[-1] == "summeval: 1 of 8 rows got null scores"
    assert run("--hyp", "t5.txt", "--ref", "bad.txt", "--on-error", "skip") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]
    assert [row["rouge1.recall"] is None for row in found] == [False, True, False, False]
    assert found[1]["error"].startswith("bad.txt:2: invalid UTF-8")


@pytest.mark.parametrize("kind", ["utf-16-le", "utf-16-be"])
def test_utf16_is_told_before_lines_are_counted(kind: str, capsys: Any) -> None:
    Path("wide.txt").write_bytes("\ufeffa cat\n".encode(kind))
    assert run("--hyp", "wide.txt", "--ref", "gold.txt") == 1
    assert error(capsys) == "wide.txt: it looks like UTF-16; convert the file to UTF-8"


def test_a_mark_becomes_a_line_break_in_all_texts(capsys: Any) -> None:
    write("marks.txt", ["a cat.<n>It sat.", r"a\nb", "", "c"])
    found = rows(capsys, "--hyp", "marks.txt", "--ref", "marks.txt", "--newline", "<n>")
    for texts in ([row["candidate"] for row in found], [row["references"][0] for row in found]):
        assert texts == ["a cat.\nIt sat.", r"a\nb", "", "c"]
    assert run("--hyp", "marks.txt", "--ref", "marks.txt", "--newline", "<n>", "--means") == 0
    assert "|newline:<n>|v:" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["bart.txt", "t5.txt"], ["bart", "t5"]),
        (["x/test.txt", "y/test.txt", "bart.txt"], ["x/test", "y/test", "bart"]),
        (["bart.txt", "bart.out"], ["bart.txt", "bart.out"]),
        (["gpt-4.1", "gpt-4.2"], ["gpt-4.1", "gpt-4.2"]),
        (["my system=bart.txt", "b=t5.txt"], ["my system", "b"]),
        (["a=b.txt"], ["a=b"]),
    ],
)
def test_systems_are_called_by_their_files(paths: list[str], names: list[str], capsys: Any) -> None:
    for path in paths:
        if path.rpartition("=")[2] not in ("bart.txt", "t5.txt"):
            write(path, BART)
    found = rows(capsys, "--hyp", *paths, "--ref", "gold.txt")
    assert [row["system"] for row in found[: len(names)]] == names


def test_files_of_one_name_are_samples_of_one_system(capsys: Any) -> None:
    found = rows(capsys, "--hyp", "m=bart.txt", "m=t5.txt", "--ref", "gold.txt")
    assert [(row["id"], row["system"], row["sample"]) for row in found[:3]] == [
        (1, "m", 1),
        (1, "m", 2),
        (2, "m", 1),
    ]


def texts(folder: str, ending: str, found: dict[str, str]) -> str:
    for name, text in found.items():
        write(f"{folder}/{name}{ending}", [text])
    return folder


def test_folders_have_a_text_in_each_file(capsys: Any) -> None:
    own = {"d1": "a cat.\nIt sat.", "d10": "x", "d2": "the dog"}
    texts("sys", ".txt", own)
    texts("ra", ".gold.txt", {f"{name}": f"the {text}" for name, text in own.items()})
    for name in own:
        Path(f"ra/{name}.gold.txt").rename(f"ra/{name}.txt")
    texts("rb", ".txt.gz", {"d2": "a dog", "d99": "left out"})
    assert run("--hyp", "sys", "--ref", "ra", "rb") == 0
    printed = capsys.readouterr()
    found = [json.loads(line) for line in printed.out.split("\n") if line]
    assert [row["id"] for row in found] == ["d1", "d2", "d10"]
    assert [row["candidate"] for row in found] == [own["d1"], own["d2"], own["d10"]]
    assert [row["references"] for row in found] == [
        ["the a cat.\nIt sat."],
        ["the the dog", "a dog"],
        ["the x"],
    ]
    (line,) = printed.err.splitlines()
    assert line.endswith("1 of the files of references and sources: d99")


def test_files_that_folders_lack_are_told_in_a_line(capsys: Any) -> None:
    texts("sys", ".txt", {f"d{n}": "a" for n in range(6)})
    texts("other", ".txt", {"d0": "a"})
    texts("gold", ".txt", {f"d{n}": "a" for n in range(5)})
    assert run("--hyp", "sys", "other", "--ref", "gold") == 1
    assert error(capsys).startswith("other: lacks 5 of 6 files: d1, d2, d3, …; ")
    assert run("--hyp", "sys", "--ref", "gold") == 1
    assert error(capsys).startswith("gold: lacks 1 of 6 files: d5; ")
    assert run("--hyp", "sys", "--ref", "gold.txt") == 1
    assert error(capsys).startswith("gold.txt: is a file, but sys a folder; ")
    Path("empty").mkdir()
    assert run("--hyp", "empty", "--ref", "gold") == 1
    assert error(capsys).startswith("empty: the folder holds no files; ")
    texts("sys", ".out", {"d1": "a"})
    assert run("--hyp", "sys", "--ref", "gold") == 1
    assert error(capsys).startswith("sys: d1.out and d1.txt have the same name; ")


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.tsv.gz", "out.parquet"])
@pytest.mark.parametrize("size", [1, 200])
def test_the_bytes_do_not_depend_on_workers_nor_on_the_chunk(
    name: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    files = ["--hyp", "bart.txt", "t5.txt", "--ref", "gold.txt"]
    assert run(*files, "-o", f"whole-{name}") == 0
    monkeypatch.setattr(command, "read_chunks", partial(read_chunks, chunk_bytes=size))
    assert run(*files, "-o", name, "--workers", 2) == 0
    read = gzip.decompress if name.endswith(".gz") else bytes
    assert read(Path(name).read_bytes()) == read(Path(f"whole-{name}").read_bytes())


def test_an_interrupted_run_is_resumed(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    files = ["--hyp", "bart.txt", "t5.txt", "--ref", "gold.txt", "-m", "rouge1"]
    assert run(*files, "-o", "whole.jsonl") == 0
    monkeypatch.setattr(command, "read_chunks", partial(read_chunks, chunk_bytes=1))
    inner, calls = summeval.Suite.score_batch, []

    def fail(self: Any, *given: Any, **options: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return inner(self, *given, **options)

    with monkeypatch.context() as patch:
        patch.setattr(summeval.Suite, "score_batch", fail)
        assert run(*files, "-o", "out.jsonl", "--resume") == 130
    calls.clear()
    with monkeypatch.context() as patch:
        patch.setattr(
            summeval.Suite, "score_batch", lambda *a, **o: calls.append(1) or inner(*a, **o)
        )
        assert run(*files, "-o", "out.jsonl", "--resume") == 0
    assert len(calls) == 2  # of four lines two were done
    assert Path("out.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    write("other.txt", GOLD)
    capsys.readouterr()
    assert run("--hyp", "bart.txt", "--ref", "gold.txt", "-o", "out.jsonl", "--resume") == 1
    assert "another input file" in error(capsys)


def test_a_file_that_is_cut_off_while_it_is_packed_is_one_line(capsys: Any) -> None:
    write("m.txt.gz", T5)
    Path("m.txt.gz").write_bytes(Path("m.txt.gz").read_bytes()[:-9])
    assert run("--hyp", "m.txt.gz", "--ref", "gold.txt", "-o", "out.jsonl") == 1
    assert error(capsys).startswith("m.txt.gz: damaged gzip data")
    assert not Path("out.jsonl").exists()
