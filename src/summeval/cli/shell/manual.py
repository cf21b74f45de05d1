r"""`summeval man`: the manual page.

Print the manual page of all commands, which `man -l` shows, or `man summeval` where it is in the
folder below.

[ARGUMENTS]

Exit status: 0 done, 1 standard output cannot be written.
Examples:
  summeval man | man -l -
  summeval man >~/.local/share/man/man1/summeval.1
"""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

import summeval
from summeval.cli.shared.errors import put
from summeval.cli.shell.declared import Argument, commands


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command, which has none."""


def run(arguments: Namespace) -> None:
    """Print the page."""
    put(page())


def page() -> Iterator[str]:
    """Yield the lines of the page, for the macros `man` of roff."""
    top, *rest = commands()
    told = top.told[:1].lower() + top.told[1:].rstrip(".")
    yield f'.TH SUMMEVAL 1 "" "summeval {summeval.__version__}"'
    yield from (".SH NAME", _plain(f"summeval - {told}").replace(" - ", r" \- ", 1))
    yield from (".SH SYNOPSIS", ".B summeval", r"\fICOMMAND\fR [\fIARGUMENTS\fR]")
    yield ".SH OPTIONS"
    for one in top.arguments:
        yield from _argument(one)
    yield ".SH COMMANDS"
    for command in rest:
        if command.below:
            continue
        yield f'.SS "summeval {command.words}"'
        yield from _paragraphs(command.before)
        yield from _as_it_stands(command.usage.replace(f"\n{' ' * len('usage: ')}", "\n"))
        for one in command.arguments:
            yield from _argument(one)
        yield ".PP"
        yield from _as_it_stands(command.after)


def _argument(one: Argument) -> Iterator[str]:
    names = ", ".join(rf"\fB{_plain(flag)}\fR" for flag in one.flags)
    value = rf"\fI{_plain(one.value)}\fR" if one.value else ""
    yield from (".TP", f"{names} {value}".strip(), _plain(one.told) or r"\&")


def _paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs; one with lines of its own form, which are indented, stands as it is."""
    for paragraph in re.split(r"\n\s*\n", text):
        if re.search(r"^ ", paragraph, re.MULTILINE):
            yield from _as_it_stands(paragraph)
        else:
            yield from (".PP", _plain(" ".join(paragraph.split())))


def _as_it_stands(text: str) -> Iterator[str]:
    yield from (".PP", ".nf", *map(_plain, text.splitlines()), ".fi")


def _plain(text: str) -> str:
    r"""Return a line of text for roff, in which hyphens can be copied.

    >>> _plain(r".a-b \n")
    '\\&.a\\-b \\en'
    """
    text = text.replace("\\", r"\e").replace("-", r"\-")
    text = re.sub(r"[^ -~]", lambda found: rf"\[u{ord(found[0]):04X}]", text)
    return rf"\&{text}" if text.startswith((".", "'")) else text
