"""Averages and confidence intervals as ROUGE-1.5.5 prints them: bootstrap over instances."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summeval._core.overlap.bootstrap import resample_sums
from summeval._options import check_workers

Array: TypeAlias = NDArray[np.float64]


class Interval(NamedTuple):
    """A bootstrap average with its bounds: arrays, one value for each column."""

    average: Array
    lower: Array
    upper: Array


def summarise(samples: Array, percent: float = 95.0) -> Interval:
    """Return the mean and the percentile bounds of resampled values, ``samples[sample, column]``.

    `percent` is C, which the script takes with -c: a share would lose its last digit on the way.

    With r samples sorted as a[0..r), delta = r(100-C)/200 and U = int(r-delta-1), a bound lies the
    fraction r-delta-1-U beyond a[int(delta)] or a[U]; beyond the last sample stands 0. The same
    fraction serves both bounds, as in the script.

    >>> import numpy as np
    >>> [float(bound[0]) for bound in summarise(np.arange(1.0, 101.0)[:, None], percent=90)]
    [50.5, 6.0, 95.0]
    """
    count = len(samples)
    ordered = np.sort(samples, axis=0)
    # cumsum adds in ascending order, as the script does; np.sum would add in pairs.
    average = np.cumsum(ordered, axis=0)[-1] / count
    padded = np.vstack([ordered, np.zeros((2, samples.shape[1]))])
    delta = count * ((100.0 - percent) / 2.0) / 100.0
    high = int(count - delta - 1)
    low = int(delta)
    fraction = count - delta - 1 - high

    def bound(index: int) -> Array:
        return np.asarray(padded[index] + (padded[index + 1] - padded[index]) * fraction)

    return Interval(average, bound(low), bound(high))


def bootstrap_means(
    values: Array, *, resamples: int = 1000, confidence: float = 0.95, workers: int = 1
) -> Interval:
    """Bootstrap the mean of each column of ``values[instance, column]``.

    The average is the mean of the resampled means, not that of the values; with one instance it is
    that instance. Sample s = 0 … resamples-1 is drawn with drand48 seeded by s, so the numbers are
    the same on every run and for any ``workers``. The share `confidence` of the resampled means
    lies between the bounds.

    >>> import numpy as np
    >>> found = bootstrap_means(np.array([[0.2], [0.4], [0.9]]), resamples=50)
    >>> [round(float(bound[0]), 5) for bound in found]
    [0.48933, 0.25, 0.73333]
    """
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence is {confidence!r}; give a share from 0 to 1, such as 0.95")
    # 100 * 0.29 is 28.999999999999996: what is meant are the digits that were typed
    percent = round(100.0 * confidence, 10)
    return summarise(resampled_means(values, resamples, workers), percent)


def resampled_means(values: Array, resamples: int, workers: int = 1) -> Array:
    """Return the means [sample, column] of instances drawn from ``values[instance, column]``."""
    table = np.ascontiguousarray(values, dtype=np.float64)
    if table.ndim != 2 or not len(table):
        raise ValueError("values must be an array [instance, column] with at least one instance")
    if resamples < 1:
        raise ValueError(f"resamples must be 1 or more, not {resamples}")
    means: Array = resample_sums(table, resamples, check_workers(workers)) / len(table)
    return means
