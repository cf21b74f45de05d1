"""What a ROUGE score comes from: the units that both texts have, and those of one alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from summeval.metrics.rouge.matched import Matched, Reading, matched, read
from summeval.metrics.rouge.script import as_printed, fmeasure, ratio
from summeval.metrics.run.explain.explanation import ExplainedItem

if TYPE_CHECKING:
    from summeval.metrics.rouge.measures import Measure
    from summeval.metrics.run.text_options import TextOptions


class Scoring(NamedTuple):
    """How counts become a score: the options of `Rouge`."""

    aggregate: str
    jackknife: bool
    rounded: bool
    alpha: float


def explained_items(
    measure: Measure,
    text_options: TextOptions,
    scoring: Scoring,
    value: float,
    candidate: str,
    references: Sequence[str],
) -> tuple[ExplainedItem, ...]:
    """The items of a score."""
    mine = read(text_options, candidate)
    others = [read(text_options, text) for text in references]
    found = [matched(measure, mine, other) for other in others]
    weights = weights_of(measure, scoring, found)
    added = fsum(weight * one.hits for weight, one in zip(weights, found, strict=True))
    scale = value / added if added > 0 else 0.0
    told = [(number, weight * scale) for number, weight in enumerate(weights) if weight is not None]
    return tuple(_items(measure, mine, others, found, told))
