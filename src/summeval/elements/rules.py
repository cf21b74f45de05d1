r"""The rules of Basic Elements: their pattern language, and the tables that hold them.

The pattern language is a subset of Tregex (Levy and Andrew 2006) over trees and dependency parses,
with word lists and group names added::

    NP|S <+(NP) (NP <# !POS=x) < (VP <# AUX{be} !< VP)

A pattern is a node followed by conditions. Each condition is a relation to the first node in the
same brackets:

    NP|S       a node with one of these labels; !NP|S one with none of them; __ any
    AUX{be}    with a (head) word of the list `be`; AUX!{be} with one outside it
    NN=x       the node is captured as x
    < NP       a relation and its target node; a target with its own relations stands in brackets
    !< NP      there is no such node; it cannot contain captures
    [< A | < B < C]   one of these; every alternative captures the same names in the same order

The available relations depend on the structure searched: see `trees` and `dependencies`. A name in
capitals that the table declares as a group means the labels of the group.

A table is a text file. A line is a comment (#), or a keyword and fields separated by tabs:

    group   NAME    LABEL LABEL ...                   a name for labels, in patterns of the table
    words   name    word word ...                     a name for words, `{name}` in patterns
    label   to      pattern                           (dependencies) the new label of a relation
    rule    id      name    order of parts    pattern
    in      an example, for tests: a tree, or the rows of a parse joined by ` / `
    out     the elements that the rule above finds in it, joined by ` ; `, or nothing
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple, NoReturn

from summeval._core.elements import extraction as kernel

_CHUNK = re.compile(r"[^\s()\[\]]*\+\([^)\s]*\)|[()\[\]]|[^\s()\[\]]+")
_NODE = re.compile(r"(?P<labels>!?[^={}]+?)(?P<words>!?\{\w+\})?(?:=(?P<name>\w+))?")
# Tags of tokens that are written in lower case, and the beginnings of others.
CLOSED = frozenset("IN TO PRT WRB WDT WP PRP PRP$ EX PDT DT".split())
VERBS = ("VB", "MD", "AUX")

_SOME, _NONE, _ONE_OF = range(3)  # the kernel's modes of links
_FIELDS = {"group": 2, "words": 2, "label": 2, "rule": 4, "in": 1, "out": 1}
_OF_EXAMPLES = ("in", "out")  # which tests read


class Node(NamedTuple):
    """A node of a pattern, and the pattern that begins with it.

    Attributes
    ----------
    labels : frozenset of str
    negated : bool
        Whether `labels` are those refused.
    words : frozenset of str, or None
        In lower case; `*ing` is every word that ends in ing. None for any word.
    words_negated : bool
    name : str
        As which the node is captured; empty if it is not.
    links : tuple of Link
    """

    labels: frozenset[str] = frozenset()
    negated: bool = True
    words: frozenset[str] | None = None
    words_negated: bool = False
    name: str = ""
    links: tuple[Link, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return the names of what the pattern captures, in order."""
        below = (link.targets[0].names() for link in self.links if not link.negated)
        return ((self.name,) if self.name else ()) + sum(below, ())


class Link(NamedTuple):
    """A condition of a node: `relation` leads to the one target (or must not).

    Without a relation, one of the `targets` holds at the node itself.
    """

    relation: str
    negated: bool
    targets: tuple[Node, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule: a pattern and the order in which its captures make a Basic Element.

    Attributes
    ----------
    name : str
        `r1` to `r52`; rules for variants of a phrase share a name.
    order : tuple of int
        For each part of the element, its position in the pattern's captures.
    pattern : Node
    """

    name: str
    order: tuple[int, ...]
    pattern: Node


@dataclass(frozen=True, slots=True, eq=False)
class RuleTable:
    """The rules of a table in order, and the label patterns applied before them."""

    rules: Sequence[Rule]
    labels: Sequence[tuple[str, Node]] = ()


def read_table(text: str, relations: Callable[[str], object], place: str = "rules") -> RuleTable:
    r"""Read a table of rules.

    Parameters
    ----------
    text : str
    relations : callable
        Returns None for what is not the notation of a relation.
    place : str
        The name of the table in error messages.

    Raises
    ------
    ValueError
        An unknown keyword, missing fields, or a malformed pattern; the message names place and
        line.

    Examples
    --------
    >>> from summeval.elements.trees import tree_relations
    >>> table = read_table("rule\tr13\tby-agent\ty x\tVP < VBN=x < (PP < NP=y)", tree_relations)
    >>> table.rules[0].name, table.rules[0].order
    ('r13', (1, 0))
    """
    named: dict[str, dict[str, frozenset[str]]] = {"group": {}, "words": {}}
    rules: list[Rule] = []
    labels: list[tuple[str, Node]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        keyword, *cells = (cell.strip() for cell in line.split("\t"))
        try:
            if _FIELDS.get(keyword) != len(cells):
                raise ValueError(f"{keyword!r} with {len(cells)} fields between tabs")
            if keyword in named:
                named[keyword][cells[0]] = frozenset(cells[1].split())
            elif keyword not in _OF_EXAMPLES:
                pattern = _Reader(cells[-1], relations, **named).read()
                if keyword == "label":
                    labels.append((cells[0], pattern))
                else:
                    rules.append(Rule(cells[0], _order(cells[2], pattern), pattern))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{place}:{number}: {error}") from None
    return RuleTable(rules, labels)


def bundled(name: str, relations: Callable[[str], object]) -> RuleTable:
    """Read a table of the package."""
    text = (files(__package__) / "data" / name).read_text(encoding="utf-8")
    return read_table(text, relations, name)


def _order(written: str, pattern: Node) -> tuple[int, ...]:
    wanted, names = written.split(), pattern.names()
    if sorted(wanted) != sorted(names):
        raise ValueError(f"order {written!r} of the captures {' '.join(names)!r}")
    return tuple(names.index(name) for name in wanted)


class _Reader:
    """Reads a pattern from left to right; each method advances `_at` past what it reads."""

    def __init__(
        self,
        written: str,
        relations: Callable[[str], object],
        group: dict[str, frozenset[str]],
        words: dict[str, frozenset[str]],
    ) -> None:
        self._written = written
        self._chunks = _CHUNK.findall(written)
        self._at = 0
        self._relations, self._groups, self._words = relations, group, words

    def read(self) -> Node:
        node = self._node()
        if self._at < len(self._chunks):
            self._fail(f"unexpected {self._chunks[self._at]!r} at the end")
        return node

    def _fail(self, problem: str) -> NoReturn:
        raise ValueError(f"pattern {self._written!r}: {problem}")

    def _peek(self) -> str | None:
        return self._chunks[self._at] if self._at < len(self._chunks) else None

    def _next(self) -> str:
        if self._at == len(self._chunks):
            self._fail("it ends too early")
        self._at += 1
        return str(self._chunks[self._at - 1])

    def _node(self) -> Node:
        """Return a node and its relations."""
        node = self._test(self._next())._replace(links=self._links())
        names = node.names()
        if len(set(names)) < len(names):
            self._fail("a name is captured twice")
        return node

    def _links(self) -> tuple[Link, ...]:
        """Relations, up to a closing bracket, a bar or the end."""
        links = []
        while self._peek() not in (")", "]", "|", None):
            links.append(self._link())
        return tuple(links)

    def _link(self) -> Link:
        chunk = self._next()
        if chunk == "[":
            return self._alternatives()
        relation = chunk.removeprefix("!")
        if self._relations(relation) is None:
            self._fail(f"unknown relation {relation!r}")
        if self._peek() == "(":
            self._at += 1
            target = self._node()
            if self._next() != ")":
                self._fail("a bracket is not closed")
        else:
            target = self._test(self._next())
        negated = relation != chunk
        if negated and target.names():
            self._fail(f"{target.names()[0]!r} is captured in a negated node")
        return Link(relation, negated, (target,))

    def _alternatives(self) -> Link:
        ways: list[Node] = []
        closing = "|"
        while closing == "|":
            ways.append(Node(links=self._links()))
            closing = self._next()
        if closing != "]":
            self._fail(f"unknown relation {closing!r}")
        if len({way.names() for way in ways}) > 1:
            self._fail("alternatives capture different names")
        return Link("", False, tuple(ways))

    def _test(self, chunk: str) -> Node:
        found = _NODE.fullmatch(chunk)
        if found is None or chunk in ("(", ")", "[", "]", "|"):
            self._fail(f"{chunk!r} instead of a node")
        negated = found["labels"].startswith("!")
        names = found["labels"].removeprefix("!").split("|")
        if names == ["__"]:
            labels, negated = frozenset[str](), not negated
        else:
            labels = frozenset().union(*(self._groups.get(name, {name}) for name in names))
        words, name = found["words"], found["name"] or ""
        if not words:
            return Node(labels, negated, name=name)
        listed = words.strip("!{}")
        if listed not in self._words:
            self._fail(f"there is no word list {listed!r}")
        return Node(labels, negated, self._words[listed], words.startswith("!"), name)


class Tables:
    """Patterns as the kernel's tables: nodes, their links, the numbers of labels and word lists.

    Parameters
    ----------
    link : callable
        Returns the number of a relation and the numbers of its labels, which it takes from these
        tables; None without a relation.
    """

    def __init__(self, link: Callable[[Tables, str], tuple[int, tuple[int, ...]] | None]) -> None:
        self._relation_of = link
        self.nodes: list[kernel._NodeRow] = []
        self.links: list[kernel._LinkRow] = []
        self.tags: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.lists: list[list[str]] = []
        self._numbers: dict[frozenset[str], int] = {}

    def tag(self, label: str) -> int:
        return self.tags.setdefault(label, len(self.tags) + 1)

    def relation(self, label: str) -> int:
        return self.relations.setdefault(label, len(self.relations) + 1)

    def words(self, entries: frozenset[str]) -> int:
        if entries not in self._numbers:
            self._numbers[entries] = len(self.lists)
            self.lists.append(sorted(entries))
        return self._numbers[entries]

    def of(self, table: RuleTable, **own: Any) -> kernel.Rules:
        """Return the kernel's object for the rules of a table; `own` is what only some have."""
        names = tuple(sorted({rule.name for rule in table.rules}))
        rules = [
            (names.index(rule.name), self.add([rule.pattern]), rule.order) for rule in table.rules
        ]
        own |= {"tags": self.tags, "relations": self.relations, "words": self.lists}
        own |= {"closed": sorted(CLOSED), "verbs": VERBS}
        return kernel.Rules(names, self.nodes, self.links, rules, **own)

    def add(self, nodes: Sequence[Node], depth: int = 1) -> int:
        """Add nodes side by side, with all below them; returns the number of the first."""
        if depth >= kernel.MOST_LEVELS:
            raise ValueError(f"a pattern is deeper than {kernel.MOST_LEVELS} nodes")
        first = len(self.nodes)
        self.nodes += [((), True, -1, False, False, 0, 0, 0)] * len(nodes)
        for number, node in enumerate(nodes, first):
            begin = len(self.links)
            self.links += [(0, (), 0, 0, 0)] * len(node.links)
            for place, link in enumerate(node.links, begin):
                self.links[place] = self._link(link, depth)
            labels = tuple(map(self.tag, sorted(node.labels)))
            words = -1 if node.words is None else self.words(node.words)
            captured = bool(node.name), len(node.names())
            test = labels, node.negated, words, node.words_negated
            self.nodes[number] = (*test, *captured, begin, begin + len(node.links))
        return first

    def _link(self, link: Link, depth: int) -> kernel._LinkRow:
        first = self.add(link.targets, depth + 1)
        last = first + len(link.targets)
        found = self._relation_of(self, link.relation)
        if found is None:
            return 0, (), _ONE_OF, first, last
        return found[0], found[1], _NONE if link.negated else _SOME, first, last
