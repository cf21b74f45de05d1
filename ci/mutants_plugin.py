"""Pytest's side of `ci/mutants.py`: which tests run which lines, and only some tests, in an order.

MUTANTS_RECORD names a file: the suite runs under coverage, and the file gets for each source file
the tests that ran each of its lines, and how long each test took. MUTANTS_TESTS names a file with
the tests to run, or whole files, one a line: others are left out, and these run in that order.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

RECORD, TESTS = os.environ.get("MUTANTS_RECORD"), os.environ.get("MUTANTS_TESTS")


class Recorder:
    """Measures; see the module."""

    def __init__(self, path: str) -> None:
        from coverage import Coverage

        self.path = Path(path)
        self.seconds: dict[str, float] = {}
        self.coverage = Coverage(data_file=None, source=["src/summeval"], config_file=False)
        self.coverage.start()
        self.end = time.monotonic() + float(os.environ.get("MUTANTS_SECONDS", "inf"))

    def pytest_runtestloop(self, session: pytest.Session) -> None:
        self.session = session

    def pytest_runtest_logfinish(self) -> None:
        if time.monotonic() > self.end:  # what there is so far is of use
            self.session.shouldstop = "the time for these tests is over"

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self.coverage.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = report.duration

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data, root = self.coverage.get_data(), Path.cwd()
        numbers = {nodeid: number for number, nodeid in enumerate(self.seconds)}
        lines = {}
        for name in data.measured_files():
            found = {
                line: sorted(numbers[one] for one in contexts if one in numbers)
                for line, contexts in data.contexts_by_lineno(name).items()
            }
            lines[str(Path(name).relative_to(root))] = {n: of for n, of in found.items() if of}
        tests = [[nodeid, round(seconds, 4)] for nodeid, seconds in self.seconds.items()]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps({"tests": tests, "lines": lines}))


def pytest_configure(config: pytest.Config) -> None:
    if RECORD:
        config.pluginmanager.register(Recorder(RECORD))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not TESTS:
        return
    order = {nodeid: n for n, nodeid in enumerate(Path(TESTS).read_text().splitlines())}

    def place(item: pytest.Item) -> int | None:
        return order.get(item.nodeid, order.get(item.nodeid.partition("::")[0]))

    left_out = [item for item in items if place(item) is None]
    chosen = [item for item in items if place(item) is not None]
    items[:] = sorted(chosen, key=lambda item: place(item) or 0)
    config.hook.pytest_deselected(items=left_out)
