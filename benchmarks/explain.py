"""Explanations of ROUGE and TESLA, and the page of 10,000 rows.

    taskset -c 1 python benchmarks/explain.py [--page ROWS.jsonl]

Microseconds of processor time for one call of `explain`, and for one whose items are read (they are
made when they first are); the lowest of 15 rounds: a short pair (two sentences each), and pairs of
100 words. The goal is 100. Then milliseconds of `tesla-s` with any gap for a pair of 700 words, in
the same two ways; the goal is 50. With --page, bytes and seconds of a page of
10,000 rows of that file, which are repeated until there are so many; the goal is 10 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from texts import LONG, SHORT, make_pairs

import summeval
from summeval.cli.main import main as command

GOAL, GOAL_BYTES, ROWS = 100.0, 10_000_000, 10_000
ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4", "rougeS*")
MEASURES = (*ROUGE, "tesla-s", "tesla-e")
HUNDRED = replace(SHORT, candidate_tokens=100, reference_tokens=100)
SEVEN_HUNDRED = replace(LONG, candidate_tokens=700, reference_tokens=700)
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
    candidates, references = make_pairs(HUNDRED, 20)
    heads = "".join(f"{one:>14}{'read':>8}{'items':>8}" for one in ("short pair", "100 words"))
    print(f"{'':12}{heads}   (us; goal {GOAL:.0f})")
    pairs = [PAIR, *zip(candidates, references, strict=True)]
    for name in MEASURES:
        explain = summeval.metric(name).explain
        line = f"{name:12}"
        for some, calls in ((pairs[:1], 100), (pairs[1:], 1)):
            made, read = (
                microseconds(partial(_all, explain, some, also), calls) / len(some)
                for also in (False, True)
            )
            line += f"{made:14.1f}{read:8.1f}{len(explain(*some[0]).items):8}"
        print(line)
    explain = summeval.metric("tesla-s", gap=None).explain
    long = [*zip(*make_pairs(SEVEN_HUNDRED, 1), strict=True)]
    made, read = (
        microseconds(partial(_all, explain, long, also), 1) / 1000 for also in (False, True)
    )
    print(f"tesla-s, any gap, 700 words: {made:.0f} ms, read {read:.0f} ms (goal 50)")
    if given.page:
        size, seconds = page(given.page)
        made = f"page of {ROWS:,} rows: {size / 1e6:.1f} MB"
        print(f"{made} (goal {GOAL_BYTES / 1e6:.0f}), {seconds:.0f} s")
    return 0


def _all(explain: Callable[..., Any], pairs: Sequence[tuple[str, str]], read: bool = False) -> None:
    for candidate, reference in pairs:
        told = explain(candidate, reference)
        if read:
            told.items  # noqa: B018 - made when they are read


if __name__ == "__main__":
    raise SystemExit(main())
