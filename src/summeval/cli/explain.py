"""`summeval score --explain`: explains the scores of each row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import summeval
from summeval.cli.shared.errors import UsageError
from summeval.io import Chunk

# Of metrics that compare with references, and of those that compare with the source:
_ARGUMENT, _NAMES = ("references", "source"), ("reference", "source")


def explainers(suite: summeval.Suite) -> list[Any]:
    """The metrics of a suite, if all of them can explain their scores.

    Raises `UsageError` if one cannot.
    """
    for metric in suite.metrics:
        if not hasattr(metric, "explain"):
            raise UsageError(
                f"--explain: {metric.name} has nothing to explain; use -m bewte, support or tesla-e"
            )
    return list(suite.metrics)


def explanations(
    metrics: Iterable[Any], chunks: Iterable[Chunk], id_column: str, as_json: bool
) -> Iterator[bytes]:
    """The explanation of each row by each metric: text, or one JSON object per line."""
    number = 0
    for chunk in chunks:
        for index, row in enumerate(chunk.rows):
            number += 1
            name = row.get(id_column)
            candidate = chunk.candidates[index]
            for metric in metrics:
                told = None
                source = metric.compared_with == "source"
                given = (chunk.sources if source else chunk.references)[index]
                if candidate is not None and given:
                    told = metric.explain(candidate, **{_ARGUMENT[source]: given})
                if as_json:
                    found = told and told.to_dict()
                    record = {"id": name, "metric": metric.name, "explanation": found}
                    yield (json.dumps(record, ensure_ascii=False) + "\n").encode()
                else:
                    title = f"row {number}" if name is None else f"row {number} ({name})"
                    body = chunk.errors.get(index) or told or f"no candidate or no {_NAMES[source]}"
                    yield f"{title}, {metric.name}\n{body}\n\n".encode()
