"""The spans of a connective's arguments.

Within a sentence each argument is one stretch between two boundaries, without the connective and
without the other argument if that lies inside. Boundaries are the edges of the units along the path
from the connective's head to the root: each node of the path and each subtree attached to it; long
subtrees are split once. Each boundary is scored as the start and as the end of either argument.
Four compatible boundaries make a pair of stretches, and `stretches` chooses among the best pairs.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, product

from definitions.discourse.trees import NO_TOKEN, PUNCTUATION, VERBS, Tree, crossed
from summeval.annotate.discourse.document import Span

LONG = 8  # a longer subtree (in tokens) is split
FURTHEST = 200  # tokens; bounds the time for text without full stops
_TRIED = 4  # number of best boundaries tried for each of the four kinds
HELPERS = frozenset({"aux", "auxpass"})

Hull = tuple[int, int]


def boundaries(tree: Tree, first: int, end: int) -> list[int]:
    """The tokens before which an argument of the connective can start or end."""
    found = {0, len(tree), first, end}
    path = tree.path(tree.top(first, end))
    beside = set(path)

    def add(node: int, is_split: bool) -> None:
        if not is_split and tree.end[node] - tree.first[node] >= LONG:
            found.update((node, node + 1))
            for child in tree.children[node]:
                add(child, True)
        else:
            found.update((tree.first[node], tree.end[node]))

    for node in path:
        if not first <= node < end:
            found.update((node, node + 1))
        for child in tree.children[node]:
            if child not in beside and not first <= child < end:
                add(child, False)
    for node, head in enumerate(tree.heads):
        if head < 0 and node not in beside:
            add(node, False)
    near = range(first - FURTHEST, end + FURTHEST + 1)
    return sorted(at for at in found if at in near or at in (0, len(tree)))


def features(
    tree: Tree, first: int, end: int, tried: Sequence[int], others: Sequence[Span] = ()
) -> list[list[str]]:
    """The features of each boundary; `others` are the other connectives of the sentence."""
    walk = _Walk(tree, first, end, others)
    kind, words = tree.kind(first, end), tree.text(first, end)
    own = tried.index(first)
    return [
        crossed(walk.boundary(at, min(abs(number - own), 6)), kind, words)
        for number, at in enumerate(tried)
    ]


class _Walk:
    """A sentence relative to a connective."""

    def __init__(self, tree: Tree, first: int, end: int, others: Sequence[Span]) -> None:
        self.tree, self.first, self.end = tree, first, end
        self.others = dict(others)
        self.opened = sorted(self.others)
        self.closed = frozenset(self.others.values())
        self.top = tree.top(first, end)
        path = tree.path(self.top)
        self.level = {node: min(number, 4) for number, node in enumerate(path)}
        self.above = [*path[1:3], NO_TOKEN, NO_TOKEN][:2]
        stops = (
            tag in PUNCTUATION and word != "-"
            for word, tag in zip(tree.words, tree.tags, strict=True)
        )
        self.stops = list(accumulate(stops, initial=0))
        verbs = (
            tag in VERBS and label not in HELPERS
            for tag, label in zip(tree.tags, tree.labels, strict=True)
        )
        self.verbs = list(accumulate(verbs, initial=0))

    def boundary(self, at: int, distance: int) -> list[str]:
        """Features of the boundary before a token."""
        tree = self.tree
        begin, finish = tree.edges()
        side = (
            "=" if at == self.first else "+" if at == self.end else "<" if at < self.first else ">"
        )
        low, high = (at, self.first) if at <= self.first else (self.end, at)
        stops = min(self.stops[high] - self.stops[low], 3) if high > low else 0
        verbs = min(self.verbs[high] - self.verbs[low], 3) if high > low else 0
        left, left_tag = tree.at(at - 1)
        right, right_tag = tree.at(at)
        edge = f"{at == 0:d}{at == len(tree):d}"
        points = _point(left, left_tag) + _point(right, right_tag)
        right_top, right_level, right_head = self._subtree(begin[at])
        left_top, left_level, left_head = self._subtree(finish[at])
        fit = self._fit(at)
        left_word = left if left_tag in PUNCTUATION else left_tag
        right_word = right if right_tag in PUNCTUATION else right_tag
        found = [
            edge,
            f"d{distance}",
            f"n{stops}{edge}",
            f"v{verbs}{edge}",
            f"nv{stops}{verbs}{points}",
            f"s{right_top}",
            f"e{left_top}",
            f"s{right_top}{right_level}",
            f"e{left_top}{left_level}",
            f"se{right_top}|{left_top}",
            f"le{right_level}|{left_level}{points}",
            f"h{fit}",
            f"hp{fit}{points}{verbs}",
            f"sh{right_top}{right_head}",
            f"eh{left_top}{left_head}",
            f"lw{left}",
            f"rw{right}",
            f"lr{left_tag}{right_tag}",
            f"lp{left_word} {right_word}",
            f"at{tree.place(self.first)}{stops}{verbs}{points}",
            f"rr{right} {tree.at(at + 1)[0]}",
            f"lv{right_level}{left_level}{stops}{verbs}",
            f"sl{right_top}{right_level}{stops}{points[0]}",
            *self._connectives(at, self._opened_in(low, high)),
        ]
        return [side + name for name in found]

    def _subtree(self, node: int) -> tuple[str, str, str]:
        """Label and tag of a subtree, where it joins the path to the root, its head's label."""
        if node < 0:
            return "-", "8", "^"
        tree = self.tree
        head = tree.heads[node]
        level = self.level.get(node, self.level.get(head, 9))
        own = f"{tree.labels[node]}.{tree.tags[node]}"
        return own, f"{level}{node in self.level:d}", tree.labels[head] if head >= 0 else "^"

    def _opened_in(self, low: int, high: int) -> int:
        """The number of other connectives that start there."""
        return bisect_left(self.opened, high) - bisect_left(self.opened, low)

    def _connectives(self, at: int, between: int) -> list[str]:
        """Whether another connective starts or ends there, and how many lie between."""
        tree = self.tree
        is_here = at in self.others
        words, kind = "-", "-"
        if is_here:
            words, kind = tree.text(at, self.others[at]), tree.kind(at, at + 1)
        left, left_tag = tree.at(at - 1)
        passed = f"{is_here:d}{min(between, 3)}"
        point = left if left_tag in PUNCTUATION else "-"
        return [
            f"cw{words}",
            f"ck{kind}",
            f"ce{at in self.closed:d}",
            f"ci{passed}",
            f"cp{passed}{point}",
        ]

    def _fit(self, at: int) -> str:
        """Position of a boundary in the subtrees of the connective and the two nodes above."""
        tree = self.tree
        found = []
        for node in (*self.above, self.top):
            if node < 0:
                found.append("x")
            else:
                found.append(f"{node < at:d}{at == tree.first[node]:d}{at == tree.end[node]:d}")
        return "".join(found)


def _point(word: str, tag: str) -> str:
    return "p" if tag in PUNCTUATION else word if word in ("^", "$") else "-"


def choose(tried: Sequence[int], scores: Sequence[Sequence[float]]) -> tuple[Hull, Hull] | None:
    """The best-scoring compatible stretches of Arg1 and Arg2, or None."""
    return next(((one, two) for _, one, two in ranked(tried, scores)), None)


def ranked(
    tried: Sequence[int], scores: Sequence[Sequence[float]]
) -> list[tuple[float, Hull, Hull]]:
    """The compatible stretches of Arg1 and Arg2 with their scores, best first.

    Parameters
    ----------
    tried : sequence of int
        Boundaries in ascending order.
    scores : sequence of four numbers each
        Scores of each boundary as the start and end of Arg1 and the start and end of Arg2.
    """
    columns = [_softened([row[kind] for row in scores]) for kind in range(4)]
    stretches: list[list[tuple[float, Hull]]] = []
    for begins, ends in (columns[:2], columns[2:]):
        pairs = product(_best(begins), _best(ends))
        found = [(begins[a] + ends[b], (tried[a], tried[b])) for a, b in pairs if a < b]
        if not found:
            every = product(range(len(tried)), repeat=2)
            found = [(begins[a] + ends[b], (tried[a], tried[b])) for a, b in every if a < b]
            found = [max(found)]
        stretches.append(found)
    both = [
        (score_1 + score_2, arg1, arg2)
        for (score_1, arg1), (score_2, arg2) in product(*stretches)
        if _fit_together(arg1, arg2)
    ]
    return sorted(both, reverse=True)


def _softened(column: list[float]) -> list[float]:
    """Log-probabilities over the boundaries."""
    highest = max(column)
    total = highest + math.log(math.fsum(math.exp(score - highest) for score in column))
    return [score - total for score in column]


def _best(column: list[float]) -> list[int]:
    return sorted(range(len(column)), key=lambda at: -column[at])[:_TRIED]


def _fit_together(arg1: Hull, arg2: Hull) -> bool:
    """Whether the stretches are disjoint or nested."""
    if arg1[1] <= arg2[0] or arg2[1] <= arg1[0]:
        return True
    return arg1 != arg2 and (is_inside(arg1, arg2) or is_inside(arg2, arg1))


def is_inside(inner: Hull, outer: Hull) -> bool:
    """Whether a stretch is contained in another or equal to it."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def tokens(arg1: Hull, arg2: Hull, connective: Sequence[int]) -> tuple[list[int], list[int]]:
    """The tokens of two stretches, without the connective and without a nested argument."""
    left_out = set(connective)
    one = [token for token in range(*arg1) if token not in left_out]
    two = [token for token in range(*arg2) if token not in left_out]
    if is_inside(arg2, arg1):
        inner = set(two)
        one = [token for token in one if token not in inner]
    elif is_inside(arg1, arg2):
        inner = set(one)
        two = [token for token in two if token not in inner]
    return one, two
