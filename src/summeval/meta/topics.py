"""QARLA over the topics of a data set: rows gathered by topic, and the means of its measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import isfinite, isnan, nan
from typing import Any

import numpy as np

from summeval.io import RowError
from summeval.io.rows import not_found
from summeval.meta import qarla
from summeval.meta.arrays import pair
from summeval.meta.correlations import value_of
from summeval.meta.qarla import MetricSets, Ties, TripleReading, Variant, mean_sets
from summeval.metrics.qarla.parts import Parts
from summeval.table.cells import Array, find
from summeval.table.scores import balance

_HUMAN = "choose the column with --human"
_JUDGED = "name a metric or a column with --metrics"
FEW_SYSTEMS = 3  # a correlation of two systems is 1 or -1


@dataclass
class Topic:
    """The summaries of one topic.

    Attributes
    ----------
    models : list of str
        The references, then the candidates of people that are not among these.
    peers : dict of str to str
        The candidate of each system.
    """

    models: list[str]
    peers: dict[str, str] = field(default_factory=dict)


class Topics(dict[str, Topic]):
    """Topics by name, gathered row by row.

    Parameters
    ----------
    system, topic : str
        The columns with the system and the topic.
    humans : sequence of str
        Columns with human scores; `scores.x` is x in the object `scores`.
    people : str
        A pattern such as `human*`: the candidates of systems whose name fits are models.
    judged : dict of str to bool
        Columns of numbers that are compared beside the similarities of texts, and whether a higher
        number is better. The number of a text stands for its similarity with every other.

    Examples
    --------
    >>> topics = Topics()
    >>> topics.add({"system": "1", "topic": "t"}, "a cat", ["the cat", "a cat", "cats"])
    >>> topics["t"].peers
    {'1': 'a cat'}
    """

    def __init__(
        self,
        system: str = "system",
        topic: str = "topic",
        humans: Sequence[str] = (),
        people: str = "",
        judged: Mapping[str, bool] | None = None,
    ) -> None:
        super().__init__()
        self.judged = dict(judged or {})
        self.columns = {"topic": topic, "system": system}
        self.humans = tuple(humans)
        self.people = people
        # By column, topic, and system or text of a model.
        self.of_systems: dict[tuple[str, str, str], float] = {}
        self.of_models: dict[tuple[str, str, str], float] = {}
        self._references: dict[str, list[str]] = {}

    def add(
        self, row: Mapping[str, Any], candidate: str | None, references: Sequence[str] | None
    ) -> None:
        """Add a row.

        Raises
        ------
        RowError
            The row lacks its system, its topic or a text, its references differ from those of
            earlier rows of the topic, its system is repeated, or a human score is no number.
        """
        name, system = (self._name(row, option) for option in ("topic", "system"))
        if candidate is None or not references:
            what = "candidate" if candidate is None else "references"
            raise RowError(f"has no {what}", "add the text, or remove the row")
        if self.people and fnmatchcase(system, self.people):
            topic = self.setdefault(name, Topic([]))
            topic.models += [] if candidate in topic.models else [candidate]
            for column in self.judged:
                self.of_models.setdefault((column, name, candidate), _score(row, column, _JUDGED))
            return
        topic = self.setdefault(name, Topic([]))
        known = self._references.setdefault(name, list(references))
        if known != list(references):
            raise RowError(
                f"its references differ from those of earlier rows of topic {name!r}",
                "give every row of a topic the same references in the same order",
            )
        if not topic.peers:  # people's candidates follow the references
            topic.models = [*known, *(text for text in topic.models if text not in known)]
        if system in topic.peers:
            raise RowError(f"system {system!r} is repeated in topic {name!r}", "remove one of them")
        topic.peers[system] = candidate
        for column in (*self.humans, *self.judged):
            hint = _HUMAN if column in self.humans else _JUDGED
            self.of_systems[column, name, system] = _score(row, column, hint)

    @property
    def systems(self) -> list[str]:
        """The systems in order of first appearance."""
        return list(dict.fromkeys(name for topic in self.values() for name in topic.peers))

    def balance(self, systems: Sequence[str]) -> list[str]:
        """Notes on topics that some of these systems lack; see `table.scores.balance`."""
        known = {name: place * len(self) for place, name in enumerate(systems)}
        cells = [known[n] + at for at, topic in enumerate(self.values()) for n in topic.peers]
        return balance(systems, list(self), np.array(cells, dtype=np.int64))

    def human(self, column: str) -> Array:
        """Human scores [system, topic]; NaN where there is none."""
        known = self.of_systems
        return np.array([[known.get((column, t, s), nan) for t in self] for s in self.systems])

    def check_humans(self) -> None:
        """Raise `RowError` unless each column of human scores has a correlation over systems."""
        for human in self.humans:
            scores = self.human(human)
            present = scores[~np.isnan(scores).all(axis=1)]
            hint = "choose another with --human"
            if not len(present):
                raise RowError(f"no row has a number in {human!r}", hint)
            if len(present) < FEW_SYSTEMS:
                many = "1 system has" if len(present) == 1 else f"{len(present)} systems have"
                raise RowError(f"only {many} numbers in {human!r}", "give 3 or more")
            if np.ptp(np.nanmean(present, axis=1)) == 0:
                raise RowError(f"the means of all systems in {human!r} are equal", hint)

    def _name(self, row: Mapping[str, Any], option: str) -> str:
        column = self.columns[option]
        if column not in row:
            raise RowError(not_found(column, row), f"choose the column with --{option}")
        if row[column] in (None, ""):
            raise RowError(f"{column!r} is empty", f"give the {option} of every row")
        if isinstance(row[column], (dict, list)):
            raise RowError(f"{column!r} is not a name", f"give the {option} as a text")
        return str(row[column])


class TopicError(ValueError):
    """QARLA cannot be computed on a topic, which is named by `topic`."""

    def __init__(self, topic: str, message: str) -> None:
        super().__init__(f"topic {topic!r}: {message}")
        self.topic = topic
        self.message = message


@dataclass(frozen=True)
class ScoredTopics:
    """The similarities of all texts of each topic, and the mean KING and JACK of every set.

    Attributes
    ----------
    topics : Topics
    names : sequence of str
        The similarity metrics.
    similarities : list of array [metric, candidate, reference]
        Of each topic, the models first; higher is more similar under every metric.
    sets : MetricSets
        Means over the topics.
    triples, ties, variant : str
        As in `meta.qarla`.
    """

    topics: Topics
    names: Sequence[str]
    similarities: list[Array]
    sets: MetricSets
    triples: TripleReading
    ties: Ties
    variant: Variant

    def queens(self, metrics: Sequence[str]) -> Array:
        """QUEEN [system, topic] by a set of metrics, NaN where a system has no row."""
        members = [self.names.index(name) for name in metrics]
        spread = self._spread(lambda x, n: qarla.queens(x[members], n, self.triples)[None])
        return np.asarray(spread[0])

    def set_queens(self, workers: int = 1) -> Array:
        """QUEEN [set, system, topic] by every set; a set has metric i if ``set >> i & 1``."""
        return self._spread(lambda x, n: qarla.set_queens(x, n, self.triples, workers=workers))

    def _spread(self, queens: Callable[[Array, int], Array]) -> Array:
        """Return a function's values of topics, [set, peer], as an array [set, system, topic]."""
        systems = {name: place for place, name in enumerate(self.topics.systems)}
        pairs = zip(self.similarities, self.topics.values(), strict=True)
        found = [queens(x, len(topic.models)) for x, topic in pairs]
        out = np.full((len(found[0]), len(systems), len(found)), nan)
        for place, (values, topic) in enumerate(zip(found, self.topics.values(), strict=True)):
            out[:, [systems[name] for name in topic.peers], place] = values
        return out


def score_topics(
    topics: Topics,
    parts: Parts,
    *,
    triples: TripleReading = "pairs",
    ties: Ties = "lose",
    variant: Variant = "one_sided",
    workers: int = 1,
    update: Callable[[int, int], object] | None = None,
) -> ScoredTopics:
    """Score every text of each topic with every other, and every set of the metrics.

    `update` is called with the number of topics done and of pairs just scored.

    Raises
    ------
    TopicError
        A topic has too few models or no peer, or a similarity is NaN.
    """
    sets, similarities = [], []
    names = [*parts.names, *topics.judged]
    options: Any = {"names": names, "triples": triples, "ties": ties}
    options |= {"variant": variant, "workers": workers}
    signs = np.where(parts.directions, 1.0, -1.0)[:, None, None]
    for done, (name, topic) in enumerate(topics.items(), 1):
        if not topic.peers:
            raise TopicError(name, "no row of a system, only of people")
        found = parts.of_all([*topic.models, *topic.peers.values()], workers) * signs
        if topics.judged:
            found = np.concatenate([found, _judged(topics, name)])
        try:
            scored = qarla.metric_sets(found, len(topic.models), **options)
        except ValueError as error:
            raise TopicError(name, str(error)) from None
        sets.append(scored)
        similarities.append(found)
        if update is not None:
            update(done, found[0].size)
    means = mean_sets(sets)
    return ScoredTopics(topics, names, similarities, means, triples, ties, variant)


def _judged(topics: Topics, name: str) -> Array:
    """The numbers of judges as similarities with every text [column, candidate, reference]."""
    topic = topics[name]
    found = []
    for column, higher_is_better in topics.judged.items():
        numbers = [topics.of_models.get((column, name, text), nan) for text in topic.models]
        if any(map(isnan, numbers)):
            raise TopicError(
                name,
                f"a reference has no number in {column!r}; give people rows of their own, and name"
                " them with --people",
            )
        numbers += [topics.of_systems[column, name, system] for system in topic.peers]
        if any(map(isnan, numbers)):
            raise TopicError(name, f"a system has no number in {column!r}")
        found.append(np.array(numbers) * (1.0 if higher_is_better else -1.0))
    return np.repeat(np.array(found)[:, :, None], len(numbers), axis=2)


def system_means(queens: Array, systems: Sequence[str]) -> dict[str, float]:
    """Return the mean QUEEN of each system over its topics, in descending order.

    >>> import numpy as np
    >>> system_means(np.array([[0.2, np.nan], [0.5, 0.7]]), ["1", "2"])
    {'2': 0.6, '1': 0.2}
    """
    rows = ([value for value in row if not isnan(value)] for row in queens.tolist())
    found = zip(systems, (sum(values) / len(values) for values in rows), strict=True)
    return dict(sorted(found, key=lambda item: -item[1]))


def correlations_with(
    queens: Array, topics: Topics, coefficients: Sequence[str]
) -> list[dict[str, Any]]:
    """The system-level correlations of QUEEN [system, topic] with each column of human scores."""
    rows = []
    for human in topics.humans:
        (x, y), _ = pair(metric=queens, human=topics.human(human))
        found = {name: value_of(x, y, name, "system") for name in coefficients}  # type: ignore[arg-type]
        rows.append({"human": human, **found})
    return rows


def _score(row: Mapping[str, Any], human: str, hint: str) -> float:
    present, value = find(row, human)
    if not present and "." not in human:
        raise RowError(not_found(human, row), hint)
    if value is None or value == "":
        return nan
    try:
        number = float(value) if not isinstance(value, bool) else nan
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not isfinite(number) and not (isinstance(value, float) and isnan(value)):
        raise RowError(f"{human!r} is {str(value)[:40]!r}", "give a number, or null")
    return number
