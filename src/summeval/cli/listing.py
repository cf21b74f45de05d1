"""`summeval metrics`: the metrics there are."""

from __future__ import annotations

import argparse
import textwrap

import summeval

DESCRIPTION = "List the metrics by name, each with the columns it gives."
EPILOG = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command: none."""


def run(arguments: argparse.Namespace) -> int:
    """Print the list. Returns the exit status."""
    del arguments
    names = summeval.metrics()
    width = max(map(len, names))
    return 0
