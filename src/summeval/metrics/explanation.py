"""What a score comes from: parts of the texts, and what each adds to the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

Span = tuple[int, int]

_SHOWN = 40  # characters of a part, in a line for a terminal


@dataclass(frozen=True)
class Item:
    """A part of a score.

    Attributes
    ----------
    text : str
        What it is, such as a word of the reference.
    candidate_spans, reference_spans : tuple of (int, int)
        Where it is in the texts: begin and end, in characters.
    share : float
        What it adds to the score.
    """

    text: str
    candidate_spans: tuple[Span, ...]
    reference_spans: tuple[Span, ...]
    share: float


@dataclass(frozen=True)
class Explanation:
    """A score and its parts; `str` of it is for people.

    Attributes
    ----------
    name : str
        The metric.
    value : float
        The sum of the shares.
    items : tuple of Item
    candidate, reference : str
        The texts that the spans are of.

    Examples
    --------
    >>> told = Explanation("mine", 0.5, (Item("cat", ((0, 3),), ((4, 7),), 0.5),), "cat", "the cat")
    >>> print(told)
    mine 0.5000
      0.5000  cat = cat
    >>> told.to_html()
    '<p><b>mine 0.5000</b></p><p>the <mark title="0.5000 of cat">cat</mark></p>'
    """

    name: str
    value: float
    items: tuple[Item, ...]
    candidate: str
    reference: str

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.name} {self.value:.4f}"]
        for item in self.items:
            own = _cut(self.reference, item.reference_spans) or item.text
            other = _cut(self.candidate, item.candidate_spans)
            found = f" = {other}" if other else ", not found"
            lines.append(f"  {item.share:.4f}  {own}{found}")
        return "\n".join(lines)

    def to_html(self) -> str:
        """The reference as HTML, in which each part that adds to the score is marked."""
        marks = sorted(
            (span, place, item)
            for place, item in enumerate(self.items)
            for span in item.reference_spans
            if item.share > 0
        )
        parts, end = [f"<p><b>{escape(self.name)} {self.value:.4f}</b></p><p>"], 0
        for (begin, stop), _, item in marks:
            if begin < end:
                continue  # within another
            other = _cut(self.candidate, item.candidate_spans)
            title = escape(f"{item.share:.4f} of {other}" if other else f"{item.share:.4f}")
            parts.append(escape(self.reference[end:begin]))
            parts.append(f'<mark title="{title}">{escape(self.reference[begin:stop])}</mark>')
            end = stop
        return "".join([*parts, escape(self.reference[end:]), "</p>"])


def _cut(text: str, spans: Sequence[Span]) -> str:
    found = " … ".join(text[begin:end] for begin, end in spans)
    return found if len(found) <= _SHOWN else f"{found[: _SHOWN - 1]}…"
