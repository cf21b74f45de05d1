"""The likeness of words that TESLA-M was published with: lemmas, synsets of WordNet, tags."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from summeval.elements.wordnet import ADJECTIVE, ADVERB, NOUN, VERB, wordnet

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.metrics.tesla.tesla_m import Word

_OF_TAGS = {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}
_KEPT = 1 << 16  # words; the lemmas and synsets of one take about 1 kB


def likeness(mine: Sequence[Word], others: Sequence[Word], lemmas: bool) -> NDArray[float64]:
    """The likeness of words [of mine, of others]: 1, 0.5 or 0.

    1 if they can have one lemma; else the mean of two numbers, each 0 or 1: whether a synset of one
    is a synset of the other, and whether their tags are equal. All senses are looked at.

    Parameters
    ----------
    mine, others : sequence of Word
    lemmas : bool
        Whether the words have their lemmas; else WordNet gives them. A word without a tag, or with
        one of none of WordNet's parts of speech, has the lemmas and synsets of all of these.

    Examples
    --------
    >>> from summeval.metrics.tesla.tesla_m import Word
    >>> car, *others = [
    ...     Word(*told.split())
    ...     for told in ("car car NN", "Cars cars NNS", "auto auto NN", "dog dog NN", "red red JJ")
    ... ]
    >>> likeness([car], others, False)
    array([[1. , 1. , 0.5, 0. ]])
    """
    import numpy as np

    read = [
        [_read(word.lemma if lemmas else word.form, word.tag, lemmas) for word in side]
        for side in (mine, others)
    ]
    left, right = read
    same = _overlap([found[0] for found in left], [found[0] for found in right])
    senses = _overlap([found[1] for found in left], [found[1] for found in right])
    tags = _overlap(_tags(mine), _tags(others))
    return np.where(same > 0, 1.0, (senses + tags) / 2)


def _tags(words: Sequence[Word]) -> list[frozenset[str]]:
    return [frozenset({word.tag} - {""}) for word in words]


@lru_cache(_KEPT)
def _read(text: str, tag: str, is_lemma: bool) -> tuple[frozenset[str], frozenset[int]]:
    """The lemmas that a word can have, and its synsets."""
    net, word = wordnet(), text.lower()
    pos = _OF_TAGS.get(tag[:2])
    entries = [(net.entry(word, one), one) for one in ((pos,) if pos is not None else range(4))]
    found = [(entry, one) for entry, one in entries if entry is not None]
    lemmas = {word} if is_lemma or not found else {entry for entry, _ in found}
    if pos is None:
        lemmas.add(word)
    return (
        frozenset(lemmas),
        frozenset(synset for entry, one in found for synset in net.synsets(entry, one)),
    )


def _overlap(mine: Sequence[frozenset[Any]], others: Sequence[frozenset[Any]]) -> NDArray[float64]:
    """1 where two sets share something [of mine, of others]."""
    import numpy as np

    places: dict[Any, list[int]] = {}
    for column, items in enumerate(others):
        for item in items:
            places.setdefault(item, []).append(column)
    found = np.zeros((len(mine), len(others)))
    for row, items in enumerate(mine):
        for item in items:
            if item in places:
                found[row, places[item]] = 1
    return found
