"""ORANGE: how high a metric ranks references among the texts of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from summeval._options import check_choice
from summeval.meta.tables.directions import risen

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


def orange(
    peers: Any,
    references: Any,
    ties: Literal["mid", "optimistic"] = "mid",
    *,
    higher_is_better: bool = True,
) -> float:
    """Return ORANGE of a metric: the mean rank of references in the n-best list, by its length.

    The rank of a reference is 1 plus the number of peers of its segment with a better score. Each
    reference is ranked separately; the mean is taken over the references of a segment, then over
    segments. A lower ORANGE is better. (Lin and Och 2004, "ORANGE: a Method for Evaluating
    Automatic Evaluation Metrics for Machine Translation".)

    Parameters
    ----------
    peers : array [segment, peer], or [peer] for one segment
        Scores of the N texts of the n-best list.
    references : array [segment, reference], or [reference] for one segment
        Scores of the references; NaN pads segments with fewer references.
    ties : {"mid", "optimistic"}
        A peer with the same score as the reference counts half ("mid") or not at all
        ("optimistic").
    higher_is_better : bool
        Direction of the scores; False negates them.

    Returns
    -------
    float
        From 1/N to (N + 1)/N.

    Raises
    ------
    ValueError
        Incompatible arrays, a peer without score, or a segment without references.

    Examples
    --------
    >>> orange([0.5, 0.4, 0.3], [0.6]), orange([0.5, 0.4, 0.3], [0.4])
    (0.3333333333333333, 0.8333333333333334)
    >>> orange([0.5, 0.4, 0.3], [0.4], ties="optimistic")
    0.6666666666666666
    >>> orange([0.5, 0.4, 0.3], [0.2], higher_is_better=False)
    0.3333333333333333
    """
    import numpy as np

    check_choice("ties", ties, ("mid", "optimistic"))
    read = _table("peers", peers), _table("references", references)
    texts, wanted = (risen([table], higher_is_better, ["the metric"])[0] for table in read)
    if len(texts) != len(wanted):
        raise ValueError(
            f"peers has {len(texts)} segments, references {len(wanted)}; pass both for each segment"
        )
    given = ~np.isnan(wanted)
    for name, bad in (("peers", np.isnan(texts).any(1)), ("references", ~given.any(1))):
        if bad.any():
            missing = "a score that is NaN" if name == "peers" else "no score"
            raise ValueError(f"{name}[{int(bad.argmax())}] has {missing}; every segment needs them")
    better = texts[:, None] > wanted[..., None]
    equal = texts[:, None] == wanted[..., None]
    ranks = 1.0 + better.sum(2) + (equal.sum(2) / 2 if ties == "mid" else 0.0)
    means = (ranks * given).sum(1) / given.sum(1)
    return float(means.mean() / texts.shape[1])


def _table(name: str, given: Any) -> NDArray[float64]:
    import numpy as np

    try:
        values = np.atleast_2d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be numbers [segment, text], in rows of equal length"
        ) from None
    if values.ndim != 2 or not values.size:
        raise ValueError(f"{name} has the shape {np.shape(given)}; it must be [segment, text]")
    return values
