"""What a score comes from, piece by piece, and where the pieces stand in the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any

AROUND = 24  # characters on each side of a span in what is printed
GOOD, BAD = "26, 127, 55", "207, 34, 46"  # red, green and blue of shares above 0 and below


@dataclass(frozen=True)
class ExplainedItem:
    """A piece of a candidate and what it adds to the score.

    Attributes
    ----------
    text : str
    candidate_spans : tuple of (int, int)
        Where it stands in the candidate: first character, and character after the last.
    reference_spans : tuple of (int, int, int)
        Where it comes from: number of the reference or of the document of the source, from 0,
        first character, and character after the last. Empty if it comes from nowhere.
    share : float
        What it adds to the value. The shares of all items add up to it, where the value is a sum.
    details : mapping of str to float
        Further numbers of the metric.
    """

    text: str
    candidate_spans: tuple[tuple[int, int], ...]
    reference_spans: tuple[tuple[int, int, int], ...]
    share: float
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Explanation:
    """A score with what it comes from; `str` of it is for people, `to_html` for a page.

    Attributes
    ----------
    metric : str
    value : float
    items : tuple of ExplainedItem
    candidate : str
        The text that spans of the candidate refer to.
    references : tuple of str
        The texts that the other spans refer to: references, or the documents of the source.

    Examples
    --------
    >>> item = ExplainedItem("cat", ((4, 7),), ((0, 2, 5),), 0.5)
    >>> told = Explanation("mine", 0.5, (item,), "the cat", ("a cat",))
    >>> print(told)
    mine 0.5000
      +0.500  cat  <-  a cat
    >>> told.to_dict()["items"][0]["candidate_spans"]
    ((4, 7),)
    """

    metric: str
    value: float
    items: tuple[ExplainedItem, ...]
    candidate: str
    references: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, tuples and numbers, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.metric} {self.value:.4f}"]
        for item in self.items:
            origin = ", ".join(self._around(*span) for span in item.reference_spans) or "nothing"
            numbers = "".join(f"  {name} {number:.2f}" for name, number in item.details.items())
            lines.append(f"  {item.share:+.3f}  {item.text}{numbers}  <-  {origin}")
        return "\n".join(lines)

    def _around(self, number: int, begin: int, end: int) -> str:
        """A span with a few characters of what is around it."""
        text = self.references[number]
        before = text[max(0, begin - AROUND) : begin]
        after = text[end : end + AROUND]
        if begin > AROUND:  # begin and end with whole words
            before = before.partition(" ")[2]
        if end + AROUND < len(text):
            after = after.rpartition(" ")[0]
        return " ".join(f"{before}{text[begin:end]}{after}".split())

    def to_html(self) -> str:
        """The candidate as HTML: each item coloured by its share, its origin as a tool tip.

        >>> Explanation("mine", 0.0, (), "a < b", ()).to_html()
        '<p class="explanation">a &lt; b</p>'
        """
        most = max((abs(item.share) for item in self.items), default=0.0) or 1.0
        spans = sorted((span, item) for item in self.items for span in item.candidate_spans)
        parts, at = [], 0
        for (begin, end), item in spans:
            if begin < at:
                continue  # within another
            origin = "; ".join(self._around(*span) for span in item.reference_spans) or "nothing"
            colour = f"rgba({GOOD if item.share > 0 else BAD}, {abs(item.share) / most:.2f})"
            parts += [
                escape(self.candidate[at:begin]),
                f'<mark style="background: {colour}" title="{item.share:+.3f}: {escape(origin)}">',
                f"{escape(self.candidate[begin:end])}</mark>",
            ]
            at = end
        return f'<p class="explanation">{"".join(parts)}{escape(self.candidate[at:])}</p>'
