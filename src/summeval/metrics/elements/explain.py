"""Explanations of Basic Elements: elements, where they stand, and what they match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat
from math import fsum, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.rows.record import Score
from summeval.annotate import Document
from summeval.elements.elements import Element, Key
from summeval.elements.extraction import placed
from summeval.metrics.elements import be_counts
from summeval.metrics.parsed import Parser
from summeval.metrics.run.explain.explanation import ExplainedItem
from summeval.metrics.run.explain.items import Asked, Place, Span, attribute
from summeval.metrics.run.explain.spans import lowered, original, places
from summeval.metrics.run.runner import lowers

if TYPE_CHECKING:
    from summeval._arrays import Floats
    from summeval.elements.transformations import MatchProblem

NIL = "NIL"
Triple = tuple[str, str, str]  # head, modifier, relation
PlacedUnit = tuple[be_counts.Triple, str, list[Span]]  # as it is compared, as it is written, where
Path = tuple[str, ...]
Found = Sequence[tuple[Element, Element, Path]]


class PlacedElement(NamedTuple):
    """An element, and where each of its parts stands in the text as it was given."""

    element: Element
    spans: tuple[Span, ...]


def placed_row(parser: Parser, texts: Sequence[str]) -> list[list[PlacedElement]]:
    """The elements of the texts of a row, candidate and references, as the parser reads them."""
    low = lowers(parser.case, texts)
    # the parser takes str itself, no kind of it
    read = [lowered(text) if low else (str(text), range(len(text))) for text in texts]
    documents, chains = parser.documents([text for text, _ in read])
    return [
        [
            PlacedElement(
                found.element,
                tuple(
                    original((tokens[first][0], tokens[last][1]), origin)
                    for first, last in found.tokens
                ),
            )
            for found in placed(document, chains=of)
        ]
        for document, of, (text, origin) in zip(documents, chains or repeat(()), read, strict=False)
        for tokens in [_tokens(document, text)]
    ]


def _tokens(document: Document, text: str) -> list[Span]:
    """Return where the tokens of a document stand; those without offsets are looked for."""
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    spans = [(token.start, token.end) for token in tokens]
    if all(0 <= start <= end <= len(text) for start, end in spans):
        return spans
    return places(text, [token.form for token in tokens])


@dataclass(frozen=True)
class Match:
    """A pair of the best assignment.

    Attributes
    ----------
    candidate, reference : str
        The elements as they are written.
    path : tuple of str
        The transformations that lead from one to the other; empty if they are equal.
    coefficient, weight : float
        C of the pair and W of the reference's element, whose product the pair is worth.
    """

    candidate: str
    reference: str
    path: Path
    coefficient: float
    weight: float


@dataclass(frozen=True)
class ReferenceMatches:
    """The elements of one reference that a summary has, and those that it lacks."""

    name: str
    recall: float
    matches: tuple[Match, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True)
class ElementMatches:
    """A score of BEwT-E with the elements and matches behind it; `str` of it is for people.

    Attributes
    ----------
    recall : float
        The score.
    candidate : tuple of str
        The elements of the summary.
    references : tuple of ReferenceMatches
        Weighted by all references.
    """

    recall: float
    candidate: tuple[str, ...]
    references: tuple[ReferenceMatches, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"recall {self.recall:.4f}"]
        for one in self.references:
            count = len(one.matches)
            lines.append(
                f"reference {one.name}: recall {one.recall:.4f},"
                f" {count} of {count + len(one.missed)} elements"
            )
            for match in one.matches:
                how = f"  by {' '.join(match.path)}" if match.path else ""
                worth = "" if match.coefficient == 1 else f"  ({match.coefficient:g})"
                lines.append(
                    f"  {_parts(match.candidate)}  =  {_parts(match.reference)}{how}{worth}"
                )
            if one.missed:
                lines.append("  missed: " + ", ".join(map(_parts, one.missed)))
        return "\n".join(lines)


def matched(
    score: Score,
    candidate: Sequence[Element],
    references: Mapping[str, Sequence[Element]],
    *,
    problems: Sequence[MatchProblem],
    transformations: Found,
    coefficients: Mapping[str, float],
) -> ElementMatches:
    """Return what is behind a score, from the matchings that it was made of."""
    paths = _best_paths(transformations, coefficients)
    by_reference = []
    for problem, (name, document) in zip(problems, references.items(), strict=True):
        pairs = _assigned(problem)
        matches = []
        for row, column, coefficient in pairs:
            own, other = candidate[row], document[column]
            path = () if own.key == other.key else paths[own, other.key]
            weight = float(problem.weights[column])
            matches.append(Match(str(own), str(other), path, coefficient, weight))
        matched = {column for _, column, _ in pairs}
        missed = [str(e) for column, e in enumerate(document) if column not in matched]
        recall = score["recall_per_reference"][name]
        by_reference.append(ReferenceMatches(name, recall, tuple(matches), tuple(missed)))
    return ElementMatches(score.recall, tuple(map(str, candidate)), tuple(by_reference))


class Counted(NamedTuple):
    """A matching that the value is made of.

    Attributes
    ----------
    reference : int
    problem : MatchProblem
    factor : float
        What its recall is multiplied by.
    """

    reference: int
    problem: MatchProblem
    factor: float


def counted(
    problems: Sequence[MatchProblem], recalls: Sequence[float], references: int, *, average: bool
) -> list[Counted]:
    """Return the matchings whose recalls, each times its factor, add up to the value.

    Parameters
    ----------
    problems, recalls
        Of `matching.problems_of`: one for each of the references, then for each reference that is
        left out those of all others.
    references : int
    average : bool
        Whether the mean of the recalls counts; else the largest, of equal ones the first.
    """
    sets = [[(number, number) for number in range(references)]]
    if len(problems) > references:
        others = [[k for k in range(references) if k != out] for out in range(references)]
        size = references - 1
        sets = [
            [(references + out * size + place, k) for place, k in enumerate(of)]
            for out, of in enumerate(others)
        ]
    if not average:
        sets = [[max(one, key=lambda each: recalls[each[0]])] for one in sets]
    return [
        Counted(reference, problems[number], 1 / len(one) / len(sets))
        for one in sets
        for number, reference in one
    ]


def matched_items(
    candidate: Sequence[PlacedElement],
    references: Sequence[Sequence[PlacedElement]],
    parts: Sequence[Counted],
    *,
    weights: Sequence[Floats],
    transformations: Callable[[list[Element]], Found],
    coefficients: Mapping[str, float],
) -> tuple[ExplainedItem, ...]:
    """Return an item for each match, then for what the references have besides, and the candidate.

    Parameters
    ----------
    candidate, references
        The elements of the texts, equal ones as the metric counts them.
    parts : sequence of Counted
    weights : sequence of float64[elements]
        Of each reference, among all: the detail `weight`.
    transformations : callable
        What some elements of the candidate turn into, as for `matched`.
    coefficients : mapping of str to float
    """
    found: dict[tuple[int, Key], dict[tuple[int, int], float]] = {}  # of a match share by place
    details: dict[tuple[int, Key], dict[str, float]] = {}
    for number, problem, factor in parts:
        total = float(problem.weights.sum())
        for row, column, coefficient in _assigned(problem):
            pair, place = (row, references[number][column].element.key), (number, column)
            worth = factor * coefficient * float(problem.weights[column]) / total if total else 0.0
            of_pair = found.setdefault(pair, {})
            of_pair[place] = of_pair.get(place, 0.0) + worth
            weight = float(weights[number][column])
            details[pair] = {"coefficient": coefficient, "weight": weight}
    needed = sorted({row for row, key in found if candidate[row].element.key != key})
    changed = transformations([candidate[row].element for row in needed]) if needed else ()
    paths = _best_paths(changed, coefficients)

    def spans_of(where: Iterable[tuple[int, int]]) -> tuple[Place, ...]:
        return tuple((n, *span) for n, column in where for span in references[n][column].spans)

    items = []
    for (row, key), there in sorted(found.items(), key=lambda one: one[0][0]):
        own, (number, column) = candidate[row], next(iter(there))
        path = () if own.element.key == key else paths[own.element, key]
        written = _match_name(own.element, references[number][column].element, path)
        share, more = fsum(there.values()), details[row, key]
        items.append(ExplainedItem(written, own.spans, spans_of(there), share, more))
    had = {place for there in found.values() for place in there}
    rest: dict[Key, list[tuple[int, int]]] = {}
    for number in dict.fromkeys(part.reference for part in parts):
        for column, one in enumerate(references[number]):
            if (number, column) not in had:
                rest.setdefault(one.element.key, []).append((number, column))
    for missed in rest.values():
        number, column = missed[0]
        written, weight = words_of(references[number][column].element), weights[number][column]
        items.append(ExplainedItem(written, (), spans_of(missed), 0.0, {"weight": float(weight)}))
    used = {row for row, _ in found}
    alone = [own for row, own in enumerate(candidate) if row not in used]
    items += [ExplainedItem(words_of(own.element), own.spans, (), 0.0) for own in alone]
    return tuple(items)


def distinct(placed: Sequence[PlacedElement]) -> list[PlacedElement]:
    """Equal elements once, with the spans of all."""
    kept: dict[Key, PlacedElement] = {}
    for one in placed:
        known = kept.setdefault(one.element.key, one)
        if known is not one:
            kept[one.element.key] = known._replace(spans=known.spans + one.spans)
    return list(kept.values())


def words_of(element: Element) -> str:
    """Return the words of an element, without their types.

    >>> from summeval.elements.elements import parse
    >>> words_of(parse("r26 fire|NN+in|IN+refinery|NN"))
    'fire in refinery'
    """
    return " ".join(text for text, _ in element.parts)


def _match_name(own: Element, other: Element, path: Path) -> str:
    """Return a match's name: the words, what they stand for, and by which transformations."""
    own_words, other_words = words_of(own), words_of(other)
    if not path:
        return own_words
    return f"{own_words} = {other_words} by {' '.join(path)}"


def _best_paths(found: Found, coefficients: Mapping[str, float]) -> dict[tuple[Element, Key], Path]:
    """For each element and what it becomes the path that is worth most, the shortest of equals."""
    best: dict[tuple[Element, Key], tuple[tuple[float, int], Path]] = {}
    for element, result, path in found:
        worth = prod(coefficients[stage] for stage in path), -len(path)
        known = best.get((element, result.key))
        if known is None or worth > known[0]:
            best[element, result.key] = worth, path
    return {pair: path for pair, (_, path) in best.items()}


def _assigned(problem: MatchProblem) -> list[tuple[int, int, float]]:
    """Row, column and C of the pairs of the best assignment, in the order of the rows."""
    chosen = problem.assigned()
    row, column, value = (of[chosen].tolist() for of in problem.edges)
    return sorted(zip(row, column, value, strict=True))


def _parts(written: str) -> str:
    return written.split(" ", 1)[1]


def units_of(
    elements: Sequence[PlacedElement],
    triple_of: Callable[[PlacedElement], Triple],
    count: Callable[[list[Triple]], be_counts.Units],
) -> list[PlacedUnit]:
    """Return the units that a metric counts of a text.

    Parameters
    ----------
    elements : sequence of PlacedElement
    triple_of : callable
        Head, modifier and relation of an element.
    count : callable
        The units of some triples.
    """
    found = []
    for one in elements:
        triple = triple_of(one)
        for unit in count([triple]):
            # the parts that are compared: a relation between two others may not be
            both = zip(triple, unit, strict=True)
            written = "|".join(text for text, kept in both if kept and text != NIL)
            spans = list(one.spans)
            if len(spans) == 3 and not unit[2]:
                del spans[1]
            found.append((unit, written, spans))
    return found


def unit_items(
    asked: Asked,
    own: Sequence[PlacedUnit],
    others: Sequence[Sequence[PlacedUnit]],
    sets: Sequence[tuple[Sequence[int], float]],
) -> tuple[ExplainedItem, ...]:
    """Return an item for each unit.

    Parameters
    ----------
    texts, own, others
        The candidate and the references, and the units of the candidate and of each reference.
    sets : sequence of (sequence of int, float)
        References that are summed, and the value that they give. A unit's share is the mean over
        the sets of this value times the unit's part of the hits. The details `hits` and
        `reference` are its counts over all references that are summed in some set.
    """
    own_counts = Counter(unit for unit, _, _ in own)
    counts = [Counter(unit for unit, _, _ in of) for of in others]
    shared = [(own_counts & of) for of in counts]
    used = sorted({number for numbers, _ in sets for number in numbers})
    shares: Counter[be_counts.Triple] = Counter()
    for numbers, value in sets:
        total = sum(shared[number].total() for number in numbers)
        for number in numbers:
            for unit, hits in shared[number].items():
                shares[unit] += value * hits / total / len(sets)  # type: ignore[assignment]

    names = {unit: written for of in (*others, own) for unit, written, _ in of}
    return attribute(
        asked,
        [(unit, spans) for unit, _, spans in own],
        [
            (unit, [(number, *span) for span in spans])
            for number in used
            for unit, _, spans in others[number]
        ],
        shares,
        name=lambda unit, words: names[unit],
        details=lambda unit: {
            "hits": float(sum(shared[number][unit] for number in used)),
            "reference": float(sum(counts[number][unit] for number in used)),
        },
    )
