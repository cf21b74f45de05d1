"""What Basic Elements can turn into: the transformations of BEwT-E and their coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from summeval._names import unknown
from summeval._reference import expansion as twin
from summeval._reference.transformations import Element as PlainElement
from summeval._reference.transformations import Topic
from summeval.units.elements import Element, Key
from summeval.units.resources import resources

if TYPE_CHECKING:
    from numpy import bool_, float64, int64
    from numpy.typing import NDArray

# The transformations of the slides and the names of their stages in the pipeline.
GROUPS: dict[str, tuple[str, ...]] = {
    "lemm": ("leml", "lemr", "dlml", "dlmr"),
    "syno": ("syal", "synl", "syvl", "syar", "synr", "syvr"),
    "prep": ("pgen",),
    "abbr": ("acrl", "acrr"),
    "peri": ("dpl", "dpr"),
    "hype": ("genl", "gevl", "genr", "gevr"),
    "name": ("nsl", "nsr"),
    "pron": ("prol", "pror"),
    "pert": ("perl", "perr"),
    "memb": ("mecl", "mecr"),
    "swap": ("swap",),
    "nppp": ("nppp",),
    "role": ("role",),
    "nomi": ("nomt", "dnom"),
    "adjv": ("advn", "adjp"),
}
OTHERS = "others"


def read_coefficients(given: Mapping[str, float]) -> dict[str, float]:
    """The coefficient of each stage, from those of groups and of `others` (1 if not given).

    Raises
    ------
    ValueError
        For an unknown group, and a coefficient that is no number from 0 to 1.

    Examples
    --------
    >>> found = read_coefficients({"syno": 0.5, "others": 0.9})
    >>> found["synl"], found["pgen"]
    (0.5, 0.9)
    """
    known = [*GROUPS, OTHERS]
    for name, number in given.items():
        if name not in known:
            raise ValueError(unknown("coefficient", name, known))
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            raise TypeError(f"coefficients[{name!r}] is {type(number).__name__}; give a number")
        if not (isfinite(number) and 0 <= number <= 1):
            raise ValueError(f"coefficients[{name!r}] is {number}; give a number from 0 to 1")
    rest = given.get(OTHERS, 1.0)
    return {
        stage: float(given.get(name, rest)) for name, stages in GROUPS.items() for stage in stages
    }


def plain(elements: Iterable[Element]) -> list[PlainElement]:
    """Elements as the twin takes them."""
    return [(element.rule, element.parts) for element in elements]


def transformations(
    candidate: Sequence[Element],
    references: Iterable[Element],
    *,
    hyper: bool = False,
    original: bool = False,
) -> list[tuple[Element, Element, tuple[str, ...]]]:
    """What the elements of a summary turn into that the references of its topic have the text of.

    Parameters
    ----------
    candidate : sequence of Element
    references : iterable of Element
        Of all references of the topic.
    hyper : bool
        Whether hypernyms and hyponyms are among the transformations.
    original : bool
        Whether to do as BEwT-E 0.5.1, slips included.

    Returns
    -------
    list of (Element, Element, tuple of str)
        The element, what it turns into (under the same rule), and the stages on the way, in the
        order of the pipeline: element by element, depth first.

    Examples
    --------
    >>> from summeval.units.elements import parse
    >>> refinery = parse("r8 refinery|NN+fire|NN"), parse("r26 fire|NN+in|IN+refinery|NN")
    >>> [(str(new), path) for _, new, path in transformations(refinery[:1], refinery[1:])]
    [('r8 fire|NN+in|IN+refinery|NN', ('nppp', 'pgen'))]
    """
    topic = Topic(resources(original), plain(candidate), plain(references))
    return [
        (element, Element(element.rule, result.parts), result.path)
        for element in candidate
        for result in twin.expand((element.rule, element.parts), topic, hyper)
    ]


class Edges(NamedTuple):
    """What can match in one reference: elements of the candidate and of it, and what C is."""

    row: NDArray[int64]
    column: NDArray[int64]
    value: NDArray[float64]


class Matches(NamedTuple):
    """What elements of a candidate can match.

    Attributes
    ----------
    rows : int
        Elements of the candidate.
    edges : list of Edges
        For each reference.
    units : list of int64[elements]
        For each reference what its elements are; equal ones have one number.
    presence : bool[reference, unit]
        Which reference has which.
    """

    rows: int
    edges: list[Edges]
    units: list[NDArray[int64]]
    presence: NDArray[bool_]


def matches(
    candidate: Sequence[Element],
    references: Sequence[Sequence[Element]],
    *,
    coefficients: Mapping[str, float],
    hyper: bool = False,
    original: bool = False,
) -> Matches:
    """Which elements of a summary can match which of the references of its topic."""
    import numpy as np

    topic = Topic(resources(original), plain(candidate), plain(e for of in references for e in of))
    found = twin.edges(
        topic,
        plain(candidate),
        [plain(reference) for reference in references],
        coefficients,
        lambda parts: Element("", parts).key,
        hyper,
    )
    numbers: dict[Key, int] = {}
    units = [[numbers.setdefault(e.key, len(numbers)) for e in of] for of in references]
    presence = np.zeros((len(references), len(numbers)), dtype=np.bool_)
    for reference, its in enumerate(units):
        presence[reference, its] = True
    edges = []
    for of in found:
        pairs = np.array(list(of), dtype=np.int64).reshape(-1, 2)
        edges.append(Edges(pairs[:, 0], pairs[:, 1], np.array(list(of.values()), dtype=np.float64)))
    return Matches(
        len(candidate), edges, [np.array(its, dtype=np.int64) for its in units], presence
    )
