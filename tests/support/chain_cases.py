"""Chains of labels, made at random, for the kernel and for its definition."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from definitions.label_chain import Chain, Labels

from summeval._core.chains.label_chain import Chains


class Case(NamedTuple):
    """Documents with the log potentials that they share, as the kernel takes them."""

    sizes: list[int]
    order: int
    scores: Any
    parents: Any
    context: Any
    link: Any

    @property
    def ends(self) -> Any:
        return np.cumsum([0, *self.sizes])

    def kernel(self, **options: Any) -> Chains:
        return Chains(self.ends, self.parents, self.order, **options)

    def chains(self, local: bool = False) -> list[Chain]:
        """The documents, as the definition takes them."""
        contexts = {
            labels: float(self.context[place_of(labels)])
            for size in range(1, self.order + 2)
            for labels in product((0, 1), repeat=size)
        }
        links = {(p, y): float(self.link[2 * p + y]) for p, y in product((0, 1), repeat=2)}
        parts = zip(
            np.split(self.scores, self.ends[1:-1]),
            np.split(self.parents, self.ends[1:-1]),
            strict=True,
        )
        return [
            Chain(
                scores.tolist(),
                self.order,
                contexts,
                [None if parent < 0 else int(parent) for parent in parents],
                links,
                local,
            )
            for scores, parents in parts
        ]


def place_of(labels: Labels) -> int:
    """Where the kernel has the potential of a context."""
    *history, own = labels
    return (2 << len(history)) - 2 + 2 * sum(label << j for j, label in enumerate(history)) + own


def random_case(
    draw: np.random.Generator, documents: int, most: int, linked: float = 0.5, size: float = 1.0
) -> Case:
    """So many documents of at most so many labels; a share of these is linked."""
    sizes = draw.integers(0, most + 1, documents).tolist()
    order = int(draw.integers(0, 4))
    parents = [
        int(draw.integers(0, t)) if t and draw.random() < linked else -1
        for length in sizes
        for t in range(length)
    ]
    return Case(
        sizes,
        order,
        draw.normal(0.0, size, sum(sizes)),
        np.array(parents, dtype=np.int64),
        draw.normal(0.0, size, (4 << order) - 2),
        draw.normal(0.0, size, 4),
    )
