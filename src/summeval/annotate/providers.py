"""The annotation providers: their interface and their names."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import combinations
from typing import Protocol, Self, cast, runtime_checkable

from summeval._options import unknown
from summeval.annotate.document import Document

ASKED_FOR = ("entities", "lemmas")
"""What a caller of `annotate` may leave out, so that a provider saves the time for it."""


def asked(what: Collection[str]) -> tuple[str, ...]:
    """Those of `ASKED_FOR` that are named, in its order; raise for an unknown name."""
    for name in what:
        if name not in ASKED_FOR:
            raise ValueError(unknown("part of a parse", name, ASKED_FOR))
    return tuple(name for name in ASKED_FOR if name in what)


def asking_for(source: Provider, what: Collection[str]) -> list[Provider]:
    """Return the provider that makes what is asked for and no more, then those that make more.

    The documents of each of them will do. A provider without a method `asking_for` makes everything
    always.
    """
    make = getattr(source, "asking_for", None)
    if make is None:
        return [source]
    least = set(asked(what))
    rest = [name for name in ASKED_FOR if name not in least]
    more = [extra for count in range(len(rest) + 1) for extra in combinations(rest, count)]
    return [make(least | set(extra)) for extra in more]


@runtime_checkable
class Provider(Protocol):
    """The interface of a program that annotates texts.

    Attributes
    ----------
    name : str
        The name from which `provider` creates it again, also in another process.
    signature : str
        Program, model and versions. Equal signatures mean equal documents for the same text. Known
        before the model is loaded, if possible.

    Notes
    -----
    Nothing else is needed. A provider that saves time where nobody reads entities or lemmas has a
    method `asking_for` besides: of some of `ASKED_FOR` it returns a provider that makes only these,
    with a signature of its own and the names in `asked_for`. One that can use threads has
    `parse_on_threads(texts, workers)`. A row of `_PROVIDERS` names a new one.
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """Yield the documents of texts, in their order.

        Each document has the text in `text` and the signature in `provider`, and does not depend on
        the other texts. Newlines end sentences.
        """
        ...


class MakesLess:
    """What providers share that can leave out entities and lemmas."""

    signature: str
    asked_for: tuple[str, ...] = ASKED_FOR

    def asking_for(self, what: Collection[str]) -> Self:
        """Return a provider that leaves out what nobody asks for ("entities", "lemmas").

        Its signature names what is left out. Tags, heads, labels and sentences stay the same.
        """
        lean = copy.copy(self)
        lean.asked_for = tuple(name for name in asked(what) if name in self.asked_for)
        left_out = [f"-{name}" for name in self.asked_for if name not in lean.asked_for]
        lean.signature += "".join(left_out)
        return lean


def in_parts(texts: Sequence[str], characters: int) -> Iterator[list[str]]:
    """Yield consecutive texts together that have so many characters.

    >>> list(in_parts(["a", "bc", "d"], 3))
    [['a', 'bc'], ['d']]
    """
    some: list[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size >= characters:
            yield some
            some, size = [], 0
    if some:
        yield some


# name: module and class, imported on first use.
_PROVIDERS = {
    "spacy": ("parsers", "SpacyProvider"),
    "compiled": ("compiled", "CompiledProvider"),
    "stanza": ("parsers", "StanzaProvider"),
    "benepar": ("parsers", "BeneparProvider"),
    "file": ("files", "FileProvider"),
}


def providers() -> list[str]:
    """List the names that `provider` accepts, installed or not.

    >>> "spacy" in providers()
    True
    """
    return list(_PROVIDERS)


def provider(name: str | Provider) -> Provider:
    """Return the provider of a name.

    A model or file follows after a colon: `spacy`, `spacy:en_core_web_lg`, `file:parses.jsonl`.

    Raises
    ------
    ValueError
        Unknown name; the message suggests the nearest known ones.
    ImportError
        A program or model is not installed; the message gives the command that installs it.
    """
    if not isinstance(name, str):
        if isinstance(name, Provider):
            return name
        raise TypeError(f"provider is {type(name).__name__}; pass a name or a provider")
    kind, _, model = name.partition(":")
    if kind not in _PROVIDERS:
        raise ValueError(unknown("provider", kind, _PROVIDERS))
    module, cls = _PROVIDERS[kind]
    make = cast(
        Callable[[str | None], Provider],
        getattr(importlib.import_module(f"summeval.annotate.{module}"), cls),
    )
    return make(model or None)
