"""The bundled rules of Basic Elements as the tables that the kernel reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from summeval._core.elements import extraction as kernel
from summeval.elements.assembly import CLOSED, VERBS
from summeval.elements.dependencies import (
    BE,
    CLAUSAL,
    CLAUSAL_KINDS,
    NEGATIONS,
    dependency_rules,
    index_of,
    relation_parts,
)
from summeval.elements.patterns import Link, Node, Pattern
from summeval.elements.rules import Rule

# What the conversion of dependencies names beside the patterns.
_NAMED_RELATIONS = ("cop", "case", "prep", "pobj", "rcmod")
_NAMED_TAGS = ("POS", "WRB")
_HEAD, _DEPENDENT, _FIRST, _ANTECEDENT = range(4)
_DIRECTIONS = {"<": _HEAD, ">": _DEPENDENT, ">,": _FIRST}
_SOME, _NONE, _ONE_OF = range(3)


@cache
def rules() -> kernel.Rules:
    """The kernel's object for the bundled rules over dependencies.

    >>> rules().names[:3]
    ('r1', 'r10', 'r11')
    """
    table = dependency_rules()
    tables = _Tables(_dependency_relation)
    be, negations = tables.words(BE), tables.words(NEGATIONS)
    for label in _NAMED_RELATIONS:
        tables.relation(label)
    for tag in _NAMED_TAGS:
        tables.tag(tag)
    index = index_of(table)
    renames = {
        label: [(tables.relation(name), tables.add([pattern.form])) for name, pattern in patterns]
        for label, patterns in index.labels.items()
    }
    numbers = {id(rule): number for number, rule in enumerate(table.rules)}
    names = tuple(sorted({rule.name for rule in table.rules}))
    written = [tables.rule(rule, names) for rule in table.rules]
    return kernel.Rules(
        names,
        tables.nodes,
        tables.links,
        written,
        tags=tables.tags,
        relations=tables.relations,
        words=tables.lists,
        closed=sorted(CLOSED),
        verbs=VERBS,
        clausal=sorted(CLAUSAL),
        clausal_kinds=CLAUSAL_KINDS,
        be=be,
        negations=negations,
        renames={tables.relation(label): found for label, found in renames.items()},
        by_relation={
            tables.relation(label): [numbers[id(rule)] for rule in found]
            for label, found in index.rules.items()
        },
        anywhere=[numbers[id(rule)] for rule in index.anywhere],
    )


class _Tables:
    """Patterns as flat tables: nodes, their links, and the numbers of labels and word lists.

    Parameters
    ----------
    relation : callable
        Of these tables and the notation of a relation: its number, and the numbers of its labels.
    """

    def __init__(self, relation: Callable[[_Tables, str], tuple[int, list[int]]]) -> None:
        self.nodes: list[kernel._NodeRow] = []
        self.links: list[kernel._LinkRow] = []
        self.tags: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.lists: list[list[str]] = []
        self._numbers: dict[frozenset[str], int] = {}
        self._relation = relation

    def tag(self, label: str) -> int:
        return self.tags.setdefault(label, len(self.tags) + 1)

    def relation(self, label: str) -> int:
        return self.relations.setdefault(label, len(self.relations) + 1)

    def words(self, entries: frozenset[str]) -> int:
        if entries not in self._numbers:
            self._numbers[entries] = len(self.lists)
            self.lists.append(sorted(entries))
        return self._numbers[entries]

    def rule(self, rule: Rule, names: Sequence[str]) -> tuple[int, int, tuple[int, ...]]:
        """The place of its name, its pattern, and the order of the captures."""
        return names.index(rule.name), self.pattern(rule.pattern), rule.order

    def pattern(self, pattern: Pattern) -> int:
        return self.add([pattern.form])

    def add(self, nodes: Sequence[Node], depth: int = 1) -> int:
        """Add nodes side by side, with all below them; returns the number of the first."""
        if depth >= kernel.MOST_LEVELS:
            raise ValueError(f"a pattern is deeper than {kernel.MOST_LEVELS} nodes")
        first = len(self.nodes)
        self.nodes += [((), True, -1, False, False, 0, 0, 0)] * len(nodes)
        for number, node in enumerate(nodes, first):
            begin = len(self.links)
            self.links += [(0, (), 0, 0, 0)] * len(node.links)
            captures = int(node.captured)
            for place, link in enumerate(node.links, begin):
                self.links[place] = found = self._link(link, depth)
                captures += 0 if link.negated else self.nodes[found[3]][5]
            words = -1 if node.words is None else self.words(node.words)
            self.nodes[number] = (
                tuple(self.tag(label) for label in sorted(node.labels)),
                node.negated,
                words,
                node.words_negated,
                node.captured,
                captures,
                begin,
                begin + len(node.links),
            )
        return first

    def _link(self, link: Link, depth: int) -> kernel._LinkRow:
        first = self.add(link.targets, depth + 1)
        last = first + len(link.targets)
        if not link.relation:
            return 0, (), _ONE_OF, first, last
        relation, labels = self._relation(self, link.relation)
        return relation, tuple(labels), _NONE if link.negated else _SOME, first, last


def _dependency_relation(tables: _Tables, written: str) -> tuple[int, list[int]]:
    if written == "^":
        return _ANTECEDENT, []
    found = relation_parts(written)
    assert found is not None  # the pattern was read
    where, labels = found
    return _DIRECTIONS[where], [tables.relation(label) for label in sorted(labels)]
