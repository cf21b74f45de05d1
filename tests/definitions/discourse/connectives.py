"""Detection of discourse connectives: the candidates of a sentence and their features.

The features follow Pitler and Nenkova (2009) and Lin, Ng and Kan (2014), section 4.1, with a
dependency tree in place of constituents: the candidate's head, its dependents and the neighbouring
clauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from definitions.discourse.trees import (
    NO_TOKEN,
    PUNCTUATION,
    SUBJECTS,
    VERBS,
    Tree,
    crossed,
)

Lexicon = Mapping[str, Collection[tuple[str, ...]]]
"""Connectives, as words in lower case, by their first word."""

_SPOKEN = frozenset({"i", "you", "um", "uh", "like", "'m", "yeah"})
_NEAR = 5  # words on either side used as features of the sense
_AUXILIARIES = frozenset({"aux", "auxpass", "neg", "mark", "prep"})


@dataclass(frozen=True, slots=True)
class Style:
    """The style of a document: `So` starts a turn only in speech.

    Attributes
    ----------
    level : int
        From 0 (written) to 3 (spoken).
    openings : mapping of str to int
        How often each word starts a sentence.
    sentences : int
    """

    level: int
    openings: Mapping[str, int]
    sentences: int

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Style:
        """The style of a document's sentences."""
        tokens = sum(map(len, trees))
        spoken = sum(
            word in _SPOKEN or tag == "UH"
            for tree in trees
            for word, tag in zip(tree.words, tree.tags, strict=True)
        )
        share = spoken / max(tokens, 1)
        level = sum(share >= limit for limit in (0.005, 0.02, 0.05))
        return cls(level, Counter(tree.words[0] for tree in trees if len(tree)), len(trees))

    def opening(self, word: str) -> int:
        """How common a word is at the start of sentences, from 0 to 3."""
        share = self.openings.get(word, 0) / max(self.sentences, 1)
        return sum(share >= limit for limit in (0.03, 0.1, 0.2))


def candidates(tree: Tree, lexicon: Lexicon) -> list[tuple[int, int]]:
    """Spans [first, last + 1] of words that can be a connective; they may overlap."""
    found = []
    words = tree.words
    for first, word in enumerate(words):
        for connective in lexicon.get(word, ()):
            end = first + len(connective)
            if tuple(words[first:end]) == connective:
                found.append((first, end))
    return found


def features(tree: Tree, first: int, end: int, style: Style) -> list[str]:
    """The features of a candidate; the last third of them include its words."""
    base = [
        *_neighbours(tree, first, end),
        *_dependencies(tree, first, end),
        *_coordination(tree, first, end),
    ]
    left, right = _verbs(tree, first, end)
    place = tree.place(first)
    base += [
        f"vl {left}",
        f"vr {right}",
        f"vlr {left} {right}",
        f"at {place}{end >= len(tree) - 1:d}",
        f"size {min(len(tree) // 10, 4)}",
        f"cap {tree.forms[first][:1].isupper():d}",
        f"style {style.level}{first == 0:d}",
        f"open {style.level}{style.opening(tree.words[0]) if first == 0 else '-'}",
    ]
    return crossed(base, tree.kind(first, end), tree.text(first, end))


def sense_features(tree: Tree, first: int, end: int, names: Sequence[str]) -> list[str]:
    """Features of a connective's sense: those of `names` with its words, and the words near it."""
    near = [f"before {word}" for word in tree.words[max(first - _NEAR, 0) : first]]
    near += [f"after {word}" for word in tree.words[end : end + _NEAR]]
    near = list(dict.fromkeys(near))
    words = tree.text(first, end)
    return [*names[-(len(names) // 3) :], *near, *[f"{words}|{name}" for name in near]]


def _neighbours(tree: Tree, first: int, end: int) -> list[str]:
    tags = tree.tags
    p1, pt1 = tree.at(first - 1)
    p2, pt2 = tree.at(first - 2)
    n1, nt1 = tree.at(end)
    n2, nt2 = tree.at(end + 1)
    return [
        "",
        "t " + " ".join(tags[first:end]),
        f"p {p1}",
        f"pt {pt1}",
        f"n {n1}",
        f"nt {nt1}",
        f"pnt {pt1} {nt1}",
        f"pt2 {pt2} {pt1}",
        f"nt2 {nt1} {nt2}",
        f"n2 {n1} {n2}",
        f"p2 {p2} {p1}",
    ]


def _dependencies(tree: Tree, first: int, end: int) -> list[str]:
    """Features of the candidate's head and dependents."""
    tags, labels = tree.tags, tree.labels
    top = tree.top(first, end)
    head = tree.heads[top]
    head_tag, head_label = (tags[head], labels[head]) if head >= 0 else ("^", "^")
    below = [
        child
        for child in tree.children[top]
        if not first <= child < end and tags[child] not in PUNCTUATION
    ]
    path = tree.path(top)
    verb = next((node for node in path[1:] if tags[node] in VERBS), NO_TOKEN)
    clause = "-"
    if verb >= 0:
        side = "<" if verb < first else ">"
        clause = f"{side}{tags[verb]}{labels[verb]}{tree.has_subject(verb):d}"
    return [
        f"l {labels[top]}",
        f"ht {head_tag}",
        f"hl {head_label}",
        f"lh {labels[top]} {head_tag} {head_label}",
        f"bl {'+'.join(labels[child] for child in below)}",
        f"bt {'+'.join(tags[child] for child in below)}",
        f"path {'/'.join(labels[node] for node in path[:4])}",
        f"v {clause}",
    ]


def _coordination(tree: Tree, first: int, end: int) -> list[str]:
    """The two sides of a coordination: the candidate's head and the conjunct that follows."""
    tags, labels = tree.tags, tree.labels
    head = tree.heads[tree.top(first, end)]
    if head < 0:
        return []
    between = [
        child
        for child in tree.children[head]
        if head < child < first and tags[child] not in PUNCTUATION
    ]
    inside = "+".join(labels[child] for child in between)
    conjunct = next(
        (child for child in tree.children[head] if child >= end and labels[child] == "conj"),
        NO_TOKEN,
    )
    shape, own, size, marked = "-", "-", "-", False
    if conjunct >= 0:
        below = tree.children[conjunct]
        shape = f"{tags[conjunct]}{tree.has_subject(conjunct):d}"
        own = "+".join(labels[child] for child in below if tags[child] not in PUNCTUATION)
        size = str(min((tree.end[conjunct] - tree.first[conjunct]) // 3, 4))
        marked = any(labels[child] in _AUXILIARIES for child in below)
    left = f"{tags[head]}{tree.has_subject(head):d}"
    return [
        f"j {tags[head]} {shape}",
        f"js {left} {shape} {marked:d}",
        f"jl {labels[head]} {shape}",
        f"in {tags[head]} {inside}",
        f"js {tags[head]} {size}",
        f"jj {size} {min((first - tree.first[head]) // 3, 4)}",
        f"jo {own}",
        f"ji {bool(between):d} {size} {tags[conjunct] if conjunct >= 0 else '-'}",
    ]


def _verbs(tree: Tree, first: int, end: int) -> tuple[str, str]:
    """The nearest verb on each side and its distance; on the right, up to punctuation."""
    tags = tree.tags
    left = right = "-"
    for position in range(first - 1, -1, -1):
        if tags[position] in VERBS:
            left = f"{tags[position]}{min(first - position, 5)}"
            break
    subject = 0
    for position in range(end, len(tree)):
        if tree.labels[position] in SUBJECTS:
            subject = 1
        if tags[position] in VERBS:
            right = f"{tags[position]}{min(position - end, 5)}{subject}"
            break
        if tags[position] in PUNCTUATION and position > end:
            right = ","
            break
    return left, right
