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
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from itertools import groupby
from math import nan
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
_READS = {
    **{"references": ("references",), "source": ("sources",), "nothing": ()},
    "both": ("references", "sources"),
}
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

        lists = {one.name: some(getattr(self, one.name)) for one in fields(self)[1:-1]}
        return replace(self, **lists, human={name: some(said) for name, said in self.human.items()})


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
    falling = {f"{m.name}.{field}" for m in made.values() for field in m.lower_is_better}
    up = {name: name not in falling for name in (*columns, LENGTH)}
    store, notes, rows = _Kept(kept, workers), list[str](), list[Row]()
    by_topic: dict[str, list[Floats | None]] = {name: [] for name in up}
    for one in sets:
        scores, more = _tables(one, made, up, store)
        notes += more
        tables = {name: scores[name] for name in up if name in scores}
        ranked = []
        for dimension in one.human:
            people = scores[f"human {dimension}"]
            if not varies(people):
                notes.append(f"{one.name}: {dimension} left out, its scores do not differ")
                continue
            level: Level = "summary" if ((~np.isnan(people)).sum(axis=0) > 1).any() else "global"
            ranked += [people] if level == "summary" else []
            how: dict[str, Any] = {"resamples": resamples, "confidence": confidence, "seed": seed}
            rivals = [name for name in (SIMPLE, LENGTH) if name in tables]
            with warnings.catch_warnings(action="ignore", category=DesignWarning):
                found = agreement(tables, people, rivals, coefficient, level, **how)
            head = {"set": one.name, "human": dimension, "level": level}
            for row in sorted(found, key=lambda row: np.nan_to_num(-row["correlation"], nan=2)):
                above = {name: row.pop(name, None) for name in _ABOVE}
                rows.append({**head, **row, **above})
        for name, column in by_topic.items():
            own = ranked if name in tables else []
            pairs = [pair(metric=tables[name], human=people).tables for people in own]
            values = [topic_values(x, y, coefficient) for x, y in pairs]
            column.append(np.array(values) if values else None)
    if not rows:
        raise ValueError("no set has human scores that differ; choose other columns")
    negated = [name for name, rises in up.items() if not rises]
    notes += [f"negated, because lower is better: {', '.join(negated)}"] * bool(negated)
    means = list(_mean_rows(by_topic, store.seconds, confidence))
    hidden = ["level"] * (len({row["level"] for row in rows}) < 2)
    parts = [StudyTable("agreement", "Correlation with people in each set", rows, hidden)]
    if means:
        title = "Mean of the sets, by topics; microseconds of processor time for a summary"
        parts = [StudyTable("means", title, means), *parts]
    settings = {"coefficient": coefficient, "confidence": confidence, "resamples": resamples}
    return Study(
        "metrics",
        TITLE,
        parts,
        figures=list(_figures(means, rows)),
        settings={**settings, "split": split, "sets": [one.name for one in sets]},
        seed=seed,
        signatures={name: str(m.signature) for name, m in made.items() if name in store.seconds},
        notes=list(dict.fromkeys(notes)),
        values={"rows": sum(len(one.candidates) for one in sets)},
    )


def _tables(
    one: JudgedSet, made: Mapping[str, Metric], up: Mapping[str, bool], store: _Kept
) -> tuple[Scores, list[str]]:
    """Return the scores of a set, those of people as `human …`, higher is better; and notes."""
    result.check_lengths(one.candidates, {"systems": one.systems, "topics": one.topics})
    columns: dict[str, Any] = {LENGTH: [len((text or "").split()) for text in one.candidates]}
    notes = []
    for metric in made.values():
        try:
            found = store.scored(metric, one)
        except ValueError as error:
            why = " ".join(str(error).split())
            notes.append(f"{one.name}: {metric.name} left out, {why}")
        else:
            columns |= {name: found[name] for name in up if name in found}
    people = {f"human {name}": said for name, said in one.human.items()}
    rising = {**up, **dict.fromkeys(people, True)}
    scores = result.pivot(one.systems, one.topics, columns | people, rising)
    notes += [f"{one.name}: {note}" for note in scores.notes if note.startswith("unbalanced")]
    return scores.rising(), notes


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
            swapped |= {"over": "rows" if level == "global" else "systems"}
            swapped |= {"level": level, "alternative": "greater"}
            pvalues.append(permutation_test(own, other, both, coefficient, **swapped).pvalue)
        above[rival] = dict(zip(tables, holm(pvalues).tolist(), strict=True))
    rows = []
    for name, table in tables.items():
        reach = bootstrap_interval(table, people, coefficient, level, over=over, **drawn)
        row: Row = {"metric": name, "correlation": reach.value}
        row |= {"interval": (reach.lower, reach.upper)}
        row |= {"topics": found[name].topics - len(found[name].skipped)}
        rows.append(row | {f"above {split_field(r)[0]}": above[r][name] for r in above})
    return rows


def mean_interval(
    columns: Sequence[AnyArray], confidence: float = 0.95
) -> tuple[float, tuple[float, float]]:
    """Return the mean of the means of columns, and its interval for other items of each.

    By Student's t with the degrees of freedom of Satterthwaite (1946), since columns differ in
    spread and size. NaN is left out; the interval is NaN where a column has one number, and so is
    the mean where it has none.

    >>> middle, interval = mean_interval([np.array([1.0, 2.0, 3.0]), np.array([4.0, 6.0, nan])])
    >>> middle, [round(bound, 3) for bound in interval]
    (3.5, [0.512, 6.488])
    >>> mean_interval([np.array([1.0, 2.0]), np.array([nan])])
    (nan, (nan, nan))
    """
    from scipy.special import stdtrit

    given = [column[~np.isnan(column)] for column in columns]
    if not all(map(len, given)):
        return nan, (nan, nan)
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
    """Scores in a file, a line for each metric and set; each line is added when it is known.

    `seconds` has for each metric the processor time of a summary, a number for each set.
    """

    def __init__(self, path: str | None, workers: int) -> None:
        self._path, self._workers, self._end = path, workers, b""
        self.seconds: dict[str, list[float]] = {}
        self._known: dict[str, dict[str, Any]] = {}
        if path is not None and os.path.exists(path):
            with naming(path), open(path, "rb") as file:
                lines = file.read().split(b"\n")
            self._end = b"\n" if lines[-1] else b""
            for line in lines:
                with suppress(ValueError):  # half a line of a run that was killed
                    self._known |= json.loads(line)

    def scored(self, metric: Metric, one: JudgedSet) -> dict[str, Floats]:
        """Return the scores of a metric by column; `ValueError` where there are none."""
        sides = {name: getattr(one, name) for name in _READS[metric.compared_with]}
        if not all(side and any(side) for side in sides.values()):
            raise ValueError("the set lacks what it reads")
        how: dict[str, Any] = {"group": one.topics} if isinstance(metric, Consensus) else {}
        texts = [str(metric.signature), one.candidates, sides, how]
        key = sha256(json.dumps(texts).encode()).hexdigest()
        if key not in self._known:
            if not how:  # what is loaded for the first row is not its cost
                first = {name: side[:1] for name, side in sides.items()}
                metric.score_batch(one.candidates[:1], **first)
            begun = time.process_time()
            table = metric.score_batch(one.candidates, **sides, **how, workers=self._workers)
            spent = (time.process_time() - begun) / len(one.candidates)
            scores = {field: table[f"{metric.name}.{field}"].tolist() for field in metric.fields}
            self._known[key] = finite({"set": one.name, "seconds": spent, "scores": scores})
            if self._path is not None:
                line = json.dumps({key: self._known[key]})
                with naming(self._path), open(self._path, "ab") as file:
                    file.write(self._end + line.encode() + b"\n")
                self._end = b""
        self.seconds.setdefault(metric.name, []).append(self._known[key]["seconds"])
        found = self._known[key]["scores"].items()
        return {f"{metric.name}.{name}": np.array(column, np.float64) for name, column in found}


def _mean(columns: Floats) -> Floats:
    """Return the mean over dimensions [dimension, topic] of the topics that have a correlation."""
    means: Floats = np.nanmean(columns[:, ~np.isnan(columns).all(axis=0)], axis=0)
    return means


def _mean_rows(
    by_topic: Mapping[str, Sequence[Floats | None]],
    seconds: Mapping[str, Sequence[float]],
    confidence: float,
) -> Iterator[Row]:
    """Yield a row for each metric with a correlation, best first."""
    rows = []
    for name, columns in by_topic.items():
        pairs = zip(columns, by_topic[SIMPLE], strict=True)
        apart = [_mean(a - b) for a, b in pairs if a is not None and b is not None]
        apart = [one for one in apart if len(one)] if name != SIMPLE else []
        if own := [one for a in columns if a is not None and len(one := _mean(a))]:
            row: Row = {"metric": name, "sets": len(own)}
            row["mean"], row["interval"] = mean_interval(own, confidence)
            less, reach = mean_interval(apart, confidence) if apart else (None, None)
            spent = seconds.get(split_field(name)[0])
            cost = None if spent is None else 1e6 * float(np.mean(spent))
            rows.append({**row, "minus r1s": less, "interval of it": reach, "cost": cost})
    yield from sorted(rows, key=lambda row: -row["mean"])


def _figures(means: Sequence[Row], rows: Sequence[Row]) -> Iterator[StudyFigure]:
    """Yield a figure of the means, and one of each set and dimension."""
    if means:
        series = [Series.of(means, "metric", "mean", "interval")]
        yield StudyFigure("means", "Mean of the sets", "bars", "correlation", "", series)
    for place, own in groupby(rows, key=lambda row: (row["set"], row["human"])):
        series = [Series.of(list(own), "metric", "correlation", "interval")]
        name = re.sub(r"\W+", "-", "-".join(place).lower())
        yield StudyFigure(name, ", ".join(place), "bars", "correlation", "", series)
