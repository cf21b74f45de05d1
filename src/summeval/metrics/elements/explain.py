"""What BEwT-E found: which elements of a summary stand for which of its references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval.elements.elements import Element, Key

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.elements.transformations import Edges

Path = tuple[str, ...]
Found = Sequence[tuple[Element, Element, Path]]


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
    """What a summary has of one reference, and which of its elements it lacks."""

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
    edges: Sequence[Edges],
    weights: Sequence[NDArray[float64]],
    transformations: Found,
    coefficients: Mapping[str, float],
) -> ElementMatches:
    """What is behind a score, from the edges and weights that it was made of."""
    paths = _best_paths(transformations, coefficients)
    told = []
    for number, (name, document) in enumerate(references.items()):
        pairs = _assigned(edges[number], weights[number], len(candidate))
        matches = []
        for row, column, coefficient in pairs:
            own, other = candidate[row], document[column]
            path = () if own.key == other.key else paths[own, other.key]
            weight = float(weights[number][column])
            matches.append(Match(str(own), str(other), path, coefficient, weight))
        matched = {column for _, column, _ in pairs}
        missed = [str(e) for column, e in enumerate(document) if column not in matched]
        recall = score["recall_per_reference"][name]
        told.append(ReferenceMatches(name, recall, tuple(matches), tuple(missed)))
    return ElementMatches(score.recall, tuple(map(str, candidate)), tuple(told))


def _best_paths(found: Found, coefficients: Mapping[str, float]) -> dict[tuple[Element, Key], Path]:
    """For each element and what it becomes the path that is worth most, the shortest of equals."""
    best: dict[tuple[Element, Key], tuple[tuple[float, int], Path]] = {}
    for element, result, path in found:
        worth = prod(coefficients[stage] for stage in path), -len(path)
        known = best.get((element, result.key))
        if known is None or worth > known[0]:
            best[element, result.key] = worth, path
    return {pair: path for pair, (_, path) in best.items()}


def _assigned(edges: Edges, weights: NDArray[float64], rows: int) -> list[tuple[int, int, float]]:
    """Row, column and C of the pairs of the best assignment, in the order of the rows."""
    import numpy as np

    from summeval.solvers import assign_batch

    batch = assign_batch(
        np.array([0, len(edges.row)]),
        edges.row,
        edges.column,
        edges.value * weights[edges.column],
        np.array([[rows, len(weights)]]),
    )
    places = zip(edges.row.tolist(), edges.column.tolist(), strict=True)
    values = dict(zip(places, edges.value.tolist(), strict=True))
    pairs = sorted(zip(batch.rows.tolist(), batch.columns.tolist(), strict=True))
    return [(row, column, values[row, column]) for row, column in pairs]


def _parts(written: str) -> str:
    return written.split(" ", 1)[1]
