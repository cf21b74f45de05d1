"""Output files appear only when they are complete, and runs continue where they stopped."""

import errno
import gzip
import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from summeval.io import DataError, SystemFailure, csv_table
from summeval.io import output as module
from summeval.io.formats import encoder
from summeval.io.output import open_output
from summeval.io.rows import Chunk

IDENTITY = {"input file": {"size": 3}, "set of options": ["a"]}


def chunk_of(*rows: dict) -> Chunk:
    return Chunk(list(rows), ["a"] * len(rows), [["a"]] * len(rows), [None] * len(rows))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("old")
    output = open_output(str(path), IDENTITY)
    output.write(b"new\n", {})
    assert path.read_text() == "old"
    output.commit()
    assert path.read_text() == "new\n"
    assert files(tmp_path) == ["out.jsonl"]


@pytest.mark.parametrize("identity", [IDENTITY, None])
def test_a_discarded_file_leaves_nothing(tmp_path, identity):
    output = open_output(str(tmp_path / "out.jsonl"), identity)
    output.write(b"new\n", {})
    output.discard()
    assert files(tmp_path) == []


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "out.jsonl"
    link.symlink_to(tmp_path / "there" / "real.jsonl")
    output = open_output(str(link))
    output.write(b"new\n", {})
    output.commit()
    assert link.is_symlink() and link.read_bytes() == b"new\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions there")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444, 0o666])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path, mode):
    path = tmp_path / "out.jsonl"
    path.write_text("old")
    path.chmod(mode)
    output = open_output(str(path), IDENTITY)
    output.write(b"new\n", {})
    for name in ("out.jsonl.partial", "out.jsonl.journal"):
        assert (tmp_path / name).stat().st_mode & 0o777 & ~(mode | 0o600) == 0
    output.commit()
    assert path.read_bytes() == b"new\n"
    assert path.stat().st_mode & 0o777 == mode


def cut_off(path: Path, *pieces: bytes) -> None:
    """A run that wrote some chunks and half of another one, and ended."""
    output = open_output(str(path), IDENTITY)
    for number, piece in enumerate(pieces):
        output.write(piece, {"chunk": number})
    output.close()
    with open(f"{path}.partial", "ab") as file:
        file.write(b"half a chu")


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_resuming_gives_the_bytes_of_an_uninterrupted_run(tmp_path, name):
    pieces = [b"one\n", b"two\n", b"", b"three\n"]
    whole = open_output(str(tmp_path / f"whole-{name}"), IDENTITY)
    for piece in pieces:
        whole.write(piece, {})
    whole.commit()
    path = tmp_path / name
    cut_off(path, *pieces[:2])
    output = open_output(str(path), IDENTITY, resume=True)
    assert output.state == {"chunk": 1}
    for piece in pieces[2:]:
        output.write(piece, {})
    output.commit()
    assert path.read_bytes() == (tmp_path / f"whole-{name}").read_bytes()
    if name.endswith(".gz"):
        assert gzip.decompress(path.read_bytes()) == b"".join(pieces)


def test_a_run_may_be_cut_off_twice(tmp_path):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n")
    output = open_output(str(path), IDENTITY, resume=True)
    output.write(b"two\n", {"chunk": "later"})
    output.close()
    output = open_output(str(path), IDENTITY, resume=True)
    assert output.state == {"chunk": "later"}
    output.commit()
    assert path.read_bytes() == b"one\ntwo\n"


def test_without_resume_a_run_starts_again(tmp_path):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"a much longer chunk\n")
    output = open_output(str(path), IDENTITY)
    assert output.state is None
    output.write(b"new\n", {})
    output.commit()
    assert path.read_bytes() == b"new\n"


def test_resuming_with_nothing_to_resume_starts(tmp_path):
    output = open_output(str(tmp_path / "out.jsonl"), IDENTITY, resume=True)
    assert output.state is None
    output.discard()


def test_another_identity_is_not_resumed_and_nothing_is_lost(tmp_path):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n")
    before = {name: (tmp_path / name).read_bytes() for name in files(tmp_path)}
    other = {**IDENTITY, "input file": {"size": 4}}
    with pytest.raises(DataError, match=r"cannot resume: .* another input file; start again"):
        open_output(str(path), other, resume=True)
    assert {name: (tmp_path / name).read_bytes() for name in files(tmp_path)} == before


@pytest.mark.parametrize(
    ("damage", "state"),
    [
        (lambda data: data.replace(b"two", b"2.."), {"chunk": 0}),
        (lambda data: data[:-12], {"chunk": 0}),
        (lambda data: b"\0" * len(data), None),
        (lambda data: b"", None),
    ],
)
def test_only_what_the_checksum_confirms_is_kept(tmp_path, damage, state):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n", b"two\n")
    partial = tmp_path / "out.jsonl.partial"
    partial.write_bytes(damage(partial.read_bytes()))
    output = open_output(str(path), IDENTITY, resume=True)
    assert output.state == state
    output.commit()
    assert path.read_bytes() == (b"one\n" if state else b"")


@pytest.mark.parametrize("tail", [b'{"length": 4', b"\xff\xff\n", b"7\n"])
def test_a_journal_that_was_cut_off_counts_up_to_there(tmp_path, tail):
    path = tmp_path / "out.jsonl"
    cut_off(path, b"one\n")
    with open(f"{path}.journal", "ab") as file:
        file.write(tail)
    output = open_output(str(path), IDENTITY, resume=True)
    assert output.state == {"chunk": 0}
    output.discard()


@pytest.mark.skipif(sys.platform == "win32", reason="no file locks there")
def test_two_runs_do_not_write_one_file(tmp_path):
    path = str(tmp_path / "out.jsonl")
    first = open_output(path)
    with pytest.raises(DataError, match="another run is writing it"):
        open_output(path)
    first.discard()
    open_output(path).discard()


@pytest.mark.skipif(sys.platform == "win32", reason="no file locks there")
@pytest.mark.parametrize(("end", "kept"), [("commit", b"first\n"), ("discard", None)])
def test_a_run_that_ends_while_another_one_opens_keeps_its_file(tmp_path, monkeypatch, end, kept):
    path = tmp_path / "out.jsonl"
    first = open_output(str(path), IDENTITY)
    first.write(b"first\n", {})
    lock, endings = module._lock, [getattr(first, end)]

    def lock_late(*arguments):
        if endings:
            endings.pop()()
        lock(*arguments)

    monkeypatch.setattr(module, "_lock", lock_late)
    second = open_output(str(path), IDENTITY)
    assert (path.read_bytes() if path.exists() else None) == kept
    second.write(b"second\n", {})
    second.commit()
    assert path.read_bytes() == b"second\n"
    assert files(tmp_path) == ["out.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="no file locks there")
@pytest.mark.parametrize("end", ["commit", "discard"])
def test_a_run_removes_nothing_of_the_next_one(tmp_path, monkeypatch, end):
    path = str(tmp_path / "out.jsonl")
    first = open_output(path, IDENTITY)
    close, later = first.close, []

    def close_and_start_the_next():
        close()
        later.append(open_output(path, IDENTITY))

    monkeypatch.setattr(first, "close", close_and_start_the_next)
    getattr(first, end)()
    assert {"out.jsonl.partial", "out.jsonl.journal"} <= set(files(tmp_path))
    later[0].discard()


class FullDisk:
    """A file on a disk without space."""

    def __init__(self, file):
        self._file = file

    def __getattr__(self, name):
        return getattr(self._file, name)

    def write(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_named_and_what_was_written_is_kept(tmp_path):
    path = tmp_path / "out.jsonl"
    output = open_output(str(path), IDENTITY)
    output.write(b"one\n", {"chunk": 0})
    output._file = FullDisk(output._file)
    with pytest.raises(SystemFailure, match=r"out\.jsonl: no space left on device; free some"):
        output.write(b"two\n", {"chunk": 1})
    output.close()
    assert not path.exists()
    again = open_output(str(path), IDENTITY, resume=True)
    assert again.state == {"chunk": 0}
    again.discard()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full on this system")
def test_a_device_that_is_full_is_named():
    output = open_output("/dev/full")
    with pytest.raises(SystemFailure, match="/dev/full: no space left on device"):
        output.write(b"one\n", {})
    output.discard()


def test_places_that_cannot_be_written_are_named(tmp_path):
    with pytest.raises(DataError, match="is a directory; pass a file"):
        open_output(str(tmp_path))
    with pytest.raises(DataError, match=r"out\.jsonl: there is no folder"):
        open_output(str(tmp_path / "nowhere" / "out.jsonl"))


def test_a_score_column_of_the_input_is_replaced():
    chunk = chunk_of({"id": 1, "r.f": "old"})
    assert encoder("jsonl", ["r.f"]).encode(chunk, [np.array([0.5])]) == b'{"id": 1, "r.f": 0.5}\n'
    assert encoder("csv", ["r.f"]).encode(chunk, [np.array([0.5])]) == b"id,r.f\n1,0.5\n"


def test_rows_without_columns_are_lines_too():
    chunk = chunk_of({}, {})
    scores = [np.array([0.5, np.nan])]
    assert encoder("jsonl", ["r.f"]).encode(chunk, scores) == b'{"r.f": 0.5}\n{"r.f": null}\n'
    assert encoder("csv", ["r.f"]).encode(chunk, scores) == b'r.f\n0.5\n""\n'


def test_errors_stand_in_a_column():
    chunk = chunk_of({"id": 1}, {"id": 2})
    chunk.errors[1] = "line 2: no"
    scores = [np.array([0.5, np.nan])]
    lines = encoder("jsonl", ["r.f"]).encode(chunk, scores).splitlines()
    assert json.loads(lines[1]) == {"id": 2, "error": "line 2: no", "r.f": None}
    written = encoder("csv", ["r.f"], errors=True).encode(chunk, scores)
    assert written == b"id,error,r.f\n1,,0.5\n2,line 2: no,\n"


def test_errors_of_an_earlier_run_are_carried_through():
    chunk = chunk_of({"id": 1, "error": "old"}, {"id": 2, "error": "old"})
    chunk.errors[1] = "new"
    scores = [np.array([0.5, np.nan])]
    lines = encoder("jsonl", ["r.f"]).encode(chunk, scores).splitlines()
    assert [json.loads(line)["error"] for line in lines] == ["old", "new"]
    written = encoder("csv", ["r.f"], errors=True).encode(chunk, scores)
    assert written == b"id,error,r.f\n1,old,0.5\n2,new,\n"
    assert b"1,old,0.5" in encoder("csv", ["r.f"]).encode(chunk, scores)


def test_values_that_are_no_strings_are_json_in_csv():
    chunk = chunk_of({"a": None, "b": True, "c": [1, "x"], "d": 1.5})
    written = encoder("csv", ["r.f"]).encode(chunk, [np.array([1.0])])
    assert written == b'a,b,c,d,r.f\n,true,"[1, ""x""]",1.5,1.0\n'


def test_csv_takes_its_columns_from_the_first_chunk():
    writer = encoder("csv", ["r.f"])
    writer.encode(chunk_of({"a": 1}, {"b": 2}), [np.array([0.0, 1.0])])
    assert writer.encode(chunk_of({"b": 3}), [np.array([1.0])]) == b",3,1.0\n"
    with pytest.raises(DataError, match="the column 'late' first appears after the header"):
        writer.encode(chunk_of({"late": 1}), [np.array([1.0])])


def test_rows_that_could_not_be_used_tell_no_columns_and_end_no_run():
    writer = encoder("csv", ["r.f"], errors=True)
    first = chunk_of({"id": None}, {"n": 1})
    first.errors[0] = "no"
    assert writer.encode(first, [np.array([np.nan, 0.5])]) == b"n,error,r.f\n,no,\n1,,0.5\n"
    late = chunk_of({"id": None, "note": "x", "n": 2})
    late.errors[0] = "no"
    assert writer.encode(late, [np.array([np.nan])]) == b"2,no,\n"


def test_numbers_that_json_has_no_word_for_are_null_in_csv_too():
    chunk = chunk_of({"x": float("inf"), "y": [float("-inf"), 1.5], "s": "null"})
    written = encoder("csv", ["r.f"]).encode(chunk, [np.array([np.inf])])
    assert written == b'x,y,s,r.f\n,"[null, 1.5]",null,\n'


def test_infinity_is_null_in_json_lines():
    chunk = chunk_of({"x": {"y": [float("inf"), 1.5]}})
    written = encoder("jsonl", ["r.f"]).encode(chunk, [np.array([np.inf])])
    assert json.loads(written) == {"x": {"y": [None, 1.5]}, "r.f": None}


def test_kept_number_texts_are_bounded(monkeypatch):
    monkeypatch.setattr(csv_table, "_MOST_KEPT", 8)
    writer = encoder("csv", ["r.f"])
    numbers = np.arange(50) / 7
    lines = writer.encode(chunk_of(*[{}] * 50), [numbers]).decode().splitlines()
    assert lines == ["r.f", *map(repr, numbers.tolist())]
    assert len(writer._texts[0]) <= 8
