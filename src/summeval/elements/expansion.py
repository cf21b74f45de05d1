"""The results and paths of BEwT-E's transformations of a Basic Element.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements"; the order
of the pipeline is that of BEwT-E 0.5.1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from summeval.elements.stages import Parts, PlainElement, Topic, lower, transform

Path = tuple[str, ...]

# At each stage one of its transformations, or none, is applied.
STAGES: tuple[Path, ...] = (
    ("swap",),
    ("dpl",),
    ("dpr",),
    ("nppp", "role"),
    ("nomt", "dnom"),
    ("advn", "adjp"),
    ("prol",),
    ("pror",),
    ("nsl",),
    ("nsr",),
    ("acrl",),
    ("acrr",),
    ("leml", "syal", "synl", "syvl", "perl", "mecl"),
    ("lemr", "syar", "synr", "syvr", "perr", "mecr"),
    ("pgen",),
    ("dlml",),
    ("dlmr",),
)
# Hypernyms and hyponyms, off by default, are alternatives to synonyms.
HYPER = {"leml": ("genl", "gevl"), "lemr": ("genr", "gevr")}


class Result(NamedTuple):
    """An element that transformations made of another."""

    parts: Parts
    path: Path


def stages(hyper: bool = False) -> tuple[Path, ...]:
    """STAGES, with hypernyms and hyponyms or without.

    >>> stages(hyper=True)[12]
    ('leml', 'syal', 'synl', 'syvl', 'perl', 'mecl', 'genl', 'gevl')
    """
    return tuple(stage + (HYPER.get(stage[0], ()) if hyper else ()) for stage in STAGES)


def expand(element: PlainElement, topic: Topic, hyper: bool = False) -> list[Result]:
    """The results of an element whose texts occur in some reference, in the order found.

    Depth first: at each stage the results of every alternative continue to the later stages, then
    the unchanged element. A result is dropped if it equals the original element, or if a subset of
    the same transformations has already produced it.
    """
    rule, parts = element
    order = stages(hyper)
    begin = _state(parts)
    made: dict[Parts, list[frozenset[str]]] = {}
    results: list[Result] = []

    def explore(stage: int, parts: Parts, path: Path) -> None:
        if stage == len(order):
            return
        for name in order[stage]:
            for new in transform(name, rule, parts, topic):
                state = _state(new)
                used = frozenset((*path, name))
                before = made.setdefault(state, [])
                if state == begin or any(subset <= used for subset in before):
                    continue
                before.append(used)
                if lower(new) in topic.texts:
                    results.append(Result(new, (*path, name)))
                explore(stage + 1, new, (*path, name))
        explore(stage + 1, parts, path)

    explore(0, parts, ())
    return results


def _state(parts: Parts) -> Parts:
    return tuple((text.lower(), kind.lower()) for text, kind in parts)


def value(path: Path, coefficients: Mapping[str, float]) -> float:
    """The product of the coefficients of the transformations on a path; 1 where there is none.

    >>> value(("syvl", "dlml"), {"syvl": 0.5, "dlml": 0.8})
    0.4
    """
    product = 1.0
    for name in path:
        product *= coefficients.get(name, 1.0)
    return product


def edges(  # noqa: PLR0917
    topic: Topic,
    candidate: Sequence[PlainElement],
    references: Sequence[Sequence[PlainElement]],
    coefficients: Mapping[str, float],
    key: Callable[[Parts], Hashable],
    hyper: bool = False,
) -> list[dict[tuple[int, int], float]]:
    """For each reference the pairs (candidate element, reference element) that can match.

    Two elements match with value 1 if they are equal, or if one can be transformed into the other,
    with the largest value of a path. Elements are equal if their keys are equal.
    """
    found: list[dict[tuple[int, int], float]] = [{} for _ in references]
    for row, element in enumerate(candidate):
        reached = {key(element[1]): 1.0}
        for result in expand(element, topic, hyper):
            its = key(result.parts)
            reached[its] = max(reached.get(its, 0.0), value(result.path, coefficients))
        for number, reference in enumerate(references):
            for column, (_, parts) in enumerate(reference):
                if key(parts) in reached:
                    found[number][row, column] = reached[key(parts)]
    return found
