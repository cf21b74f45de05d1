"""A piece of a score, and what every explanation has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

Kind: TypeAlias = Literal["match", "missing", "extra", "part"]


@dataclass(frozen=True, init=False)
class ExplainedItem:
    """A piece of a score: an n-gram, a word, a part of a combined metric; and what it adds.

    Attributes
    ----------
    text : str
        What people call it. "intercept" is what a fitted metric adds whatever the texts are.
    candidate_spans : tuple of (int, int)
        Where it stands in the candidate: first character, and character after the last.
    reference_spans : tuple of (int, int, int)
        Where it stands in the references: number of the reference, from 0, first character, and
        character after the last.
    share : float
        What it adds to the value. The shares of all items add up to it, where the value is a sum.
    details : mapping of str to float
        Further numbers of the metric.
    source_spans : tuple of (int, int, int)
        As `reference_spans`, in the documents of the source.
    """

    text: str
    candidate_spans: tuple[tuple[int, int], ...]
    reference_spans: tuple[tuple[int, int, int], ...]
    share: float
    details: Mapping[str, float] = field(default_factory=dict)
    source_spans: tuple[tuple[int, int, int], ...] = ()

    def __init__(  # noqa: PLR0917 - the fields in their order
        self,
        text: str,
        candidate_spans: tuple[tuple[int, int], ...],
        reference_spans: tuple[tuple[int, int, int], ...],
        share: float,
        details: Mapping[str, float] | None = None,
        source_spans: tuple[tuple[int, int, int], ...] = (),
    ) -> None:
        # An explanation has hundreds; what a frozen dataclass generates takes twice as long.
        mine = self.__dict__
        mine["text"] = text
        mine["candidate_spans"] = candidate_spans
        mine["reference_spans"] = reference_spans
        mine["share"] = share
        mine["details"] = {} if details is None else details
        mine["source_spans"] = source_spans

    @property
    def kind(self) -> Kind:
        """`match` (both sides), `missing` (not in the candidate), `extra` (only there), `part`."""
        others = bool(self.reference_spans or self.source_spans)
        if self.candidate_spans:
            return "match" if others else "extra"
        return "missing" if others else "part"


class Told(Protocol):
    """An `Explanation`, for what shows one."""

    @property
    def metric(self) -> str: ...

    @property
    def value(self) -> float: ...

    @property
    def items(self) -> Sequence[ExplainedItem]: ...

    @property
    def candidate(self) -> str: ...

    @property
    def references(self) -> Sequence[str]: ...

    @property
    def sources(self) -> Sequence[str]: ...

    @property
    def parts(self) -> Sequence[Told]: ...
