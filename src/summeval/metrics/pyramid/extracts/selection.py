"""Extracts under a word budget, and how much of what people selected they hold.

Galley 2006, "A skip-chain conditional random field for ranking meeting utterances by importance",
sections 3 and 7. A unit is a word at its place in the document, as in `PositionPyramid`; because an
extract holds whole utterances, sums over utterances suffice here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._options import real, shown
from summeval.text.tokenizers import tokens_of_all


def select(utterances: Sequence[str], scores: ArrayLike, word_budget: float) -> list[int]:
    """Return the best utterances within a word budget.

    Utterances are taken best first, ties in document order, until the next one would pass the
    budget; nothing after that one is taken, even if it is shorter. Words are tokens of `rouge155`.

    Parameters
    ----------
    utterances : sequence of str
        The document.
    scores : array [utterance]
        Higher is better.
    word_budget : float
        The most words that the extract may have.

    Returns
    -------
    list of int
        The selected utterances, numbered from 0, in document order.

    Raises
    ------
    TypeError, ValueError
        Texts that are not str, another number of scores than utterances, a score that is NaN, a
        budget that is negative or no number.

    Examples
    --------
    >>> select(["So the cat sat.", "Yes.", "It slept all day."], [0.2, 0.1, 0.9], word_budget=8)
    [0, 2]
    >>> select(["So the cat sat.", "Yes.", "It slept all day."], [0.2, 0.1, 0.9], word_budget=7)
    [2]
    """
    budget = real(word_budget)
    if budget is None or not budget >= 0:
        raise ValueError(f"word_budget is {shown(word_budget)}; give a number of words, 0 or more")
    if isinstance(utterances, (str, bytes)) or not hasattr(utterances, "__len__"):
        raise TypeError(f"utterances is {shown(utterances)}; give a list of texts")
    for place, text in enumerate(utterances):
        if not isinstance(text, str):
            raise TypeError(f"utterances[{place}] is {shown(text)}; give a text")
    words = np.array(tokens_of_all(utterances)[1], dtype=np.int64)
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"scores is {shown(scores)}; give a number for each utterance") from None
    if (shape := values.shape) != words.shape:
        problem = f"has the shape {shape} for {len(words)} utterances"
        raise ValueError(f"scores {problem}; give a number for each")
    if np.isnan(values).any():
        place = int(np.isnan(values).argmax())
        raise ValueError(f"scores[{place}] is NaN; give a number for each utterance")
    return list(map(int, within_budget(words, values, budget)))


def within_budget(words: Ints, scores: Floats, budget: float) -> Ints:
    """As `select`, of checked numbers of words [utterance].

    >>> import numpy as np
    >>> within_budget(np.array([4, 1, 4]), np.array([0.2, 0.1, 0.9]), 8).tolist()
    [0, 2]
    """
    ranking = np.argsort(-scores, kind="stable")
    taken = int(np.searchsorted(np.cumsum(words[ranking]), budget, side="right"))
    return np.asarray(np.sort(ranking[:taken]))


def share_of_best(words: Ints, chosen: Bools, people: AnyArray) -> float:
    """P of an extract: the weight of its words beside the best weight of as many words.

    Parameters
    ----------
    words : array [utterance]
        Numbers of words.
    chosen : array [utterance]
        Whether the extract holds the utterance.
    people : array [annotator, utterance]
        Whether an annotator selected it.

    Returns
    -------
    float
        0 if the extract has no words, or the people selected none.

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1, 1, 0], [1, 0, 0]])
    >>> share_of_best(np.array([2, 3, 4]), np.array([False, True, False]), people)
    0.6
    """
    weight = people.sum(axis=0, dtype=np.int64)
    found = int((words * weight)[chosen].sum())
    left, best = int(words[chosen].sum()), 0
    sizes = np.bincount(weight, weights=words, minlength=1).astype(np.int64)
    for value in range(len(sizes) - 1, 0, -1):  # the heaviest words first
        taken = min(left, int(sizes[value]))
        best, left = best + value * taken, left - taken
    return found / best if best else 0.0


def left_out_mean(words: Ints, chosen: Bools, people: AnyArray) -> float:
    """The mean P of an extract beside all people but one, as people are scored by `people_mean`.

    >>> import numpy as np
    >>> people = np.array([[1, 1, 0], [1, 0, 0]])
    >>> left_out_mean(np.array([2, 3, 4]), np.array([False, True, False]), people)
    0.5
    """
    rests = [np.delete(people, each, axis=0) for each in range(len(people))]
    return float(np.mean([share_of_best(words, chosen, rest) for rest in rests]))


def people_mean(words: Ints, people: AnyArray) -> float:
    """Return the mean P of each person's extract beside those of the others.

    >>> import numpy as np
    >>> round(people_mean(np.array([2, 3, 4]), np.array([[1, 1, 0], [1, 0, 0]])), 3)
    1.0
    """
    pairs = [(one.astype(bool), np.delete(people, k, axis=0)) for k, one in enumerate(people)]
    return float(np.mean([share_of_best(words, one, rest) for one, rest in pairs]))
