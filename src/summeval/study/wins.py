"""Rows of tables about Koehn's test, for studies that compare metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from summeval.meta.significance import KoehnResult

MARKS = ((0.99, "**"), (0.95, "*"))
MARKED = "* and **: the better metric wins at least 95 and 99 % of the draws (Koehn's test)"


def pair_rows(
    drawn: Mapping[tuple[str, str], KoehnResult], place: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row for each pair of metrics; `place` has the columns that are the same in all rows."""
    for (a, b), found in drawn.items():
        losing = found.losses / found.resamples
        yield {
            "a": a,
            "b": b,
            **place,
            "wins": found.wins,
            "ties": found.ties,
            "losses": found.losses,
            "undefined": found.undefined,
            "win_rate": found.significance,
            "loss_rate": losing,
            "difference": found.full_a - found.full_b,
            "interval": (found.lower, found.upper),
            "better": a if mark(found.significance) else b if mark(losing) else None,
            "mark": mark(max(found.significance, losing)),
        }


def win_rows(
    drawn: Mapping[tuple[str, str], KoehnResult], metrics: Sequence[str], place: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """A row for each metric: its share of wins against each other metric, with its mark."""
    for metric in metrics:
        row: dict[str, Any] = {"metric": metric, **place}
        for other in metrics:
            rate = None
            if (metric, other) in drawn:
                rate = drawn[metric, other].significance
            elif (other, metric) in drawn:
                found = drawn[other, metric]
                rate = found.losses / found.resamples
            row[other] = None if rate is None else f"{rate:.3f}{mark(rate)}"
        yield row


def mark(rate: float) -> str:
    """The mark of a share of wins.

    >>> mark(0.99), mark(0.95), mark(0.949)
    ('**', '*', '')
    """
    return next((mark for least, mark in MARKS if rate >= least), "")
