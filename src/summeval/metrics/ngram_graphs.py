"""Metrics on graphs of neighbouring character n-grams: AutoSummENG, MeMoG, NPowER.

Giannakopoulos, Karkaletsis, Vouros and Stamatopoulos 2008, "Summarization System Evaluation
Revisited: N-Gram Graphs"; Giannakopoulos and Karkaletsis 2011, "AutoSummENG and MeMoG in Evaluating
Guided Summaries", and 2013, "Summary Evaluation: Together We Stand NPowER-ed".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from summeval._core.graphs.ngram_graph import GraphKernel
from summeval._options import option
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain import items as pieces
from summeval.metrics.run.explain.spans import lowered, original
from summeval.metrics.run.runner import TextRunner
from summeval.metrics.run.signature import Signed
from summeval.metrics.run.text_options import TextOptions

MOST_N = 64
MOST_WINDOW = 1 << 30  # no text has more n-grams
RELEASED = "npower-1"
NPOWER = (0.52905, 0.30053, 0.05866)  # factors of AutoSummENG and MeMoG, and the intercept
LENGTH: Any = option(default=3, kind="whole", low=1, high=MOST_N)
BOUND: Any = option(default=0.0, kind="number")


class NGramGraphs(Metric):
    """The base of the n-gram graph metrics: their options and kernel.

    The graph of a text has its n-grams of characters for nodes, as they are written (but see the
    option `case`), blanks and line ends included. Every two n-grams that begin at most `window`
    characters apart add 1 to the weight of the edges between them, in both directions. Two graphs
    are compared by

    - VS, value similarity: the sum over common edges of lesser by greater weight, divided by the
      number of edges of the larger graph;
    - CS, containment similarity: the number of common edges by that of the smaller graph;
    - SS, size similarity: the number of edges of the smaller graph by that of the larger.

    A text shorter than `min_n` + 1 characters has an empty graph, which is like nothing: all three
    are 0, between two empty texts too. With `max_n` above `min_n` there is a graph for each length,
    and length n weighs min_n + ... + n.
    """

    immutable = True
    primary = "value"
    min_score, max_score = 0.0, 1.0
    min_n: int = LENGTH
    max_n: int = LENGTH
    window: int = option(default=3, kind="whole", low=1, high=MOST_WINDOW)
    case: str = CASE
    compat: str | None = option(default=None, choices=(None, RELEASED))

    def __post_init__(self) -> None:
        if self.min_n > self.max_n:
            raise ValueError(
                f"min_n is {self.min_n} and max_n {self.max_n}; give a max_n of at least min_n"
            )

    @property
    def kind(self) -> str:
        """The name of the metric, which its label does not change."""
        return self.names[0]

    def signed(self) -> Signed:
        """Return the options and version that the numbers depend on.

        >>> MeMoG().signature.split("|v:")[0]
        'memog|n:3-3|window:3|case:keep|characters:code-points|compat:none'
        """
        return [
            ("n", f"{self.min_n}-{self.max_n}"),
            ("window", str(self.window)),
            ("case", self.case),
            ("characters", "utf-16" if self.compat else "code-points"),
            ("compat", self.compat or "none"),
            *([("range", f"{self.min_score}-{self.max_score}")] if self.kind == "npower" else []),
        ]

    def fusion_key(self) -> Hashable:
        return (NGramGraphs, self.min_n, self.max_n, self.window, self.case, self.compat)

    @staticmethod
    def fuse(metrics: Sequence[NGramGraphs]) -> TextRunner:
        first = metrics[0]
        ranges = [(metric.kind, metric.min_score, metric.max_score) for metric in metrics]
        options = first.min_n, first.max_n, first.window, first.compat is not None
        kernel = GraphKernel(tuple(metric.name for metric in metrics), ranges, *options)
        # a plain reading: the kernel gets the texts as `case` leaves them, and reads all letters
        return TextRunner(kernel, TextOptions(tokenizer="unicode"), case=first.case)

    def explain_texts(self, asked: pieces.Asked) -> pieces.Items:
        """An item for each stretch of the candidate that is in a reference, then for the rest.

        VS is a sum over edges. What those from an n-gram add to the value is the same at each place
        of the n-gram in the candidate, and belongs to the stretch that it begins in: from the left
        on, the longest that a reference has; equal stretches are one item. So the shares add up to
        the value, for NPowER with the item "intercept". Characters in no common n-gram are missing
        or extra, with the share 0.

        Examples
        --------
        >>> explanation = AutoSummENG().explain("abcdef", "abcdeg")
        >>> [(item.text, item.kind, item.share) for item in explanation.items]
        [('abcde', 'match', 0.5), ('g', 'missing', 0.0), ('f', 'extra', 0.0)]
        """
        low, high, released = self.min_score, self.max_score, self.compat is not None
        factors = graph_factors(self.kind, len(asked.references), released=released)
        factors = [factor * (high - low) for factor in factors]
        own, *others = asked.cased
        shares = cast("TextRunner", self.runner())._kernel.find(own, others, factors)
        items = graph_items(asked, shares, factors, size=self.min_n, released=released)
        if self.kind == "npower":
            return pieces.whole(pieces.INTERCEPT, low + (high - low) * NPOWER[2]), *items
        return items


class AutoSummENG(NGramGraphs):
    """Mean similarity of the n-gram graphs of candidate and references (AutoSummENG).

    Fields: `value`, the mean over the references of VS (see `NGramGraphs`), and `containment` and
    `size`, the means of CS and SS. `parts` of a single Score has for each reference a Score with
    `value`, `containment`, `size`, `normalized` (VS by SS, 0 if SS is 0), `candidate_edges` and
    `reference_edges` (directed, over all lengths).

    An empty text, or one too short for two n-grams, scores 0 (NPowER: 0.05866).

    Parameters
    ----------
    min_n, max_n : int
        Characters of the shortest and longest n-grams, 1 to 64.
    window : int
        How far apart neighbours may begin, in characters.
    case : {"keep", "lower", "auto"}
        "lower" lower-cases all texts first (`str.lower`); "auto" the candidate and references of a
        row in which some text has letters but no capital and another has capitals.

        The programs keep them.
    compat : {None, "npower-1"}
        "npower-1" repeats the first NPowER program as released: an edge that is new in the merged
        graph enters with weight 1, the likeness to the first reference is that to the merged graph
        instead, and MeMoG is the likeness to the last reference; with one reference nothing
        changes.

        Characters are then UTF-16 units, as Java counts, and otherwise code points, which differ
        beyond U+FFFF (emoji). The program's file loader ends the last line with a newline, so a
        text must end so to get its numbers.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> score = AutoSummENG().score("abcdef", ["abcdeg", "abcdef"])
    >>> score.value, score.parts[0].value, score.parts[0].candidate_edges
    (0.75, 0.5, 12)
    """

    names = ("autosummeng",)
    summary = "similarity of the graphs of neighbouring character n-grams"
    fields = ("value", "containment", "size")


class MeMoG(NGramGraphs):
    """Similarity of the candidate's n-gram graph to the merged graph of all references (MeMoG).

    The first reference's graph is moved towards each further one: a common edge goes 1/i of the way
    to its weight in the i-th, an edge that only the i-th has enters with its own weight. So the
    order of the references matters.

    Fields: `value`, the VS (see `NGramGraphs`) of candidate and merged graph, `containment` and
    `size`, their CS and SS. `parts` of a single Score has that one comparison, as `AutoSummENG`.

    Parameters
    ----------
    min_n, max_n, window, case, compat, label
        As in `AutoSummENG`, with its errors and short texts.

    Examples
    --------
    >>> MeMoG().score("abcdef", ["abcdeg", "abcdef"]).value
    0.6666666666666666
    >>> MeMoG(compat="npower-1").score("abcdef", ["abcdeg", "abcdef"]).value
    1.0
    """

    names = ("memog",)
    summary = "similarity to the merged graphs of all references"
    fields = ("value", "containment", "size")


class NPowER(NGramGraphs):
    """A linear combination of AutoSummENG and MeMoG, fitted to human judgements (NPowER).

    (5.2905 AutoSummENG + 3.0053 MeMoG + 0.5866) / 10, so that a candidate equal to all references
    scores 0.88824 and an empty one 0.05866.

    Fields: `value`, and `autosummeng` and `memog`, which it was made from.

    Parameters
    ----------
    min_n, max_n, window, case, compat
        As in `AutoSummENG`, with its errors and short texts.
    min_score, max_score : float
        The value x above is given as min_score + (max_score - min_score) x.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Examples
    --------
    >>> NPowER().score("abcdef", "abcdeg")
    Score(value=0.47345, autosummeng=0.5, memog=0.5)
    """

    names = ("npower",)
    summary = "a linear combination of autosummeng and memog"
    fields = ("value", "autosummeng", "memog")
    min_score: float = BOUND
    max_score: float = BOUND._replace(default=1.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_score >= self.max_score:
            raise ValueError(
                f"min_score is {self.min_score} and max_score {self.max_score}; give a greater"
                " max_score"
            )

    @property
    def best(self) -> dict[str, float]:
        return super().best | {"value": self.max_score}


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
    asked: pieces.Asked,
    shares: Sequence[float],
    factors: Sequence[float],
    *,
    size: int,
    released: bool,
) -> tuple[pieces.ExplainedItem, ...]:
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
    candidate, references = asked.candidate, asked.references
    own, *others = _read(asked, released)
    used: Sequence[int] = range(len(others))
    if not factors[-1]:
        used = [number for number in used if factors[number]]
    texts = [others[number].text for number in used]
    both: list[tuple[str, list[pieces.Span]]] = []
    worth: dict[str, float] = defaultdict(float)
    for begin, end, after in _stretches(own.text, texts, size):
        both.append((own.text[begin:end], [own.span(begin, end)]))
        worth[own.text[begin:end]] += sum(shares[begin:after])
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
        for a, b in others[n].uncovered([own.text], size)
    ]
    extra = [(candidate[a:b], [(a, b)]) for a, b in own.uncovered(texts, size)]
    return (
        *pieces.attribute(asked, both, there, worth),
        *pieces.attribute(asked, (), missing, {}),
        *pieces.attribute(asked, extra, (), {}),
    )


class _Read(NamedTuple):
    """A text as its graph has it, and the places of its characters in the text as given."""

    text: str
    origin: Sequence[int]
    given: str

    def span(self, begin: int, end: int) -> pieces.Span:
        return original((begin, end), self.origin)

    def uncovered(self, others: Sequence[str], size: int) -> Iterator[pieces.Span]:
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


def _read(asked: pieces.Asked, released: bool) -> list[_Read]:
    found = []
    for given in asked.texts:
        text, origin = lowered(given, asked.lower)
        if released:
            units = [utf16_units(letter) for letter in text]
            text = "".join(units)
            origin = [k for k, u in zip(origin, units, strict=True) for _ in u]
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


def _all(text: str, stretch: str) -> Iterator[pieces.Span]:
    """Yield where a stretch stands in a text."""
    begin = text.find(stretch)
    while begin >= 0:
        yield begin, begin + len(stretch)
        begin = text.find(stretch, begin + 1)
