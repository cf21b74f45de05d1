"""How well metrics agree with people on content, on eight sets, beside the simplest competitors.

    python benchmarks/people/content.py FOLDER [--split NAME]

FOLDER has the data sets as JSON Lines (.gz), as `correlation.py` reads them, under the names below.
Prints Markdown: for each metric and set Spearman's ρ over the systems of a topic, the mean over
topics; the mean of the sets with its 95 % interval for other topics (Student's t, with the degrees
of freedom of Satterthwaite 1946, since sets differ in spread and size); and the difference of that
mean to r1s with its interval, on the topics where both have a correlation. r1s is ROUGE-1 recall
with Porter stems and without stop words. Several references count by `aggregate="average"`. --split
names the topics: dev, cross-validated or unseen. A topic where all scores are equal has no
correlation, and is left out.

Then the share of peers in `consensus` chosen by topics: each topic is scored with the weight that
is best on the topics of the other four parts, so that none is scored by a choice that saw it. Ends
with status 1 if `consensus` is not above r1s with its interval, or is more than .01 below it in a
set. Sets that are not there are left out.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

import summeval
from summeval.study.metrics import mean_interval
from summeval.table.table import read_rows

SETS = {
    "REALSumm": ("realsumm", "litepyramid_recall"),
    "PyrXSum": ("pyrxsum", "litepyramid_recall"),
    "SummEval": ("summeval", "relevance"),
    "SummEval-OP": ("summeval_op", "relevance"),
    "OpinSummEval": ("opinsummeval", "asp_rel"),
    "DialSummEval": ("dialsummeval", "relevance"),
    "Newsroom": ("newsroom", "relevance"),
    "SQuALITY": ("squality", "coverage"),
}
MEANS = {"aggregate": "average"}
OPTIONS: dict[str, dict[str, Any]] = {
    "rouge1": {**MEANS, "stemmer": "porter"},
    "r1s": {**MEANS, "stemmer": "porter", "stopwords": True},
    "rouge2": {**MEANS, "stemmer": "porter"},
    "npower": {},
    "tesla-s": MEANS,
    "tesla-e": MEANS,
}
COPIED = ("coverage", "novel3", "repetition")
FALLING = ("novel3", "repetition")  # less is better: the scores are turned round
ROWS = (
    *("consensus.value", "tesla-e.value", "r1s.recall", "tesla-s.recall", "rouge1.recall"),
    *("rouge2.recall", "npower.value", "length", *(f"extractiveness.{field}" for field in COPIED)),
)
MINE, BAR, LESS = "consensus.value", "r1s.recall", 0.01
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
PARTS = 5
Floats = NDArray[np.float64]
Found = dict[str, Floats]  # by row the correlation of each topic, NaN where there is none


def main(argv: Sequence[str] | None = None) -> int:
    """Score, correlate, print; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--split", default="dev", help="which topics these are [dev]")
    given = parser.parse_args(argv)
    found: dict[str, Found] = {}
    for title, (name, dimension) in SETS.items():
        path = next(given.folder.glob(f"{name}.jsonl*"), None)
        if path is not None:
            found[f"{title}, {dimension}"] = by_topic(read_rows(str(path)).rows, dimension)
            print(f"{name}: scored", file=sys.stderr, flush=True)
    print(f"| Spearman, {given.split} | {' | '.join(found)} | mean of the sets | − r1s |")
    print("|---|" + "--:|" * len(found) + "---|---|")
    sizes = " | ".join(str((~np.isnan(one[BAR])).sum()) for one in found.values())
    print(f"| number of topics | {sizes} |  |  |")
    for row in ROWS:
        print(shown_row(row, found))
    print(*chosen(found), sep="\n")
    apart = {name: mean(one[MINE]) - mean(one[BAR]) for name, one in found.items()}
    _, (low, _) = mean_interval([one[MINE] - one[BAR] for one in found.values()])
    met = low > 0 and min(apart.values()) >= -LESS
    print(f"goal: {'met' if met else 'missed'}")
    return int(not met)


def by_topic(rows: Sequence[Mapping[str, Any]], dimension: str) -> Found:
    """For each row of the table the correlation with people on each topic."""
    used = [row for row in rows if row["references"] and row["scores"].get(dimension) is not None]
    columns = scored(used)
    people = np.array([row["scores"][dimension] for row in used], dtype=np.float64)
    topics = np.array([row["topic_id"] for row in used])
    groups = [np.flatnonzero(topics == topic) for topic in dict.fromkeys(topics.tolist())]
    return {
        row: np.array([spearman(values[group], people[group]) for group in groups])
        for row, values in columns.items()
    }


def scored(rows: Sequence[Mapping[str, Any]]) -> Found:
    """The scores of the summaries, by row of the table and by weight of the peers."""
    texts, references = ([row[key] for row in rows] for key in ("summary", "references"))
    topics = [row["topic_id"] for row in rows]
    metrics = [
        summeval.metric("rouge1" if name == "r1s" else name, label=name, **options)
        for name, options in OPTIONS.items()
    ]
    table: dict[str, Any] = dict(summeval.score_batch(texts, references, metrics))
    table |= summeval.metric("consensus").score_batch(texts, references, group=topics)
    sources = [row.get("source_docs") or [row["source"]] for row in rows]
    copied = summeval.metric("extractiveness").score_batch(texts, sources=sources)
    for column, values in copied.items():
        table[column] = -np.asarray(values) if column.endswith(FALLING) else np.asarray(values)
    table["length"] = np.array([len(text.split()) for text in texts], dtype=np.float64)
    found = {row: np.array(table[row]) for row in ROWS}
    names = np.array(topics)
    fields = [standard(table[f"consensus.{field}"], names) for field in ("recall", "graded")]
    peers = standard(table["consensus.peers"], names)
    for weight in WEIGHTS:
        # too few candidates for peers: what `consensus` takes then
        both = sum(fields) + weight * peers
        found[str(weight)] = np.where(np.isnan(peers), fields[0], both)
    return found


def standard(values: Any, topics: Any) -> Floats:
    """The z-scores of a column within each topic."""
    found = np.full(len(values), np.nan)
    for topic in dict.fromkeys(topics.tolist()):
        here = topics == topic
        spread = values[here].std()
        apart = values[here] - values[here].mean()
        found[here] = apart / spread if not spread <= 1e-12 else apart * 0
    return found


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's correlation; NaN where a side does not vary or fewer than 3 are there."""
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(spearmanr(x, y).statistic)


def shown_row(row: str, found: Mapping[str, Found]) -> str:
    """A line of the table."""
    columns = [one[row] for one in found.values()]
    middle, (low, high) = mean_interval(columns)
    cells = [*(shown(mean(column)) for column in columns)]
    cells.append(f"{shown(middle)} [{shown(low)}, {shown(high)}]")
    if row == BAR:
        cells.append("")
    else:
        apart = [one[row] - one[BAR] for one in found.values()]
        difference, (low, high) = mean_interval(apart)
        cells.append(f"{difference:+.3f} [{low:+.3f}, {high:+.3f}]")
    return f"| {'−' * row.endswith(FALLING)}{row} | {' | '.join(cells)} |"


def chosen(found: Mapping[str, Found]) -> list[str]:
    """The line of consensus with its weight chosen on other topics, and the weights."""
    values: list[Floats] = []
    taken = []
    parts = {name: np.arange(len(one[BAR])) % PARTS for name, one in found.items()}
    for name in found:
        values.append(np.full(len(found[name][BAR]), np.nan))
    for part in range(PARTS):
        means = {
            weight: np.mean([mean(one[str(weight)][parts[n] != part]) for n, one in found.items()])
            for weight in WEIGHTS
        }
        best = max(means, key=lambda weight: means[weight])
        taken.append(best)
        for column, (name, one) in zip(values, found.items(), strict=True):
            here = parts[name] == part
            column[here] = one[str(best)][here]
    cells = " | ".join(shown(mean(column)) for column in values)
    middle = shown(float(np.mean([mean(column) for column in values])))
    names = ", ".join(f"{weight:g}" for weight in taken)
    return [
        f"| consensus, weight of peers of other topics ({names}) | {cells} | {middle} |  |",
        *(
            f"weight of peers {weight:g}: mean of the sets "
            f"{np.mean([mean(one[str(weight)]) for one in found.values()]):.4f}"
            for weight in WEIGHTS
        ),
    ]


def mean(values: Floats) -> float:
    """The mean over the topics that have a correlation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return float(np.nanmean(values))


def shown(value: float) -> str:
    """Three digits, without the zero before the point."""
    return f"{value:.3f}".replace("0.", ".", 1)


if __name__ == "__main__":
    sys.exit(main())
