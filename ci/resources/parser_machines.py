"""Automata that do what spaCy's regular expressions do in its tokenizer.

Used by parser_tokens.py. Terms of the expressions are derived by characters (Brzozowski 1964), so
that counted repetitions, alternatives and negative lookahead need no search with backtracking: each
automaton reads a character once. A character is the number of its class; see `Alphabet`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from re import _constants as op
from re import _parser as parser  # what `re` reads an expression with
from typing import Any

# Tuples with a kind first: ("none",), ("empty",), ("set", bits of classes), ("then", first, next),
# ("or", terms), ("and", terms), ("not", term), ("many", term).
Term = tuple[Any, ...]
NONE: Term = ("none",)
EMPTY: Term = ("empty",)
CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]
SURROGATES = range(0xD800, 0xE000)
Nodes = list[tuple[Any, Any]]


def parsed(pattern: str) -> Nodes:
    """An expression as `re` reads it."""
    return list(parser.parse(pattern, re.UNICODE))


def charset(node: tuple[Any, Any]) -> str:
    """A set of characters, as an expression for one character."""
    kind, value = node
    if kind is op.LITERAL:
        return f"[{spelt(value)}]"
    if kind is op.NOT_LITERAL:
        return f"[^{spelt(value)}]"
    if kind is op.ANY:
        return "[^\\n]"
    parts = []
    for item, inner in value:
        if item is op.NEGATE:
            parts.append("^")
        elif item is op.LITERAL:
            parts.append(spelt(inner))
        elif item is op.RANGE:
            parts.append(f"{spelt(inner[0])}-{spelt(inner[1])}")
        else:
            parts.append(CATEGORIES[inner])
    return f"[{''.join(parts)}]"


CATEGORIES = {
    op.CATEGORY_DIGIT: "\\d",
    op.CATEGORY_NOT_DIGIT: "\\D",
    op.CATEGORY_SPACE: "\\s",
    op.CATEGORY_NOT_SPACE: "\\S",
    op.CATEGORY_WORD: "\\w",
    op.CATEGORY_NOT_WORD: "\\W",
}


def spelt(code: int) -> str:
    """A character in a set."""
    return f"\\U{code:08x}"


def charsets(nodes: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    """All sets of characters of an expression."""
    for kind, value in nodes:
        if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            yield charset((kind, value))
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from charsets(branch)
        elif kind is op.SUBPATTERN:
            yield from charsets(value[3])
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from charsets(value[1])
        elif kind is op.MAX_REPEAT:
            yield from charsets(value[2])
        elif kind is not op.AT:
            raise ValueError(f"{kind} is not known here")


class Alphabet:
    """Classes of characters that no set and no property tells apart.

    Attributes: `of` has the class of each code point, `masks` the classes of each set as bits,
    `having` those with each property, `blank` those of white space.
    """

    def __init__(self, sets: Iterable[str], properties: dict[str, Callable[[str], bool]]) -> None:
        bits = [0] * len(CHARACTERS)
        text = "".join(CHARACTERS)
        names = sorted(set(sets))
        for number, name in enumerate(names):
            for found in re.finditer(name, text):
                bits[found.start()] |= 1 << number
        for number, has in enumerate(properties.values(), len(names)):
            for code, character in enumerate(CHARACTERS):
                if code not in SURROGATES and has(character):
                    bits[code] |= 1 << number
        numbers: dict[int, int] = {}
        self.of = [numbers.setdefault(one, len(numbers)) for one in bits]
        self.size = len(numbers)

        def classes(number: int) -> int:
            return sum(1 << k for one, k in numbers.items() if one >> number & 1)

        self.masks = {name: classes(number) for number, name in enumerate(names)}
        self.having = {name: classes(number) for number, name in enumerate(properties, len(names))}


def then(first: Term, rest: Term) -> Term:
    """One after the other."""
    if NONE in (first, rest):
        return NONE
    if first == EMPTY:
        return rest
    if rest == EMPTY:
        return first
    if first[0] == "then":
        return ("then", first[1], then(first[2], rest))
    return ("then", first, rest)


def either(terms: Iterable[Term]) -> Term:
    """One of several."""
    found = set()
    for term in terms:
        found |= term[1] if term[0] == "or" else {term}
    found.discard(NONE)
    if ANYTHING in found:
        return ANYTHING
    if len(found) < 2:
        return next(iter(found), NONE)
    return ("or", frozenset(found))


def both(terms: Iterable[Term]) -> Term:
    """All of several."""
    found = set()
    for term in terms:
        found |= term[1] if term[0] == "and" else {term}
    found.discard(ANYTHING)
    if NONE in found:
        return NONE
    if len(found) < 2:
        return next(iter(found), ANYTHING)
    return ("and", frozenset(found))


def negated(term: Term) -> Term:
    """What a term is not."""
    if term[0] == "not":
        return term[1]  # type: ignore[no-any-return]
    return ANYTHING if term == NONE else NONE if term == ANYTHING else ("not", term)


ANYTHING: Term = ("many", ("set", -1))


def nullable(term: Term) -> bool:
    """Whether a term matches the empty string."""
    kind = term[0]
    if kind in ("empty", "many"):
        return True
    if kind == "then":
        return nullable(term[1]) and nullable(term[2])
    if kind == "or":
        return any(map(nullable, term[1]))
    if kind == "and":
        return all(map(nullable, term[1]))
    return kind == "not" and not nullable(term[1])


def derived(term: Term, one: int) -> Term:
    """What must follow a character of class `one`."""
    kind = term[0]
    if kind == "set":
        return EMPTY if term[1] >> one & 1 else NONE
    if kind == "then":
        head = then(derived(term[1], one), term[2])
        return either((head, derived(term[2], one))) if nullable(term[1]) else head
    if kind in ("or", "and"):
        joined = either if kind == "or" else both
        return joined(derived(each, one) for each in term[1])
    if kind == "not":
        return negated(derived(term[1], one))
    # The rest of ANYTHING is itself: its set has every class.
    return then(derived(term[1], one), term) if kind == "many" else NONE


def term_of(nodes: Iterable[tuple[Any, Any]], masks: dict[str, int], rest: Term = EMPTY) -> Term:
    """The term of an expression, before `rest`."""
    for kind, value in reversed(list(nodes)):
        if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            rest = then(("set", masks[charset((kind, value))]), rest)
        elif kind is op.BRANCH:
            rest = either([term_of(branch, masks, rest) for branch in value[1]])
        elif kind is op.SUBPATTERN:
            rest = term_of(value[3], masks, rest)
        elif kind is op.ASSERT_NOT and value[0] == 1:
            rest = both((rest, negated(then(term_of(value[1], masks), ANYTHING))))
        elif kind is op.MAX_REPEAT:
            least, most, inner = value
            each = term_of(inner, masks)
            if most is op.MAXREPEAT:
                rest = then(("many", each), rest)
            else:
                for _ in range(most - least):
                    rest = (
                        either((then(each, rest), rest))
                        if nullable(rest)
                        else (then(either((each, EMPTY)), rest))
                    )
            for _ in range(least):
                rest = then(each, rest)
        elif kind is not op.AT:
            raise ValueError(f"{kind} is not known here")
    return rest


@dataclass
class Machine:
    """An automaton: the first states, and for each state and column of characters a number.

    columns : the column of each class of characters.
    """

    columns: list[int]
    starts: list[int]
    table: list[list[int]] = field(default_factory=list)


def columns_of(alphabet: Alphabet, masks: Iterable[int]) -> list[int]:
    """Classes that none of these sets tells apart have one column."""
    different = sorted(set(masks))
    numbers: dict[tuple[int, ...], int] = {}
    return [
        numbers.setdefault(tuple(mask >> one & 1 for mask in different), len(numbers))
        for one in range(alphabet.size)
    ]


def whole_match(pattern: str, alphabet: Alphabet) -> Machine:
    """Whether an expression matches a string without white space as a whole.

    A number of the table is twice the next state, plus 1 if the string may end after it.
    """
    nodes = parsed(pattern)
    inked = ~alphabet.having["space"]
    masks = {name: mask & inked for name, mask in alphabet.masks.items()}
    everything = (1 << alphabet.size) - 1 & inked
    masks = {name: -1 if mask == everything else mask for name, mask in masks.items()}
    used = [masks[name] for name in charsets(nodes)]
    columns = columns_of(alphabet, [mask for mask in used if mask != -1])
    examples = [columns.index(column) for column in range(max(columns) + 1)]
    numbers: dict[Term, int] = {}
    found = [term_of(nodes, masks)]
    numbers[found[0]] = 0
    table = []
    for term in found:  # grows
        row = []
        for one in examples:
            rest = derived(term, one)
            if rest not in numbers:
                numbers[rest] = len(found)
                found.append(rest)
            row.append(2 * numbers[rest] + nullable(rest))
        table.append(row)
    return least(Machine(columns, [0], table), 1)


def least(machine: Machine, flags: int) -> Machine:
    """The same automaton with as few states as possible; numbers have so many bits of flags."""
    group = [0] * len(machine.table)
    while True:
        keys: dict[tuple[int, ...], int] = {}
        after = []
        for state, row in enumerate(machine.table):
            key = [group[each >> flags] << flags | each & (1 << flags) - 1 for each in row]
            after.append(keys.setdefault((group[state], *key), len(keys)))
        if len(keys) == len(set(group)):
            break
        group = after
    # States in the order in which they are found first; the one that leads nowhere is 0.
    dead = next((k for k, row in enumerate(machine.table) if set(row) == {k << flags}), None)
    order = {} if dead is None else {group[dead]: 0}
    for state in [*machine.starts, *range(len(group))]:
        order.setdefault(group[state], len(order))
    rows: list[list[int]] = [[] for _ in order]
    for state, row in enumerate(machine.table):
        rows[order[group[state]]] = [
            order[group[each >> flags]] << flags | each & (1 << flags) - 1 for each in row
        ]
    return Machine(machine.columns, [order[group[start]] for start in machine.starts], rows)


@dataclass(frozen=True, eq=False)
class Choice:
    """An alternative of an expression: what it matches, between what must stand around it.

    behind : sets of the characters before it, the last one first.
    ahead : set of the next character; `end`: it may also be the end.
    """

    body: tuple[tuple[Any, Any], ...]
    behind: tuple[int, ...]
    ahead: int
    end: bool


def choices(pattern: str, alphabet: Alphabet) -> list[Choice]:
    """The alternatives of an expression, the preferred one first."""
    return [choice(nodes, alphabet) for nodes in alternatives(parsed(pattern))]


def alternatives(nodes: Nodes) -> list[Nodes]:
    """The alternatives at the top of an expression. `re` takes common beginnings out of them."""
    for place, (kind, value) in enumerate(nodes):
        if kind is op.BRANCH:
            return [
                found
                for branch in value[1]
                for found in alternatives([*nodes[:place], *branch, *nodes[place + 1 :]])
            ]
    return [nodes]


def choice(nodes: Nodes, alphabet: Alphabet) -> Choice:
    """An alternative."""
    everything = (1 << alphabet.size) - 1
    behind: list[int] = []
    ahead, end = everything, True
    body = []
    for kind, value in nodes:
        if kind is op.AT:
            continue
        if kind is op.ASSERT and value[0] == -1 and not body:
            behind = [alphabet.masks[charset(node)] for node in reversed(list(value[1]))]
        elif kind in (op.ASSERT, op.ASSERT_NOT) and value[0] == 1 and len(value[1]) == 1:
            mask = alphabet.masks[charset(value[1][0])]
            ahead, end = (mask, False) if kind is op.ASSERT else (everything & ~mask, True)
        else:
            body.append((kind, value))
    return Choice(tuple(body), tuple(behind), ahead, end)


def masks_of(chosen: Iterable[Choice], alphabet: Alphabet) -> list[int]:
    """The sets that alternatives look at."""
    found = [each.ahead for each in chosen] + [mask for each in chosen for mask in each.behind]
    return found + [alphabet.masks[name] for each in chosen for name in charsets(each.body)]


def first_match(pattern: str, alphabet: Alphabet) -> Machine:
    """The match at a place: the first alternative that matches, as long as it can be.

    A start state for each column of the character before the place, and one for the beginning; the
    last column is the end of the string. A number of the table is twice the next state, plus 1 if a
    match ends before the character. Later matches are better ones; state 0 leads nowhere.
    """
    found = choices(pattern, alphabet)
    columns = columns_of(alphabet, masks_of(found, alphabet))
    examples = [columns.index(column) for column in range(max(columns) + 1)]
    terms = {each: term_of(each.body, alphabet.masks) for each in found}
    Items = tuple[tuple[Term, int, bool], ...]

    def items(before: int | None) -> Items:
        return tuple(
            (terms[each], each.ahead, each.end)
            for each in found
            if not each.behind
            or (before is not None and len(each.behind) == 1 and each.behind[0] >> before & 1)
        )

    starts = [items(before) for before in (*examples, None)]
    numbers: dict[Items, int] = {(): 0}
    states: list[Items] = [()]

    def number(state: Items) -> int:
        if state not in numbers:
            numbers[state] = len(states)
            states.append(state)
        return numbers[state]

    machine = Machine(columns, [number(state) for state in starts])
    for state in states:  # grows
        row = []
        for one in (*examples, None):
            kept, matched = [], 0
            for term, ahead, end in state:
                if one is not None and (rest := derived(term, one)) != NONE:
                    kept.append((rest, ahead, end))
                if nullable(term) and (end if one is None else ahead >> one & 1):
                    matched = 1
                    break
            row.append(2 * number(tuple(kept)) + matched)
        machine.table.append(row)
    return least(machine, 1)


def last_match(pattern: str, alphabet: Alphabet) -> Machine:
    """The longest match at the end of a string, which is read backwards.

    A number of the table is four times the next state, plus 1, 2 or 3 if a match is known to begin
    0, 1 or 2 characters after this one; state 0 leads nowhere.
    """
    found = choices(pattern, alphabet)
    columns = columns_of(alphabet, masks_of(found, alphabet))
    examples = [columns.index(column) for column in range(max(columns) + 1)]
    # What an alternative still needs: its body backwards, or after it (None) sets behind.
    Items = frozenset[tuple[Term | None, tuple[int, ...], int]]
    start: Items = frozenset(
        (term_of(backwards(each.body), alphabet.masks), each.behind, 0) for each in found
    )
    numbers: dict[Items, int] = {frozenset(): 0, start: 1}
    states: list[Items] = [frozenset(), start]
    machine = Machine(columns, [1])
    for state in states:  # grows
        row = []
        for one in examples:
            kept: set[tuple[Term | None, tuple[int, ...], int]] = set()
            known = []
            for term, behind, passed in state:
                if term is None:
                    if behind[0] >> one & 1:
                        if len(behind) == 1:
                            known.append(passed + 1)
                        else:
                            kept.add((None, behind[1:], passed + 1))
                    continue
                rest = derived(term, one)
                if rest != NONE:
                    kept.add((rest, behind, 0))
                if nullable(rest):
                    if behind:
                        kept.add((None, behind, 0))
                    else:
                        known.append(0)
            after: Items = frozenset(kept)
            if after not in numbers:
                numbers[after] = len(states)
                states.append(after)
            row.append(4 * numbers[after] + (min(known) + 1 if known else 0))
        machine.table.append(row)
    return least(machine, 2)


def backwards(nodes: Iterable[tuple[Any, Any]]) -> Nodes:
    """An expression for the same strings read backwards; one without sequences in repetitions."""
    found = []
    for kind, value in reversed(list(nodes)):
        if kind is op.SUBPATTERN:
            found.append((kind, (*value[:3], backwards(value[3]))))
        elif kind is op.BRANCH:
            found.append((kind, (value[0], [backwards(branch) for branch in value[1]])))
        else:
            assert kind in (op.LITERAL, op.NOT_LITERAL, op.IN, op.MAX_REPEAT), kind
            found.append((kind, value))
    return found
