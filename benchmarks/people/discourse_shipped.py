"""What the models that come with the package are worth, on every set of judgements.

These are the models that `summeval.metric("readability")` and the others load, called as a user
calls them; no part of them is trained here. Beside each set stands whether they were trained on it:
then the figure tells how well they fit, not how well they do on new summaries, for which the other
parts of this benchmark hold topics and systems out. Spearman's correlation with human scores at the
summary level, the mean over the topics where both vary; `words` is the length, `tesla-s` the
content alone, which needs references.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
from scipy import stats

import summeval

# readability: all; dicomer: the first two; cremer: the first.
TRAINED_ON = ("summeval", "summeval_op")
SETS = {
    "summeval": ("coherence", "fluency", "expert_mean"),
    "summeval_op": ("coherence", "fluency", "relevance"),
    "opinsummeval": ("readability", "self_coh", "mean4"),
    "dialsummeval": ("coherence", "fluency", "mean4"),
    "newsroom": ("coherence", "fluency", "mean4"),
}
METRICS = {
    "readability": summeval.metric("readability"),
    "dicomer": summeval.metric("dicomer"),
    "cremer": summeval.metric("cremer"),
    "coherence-order": summeval.metric("coherence-order"),
    "tesla-s": summeval.metric("tesla-s"),
}


def read(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def within(values: np.ndarray, scores: np.ndarray, topics: np.ndarray) -> float:
    """Spearman's correlation, the mean over the topics where values and scores vary."""
    found = []
    for topic in np.unique(topics):
        here = (topics == topic) & ~np.isnan(values) & ~np.isnan(scores)
        if len(set(values[here])) > 1 and len(set(scores[here])) > 1:
            found.append(stats.spearmanr(values[here], scores[here]).statistic)
    return float(np.mean(found)) if found else float("nan")


def compare(name: str, rows: list[dict]) -> None:
    """Print the table of a set."""
    texts = [row["summary"] for row in rows]
    table = summeval.score_batch(
        texts, [row["references"] for row in rows], metrics=list(METRICS.values())
    )
    topics = np.array([row["topic_id"] for row in rows])
    known = ", trained on it" if name in TRAINED_ON else ""
    print(f"\n### {name}: {len(rows)} summaries{known}\n")
    print(f"| | {' | '.join(SETS[name])} |\n|---|{'---|' * len(SETS[name])}")
    columns = {"words": np.array([len(text.split()) for text in texts], dtype=float)}
    columns |= {label: table[metric.name] for label, metric in METRICS.items()}
    for label, values in columns.items():
        cells = [
            within(values, np.array([row["scores"][dimension] for row in rows], float), topics)
            for dimension in SETS[name]
        ]
        shown = ["" if np.isnan(cell) else f"{cell:.2f}" for cell in cells]
        print(f"| {label} | {' | '.join(shown)} |", flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sets", default=",".join(SETS))


def run(options: argparse.Namespace) -> None:
    """Print a table for each set."""
    for name in options.sets.split(","):
        compare(name, read(options.data / f"{name}.jsonl.gz"))
