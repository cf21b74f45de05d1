"""What a row costs on Dask, Daft, Ray and Spark beside plain scoring.

    python benchmarks/engines.py [--pairs FILE] [--rows N] [--engines NAMES] [--json OUT]

Each contender reads the rows from a folder of Parquet files, scores ROUGE-1, -2 and -L with the
adapter of summeval, and writes Parquet files. `plain` is one process that does it batch by batch
with pyarrow. A figure is a slope: the processor time, of the process and all that it started, for N
rows less that for N/10, divided by the rows between; so starting an engine does not count. The goal
is at most 1.3 times plain. Engines that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
from bulk import METRICS, PAIRS, write_rows

GOAL = 1.3
FILES = 8
MODULES = {"dask": "dask.dataframe", "daft": "daft", "ray": "ray.data", "spark": "pyspark.sql"}
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def plain(rows: Path, out: Path) -> None:
    """Score file by file, batch by batch, in this process."""
    from summeval.interop.shared.batches import BatchScorer

    scorer = BatchScorer(list(METRICS), carry=["id"])
    out.mkdir()
    for path in sorted(rows.glob("*.parquet")):
        file = pq.ParquetFile(path)
        with pq.ParquetWriter(out / path.name, scorer.schema(file.schema_arrow)) as writer:
            for batch in file.iter_batches(1 << 16):
                writer.write_batch(scorer(batch))


def dask(rows: Path, out: Path) -> None:
    """Score with Dask, on threads of this process."""
    import dask.dataframe as dd

    from summeval.interop.dask import score

    score(dd.read_parquet(rows), list(METRICS), carry=["id"]).to_parquet(out)


def daft(rows: Path, out: Path) -> None:
    """Score with Daft, in this process."""
    import daft as engine

    from summeval.interop.daft import score

    frame = engine.read_parquet(f"{rows}/*.parquet")
    score(frame, list(METRICS), carry=["id"]).write_parquet(str(out))


def ray(rows: Path, out: Path) -> None:
    """Score with Ray Data, in processes of two processors."""
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    import ray as engine
    import ray.data

    from summeval.interop.ray import score

    engine.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    score(ray.data.read_parquet(str(rows)), list(METRICS), carry=["id"]).write_parquet(str(out))


def spark(rows: Path, out: Path) -> None:
    """Score with Spark, in processes of two processors."""
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from summeval.interop.spark import score

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    frame = session.read.parquet(str(rows))
    score(frame, list(METRICS), carry=["id"]).write.parquet(str(out))


RUNS: dict[str, Callable[[Path, Path], None]] = {
    "plain": plain,
    "dask": dask,
    "daft": daft,
    "ray": ray,
    "spark": spark,
}


def tree_seconds() -> float:
    """Processor seconds of this process and of all that come from it, ended ones included."""
    parents, used = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        process = int(path.parent.name)
        parents[process] = int(fields[1])
        used[process] = sum(map(int, fields[11:15])) / TICKS

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return sum(seconds for process, seconds in used.items() if is_ours(process))


def run(engine: str, rows: Path, out: Path) -> float:
    """The processor seconds of an engine, in a process of its own."""
    shutil.rmtree(out, ignore_errors=True)
    line = [sys.executable, __file__, "--one", engine, str(rows), str(out)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{engine}: {done.stderr[-2000:]}")
    return float(done.stdout.split()[-1])


def is_there(engine: str) -> bool:
    """Whether an engine is installed."""
    name = MODULES.get(engine)
    return name is None or importlib.util.find_spec(name.split(".", maxsplit=1)[0]) is not None


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FILE")
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--engines", default=",".join(MODULES), metavar="NAMES")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.one:
        engine, rows, out = options.one
        RUNS[engine](Path(rows), Path(out))
        print(tree_seconds())
        sys.stdout.flush()
        return 0
    if not options.pairs.exists():
        print(f"skipped: {options.pairs} is absent; name a file with --pairs")
        return 0
    asked = ["plain", *options.engines.split(",")]
    for engine in asked:
        if not is_there(engine):
            print(f"{engine}: not installed")
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = {"all": options.rows, "few": options.rows // 10}
        for size, rows in sizes.items():
            (folder / size).mkdir()
            for part in range(FILES):
                write_rows(options.pairs, rows // FILES, folder / size / f"{part}.parquet")
        for engine in filter(is_there, asked):
            seconds = {size: run(engine, folder / size, folder / "out") for size in sizes}
            between = seconds["all"] - seconds["few"]
            found[engine] = between / (sizes["all"] - sizes["few"]) * 1e6
            ratio = found[engine] / found["plain"]
            told = f"{ratio:5.2f} x plain (goal {GOAL})" if engine != "plain" else ""
            print(f"{engine:6} {found[engine]:6.2f} µs a row {told}".rstrip(), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
