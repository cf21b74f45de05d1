"""Explanations of metrics that have one file each."""

from __future__ import annotations

from collections import Counter, defaultdict
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
Graph = Mapping[tuple[str, str], float]  # the weight of the edge from one n-gram to another
Levels = Sequence[Graph]  # for each length of n-grams


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


def graphs_compared(kind: str, references: int, *, released: bool) -> list[Compared]:
    """Return the comparisons that a value is the sum of; a graph of several references is merged.

    >>> graphs_compared("memog", 2, released=False), graphs_compared("memog", 2, released=True)
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


def graph_items(
    candidate: str,
    references: Sequence[str],
    parts: Sequence[Compared],
    settings: Settings,
) -> tuple[ExplainedItem, ...]:
    """Return an item for each stretch that both sides have, then for what one side has alone."""
    own, *others = _read((candidate, *references), settings)
    used = sorted({number for part in parts for number in part.references})
    shares = _by_place(own, others, parts, settings)
    texts = [others[number].text for number in used]
    both: list[tuple[str, list[Span]]] = []
    worth = Counter[str]()
    for begin, end, after in _stretches(own.text, texts, settings.min_n):
        stretch = own.text[begin:end]
        both.append((stretch, [own.span(begin, end)]))
        worth[stretch] += sum(shares[begin:after])  # type: ignore[assignment]
    stretches = dict.fromkeys(stretch for stretch, _ in both)
    theirs = [
        (stretch, [(n, *others[n].span(*span))])
        for n in used
        for stretch in stretches
        for span in _all(others[n].text, stretch)
    ]
    size = settings.min_n
    missing = [
        (references[n][a:b], [(n, a, b)])
        for n in used
        for a, b in others[n].lacking([own.text], size)
    ]
    extra = [(candidate[a:b], [(a, b)]) for a, b in own.lacking(texts, settings.min_n)]
    given = candidate, references
    return (
        *attribute(given, both, theirs, worth),
        *attribute(given, (), missing, {}),
        *attribute(given, extra, (), {}),
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
            units = [utf16_units(letter) for letter in text]
            text, origin = (
                "".join(units),
                [k for k, u in zip(origin, units, strict=True) for _ in u],
            )
        found.append(_Read(text, origin, given))
    return found


def _by_place(
    own: _Read, others: Sequence[_Read], parts: Sequence[Compared], settings: Settings
) -> list[float]:
    """Return what the n-grams that begin at each character add to the value.

    What an n-gram adds, by the edges from it, is the same at all its places.
    """
    sizes = range(settings.min_n, settings.max_n + 1)
    graphs_of = [
        levels(read.text, settings.min_n, settings.max_n, settings.window)
        for read in (own, *others)
    ]
    weights = shares(settings.min_n, settings.max_n)
    found = [0.0] * len(own.text)
    for level, (size, weight) in enumerate(zip(sizes, weights, strict=True)):
        mine = graphs_of[0][level]
        grams = [own.text[at : at + size] for at in range(len(own.text) - size + 1)]
        counts = Counter(grams)
        worth: dict[str, float] = dict.fromkeys(counts, 0.0)
        for references, factor in parts:
            graphs = [graphs_of[number + 1][level] for number in references]
            graph = merge(graphs, enter_as_one=settings.released)
            larger = max(len(mine), len(graph))
            for edge in mine.keys() & graph.keys():
                ratio = min(mine[edge], graph[edge]) / max(mine[edge], graph[edge])
                worth[edge[0]] += factor * weight * ratio / larger
        for at, gram in enumerate(grams):
            found[at] += worth[gram] / counts[gram]
    return found


def graph(text: str, n: int = 3, window: int = 3) -> dict[tuple[str, str], float]:
    """The graph of a text: n-grams at most `window` apart are neighbours, in both directions.

    >>> sorted(graph("aaaab", 3, 3).items())
    [(('aaa', 'aaa'), 2.0), (('aaa', 'aab'), 2.0), (('aab', 'aaa'), 2.0)]
    """
    grams = [text[i : i + n] for i in range(len(text) - n + 1)]
    neighbours: Counter[tuple[str, str]] = Counter()
    for apart in range(1, min(window + 1, len(grams))):
        neighbours.update(zip(grams, grams[apart:], strict=False))
    edges: dict[tuple[str, str], float] = defaultdict(float)
    for (gram, other), count in neighbours.items():
        edges[gram, other] += count
        edges[other, gram] += count
    return dict(edges)


def levels(text: str, min_n: int, max_n: int, window: int) -> Levels:
    """Return the graphs of a text for all lengths of n-grams."""
    return [graph(text, n, window) for n in range(min_n, max_n + 1)]


def shares(min_n: int, max_n: int) -> list[float]:
    """The weight of each length: the sum of the lengths up to it, divided by the sum of these sums.

    >>> [share * 16 for share in shares(2, 4)]
    [2.0, 5.0, 9.0]
    """
    weights = [sum(range(min_n, n + 1)) for n in range(min_n, max_n + 1)]
    return [weight / sum(weights) for weight in weights]


def merge(graphs: Sequence[Graph], *, enter_as_one: bool = False) -> Graph:
    """Merge several graphs, in order.

    A common edge moves towards the weight it has in the i-th graph by one part in i; an edge that
    only the i-th has enters with its own weight, or with 1 in the released program.

    >>> merge([{("a", "b"): 2.0}, {("a", "b"): 4.0, ("b", "a"): 1.0}])
    {('a', 'b'): 3.0, ('b', 'a'): 1.0}
    """
    merged = dict(graphs[0])
    for i, other in enumerate(graphs[1:], 2):
        for edge, weight in other.items():
            old = merged.get(edge)
            if old is None:
                merged[edge] = 1.0 if enter_as_one else weight
            else:
                merged[edge] = old + 1.0 / i * (weight - old)
    return merged


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
