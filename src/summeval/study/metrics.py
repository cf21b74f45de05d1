"""Metrics beside people on sets of judgements, and beside the two that any should beat.

These are r1s, the recall of ROUGE-1 with stems and without stop words, and the number of words.
"""

from __future__ import annotations

import json
import os
import re
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from math import isnan, nan
from typing import Any

import numpy as np

from summeval._arrays import AnyArray, Floats
from summeval._options import check_choice
from summeval.io import naming
from summeval.io.rows import finite
from summeval.meta.arrays import Coefficient, DesignWarning, Level, Over, pair, varies
from summeval.meta.comparison import holm
from summeval.meta.correlations import correlate, topic_values
from summeval.meta.significance import bootstrap_interval, permutation_test
from summeval.metrics.consensus import Consensus
from summeval.metrics.registry import metric as make
from summeval.metrics.registry import split_field
from summeval.metrics.run.base import Metric
from summeval.study import result
from summeval.study.result import Row, Series, Study, StudyFigure, StudyTable
from summeval.table.scores import Scores

TITLE = "Agreement of metrics with people, beside r1s and length"
HALVES = ("tune", "report")
SIMPLE, LENGTH = "r1s.recall", "length"
_COPIED = ("coverage", "novel3", "repetition")
_READS = {"references": (0,), "source": (1,), "both": (0, 1), "nothing": ()}
_ABOVE = ("above r1s", "above length")
_SWAPS = 10_000


@dataclass(frozen=True)
class JudgedSet:
    """Summaries of one set, a list item for each.

    Attributes
    ----------
    name : str
    systems, topics : sequence of str
    candidates : sequence of str or None
    references, sources : sequence of (list of str or None), or None
        None if the set has none.
    human : mapping of str to sequence of (float or None)
        By dimension.
    """

    name: str
    systems: Sequence[str]
    topics: Sequence[str]
    candidates: Sequence[str | None]
    references: Sequence[Any] | None
    sources: Sequence[Any] | None
    human: Mapping[str, Sequence[float | None]]

    def half(self, split: str) -> JudgedSet:
        """Return the rows whose topics are in this half, which the name of a topic decides.

        >>> one = JudgedSet("x", ["a"] * 4, ["1", "2", "3", "4"], ["."] * 4, None, None, {})
        >>> [one.half(split).topics for split in HALVES]
        [['2', '3'], ['1', '4']]
        """
        check_choice("split", split, HALVES)
        halves = [HALVES[sha256(str(topic).encode()).digest()[0] % 2] for topic in self.topics]
        rows = [row for row, half in enumerate(halves) if half == split]
        if not rows:
            raise ValueError(f"{self.name} has no topic in the half {split!r}; give more topics")

        def some(column: Sequence[Any] | None) -> Any:
            return None if column is None else [column[row] for row in rows]

        texts = {name: some(getattr(self, name)) for name in ("systems", "topics", "candidates")}
        texts |= {"references": some(self.references), "sources": some(self.sources)}
        return replace(self, **texts, human={name: some(said) for name, said in self.human.items()})


def metrics(
    sets: Sequence[JudgedSet],
    given: Sequence[Metric],
    columns: Sequence[str] = (),
    *,
    split: str | None = None,
    coefficient: Coefficient = "spearman",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
    kept: str | None = None,
) -> Study:
    """Correlate metrics with each dimension of each set, and test them against r1s and length.

    The correlation is that of the systems of each topic, the mean over topics; in a set with one
    summary of each topic, that of all rows. The tests are one-sided permutation tests that swap
    whole systems (there: rows), with Holm's correction over the metrics. Where there are sources,
    coverage, new trigrams and repetition (`Extractiveness`) are listed too. Metrics in which lower
    is better are negated.

    Parameters
    ----------
    sets : sequence of JudgedSet
    given : sequence of Metric
    columns : sequence of str
        Such as `rouge1.recall`; by default the primary field of each metric.
    split : {"tune", "report"}, optional
        One half of the topics: choose by one, and report the other. Their names decide, so that
        a topic is in the same half in all sets and runs.
    coefficient : {"pearson", "spearman", "kendall"}
        Of correlation.
    resamples : int
        Draws of each interval, of topics and systems.
    confidence : float
        Confidence level of the intervals, from 0 to 1.
    seed : int
        Of the draws.
    workers : int
        Threads.
    kept : str, optional
        A file in which scores are kept and found again, by texts and signature.

    Returns
    -------
    Study
        The tables "means" (the mean of the sets, its difference to that of r1s, each with Student's
        interval for other topics; microseconds of processor time for a summary) and "agreement"
        (each set and dimension; p-values of being better than r1s and length).

    Raises
    ------
    ValueError
        Columns of different lengths, a repeated row, no topic in a half, or no dimension in which
        human scores differ.

    Examples
    --------
    >>> texts = ["the cat sat down", "the cat sat", "the cat", "dogs"]
    >>> human = {"content": [4, 3, 2, 1]}
    >>> one = JudgedSet("x", list("abcd"), ["t"] * 4, texts, [texts[:1]] * 4, None, human)
    >>> found = metrics([one], [make("rouge1")], resamples=10)
    >>> [(row["metric"], round(row["correlation"], 2)) for row in found.tables[-1].rows]
    [('rouge1.fmeasure', 1.0), ('length', 1.0), ('r1s.recall', 0.77)]
    """
    if split is not None:
        sets = [one.half(split) for one in sets]
    if any(metric.name == "r1s" for metric in given):
        raise ValueError("r1s is compared with anyway; give your metric another label")
    columns = list(columns) or [f"{metric.name}.{metric.primary}" for metric in given]
    columns += [SIMPLE, *(f"extractiveness.{field}" for field in _COPIED)]
    options = {"stemmer": "porter", "stopwords": True, "aggregate": "average"}
    made = {metric.name: metric for metric in given}
    made["r1s"] = make("rouge1", **options, label="r1s")
    made.setdefault("extractiveness", make("extractiveness"))
    shown, store, notes, rows = [*dict.fromkeys(columns), LENGTH], _Kept(kept), [], list[Row]()
    how: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
    by_topic: dict[str, list[Floats | None]] = {name: [] for name in shown}
    spent: dict[str, list[float]] = {}
    for one in sets:
        scores, more = _tables(one, made, shown, store, workers, spent)
        notes += more
        measured = [name for name in shown if name in scores]
        said, more = _dimensions(one, scores)
        notes += more
        for dimension, (level, people) in said.items():
            head = {"set": one.name, "human": dimension, "level": level}
            tables = {name: scores[name] for name in measured}
            rivals = [name for name in (SIMPLE, LENGTH) if name in tables]
            with warnings.catch_warnings(action="ignore", category=DesignWarning):
                found = agreement(tables, people, rivals, coefficient, level, **how)
            for row in sorted(found, key=_falling):
                above = {name: row.pop(name, None) for name in _ABOVE}
                rows.append({**head, **row, **above})
        ranked = [people for level, people in said.values() if level == "summary"]
        for name, column in by_topic.items():
            own = ranked if name in measured else []
            values = [_of_topics(scores[name], people, coefficient) for people in own]
            column.append(_mean(np.array(values)) if values else None)
    if not rows:
        raise ValueError("no set has human scores that differ; choose other columns")
    negated = [n for n in shown if n != LENGTH and _falls(made, n)]
    notes += [f"negated, because lower is better: {', '.join(negated)}"] * bool(negated)
    cost = {name: 1e6 * float(np.mean(seconds)) for name, seconds in spent.items()}
    means = list(_mean_rows(by_topic, cost, confidence))
    hidden = ["level"] * (len({row["level"] for row in rows}) < 2)
    parts = [StudyTable("agreement", "Correlation with people in each set", rows, hidden)]
    if means:
        title = "Mean of the sets, by topics; microseconds of processor time for a summary"
        parts = [StudyTable("means", title, means), *parts]
    return Study(
        "metrics",
        TITLE,
        parts,
        figures=list(_figures(means, rows)),
        settings={
            **{"coefficient": coefficient, "confidence": confidence, "resamples": resamples},
            **{"split": split, "sets": [one.name for one in sets]},
        },
        seed=seed,
        signatures={name: str(m.signature) for name, m in made.items() if name in spent},
        notes=list(dict.fromkeys(notes)),
        values={"rows": sum(len(one.candidates) for one in sets)},
    )


def _tables(  # noqa: PLR0917 - all that a set is scored by
    one: JudgedSet,
    made: Mapping[str, Metric],
    shown: Sequence[str],
    store: _Kept,
    workers: int,
    spent: dict[str, list[float]],
) -> tuple[Scores, list[str]]:
    """Return the scores of a set and its judgements, and notes; adds the seconds of each metric."""
    result.check_lengths(one.candidates, {"systems": one.systems, "topics": one.topics})
    columns: dict[str, Any] = {LENGTH: [len((text or "").split()) for text in one.candidates]}
    notes = []
    for metric in made.values():
        found, why = store.scored(metric, one, workers)
        if why:
            notes.append(f"{one.name}: {metric.name} left out, {why}")
            continue
        spent.setdefault(metric.name, []).append(found.pop("seconds") / len(one.candidates))
        columns |= {name: found[name] for name in shown if name in found}
    people = {f"human {name}": said for name, said in one.human.items()}
    up = {name: name == LENGTH or not _falls(made, name) for name in columns}
    scores = result.pivot(
        one.systems, one.topics, columns | people, up | dict.fromkeys(people, True)
    )
    notes += [f"{one.name}: {note}" for note in scores.notes if note.startswith("unbalanced")]
    return scores.rising(), notes


def _falls(made: Mapping[str, Metric], column: str) -> bool:
    """Return whether lower is better in a column of scores."""
    name, _, field = column.rpartition(".")
    return field in made[name].lower_is_better


def _dimensions(
    one: JudgedSet, scores: Scores
) -> tuple[dict[str, tuple[Level, AnyArray]], list[str]]:
    """Return the level and the judgements of each dimension in which they differ, and notes."""
    found: dict[str, tuple[Level, AnyArray]] = {}
    notes = []
    for dimension in one.human:
        said = scores[f"human {dimension}"]
        several = ((~np.isnan(said)).sum(axis=0) > 1).any()
        if varies(said):
            found[dimension] = "summary" if several else "global", said
        else:
            notes.append(f"{one.name}: {dimension} left out, its scores do not differ")
    return found, notes


def agreement(
    tables: Mapping[str, AnyArray],
    people: AnyArray,
    rivals: Sequence[str],
    coefficient: Coefficient = "spearman",
    level: Level = "summary",
    *,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[Row]:
    """Return the correlation of each metric with people, and whether it is above some of them.

    Parameters
    ----------
    tables : mapping of str to array [system, topic]
        Of metrics in which higher is better.
    people : array [system, topic]
    rivals : sequence of str
        The metrics to be tested against.
    coefficient, level, resamples, confidence, seed
        As for `bootstrap_interval`; systems and topics are drawn, at the global level topics.

    Returns
    -------
    list of dict
        `metric`, `correlation`, `interval`, the number of `topics` that have a correlation, and for
        each rival `above NAME`, a one-sided p-value after Holm's correction over the metrics, NaN
        for itself and where a side does not vary.

    Examples
    --------
    >>> good = np.arange(40.0).reshape(8, 5)
    >>> found = agreement({"good": good, "poor": good % 3}, good, ["poor"], resamples=99)
    >>> [(row["metric"], round(row["correlation"], 2), row["topics"]) for row in found]
    [('good', 1.0, 5), ('poor', 0.01, 5)]
    >>> [round(row["above poor"], 3) for row in found]
    [0.004, nan]
    """
    found = {name: correlate(table, people, coefficient, level) for name, table in tables.items()}
    drawn: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
    over: Over = "topics" if level == "global" else "both"
    above = {}
    for rival in rivals if len(tables) > 1 else ():
        pvalues = []
        for name, table in tables.items():
            both = np.where(np.isnan(tables[rival] + table), nan, people)
            both[:, list(found[name].skipped)] = nan  # on the topics of the metric
            known = ~np.isnan(both)
            own, other = (np.where(known, side, nan) for side in (table, tables[rival]))
            if name == rival or not all(varies(side) for side in (own, other, both)):
                pvalues.append(nan)
                continue
            swapped: dict[str, Any] = {"resamples": _SWAPS, "seed": seed}
            swapped |= {"over": "rows"} if level == "global" else {}
            swapped |= {"level": level, "alternative": "greater"}
            pvalues.append(permutation_test(own, other, both, coefficient, **swapped).pvalue)
        above[rival] = dict(zip(tables, holm(pvalues).tolist(), strict=True))
    rows = []
    for name, table in tables.items():
        reach = bootstrap_interval(table, people, coefficient, level, over=over, **drawn)
        rows.append(
            {
                "metric": name,
                "correlation": reach.value,
                "interval": (reach.lower, reach.upper),
                "topics": found[name].topics - len(found[name].skipped),
                **{f"above {split_field(rival)[0]}": ps[name] for rival, ps in above.items()},
            }
        )
    return rows


def mean_interval(
    columns: Sequence[AnyArray], confidence: float = 0.95
) -> tuple[float, tuple[float, float]]:
    """Return the mean of the means of columns, and its interval for other items of each.

    By Student's t with the degrees of freedom of Satterthwaite (1946), since columns differ in
    spread and size. NaN is left out; the interval is NaN where a column has one number.

    >>> middle, interval = mean_interval([np.array([1.0, 2.0, 3.0]), np.array([4.0, 6.0, nan])])
    >>> middle, [round(bound, 3) for bound in interval]
    (3.5, [0.512, 6.488])
    """
    from scipy.special import stdtrit

    given = [column[~np.isnan(column)] for column in columns]
    middle = float(np.mean([one.mean() for one in given]))
    if any(len(one) < 2 for one in given):
        return middle, (nan, nan)
    spreads = np.array([one.var(ddof=1) / len(one) for one in given])
    if not spreads.sum():
        return middle, (middle, middle)
    parts = zip(spreads, given, strict=True)
    freedom = spreads.sum() ** 2 / sum(spread**2 / (len(one) - 1) for spread, one in parts)
    half = stdtrit(freedom, (1 + confidence) / 2) * np.sqrt(spreads.sum()) / len(given)
    return middle, (float(middle - half), float(middle + half))


class _Kept:
    """Scores in a file, a line for each metric and set; each line is added when it is known."""

    def __init__(self, path: str | None) -> None:
        self._path, self._known, self._end = path, dict[str, dict[str, Any]](), b""
        if path is not None and os.path.exists(path):
            with naming(path), open(path, "rb") as file:
                lines = file.read().split(b"\n")
            # A run that was killed leaves half a line, which is scored and written again.
            self._end = b"\n" if lines[-1] else b""
            self._known = {one["key"]: one["scores"] for one in map(_line, lines) if one}

    def scored(self, metric: Metric, one: JudgedSet, workers: int) -> tuple[dict[str, Any], str]:
        """Return the scores of a metric by column, its seconds; and why there are none."""
        sides = [(one.references, one.sources)[side] for side in _READS[metric.compared_with]]
        if not all(side and any(side) for side in sides):
            return {}, "the set lacks what it reads"
        texts = [str(metric.signature), one.candidates, sides]
        texts += [one.topics] * isinstance(metric, Consensus)
        key = sha256(json.dumps(texts).encode()).hexdigest()
        if key not in self._known:
            try:
                scores = _scores(metric, one, workers)
            except ValueError as error:
                return {}, " ".join(str(error).split())
            self._known[key] = finite({name: list(column) for name, column in scores.items()})
            if self._path is not None:
                line = {"key": key, "set": one.name, "scores": self._known[key]}
                with naming(self._path), open(self._path, "ab") as file:
                    file.write(self._end + json.dumps(line).encode() + b"\n")
                self._end = b""
        columns = {name: np.array(v, np.float64) for name, v in self._known[key].items()}
        named = {f"{metric.name}.{field}": column for field, column in columns.items()}
        return named | {"seconds": float(columns["seconds"][0])}, ""


def _line(line: bytes) -> dict[str, Any] | None:
    try:
        return dict(json.loads(line))
    except ValueError:
        return None


def _scores(metric: Metric, one: JudgedSet, workers: int) -> dict[str, list[float]]:
    """Return the scores by field, and the seconds of processor time."""
    reads = _READS[metric.compared_with]
    references = one.references if 0 in reads else None
    sources = one.sources if 1 in reads else None
    how: dict[str, Any] = {"workers": workers}
    how |= {"group": one.topics} if isinstance(metric, Consensus) else {}
    if not isinstance(metric, Consensus):  # what is loaded for the first row is not its cost
        first = [None if side is None else side[:1] for side in (references, sources)]
        metric.score_batch(one.candidates[:1], first[0], sources=first[1])
    begun = time.process_time()
    table = metric.score_batch(one.candidates, references, sources=sources, **how)
    seconds = time.process_time() - begun
    return {field: table[f"{metric.name}.{field}"].tolist() for field in metric.fields} | {
        "seconds": [seconds]
    }


def _of_topics(table: AnyArray, people: AnyArray, coefficient: Coefficient) -> Floats:
    (x, y), _ = pair(metric=table, human=people)
    return topic_values(x, y, coefficient)


def _mean(columns: Floats) -> Floats:
    """Return the mean over dimensions [dimension, topic] of each topic that has a correlation."""
    known = ~np.isnan(columns)
    count = known.sum(axis=0)
    sums = np.where(known, columns, 0.0).sum(axis=0)
    return np.where(count > 0, sums / np.maximum(count, 1), nan)


def _mean_rows(
    by_topic: Mapping[str, Sequence[Floats | None]], cost: Mapping[str, float], confidence: float
) -> Iterator[Row]:
    """Yield a row for each metric with a correlation, best first."""
    rows = []
    for name, columns in by_topic.items():
        own = [one for one in columns if one is not None and not np.isnan(one).all()]
        if not own:
            continue
        pairs = zip(columns, by_topic[SIMPLE], strict=True)
        apart = [a - b for a, b in pairs if a is not None and b is not None]
        apart = [one for one in apart if not np.isnan(one).all()]
        row: Row = {"metric": name, "sets": len(own)}
        row["mean"], row["interval"] = mean_interval(own, confidence)
        none = name == SIMPLE or not apart
        less, reach = (None, None) if none else mean_interval(apart, confidence)
        row |= {"minus r1s": less, "interval of it": reach}
        rows.append(row | {"cost": cost.get(split_field(name)[0])})
    yield from sorted(rows, key=lambda row: -row["mean"])


def _falling(row: Row) -> tuple[bool, float]:
    return isnan(row["correlation"]), -row["correlation"]


def _figures(means: Sequence[Row], rows: Sequence[Row]) -> Iterator[StudyFigure]:
    """Yield a figure of the means, and one of each set and dimension."""
    if means:
        series = [Series.of(means, "metric", "mean", "interval")]
        yield StudyFigure("means", "Mean of the sets", "bars", "correlation", "", series)
    for place, own in groupby(rows, key=lambda row: (row["set"], row["human"])):
        series = [Series.of(list(own), "metric", "correlation", "interval")]
        name = re.sub(r"\W+", "-", "-".join(place).lower())
        yield StudyFigure(name, ", ".join(place), "bars", "correlation", "", series)
