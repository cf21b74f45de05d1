"""Which modules the first import loads: they are counted, because times differ by machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from summeval.metrics.registry import INDEX

SLOW = {  # modules that take milliseconds, and nothing needs to begin with
    "asyncio",
    "bz2",
    "concurrent.futures",
    "csv",
    "difflib",
    "gzip",
    "hashlib",
    "importlib.resources",
    "lzma",
    "multiprocessing",
    "pathlib",
    "shutil",
    "tempfile",
    "traceback",
    "urllib",
    "zipfile",
}
BEFORE_NUMPY = SLOW | {"dataclasses", "inspect", "numpy"}  # NumPy brings the others itself

LIST = "\nimport atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"


def imported(program: str) -> set[str]:
    """The modules that a program has imported in the end, without those of a bare interpreter."""

    def run(code: str) -> set[str]:
        ran = subprocess.run(
            [sys.executable, "-c", LIST + "\n" + code], capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stderr
        return set(ran.stderr.split())

    return run(program) - run("")


def ours(modules: set[str]) -> list[str]:
    return sorted(name for name in modules if name.startswith("summeval"))


def command(*arguments: str) -> str:
    listed = json.dumps(arguments)
    return f"from summeval.cli.main import main\nassert main({listed}) == 0"


def homes(modules: set[str]) -> set[str]:
    """The modules of the families that were imported."""
    return {family.home for family in INDEX} & {
        name.removeprefix("summeval.metrics.") for name in modules
    }


def test_the_import_brings_nothing_but_names() -> None:
    found = imported("import summeval")
    assert ours(found) == ["summeval", "summeval._forks", "summeval._lazy", "summeval._version"]
    assert found & (BEFORE_NUMPY | {"typing", "re"}) == set()


def test_every_name_of_the_face_can_be_imported() -> None:
    imported("import summeval\nfor name in dir(summeval): getattr(summeval, name)")
    imported("from summeval import *\nassert score('a', 'a', ['rouge1'])['rouge1'].recall == 1")


def test_a_folder_is_imported_when_it_is_named() -> None:
    found = imported("import summeval\nassert summeval.text.tokens('a cat') == ['a', 'cat']")
    assert "summeval.text" in found
    assert "summeval.io" not in found


@pytest.mark.parametrize(
    ("name", "home"),
    [("rouge1", "rouge.metric"), ("rougeW-1.3", "rouge.metric"), ("tesla-s", "tesla.tesla_s")],
)
def test_a_metric_imports_its_family_alone(name: str, home: str) -> None:
    found = imported(f"import summeval\nprint(summeval.score('a', 'a b', [{name!r}]))")
    assert homes(found) == {home}
    assert found & (SLOW | {"numpy"}) == set()


def test_directions_import_no_family() -> None:
    told = "from summeval.metrics.registry import direction_of\n"
    found = imported(told + "assert direction_of('simetrix.smoothedJSD') is False")
    assert homes(found) == set()
    assert homes(imported(told + "assert direction_of('words') is None")) == set()


def test_the_command_says_its_version_without_its_commands() -> None:
    code = (
        "from summeval.cli.main import main\n"
        "try: main(['--version'])\nexcept SystemExit as end: assert end.code == 0"
    )
    found = imported(code)
    assert found & BEFORE_NUMPY == set()
    assert [name for name in ours(found) if name.startswith("summeval.cli.")] == [
        "summeval.cli.main",
        "summeval.cli.shared",
        "summeval.cli.shared.errors",
    ]
    assert len(ours(found)) <= 12


def test_scoring_a_file_imports_what_it_uses(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"candidate": "a cat", "references": ["a cat sat"]}\n')
    found = imported(command("score", str(rows), "-m", "rouge1", "-o", str(tmp_path / "out.jsonl")))
    assert homes(found) == {"rouge.metric"}
    assert found & SLOW == set()
    others = ("annotate", "elements", "interop", "learn", "meta", "report", "solvers")
    assert [n for n in ours(found) if n.split(".")[1:2] and n.split(".")[1] in others] == []
    assert len([name for name in ours(found) if name.startswith("summeval.cli.")]) <= 18
    assert len(ours(found)) <= 82


def test_writing_rows_as_a_table_does_not_import_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"id": 1, "system": "a", "x": 0.5, "candidate": "a", "references": ["a"]}\n')
    out = str(tmp_path / "out.parquet")
    assert "pandas" not in imported(command("score", str(rows), "-m", "rouge1", "-o", out))
