"""Phrase structure trees: reading, categories, heads (Collins 1999), and the rules over them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from summeval._core.elements import extraction as kernel
from summeval.annotate.files import Tree as Nodes
from summeval.annotate.files import parse_tree
from summeval.elements.resources import lines_of
from summeval.elements.rules import RuleTable, Tables, bundled

# A category ends here; a function, an index or a second category follows.
_ANNOTATION = re.compile(r"(?<=.)[-=|#^~_\[]")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_EMPTY = "-NONE-"

_AUXILIARIES = frozenset(
    "be am is are was were been 's 're 'm have has had 've 'd do does did done".split()
)
_AUXILIARY_GERUNDS = frozenset("being having doing".split())

_PUNCTUATION = frozenset("'' `` -LRB- -RRB- . : ,".split())
_COORDINATION = ("CC", "CONJP")

_Rows = list[tuple[str, list[str]]]


def basic_category(label: str) -> str:
    """Return a label without functions and indices.

    >>> basic_category("NP-SBJ-1"), basic_category("-LRB-"), basic_category("PRP$")
    ('NP', '-LRB-', 'PRP$')
    """
    return label if label[:1] == "-" else _ANNOTATION.split(label, maxsplit=1)[0]


@dataclass(eq=False, repr=False)
class Tree:
    """A tree as arrays over its nodes, in the order of their opening brackets; words are not nodes.

    Attributes
    ----------
    labels : sequence of str
        Basic categories.
    parents : sequence of int
        -1 for the root.
    children : list of list of int
        Empty for a part of speech.
    heads : list of int
        The head child (Collins 1999); for a part of speech, the node itself.
    tokens : sequence of int
        The part-of-speech nodes, from left to right.
    forms : sequence of str
        The words of `tokens`.
    head_tokens : list of int
        The position in `tokens` of the head word of each node.
    """

    labels: Sequence[str]
    parents: Sequence[int]
    tokens: Sequence[int]
    forms: Sequence[str]

    def __post_init__(self) -> None:
        labels = self.labels
        self.children: list[list[int]] = [[] for _ in labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(node)
        self.heads = list(range(len(labels)))
        self.head_tokens = [0] * len(labels)
        for position, node in enumerate(self.tokens):
            self.head_tokens[node] = position
        for node in reversed(range(len(labels))):  # children before their parents
            if children := self.children[node]:
                found = head_child(labels[node], [labels[child] for child in children])
                self.heads[node] = children[found]
                self.head_tokens[node] = self.head_tokens[self.heads[node]]

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
        return Tree(labels, self.parents, self.tokens, self.forms)


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
    (['', 'S', 'NP', 'DT', 'NN', 'VP', 'VBZ'], ['A', 'cat', 'sleeps'])
    >>> read_tree("(S (NP cat)", place="news.mrg")
    Traceback (most recent call last):
    ValueError: news.mrg:1:1: this bracket is never closed; add the missing )
    """
    return _flat(parse_tree(written, place))


def _flat(root: Nodes) -> Tree:
    """Return the arrays of a tree; empty if the tree has no words."""
    nodes: list[Nodes] = []
    parents: list[int] = []
    rest = [] if root.label == _EMPTY else [(root, -1)]
    while rest:
        node, parent = rest.pop()
        rest.extend((child, len(nodes)) for child in reversed(node.children))
        nodes.append(node)
        parents.append(parent)
    words = [(number, node.word) for number, node in enumerate(nodes) if node.word]
    forms = [_BRACKETS.get(word, word.replace("\\/", "/")) for _, word in words]
    labels = [basic_category(node.label) for node in nodes]
    return Tree(labels, parents, [number for number, _ in words], forms)


@cache
def _rows() -> dict[str, _Rows]:
    """Return the search orders of each category; the table says what they mean."""
    rows: dict[str, _Rows] = {}
    for category, direction, *wanted in map(str.split, lines_of("head_rules.txt")):
        rows.setdefault(category, []).append((direction, wanted))
    return rows


def head_child(category: str, children: Sequence[str]) -> int:
    """Return the position of the head among the children of a phrase.

    Parameters
    ----------
    category : str
        Category of the phrase. If the table lacks it, the head is the first child.
    children : sequence of str
        Their basic categories; at least one.

    Examples
    --------
    >>> head_child("NP", ["DT", "NN", "NN"]), head_child("NP", ["NP", "PP"])
    (2, 0)
    >>> head_child("NP", ["NN", "CC", "NN"])  # of a coordination the part before the conjunction
    0
    """
    if len(children) == 1:
        return 0
    found = _search(_rows().get(category, [("left", [])]), children)
    if found >= 2 and children[found - 1] in _COORDINATION:
        before = found - 2
        while before >= 0 and children[before] in _PUNCTUATION:
            before -= 1
        return before if before >= 0 else found
    return found


def _search(rows: _Rows, children: Sequence[str]) -> int:
    for direction, wanted in rows:
        for some in [wanted] if direction == "rightdis" else [[category] for category in wanted]:
            places = [k for k, child in enumerate(children) if child in some]
            if places:
                return places[0 if direction == "left" else -1]
    return 0 if rows[-1][0] == "left" else len(children) - 1


# Names and meaning are those of Tregex: a child, anything below, the head, the first, last and only
# child; the parent, anything above, the parent whose head it is; the sister after it and before it,
# any after it and before it. The kernel has them in this order, then those `_THROUGH` others.
RELATIONS = ("<", "<<", "<#", "<,", "<-", "<:", ">", ">>", ">#", "$+", "$-", "$++", "$--")
_THROUGH = re.compile(r"<\+\(([^()]+)\)")


def tree_relations(written: str) -> tuple[int, frozenset[str]] | None:
    """Read the notation of a relation: its number, and the categories of one through others.

    `<+(NP|VP)` leads to what stands below a node, with only nodes of these categories between.

    >>> tree_relations("<+(NP)"), tree_relations("$+")
    ((13, frozenset({'NP'})), (9, frozenset()))
    """
    if found := _THROUGH.fullmatch(written):
        return len(RELATIONS), frozenset(found[1].split("|"))
    return (RELATIONS.index(written), frozenset()) if written in RELATIONS else None


@cache
def tree_rules() -> RuleTable:
    """Return the bundled tree rules: r1 to r52 of BEwT-E up to version 0.4.

    >>> len({rule.name for rule in tree_rules().rules})
    52
    """
    return bundled("tree_rules.txt", tree_relations)


@cache
def kernel_of_trees(table: RuleTable) -> kernel.Rules:
    """Return the kernel's object for rules over trees.

    >>> kernel_of_trees(tree_rules()).names[:3]
    ('r1', 'r10', 'r11')
    """

    def link(tables: Tables, written: str) -> tuple[int, tuple[int, ...]] | None:
        found = tree_relations(written)
        return found and (found[0], tuple(map(tables.tag, sorted(found[1]))))

    return Tables(link).of(table)
