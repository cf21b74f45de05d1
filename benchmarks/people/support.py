"""How well `support` tells consistent summaries from others, and which corruptions it sees.

    python benchmarks/people/support.py DATA [--metric NAME] [--json OUT]

--metric names another metric that compares with the source.

DATA holds summeval, qags, dialsummeval and opinsummeval .jsonl.gz, a summary on each line:
topic_id, summary, source (or source_docs), scores (a mapping from dimensions to numbers).

Prints a Markdown table for each set: of each field, and of the simplest competitors (the number of
words; what is copied from the source, new trigrams and repetition; where there are references r1s,
ROUGE-1 recall with stems and without stop words), Spearman's correlation with the judgements
(within topics, the mean over topics in which both sides vary; over all summaries of QAGS, which
has one for each source), its 95 % interval (topics drawn anew), the partial correlation given the
number of words, and AUC, the probability that a summary with the best judgement has a higher number
than one without it, over all pairs of summaries and over those of one topic. Then a table of
corruptions: 260 consistent summaries of SummEval, drawn by a seed; the share that falls below the
same summary with one harmless content word left out, by kind and field; ties count half. --json
writes the figures for ci/support_picture.py.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from corruptions import KINDS, corrupted
from numpy.typing import NDArray
from scipy.stats import rankdata

import summeval

SETS = {
    "SummEval consistency": ("summeval", "consistency", ""),
    "QAGS CNN": ("qags", "consistency", "cnndm"),
    "QAGS XSum": ("qags", "consistency", "xsum"),
    "DialSummEval consistency": ("dialsummeval", "consistency", ""),
    "OpinSummEval sentiment": ("opinsummeval", "sent_con", ""),
}
LENGTH = "length"
COPIED = {"coverage": 1, "novel3": -1, "repetition": -1}  # of extractiveness; −1: less is better
SUMMARIES, SEED, RESAMPLES = 260, 18, 1000
Floats = NDArray[np.float64]


def main(argv: Sequence[str] | None = None) -> int:
    """Score, print, write; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", metavar="DATA", type=Path)
    parser.add_argument("--json", metavar="OUT", type=Path, help="write the figures here")
    parser.add_argument("--metric", metavar="NAME", default="support", help="[support]")
    given = parser.parse_args(argv)
    metric = summeval.metric(given.metric)
    agreement = {}
    for title, (name, dimension, part) in SETS.items():
        rows = [row for row in read(given.data, name) if row["topic_id"].startswith(part)]
        agreement[title] = agreed(metric, rows, dimension)
        show(title, ["rho", "low", "high", "partial", "auc", "auc_within"], agreement[title])
    seen = seen_of(metric, consistent(read(given.data, "summeval")))
    show("Corruptions of SummEval", ["pairs", *metric.fields], seen)
    if given.json:
        report = {
            "signature": str(metric.signature),
            "topics": {title: cells["topics"] for title, cells in agreement.items()},
            "agreement": agreement,
            "corruptions": seen,
        }
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def read(folder: Path, name: str) -> list[dict[str, Any]]:
    """The judged summaries of a set that have a source."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["source"] and row["scores"]]


def scored(metric: summeval.Metric, rows: Sequence[dict[str, Any]]) -> dict[str, Floats]:
    """The fields of each summary, and its number of words."""
    summaries = [row["summary"] for row in rows]
    sources = [row.get("source_docs") or [row["source"]] for row in rows]
    table = metric.score_batch(summaries, sources=sources)
    found = {field: np.array(table[f"{metric.name}.{field}"]) for field in metric.fields}
    copied = summeval.metric("extractiveness").score_batch(summaries, sources=sources)
    for field, sign in COPIED.items():
        found["−" * (sign < 0) + field] = sign * np.array(copied[f"extractiveness.{field}"])
    if all(row["references"] for row in rows):
        words = summeval.metric("rouge1", stemmer="porter", stopwords=True, aggregate="average")
        references = [row["references"] for row in rows]
        found["r1s"] = np.array(words.score_batch(summaries, references)["rouge1.recall"])
    return found | {LENGTH: np.array([len(text.split()) for text in summaries], float)}


def agreed(metric: summeval.Metric, rows: Sequence[dict[str, Any]], dimension: str) -> Any:
    """For each field its correlations and AUC."""
    people = np.array([row["scores"][dimension] for row in rows])
    topics = np.array([row["topic_id"] for row in rows])
    columns = scored(metric, rows)
    groups = [np.flatnonzero(topics == topic) for topic in dict.fromkeys(topics)]
    alone = all(len(group) == 1 for group in groups)
    chance = np.random.default_rng(SEED)
    draws = chance.integers(0, len(groups), (RESAMPLES, len(groups)))
    found: dict[str, Any] = {"topics": len(groups)}
    good = people == people.max()
    for field, x in columns.items():
        if alone:
            rho = spearman(x, people)
            again = [spearman(x[draw], people[draw]) for draw in draws]
            part = 0.0 if field == LENGTH else partial(x, people, columns[LENGTH])
        else:
            each = np.array([spearman(x[g], people[g]) for g in groups])
            rho, again = float(np.nanmean(each)), [float(np.nanmean(each[draw])) for draw in draws]
            parts = [partial(x[g], people[g], columns[LENGTH][g]) for g in groups]
            part = 0.0 if field == LENGTH else float(np.nanmean(parts))
        low, high = np.nanpercentile(again, [2.5, 97.5])
        found[field] = {
            "rho": rho,
            "low": float(low),
            "high": float(high),
            "partial": part,
            "auc": auc(x, good),
            "auc_within": auc(x, good) if alone else auc_within(x, good, groups),
        }
    return found


def spearman(x: Floats, y: Floats) -> float:
    """Spearman's correlation; NaN where a side does not vary."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])


def partial(x: Floats, y: Floats, given: Floats) -> float:
    """Spearman's correlation of x and y given a third; NaN where that one tells all."""
    xy, xz, yz = spearman(x, y), spearman(x, given), spearman(y, given)
    if np.isnan(xz) or np.isnan(yz):
        return xy
    left = (1 - xz * xz) * (1 - yz * yz)
    return float((xy - xz * yz) / np.sqrt(left)) if left > 1e-12 else 0.0


def auc(x: Floats, good: NDArray[np.bool_]) -> float:
    """The probability that a good one has a higher number than another."""
    ranks, many = rankdata(x), int(good.sum())
    return float((ranks[good].sum() - many * (many + 1) / 2) / (many * (len(x) - many)))


def auc_within(x: Floats, good: NDArray[np.bool_], groups: Sequence[NDArray[np.intp]]) -> float:
    """The mean of AUC over the topics that have both."""
    return float(np.mean([auc(x[g], good[g]) for g in groups if 0 < good[g].sum() < len(g)]))


def consistent(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Summaries that all experts called consistent, drawn by the seed."""
    best = [row for row in rows if row["scores"]["consistency"] == 5]
    chance = np.random.default_rng(SEED)
    return [best[k] for k in sorted(chance.permutation(len(best))[:SUMMARIES])]


def seen_of(metric: summeval.Metric, rows: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """For each kind the number of pairs, and the share that each field sees."""
    pairs: dict[str, list[tuple[str, str, str]]] = {kind: [] for kind in KINDS}
    for row in rows:
        seed = f"{SEED}|{row['topic_id']}|{row['system_id']}"
        for kind, texts in corrupted(row["summary"], row["source"], seed).items():
            pairs[kind].append((*texts, row["source"]))
    found = {}
    for kind, triples in pairs.items():
        if not triples:
            continue
        wrong, fine, sources = zip(*triples, strict=True)
        lower = metric.score_batch(wrong, sources=sources)
        higher = metric.score_batch(fine, sources=sources)
        found[kind] = {"pairs": float(len(triples))} | {
            field: share(lower[f"{metric.name}.{field}"], higher[f"{metric.name}.{field}"])
            for field in metric.fields
        }
    return found


def share(lower: Any, higher: Any) -> float:
    """How often one is below the other; ties count half."""
    left, right = np.array(lower), np.array(higher)
    return float(np.mean((left < right) + 0.5 * (left == right)))


def show(title: str, columns: Sequence[str], table: dict[str, Any]) -> None:
    """Print a table, a line for each name."""
    print(f"\n| {title} | " + " | ".join(columns) + " |")
    print("|---|" + "--:|" * len(columns))
    for name, cells in table.items():
        if isinstance(cells, dict):
            numbers = (f"{cells[c]:.0f}" if c == "pairs" else f"{cells[c]:.3f}" for c in columns)
            print(f"| {name} | " + " | ".join(numbers) + " |")


if __name__ == "__main__":
    sys.exit(main())
