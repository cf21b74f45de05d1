"""The plugin of pytest, in runs of pytest of its own."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shared import ROOT

import summeval
from summeval.interop.testing.plugin import SummaryScores

MANY = """
import pytest

@pytest.mark.parametrize("row", range(8))
def test_summary(summary_score, row):
    scores = summary_score("{text}" + str(row), ["the cat sat on the mat " + str(row)])
    assert scores.rouge1 > 0.1
    assert scores["tesla-s.recall"] >= 0
"""
GOOD, BAD = "the cat sat on a mat ", "a cat in a hat "


def run(folder: Path, text: str, *arguments: str) -> tuple[int, str]:
    """The status of pytest on a file of tests, and what it prints."""
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "summeval.interop.testing.plugin", "-q"]
    command += ["-p", "no:cacheprovider", "--rootdir", ".", *arguments, "test_it.py"]
    where = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
    where["PYTHONPATH"] = os.pathsep.join(sys.path)
    ran = subprocess.run(
        command, cwd=folder, env=where, capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_scores_are_those_of_the_package() -> None:
    scores = SummaryScores("the cat sat", ["a cat sat", "the dog"], "a cat sat down")
    for name in ("rouge1", "tesla-s", "support"):
        given: Any = ["a cat sat", "the dog"], [name]
        wanted = summeval.score("the cat sat", *given, source="a cat sat down")
        assert float(scores[name]) == wanted[name].value
        assert isinstance(scores[name], float)
    assert scores.tesla_s == scores["tesla-s"]
    assert scores["rouge2.recall"] == 0.5
    assert math.isnan(SummaryScores(None, "the cat").rouge1)
    assert not hasattr(scores, "ruge1")
    with pytest.raises(AttributeError, match="unknown metric 'ruge1'; did you mean rouge1"):
        scores.ruge1  # noqa: B018
    with pytest.raises(ValueError, match="unknown field"):
        scores["rouge1.recal"]


def test_an_assertion_that_fails_shows_what_the_score_comes_from(tmp_path: Path) -> None:
    program = """
def test_it(summary_score):
    scores = summary_score("the cat sat", "a cat sat down")
    assert scores.rouge1 >= 0.4
    assert scores.rouge1 >= 0.9

def test_none(summary_score):
    assert 0.5 < summary_score(None, "a cat").rouge1
"""
    status, told = run(tmp_path, program)
    assert status == 1
    assert "assert 0.5714 >= 0.9 (rouge1.fmeasure)" in told
    explained = str(summeval.metric("rouge1").explain("the cat sat", "a cat sat down"))
    for line in explained.splitlines():
        assert line in told
    assert "assert 0.5 < nan (rouge1.fmeasure)" in told
    assert "is not explained: there is nothing to explain" in told


WITH_XDIST = pytest.param(("-p", "xdist.plugin", "-n", "2"), marks=pytest.mark.slow)


@pytest.mark.parametrize("more", [(), WITH_XDIST])
def test_a_worse_run_fails(tmp_path: Path, more: tuple[str, ...]) -> None:
    if more:
        pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    check = [*more, "--summeval-baseline", "last.jsonl"]
    status, told = run(tmp_path, MANY.format(text=GOOD), *check)
    assert status == 1, "nothing was compared"
    assert "it now has the 8 texts of this run: keep it for the next" in told
    rows = [json.loads(line) for line in (tmp_path / "last.jsonl").read_text().splitlines()]
    assert rows[3]["id"] == "test_it.py::test_summary[3]"
    wanted = summeval.score(GOOD + "3", ["the cat sat on the mat 3"], ["rouge1", "tesla-s"])
    assert rows[3]["rouge1.fmeasure"] == wanted["rouge1"].fmeasure
    assert rows[3]["tesla-s.recall"] == wanted["tesla-s"].recall
    status, told = run(tmp_path, MANY.format(text=GOOD), *check)
    assert status == 0
    assert "the 8 texts of this run are not significantly worse" in told
    status, told = run(tmp_path, MANY.format(text=BAD), *check)
    assert status == 1
    assert "8 passed" in told
    assert "significantly worse than last: this run by rouge1.fmeasure (-0." in told


def test_a_check_that_cannot_be_made_fails(tmp_path: Path) -> None:
    check = ["--summeval-baseline", "last.jsonl"]
    run(tmp_path, MANY.format(text=GOOD), *check)
    status, told = run(tmp_path, MANY.format(text=GOOD), *check, "-k", "1 or 2")
    assert status == 1
    assert "2 rows are too few to find any difference" in told
    other = MANY.replace(".rouge1", ".rouge2").format(text=GOOD)
    status, told = run(tmp_path, other, *check)
    assert status == 1
    assert "rouge2" in told.partition("compared with last.jsonl")[2]
    status, told = run(tmp_path, "def test_it(): pass", *check)
    assert status == 1
    assert "no test read a score of summary_score, so nothing was compared" in told


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("scores.csv", "give a file whose name ends in .jsonl"),
        (".", "give a file whose name ends in .jsonl"),
        ("nowhere/scores.jsonl", "there is no folder nowhere; make it first"),
    ],
)
def test_where_no_baseline_can_be_is_told_at_the_start(
    tmp_path: Path, file: str, told: str
) -> None:
    status, out = run(tmp_path, MANY.format(text=GOOD), "--summeval-baseline", file)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert f"--summeval-baseline {file}: {told}" in out
    assert "passed" not in out


def test_scores_of_few_texts_are_left_out(tmp_path: Path) -> None:
    once = "\ndef test_one(summary_score):\n    assert summary_score('a', 'a').rougeL == 1\n"
    check = ["--summeval-baseline", "last.jsonl"]
    run(tmp_path, MANY.format(text=GOOD) + once, *check)
    status, told = run(tmp_path, MANY.format(text=GOOD) + once, *check)
    assert status == 0
    assert "left out, with scores of fewer than 6 texts: rougeL.fmeasure" in told


def test_without_the_option_nothing_is_kept(tmp_path: Path) -> None:
    status, told = run(tmp_path, MANY.format(text=GOOD), "--junit-xml", "junit.xml")
    assert status == 0
    assert "summeval" not in told + (tmp_path / "junit.xml").read_text()


def test_pytest_starts_without_the_package(tmp_path: Path) -> None:
    program = """
import sys

def test_it():
    assert not {"numpy", "summeval.metrics", "summeval._core"} & set(sys.modules)
"""
    assert run(tmp_path, program)[0] == 0


def test_pytest_finds_the_plugin() -> None:
    import tomllib

    project: Any = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"summeval": "summeval.interop.testing.plugin"}
