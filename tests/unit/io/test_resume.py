"""--resume identifies its input by content; a run without it reads nothing twice."""

import hashlib
import json
import os
import shutil

import pytest

from summeval.cli.main import main
from summeval.io import source as input_file


def rows_of(path, count=9000):
    """Rows whose last ones lie far behind the first 64 KiB."""
    row = {"candidate": "the cat sat", "references": ["a cat sat down"]}
    path.write_text("".join(json.dumps({"id": n, **row}) + "\n" for n in range(count)))


def change(path, old, new):
    """Change bytes near the end; size and time of change stay."""
    times = path.stat()
    data = path.read_bytes()
    place = data.rindex(old)
    path.write_bytes(data[:place] + new + data[place + len(old) :])
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def test_bytes_that_changed_behind_the_back_of_the_clock_are_seen(tmp_path, capsys):
    rows, out = tmp_path / "rows.jsonl", tmp_path / "out.jsonl"
    rows_of(rows)
    command = ["score", str(rows), "-m", "rouge1", "-o", str(out), "--resume", "--no-progress"]
    assert main(command) == 0
    change(rows, b"cat", b"dog")
    assert main(command) == 1
    assert "had another input file; start again" in capsys.readouterr().err


def test_a_touched_or_copied_input_is_the_same(tmp_path, capsys):
    rows, copy, out = tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "out.jsonl"
    rows_of(rows, 3)
    more = ["-m", "rouge1", "-o", str(out), "--resume", "--no-progress"]
    assert main(["score", str(rows), *more]) == 0
    os.utime(rows, (1, 1))
    shutil.copy(rows, copy)
    for path in (rows, copy):
        assert main(["score", str(path), *more]) == 0
        assert "already finished by the same job" in capsys.readouterr().err


@pytest.mark.parametrize("changed", [False, True])
def test_files_of_a_directory_are_known_by_their_bytes(tmp_path, capsys, changed):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder, out = tmp_path / "rows", tmp_path / "out.jsonl"
    folder.mkdir()
    for number in range(2):
        table = pa.table({"candidate": ["the cat"] * 9, "references": ["a cat"] * 9})
        parquet.write_table(table, folder / f"{number}.parquet", compression="none")
    command = ["score", str(folder), "-m", "rouge1", "-o", str(out), "--resume", "--no-progress"]
    assert main(command) == 0
    if changed:
        change(folder / "1.parquet", b"the cat", b"the dog")
    else:
        os.utime(folder / "1.parquet", (1, 1))
        (folder / "1.parquet").rename(folder / "2.parquet")
    assert main(command) == (1 if changed else 0)
    said = "another input file" if changed else "already finished by the same job"
    assert said in capsys.readouterr().err


def test_without_resume_the_input_is_not_read_for_a_checksum(tmp_path, monkeypatch):
    rows = tmp_path / "rows.jsonl"
    rows_of(rows, 3)
    monkeypatch.delattr(hashlib, "blake2b")
    command = ["score", str(rows), "-m", "rouge1", "-o", str(tmp_path / "out.jsonl")]
    assert main([*command, "--no-progress"]) == 0
    with pytest.raises(AttributeError):
        input_file.identity_of([str(rows)], whole=True)
