"""The content of an installation: only used files, and at most 12 MB besides the data."""

from __future__ import annotations

from pathlib import Path

import pytest

import summeval

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = Path(summeval.__file__).parent
COMPILED = sorted(
    path for path in INSTALLED.rglob("*") if path.suffix in (".so", ".pyd") and path.is_file()
)
# A message of an assertion in libstdc++, which only the builds that look for faults have.
CHECKED = b"__n < this->size()"


def is_data(path: Path) -> bool:
    return "data" in path.relative_to(INSTALLED).parts[:-1]


def test_code_is_twelve_megabytes_at_most() -> None:
    if any(CHECKED in path.read_bytes() for path in COMPILED):
        pytest.skip("a debug or sanitizer build keeps its symbols")
    kinds = (".py", ".pyi", ".so", ".pyd")
    code = [path for path in INSTALLED.rglob("*") if path.suffix in kinds and not is_data(path)]
    assert COMPILED
    assert sum(path.stat().st_size for path in code) <= 12e6


def test_modules_share_the_code_of_cython() -> None:
    kept = {path.name.split(".")[0] for path in COMPILED}
    assert "_cyutility" in kept
    # A message of Cython's memory views: a module that has it has a copy of their code.
    own = [path.name for path in COMPILED if b"Buffer dtype mismatch" in path.read_bytes()]
    assert [name.split(".")[0] for name in own] == ["_cyutility"]


def test_sources_of_compiled_modules_are_not_installed() -> None:
    if INSTALLED == ROOT / "src" / "summeval":
        pytest.skip("built in place")
    suffixes = {
        path.suffix for path in INSTALLED.rglob("*") if path.is_file() and not is_data(path)
    }
    assert suffixes <= {".py", ".pyc", ".pyi", ".so", ".pyd", ".typed"}
