"""The one table of the package: rows that are read by column, as names, numbers and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from summeval._cached import cached_property
from summeval.io.column_names import not_found
from summeval.io.errors import DataError
from summeval.io.rows import Row
from summeval.table.cells import Array, has, holds_numbers, names_of, numbers_of, values_of
from summeval.table.scores import Judgements, Scores


@dataclass(frozen=True)
class Table:
    """Rows, which are read by column.

    A column is a key of the rows, or a path into objects and lists: `scores.overall`,
    `judges.1.overall`. A row may lack it.

    Attributes
    ----------
    rows : list of dict
    notes : list of str
        One line for each kind of data left out.
    signatures : dict of str to str
        Signatures of metrics, as files of scores hold them or have them beside.
    directions : dict of str to bool
        Whether higher is better in a column of scores, if stated there.
    judgements : dict of str to Judgements
        For columns that are means over judges, the judgements.
    origin : str
        The file, for messages.

    Examples
    --------
    >>> table = Table([{"system": "a", "scores": {"x": 1}}, {"system": 2.0, "y": "0.5"}])
    >>> table.columns, table.paths(), "scores.x" in table
    (['system', 'scores', 'y'], ['system', 'scores.x', 'y'], True)
    >>> table.name("system"), table.number("scores.x").tolist(), table.text("y")
    (['a', '2'], [1.0, nan], [None, '0.5'])
    """

    rows: list[Row]
    notes: list[str] = field(default_factory=list)
    signatures: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, bool] = field(default_factory=dict)
    judgements: Mapping[str, Judgements] = field(default_factory=dict)
    origin: str = ""

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, column: str) -> bool:
        """Whether a row has the column; quick for many rows."""
        return has(self.rows, column)

    @cached_property
    def columns(self) -> list[str]:
        """The keys of the rows, in order of first appearance."""
        return list(dict.fromkeys(chain.from_iterable(self.rows)))

    def paths(self, lists: bool = False) -> list[str]:
        """The columns, with those in objects as they are asked for; also in `lists` of objects.

        >>> Table([{"judges": [{"x": 1}]}]).paths(lists=True)
        ['judges.0.x']
        """
        found: dict[str, None] = {}

        def add(start: str, value: Any) -> None:
            if lists and isinstance(value, list) and any(isinstance(one, dict) for one in value):
                value = {str(number): one for number, one in enumerate(value)}
            if not isinstance(value, dict):
                found[start] = None
                return
            for name, inner in value.items():
                add(f"{start}.{name}", inner)

        for row in self.rows:
            for key, value in row.items():
                add(key, value)
        return list(found)

    def check(self, option: str, *columns: str) -> None:
        """Raise `DataError` unless a row has each of these columns, which an option names."""
        for column in columns:
            if column not in self:
                mend = f"choose the column with --{option}"
                raise DataError(self.origin, not_found(column, self.paths()), mend)

    def values(self, column: str) -> list[Any]:
        """The cells of a column as they are; None where a row lacks it."""
        return values_of(self.rows, column)

    def name(self, column: str) -> list[str]:
        """The names in a column; see `name_of`, which says what a row's name is.

        Raises
        ------
        ValueError
            A row has no name; the message begins with its number.
        """
        return names_of(self.rows, column)

    def number(self, column: str) -> Array:
        """The numbers in a column, NaN where there is none; see `number_of`.

        Raises
        ------
        ValueError
            A cell holds no finite number; the message begins with the number of its row.
        """
        return numbers_of(self.rows, column)

    def text(self, column: str) -> list[str | None]:
        """The texts in a column; None where there is none.

        Raises
        ------
        DataError
            A cell holds something else.
        """
        for number, value in enumerate(found := self.values(column), 1):
            if value is not None and not isinstance(value, str):
                place = f"{self.origin}: row {number}"
                raise DataError(place, f"{column!r} is {str(value)[:40]!r}", "give a text or null")
        return found

    def holds_numbers(self, column: str) -> bool:
        """Whether the cells of a column are numbers, or texts of numbers as in CSV.

        Cells may be empty, but not all.
        """
        return holds_numbers(self.values(column))

    def pivot(self, columns: Sequence[str], system: str = "system", topic: str = "topic") -> Scores:
        """Return the numbers in these columns as tables [system, topic].

        Raises
        ------
        ValueError
            As `Scores.from_rows`.
        """
        return Scores.from_rows(
            self.rows, columns, system=system, topic=topic, higher_is_better=self.directions
        )
