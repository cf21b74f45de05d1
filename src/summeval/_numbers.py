"""Numbers that users give, Python's or NumPy's."""

from __future__ import annotations

from math import inf
from numbers import Integral, Real


def whole(value: object) -> int | None:
    """The integer that `value` is; None where it is none, or a bool.

    >>> whole(3), whole(3.0), whole(True)
    (3, None, None)
    """
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def real(value: object) -> float | None:
    """The number that `value` is; None where it is none, or a bool.

    >>> real(3), real("3"), real(False), real(-(10**400))
    (3.0, None, None, -inf)
    """
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number with more digits than a float holds
        return inf if abs(value) == value else -inf
