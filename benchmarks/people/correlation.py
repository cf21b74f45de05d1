"""How well the metrics agree with people on a data set, beside simple baselines.

    python benchmarks/people/correlation.py DATA [--metrics NAMES] [--human NAMES] [--field NAME]
        [--details] [--scores OUT]

DATA is JSON Lines (.gz too), a summary on each line: "topic_id", "system_id", "summary",
"references" (a list), "source" where there is one, and "scores", an object with a number for each
dimension that people judged. Every metric that reads texts is taken, or those of --metrics; what
cannot be scored is said on standard error and left out, and the signature of each metric is told
there. ROUGE runs as researchers mostly run it, stemmed and averaged over the references; the end
of a name says what else differs from the defaults (-content: without stop words, -stem: stemmed).
What works by sentence splits texts by rules. The simplest competitors stand in every table, in
bold: the number of words of a summary (between blanks), "length"; the recall of rouge1-content,
which the pages call r1s; and, where the rows have a source, what is copied from it (coverage), new
trigrams and repetition.

Prints Markdown: a table with one column of scores for each metric (--field where the metric has it,
otherwise the metric's own value), Spearman at the summary level for each dimension and, with 20
systems or more, at the system level for the first, with 95 % intervals over systems and topics
drawn anew; best first, and a star where it agrees better than length (permutation tests that swap
whole systems, one-sided, Holm's correction over the metrics of a column, level .05). --split names
the topics: dev, cross-validated or unseen. A topic where all scores are equal has no correlation;
where a metric has fewer topics than length their number is told. With --details also a table for
each dimension, of all columns: the correlations at the system, summary and global level,
Pearson / Spearman / Kendall, and beside them the figures of others for the same data where they are
known. --scores keeps the rows with their scores, for `summeval report`, and takes them from
there where the file exists already.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import summeval
from summeval.io.rows import finite
from summeval.meta import Scores, correlate
from summeval.meta.arrays import COEFFICIENTS, LEVELS, Level
from summeval.metrics.run.base import Metric
from summeval.study.metrics import agreement
from summeval.table.cells import Array as Table
from summeval.table.table import read_rows

ROUGE = {"stemmer": "porter", "aggregate": "average"}
METRICS: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, ROUGE) for name in ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL")},
    **{name: (name, {**ROUGE, "sentences": "rules"}) for name in ("rougeLsum", "rougeW")},
    **{name: (name, ROUGE) for name in ("rougeS*", "rougeSU4")},
    "rouge1-content": ("rouge1", {**ROUGE, "stopwords": True}),
    "tesla-s-stem": ("tesla-s", {"stemmer": "rouge155"}),
    "tesla-e": ("tesla-e", {"aggregate": "average"}),
    **{name: (name, {}) for name in ("tesla-s", "tesla-m", "be", "bewte", "bipartite", "paraeval")},
    **{name: (name, {}) for name in ("autosummeng", "memog", "npower", "qarla-vector")},
    **{name: (name, {}) for name in ("simetrix", "support", "readability", "extractiveness")},
    **{name: (name, {"sentences": "rules"}) for name in ("qarla-precision", "qarla-recall")},
}
LENGTH = "length"
COPIED = tuple(f"extractiveness.{field}" for field in ("coverage", "novel3", "repetition"))
SIMPLE = ("rouge1-content.recall", *COPIED)  # which any metric should beat, as it should length
FALLING = ("unsmoothedJSD", "novel3", "repetition")  # fields of which less is better
BY_VALUE = ("tesla-e",)  # metrics whose value is a recall, of more than their field of that name
ALPHA = 0.05
LEAST_SYSTEMS = 20  # with fewer the system level tells next to nothing

# Figures that were measured before on all topics of the sets, of which a part may be at hand, by
# data set, dimension and column: LitePyramid with rouge-score 0.1.2, stemmed; SummEval, Spearman
# only, with ROUGE-1 averaged over the references.
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
JudgedRow = dict[str, Any]
Cells = dict[str, dict[str, list[float]]]  # column, level: a number for each coefficient


def main(argv: Sequence[str] | None = None) -> int:
    """Score, correlate, print; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", metavar="DATA")
    parser.add_argument("--metrics", help="separated by commas [all]")
    parser.add_argument("--human", help="dimensions, separated by commas [all but turker_*]")
    parser.add_argument("--field", help="shown of the metrics that have it, such as recall")
    parser.add_argument("--split", default="dev", help="which topics these are [dev]")
    parser.add_argument("--details", action="store_true", help="every column, level, coefficient")
    parser.add_argument("--scores", metavar="OUT", help="keep the scores here, or take them")
    given = parser.parse_args(argv)
    if given.scores and os.path.exists(given.scores):
        rows = read_rows(given.scores).rows
    else:
        names = given.metrics.split(",") if given.metrics else list(METRICS)
        rows = scored(read_rows(given.data).rows, names)
        if given.scores:
            lines = (json.dumps(finite(row), ensure_ascii=False) + "\n" for row in rows)
            Path(given.scores).write_text("".join(lines), encoding="utf-8")
    dimensions = given.human.split(",") if given.human else judged(rows)
    data = Path(given.data).name.partition(".")[0]
    print(*report(data, rows, dimensions, given.field, given.details, given.split), sep="\n")
    return 0


def judged(rows: Sequence[JudgedRow]) -> list[str]:
    """The dimensions that experts judged."""
    names = dict.fromkeys(name for row in rows for name in row["scores"])
    return [name for name in names if not name.startswith("turker_") and name != "expert_mean"]


def scored(rows: Sequence[JudgedRow], names: Sequence[str]) -> list[JudgedRow]:
    """The rows without their texts, with the primary field and the recall of each metric."""
    result: list[JudgedRow] = [
        {
            "system": row["system_id"],
            "topic": row["topic_id"],
            "scores": row["scores"],
            LENGTH: len(row["summary"].split()),
        }
        for row in rows
    ]
    for name in names:
        try:
            metric = metric_of(name)
            table = summeval.score_batch(
                [row["summary"] for row in rows],
                [row["references"] for row in rows]
                if metric.compared_with == "references"
                else None,
                sources=[row["source"] for row in rows]
                if metric.compared_with == "source"
                else None,
                metrics=[metric],
            )
        except (ValueError, ImportError, OSError) as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
            continue
        print(f"{name}: {metric.signature}", file=sys.stderr, flush=True)
        fields = [f for f in (metric.primary, "recall") if f in metric.fields]
        fields += [field for one, _, field in (c.partition(".") for c in COPIED) if one == name]
        for field in dict.fromkeys(fields):
            column = f"{name}.{field}"
            for row, value in zip(result, table[column].tolist(), strict=True):
                row[column] = value
    return result


def metric_of(name: str) -> Metric:
    """The metric of a name of `METRICS`, or with the defaults that of any other."""
    known, options = METRICS.get(name, (name, {}))
    return summeval.metric(known, **options, **({} if name == known else {"label": name}))


def report(  # noqa: PLR0917 - what `main` was given
    data: str,
    rows: Sequence[JudgedRow],
    dimensions: Sequence[str],
    field: str | None = None,
    with_details: bool = False,
    split: str = "dev",
) -> list[str]:
    """The lines of the tables."""
    columns = [key for key in rows[0] if "." in key]
    wanted = [*columns, LENGTH, *(f"scores.{name}" for name in dimensions)]
    scores = Scores.from_rows(rows, wanted)
    size = f"{len(scores.systems)} systems, {len(scores.topics)} topics"
    lines = [f"{data}: {size}, {len(rows):,} summaries; summeval {summeval.__version__}"]
    lines += [f"note: {note}" for note in scores.notes]
    lines += ["", *overview(scores, one_each(columns, field), dimensions, split)]
    if with_details:
        for name in dimensions:
            found = {c: measured(scores, c, f"scores.{name}") for c in [*columns, LENGTH]}
            lines += ["", *details(name, found, FIGURES.get((data, name), {}))]
    return lines


def one_each(columns: Sequence[str], field: str | None) -> list[str]:
    """For each metric the column of this field, if it is to be shown by it, otherwise its first."""
    kept: dict[str, str] = {}
    for column in columns:
        metric, _, name = column.rpartition(".")
        if metric not in kept or (name == field and metric not in BY_VALUE):
            kept[metric] = column
    return list(dict.fromkeys([*kept.values(), *(one for one in SIMPLE if one in columns)]))


def measured(scores: Scores, column: str, human: str) -> dict[str, list[float]]:
    """The coefficients of a column at each level."""
    return {
        level: [correlate(scores[column], scores[human], c, level).value for c in COEFFICIENTS]
        for level in LEVELS
    }


def overview(
    scores: Scores, columns: Sequence[str], dimensions: Sequence[str], split: str = "dev"
) -> list[str]:
    """Spearman with intervals: the first dimension at both levels, others at the summary level."""
    first, *others = dimensions
    measures: list[tuple[str, Level]] = [(first, "summary")]
    if len(scores.systems) >= LEAST_SYSTEMS:
        measures.append((first, "system"))
    measures += [(name, "summary") for name in others]
    tables = {(f"−{c}" if c.endswith(FALLING) else c): rising(scores, c) for c in columns}
    cells = [with_intervals(tables, scores, *measure) for measure in measures]
    lines = [
        f"| Spearman, {split} | "
        + " | ".join(f"{name}, {level} level" for name, level in measures)
        + " |",
        "|---|" + "---|" * len(measures),
    ]
    for column in sorted([*tables, LENGTH], key=lambda c: -cells[0][c][0]):
        texts = (found[column][1] for found in cells)
        name = f"**{column}**" if column.strip("−") in (LENGTH, *SIMPLE) else column
        lines.append(f"| {name} | " + " | ".join(texts) + " |")
    return lines


def rising(scores: Scores, column: str) -> Table:
    """The scores, turned round where less is better."""
    return -scores[column] if column.endswith(FALLING) else scores[column]


def with_intervals(
    tables: Mapping[str, Table], scores: Scores, dimension: str, level: Level
) -> dict[str, tuple[float, str]]:
    """For each metric, and length, the coefficient and how it is shown."""
    people = scores[f"scores.{dimension}"]
    rows = agreement({**tables, LENGTH: scores[LENGTH]}, people, [LENGTH], level=level)
    topics = rows[-1]["topics"]
    cells = {}
    for row in rows:
        star = "*" if row[f"above {LENGTH}"] <= ALPHA else ""
        low, high = map(shown, row["interval"])
        text = f"{shown(row['correlation'])}{star} [{low}, {high}]"
        fewer = f" ({row['topics']} topics)" * (row["topics"] < topics)
        cells[row["metric"]] = row["correlation"], text + fewer
    return cells


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
