"""METEOR in plain Python.

Banerjee and Lavie 2005, "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation
with Human Judgments", with the details of NLTK 3.10.4.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from definitions.elements.wordnet import WordNet
from definitions.text.stemmer import porter_of_characters

Match = tuple[int, int, int]  # word, word of the reference, stage


def alignment(
    candidate: Sequence[str], reference: Sequence[str], net: WordNet | None
) -> list[Match]:
    """Return the matches of words in lower case, in the order of the candidate.

    >>> alignment("a dog a dog".split(), "dogs a dog".split(), None)
    [(1, 0, 1), (2, 1, 0), (3, 2, 0)]
    """
    own, other = dict(enumerate(candidate)), dict(enumerate(reference))
    found: list[Match] = []

    def stage(number: int, alike: Callable[[str], set[str]]) -> None:
        for i in sorted(own, reverse=True):
            words = alike(own[i])
            j = next((j for j in sorted(other, reverse=True) if other[j] in words), None)
            if j is not None:
                found.append((i, j, number))
                del own[i], other[j]

    stage(0, lambda word: {word})
    own = {i: porter_of_characters(word) for i, word in own.items()}
    other = {j: porter_of_characters(word) for j, word in other.items()}
    stage(1, lambda stem: {stem})
    if net is not None:
        stage(2, net.all_synonyms)
    return sorted(found)


def fields(
    candidate: Sequence[str],
    reference: Sequence[str],
    net: WordNet | None,
    weights: tuple[float, float, float] = (0.9, 3.0, 0.5),
) -> list[float]:
    """Return the score, precision, recall and the chunks by the matches.

    >>> fields(["yes"], ["yes"], None)
    [0.5, 1.0, 1.0, 1.0]
    """
    alpha, beta, gamma = weights
    matches = alignment(candidate, reference, net)
    if not matches:
        return [0.0, 0.0, 0.0, 1.0]
    precision, recall = len(matches) / len(candidate), len(matches) / len(reference)
    places = {(i, j) for i, j, _ in matches}
    fragmentation = sum((i - 1, j - 1) not in places for i, j in places) / len(matches)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    return [(1 - gamma * fragmentation**beta) * mean, precision, recall, fragmentation]
