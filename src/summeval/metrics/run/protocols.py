"""The interfaces of suites, metrics and runners."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, Union

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.columns.columns import TextColumn
    from summeval._core.rows.record import Score
    from summeval.metrics.run.signature import Signature

ComparedWith = Literal["references", "source", "both", "nothing"]
OnError = Literal["raise", "skip"]


class Both(NamedTuple):
    """What a metric compares with that reads references and the source.

    Columns of texts in a batch, else the texts of one row.
    """

    references: Any
    source: Any

    def part(self, begin: int, end: int) -> Both:
        """Some rows of both columns."""
        return Both(self.references.part(begin, end), self.source.part(begin, end))

    def take(self, rows: NDArray[Any]) -> Both:
        """The rows of both columns in another order."""
        return Both(self.references.take(rows), self.source.take(rows))


Side: TypeAlias = Union["TextColumn", Both]


def picked(side: Any, what: ComparedWith) -> Any:
    """What a metric reads of a side: of `Both` its part, of any other all of it.

    >>> picked(Both("a reference", "an input"), "source"), picked("an input", "source")
    ('an input', 'an input')
    """
    if isinstance(side, Both) and what in ("references", "source"):
        return side.references if what == "references" else side.source
    return side


def flat(sides: Iterable[Side]) -> list[TextColumn]:
    """The columns of sides, one by one."""
    return [
        column
        for side in sides
        for column in ((side.references, side.source) if isinstance(side, Both) else (side,))
    ]


class PreparedRunner(Protocol):
    """References (or the source) that one runner has read."""

    @property
    def run_pair(self) -> Callable[[str | None], dict[str, Score]]:
        """Gives the scores of a candidate, by the names of the metrics."""
        ...

    def run_rows(self, candidates: Any, workers: int) -> NDArray[float64]: ...


class Runner(Protocol):
    """Several metrics of one family that share a pass over the texts.

    `run_rows` of a class with `notes_rows = True`, and that of what it prepares, takes `refused` as
    a last argument: a `Refused` or None, where it notes the rows that it refuses, whose scores are
    NaN. Any other raises.

    Where the metrics compare with the source, `references` are the texts of the source; where they
    read both, they are a `Both`; where they look at the candidate alone, whatever is passed is not
    read.
    """

    @property
    def run_pair(self) -> Callable[[str | None, Any], dict[str, Score]]:
        """Gives the scores of a candidate and references, by the names of the metrics."""
        ...

    def run_rows(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        """Scores [metric, field, row]."""
        ...

    def prepare(self, references: Any) -> PreparedRunner: ...


class TextParser(Protocol):
    """What parses the texts of a metric.

    Attributes
    ----------
    given : object
        The annotation provider as it was given.
    asking_for : set of str
        What it asks the provider for; see `summeval.annotate.annotate`.
    """

    given: Any
    asking_for: set[str]


def parse_once(parsers: Sequence[TextParser]) -> None:
    """Let parsers with one provider ask for what any of them reads, so that they share parses."""
    for one in parsers:
        for other in parsers:
            if one.given == other.given:
                one.asking_for |= other.asking_for


class Member(Protocol):
    """The interface that suites need of a metric; see `Metric`."""

    @property
    def name(self) -> str: ...

    @property
    def fields(self) -> tuple[str, ...]: ...

    @property
    def primary(self) -> str: ...

    @property
    def compared_with(self) -> ComparedWith: ...

    @property
    def least_references(self) -> int: ...

    @property
    def unchanging(self) -> bool: ...

    @property
    def languages(self) -> tuple[str, ...]: ...

    @property
    def falling(self) -> frozenset[str]: ...

    @property
    def best(self) -> dict[str, float]: ...

    def without_jackknife(self) -> Member: ...

    @property
    def signature(self) -> Signature: ...

    @property
    def tokenizer(self) -> object: ...

    @property
    def lacking(self) -> tuple[str, Sequence[str], Sequence[str]] | None: ...

    @property
    def parsers(self) -> Sequence[TextParser]: ...

    @property
    def wants_lines(self) -> bool: ...

    @property
    def directions(self) -> dict[str, bool]: ...

    def fusion_key(self) -> Hashable: ...

    @staticmethod
    def fuse(metrics: Sequence[Any]) -> Runner: ...

    def runner(self) -> Runner: ...


def block_of(scores: Sequence[Score], fields: Sequence[str]) -> NDArray[float64]:
    """The scores of one metric as a Runner returns them: [metric, field, row]."""
    import numpy as np

    values = [[score[field] for field in fields] for score in scores]
    table: NDArray[np.float64] = np.array(values, dtype=np.float64).reshape(-1, len(fields))
    return np.ascontiguousarray(table.T[None])


def compared(metric: Member, references: Any, source: Any, what: str = "source") -> Any:
    """What the metric compares a candidate with; `what` is the argument that holds the source."""
    if metric.compared_with == "references":
        return references
    if metric.compared_with == "nothing":
        return None
    if source is None:
        raise ValueError(f"{metric.name} compares a candidate with its input; pass {what}=")
    if metric.compared_with == "source":
        return source
    if references is None:
        raise ValueError(f"{metric.name} compares a candidate with references; pass references=")
    return Both(references, source)
