"""Paired tests of many systems with a baseline, with sacrebleu's arguments and draws."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from typing import Any

from summeval.interop.sacrebleu.metrics import Metric, Signature, Streams, seed_of
from summeval.meta.significance import tested
from summeval.metrics.run.corpus import SEED

_TESTS = {"bs": "bootstrap", "ar": "randomization"}
_SAMPLES = {"bs": 1000, "ar": 10000}


@dataclass(eq=False, repr=False)
class Result:
    """A score, its p-value beside the baseline, and the mean and interval of bootstrap samples."""

    score: float
    p_value: float | None = None
    mean: float | None = None
    ci: float | None = None

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


@dataclass(eq=False, repr=False)
class PairedTest:
    """A test of each system with the first one.

    Parameters
    ----------
    named_systems : sequence of (str, sequence of str)
        The baseline first.
    metrics : mapping of str to metric
        Objects of `BLEU` and the like.
    references : sequence of sequences of str, or None
        Streams; None takes those that the metrics keep.
    test_type : {"ar", "bs"}
        Approximate randomization (Riezler and Maxwell 2005) or bootstrap (Koehn 2004).
    n_samples : int
        0 is 10,000 for "ar" and 1,000 for "bs".
    n_ar_confidence : int
        Bootstrap samples for the intervals of "ar"; 0 is 1,000, -1 none.
    n_jobs : int
        Without effect.

    Examples
    --------
    >>> from summeval.interop.sacrebleu import CHRF
    >>> references = ["rain falls", "a cat sat", "dogs bark"] * 9
    >>> systems = [("old", ["rain", "a cat", "dogs"] * 9), ("new", references)]
    >>> _, found = PairedTest(systems, {"chrF": CHRF()}, [references], "bs")()
    >>> found["System"], round(found["chrF2"][1].p_value, 3)
    (['old', 'new'], 0.001)
    """

    named_systems: Sequence[tuple[str, Sequence[str]]]
    metrics: Mapping[str, Metric[Any]]
    references: Streams | None
    test_type: str = "ar"
    n_samples: int = 0
    n_ar_confidence: int = -1
    n_jobs: InitVar[int] = 1

    def __post_init__(self, n_jobs: int) -> None:
        if self.test_type not in _TESTS:
            raise ValueError(f"test_type is {self.test_type!r}; choose from {', '.join(_TESTS)}")
        if self.n_samples <= 0:
            self.n_samples = _SAMPLES[self.test_type]
        self.n_ar_confidence = self.n_ar_confidence or _SAMPLES["bs"]

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[Any]]]:
        """Return the signatures, and for each metric a Result for each of the names "System"."""
        word = os.environ.get("SACREBLEU_SEED", str(SEED))
        seed = seed_of(word)
        signatures = {}
        found: dict[str, list[Any]] = {"System": [name for name, _ in self.named_systems]}
        drawn = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
        test = _TESTS[self.test_type]
        for metric in self.metrics.values():
            results = []
            baseline: Any = None
            for _, texts in self.named_systems:
                rows = metric.statistics(texts, self.references)
                score = metric.of_sums(rows.sum(axis=0))
                result = Result(score.score)
                if baseline is None:
                    baseline, name = rows, score.name
                else:
                    sides = rows, baseline
                    outcome = tested(metric.formula, sides, test, self.n_samples, seed)
                    result.p_value = outcome.p_value
                if drawn > 0:
                    result.mean, result.ci = metric.interval(rows, drawn, seed)
                results.append(result)
            found[name] = results
            signatures[name] = metric.get_signature()
            signatures[name].update("seed", word.lower())
            signatures[name].update(self.test_type, self.n_samples)
            if self.n_ar_confidence > 0:
                signatures[name].update("bs", self.n_ar_confidence)
        return signatures, found
