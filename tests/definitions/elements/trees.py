"""The rules of Basic Elements over phrase structure trees: relations of nodes, the search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from definitions.elements.patterns import Candidates, Matcher, matcher
from definitions.elements.units import Words, elements_of
from summeval.annotate.coreference import Chains
from summeval.annotate.document import Document
from summeval.elements.elements import Placed, covering_of
from summeval.elements.extraction import slices
from summeval.elements.rules import Rule, RuleTable
from summeval.elements.trees import RELATIONS, Tree, read_tree, tree_relations, tree_rules

# The name of a rule, and the tokens that it found, as positions in the sentence.
Found = tuple[str, tuple[int, ...]]


def _sisters(tree: Any, node: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sisters of a node before it, and those after it."""
    parent = tree.parents[node]
    family = tree.children[parent] if parent >= 0 else [node]
    position = family.index(node)
    return family[:position], family[position + 1 :]


def _above(tree: Any, node: int) -> Iterator[int]:
    while (node := tree.parents[node]) >= 0:
        yield node


def _headed(tree: Any, node: int) -> Sequence[int]:
    parent = tree.parents[node]
    return (parent,) if parent >= 0 and tree.heads[parent] == node else ()


def _below(through: frozenset[str] | None = None) -> Candidates:
    """The descendants of a node, or those separated from it only by nodes of these categories."""

    def below(tree: Any, node: int) -> Iterator[int]:
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


def related(written: str) -> Candidates | None:
    """The related nodes that the notation of a relation means."""
    found = tree_relations(written)
    if found is None:
        return None
    return _below(found[1]) if found[0] == len(RELATIONS) else _RELATIONS[written]


@cache
def _compiled(table: RuleTable) -> list[tuple[Rule, Matcher]]:
    return [(rule, matcher(rule.pattern, related)) for rule in table.rules]


class _Searched:
    """A tree as patterns search it."""

    def __init__(self, tree: Tree) -> None:
        self.labels, self.parents = tree.labels, tree.parents
        self.children, self.heads = tree.children, tree.heads
        self.words = [tree.forms[position].lower() for position in tree.head_tokens]


def find_in_tree(table: RuleTable, tree: Tree) -> Iterator[Found]:
    """Yield the matches of the rules in a tree, in rule order; a phrase becomes its head word."""
    searched = _Searched(tree)
    for rule, match in _compiled(table):
        for node in range(len(tree.labels)):
            for captures in match(searched, node):
                yield rule.name, tuple([tree.head_tokens[captures[k]] for k in rule.order])


def placed(document: Document, chains: Chains = ()) -> list[Placed]:
    """The elements of a document of trees with the tokens of their parts."""
    trees = [read_tree(sentence.tree or "") for sentence in document.sentences]
    if not {"AUX", "AUXG"} & {label for tree in trees for label in tree.labels}:
        trees = [tree.retagged() for tree in trees]
    covering, written = covering_of(document, chains), slices(document)
    found: list[Placed] = []
    start = 0
    for tree in trees:
        words = Words(tree.forms, [tree.labels[node] for node in tree.tokens], start)
        found += elements_of(words, find_in_tree(tree_rules(), tree), covering, written)
        start += len(tree.tokens)
    return found
