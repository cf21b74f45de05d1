"""A score as a function of columns, for engines of SQL."""

from __future__ import annotations

import re
from typing import Any

from summeval.interop.shared import Term, Terms, choose
from summeval.io.directions import numbers
from summeval.metrics.run.suite import Suite


class ScoreFunction:
    """The score of each row: of the candidate and what it is compared with, in Arrow columns.

    It pickles, as engines send it to processes.

    >>> import pyarrow as pa
    >>> score, = functions("rouge1.recall")
    >>> score(pa.array(["a cat", None]), pa.array([["the cat"], ["a dog"]])).to_pylist()
    [0.5, None]
    >>> score.name
    'rouge1_recall'
    """

    def __init__(self, term: Term) -> None:
        self.suite, self.term = Suite([term.metric]), term
        self.name = re.sub(r"\W", "_", term.name)

    def __call__(self, *columns: Any) -> Any:
        """Return a column of float64, null where there is no score."""
        texts = ("candidate", *self.suite.reads)
        if len(columns) != len(texts):
            raise TypeError(f"{self.name} got {len(columns)} columns; give it {', '.join(texts)}")
        given = dict(zip(texts, columns, strict=True))
        sides = given["candidate"], given.get("references")
        table = self.suite.score_batch(*sides, sources=given.get("source"))
        return numbers(table[self.term.column])


def functions(metrics: Terms) -> list[ScoreFunction]:
    """Return a function for each metric, or field of one; other signs in its name become `_`."""
    return [ScoreFunction(term) for term in choose(metrics)[1]]
