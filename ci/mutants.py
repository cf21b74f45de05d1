"""Change a line of the package, run the tests that run the line, and see whether one of them fails.

    python ci/mutants.py [--count 300] [--seed 14] [--workers 2] [--only 'meta/*'] [-o FILE]

The mutants are drawn with a fixed seed, as many from each part of the package: comparisons, `and`
and `or`, numbers, signs, conditions, what is returned, calls left out; of the C++ of the kernels
comparisons, constants and boundaries. Each is tried in a copy of the tree (build/mutants), with the
tests that ran its line when the suite was recorded (`--record` does that again; it takes as long as
the suite under coverage, no more than 40 s a file), those of its subject and the quickest first,
up to the first that fails. Tests that hang count as failing only if they end without the change;
tests that fail without the change are named at the end. The share killed is printed, and the
survivors; `tests/mutants.json` has a reason for each known survivor, and those without one are
printed as new. Needs the extra `mutants`.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import mutations
from mutations import Mutant

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "mutants"
RECORD = BUILD / "record"
KNOWN = ROOT / "tests" / "mutants.json"
SOURCE = "src/summeval"
# Parts that are drawn from alike, whatever their size.
PARTS = ("annotate", "cli", "elements", "interop", "io", "learn", "meta", "metrics",
         "report", "solvers", "text", "_core")  # fmt: skip
# Not for mutants: they run the package in other processes, or look at files and not what it does.
SLOW = ("project/test_docs.py", "project/test_house.py", "project/test_benchmarks.py",
        "unit/report/test_browser.py", "unit/cli/test_interrupt.py", "unit/solvers/test_bench.py",
        "interop/test_engines.py")  # fmt: skip
# Of those, what is tried last, of a part: they drive the package from outside.
LAST = {"cli": "unit/cli/test_interrupt.py", "solvers": "unit/solvers/test_bench.py",
        "interop": "interop/test_engines.py"}  # fmt: skip
NOT_COPIED = (".git", ".venv*", "__pycache__", "site", "mutants", "debug", "sanitize", ".*_cache")
# Seconds that the tests of a mutant took when they were recorded: in a first run and in all.
FIRST, BUDGET = 8.0, 60.0
FILE = 40  # seconds of a file of tests that are recorded
EXAMPLES = "tests/project/test_house.py::test_docstring_examples[{}]"
LATE = "no end"
FAILED, INTERRUPTED, NO_TESTS = 1, 2, 5  # of pytest; a module that does not load interrupts

# The tests of a kernel, whose lines no coverage tells, beside those of its folder in differential:
# by the folder of the kernel.
KERNELS = {
    "agreement": "unit/meta/test_significance unit/meta/test_comparison unit/meta/test_correlation",
    "columns": "unit/metrics/run/test_distinct unit/cli/test_score_parquet",
    "discourse": "unit/metrics/discourse/test_dicomer",
    "elements": "golden/test_bewte",
    "matching": "unit/solvers/test_result unit/metrics/test_bipartite unit/metrics/tesla",
    "overlap": "golden/test_rouge155 property/test_rouge_explained",
    "rows": "differential/overlap differential/columns differential/divergence",
    "text": "differential/overlap/test_rouge differential/overlap/test_tesla",
    "transport": "differential/matching",
}


@dataclass
class Result:
    """What became of a mutant: `killed`, `survived`, `untested`, `invalid` (no build).

    `by` is the test that failed, or how the run ended.
    """

    mutant: Mutant
    outcome: str
    seconds: float
    tests: int
    by: str = ""


class Tests:
    """Which tests to run for a mutant."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = dict(recorded["tests"])
        self.names = list(self.seconds)
        self.lines: dict[str, dict[str, list[int]]] = recorded["lines"]

    def of(self, mutant: Mutant) -> list[str]:
        """Their names: those of its subject first, then the quickest, as many as time allows."""
        about = Path(mutant.path).stem
        if mutant.path.endswith(".py"):
            lines = self.lines.get(mutant.path, {})
            found = {test for line in mutant.lines for test in lines.get(str(line), ())}
            found = found or {test for tests in lines.values() for test in tests}
        else:
            folder = Path(mutant.path).parent.name
            places = (f"differential/{folder}/", *KERNELS.get(folder, "").split())
            wanted = tuple(f"tests/{place}" for place in places)
            found = {n for n, name in enumerate(self.names) if name.startswith(wanted)}
        files: dict[str, list[str]] = {}
        for number in sorted(found, key=lambda n: (self.seconds[self.names[n]], n)):
            files.setdefault(self.names[number].partition("::")[0], []).append(self.names[number])

        def cost(file: str) -> float:
            own = any(word in file for word in about.split("_") if len(word) > 3)
            return min(self.seconds[name] for name in files[file]) - 1000 * own

        chosen: list[str] = []
        spent = 0.0
        for file in sorted(files, key=lambda file: (cost(file), file)):
            spent += 0.5  # a file is read and its helpers are loaded
            for name in files[file]:
                if spent + self.seconds[name] < BUDGET or not chosen:
                    spent += self.seconds[name]
                    chosen.append(name)
        if mutant.path.endswith(".py"):  # the examples of its docstrings
            module = mutant.path[len("src/") : -len(".py")].replace("/", ".")
            chosen.insert(0, EXAMPLES.format(module.removesuffix(".__init__").rpartition(".")[0]))
        return chosen

    def runs(self, mutant: Mutant, names: list[str]) -> list[list[str]]:
        """Tests in a first, short run, a second with the rest, a third of those from outside."""
        last = LAST.get(mutant.path[len(SOURCE) + 1 :].partition("/")[0])
        spent, first = 0.0, 0
        while first < len(names) and (spent < FIRST or not first):
            spent += self.seconds.get(names[first], 0.5) + 0.02
            first += 1
        return [
            part
            for part in (names[:first], names[first:], [f"tests/{last}"] if last else [])
            if part
        ]

    def needed(self, names: Sequence[str]) -> float:
        """The seconds that tests took when they were recorded."""
        return sum(self.seconds.get(name, 60.0) for name in names)


class Tree:
    """A copy of the repository to change and to run tests in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*NOT_COPIED), symlinks=True)
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(
                [str(folder / "src"), str(folder / "ci"), os.environ.get("PYTHONPATH", "")]
            ),
            "PYTHONDONTWRITEBYTECODE": "",  # a second run starts twice as fast
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "SUMMEVAL_SHARED": os.environ.get("SUMMEVAL_SHARED", str(ROOT.parent / "shared")),
        }
        self.clock = int(time.time())
        self.environment.pop("MUTANTS_RECORD", None)
        self.output = (folder.parent / f"{folder.name}.txt").open("wb")

    def run(self, *command: str, seconds: float | None = None, **environment: str) -> int | None:
        """The exit status, None if it took too long."""
        with subprocess.Popen(
            [sys.executable, *command],
            cwd=self.root,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)  # the tests' own processes, too
                return None

    def write(self, path: Path, source: bytes) -> None:
        """Write a file with a later time than ever, for Python compares whole seconds."""
        path.write_bytes(source)
        self.clock = max(self.clock + 1, int(time.time()))
        os.utime(path, (self.clock, self.clock))

    def build(self) -> bool:
        return self.run("setup.py", "-q", "build_ext", "--inplace") == 0

    def killer(self, tests: Sequence[str], seconds: float) -> str:
        """Which of these tests fails first, or how they end; nothing where all pass."""
        files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.write("\n".join(tests))
            listed.flush()
            self.output.truncate(0)
            self.output.seek(0)
            options = ("-q", "-x", "-rfE", "-p", "mutants_plugin", "-p", "no:cacheprovider")
            status = self.run(
                "-m", "pytest", *options, *files, seconds=seconds, MUTANTS_TESTS=listed.name
            )
        if status in (0, NO_TESTS):
            return ""
        if status is None:
            return LATE
        printed = Path(self.output.name).read_text(encoding="utf-8", errors="replace")
        named = re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", printed, re.MULTILINE)
        if status in (FAILED, INTERRUPTED) and named:
            return named[0]
        if status < 0 or status > 128:
            return f"ended by signal {-status}"
        raise SystemExit(f"mutants: pytest ended with {status}:\n{printed[-2000:]}")

    def try_out(self, mutant: Mutant, tests: Tests) -> Result:
        """Whether a test fails with the mutant in place."""
        begin, names = time.monotonic(), tests.of(mutant)
        path = self.root / mutant.path
        before = path.read_bytes()
        native = path.suffix != ".py"

        def result(outcome: str, by: str = "") -> Result:
            return Result(mutant, outcome, round(time.monotonic() - begin, 1), len(names), by)

        if not names:
            return result("untested")
        try:
            self.write(path, mutant.applied(before))
            if native and not self.build():
                return result("invalid")
            late = None
            for run in tests.runs(mutant, names):
                limit = 40 + 3 * tests.needed(run)
                by = self.killer(run, limit)
                if by == LATE:
                    late = run, limit
                    break
                if by:
                    return result("killed", by)
        finally:
            self.write(path, before)
            if native:
                self.build()
        if late is None or self.killer(*late) == LATE:
            return result("survived", LATE if late else "")
        return result("killed", LATE)


def recorded(anew: bool) -> dict[str, Any]:
    """Which tests run which lines: runs, in a copy of the tree, the files of tests that changed.

    Each file in a process of its own: what is loaded once is then loaded by a test of each file.
    """
    home = ROOT / "tests"
    names = {file: file.relative_to(home).as_posix() for file in home.rglob("test_*.py")}
    parts = {
        RECORD / f"{name.removesuffix('.py').replace('/', '.')}.json": file
        for file, name in names.items()
        if name not in SLOW and "faults" not in name
    }
    wanted = {
        part: file
        for part, file in sorted(parts.items())
        if anew or not part.exists() or part.stat().st_mtime < file.stat().st_mtime
    }
    if wanted:
        print("recording which tests run which lines", flush=True)
        RECORD.mkdir(parents=True, exist_ok=True)
        tree = Tree(BUILD / "tree0")
        if not tree.build():
            raise SystemExit("mutants: the copy of the tree does not build")
    for part, file in wanted.items():
        part.unlink(missing_ok=True)
        command = ["-m", "pytest", "-q", "-p", "mutants_plugin", "-p", "no:cacheprovider"]
        tree.run(
            *command,
            str(file.relative_to(ROOT)),
            seconds=10 * FILE,
            MUTANTS_RECORD=str(part),
            MUTANTS_SECONDS=str(FILE),
        )
        if not part.exists():  # it crashed, or one of its tests takes too long
            part.write_text('{"tests": [], "lines": {}}')
        print(f"{file.name}: {len(json.loads(part.read_text())['tests'])} tests", flush=True)
    return merged([json.loads(part.read_text()) for part in sorted(parts)])


def merged(parts: Sequence[Any]) -> dict[str, Any]:
    """One record from those of the files of tests."""
    tests: list[Any] = []
    lines: dict[str, dict[str, list[int]]] = {}
    for part in parts:
        for name, numbers in part["lines"].items():
            of_file = lines.setdefault(name, {})
            for line, ran in numbers.items():
                of_file.setdefault(line, []).extend(len(tests) + test for test in ran)
        tests.extend(part["tests"])
    return {"tests": tests, "lines": lines}


def drawn(count: int, seed: int, only: str) -> list[Mutant]:
    """A sample of all mutants, as many from each part while it has any."""
    found: dict[str, list[Mutant]] = {}
    for path in sorted((ROOT / SOURCE).rglob("*")):
        name = path.relative_to(ROOT / SOURCE).as_posix()
        part = name.partition("/")[0]
        if path.suffix in (".py", ".hpp") and part in PARTS and fnmatch(name, only):
            found.setdefault(part, []).extend(mutations.of(path, path.relative_to(ROOT).as_posix()))
    chance, chosen = random.Random(seed), []
    for of_part in found.values():
        chance.shuffle(of_part)
    left = [found[part] for part in PARTS if found.get(part)]
    while left and len(chosen) < count:
        for of_part in left:
            if of_part and len(chosen) < count:
                chosen.append(of_part.pop())
        left = [of_part for of_part in left if of_part]
    return chosen


def try_all(
    mutants: Sequence[Mutant], tests: Tests, workers: int, kept: Sequence[Result], output: Path
) -> list[Result]:
    """Every mutant's result, each as soon as there is one on standard output and in a file."""
    waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    results = list(kept)
    in_all = len(kept) + len(mutants)

    def work(number: int) -> None:
        tree = Tree(BUILD / f"tree{number}")
        if not tree.build():
            raise SystemExit("mutants: the copy of the tree does not build")
        while True:
            try:
                mutant = waiting.get_nowait()
            except queue.Empty:
                return
            found = tree.try_out(mutant, tests)
            results.append(found)
            output.write_text(json.dumps([asdict(each) for each in results], indent=1))
            done = f"{len(results)}/{in_all}"
            by = f" [{found.by}]" if found.by else ""
            print(f"{done} {found.outcome} {found.seconds:.0f} s {mutant.key}{by}", flush=True)

    threads = [
        threading.Thread(target=work, args=(number,), daemon=True) for number in range(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def killed_before(path: Path, mutants: Sequence[Mutant]) -> list[Result]:
    """The results of mutants that an earlier sweep killed."""
    earlier = {each["mutant"]["key"]: each for each in json.loads(path.read_text())}
    return [
        Result(
            mutant, *(earlier[mutant.key][name] for name in ("outcome", "seconds", "tests", "by"))
        )
        for mutant in mutants
        if earlier.get(mutant.key, {}).get("outcome") == "killed"
    ]


def failing_without(results: Sequence[Result]) -> list[str]:
    """The tests that killed mutants and fail without any, in the first copy of the tree."""
    names = sorted({each.by for each in results if "::" in each.by})
    found: list[str] = []
    tree = Tree(BUILD / "tree0")
    while names and tree.build() and (name := tree.killer(names, 3600.0)):
        found.append(name)
        names = [other for other in names if other != name]
    return found


def report(results: Sequence[Result]) -> None:
    """Print the share killed, by part and in all, and the survivors."""
    reasons = json.loads(KNOWN.read_text())["survivors"] if KNOWN.exists() else {}
    counted = [each for each in results if each.outcome != "invalid"]
    for part in (*PARTS, ""):
        of_part = [each for each in counted if f"{SOURCE}/{part}" in each.mutant.path]
        if of_part:
            killed = sum(each.outcome == "killed" for each in of_part)
            share = f"{killed} of {len(of_part)} killed, {killed / len(of_part):.1%}"
            print(f"{part or 'all'}: {share}")
    for each in counted:
        if each.outcome != "killed":
            reason = reasons.get(each.mutant.key, "new")
            print(f"{each.outcome} ({each.tests} tests): {each.mutant.key}\n    {reason}")


def main() -> None:
    """Draw, try and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="*", help="files, below src/summeval")
    parser.add_argument("--record", action="store_true", help="record all anew what tests run")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--again", type=Path, help="results, of which the killed are not tried")
    parser.add_argument("-o", "--output", type=Path, default=BUILD / "results.json")
    given = parser.parse_args()
    mutants = drawn(given.count, given.seed, given.only)
    if given.list:
        print("\n".join(mutant.key for mutant in mutants))
        return
    kept = killed_before(given.again, mutants) if given.again else []
    done = {each.mutant for each in kept}
    tests = Tests(recorded(given.record))
    waiting = [mutant for mutant in mutants if mutant not in done]
    # The kernels last: each of theirs is a build.
    waiting.sort(key=lambda mutant: not mutant.path.endswith(".py"))
    results = try_all(waiting, tests, given.workers, kept, given.output)
    report(results)
    for name in failing_without(results):
        print(f"fails without a change too, when it runs alone: {name}")


if __name__ == "__main__":
    main()
