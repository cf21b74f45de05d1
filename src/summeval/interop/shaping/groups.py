"""The group term of rewards: how little a text is like the others of its group."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from summeval._options import unknown
from summeval.metrics.diversity import OF_TEXT, Diversity
from summeval.metrics.registry import metric as metric_of
from summeval.metrics.registry import split_field


class GroupTerm(NamedTuple):
    """A field of the texts of a group, with its weight.

    Attributes
    ----------
    metric : Diversity
    field : str
        One of those that `Diversity.each` returns.
    weight : float
        A negative one rewards texts that are alike.
    """

    metric: Diversity
    field: str
    weight: float

    @classmethod
    def of(cls, given: str | Diversity, weight: float) -> GroupTerm:
        """Return the term that a name, which may end in a field, or a metric means.

        >>> GroupTerm.of("diversity", 1.0).name, GroupTerm.of("diversity.distinct2", 1.0).name
        ('diversity', 'diversity.distinct2')
        """
        field: str | None = None
        metric: Any = given
        if isinstance(given, str):
            name, field = split_field(given)
            metric = metric_of(name)
        if not isinstance(metric, Diversity):
            raise ValueError(f"group is {given!r}; give 'diversity', or one of its fields of texts")
        if field not in (None, "value", *OF_TEXT):
            raise ValueError(unknown("field of the texts of a group", field, OF_TEXT))
        return cls(metric, metric.primary if field in (None, "value") else field, weight)

    @property
    def name(self) -> str:
        """The name of its part."""
        of_field = "" if self.field == self.metric.primary else f".{self.field}"
        return f"{self.metric.name}{of_field}"

    @property
    def signed(self) -> float:
        """The weight; negative where a lower number is more diverse."""
        return -self.weight if self.field in self.metric.falling else self.weight

    def values(
        self, texts: Sequence[Any], groups: Iterable[Sequence[int]], lost: Collection[int]
    ) -> list[float]:
        """Return the field of each text beside the others of its group, given by their rows.

        0 where there is none, as in a group of one; `lost` texts, which no group has, get the value
        that lowers a reward most.
        """
        falls = self.field in self.metric.falling
        found = [0.0] * len(texts)
        for group in groups:
            rows = [row for row in group if row not in lost and isinstance(texts[row], str)]
            column = self.metric.each([texts[row] for row in rows])[self.field].tolist()
            for row, value in zip(rows, column, strict=True):
                found[row] = 0.0 if math.isnan(value) else value
        worst = max(1.0, *found) if falls == (self.weight >= 0) and found else 0.0
        for row in lost:
            found[row] = worst
        return found


def rows_by_group(groups: Sequence[Any], rows: int) -> list[list[int]]:
    """Return the rows of each group from what names it in each row.

    >>> rows_by_group(["a", "b", "a"], 3)
    [[0, 2], [1]]
    """
    if len(groups) != rows:
        raise ValueError(f"{rows} texts but {len(groups)} groups; give one for each")
    found: dict[Any, list[int]] = {}
    for row, group in enumerate(groups):
        # the messages of a prompt have no hash
        found.setdefault(group if isinstance(group, Hashable) else repr(group), []).append(row)
    return [*found.values()]
