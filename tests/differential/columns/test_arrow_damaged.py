"""Arrow data that point past their buffers, and files that are cut off during reading."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from pytest import MonkeyPatch

import summeval
from summeval._core.columns import columns
from summeval.cli.main import main
from summeval.io import DataError
from summeval.io.formats import open_input, read_chunks
from summeval.io.rows import Columns
from summeval.io.source import InputFile

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
ipc = pa.ipc

ROWS = {
    "id": ["row-one", "row-two"],
    "candidate": ["the cat sat", "a dog ran"],
    "references": ["the cat", "a dog"],
    "system": ["s1", "s2"],
    "topic": ["t1", "t1"],
    "human": [1.0, 2.0],
    "x.f": [0.5, 0.25],
    "y.f": [0.25, 0.5],
}
DAMAGE = {
    "a carried column, far past": ("id", (0, 7, 14), (0, 7, 0x70000000)),
    "a text, a little past": ("candidate", (0, 11, 20), (0, 11, 40)),
    "a text, far past": ("candidate", (0, 11, 20), (0, 11, 0x70000000)),
    "a text, falling": ("candidate", (0, 11, 20), (0, 22, 20)),
    "a text, negative": ("candidate", (0, 11, 20), (-8, 11, 20)),
    "a reference, past": ("references", (0, 7, 12), (0, 7, 99)),
}


def damaged(path: Path, what: str, stream: bool = False) -> str:
    """Writes a file in which the offsets of a column are wrong; returns the name of the column."""
    name, offsets, wrong = DAMAGE[what]
    table = pa.table(ROWS)
    sink = pa.BufferOutputStream()
    with (ipc.new_stream if stream else ipc.new_file)(sink, table.schema) as writer:
        writer.write_table(table)
    data = sink.getvalue().to_pybytes()
    right = struct.pack("<3i", *offsets)
    assert data.count(right) == 1
    path.write_bytes(data.replace(right, struct.pack("<3i", *wrong)))
    return name


def one_line(capsys: pytest.CaptureFixture[str], path: Path, *arguments: str) -> str:
    """What a command that must fail says, with status 1."""
    assert main(list(arguments)) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"summeval: {path}: ")
    return line


@pytest.mark.parametrize("what", DAMAGE)
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("output", ["jsonl", "arrow", "parquet"])
def test_score_refuses_a_damaged_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, stream: bool, output: str
) -> None:
    path = tmp_path / "bad.arrow"
    name = damaged(path, what, stream)
    out = tmp_path / f"out.{output}"
    for more in ([], ["--workers", "2"], ["--keep-text"]):
        line = one_line(
            capsys, path, "score", str(path), "-m", "rouge1", "-o", str(out), "--no-progress", *more
        )
        assert f"the column {name!r} is damaged in rows 1 to 2" in line
        assert line.endswith("create the file again")
        assert not out.exists()


@pytest.mark.parametrize("what", ["a carried column, far past", "a text, a little past"])
@pytest.mark.parametrize(
    "command",
    [
        ["correlate", "--human", "human", "--metrics", "x.f"],
        ["compare", "--human", "human", "--metrics", "x.f", "y.f"],
        ["report", "-o", "report.html"],
        ["qarla"],
    ],
    ids=lambda command: command[0],
)
def test_commands_that_read_scores_refuse_a_damaged_file(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: MonkeyPatch,
    what: str,
    command: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "bad.arrow"
    name = damaged(path, what)
    name_of, *options = command
    status = main([name_of, str(path), *options])
    (line,) = capsys.readouterr().err.splitlines()
    if name_of == "qarla":  # it reads rows of text, as JSON Lines or CSV only
        assert status in (1, 2)
        return
    assert status == 1
    # A column that cannot be read is damage, whatever the command would do with it.
    assert f"{path}: the column {name!r} is damaged" in line


@pytest.mark.parametrize("what", DAMAGE)
@pytest.mark.parametrize("opener", [pa.memory_map, pa.OSFile])
def test_a_column_of_a_damaged_file_is_refused(tmp_path: Path, what: str, opener: object) -> None:
    path = tmp_path / "bad.arrow"
    name = damaged(path, what)
    table = ipc.open_file(opener(str(path))).read_all()  # type: ignore[operator]
    given = [table[name], table[name].chunk(0), table.select([name]), table.to_batches()[0][name]]
    for column in given:
        with pytest.raises(
            ValueError, match=r"^candidates: .*(larger than values|offsets that|Negative offsets)"
        ):
            summeval.score_batch(column, ROWS["references"], metrics=["rouge1"])
        with pytest.raises(
            ValueError, match=r"^references: .*(larger than values|offsets that|Negative offsets)"
        ):
            summeval.score_batch(ROWS["candidate"], column, metrics=["rouge1"])


@pytest.mark.parametrize("what", ["a text, a little past", "a text, far past"])
def test_a_column_of_pandas_over_a_damaged_file_is_refused(tmp_path: Path, what: str) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "bad.arrow"
    name = damaged(path, what)
    table = ipc.open_file(pa.memory_map(str(path))).read_all().select([name])
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    for column in (frame[name], frame):
        with pytest.raises(ValueError, match=r"^candidates: a damaged array"):
            columns.texts(column, "candidates")


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_texts_that_are_not_utf8_are_named(kind: pa.DataType) -> None:
    plain = ["a", "bc", None, "a text of more than twelve letters, é", "🙂"]
    assert columns.texts(pa.array(plain, kind), "c").to_list() == plain
    for wrong in (
        b"\xff",
        b"ab\xc3",
        b"\xed\xa0\x80 and fifteen more",
        b"\xc0\x80",
        b"\xf4\x90\x80\x80",
    ):
        binary = {"string": pa.binary(), "large_string": pa.large_binary()}.get(str(kind))
        binary = pa.binary_view() if binary is None else binary
        held = pa.array([b"ok", None, wrong, b"ok"], binary)
        texts = pa.Array.from_buffers(kind, 4, held.buffers(), held.null_count)
        with pytest.raises(
            ValueError, match=r"at row 2 a text that is not UTF-8; encode it so, or"
        ):
            columns.texts(texts, "c")
        assert columns.texts(texts.slice(3), "c").to_list() == ["ok"]
        assert columns.texts(held, "c").to_list()[2] == wrong.decode(errors="replace")


def test_the_null_slot_of_a_text_may_hold_any_bytes() -> None:
    buffers = pa.array([b"ok", b"\xff\xff", b"ok"], pa.binary()).buffers()
    texts = pa.Array.from_buffers(pa.string(), 3, [pa.py_buffer(b"\x05"), *buffers[1:]], 1)
    assert columns.texts(texts, "c").to_list() == ["ok", None, "ok"]


def test_utf8_is_checked_wherever_a_wrong_byte_stands() -> None:
    for size in (0, 1, 7, 8, 9, 63, 64, 65, 200):
        for at in {0, size // 2, size}:
            data = b"a" * at + b"\xe9" + b"a" * (size - at)
            offsets = pa.py_buffer(struct.pack("<2i", 0, len(data)))
            texts = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(data)])
            with pytest.raises(ValueError, match="not UTF-8"):
                columns.texts(texts, "c")
            right = pa.array([("a" * at + "é" + "a" * (size - at))])
            assert columns.texts(right, "c").to_list() == right.to_pylist()


def test_texts_are_refused_that_python_cannot_decode() -> None:
    rng = random.Random(5)
    edges = bytes.fromhex("00 41 7f 80 8f 90 9f a0 bf c0 c1 c2 df e0 e1 ed ef f0 f1 f4 f5 ff")
    refused = 0
    for _ in range(20_000):
        data = bytearray("".join(rng.choices("aaaaé…𝄞", k=rng.randint(30, 90))).encode())
        for _ in range(rng.randint(0, 2)):
            at = rng.randrange(len(data))
            data[at : at + 4] = rng.choices(edges, k=len(data[at : at + 4]))
        offsets = pa.py_buffer(struct.pack("<2i", 0, len(data)))
        texts = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(bytes(data))])
        try:
            expected = [data.decode()]
        except UnicodeDecodeError:
            refused += 1
            with pytest.raises(ValueError, match="not UTF-8"):
                columns.texts(texts, "c")
        else:
            assert columns.texts(texts, "c").to_list() == expected
    assert 5_000 < refused < 15_000


def test_a_parquet_file_of_other_letters_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "latin.parquet"
    held = pa.array([b"un caf\xe9", b"ok"], pa.binary())
    texts = pa.Array.from_buffers(pa.string(), 2, held.buffers())
    pq.write_table(pa.table({"candidate": texts, "references": ["a", "b"]}), path)
    for more in ([], ["--keep-text"]):
        line = one_line(capsys, path, "score", str(path), "-m", "rouge1", *more)
        assert "the column 'candidate' is damaged in rows 1 to 2" in line
        assert line.endswith("write its texts as UTF-8, or as binary")


MANY = 40_000


def many(path: Path) -> None:
    """Rows in several batches."""
    table = pa.table(
        {
            "id": [str(row) for row in range(MANY)],
            "candidate": [f"the cat number {row} sat on the mat" for row in range(MANY)],
            "references": ["the cat sat"] * MANY,
        }
    )
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=2000, compression="none", use_dictionary=False)
    elif path.suffix in (".jsonl", ".csv"):
        rows = table.to_pylist()
        lines = [json.dumps(row) for row in rows]
        if path.suffix == ".csv":
            lines = ["id,candidate,references", *(",".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    else:
        make = ipc.new_stream if path.stem == "stream" else ipc.new_file
        with pa.OSFile(str(path), "wb") as sink, make(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=2000)


CUT = """
import os, sys
from summeval.cli.main import main
from summeval.metrics.run.suite import Suite
path, score, calls = sys.argv[1], Suite.score_batch, []
def cut(self, *given, **options):
    calls.append(1)
    if len(calls) == 2:
        os.truncate(path, os.path.getsize(path) // {divisor})
    return score(self, *given, **options)
Suite.score_batch = cut
status = main(["score", path, "-m", "rouge1", "-o", sys.argv[2], "--no-progress"])
assert len(calls) >= 2
sys.exit(status)
"""


@pytest.mark.parametrize("divisor", [2, 100_000_000])
@pytest.mark.parametrize("name", ["a.arrow", "stream.arrow", "a.parquet", "a.jsonl", "a.csv"])
def test_a_file_cut_off_while_it_is_read_ends_in_one_line(
    tmp_path: Path, name: str, divisor: int
) -> None:
    path, out = tmp_path / name, tmp_path / "out.jsonl"
    many(path)
    if name.endswith(("jsonl", "csv")):  # several blocks; a header again is a row
        path.write_bytes(path.read_bytes() * 8)
    code = CUT.format(divisor=divisor)
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(out)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"summeval: {path}") and "; " in line
    assert not out.exists()


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_file_cut_off_between_lines_is_noticed(tmp_path: Path, form: str) -> None:
    """What is left is whole rows, so only the size tells."""
    path = tmp_path / f"a.{form}"
    many(path)
    lines = path.read_bytes().splitlines(keepends=True)
    with InputFile(str(path)) as file:
        chunks = read_chunks(file, form, Columns(), chunk_bytes=1000)  # type: ignore[arg-type]
        next(chunks)
        os.truncate(path, len(b"".join(lines[:5000])))
        with pytest.raises(
            DataError, match=r"truncated while it was read, at byte \d+ of \d+; make"
        ):
            list(chunks)


def test_a_file_that_grows_while_it_is_read_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    many(path)
    with InputFile(str(path)) as file:
        chunks = read_chunks(file, "jsonl", Columns(), chunk_bytes=1000)
        first = len(next(chunks))
        with path.open("a") as more:
            more.write('{"candidate": "a", "references": ["b"]}\n')
        assert first + sum(map(len, chunks)) == MANY + 1


@pytest.mark.parametrize("told", [1, 5])
def test_a_file_with_fewer_or_more_rows_than_it_tells_is_refused(tmp_path: Path, told: int) -> None:
    path = tmp_path / "a.arrow"
    with pa.OSFile(str(path), "wb") as sink:
        table = pa.table({"candidate": ["a", "b"], "references": ["a", "b"]})
        with ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    with open_input(str(path), "arrow") as file:
        file._files[0].rows = told  # type: ignore[union-attr]
        with pytest.raises(DataError, match=f"declares {told} rows but holds 2; create the file"):
            list(file.batches(["candidate"], 0, 1000))  # type: ignore[union-attr]


def test_a_column_whose_name_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.arrow"
    with pa.OSFile(str(path), "wb") as sink:
        table = pa.table({"cand": ["a"]})
        with ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    path.write_bytes(path.read_bytes().replace(b"cand", b"ca\xffd"))
    with pytest.raises(DataError, match="the name of a column is not UTF-8"):
        open_input(str(path), "arrow")
