"""Shared by the scripts that draw a picture of the documentation: writing it, or checking it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path


def write_or_check(
    argv: Sequence[str] | None, about: str, target: Path, draw: Callable[[], str]
) -> int:
    """Write a picture, or with --check only compare it; returns the exit status."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args(argv).check
    drawn = draw()
    old = not target.exists() or target.read_text("utf-8") != drawn
    if old and not check:
        target.parent.mkdir(exist_ok=True)
        target.write_text(drawn, "utf-8")
    if old:
        print(f"{'not up to date' if check else 'written'}: {target.name}")
    return int(check and old)
