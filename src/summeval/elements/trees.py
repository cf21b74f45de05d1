"""Phrase structure trees: reading, categories, heads (Collins 1999), and the rules over them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from summeval.annotate.files import Tree as Nodes
from summeval.annotate.files import parse_tree
from summeval.elements.rules import (
    Candidates,
    Link,
    Matcher,
    Node,
    Rule,
    RuleTable,
    bundled,
    matcher,
)

# The name of a rule, and the tokens that it found, as positions in the sentence.
Found = tuple[str, tuple[int, ...]]

# A category ends here; a function, an index or a second category follows.
_ANNOTATION = re.compile(r"(?<=.)[-=|#^~_\[]")
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_EMPTY = "-NONE-"

_AUXILIARIES = frozenset(
    "be am is are was were been 's 're 'm have has had 've 'd do does did done".split()
)
_AUXILIARY_GERUNDS = frozenset("being having doing".split())

# The search order of each category, row by row. `left`: for each listed category in turn, the first
# child of that category; `right`: the last such child; `rightdis`: the last child of any listed
# category. If no row finds a child, the head is the first child if the last row is `left`, else the
# last child.
_TABLE = """
NP      rightdis  NN NNP NNPS NNS NX POS JJR
NP      left      NP
NP      rightdis  $ ADJP PRN
NP      right     CD
NP      rightdis  JJ JJS RB QP
VP      left      TO VBD VBN MD VBZ VB VBG VBP AUX AUXG VP ADJP NN NNS NP
S       left      TO IN VP S SBAR ADJP UCP NP
SBAR    left      WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ   left      SQ S SINV SBARQ FRAG
SINV    left      VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ      left      VBZ VBD VBP VB MD VP SQ
ADJP    left      NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP    right     RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
PP      right     IN TO VBG VBN RP FW
WHPP    right     IN TO FW
WHNP    left      WDT WP WP$ WHADJP WHPP WHNP
WHADJP  left      CC WRB JJ ADJP
WHADVP  right     CC WRB
QP      left      $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
NAC     left      NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NX      left
INTJ    left
PRN     left
PRT     right     RP
CONJP   right     CC RB IN
LST     right     LS :
RRC     right     VP NP ADVP ADJP PP
FRAG    right
UCP     right
X       right
"""
_PUNCTUATION = frozenset("'' `` -LRB- -RRB- . : ,".split())
_COORDINATION = ("CC", "CONJP")

_Rows = list[tuple[str, list[str]]]


def basic_category(label: str) -> str:
    """Return a label without functions and indices.

    >>> basic_category("NP-SBJ-1"), basic_category("-LRB-"), basic_category("PRP$")
    ('NP', '-LRB-', 'PRP$')
    """
    return label if label[:1] == "-" else _ANNOTATION.split(label, maxsplit=1)[0]


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
    words : list of str
        Head words in lower case.
    by_label : dict of str to list of int
        The nodes of each label.
    """

    def __init__(
        self,
        labels: Sequence[str],
        parents: Sequence[int],
        tokens: Sequence[int],
        forms: Sequence[str],
    ) -> None:
        self.labels, self.parents, self.tokens, self.forms = labels, parents, tokens, forms
        self.children: list[list[int]] = [[] for _ in labels]
        self.by_label: dict[str, list[int]] = {}
        for node, (label, parent) in enumerate(zip(labels, parents, strict=True)):
            self.by_label.setdefault(label, []).append(node)
            if parent >= 0:
                self.children[parent].append(node)
        self.heads = list(range(len(labels)))
        self.head_tokens = [0] * len(labels)
        for position, node in enumerate(tokens):
            self.head_tokens[node] = position
        for node in reversed(range(len(labels))):  # children before their parents
            children = self.children[node]
            if children:
                found = head_child(labels[node], [labels[child] for child in children])
                self.heads[node] = children[found]
                self.head_tokens[node] = self.head_tokens[self.heads[node]]
        lowered = [form.lower() for form in forms]
        self.words = [lowered[position] for position in self.head_tokens]

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
    return Tree(labels, parents, tokens, forms)


def _read(table: str) -> dict[str, _Rows]:
    rows: dict[str, _Rows] = {}
    for line in table.strip().splitlines():
        category, direction, *wanted = line.split()
        rows.setdefault(category, []).append((direction, wanted))
    return rows


_ROWS = _read(_TABLE)


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
    found = _search(_ROWS.get(category, [("left", [])]), children)
    if found >= 2 and children[found - 1] in _COORDINATION:
        before = found - 2
        while before >= 0 and children[before] in _PUNCTUATION:
            before -= 1
        return before if before >= 0 else found
    return found


def _search(rows: _Rows, children: Sequence[str]) -> int:
    last = len(children) - 1
    for direction, wanted in rows:
        if direction == "rightdis":
            for position in range(last, -1, -1):
                if children[position] in wanted:
                    return position
            continue
        for category in wanted:
            if category in children:
                if direction == "left":
                    return children.index(category)
                return last - children[::-1].index(category)
    return 0 if rows[-1][0] == "left" else last


# Relations: each maps a node to its related nodes. Names and meaning are those of Tregex.


def _sisters(tree: Tree, node: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sisters of a node before it, and those after it."""
    parent = tree.parents[node]
    family = tree.children[parent] if parent >= 0 else [node]
    position = family.index(node)
    return family[:position], family[position + 1 :]


def _above(tree: Tree, node: int) -> Iterator[int]:
    while (node := tree.parents[node]) >= 0:
        yield node


def _headed(tree: Tree, node: int) -> Sequence[int]:
    parent = tree.parents[node]
    return (parent,) if parent >= 0 and tree.heads[parent] == node else ()


def _below(through: frozenset[str] | None = None) -> Candidates:
    """The descendants of a node, or those separated from it only by nodes of these categories."""

    def below(tree: Tree, node: int) -> Iterator[int]:
        rest = tree.children[node][::-1]
        while rest:
            found = rest.pop()
            yield found
            if through is None or tree.labels[found] in through:
                rest.extend(reversed(tree.children[found]))

    return below


_RELATIONS: dict[str, Candidates] = {
    "<": lambda tree, node: tree.children[node],  # a child
    "<<": _below(),  # anything below
    "<#": lambda tree, node: tree.heads[node : node + 1] if tree.children[node] else (),  # the head
    "<,": lambda tree, node: tree.children[node][:1],  # the first child
    "<-": lambda tree, node: tree.children[node][-1:],  # the last child
    "<:": lambda tree, node: tree.children[node] if len(tree.children[node]) == 1 else (),  # alone
    ">": lambda tree, node: (tree.parents[node],) if node else (),  # the parent
    ">>": _above,  # anything above
    ">#": _headed,  # the parent, if the node is its head
    "$+": lambda tree, node: _sisters(tree, node)[1][:1],  # the sister that follows directly
    "$-": lambda tree, node: _sisters(tree, node)[0][-1:],  # the sister that stands directly before
    "$++": lambda tree, node: _sisters(tree, node)[1],  # a sister that follows
    "$--": lambda tree, node: _sisters(tree, node)[0],  # a sister before
}
_CHAIN = re.compile(r"<\+\(([^()]+)\)")


def tree_relations(written: str) -> Candidates | None:
    """Parse the notation of a tree relation: Tregex's `<`, `<#`, `$+`, `<+(NP)` and others."""
    if chain := _CHAIN.fullmatch(written):
        return _below(frozenset(chain[1].split("|")))
    return _RELATIONS.get(written)


@cache
def tree_rules() -> RuleTable:
    """Return the bundled tree rules: r1 to r52 of BEwT-E up to version 0.4.

    >>> len({rule.name for rule in tree_rules().rules})
    52
    """
    return bundled("tree_rules.txt", tree_relations)


@cache
def _compiled(table: RuleTable) -> list[tuple[Rule, Matcher, frozenset[frozenset[str]]]]:
    """The rules with their matchers, and sets of labels of each of which a tree must have one."""
    return [
        (rule, matcher(rule.pattern, tree_relations), _needs(rule.pattern)) for rule in table.rules
    ]


def _needs(pattern: Node | Link) -> frozenset[frozenset[str]]:
    if isinstance(pattern, Link):
        is_one = bool(pattern.relation) and not pattern.negated
        return _needs(pattern.targets[0]) if is_one else frozenset()
    own = () if pattern.negated else (pattern.labels,)
    return frozenset(own).union(*map(_needs, pattern.links))


def find_in_tree(table: RuleTable, tree: Tree) -> Iterator[Found]:
    """Yield the matches of the rules in a tree, in rule order; a phrase becomes its head word."""
    by_label, head_tokens = tree.by_label, tree.head_tokens
    present = frozenset(by_label)
    for rule, match, needs in _compiled(table):
        if any(map(present.isdisjoint, needs)):
            continue
        if rule.pattern.negated:
            nodes: Iterable[int] = range(len(tree.labels))
        else:
            here = [by_label[label] for label in rule.pattern.labels if label in by_label]
            nodes = here[0] if len(here) == 1 else sorted(chain.from_iterable(here))
        for node in nodes:
            for captures in match(tree, node):
                yield rule.name, tuple([head_tokens[captures[k]] for k in rule.order])
