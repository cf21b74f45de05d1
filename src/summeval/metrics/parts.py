"""Several metrics read together, for metrics that are learned from their columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isinf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval._options import unknown
from summeval.metrics import registry
from summeval.metrics.names import expanded
from summeval.metrics.registry import split_field
from summeval.metrics.run.base import Metric
from summeval.metrics.run.declared import Both, ComparedWith, picked
from summeval.metrics.run.runner import has_words
from summeval.metrics.run.suite import Prepared, Suite

if TYPE_CHECKING:
    from numpy import bool_, float64
    from numpy.typing import NDArray

    from summeval.metrics.run.declared import Runner
    from summeval.metrics.run.table import ScoreTable


class Learned(Protocol):
    """A metric that is computed from columns of other metrics."""

    @property
    def name(self) -> str: ...

    @property
    def fields(self) -> tuple[str, ...]: ...

    @property
    def primary(self) -> str: ...

    def values_of(self, x: NDArray[float64], empty: NDArray[bool_]) -> NDArray[float64]:
        """Its fields [field, row] from columns [row, column]; `empty` marks texts without words."""
        ...


def metrics_of(
    parts: Iterable[str | Metric] | str | Metric,
) -> tuple[list[Metric], list[tuple[str, str | None]]]:
    """The metrics of parts, and for each part its metric's name and its field.

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
            column = f"{metric.name}.{field}"
            fields = [f"{metric.name}.{other}" for other in metric.fields]
            raise ValueError(unknown("column", column, fields))
        metrics[metric.name] = metric
        chosen.append((metric.name, field))
    return list(metrics.values()), chosen


def recipes(metrics: Iterable[Metric]) -> dict[str, Any]:
    """How each metric can be made again, for a model file; without those that only Python makes."""
    found = {metric.name: registry.recipe_of(metric) for metric in metrics}
    return {name: recipe for name, recipe in found.items() if recipe is not None}


def restored(
    names: Iterable[str], recipes: Mapping[str, Any], reading: Mapping[str, Any]
) -> list[Metric]:
    """The metrics of a model file: by its recipes, or else those that the names stand for.

    `reading` has options such as `parser`, which no file can set.
    """
    plain = {name: {"name": name, "options": {}} for name in names}
    made = {
        name: registry.remade(recipe, **reading) for name, recipe in (plain | dict(recipes)).items()
    }
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
    rising : list of bool
        Whether higher is better.
    falling, unbounded : frozenset of str
        Names, as of `Metric`.
    """

    names: tuple[str, ...]
    rising: list[bool]
    falling: frozenset[str]
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
    rising = [m.directions[field] for m, field in pairs]
    free = [isinf(m.best[field]) for m, field in pairs]
    return Fields(
        tuple(names),
        rising,
        frozenset(name for name, up in zip(names, rising, strict=True) if not up),
        frozenset(name for name, far in zip(names, free, strict=True) if far),
    )


def read_by(suite: Suite) -> ComparedWith:
    """What all metrics of a suite together compare with."""
    if len(suite.reads) > 1:
        return "both"
    return suite.reads[0] if suite.reads else "nothing"  # type: ignore[return-value]


def directions(suite: Suite, names: Sequence[str]) -> list[bool]:
    """For each of these columns whether higher is better."""
    known = suite.directions
    return [known[name] for name in names]


def is_empty(text: str | None) -> bool:
    """Whether there is a text, and it has no words."""
    return text is not None and not has_words(text)


def same_rows(table: ScoreTable, other: ScoreTable) -> NDArray[bool_]:
    """Which rows are those of the other table (or its only row), column by column."""
    import numpy as np

    pairs = [(table[name], other[name]) for name in table.columns]
    equal = [(one == two) | (np.isnan(one) & np.isnan(two)) for one, two in pairs]
    return np.asarray(np.logical_and.reduce(equal))


class PartsRunner:
    """Runs the metrics of a learned metric, then computes it.

    Parameters
    ----------
    metric : Learned
    suite : Suite
        Of the metrics that are its parts.
    names : sequence of str
        The columns `<metric>.<field>` that count.
    hollow : bool
        Whether a text that all parts score as an empty one is treated as empty, such as one of stop
        words only.
    """

    def __init__(
        self, metric: Learned, suite: Suite, names: Sequence[str], *, hollow: bool = False
    ) -> None:
        self.metric, self.suite, self.names, self.hollow = metric, suite, names, hollow

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        return self.prepare(references).run_pair(candidate)

    def run_rows(
        self, candidates: columns.TextColumn, references: Any, workers: int
    ) -> NDArray[float64]:
        hollow, texts = None, candidates.to_list()
        if self.hollow:
            empty = columns.texts([""] * len(texts), "candidates")
            hollow = self._table(empty, references, workers)
        return self.block(self._table(candidates, references, workers), texts, hollow)

    def prepare(self, references: Any) -> Runner:
        if isinstance(references, Both):
            return PreparedParts(self, self.suite.prepare(references[0], source=references[1]))
        sides = {read_by(self.suite): references}
        source = sides.get("source")
        return PreparedParts(self, self.suite.prepare(sides.get("references"), source=source))

    def block(
        self, table: ScoreTable, texts: Sequence[str | None], hollow: ScoreTable | None
    ) -> NDArray[float64]:
        """The fields [metric, field, row]; `hollow` has the scores of the empty text."""
        import numpy as np

        empty = np.array([is_empty(text) for text in texts], bool)
        if hollow is not None:
            empty |= same_rows(table, hollow)
        x = np.column_stack([table[name] for name in self.names])
        return np.ascontiguousarray(self.metric.values_of(x, empty)[None])

    def _table(self, candidates: columns.TextColumn, side: Any, workers: int) -> ScoreTable:
        blocks = [
            runner.run_rows(candidates, picked(side, group[0].compared_with), workers)
            for group, runner in zip(self.suite.groups, self.suite._runners, strict=True)
        ]
        return self.suite.table(blocks, len(candidates))


class PreparedParts:
    """What candidates are compared with, read by each of the metrics."""

    def __init__(self, runner: PartsRunner, prepared: Prepared[dict[str, Score]]) -> None:
        self._runner = runner
        self._prepared = prepared
        self._hollow = self._table(columns.texts([""], "candidates"), 1) if runner.hollow else None

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        import numpy as np

        scores, metric = self._prepared.score(candidate), self._runner.metric
        pairs = (name.rpartition(".") for name in self._runner.names)
        row = np.array([[scores[name][field] for name, _, field in pairs]])
        empty = is_empty(candidate)
        if self._hollow is not None and not empty:
            theirs = {name: float(column[0]) for name, column in self._hollow.items()}
            places = [name.rpartition(".") for name in theirs]
            mine = [scores[name][field] for name, _, field in places]
            empty = np.array_equal(mine, list(theirs.values()), equal_nan=True)
        values = metric.values_of(row, np.array([empty]))[:, 0]
        return {metric.name: Score(metric.fields, tuple(values.tolist()), metric.primary)}

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> NDArray[float64]:
        table = self._table(candidates, workers)
        return self._runner.block(table, candidates.to_list(), self._hollow)

    def _table(self, candidates: columns.TextColumn, workers: int) -> ScoreTable:
        blocks = [runner.run_rows(candidates, workers) for runner in self._prepared._runners]
        return self._runner.suite.table(blocks, len(candidates))
