"""How far summaries can be judged by their input alone, beside ROUGE.

Louis and Nenkova 2009, "Automatically Evaluating Content Selection in Summarization without Human
Models"; 2013, "Automatically Assessing Machine Summary Content Without a Gold Standard".
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Mapping, Sequence
from math import factorial, isfinite, isnan, nan, sqrt
from typing import Any, NamedTuple

import numpy as np

from summeval._arrays import Floats
from summeval._options import check_number
from summeval.learn.regression import LinearModel
from summeval.meta.arrays import Coefficient, DesignWarning, cautions, pair
from summeval.meta.correlations import correlate, topic_values
from summeval.meta.jackknife import out_of_fold
from summeval.meta.significance import bootstrap_interval
from summeval.metrics.registry import metric
from summeval.metrics.run.notices import ScoreWarning
from summeval.metrics.scoring import suite
from summeval.metrics.simetrix import Simetrix
from summeval.study import result
from summeval.study.aesop import AS_IN_TAC
from summeval.study.result import Series, Study, StudyFigure, StudyTable
from summeval.table.cells import Array as Table
from summeval.table.scores import listed

REGRESSION, BY_TOPIC = "regression", "regression, topics"
_TITLE = "Evaluation by the input alone (Louis and Nenkova 2009)"
_ROUGE = ("rouge1", "rouge2")
_LEAST = 3  # pairs of which Student's t has a degree of freedom
_LARGEST = 1e100  # a score whose square a float can hold
_MANY = 100  # pairs whose orders are too many for any p-value to reach


class _Set(NamedTuple):
    """The rows of one task: tables [system, topic] of each metric, rising, and of people."""

    name: str
    metrics: dict[str, Table]
    human: dict[str, Table]
    rows: int


def inputs(
    candidates: Sequence[str | None],
    sources: Sequence[str | Sequence[str | None] | None],
    systems: Sequence[Hashable],
    topics: Sequence[Hashable],
    human: Mapping[str, Sequence[float | None]],
    *,
    references: Sequence[str | Sequence[str | None] | None] | None = None,
    tasks: Sequence[Hashable] | None = None,
    simetrix: Simetrix | None = None,
    coefficient: Coefficient = "spearman",
    alpha: float = 0.05,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> Study:
    """Correlate the features of SIMetrix, their regression and ROUGE with people.

    The regression is least squares with an intercept over all features. "regression" predicts a row
    by a model of other topics and other systems, as in the paper; "regression, topics" by one of
    other topics. Features in which a lower number is better are negated.

    Parameters
    ----------
    candidates : sequence of str or None
    sources : sequence of str, of lists of str, or None
        The input of each row: one document or several.
    systems, topics : sequence
        The names of the system and of the topic (the input) of each row.
    human : mapping of str to sequence of float or None
        The human scores of the rows, by dimension.
    references : sequence, optional
        For each row a str, a list of str or None, for the recall of ROUGE-1 and ROUGE-2: stemmed,
        the mean over the references. Without them there is no ROUGE.
    tasks : sequence, optional
        The name of the set of each row, such as query-focused and update; sets are kept apart, also
        in the regression.
    simetrix : Simetrix, optional
        By default with the shipped word counts and `idf="wordfreq"`.
    coefficient : {"pearson", "spearman", "kendall"}
        Of correlation; the paper has Spearman.
    alpha : float
        Level of the test of an input's correlation, from 0 to 1: see `p_value`.
    resamples : int
        Draws of each interval, of topics and systems.
    confidence : float
        Confidence level of the intervals, from 0 to 1.
    seed : int
        Of the draws.
    workers : int
        Threads; the result does not depend on it.

    Returns
    -------
    Study
        The tables "macro" (correlation of the means of systems) and "micro" (correlations of the
        systems of each input: mean, least, greatest, share of inputs with a significant positive
        one). Rows without a candidate, its words or the words of an input are left out.

    Raises
    ------
    ValueError
        Columns of different lengths, a repeated row, one system, one topic, no row with a source,
        or human scores that are missing or all equal.

    Examples
    --------
    >>> storm = "The storm hit the coast. Trains stood still. Schools closed in two towns."
    >>> fire = "A fire closed the port. Ships waited. The fire began in a store of paint."
    >>> good = ["The storm hit the coast and trains stood still.", "A fire closed the port."]
    >>> poor = ["Cats purr.", "A fire is hot."]
    >>> fair = ["Schools closed.", "Ships waited in a store."]
    >>> found = inputs(
    ...     [*good, *fair, *poor], [storm, fire] * 3, ["a", "a", "b", "b", "c", "c"], [1, 2] * 3,
    ...     {"content": [5, 4, 3, 3, 1, 1]}, resamples=10,
    ... )
    >>> [(row["metric"], row["correlation"]) for row in found.tables[0].rows][:2]
    [('simetrix.KLInputSummary', 1.0), ('simetrix.KLSummaryInput', 1.0)]
    """
    settings = {"coefficient": coefficient, "alpha": check_number("alpha", alpha)}
    settings |= {"confidence": confidence, "resamples": resamples}
    if simetrix is None:
        simetrix = Simetrix(idf="wordfreq")
    columns = {"sources": sources, "systems": systems, "topics": topics, **human}
    columns |= {} if references is None else {"references": references}
    result.check_lengths(candidates, columns | ({} if tasks is None else {"tasks": tasks}))
    _check_once(systems, topics, tasks)
    scored, signatures, lower_is_better = _scored(
        simetrix, candidates, sources, references, workers
    )
    unknown = [name for name in _own(scored) if np.isnan(scored[name]).all()]
    if len(unknown) < len(_own(scored)):  # some features only: what they need was not given
        scored = {name: values for name, values in scored.items() if name not in unknown}
        lower_is_better = [name for name in lower_is_better if name in scored]
    notes = (
        [f"negated, because lower is better: {', '.join(lower_is_better)}"]
        if lower_is_better
        else []
    )
    dropped = [name for name in unknown if name not in scored]
    notes += [f"features left out, NaN in every row: {', '.join(dropped)}"] if dropped else []
    notes += [] if references is not None else ["no references, so no ROUGE"]
    texts = enumerate(candidates)
    kept = [row for row, text in texts if text is not None and simetrix.counts(text)]
    notes += _left_out(len(candidates) - len(kept), len(candidates), "candidate without words")
    judged = [row for row in kept if all(isfinite(scored[name][row]) for name in _own(scored))]
    notes += _left_out(len(kept) - len(judged), len(candidates), "no source, or one without words")
    if not judged:
        raise ValueError("no row has both a candidate and a source; name the column of the source")
    sets: dict[Hashable, list[int]] = {}
    for row in judged:
        sets.setdefault("all" if tasks is None else tasks[row], []).append(row)
    found = []
    for name, rows in sets.items():
        labels = [systems[row] for row in rows], [topics[row] for row in rows]
        own = {column: values[rows] for column, values in scored.items()}
        said = {k: np.array([v[row] for row in rows], np.float64) for k, v in human.items()}
        found.append(_set(str(name), labels, own, said, notes))
    with warnings.catch_warnings(action="ignore", category=DesignWarning):
        return _study(found, settings, seed, signatures, notes)


def _check_once(
    systems: Sequence[Hashable], topics: Sequence[Hashable], tasks: Sequence[Hashable] | None
) -> None:
    seen: set[tuple[Hashable, ...]] = set()
    sets = [None] * len(systems) if tasks is None else tasks
    for row, key in enumerate(zip(systems, topics, sets, strict=True), 1):
        if key in seen:
            problem = f"row {row}: system {key[0]!r} is repeated for topic {key[1]!r}"
            raise ValueError(f"{problem}; keep one, or name the sets with tasks (--task)")
        seen.add(key)


def _scored(
    simetrix: Simetrix,
    candidates: Sequence[Any],
    sources: Sequence[Any],
    references: Sequence[Any] | None,
    workers: int,
) -> tuple[dict[str, Floats], dict[str, str], list[str]]:
    """Return the columns, negated where lower is better; signatures; the names of those negated."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f"{simetrix.name}: .* NaN; pass", ScoreWarning)  # a note
        found = simetrix.score_batch(candidates, sources=sources, workers=workers)
    columns = {f"{simetrix.name}.{field}": field for field in simetrix.fields}
    lower_is_better = [name for name, field in columns.items() if field in simetrix.lower_is_better]
    scored = {name: -found[name] if name in lower_is_better else found[name] for name in columns}
    signatures = {simetrix.name: str(simetrix.signature)}
    if references is not None:
        rouge = suite([metric(name, **AS_IN_TAC) for name in _ROUGE])
        table = rouge.score_batch(candidates, references, workers=workers)
        scored |= {f"{name}.recall": table[f"{name}.recall"] for name in _ROUGE}
        signatures |= {name: str(line) for name, line in rouge.signature.items()}
    return scored, signatures, lower_is_better


def _own(scored: Mapping[str, Any]) -> list[str]:
    """Return the columns of features, which the regression takes."""
    return [name for name in scored if name.rpartition(".")[0] not in _ROUGE]


def _left_out(count: int, rows: int, why: str) -> list[str]:
    return [f"{count} of {rows} rows left out: {why}"] if count else []


def _set(
    name: str,
    labels: tuple[list[Hashable], list[Hashable]],
    scored: Mapping[str, Floats],
    human: Mapping[str, Floats],
    notes: list[str],
) -> _Set:
    """Return the tables of one set of rows, with the regression."""
    where = "" if name == "all" else f"in {name} "
    result.check_several("system", labels[0], where)
    result.check_several("topic", labels[1], where)
    own = _own(scored)
    x = np.array([scored[column] for column in own]).T
    columns: dict[str, Any] = dict(scored)
    for dimension, said in human.items():
        result.check_varied(dimension, said)
        known = np.flatnonzero(~np.isnan(said))
        y, others = said[known], [[given[place] for place in known.tolist()] for given in labels]
        largest = np.sort(y)[np.abs(np.sort(y)).argmax()]
        if abs(largest) > _LARGEST:
            raise ValueError(f"a score in {dimension!r} is {largest:g}; give scores up to 1e100")
        for kind, left in ((REGRESSION, others), (BY_TOPIC, others[1:])):
            predicted = np.full(len(said), nan)
            predicted[known] = out_of_fold(lambda: LinearModel(own), x[known], y, *left)
            columns[f"{kind} {dimension}"] = predicted
        if names := [str(name) for name in dict.fromkeys(labels[1]) if name not in set(others[1])]:
            notes.append(f"inputs without a score in {dimension}, left out: {listed(names)}")
    every = columns | {f"human {name}": said for name, said in human.items()}
    tables = result.pivot(*labels, every, dict.fromkeys(every, True))
    notes += [note for note in tables.notes if note.startswith(("unbalanced", "human"))]
    people = {dimension: tables[f"human {dimension}"] for dimension in human}
    notes += cautions({own[0]: tables[own[0]]}, people, ("system", "summary"))
    return _Set(name, {column: tables[column] for column in columns}, people, len(x))


def _study(
    sets: Sequence[_Set],
    settings: Mapping[str, Any],
    seed: int,
    signatures: Mapping[str, str],
    notes: Sequence[str],
) -> Study:
    macro, micro = [], []
    alpha = settings["alpha"]
    draws = {name: value for name, value in settings.items() if name != "alpha"} | {"seed": seed}
    for one in sets:
        for dimension, people in one.human.items():
            for name, table in _shown(one, dimension):
                head = {"task": one.name, "human": dimension, "metric": name}
                macro.append(head | _macro(table, people, draws))
                micro.append(head | _micro(table, people, draws["coefficient"], alpha))
    hidden = ["task"] * (len(sets) < 2) + ["human"] * (len(sets[0].human) < 2)
    tasks = [one.name for one in sets] if len(sets) > 1 else None
    return Study(
        "inputs",
        _TITLE,
        [
            StudyTable("macro", "Systems: correlation of their means over inputs", macro, hidden),
            StudyTable("micro", "Inputs: correlation over the systems of each", micro, hidden),
        ],
        figures=_figures(macro, micro),
        settings={**settings, "human": list(sets[0].human), "tasks": tasks},
        seed=seed,
        signatures=signatures,
        notes=list(dict.fromkeys(notes)),
        values={"rows": sum(one.rows for one in sets)},
    )


def _shown(one: _Set, dimension: str) -> list[tuple[str, Table]]:
    """The metrics beside people's scores of this dimension: the regression is made for each."""
    kinds = REGRESSION, BY_TOPIC
    regressions = [(kind, one.metrics[f"{kind} {dimension}"]) for kind in kinds]
    others = [(k, t) for k, t in one.metrics.items() if not k.startswith(REGRESSION)]
    features = _own(dict(others))
    before = [(name, table) for name, table in others if name in features]
    return [*before, *regressions, *((k, t) for k, t in others if k not in features)]


def _macro(table: Table, people: Table, draws: Mapping[str, Any]) -> dict[str, Any]:
    found = correlate(table, people, draws["coefficient"], "system")
    drawn = bootstrap_interval(table, people, level="system", **draws)
    return {
        "correlation": found.value,
        "interval": (drawn.lower, drawn.upper),
        "systems": found.systems,
    }


def _micro(table: Table, people: Table, coefficient: Coefficient, alpha: float) -> dict[str, Any]:
    values, significant = [], 0
    (x, y), _ = pair(metric=table, human=people)
    sizes = (~np.isnan(x)).sum(axis=0).tolist()
    for one, size in zip(topic_values(x, y, coefficient).tolist(), sizes, strict=True):
        if not isnan(one):
            values.append(one)
            significant += one > 0 and p_value(one, size) < alpha
    count = len(values)
    return {
        "mean": float(np.mean(values)) if values else nan,
        "least": min(values, default=nan),
        "greatest": max(values, default=nan),
        "significant": significant / count if count else nan,
        "inputs": count,
    }


def p_value(correlation: float, size: int) -> float:
    """Return the two-sided p-value of a correlation of so many pairs.

    By Student's t with size - 2 degrees of freedom, the usual approximation for ranks; at least
    2 / size!, that of the two orders of fewest and most agreement, which matters for 5 pairs or
    fewer.

    >>> round(p_value(0.632, 10), 3), p_value(1.0, 4) == 2 / 24, p_value(1.0, 2)
    (0.05, True, 1.0)
    """
    from scipy.special import stdtr

    least = min(1.0, 2 / factorial(size)) if size < _MANY else 0.0
    if size < _LEAST or abs(correlation) >= 1:
        return least
    t = abs(correlation) * sqrt((size - 2) / (1 - correlation**2))
    return max(least, float(2 * stdtr(size - 2, -t)))


def _figures(macro: Sequence[dict[str, Any]], micro: Sequence[dict[str, Any]]) -> list[StudyFigure]:
    """Bars of the metrics, of the first human scores, a series for each task."""
    first = macro[0]["human"]
    figures = []
    for name, rows, field, title in (
        ("macro", macro, "correlation", "Systems: correlation of means with"),
        ("micro", micro, "significant", "Share of inputs with a significant correlation with"),
    ):
        own = [row for row in rows if row["human"] == first]
        bounds = "interval" if "interval" in own[0] else ""
        series = [
            Series.of([row for row in own if row["task"] == task], "metric", field, bounds, task)
            for task in dict.fromkeys(row["task"] for row in own)
        ]
        figures.append(StudyFigure(name, f"{title} {first}", "bars", field, "", series))
    return figures
