"""Explanations of a score, piece by piece, with the places of the pieces in the texts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from summeval.metrics.run.explain.items import Asked, BaseExplanation, ExplainedItem, Unread

if TYPE_CHECKING:
    from summeval.metrics.run.declared import Declared

__all__ = ["ExplainedItem", "Explanation"]


@dataclass(frozen=True)
class Explanation(BaseExplanation):
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
    >>> explanation = Explanation("mine", 0.5, (item,), "the cat", ("a cat",))
    >>> print(explanation.to_text(colour=False))
    mine 0.5000
      +0.500  cat  <-  a cat
    >>> explanation.to_dict()["items"][0]["candidate_spans"]
    ((4, 7),)
    """

    parts: tuple[Explanation, ...] = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Make the items when they are first read, if a kernel told them."""
            own = vars(self)
            if name != "items" or not ("items" in own or "unread" in own):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            if (unread := own.get("unread")) is not None:
                own["items"] = unread.make(ExplainedItem)
                own.pop("unread", None)  # another thread may have made them
            return own["items"]

    def __getstate__(self) -> dict[str, Any]:
        return {one.name: getattr(self, one.name) for one in fields(self)}

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, tuples and numbers, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, colour: bool | None = None) -> str:
        """Return the items as lines of text, those that add nothing in a line for each kind.

        Parameters
        ----------
        colour : bool, optional
            With escape codes for a terminal, and with the texts: words of both sides bold and
            green, words that are missing red, those of the candidate alone grey. By default if
            standard output is a terminal; the environment variables NO_COLOR and FORCE_COLOR, if
            they are not empty, say otherwise.
        """
        from summeval.metrics.run.explain.shown import as_text

        return as_text(self, colour)

    def to_html(self, *, style: bool = True) -> str:
        """Return the texts as HTML with the items marked in them, and a table of the items.

        It stands alone, in any page: no scripts, no files. What is in both texts, missing or extra
        is told by the line below the words and by tool tips too, not by colours alone.

        Parameters
        ----------
        style : bool
            With its style sheet; a page that shows many needs one.

        Examples
        --------
        >>> explanation = Explanation("mine", 0.0, (), "a < b", ())
        >>> explanation.to_html(style=False).partition("</h3>")[2]
        '<h4>candidate</h4><p dir="auto">a &lt; b</p></figure>'
        """
        from summeval.metrics.run.explain.shown import as_html

        return as_html(self, style)

    def _repr_html_(self) -> str:
        """Return what notebooks show."""
        return self.to_html()


def explained(asked: Asked) -> Explanation:
    """Return the items that a metric has for the texts that are asked, with its score."""
    found = asked.metric.explain_texts(asked)
    return found if isinstance(found, Explanation) else explanation_of(asked, found)


def explanation_of(
    asked: Asked, items: Iterable[ExplainedItem] | Unread, parts: Iterable[Explanation] = ()
) -> Explanation:
    """Return an explanation of the score that is asked."""
    texts = asked.candidate, asked.references, asked.sources
    found = tuple(items) if isinstance(items, Iterable) else ()
    made = Explanation(asked.metric.name, asked.value, found, *texts, tuple(parts))
    if not isinstance(items, Iterable):
        del vars(made)["items"]
        vars(made)["unread"] = items
    return made


def asked(metric: Declared, candidate: Any, references: Any, source: Any) -> Asked:
    """Return the texts that a metric explains: the candidate, its references, and its sources.

    None of them is None, and there is at least one of each kind that the metric reads.

    Raises
    ------
    TypeError
        If a text is neither str nor None.
    ValueError
        If the candidate is None, or there is nothing to compare it with.

    Examples
    --------
    >>> import summeval
    >>> asked(summeval.metric("rouge1"), "a cat", ["the cat", None], None).texts
    ('a cat', 'the cat')
    >>> asked(summeval.metric("rouge1"), None, "the cat", None)
    Traceback (most recent call last):
    ValueError: there is nothing to explain; give a candidate and a reference
    """
    from summeval.metrics.run.declared import compared
    from summeval.metrics.run.text_options import one_or_more

    compared(metric, references, source)
    reads = metric.compared_with
    sides = {"candidate": _texts(() if candidate is None else (candidate,), "candidate")}
    if reads in ("references", "both"):
        sides["reference"] = _texts(one_or_more(references, "references"), "reference")
    if reads in ("source", "both"):
        sides["source"] = _texts(one_or_more(source, "source"), "source")
    if not all(sides.values()):
        raise ValueError(f"there is nothing to explain; give a {' and a '.join(sides)}")
    return Asked(metric, sides["candidate"][0], sides.get("reference", ()), sides.get("source", ()))


def _texts(given: Any, name: str) -> tuple[str, ...]:
    found = tuple(given)
    for place, text in enumerate(found):
        if text is not None and not isinstance(text, str):
            number = f" {place + 1}" if len(found) > 1 else ""
            raise TypeError(f"{name}{number} is {type(text).__name__}; pass a str or None")
    return tuple(text for text in found if text is not None)
