"""QARLA: how well sets of similarity metrics separate models (people) from peers (systems).

Amigó, Gonzalo, Peñas and Verdejo 2005, "QARLA: A Framework for the Evaluation of Text Summarization
Systems", ACL. The paper leaves open which triples of models QUEEN counts, so all readings are
available:

``pairs``
    m any model, m' and m'' different: n * n(n-1) triples, as the program Asiya counts them.
``distinct``
    All three different: n(n-1)(n-2) triples, the literal reading of the paper's text.
``all``
    Every triple, including those with the similarity of a model to itself.

Similarities are an array [metric, candidate, reference] over all texts, of which the first
``n_models`` are the models. Entries that a measure does not compare are ignored: the diagonal is
used only by ``all``, and similarities of models as candidates with peers as references are never
used. A strictly increasing transformation of a metric changes no result. For distances pass
``higher_is_better=False``, or one bool per metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias, overload

import numpy as np

from summeval._core.agreement import dominance as kernel
from summeval._options import check_choice, check_workers
from summeval.meta.arrays import oriented
from summeval.metrics.qarla import count_triples
from summeval.table.cells import Array
from summeval.table.scores import HigherIsBetter

LEAST = {"pairs": 2, "distinct": 3, "all": 1}  # models needed for a triple


def _oriented(values: Array, higher_is_better: HigherIsBetter, names: Any = None) -> Array:
    """Return the array [metric, …], distances negated."""
    labels = range(len(values)) if names is None else names
    return np.stack(oriented(list(values), higher_is_better, list(map(str, labels))))


def _shares(hits: Any, models: int, triples: str) -> Array:
    found: Array = hits / count_triples(models, triples)
    return found


def labels_of(names: Any, metrics: int) -> list[Any]:
    if not hasattr(names, "__iter__"):
        raise TypeError(f"names is {type(names).__name__}; give a list of names")
    labels = list(names)
    if len(labels) != metrics:
        raise ValueError(f"names has {len(labels)} for {metrics} metrics; give one for each")
    for label in labels:
        if labels.count(label) > 1:
            raise ValueError(f"names has {label!r} twice; give each metric a different name")
    return labels


def read(similarities: Any, n_models: int, triples: str, left_out: int) -> Array:
    """Check the array for QUEEN with `left_out` models left out each time."""
    values = _square(similarities, n_models)
    enough(n_models, triples, left_out)
    if values.shape[1] == n_models:
        raise ValueError(f"all {n_models} texts are models; add the rows and columns of a peer")
    models = values[:, :n_models, :n_models]
    no_nan("similarities", models if triples == "all" else off_diagonal(models))
    no_nan("similarities", values[:, n_models:, :n_models], row=n_models)
    return values


def read_for_jack(similarities: Any, n_models: int, variant: str, triples: str) -> Array:
    check_choice("variant", variant, ("one_sided", "both_sides", "queen_positive"))
    if variant == "queen_positive":
        values = read(similarities, n_models, triples, 0)
    else:
        check_choice("triples", triples, tuple(LEAST))
        values = _square(similarities, n_models)
        no_nan("similarities", values[:, n_models:, :n_models], row=n_models)
    peers = off_diagonal(values[:, n_models:, n_models:])
    no_nan("similarities", peers, row=n_models, column=n_models)
    return values


def _square(similarities: Any, n_models: int) -> Array:
    values = numbers("similarities", similarities, "metric, candidate, reference")
    if isinstance(n_models, bool) or not isinstance(n_models, SupportsIndex):
        raise TypeError(f"n_models is {type(n_models).__name__}; give a whole number")
    if values.shape[1] != values.shape[2]:
        raise ValueError(
            f"similarities has {values.shape[1]} candidates, {values.shape[2]} references;"
            " pass every text as both"
        )
    if not 1 <= n_models < values.shape[1]:
        raise ValueError(
            f"n_models is {n_models} of {values.shape[1]} texts; it must leave a model and a peer"
        )
    return values


def numbers(name: str, given: Any, axes: str) -> Array:
    try:
        values = np.ascontiguousarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be an array of numbers [{axes}]") from None
    if np.ndim(given) != axes.count(",") + 1:
        raise ValueError(f"{name} has the shape {np.shape(given)}; it must be [{axes}]")
    if not len(values):
        raise ValueError(f"{name} has no metrics; give at least one")
    return values


def off_diagonal(square: Array) -> Array:
    """Return a copy with zeros on the diagonal, which is not used."""
    copy = np.array(square)
    copy[:, np.arange(copy.shape[1]), np.arange(copy.shape[1])] = 0.0
    return copy


def no_nan(name: str, values: Array, row: int = 0, column: int = 0) -> None:
    """Raise at the first NaN in a block that starts at [:, row, column]."""
    bad = np.argwhere(np.isnan(values))
    if len(bad):
        starts = (0, row, column)[: values.ndim]
        place = ", ".join(str(int(i) + start) for i, start in zip(bad[0], starts, strict=True))
        raise ValueError(f"{name}[{place}] is NaN; pass a number for every compared similarity")


def enough(models: int, triples: str, left_out: int) -> None:
    check_choice("triples", triples, tuple(LEAST))
    least = LEAST[triples] + left_out
    if models < least:
        raise ValueError(
            f"{models} model{'s' * (models != 1)} for triples={triples!r};"
            f" {'KING' if left_out else 'QUEEN'} needs at least {least}"
        )


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

    def __init__(self, names: Iterable[Any], king: Array, jack: Array) -> None:
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
        """Return the set of these metrics.

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
        """Return the sets by descending KING, or the first `count` of them.

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
    """Return the mean KING and JACK of the same metrics over topics.

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


TripleReading: TypeAlias = Literal["pairs", "distinct", "all"]
Ties: TypeAlias = Literal["lose", "win"]
Variant: TypeAlias = Literal["one_sided", "both_sides", "queen_positive"]

MOST_METRICS = 20  # gives 2^20 sets


def queen(
    peer_model: Any,
    model_model: Any,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
) -> float:
    """Return QUEEN of a text: how often it is as close to a model as models are to each other.

    The share of triples of models (m, m', m'') with x(text, m) >= x(m', m'') for every metric x
    (section 3.1 of the paper). To score a model, leave it out of the models.

    Parameters
    ----------
    peer_model : array [metric, model]
        Similarity of the text, as candidate, with each model.
    model_model : array [metric, model, model]
        Similarity of models, [candidate, reference].
    triples : {"pairs", "distinct", "all"}
        Which triples count; see the module docstring.
    higher_is_better : bool, or one bool for each metric
        Whether a higher number means more similar; False negates the metric.

    Returns
    -------
    float
        From 0 to 1; adding metrics can only lower it.

    Raises
    ------
    ValueError
        Wrong shapes, NaN, or fewer models than the triples need (2, 3 and 1).

    Examples
    --------
    >>> queen([[0.5, 0.45, 0.1]], [[[1, 0.6, 0.4], [0.6, 1, 0.2], [0.4, 0.2, 1]]])
    0.4444444444444444
    >>> queen([[2, 3, 9]], [[[0, 1, 4], [1, 0, 8], [4, 8, 0]]], higher_is_better=False)
    0.4444444444444444
    """
    peer = numbers("peer_model", peer_model, "metric, model")
    models = numbers("model_model", model_model, "metric, model, model")
    metrics, count = peer.shape
    if models.shape != (metrics, count, count):
        raise ValueError(
            f"model_model has the shape {models.shape} but peer_model has {peer.shape};"
            f" it must be {(metrics, count, count)}"
        )
    enough(count, triples, 0)
    joined = np.zeros((metrics, count + 1, count + 1))
    joined[:, :count, :count] = models
    joined[:, count, :count] = peer
    no_nan("peer_model", peer)
    no_nan("model_model", models if triples == "all" else off_diagonal(models))
    return float(queens(joined, count, triples, higher_is_better=higher_is_better)[0])


def queens(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> Array:
    """Return QUEEN of every peer against all models; see `queen`.

    Parameters
    ----------
    similarities : array [metric, candidate, reference]
        Array over all texts; the first `n_models` rows and columns are the models.
    n_models : int
    triples : {"pairs", "distinct", "all"}
    higher_is_better : bool, or one bool for each metric
    workers : int
        Number of threads; -1 means one per processor.

    Returns
    -------
    array [peer]

    Examples
    --------
    >>> import numpy as np
    >>> queens(np.ones((1, 5, 5)), 3)
    array([1., 1.])
    """
    values = _oriented(read(similarities, n_models, triples, 0), higher_is_better)
    hits = kernel.peer_hits(values, n_models, triples, check_workers(workers))
    return _shares(hits, n_models, triples)


def set_queens(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> Array:
    """Return QUEEN of every peer by every set of metrics.

    Parameters and errors are those of `queens`; at most 20 metrics.

    Returns
    -------
    array [set, peer]
        A set contains metric i if ``set >> i & 1``. Row 0, of no metric, is unused.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.ones((2, 4, 4))
    >>> x[1, 3] = 0.0
    >>> set_queens(x, 3).tolist()
    [[0.0], [1.0], [0.0], [0.0]]
    """
    values = _oriented(read(similarities, n_models, triples, 0), higher_is_better)
    _few(len(values))
    hits = kernel.set_hits(values, n_models, triples, check_workers(workers))
    return _shares(hits, n_models, triples)


def king(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    ties: Ties = "lose",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> float:
    """Return KING of a set of metrics: how often it ranks a model above all peers.

    The share of models m with QUEEN(m) > QUEEN(a) for every peer a, both computed against the other
    models (section 3.2 of the paper). For several topics take the mean.

    Parameters
    ----------
    similarities : array [metric, candidate, reference]
        Array over all texts; the first `n_models` rows and columns are the models.
    n_models : int
        3 or more; 4 for the triples `distinct`, 2 for `all`.
    triples : {"pairs", "distinct", "all"}
    ties : {"lose", "win"}
        Result for the model if QUEEN is equal. In the paper it loses, so that a constant metric
        gets 0; "win" follows the program Asiya (which needs 4 or more models).
    higher_is_better : bool, or one bool for each metric
    workers : int
        Number of threads; -1 means one per processor.

    Raises
    ------
    ValueError
        The array is not square or contains NaN, or there are too few models or no peer.

    Examples
    --------
    >>> import numpy as np
    >>> same = np.full((1, 7, 7), 0.3)
    >>> king(same, 4), king(same, 4, ties="win")
    (0.0, 1.0)
    """
    check_choice("ties", ties, ("lose", "win"))
    values = _oriented(read(similarities, n_models, triples, 1), higher_is_better)
    threads = check_workers(workers)
    found = kernel.king_counts(values, n_models, triples, ties == "win", False, threads)
    return float(found[1] / n_models)


def jack(
    similarities: Any,
    n_models: int,
    variant: Variant = "one_sided",
    *,
    triples: TripleReading = "pairs",
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> float:
    """Return JACK of a set of metrics: how far its KING rests on peers that differ.

    The share of models m for which there are two peers a, a' with x(a, a') <= x(a, m) for every
    metric x. The paper's formula is lost. This form agrees with all that its section 3.4 says; the
    variants follow other descriptions of JACK.

    Parameters
    ----------
    similarities : array [metric, candidate, reference]
        Array over all texts; the first `n_models` rows and columns are the models. With one peer
        JACK is 0.
    n_models : int
    variant : {"one_sided", "both_sides", "queen_positive"}
        "both_sides" also requires x(a', a) <= x(a', m); "queen_positive" uses only peers whose
        QUEEN against all models is not 0.
    triples : {"pairs", "distinct", "all"}
        Triples counted by that QUEEN.
    higher_is_better : bool, or one bool for each metric
    workers : int
        Number of threads; -1 means one per processor.

    Raises
    ------
    ValueError
        The array is not square or contains NaN, or there is no model or no peer.

    Examples
    --------
    >>> x = [[[1, 0, 0, 0], [0, 1, 0, 0], [0.5, 0.1, 1, 0.3], [0.2, 0.2, 0.3, 1]]]
    >>> jack(x, 2), jack(x, 2, variant="both_sides")
    (0.5, 0.0)
    """
    values = _oriented(read_for_jack(similarities, n_models, variant, triples), higher_is_better)
    found = kernel.jack_counts(values, n_models, variant, triples, False, check_workers(workers))
    return float(found[1] / n_models)


def orange_share(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> float:
    """Return Asiya's ORANGE: the share of (model, peer) pairs in which the peer is not better.

    That is QUEEN(a) <= QUEEN(m), both against the other models; higher is better. For the ORANGE of
    Lin and Och see `summeval.meta.orange`. Parameters and errors are those of `king`.

    Examples
    --------
    >>> import numpy as np
    >>> orange_share(np.full((1, 7, 7), 0.3), 4)
    1.0
    """
    options: Any = {"higher_is_better": higher_is_better, "workers": workers}
    queens = left_out_queens(similarities, n_models, triples, **options)
    return float((queens[:, 1:] <= queens[:, :1]).mean())


def left_out_queens(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> Array:
    """Return QUEEN of each model, and of every peer, against the other models.

    Parameters and errors are those of `king`.

    Returns
    -------
    array [model, 1 + peer]
        First the QUEEN of the model that is left out, then those of the peers.

    Examples
    --------
    >>> import numpy as np
    >>> left_out_queens(np.full((1, 4, 4), 0.3), 3).tolist()
    [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
    """
    values = _oriented(read(similarities, n_models, triples, 1), higher_is_better)
    hits = kernel.left_out_hits(values, n_models, triples, check_workers(workers))
    return _shares(hits, n_models - 1, triples)


def metric_sets(
    similarities: Any,
    n_models: int,
    *,
    names: Any = None,
    triples: TripleReading = "pairs",
    ties: Ties = "lose",
    variant: Variant = "one_sided",
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> MetricSets:
    """Return KING and JACK of every non-empty set of metrics.

    Parameters
    ----------
    similarities : array [metric, candidate, reference]
        At most 20 metrics.
    n_models : int
    names : sequence of str, optional
        Names of the metrics in the result; default: numbers from 0.
    triples, ties, variant : str
        As in `king` and `jack`.
    higher_is_better : bool, or one bool for each metric
        May be a mapping by name.
    workers : int
        Number of threads; -1 means one per processor.

    Returns
    -------
    MetricSets
        A sequence of `MetricSet` (metrics, king, jack), small sets first.

    Raises
    ------
    ValueError
        As for `king` and `jack`; also more than 20 metrics, or a wrong number of names.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.zeros((2, 7, 7))
    >>> x[0, :4, :4] = 1.0  # under the first metric models are alike, peers are like nothing
    >>> metric_sets(x, 4, names=["good", "none"]).best(1)
    [MetricSet(metrics=('good',), king=1.0, jack=1.0)]
    """
    check_choice("ties", ties, ("lose", "win"))
    values = read(similarities, n_models, triples, 1)
    values = read_for_jack(values, n_models, variant, triples)
    metrics = len(values)
    _few(metrics)
    labels = list(range(metrics)) if names is None else labels_of(names, metrics)
    values = _oriented(values, higher_is_better, labels)
    threads = check_workers(workers)
    wins = kernel.king_counts(values, n_models, triples, ties == "win", True, threads)
    jacks = kernel.jack_counts(values, n_models, variant, triples, True, threads)
    return MetricSets(labels, wins / n_models, jacks / n_models)


def _few(metrics: int) -> None:
    if metrics > MOST_METRICS:
        raise ValueError(f"similarities has {metrics} metrics; pass at most {MOST_METRICS}")


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
    check_choice("ties", ties, ("mid", "optimistic"))
    read = _table("peers", peers), _table("references", references)
    texts, wanted = (oriented([table], higher_is_better, ["the metric"])[0] for table in read)
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


def _table(name: str, given: Any) -> Array:
    try:
        values = np.atleast_2d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be numbers [segment, text], in rows of equal length"
        ) from None
    if values.ndim != 2 or not values.size:
        raise ValueError(f"{name} has the shape {np.shape(given)}; it must be [segment, text]")
    return values
