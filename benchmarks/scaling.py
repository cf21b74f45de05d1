"""How the cost of scoring grows with rows, tokens, references, metrics and workers.

    python benchmarks/scaling.py [--pairs FILE] [--rows N] [--json OUT]

Words come from the pairs of FILE. Each series changes one thing, and keeps the others at 10,000
rows, texts of 64 tokens, one reference, ROUGE-1, -2 and -L, and one worker. A figure is processor
time in µs a row, the least of three calls in turn. `grows` is the slope between the first and the
last point on logarithmic axes: 0 is no growth, 1 is linear, 2 quadratic. Of `rows` it is the slope
of the whole call, so 1 says that a row costs the same in 10^4 and in N rows. The last line says
what 10^9 pairs cost at the price of a row in the longest call.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from bulk import METRICS, PAIRS

import summeval

ROUNDS = 3
ROWS = 10_000
TOKENS = 64


def words_of(pairs: Path) -> list[str]:
    """The words of all candidates, in order, so that often and rarely used ones are mixed."""
    with gzip.open(pairs, "rt", encoding="utf-8") as file:
        return [word for line in file for word in json.loads(line)["candidate"].split()]


def texts(words: list[str], count: int, tokens: int, seed: int) -> list[str]:
    """Texts of consecutive words, each from a random place."""
    rng = random.Random(seed)
    places = [rng.randrange(len(words) - tokens) for _ in range(count)]
    return [" ".join(words[place : place + tokens]) for place in places]


def columns(words: list[str], rows: int, tokens: int = TOKENS, references: int = 1) -> Any:
    """Candidates and references as Arrow columns; long columns repeat 10,000 rows."""
    made = min(rows, ROWS)
    candidates = texts(words, made, tokens, 1)
    others = [texts(words, made, tokens, 2 + number) for number in range(references)]
    lists = pa.array([list(row) for row in zip(*others, strict=True)])
    times = math.ceil(rows / made)
    parts = [pa.array(candidates)] * times, [lists] * times
    return tuple(pa.concat_arrays(part).slice(0, rows) for part in parts)


def seconds(call: Callable[[], Any], clock: Callable[[], float]) -> float:
    """Seconds of a call."""
    began = clock()
    call()
    return clock() - began


def series(
    words: list[str], points: Sequence[int], case: Callable[[int], dict[str, Any]]
) -> list[float]:
    """µs a row at each point; `case` gives the arguments that differ from the usual ones."""
    calls = []
    for point in points:
        given = {"rows": ROWS, "tokens": TOKENS, "references": 1, "metrics": METRICS}
        given |= case(point)
        clock = time.perf_counter if "workers" in given else time.process_time
        suite = summeval.suite(list(given["metrics"]))
        pair = columns(words, given["rows"], given["tokens"], given["references"])
        workers = given.get("workers", 1)
        calls.append((suite, pair, workers, given["rows"], clock))
    best = [math.inf] * len(calls)
    for _ in range(ROUNDS):
        for place, (suite, pair, workers, rows, clock) in enumerate(calls):

            def call(suite: Any = suite, pair: Any = pair, workers: int = workers) -> Any:
                return suite.score_batch(*pair, workers=workers)

            best[place] = min(best[place], seconds(call, clock) / rows * 1e6)
    return best


def growth(points: Sequence[int], costs: Sequence[float], of_rows: bool) -> float:
    """The slope on logarithmic axes."""
    slope = math.log(costs[-1] / costs[0]) / math.log(points[-1] / points[0])
    return slope + 1 if of_rows else slope


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FILE")
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT")
    options = parser.parse_args(arguments)
    if not options.pairs.exists():
        print(f"skipped: {options.pairs} is absent; name a file with --pairs")
        return 0
    words = words_of(options.pairs)
    names = ["rouge1", "rouge2", "rougeL", "rouge3", "rougeW", "rougeSU4"]
    steps = [ROWS * 10**power for power in range(10) if ROWS * 10**power <= options.rows]
    plan: dict[str, tuple[Sequence[int], Callable[[int], dict[str, Any]]]] = {
        "rows": (steps, lambda rows: {"rows": rows}),
        "tokens": ([16, 64, 256, 1024], lambda tokens: {"tokens": tokens, "rows": 2_000}),
        "references": ([1, 4, 16], lambda count: {"references": count, "rows": 2_000}),
        "metrics": ([1, 3, 6], lambda count: {"metrics": names[:count]}),
        "workers": ([1, 2], lambda count: {"workers": count, "rows": 10 * ROWS}),
    }
    found: dict[str, dict[str, Any]] = {}
    for name, (points, case) in plan.items():
        costs = series(words, points, case)
        slope = growth(points, costs, name == "rows") if len(points) > 1 else math.nan
        found[name] = {"points": list(points), "µs a row": costs, "grows": slope}
        told = ", ".join(
            f"{point:,}: {cost:.2f}" for point, cost in zip(points, costs, strict=True)
        )
        print(f"{name:10} grows {slope:5.2f}   µs a row at {told}", flush=True)
    hours = found["rows"]["µs a row"][-1] * 1e9 / 1e6 / 3600
    print(f"10^9 pairs: {hours:.2f} hours of one processor, without files")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
