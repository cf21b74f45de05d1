"""What the score of a learned metric comes from: its parts, with their own explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.explain.shares import INTERCEPT, bounded, largest_first, whole

if TYPE_CHECKING:
    from summeval.learn.shares import Shares
    from summeval.metrics.run.suite import Suite

INTERACTION = "interaction"


class Divided(Protocol):
    """A model that tells what each feature adds to a prediction."""

    def __call__(self, row: Sequence[float], /) -> Shares: ...


def by_part(
    metric: Metric,
    suite: Suite,
    columns: Sequence[str],
    shares: Divided,
    *,
    texts: tuple[str, tuple[str, ...], tuple[str, ...]],
) -> Explanation:
    """The explanation of a metric that a model makes of columns of others.

    An item for each column, the largest share first, then "intercept", "interaction" if the model
    leaves one, and "floor" with what the least value of the metric adds to them. `texts` are the
    candidate, the references and the documents of the source.
    """
    candidate, references, sources = texts
    given = {"references": references or None, "source": sources or None}
    value = float(metric.score(candidate, **given).value)
    scores = suite.score(candidate, **given)
    places = [column.rpartition(".") for column in columns]
    found = shares([float(scores[name][field]) for name, _, field in places])
    items = largest_first(
        ExplainedItem(column, (), (), share, details)
        for column, share, details in zip(columns, found.features, found.details, strict=True)
    )
    rest = [whole(INTERCEPT, found.intercept)]
    if found.interaction:
        rest.append(whole(INTERACTION, found.interaction))
    used = dict.fromkeys(name for name, _, _ in places)
    named = [one for one in suite.metrics if one.name in used and isinstance(one, Metric)]
    return Explanation(
        metric.name,
        value,
        bounded((*items, *rest), value),
        candidate,
        references,
        sources,
        tuple(part_of(one, *texts) for one in named),
    )


def part_of(
    metric: Metric, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
) -> Explanation:
    """The explanation of one of the metrics, with the texts that it reads."""
    reads = metric.compared_with
    return metric.explain_texts(
        candidate,
        references if reads in ("references", "both") else (),
        sources if reads in ("source", "both") else (),
    )
