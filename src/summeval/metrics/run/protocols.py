"""The interfaces of suites, metrics and runners."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.record import Score
    from summeval.metrics.run.signature import Signature

ComparedWith = Literal["references", "source", "nothing"]
OnError = Literal["raise", "skip"]


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
    look at the candidate alone, whatever is passed is not read.
    """

    @property
    def run_pair(self) -> Callable[[str | None, Any], dict[str, Score]]:
        """Gives the scores of a candidate and references, by the names of the metrics."""
        ...

    def run_rows(self, candidates: Any, references: Any, workers: int) -> NDArray[float64]:
        """Scores [metric, field, row]."""
        ...

    def prepare(self, references: Any) -> PreparedRunner: ...


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
    if metric.compared_with == "source" and source is None:
        raise ValueError(f"{metric.name} compares a candidate with its input; pass {what}=")
    return source if metric.compared_with == "source" else None
