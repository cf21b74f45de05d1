"""The share of each transformation of BEwT-E in its agreement with people.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements".
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import exp, log, nan
from typing import Any, NamedTuple

import numpy as np

from summeval.elements.elements import Element
from summeval.elements.transformations import GROUPS, problems_of
from summeval.meta.arrays import Coefficient, DesignWarning, Level, cautions
from summeval.meta.correlations import correlate
from summeval.meta.significance import bootstrap_interval, koehn_test
from summeval.metrics.elements.bewte import BEwTE
from summeval.metrics.parsed import ReadRow
from summeval.study import result
from summeval.study.result import Series, Study, StudyFigure, StudyTable
from summeval.table.cells import Array as Table
from summeval.table.scores import Scores

LEVELS: tuple[Level, ...] = ("summary", "system")
_TITLE = "Transformations of BEwT-E and agreement with people (Tratz and Hovy 2008)"
_MEANING = {
    "lemm": "lemmas and inflections",
    "syno": "synonyms",
    "prep": "prepositions that share a sense",
    "abbr": "abbreviations",
    "peri": "periods",
    "hype": "hypernyms and hyponyms",
    "name": "names",
    "pron": "pronouns",
    "pert": "pertainyms",
    "memb": "members",
    "swap": "swapped appositions",
    "nppp": "prenominal and prepositional phrases",
    "role": "roles",
    "nomi": "nominalisations",
    "adjv": "adjectives and adverbs",
}

Rows = Sequence[ReadRow[list[Element]]]

# A path is written as one number: that of each group is exp(-_UNIT * _BASE**k), so that the
# logarithm of the product has a digit for each group, the number of times that it is used. No
# path uses a group more than four times. The rounding of a product is 10**-6 of a unit.
_BASE, _UNIT = 5, 1e-9


def transformations(
    candidates: Sequence[str | None],
    references: Sequence[Sequence[str | None] | None],
    systems: Sequence[object],
    topics: Sequence[object],
    human: Mapping[str, Sequence[float | None]],
    *,
    metric: BEwTE | None = None,
    coefficient: Coefficient = "pearson",
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> Study:
    """Score with all transformations, with none, with each one alone, with all but each one.

    Texts are parsed and cut into elements once. A transformation that is off has the coefficient 0.
    Those that are on have the coefficients of `metric`. Hypernyms and hyponyms (`hype`) are off in
    "all", unless `metric` has them on.

    Parameters
    ----------
    candidates : sequence of str or None
    references : sequence of sequences of str
    systems, topics : sequence
        The names of the system and the topic of each row.
    human : mapping of str to sequence of float or None
        The human scores of the rows, by dimension.
    metric : BEwTE, optional
        Its options hold for every choice of transformations.
    coefficient : {"pearson", "spearman", "kendall"}
        Of correlation.
    resamples : int
        Draws of an interval. That of a correlation resamples as
        `summeval.meta.bootstrap_interval` does, that of a difference resamples topics
        (`summeval.meta.koehn_test`).
    confidence : float
        Confidence level of the intervals, from 0 to 1.
    seed : int
        Of the draws.
    workers : int
        Threads, and processes of the parser; the result does not depend on it.

    Returns
    -------
    Study
        The tables "transformations" (correlations at the summary and the system level, with the
        differences to all transformations) and "use" (how many of the pairs that the best
        assignments match need each transformation).

    Raises
    ------
    ValueError
        Columns of different lengths, a repeated row, fewer than two systems or topics, or human
        scores that are missing or all equal.

    Examples
    --------
    The choices of transformations:

    >>> len(runs(hyper=False)), list(runs(hyper=False))[:3]
    (32, ['all', 'none', 'only lemm'])
    """
    bewte = metric or BEwTE()
    result.check_lengths(
        candidates, {"references": references, "systems": systems, "topics": topics, **human}
    )
    if not candidates:
        raise ValueError("there are no rows; give two or more")
    people = _human(systems, topics, human)
    rows = bewte.extract(candidates, references, workers=workers)
    chosen = runs(bewte.matching.hyper)
    filled = result.pivot(systems, topics, _values(rows, chosen, bewte, workers))
    tables = {name: filled[name] for name in chosen}
    used = usage(bewte, rows, workers=workers)
    settings = {"coefficient": coefficient, "resamples": resamples, "confidence": confidence}
    draws = {**settings, "seed": seed}
    with warnings.catch_warnings(action="ignore", category=DesignWarning):
        lines = [_line(run, tables, people[name], name, draws) for name in people for run in tables]
    weak = cautions({"bewte": tables["all"]}, {c: people[c] for c in people}, LEVELS)
    return Study(
        "transformations",
        _TITLE,
        [
            StudyTable("transformations", "Agreement with people", lines),
            StudyTable("use", "Transformations of the pairs that are matched", _use(used)),
        ],
        figures=list(_figures(lines)),
        settings={**settings, "systems": len(people.systems), "topics": len(people.topics)},
        seed=seed,
        signatures={"bewte": str(bewte.signature)},
        notes=list(dict.fromkeys([*weak, *people.notes, *_left_out(rows)])),
        values={"matches": used.matches, "equal": used.equal},
    )


def runs(hyper: bool) -> dict[str, set[str]]:
    """Return what is on by each choice.

    All, none, each one alone, all but each one, and all with hypernyms.
    """
    usual = {group for group in GROUPS if hyper or group != "hype"}
    found = {"all": usual, "none": set[str]()}
    found |= {f"only {group}": {group} for group in GROUPS}
    found |= {f"all but {group}": usual - {group} for group in GROUPS if group in usual}
    return found if hyper else found | {"all and hype": {*GROUPS}}


def _values(
    rows: Rows, chosen: Mapping[str, set[str]], metric: BEwTE, workers: int
) -> dict[str, list[float]]:
    """Return the scores of the rows by each choice."""
    found: dict[str, list[float]] = {}
    coefficients = metric.matching.coefficients
    for hyper in (False, True):
        some = {name: on for name, on in chosen.items() if ("hype" in on) == hyper}
        weights = [
            {group: coefficients[group] if group in on else 0.0 for group in GROUPS}
            for on in some.values()
        ]
        values = scores_by(metric, rows, weights, hyper=hyper, workers=workers)
        found |= dict(zip(some, values, strict=True))
    return found


def _human(
    systems: Sequence[object], topics: Sequence[object], human: Mapping[str, Sequence[Any]]
) -> Scores:
    """Return the human scores as tables, if they can be correlated with anything."""
    if not human:
        raise ValueError("there are no human scores; name a column of them")
    found = result.pivot(systems, topics, human)
    result.check_several("system", found.systems)
    result.check_several("topic", found.topics)
    for column in found:
        result.check_varied(column, found[column])
    return found


def _left_out(rows: Sequence[ReadRow[Any]]) -> list[str]:
    missing = sum(own is None or not others for own, others in rows)
    empty = sum(own == [] for own, others in rows if others)
    notes = [f"{missing} of {len(rows)} rows left out: no candidate or no reference"]
    more = [f"{empty} of {len(rows)} candidates have no element; they score 0"]
    return notes * bool(missing) + more * bool(empty)


def _line(
    run: str, tables: Mapping[str, Table], human: Table, column: str, draws: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the row of a choice: correlations, and differences to those of all transformations."""
    own = tables[run]
    line: dict[str, Any] = {
        "transformations": run,
        "human": column,
        "mean": float(np.nanmean(own)) if not np.isnan(own).all() else nan,
    }
    for level in LEVELS:
        line[level] = correlate(own, human, draws["coefficient"], level).value
        found = bootstrap_interval(own, human, level=level, **draws)
        line[f"{level} interval"] = (found.lower, found.upper)
        less = koehn_test(own, tables["all"], human, level=level, **draws)
        line[f"{level} difference"] = less.full_a - less.full_b
        line[f"{level} difference interval"] = (less.lower, less.upper)
    return line


def _use(used: Use) -> list[dict[str, Any]]:
    whole = used.matches or nan
    counts = [("none", "equal as they are", used.equal, used.equal)]
    counts += [(g, _MEANING[g], used.by_group[g], used.alone[g]) for g in GROUPS]
    columns = "transformation, meaning, pairs, share, pairs with no other"
    return result.rows_of(columns, ((g, said, n, n / whole, own) for g, said, n, own in counts))


def _figures(lines: Sequence[dict[str, Any]]) -> Iterator[StudyFigure]:
    """For each level what is lost with each transformation alone, and without it.

    Of the transformations that are among all, for the first human scores.
    """
    first = lines[0]["human"]
    by_name = {line["transformations"]: line for line in lines if line["human"] == first}
    usual = [group for group in GROUPS if f"all but {group}" in by_name]
    for level in LEVELS:
        name, series = f"{level} difference", []
        for start in ("only", "all but"):
            rows = [by_name[f"{start} {group}"] | {"group": group} for group in usual]
            series.append(Series.of(rows, "group", name, f"{name} interval", start))
        title = f"Difference to all transformations, {level} level"
        labels = f"correlation with {first}, difference to all", "transformation"
        yield StudyFigure(f"transformations_{level}", title, "bars", *labels, series)


class Use(NamedTuple):
    """How often transformations are used in the best assignments.

    Attributes
    ----------
    matches : int
        All matched pairs of elements.
    equal : int
        Those that match as they are.
    by_group : dict of str to int
        Those that need this transformation, maybe among others.
    alone : dict of str to int
        Those that need this one only.
    """

    matches: int
    equal: int
    by_group: dict[str, int]
    alone: dict[str, int]


def scores_by(
    metric: BEwTE, rows: Rows, runs: Sequence[Mapping[str, float]], *, hyper: bool, workers: int = 1
) -> Iterator[list[float]]:
    """Yield the value of each row for each of several coefficients; NaN where a text is missing.

    Parameters
    ----------
    metric : BEwTE
    rows : sequence of (elements or None, list of elements)
        As `BEwTE.extract` returns them.
    runs : sequence of mapping of str to float
        As `read_coefficients` returns them; 0 switches a group off.
    hyper : bool
        Whether hypernyms and hyponyms are among the transformations.
    workers : int
    """
    given = [own is not None and bool(others) for own, others in rows]
    own, references = _both(rows)
    matching = replace(metric.matching, hyper=hyper)
    for found in matching.matches_by(own, references, runs, workers):
        values = iter(score.recall for score in metric.combine(found, workers))
        yield [next(values) if has else float("nan") for has in given]


def usage(metric: BEwTE, rows: Rows, *, workers: int = 1) -> Use:
    """Count what the best assignments of each candidate with each reference use.

    The assignments are those with the coefficients of the metric. Where several paths lead to the
    same match, the one counts whose last group, in the order of `GROUPS`, comes first.
    """
    own, references = _both(rows)
    marks = {group: exp(-_UNIT * _BASE**k) for k, group in enumerate(GROUPS)}
    runs = [metric.matching.coefficients, marks]
    found, marked = metric.matching.matches_by(own, references, runs, workers)
    paths: list[list[str]] = []
    for row, same in zip(found, marked, strict=True):
        problems = problems_of(row, metric.weights, False)
        for problem, edge in zip(problems, same.edges, strict=True):
            used = edge.value[problem.assigned(worthless=False)]
            paths += _groups(used, list(GROUPS))
    by_group = {group: sum(group in path for path in paths) for group in GROUPS}
    alone = {group: paths.count([group]) for group in GROUPS}
    return Use(len(paths), paths.count([]), by_group, alone)


def _both(rows: Rows) -> tuple[list[Any], list[Any]]:
    """Return the candidates and the references of the rows that have both."""
    kept = [(own, others) for own, others in rows if own is not None and others]
    return [own for own, _ in kept], [others for _, others in kept]


def _groups(values: Table, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the groups that each path uses, which its value tells.

    >>> from numpy import array
    >>> list(_groups(array([1.0, exp(-_UNIT * (2 + 5))]), ["lemm", "syno"]))
    [[], ['lemm', 'syno']]
    """
    for value in values.tolist():
        digits = round(-log(value) / _UNIT)
        yield [name for k, name in enumerate(names) if digits // _BASE**k % _BASE]
