"""Basic Elements of dependency parses: conversion to one label scheme, search, elements.

Source: BEwT-E 0.5.1 (Tratz and Hovy 2008). Labels may be those of Stanford's basic dependencies, of
CLEAR (spaCy) or of Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from definitions.elements.patterns import Candidates, Matcher, matcher
from definitions.elements.units import Words, elements_of
from summeval.annotate.coreference import Chains
from summeval.annotate.document import Document, Sentence
from summeval.elements.dependencies import (
    BE,
    CLAUSAL,
    CLAUSAL_KINDS,
    NEGATIONS,
    check_heads,
    dependency_rules,
    read_relation,
    required,
)
from summeval.elements.elements import Element, Placed, covering_of
from summeval.elements.extraction import slices
from summeval.elements.rules import Rule, RuleTable

Found = tuple[str, tuple[int, ...]]  # the name of a rule, and the tokens that it found


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence and its dependencies; the nodes of patterns are its tokens, from 0.

    Attributes
    ----------
    forms : sequence of str
    labels : sequence of str
        Parts of speech of the Penn Treebank; in patterns these are the node labels.
    words : sequence of str
        Forms in lower case; for a contracted verb ('s) its lemma if known.
    heads : sequence of int
        -1 for a root.
    relations : sequence of str
        The label of each token's dependency on its head.
    """

    forms: Sequence[str]
    labels: Sequence[str]
    words: Sequence[str]
    heads: Sequence[int]
    relations: Sequence[str]
    children: Sequence[Sequence[int]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.heads]
        for token, head in enumerate(self.heads):
            if head >= 0:
                below[head].append(token)
        object.__setattr__(self, "children", below)

    @classmethod
    def of(cls, sentence: Sentence, number: int = 1) -> Parse:
        """The parse of a sentence; ValueError if it has none."""
        tokens, place = sentence.tokens, f"sentence {number}"
        if tokens and not any(token.label for token in tokens):
            raise ValueError(
                f'{place}: no dependencies; annotate with a parser or pass rules="trees"'
            )
        heads = [token.head for token in tokens]
        check_heads(heads, lambda token: f"{place}, token {token + 1}")
        # A contracted verb ('s) is ambiguous; its lemma is not.
        words = [
            (token.lemma if token.form[:1] in "'’" and token.lemma else token.form).lower()
            for token in tokens
        ]
        forms, tags = [token.form for token in tokens], [token.tag for token in tokens]
        return cls(forms, tags, words, heads, [token.label for token in tokens])


# Relations: each maps a token to its related tokens.


def _by(labels: frozenset[str], *, first: bool) -> Candidates:
    """Dependents with one of these labels, or only the first such dependent."""

    def below(parse: Parse, token: int) -> Iterable[int]:
        relations = parse.relations
        found = [child for child in parse.children[token] if relations[child] in labels]
        return found[:1] if first else found

    return below


def _of(labels: frozenset[str]) -> Candidates:
    """The head, if the token depends on it by one of these labels."""

    def above(parse: Parse, token: int) -> Iterable[int]:
        head = parse.heads[token]
        return (head,) if head >= 0 and parse.relations[token] in labels else ()

    return above


def _antecedent(parse: Parse, token: int) -> Iterable[int]:
    """The antecedent of the relative clause that contains the token."""
    while token >= 0 and parse.relations[token] != "rcmod":
        token = parse.heads[token]
    return (parse.heads[token],) if token >= 0 and parse.heads[token] >= 0 else ()


def dependency_relations(written: str) -> Candidates | None:
    """The related tokens that the notation of a relation means."""
    found = read_relation(written)
    if found is None:
        return None
    if found.direction == "^":
        return _antecedent
    if found.direction == "<":
        return _of(found.labels)
    return _by(found.labels, first=found.direction == ">,")


# Conversion from other dependency schemes to that of the rules.


def _restructured(parse: Parse) -> Parse:
    """Convert a parse so that copulas and prepositions are heads, not dependents."""
    heads, relations = list(parse.heads), list(parse.relations)
    for token, relation in enumerate(parse.relations):
        if relation == "cop" and parse.words[token] in BE and heads[token] >= 0:
            _raise_copula(token, parse, heads, relations)
    for token, relation in enumerate(parse.relations):
        noun = heads[token]
        if relation == "case" and parse.labels[token] != "POS" and noun >= 0:
            if relations[noun].startswith("nmod:poss") or relations[noun] == "pobj":
                continue  # the first of several prepositions becomes the head
            heads[token], heads[noun] = heads[noun], token
            relations[token], relations[noun] = "prep", "pobj"
    return Parse(parse.forms, parse.labels, parse.words, heads, relations)


def _raise_copula(copula: int, parse: Parse, heads: list[int], relations: list[str]) -> None:
    """Make a copula the head of its predicate."""
    predicate = heads[copula]
    if parse.words[predicate] in BE:
        return  # the label already describes the predicate
    heads[copula], heads[predicate] = heads[predicate], copula
    relations[copula], relations[predicate] = relations[predicate], "cop"
    for child in parse.children[predicate]:
        moves = relations[child] in CLAUSAL or relations[child].startswith(CLAUSAL_KINDS)
        if (
            child != copula
            and heads[child] == predicate
            and (moves or parse.labels[child] == "WRB" or parse.words[child] in NEGATIONS)
        ):
            heads[child] = copula


class _Index(NamedTuple):
    """The matchers of a table by the label that a token must have for them; "" is for any."""

    labels: dict[str, list[tuple[str, Matcher]]]
    rules: dict[str, list[tuple[Rule, Matcher]]]


@cache
def _index(table: RuleTable) -> _Index:
    index = _Index({}, {})
    for name, pattern in table.labels:
        match = matcher(pattern, dependency_relations)
        for label in required(pattern):
            index.labels.setdefault(label, []).append((name, match))
    for rule in table.rules:
        match = matcher(rule.pattern, dependency_relations)
        for label in required(rule.pattern) or [""]:
            index.rules.setdefault(label, []).append((rule, match))
    return index


def normalised(table: RuleTable, parse: Parse) -> Parse:
    """Convert a parse to the structure and labels that the rules of the table use."""
    if any(
        relation == "cop" or (relation == "case" and parse.labels[token] != "POS")
        for token, relation in enumerate(parse.relations)
    ):
        parse = _restructured(parse)
    names = _index(table).labels
    relations = list(parse.relations)
    for token, relation in enumerate(parse.relations):
        for name, match in names.get(relation, ()):
            if match(parse, token):
                relations[token] = name
                break
    return Parse(parse.forms, parse.labels, parse.words, parse.heads, relations)


def find_in_parse(table: RuleTable, parse: Parse) -> Iterator[Found]:
    """The matches of the rules in a parse, token by token."""
    parse = normalised(table, parse)
    rules = _index(table).rules
    for token, relation in enumerate(parse.relations):
        for rule, match in (*rules.get("", ()), *(rules.get(relation, ()) if relation else ())):
            for captures in match(parse, token):
                yield rule.name, tuple([captures[k] for k in rule.order])


def placed(document: Document, chains: Chains = ()) -> list[Placed]:
    """The elements of a parsed document with the tokens of their parts, sorted in each sentence."""
    covering, written = covering_of(document, chains), slices(document)
    found: list[Placed] = []
    for number, sentence in enumerate(document.sentences):
        parse = Parse.of(sentence, number + 1)
        words = Words(parse.forms, parse.labels, document.starts[number])
        here = elements_of(words, find_in_parse(dependency_rules(), parse), covering, written)
        found += sorted(here, key=lambda one: str(one.element))
    return found


def extract(document: Document, chains: Chains = ()) -> list[Element]:
    """The elements of a parsed document."""
    return [found.element for found in placed(document, chains)]
