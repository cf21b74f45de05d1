"""Conversion between character spans (treebank files) and token spans (relations)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from summeval._options import shown
from summeval.annotate.discourse.document import DiscourseDocument, Span
from summeval.annotate.document import Document

_SPAN = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")


class Offsets:
    r"""The character offsets of a document's tokens.

    If the tokens have no offsets, the text is built from them, with one space between tokens and
    one newline between sentences.

    Examples
    --------
    >>> offsets = Offsets(DiscourseDocument([[("It", ""), ("rained", "")], [("Yes", "")]]))
    >>> offsets.text
    'It rained\nYes'
    >>> offsets.tokens([(3, 9), (10, 13)])
    [1, 2]
    >>> offsets.characters(((0, 2),)), offsets.words(((0, 2),))
    ('0..9', 'It rained')
    """

    def __init__(self, document: Document | DiscourseDocument) -> None:
        if isinstance(document, Document):
            given = [token for sentence in document.sentences for token in sentence.tokens]
            if document.text and all(token.start >= 0 for token in given):
                self.text = document.text
                self.starts = [token.start for token in given]
                self.ends = [token.end for token in given]
                return
            sentences = [[token.form for token in each.tokens] for each in document.sentences]
        else:
            sentences = [[form for form, _ in sentence] for sentence in document.sentences]
        self.text = "\n".join(" ".join(words) for words in sentences)
        self.starts, self.ends = [], []
        at = 0
        for words in sentences:
            for word in words:
                self.starts.append(at)
                at += len(word)
                self.ends.append(at)
                at += 1
            at += not words

    def tokens(self, spans: Iterable[Span]) -> list[int]:
        """Ascending numbers of the tokens that overlap one of the spans."""
        found: set[int] = set()
        for first, end in spans:
            found.update(range(bisect_right(self.ends, first), bisect_left(self.starts, end)))
        return sorted(found)

    def characters(self, spans: Sequence[Span]) -> str:
        """Format token spans as character spans, as the treebanks write them."""
        return ";".join(f"{self.starts[first]}..{self.ends[end - 1]}" for first, end in spans)

    def words(self, spans: Sequence[Span]) -> str:
        """The text of token spans, with runs of whitespace collapsed."""
        pieces = (self.text[self.starts[first] : self.ends[end - 1]] for first, end in spans)
        return " ".join(" ".join(pieces).split())


def read_spans(written: str) -> list[Span]:
    """Parse character spans as the treebanks write them.

    Raises
    ------
    ValueError
        Not a list of spans.

    Examples
    --------
    >>> read_spans("9..35;40..52")
    [(9, 35), (40, 52)]
    """
    found = []
    for piece in filter(None, written.split(";")):
        match = _SPAN.fullmatch(piece.strip())
        if match is None or int(match[1]) >= int(match[2]):
            raise ValueError(f"{shown(written)} is not a list of spans; write 9..35;40..52")
        found.append((int(match[1]), int(match[2])))
    return found
