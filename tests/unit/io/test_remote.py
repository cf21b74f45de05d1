"""Addresses are read as files are: from S3, as a server of our own speaks it, and by fsspec."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from summeval.cli.main import main
from summeval.io import DataError
from summeval.io.formats import format_of
from summeval.io.remote import _found, open_file, open_stream, without_secrets
from summeval.table.table import read_rows

pa = pytest.importorskip("pyarrow")

from s3 import serving  # noqa: E402

ROWS = [
    {"id": f"x{row}", "candidate": f"the cat sat {row}", "references": [f"the cat {row}", "a dog"]}
    for row in range(300)
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
USER = "AKIAKEY:SECRETWORD@"


def parquet(rows: list[Any]) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), sink, row_group_size=50)
    return sink.getvalue()


def arrow(rows: list[Any]) -> bytes:
    table, sink = pa.Table.from_pylist(rows), io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


OBJECTS = {
    "bucket/rows.jsonl": LINES,
    "bucket/rows.jsonl.gz": gzip.compress(LINES),
    "bucket/rows.parquet": parquet(ROWS),
    "bucket/rows.arrow": arrow(ROWS),
    "bucket/folder/a.parquet": parquet(ROWS[:100]),
    "bucket/folder/b/c.parquet": parquet(ROWS[100:]),
    "bucket/folder/_left/out.parquet": parquet(ROWS),
    "bucket/folder/readme.txt": b"text",
    "bucket/empty.parquet": b"",
    "bucket/bad.parquet": b"PAR1 and no more",
}


@pytest.fixture(scope="module")
def end() -> Iterator[str]:
    with serving(OBJECTS) as made:
        yield made


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("local")
    (folder / "rows.jsonl").write_bytes(LINES)
    assert main(["score", str(folder / "rows.jsonl"), "-o", str(folder / "out.jsonl")]) == 0
    return (folder / "out.jsonl").read_bytes()


@pytest.mark.parametrize(
    "name", ["rows.jsonl", "rows.jsonl.gz", "rows.parquet", "rows.arrow", "folder/"]
)
def test_s3_is_scored_as_a_file_is(name: str, end: str, wanted: bytes, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["score", f"s3://{USER}bucket/{name}{end}", "-o", str(out)]) == 0
    assert out.read_bytes() == wanted


def test_scores_at_an_address_are_ranked(wanted: bytes, capsys: Any) -> None:
    with serving({"b/one.jsonl": wanted, "b/two.jsonl": wanted}) as end:
        files = [f"s3://{USER}b/{name}.jsonl{end}" for name in ("one", "two")]
        assert main(["rank", *files, "-m", "rouge1"]) == 0
        assert len(read_rows(files[0]).rows) == len(ROWS)
    told = capsys.readouterr()
    assert "SECRETWORD" not in told.out + told.err


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nothing.jsonl", "s3://bucket/nothing.jsonl: nothing is there; check the address"),
        ("nothing.parquet", "s3://bucket/nothing.parquet: nothing is there; check the address"),
        ("none/", "s3://bucket/none/: nothing is there; check the address"),
        ("empty.parquet", "s3://bucket/empty.parquet: is empty; create the file again"),
        ("bad.parquet", "s3://bucket/bad.parquet: damaged, truncated or not Parquet"),
    ],
)
def test_what_is_wrong_is_told_in_a_line_without_secrets(
    name: str, problem: str, end: str, capsys: Any
) -> None:
    assert main(["score", f"s3://{USER}bucket/{name}{end}"]) == 1
    told = capsys.readouterr().err
    assert problem in told
    assert told.count("\n") == 1
    assert "SECRETWORD" not in told


def test_a_run_from_an_address_is_not_resumed(end: str, tmp_path: Path, capsys: Any) -> None:
    for name in ("rows.jsonl", "rows.parquet"):
        command = ["score", f"s3://{USER}bucket/{name}{end}", "-o", str(tmp_path / "o.jsonl")]
        assert main([*command, "--resume"]) == 2
        told = capsys.readouterr().err
        assert "--resume needs files of this machine" in told
        assert "SECRETWORD" not in told


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet", "rows.arrow"])
def test_a_file_may_be_given_by_its_address(name: str, wanted: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(OBJECTS[f"bucket/{name}"])
    out = tmp_path / "out.jsonl"
    assert main(["score", (tmp_path / name).as_uri(), "-o", str(out)]) == 0
    assert out.read_bytes() == wanted


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.parquet"])
def test_other_addresses_are_read_by_fsspec(name: str, wanted: bytes, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    fsspec.filesystem("memory").pipe(f"/{name}", OBJECTS[f"bucket/{name}"])
    out = tmp_path / "out.jsonl"
    assert main(["score", f"memory://{name}", "-o", str(out)]) == 0
    assert out.read_bytes() == wanted


def test_an_unknown_kind_of_address_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(DataError, match=r"nowhere://x: it cannot be read \(.*nowhere"):
        open_stream("nowhere://x")
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    with pytest.raises(DataError, match="reading memory:// needs fsspec: pip install fsspec"):
        open_stream("memory://x")


def test_the_format_is_told_by_the_path_of_an_address() -> None:
    assert format_of("s3://b/rows.csv?endpoint_override=x.parquet") == "csv"
    assert format_of("s3://b/folder/") == "parquet"
    assert format_of("folder/") is None
    assert without_secrets("gs://b/a@b.csv") == "gs://b/a@b.csv"


def test_a_blank_in_an_address_is_told() -> None:
    with pytest.raises(DataError, match="write a blank in an address as %20"):
        open_file("file:///no such folder/x.parquet")


@pytest.mark.parametrize(
    ("options", "seconds"),
    [("", 10), ("?scheme=http", 10), ("#part", 10), ("?retry_limit_seconds=2&scheme=http", 2)],
)
def test_google_storage_out_of_reach_is_given_up_soon(options: str, seconds: int) -> None:
    system, path = _found(f"gs://bucket/rows.jsonl{options}")
    _, (settings,) = system.__reduce__()
    assert path == "bucket/rows.jsonl"
    assert settings["retry_time_limit"].total_seconds() == seconds
