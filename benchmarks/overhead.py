"""What safety costs: the CPU time of scoring, and the share that checks of the input take of it.

    taskset -c 1 python benchmarks/overhead.py [--rounds N] [--rows N] [--json OUT] [NAME ...]

For each call the least and the median CPU time of N rounds, for a pair; rounds of all calls take
turns, so that a busy machine troubles all alike. The shares are those of reading an Arrow column
(its offsets and its UTF-8 are checked) and of looking for texts that the tokenizer drops, in the
time of scoring ROUGE-1, 2 and L. To compare two builds, run it with each, in turns, and compare
the least times.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections.abc import Callable
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="all, if none is given")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--rows", type=int, default=30_000, help="of the Arrow arrays")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
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


if __name__ == "__main__":
    main()
