"""What a score comes from, piece by piece, and where the pieces stand in the texts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from summeval.metrics.run.explain.item import ExplainedItem

__all__ = ["ExplainedItem", "Explanation"]


@dataclass(frozen=True)
class Explanation:
    """A score with what it comes from; `str` of it is for terminals, `to_html` for a page.

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
    >>> print(told.to_text(colour=False))
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
        return self.to_text()

    def to_text(self, colour: bool | None = None) -> str:
        """The items as lines of text, those that add nothing in a line for each kind.

        Parameters
        ----------
        colour : bool, optional
            With escape codes for a terminal, and with the texts: words of both sides bold and
            green, words that are missing red, those of the candidate alone grey. By default if
            standard output is a terminal; the environment variables NO_COLOR and FORCE_COLOR, if
            they are not empty, say otherwise.
        """
        from summeval.metrics.run.explain.terminal import as_text

        return as_text(self, colour)

    def to_html(self, *, style: bool = True) -> str:
        """The texts as HTML with the items marked in them, and a table of the items.

        It stands alone, in any page: no scripts, no files. What is in both texts, missing or extra
        is told by the line below the words and by tool tips too, not by colours alone.

        Parameters
        ----------
        style : bool
            With its style sheet; a page that shows many needs one.

        Examples
        --------
        >>> told = Explanation("mine", 0.0, (), "a < b", ())
        >>> told.to_html(style=False).partition("</h3>")[2]
        '<h4>candidate</h4><p dir="auto">a &lt; b</p></figure>'
        """
        from summeval.metrics.run.explain.html import as_html

        return as_html(self, style)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return self.to_html()
