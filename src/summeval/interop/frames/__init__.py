"""Scores where tables are: accessors of pandas and polars, functions of SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from summeval.interop.shared.batches import BatchScorer
from summeval.io.rows import guessed


def scorer_of(
    metrics: Any, options: Mapping[str, Any], present: Iterable[str]
) -> tuple[BatchScorer, list[str]]:
    """Return what scores a table with these columns, and those of them that it reads.

    Raises `KeyError` if there is no column for a text.

    >>> scorer_of("rouge1", {"id_column": "id"}, ["id", "summary", "highlights"])[1]
    ['summary', 'highlights', 'id']
    """
    scorer = BatchScorer(metrics, carry=False, **options)
    names = list(present)
    texts = [
        guessed(what, scorer.columns[what], names) for what in ("candidate", *scorer.suite.reads)
    ]
    return scorer, list(dict.fromkeys([*texts, *filter(None, [scorer.id_column])]))
