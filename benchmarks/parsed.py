"""Parsed metrics and the compiled parser: speed, loading, memory, and what is as with spaCy.

    taskset -c 1 python benchmarks/parsed.py [--data ROWS.jsonl.gz] [--rounds N] [--json OUT] [PART]
    python benchmarks/parsed.py pipe|threads|load|reward|agreement|scores [--sets NAMES] [--limit N]

The first form has goals for metrics; its parts are rows, suite, score, loading, cold, memory. The
second measures the parser itself, on sets of shared/data or files (benchmarks/beside_spacy.py):
tokens a second beside `nlp.pipe`, for each instruction set; two threads beside one; loading and
memory; a reward; the share of tokens that are as spaCy's; scores and correlations with people
beside those with spaCy's documents.

Every figure of the first form is CPU time, the least of N rounds; each round is a process of its
own, so that nothing is kept from the round before, and rounds of all metrics take turns. Rows a
second counts the rows from the 501st to the 1,500th, after those before were scored, with every
parse in a cache on disk: neither loading nor the words that are met first count in it. The cache is
a temporary one, or that of SUMMEVAL_CACHE. Without --data the texts are made up (benchmarks/
texts.py).
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import beside_spacy
import texts

if TYPE_CHECKING:
    from summeval.annotate import Document

FEW, MANY = 500, 1500
DISCOURSE = ("dicomer", "cremer", "coherence-order")
LOADED = ("bewte", "be", *DISCOURSE)
NUMBERED = (100_000,)  # rows of which the memory is measured, after 20,000
Rows = tuple[list[str], list[str]]


def read(data: str | None, count: int) -> Rows:
    """Distinct candidates and references."""
    if data is None:
        return texts.make_pairs(texts.SHORT, count)
    with (gzip.open if data.endswith(".gz") else open)(data, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    sides: Rows = ([], [])
    for row in rows[:count]:
        references = row["references"]
        sides[0].append(row["candidate"])
        sides[1].append(references if isinstance(references, str) else references[0])
    return sides


def part(sides: Rows, first: int, last: int) -> Rows:
    return sides[0][first:last], sides[1][first:last]


def cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def scorer(names: str) -> Any:
    import summeval

    return summeval.suite(names.split(","))


# What a child process measures: its seconds, or other figures, as JSON.


def child_rows(names: str, sides: Rows) -> dict[str, float]:
    """Seconds of the rows from the 501st to the 1,500th, after those before."""
    suite = scorer(names)
    suite.score_batch(*part(sides, 0, FEW))
    rest = part(sides, FEW, MANY)
    return {"seconds": cpu(lambda: suite.score_batch(*rest))}


def child_loading(names: str, sides: Rows) -> dict[str, float]:
    """From the interpreter's start to the first row, NumPy and imports included."""
    started = time.process_time()
    scorer(names).score_batch(*part(sides, 0, 1))
    loaded = {"spaCy": "spacy" in sys.modules}
    return {"start": started, "seconds": time.process_time() - started, **loaded}


def child_score(name: str, sides: Rows) -> dict[str, float]:
    """One pair again and again; its parses are in memory."""
    import summeval

    metric = summeval.metric(name)
    pair = (sides[0][0], [sides[1][0]])
    for _ in range(20):
        metric.score(*pair)
    return {"ms": min(cpu(lambda: metric.score(*pair)) for _ in range(200)) * 1e3}


def child_cold(_: str, sides: Rows) -> dict[str, float]:
    """Every pipe of spaCy and plain documents, beside the provider alone."""
    from summeval.annotate.parsers import SpacyProvider

    found = sides[0][:300]
    lean = SpacyProvider().asking_for(())
    everything = SpacyProvider()
    nlp = everything.pipeline()
    calls: dict[str, Callable[[], object]] = {
        "spacy": lambda: [plain(doc) for doc in nlp.pipe(found, batch_size=64)],
        "all": lambda: list(everything.parse(found)),
        "lean": lambda: list(lean.parse(found)),
    }
    for call in calls.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(3):
        for name, call in calls.items():
            times[name].append(cpu(call))
    return {name: min(many) for name, many in times.items()}


def plain(doc: Any) -> list[Any]:
    """What is read of a parse, one token after the other."""
    found = [(t.text, t.tag_, t.lemma_, t.head.i, t.dep_, t.idx, t.idx + len(t)) for t in doc]
    return [*found, *((e.label_, e.start, e.end) for e in doc.ents)]


class Copies:
    """A provider that has parses of some texts, and gives them for these texts with a number."""

    name = "copies"
    signature = "copies:1"

    def __init__(self, known: Sequence[str]) -> None:
        from summeval.annotate import annotate
        from summeval.annotate.document import packed

        self.blocks = dict(zip(known, map(packed, annotate(known)), strict=True))

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        from summeval.annotate.document import from_packed

        for text in texts:
            block = self.blocks[text.rpartition("\n")[0]]
            yield from_packed(block, text=text, provider=self.signature)


def child_load(_: str, sides: Rows) -> dict[str, float]:
    """The compiled parser alone."""
    return beside_spacy.load_and_peak([*sides[0], *sides[1]], peak_mebibytes)


def child_memory(names: str, sides: Rows) -> dict[str, float]:
    """The peak of memory of one call on distinct texts, through the cache on disk."""
    import summeval

    known = part(sides, 0, 500)
    metric = summeval.metric(names, parser=Copies([*known[0], *known[1]]))
    found: dict[str, float] = {}
    for rows in (20_000, *NUMBERED):
        many: Rows = tuple([f"{side[k % 500]}\n{rows}.{k}" for k in range(rows)] for side in known)  # type: ignore[assignment]
        texts_held = sum(map(sys.getsizeof, (*many[0], *many[1]))) / 2**20
        metric.score_batch(*many)
        found[f"{rows:,} rows ({texts_held:.0f} MiB are the texts)"] = peak_mebibytes()
        del many
    return found


def peak_mebibytes() -> float:
    """The most memory that this process held."""
    # On Linux ru_maxrss starts from what the parent held; VmHWM is the process's own.
    own = Path("/proc/self/status")
    if own.exists():
        return int(own.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        2**20 if sys.platform == "darwin" else 1024
    )


CHILDREN = {
    "rows": child_rows,
    "loading": child_loading,
    "score": child_score,
    "cold": child_cold,
    "load": child_load,
    "memory": child_memory,
}


def ask(what: str, names: str, data: str | None) -> dict[str, float]:
    """The figures of a process of its own."""
    command = [
        sys.executable,
        __file__,
        "--child",
        what,
        names,
        *(["--data", data] if data else []),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(ran.stderr)
    found: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return found


def say(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


class Bench:
    """The rounds of each measurement, and the table."""

    def __init__(self, chosen: argparse.Namespace) -> None:
        self.data, self.rounds, self.limit = chosen.data, chosen.rounds, chosen.limit
        self.sets: list[str] = chosen.sets.split(",")
        self.table: list[dict[str, object]] = []

    def turns(self, what: str, many: tuple[str, ...]) -> dict[str, list[dict[str, float]]]:
        found: dict[str, list[dict[str, float]]] = {names: [] for names in many}
        for _ in range(self.rounds):
            for names in many:
                found[names].append(ask(what, names, self.data))
        return found

    def add(self, what: str, found: float, unit: str, goal: float, *, more: bool = False) -> None:
        met = found >= goal if more else found <= goal
        told = f"{'≥' if more else '≤'} {goal:,g} {unit}"
        print(f"{what:46} {found:12,.2f} {unit:8} {told:16} {'met' if met else 'NOT MET'}")
        self.table.append({"what": what, "found": found, "unit": unit, "goal": goal, "met": met})

    @functools.cached_property
    def slopes(self) -> dict[str, float]:
        """Seconds a row."""
        every = ("bewte", *DISCOURSE, ",".join(DISCOURSE))
        return {
            names: statistics.median(each["seconds"] / (MANY - FEW) for each in rounds)
            for names, rounds in self.turns("rows", every).items()
        }

    def rows(self) -> None:
        for name, goal in (("bewte", 8000), ("dicomer", 2500)):
            self.add(f"{name}, cached on disk", 1 / self.slopes[name], "rows/s", goal, more=True)

    def suite(self) -> None:
        alone = max(self.slopes[name] for name in DISCOURSE)
        ratio = self.slopes[",".join(DISCOURSE)] / alone
        for name in DISCOURSE:
            print(f"{name:46} {1e6 * self.slopes[name]:12,.0f} µs/row")
        self.add("dicomer, cremer, coherence-order / slowest alone", ratio, "×", 1.2)

    def score(self) -> None:
        for name, goal in (("bewte", 0.3), ("dicomer", 0.5)):
            found = min(each["ms"] for each in self.turns("score", (name,))[name])
            self.add(f"{name}, one score, parse in memory", found, "ms", goal)

    def loading(self) -> None:
        for name, rounds in self.turns("loading", LOADED).items():
            self.add(f"{name}, loading", min(each["seconds"] for each in rounds), "s", 0.5)
            if any(each["spaCy"] for each in rounds):
                print(f"{name}: spaCy is imported, though every parse is cached")

    def cold(self) -> None:
        found = ask("cold", "-", self.data)
        print("seconds of 300 texts:", ", ".join(f"{name} {s:.2f}" for name, s in found.items()))
        self.add("cold parse, spaCy / lean", found["spacy"] / found["lean"], "×", 1.7, more=True)

    def memory(self) -> None:
        for name in ("bewte", "dicomer"):
            for rows, peak in ask("memory", name, self.data).items():
                self.add(f"{name}, peak after {rows}", peak, "MiB", 1000)

    def pipe(self) -> None:
        say(beside_spacy.pipe(self.sets, self.rounds))

    def threads(self) -> None:
        say(beside_spacy.threads(self.sets, self.rounds))

    def load(self) -> None:
        rounds = self.turns("load", ("-",))["-"]
        self.add("parser, loading", min(each["ms"] for each in rounds), "ms", 50)
        peak = min(each["peak"] for each in rounds)
        before = min(each["before"] for each in rounds)
        self.add(f"parser, peak ({before:.0f} MiB before)", peak, "MiB", 100)

    def agreement(self) -> None:
        say(beside_spacy.agreement(self.sets))

    def reward(self) -> None:
        say(beside_spacy.reward(self.sets))

    def scores(self) -> None:
        say(beside_spacy.scores(self.sets, self.limit))


FILLED = ("rows", "suite", "score", "loading", "cold", "memory")  # their parses are made before
PARTS = {
    name: getattr(Bench, name)
    for name in (*FILLED, "pipe", "threads", "load", "reward", "agreement", "scores")
}


def fill(data: str | None) -> None:
    """Parse the texts that the rounds read."""
    from summeval.annotate import annotate

    sides = read(data, 20 + FEW + MANY)
    annotate([*sides[0], *sides[1]])


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", help="JSONL with candidate and references")
    parser.add_argument("--sets", default=",".join(beside_spacy.SETS), help="of the second form")
    parser.add_argument("--limit", type=int, help="rows of each set that are scored [all]")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", choices=CHILDREN, help=argparse.SUPPRESS)
    chosen = parser.parse_args(given)
    if not chosen.child and not set(chosen.parts) <= set(PARTS):
        parser.error(f"unknown part; use {', '.join(PARTS)}")
    return chosen


def main(given: list[str] | None = None) -> None:
    chosen = arguments(given)
    if chosen.child:
        (names,) = chosen.parts
        sides = read(chosen.data, 20 + FEW + MANY)
        print(json.dumps(CHILDREN[chosen.child](names, sides)))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("SUMMEVAL_CACHE", folder)
        # Loading is measured with compiled Python files, as an installed package has them.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        parts = chosen.parts or PARTS
        if set(parts) & set(FILLED):
            fill(chosen.data)
        bench = Bench(chosen)
        for name in parts:
            PARTS[name](bench)
    if chosen.json:
        chosen.json.write_text(json.dumps(bench.table, indent=1) + "\n")


if __name__ == "__main__":
    main()
