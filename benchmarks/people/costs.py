"""What a pair costs, for every metric that reads texts.

    python benchmarks/people/costs.py DATA [--metrics NAMES] [--rounds N] [--limit N]

DATA is JSON Lines (.gz too), a summary on each line, as `benchmarks/people/correlation.py`
describes. The metrics and their options are those of that script, with the trained metrics that
need a parser. Each metric scores all rows in one call, with one worker. The figure is processor
time by the number of rows, the median of the rounds. Texts are parsed before the clock starts; what
parsing costs is a line of its own, for each different text.

Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from correlation import METRICS, metric_of

import summeval
from summeval.annotate import annotate
from summeval.table.table import read_rows

TRAINED = ("dicomer", "coherence-order", "cremer")
PARSED = ("be", "bewte", *TRAINED)
SOURCE = ("simetrix", "support", "extractiveness")  # compare with the input


def main(argv: Sequence[str] | None = None) -> int:
    """Time each metric, print the table; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", metavar="DATA")
    parser.add_argument("--metrics", help="separated by commas [all]")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--limit", type=int, help="rows to score [all]")
    given = parser.parse_args(argv)
    names = given.metrics.split(",") if given.metrics else [*METRICS, *TRAINED]
    rows = read_rows(given.data).rows[: given.limit]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SUMMEVAL_CACHE"] = folder
        print(f"{len(rows):,} pairs; summeval {summeval.__version__}", file=sys.stderr)
        print("| | µs |", "|---|--:|", sep="\n")
        if set(names) & set(PARSED):
            texts = list(dict.fromkeys(text for row in rows for text in texts_of(row)))
            once = processor_time(lambda: annotate(texts))
            print(f"| parsing, a text | {short(once / len(texts) * 1e6)} |", flush=True)
        for name in names:
            print(f"| `{name}` | {short(microseconds(name, rows, given.rounds))} |", flush=True)
    return 0


def texts_of(row: dict[str, Any]) -> list[str]:
    """The texts of a row that are parsed."""
    return [row["summary"], *row["references"]]


def microseconds(name: str, rows: Sequence[dict[str, Any]], rounds: int) -> float:
    """The median cost of a row, after a first call that is not counted."""
    metric = metric_of(name)
    candidates = [row["summary"] for row in rows]
    sources = [row["source"] for row in rows] if name in SOURCE else None
    references = [row["references"] for row in rows] if sources is None else None

    def score() -> None:
        summeval.score_batch(candidates, references, sources=sources, metrics=[metric])

    score()
    return statistics.median(processor_time(score) for _ in range(rounds)) / len(rows) * 1e6


def short(number: float) -> str:
    """A number to two digits.

    >>> short(1.84), short(2_634.0)
    ('1.8', '2,600')
    """
    return f"{float(f'{number:.2g}'):,.10g}"


def processor_time(call: Callable[[], object]) -> float:
    """Seconds that a call takes of the processor, on all threads.

    It runs in a thread of its own: a thread keeps what it found in its last texts at hand, so that
    another round in the same thread would measure less than the work.
    """
    begin = time.process_time()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(call).result()
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
