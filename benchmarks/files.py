"""What a row costs `summeval score` from file to file, beside the goals.

    python benchmarks/files.py [--pairs FILE] [--rows N] [--rounds N] [--json OUT]

The pairs of FILE are repeated to N rows. Each figure is a slope: the processor time of the command
with N rows less that with N/4, divided by the rows between, so that starting and imports do not
count. Each run is a process of its own; the files take turns, and the least of the rounds counts.
The last lines compare the wall time of two workers with that of one, and say what the machine
allows: how much sooner two commands end that score a half of the rows each, side by side.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet as pq
from bulk import METRICS, PAIRS, write_rows

GOALS = {("jsonl", "jsonl"): 6.0, ("jsonl", "parquet"): 8.0, ("parquet", "parquet"): 3.2}  # µs
TWO_WORKERS = {"jsonl": 1.7, "parquet": 1.75}  # by the format that is read
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


def start(path: Path, out: Path, workers: int = 1) -> subprocess.Popen[str]:
    """Start the command in a process of its own; it writes a new file."""
    out.unlink(missing_ok=True)  # to remove an old one takes as long as to score 50,000 rows
    options = ["-m", ",".join(METRICS), "-o", str(out), "--workers", str(workers)]
    line = [sys.executable, "-c", PROGRAM, str(path), *options]
    return subprocess.Popen(line, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(running: subprocess.Popen[str]) -> tuple[float, float]:
    """Processor and wall seconds of a command, once it has ended."""
    printed, said = running.communicate()
    status, used, wall = printed.split() or ["", "", ""]
    if status != "0":
        raise SystemExit(said)
    return float(used), float(wall)


def measure(folder: Path, rows: int, rounds: int) -> dict[str, dict[str, float]]:
    """For each pair of formats: the slope in µs, its goal, and the ratio of one worker to two."""
    times: dict[tuple[str, str, str, int], list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for form, to in GOALS:
            for name, workers in (("all", 1), ("few", 1), ("all", 2)):
                found = ended(start(folder / f"{name}.{form}", folder / f"out.{to}", workers))
                times.setdefault((form, to, name, workers), []).append(found)
            outs = (folder / f"out.{to}", folder / f"other.{to}")
            pair = [ended(one) for one in [start(folder / f"half.{form}", out) for out in outs]]
            times.setdefault((form, to, "half", 2), []).append(max(pair, key=lambda each: each[1]))

    def least(form: str, to: str, name: str, workers: int, which: int) -> float:
        return min(pair[which] for pair in times[form, to, name, workers])

    found = {}
    for (form, to), goal in GOALS.items():
        between = least(form, to, "all", 1, 0) - least(form, to, "few", 1, 0)
        alone = least(form, to, "all", 1, 1)
        found[f"{form} to {to}"] = {
            "µs a row": between / (rows - rows // 4) * 1e6,
            "goal": goal,
            "two workers": alone / least(form, to, "all", 2, 1),
            "two commands": alone / least(form, to, "half", 2, 1),
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
        for size, share in (("all", 1), ("half", 2), ("few", 4)):
            write_rows(options.pairs, options.rows // share, folder / f"{size}.parquet")
            as_lines(folder / f"{size}.parquet", folder / f"{size}.jsonl")
        found = measure(folder, options.rows, options.rounds)
    print(f"{options.rows:,} rows, {', '.join(METRICS)}")
    for name, figures in found.items():
        print(f"{name:20} {figures['µs a row']:6.2f} µs a row (goal {figures['goal']})")
    for name, figures in found.items():
        goal = TWO_WORKERS[name.partition(" ")[0]]
        limit = f"two commands side by side {figures['two commands']:.2f} x"
        print(f"{name:20} {figures['two workers']:6.2f} x with two workers (goal {goal}); {limit}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
