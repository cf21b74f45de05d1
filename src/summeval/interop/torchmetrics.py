"""A torchmetrics Metric of any of summeval's.

    from summeval.interop.torchmetrics import SummaryScore

    score = SummaryScore(["rouge1", "rougeLsum.recall"])
    score.update(predictions, targets)
    score.compute()  # {"rouge1_precision": tensor, …, "rougeLsum_recall": tensor}

The names are those of torchmetrics' own ROUGEScore, `<metric>_<field>`. Its state is the sums of
statistics of its metrics, so it has a fixed size and is reduced over processes by addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from summeval._lazy import need
from summeval.interop.shared import DEFAULT_ROUGE, Terms, choose, direction, late_class
from summeval.metrics.run.corpus import Sums

if TYPE_CHECKING:
    SummaryScore: Any

_NEEDED = ("torch", "torchmetrics")


def _class() -> Any:
    torch, torchmetrics = (need(name, "SummaryScore") for name in _NEEDED)

    class SummaryScore(torchmetrics.Metric):  # type: ignore[misc, name-defined]
        """Scores over all texts of all batches and processes.

        Of sums where the metric has statistics that add up, such as BLEU, else the mean of texts.
        `higher_is_better` is the direction of its fields, or None if they differ.

        Parameters
        ----------
        metrics : name, metric object, or iterable of these
            A name may end in a field: `rouge2.recall`; without one all fields are given.
        workers : int
            Threads for each update.
        **kwargs
            Of torchmetrics.Metric.
        """

        full_state_update = False
        is_differentiable = False

        def __init__(
            self, metrics: Terms = DEFAULT_ROUGE, *, workers: int = 1, **kwargs: Any
        ) -> None:
            super().__init__(**kwargs)
            self._suite, self._terms = choose(metrics, every_field=True)
            self._workers = workers
            self._sums = Sums(self._suite.metrics)
            zeros = torch.zeros(self._sums.size, dtype=torch.float64)
            self.add_state("sums", zeros, dist_reduce_fx="sum")

        @property
        def higher_is_better(self) -> bool | None:
            return direction(self._terms)

        def update(
            self,
            preds: str | Sequence[str],
            target: str | Sequence[str | Sequence[str]] | None = None,
            sources: str | Sequence[str | Sequence[str]] | None = None,
        ) -> None:
            """Add texts: one with its reference(s), or a sequence with a reference(s) for each.

            `sources` are the inputs, given as `target`. Metrics that read no references need no
            `target`. Rows without a candidate, or a text that it is compared with, do not count.
            """
            rows: list[Any] = [preds, target, sources]
            if isinstance(preds, str):
                rows = [None if texts is None else [texts] for texts in rows]
            preds, target, sources = rows
            table = self._suite.score_batch(preds, target, sources=sources, workers=self._workers)
            self.sums += torch.from_numpy(self._sums.of(table)).to(self.sums.device)

        def compute(self) -> dict[str, Any]:
            """Return each field, a float64 scalar; the mean of no text is NaN."""
            found = self._sums.scores(self.sums.cpu().numpy())
            return {
                f"{term.metric.name}_{term.field}": torch.tensor(
                    term.of(found), dtype=torch.float64, device=self.sums.device
                )
                for term in self._terms
            }

    return SummaryScore


__getattr__ = late_class(__name__, "SummaryScore", _class)
