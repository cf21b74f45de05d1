"""How often tests of metrics find a difference where there is none, and intervals miss the mean.

    python benchmarks/people/false_positives.py [--trials N]

Prints Markdown. First the share of permutation tests at .05 (two-sided, Pearson, 199 draws) that
find a difference between two equally good metrics: people's scores are h = quality of the system +
noise of the cell, and both metrics are h + error of the system + noise of the cell, all standard
normal; "errors by cell" is the same without the error of the system. Each level is tested with its
default and with the other choices of what to swap. Then the share of 95 % intervals that hold the
mean from which topics are drawn, by Student's t (as in summeval) and by percentiles of 1,000
bootstrap draws. The seed is 0.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from summeval.meta import permutation_test
from summeval.meta.arrays import LEVELS, DesignWarning, Level, Over
from summeval.meta.resampling import half_widths, swapped_over
from summeval.table.cells import Array as Table

SHAPES = ((12, 40), (20, 60))
ERRORS = {"errors stay with the system": 1.0, "errors by cell": 0.0}
OVERS: tuple[Over, ...] = ("systems", "both", "rows")
TOPICS = (8, 20, 50)
SCORES: dict[str, tuple[Callable[[np.random.Generator, tuple[int, int]], Table], float]] = {
    "normal": (lambda random, size: random.normal(size=size), 0.0),
    "beta(3, 7)": (lambda random, size: random.beta(3, 7, size), 0.3),
    "exponential": (lambda random, size: random.exponential(size=size), 1.0),
}
RESAMPLES, DRAWS, ALPHA = 199, 1000, 0.05


def main(argv: Sequence[str] | None = None) -> int:
    """Simulate, print; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=1000, metavar="N", help="[1000]")
    trials = parser.parse_args(argv).trials
    warnings.simplefilter("ignore", DesignWarning)
    print(*tests(trials), "", *intervals(trials), sep="\n")
    return 0


def tests(trials: int) -> list[str]:
    """The table of false positives."""
    lines = [
        "| level | null | systems × topics | " + " | ".join(OVERS) + " |",
        "|---|---|---|" + "--:|" * len(OVERS),
    ]
    for level in LEVELS:
        for name, kept in ERRORS.items():
            for shape in SHAPES:
                cells = []
                for over in OVERS:
                    if over == "rows" and level != "global":
                        cells.append("")
                        continue
                    share = f"{false_positives(shape, kept, level, over, trials):.3f}"
                    cells.append(f"**{share}**" if over == swapped_over(None, level) else share)
                lines.append(
                    f"| {level} | {name} | {shape[0]} × {shape[1]} | {' | '.join(cells)} |"
                )
    return lines


def false_positives(
    shape: tuple[int, int], kept: float, level: Level, over: Over, trials: int
) -> float:
    """The share of tests that find a difference; `kept` scales the errors of systems."""
    random, systems = np.random.default_rng(0), (shape[0], 1)
    found = 0
    for trial in range(trials):
        human = random.normal(size=systems) + random.normal(size=shape)
        a, b = (
            human + kept * random.normal(size=systems) + random.normal(size=shape) for _ in range(2)
        )
        test = permutation_test(
            a, b, human, level=level, over=over, resamples=RESAMPLES, seed=trial
        )
        found += test.pvalue <= ALPHA
    return found / trials


def intervals(trials: int) -> list[str]:
    """The table of coverage."""
    heads = " | ".join(f"{size} topics: t | bootstrap" for size in TOPICS)
    lines = [f"| scores | {heads} |", "|---|" + "--:|" * 2 * len(TOPICS)]
    for name, (draw, mean) in SCORES.items():
        random, cells = np.random.default_rng(0), []
        for size in TOPICS:
            values = draw(random, (size, trials))
            held = np.abs(values.mean(axis=0) - mean) <= half_widths(values)
            drawn = np.zeros(trials, dtype=bool)
            for trial, column in enumerate(values.T):
                means = column[random.integers(size, size=(DRAWS, size))].mean(axis=1)
                low, high = np.quantile(means, [0.025, 0.975])
                drawn[trial] = low <= mean <= high
            cells += [f"{held.mean():.3f}", f"{drawn.mean():.3f}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    sys.exit(main())
