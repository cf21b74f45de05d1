"""What a score comes from, piece by piece, and where the pieces stand in the texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal, TypeAlias

AROUND = 24  # characters on each side of a span in what is printed
GOOD, BAD = "26, 127, 55", "207, 34, 46"  # red, green and blue of shares above 0 and below


Kind: TypeAlias = Literal["match", "missing", "extra", "part"]


@dataclass(frozen=True, init=False)
class ExplainedItem:
    """A piece of a score: an n-gram, a word, a part of a combined metric; and what it adds.

    Attributes
    ----------
    text : str
        What people call it. "intercept" is what a fitted metric adds whatever the texts are.
    candidate_spans : tuple of (int, int)
        Where it stands in the candidate: first character, and character after the last.
    reference_spans : tuple of (int, int, int)
        Where it stands in the references: number of the reference, from 0, first character, and
        character after the last.
    share : float
        What it adds to the value. The shares of all items add up to it, where the value is a sum.
    details : mapping of str to float
        Further numbers of the metric.
    source_spans : tuple of (int, int, int)
        As `reference_spans`, in the documents of the source.
    """

    text: str
    candidate_spans: tuple[tuple[int, int], ...]
    reference_spans: tuple[tuple[int, int, int], ...]
    share: float
    details: Mapping[str, float] = field(default_factory=dict)
    source_spans: tuple[tuple[int, int, int], ...] = ()

    def __init__(
        self,
        text: str,
        candidate_spans: tuple[tuple[int, int], ...],
        reference_spans: tuple[tuple[int, int, int], ...],
        share: float,
        details: Mapping[str, float] | None = None,
        *,
        source_spans: tuple[tuple[int, int, int], ...] = (),
    ) -> None:
        # An explanation has hundreds; what a frozen dataclass generates takes twice as long.
        mine = self.__dict__
        mine["text"] = text
        mine["candidate_spans"] = candidate_spans
        mine["reference_spans"] = reference_spans
        mine["share"] = share
        mine["details"] = {} if details is None else details
        mine["source_spans"] = source_spans

    @property
    def kind(self) -> Kind:
        """`match` (both sides), `missing` (not in the candidate), `extra` (only there), `part`."""
        others = bool(self.reference_spans or self.source_spans)
        if self.candidate_spans:
            return "match" if others else "extra"
        return "missing" if others else "part"


@dataclass(frozen=True)
class Explanation:
    """A score with what it comes from; `str` of it is for people, `to_html` for a page.

    Attributes
    ----------
    metric : str
    value : float
        The score's value (`Score.value`).
    items : tuple of ExplainedItem
    candidate : str
        The text that spans of the candidate refer to, as it was given.
    references, sources : tuple of str
        The texts that the other spans refer to: references, and the documents of the source,
        without those that are None.
    parts : tuple of Explanation
        For a metric that combines others: their explanations.

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
    references: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    parts: tuple[Explanation, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, tuples and numbers, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        lines = [f"{self.metric} {self.value:.4f}"]
        for item in self.items:
            origin = ", ".join(self._origins(item)) or "nothing"
            numbers = "".join(f"  {name} {number:.2f}" for name, number in item.details.items())
            lines.append(f"  {item.share:+.3f}  {item.text}{numbers}  <-  {origin}")
        return "\n".join(lines)

    def _origins(self, item: ExplainedItem) -> Iterator[str]:
        """Where an item comes from, each place with a few characters of what is around it."""
        for texts, spans in (
            (self.references, item.reference_spans),
            (self.sources, item.source_spans),
        ):
            for number, begin, end in spans:
                yield self._around(texts[number], begin, end)

    def _around(self, text: str, begin: int, end: int) -> str:
        """A span with a few characters of what is around it."""
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
            origin = "; ".join(self._origins(item)) or "nothing"
            colour = f"rgba({GOOD if item.share > 0 else BAD}, {abs(item.share) / most:.2f})"
            parts += [
                escape(self.candidate[at:begin]),
                f'<mark style="background: {colour}" title="{item.share:+.3f}: {escape(origin)}">',
                f"{escape(self.candidate[begin:end])}</mark>",
            ]
            at = end
        return f'<p class="explanation">{"".join(parts)}{escape(self.candidate[at:])}</p>'
