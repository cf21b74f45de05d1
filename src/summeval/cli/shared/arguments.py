"""Options that mean the same in several commands."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from summeval.cli.shared.names import share
from summeval.io import IN_ROWS


def add_format(
    parser: argparse.ArgumentParser, of: str = "INPUT", choices: Sequence[str] = IN_ROWS
) -> None:
    """Declare `--format`, that of the file which the usage calls `of`."""
    parser.add_argument(
        "--format", choices=choices, help=f"format of {of} [by its ending; jsonl for -]"
    )


def add_option(parser: argparse.ArgumentParser, more: str) -> None:
    """Declare `--option`, which sets the options of metrics; see `shared.choice`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="METRIC.KEY=VALUE",
        help=f"an option of a metric or a family, {more}",
    )


def add_alpha(parser: argparse.ArgumentParser, of: str) -> None:
    """Declare `--alpha`, the level of these tests."""
    parser.add_argument(
        "--alpha",
        type=share(0.05),
        default=0.05,
        metavar="SHARE",
        help=f"level of {of}, from 0 to 1 [0.05]",
    )
