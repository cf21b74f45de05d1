"""`summeval score` on Parquet and Arrow files: what it reads, writes, refuses and resumes."""

import csv
import datetime
import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from table_files import (
    CANDIDATES,
    IDS,
    METRICS,
    REFERENCES,
    SMALL,
    expected,
    names,
    one_line,
    pa,
    pq,
    read,
    run,
    scores,
    table_of,
    write,
)

import summeval
from summeval.cli.score import totals as summary
from summeval.io import arrow_output, output
from summeval.io.arrow import TableInput
from summeval.io.arrow_output import TableWriter


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.parquet"
    write(table_of(), path)
    return path


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather", "ipc"])
@pytest.mark.parametrize("source", ["rows.parquet", "rows.arrow"])
def test_columns_come_out_in_order_with_the_scores_of_the_library(tmp_path, source, ending):
    write(table_of(), tmp_path / source)
    out = tmp_path / f"out.{ending}"
    assert run(tmp_path / source, "-o", out) == 0
    assert read(out).to_pydict() == expected()
    signature = summeval.suite(METRICS).signature["rouge1"]
    assert read(out).schema.metadata[b"rouge1"].decode() == signature
    assert names(tmp_path) == {source, out.name}


def test_rows_of_a_table_come_out_as_json_lines_and_csv(rows, tmp_path, capsys):
    assert run(rows) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {key: [row[key] for row in printed] for key in printed[0]} == expected()
    assert run(rows, "-o", tmp_path / "out.csv") == 0
    cells = list(csv.DictReader(io.StringIO((tmp_path / "out.csv").read_text())))
    assert [cell["id"] for cell in cells] == IDS
    texts = ["" if value is None else str(value) for value in scores()["rouge1.recall"]]
    assert [cell["rouge1.recall"] for cell in cells] == texts


def test_a_directory_is_read_in_the_order_of_its_paths(tmp_path):
    folder = tmp_path / "rows"
    (folder / "b").mkdir(parents=True)
    write(table_of()[:20], folder / "a.parquet")
    write(table_of()[20:33], folder / "b" / "a.parquet")
    write(table_of()[33:], folder / "c.parquet")
    for name in ("_metadata.parquet", ".c.parquet"):
        (folder / name).write_bytes(b"passed over")
    assert run(folder, "-o", tmp_path / "out.parquet") == 0
    assert read(tmp_path / "out.parquet").to_pydict() == expected()


def test_a_table_that_was_read_is_closed(tmp_path, monkeypatch):
    write(table_of(), tmp_path / "rows.parquet")
    closed = []

    def close(self):
        closed.append(self)

    with TableInput(str(tmp_path / "rows.parquet"), "parquet") as table:
        (file,) = table._files
        monkeypatch.setattr(type(file), "close", close)
    assert closed == [file]


def test_an_arrow_stream_is_read(tmp_path):
    write(table_of(), tmp_path / "rows.stream")
    assert run(tmp_path / "rows.stream", "--format", "arrow", "-o", tmp_path / "out.arrow") == 0
    assert read(tmp_path / "out.arrow").to_pydict() == expected()


@pytest.mark.parametrize("ending", ["parquet", "arrow", "jsonl"])
def test_the_bytes_depend_on_no_workers_and_no_pieces(rows, tmp_path, monkeypatch, ending):
    whole = tmp_path / f"whole.{ending}"
    run(rows, "-o", whole)
    monkeypatch.setattr(TableInput, "chunks", SMALL)
    out = tmp_path / f"out.{ending}"
    assert run(rows, "-o", out, "--workers", "3") == 0
    assert out.read_bytes() == whole.read_bytes()


def test_only_the_columns_that_are_used_are_read(rows, tmp_path, monkeypatch):
    asked = []
    inner = pq.ParquetFile.iter_batches

    def iter_batches(self, *arguments, columns, **options):
        asked.append(columns)
        return inner(self, *arguments, columns=columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", iter_batches)
    run(rows, "-o", tmp_path / "out.jsonl")
    assert {tuple(columns) for columns in asked} == {("candidate", "references", "id")}
    asked.clear()
    run(rows, "-o", tmp_path / "out.parquet")
    assert {tuple(columns) for columns in asked} == {("candidate", "references", "id")}


def test_other_columns_keep_their_types(tmp_path, capsys):
    day = datetime.date(2004, 7, 25)
    more = {
        "day": pa.array([day] * 60),
        "kind": pa.array(["a", "b"] * 30).dictionary_encode(),
        "note": pa.array([{"n": [1]}] * 60),
        "rouge1.recall": pa.array(["old"] * 60),
    }
    path = tmp_path / "rows.parquet"
    write(table_of(**more), path)
    assert run(path, "--keep-text", "-o", tmp_path / "out.parquet") == 0
    table = read(tmp_path / "out.parquet")
    before = table_of(**more)
    kept = ["id", "candidate", "references", "source", "day", "kind", "note"]
    assert table.column_names == [*kept, *scores()]
    assert table.select(kept).schema.equals(before.select(kept).schema)
    assert table.select(kept).to_pydict() == before.select(kept).to_pydict()
    assert run(path, "-o", tmp_path / "out.arrow") == 0
    assert read(tmp_path / "out.arrow")["kind"].to_pylist() == ["a", "b"] * 30
    assert run(path) == 0
    line = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (line["day"], line["kind"], line["note"]) == ("2004-07-25", "a", {"n": [1]})


def test_a_column_that_only_a_late_row_has_is_written(tmp_path):
    rows = [{"id": n, "candidate": "a cat", "references": ["a " * 60_000]} for n in range(30)]
    rows[-1]["note"] = "late"  # in another chunk than the first
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(path, "-o", tmp_path / "out.parquet") == 0
    assert read(tmp_path / "out.parquet")["note"].to_pylist() == [None] * 29 + ["late"]


def test_a_table_with_nothing_to_carry_gives_scores_alone(tmp_path):
    write(table_of().select(["candidate", "references"]), tmp_path / "rows.parquet")
    for name in ("out.parquet", "out.arrow"):
        assert run(tmp_path / "rows.parquet", "-o", tmp_path / name) == 0
        assert read(tmp_path / name).to_pydict() == scores()


def test_the_summary_counts_rows_and_their_speed(rows, tmp_path, capsys, monkeypatch):
    run(rows, "-o", tmp_path / "out.parquet", "--means")
    lines = capsys.readouterr().out.splitlines()
    missing = scores()["rouge1.recall"].count(None)
    assert lines[0] == f"60 rows, {60 - missing} scored, {missing} null"
    assert "rows a second" not in lines[-1]
    monkeypatch.setattr(summary, "_TELLING_S", 0.0)
    run(rows, "-o", tmp_path / "out.parquet", "--means")
    assert capsys.readouterr().out.splitlines()[-1].endswith(" rows a second")


# What may be wrong with a file


def test_a_file_that_is_cut_off_is_named_before_anything_is_scored(rows, tmp_path, capsys):
    folder = tmp_path / "rows"
    folder.mkdir()
    shutil.copy(rows, folder / "a.parquet")
    (folder / "b.parquet").write_bytes(rows.read_bytes()[:-100])
    assert run(folder, "-o", tmp_path / "out.parquet") == 1
    message = one_line(capsys)
    assert "b.parquet: damaged, truncated or not Parquet" in message
    assert names(tmp_path) == {"rows", "rows.parquet"}


@pytest.mark.parametrize("name", ["rows.parquet", "rows.arrow"])
@pytest.mark.parametrize("content", [b"", b"PAR1", b"ARROW1\0\0", b"{}\n" * 9, None])
def test_what_is_no_table_is_one_line(tmp_path, capsys, name, content):
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    assert run(path, "-o", tmp_path / "out.jsonl") == 1
    assert str(path) in one_line(capsys)
    assert names(tmp_path) == {name}


def test_a_damaged_page_is_one_line_and_leaves_nothing(rows, tmp_path, capsys):
    pq.write_table(table_of(), rows, compression="zstd", row_group_size=20)
    data = bytearray(rows.read_bytes())
    column = pq.ParquetFile(rows).metadata.row_group(2).column(1)
    start = column.dictionary_page_offset or column.data_page_offset
    data[start : start + column.total_compressed_size] = b"\0" * column.total_compressed_size
    rows.write_bytes(data)
    assert run(rows, "-o", tmp_path / "out.jsonl") == 1
    assert "rows.parquet: damaged" in one_line(capsys)
    assert names(tmp_path) == {"rows.parquet"}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"candidate": list(range(60))}, "the column 'candidate' is int64, not text; cast it"),
        ({"candidate": [["a"]] * 60}, "is list<element: string>, not text; cast it"),
        (
            {"references": [1.5] * 60},
            "'references' is double, not text or lists of texts",
        ),
        ({"references": [[[1]]] * 60}, "not text or lists of texts"),
        ({"candidate": [{"text": "a"}] * 60}, "is struct<text: string>, not text; cast it"),
    ],
)
def test_a_column_of_the_wrong_type_is_named(rows, tmp_path, capsys, column, message):
    write(table_of(**column), rows)
    assert run(rows, "-o", tmp_path / "out.parquet") == 1
    assert message in one_line(capsys)
    assert names(tmp_path) == {"rows.parquet"}


def test_a_missing_column_is_named_with_what_is_there(rows, tmp_path, capsys):
    assert run(rows, "--candidate-column", "candidates", "-o", tmp_path / "out.csv") == 1
    assert "no 'candidates' (did you mean 'candidate'? there is also" in one_line(capsys)


def test_files_of_a_directory_that_differ_are_named(rows, tmp_path, capsys):
    folder = tmp_path / "rows"
    folder.mkdir()
    shutil.copy(rows, folder / "a.parquet")
    write(table_of(id=list(range(60))), folder / "b.parquet")
    assert run(folder, "-o", tmp_path / "out.parquet") == 1
    assert "b.parquet: the column 'id' is int64, but string in" in one_line(capsys)
    (folder / "a.parquet").unlink()
    (folder / "b.parquet").unlink()
    assert run(folder, "-o", tmp_path / "out.parquet") == 1
    assert "holds no .parquet file" in one_line(capsys)


def test_columns_of_nulls_give_null_scores(rows, tmp_path):
    write(table_of(candidate=pa.nulls(60), references=pa.nulls(60)), rows)
    assert run(rows, "-o", tmp_path / "out.parquet") == 0
    table = read(tmp_path / "out.parquet")
    assert all(table[name].null_count == 60 for name in scores())


def test_values_that_json_cannot_hold_are_named(rows, tmp_path, capsys):
    write(table_of(blob=[b"\xff"] * 60), rows)
    assert run(rows, "-o", tmp_path / "out.jsonl") == 1
    assert "the column 'blob' holds bytes, which JSON and CSV cannot" in one_line(capsys)
    assert run(rows, "-o", tmp_path / "out.parquet") == 0


def test_without_pyarrow_the_line_that_installs_it_is_said(rows, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert run(rows, "-o", tmp_path / "out.jsonl") == 1
    assert "pip install 'summeval[arrow]'" in one_line(capsys)


def test_pyarrow_is_imported_for_tables_only(tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"candidate": "a", "references": ["a"]}\n')
    program = (
        "import sys; from summeval.cli.main import main; main(['score', 'rows.jsonl']);"
        "sys.exit('pyarrow' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=False).returncode == 0
    )


def test_a_table_goes_to_a_plain_file_only(rows, capsys):
    assert run(rows, "-o", "-", "--output-format", "parquet") == 2
    assert "pass a file with -o" in one_line(capsys)
    assert run(rows, "-o", os.devnull, "--output-format", "parquet") == 1
    assert "is not a regular file" in one_line(capsys)
    assert run(rows, "-o", os.devnull) == 0


def test_a_table_is_not_read_from_a_pipe(capsys):
    assert run("-", "--format", "parquet") == 1
    assert "parquet cannot be read from a pipe; pass a file" in one_line(capsys)


# Runs that are cut off

ENDINGS = pytest.mark.parametrize("ending", ["parquet", "arrow", "jsonl", "csv"])

DRIVER = """
import functools, os, signal, sys
import summeval
from summeval.cli import main
from summeval.io.arrow import TableInput

after = int(sys.argv[1])
TableInput.chunks = functools.partialmethod(TableInput.chunks, chunk_bytes=200)
calls, inner = 0, summeval.Suite.score_batch

def score_batch(self, *arguments, **options):
    global calls
    calls += 1
    if calls > after:
        os.kill(os.getpid(), signal.SIGKILL)
    return inner(self, *arguments, **options)

summeval.Suite.score_batch = score_batch
sys.exit(main.main(sys.argv[2:]))
"""


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@ENDINGS
def test_a_run_that_was_killed_resumes_to_the_same_bytes(rows, tmp_path, ending):
    out, whole = tmp_path / f"out.{ending}", tmp_path / f"whole.{ending}"
    assert run(rows, "-o", whole) == 0
    arguments = ["score", "-m", ",".join(METRICS), str(rows), "-o", str(out)]
    line = [sys.executable, "-c", DRIVER, "3", *arguments]
    assert subprocess.run(line, check=False).returncode == -signal.SIGKILL
    assert not out.exists()
    resumed = subprocess.run([*line[:3], "2", *arguments, "--resume"], check=False)
    assert resumed.returncode == -signal.SIGKILL
    assert run(rows, "-o", out, "--resume") == 0
    assert out.read_bytes() == whole.read_bytes()
    assert names(tmp_path) == {rows.name, out.name, whole.name, f".{out.name}.manifest"}


@ENDINGS
def test_a_disk_that_fills_is_one_line_and_the_run_resumes(
    rows, tmp_path, capsys, monkeypatch, ending
):
    out, whole = tmp_path / f"out.{ending}", tmp_path / f"whole.{ending}"
    run(rows, "-o", whole)
    capsys.readouterr()
    monkeypatch.setattr(TableInput, "chunks", SMALL)
    with monkeypatch.context() as full:
        fill_after(full, 5)
        assert run(rows, "-o", out) == 1
    assert "out" in (message := one_line(capsys)) and "free some space" in message
    assert not out.exists()
    monkeypatch.setattr(summeval.Suite, "score_batch", count := Counted())
    assert run(rows, "-o", out, "--resume") == 0
    assert out.read_bytes() == whole.read_bytes()
    assert count.calls > 0


class Counted:
    """`Suite.score_batch`, counted."""

    def __init__(self) -> None:
        self.calls = 0
        self.inner = summeval.Suite.score_batch

    def __get__(self, suite, kind=None):
        def call(*arguments, **options):
            self.calls += 1
            return self.inner(suite, *arguments, **options)

        return call


def fill_after(monkeypatch, chunks: int) -> None:
    """Let the disk be full after some chunks."""
    from summeval.io import output

    written, inner = [], output._PartialFile._record

    def record(self, line):
        written.append(line)
        if len(written) > chunks:
            with output.naming(self._path):
                no_space()
        inner(self, line)

    monkeypatch.setattr(output._PartialFile, "_record", record)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_row_groups_are_written_as_rows_are_scored_and_again_by_a_run_that_resumes(
    rows, tmp_path, capsys, monkeypatch, workers
):
    monkeypatch.setattr(arrow_output, "_GROUP_ROWS", 8)
    write(table_of(candidate=[f"**cat** {number} sat" for number in range(60)]), rows)
    out, whole = tmp_path / "out.parquet", tmp_path / "whole.parquet"
    options = ["--workers", workers, "--keep-text", "--strip", "markdown"]
    assert run(rows, "-o", whole, *options) == 0
    told = capsys.readouterr().err
    assert told.startswith("summeval: cleaned: markdown changed 60 of 60 candidates")
    assert pq.ParquetFile(whole).metadata.num_row_groups == 8
    sizes, inner = [], output._PartialFile.write

    def written(self, data, state):
        sizes.append(self._target.tell())
        if len(sizes) > 3:
            with output.naming(self._path):
                no_space()
        inner(self, data, state)

    with monkeypatch.context() as full:
        full.setattr(output._PartialFile, "write", written)
        assert run(rows, "-o", out, *options) == 1
    assert sizes[0] > 100  # before the first rows are in the spool
    assert names(tmp_path) == {rows.name, whole.name, f"{out.name}.partial", f"{out.name}.journal"}
    capsys.readouterr()
    monkeypatch.setattr(summeval.Suite, "score_batch", count := Counted())
    assert run(rows, "-o", out, "--resume", *options) == 0
    assert count.calls == 2  # of the five row groups of the input
    assert capsys.readouterr().err == told
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_disk_that_fills_at_the_end_loses_no_score(rows, tmp_path, capsys, monkeypatch, form):
    out, whole = tmp_path / f"out.{form}", tmp_path / f"whole.{form}"
    run(rows, "-o", whole)
    capsys.readouterr()
    with monkeypatch.context() as full:
        inner = TableWriter.begin
        full.setattr(
            TableWriter,
            "begin",
            lambda self, name, spool, target: inner(self, name, spool, FullFile(target)),
        )
        assert run(rows, "-o", out) == 1
    assert "no space left" in one_line(capsys).lower()
    assert names(tmp_path) == {rows.name, whole.name, f"{out.name}.partial", f"{out.name}.journal"}
    monkeypatch.setattr(summeval.Suite, "score_batch", None)  # nothing is scored again
    assert run(rows, "-o", out, "--resume") == 0
    assert out.read_bytes() == whole.read_bytes()
    assert names(tmp_path) == {rows.name, whole.name, out.name, f".{out.name}.manifest"}


class FullFile(io.RawIOBase):
    """A file on a disk with room for 500 bytes."""

    def __init__(self, file) -> None:
        self.file = file
        self.room = 500

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        self.room -= len(data)
        if self.room < 0:
            no_space()
        return self.file.write(data)


def test_another_file_is_not_resumed(rows, tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as full:
        fill_after(full, 1)
        assert run(rows, "-o", tmp_path / "out.parquet") == 1
    capsys.readouterr()
    write(table_of(more=IDS), rows)
    assert run(rows, "-o", tmp_path / "out.parquet", "--resume") == 1
    assert "had another input file" in one_line(capsys)


# Rows in, columns out


def test_rows_of_json_lines_become_columns(tmp_path):
    rows = [
        {"id": n, "candidate": c, "references": r, "half": n / 2 if n % 2 else n, "mixed": mixed}
        for n, (c, r, mixed) in enumerate(
            zip(CANDIDATES, REFERENCES, [1, "one", None, [1], {"n": 1}, True] * 10, strict=True)
        )
    ]
    rows[3]["late"] = [{"k": 1}]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name in ("out.parquet", "out.arrow"):
        assert run(path, "-o", tmp_path / name) == 0
        table = read(tmp_path / name)
        assert table.column_names == ["id", "half", "mixed", "late", *scores()]
        assert table.select(list(scores())).to_pydict() == scores()
        assert table["id"].to_pylist() == list(range(60))
        assert table["half"].to_pylist() == [n / 2 if n % 2 else float(n) for n in range(60)]
        assert table["mixed"].to_pylist()[:6] == ["1", "one", None, "[1]", '{"n": 1}', "true"]
        assert table["late"].to_pylist()[2:5] == [None, [{"k": 1}], None]


def test_rows_of_csv_with_bad_ones_become_columns(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_text("id,candidate,references\n1,a cat,a cat\n2,a,[1]\n3,a cat,the cat\n")
    assert run(path, "--on-error", "skip", "-o", tmp_path / "out.parquet") == 0
    table = read(tmp_path / "out.parquet")
    assert table.column_names[:2] == ["id", "error"]
    assert table["rouge1.recall"].to_pylist() == [1.0, None, 0.5]
    assert [bool(error) for error in table["error"].to_pylist()] == [False, True, False]


def test_rows_with_nothing_to_carry_become_scores(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"candidate": "a cat", "references": ["a cat"]}\n' * 3)
    assert run(path, "-o", tmp_path / "out.parquet") == 0
    assert read(tmp_path / "out.parquet").column_names == list(scores())
    assert read(tmp_path / "out.parquet")["rouge1.recall"].to_pylist() == [1.0] * 3


def test_rows_of_a_pipe_become_columns_too(tmp_path, monkeypatch):
    line = b'{"id": 7, "candidate": "a cat", "references": ["a cat"]}\n'
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(line)))
    monkeypatch.setattr(sys, "stdin", stream)
    assert run("-", "-o", tmp_path / "out.parquet") == 0
    assert read(tmp_path / "out.parquet")["id"].to_pylist() == [7]
    assert read(tmp_path / "out.parquet")["rouge1.recall"].to_pylist() == [1.0]
