"""The rules of the code: imports, the content of each module, and the claims of the README."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from shared import ROOT

import summeval

SOURCE = ROOT / "src" / "summeval"
INSTALLED = Path(summeval.__file__).parent

# A folder imports from itself and from those before it.
FOLDERS = (
    "_core",
    "text",
    "io",
    "learn",
    "annotate",
    "solvers",
    "elements",
    "metrics",
    "table",
    "meta",
    "study",
    "interop",
    "report",
    "cli",
)
# Modules beside the folders that any of them may import; they import nothing of the package.
BASE = tuple(sorted(path.stem for path in SOURCE.glob("_[a-z]*.py")))
USES_THE_FACE = ("interop", "cli")
# The module in tests/definitions that defines what a compiled one computes, where it has another
# name (`field.bleu` is that of `field.bleu`, `support` that of `support.support`).
TWINS_BY_ANOTHER_NAME = {
    "agreement.dominance": "dominance",
    "agreement.resampling": "resampling",
    "chains.label_chain": "label_chain",
    "columns.lists": "columns",
    "discourse.relations": "discourse.parser",
    "discourse.roles": "roles",
    "documents.packed": "columns",
    "field.tokens": "field.tokenizers",
    "field.similarity": "field.edits",
    "field.wer": "field.edits",
    "graphs.ngram_graph": "ngram_graph",
    "likeness.likeness": "tesla",
    "lines.json_lines": "columns",
    "matching.assignment": "assignment",
    "matching.transport": "transport",
    "overlap.bootstrap": "rouge",
    "overlap.rouge": "rouge",
    "overlap.tesla": "tesla",
    "parsing.tokenizing": "parsing.tokenizer",
    "readability.text_features": "text.features",
    "rows.items": "rouge_items",
    "text.analyzer": "rouge",
    "text.unicode": "text.tokens",
}
# Behind columns; what kernels share; a value.
WITHOUT_TWIN = {"columns.arrow", "rows.kernel", "rows.record"}

HEAVY = {
    "daft",
    "duckdb",
    "highspy",
    "matplotlib",
    "nltk",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy",
    "sklearn",
    "spacy",
    "torch",
    "transformers",
}
# Modules whose examples run where an extra is installed.
EXAMPLES_NEED = {
    "summeval.annotate.parsers": "spacy",
    "summeval.learn.svm": "sklearn",
}
CORE = SOURCE / "_core"
KERNELS = sorted(f"{path.parent.name}.{path.stem}" for path in CORE.rglob("*.pyx"))
PYTHON_FILES = sorted(SOURCE.rglob("*.py"))
MODULES = [found.name for found in pkgutil.walk_packages([str(INSTALLED)], "summeval.")]
CYTHON_FILES = sorted([*SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd")])


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def imports_of(path: Path) -> Iterator[str]:
    """The full names of the modules and names that a Python or Cython file imports."""
    if path.suffix == ".py":
        package = path.relative_to(SOURCE.parent).parent.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else ()
                start = ".".join([*base, *filter(None, [node.module])])
                yield from (f"{start}.{alias.name}" for alias in node.names)
    else:
        for line in lines_of(path):
            if found := re.match(r"\s*from\s+([\w.]+)\s+c?import\s+(\w+)", line):
                yield f"{found[1]}.{found[2]}"
            elif found := re.match(r"\s*c?import\s+([\w.]+)", line):
                yield found[1]


def test_imports_go_one_way() -> None:
    wrong = [
        f"{relative(path)} imports {name}"
        for path in [*PYTHON_FILES, *CYTHON_FILES]
        for name in imports_of(path)
        if not may_import(path.relative_to(SOURCE).parts[0].removesuffix(".py"), name)
    ]
    assert wrong == []


def may_import(folder: str, name: str) -> bool:
    first, *rest = name.split(".")
    if first != "summeval" or folder in ("__init__", "__main__"):  # the face may import everything
        return True
    allowed = () if folder in BASE else FOLDERS[: FOLDERS.index(folder) + 1]
    if rest and rest[0] in (*allowed, *BASE):
        return True
    return folder in USES_THE_FACE and (not rest or rest[0] not in FOLDERS)


def test_no_files_import_each_other_in_a_circle() -> None:
    modules = {module_of(path): path for path in [*PYTHON_FILES, *CYTHON_FILES]}
    left = {
        name: {found for wanted in imports_of(path) if (found := file_of(wanted, modules)) != name}
        for name, path in modules.items()
        if not path.name.startswith("__init__")
    }
    while True:  # take away what imports nothing that is left
        done = {name for name, wanted in left.items() if not wanted & left.keys()}
        if not done:
            break
        left = {name: wanted for name, wanted in left.items() if name not in done}
    assert sorted(left) == []


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)


def file_of(name: str, modules: dict[str, Path]) -> str:
    """The module that holds a name, or is it."""
    return name if name in modules else name.rpartition(".")[0]


def test_every_folder_has_its_place() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders <= set(FOLDERS)


def test_import_loads_no_extra_and_reads_no_file() -> None:
    program = """
import json, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import summeval
print(json.dumps([opened, list(sys.modules)]))
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    opened, modules = json.loads(ran.stdout)
    code = (".py", ".pyc", ".so", ".pyd")
    assert [name for name in opened if "summeval" in name and not name.endswith(code)] == []
    assert HEAVY & set(modules) == set()


def test_compiled_modules_have_stubs() -> None:
    stubs = [f"{name.replace('.', '/')}.pyi" for name in KERNELS]
    places = [CORE / stub for stub in stubs] + [INSTALLED / "_core" / stub for stub in stubs]
    assert [str(path) for path in places if not path.is_file()] == []


def test_every_compiled_module_comes_from_a_source() -> None:
    found = (INSTALLED / "_core").rglob("*.so")
    built = {f"{path.parent.name}.{path.name.split('.')[0]}" for path in found}
    shared = "_core._cyutility"  # what Cython makes once for all
    assert built <= {*KERNELS, shared}, "left over from an earlier build: make clean"


def twin_of(kernel: str) -> str:
    """The module of definitions that says what a kernel computes; empty if there is none."""
    room = kernel.partition(".")[0]
    for name in (TWINS_BY_ANOTHER_NAME.get(kernel, kernel), room):
        if (ROOT / "tests" / "definitions" / f"{name.replace('.', '/')}.py").is_file():
            return name
    return ""


def test_every_kernel_has_a_twin() -> None:
    assert {kernel for kernel in KERNELS if not twin_of(kernel)} <= WITHOUT_TWIN
    assert {*TWINS_BY_ANOTHER_NAME} <= {*KERNELS}


def test_kernels_are_tested_against_their_twins() -> None:
    tests = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    twins = {name: twin_of(name) for name in KERNELS if name not in WITHOUT_TWIN}
    of_tests = {name: f"definitions.{twin}".rpartition(".")[::2] for name, twin in twins.items()}

    def used(text: str, home: str, name: str) -> bool:
        home = re.escape(home)
        return bool(re.search(rf"\b{home}(\.{name}\b| import [\w, (\s]*\b{name}\b)", text))

    untested = [
        kernel
        for kernel, twin in of_tests.items()
        if not any(used(t, *f"_core.{kernel}".rsplit(".", 1)) and used(t, *twin) for t in tests)
    ]
    assert untested == []


def test_package_is_marked_as_typed() -> None:
    assert (INSTALLED / "py.typed").is_file()


@pytest.mark.parametrize("room", sorted({name.rpartition(".")[0] for name in MODULES}))
def test_docstring_examples(room: str) -> None:
    names = [name for name in MODULES if name.rpartition(".")[0] == room]
    there = [n for n in names if n not in EXAMPLES_NEED or find_spec(EXAMPLES_NEED[n])]
    assert [n for n in there if doctest.testmod(importlib.import_module(n)).failed] == []


def test_docstring_examples_of_the_definitions() -> None:
    folder = ROOT / "tests" / "definitions"
    paths = [path.relative_to(folder.parent).with_suffix("") for path in folder.rglob("*.py")]
    names = [".".join(path.parts) for path in paths if path.name != "__init__"]
    failed = [name for name in names if doctest.testmod(importlib.import_module(name)).failed]
    assert failed == []


def test_docstring_examples_of_the_face() -> None:
    failed, tried = doctest.testmod(summeval)
    assert tried > 0
    assert failed == 0


def test_locks_are_those_that_a_forked_process_finds_free() -> None:
    other = re.compile(r"functools import .*cached_property|@functools.cached_property|\bR?Lock\(")
    paths = [path for path in PYTHON_FILES if path.stem not in ("_forks", "_cached")]
    assert [relative(p) for p in paths if other.search(p.read_text(encoding="utf-8"))] == []


def test_extras_that_errors_name_are_there() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = project.partition("[project.optional-dependencies]")[2].partition("\n[")[0]
    there = set(re.findall(r"^(\w+) = ", extras, re.MULTILINE))
    named = set()
    for path in PYTHON_FILES:
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"summeval\[(\w+)\]'", text)) - {"tea"}  # of an example
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "need":
                named.update(ast.literal_eval(extra) for extra in node.args[2:])
    assert named <= there


def test_version_is_that_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'dynamic = ["version"]' in project
    assert 'version = { attr = "summeval._version.__version__" }' in project
    places = [*PYTHON_FILES, *CYTHON_FILES, ROOT / "pyproject.toml", ROOT / "setup.py"]
    written = re.compile(rf"""(?<![\w.-])["']{re.escape(summeval.__version__)}["']""")
    found = [relative(path) for path in places if written.search(path.read_text(encoding="utf-8"))]
    assert found == ["src/summeval/_version.py"]


def test_commands_of_the_readme_and_of_ci_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^(\w+):.*##", makefile, re.MULTILINE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = set(re.findall(r"(?:^ *|`)make ([a-z]+)", readme, re.MULTILINE))
    assert {"demo", "test"} <= told <= targets
    checks = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"^make ([a-z]+)", checks, re.MULTILINE)) <= told
