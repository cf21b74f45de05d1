"""Parsing in worker processes: `python -m summeval.annotate.process PROVIDER [WHAT ...]`.

WHAT is what the provider is asked for (`summeval.annotate.providers.ASKED_FOR`).

Parsers hold the GIL most of the time, so threads gain nothing. A worker reads JSON lines from
standard input, each a list of texts, and answers each with a line: the documents, or the exception.
It is started as a command, not forked, and imports nothing of the caller's program. The parser's
own output goes to standard error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from typing import IO

from summeval.annotate.document import Document
from summeval.annotate.files import from_json, to_json
from summeval.annotate.providers import ASKED_FOR, Provider, asking_for, in_parts, provider

WORTH_CHARACTERS = 100_000
"""Characters per worker: loading the model takes seconds, so small inputs start fewer workers."""

_CHUNK_CHARACTERS = 20_000


def parse(source: Provider, texts: Sequence[str], workers: int) -> Iterator[Document]:
    """Yield the documents of texts in their order, from up to `workers` processes."""
    processes = min(workers, sum(map(len, texts)) // WORTH_CHARACTERS)
    command = [source.name, *getattr(source, "asked_for", ASKED_FOR)]
    if processes < 2 or not _is_made_by_name(source, command):
        return source.parse(texts)
    return _parse_apart(command, texts, processes)


def _made(command: Sequence[str]) -> Provider:
    """Return the provider of a name and of what it is asked for."""
    name, *what = command
    return asking_for(provider(name), what)[0]


def _is_made_by_name(source: Provider, command: Sequence[str]) -> bool:
    try:
        made = _made(command)
    except (ValueError, ImportError):
        return False
    return type(made) is type(source) and made.signature == source.signature


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
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": search},
        )
        self._said: deque[str] = deque(maxlen=1)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def __enter__(self) -> _Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._process.wait()
        self._listener.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                _open(pipe).close()

    def stop(self) -> None:
        """Kill the process at once."""
        self._process.kill()

    def ask(self, texts: list[str]) -> list[Document]:
        """Return the documents of texts; re-raises the exception of the worker."""
        line = b""
        with suppress(OSError):  # it died; reading the answer reports that
            _open(self._process.stdin).write(json.dumps(texts).encode() + b"\n")
            _open(self._process.stdin).flush()
            line = _open(self._process.stdout).readline()
        if not line.endswith(b"\n"):
            self._listener.join()
            said = "".join(f": {line}" for line in self._said)
            raise RuntimeError(
                f"a parser process exited with {self._process.wait()}{said}; use workers=1"
            )
        answer = json.loads(line)
        if isinstance(answer, str):
            raise ValueError(answer)
        return [from_json(written) for written in answer]

    def _listen(self) -> None:
        for line in _open(self._process.stderr):
            if line.strip():
                self._said.append(line.decode("utf-8", "replace").strip())


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


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
