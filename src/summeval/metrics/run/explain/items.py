"""Pieces of a score, where they stand, and what they add to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum, inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from summeval._cached import cached_property

if TYPE_CHECKING:
    from summeval._core.rows.record import Score

Kind: TypeAlias = Literal["match", "missing", "extra", "part"]
Span: TypeAlias = tuple[int, int]  # first character, and character after the last
Place: TypeAlias = tuple[int, int, int]  # number of a text, and a span of it
Unit = TypeVar("Unit", bound=Hashable)

INTERCEPT, FLOOR = "intercept", "floor"
_WORDS = 3  # of an occurrence that names are made of
_ROUNDING, _MOST = 1e-12, 1e-4  # of the size of the shares: what is none, and what is no rounding


class Token(NamedTuple):
    """A token and where it stands.

    Attributes
    ----------
    form : str
        As it is compared.
    begin, end : int
        First character, and character after the last.
    """

    form: str
    begin: int
    end: int


Match: TypeAlias = tuple[int, Sequence[int], Sequence[int], float, dict[str, float]]


@dataclass(frozen=True, init=False)
class ExplainedItem:
    """A piece of a score: an n-gram, a word, a part of a combined metric; and what it adds.

    Attributes
    ----------
    text : str
        What people call it. "intercept" is what a fitted metric adds whatever the texts are.
    candidate_spans : tuple of (int, int)
        Where it stands in the candidate: first character, and character after the last.
    reference_spans : tuple of (int, int, int)
        Where it stands in the references: number of the reference, from 0, first character, and
        character after the last.
    share : float
        What it adds to the value. The shares of all items add up to it, where the value is a sum.
    details : mapping of str to float
        Further numbers of the metric.
    source_spans : tuple of (int, int, int)
        As `reference_spans`, in the documents of the source.
    """

    text: str
    candidate_spans: tuple[tuple[int, int], ...]
    reference_spans: tuple[tuple[int, int, int], ...]
    share: float
    details: Mapping[str, float] = field(default_factory=dict)
    source_spans: tuple[tuple[int, int, int], ...] = ()

    def __init__(  # noqa: PLR0917 - the fields in their order
        self,
        text: str,
        candidate_spans: tuple[tuple[int, int], ...],
        reference_spans: tuple[tuple[int, int, int], ...],
        share: float,
        details: Mapping[str, float] | None = None,
        source_spans: tuple[tuple[int, int, int], ...] = (),
    ) -> None:
        # An explanation has hundreds; what a frozen dataclass generates takes twice as long.
        own = self.__dict__
        own["text"] = text
        own["candidate_spans"] = candidate_spans
        own["reference_spans"] = reference_spans
        own["share"] = share
        own["details"] = {} if details is None else details
        own["source_spans"] = source_spans

    @property
    def kind(self) -> Kind:
        """`match` (both sides), `missing` (not in the candidate), `extra` (only there), `part`."""
        others = bool(self.reference_spans or self.source_spans)
        if self.candidate_spans:
            return "match" if others else "extra"
        return "missing" if others else "part"


@dataclass(frozen=True)
class BaseExplanation:
    """The fields of an `Explanation`, for what shows one."""

    metric: str
    value: float
    items: tuple[ExplainedItem, ...]
    candidate: str
    references: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    parts: tuple[BaseExplanation, ...] = ()


class Unread(Protocol):
    """Items of which a kernel has the numbers; the objects are made when they are read."""

    def make(self, kind: type[ExplainedItem]) -> tuple[ExplainedItem, ...]:
        """Return the items."""

    def compact(self, digits: int) -> dict[str, Any]:
        """Return their numbers and places in plain lists, for a page of many."""


Items: TypeAlias = Iterable[ExplainedItem] | Unread | BaseExplanation


class Asked:
    """The texts that a metric explains; none is None, and of each kind that it reads there is one.

    Examples
    --------
    >>> import summeval
    >>> asked = Asked(summeval.metric("rouge1"), "a cat", ("the cat", "a cat"))
    >>> asked.value, asked.best()
    (1.0, 1)
    """

    def __init__(
        self,
        metric: Any,
        candidate: str,
        references: tuple[str, ...] = (),
        sources: tuple[str, ...] = (),
    ) -> None:
        self.metric, self.candidate = metric, candidate
        self.references, self.sources = references, sources

    @property
    def texts(self) -> tuple[str, ...]:
        """The candidate and the references."""
        return self.candidate, *self.references

    @cached_property
    def score(self) -> Score:
        """The score that is explained."""
        found: Score = self.metric.score(
            self.candidate, self.references or None, source=self.sources or None
        )
        return found

    @property
    def value(self) -> float:
        """The value of the score."""
        return float(self.score.value)

    @cached_property
    def cased(self) -> list[str]:
        """The candidate and the references, in the case in which the metric reads them."""
        from summeval.metrics.run.runner import one_case

        return [text or "" for text in one_case(getattr(self.metric, "case", "keep"), self.texts)]

    @cached_property
    def lower(self) -> bool:
        """Whether the metric reads them in lower case."""
        from summeval.metrics.run.runner import lowers

        return lowers(self.metric.case, self.texts)

    @cached_property
    def alone(self) -> list[Score]:
        """The scores beside each reference alone."""
        if len(self.references) == 1:
            return [self.score]
        own, *others = self.cased
        return [self.metric.score(own, text, source=self.sources or None) for text in others]

    def best(self) -> int:
        """Return the number of the first reference with the best value."""
        values = [score.value for score in self.alone]
        return values.index(max(values) if self.metric.higher_is_better else min(values))

    def counted(self, aggregate: str) -> list[int]:
        """Return the numbers of the references that count: all that are averaged, or the best."""
        return [*range(len(self.references))] if aggregate == "average" else [self.best()]


def attribute(
    asked: Asked,
    own: Iterable[tuple[Unit, Sequence[Span]]],
    others: Iterable[tuple[Unit, Sequence[Place]]],
    shares: Mapping[Unit, float],
    *,
    name: Callable[[Unit, list[str]], str] = lambda unit, words: " ".join(words),
    details: Callable[[Unit], Mapping[str, float]] = lambda unit: {},
) -> tuple[ExplainedItem, ...]:
    """Return an item for each unit: those of the candidate, then those that only the others have.

    Parameters
    ----------
    own : iterable of (unit, spans)
        The occurrences of units in the candidate, and where the words of each stand.
    others : iterable of (unit, spans with the number of the text)
        The same of the other texts.
    shares : mapping of unit to float
        0 for units that it lacks.
    name, details : callable
        Of a unit: what people call it, from the words where it stands first, in the candidate if it
        is there; and numbers of the metric.

    Examples
    --------
    >>> asked = Asked(None, "A cat", ("a dog",))
    >>> found = attribute(asked, [("cat", [(2, 5)])], [("dog", [(0, 2, 5)])], {"cat": 0.5})
    >>> [(item.text, item.kind, item.share) for item in found]
    [('cat', 'extra', 0.5), ('dog', 'missing', 0.0)]
    """
    texts, in_source = asked.references or asked.sources, not asked.references
    spans: dict[Unit, list[Span]] = {}
    places: dict[Unit, list[Place]] = {}
    names: dict[Unit, str] = {}
    for unit, here in own:
        if here and unit not in names:
            names[unit] = name(unit, [asked.candidate[begin:end] for begin, end in here[:_WORDS]])
        spans.setdefault(unit, []).extend(here)
    for unit, there in others:
        if there and unit not in names:
            names[unit] = name(unit, [texts[k][begin:end] for k, begin, end in there[:_WORDS]])
        places.setdefault(unit, []).extend(there)
    made = []
    for unit in spans | places:
        counterparts = tuple(places.get(unit, ()))
        called = names[unit] if unit in names else name(unit, [])
        here, share = tuple(spans.get(unit, ())), shares.get(unit, 0.0)
        sides = ((), counterparts) if in_source else (counterparts, ())
        made.append(ExplainedItem(called, here, sides[0], share, details(unit), sides[1]))
    return tuple(made)


def rounded(items: Iterable[ExplainedItem], value: float) -> tuple[ExplainedItem, ...]:
    """Return the items with shares that add up to `value`, which a kernel rounded in another way.

    The difference is divided by the sizes of the shares. One too large for rounding is left.

    >>> items = [ExplainedItem("a", (), (), 0.25), ExplainedItem("b", (), (), 0.5)]
    >>> [item.share for item in rounded(items, 0.75000003)]
    [0.25000001, 0.50000002]
    """
    found = tuple(items)
    rest = value - fsum(item.share for item in found)
    size = fsum(abs(item.share) for item in found)
    if not _ROUNDING * size < abs(rest) < _MOST * size or size == inf:
        return found
    return tuple(
        ExplainedItem(**vars(one) | {"share": one.share + rest * (abs(one.share) / size)})
        for one in found
    )


def bounded(items: Iterable[ExplainedItem], value: float) -> tuple[ExplainedItem, ...]:
    """The items, and one called "floor" with what a lower bound of the metric adds to their sum.

    >>> [(item.text, item.share) for item in bounded([ExplainedItem("a", (), (), -2.0)], -0.5)]
    [('a', -2.0), ('floor', 1.5)]
    """
    found = tuple(items)
    rest = value - fsum(item.share for item in found)
    if not abs(rest) > _ROUNDING * max(1.0, abs(value)):
        return found
    return (*found, whole(FLOOR, rest))


def whole(text: str, share: float, details: dict[str, float] | None = None) -> ExplainedItem:
    """Return an item that stands nowhere in the texts.

    >>> whole("intercept", 1.5).kind
    'part'
    """
    return ExplainedItem(text, (), (), share, details or {})


def largest_first(items: Iterable[ExplainedItem]) -> tuple[ExplainedItem, ...]:
    """Return the items by the size of their shares; equal ones in the order in which they came.

    >>> items = [whole("a", 0.1), whole("b", -0.3), whole("c", 0.2)]
    >>> [item.text for item in largest_first(items)]
    ['b', 'c', 'a']
    """
    return tuple(sorted(items, key=lambda item: -abs(item.share)))


def shared_grams(
    own: Sequence[Unit], others: Sequence[Sequence[Unit]], orders: Iterable[int]
) -> dict[int, tuple[list[int], list[list[int]]]]:
    """Return where the n-grams of each order begin that the text has, and one of the others.

    As many occurrences count as one of the others has; first those within longer n-grams that are
    shared.

    >>> shared_grams("cb abc", ["x abc"], [1, 3])
    {3: ([2, 3], [[1, 2]]), 1: ([2, 3, 4, 5], [[1, 2, 3, 4]])}
    """
    texts = [own, *others]
    covered: list[set[int]] = [set() for _ in texts]
    found = {}
    for order in sorted(orders, reverse=True):
        sides: list[dict[tuple[Unit, ...], list[int]]] = []
        for units, within in zip(texts, covered, strict=True):
            begins: dict[tuple[Unit, ...], list[int]] = {}
            starts = range(len(units) - order + 1)
            for begin in sorted(starts, key=lambda start: start not in within):
                begins.setdefault(tuple(units[begin : begin + order]), []).append(begin)
            sides.append(begins)
        most = {gram: max(len(side.get(gram, ())) for side in sides[1:]) for gram in sides[0]}
        here: list[list[int]] = [[] for _ in texts]
        for gram, places in sides[0].items():
            here[0] += places[: most[gram]]
            for k, side in enumerate(sides[1:], 1):
                here[k] += side.get(gram, [])[: len(places)]
        for begins_here, within in zip(here, covered, strict=True):
            begins_here.sort()
            within.update(begin + k for begin in begins_here for k in range(order))
        found[order] = here[0], here[1:]
    return found


class GramShares:
    """Shares of the words of a candidate, from n-grams that it shares with references.

    The weight of an n-gram is divided equally among its units (characters or tokens), and each
    unit's part goes to the word where it stands.

    Parameters
    ----------
    candidate : text and the spans of its words
    references : mapping of int to text and the spans of its words
        Those that count, by their numbers.
    """

    def __init__(
        self,
        candidate: tuple[str, Sequence[Span]],
        references: Mapping[int, tuple[str, Sequence[Span]]],
    ) -> None:
        self._candidate, self._references = candidate, references
        self._shares = [0.0] * len(candidate[1])
        self._shared: set[int] = set()
        self._had: set[tuple[int, int]] = set()

    def add(
        self,
        own: tuple[Sequence[Unit], Sequence[int]],
        others: Sequence[tuple[Sequence[Unit], Sequence[int]]],
        weights: Mapping[int, float | Callable[[tuple[Unit, ...]], float]],
    ) -> None:
        """Add the n-grams of each order in `weights`, of units and the numbers of their words.

        The weight of one may be a function of the n-gram.
        """
        units, words = own
        found = shared_grams(units, [other for other, _ in others], weights)
        for order, (here, there) in found.items():
            weight = weights[order]
            for begin in here:
                gram = tuple(units[begin : begin + order])
                share = weight(gram) if callable(weight) else weight
                for word in words[begin : begin + order]:
                    self._shares[word] += share / order
                    self._shared.add(word)
            for number, begins, (_, places) in zip(self._references, there, others, strict=True):
                for begin in begins:
                    self._had.update((number, word) for word in places[begin : begin + order])

    def items(self) -> tuple[ExplainedItem, ...]:
        """Return an item for each word of the candidate, then for those of references alone.

        A word of the candidate that shares an n-gram points to the same word of each reference, if
        one is there that shares, too.
        """
        (text, own), references = self._candidate, self._references
        free: dict[tuple[int, str], list[Span]] = {}
        for number, word in sorted(self._had, reverse=True):
            other, spans = references[number]
            free.setdefault((number, other[slice(*spans[word])]), []).append(spans[word])
        made = []
        for word, span in enumerate(own):
            name = text[slice(*span)]
            there = [(number, free.get((number, name))) for number in references]
            if word not in self._shared:
                there = []
            places = tuple((number, *left.pop()) for number, left in there if left)
            made.append(ExplainedItem(name, (span,), places, self._shares[word]))
        for number, (other, spans) in references.items():
            for word, span in enumerate(spans):
                if (number, word) not in self._had:
                    made.append(ExplainedItem(other[slice(*span)], (), ((number, *span),), 0.0))
        return tuple(item for item in made if item.text)
