"""The commands and their arguments, as the parsers declare them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from summeval.cli import main
from summeval.metrics.registry import list_metrics

_FILES = ("FILE", "OUT", "FOLDER")  # of options; an argument without a flag is a file by default
_WIDTH = 76  # of the lines of usage


class Argument(NamedTuple):
    """An option, or an argument without a flag.

    Parameters
    ----------
    flags : tuple of str
        Its names; none for an argument without a flag.
    told : str
        What it is for.
    value : str
        What its value is called, empty if it has none.
    words : tuple of str
        The values that it takes, if they are known.
    is_file, is_list, is_many : bool
        Whether the value is a file, is of several words between commas, or goes on with more words.
    """

    flags: tuple[str, ...]
    told: str
    value: str
    words: tuple[str, ...]
    is_file: bool
    is_list: bool
    is_many: bool


class Command(NamedTuple):
    """A command: the words that call it, its line of help, its arguments and its pages."""

    words: str
    told: str
    arguments: list[Argument]
    below: dict[str, str]  # the commands that it has, with the line of each
    usage: str
    before: str  # the arguments
    after: str


def commands() -> list[Command]:
    """Return all commands, `summeval` itself first, which has no words."""
    names = [word for words in main._COMMANDS for word in words.split()]
    return list(_walk(main.parser([*names, "--help"]), "", main.DESCRIPTION))


def _walk(parser: argparse.ArgumentParser, words: str, told: str) -> Iterator[Command]:
    arguments: list[Argument] = []
    below: dict[str, argparse.ArgumentParser] = {}
    lines: dict[str, str] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            below = dict(action.choices)
            lines = {one.dest: one.help or "" for one in action._choices_actions}
        else:
            arguments.append(_argument(action))
    parser.formatter_class = partial(argparse.HelpFormatter, width=_WIDTH)
    usage = parser.format_usage().removeprefix("usage: ").rstrip()
    before, after = parser.description or "", parser.epilog or ""
    yield Command(words, told, arguments, lines, usage, before.strip(), after.strip())
    for name, one in below.items():
        yield from _walk(one, f"{words} {name}".strip(), lines[name])


def _argument(action: argparse.Action) -> Argument:
    flags = tuple(action.option_strings)
    called: Any = action.metavar or action.dest.upper()
    value = called if isinstance(called, str) else called[0]
    if action.nargs == 0:
        value = ""
    names_metrics = "--metrics" in flags or (not flags and value in ("NAME", "NAMES"))
    words = tuple(map(str, action.choices or ()))
    if action.choices:
        value = "{" + ",".join(words) + "}"
    elif names_metrics:
        words = tuple(list_metrics())
    return Argument(
        flags=flags,
        told=" ".join((action.help or "").replace("%%", "%").split()),
        value=value,
        words=words,
        is_file=not words and (value in _FILES if flags else True),
        is_list=names_metrics,
        is_many=action.nargs in ("+", "*"),
    )
