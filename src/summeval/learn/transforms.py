"""Transformations of a ranking SVM's score, which has no unit and no bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import float64
    from numpy.typing import NDArray

TRANSFORMS = ("signed_log1p", "log", "none")


def domain(name: str, bounds: Sequence[float]) -> NDArray[float64]:
    """Restrict bounds to the domain of the transformation: for "log", to numbers above 0.

    >>> domain("none", (-1.0, 2.0)).tolist(), domain("log", (-1.0, 2.0)).tolist()
    ([-1.0, 2.0], [5e-324, 2.0])
    """
    import numpy as np

    return np.maximum(bounds, -np.inf if name != "log" else np.nextafter(0.0, 1.0))


def transform(name: str, values: NDArray[float64]) -> NDArray[float64]:
    """Transform values; "signed_log1p" and "log" keep their order.

    "signed_log1p" is sign(s) log(1 + |s|); "log" is that of the paper, which ends at 0.

    Raises
    ------
    ValueError
        "log" of a value of 0 or less; the message names the first one.

    Examples
    --------
    >>> import numpy as np
    >>> transform("signed_log1p", np.array([-1.0, 0.0, 1.0])).round(3).tolist()
    [-0.693, 0.0, 0.693]
    """
    import numpy as np

    if name == "none":
        return values
    if name == "signed_log1p":
        return np.asarray(np.sign(values) * np.log1p(np.abs(values)))
    low = np.flatnonzero(values <= 0)
    if len(low):
        raise ValueError(
            f"documents[{low[0]}] scores {values[low[0]]:.6g}, which has no logarithm; choose"
            " transform='signed_log1p'"
        )
    return np.asarray(np.log(values))
