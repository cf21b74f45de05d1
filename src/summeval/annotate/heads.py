"""What a dependency parse must be: heads within the sentence, and no token its own ancestor."""

from __future__ import annotations

from collections.abc import Sequence


def head_problem(heads: Sequence[int]) -> tuple[int, str] | None:
    """The first token whose head cannot be, from 0, and what is wrong with it; None for a parse.

    Parameters
    ----------
    heads : sequence of int
        For each token the position of its head, -1 for roots; any number of roots.

    Examples
    --------
    >>> head_problem([1, -1, 1])
    >>> head_problem([1, 5])
    (1, 'its head is token 6 of a sentence that has 2')
    >>> head_problem([1, 2, 1, -1])
    (1, 'its heads lead back to it')
    """
    length = len(heads)
    for position, head in enumerate(heads):
        if not -1 <= head < length:
            return position, f"its head is token {head + 1} of a sentence that has {length}"
    # 0 for tokens not yet seen, else the walk (its number) that came by.
    walks = [0] * length
    for start in range(length):
        at = start
        while at >= 0 and not walks[at]:
            walks[at] = start + 1
            at = heads[at]
        if at >= 0 and walks[at] == start + 1:
            return at, "its heads lead back to it"
    return None
