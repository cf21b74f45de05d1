"""Bulk scoring out of a Parquet file: rows a second beside rouge-score-rs, and memory.

    python benchmarks/bulk.py [--pairs FILE] [--rows N] [--rounds N] [--json OUT]

FILE holds JSON Lines with "candidate" and "references" (the first one is used); they are repeated
to N rows, each of which is read and scored on its own: nothing is dictionary-encoded. Both sides
score ROUGE-1, -2 and -L of the same rows, which the same reader, with the same options, reads from
the same Parquet file, a batch at a time on one thread; rouge-score-rs is held to one core and given
the lists of str that it takes. They take turns in one process, and a figure is the least of the
rounds: CPU time for one worker, wall time beside it and for two. The numbers are compared first.

`scores`, `PEER`       the scores of all rows are in memory at the end: ours as columns, the peer's
                       as the objects that it returns
`command`, `PEER, file`  from file to file, with the same columns: ours is the whole of `summeval
                       score`, with what it keeps for --resume; the peer's, pyarrow's writer on
                       columns that NumPy makes of its objects

Memory is the peak of a process of its own that runs the command once.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("RAYON_NUM_THREADS", "1")  # read when the Rust peer is imported
sys.path.insert(0, str(Path(__file__).parent))

import contenders
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import summeval
from summeval.cli.main import main as run_command
from summeval.io.arrow import PIECE_BYTES, TableInput
from summeval.io.rows import Columns

METRICS = ("rouge1", "rouge2", "rougeL")
GOALS = {"times as fast": 5.0, "peak MB": 500.0, "two workers": 1.8}
SHARED = Path(__file__).resolve().parents[2] / "shared"
PAIRS = Path(os.environ.get("SUMMEVAL_SHARED", SHARED)) / "data" / "pairs.jsonl.gz"


def write_rows(pairs: Path, rows: int, path: Path) -> None:
    """Write `rows` pairs to a Parquet file, in row groups of the usual size."""
    with gzip.open(pairs, "rt", encoding="utf-8") as file:
        read = [json.loads(line) for line in file]
    schema = pa.schema({"id": pa.int64(), "candidate": pa.string(), "references": pa.string()})
    with pq.ParquetWriter(path, schema, use_dictionary=False) as writer:
        for first in range(0, rows, 100_000):
            ids = range(first, min(first + 100_000, rows))
            some = [read[number % len(read)] for number in ids]
            columns = {
                "id": list(ids),
                "candidate": [row["candidate"] for row in some],
                "references": [row["references"][0] for row in some],
            }
            writer.write_table(pa.table(columns, schema))


def ours(path: Path, workers: int = 1) -> dict[str, np.ndarray]:
    """Score the file as the command does; the scores, a column each."""
    suite = summeval.suite(METRICS)
    with TableInput(str(path), "parquet") as table:
        chunks = table.chunks(Columns(), ())
        found = [
            suite.score_batch(chunk.candidates, chunk.references, workers=workers)
            for chunk in (chunks if workers == 1 else table.ahead(chunks))
        ]
    return {name: np.concatenate([part[name] for part in found]) for name in found[0]}


class Peer:
    """rouge-score-rs on the same file, read as ours is read."""

    def __init__(self, found: contenders.Contender, path: Path) -> None:
        self.name = found.name
        self._found = found
        self._path = path

    def _batches(self, names: list[str]) -> Iterator[tuple[pa.RecordBatch, Any]]:
        """Each batch with the objects that the peer returns for its rows."""
        with TableInput(str(self._path), "parquet") as table:
            for batch in table.batches(names, 0, PIECE_BYTES):
                texts = (batch.column(name).to_pylist() for name in ("candidate", "references"))
                yield batch, self._found.run(*texts)

    def objects(self) -> list[Any]:
        """Score the file into memory."""
        return [rows for _, rows in self._batches(["candidate", "references"])]

    def table(self, objects: list[Any]) -> np.ndarray:
        """The scores, [row, column]."""
        return np.concatenate([self._found.table(rows) for rows in objects])

    def write(self, out: Path) -> None:
        """Score the file into a file with the columns that the command writes."""
        names = [f"{name}.{field}" for name in METRICS for field in contenders.FIELDS]
        fields = [("id", pa.int64()), *((name, pa.float64()) for name in names)]
        with pq.ParquetWriter(out, schema := pa.schema(fields)) as writer:
            for batch, rows in self._batches(["candidate", "references", "id"]):
                columns = np.ascontiguousarray(self._found.table(rows).T)
                writer.write_batch(pa.record_batch([batch.column("id"), *columns], schema=schema))


def command(path: Path, out: Path, workers: int = 1) -> None:
    """Run `summeval score` from the file to another one."""
    names = ",".join(METRICS)
    status = run_command(
        ["score", str(path), "-m", names, "-o", str(out), "--workers", str(workers)]
    )
    if status:
        raise SystemExit(status)


def times(run: Callable[[], Any]) -> tuple[float, float]:
    """CPU and wall seconds of a call."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    run()
    return time.process_time() - cpu, time.perf_counter() - wall


def peak_megabytes(path: Path, out: Path) -> float:
    """The most memory that a process of the command holds."""
    # On Linux ru_maxrss starts from what the parent held; VmHWM is the process's own.
    program = (
        "import os, re, resource, sys; from summeval.cli.main import main; main(sys.argv[1:]);"
        "own = '/proc/self/status';"
        "linux = os.path.exists(own) and re.search(r'VmHWM:\\s+(\\d+)', open(own).read());"
        "kilobytes = 1 if linux or sys.platform != 'darwin' else 1 / 1024;"
        "peak = int(linux[1]) if linux else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "print(peak * kilobytes * 1024 / 1e6)"
    )
    arguments = ["score", str(path), "-m", ",".join(METRICS), "-o", str(out)]
    line = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    return float(done.stdout)


def measure(path: Path, out: Path, rounds: int) -> dict[str, dict[str, float]]:
    """The least CPU and wall seconds of each contender."""
    runs: dict[str, Callable[[], Any]] = {
        "scores": lambda: ours(path),
        "scores, 2 workers": lambda: ours(path, 2),
        "command": lambda: command(path, out),
        "command, 2 workers": lambda: command(path, out, 2),
    }
    if (found_peer := contenders.rouge_score_rs(contenders.Task("bulk", METRICS))) is not None:
        peer = Peer(found_peer, path)
        own = np.stack(list(ours(path).values()), axis=1)
        difference = float(np.nanmax(np.abs(peer.table(peer.objects()) - own)))
        if difference > 1e-9:
            raise SystemExit(f"{peer.name} differs by {difference}")
        runs[peer.name] = peer.objects
        runs[f"{peer.name}, file"] = lambda: peer.write(out)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(times(run))
    return {
        name: {"cpu": min(cpu for cpu, _ in pairs), "wall": min(wall for _, wall in pairs)}
        for name, pairs in found.items()
    }


def report(found: dict[str, dict[str, float]], rows: int, peak: float) -> list[str]:
    """The lines of the report, with the figures beside the goals."""
    lines = [f"{rows:,} pairs, ROUGE-1, -2, -L"]
    for name, seconds in found.items():
        each = [f"{seconds[kind] / rows * 1e6:6.2f} µs {kind}" for kind in ("cpu", "wall")]
        lines.append(f"{name:26} {each[0]}  {each[1]}  {rows / seconds['wall']:10,.0f} rows/s")
    if others := [name for name in found if name.startswith("rouge-score-rs")]:
        for name, other in zip(("scores", "command"), others, strict=True):
            ratio = found[other]["cpu"] / found[name]["cpu"]
            lines.append(f"{name}: {ratio:.1f} x {other} (goal {GOALS['times as fast']})")
    for name in ("scores", "command"):
        ratio = found[name]["wall"] / found[f"{name}, 2 workers"]["wall"]
        lines.append(f"{name}: 2 workers {ratio:.2f} x one (goal {GOALS['two workers']})")
    return [*lines, f"peak memory of the command: {peak:.0f} MB (goal {GOALS['peak MB']:.0f})"]


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FILE")
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(arguments)
    if not options.pairs.exists():
        print(f"skipped: {options.pairs} is absent; name a file with --pairs")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder, "rows.parquet"), Path(folder, "scores.parquet")
        write_rows(options.pairs, options.rows, path)
        found = measure(path, out, options.rounds)
        peak = peak_megabytes(path, out)
    print(*report(found, options.rows, peak), sep="\n")
    if options.json:
        result = {"rows": options.rows, "seconds": found, "peak_mb": peak}
        options.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
