"""An explanation as text, with colours for a terminal, and as HTML that needs nothing else."""

from __future__ import annotations

import os
import re
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Literal, NamedTuple

from summeval._problem import printable
from summeval.metrics.run.explain.items import BaseExplanation, ExplainedItem, Kind

Side = Literal["candidate", "reference", "source"]


class Mark(NamedTuple):
    """A part of a text at which the same items stand.

    Attributes
    ----------
    begin, end : int
        First character, and character after the last.
    kind : str
        `match` if any of the items is one, else that of the first.
    weight : float
        The sum of their shares without sign, each divided by the number of places of its item.
    items : tuple of ExplainedItem
    """

    begin: int
    end: int
    kind: Kind
    weight: float
    items: tuple[ExplainedItem, ...]


class Text(NamedTuple):
    """A text of an explanation, with its name and its marks in their order."""

    side: Side
    name: str
    text: str
    marks: list[Mark]


def marked_texts(explanation: BaseExplanation) -> list[Text]:
    """Return the candidate, the references and the documents of the source.

    >>> import summeval
    >>> explanation = summeval.metric("rouge2").explain("the cat sat", "the cat ran")
    >>> [(mark.begin, mark.end, mark.kind) for mark in marked_texts(explanation)[0].marks]
    [(0, 4, 'match'), (4, 7, 'match'), (7, 11, 'extra')]
    """
    found = [Text("candidate", "candidate", explanation.candidate, marks(explanation, "candidate"))]
    sides: tuple[tuple[Side, Sequence[str]], ...] = (
        ("reference", explanation.references),
        ("source", explanation.sources),
    )
    for side, texts in sides:
        for number, text in enumerate(texts):
            name = f"{side} {number + 1}" if len(texts) > 1 else side
            found.append(Text(side, name, text, marks(explanation, side, number)))
    return found


def marks(explanation: BaseExplanation, side: Side, number: int = 0) -> list[Mark]:
    """Return the marks of one text: parts that do not overlap, in their order."""
    starts: dict[int, list[int]] = {}
    stops: dict[int, list[int]] = {}
    weights = []
    for k, item in enumerate(explanation.items):
        spans = _spans(item, side, number)
        weights.append(abs(item.share) / len(spans) if spans else 0.0)
        for begin, end in spans:
            starts.setdefault(begin, []).append(k)
            stops.setdefault(end, []).append(k)
    found: list[Mark] = []
    here: dict[int, int] = {}  # items at this place, and how often
    edges = sorted({*starts, *stops})
    for begin, end in pairwise(edges):
        for k in stops.get(begin, ()):
            here[k] -= 1
        for k in starts.get(begin, ()):
            here[k] = here.get(k, 0) + 1
        here = {k: count for k, count in here.items() if count > 0}
        if here:
            items = [explanation.items[k] for k in here]
            kinds = [item.kind for item in items]
            kind = "match" if "match" in kinds else kinds[0]
            weight = sum(weights[k] * count for k, count in here.items())
            found.append(Mark(begin, end, kind, weight, tuple(items)))
    return found


def _spans(item: ExplainedItem, side: Side, number: int) -> Sequence[tuple[int, int]]:
    if side == "candidate":
        return item.candidate_spans
    spans = item.reference_spans if side == "reference" else item.source_spans
    return [(begin, end) for of, begin, end in spans if of == number]


AROUND = 24  # characters on each side of a span in what is printed
MOST_WORDS = 40  # of what is missing or extra
_STYLES = {"match": "1;32", "missing": "31", "extra": "90"}  # bold green, red, grey
_END = "\x1b[0m"


def as_text(explanation: BaseExplanation, colour: bool | None = None, indent: str = "") -> str:
    """Return an explanation, a line for each item that adds something; then what does not.

    With colours the texts come first: words of both sides bold and green, words that the candidate
    lacks red, and its own grey.
    """
    coloured = wants_colour() if colour is None else colour
    lines = [f"{explanation.metric} {explanation.value:.4f}"]
    if coloured:
        lines += _texts(explanation)
    idle: dict[str, list[str]] = {"missing": [], "extra": []}
    for item in explanation.items:
        if item.share == 0 and item.kind in idle:
            idle[item.kind].append(shown(item.text))
        else:
            lines.append(_line(explanation, item))
    for kind, words in idle.items():
        if words:
            rest = f", and {len(words) - MOST_WORDS} more" * (len(words) > MOST_WORDS)
            said = ", ".join(words[:MOST_WORDS]) + rest
            lines.append(f"  {kind}: {_painted(said, kind) if coloured else said}")
    lines = [indent + line for line in lines]
    return "\n".join(
        [*lines, *(as_text(part, coloured, indent + "  ") for part in explanation.parts)]
    )


def wants_colour() -> bool:
    """Return whether standard output shows colours.

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
    """Return a span with a few characters of what is around it."""
    before = text[max(0, begin - AROUND) : begin]
    after = text[end : end + AROUND]
    if begin > AROUND:  # begin and end with whole words
        before = before.partition(" ")[2]
    if end + AROUND < len(text):
        after = after.rpartition(" ")[0]
    return shown(f"{before}{text[begin:end]}{after}")


def origins(explanation: BaseExplanation, item: ExplainedItem) -> Iterator[str]:
    """Yield where an item comes from, each place with a few characters of what is around it."""
    sides: tuple[tuple[Sequence[str], Sequence[tuple[int, int, int]]], ...] = (
        (explanation.references, item.reference_spans),
        (explanation.sources, item.source_spans),
    )
    for texts, spans in sides:
        last = (-1, -1)
        for number, begin, end in spans:
            if number != last[0] or begin > last[1] + AROUND:  # not around the one before
                yield around(texts[number], begin, end)
            last = number, end


def _line(explanation: BaseExplanation, item: ExplainedItem) -> str:
    numbers = "".join(f"  {name} {number:.2f}" for name, number in item.details.items())
    line = f"  {item.share:+.3f}  {shown(item.text)}{numbers}"
    if item.kind == "part":
        return line
    return f"{line}  <-  {', '.join(origins(explanation, item)) or 'nothing'}"


def _texts(explanation: BaseExplanation) -> Iterator[str]:
    for text in marked_texts(explanation):
        if text.side != "source" and text.marks:
            yield f"  {text.name}: {_coloured(text)}"


def _coloured(text: Text) -> str:
    """Return a text with colours; neighbours of one kind share theirs."""
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


MOST_ITEMS = 200  # rows of the table
MOST_IN_TIP = 4  # items that a tool tip names
LEVELS = 4  # of how much a part adds


@cache
def style_sheet() -> str:
    """Return the style sheet: each kind has a line of its own below it, letters a contrast of 7."""
    return (files("summeval.metrics") / "data" / "explanation.css").read_text("utf-8")


def allowed_source(text: str) -> str:
    """Return what a security policy allows so that a style or script of this text counts.

    >>> allowed_source("p{}")
    "'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y='"
    """
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


_KEY = (
    '<p class="key"><mark class="match l2">in both</mark> · <mark class="missing">missing in the'
    ' candidate</mark> · <mark class="extra">only in the candidate</mark></p>'
)


def as_html(explanation: BaseExplanation, style: bool = True) -> str:
    """Return a figure with the texts, in which items are marked, and a table of the items."""
    head = f"<style>{style_sheet()}</style>" if style else ""
    return f'<figure class="sv-told">{head}{"".join(_inside(explanation))}</figure>'


def _inside(explanation: BaseExplanation) -> Iterator[str]:
    yield f"<h3>{clean(explanation.metric)} {explanation.value:.4f}</h3>"
    texts = marked_texts(explanation)
    most = max((mark.weight for text in texts for mark in text.marks), default=0.0)
    marked = any(text.marks for text in texts)
    sources, unused = [], []
    for text in texts:
        body = f'<p dir="auto">{_marked(text, most)}</p>'
        if text.side == "source":
            sources.append(f"<details><summary>{text.name}</summary>{body}</details>")
        elif text.side == "reference" and marked and not text.marks:
            unused.append(f"<h4>{text.name}</h4>{body}")
        else:
            yield f"<h4>{text.name}</h4>{body}"
    yield _KEY * marked
    if unused:
        some = (
            "1 reference, which does" if len(unused) == 1 else f"{len(unused)} references, which do"
        )
        yield f"<details><summary>{some} not count</summary>{''.join(unused)}</details>"
    yield "".join(sources)
    if marked:
        yield f"<details><summary>{_count(explanation)}</summary>{_table(explanation)}</details>"
    else:
        yield _table(explanation)
    for part in explanation.parts:
        yield f"<details><summary>{clean(part.metric)} {part.value:.4f}</summary>"
        yield "".join(_inside(part))
        yield "</details>"


def clean(text: str) -> str:
    r"""Return a text as HTML shows it, without the characters that HTML does not allow.

    >>> clean("a < b\x00")
    'a &lt; b�'
    """
    kept = (
        c if c in "\t\n\r" or (c >= " " and not "\x7f" <= c < "\xa0") else "\ufffd" for c in text
    )
    return escape("".join(kept))


def _count(explanation: BaseExplanation) -> str:
    return "1 item" if len(explanation.items) == 1 else f"{len(explanation.items)} items"


def _marked(text: Text, most: float) -> str:
    parts, at = [], 0
    for mark in text.marks:
        level = ""
        if mark.kind == "match":
            level = f" l{max(1, round(LEVELS * mark.weight / most))}" if most else " l1"
        parts.append(clean(text.text[at : mark.begin]))
        parts.append(f'<mark class="{mark.kind}{level}" title="{_tip(mark)}">')
        parts.append(f"{clean(text.text[mark.begin : mark.end])}</mark>")
        at = mark.end
    return "".join(parts) + clean(text.text[at:])


def _tip(mark: Mark) -> str:
    items = sorted(mark.items, key=lambda item: -abs(item.share))
    said = [_said(item) for item in items[:MOST_IN_TIP]]
    rest = len(items) - MOST_IN_TIP
    return clean("; ".join([*said, *([f"and {rest} more"] if rest > 0 else [])]))


def _said(item: ExplainedItem) -> str:
    share = f" {item.share:+.3f}" if item.share or item.kind == "match" else ""
    return f"{shown(item.text)}: {item.kind}{share}"


def _table(explanation: BaseExplanation) -> str:
    if not explanation.items:
        return ""
    names = list(dict.fromkeys(name for item in explanation.items for name in item.details))
    head = "".join(f'<th scope="col">{clean(name)}</th>' for name in ("item", "share", *names))
    rows = []
    items = sorted(explanation.items, key=lambda item: -abs(item.share))
    for item in items[:MOST_ITEMS]:
        numbers = [f"{item.details[n]:.4g}" if n in item.details else "" for n in names]
        kind = "" if item.kind in ("match", "part") else f" ({item.kind})"
        cells = "".join(f"<td>{cell}</td>" for cell in (f"{item.share:+.4f}", *numbers))
        rows.append(
            f'<tr><th scope="row"><bdi>{clean(shown(item.text))}</bdi>{kind}</th>{cells}</tr>'
        )
    rest = len(items) - MOST_ITEMS
    more = f"<p>and {rest} more</p>" if rest > 0 else ""
    label = f"items of {clean(explanation.metric)}"
    return f'<table aria-label="{label}"><tr>{head}</tr>{"".join(rows)}</table>{more}'
