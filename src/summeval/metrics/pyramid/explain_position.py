"""What a score of the position Pyramid comes from, utterance by utterance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import by_unit, items_of, written
from summeval.metrics.run.explain.spans import Span

Key = tuple[str, int]  # its words, and the number of equal ones before it


class Utterance(NamedTuple):
    """An utterance of an extract, its number of words, and where it stands in the text."""

    key: Key
    words: int
    span: Span


def explained_items(
    candidate: str,
    references: Sequence[str],
    utterances: tuple[Sequence[Utterance], Sequence[Sequence[Utterance]]],
    weight: Callable[[Key], int],
    ideal: float,
) -> tuple[ExplainedItem, ...]:
    """An item for each utterance of the candidate, then for those that only models have.

    Parameters
    ----------
    candidate, references
        The texts.
    utterances
        Those of the candidate, and of each reference.
    weight : callable
        Of an utterance: how many models select it.
    ideal : float
        D*, which the weights are divided by.
    """
    own, others = utterances
    words = {one.key: one.words for one in (*own, *(one for of in others for one in of))}
    mine = by_unit((one.key, [one.span]) for one in own)
    theirs = by_unit(
        (one.key, [(number, *one.span)]) for number, of in enumerate(others) for one in of
    )
    shares = {key: weight(key) * words[key] / ideal if ideal else 0.0 for key in mine}

    def details(key: Key) -> Mapping[str, float]:
        return {"words": float(words[key]), "weight": float(weight(key))}

    name = written(candidate, references, mine, theirs)
    return items_of(mine, theirs, shares, text=name, details=details)
