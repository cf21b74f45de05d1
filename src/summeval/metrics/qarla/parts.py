"""The similarities that QARLA compares: columns of metrics, of each text with each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval._arrays import Floats
from summeval._core.columns.lists import items, sizes
from summeval._options import shown
from summeval.metrics.registry import expanded, metric, split_field
from summeval.metrics.run.base import Metric, Metrics
from summeval.metrics.run.declared import Declared
from summeval.metrics.run.suite import Suite

if TYPE_CHECKING:
    from summeval._core.columns.columns import TextColumn


class Parts:
    """Metrics as similarities of a candidate and one reference.

    Attributes
    ----------
    names : tuple of str
        As they were named: `rouge1`, `rouge2.recall`.
    suite : Suite
        The metrics, each once.
    columns : tuple of str
        The column of each name in the suite's tables.
    directions : tuple of bool
        For each name whether a higher number means more similar.

    Parameters
    ----------
    metrics : names and metric objects
        A name may have a field, `rouge2.recall`; without one the metric's value counts. A str has
        names between commas or blanks.
    made : sequence of Metric
        Metrics with options, which take the place of their names.

    Raises
    ------
    ValueError
        No metric, one twice, an unknown one or an unknown field, or a metric that does not compare
        a candidate with a single reference.
    TypeError
        Something that is neither a name nor a metric.

    Examples
    --------
    >>> parts = Parts("rouge1, rouge2.recall")
    >>> parts.columns, parts.directions
    (('rouge1.fmeasure', 'rouge2.recall'), (True, True))
    """

    def __init__(self, metrics: Metrics, made: Sequence[Declared] = ()) -> None:
        known: dict[str, Declared] = {each.name: each for each in made}
        names, columns, directions = [], [], []
        for item in _listed(metrics):
            name, field = split_field(item) if isinstance(item, str) else (item.name, None)
            if name not in known:
                known[name] = metric(name) if isinstance(item, str) else item
            found = known[name]
            if not isinstance(item, str) and found is not item:
                raise ValueError(f"two metrics are called {name!r}; give one of them a label=")
            _check(found, field)
            names.append(item if isinstance(item, str) else name)
            columns.append(f"{name}.{field or found.primary}")
            directions.append(found.directions[field or found.primary])
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"metrics has {name!r} twice; name it once")
        used = {column.rpartition(".")[0] for column in columns}
        self.names, self.columns, self.directions = tuple(names), tuple(columns), tuple(directions)
        self.suite = Suite([each for name, each in known.items() if name in used])
        places = {  # in the blocks of the runners: group, metric, field
            f"{metric.name}.{field}": (number, place, index)
            for number, group in enumerate(self.suite.groups)
            for place, metric in enumerate(group)
            for index, field in enumerate(metric.fields)
        }
        self._places = [places[column] for column in self.columns]

    def without_jackknife(self) -> Parts:
        """Return the same of metrics that do not jackknife."""
        return Parts(self.columns, [metric.without_jackknife() for metric in self.suite.metrics])

    def of_all(self, texts: Sequence[str], workers: int = 1) -> Floats:
        """Return the similarities of every text with every text: [metric, candidate, reference].

        Numbers are as the metrics give them; `directions` says in which direction they count.

        >>> Parts("rouge1").of_all(["a b", "b c"]).tolist()
        [[[1.0, 0.5], [0.5, 1.0]]]
        """
        count = len(texts)
        found = self.suite.score_batch(
            [text for text in texts for _ in texts], list(texts) * count, workers=workers
        )
        return np.stack([found[column].reshape(count, count) for column in self.columns])

    def beside(self, candidates: TextColumn, references: TextColumn, workers: int) -> Floats:
        """The similarities of each candidate with each of its references: [metric, reference].

        The references of one row follow those of the row before; None must be left out. A higher
        number means more similar under every metric.
        """
        blocks = []
        pairs: tuple[TextColumn, TextColumn] | None = None
        for runner in self.suite._runners:
            each = getattr(runner, "run_each", None)
            if each is not None:
                blocks.append(each(candidates, references, workers))
                continue
            if pairs is None:
                rows = np.repeat(np.arange(len(candidates)), sizes(references))
                pairs = candidates.take(rows), items(references, lists=True)
            blocks.append(runner.run_rows(*pairs, workers))
        found = np.empty((len(self.columns), blocks[0].shape[2]))
        for line, (place, up) in enumerate(zip(self._places, self.directions, strict=True)):
            group, metric, field = place
            numbers = blocks[group][metric, field]
            found[line] = numbers if up else -numbers
        return found


def _listed(metrics: Any) -> Sequence[Any]:
    if isinstance(metrics, str):
        metrics = metrics.replace(",", " ").split()
    elif isinstance(metrics, Metric):
        metrics = [metrics]
    elif isinstance(metrics, (dict, type)) or not hasattr(metrics, "__iter__"):
        raise TypeError(f"metrics is {shown(metrics)}; give names or metric objects")
    listed = list(metrics)
    for item in listed:
        if not isinstance(item, (str, Metric)):
            raise TypeError(f"metrics has {shown(item)}; give names or metric objects")
    if not listed:
        raise ValueError("metrics is empty; name at least one")
    return expanded(listed)


def _check(metric: Declared, field: str | None) -> None:
    """Raise unless the metric has the field and compares a candidate with a single reference."""
    if field is not None and field not in metric.fields:
        raise ValueError(f"{metric.name} has no {field!r}; it has {', '.join(metric.fields)}")
    if metric.compared_with != "references":
        raise ValueError(f"{metric.name} does not use references; QARLA needs metrics that do")
    if hasattr(metric, "fit"):
        raise ValueError(f"{metric.name} is trained; QARLA needs similarities of two texts")
    if metric.least_references > 1:
        raise ValueError(
            f"{metric.name} needs {metric.least_references} references; QARLA needs metrics that"
            " compare with one"
        )
