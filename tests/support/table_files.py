"""The rows that the tests of `summeval score` on Parquet and Arrow files share, and their files."""

import math
from functools import partialmethod
from pathlib import Path

import pytest

import summeval
from summeval.cli.main import main
from summeval.io.arrow import TableInput

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

METRICS = ["rouge1", "rougeL"]
SMALL = partialmethod(TableInput.chunks, chunk_bytes=200)
IDS = [f"row {number}" for number in range(60)]
CANDIDATES = [None if n % 20 == 7 else f"cat {n} sat" for n in range(60)]
REFERENCES = [None if n % 20 == 9 else ["a cat", f"{n} sat"][: n % 3] for n in range(60)]


def table_of(**more: object) -> "pa.Table":
    columns = {"id": IDS, "candidate": CANDIDATES, "references": REFERENCES, "source": ["x"] * 60}
    return pa.table(columns | more)


def write(table: "pa.Table", path: Path) -> None:
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=13)
    elif path.suffix == ".stream":
        with pa.ipc.new_stream(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=13)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table, max_chunksize=13)


def read(path: Path) -> "pa.Table":
    if path.suffix == ".parquet":
        return pq.read_table(path)
    return pa.ipc.open_file(path).read_all()


def run(*arguments: object) -> int:
    return main(["score", "-m", ",".join(METRICS), *map(str, arguments)])


def scores() -> dict[str, list[float | None]]:
    """What the library gives for the same rows as lists, with None for NaN."""
    table = summeval.score_batch(CANDIDATES, REFERENCES, METRICS)
    return {
        name: [None if math.isnan(value) else value for value in table[name].tolist()]
        for name in table.columns
    }


def expected() -> dict[str, list]:
    return {"id": IDS, **scores()}


def one_line(capsys) -> str:
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1 and "Traceback" not in printed.err
    return printed.err


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.suffix != ".signatures"}
