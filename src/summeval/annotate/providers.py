"""The providers of annotations: what each of them is, and how one is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, cast, runtime_checkable

from summeval._options import unknown
from summeval.annotate.document import Document


@runtime_checkable
class Provider(Protocol):
    """What annotates texts.

    Attributes
    ----------
    name : str
        What `provider` makes it from again, in another process too.
    signature : str
        Program, model and versions: texts parsed under equal signatures have equal documents.
        Known before anything is loaded where that is possible.
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """The documents of texts, in their order, made as they are asked for.

        A document has its text as `text` and `signature` as `provider`, and does not depend on the
        other texts. Newlines end sentences.
        """
        ...


# name: module and class; each is imported when it is asked for.
_PROVIDERS = {
    "spacy": ("spacy_provider", "SpacyProvider"),
    "stanza": ("stanza_provider", "StanzaProvider"),
    "benepar": ("benepar_provider", "BeneparProvider"),
    "file": ("files", "FileProvider"),
}


def providers() -> list[str]:
    """The names that `provider` knows, installed or not.

    >>> "spacy" in providers()
    True
    """
    return list(_PROVIDERS)


def provider(name: str | Provider) -> Provider:
    """The provider of a name.

    A model or a file stands after a colon: `spacy`, `spacy:en_core_web_lg`, `file:parses.jsonl`.

    Raises
    ------
    ValueError
        For a name that is not known, with the nearest that are.
    ImportError
        For a program or model that is not installed, with the command that installs it.
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
