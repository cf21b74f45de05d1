"""How long a ranking of systems takes, beside sacrebleu's paired tests and those of SciPy.

    python benchmarks/rank.py [goal|peers|rows|gaps|level|cases ...]

`goal`: 20 systems, 2,000 rows, 6 metrics, 10,000 draws. `peers`: the same numbers for each pair and
metric by itself, with sacrebleu (if it is installed) and SciPy; a few pairs are timed, in turn with
`meta.rank`, and the time of all follows. `rows`: two systems with 1,000,000 rows. `gaps`: the goal,
where each system lacks other rows. `level`: how often the tests find a difference between two
systems that have none. `cases` prints tests/cases/rank.json: what sacrebleu finds for
scores made here. Scores have the seed 0; times are processor seconds.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # so that processor seconds are comparable

import numpy as np

from summeval.meta import rank
from summeval.meta.differences import Ranking

SYSTEMS, ROWS, METRICS, DRAWS = 20, 2000, 6, 10_000
GOAL = 10.0
TIMES = 3


def scores(systems: int, rows: int, metrics: int, lacking: float = 0.0) -> dict[str, np.ndarray]:
    """Scores of systems, one after the other, on topics of different difficulty."""
    random = np.random.default_rng(0)
    topics = random.random((rows, metrics))
    quality = 0.02 * np.arange(systems)[:, None, None] / systems
    values = 0.5 * topics + 0.4 * random.random((systems, rows, metrics)) + quality
    values[random.random(values.shape) < lacking] = np.nan
    flat = values.reshape(systems * rows, metrics)
    return {f"m{k}": np.ascontiguousarray(flat[:, k]) for k in range(metrics)}


def ranked(table: dict[str, np.ndarray], systems: int, draws: int = DRAWS) -> Ranking:
    """The ranking of a table by `meta.rank`, rows paired by topic."""
    rows = len(next(iter(table.values()))) // systems
    names = [f"s{place}" for place in range(systems) for _ in range(rows)]
    return rank(table, names, list(map(str, range(rows))) * systems, resamples=draws)


def timed(run: Callable[[], Any]) -> float:
    """Processor seconds of a call."""
    start = time.process_time()
    run()
    return time.process_time() - start


def goal() -> None:
    """All pairs of 20 systems by 6 metrics on 2,000 rows."""
    table = scores(SYSTEMS, ROWS, METRICS)
    found = [timed(lambda: ranked(table, SYSTEMS)) for _ in range(TIMES)]
    print(
        f"{SYSTEMS} systems, {ROWS:,} rows, {METRICS} metrics, {DRAWS:,} draws:"
        f" {statistics.median(found):.2f} s (goal {GOAL:.0f} s)"
    )


def gaps() -> None:
    """The same where 5 of 100 scores are missing, so that no two systems have the same rows."""
    table = scores(SYSTEMS, ROWS, METRICS, 0.05)
    print(f"the same, 5 % of the scores missing: {timed(lambda: ranked(table, SYSTEMS)):.2f} s")


def rows() -> None:
    """Two systems with a million rows, 1,000 draws."""
    table = scores(2, 1_000_000, 1)
    seconds = timed(lambda: ranked(table, 2, 1000))
    print(f"2 systems, 1,000,000 rows, 1 metric, 1,000 draws: {seconds:.1f} s")


def level() -> None:
    """The share of 2,000 pairs of equal systems that differ at the level 0.05, by rows."""
    for size in (5, 10, 20, 50):
        random = np.random.default_rng(size)
        topics = random.random((size, 2000))
        values = np.vstack([topics + random.gamma(1.0, 0.1, topics.shape) for _ in range(2)])
        table = {str(k): np.ascontiguousarray(values[:, k]) for k in range(2000)}
        made = rank(table, [0] * size + [1] * size, resamples=1000).values()
        shares = [
            np.mean([getattr(one, name)[0, 1] <= 0.05 for one in made])
            for name in ("pvalues", "bootstrap")
        ]
        print(f"{size} rows: randomisation {shares[0]:.3f}, bootstrap {shares[1]:.3f}")


def peers() -> None:
    """One pair and metric at a time, as the peers do it."""
    import scipy
    from scipy.stats import bootstrap, permutation_test

    table = scores(SYSTEMS, ROWS, METRICS)
    first, second = (table["m0"][place * ROWS : (place + 1) * ROWS] for place in (0, 1))

    def by_scipy() -> None:
        generator = np.random.default_rng(0)
        permutation_test(
            (first - second,),
            lambda x, axis: x.mean(axis=axis),
            permutation_type="samples",
            n_resamples=DRAWS,
            vectorized=True,
            batch=500,
            random_state=generator,
        )
        bootstrap(
            (first - second,),
            np.mean,
            n_resamples=DRAWS,
            batch=500,
            method="percentile",
            random_state=generator,
        )

    runs: dict[str, Callable[[], Any]] = {f"SciPy {scipy.__version__}": by_scipy}
    try:
        import sacrebleu
    except ImportError:
        print("sacrebleu is not installed: pip install sacrebleu")
    else:
        systems = {"first": first, "second": second}

        def by_sacrebleu() -> None:
            for test in ("ar", "bs"):
                paired(systems, test, DRAWS)

        runs[f"sacrebleu {sacrebleu.__version__}"] = by_sacrebleu
    own, found = [], {name: [] for name in runs}
    for _ in range(TIMES):
        own.append(timed(lambda: ranked(table, SYSTEMS)))
        for name, run in runs.items():
            found[name].append(timed(run))
    mine = statistics.median(own)
    print(f"summeval, all pairs and metrics: {mine:.2f} s")
    tests = METRICS * SYSTEMS * (SYSTEMS - 1) // 2
    for name, times in found.items():
        one = statistics.median(times)
        print(
            f"{name}: {one:.2f} s a pair and metric, {one * tests:,.0f} s for all {tests:,},"
            f" {one * tests / mine:,.0f} times as long"
        )


class _Unsigned:
    """Stands for a signature, of which sacrebleu asks nothing here but to be told its options."""

    def __init__(self, options: Any) -> None:
        self.options = options

    def update(self, key: str, value: Any) -> None:
        """Take an option."""


def paired(systems: dict[str, Sequence[float]], test: str, draws: int) -> dict[str, float]:
    """Sacrebleu's p-value for each system after the first; test is "ar" or "bs"."""
    from sacrebleu.metrics.base import Metric, Score
    from sacrebleu.significance import PairedTest

    class Mean(Metric):
        """The mean of the numbers that stand for hypotheses."""

        _SIGNATURE_TYPE = type(
            "None_", (), {"update": lambda *_: None, "__init__": lambda *_: None}
        )

        def _check_corpus_score_args(self, hyps: Any, refs: Any) -> None: ...
        def _compute_segment_statistics(self, hypothesis: Any, ref_kwargs: Any) -> list[float]:
            return [hypothesis, 1.0]

        def _compute_score_from_stats(self, stats: Any) -> Score:
            return Score("mean", stats[0] / stats[1])

        def _aggregate_and_compute(self, stats: Any) -> Score:
            return self._compute_score_from_stats(np.sum(np.asarray(stats), axis=0))

        def _preprocess_segment(self, sent: str) -> str:
            return sent

        def _extract_reference_info(self, refs: Any) -> dict[str, Any]:
            return {}

        def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
            return np.array([[value, 1.0] for value in hypotheses])

    named = [(name, list(values)) for name, values in systems.items()]
    _, found = PairedTest(named, {"mean": Mean()}, None, test, draws)()
    return {name: r.p_value for name, r in zip(systems, found["mean"], strict=True) if r.p_value}


def cases() -> None:
    """tests/cases/rank.json: scores made here, and what sacrebleu finds for them."""
    import sacrebleu

    random = np.random.default_rng(19)
    made = []
    for rows, digits in ((12, 1), (40, 3), (150, 3)):
        topics = random.random(rows)
        systems = {"base": np.round(topics, digits).tolist()}
        for name, shift in (("near", 0.02), ("mid", 0.06), ("far", 0.15)):
            values = topics + shift + random.normal(0, 0.15, rows)
            systems[name] = np.round(values, digits).tolist()
        systems["same"] = systems["base"]
        found = {test: paired(systems, test, DRAWS) for test in ("ar", "bs")}
        made.append({"scores": systems, "draws": DRAWS, **found})
    note = f"p-values by sacrebleu {sacrebleu.__version__}: python benchmarks/rank.py cases"
    print(json.dumps({"made": note, "cases": made}))


def main() -> None:
    """Run the parts that the command line names; by default all but `cases`."""
    parts = {
        "goal": goal,
        "peers": peers,
        "rows": rows,
        "gaps": gaps,
        "level": level,
        "cases": cases,
    }
    asked = sys.argv[1:] or ["goal", "peers", "rows", "gaps"]
    for name in asked:
        parts[name]()
    if "cases" not in asked:
        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{largest:,.0f} MiB at most; NumPy {np.__version__}, BLAS on one thread")


if __name__ == "__main__":
    main()
