"""A Basic Element: a rule and one to three typed parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from summeval._cached import cached_property

MOST_PARTS = 3

_VERB, _ADJECTIVE, _ADVERB, _OTHER = 2, 3, 4, 1
_ADVERBS = frozenset(("RB", "RBR", "RBS", "WRB"))
_AUXILIARIES = frozenset(("MD", "AUX"))

# The key that equal elements share.
Key = tuple[tuple[str, int], ...]
# The elements of references, by their names.
Given: TypeAlias = Mapping[str, Iterable["str | Element"]]


def class_of(kind: str) -> int:
    """Return the word class used to compare parts: 2 verb, 3 adjective, 4 adverb, 1 other.

    Source: BEwT-E 0.5.1; nouns, numbers, prepositions and entities are one class.

    >>> class_of("NN"), class_of("VBD"), class_of("Person")
    (1, 2, 1)
    """
    if kind.startswith("VB") or kind in _AUXILIARIES:
        return _VERB
    if kind.startswith("JJ"):
        return _ADJECTIVE
    return _ADVERB if kind in _ADVERBS else _OTHER


@dataclass(frozen=True)
class Element:
    """A Basic Element.

    Attributes
    ----------
    rule : str
        The rule that made it, `r1` to `r52`; not part of `key`.
    parts : tuple of (text, type)
        One to three parts; a type is a part of speech or Person, Organization, Location.

    Examples
    --------
    >>> element = parse("r11 cat|NN+drank|VBD")
    >>> element.rule, element.parts
    ('r11', (('cat', 'NN'), ('drank', 'VBD')))
    >>> str(element)
    'r11 cat|NN+drank|VBD'
    >>> element.key == parse("r14 Cat|NNP+drank|VBN").key
    True
    """

    rule: str
    parts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.rule} " + "+".join(f"{text}|{kind}" for text, kind in self.parts)

    @property
    def content(self) -> str:
        """As `str`, without the rule."""
        return str(self).split(" ", 1)[1]

    @cached_property
    def key(self) -> Key:
        """Texts in lower case with their classes; elements with equal keys count as equal."""
        return tuple((text.lower(), class_of(kind)) for text, kind in self.parts)


def parse(written: str, place: str = "element") -> Element:
    """Read an element as `str` writes it.

    Raises
    ------
    TypeError, ValueError
        Not a str, no rule, no part, a part without a type, or more than three parts; the message
        names `place`.

    Examples
    --------
    >>> parse("r26 invasion|NN+of|IN+Iraq|Location").parts[2]
    ('Iraq', 'Location')
    """
    if not isinstance(written, str):
        raise TypeError(f"{place} is {type(written).__name__}; pass a str or an Element")
    rule, _, rest = written.strip().partition(" ")
    parts = []
    # A text may contain + or |; a part ends at the + that follows its type.
    pieces = rest.split("+")
    text = ""
    for position, piece in enumerate(pieces):
        text = f"{text}+{piece}" if text else piece
        form, bar, kind = text.rpartition("|")
        more = position + 1 < len(pieces)
        if bar and form and kind:
            parts.append((form, kind))
            text = ""
        elif not more:
            break
    if not rule or text or not 1 <= len(parts) <= MOST_PARTS:
        raise ValueError(
            f"{place}: {written!r} is not a Basic Element; write the rule, a space and one to three"
            " parts text|type joined by +"
        )
    return Element(rule, tuple(parts))


def read_elements(given: Iterable[str | Element], place: str) -> list[Element]:
    """Elements as they are, or as they are written.

    >>> read_elements(["r1 cat|NN"], "candidate")
    [Element(rule='r1', parts=(('cat', 'NN'),))]
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{place} is {type(given).__name__}; give a list of Basic Elements")
    elements = list(given)
    if set(map(type, elements)) <= {Element}:
        return elements  # type: ignore[return-value]
    return [
        element if isinstance(element, Element) else parse(element, f"{place}[{number}]")
        for number, element in enumerate(elements)
    ]


def read_documents(given: Given, place: str) -> dict[str, list[Element]]:
    """Return the elements of each reference, as `read_elements`.

    >>> read_documents({"A": []}, "references")
    {'A': []}
    """
    if not isinstance(given, Mapping):
        kind = type(given).__name__
        raise TypeError(f"{place} is {kind}; give a mapping from names to Basic Elements")
    return {name: read_elements(of, f"{place}[{name!r}]") for name, of in given.items()}
