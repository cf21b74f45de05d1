"""Options that take several names, or a number between 0 and 1."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Any

from summeval.cli.shared.errors import UsageError


def add_names(
    parser: argparse.ArgumentParser, *flags: str, metavar: str = "NAME", **more: Any
) -> None:
    """Declare an option that takes commas, blanks and repetition alike; `names_of` reads it."""
    parser.add_argument(*flags, nargs="+", action="extend", default=[], metavar=metavar, **more)


def names_of(option: str, given: Iterable[str], kind: str, blanks: bool = False) -> list[str]:
    """The given names, without duplicates, in order.

    With `blanks`, blanks also separate names within an argument; names of columns may contain
    blanks.

    Raises `UsageError` for an argument without names.

    >>> names_of("--human", ["a,b", "b", " c "], "column")
    ['a', 'b', 'c']
    >>> names_of("--level", ["summary system"], "level", blanks=True)
    ['summary', 'system']
    """
    texts = [text.replace(" ", ",") if blanks else text for text in given]
    found = list(dict.fromkeys(filter(None, (n.strip() for t in texts for n in t.split(",")))))
    if texts and not found:
        raise UsageError(f"{option} is empty; pass one or more {kind}s")
    return found


def share(example: float) -> Callable[[str], float]:
    """Return a parser of numbers between 0 and 1 (exclusive), with an example for the error.

    >>> share(0.95)("0.9")
    0.9
    >>> share(0.95)("95%")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '95%' is not a number between 0 and 1, such as 0.95
    """

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not 0.0 < value < 1.0:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not a number between 0 and 1, such as {example}"
            )
        return value

    return read
