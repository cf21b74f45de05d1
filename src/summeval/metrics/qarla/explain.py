"""What a score of QUEEN comes from: the triples of each reference."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from summeval._core.columns import columns
from summeval.metrics.explained import part_of
from summeval.metrics.qarla import count_triples
from summeval.metrics.run.base import Metric
from summeval.metrics.run.explain.explanation import ExplainedItem, Explanation
from summeval.metrics.run.runner import has_words

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from summeval.metrics.qarla.parts import Parts


def by_reference(
    name: str,
    value: float,
    similarities: Parts,
    triples: str,
    *,
    texts: tuple[str, tuple[str, ...]],
) -> Explanation:
    """Return the share of the triples of each reference m in which the candidate is as close to m.

    The details of a reference have the similarity of the candidate by each metric, and the share of
    its triples that this metric alone allows. `texts` are the candidate and the references, `value`
    is their QUEEN by the metric of this name.
    """
    import numpy as np

    candidate, references = texts
    count, names = len(references), similarities.names
    others = columns.texts(list(references), "references")
    sets = columns.references([list(references)], "references")
    own = columns.texts([candidate], "candidate")
    cells = similarities.beside(others, sets.take(np.zeros(count, np.int64)), 1)
    peers = similarities.beside(own, sets, 1)
    hits = peers[:, :, None, None] >= cells.reshape(len(names), 1, count, count)
    counted = _counted(count, triples)
    close = (hits.all(axis=0) & counted).sum(axis=(1, 2)).tolist()
    alone = ((hits & counted).sum(axis=(2, 3)) / counted.sum(axis=(1, 2))).tolist()
    worded = has_words((candidate,))
    span = ((0, len(candidate)),) if worded else ()
    items = []
    for m in range(count):
        details: dict[str, float] = {}
        for k, (similarity, up) in enumerate(zip(names, similarities.rising, strict=True)):
            details[similarity] = float(peers[k, m]) * (1 if up else -1)
            details[f"{similarity} alone"] = alone[k][m]
        share = close[m] / count_triples(count, triples) if worded else 0.0
        share = value if isnan(value) else share
        place = ((m, 0, len(references[m])),) if references[m] else ()
        items.append(ExplainedItem(f"reference {m + 1}", span, place, share, details))
    members = [one for one in similarities.suite.metrics if isinstance(one, Metric)]
    parts = tuple(part_of(one, candidate, references, ()) for one in members)
    return Explanation(name, value, tuple(items), candidate, references, (), parts)


def _counted(count: int, triples: str) -> NDArray[bool_]:
    """Which triples [m, m', m''] count.

    >>> [int(_counted(4, triples).sum()) for triples in ("pairs", "distinct", "all")]
    [48, 24, 64]
    """
    import numpy as np

    m, one, two = np.indices((count, count, count))
    if triples == "all":
        return np.ones((count, count, count), bool)
    apart = [one != two, *([m != one, m != two] if triples == "distinct" else [])]
    return np.asarray(np.logical_and.reduce(apart))
