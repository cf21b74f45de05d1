"""The public functions that score and explain, and the suites that they keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from summeval._core.rows.record import Score
from summeval.metrics.option_groups import SharedOptions
from summeval.metrics.registry import DEFAULT, expanded, metric, shared
from summeval.metrics.run.base import Metric, Metrics
from summeval.metrics.run.declared import OnError, Texts
from summeval.metrics.run.suite import NO_OPTIONS, Suite, as_references, cached_suite
from summeval.metrics.run.table import ScoreTable

if TYPE_CHECKING:
    from summeval.metrics.run.explain.explanation import Explanation


def score(
    candidate: str | None,
    references: Texts = None,
    metrics: Metrics = DEFAULT,
    *,
    source: Texts = None,
    **options: Unpack[SharedOptions],
) -> dict[str, Score]:
    """Score one candidate against one reference (a str) or several.

    Parameters
    ----------
    candidate : str or None
    references : str or iterable of str
        References that are None are left out.
    metrics : names and metric objects
        A metric with options: ``metric("rouge1", stemmer="porter")``.
    source : str or iterable of str, optional
        The input, one text or several documents, for metrics that compare with it.
    **options
        `language` (see docs/languages.md), or `tokenizer`, `stemmer`, `stopwords`, `case`,
        `sentences`: set for each of the metrics given
        by name that has the option. Metric objects keep their own.

    Returns
    -------
    dict of str to Score
        One Score for each metric; all fields are NaN if the candidate is None or there is nothing
        to compare it with.

    Raises
    ------
    TypeError, ValueError
        A text is not a str or contains an unpaired surrogate, a metric is unknown, a metric needs
        the source and none is given, or no metric takes one of the options.

    Examples
    --------
    >>> score("the cat sat", ["the cat", "a cat sat down"], ["rouge1"])["rouge1"].precision
    0.6666666666666666
    >>> score("Große Wörter", "große Worte", "rouge1", tokenizer="unicode")["rouge1"].value
    0.5
    """
    given = metrics if isinstance(metrics, (list, tuple)) else listed(metrics)
    return cached_suite(given, made, options).score(candidate, references, source)


def values(
    candidate: str | None,
    references: Texts = None,
    metrics: Metrics = DEFAULT,
    *,
    source: Texts = None,
) -> dict[str, float]:
    """Return the main number of each metric, a plain float; arguments and errors as of `score`.

    For logs and JSON, and for other tools that take a mapping of names to numbers. It is NaN where
    a metric gives no score.

    >>> values("the cat sat", ["the cat sat", "a dog"], ["rouge1", "rouge2"])
    {'rouge1': 1.0, 'rouge2': 1.0}
    """
    scores = score(candidate, references, metrics, source=source)
    return {name: float(found) for name, found in scores.items()}


def explain(
    candidate: str | None,
    references: Texts = None,
    metrics: Metrics = DEFAULT,
    *,
    source: Texts = None,
) -> dict[str, Explanation]:
    """Return what the value of each metric comes from; arguments as of `score`.

    `str()` of an Explanation reads in a terminal; `to_html()` makes a page of it.

    Raises
    ------
    TypeError, ValueError
        As `score`; or the candidate is None, or there is nothing to compare it with.

    Examples
    --------
    >>> found = explain("the cat sat", ["the cat"], ["rouge1"])["rouge1"]
    >>> round(found.value, 2), [(item.text, round(item.share, 2)) for item in found.items]
    (0.8, [('the', 0.4), ('cat', 0.4), ('sat', 0.0)])
    """
    texts, sources = as_references(references), as_references(source)
    chosen = made(listed(metrics))
    Suite(chosen)  # which refuses two metrics of one name, and none
    return {one.name: one.explain(candidate, texts, source=sources) for one in chosen}


def score_batch(
    candidates: Any,
    references: Any = None,
    metrics: Metrics = DEFAULT,
    *,
    sources: Any = None,
    workers: int = 1,
    progress: bool | Callable[[int, int], object] = False,
    on_error: OnError = "raise",
    **options: Unpack[SharedOptions],
) -> ScoreTable:
    """Score rows of candidates and references.

    Parameters
    ----------
    candidates : sequence of str or None, or an Arrow string column
        Any object with `__arrow_c_stream__` or `__arrow_c_array__` is read without Python strings:
        pyarrow, polars, pandas 3, duckdb.
    references : sequence, or an Arrow column of strings or of lists of strings
        For each row a str or a sequence of str. None if no metric needs references.
    metrics : names and metric objects
        A metric with options: ``metric("rouge1", stemmer="porter")``.
    sources : sequence, or an Arrow column like references, optional
        The input of each row, a text or several documents, for metrics that compare with it.
    workers : int
        Number of threads; -1 for one per processor. The results do not depend on it.
    progress : bool or callable
        True shows a bar on standard error; a callable is called with (rows done, rows).
    on_error : {"raise", "skip"}
        What to do with a refused row: a text is not a str, contains an unpaired surrogate or is too
        long for a metric, or a callable of yours fails for it. "raise" ends the batch. With "skip"
        the row has NaN in every column of the metrics that refused it, and `table.errors` has the
        message. The row does not change the scores of the other rows.
    **options
        As for `score`: `language`, `tokenizer`, `stemmer`, `stopwords`, `case`, `sentences`.

    Returns
    -------
    ScoreTable
        Columns `<metric>.<field>`; NaN if the candidate is None or the row has no reference.

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
    # First the usual types: faster than a test with an ABC.
    given = metrics if isinstance(metrics, (list, tuple)) else listed(metrics)
    chosen = cached_suite(given, made, options)
    shown = None
    if progress is True:
        from summeval._progress import Progress

        shown = Progress(None)
        progress = shown.reach
    try:
        return chosen.score_batch(
            candidates,
            references,
            sources=sources,
            workers=workers,
            progress=progress or None,
            on_error=on_error,
        )
    finally:
        if shown is not None:
            shown.finish()


def suite(metrics: Metrics = DEFAULT, **options: Unpack[SharedOptions]) -> Suite:
    """Several metrics as one object; their order is the order of the results.

    The options are shared by the metrics given by name, as in `score`.

    >>> stemmed = metric("rouge2", stemmer="porter")
    >>> suite(["rouge1", stemmed]).score("a cat", "a cat")["rouge2"].value
    1.0
    >>> suite("rouge1", stemmer="porter").score("cats", "a cat")["rouge1"].precision
    1.0
    """
    return Suite(made(listed(metrics), options))


def listed(metrics: Metrics) -> Sequence[str | Metric]:
    """Return the metrics one by one; a str has names between commas or blanks."""
    if isinstance(metrics, str):
        return metrics.replace(",", " ").split()
    if isinstance(metrics, Metric):
        return (metrics,)
    if isinstance(metrics, (dict, type)) or not hasattr(metrics, "__iter__"):
        kind = "a class" if isinstance(metrics, type) else type(metrics).__name__
        raise TypeError(f"metrics is {kind}; pass names or metric objects")
    return tuple(metrics)


def made(metrics: Iterable[str | Metric], options: Mapping[str, Any] = NO_OPTIONS) -> list[Metric]:
    """The metrics, where a name stands for the metric with its defaults, or with shared options.

    Presets are expanded.
    """
    items = expanded(metrics)
    names = [item for item in items if isinstance(item, str)]
    chosen = shared(names, options) if options else {}
    found = []
    for item in items:
        if isinstance(item, type) and issubclass(item, Metric):
            raise TypeError(f"{item.__name__} is a class; pass an object, {item.__name__}(…)")
        own = isinstance(item, Metric)
        found.append(item if own else metric(item, **chosen.get(item, NO_OPTIONS)))
    return found
