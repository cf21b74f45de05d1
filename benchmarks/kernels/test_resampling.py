"""Bootstrap of correlations: 1,000 draws of 44 topics and 50 systems, 10 metrics, 3 coefficients.

The peer is the loop that people write: indices, tables drawn by them, means, SciPy. It runs 5
draws, so its time is to be multiplied by 200. `python benchmarks/kernels/test_resampling.py` prints
both, measured by turns, as processor seconds of one thread.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import scipy.stats

from summeval.meta import bootstrap_interval, permutation_test
from summeval.meta.arrays import COEFFICIENTS, LEVELS

SYSTEMS, TOPICS, METRICS, RESAMPLES, LOOPED = 50, 44, 10, 1000, 5
OVERS = ("topics", "systems", "both")
SCIPY = {
    "pearson": scipy.stats.pearsonr,
    "spearman": scipy.stats.spearmanr,
    "kendall": scipy.stats.kendalltau,
}


def tables() -> tuple[np.ndarray, np.ndarray]:
    """Metrics [metric, system, topic] in hundredths, judgements from 1 to 5."""
    random = np.random.default_rng(0)
    quality = random.random((SYSTEMS, 1)) + 0.5 * random.random((SYSTEMS, TOPICS))
    metrics = quality + 0.5 * random.random((METRICS, SYSTEMS, TOPICS))
    return np.round(metrics, 2), np.round(1 + 4 * quality / quality.max())


def ours(metrics: np.ndarray, human: np.ndarray, level: Any, over: Any) -> None:
    """All intervals by the kernel."""
    for metric in metrics:
        for coefficient in COEFFICIENTS:
            bootstrap_interval(metric, human, coefficient, level, over=over, resamples=RESAMPLES)


def loop(metrics: np.ndarray, human: np.ndarray, level: str, over: str) -> None:
    """LOOPED draws by SciPy."""
    random = np.random.default_rng(0)
    for _ in range(LOOPED):
        rows, columns = np.arange(SYSTEMS), np.arange(TOPICS)
        if over != "topics":
            rows = random.integers(SYSTEMS, size=SYSTEMS)
        if over != "systems":
            columns = random.integers(TOPICS, size=TOPICS)
        drawn = np.ix_(rows, columns)
        for metric in metrics:
            for correlate in SCIPY.values():
                if level == "system":
                    correlate(metric[drawn].mean(axis=1), human[drawn].mean(axis=1))
                elif level == "global":
                    correlate(metric[drawn].ravel(), human[drawn].ravel())
                else:
                    pairs = zip(metric[drawn].T, human[drawn].T, strict=True)
                    np.nanmean([correlate(*pair).statistic for pair in pairs])


@pytest.mark.parametrize("over", OVERS)
@pytest.mark.parametrize("level", LEVELS)
def test_all_intervals(benchmark: Any, level: str, over: str) -> None:
    benchmark.pedantic(ours, (*tables(), level, over), rounds=3)


def test_five_draws_by_scipy(benchmark: Any) -> None:
    benchmark.pedantic(loop, (*tables(), "system", "topics"), rounds=3)


@pytest.mark.parametrize("level", LEVELS)
def test_permutation(benchmark: Any, level: Any) -> None:
    metrics, human = tables()
    found = benchmark.pedantic(
        permutation_test, (metrics[0], metrics[1], human, "kendall", level), rounds=3
    )
    assert 0 < found.pvalue <= 1


def main() -> None:
    """Print the two side by side."""
    metrics, human = tables()
    print(f"{METRICS} metrics, 3 coefficients, {RESAMPLES} draws: processor seconds")
    print("level    over      summeval  SciPy loop  times")
    for level in LEVELS:
        for over in OVERS:
            clocks = [time.process_time()]
            for run in (ours, loop):
                run(metrics, human, level, over)
                clocks.append(time.process_time())
            own, theirs = clocks[1] - clocks[0], (clocks[2] - clocks[1]) * RESAMPLES / LOOPED
            print(f"{level:8} {over:8} {own:9.3f} {theirs:11.1f} {theirs / own:6.0f}")


if __name__ == "__main__":
    main()
