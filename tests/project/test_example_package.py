"""The example package examples/own_metric: it installs, and its metric is one like any other."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from shared import ROOT

import summeval

EXAMPLE = ROOT / "examples" / "own_metric"
SOURCE = str(Path(summeval.__file__).parent.parent)
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs Python where the example is installed, by pip and without a network."""
    for module in ("pip", "setuptools"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed, so that the example cannot be built")
    folder = tmp_path_factory.mktemp("own_metric")
    shutil.copytree(EXAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    line = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    line += ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile"]
    line += ["--target", str(folder / "site"), str(folder / "source")]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    path = os.pathsep.join([SOURCE, str(folder / "site")])

    def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        ran = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran

    return run


def test_its_metric_keeps_the_contract(run: Run) -> None:
    printed = run("-m", "summeval", "check", "type-token", "--option", "type-token.window=3").stdout
    assert printed.endswith("  all checks hold\n")
    assert "failed" not in printed


def test_it_is_listed_and_scores_from_the_command_line(run: Run) -> None:
    assert re.search(r"^type-token +The mean share", run("-m", "summeval", "metrics").stdout, re.M)
    rows = ROOT / "src" / "summeval" / "cli" / "data" / "demo.jsonl"
    options = ["-m", "rouge1,type-token", "--option", "type-token.window=20"]
    first, *_ = run("-m", "summeval", "score", str(rows), *options).stdout.splitlines()
    assert 0.5 < json.loads(first)["type-token.ratio"] < 1.0
    told = run("-m", "summeval", "cite", "type-token", "--format", "text").stdout
    assert "type-token ratio (Covington and McFall, 2010)" in told
    assert "type-token|from:summeval-type-token-0.1.0|window:50|v:" in told


def test_it_is_explained_and_told_in_python(run: Run) -> None:
    code = (
        "import summeval\n"
        "metric = summeval.metric('type-token', window=2)\n"
        "found = metric.explain('a b b a')\n"
        "assert found.value == metric.score('a b b a').value == 5 / 6\n"
        "assert abs(sum(item.share for item in found.items) - 5 / 6) < 1e-12\n"
        "assert found.items[1].candidate_spans == ((2, 3),)\n"
        "table = summeval.score_batch(['a a', None], metrics=['type-token'])\n"
        "print(table['type-token.ratio'].tolist(), table.signature['type-token'].options['from'])\n"
    )
    assert run("-c", code).stdout == "[0.5, nan] summeval-type-token-0.1.0\n"


def test_its_own_tests_pass(run: Run) -> None:
    test = str(EXAMPLE / "test_type_token.py")
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLE), test)
