"""Where the cases are, and the data beside the checkout that never enter it."""

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
CASE_FILES = TESTS / "cases"  # numbers of the original programs


def shared(name: str) -> Path:
    """The path of shared/<name>; skips the test where it is absent."""
    home = Path(os.environ.get("SUMMEVAL_SHARED", ROOT.parent / "shared"))
    path = home / name
    if not path.exists():
        pytest.skip(f"needs shared/{name} beside the checkout (or in SUMMEVAL_SHARED)")
    return path
