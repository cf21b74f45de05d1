"""Summary evaluation: exact where an original program exists, and fast.

>>> import summeval
>>> summeval.score("the cat sat", ["the cat sat down"], ["rouge1"])
{'rouge1': Score(precision=1.0, recall=0.75, fmeasure=0.8571428571428571)}
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval._version import __version__
from summeval.metrics.bipartite import BipartiteMatching
from summeval.metrics.combination import Combination, NouveauRouge
from summeval.metrics.discourse.cremer import Cremer
from summeval.metrics.discourse.dicomer import Dicomer
from summeval.metrics.discourse.readability import Readability
from summeval.metrics.elements.basic_elements import BasicElements
from summeval.metrics.elements.bewte import BEwTE
from summeval.metrics.ngram_graphs import AutoSummENG, MeMoG, NPowER
from summeval.metrics.paraeval import ParaEval
from summeval.metrics.pyramid.position import PositionPyramid
from summeval.metrics.registry import DEFAULT, metric, suite
from summeval.metrics.rouge.metric import Rouge
from summeval.metrics.run.base import Metric
from summeval.metrics.run.notices import ScoreWarning
from summeval.metrics.run.protocols import OnError
from summeval.metrics.run.signature import Signature
from summeval.metrics.run.suite import Suite
from summeval.metrics.run.table import ScoreTable
from summeval.metrics.simetrix import Simetrix
from summeval.metrics.tesla.tesla_m import TeslaM
from summeval.metrics.tesla.tesla_s import TeslaS

if TYPE_CHECKING:
    # At run time summeval.metrics is the package of that name, which can be called.
    from summeval.metrics.registry import metrics

__all__ = [
    "AutoSummENG",
    "BEwTE",
    "BasicElements",
    "BipartiteMatching",
    "Combination",
    "Cremer",
    "Dicomer",
    "MeMoG",
    "Metric",
    "NPowER",
    "NouveauRouge",
    "ParaEval",
    "PositionPyramid",
    "Readability",
    "Rouge",
    "Score",
    "ScoreTable",
    "ScoreWarning",
    "Signature",
    "Simetrix",
    "Suite",
    "TeslaM",
    "TeslaS",
    "__version__",
    "metric",
    "metrics",
    "score",
    "score_batch",
    "suite",
]

# Imported when they are asked for.
_FOLDERS = ("annotate", "elements", "io", "learn", "meta", "solvers", "text")

_SUITES: dict[tuple[str | Metric, ...], Suite] = {}
_KEPT_SUITES = 64


def score(
    candidate: str | None,
    references: str | Iterable[str | None] | None = None,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT,
    *,
    source: str | Iterable[str | None] | None = None,
) -> dict[str, Score]:
    """Score one candidate against one reference (a str) or several.

    Parameters
    ----------
    candidate : str or None
    references : str or iterable of str
        References that are None are left out.
    metrics : names and metric objects
        One with options is ``metric("rouge1", stemmer="porter")``.
    source : str or iterable of str, optional
        The input, one text or several documents, for metrics that compare with it.

    Returns
    -------
    dict of str to Score
        For each metric; NaN in every field if the candidate is None or there is nothing to compare
        it with.

    Raises
    ------
    TypeError, ValueError
        A text is not a str or contains an unpaired surrogate, a metric is unknown, or a metric
        needs the source and none is given.

    Examples
    --------
    >>> score("the cat sat", ["the cat", "a cat sat down"], ["rouge1"])["rouge1"].precision
    0.6666666666666666
    """
    return _suite(metrics).score(candidate, references, source)


def score_batch(
    candidates: Any,
    references: Any = None,
    metrics: Iterable[str | Metric] | str | Metric = DEFAULT,
    *,
    sources: Any = None,
    workers: int = 1,
    progress: bool | Callable[[int, int], object] = False,
    on_error: OnError = "raise",
) -> ScoreTable:
    """Score rows of candidates and references.

    Parameters
    ----------
    candidates : sequence of str or None, or an Arrow string column
        Anything with `__arrow_c_stream__` or `__arrow_c_array__` is read without making Python
        strings: pyarrow, polars, pandas 3, duckdb.
    references : sequence, or an Arrow column of strings or of lists of strings
        For each row a str or a sequence of str. None if no metric compares with references.
    metrics : names and metric objects
        One with options is ``metric("rouge1", stemmer="porter")``.
    sources : sequence, or an Arrow column like references, optional
        The input of each row, a text or several documents, for metrics that compare with it.
    workers : int
        Threads; -1 is one for each processor. The results do not depend on it.
    progress : bool or callable
        True shows a bar on standard error; a callable is called with (rows done, rows).
    on_error : {"raise", "skip"}
        What to do with a refused row: a text is not a str, contains an unpaired surrogate or is too
        long for a metric, or a callable of yours fails for it. "raise" ends the batch; with "skip"
        the row stays, has NaN in every column of the metrics that refused it, and its message is in
        `table.errors`. The other rows score as if it were not there.

    Returns
    -------
    ScoreTable
        Columns `<metric>.<field>`; NaN where the candidate is None or a row has no reference.

    Raises
    ------
    TypeError, ValueError
        A text is not a str or contains an unpaired surrogate, or lengths differ; the message names
        the row.

    Examples
    --------
    >>> table = score_batch(["the cat sat", "a dog"], ["the cat", ["a dog", "dogs"]], ["rouge1"])
    >>> table["rouge1.fmeasure"].tolist()
    [0.8, 1.0]
    >>> table = score_batch(["a dog", 7], ["a dog", "a dog"], ["rouge1"], on_error="skip")
    >>> table["rouge1.fmeasure"].tolist(), table.errors
    ([1.0, nan], {1: 'candidates[1] is int, expected str or None'})
    """
    chosen = _suite(metrics)
    if progress is not True:
        return chosen.score_batch(
            candidates,
            references,
            sources=sources,
            workers=workers,
            progress=progress or None,
            on_error=on_error,
        )
    from summeval.cli.shared.progress import Progress

    shown = Progress(None)
    try:
        return chosen.score_batch(
            candidates,
            references,
            sources=sources,
            workers=workers,
            progress=shown.reach,
            on_error=on_error,
        )
    finally:
        shown.finish()


def _suite(metrics: Iterable[str | Metric] | str | Metric) -> Suite:
    """The suite of these metrics; suites of names alone are kept for the next call."""
    if not hasattr(metrics, "__iter__") and not isinstance(metrics, Metric):
        raise TypeError(f"metrics is {type(metrics).__name__}; pass names or metric objects")
    if isinstance(metrics, (list, tuple)):  # asked first: it is quicker than for an abstract class
        key = tuple(metrics)
    else:
        key = (metrics,) if isinstance(metrics, (str, Metric)) else tuple(metrics)
    found = _SUITES.get(key)
    if found is None:
        found = suite(key)
        if len(_SUITES) < _KEPT_SUITES and all(type(item) is str for item in key):
            _SUITES[key] = found
    return found


def __getattr__(name: str) -> ModuleType:
    if name in _FOLDERS:
        return importlib.import_module(f"summeval.{name}")
    raise AttributeError(f"module 'summeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_FOLDERS, *(name for name in globals() if name.startswith("__"))})
