"""How long tests between metrics take: all pairs of 30 metrics, a whole report, a large design.

    python benchmarks/significance.py [pairs|report|large ...]

Prints processor seconds, the goal, and the largest memory of the process. Scores are generated:
metrics of different quality on systems and topics, with the seed 0.
"""

from __future__ import annotations

import platform
import resource
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from summeval.meta import compare, permutation_test, permutation_tests
from summeval.meta.overview import overview
from summeval.table.scores import Scores

PAIRS_ALONE = 5  # single tests timed in turn with all pairs


def design(metrics: int, systems: int, topics: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Metrics and human scores [system, topic]."""
    random = np.random.default_rng(0)
    quality = random.random((systems, 1))
    weights = random.random(metrics)
    tables = {
        f"m{k}.value": quality * weight + random.random((systems, topics))
        for k, weight in enumerate(weights)
    }
    return tables, quality + random.random((systems, topics))


def timed(run: Callable[[], object]) -> float:
    """Processor seconds of a call."""
    start = time.process_time()
    run()
    return time.process_time() - start


def pairs() -> None:
    """All pairs of 30 metrics beside single tests, 1,000 draws, 16 systems, 100 topics."""
    tables, human = design(30, 16, 100)
    two = list(tables.values())[:2]
    for coefficient in ("spearman", "pearson", "kendall"):
        for level in ("summary", "system"):
            alone = timed(
                lambda c=coefficient, v=level: [
                    permutation_test(*two, human, c, v) for _ in range(PAIRS_ALONE)
                ]
            )
            shared = timed(lambda c=coefficient, v=level: permutation_tests(tables, human, c, v))
            single = alone / PAIRS_ALONE * 435
            goal = " (goal 3 s)" if (coefficient, level) == ("spearman", "summary") else ""
            print(
                f"all 435 pairs, {coefficient}, {level} level: {shared:.2f} s{goal},"
                f" single tests {single:.1f} s, {single / shared:.1f} times as long"
            )


def report() -> None:
    """What `summeval report` computes: 30 metrics, 4 human columns, 2 levels, 8,700 draws."""
    tables, human = design(30, 16, 100)
    random = np.random.default_rng(1)
    humans = {f"h{k}": human + random.random(human.shape) for k in range(4)}
    systems, topics = (
        [f"{kind}{n}" for n in range(size)] for kind, size in (("s", 16), ("t", 100))
    )
    scores = Scores(systems, topics, {**tables, **humans})
    seconds = timed(lambda: overview(scores, list(tables), list(humans)))
    print(f"a report of 30 metrics and 4 human columns: {seconds:.0f} s (goal 60 s)")


def large() -> None:
    """10 metrics on 500 systems and 1,000 topics, with intervals and clusters."""
    tables, human = design(10, 500, 1000)
    seconds = timed(lambda: compare(tables, human))
    print(f"10 metrics, 500 systems, 1,000 topics: {seconds:.0f} s (goal 300 s)")


def main() -> None:
    """Run the named measurements, or all."""
    warnings.simplefilter("ignore")
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    known = {"pairs": pairs, "report": report, "large": large}
    for name in sys.argv[1:] or known:
        known[name]()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"largest memory: {peak:.0f} MB (goal 2,000 MB)")


if __name__ == "__main__":
    main()
