"""Scores and judgements of systems on topics, by name, and the directions of scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._cached import cached_property
from summeval._options import unknown
from summeval.metrics.registry import direction_of
from summeval.table.cells import Array, Rows, find, is_nan, name_of, number_of

Ints: TypeAlias = NDArray[np.int64]
# One value for all metrics, one for each in order, or one for each named metric.
HigherIsBetter: TypeAlias = bool | Sequence[bool] | Mapping[str, bool]

SHOWN = 5  # names that a note lists


@dataclass(frozen=True, eq=False)
class Judgements:
    """The judgements of the summaries of systems on topics, in one dimension.

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
    values: Array
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
        given, values, present = [], [], False
        for number, row in enumerate(rows, 1):
            known, value = find(row, column)
            present |= known
            if value is None or value == "":
                continue
            value = _label(value) if labels else number_of(value, column, f"row {number}")
            if not is_nan(value):
                values.append(value)
                given.append((row, f"row {number}"))
        if not values:
            what = "has a value in" if present else "has a column"
            raise ValueError(f"no row {what} {column!r}")
        sides = [
            numbered([name_of(row, name, place) for row, place in given])
            if name
            else ([], np.zeros(len(given), dtype=np.int64))
            for name in (system, topic, judge)
        ]
        names, places = zip(*sides, strict=True)
        texts: list[str] = []
        if labels and not all(isinstance(value, float) for value in values):
            texts, codes = numbered(list(map(str, values)))
            values = codes.tolist()
        return cls.of(names, places, np.array(values, dtype=np.float64), labels=texts)

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
        names = []
        sides = {"judges": judges, "systems": systems, "topics": topics}
        for (what, given), size in zip(sides.items(), table.shape, strict=True):
            if given and len(given) != size:
                raise ValueError(f"there are {len(given)} {what}; give {size} as in ratings")
            names.append(list(given) or [str(number) for number in range(size)])
        values = table[judge, system, topic]
        return cls.of([*names[1:], names[0]], [system, topic, judge], values)

    @classmethod
    def of(
        cls,
        names: Sequence[Sequence[str]],
        places: Sequence[Ints],
        values: Array,
        labels: Sequence[str] = (),
    ) -> Judgements:
        """Sort by cell, and merge what a judge says of a cell more than once."""
        (systems, topics, judges), (system, topic, judge) = names, places
        cell, notes = system * len(topics) + topic, []
        order = np.lexsort((judge, cell))
        system, topic, judge, cell = (x[order] for x in (system, topic, judge, cell))
        values = values[order]
        differ = (np.diff(cell) != 0) | ((np.diff(judge) != 0) & bool(judges))
        first = np.append(True, differ)
        starts = np.flatnonzero(first)
        sizes = np.diff(np.append(starts, len(cell)))
        if not judges:
            judge = np.arange(len(cell)) - np.repeat(starts, sizes)
        elif again := len(first) - len(starts):
            if labels:
                at = np.flatnonzero(~first)[0]
                raise ValueError(
                    f"judge {judges[judge[at]]!r} labels system {systems[system[at]]!r} on"
                    f" topic {topics[topic[at]]!r} more than once; keep one"
                )
            notes.append(f"{again} judgements repeat a judge and a summary: their mean counts")
            values = np.add.reduceat(values, starts) / sizes
            system, topic, judge = (x[starts] for x in (system, topic, judge))
        known = tuple(systems), tuple(topics), tuple(judges)
        return cls(*known, system, topic, judge, values, tuple(labels), tuple(notes))

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
    def means(self) -> Array:
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
        names, rows = _places("system", self.systems, systems)
        titles, columns = _places("topic", self.topics, topics)
        new = [np.full(len(known), -1, dtype=np.int64) for known in (self.systems, self.topics)]
        new[0][rows], new[1][columns] = np.arange(len(rows)), np.arange(len(columns))
        system, topic = new[0][self.system], new[1][self.topic]
        kept = (system >= 0) & (topic >= 0)
        places = [x[kept] for x in (system, topic, self.judge)]
        return Judgements.of((names, titles, self.judges), places, self.values[kept], self.labels)

    def without(self, judge: str) -> Judgements:
        """Return the judgements of the other judges."""
        kept = self.judge != self.judges.index(judge)
        places = [x[kept] for x in (self.system, self.topic, self.judge)]
        names = self.systems, self.topics, self.judges
        return Judgements.of(names, places, self.values[kept], self.labels)


def _label(value: Any) -> Any:
    """Return a number where it is one, else the text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return str(value)


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
        tables: Mapping[str, Array],
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
        higher = directions(given, list(self._tables))
        self.stated = {c: up for c in tables if (up := given.get(c, direction_of(c))) is not None}
        self.higher_is_better = dict(zip(self._tables, higher, strict=True))

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
        given = Rows(list(rows))
        named, about = given.name(system), given.name(topic)
        systems, places = numbered(named)
        topics, titles = numbered(about)
        cells = places * len(topics) + titles
        first = np.unique(cells, return_index=True)[1]
        if len(first) < len(cells):
            again = int(np.setdiff1d(np.arange(len(cells)), first)[0])
            raise ValueError(
                f"row {again + 1}: system {named[again]!r} is repeated for topic"
                f" {about[again]!r}; keep one"
            )
        tables, notes = {}, []
        for column in columns:
            if column not in given:
                raise ValueError(f"no row has a column {column!r}")
            found = np.full((len(systems), len(topics)), nan)
            found[places, titles] = values = given.number(column)
            tables[column] = found
            notes += missing_note(column, values)
        notes += balance(systems, topics, cells)
        return cls(systems, topics, tables, notes, higher_is_better)

    def __getitem__(self, column: str) -> Array:
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
        names, rows = _places("system", self.systems, systems)
        titles, columns = _places("topic", self.topics, topics)
        tables = {name: table[np.ix_(rows, columns)] for name, table in self._tables.items()}
        said = {name: given.choose(names, titles) for name, given in self.judgements.items()}
        return Scores(names, titles, tables, self.notes, self.stated, judgements=said)

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
        return self.directed(dict.fromkeys(up, True), tables)

    def directed(
        self, higher_is_better: Mapping[str, bool], tables: Mapping[str, Array] | None = None
    ) -> Scores:
        """Return the scores with these directions, and with other numbers if `tables` has them."""
        given, said = (self._tables if tables is None else tables), self.judgements
        about = self.systems, self.topics
        return Scores(*about, given, self.notes, higher_is_better, judgements=said)

    def join(self, other: Scores) -> Scores:
        """Join these scores with the columns of others, such as judgements, by name.

        Systems and topics that only one table has are left out, and a note names them.

        Raises
        ------
        ValueError
            The tables share no system or no topic, or both have the same column.
        """
        notes = [*self.notes, *other.notes]
        common: list[list[str]] = []
        for kind, own, others in (
            ("systems", self.systems, other.systems),
            ("topics", self.topics, other.topics),
        ):
            if not (both := [name for name in own if name in set(others)]):
                raise ValueError(
                    f"no {kind} in common: {listed(own)} and {listed(others)}; use the same names"
                )
            common.append(both)
            for where, names in (("scores", own), ("judgements", others)):
                alone = [name for name in names if name not in set(both)]
                notes += noted(f"{kind} only in the {where}", alone)
        if twice := [name for name in other if name in self]:
            raise ValueError(f"both have a column {twice[0]!r}; rename one")
        systems, topics = common
        left, right = (scores.choose(systems, topics) for scores in (self, other))
        tables = {name: scores[name] for scores in (left, right) for name in scores}
        stored, said = self.stated | other.stated, left.judgements | right.judgements
        return Scores(systems, topics, tables, notes, stored, judgements=said)

    def __repr__(self) -> str:
        size = f"{len(self.systems)} systems, {len(self.topics)} topics"
        return f"<Scores: {size}, columns {', '.join(self._tables)}>"


def listed(names: Sequence[str]) -> str:
    """Return the first few names.

    >>> listed(["a", "b"])
    'a, b'
    """
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)


def noted(what: str, names: Sequence[str]) -> list[str]:
    """Return a note on these names, the first few of them; none without names."""
    return [f"{what} ({len(names)}): {listed(names)}"] if names else []


def numbered(
    names: Sequence[Any], different: Iterable[str] | None = None
) -> tuple[list[Any], Ints]:
    """Return the different names, in order of first appearance or as given, and the place of each.

    >>> numbered(["b", "a", "b"])[1].tolist(), numbered(["b", "a", "b"], ["a", "b"])[1].tolist()
    ([0, 1, 0], [1, 0, 1])
    """
    places = {name: place for place, name in enumerate(different or dict.fromkeys(names))}
    return list(places), np.array([places[name] for name in names], dtype=np.int64)


def missing_note(column: str, values: Array, form: str = "") -> list[str]:
    """Return a note on the rows without a value, if there are any.

    >>> missing_note("x", np.array([1.0, np.nan]))
    ['x: 1 of 2 rows has no value']
    """
    count = int(np.isnan(values).sum())
    verb = "has" if count == 1 else "have"
    note = f"{column}: {count:{form}} of {len(values):{form}} rows {verb} no value"
    return [note] * bool(count)


def balance(systems: Sequence[str], topics: Sequence[str], cells: Ints) -> list[str]:
    """Return notes on pairs of a system and a topic without a row.

    `cells` has the place of each pair that has one: that of the system times the number of topics,
    plus that of the topic.

    >>> balance(["1", "2"], ["t", "u"], np.array([0, 2, 1]))[1]
    'topics with one system (1): u'
    """
    size, notes = len(topics), []
    if empty := len(systems) * size - len(cells):
        of_system = np.bincount(cells // size, minlength=len(systems))
        short = [systems[place] for place in np.flatnonzero(of_system < size).tolist()]
        notes.append(
            f"unbalanced: {empty} of {len(systems) * size} cells have no row;"
            f" systems with missing topics ({len(short)}): {listed(short)}"
        )
    of_topic = np.bincount(cells % size, minlength=size) if size else cells
    alone = [topics[place] for place in np.flatnonzero(of_topic == 1).tolist()]
    return notes + noted("topics with one system", alone if len(systems) > 1 else [])


def directions(given: HigherIsBetter | None, names: Sequence[str]) -> list[bool]:
    """Return for each metric whether a higher score is better.

    Parameters
    ----------
    given : bool, sequence of bool, mapping of str to bool, or None
        One value for all metrics, or one for each. Metrics without a value get the direction of the
        registered `<metric>.<field>` of that name; for other names higher is better.
    names : sequence of str
        The metrics.

    Raises
    ------
    ValueError
        A wrong number of values, or an unknown metric.
    TypeError
        A value is not a bool.

    Examples
    --------
    >>> directions([True, False], ["a", "b"])
    [True, False]
    >>> directions(None, ["rouge1.recall", "simetrix.smoothedJSD", "a"])
    [True, False, True]
    """
    given = {} if given is None else given
    if isinstance(given, (bool, np.bool_)):
        return [bool(given)] * len(names)
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise ValueError(f"higher_is_better: {unknown('metric', name, names)}")
        found = [
            given[name] if name in given else direction_of(name) is not False for name in names
        ]
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        found = list(given)
    else:
        raise TypeError(f"higher_is_better is {given!r}; give True or False, or one for each")
    if len(found) != len(names):
        raise ValueError(
            f"higher_is_better has {len(found)} for {len(names)} metrics; give one for each"
        )
    for name, one in zip(names, found, strict=True):
        if not isinstance(one, (bool, np.bool_)):
            raise TypeError(f"higher_is_better of {name} is {one!r}; give True or False")
    return [bool(one) for one in found]


def negated(values: Array) -> Array:
    """Negate values, without turning 0 into -0.

    >>> negated(np.array([1.0, 0.0])).tolist()
    [-1.0, 0.0]
    """
    return 0.0 - values


def _places(
    kind: str, known: Sequence[str], wanted: Iterable[str] | None
) -> tuple[list[str], list[int]]:
    """Return the wanted names, which are all by default, and their places among those known."""
    places = {name: place for place, name in enumerate(known)}
    names = list(known if wanted is None else wanted)
    for name in names:
        if name not in places:
            raise ValueError(unknown(kind, name, known))
    return names, [places[name] for name in names]
