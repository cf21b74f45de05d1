"""How long `meta.judge_agreement` takes for a million judgements.

    python benchmarks/judges.py [--judgements 1000000]

Prints seconds of one processor for three designs and the levels of measurement. Goal: seconds, not
minutes.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from summeval.meta import Judgements, judge_agreement

DESIGNS = {  # systems, judges of each summary, judges
    "5 judges who judge all": (20, 5, 5),
    "3,000 judges, 5 of each summary": (50, 5, 3000),
    "40 judges, 5 of each summary, continuous": (20, 5, 40),
}


def judgements(systems: int, each: int, judges: int, size: int, whole: bool) -> Judgements:
    """Noisy judgements of random systems on random topics."""
    draw = np.random.default_rng(0)
    topics = max(1, size // (systems * each))
    cells = systems * topics
    cell = np.repeat(np.arange(cells), each)
    first = draw.integers(0, judges, cells)[cell] if judges > each else 0
    judge = (first + np.tile(np.arange(each), cells) * max(1, judges // each)) % judges
    values = 3 + draw.normal(size=cells)[cell] + draw.normal(size=len(cell))
    if whole:
        values = np.clip(np.round(values), 1, 5)
    names = (
        [f"{kind}{number}" for number in range(count)]
        for kind, count in (("s", systems), ("t", topics), ("j", judges))
    )
    return Judgements.of(names, (cell // topics, cell % topics, judge), values)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judgements", type=int, default=1_000_000)
    size = parser.parse_args().judgements
    for name, (systems, each, judges) in DESIGNS.items():
        given = judgements(systems, each, judges, size, "continuous" not in name)
        for level in ("nominal", "ordinal", "interval"):
            start = time.process_time()
            judge_agreement(given, level)
            print(
                f"{len(given):,} judgements, {name}, {level}: {time.process_time() - start:.1f} s"
            )


if __name__ == "__main__":
    main()
