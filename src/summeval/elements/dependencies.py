"""Dependency parses: reading, conversion to one label scheme, and the relations that rules use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from summeval.annotate.document import head_problem
from summeval.elements.patterns import Candidates, Pattern, Structure
from summeval.elements.rules import Found, Rule, RuleTable, resource

_FIELDS = 5
BE = frozenset("be am is are was were been being 's 're 'm".split())


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


def check_heads(heads: Sequence[int], place: Callable[[int], str]) -> None:
    """Check that every token leads to a root.

    Parameters
    ----------
    heads : sequence of int
        From 0; -1 for a root.
    place : callable
        Returns the name of a token for error messages.

    Raises
    ------
    ValueError
        A head is outside the sentence, or the heads form a cycle.
    """
    found = head_problem(heads)
    if found is None:
        return
    token = found[0]
    if -1 <= heads[token] < len(heads):
        raise ValueError(f"{place(token)}: its heads form a cycle; make one token a root")
    raise ValueError(
        f"{place(token)}: head {heads[token] + 1} in a sentence of {len(heads)} tokens; write 0 for"
        " a root"
    )


def read_rows(rows: Iterable[Any]) -> Iterator[tuple[str, Parse | str]]:
    """Yield the parses of rows `index form tag head label`, and rows that start with #ner.

    Raises
    ------
    TypeError, ValueError
        Missing fields, a wrong index, a head outside the sentence, or a cycle; the message names
        the row.
    """
    sentence: list[tuple[int, str, str, int, str]] = []  # each starts with the number of its row
    for number, row in enumerate(rows):
        place = f"rows[{number}]"
        if isinstance(row, str):
            if row.lstrip().startswith("#"):
                if sentence:
                    yield place, _parse(sentence)
                    sentence = []
                if row.lstrip().startswith("#ner"):
                    yield place, row
                continue
            cells: Sequence[Any] = row.strip("\r\n").split("\t") if "\t" in row else row.split()
        elif isinstance(row, Sequence):
            cells = row
        else:
            raise TypeError(f"{place} is {type(row).__name__}; pass 'index form tag head label'")
        if sentence and (not cells or str(cells[0]).strip() == "1"):
            yield place, _parse(sentence)
            sentence = []
        if cells:
            sentence.append((number, *_cells(cells, place, len(sentence) + 1)))
    if sentence:
        yield f"rows[{sentence[-1][0]}]", _parse(sentence)


def _cells(cells: Sequence[Any], place: str, index: int) -> tuple[str, str, int, str]:
    if len(cells) != _FIELDS:
        raise ValueError(f"{place}: {len(cells)} fields; write 'index form tag head label'")
    form, tag, label = (str(cells[k]).strip() for k in (1, 2, 4))
    try:
        given, head = int(cells[0]), int(cells[3])
    except (TypeError, ValueError):
        raise ValueError(
            f"{place}: index {cells[0]!r}, head {cells[3]!r}; write whole numbers"
        ) from None
    if given != index:
        raise ValueError(f"{place}: index {given} instead of {index}; count from 1")
    if not (form and tag and label):
        raise ValueError(f"{place}: an empty field; write 'index form tag head label'")
    return form, tag, head, label


def _parse(sentence: Sequence[tuple[int, str, str, int, str]]) -> Parse:
    numbers, forms, tags, given, labels = zip(*sentence, strict=True)
    heads = [head - 1 for head in given]
    check_heads(heads, lambda token: f"rows[{numbers[token]}]")
    return Parse(forms, tags, [form.lower() for form in forms], heads, labels)


# Relations: each maps a token to its related tokens.


def _by(labels: frozenset[str], *, first: bool) -> Candidates:
    """Dependents with one of these labels, or only the first such dependent."""

    def below(structure: Structure, token: int) -> Iterable[int]:
        parse = cast(Parse, structure)
        relations = parse.relations
        found = [child for child in parse.children[token] if relations[child] in labels]
        return found[:1] if first else found

    return below


def _of(labels: frozenset[str]) -> Candidates:
    """The head, if the token depends on it by one of these labels."""

    def above(structure: Structure, token: int) -> Iterable[int]:
        parse = cast(Parse, structure)
        head = parse.heads[token]
        return (head,) if head >= 0 and parse.relations[token] in labels else ()

    return above


def _antecedent(structure: Structure, token: int) -> Iterable[int]:
    """The antecedent of the relative clause that contains the token."""
    parse = cast(Parse, structure)
    while token >= 0 and parse.relations[token] != "rcmod":
        token = parse.heads[token]
    return (parse.heads[token],) if token >= 0 and parse.heads[token] >= 0 else ()


_RELATION = re.compile(r"(<|>,?)([a-z][\w:|]*)")


def dependency_relations(written: str) -> Candidates | None:
    """Parse the notation of a relation over dependencies.

    `<nsubj|expl` leads to the head if the token depends on it by one of these labels, `>prep` to
    dependents with that label, `>,conj` to the first of them, `^` to the antecedent of the relative
    clause that the token is in.
    """
    if written == "^":
        return _antecedent
    found = relation_parts(written)
    if found is None:
        return None
    where, labels = found
    return _of(labels) if where == "<" else _by(labels, first=where == ">,")


def relation_parts(written: str) -> tuple[str, frozenset[str]] | None:
    """The direction and the labels of the notation of a relation.

    >>> relation_parts(">,mark")
    ('>,', frozenset({'mark'}))
    """
    found = _RELATION.fullmatch(written)
    return (found[1], frozenset(found[2].split("|"))) if found else None


# Conversion from other dependency schemes to that of the rules.

# Dependents of the clause, not of its predicate: they move to the copula.
CLAUSAL = frozenset("cc discourse mark neg parataxis punct".split())
CLAUSAL_KINDS = ("advcl", "aux", "csubj", "expl", "nsubj")
NEGATIONS = frozenset(("not", "n't", "never"))


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


@dataclass(frozen=True, slots=True)
class Index:
    """The rules of a table, indexed by the labels that their first relation requires."""

    labels: dict[str, list[tuple[str, Pattern]]]
    rules: dict[str, list[Rule]]
    anywhere: list[Rule]


@cache
def index_of(table: RuleTable) -> Index:
    index = Index({}, {}, [])
    for name, pattern in table.labels:
        for label in _wanted(pattern):
            index.labels.setdefault(label, []).append((name, pattern))
    for rule in table.rules:
        wanted = _wanted(rule.pattern)
        if not wanted:
            index.anywhere.append(rule)
        for label in wanted:
            index.rules.setdefault(label, []).append(rule)
    return index


def _wanted(pattern: Pattern) -> list[str]:
    found = _RELATION.fullmatch(pattern.first)
    return found[2].split("|") if found and found[1] == "<" else []


def normalised(table: RuleTable, parse: Parse) -> Parse:
    """Convert a parse to the structure and labels that the rules of the table use."""
    if any(
        relation == "cop" or (relation == "case" and parse.labels[token] != "POS")
        for token, relation in enumerate(parse.relations)
    ):
        parse = _restructured(parse)
    names = index_of(table).labels
    relations = list(parse.relations)
    for token, relation in enumerate(parse.relations):
        for name, pattern in names.get(relation, ()):
            if pattern.match(parse, token):
                relations[token] = name
                break
    return Parse(parse.forms, parse.labels, parse.words, parse.heads, relations)


def find_in_parse(table: RuleTable, parse: Parse) -> Iterator[Found]:
    """The matches of the rules in a parse, token by token; labels may follow any known scheme."""
    index = index_of(table)
    parse = normalised(table, parse)
    for token, relation in enumerate(parse.relations):
        for rule in (*index.anywhere, *index.rules.get(relation, ())):
            for captures in rule.pattern.match(parse, token):
                yield rule.name, tuple([captures[k] for k in rule.order])


@cache
def dependency_rules() -> RuleTable:
    """The bundled dependency rules: those of BEwT-E 0.5.1.

    >>> dependency_rules().rules[0].name
    'r1'
    """
    return resource("dependency_rules.txt", dependency_relations)
