"""`summeval metrics`: lists and describes the metrics.

List the metrics by name, those of installed packages too, and the presets; --fields adds the
columns of each. With names, show what these metrics measure, their columns, their options for
`summeval score --option`, and their sources.

[ARGUMENTS]
NAME: what to explain [list all]
--fields: name the columns of each metric

Exit status: 0 done, 1 bad data or files, 2 bad usage.
Examples:
  summeval metrics --fields
  summeval metrics rougeW tesla-s
"""

from __future__ import annotations

import inspect
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextlib import suppress
from textwrap import wrap
from typing import Any

import summeval
from summeval._options import Option
from summeval.cli.shared.choice import usual
from summeval.cli.shared.errors import as_usage, put, say
from summeval.cli.shared.flags import entry_of
from summeval.metrics.registry import PRESETS, START, Family, class_of, find, options_of

_WIDEST = 80

# How the help writes a value of each kind of option.
_KINDS = {
    "": "",
    "bool": "true|false",
    "share": "NUMBER from 0 to 1",
    "number": "NUMBER",
    "whole": "WHOLE NUMBER",
    "text": "NAME",
    "stemmer": "snowball-LANGUAGE",
    "words": "@FILE",
    "function": "(a function, in Python)",
    "path": "FILE",
    "any": "NAME",
    "object": "(an object, in Python)",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--fields", action="store_true")


def describe(name: str) -> str:
    """Return what a metric measures, in a few words.

    >>> describe("rougeSU4")
    'as rougeS4, and single tokens'
    """
    family = find(name)
    for pattern, text in family.summary if isinstance(family, Family) else ():
        match = re.fullmatch(pattern, name)
        if match and text:
            return text.format(*match.groups())
    documentation = class_of(name).__doc__ or name
    return documentation.splitlines()[0].rstrip(".")


def shorten_line(line: str) -> str:
    """Return a line that fits the screen, cut after a word.

    >>> shorten_line("short"), len(shorten_line("some words " * 20)) <= 80
    ('short', True)
    """
    if len(line) <= _WIDEST:
        return line
    return line[: _WIDEST - 2].rpartition(" ")[0] + " …"


def explain(name: str) -> list[str]:
    """Return the description of a metric: its columns, its options and the docstring of its class.

    Raises `UsageError` for an unknown name.
    """
    with as_usage():
        metric: Any = class_of(name)
    kind = metric
    with suppress(ValueError):  # one that must be told what it is made of
        metric = summeval.metric(name)
    lower = [f"{name}.{field}" for field in metric.fields if field in metric.lower_is_better]
    return [
        f"{name}: {describe(name)}",
        "",
        *_listed("columns", [f"{name}.{field}" for field in metric.fields]),
        *(_listed("lower is better in", lower) if lower else []),
        f"options  for --option, or summeval.metric({name!r}, OPTION=VALUE)",
        "",
        *(
            line
            for option in options_of(name).values()
            for line in _entry(name, option, says(kind, option.name))
        ),
        "",
        *_about(kind),
        "",
    ]


def says(family: Any, option: str) -> str:
    """Return what the docstring of a class says of an option, in its first paragraph.

    >>> says(summeval.TeslaM, "recall_weight")
    'F = P R / (w P + (1 - w) R) with w the recall weight: 0 gives precision, 1 recall.'
    """
    for each in (family.named, *family.__mro__):  # options of a model file stand where it is loaded
        if entry := entry_of(each, option)[1]:
            if other := re.match(r"As in `(\w+)`", entry):
                return says(getattr(summeval, other[1]), option)
            return entry
    return "An option of this metric."


def _entry(name: str, option: Option, meaning: str) -> list[str]:
    """Return the lines about an option: name and values on the command line, default, meaning.

    >>> for line in _entry("be", Option("stemmer", None, (None, "porter")), "Of words."):
    ...     print(line)
    be.stemmer=none|porter [none]
        Of words.
    """
    values = [_written(choice) for choice in option.choices]
    values += [kind for kind in [_KINDS[option.kind]] if kind]
    default = "" if isinstance(option.default, tuple) else f" [{_written(option.default)}]"
    head = f"{name}.{option.name}={'|'.join(values)}{default}"
    return [
        *wrap(head, 80, subsequent_indent=" " * 8, break_on_hyphens=False),
        *wrap(meaning, 80, initial_indent=" " * 4, subsequent_indent=" " * 4),
    ]


def _written(value: object) -> str:
    """Return a value as it is written on the command line."""
    return value if isinstance(value, str) else str(value).lower()


def _about(family: type) -> list[str]:
    """Return the docstring of the class, without the sections for people who write Python."""
    text = inspect.getdoc(family) or ""
    for title in ("Parameters", "Raises", "Examples"):
        text = re.sub(rf"^{title}\n-+\n.*?(?=^\w+\n-+$|\Z)", "", text, flags=re.M | re.S)
    return re.sub(r"\n{3,}", "\n\n", text.replace("``", "`")).strip().splitlines()


def _listed(title: str, names: Iterable[str]) -> list[str]:
    """Return a title and names, wrapped."""
    text = f"{title}  {', '.join(names)}"
    return wrap(text, 80, subsequent_indent=" " * 9, break_on_hyphens=False)


def run(arguments: Namespace) -> None:
    """Print the list, or the descriptions of the named metrics."""
    if arguments.names:
        put(line for name in usual(arguments.names) for line in explain(name))
        return
    names = summeval.list_metrics()
    width = max(map(len, names))
    lines = []
    for name in names:
        try:
            said = describe(name)
            fields = summeval.metric(name).fields if arguments.fields else ()
        except ValueError as error:  # of a package that cannot be used
            say(f"warning: {error}")
            continue
        lines.append(shorten_line(f"{name:{width}}  {said}"))
        if arguments.fields:
            columns = ", ".join(f"{name}.{field}" for field in fields)
            lines.append(f"{'':{width}}  {columns}")
    lines += ["", "Presets:"]
    indent = " " * (width + 2)
    how: Any = {"initial_indent": indent, "subsequent_indent": indent, "break_on_hyphens": False}
    for name, preset in PRESETS.items():
        lines.append(f"{START + name:{width}}  {preset.says}")
        lines += wrap(", ".join(preset.names), _WIDEST, **how)
    put(lines)
