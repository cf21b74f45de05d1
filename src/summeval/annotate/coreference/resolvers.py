"""What finds the chains of a document: the interface, and the resolvers by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

from summeval._options import shown, unknown, whole
from summeval.annotate.document import Document

Mention = tuple[int, int]
"""The first and the last token, counted from 0 over the document."""

Chains = Sequence[Sequence[Mention]]
"""For each thing that is named, its mentions."""

NAMES = ("simple", "file")


@runtime_checkable
class Resolver(Protocol):
    """The interface of a program that finds chains.

    Attributes
    ----------
    signature : str
        Program, model and versions. Equal signatures mean equal chains for the same document.
    """

    @property
    def signature(self) -> str: ...

    def chains(self, document: Document) -> Chains:
        """The chains of a document; those of one mention may be left out."""
        ...


class Function:
    """A resolver made of a function from a document to its chains."""

    def __init__(self, function: Callable[[Document], Chains], signature: str) -> None:
        self.chains = function
        self.signature = signature


def resolver(
    given: str | Resolver | Callable[[Document], Chains], signature: str = "function"
) -> Resolver:
    """Return the resolver that a name, an object or a function stands for.

    Parameters
    ----------
    given : str, Resolver or callable
        "simple" is `SimpleResolver`, "file:PATH" a `ChainFile`; a function gets a `Document` and
        returns its chains.
    signature : str
        That of a function.

    Raises
    ------
    TypeError, ValueError
        Something else, an unknown name, or a file that is not as `ChainFile` wants it.
    OSError
        The file cannot be read.

    Examples
    --------
    >>> resolver("simple").signature
    'simple:1'
    >>> resolver(lambda document: [], "nothing").chains(Document())
    []
    """
    if not isinstance(given, str):
        if isinstance(given, Resolver):
            return given
        if callable(given):
            return Function(given, signature)
        raise TypeError(
            f'coreference is {type(given).__name__}; give "simple", "file:PATH", a resolver or a'
            " function"
        )
    kind, _, path = given.partition(":")
    if kind not in NAMES or (kind == "simple" and path):
        raise ValueError(unknown("coreference", given, ("simple", "file:PATH")))
    if kind == "simple":
        from summeval.annotate.coreference.simple import SimpleResolver

        return SimpleResolver()
    from summeval.annotate.coreference.files import ChainFile

    return ChainFile(path)


def chains_of(document: Document, found: Resolver) -> list[list[Mention]]:
    """The chains that a resolver finds in a document, checked.

    Raises
    ------
    ValueError
        What it returns is no list of chains, or a mention is outside the document; the message
        names the place.

    Examples
    --------
    >>> chains_of(Document(), resolver(lambda document: [[(0, 1)]]))
    Traceback (most recent call last):
    ValueError: coreference: chains[0][0]: tokens 0 to 1 are outside the document of 0 tokens; \
count from 0, `last` included
    """
    chains: Any = found.chains(document)
    total = document.starts[-1]
    if isinstance(chains, str) or not isinstance(chains, Sequence):
        _refuse("chains", f"is {shown(chains)}", "return a list of chains")
    checked = []
    for number, chain in enumerate(chains):
        if isinstance(chain, str) or not isinstance(chain, Sequence):
            _refuse(f"chains[{number}]", f"is {shown(chain)}", "give a list of mentions")
        mentions = []
        for position, mention in enumerate(chain):
            place = f"chains[{number}][{position}]"
            ends = [whole(end) for end in mention] if isinstance(mention, Sequence) else []
            if len(ends) != 2 or None in ends:
                _refuse(place, f"is {shown(mention)}", "give the first and the last token")
            first, last = ends[0] or 0, ends[1] or 0
            if not 0 <= first <= last < total:
                _refuse(
                    place,
                    f"tokens {first} to {last} are outside the document of {total} tokens",
                    "count from 0, `last` included",
                    ": ",
                )
            mentions.append((first, last))
        checked.append(mentions)
    return checked


def _refuse(place: str, problem: str, mend: str, between: str = " ") -> None:
    raise ValueError(f"coreference: {place}{between}{problem}; {mend}")
