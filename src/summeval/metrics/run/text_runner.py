"""Runners of kernels that read texts: they prepare the texts for the kernel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from summeval._core.columns import columns
from summeval._core.columns.lists import sizes
from summeval._core.rows.record import new_block
from summeval.metrics.run.notices import ASCII_ONLY, warn_cut
from summeval.metrics.run.refusals import Refused
from summeval.metrics.run.text_options import TextOptions

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.rows.kernel import PreparedTexts, TextKernel
    from summeval._core.rows.record import Score

FIELDS = ("precision", "recall", "fmeasure")


class TextRunner:
    """Metrics of one kernel, which read texts in the same way and have `fields` fields each.

    `side` is the name, in messages, of the texts that a candidate is compared with.

    Attributes
    ----------
    run_pair : callable
        If the kernel reads texts unchanged, this is the kernel's own method, so a reward loop calls
        the kernel without a Python frame in between.
    few_rows : callable or None
        The kernel's own; None if Python prepares the texts.
    run_each : callable or None
        Of candidates, references and workers: the scores beside each reference alone, [metric,
        field, reference of all rows]. None if the kernel scores only all references of a row.
    """

    notes_rows = True

    def __init__(
        self,
        kernel: TextKernel,
        text_options: TextOptions,
        fields: int = len(FIELDS),
        side: str = "references",
    ) -> None:
        self._kernel = kernel
        self._text_options = text_options
        self._metrics = len(kernel.names)
        self._fields = fields
        self._side = side
        self._plain = text_options.plain
        self.few_rows = kernel.few_rows if self._plain else None
        if text_options.tokenizer == ASCII_ONLY:
            kernel.on_foreign = warn_cut
        self.run_pair: Callable[[str | None, Any], dict[str, Score]] = (
            kernel.score_pair
            if text_options.plain
            else partial(_run_pair, kernel, text_options, side)
        )

    def run_rows(
        self,
        candidates: columns.TextColumn,
        references: columns.TextColumn,
        workers: int,
        refused: Refused | None = None,
    ) -> NDArray[float64]:
        out = new_block(self._metrics, self._fields, candidates.size)
        if not self._plain:
            candidates = self._text_options.texts(candidates, "candidates", refused)
            references = self._text_options.texts(references, self._side, refused)
        self._kernel.fill_rows(candidates, references, out, workers, refused)
        return out

    @property
    def run_each(self) -> Callable[..., NDArray[float64]] | None:
        return self._each if self._plain and hasattr(self._kernel, "fill_each") else None

    def _each(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> NDArray[float64]:
        out = new_block(self._metrics, self._fields, int(sizes(references).sum()))
        self._kernel.fill_each(candidates, references, out, workers)  # type: ignore[attr-defined]
        return out

    def prepare(self, references: Any) -> PreparedTextRunner:
        if not self._text_options.plain:
            references = self._text_options.references(references, self._side)
        shape = (self._metrics, self._fields)
        return PreparedTextRunner(self._kernel.prepare(references), shape, self._text_options)


class PreparedTextRunner:
    """References that a kernel has read and counted, and the options for reading candidates.

    `run_pair` is as in `TextRunner`.
    """

    notes_rows = True

    def __init__(
        self, prepared: PreparedTexts, shape: tuple[int, int], text_options: TextOptions
    ) -> None:
        self._prepared = prepared
        self._shape = shape  # metrics, fields
        self._text_options = text_options
        self._plain = text_options.plain
        self.run_pair: Callable[[str | None], dict[str, Score]] = (
            prepared.score_pair
            if text_options.plain
            else partial(_run_prepared, prepared, text_options)
        )

    def run_rows(
        self, candidates: columns.TextColumn, workers: int, refused: Refused | None = None
    ) -> NDArray[float64]:
        out = new_block(*self._shape, candidates.size)
        if not self._plain:
            candidates = self._text_options.texts(candidates, "candidates", refused)
        self._prepared.fill_rows(candidates, out, workers, refused)
        return out


def _run_pair(
    kernel: TextKernel,
    text_options: TextOptions,
    side: str,
    candidate: str | None,
    references: Any,
) -> dict[str, Score]:
    """The scores of texts that Python prepares for the kernel."""
    own = text_options.text(candidate, "candidate")
    return kernel.score_pair(own, text_options.references(references, side))


def _run_prepared(
    prepared: PreparedTexts, text_options: TextOptions, candidate: str | None
) -> dict[str, Score]:
    return prepared.score_pair(text_options.text(candidate, "candidate"))
