"""Resampling with replacement as ROUGE-1.5.5 does it, in plain Python."""

from collections.abc import Iterator, Sequence

from summeval._textbook.rouge import added


def drand48(seed: int) -> Iterator[float]:
    """The numbers of POSIX drand48 after srand48(seed): what Perl's rand returns.

    >>> [round(value, 6) for value, _ in zip(drand48(0), range(3))]
    [0.170828, 0.749902, 0.096372]
    """
    state = (seed << 16) + 0x330E
    while True:
        state = (state * 0x5DEECE66D + 0xB) % 2**48
        yield state / 2**48


def resample_sums(values: Sequence[Sequence[float]], samples: int) -> list[list[float]]:
    """Sum the rows of each sample, column by column, in the order drawn.

    Sample s takes as many rows as there are, with replacement, by drand48 seeded with s; all
    columns share the draw.

    >>> resample_sums([[1.0, 10.0], [2.0, 20.0]], 2)
    [[3.0, 30.0], [2.0, 20.0]]
    """
    sums = []
    for seed in range(samples):
        random = drand48(seed)
        drawn = [values[int(next(random) * len(values))] for _ in values]
        sums.append([added(column) for column in zip(*drawn, strict=True)])
    return sums
