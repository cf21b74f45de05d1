"""Many texts annotated by one call."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice

from summeval._options import check_workers
from summeval.annotate import process
from summeval.annotate.cache import Cache, cache_folder
from summeval.annotate.document import Document
from summeval.annotate.files import FileProvider
from summeval.annotate.providers import ASKED_FOR, Provider
from summeval.annotate.providers import asking_for as variants
from summeval.annotate.providers import provider as provider_of

_SURROGATE = re.compile("[\ud800-\udfff]")

_STORED_TOGETHER = 64

Texts = Iterable[str | Sequence[str] | None]


def annotate(
    texts: Texts,
    provider: str | Provider = "spacy",
    *,
    workers: int = 1,
    cache: bool | str | os.PathLike[str] | Cache = True,
    progress: Callable[[int, int], object] | None = None,
    asking_for: Collection[str] = ASKED_FOR,
) -> list[Document | None]:
    r"""Annotate texts; duplicate texts are parsed once and share a document.

    Parameters
    ----------
    texts : iterable of str, sequence of str, or None
        A nested sequence holds the sentences of one text, one per line. A newline always ends a
        sentence; the provider splits each line further.
    provider : str or Provider
        A name as `summeval.annotate.provider` takes it.
    workers : int
        Number of processes; -1 means one per processor. The documents do not depend on it. Each
        process loads the model, so a small batch starts fewer processes.
    cache : bool, path or Cache
        True caches documents in `summeval.annotate.cache_folder()`, keyed by the text and the
        provider's signature; a path names another folder.
    progress : callable, optional
        Called with (distinct texts done, distinct texts).
    asking_for : collection of str
        Which of "entities" and "lemmas" the caller reads. The documents may lack the others, which
        saves spaCy half of its time; tags, heads and labels are the same.

    Returns
    -------
    list of Document or None
        One for each text, None for None. A document's text is the text as given; the sentences of a
        sequence are joined by newlines.

    Raises
    ------
    TypeError, ValueError
        A text is not a str or contains an unpaired surrogate; the message names the text.
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
    workers = check_workers(workers)
    wanted = _read(texts)
    source, *with_more = variants(provider_of(provider), asking_for)
    distinct = list(dict.fromkeys(text for text in wanted if text is not None))
    kept = None if isinstance(source, FileProvider) else _cache(cache)
    found = kept.find(source.signature, distinct) if kept else {}
    for other in with_more:
        missing = [text for text in distinct if text not in found]
        found |= kept.find(other.signature, missing) if kept else {}
    if progress is not None:
        progress(len(found), len(distinct))
    missing = [text for text in distinct if text not in found]
    # a provider may load its model before it reads its texts
    parsed = iter(process.parse(source, missing, workers) if missing else ())
    while some := list(islice(parsed, _STORED_TOGETHER)):
        found.update((document.text, document) for document in some)
        if kept:
            kept.store(some)
        if progress is not None:
            progress(len(found), len(distinct))
    return [None if text is None else found[text] for text in wanted]


def _cache(given: bool | str | os.PathLike[str] | Cache) -> Cache | None:
    if isinstance(given, Cache):
        return given
    if given is False:
        return None
    return _cache_in(str(cache_folder()) if given is True else os.fspath(given))


@functools.cache
def _cache_in(folder: str) -> Cache:
    """The cache of a folder; one object per folder, so that an unusable folder warns once."""
    return Cache(folder)


def _read(texts: Texts) -> list[str | None]:
    """Yield each text as one str; raise for anything else."""
    if isinstance(texts, str):
        raise TypeError("texts is one str; pass a list of texts")
    read: list[str | None] = []
    for number, text in enumerate(texts):
        place = f"texts[{number}]"
        if isinstance(text, (list, tuple)):
            for line_number, line in enumerate(text):
                if not isinstance(line, str):
                    kind = type(line).__name__
                    raise TypeError(f"{place}[{line_number}] is {kind}; pass a str")
            text = "\n".join(text)  # noqa: PLW2901
        if text is not None and not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"{place} is {kind}; pass a str, a list of str, or None")
        if text is not None and not text.isascii() and _SURROGATE.search(text):
            raise ValueError(f"{place} contains an unpaired surrogate; replace it first")
        read.append(text)
    return read
