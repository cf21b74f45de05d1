"""Where the tokens and sentences of a text stand in it, in characters of the text as it was given.

Whatever a metric compares, lower-cased, folded, stemmed or made by a function of its user, is shown
at the characters that it was made of.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from summeval.metrics.run.explain.items import Asked, ExplainedItem, Match, Span, Token
from summeval.metrics.run.text_options import FUNCTION_MARK, LINE_MARK, TOKEN_MARK
from summeval.text import tokens
from summeval.text.stemmers import stems_of
from summeval.text.tokenizers import CASED, words

if TYPE_CHECKING:
    from summeval.metrics.run.text_options import TextOptions, Tokenizer

MOST_PLACES = 256  # of one piece in a text that are looked at
_RUNS = re.compile(r"([0-9A-Za-z]+)")
_TOKEN = partial(tuple.__new__, Token)  # without the time of a function in Python
_WORDS = re.compile(r"l[lm]*|um*")  # of the kinds of characters that `_Kinds` tells
_BLACK = re.compile(r"\S+")


def tokens_of(text: str, tokenizer: str | Tokenizer = "rouge155") -> list[Token]:
    """Return the tokens of `summeval.text.tokens`, each with its place.

    Those of a function are looked for in the text, one after the other, without regard to case and
    to forms of Unicode. What stands nowhere, such as a lemma, gets what stands between its
    neighbours.

    >>> tokens_of("Das Weiße", "unicode")
    [Token(form='das', begin=0, end=3), Token(form='weisse', begin=4, end=9)]
    >>> tokens_of("Dogs bark!", lambda text: ["dog", "bark", "<end>"])
    [Token(form='dog', begin=0, end=3), Token(form='bark', begin=5, end=9), Token(form='<end>', \
begin=9, end=10)]
    """
    if tokenizer == "rouge155" or (tokenizer == "unicode" and text.isascii()):
        _, forms, begins, ends = runs_of(text)
        return [*map(_TOKEN, zip(forms, begins, ends, strict=True))]
    found = words(text, tokenizer)
    if callable(tokenizer) or tokenizer in CASED:
        spans = places(text, found)
    else:
        spans = [run.span() for run in _WORDS.finditer(text.translate(_KINDS))]
    return [Token(form, begin, end) for form, (begin, end) in zip(found, spans, strict=True)]


def runs_of(text: str) -> tuple[list[str], list[str], list[int], list[int]]:
    """Return the words of ASCII letters and digits, these in lower case, and where they stand.

    >>> runs_of("A cat")
    (['A', 'cat'], ['a', 'cat'], [0, 2], [1, 5])
    """
    parts = _RUNS.split(text)  # what is between words, and words, in turn
    edges = [*accumulate(map(len, parts))]
    found = parts[1::2]
    return found, " ".join(found).lower().split(), edges[0:-1:2], edges[1::2]


def sentences_of(text_options: TextOptions, text: str) -> list[list[Token]]:
    """Return the tokens of each sentence of a text, stop words and all, before stemming.

    >>> from summeval.metrics.run.text_options import TextOptions
    >>> found = sentences_of(TextOptions(sentences="rules"), "It rained. We left.")
    >>> [[token.form for token in sentence] for sentence in found]
    [['it', 'rained'], ['we', 'left']]
    """
    lines = text_options.lines(text)
    found = []
    for line, (begin, end) in zip(lines, places(text, lines), strict=True):
        here = tokens_of(line, text_options.tokenizer)
        if text[begin:end] != line:  # a function made it
            spans = places(text[begin:end], [line[token.begin : token.end] for token in here])
            here = [Token(token.form, *span) for token, span in zip(here, spans, strict=True)]
        if not text_options.lowercase and not callable(text_options.tokenizer):
            here = [Token(line[begin:end], begin, end) for _, begin, end in here]
        if begin:
            here = [Token(form, first + begin, end + begin) for form, first, end in here]
        found.append(here)
    return found


def compared(text_options: TextOptions, sentence: Iterable[Token]) -> list[Token]:
    """Tokens without the stop words, stemmed.

    >>> from summeval.metrics.run.text_options import TextOptions
    >>> options = TextOptions(stemmer="porter", stopwords=frozenset(["the"]))
    >>> compared(options, tokens_of("The cities"))
    [Token(form='citi', begin=4, end=10)]
    """
    kept = [token for token in sentence if token.form not in text_options.stopwords]
    if text_options.stemmer is None:
        return kept
    stems = stems_of([form for form, _, _ in kept], text_options.stemmer, text_options.unstemmed)
    return [Token(stem, begin, end) for stem, (_, begin, end) in zip(stems, kept, strict=True)]


MarkedText = tuple[bytes, list[int], list[int]]  # with marks, and where its tokens begin and end


def marked(sentences: Iterable[Sequence[tuple[Token, bool]]]) -> MarkedText:
    r"""Return the tokens of a text as a kernel reads them, with their places.

    >>> marked([[(Token("a", 0, 1), True), (Token("cat", 2, 5), False)]])
    (b'a\xfdcat\xff', [0, 2], [1, 5])
    """
    kept = [[one for one in sentence if one[0][0]] for sentence in sentences]
    lines = (
        b"".join(
            form.encode() + (FUNCTION_MARK if function else TOKEN_MARK)
            for (form, _, _), function in line
        )
        for line in kept
    )
    return (
        LINE_MARK.join(lines),
        [begin for line in kept for (_, begin, _), _ in line],
        [end for line in kept for (_, _, end), _ in line],
    )


def lowered(text: str, lower: bool = True) -> tuple[str, Sequence[int]]:
    """A text in lower case, or as it is, and the place that each of its characters is from.

    >>> lowered("İ!")
    ('i̇!', [0, 0, 1])
    """
    low = text.lower() if lower else text
    if len(low) == len(text):
        return low, range(len(text))
    return low, [place for place, letter in enumerate(text) for _ in letter.lower()]


def original(span: Span, origin: Sequence[int]) -> Span:
    """Return a span of characters that come from those of another text, as a span there.

    >>> original((0, 2), [0, 0, 1])
    (0, 1)
    """
    begin, end = span
    if begin < end:
        return origin[begin], origin[end - 1] + 1
    after = origin[begin] if begin < len(origin) else origin[-1] + 1 if len(origin) else 0
    return after, after


def places(text: str, pieces: Sequence[str]) -> list[Span]:
    """Return where pieces stand in a text, in their order.

    Looked for without regard to case and to forms of Unicode. Of the ways to find as many of them
    as possible it is the one in which each ends first; pieces that overlap, such as runs of
    letters, are found if not all can stand apart. A piece that stands nowhere gets the words
    between those around it, or the place of one of these if there are none.

    >>> places("Ça va, ça va", ["ca\N{COMBINING CEDILLA}", "VA", "va"])
    [(0, 2), (3, 5), (10, 12)]
    """
    exact = _in_a_row(text, pieces)
    if exact is not None:
        return exact
    folded, origin = _folded(text)
    sought = [_folded(piece)[0] for piece in pieces]
    exact = _in_a_row(folded, sought)
    if exact is not None:
        return [original(span, origin) for span in exact]
    best: list[Span | None] = []
    for whole_words, apart in ((True, True), (False, True), (False, False)):
        found = _chain([[*_all(folded, piece, whole_words)] for piece in sought], apart)
        if not best or found.count(None) < best.count(None):
            best = found
        if None not in best:
            break
    known = [span and original(span, origin) for span in best]
    return [*_filled(text, known)]


class _Kinds(dict[int, str]):
    """Kinds of characters for the tokenizer "unicode", as its kernel tells them.

    l: a letter or number; m: a mark on the one before; u: a letter that is a token; s: any other.
    """

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        alone, within = tokens(letter, "unicode"), tokens(f"a{letter}a", "unicode")
        self[code] = ("l" if alone else "m") if len(within) == 1 else "u" if alone else "s"
        return self[code]


_KINDS = _Kinds()


def _in_a_row(text: str, pieces: Sequence[str]) -> list[Span] | None:
    """Return where pieces stand, if nothing but blanks and punctuation stands between them."""
    spans, at = [], 0
    for piece in pieces:
        begin = text.find(piece, at)
        if begin < 0 or any(map(str.isalnum, text[at:begin])):
            return None
        at = begin + len(piece)
        spans.append((begin, at))
    return spans


def _folded(text: str) -> tuple[str, list[int]]:
    """A text without case, decomposed, and the places of the characters that each is from."""
    parts = [unicodedata.normalize("NFKD", letter.casefold()) for letter in text]
    return "".join(parts), [place for place, part in enumerate(parts) for _ in part]


def _all(text: str, piece: str, whole_words: bool) -> Iterator[Span]:
    """Yield where a piece stands in a text, at most `MOST_PLACES` times."""
    begin = text.find(piece) if piece else -1
    count = 0
    while begin >= 0 and count < MOST_PLACES:
        end = begin + len(piece)
        edges = (text[begin - 1 : begin + 1], text[end - 1 : end + 1])
        if not (whole_words and any(len(edge) == 2 and edge.isalnum() for edge in edges)):
            count += 1
            yield begin, end
        begin = text.find(piece, begin + 1)


def _chain(found: Sequence[Sequence[Span]], apart: bool) -> list[Span | None]:
    """Of each piece one of the spans, or None: as many as can stand in this order.

    ``apart``: a span begins where the one before has ended; else it begins and ends after it does.
    """
    ends: list[int] = []  # of chains of 1, 2, ... spans the least end (or begin, if not apart)
    last: list[int] = []  # their last spans, as numbers in `links`
    links: list[tuple[int, Span, int]] = []  # piece, span, the link before
    for piece, spans in enumerate(found):
        for span in reversed(spans):
            length = bisect_right(ends, span[0] if apart else span[0] - 1)
            key = span[1] if apart else span[0]
            if length == len(ends):
                ends.append(key)
                last.append(0)
            elif key >= ends[length]:
                continue
            ends[length] = key
            links.append((piece, span, last[length - 1] if length else -1))
            last[length] = len(links) - 1
    chosen: list[Span | None] = [None] * len(found)
    at = last[-1] if last else -1
    while at >= 0:
        piece, span, at = links[at]
        chosen[piece] = span
    return chosen


def _filled(text: str, spans: Sequence[Span | None]) -> Iterator[Span]:
    """Those that were not found get the words between those around them."""
    at = number = 0
    while number < len(spans):
        known = spans[number]
        if known is not None:
            yield known
            at, number = known[1], number + 1
            continue
        end = number
        while end < len(spans) and spans[end] is None:
            end += 1
        after = spans[end] if end < len(spans) else None
        until = len(text) if after is None else max(after[0], at)
        words = [(at + m.start(), at + m.end()) for m in _BLACK.finditer(text[at:until])]
        if len(words) == end - number:
            yield from words
        else:
            beside = after or spans[number - 1] or (0, len(text))
            whole = (words[0][0], words[-1][1]) if words else beside
            yield from [whole] * (end - number)
        number = end


def attribute_pairs(
    asked: Asked, counted: Iterable[int], matches: Iterable[Match]
) -> list[ExplainedItem]:
    """Return an item for each match of tokens, then for those of both sides that are in none.

    Parameters
    ----------
    counted : iterable of int
        The references that count.
    matches : iterable of (int, sequence of int, sequence of int, float, dict)
        Number of a reference, places of tokens in the candidate and there, share, and details.
    """
    text, own = asked.candidate, tokens_of(asked.candidate, asked.metric.tokenizer)
    sides = {k: tokens_of(asked.references[k], asked.metric.tokenizer) for k in counted}
    items: list[ExplainedItem] = []
    used: set[int] = set()
    had: set[tuple[int, int]] = set()
    for number, here, there, share, details in matches:
        other = sides[number]
        span = own[here[0]].begin, own[here[-1]].end
        place = other[there[0]].begin, other[there[-1]].end
        name, called = text[slice(*span)], asked.references[number][slice(*place)]
        if [own[k].form for k in here] != [other[k].form for k in there]:
            name = f"{name} = {called}"
        items.append(ExplainedItem(name, (span,), ((number, *place),), share, details))
        used.update(here)
        had.update((number, k) for k in there)
    for number, other in sides.items():
        for k, (_, begin, end) in enumerate(other):
            if (number, k) not in had:
                called = asked.references[number][begin:end]
                items.append(ExplainedItem(called, (), ((number, begin, end),), 0.0))
    for k, (_, begin, end) in enumerate(own):
        if k not in used:
            items.append(ExplainedItem(text[begin:end], ((begin, end),), (), 0.0))
    return items
