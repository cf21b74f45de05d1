"""An explanation as text: with colours for a terminal, without for anything else."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING

from summeval._problem import printable
from summeval.metrics.run.explain.marks import Mark, Text, marked_texts

if TYPE_CHECKING:
    from summeval.metrics.run.explain.item import ExplainedItem, Told

AROUND = 24  # characters on each side of a span in what is printed
MOST_WORDS = 40  # of what is missing or extra
_STYLES = {"match": "1;32", "missing": "31", "extra": "90"}  # bold green, red, grey
_END = "\x1b[0m"


def as_text(told: Told, colour: bool | None = None, indent: str = "") -> str:
    """An explanation, a line for each item that adds something; then what does not.

    With colours the texts come first: words of both sides bold and green, words that the candidate
    lacks red, and its own grey.
    """
    coloured = wants_colour() if colour is None else colour
    lines = [f"{told.metric} {told.value:.4f}"]
    if coloured:
        lines += _texts(told)
    idle: dict[str, list[str]] = {"missing": [], "extra": []}
    for item in told.items:
        if item.share == 0 and item.kind in idle:
            idle[item.kind].append(shown(item.text))
        else:
            lines.append(_line(told, item))
    for kind, words in idle.items():
        if words:
            rest = f", and {len(words) - MOST_WORDS} more" * (len(words) > MOST_WORDS)
            said = ", ".join(words[:MOST_WORDS]) + rest
            lines.append(f"  {kind}: {_painted(said, kind) if coloured else said}")
    lines = [indent + line for line in lines]
    return "\n".join([*lines, *(as_text(part, coloured, indent + "  ") for part in told.parts)])


def wants_colour() -> bool:
    """Whether standard output shows colours.

    FORCE_COLOR says yes and NO_COLOR no, if they are not empty; otherwise a terminal does.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    out = sys.stdout
    return out is not None and out.isatty() and os.environ.get("TERM") != "dumb"


def shown(text: str) -> str:
    r"""A text on one line, with escapes for characters that move the cursor or change colours.

    >>> print(shown("a\n b\x1b[31mc"))
    a b\x1b[31mc
    """
    return printable(" ".join(text.split()))


def around(text: str, begin: int, end: int) -> str:
    """A span with a few characters of what is around it."""
    before = text[max(0, begin - AROUND) : begin]
    after = text[end : end + AROUND]
    if begin > AROUND:  # begin and end with whole words
        before = before.partition(" ")[2]
    if end + AROUND < len(text):
        after = after.rpartition(" ")[0]
    return shown(f"{before}{text[begin:end]}{after}")


def origins(told: Told, item: ExplainedItem) -> Iterator[str]:
    """Where an item comes from, each place with a few characters of what is around it."""
    sides: tuple[tuple[Sequence[str], Sequence[tuple[int, int, int]]], ...] = (
        (told.references, item.reference_spans),
        (told.sources, item.source_spans),
    )
    for texts, spans in sides:
        last = (-1, -1)
        for number, begin, end in spans:
            if number != last[0] or begin > last[1] + AROUND:  # not around the one before
                yield around(texts[number], begin, end)
            last = number, end


def _line(told: Told, item: ExplainedItem) -> str:
    numbers = "".join(f"  {name} {number:.2f}" for name, number in item.details.items())
    line = f"  {item.share:+.3f}  {shown(item.text)}{numbers}"
    if item.kind == "part":
        return line
    return f"{line}  <-  {', '.join(origins(told, item)) or 'nothing'}"


def _texts(told: Told) -> Iterator[str]:
    for text in marked_texts(told):
        if text.side != "source" and text.marks:
            yield f"  {text.name}: {_coloured(text)}"


def _coloured(text: Text) -> str:
    """A text with colours; neighbours of one kind share theirs."""
    parts, at = [], 0
    for _, run in groupby(_joined(text.marks), key=itemgetter(0)):
        places = [place for _, place in run]
        begin, end = places[0].begin, places[-1].end
        parts.append(_kept_blanks(text.text[at:begin]))
        parts.append(_painted(_kept_blanks(text.text[begin:end]), places[0].kind))
        at = end
    return "".join([*parts, _kept_blanks(text.text[at:])]).strip()


def _joined(marks: Sequence[Mark]) -> Iterator[tuple[int, Mark]]:
    """Marks with the number of their run: those of one kind that touch each other."""
    run = 0
    for before, mark in pairwise([None, *marks]):
        assert mark is not None
        run += before is None or before.kind != mark.kind or before.end != mark.begin
        yield run, mark


def _kept_blanks(text: str) -> str:
    return printable(re.sub(r"\s", " ", text))


def _painted(text: str, kind: str) -> str:
    return f"\x1b[{_STYLES[kind]}m{text}{_END}" if kind in _STYLES else text
