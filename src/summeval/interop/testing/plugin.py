"""A plugin for pytest, which finds it by itself: scores in assertions, and a check of all of them.

    def test_summary(summary_score):
        assert summary_score("a cat", "the cat").rouge1 >= 0.4

An assertion that fails shows what the score comes from. With `--summeval-baseline FILE` the run
fails if its scores are significantly worse than those of an earlier run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from math import isnan
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:  # pytest imports this at its start, for all tests of all projects
    from summeval.interop.shared import Term

OPTION = "--summeval-baseline"
PROPERTY = "summeval"
_FEWEST = 6  # texts: no test of the level .05 finds a difference in fewer


class ScoreValue(float):
    """A score as a number, which knows what it comes from."""

    column: str
    why: Callable[[], str]

    def __new__(cls, value: float, column: str, why: Callable[[], str]) -> ScoreValue:
        made = super().__new__(cls, value)
        made.column, made.why = column, why
        return made


class SummaryScores:
    """The scores of a text: `scores.rouge1`, `scores.tesla_s`, `scores["rouge2.recall"]`.

    A metric is computed when its score is read. An attribute is a `float`, and NaN where there is
    no score. `-` is `_` in attributes.

    >>> scores = SummaryScores("a cat", "the cat")
    >>> scores.rouge1 >= 0.4, scores["rouge1.recall"]
    (True, 0.5)
    """

    def __init__(
        self,
        candidate: str | None,
        references: Any = None,
        source: Any = None,
        note: Callable[[Term, str, float], object] | None = None,
    ) -> None:
        self._texts = candidate, references, source
        self._note = note
        self._read: dict[Any, ScoreValue] = {}

    def __getattr__(self, name: str) -> ScoreValue:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name.replace("_", "-")]
        except ValueError as error:
            raise AttributeError(str(error)) from None

    def __getitem__(self, name: Any) -> ScoreValue:
        """Return the score of a metric, or of one of its fields."""
        if name not in self._read:
            from summeval.interop.shared import choose

            suite, (term,) = choose(name)
            candidate, references, source = self._texts
            value = term.of(suite.score(candidate, references, source))

            def why() -> str:
                return str(term.metric.explain(candidate, references, source=source))

            self._read[name] = ScoreValue(value, term.column, why)
            if self._note is not None:
                self._note(term, str(suite.signature[term.metric.name]), value)
        return self._read[name]

    def __repr__(self) -> str:
        return f"<scores of {self._texts[0]!r}>"


@pytest.fixture
def summary_score(request: pytest.FixtureRequest) -> Callable[..., SummaryScores]:
    """Return what scores a text: `summary_score(candidate, references, source=None).rouge1`."""
    calls = count(1)

    def scored(candidate: str | None, references: Any = None, source: Any = None) -> SummaryScores:
        call = next(calls)
        name = request.node.nodeid if call == 1 else f"{request.node.nodeid} {call}"

        def note(term: Term, signature: str, value: float) -> None:
            told = [name, term.metric.name, term.column, term.higher_is_better, signature, value]
            request.node.user_properties.append((PROPERTY, told))

        kept = note if request.config.getoption(OPTION) else None
        return SummaryScores(candidate, references, source, kept)

    return scored


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Tell what the scores in a comparison come from."""
    scores = [side for side in (left, right) if isinstance(side, ScoreValue)]
    if not scores:
        return None
    sides = [f"{x:.4f}" if isinstance(x, ScoreValue) else repr(x) for x in (left, right)]
    lines = [f"{sides[0]} {op} {sides[1]} ({', '.join(one.column for one in scores)})"]
    for one in scores:
        try:
            lines += one.why().splitlines()
        except (TypeError, ValueError, ImportError) as error:
            lines.append(f"{one.column} is not explained: {error}")
    return lines


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option."""
    told = "fail if scores are significantly worse than those in FILE, which is written if missing"
    parser.getgroup("summeval").addoption(OPTION, metavar="FILE", default=None, help=told)


def pytest_configure(config: pytest.Config) -> None:
    """Compare with the baseline, but not in a process of pytest-xdist."""
    path = config.getoption(OPTION)
    if path is not None and not hasattr(config, "workerinput"):
        folder = os.path.dirname(path) or "."
        if not path.endswith(".jsonl") or os.path.isdir(path):
            raise pytest.UsageError(f"{OPTION} {path}: give a file whose name ends in .jsonl")
        if not os.path.isdir(folder):
            raise pytest.UsageError(f"{OPTION} {path}: there is no folder {folder}; make it first")
        config.pluginmanager.register(Baseline(path), "summeval-baseline")


class Baseline:
    """The scores of all tests, compared with those of an earlier run at the end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows: dict[str, dict[str, Any]] = {}
        self.signatures: dict[str, str] = {}
        self.directions: dict[str, bool] = {}
        self.told = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the scores of a test, wherever it ran."""
        for key, told in report.user_properties if report.when == "teardown" else ():
            if key == PROPERTY:
                text, metric, column, is_better, signature, value = cast(list[Any], told)
                self.rows.setdefault(text, {"id": text})[column] = None if isnan(value) else value
                self.signatures[metric], self.directions[column] = signature, is_better

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Make the check, unless the run was broken off."""
        if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            is_good, self.told = self.check()
            if not is_good:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Tell what the check gave."""
        if self.told:
            terminalreporter.section(f"summeval, compared with {self.path}")
            terminalreporter.line(self.told)

    def check(self) -> tuple[bool, str]:
        """Return whether the scores are no worse, and what to tell."""
        from tempfile import TemporaryDirectory

        if not self.rows:
            return False, "no test read a score of summary_score, so nothing was compared"
        if not os.path.exists(self.path):
            self.write(self.path)
            told = f"it was not there, so nothing was compared; it now has the {len(self.rows)}"
            return False, f"{told} texts of this run: keep it for the next"
        texts = Counter(column for row in self.rows.values() for column in row if column != "id")
        few = sorted(column for column in texts if texts[column] < _FEWEST)
        compared = sorted(texts.keys() - few) or few  # of which the command says that they are few
        with TemporaryDirectory() as folder:
            self.write(this := os.path.join(folder, "this run.jsonl"))
            command = [sys.executable, "-m", "summeval", "rank", this, "--baseline", self.path]
            command += ["--fail-if-worse", "-o", os.path.join(folder, "ranking.json")]
            command += ["--metrics", *compared]
            where = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            ran = subprocess.run(command, env=where, capture_output=True, text=True, check=False)
        lines = [line.replace(this, "this run") for line in ran.stderr.splitlines()]
        if ran.returncode == 0:
            lines.append(f"the {len(self.rows)} texts of this run are not significantly worse")
        if left := [column for column in few if column not in compared]:
            lines.append(f"left out, with scores of fewer than {_FEWEST} texts: {', '.join(left)}")
        return ran.returncode == 0, "\n".join(lines)

    def write(self, path: str) -> None:
        """Write the scores as `summeval score` does."""
        import json

        from summeval._files import write_whole
        from summeval.io.directions import write_beside

        lines = [json.dumps(self.rows[name], ensure_ascii=False) for name in sorted(self.rows)]
        write_whole(path, ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
        write_beside(path, self.signatures, self.directions)
