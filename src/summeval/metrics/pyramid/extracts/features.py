"""Features of utterances for a ranker, computed for a whole document at once.

The groups are those of Galley 2006, section 5: position, length, lexical, structure, speaker, and
the neighbours of an utterance. The features of the paper need prosody and dialogue acts of
meetings; these need only the text, so they are ours.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval.metrics.pyramid.extracts.documents import Document
from summeval.metrics.pyramid.extracts.links import is_question, is_quoted
from summeval.metrics.pyramid.extracts.terms import Terms, centrality
from summeval.text.function_words import english
from summeval.text.stopwords import rouge155
from summeval.text.tokenizers import tokens_of_all

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy import float64
    from numpy.typing import NDArray

    _Column = NDArray[float64]

# Words of proposals, decisions, problems and opinions, which people keep in extracts.
CUES = frozenset(
    """
    agree agreed because believe better concern could decide decided decision discuss idea important
    issue meeting must need needs next plan please problem propose proposed question recommend
    should suggest suggestion therefore think want will would
    """.split()
)
NAMES = (
    "position:relative",
    "position:inverse",
    "position:log",
    "position:from-end",
    "length:log",
    "length:words",
    "length:short",
    "length:of-mean",
    "lexical:tf",
    "lexical:tf-sum",
    "lexical:tf-idf",
    "lexical:idf",
    "lexical:centrality",
    "lexical:title",
    "lexical:title-words",
    "lexical:cues",
    "lexical:function-words",
    "lexical:numbers",
    "lexical:word-length",
    "structure:question",
    "structure:ended",
    "structure:quoted",
    "structure:quoted-length",
    "structure:after-quote",
    "structure:address",
    "structure:capitals",
    "structure:marks",
    "structure:repeats",
    "structure:repeated",
    "speaker:share",
    "speaker:first-of-turn",
    *(
        f"{side}:{name}"
        for side in ("previous", "next")
        for name in (
            "length", "question", "ended", "quoted", "address", "function-words", "centrality"
        )
    ),
)  # fmt: skip
_MOST_WORDS, _FEW_WORDS, _MOST_HITS, _MOST_OF_MEAN = 40, 4, 3, 5.0
_UPPER, _MARK = 1, 2
_STOP, _FUNCTION, _CUE = 1, 2, 4
_NINE = ord("9")


def features_of(document: Document, terms: Terms) -> NDArray[float64]:
    """The features of each utterance of a document.

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
    >>> from summeval.metrics.pyramid.extracts.terms import terms_of
    >>> document = Document(("Shall we meet?", "> Yes."), title="When to meet")
    >>> found = features_of(document, terms_of(document.utterances))
    >>> found[:, NAMES.index("lexical:title-words")].tolist()
    [1.0, 0.0]
    >>> found[:, NAMES.index("previous:question")].tolist()
    [0.0, 1.0]
    """
    length = np.log1p(terms.sizes)
    lexical = _lexical(document, terms)
    structure = _structure(document, terms, length)
    question, ended, quoted, address = (structure[place] for place in (0, 1, 2, 5))
    near = (length, question, ended, quoted, address, lexical[8], lexical[4])
    columns = [
        *_positions(len(terms.sizes)),
        *_lengths(terms, length),
        *lexical,
        *structure,
        *_speaking(document, terms),
        *(np.concatenate([[0.0], column[:-1]]) for column in near),
        *(np.concatenate([column[1:], [0.0]]) for column in near),
    ]
    return np.array(columns).T


def _positions(utterances: int) -> list[_Column]:
    places = np.arange(float(utterances))
    return [
        places / utterances,
        1.0 / (1.0 + places),
        np.log1p(places),
        np.log1p(places[::-1]),
    ]


def _lengths(terms: Terms, length: _Column) -> list[_Column]:
    return [
        length,
        np.minimum(terms.sizes, _MOST_WORDS).astype(np.float64),
        (terms.sizes < _FEW_WORDS).astype(np.float64),
        np.minimum(terms.sizes / (1.0 + terms.sizes.mean()), _MOST_OF_MEAN),
    ]


def _lexical(document: Document, terms: Terms) -> list[_Column]:
    words, owners, names = terms.words, terms.owners, terms.names
    lengths = np.maximum(terms.sizes, 1)

    def sums(values: NDArray[Any]) -> _Column:
        """The sums over the words of each utterance of a value of their terms."""
        return np.bincount(owners, values[words], len(lengths)).astype(np.float64)

    known = _word_kinds()
    kinds = np.array([known.get(name, 0) for name in names], dtype=np.int64)
    titled = np.zeros(len(names), dtype=bool)
    if document.title:
        title = set(tokens_of_all([document.title])[0])
        titled = np.array([name in title for name in names], dtype=bool)
    content = (kinds & _STOP) == 0
    counts = np.bincount(words, minlength=len(names)).astype(np.float64)
    numeric = np.array([name[0] for name in names], dtype=np.int64) <= _NINE
    letters = np.array([len(name) for name in names], dtype=np.float64)
    in_title = sums(titled & content)
    return [
        sums(np.log(counts) * content) / lengths,
        np.log1p(100.0 * sums(counts * content) / max(1, len(words))),
        sums(np.log1p(counts) * terms.rarity * content) / lengths,
        sums(terms.rarity) / lengths,
        centrality(terms),
        in_title / lengths,
        np.minimum(in_title, _MOST_HITS),
        np.minimum(sums(kinds & _CUE), _CUE * _MOST_HITS) / _CUE,
        sums(kinds & _FUNCTION) / (_FUNCTION * lengths),
        sums(numeric) / lengths,
        sums(letters) / lengths,
    ]


@cache
def _word_kinds() -> dict[bytes, int]:
    """The lists that a word is in, as bits."""
    kinds: dict[bytes, int] = {}
    for bit, listed in ((_STOP, rouge155()), (_FUNCTION, english()), (_CUE, CUES)):
        for word in listed:
            kinds[word.encode()] = kinds.get(word.encode(), 0) | bit
    return kinds


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
    kinds = _kinds()[np.frombuffer(b"".join(data), dtype=np.uint8)]
    starts = np.concatenate([[0], ends[:-1]])
    sizes = np.maximum(ends - starts - 1, 1)

    def share(kind: int) -> _Column:
        return np.asarray(np.add.reduceat(kinds == kind, starts, dtype=np.int64) / sizes)

    return share(_UPPER), share(_MARK)


@cache
def _kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(256, dtype=np.uint8)
    for code in range(128):
        char = chr(code)
        is_mark = not (char.isalnum() or char.isspace())
        kinds[code] = _UPPER if char.isupper() else _MARK * is_mark
    return kinds


def _speaking(document: Document, terms: Terms) -> list[_Column]:
    """The share of all words that the speaker says; whether the speaker has just changed."""
    if document.speakers is None:
        return [np.zeros(len(terms.sizes)), np.zeros(len(terms.sizes))]
    known: dict[str, int] = {}
    speakers = np.array(
        [known.setdefault(name, len(known)) for name in document.speakers], dtype=np.int64
    )
    said = np.bincount(speakers, terms.sizes, len(known))
    changed = np.concatenate([[True], speakers[1:] != speakers[:-1]])
    return [said[speakers] / max(1, int(terms.sizes.sum())), changed.astype(np.float64)]
