"""The types of the face, as type checkers see them in a file of a user (PEP 561: py.typed)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from ecosystem import ecosystem

import summeval

# A checker that does not report an error that is to be ignored reports the comment instead.
USED = """\
# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
from typing import assert_type

import summeval
from summeval import Metric, Rouge, Score, ScoreTable

scores = summeval.score("the cat sat", ["the cat sat down"], metrics=["rouge1", "tesla-s"])
assert_type(scores, dict[str, Score])
assert_type(scores["rouge1"].value, float)

table = summeval.score_batch(["a cat"], [["the cat"]], metrics=["rouge2"], workers=-1)
assert_type(table, ScoreTable)
means: dict[str, float] = table.mean()

rouge = Rouge("rouge1", stemmer="porter", aggregate="best")
assert_type(rouge.score("a cat", "the cat"), Score)
assert_type(rouge.prepare(["the cat"]).score("a cat"), Score)
assert_type(summeval.metric("chrf"), Metric)

Rouge("rouge1", stemer="porter")  # type: ignore[call-arg]
summeval.score(["a cat"], "the cat")  # type: ignore[arg-type]
"""
CHECKERS = {
    "mypy": ["mypy", "--strict", "--python-executable", sys.executable],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


def complaints(checker: str, folder: Path, text: str) -> str:
    """What a checker prints of a file in a folder of its own; empty if it finds nothing wrong."""
    ecosystem(checker)
    (folder / "uses.py").write_text(text, encoding="utf-8")
    place = os.pathsep.join([str(Path(summeval.__file__).parent.parent), *sys.path[1:]])
    ran = subprocess.run(
        [sys.executable, "-m", *CHECKERS[checker], "uses.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": place},
    )
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.stdout if ran.returncode else ""


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_face_is_typed(checker: str, tmp_path: Path) -> None:
    assert complaints(checker, tmp_path, USED) == ""


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_wrong_type_is_seen(checker: str, tmp_path: Path) -> None:
    wrong = USED.replace("dict[str, Score])", "dict[str, float])")
    assert "uses.py:8:" in complaints(checker, tmp_path, wrong)
