"""Several metrics read together, for metrics that are learned from their columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from math import isinf
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summeval._arrays import Bools, Floats
from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import unknown
from summeval.metrics import registry
from summeval.metrics.registry import expanded, split_field
from summeval.metrics.run.base import Metric, Metrics
from summeval.metrics.run.declared import Both, ComparedWith, Declared, picked
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.runner import has_words
from summeval.metrics.run.suite import Prepared, Suite
from summeval.metrics.run.table import ScoreTable

if TYPE_CHECKING:
    from summeval.learn.regression import Shares
    from summeval.metrics.run.explain.explanation import Explanation


INTERACTION = "interaction"


def metrics_of(parts: Metrics) -> tuple[list[Metric], list[tuple[str, str | None]]]:
    """Return the metrics of parts, and for each part its metric's name and its field.

    Parameters
    ----------
    parts : names and metric objects
        A name may end in a field, `simetrix.unsmoothedJSD`; the fields of a metric share it.
    """
    from summeval.metrics.scoring import listed, made

    metrics: dict[str, Metric] = {}
    chosen: list[tuple[str, str | None]] = []
    for item in expanded(listed(parts)):
        name, field = split_field(item) if isinstance(item, str) else ("", None)
        if isinstance(item, str) and name in metrics and field is not None:
            chosen.append((name, field))
            continue
        (metric,) = made([name or item])
        if metric.name in metrics:
            raise ValueError(f"two metrics are called {metric.name!r}; give one of them a label=")
        if field is not None and field not in metric.fields:
            fields = [f"{metric.name}.{other}" for other in metric.fields]
            raise ValueError(unknown("column", f"{metric.name}.{field}", fields))
        metrics[metric.name] = metric
        chosen.append((metric.name, field))
    return list(metrics.values()), chosen


def recipes(metrics: Iterable[Metric]) -> dict[str, Any]:
    """How each metric can be made again, for a model file; without those that only Python makes."""
    found = {metric.name: registry.to_spec(metric) for metric in metrics}
    return {name: recipe for name, recipe in found.items() if recipe is not None}


def restored(
    names: Iterable[str], recipes: Mapping[str, Any], reading: Mapping[str, Any]
) -> list[Metric]:
    """Return the metrics of a model file: by its recipes, or else those that the names stand for.

    `reading` has options such as `parser`, which no file can set.
    """
    every = {name: {"name": name, "options": {}} for name in names} | dict(recipes)
    made = {name: registry.remade(recipe, **reading) for name, recipe in every.items()}
    for name, metric in made.items():
        if metric.name != name:
            raise ValueError(f"{name} is made as {metric.name}")
    return list(made.values())


class Fields(NamedTuple):
    """Columns of metrics as fields of one.

    Attributes
    ----------
    names : tuple of str
        `rouge2` for a main field, else `simetrix_unsmoothedJSD`; hyphens and dots become `_`, so
        that each is an attribute of a `Score`.
    directions : list of bool
        Whether higher is better.
    lower_is_better, unbounded : frozenset of str
        Names, as of `Metric`.
    """

    names: tuple[str, ...]
    directions: list[bool]
    lower_is_better: frozenset[str]
    unbounded: frozenset[str]


def fields_of(suite: Suite, columns: Sequence[str]) -> Fields:
    """These columns `<metric>.<field>` as fields of a metric; `ValueError` for an unknown one."""
    known = {f"{m.name}.{field}": (m, field) for m in suite.metrics for field in m.fields}
    for column in columns:
        if column not in known:
            raise ValueError(unknown("column", column, known))
    pairs = [known[column] for column in columns]
    names = [m.name if field == m.primary else f"{m.name}_{field}" for m, field in pairs]
    names = [re.sub(r"[-.]", "_", name) for name in names]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two parts have the field {twice[0]!r}; give one of them a label=")
    directions = [m.directions[field] for m, field in pairs]
    free = [isinf(m.best[field]) for m, field in pairs]
    lower_is_better = frozenset(name for name, up in zip(names, directions, strict=True) if not up)
    unbounded = frozenset(name for name, far in zip(names, free, strict=True) if far)
    return Fields(tuple(names), directions, lower_is_better, unbounded)


def read_by(suite: Suite) -> ComparedWith:
    """Return what all metrics of a suite together compare with."""
    if len(suite.reads) > 1:
        return "both"
    return suite.reads[0] if suite.reads else "nothing"  # type: ignore[return-value]


def directions(suite: Suite, names: Sequence[str]) -> list[bool]:
    """For each of these columns whether higher is better."""
    known = suite.directions
    return [known[name] for name in names]


def is_empty(text: str | None) -> bool:
    """Return whether there is a text, and it has no words."""
    return text is not None and not has_words(text)


def same_rows(table: ScoreTable, other: ScoreTable) -> Bools:
    """Return which rows are those of the other table (or its only row), column by column."""
    pairs = [(table[name], other[name]) for name in table.columns]
    equal = [(one == two) | (np.isnan(one) & np.isnan(two)) for one, two in pairs]
    return np.asarray(np.logical_and.reduce(equal))


def by_part(
    asked: pieces.Asked,
    suite: Suite,
    columns: Sequence[str],
    shares: Callable[[Sequence[float]], Shares],
) -> Explanation:
    """Return the explanation of a metric that a model makes of columns of others.

    An item for each column, the largest share first, then "intercept", "interaction" if the model
    leaves one, and "floor" with what the least value of the metric adds to them.
    """
    scores = suite.score(asked.candidate, asked.references or None, asked.sources or None)
    places = [column.rpartition(".") for column in columns]
    found = shares([float(scores[name][field]) for name, _, field in places])
    items = pieces.largest_first(
        pieces.whole(column, share, details)
        for column, share, details in zip(columns, found.features, found.details, strict=True)
    )
    rest = [pieces.whole(pieces.INTERCEPT, found.intercept)]
    if found.interaction:
        rest.append(pieces.whole(INTERACTION, found.interaction))
    used = dict.fromkeys(name for name, _, _ in places)
    named = [one for one in suite.metrics if one.name in used]
    return with_parts(asked, pieces.bounded((*items, *rest), asked.value), named)


def with_parts(
    asked: pieces.Asked, items: Iterable[pieces.ExplainedItem], metrics: Iterable[Declared]
) -> Explanation:
    """Return an explanation with those of the metrics that it is made of."""
    from summeval.metrics.run.explain.explanation import explained, explanation_of

    parts = []
    for metric in metrics:
        references = asked.references if metric.compared_with in ("references", "both") else ()
        sources = asked.sources if metric.compared_with in ("source", "both") else ()
        parts.append(explained(pieces.Asked(metric, asked.candidate, references, sources)))
    return explanation_of(asked, items, parts)


class PartsRunner:
    """Runs the metrics of a learned metric, then computes it.

    Parameters
    ----------
    metric : Metric
        Its `values_of` makes the fields [field, row] of columns [row, column], and of which rows
        have an empty text.
    suite : Suite
        Of the metrics that are its parts.
    names : sequence of str
        The columns `<metric>.<field>` that count.
    hollow : bool
        Whether a text that all parts score as an empty one is treated as empty, such as one of stop
        words only.
    """

    _prepared: Prepared[dict[str, Score]] | None = None  # what candidates are compared with
    _empty: ScoreTable | None = None

    def __init__(
        self, metric: Any, suite: Suite, names: Sequence[str], *, hollow: bool = False
    ) -> None:
        self.metric, self.suite, self.names, self.hollow = metric, suite, names, hollow

    def prepare(self, references: Any) -> PartsRunner:
        sides: dict[str, Any] = {read_by(self.suite): references}
        if isinstance(references, Both):
            sides = references._asdict()
        runner = copy(self)
        runner._prepared = self.suite.prepare(sides.get("references"), source=sides.get("source"))
        if self.hollow:
            runner._empty = runner._table(columns.texts([""], "candidates"), (), 1)
        return runner

    def run_pair(self, candidate: str | None, *references: Any) -> dict[str, Score]:
        if self._prepared is None:
            return self.prepare(*references).run_pair(candidate)
        scores, metric = self._prepared.score(candidate), self.metric

        def numbers(names: Iterable[str]) -> list[float]:
            return [scores[name][field] for name, _, field in (n.rpartition(".") for n in names)]

        empty = is_empty(candidate)
        if self._empty is not None and not empty:
            empty_values = [float(column[0]) for column in self._empty.values()]
            empty = np.array_equal(numbers(self._empty), empty_values, equal_nan=True)
        values = metric.values_of(np.array([numbers(self.names)]), np.array([empty]))[:, 0]
        return {metric.name: Score(metric.fields, tuple(values.tolist()), metric.primary)}

    def run_rows(self, candidates: columns.TextColumn, *given: Any) -> Floats:
        """Return the fields [metric, field, row]."""
        *sides, workers = given
        texts = candidates.to_list()
        table = self._table(candidates, sides, workers)
        empty = np.array([is_empty(text) for text in texts], bool)
        if self.hollow:
            blank = columns.texts([""] * len(texts), "candidates")
            empty |= same_rows(table, self._empty or self._table(blank, sides, workers))
        x = np.column_stack([table[name] for name in self.names])
        return np.ascontiguousarray(self.metric.values_of(x, empty)[None])

    def _table(
        self, candidates: columns.TextColumn, sides: Sequence[Any], workers: int
    ) -> ScoreTable:
        runners = self.suite._runners if self._prepared is None else self._prepared._runners
        blocks = []
        for group, runner in zip(self.suite.groups, runners, strict=True):
            read = (picked(side, group[0].compared_with) for side in sides)
            blocks.append(runner.run_rows(candidates, *read, workers))
        return self.suite.table(blocks, len(candidates))
