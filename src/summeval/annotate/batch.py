"""Many texts annotated by one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from summeval._workers import check_workers
from summeval.annotate.document import Document
from summeval.annotate.providers import Provider
from summeval.annotate.providers import provider as provider_of

_SURROGATE = re.compile("[\ud800-\udfff]")

Texts = Iterable[str | Sequence[str] | None]


def annotate(
    texts: Texts,
    provider: str | Provider = "spacy",
    *,
    workers: int = 1,
    progress: Callable[[int, int], object] | None = None,
) -> list[Document | None]:
    r"""Annotate texts; equal ones are parsed once and share a document.

    Parameters
    ----------
    texts : iterable of str, sequence of str, or None
        A sequence is the sentences of one text, which stand on lines of their own; newlines end
        sentences, and within a line the provider finds them.
    provider : str or Provider
        A name as `summeval.annotate.provider` takes it.
    workers : int
        Processes; -1 is one for each processor. The documents do not depend on it.
    progress : callable, optional
        Called with (distinct texts done, distinct texts).

    Returns
    -------
    list of Document or None
        One for each text, None for None. A document's text is the text as given, that of a
        sequence with newlines between.

    Raises
    ------
    TypeError, ValueError
        Naming the text: one that is no str or holds a lone surrogate.
    ImportError
        The provider or its model is not installed; the message says how to install it.

    Examples
    --------
    >>> cat, none, lines = annotate(["The cat sat.", None, ["The cat", "sat."]])
    >>> [len(sentence.tokens) for sentence in lines.sentences]
    [2, 2]
    >>> lines.text
    'The cat\nsat.'
    """
    check_workers(workers)
    wanted = _read(texts)
    source = provider_of(provider)
    distinct = list(dict.fromkeys(text for text in wanted if text is not None))
    found: dict[str, Document] = {}
    for document in source.parse(distinct):
        found[document.text] = document
        if progress is not None:
            progress(len(found), len(distinct))
    return [None if text is None else found[text] for text in wanted]


def _read(texts: Texts) -> list[str | None]:
    """Each text as one str; raises for what is none."""
    if isinstance(texts, str):
        raise TypeError("texts is one str; pass a list of texts")
    read: list[str | None] = []
    for number, given in enumerate(texts):
        place = f"texts[{number}]"
        text = _joined(given, place)
        if text is not None and not text.isascii() and _SURROGATE.search(text):
            raise ValueError(f"{place} holds a lone surrogate; encode or replace it first")
        read.append(text)
    return read


def _joined(given: str | Sequence[str] | None, place: str) -> str | None:
    """A text, or the sentences of one, as a str."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"{place} is {type(given).__name__}; pass a str, a list of str, or None")
    for number, line in enumerate(given):
        if not isinstance(line, str):
            raise TypeError(f"{place}[{number}] is {type(line).__name__}; pass a str")
    return "\n".join(given)
