"""Numbers that users give, Python's or NumPy's."""

from __future__ import annotations

from numbers import Integral, Real


def whole(value: object) -> int | None:
    """The integer that `value` is; None where it is none, or a bool.

    >>> whole(3), whole(3.0), whole(True)
    (3, None, None)
    """
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None


def real(value: object) -> float | None:
    """The number that `value` is; None where it is none, or a bool.

    >>> real(3), real("3"), real(False)
    (3.0, None, None)
    """
    return float(value) if isinstance(value, Real) and not isinstance(value, bool) else None
