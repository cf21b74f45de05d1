"""N-gram graphs as their papers define them, compared edge by edge.

Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos 2008, "Summarization System Evaluation
Revisited: N-Gram Graphs" (AutoSummENG); Giannakopoulos and Karkaletsis 2011 (MeMoG) and 2013,
"Summary Evaluation: Together We Stand NPowER-ed".
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from summeval.metrics.ngram_graphs import utf16_units

Graph = Mapping[tuple[str, str], float]  # the weight of the edge from one n-gram to another
Levels = Sequence[Graph]  # for each length of n-grams


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


class Likeness(NamedTuple):
    """Value, containment and size similarity (VS, CS, SS)."""

    value: float
    containment: float
    size: float


class Scores(NamedTuple):
    """The results of the two graph metrics and their combination."""

    autosummeng: Likeness
    memog: Likeness
    npower: float


def similarity(left: Graph, right: Graph) -> Likeness:
    """The similarity of two graphs; 0 if one is empty.

    >>> (mine,), (other,) = levels("abcdef", 3, 3, 3), levels("abcdeg", 3, 3, 3)
    >>> similarity(mine, other)
    Likeness(value=0.5, containment=0.5, size=1.0)
    """
    if not left or not right:
        return Likeness(0.0, 0.0, 0.0)
    common = left.keys() & right.keys()
    ratios = fsum(min(left[e], right[e]) / max(left[e], right[e]) for e in common)
    less, more = sorted((len(left), len(right)))
    return Likeness(ratios / more, len(common) / less, less / max(1, more))


def compare(left: Levels, right: Levels, weights: Sequence[float]) -> Likeness:
    """The similarity over all lengths of n-grams."""
    found = [similarity(*pair) for pair in zip(left, right, strict=True)]
    return Likeness(*(_dot(weights, of) for of in zip(*found, strict=True)))


def score(
    candidate: str,
    references: Sequence[str],
    *,
    min_n: int = 3,
    max_n: int = 3,
    window: int = 3,
    released: bool = False,
) -> Scores:
    """AutoSummENG, MeMoG and NPowER of a candidate; `released` reproduces the program's defects.

    >>> score("abcdef", ["abcdeg"]).npower
    0.47345
    """
    texts = [candidate, *references]
    if released:
        texts = [utf16_units(text) for text in texts]
    peer, *models = [levels(text, min_n, max_n, window) for text in texts]
    weights = shares(min_n, max_n)
    together = [merge(same, enter_as_one=released) for same in zip(*models, strict=True)]
    merged = compare(peer, together, weights)
    each = [compare(peer, model, weights) for model in models]
    if released:
        each[0], last = merged, each[-1]
        merged = last if len(each) > 1 else merged
    mean = Likeness(*(fsum(of) / len(each) for of in zip(*each, strict=True)))
    return Scores(mean, merged, (5.2905 * mean.value + 3.0053 * merged.value + 0.5866) / 10)


def by_place(
    candidate: str,
    references: Sequence[str],
    factors: Sequence[float],
    *,
    min_n: int = 3,
    max_n: int = 3,
    window: int = 3,
    released: bool = False,
) -> list[float]:
    """What the n-grams that begin at each character add to a sum of VS, each times its factor.

    The factors are of the references, and of all merged. What an n-gram adds, by the edges from it,
    is the same at all its places.
    """
    texts = [candidate, *references]
    if released:
        texts = [utf16_units(text) for text in texts]
    peer, *models = [levels(text, min_n, max_n, window) for text in texts]
    models.append([merge(same, enter_as_one=released) for same in zip(*models, strict=True)])
    found = [0.0] * len(texts[0])
    for level, weight in enumerate(shares(min_n, max_n)):
        size, mine = min_n + level, peer[level]
        grams = [texts[0][at : at + size] for at in range(len(texts[0]) - size + 1)]
        counts = Counter(grams)
        worth = dict.fromkeys(counts, 0.0)
        for model, factor in zip(models, factors, strict=True):
            other = model[level]
            larger = max(len(mine), len(other))
            for edge in mine.keys() & other.keys():
                ratio = min(mine[edge], other[edge]) / max(mine[edge], other[edge])
                worth[edge[0]] += factor * weight * ratio / larger
        for at, gram in enumerate(grams):
            found[at] += worth[gram] / counts[gram]
    return found


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return fsum(weight * value for weight, value in zip(weights, values, strict=True))
