"""Basic Elements of texts with the characters of their parts, for explanations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import NamedTuple

from summeval.annotate import Document
from summeval.elements.elements import Element
from summeval.elements.extraction import placed
from summeval.metrics.elements.parsed import Parser
from summeval.metrics.run.casing import lowers
from summeval.metrics.run.explain.spans import Span, lowered, original, places


class PlacedElement(NamedTuple):
    """An element, and where each of its parts stands in the text as it was given."""

    element: Element
    spans: tuple[Span, ...]


def placed_row(parser: Parser, texts: Sequence[str]) -> list[list[PlacedElement]]:
    """The elements of the texts of a row, candidate and references, as the parser reads them."""
    low = lowers(parser.case, texts)
    read = [lowered(text) if low else (text, range(len(text))) for text in texts]
    documents, chains = parser.documents([text for text, _ in read])
    return [
        [
            PlacedElement(
                found.element,
                tuple(
                    original((tokens[first][0], tokens[last][1]), origin)
                    for first, last in found.tokens
                ),
            )
            for found in placed(document, chains=of)
        ]
        for document, of, (text, origin) in zip(documents, chains or repeat(()), read, strict=False)
        for tokens in [_tokens(document, text)]
    ]


def _tokens(document: Document, text: str) -> list[Span]:
    """Where the tokens of a document stand; those without offsets are looked for."""
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    spans = [(token.start, token.end) for token in tokens]
    if all(0 <= start <= end <= len(text) for start, end in spans):
        return spans
    return places(text, [token.form for token in tokens])
