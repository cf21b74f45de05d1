"""Explanations of many rows as one HTML file: the rows lie in it in compressed blocks.

The browser unpacks a block when one of its rows is shown. Texts lie apart from what metrics say of
them, so that a search in texts reads no more than these. Texts are data throughout, and the script
of the page writes them as text, so no text is ever read as HTML. A policy in the head of the page
forbids any network access and any other script.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from summeval import _files
from summeval.metrics.run.explain.shown import allowed_source

if TYPE_CHECKING:
    from summeval.metrics.run.base import Metric
    from summeval.metrics.run.explain.items import BaseExplanation, ExplainedItem

ROWS = 64  # of a block
DIGITS = 5  # of a share
MOST_SOURCE = 20_000  # characters of the source of a row; what explanations point to is in them
LEVEL = 6  # 9 takes two and a half times as long, for 1 % less
_MOST_WAITING = 4  # blocks

Place: TypeAlias = tuple[int, int, int]  # number of a text, first character, and after the last


def explanation_page(
    rows: Iterable[tuple[Any, Sequence[BaseExplanation | str]]],
    metrics: Sequence[Metric],
    title: str,
) -> Iterator[bytes]:
    """Yield the page, in pieces; rows may come one by one and are not kept.

    Parameters
    ----------
    rows : iterable of (row, explanations)
        A row has number, id, system, candidate and references. Of each metric an explanation, or in
        words why there is none.
    metrics : sequence
    title : str

    Examples
    --------
    >>> import summeval
    >>> page = b"".join(explanation_page([], [summeval.metric("rouge1")], "a < b"))
    >>> b"<title>a &lt; b</title>" in page
    True
    """
    folder = files("summeval.report").joinpath("data")
    style, script, body = (
        folder.joinpath(f"explanations.{end}").read_text(encoding="utf-8")
        for end in ("css", "js", "html")
    )
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none';"
        f" style-src {allowed_source(style)}; script-src {allowed_source(script)}"
    )
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"{body.replace('TITLE', escape(title))}"
    ).encode()
    yield from _packed(_blocks(rows, metrics))
    yield f"<script>{script}</script>\n</body>\n</html>\n".encode()


def _blocks(
    rows: Iterable[tuple[Any, Sequence[BaseExplanation | str]]], metrics: Sequence[Metric]
) -> Iterator[tuple[str, Any]]:
    """Yield the data of a page, each with its kind, and an index of them at the end."""
    index: dict[str, Any] = {"ids": [], "systems": [], "numbers": []}
    index["values"] = [[] for _ in metrics]
    systems: dict[str, int] = {}
    texts: list[Any] = []
    found: list[Any] = []
    for row, explanations in rows:
        index["ids"].append(row.id)
        index["numbers"].append(row.number)
        index["systems"].append(systems.setdefault(row.system, len(systems)))
        for values, one in zip(index["values"], explanations, strict=True):
            values.append(None if isinstance(one, str) else _number(one.value))
        texts.append({"c": row.candidate, "r": list(row.references or ())})
        found.append(_row(explanations))
        if len(texts) == ROWS:
            yield "texts", texts
            yield "rows", found
            texts, found = [], []
    if texts:
        yield "texts", texts
        yield "rows", found
    index["names"] = list(systems)
    index["metrics"] = [
        {"name": m.name, "higher": m.higher_is_better, "signature": str(m.signature)}
        for m in metrics
    ]
    index["rows"] = ROWS
    yield "index", index


def _packed(blocks: Iterable[tuple[str, Any]]) -> Iterator[bytes]:
    """Yield data as JSON, which a thread deflates meanwhile, a third of the work."""
    waiting: deque[Any] = deque()  # futures
    with _files.started_thread() as thread:
        for kind, data in blocks:
            plain = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            waiting.append(thread.submit(_deflated, kind, plain.encode()))
            if len(waiting) > _MOST_WAITING:
                yield waiting.popleft().result()
        yield from (one.result() for one in waiting)


def _deflated(kind: str, plain: bytes) -> bytes:
    """Bytes in base64: letters, digits, + and / alone."""
    packed = base64.b64encode(zlib.compress(plain, LEVEL))
    return b'<script type="text/plain" class="%s">%s</script>\n' % (kind.encode(), packed)


def _number(value: float) -> float | None:
    return round(value, DIGITS) if isfinite(value) else None


def _row(explanations: Sequence[BaseExplanation | str]) -> dict[str, Any]:
    """Return what each metric says of a row, and the source that it read."""
    found: dict[str, Any] = {}
    sources = next(
        (one.sources for one in explanations if not isinstance(one, str) and one.sources), ()
    )
    if sources:
        found["s"] = [text[:MOST_SOURCE] + " …" * (len(text) > MOST_SOURCE) for text in sources]
    found["e"] = [one if isinstance(one, str) else _explanation(one) for one in explanations]
    return found


def _explanation(explanation: BaseExplanation) -> dict[str, Any]:
    """Return an explanation, without what the browser finds by itself.

    Items that add nothing are only places: of what is missing and of what is extra. Places are
    given by the distance from the one before and by their length.
    """
    unread = vars(explanation).get("unread")
    packed = unread.compact(DIGITS) if unread else _items(explanation)
    if explanation.parts:
        packed["p"] = [
            [one.metric, _number(one.value), _explanation(one)] for one in explanation.parts
        ]
    return packed


def _items(explanation: BaseExplanation) -> dict[str, Any]:
    texts = {"c": [explanation.candidate], "r": explanation.references, "s": explanation.sources}
    idle: dict[str, list[Place]] = {"c": [], "r": [], "s": []}
    items, at = [], dict.fromkeys(texts, 0)
    own: list[tuple[int, int]] = []  # of those that add nothing
    for item in explanation.items:
        here, there, sources = item.candidate_spans, item.reference_spans, item.source_spans
        adds_nothing = item.share == 0 and not item.details and item.kind in ("missing", "extra")
        if sources:  # those in the part of the source that is shown
            sources = tuple([span for span in sources if span[2] <= MOST_SOURCE])
        if adds_nothing:
            own += here
            idle["r"] += there
            idle["s"] += sources
            continue
        spans = {"c": [(0, begin, end) for begin, end in here], "r": there, "s": sources}
        places = {}
        for side, found in spans.items():
            if found:
                places[side], at[side] = _near(found, at[side])
        share = round(item.share * 10**DIGITS) if isfinite(item.share) else None
        made: list[Any] = [share, places]
        text = _text(item, spans, texts)
        if text is not None or item.details:
            made.append(text)
        if item.details:
            made.append({name: _number(value) for name, value in item.details.items()})
        items.append(made)
    idle["c"] = [(0, begin, end) for begin, end in own]
    packed: dict[str, Any] = {"i": items}
    packed |= {side: _near(_joined(spans), 0)[0] for side, spans in idle.items() if spans}
    return packed


def _near(spans: Sequence[Place], at: int) -> tuple[list[int], int]:
    """Number of the text, distance and length of each span; and where the last begins."""
    flat = []
    for number, begin, end in spans:
        flat += [number, begin - at, end - begin]
        at = begin
    return flat, at


def _joined(spans: Iterable[Place]) -> list[Place]:
    """Spans in their order, those that overlap as one.

    >>> _joined([(0, 4, 6), (0, 0, 2), (0, 1, 3), (1, 2, 5)])
    [(0, 0, 3), (0, 4, 6), (1, 2, 5)]
    """
    found: list[Place] = []
    for number, begin, end in sorted(spans):
        if found and found[-1][0] == number and begin < found[-1][2]:
            found[-1] = (number, found[-1][1], max(end, found[-1][2]))
        else:
            found.append((number, begin, end))
    return found


def _text(
    item: ExplainedItem, spans: dict[str, Sequence[Place]], texts: dict[str, Any]
) -> str | None:
    """Return the text of an item, unless it stands at its first place."""
    for side, found in spans.items():
        if found:
            number, begin, end = found[0]
            return None if texts[side][number][begin:end] == item.text else item.text
    return item.text
