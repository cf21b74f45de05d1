"""The transformations of Basic Elements by BEwT-E, and their coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from threading import local
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from summeval._core.elements import expansion as kernel
from summeval._options import unknown
from summeval.elements import resources as lexical
from summeval.elements import stages
from summeval.elements.elements import Element, class_of
from summeval.elements.resources import ENTITIES, resources
from summeval.elements.stages import Path, PlainElement, Topic, expand

if TYPE_CHECKING:
    from summeval._arrays import Floats, Ints
    from summeval._core.elements.expansion import Document
    from summeval._core.elements.extraction import Elements

# The transformations of the slides and the names of their stages in the pipeline.
_GROUPS = """
    lemm leml lemr dlml dlmr; syno syal synl syvl syar synr syvr; prep pgen; abbr acrl acrr;
    peri dpl dpr; hype genl gevl genr gevr; name nsl nsr; pron prol pror; pert perl perr;
    memb mecl mecr; swap swap; nppp nppp; role role; nomi nomt dnom; adjv advn adjp
"""
GROUPS: dict[str, tuple[str, ...]] = {
    group: tuple(stages) for group, *stages in map(str.split, _GROUPS.split(";"))
}
OTHERS = "others"
# Lexicons stay for later calls, each of at most so many strings and parts (about 0.5 GB).
_KEPT = local()
_MOST_STRINGS, _MOST_PARTS, _MOST_LEXICONS = 2_000_000, 1_000_000, 4
# The elements of a text: in Python, or as the kernel has them.
Cut: TypeAlias = "Sequence[Element] | Elements"


def read_coefficients(given: Mapping[str, float]) -> dict[str, float]:
    """Return the coefficient of each group, from those given and `others` (1 if that is not).

    Raises
    ------
    ValueError, TypeError
        An unknown group, or a coefficient outside 0 to 1.

    Examples
    --------
    >>> found = read_coefficients({"syno": 0.5, "others": 0.9})
    >>> found["syno"], found["prep"]
    (0.5, 0.9)
    """
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"coefficients is {kind}; give a mapping from groups to numbers")
    known = [*GROUPS, OTHERS]
    for name, number in given.items():
        if name not in known:
            raise ValueError(unknown("coefficient", name, known))
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise TypeError(f"coefficients[{name!r}] is {type(number).__name__}; give a number")
        if not (isfinite(number) and 0 <= number <= 1):
            raise ValueError(f"coefficients[{name!r}] is {number}; give a number from 0 to 1")
    rest = given.get(OTHERS, 1.0)
    return {group: float(given.get(group, rest)) for group in GROUPS}


def of_stages(coefficients: Mapping[str, float]) -> dict[str, float]:
    """Return the coefficient of each stage of the pipeline, from those of the groups."""
    return {stage: coefficients[group] for group, names in GROUPS.items() for stage in names}


def plain(elements: Iterable[Element]) -> list[PlainElement]:
    """Elements as the twin takes them."""
    return [(element.rule, element.parts) for element in elements]


class Edges(NamedTuple):
    """The possible matches in one reference: elements of both texts, and their costs C."""

    row: Ints
    column: Ints
    value: Floats


class Matches(NamedTuple):
    """The possible matches of the elements of a candidate.

    Attributes
    ----------
    rows : int
        Elements of the candidate.
    edges : list of Edges
        For each reference.
    units : list of int64[elements]
        For each reference what its elements are; equal ones have one number.
    distinct : int
        How many numbers there are.
    """

    rows: int
    edges: list[Edges]
    units: list[Ints]
    distinct: int


class MatchProblem(NamedTuple):
    """A matching with one reference: what can match, and what each of its elements weighs."""

    rows: int
    edges: Edges
    weights: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, len(self.weights)

    @property
    def worth(self) -> Floats:
        """What each edge is worth: its coefficient times the weight of the reference's element."""
        return self.edges.value * self.weights[self.edges.column]

    def assigned(self, *, worthless: bool = True) -> Ints:
        """Return the edges of the best assignment, with those worth nothing or without."""
        import numpy as np

        from summeval.solvers import assign_batch

        worth = self.worth
        kept = np.arange(len(worth)) if worthless else np.flatnonzero(worth > 0)
        row, column = self.edges.row[kept], self.edges.column[kept]
        batch = assign_batch(
            np.array([0, len(kept)]), row, column, worth[kept], np.array([self.shape])
        )
        return kept[batch.edges]


def problems_of(found: Matches, weights: str, jackknife: bool) -> list[MatchProblem]:
    """Return the matchings of a row: each reference with the weights that all of them give.

    With `jackknife`, then those that leave one reference out: for each, all others with the weights
    that the others give.
    """
    table = weight_table(found, weights)
    problems = [
        MatchProblem(found.rows, edges, table[-1, units])
        for edges, units in zip(found.edges, found.units, strict=True)
    ]
    if jackknife and len(problems) > 1:
        for out in range(len(problems)):
            problems += left_out(found, table, out)
    return problems


def left_out(found: Matches, table: Floats, out: int) -> list[MatchProblem]:
    """Return all references but one, with the weights of all but it."""
    return [
        MatchProblem(found.rows, found.edges[k], table[out, units])
        for k, units in enumerate(found.units)
        if k != out
    ]


def weight_table(found: Matches, weights: str) -> Floats:
    """Return what elements weigh, [reference left out, element]; the last row leaves out none."""
    import numpy as np

    if len(found.units) == 1:
        return np.ones((1, found.distinct))
    has = np.zeros((len(found.units) + 1, found.distinct), dtype=np.int64)
    for row, units in zip(has, found.units, strict=False):
        row[units] = 1
    counts: Floats = (has.sum(axis=0) - has).astype(np.float64)
    if weights == "root":
        counts = np.sqrt(counts)
    return np.minimum(counts, 1) if weights == "binary" else counts


def best_recalls(problems: Sequence[MatchProblem], solver: str, workers: int) -> list[float]:
    """The share of the weight of each reference's elements that the best assignment matches."""
    import numpy as np

    if not problems:
        return []
    from summeval.solvers import assign, assign_batch

    shapes = [problem.shape for problem in problems]
    values = [problem.worth for problem in problems]
    if solver == "kernel":
        edges = zip(*(problem.edges[:2] for problem in problems), strict=True)
        row, column, worth = map(np.concatenate, (*edges, values))
        indptr = np.cumsum([0, *map(len, values)])
        batch = assign_batch(indptr, row, column, worth, np.array(shapes), workers)
        matched: list[float] = batch.values.tolist()
    else:
        from scipy import sparse  # which takes longer to load than all the rest

        matched = [
            assign(sparse.coo_array((value, one.edges[:2]), shape=one.shape), solver=solver).value
            for value, one in zip(values, problems, strict=True)
        ]
    totals = [float(problem.weights.sum()) for problem in problems]
    return [
        min(value / total, 1.0) if total else 0.0
        for value, total in zip(matched, totals, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Matching:
    """How elements of summaries are matched with those of references.

    Attributes
    ----------
    coefficients : mapping of str to float
        As `read_coefficients` returns it.
    hyper : bool
        Whether hypernyms and hyponyms are among the transformations.
    original : bool
        Whether to do as BEwT-E 0.5.1, slips included.
    senses : int
        How many senses of a word of WordNet to look at; 0 is all.
    duplicates : bool
        Whether equal elements of one text are all kept; else the first of them is.
    """

    coefficients: Mapping[str, float]
    hyper: bool = False
    original: bool = False
    senses: int = 1
    duplicates: bool = True

    def transformations(
        self,
        candidate: Sequence[Element],
        references: Iterable[Element],
        of: Iterable[Element] | None = None,
    ) -> list[tuple[Element, Element, Path]]:
        """Return what a summary's elements turn into, of which the references have the text.

        Parameters
        ----------
        candidate : sequence of Element
        references : iterable of Element
            Of all references of the topic.
        of : iterable of Element, optional
            Those of the summary that are asked for; by default all.

        Returns
        -------
        list of (Element, Element, tuple of str)
            The element, what it turns into (under the same rule), and the stages on the way, in the
            order of the pipeline: element by element, depth first.

        Examples
        --------
        >>> from summeval.elements.elements import parse
        >>> fire = parse("r8 refinery|NN+fire|NN"), parse("r26 fire|NN+in|IN+refinery|NN")
        >>> found = Matching({}).transformations(fire[:1], fire[1:])
        >>> [(str(new), path) for _, new, path in found]
        [('r8 fire|NN+in|IN+refinery|NN', ('nppp', 'pgen'))]
        """
        known = resources(self.original, self.senses)
        topic = Topic(known, plain(candidate), plain(references))
        return [
            (element, Element(element.rule, result.parts), result.path)
            for element in (candidate if of is None else of)
            for result in expand((element.rule, element.parts), topic, self.hyper)
        ]

    def matches(
        self, candidates: Sequence[Cut], references: Sequence[Sequence[Cut]], workers: int = 1
    ) -> list[Matches]:
        """Return which elements of each summary can match which of the references of its topic.

        Parameters
        ----------
        candidates : sequence of sequence of Element or Elements
        references : sequence of sequence of sequence of Element or Elements
            The references of each candidate.
        workers : int
            Threads; the result does not depend on it.

        Examples
        --------
        >>> from summeval.elements.elements import parse
        >>> dog, dogs = parse("r1 dog|NN"), parse("r1 dogs|NNS")
        >>> lemmas = Matching(read_coefficients({"lemm": 0.8}))
        >>> found, = lemmas.matches([[dogs]], [[[dog], [dogs]]])
        >>> [edges.value.tolist() for edges in found.edges]
        [[0.8], [1.0]]
        """
        lexicon = _kept_lexicon(self)
        return _match(lexicon, *_read(lexicon, candidates, references, self.duplicates), workers)

    def recalls(
        self,
        candidates: Sequence[Cut],
        references: Sequence[Sequence[Cut]],
        *,
        weights: str = "root",
        jackknife: bool = True,
        workers: int = 1,
    ) -> list[list[float]]:
        """Return the recalls that the best assignments of what `matches` finds give.

        Parameters
        ----------
        candidates, references, workers
            As in `matches`.
        weights : {"root", "binary", "total"}
            What an element of f references weighs: the square root of f, 1, or f.
        jackknife : bool
            Whether to give also the recalls without each of several references.

        Returns
        -------
        list of list of float
            For each row the recall of each reference, weighted by all; then, with `jackknife`, for
            each reference those of all others, weighted by the others.

        Examples
        --------
        >>> from summeval.elements.elements import parse
        >>> dog, cat = parse("r1 dog|NN"), parse("r1 cat|NN")
        >>> equal = Matching(read_coefficients({}))
        >>> equal.recalls([[dog]], [[[dog, cat], [dog]]], jackknife=False)
        [[0.5857864376269051, 1.0]]
        """
        lexicon = _kept_lexicon(self)
        own, others = _read(lexicon, candidates, references, self.duplicates)
        return lexicon.recalls(own, others, weights, jackknife, workers)

    def matches_by(
        self,
        candidates: Sequence[Cut],
        references: Sequence[Sequence[Cut]],
        runs: Iterable[Mapping[str, float]],
        workers: int = 1,
    ) -> Iterator[list[Matches]]:
        """As `matches`, for each of several coefficients in turn; the elements are read once.

        A coefficient of 0 switches a group off: what only it can match is worth 0.

        Examples
        --------
        >>> from summeval.elements.elements import parse
        >>> dog, dogs = parse("r1 dog|NN"), parse("r1 dogs|NNS")
        >>> runs = [read_coefficients({"lemm": share}) for share in (0.0, 1.0)]
        >>> for found, in Matching(runs[0]).matches_by([[dogs]], [[[dog]]], runs):
        ...     print(found.edges[0].value.tolist())
        [0.0]
        [1.0]
        """
        lexicon = self.new_lexicon()
        own, others = _read(lexicon, candidates, references, self.duplicates)
        for coefficients in runs:
            lexicon.weigh(dict(coefficients))
            yield _match(lexicon, own, others, workers)

    def new_lexicon(self) -> kernel.Lexicon:
        """Return the kernel with the resources of this package."""
        known = resources(self.original, self.senses)
        names = [*lexical.abbreviations("place"), *lexical.abbreviations("word")]
        tables = {
            "prepositions": lexical.prepositions(self.original),
            "places": {name: known.abbreviations(name, True) for name in names},
            "words": {name: known.abbreviations(name, False) for name in names},
        }
        coefficients = dict(self.coefficients)
        return kernel.Lexicon(known, coefficients, _kind_of, stages.RULES, tables, self.hyper)


def _read(
    lexicon: kernel.Lexicon,
    candidates: Sequence[Cut],
    references: Sequence[Sequence[Cut]],
    duplicates: bool,
) -> tuple[list[Document], list[list[Document]]]:
    """Return the documents of both sides; one that is given several times is read once."""
    texts = {id(given): given for given in candidates}
    texts.update((id(given), given) for of in references for given in of)
    documents = dict(zip(texts, lexicon.read_all(list(texts.values()), duplicates), strict=True))
    own = [documents[id(given)] for given in candidates]
    return own, [[documents[id(given)] for given in of] for of in references]


def _match(
    lexicon: kernel.Lexicon, own: list[Document], others: list[list[Document]], workers: int
) -> list[Matches]:
    found = zip(own, lexicon.match(own, others, workers), strict=True)
    return [
        Matches(len(candidate), [Edges(*edge) for edge in edges], units, distinct)
        for candidate, (edges, units, distinct) in found
    ]


def _kept_lexicon(matching: Matching) -> kernel.Lexicon:
    """Return the lexicon that this thread keeps for such options, or a new one for a full one."""
    kept: dict[Any, kernel.Lexicon] = _KEPT.__dict__.setdefault("lexicons", {})
    coefficients = tuple(matching.coefficients[group] for group in GROUPS)
    options = (coefficients, matching.hyper, matching.original, matching.senses)
    known = kept.get(options)
    if known is None or known.strings > _MOST_STRINGS or known.parts > _MOST_PARTS:
        if len(kept) >= _MOST_LEXICONS:
            kept.clear()
        known = kept[options] = matching.new_lexicon()
    return known


def _kind_of(kind: str) -> tuple[str, int, bool]:
    """Return what the kernel is told of a type."""
    pos = stages.part_of_speech(kind)
    group = "preposition" if kind in stages.PREPOSITIONS else "other"
    if kind in ENTITIES:
        group = kind
    elif pos is not None:
        group = kernel.GROUPS[pos]
    return group, class_of(kind), kind in stages.PLURALS
