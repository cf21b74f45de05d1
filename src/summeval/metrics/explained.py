"""Explanations of metrics that have one file each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum, log
from typing import TYPE_CHECKING, NamedTuple

from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.explain.items import (
    INTERCEPT,
    Span,
    attribute,
    bounded,
    largest_first,
    whole,
)
from summeval.metrics.run.explain.spans import compared, lowered, original, sentences_of
from summeval.metrics.run.runner import lowers
from summeval.metrics.run.text_options import TextOptions

if TYPE_CHECKING:
    from summeval.learn.regression import Shares
    from summeval.metrics.run.suite import Suite

INTERACTION = "interaction"
MOST_WORDS = 200  # of the source alone that are told one by one
HOLLOW = "empty word"  # what SIMetrix reads in a line of punctuation
NPOWER = (0.52905, 0.30053, 0.05866)  # factors of AutoSummENG and MeMoG, and the intercept

Counts = Mapping[str, int]


def by_part(
    metric: Metric,
    suite: Suite,
    columns: Sequence[str],
    shares: Callable[[Sequence[float]], Shares],
    *,
    texts: tuple[str, tuple[str, ...], tuple[str, ...]],
) -> Explanation:
    """Return the explanation of a metric that a model makes of columns of others.

    An item for each column, the largest share first, then "intercept", "interaction" if the model
    leaves one, and "floor" with what the least value of the metric adds to them. `texts` are the
    candidate, the references and the documents of the source.
    """
    candidate, references, sources = texts
    given = {"references": references or None, "source": sources or None}
    value = float(metric.score(candidate, **given).value)
    scores = suite.score(candidate, **given)
    places = [column.rpartition(".") for column in columns]
    found = shares([float(scores[name][field]) for name, _, field in places])
    items = largest_first(
        ExplainedItem(column, (), (), share, details)
        for column, share, details in zip(columns, found.features, found.details, strict=True)
    )
    rest = [whole(INTERCEPT, found.intercept)]
    if found.interaction:
        rest.append(whole(INTERACTION, found.interaction))
    used = dict.fromkeys(name for name, _, _ in places)
    named = [one for one in suite.metrics if one.name in used and isinstance(one, Metric)]
    return Explanation(
        metric.name,
        value,
        bounded((*items, *rest), value),
        candidate,
        references,
        sources,
        tuple(part_of(one, *texts) for one in named),
    )


def part_of(
    metric: Metric, candidate: str, references: tuple[str, ...], sources: tuple[str, ...]
) -> Explanation:
    """Return the explanation of one of the metrics, with the texts that it reads."""
    reads = metric.compared_with
    return metric.explain_texts(
        candidate,
        references if reads in ("references", "both") else (),
        sources if reads in ("source", "both") else (),
    )


def simetrix_items(
    candidate: str,
    sources: Sequence[str],
    counts: tuple[Counts, Counts],
    text_options: TextOptions,
    scale: float,
) -> tuple[ExplainedItem, ...]:
    """Return an item for each word of the candidate, then for those that only the source has.

    Parameters
    ----------
    candidate, sources
        The texts.
    counts : two mappings of str to int
        The words of the candidate and of the source.
    text_options : TextOptions
    scale : float
        What natural logarithms are multiplied by.
    """
    mine, theirs = counts
    sums = [sum(side.values()) for side in counts]
    shares = {
        word: scale * _divergence(mine.get(word, 0) / sums[0], theirs.get(word, 0) / sums[1])
        for word in dict.fromkeys((*mine, *theirs))
    }
    here, *there = (_places(text_options, text) for text in (candidate, *sources))
    lacking = sorted(
        (word for word in theirs if word not in mine), key=lambda word: (-shares[word], word)
    )
    rest = lacking[MOST_WORDS:]
    told = [*lacking[:MOST_WORDS], *mine]
    items = attribute(
        (candidate, sources),
        [(word, here.get(word, [])) for word in mine],
        [
            (word, [(k, *at) for k, of in enumerate(there) for at in of.get(word, [])])
            for word in told
        ],
        shares,
        name=lambda word, words: words[0] if words else word or HOLLOW,
        details=lambda word: {
            "candidate": float(mine.get(word, 0)),
            "source": float(theirs.get(word, 0)),
        },
        in_source=True,
    )
    if not rest:
        return items
    share = fsum(shares[word] for word in rest)
    count = float(sum(theirs[word] for word in rest))
    return (*items, whole(f"{len(rest)} other words", share, {"source": count}))


def _divergence(p: float, q: float) -> float:
    """Return what a word adds, of natural logarithms."""
    both = (p + q) / 2
    return fsum(share * log(share / both) for share in (p, q) if share) / 2


def _places(text_options: TextOptions, text: str) -> dict[str, list[Span]]:
    """Return where the words of a text stand."""
    places: dict[str, list[Span]] = {}
    for sentence in sentences_of(text_options, text):
        for form, begin, end in compared(text_options, sentence):
            places.setdefault(form, []).append((begin, end))
    return places


def graph_factors(kind: str, references: int, *, released: bool) -> list[float]:
    """Return what the similarity to each reference, and to all merged, is multiplied by.

    >>> graph_factors("memog", 2, released=False), graph_factors("memog", 2, released=True)
    ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0])
    """
    mean, of_merged = {"autosummeng": (1.0, 0.0), "memog": (0.0, 1.0), "npower": NPOWER[:2]}[kind]
    factors = [mean / references] * references + [of_merged]
    if released:  # merges into the first reference itself, and takes the last for the merged one
        last = references - 1 if references > 1 else references
        factors[-1] = 0.0
        factors[last] += of_merged
        factors[-1] += factors[0]
        factors[0] = 0.0
    return factors


def graph_items(
    texts: tuple[str, Sequence[str]],
    shares: Sequence[float],
    factors: Sequence[float],
    *,
    size: int,
    case: str,
    released: bool,
) -> tuple[ExplainedItem, ...]:
    """Return an item for each stretch that both sides have, then for what one side has alone.

    Parameters
    ----------
    texts : str and sequence of str
        The candidate and the references.
    shares : sequence of float
        What the n-grams that begin at each character of the candidate add to the value.
    factors : sequence of float
        As of `graph_factors`.
    size, case, released
        Options of the graphs: the least length of n-grams, and how characters are read.
    """
    candidate, references = texts
    own, *others = _read((candidate, *references), case, released)
    used: Sequence[int] = range(len(others))
    if not factors[-1]:
        used = [number for number in used if factors[number]]
    theirs = [others[number].text for number in used]
    both: list[tuple[str, list[Span]]] = []
    worth = Counter[str]()
    for begin, end, after in _stretches(own.text, theirs, size):
        stretch = own.text[begin:end]
        both.append((stretch, [own.span(begin, end)]))
        worth[stretch] += sum(shares[begin:after])  # type: ignore[assignment]
    stretches = dict.fromkeys(stretch for stretch, _ in both)
    there = [
        (stretch, [(n, *others[n].span(*span))])
        for n in used
        for stretch in stretches
        for span in _all(others[n].text, stretch)
    ]
    missing = [
        (references[n][a:b], [(n, a, b)])
        for n in used
        for a, b in others[n].lacking([own.text], size)
    ]
    extra = [(candidate[a:b], [(a, b)]) for a, b in own.lacking(theirs, size)]
    return (
        *attribute(texts, both, there, worth),
        *attribute(texts, (), missing, {}),
        *attribute(texts, extra, (), {}),
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


def _read(texts: Sequence[str], case: str, released: bool) -> list[_Read]:
    low = lowers(case, texts)
    found = []
    for given in texts:
        text, origin = lowered(given) if low else (given, range(len(given)))
        if released:
            units = [utf16_units(letter) for letter in text]
            text, origin = (
                "".join(units),
                [k for k, u in zip(origin, units, strict=True) for _ in u],
            )
        found.append(_Read(text, origin, given))
    return found


def utf16_units(text: str) -> str:
    r"""Return the text with one character for each unit of UTF-16, as Java counts them.

    >>> utf16_units("a\U0001f600") == "a\ud83d\ude00"
    True
    """
    data = text.encode("utf-16-le")
    units = (data[i] | data[i + 1] << 8 for i in range(0, len(data), 2))
    return "".join(map(chr, units))


def _stretches(text: str, others: Sequence[str], size: int) -> Iterator[tuple[int, int, int]]:
    """Yield the longest stretches from the left on that another text has.

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
    """Yield where a stretch stands in a text."""
    begin = text.find(stretch)
    while begin >= 0:
        yield begin, begin + len(stretch)
        begin = text.find(stretch, begin + 1)
