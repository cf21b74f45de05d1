"""Choice of the two stretches of a sentence that are the arguments of a connective.

`arguments` scores single boundaries. This module re-ranks the best pairs of stretches by features
of the pair: its verbs and subjects, its head and its position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from definitions.discourse import arguments
from definitions.discourse.arguments import HELPERS, Hull, is_inside
from definitions.discourse.trees import PUNCTUATION, SUBJECTS, VERBS, Tree, crossed
from summeval.annotate.discourse.document import Span

COMPARED = 12  # largest number of pairs
BEHIND = 2.5  # largest distance of a pair's score from the best score

Scorer = Callable[[list[str]], list[float]]


class Pair(NamedTuple):
    """The stretches of Arg1 and Arg2, and their tokens.

    Attributes
    ----------
    score : float
        Score of the boundaries.
    hull_1, hull_2 : (int, int)
    one, two : list of int
        Tokens; neither is empty.
    """

    score: float
    hull_1: Hull
    hull_2: Hull
    one: list[int]
    two: list[int]


class Sight:
    """A sentence relative to a connective.

    Parameters
    ----------
    tree : Tree
    connective : sequence of int
        Tokens of the connective.
    last : (int, int)
        Last part of the connective.
    others : sequence of (int, int)
        The other connectives of the sentence; arguments often start or end at them.
    """

    def __init__(
        self, tree: Tree, connective: Sequence[int], last: Span, others: Sequence[Span] = ()
    ) -> None:
        self.tree, self.connective, self.last, self.others = tree, connective, last, others

    def boundaries(self) -> tuple[list[int], list[list[str]]]:
        """The boundaries and their features."""
        tried = arguments.boundaries(self.tree, *self.last)
        return tried, arguments.features(self.tree, *self.last, tried, self.others)

    def pairs(self, tried: Sequence[int], scores: Sequence[Sequence[float]]) -> list[Pair]:
        """The best pairs by boundary scores, best first."""
        found: list[Pair] = []
        ranked = arguments.ranked(tried, scores)
        for score, hull_1, hull_2 in ranked[:COMPARED]:
            if score < ranked[0][0] - BEHIND:
                break
            one, two = arguments.tokens(hull_1, hull_2, self.connective)
            if one and two:
                found.append(Pair(score, hull_1, hull_2, one, two))
        return found

    def features(self, pair: Pair) -> list[str]:
        """The features of a pair."""
        tree = self.tree
        base = [*self._places(pair), *self._contents(pair)]
        return crossed(base, tree.kind(*self.last), tree.text(*self.last))

    def _places(self, pair: Pair) -> list[str]:
        """Position of the stretches relative to each other, the connective and the sentence."""
        length, (first, end) = len(self.tree), self.last
        hulls = pair.hull_1, pair.hull_2
        (begin_1, end_1), (begin_2, end_2) = hulls
        gap, between = begin_1 - end_2, "-"
        if is_inside(pair.hull_2, pair.hull_1):
            order = "2 in 1"
        elif is_inside(pair.hull_1, pair.hull_2):
            order = "1 in 2"
        elif end_1 <= begin_2:
            order, gap, between = "1 2", begin_2 - end_1, self._point(end_1)
        else:
            order = "2 1"
        sides = ["+" if b >= end else "<" if e <= first else "=" for b, e in hulls]
        passed = [min(sum(b < start < e for start, _ in self.others), 2) for b, e in hulls]
        wholes = [hull == (0, length) for hull in hulls]
        return [
            f"o{order}",
            f"os{order}{sides[1]}{sides[0]}",
            f"t{begin_2 == end:d}{end_1 == first:d}{order}",
            f"c{passed[0]}{passed[1]}",
            f"g{min(gap, 4)}{between}",
            f"e{self._point(end_1 - 1)} {self._point(end_2 - 1)}",
            f"w{wholes[0]:d}{wholes[1]:d}{begin_1 == 0:d}{max(end_1, end_2) == length:d}",
        ]

    def _contents(self, pair: Pair) -> list[str]:
        """Content of the stretches: verbs, subjects, and tokens with a head outside."""
        tags, labels, heads = self.tree.tags, self.tree.labels, self.tree.heads
        one, two = self._content(pair.one), self._content(pair.two)
        within = set(pair.one)
        hung = "+".join(f"{labels[top]}{heads[top] in within:d}" for top in two.tops[:3])
        tops_1, tops_2 = one.tops[:5], two.tops[:5]
        opening_1, opening_2 = tags[pair.one[0]], tags[pair.two[0]]
        return [
            f"v{one.verbs}{two.verbs}",
            f"vs{one.verbs}{one.subjects}{two.verbs}{two.subjects}",
            f"L{one.size}{two.size}",
            f"b{opening_1} {opening_2}",
            f"sb{one.subjects}{two.subjects} {opening_1[:2]} {opening_2[:2]}",
            f"p1{'+'.join([labels[top] for top in tops_1])}",
            f"p2{'+'.join([labels[top] for top in tops_2])}",
            f"n{len(tops_1)}{len(tops_2)}",
            f"n1{len(tops_1)}",
            f"n2{len(tops_2)}",
            f"a{hung}",
            f"k{'+'.join([tags[top] for top in tops_2])}|{'+'.join([tags[top] for top in tops_1])}",
        ]

    def _content(self, tokens: Sequence[int]) -> _Content:
        tags, labels, heads = self.tree.tags, self.tree.labels, self.tree.heads
        inside = set(tokens)
        verbs = sum(tags[token] in VERBS and labels[token] not in HELPERS for token in tokens)
        return _Content(
            min(verbs, 3),
            min(sum(labels[token] in SUBJECTS for token in tokens), 2),
            min(len(tokens).bit_length(), 6),
            [t for t in tokens if heads[t] not in inside and tags[t] not in PUNCTUATION],
        )

    def _point(self, position: int) -> str:
        word, tag = self.tree.at(position)
        return word if tag in PUNCTUATION else "-"


class _Content(NamedTuple):
    verbs: int
    subjects: int
    size: int
    tops: list[int]


def within(sight: Sight, of_boundary: Scorer, of_pair: Scorer) -> tuple[list[int], list[int]]:
    """The tokens of both arguments.

    If no pair leaves tokens for both arguments, they are the tokens before and after the
    connective, and may be empty.
    """
    tried, names = sight.boundaries()
    pairs = sight.pairs(tried, [of_boundary(each) for each in names])
    if not pairs:
        before = list(range(sight.connective[0]))
        return before, list(range(sight.connective[-1] + 1, len(sight.tree)))
    best = pairs[0]
    if len(pairs) > 1:
        best = max(pairs, key=lambda pair: pair.score + of_pair(sight.features(pair))[0])
    return best.one, best.two
