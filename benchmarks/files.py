"""What a row costs `summeval score` from file to file, beside the goals.

    python benchmarks/files.py [--pairs FILE] [--rows N] [--rounds N] [--json OUT]

The pairs of FILE are repeated to N rows. Each figure is a slope: the processor time of the command
with N rows less that with N/4, divided by the rows between, so that starting and imports do not
count. Each run is a process of its own; the files take turns, and the least of the rounds counts.
The last lines compare the wall time of two workers with that of one, and say what the machine
allows: how much sooner two copies of a loop end side by side than one after the other.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq
from bulk import METRICS, PAIRS, write_rows

GOALS = {("jsonl", "jsonl"): 6.0, ("jsonl", "parquet"): 8.0, ("parquet", "parquet"): 3.2}  # µs
TWO_WORKERS = {"jsonl": 1.7, "parquet": 1.75}  # by the format that is read
LOOP = "sum(number % 7 for number in range(8_000_000))"
PROGRAM = """
import resource, sys, time
from summeval.cli.main import main
began = time.perf_counter()
status = main(["score", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_SELF)
print(status, used.ru_utime + used.ru_stime, time.perf_counter() - began)
"""


def as_lines(table: Path, path: Path) -> None:
    """Write the rows of a Parquet file as JSON Lines."""
    with path.open("w", encoding="utf-8") as out:
        for batch in pq.ParquetFile(table).iter_batches(10_000):
            for row in batch.to_pylist():
                row["references"] = [row["references"]]
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def run(path: Path, out: Path, workers: int = 1) -> tuple[float, float]:
    """Processor and wall seconds of the command in a process of its own."""
    options = ["-m", ",".join(METRICS), "-o", str(out), "--workers", str(workers)]
    line = [sys.executable, "-c", PROGRAM, str(path), *options]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    status, used, wall = done.stdout.split()
    if status != "0":
        raise SystemExit(done.stderr)
    return float(used), float(wall)


def allowed(rounds: int) -> float:
    """Return how much sooner two copies of a loop end side by side than one after the other."""
    walls: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for copies, found in walls.items():
            began = time.perf_counter()
            running = [subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(copies)]
            for one in running:
                one.wait()
            found.append(time.perf_counter() - began)
    return 2 * min(walls[1]) / min(walls[2])


def measure(folder: Path, rows: int, rounds: int) -> dict[str, dict[str, float]]:
    """For each pair of formats: the slope in µs, its goal, and the ratio of one worker to two."""
    sizes = {"all": rows, "few": rows // 4}
    times: dict[tuple[str, str, str, int], list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for form, to in GOALS:
            for name, workers in (("all", 1), ("few", 1), ("all", 2)):
                out = folder / f"out.{to}"
                found = run(folder / f"{name}.{form}", out, workers)
                times.setdefault((form, to, name, workers), []).append(found)

    def least(form: str, to: str, name: str, workers: int, which: int) -> float:
        return min(pair[which] for pair in times[form, to, name, workers])

    found = {}
    for (form, to), goal in GOALS.items():
        between = least(form, to, "all", 1, 0) - least(form, to, "few", 1, 0)
        found[f"{form} to {to}"] = {
            "µs a row": between / (sizes["all"] - sizes["few"]) * 1e6,
            "goal": goal,
            "two workers": least(form, to, "all", 1, 1) / least(form, to, "all", 2, 1),
        }
    return found


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FILE")
    parser.add_argument("--rows", type=int, default=200_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(arguments)
    if not options.pairs.exists():
        print(f"skipped: {options.pairs} is absent; name a file with --pairs")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for size, rows in (("all", options.rows), ("few", options.rows // 4)):
            write_rows(options.pairs, rows, folder / f"{size}.parquet")
            as_lines(folder / f"{size}.parquet", folder / f"{size}.jsonl")
        found, limit = measure(folder, options.rows, options.rounds), allowed(options.rounds)
    print(f"{options.rows:,} rows, {', '.join(METRICS)}")
    for name, figures in found.items():
        print(f"{name:20} {figures['µs a row']:6.2f} µs a row (goal {figures['goal']})")
    for name, figures in found.items():
        goal = TWO_WORKERS[name.partition(" ")[0]]
        print(f"{name:20} {figures['two workers']:6.2f} x with two workers (goal {goal})")
    print(f"{'two loops':20} {limit:6.2f} x side by side")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
