"""Terms of a reward beside the scores: penalties of form, the group; the bounds of a reward."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from numbers import Real
from typing import Any, NamedTuple

from summeval._options import check_number, check_whole, unknown
from summeval.metrics.field.diversity import OF_TEXT, Diversity
from summeval.metrics.registry import metric as metric_of
from summeval.metrics.registry import split_field

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class LengthPenalty:
    """A penalty on the reward of long texts.

    Nothing up to `limit - buffer` words, then linearly more, `weight` from `limit` words on: the
    soft overlong punishment of Yu et al. 2025, "DAPO: An Open-Source LLM Reinforcement Learning
    System at Scale", section 3.4, eq. 13, there in model tokens. Words are separated by blanks.

    Raises
    ------
    ValueError
        Unless 0 <= buffer <= limit and weight >= 0, all of them finite numbers.

    Examples
    --------
    >>> penalty = LengthPenalty(limit=6, buffer=4, weight=0.5)
    >>> [penalty.of(words * "word ") for words in (2, 4, 6, 60)]
    [0.0, 0.25, 0.5, 0.5]
    """

    limit: int
    buffer: int = 0
    weight: float = 1.0

    def __post_init__(self) -> None:
        for name in ("limit", "buffer", "weight"):
            check_number(name, getattr(self, name))
        if not 0 <= self.buffer <= self.limit:
            raise ValueError(f"buffer is {self.buffer!r}; give from 0 to limit ({self.limit!r})")
        if not self.weight >= 0:
            raise ValueError(f"weight is {self.weight!r}; give a number of at least 0")

    def of(self, text: str) -> float:
        """Return the penalty of a text, from 0 to `weight`."""
        over = len(text.split()) - (self.limit - self.buffer)
        if over <= 0:
            return 0.0
        return self.weight * min(over / self.buffer, 1.0) if self.buffer else self.weight


@dataclass(frozen=True)
class RepetitionPenalty:
    """A penalty on the reward of texts that repeat themselves.

    `weight` times the share of words that end a run of `words` words met before in the text: the
    n-gram repetition of Welleck et al. 2020, "Neural Text Generation with Unlikelihood Training",
    section 6. Case and punctuation do not count. Only words that the same text repeats count, not
    those of the references.

    Raises
    ------
    ValueError
        Unless weight >= 0 and finite, and words is a whole number of at least 1.

    Examples
    --------
    >>> penalty = RepetitionPenalty(weight=0.5)
    >>> [penalty.of(text) for text in ("the cat sat down", "ha ha ha ha ha ha ha ha ha ha", "")]
    [0.0, 0.35, 0.0]
    """

    weight: float = 1.0
    words: int = 3

    def __post_init__(self) -> None:
        if isinstance(self.weight, bool) or not isinstance(self.weight, Real):
            kind = type(self.weight).__name__
            raise TypeError(f"repetition_penalty is {kind}; give a weight or a RepetitionPenalty")
        if not 0 <= self.weight < float("inf"):
            raise ValueError(f"weight is {self.weight!r}; give a number of at least 0")
        check_whole("words", self.words, 1)

    def of(self, text: str) -> float:
        """Return the penalty of a text, from 0 to `weight`."""
        return self.weight * repeated_share(_WORD.findall(text.lower()), self.words)


def repeated_share(words: list[str], size: int = 3) -> float:
    """Return the share of words that end a run of `size` words met before.

    >>> repeated_share("a b c d a b c d".split())
    0.25
    """
    runs = len(words) - size + 1
    if runs < 2:
        return 0.0
    later = [words[start:] for start in range(1, size)]
    distinct = len(set(zip(words, *later, strict=False)))
    return (runs - distinct) / len(words)


def bounds(clip: object) -> tuple[float | None, float | None]:
    """Return the bounds in `clip`; None means unbounded."""
    if clip is None:
        return None, None
    pair = list(clip) if isinstance(clip, Sequence) and not isinstance(clip, str) else []
    numbers = [bound for bound in pair if bound is not None]
    known = all(isinstance(bound, Real) and not isnan(bound) for bound in numbers)
    if len(pair) != 2 or not known or (len(numbers) == 2 and numbers[0] > numbers[1]):
        raise ValueError(f"clip is {clip!r}; give (low, high)")
    return pair[0], pair[1]


def clipped(rewards: Sequence[float], low: float | None, high: float | None) -> list[float]:
    """Return the rewards within the bounds; NaN stays.

    >>> clipped([-1.0, 0.5, 2.0], 0.0, None)
    [0.0, 0.5, 2.0]
    """
    found = [*rewards]
    if low is not None:
        found = [low if reward < low else reward for reward in found]
    if high is not None:
        found = [high if reward > high else reward for reward in found]
    return found


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
        name = self.metric.name
        return name if self.field == self.metric.primary else f"{name}.{self.field}"

    @property
    def signed(self) -> float:
        """The weight; negative where a lower number is more diverse."""
        return -self.weight if self.field in self.metric.lower_is_better else self.weight

    def values(
        self, texts: Sequence[Any], groups: Iterable[Sequence[int]], lost: Collection[int]
    ) -> list[float]:
        """Return the field of each text beside the others of its group, given by their rows.

        0 where there is none, as in a group of one; `lost` texts, which no group has, get the value
        that lowers a reward most.
        """
        falls = self.field in self.metric.lower_is_better
        found = [0.0] * len(texts)
        for group in groups:
            rows = [row for row in group if row not in lost and isinstance(texts[row], str)]
            column = self.metric.each([texts[row] for row in rows])[self.field].tolist()
            for row, value in zip(rows, column, strict=True):
                found[row] = 0.0 if isnan(value) else value
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
