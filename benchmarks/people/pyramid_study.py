"""BEwT-E, Basic Elements, n-gram graphs and ROUGE beside human judgements of content.

    python benchmarks/people/pyramid_study.py DATA... [--topics N] [--workers N]

A DATA file (JSONL, also with .gz) has a summary on each line: topic_id, system_id, summary,
references, scores (a mapping from dimensions to numbers). For each file and each dimension of
DIMENSIONS that it has, a Markdown table of correlations is printed: system level (means of a
system over all topics), then summary level (mean over topics of the correlation over systems;
topics in which a side is constant are left out), each as Pearson / Spearman / Kendall tau-b.

The rows: length in words; ROUGE recall with stems; Basic Elements; BEwT-E with its defaults, with
other weights, without transformations, and without one group of them at a time; n-gram graphs;
these with `case`, which lower-cases texts. Texts are parsed once; the parses stay in the cache of
`summeval.annotate`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import summeval
from summeval.elements.transformations import GROUPS

DIMENSIONS = ("litepyramid_recall", "relevance", "consistency", "coherence")
COEFFICIENTS: tuple[Callable[..., Any], ...] = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
Floats = NDArray[np.float64]
JudgedTexts = list[dict[str, Any]]


def metrics() -> dict[str, Any]:
    """What is compared, by the name of its row, in which recall counts where a metric has one."""
    recall = {"stemmer": "porter", "aggregate": "average"}
    bewte = summeval.BEwTE
    others = [group for group in GROUPS if group != "hype"]
    return {
        "ROUGE-1 recall": summeval.metric("rouge1", **recall),
        "ROUGE-2 recall": summeval.metric("rouge2", **recall),
        "BE (hm, stems)": summeval.metric("be", mode="hm", stemmer="rouge155"),
        "BE (hm1, stems)": summeval.metric("be", mode="hm1", stemmer="rouge155"),
        "BEwT-E": bewte(),
        "BEwT-E, binary": bewte(weights="binary"),
        "BEwT-E, total": bewte(weights="total"),
        "BEwT-E, max": bewte(jackknife=False),
        "BEwT-E, with hyper": bewte(hyper=True),
        "BEwT-E, no transformations": bewte(coefficients={"others": 0}),
        **{f"BEwT-E, without {group}": bewte(coefficients={group: 0}) for group in others},
        "NPowER": summeval.metric("npower"),
        **_in_case("BE (hm, stems)", "be", mode="hm", stemmer="rouge155"),
        **_in_case("BE (hm1, stems)", "be", mode="hm1", stemmer="rouge155"),
        **_in_case("BEwT-E", "bewte"),
        **_in_case("NPowER", "npower"),
    }


def _in_case(title: str, name: str, **options: Any) -> dict[str, Any]:
    metrics = [(case, summeval.metric(name, case=case, **options)) for case in ("auto", "lower")]
    return {f"{title}, case={case}": metric for case, metric in metrics}


def read(path: str, topics: int) -> JudgedTexts:
    """The rows of a file, of its first topics if a number is given."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    kept = list(dict.fromkeys(row["topic_id"] for row in rows))[: topics or None]
    return [row for row in rows if row["topic_id"] in kept and row["references"]]


def score(rows: JudgedTexts, workers: int) -> dict[str, Floats]:
    """What each metric gives the rows."""
    candidates = [row["summary"] for row in rows]
    references = [row["references"] for row in rows]
    found = {"length": np.array([float(len(text.split())) for text in candidates])}
    for name, metric in metrics().items():
        table = metric.score_batch(candidates, references, workers=workers)
        field = "recall" if "recall" in metric.fields else metric.primary
        found[name] = np.asarray(table[f"{metric.name}.{field}"])
    return found


def matrix(rows: JudgedTexts, values: Sequence[float] | Floats) -> Floats:
    """Values as [system, topic], NaN for what is missing."""
    systems = {name: k for k, name in enumerate(dict.fromkeys(row["system_id"] for row in rows))}
    topics = {name: k for k, name in enumerate(dict.fromkeys(row["topic_id"] for row in rows))}
    table = np.full((len(systems), len(topics)), np.nan)
    for row, value in zip(rows, values, strict=True):
        table[systems[row["system_id"]], topics[row["topic_id"]]] = value
    return table


def correlate(ours: Floats, human: Floats) -> list[float]:
    """System level, then summary level, by each coefficient."""
    ours = np.where(np.isnan(human), np.nan, ours)
    sides = np.nanmean(ours, axis=1), np.nanmean(human, axis=1)
    found = [float(coefficient(*sides)[0]) for coefficient in COEFFICIENTS]
    columns = [
        (mine[has], theirs[has])
        for mine, theirs in zip(ours.T, human.T, strict=True)
        for has in [~np.isnan(mine)]
        if has.sum() > 2
    ]
    for coefficient in COEFFICIENTS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.ConstantInputWarning)
            each = [float(coefficient(*column)[0]) for column in columns]
        found.append(float(np.nanmean(each)))
    return found


def table(rows: JudgedTexts, found: dict[str, Floats], dimension: str) -> str:
    """The correlations with one dimension as Markdown."""
    human = matrix(rows, [row["scores"].get(dimension, np.nan) for row in rows])
    lines = [
        "| | system level | summary level |",
        "|---|---|---|",
    ]
    for name, values in found.items():
        numbers = [f"{number:.3f}" for number in correlate(matrix(rows, values), human)]
        lines.append(f"| {name} | {' / '.join(numbers[:3])} | {' / '.join(numbers[3:])} |")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables of each file."""
    parser = argparse.ArgumentParser(
        prog="pyramid_study", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("data", nargs="+", metavar="DATA")
    parser.add_argument("--topics", type=int, default=0, help="use the first N topics only")
    parser.add_argument("--workers", type=int, default=1, help="processes that parse")
    options = parser.parse_args(argv)
    for path in options.data:
        rows = read(path, options.topics)
        begin = time.perf_counter()
        found = score(rows, options.workers)
        seconds = time.perf_counter() - begin
        counts = [len({row[key] for row in rows}) for key in ("system_id", "topic_id")]
        for dimension in DIMENSIONS:
            if any(dimension in row["scores"] for row in rows):
                name = Path(path).name.split(".")[0]
                print(f"\n### {name}, {dimension}: {counts[0]} systems, {counts[1]} topics\n")
                print(table(rows, found, dimension), flush=True)
        print(f"\n{len(found) - 1} metrics on {len(rows)} rows in {seconds:.0f} s.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
