"""What a score of ParaEval comes from: the phrases and words that each tier matches."""

from __future__ import annotations

from collections.abc import Sequence

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.spans import Span, Token

Tiers = Sequence[tuple[int, Sequence[int], Sequence[int]]]  # tier, places there, places here
Read = tuple[str, Sequence[Token]]


def explained_items(
    candidate: Read, references: Sequence[Read], found: Sequence[tuple[int, Tiers, float]]
) -> tuple[ExplainedItem, ...]:
    """An item for each match, then for the words that are not matched.

    Parameters
    ----------
    candidate, references : text and its tokens
    found : sequence of (int, matches, float)
        Number of a reference, what was matched, and what its recall counts in the value: a match
        has this times the words that it covers, by all words of the reference. Details: `tier`, 1
        to 3, and `words`.
    """
    text, mine = candidate
    items: list[ExplainedItem] = []
    missing: list[ExplainedItem] = []
    used: set[int] = set()
    for number, matches, factor in found:
        other, theirs = references[number]
        covered: set[int] = set()
        for tier, there, here in matches:
            span, its = _span(mine, here), _span(theirs, there)
            name, called = text[slice(*span)], other[slice(*its)]
            same = [mine[k].form for k in here] == [theirs[k].form for k in there]
            items.append(
                ExplainedItem(
                    name if same else f"{name} = {called}",
                    (span,),
                    ((number, *its),),
                    factor * len(there) / len(theirs),
                    {"tier": float(tier), "words": float(len(there))},
                )
            )
            covered.update(there)
            used.update(here)
        missing += [
            ExplainedItem(other[begin:end], (), ((number, begin, end),), 0.0)
            for place, (_, begin, end) in enumerate(theirs)
            if place not in covered
        ]
    extra = [
        ExplainedItem(text[begin:end], ((begin, end),), (), 0.0)
        for place, (_, begin, end) in enumerate(mine)
        if place not in used
    ]
    return (*items, *missing, *extra)


def _span(tokens: Sequence[Token], places: Sequence[int]) -> Span:
    """From the first to the last of the tokens of a phrase."""
    return tokens[places[0]].begin, tokens[places[-1]].end
