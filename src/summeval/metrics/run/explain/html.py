"""An explanation as a piece of HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from summeval.metrics.run.explain.marks import Mark, Text, marked_texts
from summeval.metrics.run.explain.terminal import shown

if TYPE_CHECKING:
    from summeval.metrics.run.explain.item import ExplainedItem, Told

MOST_ITEMS = 200  # rows of the table
MOST_IN_TIP = 4  # items that a tool tip names
LEVELS = 4  # of how much a part adds

# Each kind has a line of its own below it; letters have a contrast of 7 or more in both schemes.
STYLE = """\
.sv-told{color-scheme:light dark;--bg:#fff;--ink:#1b1f24;--faint:#57606a;--rule:#d0d7de;
--match:26,127,55;--missing:#ffebe9;--extra:#eaeef2;--line:#1a7f37;--lack:#b42318;--grey:#57606a;
background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,sans-serif;padding:.75em 1em;
margin:0;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){.sv-told{--bg:#0d1117;--ink:#e6edf3;--faint:#9aa4af;
--rule:#3d444d;--match:63,185,80;--missing:#4c1512;--extra:#2a3038;--line:#56d364;--lack:#ff9a90;
--grey:#9aa4af}}
.sv-told h3{font-size:1em;margin:0 0 .5em}
.sv-told h4{font-size:.8em;margin:.75em 0 0;color:var(--faint);font-weight:600}
.sv-told p{margin:.1em 0;white-space:pre-wrap}
.sv-told mark{color:inherit;background:none;text-underline-offset:.25em;
text-decoration-thickness:2px;text-decoration-skip-ink:none}
.sv-told .match{text-decoration:underline solid 2px var(--line)}
.sv-told .l1{background:rgba(var(--match),.08)}.sv-told .l2{background:rgba(var(--match),.16)}
.sv-told .l3{background:rgba(var(--match),.26)}.sv-told .l4{background:rgba(var(--match),.38)}
.sv-told .missing{background:var(--missing);text-decoration:underline dashed 2px var(--lack)}
.sv-told .extra{background:var(--extra);text-decoration:underline dotted 2px var(--grey)}
.sv-told .key{font-size:.8em;color:var(--faint);margin-top:.75em}
.sv-told .key mark{color:var(--ink)}
.sv-told table{border-collapse:collapse;font-size:.875em}
.sv-told td,.sv-told th{border-bottom:1px solid var(--rule);padding:.15em .75em .15em 0;
text-align:left;font-variant-numeric:tabular-nums;vertical-align:top}
.sv-told details{margin-top:.5em}
"""
_KEY = (
    '<p class="key"><mark class="match l2">in both</mark> · <mark class="missing">missing in the'
    ' candidate</mark> · <mark class="extra">only in the candidate</mark></p>'
)


def as_html(told: Told, style: bool = True) -> str:
    """A figure with the texts, in which items are marked, and a table of the items."""
    head = f"<style>{STYLE}</style>" if style else ""
    return f'<figure class="sv-told">{head}{"".join(_inside(told))}</figure>'


def _inside(told: Told) -> Iterator[str]:
    yield f"<h3>{clean(told.metric)} {told.value:.4f}</h3>"
    texts = marked_texts(told)
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
        yield f"<details><summary>{_count(told)}</summary>{_table(told)}</details>"
    else:
        yield _table(told)
    for part in told.parts:
        yield f"<details><summary>{clean(part.metric)} {part.value:.4f}</summary>"
        yield "".join(_inside(part))
        yield "</details>"


def clean(text: str) -> str:
    r"""A text as HTML shows it, without the characters that HTML does not allow.

    >>> clean("a < b\x00")
    'a &lt; b�'
    """
    kept = (
        c if c in "\t\n\r" or (c >= " " and not "\x7f" <= c < "\xa0") else "\ufffd" for c in text
    )
    return escape("".join(kept))


def _count(told: Told) -> str:
    return "1 item" if len(told.items) == 1 else f"{len(told.items)} items"


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


def _table(told: Told) -> str:
    if not told.items:
        return ""
    names = list(dict.fromkeys(name for item in told.items for name in item.details))
    head = "".join(f'<th scope="col">{clean(name)}</th>' for name in ("item", "share", *names))
    rows = []
    items = sorted(told.items, key=lambda item: -abs(item.share))
    for item in items[:MOST_ITEMS]:
        numbers = [f"{item.details[n]:.4g}" if n in item.details else "" for n in names]
        kind = "" if item.kind in ("match", "part") else f" ({item.kind})"
        cells = "".join(f"<td>{cell}</td>" for cell in (f"{item.share:+.4f}", *numbers))
        rows.append(f'<tr><th scope="row">{clean(shown(item.text))}{kind}</th>{cells}</tr>')
    rest = len(items) - MOST_ITEMS
    more = f"<p>and {rest} more</p>" if rest > 0 else ""
    label = f"items of {clean(told.metric)}"
    return f'<table aria-label="{label}"><tr>{head}</tr>{"".join(rows)}</table>{more}'
