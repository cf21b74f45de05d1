"""Explanations of ROUGE, and the page of 10,000 rows.

    taskset -c 1 python benchmarks/explain.py [--page ROWS.jsonl]

Microseconds of processor time for one call of `explain`, the lowest of 15 rounds: a short pair (two
sentences each), and a pair of the length of news summaries. The goal is 100 for a short pair. With
--page, bytes and seconds of a page of 10,000 rows of that file, which are repeated until there are
so many; the goal is 10 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial

from texts import SHORT, make_pairs

import summeval
from summeval.cli.main import main as command

GOAL, GOAL_BYTES, ROWS = 100.0, 10_000_000, 10_000
MEASURES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4", "rougeS*")
PAIR = (
    "The storm hit the coast.\nMany houses were lost, officials said.",
    "A storm struck the coast on Monday.\nIt destroyed houses, and the army came to help.",
)


def microseconds(call: Callable[[], object], calls: int) -> float:
    """The least processor time of a call, over rounds of so many."""
    found = []
    for _ in range(15):
        start = time.process_time_ns()
        for _ in range(calls):
            call()
        found.append((time.process_time_ns() - start) / calls / 1e3)
    return min(found)


def page(path: str) -> tuple[int, float]:
    """Bytes and seconds of processor time of a page of 10,000 rows, in an order drawn."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    more = [dict(rows[k % len(rows)], id=str(k)) for k in range(ROWS)]
    random.Random(0).shuffle(more)
    with tempfile.TemporaryDirectory() as folder:
        given, out = os.path.join(folder, "rows.jsonl"), os.path.join(folder, "page.html")
        with open(given, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in more)
        start = time.process_time()
        assert command(["explain", given, "-m", "rouge1,rouge2,rougeL", "-o", out]) == 0
        return os.path.getsize(out), time.process_time() - start


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--page", metavar="ROWS.jsonl", help="rows with candidate and references")
    given = parser.parse_args(arguments)
    candidates, references = make_pairs(SHORT, 20)
    print(f"{'':12}{'short pair':>14}{'items':>8}{'news':>14}{'items':>8}   (us; goal {GOAL:.0f})")
    pairs = [PAIR, *zip(candidates, references, strict=True)]
    for name in MEASURES:
        explain = summeval.metric(name).explain
        short = microseconds(partial(explain, *PAIR), 100)
        news = microseconds(partial(_all, explain, pairs[1:]), 1) / len(pairs[1:])
        sizes = [len(explain(*pair).items) for pair in pairs[:2]]
        print(f"{name:12}{short:14.1f}{sizes[0]:8}{news:14.1f}{sizes[1]:8}")
    if given.page:
        size, seconds = page(given.page)
        made = f"page of {ROWS:,} rows: {size / 1e6:.1f} MB"
        print(f"{made} (goal {GOAL_BYTES / 1e6:.0f}), {seconds:.0f} s")
    return 0


def _all(explain: Callable[..., object], pairs: Sequence[tuple[str, str]]) -> None:
    for candidate, reference in pairs:
        explain(candidate, reference)


if __name__ == "__main__":
    raise SystemExit(main())
