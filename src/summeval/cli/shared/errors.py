"""Output of commands, and their errors: one line each, and an exit status.

Status 1: unusable data or files. 2: wrong usage. 130: Ctrl-C. 141: the reader of the output closed
the pipe. 143: SIGTERM.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from summeval._problem import printable
from summeval.io import BadRow, DataError, naming

if TYPE_CHECKING:
    from summeval.annotate import Provider
    from summeval.io.output import Output

BAD_DATA = 1
BAD_USAGE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143


class UsageError(ValueError):
    """The command line is invalid; the message is one line."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with a message about the state it left."""

    status = INTERRUPTED
    word = "interrupted"

    @staticmethod
    def by(error: KeyboardInterrupt, left: str) -> Interrupted:
        """Return the same exception type as `error`, with a message about the state it left."""
        kind = type(error) if isinstance(error, Interrupted) else Interrupted
        return kind(f"{kind.word}; {left}")


class Terminated(Interrupted):
    """SIGTERM, which ends a command like Ctrl-C."""

    status = TERMINATED
    word = "terminated"


@contextmanager
def obeying_sigterm() -> Iterator[None]:
    """Let SIGTERM raise `Terminated`, unless the parent process changed its handling."""
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise Terminated

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def say(message: str) -> None:
    """Write one line to standard error, if it is open."""
    if sys.stderr is not None:
        print(f"summeval: {printable(message)}", file=sys.stderr, flush=True)


def report(error: BaseException, debug: bool, skips: bool = False, command: str = "") -> int:
    """Print the error and return the exit status; `debug` adds the traceback.

    `skips` says whether the command can skip bad rows; `command` is the subcommand, whose help is
    suggested after a usage error.
    """
    if debug and not isinstance(error, BrokenPipeError):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, BrokenPipeError):
        _drop_standard_output()
        return BROKEN_PIPE
    if isinstance(error, KeyboardInterrupt):
        known = error if isinstance(error, Interrupted) else Interrupted()
        say(str(known) or known.word)
        return known.status
    is_extra = isinstance(error, ImportError) and "pip install" in str(error)
    if isinstance(error, UsageError) or is_extra:
        see = "" if is_extra else f" (see {f'summeval {command}'.strip()} --help)"
        say(f"{_line(error)}{see}")
        return BAD_USAGE
    if isinstance(error, BadRow) and skips:
        say(f"{error} (use --on-error skip to skip such rows)")
    elif isinstance(error, DataError):
        say(str(error))
    elif isinstance(error, MemoryError):
        what = f" ({_line(error)})" if str(error) else ""
        hint = "use fewer --workers or shorter texts" if skips else "pass fewer rows at a time"
        say(f"out of memory{what}; {hint}")
    else:
        say(f"{type(error).__name__}: {_line(error)}; use --debug to see where")
    _drop_standard_output()
    return BAD_DATA


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _drop_standard_output() -> None:
    """Discard buffered output, so that the interpreter does not fail on it at exit."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def open_provider(name: str) -> Provider:
    """Return the provider of a name.

    Raises
    ------
    UsageError
        An unknown name, a program or model that is not installed, or a file without documents.
    DataError
        A file cannot be read.
    """
    from summeval.annotate import provider

    with naming(), as_usage((ValueError, ImportError)):
        return provider(name)


@contextmanager
def as_usage(
    kinds: type[Exception] | tuple[type[Exception], ...] = ValueError, prefix: str = ""
) -> Iterator[None]:
    """Report errors of these kinds as wrong usage."""
    try:
        yield
    except kinds as error:
        raise UsageError(f"{prefix}{error}") from error


@contextmanager
def refusals(
    place: str, hint: str = "use --debug to see where", *, besides: bool = False
) -> Iterator[None]:
    """Report what a metric, a provider or a table refuses as bad data of the file.

    `hint` serves where the error has none, or `besides` its own.
    """
    try:
        yield
    except (DataError, UsageError):
        raise
    except (ValueError, RuntimeError) as error:
        if besides:
            raise DataError(place, str(error), hint) from error
        raise DataError.of(place, error, hint) from error


def put(lines: Iterable[str], data: bool = False) -> None:
    """Print `printable` lines on standard output and flush it; `data` stays as it is in a pipe.

    Raises
    ------
    DataError
        Standard output is closed or cannot be written.
    """
    name = "standard output"
    if sys.stdout is None:
        raise DataError(name, "it is closed", "keep it open or redirect it to a file")
    with naming(name):
        raw = data and not sys.stdout.isatty()
        print(*(lines if raw else map(printable, lines)), sep="\n", flush=True)


def deliver(path: str, lines: Sequence[str], data: bool = False) -> None:
    """Write lines to a file; where it is `-`, `put` them."""
    if path == "-":
        put(lines, data)
    else:
        kept = lines if data else map(printable, lines)
        write_file(path, "".join(line + "\n" for line in kept).encode())


def check_folder(path: str) -> None:
    """Raise `DataError` if no file can be written there for want of its folder."""
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise DataError(path, f"folder {folder} does not exist", "create it, or choose another")
    if not os.access(folder, os.W_OK):
        raise DataError(path, f"folder {folder} is not writable", "choose another")


def write_file(path: str, data: bytes) -> None:
    """Write a file, which appears only when complete; `-` is standard output."""
    from summeval.io.output import open_output

    with whole(open_output(path)) as output:
        output.write(data, {})


@contextmanager
def whole(output: Output) -> Iterator[Output]:
    """Publish an output at the end of the block, and remove it on an error."""
    try:
        yield output
        output.commit()
    except BaseException:
        output.discard()
        raise
