"""Features of a document for a ranker: its terms, links between its utterances, and numbers.

The groups of features are those of Galley 2006, section 5: position, length, lexical, structure,
speaker, and the neighbours of an utterance. The features of the paper need prosody and dialogue
acts of meetings; these need only the text, so they are ours. Its section 4 links an utterance to
the one that it answers (question and answer, offer and acceptance), as found by a classifier over
annotated meetings. The rules for links here are ours, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval.metrics.pyramid.extract_documents import Document
from summeval.text.function_words import english
from summeval.text.stopwords import rouge155
from summeval.text.tokenizers import tokens_of_all

if TYPE_CHECKING:
    _Column = Floats

REACH = 8  # utterances that a link may go back
LEAST_COSINE = 0.3
# Words of proposals, decisions, problems and opinions, which people keep in extracts.
CUES = frozenset(
    """
    agree agreed because believe better concern could decide decided decision discuss idea important
    issue meeting must need needs next plan please problem propose proposed question recommend
    should suggest suggestion therefore think want will would
    """.split()
)
_NEAR = "length question ended quoted address function-words centrality"
_GROUPS = {
    "position": "relative inverse log from-end",
    "length": "log words short of-mean",
    "lexical": "tf tf-sum tf-idf idf centrality title title-words cues function-words numbers"
    " word-length",
    "structure": "question ended quoted quoted-length after-quote address capitals marks repeats"
    " repeated",
    "speaker": "share first-of-turn",
    "previous": _NEAR,
    "next": _NEAR,
}
NAMES = tuple(f"{group}:{name}" for group, names in _GROUPS.items() for name in names.split())
_MOST_WORDS, _FEW_WORDS, _MOST_HITS, _MOST_OF_MEAN = 40, 4, 3, 5.0
_NINE = ord("9")
# Of bytes of UTF-8: capital letters; ASCII characters that are no letters, digits or blanks.
_CAPITALS = np.array([chr(code).isupper() and code < 128 for code in range(256)])
_MARKS = np.array([not (chr(c).isalnum() or chr(c).isspace()) and c < 128 for c in range(256)])


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

    sizes: Ints
    words: Ints
    owners: Ints
    names: list[bytes]
    pair_owners: Ints
    pair_terms: Ints
    pair_weights: Floats
    rarity: Floats
    repeats: Ints


def terms_of(utterances: Sequence[str]) -> Terms:
    """Return the terms of the utterances of a document.

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


def _repeats(words: Ints, sizes: Ints) -> Ints:
    data, ends = words.tobytes(), [0, *(np.cumsum(sizes) * words.itemsize).tolist()]
    firsts: dict[bytes, int] = {}
    parts = enumerate(data[begin:end] for begin, end in pairwise(ends))
    return np.array([firsts.setdefault(part, place) for place, part in parts], dtype=np.int64)


def centrality(terms: Terms) -> Floats:
    """Return the mean cosine of each utterance with the others: array [utterance].

    >>> centrality(terms_of(["the cat", "the cat", "a dog"])).round(6).tolist()
    [0.5, 0.5, 0.0]
    """
    utterances = len(terms.sizes)
    sums = np.bincount(terms.pair_terms, terms.pair_weights, len(terms.names))
    found = np.bincount(terms.pair_owners, terms.pair_weights * sums[terms.pair_terms], utterances)
    own = np.bincount(terms.pair_owners, terms.pair_weights**2, utterances)
    return np.asarray((found - own) / max(1, utterances - 1))


def near_cosines(terms: Terms, reach: int) -> Floats:
    """Return the cosine of each utterance with those before it: array [utterance, distance - 1].

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


def links_of(document: Document, terms: Terms) -> Ints:
    """Return the links of a document: those that it has, otherwise those that the rules find.

    An utterance gets the first of these that is at most `REACH` utterances before it: the nearest
    question of another speaker, if speakers are known; the nearest quoted line (`>`), if it is
    itself not quoted; the utterance with the highest cosine of tf-idf, if that is at least
    `LEAST_COSINE`.

    Returns
    -------
    array [link, 2]
        From and to; sorted, and at most one from each utterance.

    Examples
    --------
    >>> from summeval.metrics.pyramid.extract_documents import document_of
    >>> from summeval.metrics.pyramid.extract_features import terms_of
    >>> document = document_of(["> Shall we meet?", "Yes.", "At nine then.", "> At nine then."])
    >>> links_of(document, terms_of(document.utterances)).tolist()
    [[1, 0], [2, 0], [3, 2]]
    """
    if document.links is not None:
        return np.array(document.links, dtype=np.int64).reshape(-1, 2)
    places = np.arange(len(document.utterances))
    cosines = near_cosines(terms, REACH)
    best = cosines.argmax(axis=1)
    parents = np.where(cosines[places, best] >= LEAST_COSINE, places - best - 1, -1)
    quotes = is_quoted(document)
    last = np.maximum.accumulate(np.where(quotes, places, -1))
    nearest = np.concatenate([[-1], last[:-1]])  # quoted line before
    parents = np.where(~quotes & _is_near(nearest, places), nearest, parents)
    if document.speakers is not None:
        asked = _asked_by_others(document)
        parents = np.where(_is_near(asked, places), asked, parents)
    return np.column_stack([places, parents])[parents >= 0]


def is_quoted(document: Document) -> Bools:
    """Return whether each utterance is a quoted line of an e-mail.

    >>> is_quoted(Document(("> Shall we?", "Yes"))).tolist()
    [True, False]
    """
    return np.array([text.lstrip()[:1] == ">" for text in document.utterances], dtype=bool)


def is_question(document: Document) -> Bools:
    """Return whether each utterance has a question mark at its end, or before a blank.

    >>> is_question(Document(("Shall we? Yes.", "a?b", "Why?"))).tolist()
    [True, False, True]
    """
    texts = document.utterances
    return np.array([text.rstrip()[-1:] == "?" or "? " in text for text in texts], dtype=bool)


def _is_near(parents: Ints, places: Ints) -> Bools:
    return (parents >= 0) & (places - parents <= REACH)


def _asked_by_others(document: Document) -> Ints:
    """For each utterance the nearest question of another speaker before it, or -1."""
    questions, speakers = is_question(document), np.array(document.speakers)
    found = np.full(len(questions), -1)
    for distance in range(min(REACH, len(questions) - 1), 0, -1):  # the nearest comes last
        asked = questions[:-distance] & (speakers[:-distance] != speakers[distance:])
        found[distance:][asked] = np.flatnonzero(asked)
    return found


def features_of(document: Document, terms: Terms) -> Floats:
    """Return the features of each utterance of a document.

    Parameters
    ----------
    document : Document
    terms : Terms
        Those of its utterances.

    Returns
    -------
    array [utterance, feature]
        The columns are `NAMES`. Without speakers, theirs are 0.

    Examples
    --------
    >>> from summeval.metrics.pyramid.extract_features import terms_of
    >>> document = Document(("Shall we meet?", "> Yes."), title="When to meet")
    >>> found = features_of(document, terms_of(document.utterances))
    >>> found[:, NAMES.index("lexical:title-words")].tolist()
    [1.0, 0.0]
    >>> found[:, NAMES.index("previous:question")].tolist()
    [0.0, 1.0]
    """
    utterances, length = len(terms.sizes), np.log1p(terms.sizes)
    places = np.arange(float(utterances))
    lexical = _lexical(document, terms)
    structure = _structure(document, terms, length)
    question, ended, quoted, address = (structure[place] for place in (0, 1, 2, 5))
    near = (length, question, ended, quoted, address, lexical[8], lexical[4])
    columns = [
        places / utterances,
        1.0 / (1.0 + places),
        np.log1p(places),
        np.log1p(places[::-1]),
        length,
        np.minimum(terms.sizes, _MOST_WORDS),
        terms.sizes < _FEW_WORDS,
        np.minimum(terms.sizes / (1.0 + terms.sizes.mean()), _MOST_OF_MEAN),
        *lexical,
        *structure,
        *_speaking(document, terms),
        *(np.concatenate([[0.0], column[:-1]]) for column in near),
        *(np.concatenate([column[1:], [0.0]]) for column in near),
    ]
    return np.array(columns, dtype=np.float64).T


def _lexical(document: Document, terms: Terms) -> list[_Column]:
    words, owners, names = terms.words, terms.owners, terms.names
    lengths = np.maximum(terms.sizes, 1)

    def sums(values: AnyArray) -> _Column:
        """Return the sums over the words of each utterance of a value of their terms."""
        return np.bincount(owners, values[words], len(lengths)).astype(np.float64)

    stop, function, cues = _word_lists()
    title = set(tokens_of_all([document.title])[0]) if document.title else set()

    def of(known: Collection[bytes]) -> Bools:
        return np.array([name in known for name in names], dtype=bool)

    content = ~of(stop)
    counts = np.bincount(words, minlength=len(names)).astype(np.float64)
    numeric = np.array([name[0] for name in names], dtype=np.int64) <= _NINE
    letters = np.array([len(name) for name in names], dtype=np.float64)
    in_title = sums(of(title) & content)
    return [
        sums(np.log(counts) * content) / lengths,
        np.log1p(100.0 * sums(counts * content) / max(1, len(words))),
        sums(np.log1p(counts) * terms.rarity * content) / lengths,
        sums(terms.rarity) / lengths,
        centrality(terms),
        in_title / lengths,
        np.minimum(in_title, _MOST_HITS),
        np.minimum(sums(of(cues)), _MOST_HITS),
        sums(of(function)) / lengths,
        sums(numeric) / lengths,
        sums(letters) / lengths,
    ]


@cache
def _word_lists() -> list[frozenset[bytes]]:
    """Stop words, function words and cues."""
    return [frozenset(word.encode() for word in of) for of in (rouge155(), english(), CUES)]


def _structure(document: Document, terms: Terms, length: _Column) -> list[_Column]:
    texts, places = document.utterances, np.arange(len(terms.sizes))
    quoted = is_quoted(document)
    after_quote = np.concatenate([[True], quoted[:-1] & ~quoted[1:]])
    last = np.zeros(len(places), dtype=np.int64)
    last[terms.repeats] = places  # the last utterance with these words
    ended = [text.rstrip()[-1:] in (".", "?", "!") for text in texts]
    address = ["@" in text or "://" in text or "www." in text for text in texts]
    columns = [
        is_question(document),
        np.array(ended),
        quoted,
        quoted * length,
        after_quote,
        np.array(address),
        *_shares_of_characters(texts),
        terms.repeats < places,
        last[terms.repeats] > places,
    ]
    return [column.astype(np.float64) for column in columns]


def _shares_of_characters(texts: Iterable[str]) -> tuple[_Column, _Column]:
    """The shares of capital letters, and of ASCII characters that are no letters or blanks."""
    data = [text.encode("utf-8", "surrogatepass") + b" " for text in texts]
    ends = np.cumsum([len(each) for each in data])
    codes = np.frombuffer(b"".join(data), dtype=np.uint8)
    starts = np.concatenate([[0], ends[:-1]])
    sizes = np.maximum(ends - starts - 1, 1)

    def share(kind: Bools) -> _Column:
        return np.asarray(np.add.reduceat(kind[codes], starts, dtype=np.int64) / sizes)

    return share(_CAPITALS), share(_MARKS)


def _speaking(document: Document, terms: Terms) -> list[_Column]:
    """Return the share of all words that the speaker says; whether the speaker has just changed."""
    if document.speakers is None:
        return [np.zeros(len(terms.sizes)), np.zeros(len(terms.sizes))]
    known = {name: k for k, name in enumerate(dict.fromkeys(document.speakers))}
    speakers = np.array([known[name] for name in document.speakers], dtype=np.int64)
    said = np.bincount(speakers, terms.sizes, len(known))
    changed = np.concatenate([[True], speakers[1:] != speakers[:-1]])
    return [said[speakers] / max(1, int(terms.sizes.sum())), changed.astype(np.float64)]
