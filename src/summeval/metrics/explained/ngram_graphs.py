"""What a score on n-gram graphs comes from: stretches of text whose edges both sides have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summeval._textbook import ngram_graph as definition
from summeval.metrics.run.casing import lowers
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Theirs, by_unit, items_of, written
from summeval.metrics.run.explain.spans import Span, lowered, original

NPOWER = (0.52905, 0.30053, 0.05866)  # factors of AutoSummENG and MeMoG, and the intercept


class Settings(NamedTuple):
    """The options of the graphs."""

    min_n: int
    max_n: int
    window: int
    case: str
    released: bool


class Compared(NamedTuple):
    """A comparison with a graph: of which references it is, and what VS is multiplied by."""

    references: tuple[int, ...]
    factor: float


def compared(kind: str, references: int, *, released: bool) -> list[Compared]:
    """The comparisons that a value is the sum of; a graph of several references is merged.

    >>> compared("memog", 2, released=False), compared("memog", 2, released=True)
    ([Compared(references=(0, 1), factor=1.0)], [Compared(references=(1,), factor=1.0)])
    """
    together = tuple(range(references))
    each: list[tuple[int, ...]] = [(number,) for number in together]
    if released:
        each[0] = together
    merged = each[-1] if released and references > 1 else together
    mean, of_merged = {"autosummeng": (1.0, 0.0), "memog": (0.0, 1.0), "npower": NPOWER[:2]}[kind]
    found = [*(Compared(of, mean / references) for of in each), Compared(merged, of_merged)]
    return [one for one in found if one.factor]


def explained_items(
    candidate: str,
    references: Sequence[str],
    parts: Sequence[Compared],
    settings: Settings,
) -> tuple[ExplainedItem, ...]:
    """An item for each stretch that both sides have, then for what one side has alone."""
    own, *others = _read((candidate, *references), settings)
    used = sorted({number for part in parts for number in part.references})
    shares = _by_place(own, others, parts, settings)
    texts = [others[number].text for number in used]
    here, worth = [], Counter[str]()
    for begin, end, after in _stretches(own.text, texts, settings.min_n):
        stretch = own.text[begin:end]
        here.append((stretch, [own.span(begin, end)]))
        worth[stretch] += sum(shares[begin:after])  # type: ignore[assignment]
    mine = by_unit(here)
    theirs = {
        stretch: [
            (n, *others[n].span(*span)) for n in used for span in _all(others[n].text, stretch)
        ]
        for stretch in mine
    }
    name = written(candidate, references, mine, theirs)
    items = items_of(mine, theirs, worth, text=name)
    missing: list[tuple[str, list[Theirs]]] = [
        (references[n][begin:end], [(n, begin, end)])
        for n in used
        for begin, end in others[n].lacking([own.text], settings.min_n)
    ]
    extra = [
        (candidate[begin:end], [(begin, end)]) for begin, end in own.lacking(texts, settings.min_n)
    ]
    return (
        *items,
        *items_of({}, by_unit(missing), {}, text=str),
        *items_of(by_unit(extra), {}, {}, text=str),
    )


class _Read(NamedTuple):
    """A text as its graph has it, and the places of its characters in the text as given."""

    text: str
    origin: Sequence[int]
    given: str

    def span(self, begin: int, end: int) -> Span:
        return original((begin, end), self.origin)

    def lacking(self, others: Sequence[str], size: int) -> Iterator[Span]:
        """The stretches of the given text in no n-gram of the others; their blanks cut off."""
        covered = bytearray(len(self.given))
        common = _n_grams(others, size)
        for at in range(len(self.text) - size + 1):
            if self.text[at : at + size] in common:
                begin, end = self.span(at, at + size)
                covered[begin:end] = b"\1" * (end - begin)
        begin = 0
        while (begin := covered.find(0, begin)) >= 0:
            found = covered.find(1, begin)
            end = len(covered) if found < 0 else found
            stretch = self.given[begin:end]
            if stretch.strip():
                first = begin + len(stretch) - len(stretch.lstrip())
                yield first, first + len(stretch.strip())
            begin = end


def _read(texts: Sequence[str], settings: Settings) -> list[_Read]:
    low = lowers(settings.case, texts)
    found = []
    for given in texts:
        text, origin = lowered(given) if low else (given, range(len(given)))
        if settings.released:
            units = [definition.utf16_units(letter) for letter in text]
            text, origin = (
                "".join(units),
                [k for k, u in zip(origin, units, strict=True) for _ in u],
            )
        found.append(_Read(text, origin, given))
    return found


def _by_place(
    own: _Read, others: Sequence[_Read], parts: Sequence[Compared], settings: Settings
) -> list[float]:
    """What the n-grams that begin at each character add to the value.

    What an n-gram adds, by the edges from it, is the same at all its places.
    """
    sizes = range(settings.min_n, settings.max_n + 1)
    levels = [
        definition.levels(read.text, settings.min_n, settings.max_n, settings.window)
        for read in (own, *others)
    ]
    weights = definition.shares(settings.min_n, settings.max_n)
    found = [0.0] * len(own.text)
    for level, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        mine = levels[0][level]
        grams = [own.text[at : at + size] for at in range(len(own.text) - size + 1)]
        counts = Counter(grams)
        worth: dict[str, float] = dict.fromkeys(counts, 0.0)
        for references, factor in parts:
            graphs = [levels[number + 1][level] for number in references]
            graph = definition.merge(graphs, enter_as_one=settings.released)
            larger = max(len(mine), len(graph))
            for edge in mine.keys() & graph.keys():
                ratio = min(mine[edge], graph[edge]) / max(mine[edge], graph[edge])
                worth[edge[0]] += factor * weight * ratio / larger
        for at, gram in enumerate(grams):
            found[at] += worth[gram] / counts[gram]
    return found


def _stretches(text: str, others: Sequence[str], size: int) -> Iterator[tuple[int, int, int]]:
    """The longest stretches from the left on that another text has.

    Begin, end, and the place after that of the last n-gram within.
    """
    at, common = 0, _n_grams(others, size)
    while at + size <= len(text):
        if text[at : at + size] not in common:
            at += 1
            continue
        length = max(_longest(text, at, other, size) for other in others)
        after = at + length - size + 1
        yield at, at + length, after
        at = after


def _n_grams(texts: Sequence[str], size: int) -> set[str]:
    return {text[at : at + size] for text in texts for at in range(len(text) - size + 1)}


def _longest(text: str, at: int, other: str, size: int) -> int:
    """The length of the longest stretch at a place that is in another text; 0 below the size."""
    if text[at : at + size] not in other:
        return 0
    least, step = size, 1
    while at + least + step <= len(text) and text[at : at + least + step] in other:
        least, step = least + step, 2 * step
    while step:
        if at + least + step <= len(text) and text[at : at + least + step] in other:
            least += step
        step //= 2
    return least


def _all(text: str, stretch: str) -> Iterator[Span]:
    """Where a stretch stands in a text."""
    begin = text.find(stretch)
    while begin >= 0:
        yield begin, begin + len(stretch)
        begin = text.find(stretch, begin + 1)
