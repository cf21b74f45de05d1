"""How the cost of scoring grows with rows, tokens, references, metrics and workers.

    python benchmarks/scaling.py [--pairs FILE] [--rows N] [--json OUT]
    python benchmarks/scaling.py --costs [NAMES] [--pairs FILE] [--json OUT]

Words come from the pairs of FILE. Each series changes one thing, and keeps the others at 10,000
rows, texts of 64 tokens, one reference, ROUGE-1, -2 and -L, and one worker. A figure is processor
time in µs a row, the least of three calls in turn. `grows` is the slope between the first and the
last point on logarithmic axes: 0 is no growth, 1 is linear, 2 quadratic. Of `rows` it is the slope
of the whole call, so 1 says that a row costs the same in 10^4 and in N rows. The last line says
what 10^9 pairs cost at the price of a row in the longest call.

--costs measures a pair of each metric, or of those named, for texts of 15, 60, 240 and 960 words,
and on in steps of four to 983,040 while a pair takes less than 2 s and the process less than 4 GB.
Candidate and reference (or source) have as many words; the second begins in the middle of the
first, so that half of the words are shared. Each round has texts of its own, in a call of about
0.2 s; the figure is the median of --rounds. Parsed metrics parse in the call and keep nothing.
`grows` is the slope from 60 to 960 words. OUT keeps what it has of other metrics;
ci/cost_picture.py draws it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import random
import resource
import statistics
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


COSTED = (
    *("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS*", "rougeSU4", "bleu", "gleu"),
    *("chrf", "chrf++", "meteor", "ter", "wer", "cer", "edit-similarity", "cider-d"),
    *("tesla-s", "tesla-m", "tesla-e", "bipartite", "paraeval", "autosummeng", "memog", "npower"),
    *("simetrix", "support", "extractiveness", "readability", "reading-ease", "lexical-diversity"),
    *("be", "bewte", "dicomer", "coherence-order", "cremer"),
)
LENGTHS = (15, 60, 240, 960)
MOST_WORDS, MOST_SECONDS, MOST_BYTES, A_CALL = 983_040, 2.0, 4 << 30, 0.2
PARSED = ("be", "bewte", "dicomer", "coherence-order", "cremer")


def overlapping(words: list[str], rows: int, tokens: int, rng: random.Random) -> list[list[str]]:
    """Candidates, and texts that begin in the middle of them."""
    sides: list[list[str]] = [[], []]
    long = words * (2 * tokens // len(words) + 2)
    for _ in range(rows):
        place = rng.randrange(len(words))
        for side, first in zip(sides, (place, place + tokens // 2), strict=True):
            side.append(" ".join(long[first : first + tokens]))
    return sides


def cost(metric: Any, words: list[str], rows: int, tokens: int, rng: random.Random) -> float:
    """Seconds of the processor that a pair of new texts takes."""
    candidates, others = overlapping(words, rows, tokens, rng)
    references = [[other] for other in others] if metric.compared_with == "references" else None
    sources = others if metric.compared_with == "source" else None
    began = time.process_time()
    metric.score_batch(candidates, references, sources=sources)
    return (time.process_time() - began) / rows


def costs_of(name: str, words: list[str], rounds: int) -> dict[str, Any]:
    """µs a pair by number of words, the growth, and the longest texts that were tried."""
    metric = summeval.metric(name, **({"cache": False} if name in PARSED else {}))
    rng = random.Random(name)
    if name == "cider-d":  # it counts the n-grams of a corpus first
        metric = metric.fit([[text] for text in overlapping(words, 200, 60, rng)[1]])
    cost(metric, words, 20, LENGTHS[0], rng)
    found: dict[int, float] = {}
    tokens, expected, refused = LENGTHS[0], 1e-4, 0
    while tokens <= MOST_WORDS and expected < 8 * MOST_SECONDS:
        try:
            once = cost(metric, words, max(1, min(200, int(A_CALL / expected))), tokens, rng)
            rows = max(1, min(20_000, int(A_CALL / once)))
            some = 1 if once > MOST_SECONDS else rounds
            found[tokens] = statistics.median(
                cost(metric, words, rows, tokens, rng) for _ in range(some)
            )
        except (MemoryError, ValueError) as error:
            refused = tokens
            print(f"{name}, {tokens:,} words: {str(error) or type(error).__name__}", flush=True)
            break
        if found[tokens] > MOST_SECONDS:
            break
        expected, tokens = 8 * found[tokens], 4 * tokens
    points = [point for point in LENGTHS[1:] if point in found]
    return {
        "µs": {str(point): seconds * 1e6 for point, seconds in found.items()},
        "grows": growth(points, [found[point] for point in points], False),
        "refused": refused,
    }


def measured(words: list[str], names: Sequence[str], rounds: int, kept: Path | None) -> None:
    """Measure and print the costs of metrics; a file keeps those of others."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    found = json.loads(kept.read_text(encoding="utf-8")) if kept and kept.exists() else {}
    for name in names:
        found[name] = costs_of(name, words, rounds)
        points = found[name]["µs"].items()
        told = ", ".join(f"{int(point):,}: {cost:,.1f}" for point, cost in points)
        print(f"{name:16} grows {found[name]['grows']:.2f}   µs a pair at {told}", flush=True)
        write(found, kept)


def main(arguments: list[str] | None = None) -> int:
    """Measure and print. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, default=PAIRS, metavar="FILE")
    parser.add_argument("--rows", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--costs", nargs="?", const=",".join(COSTED), metavar="NAMES")
    parser.add_argument("--rounds", type=int, default=3, help="of --costs")
    options = parser.parse_args(arguments)
    if not options.pairs.exists():
        print(f"skipped: {options.pairs} is absent; name a file with --pairs")
        return 0
    words = words_of(options.pairs)
    if options.costs:
        measured(words, options.costs.split(","), options.rounds, options.json)
        return 0
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
    write(found, options.json)
    return 0


def write(found: dict[str, dict[str, Any]], path: Path | None) -> None:
    """Keep what was measured."""
    if path:
        text = json.dumps(found, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
