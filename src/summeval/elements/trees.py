"""Phrase structure trees: reading, basic categories, heads, and the relations that rules use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import cast

from summeval.annotate.trees import Tree as Nodes
from summeval.annotate.trees import parse_tree
from summeval.elements.heads import head_child
from summeval.elements.patterns import Candidates, Structure
from summeval.elements.rules import Found, RuleTable, resource

# A category ends here; a function, an index or a second category follows.
_ANNOTATION = re.compile(r"(?<=.)[-=|#^~_\[]")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_EMPTY = "-NONE-"

_AUXILIARIES = frozenset(
    "be am is are was were been 's 're 'm have has had 've 'd do does did done".split()
)
_AUXILIARY_GERUNDS = frozenset("being having doing".split())


def basic_category(label: str) -> str:
    """A label without functions and indices.

    >>> basic_category("NP-SBJ-1"), basic_category("-LRB-"), basic_category("PRP$")
    ('NP', '-LRB-', 'PRP$')
    """
    return label if label[:1] == "-" else _ANNOTATION.split(label, maxsplit=1)[0]


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree as arrays over its nodes, in the order of their opening brackets; words are not nodes.

    Attributes
    ----------
    labels : tuple of str
        Basic categories.
    parents : tuple of int
        -1 for the root.
    children : tuple of tuple of int
        Empty for a part of speech.
    heads : tuple of int
        The head child (Collins 1999); for a part of speech, the node itself.
    tokens : tuple of int
        The part-of-speech nodes, from left to right.
    forms : tuple of str
        The words of `tokens`.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    tokens: tuple[int, ...]
    forms: tuple[str, ...]
    children: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    heads: tuple[int, ...] = field(init=False, repr=False, compare=False)
    head_tokens: tuple[int, ...] = field(init=False, repr=False, compare=False)
    words: tuple[str, ...] = field(init=False, repr=False, compare=False)
    by_label: dict[str, list[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.labels]
        by_label: dict[str, list[int]] = {}
        for node, (label, parent) in enumerate(zip(self.labels, self.parents, strict=True)):
            by_label.setdefault(label, []).append(node)
            if parent >= 0:
                below[parent].append(node)
        number = {node: position for position, node in enumerate(self.tokens)}
        heads, positions = list(range(len(below))), [0] * len(below)
        for node in reversed(range(len(below))):  # children before their parents
            if below[node]:
                found = head_child(self.labels[node], [self.labels[child] for child in below[node]])
                heads[node] = below[node][found]
                positions[node] = positions[heads[node]]
            else:
                positions[node] = number[node]
        words = [form.lower() for form in self.forms]
        set_ = object.__setattr__
        set_(self, "children", tuple(map(tuple, below)))
        set_(self, "heads", tuple(heads))
        set_(self, "head_tokens", tuple(positions))
        set_(self, "words", tuple(words[position] for position in positions))
        set_(self, "by_label", by_label)

    def retagged(self) -> Tree:
        """Retag a tree as the Charniak parser does: AUX for every form of be, have and do.

        >>> tree = read_tree("(S (NP (PRP He)) (VP (VBZ is) (VP (VBG being) (VP (VBN seen)))))")
        >>> [tree.retagged().labels[node] for node in tree.tokens]
        ['PRP', 'AUX', 'AUXG', 'VBN']
        """
        labels = list(self.labels)
        for node, form in zip(self.tokens, self.forms, strict=True):
            if labels[node].startswith("VB"):
                if form.lower() in _AUXILIARIES:
                    labels[node] = "AUX"
                elif form.lower() in _AUXILIARY_GERUNDS:
                    labels[node] = "AUXG"
        return Tree(tuple(labels), self.parents, self.tokens, self.forms)


def read_tree(written: str, place: str = "tree") -> Tree:
    """Read a bracketed tree in the format of the Penn Treebank.

    Labels are reduced to basic categories; empty elements (-NONE-) and nodes that hold nothing else
    are removed; escaped brackets and slashes are unescaped. See `summeval.annotate.parse_tree`.

    Parameters
    ----------
    written : str
        One tree, on any number of lines.
    place : str
        The name of the tree in error messages.

    Raises
    ------
    ValueError
        Not a tree; the message gives line and column, both from 1.

    Examples
    --------
    >>> tree = read_tree("( (S (NP-SBJ (DT A) (NN cat)) (VP (VBZ sleeps))))")
    >>> tree.labels, tree.forms
    (('', 'S', 'NP', 'DT', 'NN', 'VP', 'VBZ'), ('A', 'cat', 'sleeps'))
    >>> read_tree("(S (NP cat)", place="news.mrg")
    Traceback (most recent call last):
    ValueError: news.mrg:1:1: this bracket is never closed; add the missing )
    """
    return _flat(parse_tree(written, place))


def _flat(root: Nodes) -> Tree:
    """The arrays of a tree; empty if the tree has no words."""
    labels: list[str] = []
    parents: list[int] = []
    tokens: list[int] = []
    forms: list[str] = []
    rest = [] if root.label == _EMPTY else [(root, -1)]
    while rest:
        node, parent = rest.pop()
        number = len(labels)
        labels.append(basic_category(node.label))
        parents.append(parent)
        if node.word:
            tokens.append(number)
            forms.append(_BRACKETS.get(node.word, node.word.replace("\\/", "/")))
        rest.extend((child, number) for child in reversed(node.children))
    return Tree(tuple(labels), tuple(parents), tuple(tokens), tuple(forms))


# Relations: each maps a node to its related nodes. Names and meaning are those of Tregex.


def _sisters(tree: Tree, node: int) -> tuple[tuple[int, ...], int]:
    """The children of the node's parent, and its position among them."""
    parent = tree.parents[node]
    family = tree.children[parent] if parent >= 0 else (node,)
    return family, family.index(node)


def _below(tree: Tree, node: int) -> Iterator[int]:
    rest = list(reversed(tree.children[node]))
    while rest:
        found = rest.pop()
        yield found
        rest.extend(reversed(tree.children[found]))


def _above(tree: Tree, node: int) -> Iterator[int]:
    while (node := tree.parents[node]) >= 0:
        yield node


def _head(tree: Tree, node: int) -> Sequence[int]:
    return (tree.heads[node],) if tree.children[node] else ()


def _headed(tree: Tree, node: int) -> Sequence[int]:
    parent = tree.parents[node]
    return (parent,) if parent >= 0 and tree.heads[parent] == node else ()


def _only(tree: Tree, node: int) -> Sequence[int]:
    children = tree.children[node]
    return children if len(children) == 1 else ()


def _next(tree: Tree, node: int) -> Sequence[int]:
    family, position = _sisters(tree, node)
    return family[position + 1 : position + 2]


def _previous(tree: Tree, node: int) -> Sequence[int]:
    family, position = _sisters(tree, node)
    return family[position - 1 : position] if position else ()


def _later(tree: Tree, node: int) -> Sequence[int]:
    family, position = _sisters(tree, node)
    return family[position + 1 :]


def _earlier(tree: Tree, node: int) -> Sequence[int]:
    family, position = _sisters(tree, node)
    return family[:position]


def _chain(categories: frozenset[str]) -> Candidates:
    """The descendants of a node that are separated from it only by nodes of these categories."""

    def below(structure: Structure, node: int) -> Iterable[int]:
        tree = cast(Tree, structure)
        rest = list(reversed(tree.children[node]))
        while rest:
            found = rest.pop()
            yield found
            if tree.labels[found] in categories:
                rest.extend(reversed(tree.children[found]))

    return below


_RELATIONS: dict[str, Callable[[Tree, int], Iterable[int]]] = {
    "<": lambda tree, node: tree.children[node],  # a child
    "<<": _below,  # anything below
    "<#": _head,  # the child that is the head
    "<,": lambda tree, node: tree.children[node][:1],  # the first child
    "<-": lambda tree, node: tree.children[node][-1:],  # the last child
    "<:": _only,  # the child, if there is no other
    ">": lambda tree, node: (tree.parents[node],) if node else (),  # the parent
    ">>": _above,  # anything above
    ">#": _headed,  # the parent, if the node is its head
    "$+": _next,  # the sister that follows directly
    "$-": _previous,  # the sister that stands directly before
    "$++": _later,  # a sister that follows
    "$--": _earlier,  # a sister before
}
_CHAIN = re.compile(r"<\+\(([^()]+)\)")


def tree_relations(written: str) -> Candidates | None:
    """Parse the notation of a tree relation: Tregex's `<`, `<#`, `$+`, `<+(NP)` and others."""
    if chain := _CHAIN.fullmatch(written):
        return _chain(frozenset(chain[1].split("|")))
    return cast("Candidates | None", _RELATIONS.get(written))


@cache
def tree_rules() -> RuleTable:
    """The bundled tree rules: r1 to r52 of BEwT-E up to version 0.4.

    >>> len({rule.name for rule in tree_rules().rules})
    52
    """
    return resource("tree_rules.txt", tree_relations)


def find_in_tree(table: RuleTable, tree: Tree) -> Iterator[Found]:
    """The matches of the rules in a tree, in rule order; a phrase becomes its head word."""
    by_label, head_tokens = tree.by_label, tree.head_tokens
    present = frozenset(by_label)
    for rule in table.rules:
        if any(map(present.isdisjoint, rule.pattern.needs)):
            continue
        labels, match = rule.pattern.labels, rule.pattern.match
        if labels is None:
            nodes: Iterable[int] = range(len(tree.labels))
        else:
            here = [by_label[label] for label in labels if label in by_label]
            nodes = here[0] if len(here) == 1 else sorted(chain.from_iterable(here))
        for node in nodes:
            for captures in match(tree, node):
                yield rule.name, tuple([head_tokens[captures[k]] for k in rule.order])
