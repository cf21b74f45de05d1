"""The number of rows with which a paired test sees a difference."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, inf, isnan, sqrt

_MOST_EXACT = 1e6  # beyond it the formula is right to the row


@lru_cache(4096)
def rows_needed(effect: float, alpha: float = 0.05, power: float = 0.8) -> float:
    """The number of rows with which a paired t-test finds an effect.

    The smallest number with which the two-sided test at the level `alpha` is significant with this
    probability, by the noncentral t distribution (Cohen 1988, "Statistical Power Analysis for the
    Behavioral Sciences", chapter 2). The randomisation test has nearly the same power where the
    differences are not far from normal or the rows many.

    Parameters
    ----------
    effect : float
        The mean of the differences divided by their standard deviation; its sign does not matter.
    alpha, power : float
        Between 0 and 1.

    Returns
    -------
    float
        A whole number of at least 2; infinite for no effect, NaN for NaN.

    Examples
    --------
    >>> [rows_needed(effect) for effect in (0.2, 0.5, -0.8, 0.0)]
    [199.0, 34.0, 15.0, inf]
    """
    from scipy.special import ndtri

    effect = abs(effect)
    if isnan(effect) or effect == 0.0:
        return effect or inf
    level, reach = float(ndtri(1.0 - alpha / 2.0)), float(ndtri(power))
    # Guenther 1981, "Sample Size Formulas for Normal Theory T Tests": right within a row or two.
    guess = ((level + reach) / effect) ** 2 + level**2 / 2.0
    if guess > _MOST_EXACT:
        return float(ceil(guess)) if guess < inf else inf
    rows = max(2, ceil(guess))
    while rows > 2 and _power(rows - 1, effect, alpha) >= power:
        rows -= 1
    while _power(rows, effect, alpha) < power:
        rows += 1
    return float(rows)


def _power(rows: int, effect: float, alpha: float) -> float:
    """The probability that the two-sided paired t-test of so many rows is significant."""
    from scipy.special import chdtr, nctdtr, stdtrit

    least = float(stdtrit(rows - 1, 1.0 - alpha / 2.0))
    shift = effect * sqrt(rows)
    if shift > 35.0:  # SciPy has NaN there; only the estimated deviation can still hide the effect
        return float(chdtr(rows - 1, (rows - 1) * (shift / least) ** 2))
    other = float(nctdtr(rows - 1, shift, -least))  # SciPy has NaN for some that are near 0
    return float(1.0 - nctdtr(rows - 1, shift, least)) + (0.0 if isnan(other) else other)
