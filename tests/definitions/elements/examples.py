"""The examples that stand beside the rules of Basic Elements in their tables."""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple

from summeval.elements.rules import Rule, RuleTable


class Example(NamedTuple):
    """An example of a rule: the input and the elements found in it."""

    rule: Rule
    given: str
    found: tuple[str, ...]


def examples(name: str, table: RuleTable) -> list[Example]:
    """The examples of a table of the package, which was read from the file of this name."""
    text = (files("summeval.elements") / "data" / name).read_text(encoding="utf-8")
    found: list[Example] = []
    rules = iter(table.rules)
    for line in text.splitlines():
        keyword, *cells = (cell.strip() for cell in line.split("\t"))
        if keyword == "rule":
            rule = next(rules)
        elif keyword == "in":
            given = cells[0]
        elif keyword == "out":
            elements = () if cells[0] == "nothing" else tuple(cells[0].split(" ; "))
            found.append(Example(rule, given, elements))
    return found
