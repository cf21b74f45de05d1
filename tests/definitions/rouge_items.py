"""The items of an explanation of ROUGE, in plain Python: the units of both texts and of one alone.

The counts behind a score are those of units that are listed here. Of common subsequences the caller
tells the runs (`definitions.rouge.runs`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Place, Span
from summeval.metrics.run.explain.spans import compared, runs_of, sentences_of
from summeval.metrics.run.text_options import TextOptions
from summeval.text import tokens

if TYPE_CHECKING:
    from summeval._core.overlap.rouge import RougeKernel
    from summeval.metrics.rouge.measures import Measure

MOST_PAIRS = 1000  # skip-bigrams of all texts; of more the items are by their first words
_LINE = re.compile(r"[^\n]+")
_SPANS, _PLACES = attrgetter("candidate_spans"), itemgetter(2)

Counts: TypeAlias = tuple[float, float, float, float]  # hits, reference, candidate, base
Weights: TypeAlias = Sequence[tuple[int, float]]  # of the references that count: number, weight
Runs: TypeAlias = Sequence[tuple[float, Sequence[int], Sequence[int]]]  # weight, tokens of both
_Shared: TypeAlias = tuple[list[int], float, tuple[Place, ...], int, str]
_Lacked: TypeAlias = tuple[str, tuple[()], tuple[Place, ...]]  # the first fields of an item


def explained_items(
    kernel: RougeKernel,
    measure: Measure,
    text_options: TextOptions,
    texts: Sequence[str],
    weigh: Callable[[Sequence[Counts]], Weights],
) -> Iterable[ExplainedItem]:
    """Return the items of a score of the first text beside the others, by the kernel of it.

    `weigh` tells the references that count, and what a unit that the candidate has of each adds.
    """
    kind, order, unigrams, _ = measure
    own, *others = [read(kernel, text_options, text, kind) for text in texts]
    if kind not in ("ngram", "skip"):
        given = [text_options.text(text, "") or "" for text in texts]
        told = kernel.find(given[0], given[1:])  # a test of its own compares it with its definition
        weights = weigh([counts for counts, _ in told])
        return _by_run(own, others, [runs for _, runs in told], weights)
    texts_of = own, *others
    whole = kind == "skip" and sum(pairs_of(len(one.forms), order) for one in texts_of) > MOST_PAIRS
    if whole:
        mine, *theirs = (openings(one, order, unigrams) for one in texts_of)
        sides = zip(others, theirs, strict=True)
        hits = [opening_hits(((own, mine), side), order, unigrams) for side in sides]
    else:
        units = skip_bigrams if kind == "skip" else ngrams
        mine, *theirs = (units(one, order, unigrams) for one in texts_of)
        hits = [shared_units(mine, one) for one in theirs]
    counts = [counts_of(mine, *pair) for pair in zip(theirs, hits, strict=True)]
    return _by_unit(mine, theirs, hits, weigh(counts), whole)


class TokenizedText(NamedTuple):
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


def read(kernel: RougeKernel, options: TextOptions, text: str, kind: str) -> TokenizedText:
    """Return the tokens of a text that a kind of measure reads."""
    if options.max_words or options.max_bytes:
        joined = text if options.sentences == "newline" else "\n".join(options.lines(text))
        size = kernel.kept(joined)[kind in ("union-lcs", "weighted-lcs")]
        return _read(options, text, joined.encode()[:size].decode(errors="ignore"))
    if options.tokenizer != "rouge155" or options.stemmer or options.stopwords or not options.plain:
        return _read(options, text, None)
    words, forms, begins, after = runs_of(text)
    ends: Sequence[int] = ()
    if kind not in ("ngram", "skip"):
        ends = [bisect_left(begins, line.end()) for line in _LINE.finditer(text)]
    return TokenizedText(words, forms, [*zip(begins, after, strict=True)], ends)


def _read(options: TextOptions, text: str, kept: str | None) -> TokenizedText:
    """Return the tokens of a text, or of the beginning of its lines that is kept."""
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
                end = token.end
                if form != token.form:  # folding may have made it longer
                    whole = options.sentences == "newline"
                    end = len(kept or "") if whole else token.begin + len(form)
                here.append(token._replace(form=form, end=end))
        for form, begin, end in compared(options, here):
            words.append(text[begin:end])
            forms.append(form)
            spans.append((begin, end))
        ends.append(len(forms))
    return TokenizedText(words, forms, spans, ends)


class Units(NamedTuple):
    """The units of one text.

    Attributes
    ----------
    texts : sequence of str
        Each as it is written.
    spans : sequence of tuple of (int, int)
        Where each stands: an n-gram in one span, a skip-bigram in two.
    places : mapping to list of int
        Equal units, as numbers in `texts`.
    total : int
        How many count: all of them, or what begins with words that stand for them.
    """

    texts: Sequence[str]
    spans: Sequence[tuple[Span, ...]]
    places: Mapping[Any, list[int]]
    total: int


def shared_units(own: Units, theirs: Units) -> dict[Any, int]:
    """Return how many of each unit both texts have: the smaller of its numbers of places."""
    others = theirs.places
    return {
        key: min(len(places), len(others[key]))
        for key, places in own.places.items()
        if key in others
    }


def counts_of(own: Units, theirs: Units, hits: Mapping[Any, int]) -> Counts:
    """Return the counts of two texts."""
    total = float(theirs.total)
    return float(sum(hits.values())), total, float(own.total), total


def ngrams(reading: TokenizedText, order: int, unigrams: bool = False) -> Units:
    """Every run of so many tokens.

    >>> units = ngrams(_read(TextOptions(), "A b a", None), 2)
    >>> units.texts, units.spans, dict(units.places)
    (['A b', 'b a'], [((0, 3),), ((2, 5),)], {('a', 'b'): [0], ('b', 'a'): [1]})
    """
    words, forms, spans, _ = reading
    if order == 1:
        return Units(words, [(span,) for span in spans], _places(forms), len(words))
    wide = [((a[0], b[1]),) for a, b in zip(spans, spans[order - 1 :], strict=False)]
    return Units(
        [*map(" ".join, _runs(words, order))], wide, _places(_runs(forms, order)), len(wide)
    )


def _places(keys: Iterable[Any]) -> dict[Any, list[int]]:
    """Return the places of equal keys."""
    places: dict[Any, list[int]] = {}
    for number, key in enumerate(keys):
        places.setdefault(key, []).append(number)
    return places


def _runs(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(tokens, k, None) for k in range(order)), strict=False)


def skip_bigrams(reading: TokenizedText, gap: int, unigrams: bool) -> Units:
    """Every pair with at most ``gap`` tokens between (below 0: any number).

    As in the script the last token of a text is no unigram.

    >>> units = skip_bigrams(_read(TextOptions(), "a b c", None), 0, True)
    >>> units.texts, dict(units.places)
    (['a', 'a … b', 'b', 'b … c'], {('a',): [0], ('a', 'b'): [1], ('b',): [2], ('b', 'c'): [3]})
    """
    words, forms, spans, _ = reading
    texts: list[str] = []
    where: list[tuple[Span, ...]] = []
    keys: list[tuple[str, ...]] = []
    for first, form in enumerate(forms[:-1]):
        if unigrams:
            keys.append((form,))
            texts.append(words[first])
            where.append((spans[first],))
        for second in range(first + 1, end_of_gap(len(forms), first, gap)):
            keys.append((form, forms[second]))
            texts.append(f"{words[first]} … {words[second]}")
            where.append((spans[first], spans[second]))
    return Units(texts, where, _places(keys), len(texts))


def openings(reading: TokenizedText, gap: int, unigrams: bool) -> Units:
    """The first words of skip-bigrams, which stand for them in texts that have many."""
    size, texts = len(reading.forms), [f"{word} …" for word in reading.words]
    total = pairs_of(size, gap) + (max(size - 1, 0) if unigrams else 0)
    return Units(texts, [(span,) for span in reading.spans], _places(reading.forms), total)


def opening_hits(
    sides: Sequence[tuple[TokenizedText, Units]], gap: int, unigrams: bool
) -> dict[str, int]:
    """For each first word of both texts the number of units that both have."""

    def after(reading: TokenizedText, places: Sequence[int]) -> Counter[str]:
        forms, found = reading.forms, Counter[str]()
        for first in places:
            found.update(forms[first + 1 : end_of_gap(len(forms), first, gap)])
        if unigrams:
            found[""] = sum(place + 1 < len(forms) for place in places)
        return found

    (own, mine), (other, theirs) = sides
    return {
        form: (after(own, places) & after(other, theirs.places[form])).total()
        for form, places in mine.places.items()
        if form in theirs.places
    }


def pairs_of(size: int, gap: int) -> int:
    """Return how many pairs a text of so many tokens has.

    >>> pairs_of(4, 0), pairs_of(4, 1), pairs_of(4, -1)
    (3, 5, 6)
    """
    least = max(size - gap - 1, 0) if gap >= 0 else 0  # tokens with all pairs
    rest = min(size, gap + 1) if gap >= 0 else size
    return least * (gap + 1) + rest * (rest - 1) // 2


def _by_unit(
    own: Units,
    others: Sequence[Units],
    hits: Sequence[Mapping[Any, int]],
    weights: Weights,
    whole: bool,
) -> list[ExplainedItem]:
    """The units of both sides, those that the candidate lacks, and those of the candidate alone.

    Of a unit that has more places on one side the first are those of both; of first words (`whole`)
    all of them.
    """
    shared: dict[Any, _Shared] = {}
    missing: dict[Any, _Lacked] = {}
    for number, weight in weights:
        texts, spans, places = others[number][:3]
        found = hits[number]
        for key, theirs in places.items():
            count = found.get(key, 0)
            rest = theirs[count:]
            if count:
                mine = own.places[key] if whole else own.places[key][:count]
                told = theirs if whole else theirs[:count]
                rest = [] if whole else rest
                there, share = _placed(number, spans, told), weight * count
                if key in shared:  # of another reference
                    known, more, before, pairs, _ = shared[key]
                    mine, share = max(known, mine, key=len), more + share
                    there, count = before + there, pairs + count
                shared[key] = mine, share, there, count, texts[theirs[0]]
            if rest:
                text, _, lacked = missing.get(key, (texts[rest[0]], (), ()))
                missing[key] = text, (), lacked + _placed(number, spans, rest)
    told_items, extra = [], []
    for key, every in own.places.items():
        rest = every
        if key in shared:
            mine, share, there, count, said = shared[key]
            text = own.texts[rest[0]]
            if not whole and said != text and said.lower() != text.lower():
                text = f"{text} = {said}"  # other words of one stem
            details = {"pairs": float(count)} if whole else None
            told_items.append(ExplainedItem(text, _spans(own, mine), there, share, details))
            rest = rest[len(mine) :]
            if not rest:
                continue
        extra.append(ExplainedItem(own.texts[rest[0]], _spans(own, rest), (), 0.0))
    extra.sort(key=_SPANS)
    lacked_items = [ExplainedItem(*one, 0.0) for one in sorted(missing.values(), key=_PLACES)]
    return [*told_items, *lacked_items, *extra]


def _spans(units: Units, places: Sequence[int]) -> tuple[Span, ...]:
    if len(places) == 1:
        return units.spans[places[0]]
    return tuple(span for place in places for span in units.spans[place])


def _placed(
    number: int, spans: Sequence[tuple[Span, ...]], places: Sequence[int]
) -> tuple[Place, ...]:
    if len(places) == 1:
        here = spans[places[0]]
        return ((number, *here[0]),) if len(here) == 1 else tuple([(number, *s) for s in here])
    return tuple([(number, *span) for place in places for span in spans[place]])


def end_of_gap(size: int, first: int, gap: int) -> int:
    """Return the number after the last token that makes a pair with one, of a text of so many.

    >>> end_of_gap(9, 2, 4), end_of_gap(9, 2, -1)
    (8, 9)
    """
    return size if gap < 0 else min(size, first + gap + 2)


def _by_run(
    own: TokenizedText, others: Sequence[TokenizedText], found: Sequence[Runs], weights: Weights
) -> Iterator[ExplainedItem]:
    """The runs, what lies between them in the references, and what the candidate alone has."""
    paired: set[int] = set()
    missing = []
    for number, weight in weights:
        theirs = others[number]
        had: set[int] = set()
        for worth, rows, columns in found[number]:
            had.update(rows)
            paired.update(columns)
            text, here = _run(own, columns)
            said, there = _run(theirs, rows)
            yield ExplainedItem(
                text if said.lower() == text.lower() else f"{text} = {said}",
                here,
                tuple([(number, *span) for span in there]),
                weight * worth,
            )
        rest = [row for row in range(len(theirs.forms)) if row not in had]
        missing += [(text, (number, *span)) for text, span in _neighbours(theirs, rest)]
    for text, place in missing:
        yield ExplainedItem(text, (), (place,), 0.0)
    for text, span in _neighbours(own, [k for k in range(len(own.forms)) if k not in paired]):
        yield ExplainedItem(text, (span,), (), 0.0)


def _run(reading: TokenizedText, numbers: Sequence[int]) -> tuple[str, tuple[Span, ...]]:
    """Return the words and the places of the tokens of a run."""
    first, last = numbers[0], numbers[-1]
    if [*numbers] == [*range(first, last + 1)]:
        span = reading.spans[first][0], reading.spans[last][1]
        return " ".join(reading.words[first : last + 1]), (span,)
    words = " ".join([reading.words[number] for number in numbers])
    return words, tuple(span for _, span in _neighbours(reading, sorted(numbers)))


def _neighbours(reading: TokenizedText, numbers: Sequence[int]) -> Iterator[tuple[str, Span]]:
    """Yield the words and the span of each run of neighbours of one line."""
    ends = {*reading.ends}
    first = 0
    for k, number in enumerate(numbers):
        following = k + 1 < len(numbers) and numbers[k + 1] == number + 1
        if following and number + 1 not in ends:
            continue
        begin = numbers[first]
        words = " ".join(reading.words[begin : number + 1])
        yield words, (reading.spans[begin][0], reading.spans[number][1])
        first = k + 1
