"""How well the metrics agree with people on a data set, beside simple baselines.

    python benchmarks/correlation.py DATA [--metrics NAMES] [--human NAMES] [--scores OUT]

DATA is JSON Lines (.gz too), a summary on each line: "topic_id", "system_id", "summary",
"references" (a list), "source" where there is one, and "scores", an object with a number for each
dimension that people judged. Every metric that reads texts is taken, or those of --metrics; what
cannot be scored is said on standard error and left out. ROUGE runs as researchers mostly run it,
stemmed and averaged over the references; other metrics with their defaults. For ROUGE-Lsum and -W,
which work by sentence, texts without line breaks are split into sentences. The number of words of a
summary (between blanks) is the baseline "length".

Prints Markdown: for each dimension a table with the correlations at the system, summary and global
level, Pearson / Spearman / Kendall, best at the summary level first; before them, of several
dimensions, an overview. Where figures of others for the same data are known they stand in a column
of their own. --scores keeps the rows with their scores, for `summeval report`, and takes them from
there where the file exists already.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import summeval
from summeval.io.judgements import read_rows
from summeval.io.rows import finite
from summeval.meta import Scores, correlate
from summeval.meta.tables import COEFFICIENTS, LEVELS
from summeval.metrics.registry import options_of
from summeval.text import sentences

METRICS = (
    "rouge1 rouge2 rouge3 rougeL rougeLsum rougeW rougeSU4 tesla-s tesla-m be bewte autosummeng"
    " memog npower paraeval qarla-vector simetrix"
).split()
ROUGE = {"stemmer": "porter", "aggregate": "average"}
BY_SENTENCE = ("rougeLsum", "rougeW")
LENGTH = "length"

# Figures that were measured before on all topics of the sets, of which a part may be at hand, by data
# set, dimension and column: LitePyramid with rouge-score 0.1.2, stemmed; SummEval, Spearman only, with
# ROUGE-1 averaged over the references.
OTHERS = "measured before on all topics"
FIGURES: dict[tuple[str, str], dict[str, dict[str, str]]] = {
    ("realsumm", "litepyramid_recall"): {
        "rouge1.recall": {"system": ".91/.92/.76", "summary": ".53/.50/.41"},
        "rouge2.recall": {"system": ".96/.95/.83", "summary": ".46/.43/.36"},
        "rougeL.recall": {"system": ".94/.95/.83", "summary": ".46/.43/.35"},
        LENGTH: {"system": ".63/.67/.49", "summary": ".33/.32/.25"},
    },
    ("pyrxsum", "litepyramid_recall"): {
        "rouge1.recall": {"system": ".98/.96/.91", "summary": ".54/.53/.46"},
        "rouge2.recall": {"system": ".99/.95/.87", "summary": ".55/.52/.47"},
        "rougeL.recall": {"system": ".99/.95/.87", "summary": ".54/.52/.46"},
        LENGTH: {"system": "-.47/-.61/-.42", "summary": "-.15/-.11/-.09"},
    },
    ("summeval", "coherence"): {"rouge1.fmeasure": {"summary": "–/.17/–"}},
    ("summeval", "consistency"): {"rouge1.fmeasure": {"summary": "–/.16/–"}},
    ("summeval", "fluency"): {"rouge1.fmeasure": {"summary": "–/.12/–"}},
    ("summeval", "relevance"): {"rouge1.fmeasure": {"summary": "–/.33/–"}},
}
Row = dict[str, Any]
Cells = dict[str, dict[str, list[float]]]  # column, level: a number for each coefficient


def main(argv: Sequence[str] | None = None) -> int:
    """Score, correlate, print; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", metavar="DATA")
    parser.add_argument("--metrics", default=",".join(METRICS), help="separated by commas")
    parser.add_argument("--human", help="dimensions, separated by commas [all but turker_*]")
    parser.add_argument("--scores", metavar="OUT", help="keep the scores here, or take them")
    given = parser.parse_args(argv)
    if given.scores and os.path.exists(given.scores):
        rows = read_rows(given.scores).rows
    else:
        rows = scored(read_rows(given.data).rows, given.metrics.split(","))
        if given.scores:
            lines = (json.dumps(finite(row), ensure_ascii=False) + "\n" for row in rows)
            Path(given.scores).write_text("".join(lines), encoding="utf-8")
    dimensions = given.human.split(",") if given.human else judged(rows)
    print(*report(Path(given.data).name.partition(".")[0], rows, dimensions), sep="\n")
    return 0


def judged(rows: Sequence[Row]) -> list[str]:
    """The dimensions that experts judged."""
    names = dict.fromkeys(name for row in rows for name in row["scores"])
    return [name for name in names if not name.startswith("turker_") and name != "expert_mean"]


def scored(rows: Sequence[Row], names: Sequence[str]) -> list[Row]:
    """The rows without their texts, with the primary field and the recall of each metric."""
    result: list[Row] = [
        {
            "system": row["system_id"],
            "topic": row["topic_id"],
            "scores": row["scores"],
            LENGTH: len(row["summary"].split()),
        }
        for row in rows
    ]
    for name in names:
        start = time.process_time()
        try:
            options = ROUGE if name.startswith("rouge") else {}
            known = {key: options[key] for key in options if key in options_of(name)}
            metric = summeval.metric(name, **known)
            lines = on_lines if name in BY_SENTENCE else list
            references = [lines(row["references"]) for row in rows]
            table = summeval.score_batch(
                lines([row["summary"] for row in rows]),
                references if metric.against == "references" else None,
                sources=[row["source"] for row in rows] if metric.against == "source" else None,
                metrics=[metric],
            )
        except (ValueError, ImportError, OSError) as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
            continue
        seconds = time.process_time() - start
        print(f"{name}: {seconds:.1f} s, {metric.signature}", file=sys.stderr)
        fields = [name for name in metric.fields if name in (metric.primary, "recall")]
        for field in fields:
            column = f"{name}.{field}"
            for row, value in zip(result, table[column].tolist(), strict=True):
                row[column] = value
    return result


def on_lines(texts: Sequence[str | None]) -> list[str | None]:
    """The texts with each sentence on a line, unless they have lines."""
    return [text if not text or "\n" in text else "\n".join(sentences(text)) for text in texts]


def report(data: str, rows: Sequence[Row], dimensions: Sequence[str]) -> list[str]:
    """The lines of the tables."""
    columns = [key for key in rows[0] if "." in key]
    wanted = [*columns, LENGTH, *(f"scores.{name}" for name in dimensions)]
    scores = Scores.from_rows(rows, wanted)
    size = f"{len(scores.systems)} systems, {len(scores.topics)} topics"
    lines = [f"{data}: {size}, {len(rows):,} summaries; summeval {summeval.__version__}"]
    lines += [f"note: {note}" for note in scores.notes]
    cells = {
        name: {c: measured(scores, c, f"scores.{name}") for c in [*columns, LENGTH]}
        for name in dimensions
    }
    if len(dimensions) > 1:
        lines += ["", *overview(cells)]
    for name in dimensions:
        lines += ["", *details(name, cells[name], FIGURES.get((data, name), {}))]
    return lines


def measured(scores: Scores, column: str, human: str) -> dict[str, list[float]]:
    """The coefficients of a column at each level."""
    return {
        level: [correlate(scores[column], scores[human], c, level).value for c in COEFFICIENTS]
        for level in LEVELS
    }


def overview(cells: Mapping[str, Cells]) -> list[str]:
    """Summary-level Spearman: a row for each column of scores, a column for each dimension."""
    lines = [
        "| summary-level Spearman | " + " | ".join(cells) + " |",
        "|---|" + "--:|" * len(cells),
    ]
    first = next(iter(cells.values()))
    means = {c: sum(cells[name][c]["summary"][1] for name in cells) / len(cells) for c in first}
    for column in sorted(first, key=lambda c: -means[c]):
        texts = (shown(cells[name][column]["summary"][1]) for name in cells)
        lines.append(f"| {column} | " + " | ".join(texts) + " |")
    return lines


def details(dimension: str, cells: Cells, others: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Every level of one dimension, Pearson / Spearman / Kendall."""
    levels = ("system", "summary", "global")
    head = [f"{dimension}, r/ρ/τ", *(f"{level} level" for level in levels)]
    if others:
        head.append(f"{OTHERS}: system; summary")
    lines = ["| " + " | ".join(head) + " |", "|---|" + "--:|" * (len(head) - 1)]
    for column in sorted(cells, key=lambda c: -cells[c]["summary"][1]):
        texts = [column, *("/".join(map(shown, cells[column][level])) for level in levels)]
        if others:
            told = others.get(column, {})
            texts.append("; ".join(told[level] for level in levels if level in told))
        lines.append("| " + " | ".join(texts) + " |")
    return lines


def shown(value: float) -> str:
    """Two digits, without the zero before the point."""
    return f"{round(value, 2) + 0.0:.2f}".replace("0.", ".", 1)


if __name__ == "__main__":
    sys.exit(main())
