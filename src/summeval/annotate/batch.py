"""Many texts annotated by one call, in this process or in several.

As a command, `python -m summeval.annotate.batch PROVIDER [WHAT ...]`, it is a worker, which parses
for another process. WHAT is what the provider is asked for (`annotate.providers.ASKED_FOR`).

Most parsers hold the GIL most of the time, so threads gain nothing. (The compiled one does not, and
runs on threads.) A worker reads JSON lines from standard input, each a list of texts, and answers
each with a line: the documents, or the exception. It is started as a command, not forked, and
imports nothing of the caller's program. The parser's own output goes to standard error.
"""

from __future__ import annotations

import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import islice

from summeval._options import check_workers
from summeval.annotate.cache import Cache, cache_folder
from summeval.annotate.document import Document
from summeval.annotate.files import FileProvider, from_json, to_json
from summeval.annotate.providers import ASKED_FOR, Provider, in_parts
from summeval.annotate.providers import asking_for as variants
from summeval.annotate.providers import provider as provider_of

WORTH_CHARACTERS = 100_000
"""Characters per worker: loading the model takes seconds, so small inputs start fewer workers."""

_CHUNK_CHARACTERS = 20_000
_SURROGATE = re.compile("[\ud800-\udfff]")

_STORED_TOGETHER = 64

Texts = Iterable[str | Sequence[str] | None]


def annotate(
    texts: Texts,
    provider: str | Provider = "compiled",
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
        process loads the model, so a small batch starts fewer processes. The compiled parser runs
        on threads instead.
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
    parsed = iter(parse(source, missing, workers) if missing else ())
    while some := list(islice(parsed, _STORED_TOGETHER)):
        found.update((document.text, document) for document in some)
        if kept:
            kept.store(some)
        if progress is not None:
            progress(len(found), len(distinct))
    return [None if text is None else found[text] for text in wanted]


def _cache(given: bool | str | os.PathLike[str] | Cache) -> Cache | None:
    if given is False or isinstance(given, Cache):
        return given or None
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
                    raise TypeError(f"{place}[{line_number}] is {type(line).__name__}; pass a str")
            text = "\n".join(text)  # noqa: PLW2901
        if text is not None and not isinstance(text, str):
            kind = type(text).__name__
            raise TypeError(f"{place} is {kind}; pass a str, a list of str, or None")
        if text is not None and not text.isascii() and _SURROGATE.search(text):
            raise ValueError(f"{place} contains an unpaired surrogate; replace it first")
        read.append(text)
    return read


def parse(source: Provider, texts: Sequence[str], workers: int) -> Iterator[Document]:
    """Yield the documents of texts in their order, from up to `workers` processes or threads."""
    on_threads = getattr(source, "parse_on_threads", None)
    if on_threads is not None:
        found: Iterator[Document] = on_threads(texts, workers)
        return found
    processes = min(workers, sum(map(len, texts)) // WORTH_CHARACTERS)
    command = [source.name, *getattr(source, "asked_for", ASKED_FOR)]
    if processes > 1:
        with suppress(ValueError, ImportError):  # not made by its name
            made = _made(command)
            if type(made) is type(source) and made.signature == source.signature:
                return _parse_apart(command, texts, processes)
    return source.parse(texts)


def _made(command: Sequence[str]) -> Provider:
    """Return the provider of a name and of what it is asked for."""
    name, *what = command
    return variants(provider_of(name), what)[0]


def _parse_apart(
    command: Sequence[str], texts: Sequence[str], processes: int
) -> Iterator[Document]:
    with ExitStack() as stack:
        children = [stack.enter_context(_Child(command)) for _ in range(processes)]
        idle = deque(children)
        pool = stack.enter_context(ThreadPoolExecutor(processes))

        def ask(chunk: list[str]) -> list[Document]:
            child = idle.popleft()
            try:
                return child.ask(chunk)
            finally:
                idle.append(child)

        waiting: deque[Future[list[Document]]] = deque()
        try:
            for chunk in in_parts(texts, _CHUNK_CHARACTERS):
                waiting.append(pool.submit(ask, chunk))
                if len(waiting) > 4 * processes:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
            for child in children:
                child.stop()


class _Child:
    """A worker process that parses."""

    def __init__(self, command: Sequence[str]) -> None:
        search = os.pathsep.join(filter(None, sys.path))
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, "PYTHONPATH": search},
        )
        assert self._process.stdin and self._process.stdout
        self._texts, self._answers = self._process.stdin, self._process.stdout

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._process.wait()
        for pipe in (self._texts, self._answers, self._said):
            with suppress(OSError):
                pipe.close()

    def stop(self) -> None:
        """Kill the process at once."""
        self._process.kill()

    def ask(self, texts: list[str]) -> list[Document]:
        """Return the documents of texts; re-raises the exception of the worker."""
        line = b""
        with suppress(OSError):  # it died; reading the answer reports that
            self._texts.write(json.dumps(texts).encode() + b"\n")
            self._texts.flush()
            line = self._answers.readline()
        if not line.endswith(b"\n"):
            code = self._process.wait()
            self._said.seek(0)
            said = self._said.read().decode("utf-8", "replace").strip().splitlines()
            last = "".join(f": {line.strip()}" for line in said[-1:])
            raise RuntimeError(f"a parser process exited with {code}{last}; use workers=1")
        answer = json.loads(line)
        if isinstance(answer, str):
            raise ValueError(answer)
        return [from_json(written) for written in answer]


def main() -> None:
    """Answer the requests on standard input."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    source = _made(sys.argv[1:])
    with answers, suppress(KeyboardInterrupt):  # the caller reports the interrupt
        for line in sys.stdin.buffer:
            try:
                answer: str | list[str] = [
                    to_json(found) for found in source.parse(json.loads(line))
                ]
            except ValueError as error:
                answer = str(error)
            answers.write(json.dumps(answer).encode() + b"\n")
            answers.flush()


if __name__ == "__main__":
    main()
