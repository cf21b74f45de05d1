"""Bipartite assignment of maximum weight by successive longest augmenting paths, in plain Python.

Source: Ahuja, Magnanti and Orlin 1993, "Network Flows", sections 9.7 and 12.4.
"""

from collections.abc import Mapping
from fractions import Fraction

Pair = tuple[int, int]
Node = tuple[str, int]


def assign(weights: Mapping[Pair, float]) -> tuple[float, list[Pair]]:
    """A matching of maximum weight: (its weight, its pairs in order).

    Rows and columns may stay unmatched, and no pair whose weight is 0 or less is matched. Sums use
    exact fractions, so that rounding cannot decide between matchings.

    >>> assign({(0, 0): 3.0, (0, 1): 2.5, (1, 0): 2.0, (1, 1): -1.0, (2, 2): 0.0})
    (4.5, [(0, 1), (1, 0)])
    """
    exact = {pair: Fraction(weight) for pair, weight in weights.items() if weight > 0}
    matched: dict[int, int] = {}  # column -> row
    while True:
        end, back = _longest_path(exact, matched)
        if end is None:
            pairs = sorted((row, column) for column, row in matched.items())
            return float(sum(exact[pair] for pair in pairs)), pairs
        column: int | None = end
        while column is not None:
            row, column_before = back[column]
            matched[column] = row
            column = column_before


def _longest_path(
    weights: Mapping[Pair, Fraction], matched: Mapping[int, int]
) -> tuple[int | None, dict[int, tuple[int, int | None]]]:
    """The best augmenting path (Bellman and Ford): its last column, and the path to it.

    The path maps a column to its row and to the column that the row leaves, or None for the free
    row at the start. The last column is None if no path gains anything.
    """
    held = {row: column for column, row in matched.items()}
    gain: dict[int, Fraction] = {}
    back: dict[int, tuple[int, int | None]] = {}
    changed = True
    while changed:
        changed = False
        for (row, column), weight in weights.items():
            left = held.get(row)
            if left == column or (left is not None and left not in gain):
                continue
            start = gain[left] - weights[row, left] if left is not None else Fraction(0)
            if column not in gain or start + weight > gain[column]:
                gain[column] = start + weight
                back[column] = (row, left)
                changed = True
    ends = [(gain[column], -column) for column in gain if column not in matched]
    best, last = max(ends, default=(Fraction(0), 0))
    return (-last if best > 0 else None), back
