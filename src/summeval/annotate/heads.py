"""Validity of dependency parses: heads lie within the sentence and form no cycle."""

from __future__ import annotations

from collections.abc import Sequence


def head_problem(heads: Sequence[int]) -> tuple[int, str] | None:
    """The position (from 0) and problem of the first token with an invalid head, or None.

    Parameters
    ----------
    heads : sequence of int
        The position of each token's head, -1 for roots; any number of roots.

    Examples
    --------
    >>> head_problem([1, -1, 1])
    >>> head_problem([1, 5])
    (1, 'its head is token 6, but the sentence has 2')
    >>> head_problem([1, 2, 1, -1])
    (1, 'its heads form a cycle')
    """
    length = len(heads)
    for position, head in enumerate(heads):
        if not -1 <= head < length:
            return position, f"its head is token {head + 1}, but the sentence has {length}"
    # For each token the number of the walk that visited it, 0 if none has.
    walks = [0] * length
    for start in range(length):
        at = start
        while at >= 0 and not walks[at]:
            walks[at] = start + 1
            at = heads[at]
        if at >= 0 and walks[at] == start + 1:
            return at, "its heads form a cycle"
    return None
