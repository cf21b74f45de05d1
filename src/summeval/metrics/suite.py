"""Several metrics at once: those of one family share one pass over the texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from summeval._core import columns
from summeval._workers import check_workers
from summeval.metrics.base import Metric, PreparedRunner, Runner
from summeval.metrics.table import ScoreTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.record import Score

PROGRESS_ROWS = 4096
PART_ROWS = 1 << 17  # between parts a batch can be interrupted


class Suite:
    """Metrics that are run together; made by `summeval.suite`.

    `score` returns a dict with one Score for each metric, `score_batch` one ScoreTable.

    >>> import summeval
    >>> suite = summeval.suite(["rouge1", "rougeL"])
    >>> suite.score("the cat sat", "the cat sat down")["rougeL"].recall
    0.75
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        names = [metric.name for metric in metrics]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two metrics are called {name!r}; give one of them a label=")
        if not metrics:
            raise ValueError("no metrics were given; name at least one")
        self.metrics = list(metrics)
        groups: dict[Hashable, list[Metric]] = {}
        for metric in metrics:
            groups.setdefault(metric.fusion_key(), []).append(metric)
        self._groups = list(groups.values())
        self._runners: list[Runner] = [group[0].fuse(group) for group in self._groups]
        self._in_order = [metric for group in self._groups for metric in group] == self.metrics

    def __reduce__(self) -> tuple[type[Suite], tuple[list[Metric]]]:
        return Suite, (self.metrics,)

    @property
    def signature(self) -> dict[str, str]:
        """The signature of each metric, by its name."""
        return {metric.name: metric.signature for metric in self.metrics}

    def score(
        self, candidate: str | None, references: str | Iterable[str | None]
    ) -> dict[str, Score]:
        """One candidate against its reference(s): metric name -> Score."""
        if len(self._runners) == 1:
            return self._runners[0].score(candidate, references)
        references = as_references(references)
        scores: dict[str, Score] = {}
        for runner in self._runners:
            scores.update(runner.score(candidate, references))
        return self.in_order(scores)

    def in_order(self, scores: dict[str, Score]) -> dict[str, Score]:
        """The scores of all runners in the order of the metrics."""
        return scores if self._in_order else {m.name: scores[m.name] for m in self.metrics}

    def score_batch(
        self,
        candidates: Any,
        references: Any,
        *,
        sources: Any = None,
        workers: int = 1,
        progress: Callable[[int, int], object] | None = None,
    ) -> ScoreTable:
        """Rows of candidates and references to a ScoreTable; see `summeval.score_batch`."""
        workers = check_workers(workers)
        left = columns.texts(candidates, "candidates")
        right = columns.references(references, "references")
        rows = len(left)
        check_lengths(rows, len(right), "rows of references")
        if sources is not None:
            if isinstance(sources, (str, bytes)) or not hasattr(sources, "__len__"):
                kind = type(sources).__name__
                raise TypeError(f"sources is {kind}; pass a list with the input of each row")
            check_lengths(rows, len(sources), "sources")
        if progress is None and rows <= PART_ROWS:
            blocks = [runner.score_batch(left, right, workers) for runner in self._runners]
        else:
            blocks = self._score_parts(left, right, workers, progress)
        return self.table(blocks, rows)

    def table(self, blocks: Sequence[NDArray[float64]], rows: int) -> ScoreTable:
        """The columns of all runners' blocks [metric, field, row], in the order of the metrics."""
        found = {}
        members = [metric for group in self._groups for metric in group]
        sheets = [sheet for block in blocks for sheet in block]
        for metric, sheet in zip(members, sheets, strict=True):
            for field, column in zip(metric.fields, sheet, strict=True):
                found[f"{metric.name}.{field}"] = column
        names = [f"{metric.name}.{field}" for metric in self.metrics for field in metric.fields]
        primary = {metric.name: f"{metric.name}.{metric.primary}" for metric in self.metrics}
        return ScoreTable({name: found[name] for name in names}, primary, self.signature, rows)

    def _score_parts(
        self,
        left: columns.TextColumn,
        right: columns.TextColumn,
        workers: int,
        progress: Callable[[int, int], object] | None,
    ) -> list[NDArray[float64]]:
        """One block for each runner, made part by part."""
        import numpy as np

        rows = len(left)
        step = PART_ROWS if progress is None else max(PROGRESS_ROWS, rows // 100)
        parts: list[list[NDArray[float64]]] = [[] for _ in self._runners]
        for begin in range(0, rows, step):
            end = min(begin + step, rows)
            for runner, found in zip(self._runners, parts, strict=True):
                some = runner.score_batch(left.part(begin, end), right.part(begin, end), workers)
                found.append(some)
            if progress is not None:
                progress(end, rows)
        if rows == 0:
            return [runner.score_batch(left, right, workers) for runner in self._runners]
        return [np.concatenate(found, axis=2) for found in parts]

    def prepare(self, references: str | Iterable[str | None]) -> Prepared:
        """Read the references once, to score many candidates against them."""
        return Prepared(self, references, self._runners)


class Prepared:
    """One set of references, read once; made by `prepare` of a metric or a suite.

    Threads may share it. It pickles as its references, and reads them again.
    """

    def __init__(
        self,
        origin: Suite | Metric,
        references: str | Iterable[str | None] | None,
        runners: Sequence[Runner],
    ) -> None:
        self._origin = origin
        self._references = as_references(references)
        self._runners: list[PreparedRunner] = [
            runner.prepare(self._references) for runner in runners
        ]
        if isinstance(origin, Suite) and len(runners) == 1:
            # the hot path of a reward: no Python frame between the caller and the kernel
            self.score = self._runners[0].score  # type: ignore[method-assign]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self._origin).prepare, (self._origin, self._references)

    def score(self, candidate: str | None) -> Any:
        """The Score of a prepared metric, or metric name -> Score of a prepared suite."""
        if not isinstance(self._origin, Suite):
            return self._runners[0].score(candidate)[self._origin.name]
        scores: dict[str, Score] = {}
        for runner in self._runners:
            scores.update(runner.score(candidate))
        return self._origin.in_order(scores)

    def score_batch(self, candidates: Any, *, workers: int = 1) -> ScoreTable:
        """Score many candidates against the prepared references."""
        workers = check_workers(workers)
        column = columns.texts(candidates, "candidates")
        blocks = [runner.score_batch(column, workers) for runner in self._runners]
        suite = self._origin if isinstance(self._origin, Suite) else Suite([self._origin])
        return suite.table(blocks, len(column))


def check_lengths(rows: int, others: int, what: str) -> None:
    """Raise unless both sides have as many rows."""
    if rows != others:
        raise ValueError(f"{rows} candidates but {others} {what}; give one for each candidate")


def as_references(references: Any) -> Any:
    """References that can be read more than once; what is not iterable is left for the kernel."""
    if isinstance(references, (str, list, tuple)) or not hasattr(references, "__iter__"):
        return references
    return references if isinstance(references, (bytes, dict, set)) else list(references)
