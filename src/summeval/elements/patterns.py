"""The pattern language of the rules of Basic Elements, over trees and dependency parses.

It is a subset of Tregex (Levy and Andrew 2006), with word lists and group names added::

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
capitals that the rule table declares as a group means the labels of the group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn, Protocol

# The captures of a node: one tuple of nodes for each way to match. FOUND: a match without captures.
Captures = Sequence[tuple[int, ...]]
NOTHING: Captures = ()
FOUND: Captures = ((),)


class Structure(Protocol):
    """The structure searched: nodes from 0, each with a label and a (head) word in lower case."""

    @property
    def labels(self) -> Sequence[str]:
        """The category or part of speech of each node."""

    @property
    def words(self) -> Sequence[str]:
        """The word of each node, in lower case."""


Matcher = Callable[[Structure, int], Captures]
# Maps a node to its related nodes.
Candidates = Callable[[Structure, int], Iterable[int]]
# Parses the notation of a relation; None if there is no such relation.
Relations = Callable[[str], Candidates | None]

_CHUNK = re.compile(r"[^\s()\[\]]*\+\([^)\s]*\)|[()\[\]]|[^\s()\[\]]+")
_NODE = re.compile(r"(?P<labels>!?[^={}]+?)(?P<words>!?\{\w+\})?(?:=(?P<name>\w+))?")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names that patterns may use.

    Attributes
    ----------
    groups : mapping of str to frozenset of str
        Labels of each group.
    words : mapping of str to frozenset of str
        Words of each list, in lower case; `*ing` matches every word that ends in ing.
    """

    groups: Mapping[str, frozenset[str]]
    words: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern.

    Attributes
    ----------
    match : callable
        Takes a structure and one of its nodes; returns, for each way in which the pattern matches
        at that node, the captured nodes in the order of `names`.
    names : tuple of str
    labels : frozenset of str or None
        Possible labels of the first node; None if any label is possible.
    first : str
        The notation of that node's first relation; empty if it has none.
    needs : tuple of frozenset of str
        The pattern can match only if, for each of these sets, some node has a label in it.
    form : Node
        The same as data, for the kernel.
    """

    match: Matcher
    names: tuple[str, ...]
    labels: frozenset[str] | None
    first: str
    needs: tuple[frozenset[str], ...]
    form: Node


class Node(NamedTuple):
    """A node of a pattern as data.

    Attributes
    ----------
    labels : frozenset of str
    negated : bool
        Whether `labels` are those refused.
    words : frozenset of str, or None
        The list of words; None for any word.
    words_negated : bool
    captured : bool
    links : tuple of Link
    """

    labels: frozenset[str] = frozenset()
    negated: bool = True
    words: frozenset[str] | None = None
    words_negated: bool = False
    captured: bool = False
    links: tuple[Link, ...] = ()


class Link(NamedTuple):
    """A condition of a node as data: `relation` leads to the one target (or must not).

    Without a relation, one of the `targets` holds at the node itself.
    """

    relation: str
    negated: bool
    targets: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    match: Matcher
    names: tuple[str, ...]
    form: tuple[Any, ...]  # a Node or a Link
    needs: frozenset[frozenset[str]] = frozenset()


def compile_pattern(written: str, relations: Relations, vocabulary: Vocabulary) -> Pattern:
    """Compile a pattern, so that it can be matched often.

    Raises
    ------
    ValueError
        The pattern is malformed; the message says where.
    """
    return _Reader(written, relations, vocabulary).read()


class _Reader:
    """Reads a pattern from left to right; each method advances `_at` past what it reads."""

    def __init__(self, written: str, relations: Relations, vocabulary: Vocabulary) -> None:
        self._written = written
        self._chunks = _CHUNK.findall(written)
        self._at = 0
        self._relations = relations
        self._vocabulary = vocabulary

    def read(self) -> Pattern:
        first = self._chunks[1] if len(self._chunks) > 1 else ""
        part = self._node()
        if self._at < len(self._chunks):
            self._fail(f"unexpected {self._chunks[self._at]!r} at the end")
        test, _ = self._test(self._chunks[0])
        labels = None if test.negated else test.labels
        return Pattern(part.match, part.names, labels, first, tuple(part.needs), part.form)  # type: ignore[arg-type]

    def _fail(self, problem: str) -> NoReturn:
        raise ValueError(f"pattern {self._written!r}: {problem}")

    def _next(self) -> str:
        if self._at == len(self._chunks):
            self._fail("it ends too early")
        self._at += 1
        return str(self._chunks[self._at - 1])

    def _node(self) -> _Part:
        """A node and its relations, up to a closing bracket, a bar or the end."""
        test, name = self._test(self._next())
        parts = []
        while self._at < len(self._chunks) and self._chunks[self._at] not in (")", "]", "|"):
            parts.append(self._relation())
        names = tuple(name for part in parts for name in part.names)
        if name:
            names = (name, *names)
        if len(set(names)) < len(names):
            self._fail("a name is captured twice")
        matcher = _node(test, bool(name), [part.match for part in parts])
        form = test.form(bool(name), parts)
        return _Part(matcher, names, form, test.needs.union(*(part.needs for part in parts)))

    def _operand(self) -> _Part:
        if self._at < len(self._chunks) and self._chunks[self._at] == "(":
            self._at += 1
            part = self._node()
            if self._next() != ")":
                self._fail("a bracket is not closed")
            return part
        test, name = self._test(self._next())
        matcher = _node(test, bool(name), [])
        return _Part(matcher, (name,) if name else (), test.form(bool(name), ()), test.needs)

    def _relation(self) -> _Part:
        chunk = self._next()
        if chunk == "[":
            return self._alternatives()
        wanted = chunk.removeprefix("!")
        candidates = self._relations(wanted)
        if candidates is None:
            self._fail(f"unknown relation {wanted!r}")
        part = self._operand()
        form = Link(wanted, wanted != chunk, (part.form,))  # type: ignore[arg-type]
        if wanted == chunk:
            return _Part(_related(candidates, part), part.names, form, part.needs)
        if part.names:
            self._fail(f"{part.names[0]!r} is captured in a negated node")
        return _Part(_unrelated(candidates, part.match), (), form)

    def _alternatives(self) -> _Part:
        ways: list[_Part] = []
        closing = "|"
        while closing == "|":
            parts = []
            while self._at < len(self._chunks) and self._chunks[self._at] not in ("|", "]"):
                parts.append(self._relation())
            names = tuple(name for part in parts for name in part.names)
            form = Node(links=tuple(part.form for part in parts))  # type: ignore[misc]
            ways.append(_Part(_node(None, False, [part.match for part in parts]), names, form))
            closing = self._next()
        if len({way.names for way in ways}) > 1:
            self._fail("alternatives capture different names")
        link = Link("", False, tuple(way.form for way in ways))  # type: ignore[misc]
        return _Part(_one_of([way.match for way in ways]), ways[0].names, link)

    def _test(self, chunk: str) -> tuple[_Test, str]:
        found = _NODE.fullmatch(chunk)
        if found is None or chunk in ("(", ")", "[", "]", "|"):
            self._fail(f"{chunk!r} instead of a node")
        labels, negated = self._labels(found["labels"])
        words, name = found["words"], found["name"] or ""
        if not words:
            return _Test(labels, negated), name
        listed = words.strip("!{}")
        if listed not in self._vocabulary.words:
            self._fail(f"there is no word list {listed!r}")
        entries = self._vocabulary.words[listed]
        ends = tuple(entry[1:] for entry in entries if entry.startswith("*"))
        return _Test(labels, negated, entries, ends, words.startswith("!")), name

    def _labels(self, written: str) -> tuple[frozenset[str], bool]:
        """The accepted labels, or (True) the rejected ones."""
        negated = written.startswith("!")
        names = written.removeprefix("!").split("|")
        if names == ["__"]:
            return frozenset(), not negated
        groups = self._vocabulary.groups
        return frozenset().union(*(groups.get(name, {name}) for name in names)), negated


@dataclass(frozen=True, slots=True)
class _Test:
    """Whether a node's label and word are accepted."""

    labels: frozenset[str]
    negated: bool
    words: frozenset[str] | None = None
    ends: tuple[str, ...] = ()
    words_negated: bool = False

    @property
    def needs(self) -> frozenset[frozenset[str]]:
        """The set of labels that contains the node's label."""
        return frozenset() if self.negated else frozenset((self.labels,))

    def form(self, captured: bool, parts: Sequence[_Part]) -> Node:
        """The node that passes the test and has all of these relations, as data."""
        links = tuple(part.form for part in parts)
        return Node(self.labels, self.negated, self.words, self.words_negated, captured, links)  # type: ignore[arg-type]

    def word_holds(self, word: str) -> bool:
        assert self.words is not None
        listed = word in self.words or (bool(self.ends) and word.endswith(self.ends))
        return listed is not self.words_negated


def _node(test: _Test | None, captured: bool, relations: Sequence[Matcher]) -> Matcher:
    """A node that passes the test and has all of these relations."""
    labels, negated = (test.labels, test.negated) if test else (frozenset[str](), True)
    word_holds = test.word_holds if test and test.words is not None else None

    def match(structure: Structure, node: int) -> Captures:
        if (structure.labels[node] in labels) is negated:
            return NOTHING
        if word_holds and not word_holds(structure.words[node]):
            return NOTHING
        found: Captures = ((node,),) if captured else FOUND
        for relation in relations:
            more = relation(structure, node)
            if not more:
                return NOTHING
            if found is FOUND:
                found = more
            elif more is not FOUND:
                found = [mine + theirs for mine in found for theirs in more]
        return found

    return match


def _related(candidates: Candidates, part: _Part) -> Matcher:
    """Some related node matches: try all if the node captures, else stop at the first match."""
    inner = part.match

    def match_first(structure: Structure, node: int) -> Captures:
        for other in candidates(structure, node):
            if inner(structure, other):
                return FOUND
        return NOTHING

    def match_all(structure: Structure, node: int) -> Captures:
        found: list[tuple[int, ...]] = []
        for other in candidates(structure, node):
            found.extend(inner(structure, other))
        return found

    return match_all if part.names else match_first


def _unrelated(candidates: Candidates, inner: Matcher) -> Matcher:
    def match(structure: Structure, node: int) -> Captures:
        for other in candidates(structure, node):
            if inner(structure, other):
                return NOTHING
        return FOUND

    return match


def _one_of(ways: Sequence[Matcher]) -> Matcher:
    def match(structure: Structure, node: int) -> Captures:
        found = [way(structure, node) for way in ways]
        if FOUND in found:
            return FOUND
        return [captures for some in found for captures in some]

    return match
