"""The result of scoring every set of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, overload

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


class MetricSet(NamedTuple):
    """One set of metrics.

    Attributes
    ----------
    metrics : tuple
        Their names (or numbers if they have none), in the given order.
    king, jack : float
    """

    metrics: tuple[Any, ...]
    king: float
    jack: float


class MetricSets(Sequence[MetricSet]):
    """All non-empty sets of metrics: small sets first, then in the order of the metrics.

    Attributes
    ----------
    names : tuple
        The metrics.
    king, jack : array [set]
        Indexed by the bits of a set: it contains metric i if ``set >> i & 1``. Entry 0 is unused.

    Examples
    --------
    >>> import numpy as np
    >>> sets = MetricSets("ab", np.array([0, 0.2, 0.6, 0.4]), np.array([0, 1.0, 1.0, 0.5]))
    >>> sets[2]
    MetricSet(metrics=('a', 'b'), king=0.4, jack=0.5)
    >>> sets.of(["b"]).king
    0.6
    """

    def __init__(
        self, names: Iterable[Any], king: NDArray[float64], jack: NDArray[float64]
    ) -> None:
        self.names = tuple(names)
        self.king, self.jack = king, jack
        numbers = range(len(self.names))
        chosen = (c for size in numbers for c in combinations(numbers, size + 1))
        self._order = [sum(1 << i for i in members) for members in chosen]

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> MetricSet: ...
    @overload
    def __getitem__(self, index: slice) -> list[MetricSet]: ...
    def __getitem__(self, index: int | slice) -> MetricSet | list[MetricSet]:
        if isinstance(index, slice):
            return [self._at(bits) for bits in self._order[index]]
        return self._at(self._order[index])

    def of(self, metrics: Iterable[Any]) -> MetricSet:
        """The set of these metrics.

        Raises
        ------
        ValueError
            An unknown metric, or no metric.
        """
        bits = 0
        for metric in metrics:
            if metric not in self.names:
                known = ", ".join(map(str, self.names))
                raise ValueError(f"no metric {metric!r} in these sets; choose from {known}")
            bits |= 1 << self.names.index(metric)
        if not bits:
            raise ValueError("no metrics given; pass at least one")
        return self._at(bits)

    def best(self, count: int | None = None) -> list[MetricSet]:
        """The sets by descending KING, or the first `count` of them.

        Ties are ordered by descending JACK, then by size.
        """
        found = sorted(self._order, key=lambda bits: (-self.king[bits], -self.jack[bits]))
        return [self._at(bits) for bits in found[:count]]

    def _at(self, bits: int) -> MetricSet:
        members = tuple(name for i, name in enumerate(self.names) if bits >> i & 1)
        return MetricSet(members, float(self.king[bits]), float(self.jack[bits]))

    def __repr__(self) -> str:
        return f"<MetricSets: {len(self)} sets of {', '.join(map(str, self.names))}>"


def mean_sets(topics: Sequence[MetricSets]) -> MetricSets:
    """The mean KING and JACK of the same metrics over topics.

    Raises
    ------
    ValueError
        No topics, or topics with different metrics.

    Examples
    --------
    >>> import numpy as np
    >>> one, two = (MetricSets("a", np.array([0, k]), np.array([0, 1.0])) for k in (0.5, 1.0))
    >>> mean_sets([one, two])[0]
    MetricSet(metrics=('a',), king=0.75, jack=1.0)
    """
    import numpy as np

    if not topics:
        raise ValueError("no topics given; pass at least one")
    names = topics[0].names
    for place, sets in enumerate(topics):
        if sets.names != names:
            raise ValueError(
                f"topics[{place}] has other metrics than topics[0]; use the same in all"
            )
    king = np.mean([sets.king for sets in topics], axis=0)
    jack = np.mean([sets.jack for sets in topics], axis=0)
    return MetricSets(names, king, jack)
