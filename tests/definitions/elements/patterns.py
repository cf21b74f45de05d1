"""Patterns of rules, matched at the nodes of a structure.

The captures of a node are one tuple of nodes for each way to match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from summeval.elements.rules import Link, Node

Captures = Sequence[tuple[int, ...]]
NOTHING: Captures = ()
FOUND: Captures = ((),)  # a match without captures


# What is searched has `labels`, the category or part of speech of each node from 0, and `words`,
# its (head) word in lower case.
Matcher = Callable[[Any, int], Captures]
# Maps a node to its related nodes.
Candidates = Callable[[Any, int], Iterable[int]]


def matcher(pattern: Node, relations: Callable[[str], Candidates | None]) -> Matcher:
    """Compile a pattern: a function of a structure and a node that returns the captures there."""
    labels, negated, words, words_negated, name, _ = pattern
    ends = tuple(entry[1:] for entry in words or () if entry.startswith("*"))
    conditions = [_condition(link, relations) for link in pattern.links]

    def match(structure: Any, node: int) -> Captures:
        if (structure.labels[node] in labels) is negated:
            return NOTHING
        if words is not None:
            word = structure.words[node]
            if (word in words or word.endswith(ends)) is words_negated:
                return NOTHING
        found: Captures = ((node,),) if name else FOUND
        for condition in conditions:
            more = condition(structure, node)
            if not more:
                return NOTHING
            if found is FOUND:
                found = more
            elif more is not FOUND:
                found = [mine + theirs for mine in found for theirs in more]
        return found

    return match


def _condition(link: Link, relations: Callable[[str], Candidates | None]) -> Matcher:
    """Try every target if it captures, else stop at the first match."""
    ways = [matcher(target, relations) for target in link.targets]
    captures, negated = bool(link.targets[0].names()), link.negated
    candidates = relations(link.relation)

    def match_one_of(structure: Any, node: int) -> Captures:
        found = [way(structure, node) for way in ways]
        return FOUND if FOUND in found else [captures for some in found for captures in some]

    if candidates is None:
        return match_one_of
    related, (inner,) = candidates, ways

    def match_first(structure: Any, node: int) -> Captures:
        for other in related(structure, node):
            if inner(structure, other):
                return NOTHING if negated else FOUND
        return FOUND if negated else NOTHING

    def match_all(structure: Any, node: int) -> Captures:
        found: list[tuple[int, ...]] = []
        for other in related(structure, node):
            found.extend(inner(structure, other))
        return found

    return match_all if captures else match_first
