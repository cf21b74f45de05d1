"""What is known of metrics: what a pair costs, and how well they agree with people.

The figures are those of docs/speed.md and docs/study.md; `ci/evidence.py` writes the file.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, NamedTuple


class Agreement(NamedTuple):
    """Spearman's rank correlation of a column with a judgement, on one data set.

    Attributes
    ----------
    metric, column : str
    data : str
        The data set.
    judgement : str
    level : str
        "summary" or "system".
    rho : float
    interval : (float, float)
        That of 95 %, over systems and topics.
    above_length : bool
        Whether it agrees better than the number of words.
    note : str
    """

    metric: str
    column: str
    data: str
    judgement: str
    level: str
    rho: float
    interval: tuple[float, float]
    above_length: bool
    note: str


@cache
def _data() -> dict[str, Any]:
    file = resources.files(__package__) / "data" / "evidence.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def cost_of(metric: str) -> float | None:
    """The microseconds that a pair costs, on texts that were parsed; None if nothing was measured.

    >>> cost_of("rouge1") < cost_of("tesla-s"), cost_of("mine")
    (True, None)
    """
    found: float | None = _data()["costs"].get(metric)
    return found


def cost_of_parsing() -> float:
    """The microseconds that parsing a text costs."""
    return float(_data()["parsing"])


def agreement_of(metric: str) -> list[Agreement]:
    """All that is known of the agreement of a metric with people, in the order of the page.

    >>> [one.data for one in agreement_of("support") if one.judgement == "consistency"]
    ['SummEval']
    """
    return [
        Agreement(**{**row, "interval": tuple(row["interval"])})
        for row in _data()["agreement"]
        if row["metric"] == metric
    ]


def sources() -> dict[str, str]:
    """The pages that the figures come from."""
    return {"costs": _data()["costs_from"], "agreement": _data()["agreement_from"]}
