"""What safety costs: the CPU time of scoring, and the share that checks of the input take of it.

    taskset -c 1 python benchmarks/overhead.py [--rounds N] [--rows N] [--json OUT] [NAME ...]

For each call the least and the median CPU time of N rounds, for a pair; rounds of all calls take
turns, so that a busy machine troubles all alike. The shares are those of reading an Arrow column
(its offsets and its UTF-8 are checked) and of looking for texts that the tokenizer drops, in the
time of scoring ROUGE-1, 2 and L. To compare two builds, run it with each, in turns, and compare
the least times.

    python benchmarks/overhead.py --goals [--rounds N]

prints the rows that have a goal, and ends with status 1 if one is missed: the least CPU time of a
whole `score_batch` of one pair of one word, ROUGE-1, 2 and L, by names, by metric objects and by a
suite; and by how many times a row with 50 references takes longer than one with 5, jackknifed.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from pathlib import Path

import texts

import summeval
from summeval._core.columns import columns
from summeval.metrics.run.notices import Notices

ROUGE = ("rouge1", "rouge2", "rougeL")
KERNELS = {
    "rouge": ROUGE,
    **{name: (name,) for name in ("rouge1", "rougeLsum", "rougeW", "rougeSU4", "tesla-s")},
}
SHARES = {"arrow strings": "read strings", "arrow lists": "read lists", "rouge": "notices"}
LEAST = 0.005  # seconds of a round

Call = Callable[[], object]


def suite(names: tuple[str, ...], stemmer: str | None = None) -> summeval.Suite:
    options = {} if stemmer is None else {"stemmer": stemmer}
    return summeval.suite([summeval.metric(name, **options) for name in names])


def calls_on_texts(rows: int) -> dict[str, tuple[Call, int]]:
    """Each call, and how many pairs it scores."""
    count = min(rows, 1000)
    short, long = texts.make_pairs(texts.SHORT, count), texts.make_pairs(texts.LONG, 50)
    found: dict[str, tuple[Call, int]] = {}

    def add(name: str, scorer: summeval.Suite, sides: tuple[list[str], list[str]]) -> None:
        found[name] = (lambda: scorer.score_batch(*sides), len(sides[0]))

    for name, names in KERNELS.items():
        add(name, suite(names), short)
    add("rouge, stemmed", suite(ROUGE, "porter"), short)
    add("rougeSU4, long", suite(("rougeSU4",)), long)
    prepared = suite(ROUGE).prepare([short[1][0]])
    found["prepared.score"] = (lambda: [prepared.score(text) for text in short[0]], count)
    scorer = suite(ROUGE)
    table = scorer.score_batch(*short)
    left = columns.texts(short[0], "candidates")
    right = columns.references(short[1], "references")

    def notice() -> None:
        notices = Notices(scorer.metrics)
        notices.add(left, [right], table)
        notices.warn()

    found["notices"] = (notice, count)
    return found


def calls_on_arrow(rows: int) -> dict[str, tuple[Call, int]]:
    """The same texts over and over, `rows` of them, in Arrow arrays."""
    try:
        import pyarrow
    except ImportError:
        return {}
    sides = texts.make_pairs(texts.SHORT, min(rows, 1000))
    times = -(-rows // len(sides[0]))
    candidates, references = (pyarrow.array((side * times)[:rows]) for side in sides)
    lists = pyarrow.array([[text] for text in references.to_pylist()])
    scorer = suite(ROUGE)

    def read(right: object) -> None:
        columns.texts(candidates, "candidates")
        columns.references(right, "references")

    return {
        "arrow strings": (lambda: scorer.score_batch(candidates, references), rows),
        "arrow lists": (lambda: scorer.score_batch(candidates, lists), rows),
        "read strings": (lambda: read(references), rows),
        "read lists": (lambda: read(lists), rows),
    }


def measure(calls: dict[str, tuple[Call, int]], rounds: int) -> dict[str, list[float]]:
    """Seconds of CPU for a pair, of each round."""
    repeats, found = {}, {}
    for name, (call, _) in calls.items():
        call()
        begin = time.process_time()
        call()
        repeats[name] = 1 + int(LEAST / max(time.process_time() - begin, 1e-6))
        found[name] = []
    gc.disable()
    for _ in range(rounds):
        for name, (call, pairs) in calls.items():
            begin = time.process_time()
            for _ in range(repeats[name]):
                call()
            found[name].append((time.process_time() - begin) / (repeats[name] * pairs))
    gc.enable()
    return found


NAMES = list(ROUGE)
GOAL_CALL, GOAL_REFERENCES = 5.0, 15.0  # microseconds; 10 is linear, 100 quadratic
COUNTS = (5, 10, 25, 50, 100)
JACKKNIFED = {"rouge1,2,L": ROUGE, "rougeLsum": ("rougeLsum",), "rougeSU4": ("rougeSU4",)}


def least(calls: Sequence[Call], rounds: int) -> list[float]:
    """Microseconds of each call's fastest round of many; other programs disturb some of them."""
    found = []
    for call in calls:
        call()
        begin = time.process_time()
        call()
        found.append((1 + int(5e-4 / max(time.process_time() - begin, 1e-6)), [inf]))
    for _ in range(rounds):
        for call, (repeats, seconds) in zip(calls, found, strict=True):
            begin = time.process_time()
            for _ in range(repeats):
                call()
            seconds.append((time.process_time() - begin) / repeats)
    return [min(seconds) * 1e6 for _, seconds in found]


def fixed_calls() -> dict[str, Call]:
    """A call on one pair of one word, in every form of the metrics."""
    one, objects, whole = ["the"], [summeval.metric(name) for name in NAMES], suite(ROUGE)
    return {
        "score_batch, names": lambda: summeval.score_batch(one, one, NAMES),
        "score_batch, objects": lambda: summeval.score_batch(one, one, objects),
        "suite.score_batch": lambda: whole.score_batch(one, one),
        "metric.score_batch": lambda: objects[0].score_batch(one, one),
        "score_batch, one name": lambda: summeval.score_batch(one, one, ["rouge1"]),
    }


def rows_of(count: int) -> tuple[list[str], list[list[str]]]:
    """Rows with so many references each, the same texts, all different, for every count."""
    pool, _ = texts.make_pairs(texts.SHORT, 400)  # whose references repeat
    candidates = pool[::-1]
    begins = range(0, len(pool), count)
    return candidates[: len(begins)], [pool[begin : begin + count] for begin in begins]


def goals(rounds: int) -> int:
    """Print the rows with goals; 1 if one is missed."""
    missed = 0
    gc.disable()
    calls = fixed_calls()
    for name, mine in zip(calls, least(list(calls.values()), 4 * rounds), strict=True):
        missed |= mine > GOAL_CALL
        said = "met" if mine <= GOAL_CALL else "missed"
        print(f"{name:<22} {mine:6.2f} µs   goal {GOAL_CALL:g} µs: {said}")
    for name, names in JACKKNIFED.items():
        scorer = summeval.suite([summeval.metric(n, jackknife=True) for n in names])
        sides = [rows_of(count) for count in COUNTS]
        each_count = least([partial(scorer.score_batch, *side) for side in sides], rounds)
        taken = {
            count: whole / len(side[0])
            for count, whole, side in zip(COUNTS, each_count, sides, strict=True)
        }
        times = taken[50] / taken[5]
        missed |= times > GOAL_REFERENCES
        said = "met" if times <= GOAL_REFERENCES else "missed"
        each = ", ".join(f"{count}: {taken[count] / count:.2f}" for count in COUNTS)
        print(f"{name:<12} µs a reference, by references on a row: {each}")
        print(f"{'':<12} 50 take {times:.1f} times as long as 5   goal {GOAL_REFERENCES:g}: {said}")
    gc.enable()
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="all, if none is given")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--rows", type=int, default=30_000, help="of the Arrow arrays")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--goals", action="store_true", help="print the rows that have a goal")
    options = parser.parse_args()
    if options.goals:
        return goals(options.rounds)
    calls = {**calls_on_texts(options.rows), **calls_on_arrow(options.rows)}
    if options.names:
        calls = {name: call for name, call in calls.items() if name in options.names}
    if not calls:
        parser.error(f"no call is named {', '.join(options.names)}")
    found = measure(calls, options.rounds)
    print(f"{'call':<16} {'least µs':>9} {'median µs':>10}   for a pair")
    for name, seconds in found.items():
        print(f"{name:<16} {min(seconds) * 1e6:>9.3f} {statistics.median(seconds) * 1e6:>10.3f}")
    for whole, part in SHARES.items():
        if whole in found and part in found:
            share = min(found[part]) / min(found[whole])
            print(f"{part}: {share:.1%} of the time of {whole}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
