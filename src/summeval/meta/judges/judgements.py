"""Judgements of summaries, one for each judge and summary."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summeval._cached import cached_property
from summeval._options import unknown
from summeval.meta.tables.arrays import Table
from summeval.meta.tables.cells import find, is_nan, name_of, number_of

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Judgements:
    """What judges say of the summaries of systems on topics, in one dimension.

    The summary of a system on a topic is a cell, as in the tables [system, topic] of `meta`. The
    judgements are ordered by cell. `from_rows` and `from_table` make the object.

    Attributes
    ----------
    systems, topics, judges : tuple of str
        Names, in order of first appearance. `judges` is empty if the judges are not known by name.
    system, topic, judge : array of int [judgement]
        Places in these names; `judge` numbers the judgements of a cell if there are no names.
    values : array of float [judgement]
        If the judgements are texts, places in `labels`.
    labels : tuple of str
        Empty if the judgements are numbers.
    notes : tuple of str
        What was left out or merged.

    Examples
    --------
    >>> rows = [
    ...     {"system": "a", "topic": "t", "judge": "Ann", "overall": 4},
    ...     {"system": "a", "topic": "t", "judge": "Ben", "overall": 3},
    ...     {"system": "b", "topic": "t", "judge": "Ann", "overall": 1},
    ... ]
    >>> found = Judgements.from_rows(rows, "overall")
    >>> found.means.tolist(), found.counts.tolist()
    ([[3.5], [1.0]], [[2], [1]])
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    judges: tuple[str, ...]
    system: Ints
    topic: Ints
    judge: Ints
    values: Table
    labels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Mapping[str, Any]],
        column: str,
        *,
        system: str = "system",
        topic: str = "topic",
        judge: str | None = "judge",
        labels: bool = False,
    ) -> Judgements:
        """Take a column of rows that hold one judgement each.

        A row without a value is skipped. If a judge judges a summary more than once, the mean
        counts.

        Parameters
        ----------
        rows : iterable of mapping
        column : str
            The dimension; ``scores.x`` means x in an object "scores".
        system, topic, judge : str
            Columns of names. With None for `judge` the judges are not known by name.
        labels : bool
            Whether the judgements may be texts, which only differ or not.

        Raises
        ------
        ValueError
            A row lacks a name, a value is not a finite number, or no row has a value.
        """
        names: list[dict[str, int]] = [{}, {}, {}]
        places: list[list[int]] = [[], [], []]
        values: list[Any] = []
        present = False
        columns = [system, topic, *([] if judge is None else [judge])]
        for number, row in enumerate(rows, 1):
            known, value = find(row, column)
            present = present or known
            place = f"row {number}"
            if value is None or value == "":
                continue
            value = _label(value) if labels else number_of(value, column, place)
            if is_nan(value):
                continue
            values.append(value)
            for index, name in enumerate(columns):
                found = name_of(row, name, place)
                places[index].append(names[index].setdefault(found, len(names[index])))
        if not values:
            what = "has a value in" if present else "has a column"
            raise ValueError(f"no row {what} {column!r}")
        texts: dict[Hashable, int] = {}
        if labels and not all(isinstance(value, float) for value in values):
            values = [texts.setdefault(str(value), len(texts)) for value in values]
        own = [list(known) for known in names]
        if judge is None:
            places[2] = [0] * len(values)
        numbers = [np.array(found, dtype=np.int64) for found in places]
        return cls.of(
            own[0],
            own[1],
            own[2],
            numbers[0],
            numbers[1],
            numbers[2],
            np.array(values, dtype=np.float64),
            labels=list(map(str, texts)),
        )

    @classmethod
    def from_table(
        cls,
        ratings: Any,
        systems: Sequence[str] = (),
        topics: Sequence[str] = (),
        judges: Sequence[str] = (),
    ) -> Judgements:
        """Take an array [judge, system, topic] of numbers, NaN where a judge says nothing.

        Raises
        ------
        ValueError
            Another shape, infinite numbers, or no number.

        Examples
        --------
        >>> Judgements.from_table([[[1], [2]], [[2], [3]]]).means.tolist()
        [[1.5], [2.5]]
        """
        table = np.array(ratings, dtype=np.float64)
        if table.ndim != 3:
            raise ValueError(f"ratings have the shape {table.shape}; give [judge, system, topic]")
        if np.isinf(table).any():
            raise ValueError("a rating is infinite; give a number, or NaN to leave it out")
        judge, system, topic = np.nonzero(~np.isnan(table))
        if not len(judge):
            raise ValueError("no rating is a number; give some")
        sides = zip(
            (judges, systems, topics), table.shape, ("judges", "systems", "topics"), strict=True
        )
        names = []
        for given, size, what in sides:
            if given and len(given) != size:
                raise ValueError(f"there are {len(given)} {what}; give {size} as in ratings")
            names.append(list(given) or [str(number) for number in range(size)])
        values = table[judge, system, topic]
        return cls.of(names[1], names[2], names[0], system, topic, judge, values)

    @classmethod
    def of(  # noqa: PLR0917 - the columns
        cls,
        systems: Sequence[str],
        topics: Sequence[str],
        judges: Sequence[str],
        system: Ints,
        topic: Ints,
        judge: Ints,
        values: Table,
        *,
        labels: Sequence[str] = (),
    ) -> Judgements:
        """Sort by cell, and merge what a judge says of a cell more than once."""
        cell = system * len(topics) + topic
        notes = []
        if len(judges):
            order = np.lexsort((judge, cell))
            system, topic, judge, cell = (x[order] for x in (system, topic, judge, cell))
            values = values[order]
            first = np.append(True, (np.diff(cell) != 0) | (np.diff(judge) != 0))
            again = len(first) - int(first.sum())
            if again:
                if labels:
                    raise ValueError(
                        _repeated(first, systems, topics, judges, system, topic, judge)
                    )
                notes.append(f"{again} judgements repeat a judge and a summary: their mean counts")
                starts = np.flatnonzero(first)
                values = np.add.reduceat(values, starts) / np.diff(np.append(starts, len(first)))
                system, topic, judge = (x[starts] for x in (system, topic, judge))
        else:
            order = np.argsort(cell, kind="stable")
            system, topic, cell = (x[order] for x in (system, topic, cell))
            values = values[order]
            starts = np.flatnonzero(np.append(True, np.diff(cell) != 0))
            sizes = np.diff(np.append(starts, len(cell)))
            judge = np.arange(len(cell)) - np.repeat(starts, sizes)
        return cls(
            tuple(systems),
            tuple(topics),
            tuple(judges),
            system,
            topic,
            judge,
            values,
            tuple(labels),
            tuple(notes),
        )

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        people = f"{len(self.judges)} judges" if self.judges else "unnamed judges"
        size = f"{len(self.systems)} systems, {len(self.topics)} topics"
        return f"<Judgements: {len(self)} by {people} of {size}>"

    @cached_property
    def starts(self) -> Ints:
        """The first judgement of each cell that has one."""
        cell = self.system * len(self.topics) + self.topic
        return np.flatnonzero(np.append(True, np.diff(cell) != 0)) if len(cell) else cell

    @cached_property
    def sizes(self) -> Ints:
        """The number of judgements of each cell that has one."""
        return np.diff(np.append(self.starts, len(self)))

    @cached_property
    def counts(self) -> Ints:
        """The number of judgements of each cell, [system, topic]."""
        table = np.zeros((len(self.systems), len(self.topics)), dtype=np.int64)
        table[self.system[self.starts], self.topic[self.starts]] = self.sizes
        return table

    @cached_property
    def means(self) -> Table:
        """The mean judgement of each cell, [system, topic]; NaN without any."""
        table = np.full((len(self.systems), len(self.topics)), nan)
        if len(self):
            # Differences from the first judgement keep the mean of equal numbers exact.
            first = np.repeat(self.values[self.starts], self.sizes)
            mean = np.add.reduceat(self.values - first, self.starts) / self.sizes
            means = self.values[self.starts] + mean
            table[self.system[self.starts], self.topic[self.starts]] = means
        return table

    def choose(
        self, systems: Iterable[str] | None = None, topics: Iterable[str] | None = None
    ) -> Judgements:
        """Return the judgements of some systems and topics only.

        Raises
        ------
        ValueError
            An unknown name.
        """
        kept = np.ones(len(self), dtype=bool)
        sides = []
        for kind, known, places, wanted in (
            ("system", self.systems, self.system, systems),
            ("topic", self.topics, self.topic, topics),
        ):
            names = list(known if wanted is None else wanted)
            index = {name: place for place, name in enumerate(known)}
            for name in names:
                if name not in index:
                    raise ValueError(unknown(kind, name, known))
            new = np.full(len(known), -1, dtype=np.int64)
            new[[index[name] for name in names]] = np.arange(len(names))
            kept &= new[places] >= 0
            sides.append((names, new[places]))
        (rows, system), (columns, topic) = sides
        return Judgements.of(
            rows,
            columns,
            self.judges,
            system[kept],
            topic[kept],
            self.judge[kept],
            self.values[kept],
            labels=self.labels,
        )


def _label(value: Any) -> Any:
    """A number where it is one, else the text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)


def _repeated(first: Any, systems: Any, topics: Any, judges: Any, *places: Ints) -> str:
    at = int(np.flatnonzero(~first)[0])
    names = [
        known[place[at]] for known, place in zip((systems, topics, judges), places, strict=True)
    ]
    return (
        f"judge {names[2]!r} labels system {names[0]!r} on topic {names[1]!r} more than once;"
        " keep one"
    )
