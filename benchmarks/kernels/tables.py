"""ROUGE-W, ROUGE-S* and ROUGE-SU* of long texts beside ROUGE-L of the same texts.

    python benchmarks/kernels/tables.py [--rounds N]

The texts have about 730 tokens a side, on one line (as ROUGE-W reads most corpora) and on lines of
16 to 32 tokens. All measures take turns in one process, in processor time; the figure is the
median. The goals are microseconds a pair, tokenising included; the ratio to ROUGE-L says what a
machine of another speed would give. Ends with status 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import summeval

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

GOALS = {"rougeL": None, "rougeW": 150.0, "rougeS*": 50.0, "rougeSU*": 50.0}


def main() -> int:
    import texts

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    lines = texts.make_pairs(texts.LONG, 50)
    one = tuple([text.replace("\n", " ") for text in side] for side in lines)
    metrics = {name: summeval.metric(name) for name in GOALS}
    missed = False
    for title, (candidates, references) in {"one line": one, "lines": lines}.items():
        taken: dict[str, list[float]] = {name: [] for name in GOALS}
        for _ in range(options.rounds):
            for name, metric in metrics.items():
                start = time.process_time()
                metric.score_batch(candidates, references)
                taken[name].append((time.process_time() - start) / len(candidates) * 1e6)
        base = statistics.median(taken["rougeL"])
        for name, goal in GOALS.items():
            mine = statistics.median(taken[name])
            said = f"{title:8}  {name:8}  {mine:8.1f} µs  {mine / base:5.2f} x rougeL"
            if goal is not None:
                said += f"  goal {goal:g} µs: {'met' if mine <= goal else 'missed'}"
                missed |= mine > goal
            print(said)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
