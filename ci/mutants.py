"""Change a line of the package, run the tests that run the line, and see whether one of them fails.

    python ci/mutants.py [--count 300] [--seed 14] [--workers 2] [--only 'meta/*'] [-o FILE]

The mutants are drawn with a fixed seed, as many from each part of the package: comparisons, `and`
and `or`, numbers, signs, conditions, what is returned, calls left out; of the C++ of the kernels
comparisons, constants and boundaries. Each is tried in a copy of the tree (build/mutants), with the
tests that ran its line when the suite was recorded (`--record` does that again; it takes as long as
the suite under coverage), the quickest first, up to the first that fails. A test that hangs counts
as one that fails. The share killed is printed, and the survivors; `tests/mutants.json` has a reason
for each known survivor, and those without one are printed as new. Needs the extra `mutants`.
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
KNOWN = ROOT / "tests" / "mutants.json"
SOURCE = "src/summeval"
# Parts that are drawn from alike, whatever their size.
PARTS = ("_reference", "annotate", "cli", "interop", "io", "meta", "metrics", "solvers", "text",
         "units", "_core")  # fmt: skip
# Not for mutants: they run the package in other processes, or look at files and not what it does.
SLOW = ("test_docs.py", "test_house.py", "test_report_browser.py", "test_interop_engines.py",
        "test_cli_interrupt.py", "test_bench_solvers.py", "test_benchmarks.py")  # fmt: skip
NOT_COPIED = (".git", ".venv*", "__pycache__", "site", "mutants", "debug", "sanitize", ".*_cache")
BUDGET = 60.0  # seconds that the tests of a mutant took when they were recorded

# The tests of a kernel, whose lines no coverage tells: by the words that their names hold.
KERNELS = {
    "arrow": "arrow columns record_batch parquet",
    "assign": "assignment solver bipartite",
    "dense_block": "assignment",
    "bootstrap": "bootstrap",
    "correlation": "correlation significance",
    "divergence": "simetrix",
    "dominance": "qarla",
    "expansion": "expansion bewte",
    "lexicon": "expansion bewte",
    "wordnet": "expansion bewte",
    "ngram_graph": "ngram_graphs",
    "graph": "ngram_graphs",
    "resampling": "significance comparison correlation",
    "role": "roles dicomer",
    "grid": "roles dicomer",
    "tesla": "tesla",
    "transport": "transport tesla_m",
    "stem": "stemmer rouge",
    "unicode": "tokens rouge",
    "lcs": "lcs rouge_kernel rouge155_golden",
}
OTHER_KERNELS = "rouge tesla tokens stemmer columns simetrix"


@dataclass
class Result:
    """What became of a mutant: `killed`, `survived`, `untested`, `invalid` (no build)."""

    mutant: Mutant
    outcome: str
    seconds: float
    tests: int


class Tests:
    """Which tests to run for a mutant."""

    def __init__(self, recorded: dict[str, Any]) -> None:
        self.seconds: dict[str, float] = dict(recorded["tests"])
        self.names = list(self.seconds)
        self.lines: dict[str, dict[str, list[int]]] = recorded["lines"]
        # Files of tests that the record lacks, as when the suite was stopped, with what they say.
        files = {name.partition("::")[0] for name in self.names} | {f"tests/{n}" for n in SLOW}
        self.others = {
            f"tests/{path.name}": path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "tests").glob("test_*.py"))
            if f"tests/{path.name}" not in files
        }

    def of(self, mutant: Mutant) -> list[str]:
        """Their names, the quickest first; then whole files that the record lacks."""
        stem = Path(mutant.path).stem
        if mutant.path.endswith(".py"):
            lines = self.lines.get(mutant.path, {})
            found = {test for line in mutant.lines for test in lines.get(str(line), ())}
            found = found or {test for tests in lines.values() for test in tests}
            word = re.compile(rf"\b{stem}\b")
            others = [name for name, text in self.others.items() if word.search(text)]
        else:
            words = next((KERNELS[key] for key in KERNELS if key in stem), OTHER_KERNELS).split()
            wanted = tuple(f"tests/test_{word}" for word in words)
            found = {n for n, name in enumerate(self.names) if name.startswith(wanted)}
            others = [name for name in self.others if name.startswith(wanted)]
        if not found and not others:
            found = set(range(len(self.names)))  # those that the time allows
        chosen: list[str] = []
        spent = 0.0
        for name in sorted((self.names[n] for n in found), key=lambda n: (self.seconds[n], n)):
            spent += self.seconds[name]
            if chosen and spent > BUDGET:
                break
            chosen.append(name)
        return [*chosen, *others]

    def needed(self, names: Sequence[str]) -> float:
        """The seconds that tests took when they were recorded; a guess for those that were not."""
        return sum(self.seconds.get(name, 20.0) for name in names)


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
            "PYTHONDONTWRITEBYTECODE": "1",
            "SUMMEVAL_SHARED": os.environ.get("SUMMEVAL_SHARED", str(ROOT.parent / "shared")),
        }
        self.environment.pop("MUTANTS_RECORD", None)

    def run(self, *command: str, seconds: float | None = None, **environment: str) -> int | None:
        """The exit status, None if it took too long."""
        with subprocess.Popen(
            [sys.executable, *command],
            cwd=self.root,
            env={**self.environment, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        ) as process:
            try:
                return process.wait(seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)  # the tests' own processes, too
                return None

    def build(self) -> bool:
        return self.run("setup.py", "-q", "build_ext", "--inplace") == 0

    def passes(self, tests: Sequence[str], seconds: float) -> bool:
        """Whether all of these tests pass."""
        files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.write("\n".join(tests))
            listed.flush()
            options = ("-q", "-x", "-p", "mutants_plugin", "-p", "no:cacheprovider")
            status = self.run(
                "-m", "pytest", *options, *files, seconds=seconds, MUTANTS_TESTS=listed.name
            )
        return status == 0

    def try_out(self, mutant: Mutant, tests: Tests) -> Result:
        """Whether a test fails with the mutant in place."""
        begin, names = time.monotonic(), tests.of(mutant)
        path = self.root / mutant.path
        before = path.read_bytes()
        native = path.suffix != ".py"

        def result(outcome: str) -> Result:
            return Result(mutant, outcome, round(time.monotonic() - begin, 1), len(names))

        if not names:
            return result("untested")
        try:
            path.write_bytes(mutant.applied(before))
            if native and not self.build():
                return result("invalid")
            limit = 60 + 5 * tests.needed(names)
            return result("survived" if self.passes(names, limit) else "killed")
        finally:
            path.write_bytes(before)
            if native:
                self.build()


def record(path: Path) -> None:
    """Run the suite once, in a copy of the tree, and keep which tests run which lines."""
    print("recording which tests run which lines", flush=True)
    path.unlink(missing_ok=True)
    tree = Tree(BUILD / "tree0")
    if not tree.build():
        raise SystemExit("mutants: the copy of the tree does not build")
    ignored = [f"--ignore=tests/{name}" for name in SLOW]
    command = ["-m", "pytest", "-q", "-p", "mutants_plugin", "-p", "no:cacheprovider"]
    tree.run(*command, *ignored, "tests", MUTANTS_RECORD=str(path.resolve()))
    if not path.exists():
        raise SystemExit("mutants: the suite left no record; run it and mend what fails")


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


def try_all(mutants: Sequence[Mutant], tests: Tests, workers: int) -> list[Result]:
    """Every mutant's result, each as soon as there is one on standard output."""
    waiting: queue.SimpleQueue[Mutant] = queue.SimpleQueue()
    for mutant in mutants:
        waiting.put(mutant)
    results: list[Result] = []

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
            done = f"{len(results)}/{len(mutants)}"
            print(f"{done} {found.outcome} {found.seconds:.0f} s {mutant.key}", flush=True)

    threads = [
        threading.Thread(target=work, args=(number,), daemon=True) for number in range(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


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
    parser.add_argument("--skip", type=int, default=0, help="leave out the first of those drawn")
    parser.add_argument("--map", type=Path, default=BUILD / "map.json")
    parser.add_argument("--record", action="store_true", help="record anew what tests run")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("-o", "--output", type=Path, help="results as JSON")
    given = parser.parse_args()
    mutants = drawn(given.count, given.seed, given.only)[given.skip :]
    if given.list:
        print("\n".join(mutant.key for mutant in mutants))
        return
    if given.record or not given.map.exists():
        record(given.map)
    tests = Tests(json.loads(given.map.read_text()))
    results = try_all(mutants, tests, given.workers)
    if given.output:
        given.output.write_text(json.dumps([asdict(each) for each in results], indent=1))
    report(results)


if __name__ == "__main__":
    main()
