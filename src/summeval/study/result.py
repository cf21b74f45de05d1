"""The result of a study: tables, figures as data, and how they were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from summeval._arrays import AnyArray
from summeval.meta.significance import KoehnResult
from summeval.table.scores import Scores

Kind = Literal["bars", "lines", "points"]
Row = dict[str, Any]


def rows_of(columns: str, rows: Iterable[Sequence[object]]) -> list[Row]:
    """Return rows of values as rows of a table.

    >>> rows_of("name, P", [("lead", 0.5)])
    [{'name': 'lead', 'P': 0.5}]
    """
    names = columns.split(", ")
    return [dict(zip(names, row, strict=True)) for row in rows]


@dataclass(frozen=True)
class StudyTable:
    """A table of results.

    Attributes
    ----------
    name : str
        Its key in JSON and the name of its files: a lower-case word.
    title : str
        One line for people.
    rows : sequence of dict
        All with the same keys, which are the columns. A value is a str, bool, int, float, None, or
        a pair of floats, an interval.
    hidden : collection of str
        Columns that the text table and LaTeX leave out.
    shown : int, optional
        How many rows these show, the first ones; with 0 they leave the table out. All are in JSON
        and CSV.
    """

    name: str
    title: str
    rows: Sequence[dict[str, Any]]
    hidden: Sequence[str] = ()
    shown: int | None = None

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError(f"the table {self.name!r} has no rows")
        columns = list(self.rows[0])
        if any(list(row) != columns for row in self.rows):
            raise ValueError(f"the rows of the table {self.name!r} differ in their columns")


@dataclass(frozen=True)
class Series:
    """One series of a figure.

    Attributes
    ----------
    name : str
        For the legend; empty if there is only one.
    x : sequence of float or str
        Numbers, or for bars the names of the bars.
    y : sequence of float
        As many; NaN is left out.
    intervals : sequence of (float, float), optional
        The bounds of each y.
    labels : sequence of str, optional
        The name of each point.
    """

    name: str
    x: Sequence[float] | Sequence[str]
    y: Sequence[float]
    intervals: Sequence[tuple[float, float]] | None = None
    labels: Sequence[str] | None = None

    @classmethod
    def of(
        cls,
        rows: Sequence[Mapping[str, Any]],
        x: str,
        y: str,
        intervals: str = "",
        name: str = "",
    ) -> Series:
        """Columns of rows of a table as a series."""
        bounds = [row[intervals] for row in rows] if intervals else None
        return cls(name, [row[x] for row in rows], [row[y] for row in rows], bounds)


@dataclass(frozen=True)
class StudyFigure:
    """A figure as data, which `report.figures` draws.

    Attributes
    ----------
    name : str
        Name of its file: a lower-case word.
    title, x_label, y_label : str
    kind : {"bars", "lines", "points"}
    series : sequence of Series
    """

    name: str
    title: str
    kind: Kind
    x_label: str
    y_label: str
    series: Sequence[Series]


@dataclass(frozen=True)
class Study:
    """The result of a study.

    Attributes
    ----------
    name : str
        That of the command: `aesop`.
    title : str
        What was done, and in which paper: one line.
    tables : sequence of StudyTable
        The most important first.
    figures : sequence of StudyFigure
    settings : mapping of str to value
        Options that decide the numbers; None is left out for people.
    seed : int, optional
        Of all draws; None if nothing was drawn.
    signatures : mapping of str to str
        The signature of each metric that was scored here.
    notes : sequence of str
        What was left out, negated or assumed: a sentence each.
    values : mapping of str to value
        Single numbers beside the tables.
    """

    name: str
    title: str
    tables: Sequence[StudyTable]
    figures: Sequence[StudyFigure] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int | None = None
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the study as JSON values: a key for each table, and how it was made.

        Examples
        --------
        >>> table = StudyTable("systems", "Systems", [{"name": "lead", "interval": (0.4, 0.6)}])
        >>> found = Study("extracts", "Galley (2006)", [table], seed=0, values={"word_share": 0.3})
        >>> found.to_dict()["systems"], found.to_dict()["word_share"]
        ([{'name': 'lead', 'interval': [0.4, 0.6]}], 0.3)
        """
        tables = {table.name: [_plain(row) for row in table.rows] for table in self.tables}
        return {
            "study": self.name,
            "title": self.title,
            "settings": dict(self.settings),
            "seed": self.seed,
            "signatures": dict(self.signatures),
            "notes": list(self.notes),
            **self.values,
            **tables,
        }

    def footer(self) -> list[str]:
        """Return the lines below the tables: settings, seed, values, signatures and notes.

        Examples
        --------
        >>> table = StudyTable("systems", "Systems", [{"name": "lead"}])
        >>> Study("extracts", "Galley (2006)", [table], settings={"folds": 5}, seed=0).footer()
        ['folds 5, seed 0']
        """
        settings = {**self.settings, "seed": self.seed, **self.values}
        line = ", ".join(
            f"{key} {_shown(value)}" for key, value in settings.items() if value not in (None, [])
        )
        lines = [line] if line else []
        lines += [f"{name}: {text}" for name, text in self.signatures.items()]
        return [*lines, *(f"note: {note}" for note in self.notes)]


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in row.items()}


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def check_lengths(candidates: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> None:
    """Raise unless each column has an item for each candidate."""
    for name, column in columns.items():
        if len(column) != len(candidates):
            raise ValueError(f"{name} has {len(column)} rows; {len(candidates)} are needed")


def check_several(kind: str, names: Sequence[object], where: str = "") -> None:
    """Raise unless there are two systems, or topics, or more."""
    if len(set(names)) < 2:
        raise ValueError(f"{where}there is one {kind}, {names[0]!r}; give rows of two or more")


def check_varied(column: str, scores: AnyArray) -> None:
    """Raise for human scores that can be correlated with nothing."""
    known = scores[~np.isnan(scores)]
    if not len(known):
        raise ValueError(f"no row has a number in {column!r}; choose another column")
    if (known == known[0]).all():
        raise ValueError(f"all scores in {column!r} are {known[0]:g}; choose another column")


def pivot(
    systems: Sequence[object],
    topics: Sequence[object],
    columns: Mapping[str, Sequence[float | None] | AnyArray],
    higher_is_better: Mapping[str, bool] | None = None,
) -> Scores:
    """Columns of numbers, None or NaN where there is none, as tables [system, topic]."""
    rows = [
        {"system": system, "topic": topic, **dict(zip(columns, values, strict=True))}
        for system, topic, *values in zip(systems, topics, *columns.values(), strict=True)
    ]
    return Scores.from_rows(rows, list(columns), higher_is_better=higher_is_better)


MARKS = ((0.99, "**"), (0.95, "*"))
MARKED = "* and **: the better metric wins at least 95 and 99 % of the draws (Koehn's test)"


def pair_rows(
    drawn: Mapping[tuple[str, str], KoehnResult], place: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row for each pair of metrics; `place` has the columns that are the same in all rows."""
    for (a, b), found in drawn.items():
        winning, losing = found.significance, found.losses / found.resamples
        counts = {name: getattr(found, name) for name in ("wins", "ties", "losses", "undefined")}
        yield {
            **{"a": a, "b": b, **place, **counts, "win_rate": winning, "loss_rate": losing},
            "difference": found.full_a - found.full_b,
            "interval": (found.lower, found.upper),
            "better": a if mark(winning) else b if mark(losing) else None,
            "mark": mark(max(winning, losing)),
        }


def win_rows(
    drawn: Mapping[tuple[str, str], KoehnResult], metrics: Sequence[str], place: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a row for each metric: its share of wins against each other metric, with its mark."""
    for metric in metrics:
        rates = {b: found.significance for (a, b), found in drawn.items() if a == metric}
        rates |= {a: one.losses / one.resamples for (a, b), one in drawn.items() if b == metric}
        shown = {name: f"{rate:.3f}{mark(rate)}" for name, rate in rates.items()}
        yield {"metric": metric, **place, **{name: shown.get(name) for name in metrics}}


def mark(rate: float) -> str:
    """Return the mark of a share of wins.

    >>> mark(0.99), mark(0.95), mark(0.949)
    ('**', '*', '')
    """
    return next((mark for least, mark in MARKS if rate >= least), "")
