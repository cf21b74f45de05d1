"""The worked example of CONTRIBUTING, "A metric in a day", is a metric like any other."""

from __future__ import annotations

import doctest
import importlib
import math
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from shared import ROOT

import summeval
from summeval.metrics import registry

NAME = "overlap-coefficient"
BLOCKS = [
    textwrap.dedent(block)
    for block in re.findall(
        r"^ {3}```python\n(.*?)^ {3}```", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M | re.S
    )
]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The file of the example, imported as the module that the text names, and registered."""
    (source,) = BLOCKS
    module = ModuleType("summeval.metrics.overlap_coefficient")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, "overlap_coefficient.py", "exec"), module.__dict__)
    monkeypatch.syspath_prepend(ROOT / "ci")
    family = registry.Family(**importlib.import_module("index").row_of(module.OverlapCoefficient))
    monkeypatch.setattr(registry, "INDEX", (*registry.INDEX, family))
    yield module


def test_the_example_is_found_by_its_name_and_scores(example: ModuleType) -> None:
    assert NAME in summeval.list_metrics()
    metric = summeval.metric(NAME)
    assert metric.score("the cat sat", ["a dog", "the cat"]).value == 1.0
    assert metric.score("the cat sat", "the dog").value == 0.5
    assert metric.score("", "a dog").value == 0.0
    assert math.isnan(metric.score(None, "a dog").value)
    table = summeval.score_batch(["the cat", "b"], [["the dog", "a"], ["b"]], [metric, "rouge1"])
    assert table[f"{NAME}.overlap"].tolist() == [0.5, 1.0]
    assert metric.prepare("the dog").score("the cat sat").value == 0.5
    assert metric.signature.startswith(f"{NAME}|tokenizer:rouge155|v:")


def test_its_declaration_gives_checks_and_errors(example: ModuleType) -> None:
    with pytest.raises(ValueError, match="did you mean tokenizer"):
        summeval.metric(NAME, tokeniser="unicode")
    with pytest.raises(ValueError, match="tokenizer is 'words'"):
        summeval.metric(NAME, tokenizer="words")
    assert [*registry.options_of(NAME)] == ["tokenizer", "label"]


def test_its_docstring_runs(example: ModuleType) -> None:
    found = doctest.DocTestFinder().find(example.OverlapCoefficient, globs=vars(example))
    runner = doctest.DocTestRunner()
    assert sum(runner.run(test).attempted for test in found) == 1
    assert runner.failures == 0


def test_its_source_is_formatted_as_the_project_asks(tmp_path: Path) -> None:
    pytest.importorskip("ruff")
    path = tmp_path / "overlap_coefficient.py"
    path.write_text(BLOCKS[0], encoding="utf-8")
    settings = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
    for command in (["check"], ["format", "--check"]):
        ran = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *settings, str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
