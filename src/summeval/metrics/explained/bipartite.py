"""What a score of bipartite matching comes from, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.spans import Token

Pairs = Sequence[tuple[int, int]]


def explained_items(
    candidate: tuple[str, Sequence[Token]],
    references: Sequence[tuple[str, Sequence[Token]]],
    matchings: Sequence[tuple[int, Pairs, float]],
) -> tuple[ExplainedItem, ...]:
    """An item for each matched pair of nodes, then for those that are not matched.

    Parameters
    ----------
    candidate, references : text and its tokens
    matchings : sequence of (int, pairs, float)
        Number of a reference, the matched places, and what its F adds to the value: each pair has
        the same part of it.
    """
    text, mine = candidate
    items: list[ExplainedItem] = []
    missing: list[ExplainedItem] = []
    for number, pairs, part in matchings:
        other, theirs = references[number]
        for row, column in pairs:
            (_, *own), (_, *there) = mine[row], theirs[column]
            name, called = text[slice(*own)], other[slice(*there)]
            items.append(
                ExplainedItem(
                    name if mine[row].form == theirs[column].form else f"{name} = {called}",
                    ((own[0], own[1]),),
                    ((number, there[0], there[1]),),
                    part / len(pairs),
                )
            )
        matched = {column for _, column in pairs}
        missing += [
            ExplainedItem(other[begin:end], (), ((number, begin, end),), 0.0)
            for column, (_, begin, end) in enumerate(theirs)
            if column not in matched
        ]
    used = {row for _, pairs, _ in matchings for row, _ in pairs}
    extra = [
        ExplainedItem(text[begin:end], ((begin, end),), (), 0.0)
        for row, (_, begin, end) in enumerate(mine)
        if row not in used
    ]
    return (*items, *missing, *extra)
