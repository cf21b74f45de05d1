"""The transport problem as the linear program that it is, solved by HiGHS."""

from collections.abc import Sequence
from typing import Any

import highspy


def transport_lp(
    supply: Sequence[float], demand: Sequence[float], similarity: Sequence[Sequence[float]]
) -> float:
    """The largest sum of similarity times flow.

    Flow from each row is at most its supply, flow to each column at most its demand, and no flow is
    negative (Lin, Liu, Ng and Kan 2012, section 3: the match of two bags of n-grams).

    >>> transport_lp([1.0, 0.5], [0.75], [[1.0], [0.5]])
    0.75
    """
    highs: Any = highspy  # whose types are incomplete
    model = highs.Highs()
    model.setOptionValue("output_flag", False)
    flow = [
        [model.addVariable(0.0, highs.kHighsInf, obj=gain) for gain in row] for row in similarity
    ]
    if not flow:
        return 0.0
    for row, limit in zip(flow, supply, strict=True):
        if row:
            model.addConstr(sum(row[1:], row[0]) <= limit)
    for column, limit in zip(zip(*flow, strict=True), demand, strict=True):
        model.addConstr(sum(column[1:], column[0]) <= limit)
    model.maximize()
    return float(model.getInfo().objective_function_value)
