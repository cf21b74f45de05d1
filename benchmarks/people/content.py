"""How well `tesla-e` agrees with people on content, beside the word metrics, with its goals.

    python benchmarks/people/content.py FOLDER

FOLDER has data sets as JSON Lines (.gz), as `correlation.py` reads them, under the names below.
Prints for each set and judgement Spearman's ρ over systems within a topic, the mean over topics,
for each column; the difference of `tesla-e` to TESLA-S (as it comes and with stems) and to ROUGE-1
recall (with stems), with a 95 % interval over topics drawn anew (10,000 draws, seed 0); and whether
the goals are met. The last row has the topics of the first two sets together, whose judgements are
of one kind. Several references count by their mean. A topic where all scores are equal has no
correlation and is left out. Ends with status 1 if a goal is missed, and leaves out sets that are
not there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

import summeval
from summeval.meta import Scores
from summeval.table.table import read_rows

# Set, judgement, and the least that `tesla-e.value` should reach; None is ROUGE-1 recall less .02.
SETS: list[tuple[str, str, float | None]] = [
    ("realsumm", "litepyramid_recall", 0.53),
    ("pyrxsum", "litepyramid_recall", 0.61),
    ("summeval", "relevance", None),
    ("summeval", "consistency", None),
    ("opinsummeval", "asp_rel", None),
    ("squality", "coverage", None),
    ("dialsummeval", "relevance", None),
]
MEANS = {"aggregate": "average"}
OPTIONS: dict[str, dict[str, Any]] = {
    "rouge1": {**MEANS, "stemmer": "porter"},
    "rouge1-content": {**MEANS, "stemmer": "porter", "stopwords": True},
    "tesla-s": MEANS,
    "tesla-s-stem": {**MEANS, "stemmer": "porter"},
    "tesla-e": MEANS,
}
COLUMNS = (
    *("rouge1.recall", "rouge1-content.recall", "tesla-s.recall", "tesla-s-stem.recall"),
    *("tesla-e.value", "tesla-e.recall", "tesla-e.pair", "tesla-e.flow", "tesla-e.precision"),
)
MINE, LESS = "tesla-e.value", 0.02
OTHERS = ("tesla-s.recall", "tesla-s-stem.recall", "rouge1.recall")
DRAWS = 10_000


def main(argv: Sequence[str] | None = None) -> int:
    """Score, correlate, print; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    folder: Path = parser.parse_args(argv).folder
    metrics = [
        summeval.metric(name.removesuffix("-content").removesuffix("-stem"), label=name, **options)
        for name, options in OPTIONS.items()
    ]
    heads = [*COLUMNS, *(f"− {column}" for column in OTHERS), "goal"]
    print("| set, judgement | " + " | ".join(heads) + " |")
    print("|---|" + "---|" * len(heads))
    missed = False
    of_units: list[Any] = []
    for name, dimension, goal in SETS:
        path = next((p for p in folder.glob(f"{name}.jsonl*")), None)
        if path is None:
            continue
        found = by_topic(read_rows(str(path)).rows, dimension, metrics)
        means = {column: float(np.nanmean(values)) for column, values in found.items()}
        least = goal if goal is not None else means["rouge1.recall"] - LESS
        met = round(means[MINE], 2) >= round(least, 2)
        missed |= not met
        cells = [
            *(shown(means[column]) for column in COLUMNS),
            *(difference(found[MINE] - found[column]) for column in OTHERS),
            f"{shown(least)} {'met' if met else 'missed'}",
        ]
        print(f"| {name}, {dimension} | " + " | ".join(cells) + " |", flush=True)
        if goal is not None:
            of_units.append(found)
    if of_units:
        together = {column: np.concatenate([f[column] for f in of_units]) for column in COLUMNS}
        cells = [shown(float(np.nanmean(together[column]))) for column in COLUMNS]
        cells += [difference(together[MINE] - together[column]) for column in OTHERS]
        met = interval(together[MINE] - together["tesla-s.recall"])[0] > 0
        missed |= not met
        cells.append(f"− tesla-s.recall above 0 {'met' if met else 'missed'}")
        print("| content units together | " + " | ".join(cells) + " |")
    return int(missed)


def by_topic(rows: Sequence[dict[str, Any]], dimension: str, metrics: Sequence[Any]) -> Any:
    """For each column the correlation with people on each topic, NaN where there is none."""
    used = [row for row in rows if row["references"] and dimension in row["scores"]]
    table = summeval.score_batch(
        [row["summary"] for row in used], [row["references"] for row in used], metrics
    )
    kept = [
        {"system": row["system_id"], "topic": row["topic_id"], "human": row["scores"][dimension]}
        | {column: float(table[column][place]) for column in COLUMNS}
        for place, row in enumerate(used)
    ]
    scores = Scores.from_rows(kept, [*COLUMNS, "human"])
    people = scores["human"]
    result = {}
    for column in COLUMNS:
        values = np.full(people.shape[1], np.nan)
        for topic in range(people.shape[1]):
            if varies(scores[column][:, topic]) and varies(people[:, topic]):
                pair = scores[column][:, topic], people[:, topic]
                values[topic] = spearmanr(*pair, nan_policy="omit").statistic
        result[column] = values
    return result


def varies(column: Any) -> bool:
    """Whether two numbers of it differ."""
    given = column[~np.isnan(column)]
    return len(given) > 2 and given.min() < given.max()


def difference(values: Any) -> str:
    """The mean over topics with its interval."""
    lower, upper = interval(values)
    return f"{np.nanmean(values):+.3f} [{lower:+.3f}, {upper:+.3f}]"


def interval(values: Any) -> tuple[float, float]:
    """Where the mean lies in 95 of 100 draws of topics."""
    given = values[~np.isnan(values)]
    drawn = np.random.default_rng(0).integers(0, len(given), (DRAWS, len(given)))
    lower, upper = np.quantile(given[drawn].mean(1), [0.025, 0.975])
    return float(lower), float(upper)


def shown(value: float) -> str:
    """Three digits, without the zero before the point."""
    return f"{value:.3f}".replace("0.", ".", 1)


if __name__ == "__main__":
    sys.exit(main())
