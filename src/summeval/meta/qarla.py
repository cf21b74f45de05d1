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

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from summeval._options import check_choice, check_workers
from summeval.meta.tables.similarities import (
    enough,
    labels_of,
    no_nan,
    numbers,
    off_diagonal,
    read,
    read_for_jack,
    risen,
)
from summeval.metrics.qarla import count_triples

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.meta.metric_sets import MetricSets
    from summeval.meta.tables.directions import HigherIsBetter

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
    import numpy as np

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
) -> NDArray[float64]:
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
    from summeval._core.agreement import dominance as kernel

    values = risen(read(similarities, n_models, triples, 0), higher_is_better)
    hits = kernel.peer_hits(values, n_models, triples, check_workers(workers))
    found: NDArray[float64] = hits / count_triples(n_models, triples)
    return found


def set_queens(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> NDArray[float64]:
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
    from summeval._core.agreement import dominance as kernel

    values = risen(read(similarities, n_models, triples, 0), higher_is_better)
    _few(len(values))
    hits = kernel.set_hits(values, n_models, triples, check_workers(workers))
    found: NDArray[float64] = hits / count_triples(n_models, triples)
    return found


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
    from summeval._core.agreement import dominance as kernel

    check_choice("ties", ties, ("lose", "win"))
    values = risen(read(similarities, n_models, triples, 1), higher_is_better)
    found = kernel.king_counts(
        values, n_models, triples, ties == "win", False, check_workers(workers)
    )
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
    from summeval._core.agreement import dominance as kernel

    read = read_for_jack(similarities, n_models, variant, triples)
    values = risen(read, higher_is_better)
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
    queens = left_out_queens(
        similarities, n_models, triples, higher_is_better=higher_is_better, workers=workers
    )
    return float((queens[:, 1:] <= queens[:, :1]).mean())


def left_out_queens(
    similarities: Any,
    n_models: int,
    triples: TripleReading = "pairs",
    *,
    higher_is_better: HigherIsBetter = True,
    workers: int = 1,
) -> NDArray[float64]:
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
    from summeval._core.agreement import dominance as kernel

    values = risen(read(similarities, n_models, triples, 1), higher_is_better)
    hits = kernel.left_out_hits(values, n_models, triples, check_workers(workers))
    found: NDArray[float64] = hits / count_triples(n_models - 1, triples)
    return found


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
    from summeval._core.agreement import dominance as kernel
    from summeval.meta.metric_sets import MetricSets

    check_choice("ties", ties, ("lose", "win"))
    values = read(similarities, n_models, triples, 1)
    values = read_for_jack(values, n_models, variant, triples)
    metrics = len(values)
    _few(metrics)
    labels = list(range(metrics)) if names is None else labels_of(names, metrics)
    values = risen(values, higher_is_better, labels)
    threads = check_workers(workers)
    wins = kernel.king_counts(values, n_models, triples, ties == "win", True, threads)
    jacks = kernel.jack_counts(values, n_models, variant, triples, True, threads)
    return MetricSets(labels, wins / n_models, jacks / n_models)


def _few(metrics: int) -> None:
    if metrics > MOST_METRICS:
        raise ValueError(f"similarities has {metrics} metrics; pass at most {MOST_METRICS}")
