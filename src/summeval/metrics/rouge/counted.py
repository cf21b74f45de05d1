"""The n-grams and skip-bigrams of two texts: those of both, and those of one alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from summeval.metrics.rouge.readings import Reading
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Span

MOST_PAIRS = 1000  # skip-bigrams of all texts; of more the items are by their first words

Counts: TypeAlias = tuple[float, float, float, float]  # hits, reference, candidate, base
Weights: TypeAlias = Sequence[tuple[int, float]]  # of the references that count: number, weight
Place: TypeAlias = tuple[int, int, int]  # number of a reference, and a span of it
_SPANS, _PLACES = attrgetter("candidate_spans"), itemgetter(2)
_Shared: TypeAlias = tuple[int, float, tuple[Place, ...], str]
_Lacked: TypeAlias = tuple[str, tuple[()], tuple[Place, ...]]  # the first fields of an item


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
    """

    texts: Sequence[str]
    spans: Sequence[tuple[Span, ...]]
    places: Mapping[Hashable, list[int]]


def ngrams(reading: Reading, order: int) -> Units:
    """Every run of so many tokens.

    >>> from summeval.metrics.rouge.readings import read
    >>> from summeval.metrics.run.text_options import TextOptions
    >>> units = ngrams(read(TextOptions(), "A b a").whole, 2)
    >>> units.texts, units.spans, dict(units.places)
    (['A b', 'b a'], [((0, 3),), ((2, 5),)], {('a', 'b'): [0], ('b', 'a'): [1]})
    """
    words, forms, spans, _ = reading
    places: dict[Hashable, list[int]] = {}
    if order == 1:
        for number, key in enumerate(forms):
            places.setdefault(key, []).append(number)
        return Units(words, [(span,) for span in spans], places)
    for number, gram in enumerate(_runs(forms, order)):
        places.setdefault(gram, []).append(number)
    pairs = zip(spans, spans[order - 1 :], strict=False)
    wide = [((first[0], last[1]),) for first, last in pairs]
    return Units([*map(" ".join, _runs(words, order))], wide, places)


def _runs(tokens: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(islice(tokens, k, None) for k in range(order)), strict=False)


def skip_bigrams(reading: Reading, gap: int, unigrams: bool) -> Units:
    """Every pair with at most ``gap`` tokens between (below 0: any number).

    As in the script the last token of a text is no unigram.

    >>> from summeval.metrics.rouge.readings import read
    >>> from summeval.metrics.run.text_options import TextOptions
    >>> units = skip_bigrams(read(TextOptions(), "a b c").whole, 0, True)
    >>> units.texts, dict(units.places)
    (['a', 'a … b', 'b', 'b … c'], {('a',): [0], ('a', 'b'): [1], ('b',): [2], ('b', 'c'): [3]})
    """
    words, forms, spans, _ = reading
    texts: list[str] = []
    where: list[tuple[Span, ...]] = []
    places: dict[Hashable, list[int]] = {}
    for first, form in enumerate(forms[:-1]):
        if unigrams:
            places.setdefault((form,), []).append(len(texts))
            texts.append(words[first])
            where.append((spans[first],))
        for second in range(first + 1, end_of_gap(len(forms), first, gap)):
            places.setdefault((form, forms[second]), []).append(len(texts))
            texts.append(f"{words[first]} … {words[second]}")
            where.append((spans[first], spans[second]))
    return Units(texts, where, places)


def pairs_of(size: int, gap: int) -> int:
    """How many pairs a text of so many tokens has.

    >>> pairs_of(4, 0), pairs_of(4, 1), pairs_of(4, -1)
    (3, 5, 6)
    """
    least = max(size - gap - 1, 0) if gap >= 0 else 0  # tokens with all pairs
    rest = min(size, gap + 1) if gap >= 0 else size
    return least * (gap + 1) + rest * (rest - 1) // 2


def counts(own: Units, theirs: Units) -> Counts:
    """The counts of two texts: each unit has the smaller of its two numbers of places."""
    others = theirs.places
    hits = sum(
        min(len(places), len(others[key])) for key, places in own.places.items() if key in others
    )
    total = float(len(theirs.texts))
    return float(hits), total, float(len(own.texts)), total


def items(own: Units, others: Sequence[Units], weights: Weights) -> list[ExplainedItem]:
    """The units of both sides, those that the candidate lacks, and those of the candidate alone.

    Of a unit that has more places on one side the first are those of both.
    """
    shared, missing = _beside(own, others, weights)
    told, extra = [], []
    for key, places in own.places.items():
        rest = places
        if key in shared:
            most, share, there, said = shared[key]
            text = own.texts[places[0]]
            if said != text and said.lower() != text.lower():  # other words of one stem
                text = f"{text} = {said}"
            told.append(ExplainedItem(text, _spans(own, places[:most]), there, share))
            rest = places[most:]
            if not rest:
                continue
        extra.append(ExplainedItem(own.texts[rest[0]], _spans(own, rest), (), 0.0))
    extra.sort(key=_SPANS)
    return [*told, *[ExplainedItem(*lacked, 0.0) for lacked in missing], *extra]


def _beside(
    own: Units, others: Sequence[Units], weights: Weights
) -> tuple[dict[Hashable, _Shared], list[_Lacked]]:
    """Of units of both sides how many there are, share, places and text; and what is missing."""
    mine = own.places
    shared: dict[Hashable, _Shared] = {}
    missing: dict[Hashable, _Lacked] = {}
    for number, weight in weights:
        texts, spans, places = others[number]
        for key, theirs in places.items():
            count = min(len(mine[key]), len(theirs)) if key in mine else 0
            if count:
                there = _placed(number, spans, theirs[:count])
                most, share = count, weight * count
                if key in shared:  # of another reference
                    before = shared[key]
                    most, share, there = max(before[0], most), before[1] + share, before[2] + there
                shared[key] = most, share, there, texts[theirs[0]]
            if count < len(theirs):
                rest = theirs[count:]
                text, _, known = missing.get(key, (texts[rest[0]], (), ()))
                missing[key] = text, (), known + _placed(number, spans, rest)
    return shared, sorted(missing.values(), key=_PLACES)


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
    """The number after the last token that makes a pair with one, of a text of so many.

    >>> end_of_gap(9, 2, 4), end_of_gap(9, 2, -1)
    (8, 9)
    """
    return size if gap < 0 else min(size, first + gap + 2)
