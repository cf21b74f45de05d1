"""Jackknife over references, so that human summarisers and systems can be compared.

A reference is scored against the others. A peer is scored against all references but one, for each
one left out, and its score is the mean. So both are compared with the same number of references. A
metric's own jackknife (BEwT-E, ROUGE with `jackknife=True`) is switched off here.

And cross-validation, which leaves out rows in training a combination of metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from summeval.learn.regression import apart
from summeval.metrics.registry import metric as made
from summeval.metrics.run.base import Metric
from summeval.table.cells import Array
from summeval.table.scores import Scores, numbered


class LeftOut(NamedTuple):
    """Scores of one topic.

    Attributes
    ----------
    peers : dict of str to float
        Mean score over the references left out.
    humans : dict of str to float
        Score of each reference against the others.
    """

    peers: dict[str, float]
    humans: dict[str, float]


def leave_one_out(
    metric: str | Metric,
    peers: Mapping[str, str],
    references: Mapping[str, str],
    *,
    field: str | None = None,
    workers: int = 1,
) -> LeftOut:
    """Score the peers and the references of one topic with one reference left out.

    Parameters
    ----------
    metric : str or Metric
        A metric that uses references.
    peers : mapping of str to str
        The summary of each system.
    references : mapping of str to str
        The summary of each human summariser; 2 or more.
    field : str, optional
        The field of the Score to use; default: the metric's value.
    workers : int
        Number of threads; -1 means one per processor.

    Raises
    ------
    ValueError
        Fewer than 2 references, a name used for a peer and a reference, an unknown field, or a
        metric that does not use references.

    Examples
    --------
    >>> people = {"A": "the cat sat", "B": "the cat lay"}
    >>> found = leave_one_out("rouge1", {"1": "the cat"}, people, field="recall")
    >>> {**found.peers, **found.humans}  # 2 of 3 words
    {'1': 0.6666666666666666, 'A': 0.6666666666666666, 'B': 0.6666666666666666}
    """
    chosen = (made(metric) if isinstance(metric, str) else metric).without_jackknife()
    column = _column(chosen, field)
    if len(references) < 2:
        raise ValueError(f"{len(references)} references; leaving one out needs 2 or more")
    if both := sorted(set(peers) & set(references)):
        raise ValueError(f"{', '.join(both)} names a peer and a reference; give each its own name")
    candidates, against = [], []
    for left, own in references.items():
        candidates += [own, *peers.values()]
        others = [text for name, text in references.items() if name != left]
        against += [others] * (1 + len(peers))
    values = chosen.score_batch(candidates, against, workers=workers)[column]
    table = np.reshape(values, (len(references), 1 + len(peers)))
    return LeftOut(
        dict(zip(peers, table[:, 1:].mean(axis=0).tolist(), strict=True)),
        dict(zip(references, table[:, 0].tolist(), strict=True)),
    )


def jackknife_scores(
    metric: str | Metric,
    topics: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]],
    *,
    field: str | None = None,
    workers: int = 1,
) -> Scores:
    """Apply `leave_one_out` to many topics; in the table people appear as systems.

    Parameters
    ----------
    topics : mapping of str to pairs (peers, references)
        Arguments of `leave_one_out`. A name denotes a system in all topics or a person in all
        topics.

    Returns
    -------
    Scores
        One column, named after the metric and the field.

    Examples
    --------
    >>> topics = {"t1": ({"1": "the cat"}, {"A": "the cat sat", "B": "a cat sat"})}
    >>> jackknife_scores("rouge1", topics).systems
    ('1', 'A', 'B')
    """
    chosen = made(metric) if isinstance(metric, str) else metric
    column = _column(chosen, field)
    rows = []
    kinds: dict[str, str] = {}
    for topic, (peers, references) in topics.items():
        try:
            found = leave_one_out(chosen, peers, references, field=field, workers=workers)
            _tell_apart(found, kinds)
        except ValueError as error:
            raise ValueError(f"topic {topic!r}: {error}") from None
        rows += [
            {"topic": topic, "system": system, column: value}
            for system, value in {**found.peers, **found.humans}.items()
        ]
    higher_is_better = chosen.directions[column.rpartition(".")[2]]
    return Scores.from_rows(rows, [column], higher_is_better={column: higher_is_better})


def _tell_apart(found: LeftOut, kinds: dict[str, str]) -> None:
    """Raise if a peer's name denotes a person in an earlier topic, or the reverse."""
    kind_of = dict.fromkeys(found.peers, "peer") | dict.fromkeys(found.humans, "reference")
    for name, kind in kind_of.items():
        if kinds.setdefault(name, kind) != kind:
            raise ValueError(
                f"{name} names a {kind}, in another topic a {kinds[name]}; give each its own name"
            )


def _column(metric: Metric, field: str | None) -> str:
    if metric.compared_with != "references":
        raise ValueError(f"{metric.name} does not compare with references alone; choose another")
    if field is not None and field not in metric.fields:
        raise ValueError(f"{metric.name} has no {field!r}; it has {', '.join(metric.fields)}")
    return f"{metric.name}.{field or metric.primary}"


class Model(Protocol):
    """A trainable model: `fit` rows and their targets, then `predict` rows."""

    def fit(self, x: Any, y: Any, /, *more: Any) -> Any: ...

    def predict(self, x: Any, /) -> Any: ...


def out_of_fold(
    make: Callable[[], Model],
    x: Any,
    y: Any,
    *labels: Sequence[Any],
    fit_with: Sequence[Sequence[Any]] = (),
) -> Array:
    """Predict each row with a model trained without the rows that share its labels.

    With one sequence of labels, such as the topic or year of each row, a row is predicted by a
    model trained on all other topics or years. With several sequences, training leaves out every
    row that shares any label; with topic and system this is SIMetrix's protocol (Louis and Nenkova
    2013).

    Parameters
    ----------
    make : callable
        Returns a new model with `fit` and `predict`.
    x : array [row, feature] or sequence of rows
        Inputs of the model: features or documents.
    y : array [row]
    *labels : sequence, one item for each row
        One or more sequences of labels.
    fit_with : sequence of sequences, one item for each row
        Further arguments of `fit`, such as the topics that a ranking model needs.

    Returns
    -------
    array [row]

    Raises
    ------
    ValueError
        No rows, different lengths, no labels, a label that is None or NaN, or labels that leave no
        rows to train on.

    Examples
    --------
    >>> class Mean:
    ...     def fit(self, x, y):
    ...         self.mean = sum(y) / len(y)
    ...     def predict(self, x):
    ...         return [self.mean] * len(x)
    >>> out_of_fold(Mean, [[0], [0], [0]], [1.0, 2.0, 6.0], ["a", "a", "b"]).tolist()
    [6.0, 6.0, 1.5]
    """
    try:
        targets = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        targets = np.empty((0, 0))
    if targets.ndim != 1 or not len(targets):
        raise ValueError("y must be a non-empty array of numbers [row]")
    if not labels:
        raise ValueError("no labels given; pass the labels to leave out together, such as topics")
    for name, given in (("x", x), *((f"labels {list(k)[:3]}…", k) for k in (*labels, *fit_with))):
        if len(given) != len(targets):
            raise ValueError(
                f"{name} has {len(given)} items but y has {len(targets)} rows; pass as many"
            )
    predictions = np.empty(len(targets))
    for held, training in apart(np.column_stack([_codes(found) for found in labels])):
        if not len(training):
            named = ", ".join(repr(found[held[0]]) for found in labels)
            raise ValueError(f"every row shares {named}; use labels that leave rows to train on")
        model = make()
        more = [_rows(one, training) for one in fit_with]
        model.fit(_rows(x, training), targets[training], *more)
        predictions[held] = model.predict(_rows(x, held))
    return predictions


def _codes(labels: Sequence[Any]) -> NDArray[np.int64]:
    for row, label in enumerate(labels):
        problem = f"row {row} has the label {label!r}; pass the name of its fold"
        if label is None or (isinstance(label, float) and isnan(label)):
            raise ValueError(problem)
        if not isinstance(label, Hashable):
            raise TypeError(f"{problem} by a text or number")
    return numbered(labels)[1]


def _rows(given: Any, rows: NDArray[np.int64]) -> Any:
    return given[rows] if isinstance(given, np.ndarray) else [given[row] for row in rows.tolist()]
