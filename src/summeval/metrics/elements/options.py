"""The options of metrics on Basic Elements, declared."""

from __future__ import annotations

from typing import Any

from summeval._options import Option
from summeval.metrics.option_groups import (
    AGGREGATE,
    CACHE,
    CASE,
    JACKKNIFE,
    LABEL,
    PARSER,
    SOLVER,
)

WEIGHTS = ("root", "binary", "total")
COMPAT = (None, "0.5.1")
COREFERENCE = Option(
    "coreference",
    None,
    (None, "simple"),
    "any",
)
SENSES = Option(
    "senses",
    "first",
    ("first", "all"),
    "whole",
    low=1,
    high=1000,
)
BEWTE = (
    Option(
        "weights",
        "root",
        WEIGHTS,
    ),
    Option(
        "duplicates",
        False,
        kind="bool",
    ),
    Option("hyper", False, kind="bool"),
    AGGREGATE,
    JACKKNIFE._replace(default=True),
    Option(
        "coefficients",
        None,
        (None,),
        "object",
    ),
    Option(
        "compat",
        None,
        COMPAT,
    ),
    SENSES,
    COREFERENCE,
    SOLVER,
    CASE,
    PARSER,
    CACHE,
    LABEL,
)


def number_of_senses(chosen: Any) -> int:
    """The number that `senses` means; 0 is all.

    >>> number_of_senses("first"), number_of_senses("all"), number_of_senses(3)
    (1, 0, 3)
    """
    return {"first": 1, "all": 0}[chosen] if isinstance(chosen, str) else int(chosen)
