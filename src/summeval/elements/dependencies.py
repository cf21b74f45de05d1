"""Dependency parses: reading rows, and the bundled rules as the tables that the kernel reads.

The conversion of parses to one label scheme and the search are the kernel's; their definition is
tests/definitions/elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from summeval._core.elements import extraction as kernel
from summeval.annotate.document import Sentence, Token, head_problem
from summeval.elements.rules import Node, RuleTable, Tables, bundled

_FIELDS = 5
_RELATION = re.compile(r"(<|>,?)([a-z][\w:|]*)|\^")

BE = frozenset("be am is are was were been being 's 're 'm".split())
NEGATIONS = frozenset(("not", "n't", "never"))
# Dependents of the clause, not of its predicate: they move to the copula.
CLAUSAL = frozenset("cc discourse mark neg parataxis punct".split())
CLAUSAL_KINDS = ("advcl", "aux", "csubj", "expl", "nsubj")

# What the conversion of dependencies names beside the patterns.
_NAMED_RELATIONS = ("cop", "case", "prep", "pobj", "rcmod")
_NAMED_TAGS = ("POS", "WRB")
_DIRECTIONS = ("<", ">", ">,", "^")  # in the kernel's order


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


def read_rows(rows: Iterable[Any]) -> Iterator[tuple[str, Sentence | str]]:
    """Yield the sentences of rows `index form tag head label`, and rows that start with #ner.

    Raises
    ------
    TypeError, ValueError
        Missing fields, a wrong index, a head outside the sentence, or a cycle; the message names
        the row.
    """
    tokens: list[Token] = []
    place = ""
    for number, row in enumerate(rows):
        place = f"rows[{number}]"
        if isinstance(row, str):
            mark = row.lstrip()
            cells: Sequence[Any] = row.strip("\r\n").split("\t") if "\t" in row else row.split()
        elif isinstance(row, Sequence):
            mark, cells = "", row
        else:
            raise TypeError(f"{place} is {type(row).__name__}; pass 'index form tag head label'")
        is_comment = mark.startswith("#")
        if tokens and (is_comment or not cells or str(cells[0]).strip() == "1"):
            yield place, _sentence(tokens, number)
            tokens = []
        if mark.startswith("#ner"):
            yield place, row
        elif cells and not is_comment:
            tokens.append(_token(cells, place, len(tokens) + 1))
    if tokens:
        yield place, _sentence(tokens, number + 1)


def _token(cells: Sequence[Any], place: str, index: int) -> Token:
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
    return Token(form, tag, head=head - 1, label=label)


def _sentence(tokens: Sequence[Token], end: int) -> Sentence:
    """Return the sentence of the rows before `end`."""
    first = end - len(tokens)
    check_heads([token.head for token in tokens], lambda token: f"rows[{first + token}]")
    return Sentence(tuple(tokens))


class Relation(NamedTuple):
    """The direction and the labels of a relation over dependencies."""

    direction: str
    labels: frozenset[str]


def read_relation(written: str) -> Relation | None:
    """Read the notation of a relation; None for another text.

    `<nsubj|expl` leads to the head if the token depends on it by one of these labels, `>prep` to
    dependents with that label, `>,conj` to the first of them, `^` to the antecedent of the relative
    clause that the token is in.

    >>> read_relation(">,mark")
    Relation(direction='>,', labels=frozenset({'mark'}))
    """
    found = _RELATION.fullmatch(written)
    if found is None:
        return None
    return Relation(found[1] or "^", frozenset((found[2] or "").split("|")) - {""})


@cache
def dependency_rules() -> RuleTable:
    """Return the bundled dependency rules: those of BEwT-E 0.5.1.

    >>> dependency_rules().rules[0].name
    'r1'
    """
    return bundled("dependency_rules.txt", read_relation)


def required(pattern: Node) -> list[str]:
    """The labels that the first relation of a pattern requires of the token itself, in order."""
    first = pattern.links[0] if pattern.links else None
    if first is None or first.negated or not first.relation.startswith("<"):
        return []
    return first.relation[1:].split("|")


@cache
def kernel_rules() -> kernel.Rules:
    """Return the kernel's object for the bundled rules.

    >>> kernel_rules().names[:3]
    ('r1', 'r10', 'r11')
    """
    table = dependency_rules()
    tables = Tables(_link)
    be, negations = tables.words(BE), tables.words(NEGATIONS)
    for label in _NAMED_RELATIONS:
        tables.relation(label)
    for tag in _NAMED_TAGS:
        tables.tag(tag)
    renames: dict[int, list[tuple[int, int]]] = {}
    for name, pattern in table.labels:
        for label in required(pattern):
            rename = tables.relation(name), tables.add([pattern])
            renames.setdefault(tables.relation(label), []).append(rename)
    anywhere: list[int] = []
    by_relation: dict[int, list[int]] = {}
    for number, rule in enumerate(table.rules):
        labels = required(rule.pattern)
        for label in labels:
            by_relation.setdefault(tables.relation(label), []).append(number)
        if not labels:
            anywhere.append(number)
    own: dict[str, Any] = {"be": be, "negations": negations, "renames": renames}
    own |= {"clausal": sorted(CLAUSAL), "clausal_kinds": CLAUSAL_KINDS}
    return tables.of(table, by_relation=by_relation, anywhere=anywhere, **own)


def _link(tables: Tables, written: str) -> tuple[int, tuple[int, ...]] | None:
    found = read_relation(written)
    if found is None:
        return None
    labels = tuple(tables.relation(label) for label in sorted(found.labels))
    return _DIRECTIONS.index(found.direction), labels
