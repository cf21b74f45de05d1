"""DuckDB: metrics as functions of SQL.

from summeval.interop.frames.duckdb import register

register(connection, ["rouge1", "rouge2.recall", "support"])
connection.sql("SELECT rouge1(candidate, [reference]), rouge2_recall(candidate, list) FROM pairs")
"""

from __future__ import annotations

from typing import Any

from summeval._lazy import need
from summeval.interop.frames.functions import functions
from summeval.interop.shared import Terms
from summeval.metrics.registry import DEFAULT


def register(connection: Any, metrics: Terms = DEFAULT) -> list[str]:
    """Make a function of SQL for each metric, and return their names.

    Its arguments are the candidate and what the metric compares it with: references, source or
    both, as a text or a list of texts. It is null where there is no score.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    metrics : names or metric objects
        In names of functions each sign that is no letter, digit or `_` is `_`: `tesla_s`,
        `rouge2_recall`.
    """
    need("pyarrow", "summeval.interop.frames.duckdb.register", "arrow")
    made = functions(metrics)
    for function in made:
        how = {"type": "arrow", "null_handling": "special"}
        connection.create_function(function.name, function, None, "DOUBLE", **how)
    return [function.name for function in made]
