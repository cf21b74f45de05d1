"""The plain files of a command line: `--hyp FILE … --ref FILE … --src FILE`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import summeval
from summeval.cli.shared.errors import UsageError, say
from summeval.io.plain import Plain, PlainInput, open_plain, system_names
from summeval.io.source import format_of

_COLUMNS = ("candidate_column", "references_column", "source_column", "format")


def open_files(arguments: argparse.Namespace, suite: summeval.Suite) -> PlainInput:
    """Open the plain files that a command line names, for these metrics.

    Raises
    ------
    UsageError
        Options that do not fit, or a metric that lacks its texts.
    DataError
        A file cannot be read, or files do not fit together.
    """
    for name in _COLUMNS:
        if getattr(arguments, name):
            raise UsageError(f"--{name.replace('_', '-')} is for rows, not for --hyp; omit it")
    sources = [] if arguments.src is None else [arguments.src]
    for what, option, given in (
        ("references", "--ref", arguments.ref),
        ("source", "--src", sources),
    ):
        if what in suite.reads and not given:
            names = [m.name for m in suite.metrics if m.compared_with in (what, "both")]
            raise UsageError(f"{', '.join(names)}: compared with the {what}; add {option} FILE")
    systems = _systems(arguments.hyp)
    plain = Plain(systems, arguments.ref, sources, arguments.newline)
    if plain.paths.count("-") > 1:
        raise UsageError("- (standard input) can stand for one file only")
    for path in plain.paths:
        if format_of(path) and not os.path.isdir(path):
            raise UsageError(f"{path} is a file of rows: pass it as INPUT, without --hyp")
    file = open_plain(plain)
    if file.left_out:
        say(file.left_out)
    return file


def _systems(given: Sequence[str]) -> list[tuple[str, str]]:
    """The name and the path of each system."""
    named = [("", text) if text == "-" or os.path.exists(text) else _parted(text) for text in given]
    plain = [path for name, path in named if not name]
    places = [os.path.realpath(path) for path in plain]
    for path, place in zip(plain, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"--hyp names {path} twice; name its systems, as in a={path}")
    names = dict(zip(plain, system_names(plain), strict=True))
    found = [(name or names[path], path) for name, path in named]
    own = {name for name, _ in named if name}
    if taken := own & set(names.values()):
        raise UsageError(f"--hyp names two systems {min(taken)}; name both, as in NAME=FILE")
    return found


def _parted(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    return (name, path) if equals and path else ("", text)
