"""Links from utterances to the earlier ones that they answer, by rule.

Galley 2006, section 4, links an utterance to the one that it answers (question and answer, offer
and acceptance), as found by a classifier over annotated meetings. These rules are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from summeval.metrics.pyramid.extracts.documents import Document
from summeval.metrics.pyramid.extracts.terms import Terms, near_cosines

if TYPE_CHECKING:
    from numpy import bool_, int64
    from numpy.typing import NDArray

REACH = 8  # utterances
LEAST_COSINE = 0.3


def links_of(document: Document, terms: Terms) -> NDArray[int64]:
    """The links of a document: those that it has, otherwise those that the rules find.

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
    >>> from summeval.metrics.pyramid.extracts.documents import document_of
    >>> from summeval.metrics.pyramid.extracts.terms import terms_of
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
    nearest = _nearest(quotes)
    parents = np.where(~quotes & _is_near(nearest, places), nearest, parents)
    if document.speakers is not None:
        asked = _asked_by_others(document)
        parents = np.where(_is_near(asked, places), asked, parents)
    return np.column_stack([places, parents])[parents >= 0]


def is_quoted(document: Document) -> NDArray[bool_]:
    """Whether each utterance is a quoted line of an e-mail.

    >>> is_quoted(Document(("> Shall we?", "Yes"))).tolist()
    [True, False]
    """
    return np.array([text.lstrip()[:1] == ">" for text in document.utterances], dtype=bool)


def is_question(document: Document) -> NDArray[bool_]:
    """Whether each utterance has a question mark at its end, or before a blank.

    >>> is_question(Document(("Shall we? Yes.", "a?b", "Why?"))).tolist()
    [True, False, True]
    """
    texts = document.utterances
    return np.array([text.rstrip()[-1:] == "?" or "? " in text for text in texts], dtype=bool)


def _nearest(marked: NDArray[bool_]) -> NDArray[int64]:
    """For each place the nearest marked one before it, or -1."""
    last = np.maximum.accumulate(np.where(marked, np.arange(len(marked)), -1))
    return np.concatenate([[-1], last[:-1]])


def _is_near(parents: NDArray[int64], places: NDArray[int64]) -> NDArray[bool_]:
    return (parents >= 0) & (places - parents <= REACH)


def _asked_by_others(document: Document) -> NDArray[int64]:
    """For each utterance the nearest question of another speaker before it, or -1."""
    questions, speakers = is_question(document), np.array(document.speakers)
    found = np.full(len(questions), -1)
    for distance in range(min(REACH, len(questions) - 1), 0, -1):  # the nearest comes last
        asked = questions[:-distance] & (speakers[:-distance] != speakers[distance:])
        found[distance:][asked] = np.flatnonzero(asked)
    return found
