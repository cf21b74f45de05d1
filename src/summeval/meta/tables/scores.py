"""Scores of systems on topics, by name: converting rows to tables and reporting gaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from summeval._options import unknown
from summeval.meta.judges.judgements import Judgements
from summeval.meta.tables.arrays import Table
from summeval.meta.tables.cells import find, name_of, number_of
from summeval.meta.tables.directions import directions, negated
from summeval.metrics.registry import direction_of

SHOWN = 5  # names that a note lists


class Scores:
    """Columns of scores, each a table [system, topic].

    Attributes
    ----------
    systems, topics : tuple of str
        In order of first appearance.
    notes : tuple of str
        Problems found: missing cells, topics with one system, names that do not match.
    higher_is_better : dict of str to bool
        Direction of each column. If not given, it is that of the registered `<metric>.<field>` of
        that name; for other names higher is better.
    stated : dict of str to bool
        The same, only for columns with a known direction.
    judgements : dict of str to Judgements
        For columns that are means over judges, the judgements.

    Examples
    --------
    >>> rows = [
    ...     {"system": "1", "topic": "t", "rouge1.recall": 0.5, "overall": 3},
    ...     {"system": "2", "topic": "t", "rouge1.recall": 0.25, "overall": None},
    ... ]
    >>> scores = Scores.from_rows(rows, ["rouge1.recall", "overall"])
    >>> scores["overall"].tolist(), scores.notes
    ([[3.0], [nan]], ('overall: 1 of 2 rows has no value',))
    """

    def __init__(
        self,
        systems: Sequence[str],
        topics: Sequence[str],
        tables: Mapping[str, Table],
        notes: Iterable[str] = (),
        higher_is_better: Mapping[str, bool] | None = None,
        *,
        judgements: Mapping[str, Judgements] | None = None,
    ) -> None:
        self.judgements = dict(judgements or {})
        self.systems, self.topics = tuple(systems), tuple(topics)
        self.notes = tuple(notes)
        self._tables = dict(tables)
        given = {c: up for c, up in (higher_is_better or {}).items() if c in self._tables}
        rising = directions(given, list(self._tables))
        self.stated = {c: up for c in tables if (up := given.get(c, direction_of(c))) is not None}
        self.higher_is_better = dict(zip(self._tables, rising, strict=True))

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Any]],
        columns: Sequence[str],
        *,
        system: str = "system",
        topic: str = "topic",
        higher_is_better: Mapping[str, bool] | None = None,
    ) -> Scores:
        """Build tables from rows that name their system and topic.

        If no row has a column `scores.overall`, "overall" is looked up in an object "scores".
        `higher_is_better` gives the direction of the columns that it names.

        Raises
        ------
        ValueError
            A row lacks its system or topic or is repeated, a value is not a finite number, or no
            row has a column.
        """
        cells: dict[tuple[str, str], list[float]] = {}
        seen = [False] * len(columns)
        for number, row in enumerate(rows, 1):
            place = f"row {number}"
            key = name_of(row, system, place), name_of(row, topic, place)
            if key in cells:
                raise ValueError(
                    f"{place}: system {key[0]!r} is repeated for topic {key[1]!r}; keep one"
                )
            found = [find(row, column) for column in columns]
            seen = [known or present for known, (present, _) in zip(seen, found, strict=True)]
            pairs = zip(columns, found, strict=True)
            cells[key] = [number_of(value, column, place) for column, (_, value) in pairs]
        for column, present in zip(columns, seen, strict=True):
            if not present:
                raise ValueError(f"no row has a column {column!r}")
        return cls._from_cells(cells, columns, higher_is_better)

    @classmethod
    def _from_cells(
        cls,
        cells: Mapping[tuple[str, str], Sequence[float]],
        columns: Sequence[str],
        rising: Mapping[str, bool] | None,
    ) -> Scores:
        systems = list(dict.fromkeys(system for system, _ in cells))
        topics = list(dict.fromkeys(topic for _, topic in cells))
        rows = {name: place for place, name in enumerate(systems)}
        places = {name: place for place, name in enumerate(topics)}
        table = np.full((len(columns), len(systems), len(topics)), nan)
        for (system, topic), values in cells.items():
            table[:, rows[system], places[topic]] = values
        notes = []
        for column in range(len(columns)):
            lacking = len(cells) - int((~np.isnan(table[column])).sum())
            if lacking:
                verb = "has" if lacking == 1 else "have"
                notes.append(f"{columns[column]}: {lacking} of {len(cells)} rows {verb} no value")
        notes += balance(systems, topics, cells)
        return cls(systems, topics, dict(zip(columns, table, strict=True)), notes, rising)

    def __getitem__(self, column: str) -> Table:
        if column not in self._tables:
            raise KeyError(unknown("column", column, self._tables))
        return self._tables[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, column: object) -> bool:
        return column in self._tables

    def choose(
        self, systems: Iterable[str] | None = None, topics: Iterable[str] | None = None
    ) -> Scores:
        """Return the scores of some systems and topics only, such as the best systems.

        Raises
        ------
        ValueError
            An unknown name.

        Examples
        --------
        >>> import numpy as np
        >>> scores = Scores(["1", "2"], ["t"], {"x": np.array([[1.0], [2.0]])})
        >>> scores.choose(systems=["2"])["x"].tolist()
        [[2.0]]
        """
        rows = _places("system", self.systems, systems)
        columns = _places("topic", self.topics, topics)
        tables = {name: table[np.ix_(rows, columns)] for name, table in self._tables.items()}
        names = [self.systems[row] for row in rows], [self.topics[column] for column in columns]
        said = {name: given.choose(*names) for name, given in self.judgements.items()}
        return Scores(names[0], names[1], tables, self.notes, self.stated, judgements=said)

    def rising(self) -> Scores:
        """Return the same scores with columns negated if lower is better.

        Examples
        --------
        >>> import numpy as np
        >>> table = np.array([[1.0], [2.0]])
        >>> scores = Scores(["1", "2"], ["t"], {"x": table}, higher_is_better={"x": False})
        >>> scores.rising()["x"].tolist(), scores.rising().higher_is_better
        ([[-1.0], [-2.0]], {'x': True})
        """
        up = self.higher_is_better
        tables = {c: t if up[c] else negated(t) for c, t in self._tables.items()}
        told = dict.fromkeys(up, True)
        return Scores(
            self.systems, self.topics, tables, self.notes, told, judgements=self.judgements
        )

    def join(self, other: Scores) -> Scores:
        """Join these scores with the columns of others, such as judgements, by name.

        Systems and topics that only one table has are left out, and a note names them.

        Raises
        ------
        ValueError
            The tables share no system or no topic, or both have the same column.
        """
        notes = [*self.notes, *other.notes]
        common = []
        for kind, own, theirs in (
            ("systems", self.systems, other.systems),
            ("topics", self.topics, other.topics),
        ):
            both = [name for name in own if name in set(theirs)]
            if not both:
                raise ValueError(
                    f"no {kind} in common: {listed(own)} and {listed(theirs)}; use the same names"
                )
            common.append(both)
            for where, names in (("scores", own), ("judgements", theirs)):
                alone = [name for name in names if name not in set(both)]
                if alone:
                    notes.append(f"{kind} only in the {where} ({len(alone)}): {listed(alone)}")
        if twice := [name for name in other if name in self]:
            raise ValueError(f"both have a column {twice[0]!r}; rename one")
        left, right = (scores.choose(common[0], common[1]) for scores in (self, other))
        tables = {name: scores[name] for scores in (left, right) for name in scores}
        rising, said = self.stated | other.stated, left.judgements | right.judgements
        return Scores(common[0], common[1], tables, notes, rising, judgements=said)

    def __repr__(self) -> str:
        size = f"{len(self.systems)} systems, {len(self.topics)} topics"
        return f"<Scores: {size}, columns {', '.join(self._tables)}>"


def listed(names: Sequence[str]) -> str:
    """The first few names.

    >>> listed(["a", "b"])
    'a, b'
    """
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)


def balance(systems: Sequence[str], topics: Sequence[str], cells: Iterable[Any]) -> list[str]:
    """Notes on cells (system, topic) without a row.

    >>> balance(["1", "2"], ["t", "u"], [("1", "t"), ("2", "t"), ("1", "u")])[1]
    'topics with one system (1): u'
    """
    of_topic = dict.fromkeys(topics, 0)
    of_system = dict.fromkeys(systems, 0)
    for system, topic in cells:
        of_topic[topic] += 1
        of_system[system] += 1
    notes = []
    empty = len(systems) * len(topics) - sum(of_topic.values())
    if empty:
        short = [name for name in systems if of_system[name] < len(topics)]
        notes.append(
            f"unbalanced: {empty} of {len(systems) * len(topics)} cells have no row;"
            f" systems with missing topics ({len(short)}): {listed(short)}"
        )
    alone = [name for name in topics if of_topic[name] == 1]
    if alone and len(systems) > 1:
        notes.append(f"topics with one system ({len(alone)}): {listed(alone)}")
    return notes


def _places(kind: str, known: Sequence[str], wanted: Iterable[str] | None) -> list[int]:
    if wanted is None:
        return list(range(len(known)))
    places = {name: place for place, name in enumerate(known)}
    for name in (names := list(wanted)):
        if name not in places:
            raise ValueError(unknown(kind, name, known))
    return [places[name] for name in names]
