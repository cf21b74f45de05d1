"""Numbers as people read them on a page."""

from __future__ import annotations

from collections.abc import Iterable
from math import floor, isfinite, isnan, log10


def number(value: float, digits: int = 3) -> str:
    """Format a number for people: with a true minus sign, and a dash for NaN.

    >>> number(-0.25), number(float("nan"))
    ('−0.250', '–')
    """
    if isnan(value):
        return "–"
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("-")


def short(value: float) -> str:
    """Format with three significant digits; a dash for NaN.

    >>> short(0.12345), short(1234.5), short(-2.0)
    ('0.123', '1234', '−2')
    """
    if isnan(value):
        return "–"
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        digits = 2 if value == 0 else max(0, 2 - floor(log10(abs(value))))
        text = f"{value:.{digits}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = f"{value:.2g}"
    return text.replace("-", "−")


def like(value: float, others: Iterable[float]) -> str:
    """Format with as many digits behind the point as tell values of this size apart.

    >>> like(0.5, [0.25]), like(3.5, [12.0]), like(2e9, [1e9]), like(1e-7, [3e-7])
    ('0.500', '3.5', '2e+09', '1e−07')
    """
    most = max((abs(one) for one in (value, *others) if isfinite(one)), default=0.0)
    if most >= 1e5 or 0 < most < 1e-3:
        return short(value)
    return number(value, 3 if most < 2 else 2 if most < 10 else 1 if most < 1000 else 0)


def finely(value: float, size: float) -> str:
    """Format with two digits that count in a number of this size, and three behind the point.

    >>> finely(0.0123, 0.0123), finely(0.00004, 0.00072), finely(0.0012, 0.00072)
    ('0.012', '0.00004', '0.00120')
    """
    if not 1e-5 <= size < 0.01:
        return like(value, [size])
    return number(value, 1 - floor(log10(size)))


def percent(share: float) -> str:
    """Return a share of 0 to 1 in per cent.

    >>> percent(0.126), percent(0.0004)
    ('13 %', '0.04 %')
    """
    told = share * 100
    return f"{told:.0f} %" if told >= 1 or told == 0 else f"{told:.1g} %"


def count(size: int, noun: str) -> str:
    """Return a number of things.

    >>> count(1, "system"), count(2000, "row")
    ('1 system', '2,000 rows')
    """
    return f"{size:,} {noun}{'s' * (size != 1)}"


def pvalue(value: float) -> str:
    """Return a p-value, as papers write it.

    >>> pvalue(0.0312), pvalue(0.0004), pvalue(float("nan"))
    ('p = .031', 'p < .001', 'p –')
    """
    if isnan(value):
        return "p –"
    if value < 0.001:
        return "p < .001"
    return "p = 1" if value >= 0.9995 else f"p = {value:.3f}".replace("0.", ".")
