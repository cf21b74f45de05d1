"""Which rows are explained: those of an id, the worst, the best, or those where metrics part."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import summeval
from summeval.cli.explain.rows import TextRow
from summeval.cli.shared.errors import UsageError, refusals, say

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

FIRST = 5  # rows on a terminal, if none are asked for
APART = 10  # rows on which two metrics part, if no number is given


def apart_of(given: Sequence[str] | None) -> tuple[list[str], int]:
    """The two metrics and the number of rows of `--apart`.

    >>> apart_of(["rouge1,rouge2", "5"]), apart_of(["rouge1", "tesla-s"]), apart_of(None)
    ((['rouge1', 'rouge2'], 5), (['rouge1', 'tesla-s'], 10), ([], 10))
    """
    words = [word for text in given or () for word in text.replace(",", " ").split()]
    count = words.pop() if words and words[-1].isdecimal() else str(APART)
    if given is not None and (len(set(words)) != 2 or len(words) != 2 or int(count) < 1):
        raise UsageError("--apart takes two metrics and how many rows: --apart rouge1,rougeL 10")
    return words, int(count)


def check_asked(arguments: argparse.Namespace) -> None:
    """Raise `UsageError` for ways to choose rows that exclude each other, or take no rows."""
    asked = [n for n in ("row", "worst", "best", "apart") if getattr(arguments, n) is not None]
    if len(asked) > 1:
        raise UsageError(f"pass one of {' and '.join(f'--{name}' for name in asked)}")
    for name in ("worst", "best"):
        if getattr(arguments, name) is not None and getattr(arguments, name) < 1:
            raise UsageError(f"--{name} takes a number of rows from 1")


def chosen(
    arguments: argparse.Namespace,
    metrics: Sequence[summeval.Metric],
    rows: Sequence[TextRow],
    page: bool,
) -> list[TextRow]:
    """The rows that are asked for, in the order in which they are shown.

    Without a choice a page has all of them, a terminal the first few.
    """
    if arguments.row is not None:
        return _named(arguments, rows)
    apart, count = apart_of(arguments.apart)
    if apart:
        values = [
            values_of(arguments, metric, rows)
            for name in apart
            for metric in metrics
            if metric.name == name
        ]
        return [rows[k] for k in parting(*values)[:count]]
    if arguments.worst is not None or arguments.best is not None:
        column = values_of(arguments, metrics[0], rows)
        places = ranked(column if arguments.best is not None else -column)
        return [rows[k] for k in places[: arguments.best or arguments.worst]]
    if not page and len(rows) > FIRST:
        say(
            f"the first {FIRST} of {len(rows):,} rows; choose others with --row, --worst, --best or"
            " --apart, or write a page of all with -o FILE.html"
        )
        return list(rows[:FIRST])
    return list(rows)


def ranked(values: NDArray[float64]) -> list[int]:
    """The places of values from the highest on; ties in their order, without NaN.

    >>> import numpy as np
    >>> ranked(np.array([0.1, np.nan, 0.5, 0.1]))
    [2, 0, 3]
    """
    import numpy as np

    order = np.argsort(-values, kind="stable")
    return [int(k) for k in order if not np.isnan(values[k])]


def parting(one: NDArray[float64], other: NDArray[float64]) -> list[int]:
    """The places of two columns where their ranks differ most first; without NaN.

    Equal values share the mean of their ranks.

    >>> import numpy as np
    >>> parting(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 3.0, 0.0]))
    [3, 0, 2, 1]
    """
    import numpy as np

    there = np.flatnonzero(~(np.isnan(one) | np.isnan(other)))
    difference = np.full(len(one), np.nan)
    difference[there] = np.abs(_ranks(one[there]) - _ranks(other[there]))
    return ranked(difference)


def _ranks(values: NDArray[float64]) -> Any:
    import numpy as np

    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[place]


def values_of(
    arguments: argparse.Namespace, metric: summeval.Metric, rows: Sequence[TextRow]
) -> NDArray[float64]:
    """The values of a metric for all rows, negated where lower is better."""
    reads = metric.compared_with
    with refusals(arguments.input):
        table = metric.score_batch(
            [row.candidate for row in rows],
            [row.references for row in rows] if reads in ("references", "both") else None,
            sources=[row.source for row in rows] if reads in ("source", "both") else None,
            on_error=arguments.on_error,
        )
    column: NDArray[float64] = table[f"{metric.name}.{metric.primary}"]
    return column if metric.higher_is_better else -column


def _named(arguments: argparse.Namespace, rows: Sequence[TextRow]) -> list[TextRow]:
    """The rows of ids; where no row has an id, those of numbers."""
    asked = arguments.row
    by_number = not any(row.id for row in rows)
    names = {str(row.number) if by_number else row.id for row in rows}
    wanted: list[str] = []
    for text in asked:
        wanted += [text] if text in names else [part for part in text.split(",") if part]
    for name in wanted:
        if name not in names:
            raise UsageError(_unknown(arguments, name, names, by_number, len(rows)))
    places = {name: k for k, name in reversed(list(enumerate(wanted)))}
    found = [row for row in rows if (str(row.number) if by_number else row.id) in places]
    return sorted(found, key=lambda row: places[str(row.number) if by_number else row.id])


def _unknown(
    arguments: argparse.Namespace, name: str, names: set[str], by_number: bool, size: int
) -> str:
    import difflib

    if by_number:
        return f"--row {name}: no row has an id, so pass a number from 1 to {size}"
    near = difflib.get_close_matches(name, sorted(names), 1, 0.0)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"--row {name}: {arguments.input} has no row with this {arguments.id_column}{hint}"
