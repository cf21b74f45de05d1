"""The words of a document as numbers: what features and links are computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from summeval.text.tokenizers import tokens_of_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64, int64
    from numpy.typing import NDArray


class Terms(NamedTuple):
    """The words of a document; a term is a different word.

    Attributes
    ----------
    sizes : array [utterance]
        Numbers of words, tokens of `rouge155`.
    words : array [word]
        The term of each word.
    owners : array [word]
        The utterance of each word.
    names : list of bytes
        Of the terms, in the order of their first words.
    pair_owners, pair_terms : array [pair]
        The utterances and terms of the pairs that occur, sorted by utterance, then term.
    pair_weights : array [pair]
        tf-idf: the frequency in the utterance, times the logarithm of n + 1 utterances beside
        those that have the term. The weights of an utterance have the norm 1.
    rarity : array [term]
        This logarithm.
    repeats : array [utterance]
        The first utterance with the same words.
    """

    sizes: NDArray[int64]
    words: NDArray[int64]
    owners: NDArray[int64]
    names: list[bytes]
    pair_owners: NDArray[int64]
    pair_terms: NDArray[int64]
    pair_weights: NDArray[float64]
    rarity: NDArray[float64]
    repeats: NDArray[int64]


def terms_of(utterances: Sequence[str]) -> Terms:
    """The terms of the utterances of a document.

    >>> found = terms_of(["The cat sat.", "A cat!", "the CAT sat"])
    >>> found.sizes.tolist(), found.words.tolist(), found.names
    ([3, 2, 3], [0, 1, 2, 3, 1, 0, 1, 2], [b'the', b'cat', b'sat', b'a'])
    >>> found.repeats.tolist()
    [0, 1, 0]
    """
    found, counts = tokens_of_all(utterances)
    sizes = np.array(counts, dtype=np.int64)
    numbers: dict[bytes, int] = {}
    number = numbers.setdefault
    words = np.array([number(word, len(numbers)) for word in found], dtype=np.int64)
    owners = np.repeat(np.arange(len(sizes)), sizes)
    size = max(1, len(numbers))
    pairs, counts = np.unique(owners * size + words, return_counts=True)
    pair_owners, pair_terms = np.divmod(pairs, size)
    rarity = np.log((len(sizes) + 1) / np.bincount(pair_terms, minlength=len(numbers)))
    weights = counts * rarity[pair_terms]
    norms = np.sqrt(np.bincount(pair_owners, weights * weights, len(sizes)))
    return Terms(
        sizes,
        words,
        owners,
        list(numbers),
        pair_owners,
        pair_terms,
        weights / norms[pair_owners],
        rarity,
        _repeats(words, sizes),
    )


def _repeats(words: NDArray[int64], sizes: NDArray[int64]) -> NDArray[int64]:
    data, width = words.tobytes(), words.itemsize
    firsts: dict[bytes, int] = {}
    found, start = [], 0
    for place, end in enumerate((np.cumsum(sizes) * width).tolist()):
        found.append(firsts.setdefault(data[start:end], place))
        start = end
    return np.array(found, dtype=np.int64)


def centrality(terms: Terms) -> NDArray[float64]:
    """The mean cosine of each utterance with the others: array [utterance].

    >>> centrality(terms_of(["the cat", "the cat", "a dog"])).round(6).tolist()
    [0.5, 0.5, 0.0]
    """
    utterances = len(terms.sizes)
    sums = np.bincount(terms.pair_terms, terms.pair_weights, len(terms.names))
    found = np.bincount(terms.pair_owners, terms.pair_weights * sums[terms.pair_terms], utterances)
    own = np.bincount(terms.pair_owners, terms.pair_weights**2, utterances)
    return np.asarray((found - own) / max(1, utterances - 1))


def near_cosines(terms: Terms, reach: int) -> NDArray[float64]:
    """The cosine of each utterance with those before it: array [utterance, distance - 1].

    >>> near_cosines(terms_of(["the cat", "a dog", "the cat"]), 2).round(6).tolist()
    [[0.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    """
    order = np.lexsort((terms.pair_owners, terms.pair_terms))
    owners, names = terms.pair_owners[order], terms.pair_terms[order]
    weights = terms.pair_weights[order]
    found = np.zeros(len(terms.sizes) * reach)
    # Utterances at a distance d with a common term are at most d places apart in its list.
    for lag in range(1, reach + 1):
        distance = owners[lag:] - owners[:-lag]
        both = np.flatnonzero((names[lag:] == names[:-lag]) & (distance <= reach))
        places = owners[both + lag] * reach + distance[both] - 1
        found += np.bincount(places, weights[both] * weights[both + lag], len(found))
    return found.reshape(-1, reach)
