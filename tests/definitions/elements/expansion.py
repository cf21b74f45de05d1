"""Which Basic Elements match by transformations: depth first over the pipeline of BEwT-E 0.5.1.

Source: Tratz and Hovy 2008, "Summarization evaluation using transformed Basic Elements". What the
transformations make of an element is in `summeval.elements.stages`, which tells the paths.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from summeval.elements.stages import Parts, Path, PlainElement, Topic, expand


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
