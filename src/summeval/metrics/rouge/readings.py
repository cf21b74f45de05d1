"""A text as ROUGE compares it, with the place of each token in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from summeval.metrics.run.explain.items import Span
from summeval.metrics.run.explain.spans import compared, sentences_of
from summeval.metrics.run.text_options import TextOptions
from summeval.text import tokens

_RUN = re.compile(r"([0-9A-Za-z]+)")
_LINE = re.compile(r"[^\n]+")
_FIELD = re.compile(r"[^ \t-\r]+")


class Reading(NamedTuple):
    """The tokens of a text.

    Attributes
    ----------
    words, forms : sequence of str
        As they are written, and as they are compared.
    spans : sequence of (int, int)
        First character of each, and character after the last.
    ends : sequence of int
        How many tokens the text has up to the end of each line.
    """

    words: Sequence[str]
    forms: Sequence[str]
    spans: Sequence[Span]
    ends: Sequence[int]


class Readings(NamedTuple):
    """The tokens of a text; those that ROUGE-L and ROUGE-W read, which -b cuts in another way."""

    whole: Reading
    lines: Reading


def read(text_options: TextOptions, text: str, by_lines: bool = True) -> Readings:
    r"""The tokens of a text; without ``by_lines`` nobody asks where lines end.

    >>> found = read(TextOptions(), "The cat.\nSat").whole
    >>> found.words, found.forms, found.spans, found.ends
    (['The', 'cat', 'Sat'], ['the', 'cat', 'sat'], [(0, 3), (4, 7), (9, 12)], [2, 3])
    """
    options = text_options
    if options.max_words or options.max_bytes:
        return _limited(options, text)
    if options.tokenizer != "rouge155" or options.stemmer or options.stopwords or not options.plain:
        reading = _read(options, text, None)
        return Readings(reading, reading)
    parts = _RUN.split(text)  # what is between words, and words, in turn
    edges = [*accumulate(map(len, parts))]
    begins, words = edges[0:-1:2], parts[1::2]
    ends: Sequence[int] = ()
    if by_lines:
        ends = [bisect_left(begins, line.end()) for line in _LINE.finditer(text)]
    forms = " ".join(words).lower().split()
    reading = Reading(words, forms, [*zip(begins, edges[1::2], strict=True)], ends)
    return Readings(reading, reading)


def _limited(options: TextOptions, text: str) -> Readings:
    """The tokens of the part that -l or -b keeps."""
    joined = text if options.sentences == "newline" else "\n".join(options.lines(text))
    if options.max_words:
        reading = _read(options, text, joined[: _words_kept(joined, options.max_words)])
        return Readings(reading, reading)
    whole, lines = (
        _read(options, text, joined.encode()[:size].decode(errors="ignore"))
        for size in _bytes_kept(joined, options.max_bytes)
    )
    return Readings(whole, lines)


def _read(options: TextOptions, text: str, kept: str | None) -> Reading:
    """The tokens of a text, or of the beginning of its lines that is kept."""
    left = None if kept is None else tokens(kept, options.tokenizer)[::-1]
    words: list[str] = []
    forms: list[str] = []
    spans: list[Span] = []
    ends: list[int] = []
    for sentence in sentences_of(options, text):
        here = sentence
        if left is not None:
            here = []
            for token in sentence[: len(left)]:
                form = left.pop()  # the last may be cut
                end = token.end if form == token.form else token.begin + len(form)
                here.append(token._replace(form=form, end=end))
        for form, begin, end in compared(options, here):
            words.append(text[begin:end])
            forms.append(form)
            spans.append((begin, end))
        ends.append(len(forms))
    return Reading(words, forms, spans, ends)


def _words_kept(text: str, limit: int) -> int:
    """How many characters -l keeps.

    Blanks before the first word of a line make one more, as in Perl's split.
    """
    used = 0
    for line in _LINE.finditer(text):
        ends = [field.end() for field in _FIELD.finditer(text, *line.span())]
        if ends and not _FIELD.match(text, line.start()):
            ends.insert(0, line.start())
        if used + len(ends) >= limit:
            return ends[limit - used - 1]
        used += len(ends)
    return len(text)


def _bytes_kept(text: str, limit: int) -> tuple[int, int]:
    """How many bytes -b keeps: of the whole text, and for ROUGE-L and ROUGE-W.

    For these, lines are not added up: only a line that is too long by itself is cut.
    """
    whole = lines = len(text.encode())
    used = at = 0
    full = False
    for line in text.encode().split(b"\n"):
        size = len(line)
        if size and not full and used + size >= limit:
            whole, full = at + limit - used, True
        if size >= limit:
            return whole, at + limit
        used += size
        at += size + 1
    return whole, lines
