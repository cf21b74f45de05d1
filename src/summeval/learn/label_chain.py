"""A model of which utterances of a document are chosen: logistic, chain and skip chain.

Galley 2006, "A Skip-Chain Conditional Random Field for Ranking Meeting Utterances by Importance",
sections 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._options import Option, check_choice, checked
from summeval.learn.model_file import Saved, load_model, restoring

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

NORMALISATIONS = ("global", "local")
RANKED_BY = ("posterior", "cost", "prediction")
MOST_ORDER = 3
_LARGEST = 1e100  # so that no sum of squares is infinite
_OPTIONS = (
    Option("order", "Labels before.", 0, kind="whole", low=0, high=MOST_ORDER),
    Option("links", "Links.", False, kind="bool"),
    Option("normalisation", "Normalisation.", "global", NORMALISATIONS),
    Option("l2", "Penalty.", 1.0, kind="number", low=0.0, above=True),
)


class Weights(NamedTuple):
    """A trained model.

    Attributes
    ----------
    centre, scale : array [feature]
        Mean and standard deviation in training.
    features : array [feature]
        Weights of the standardised features.
    bias : array [1]
    """

    centre: NDArray[float64]
    scale: NDArray[float64]
    features: NDArray[float64]
    bias: NDArray[float64]


class LabelChain(Saved):
    """Labels of utterances, 1 (chosen) or 0: learnt from extracts, used to rank utterances.

    Parameters
    ----------
    order : int
        The number of labels before an utterance's own that its label depends on, 0 to 3. Order 0
        without links is logistic regression.
    links : bool
        Whether it also depends on the label of the earlier utterance that it answers.
    normalisation : {"global", "local"}
    l2 : float
        The penalty: half of it times the sum of the squared weights is subtracted from the log
        likelihood. The bias has no penalty.

    Examples
    --------
    >>> features = [[[0.0], [1.0], [2.0], [3.0]]]
    >>> model = LabelChain().fit(features, [[[0, 0, 1, 1], [0, 1, 0, 1]]])
    >>> model.rank(features[0]).round(3).tolist()
    [0.215, 0.394, 0.606, 0.785]
    """

    kind = "label chain"

    def __init__(
        self,
        order: int = 0,
        links: bool = False,
        normalisation: str = "global",
        l2: float = 1.0,
    ) -> None:
        given = checked(_OPTIONS, locals())
        self.order: int = given["order"]
        self.links: bool = given["links"]
        self.normalisation: str = given["normalisation"]
        self.l2: float = given["l2"]
        self._weights: Weights | None = None
        self._inference = "exact"

    @property
    def inference(self) -> str:
        """How the last call of `fit` or `rank` computed: "exact" or "loopy"."""
        return self._inference

    def fit(
        self,
        features: Sequence[ArrayLike],
        labels: Sequence[Sequence[ArrayLike]],
        links: Sequence[ArrayLike | None] | None = None,
    ) -> LabelChain:
        """Learn from documents; return the model.

        Parameters
        ----------
        features : for each document an array [utterance, feature]
        labels : for each document a list of arrays [utterance]
            One for each annotator: 1 for a chosen utterance, 0 for another.
        links : for each document an array [link, 2], optional
            The numbers of an utterance and of the earlier one that it answers; at most one link
            for each utterance. Not read by a model without links.

        Raises
        ------
        ValueError
            For numbers that are not finite, arrays that do not fit each other, and labels that are
            all the same; the message names the document.
        """
        import numpy as np
        from scipy.optimize import minimize
        from scipy.special import expit

        tables = [_table(one, f"document {d}") for d, one in enumerate(features)]
        table = _joined(tables)
        chosen, asked = _counts(tables, labels)
        centre, scale = table.mean(axis=0), table.std(axis=0)
        scale[scale < 1e-12 * np.maximum(1.0, np.abs(centre))] = 1.0
        table = (table - centre) / scale
        penalty = np.append(np.full(table.shape[1], self.l2), 0.0)

        def loss(numbers: NDArray[float64]) -> tuple[float, NDArray[float64]]:
            scores = table @ numbers[:-1] + numbers[-1]
            value = chosen @ scores - asked @ np.logaddexp(0.0, scores)
            rest = chosen - asked * expit(scores)
            slope = np.append(rest @ table, rest.sum())
            return (
                float(0.5 * penalty @ numbers**2 - value),
                penalty * numbers - slope,
            )

        start = np.zeros(len(penalty))
        start[-1] = np.log(chosen.sum() / (asked - chosen).sum())
        found = minimize(loss, start, jac=True, method="L-BFGS-B", options=_SEARCH).x
        self._weights = Weights(centre, scale, found[:-1], found[-1:])
        return self

    def rank(
        self,
        features: ArrayLike,
        links: ArrayLike | None = None,
        by: str = "posterior",
    ) -> NDArray[float64]:
        """The score of each utterance of a document, array [utterance]; higher is better.

        Parameters
        ----------
        features : array [utterance, feature]
        links : array [link, 2], optional
            As of `fit`.
        by : {"posterior", "cost", "prediction"}
            The probability that an utterance is chosen; the log potential of the best labelling in
            which it is chosen minus that of the best in which it is not; or 1 where the latter is
            positive, else 0.

        Raises
        ------
        ValueError
            Before training, and for features and links that `fit` refuses.
        """
        import numpy as np
        from scipy.special import expit

        check_choice("by", by, RANKED_BY)
        weights = self._trained()
        table = _table(features, "the document", len(weights.centre))
        scores = ((table - weights.centre) / weights.scale) @ weights.features + weights.bias[0]
        if by == "posterior":
            return np.asarray(expit(scores))
        return np.asarray(scores if by == "cost" else scores > 0, dtype=np.float64)

    def kept(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        """The options, and the arrays of the weights; `restored` makes the model from them."""
        content = {name: getattr(self, name) for name in ("order", "links", "normalisation", "l2")}
        return content, self._trained()._asdict()

    @classmethod
    def restored(cls, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> LabelChain:
        """The model that `kept` gave.

        Raises
        ------
        KeyError, TypeError, ValueError
            For other content than that of `kept`.
        """
        model = cls(*(content[name] for name in ("order", "links", "normalisation", "l2")))
        model._weights = _weights_of(arrays)
        return model

    @classmethod
    def load(cls, path: str | PathLike[str]) -> LabelChain:
        """Read a model that `save` wrote.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, or is no model of this kind.
        """
        content, arrays = load_model(path, cls.kind)
        with restoring(path, "labels"):
            return cls.restored(content, arrays)

    def _trained(self) -> Weights:
        if self._weights is None:
            raise ValueError("the model is not trained; call fit or load one")
        return self._weights


_SEARCH = {"maxiter": 1000, "maxfun": 2000, "ftol": 1e-13, "gtol": 1e-6, "maxcor": 20}


def _weights_of(arrays: Mapping[str, NDArray[Any]]) -> Weights:
    import numpy as np

    found = Weights(*(np.array(arrays[name], dtype=np.float64) for name in Weights._fields))
    size = found.centre.size
    shapes = {"centre": size, "scale": size, "features": size, "bias": 1}
    for name, array in found._asdict().items():
        if array.shape != (shapes[name],) or not np.isfinite(array).all():
            raise ValueError(f"its array {name} is damaged")
    return found


def _table(features: ArrayLike, place: str, width: int | None = None) -> NDArray[float64]:
    """The features of a document; an empty list is a document without utterances."""
    import numpy as np

    try:
        table = np.asarray(features, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"features of {place} are no table of numbers; give one") from None
    if table.size == 0 and table.ndim < 2:
        table = table.reshape(0, width or 0)
    if table.ndim != 2 or (len(table) and width is not None and table.shape[1] != width):
        wanted = "[utterance, feature]" if width is None else f"[utterance, {width}]"
        raise ValueError(f"features of {place} have the shape {table.shape}; give {wanted}")
    if not (np.abs(table) <= _LARGEST).all():
        t, f = np.argwhere(~(np.abs(table) <= _LARGEST))[0].tolist()
        raise ValueError(
            f"feature {f} of utterance {t} of {place} is {table[t, f]}; give finite numbers up to"
            f" {_LARGEST:g}"
        )
    return table if len(table) or width is None else table.reshape(0, width)


def _joined(tables: Sequence[NDArray[float64]]) -> NDArray[float64]:
    import numpy as np

    filled = [(d, table) for d, table in enumerate(tables) if len(table)]
    for d, table in filled:
        if table.shape[1] != filled[0][1].shape[1]:
            raise ValueError(
                f"document {d} has {table.shape[1]} features and document {filled[0][0]} has"
                f" {filled[0][1].shape[1]}; give the same for all"
            )
    return np.concatenate([table for _, table in filled]) if filled else np.zeros((0, 0))


def _counts(
    tables: Sequence[NDArray[float64]], labels: Sequence[Sequence[ArrayLike]]
) -> tuple[NDArray[float64], NDArray[float64]]:
    """For each utterance the number of annotators who chose it, and of all."""
    import numpy as np

    if len(labels) != len(tables):
        raise ValueError(
            f"there are {len(tables)} documents and labels of {len(labels)}; give both for each"
        )
    chosen, asked = [], []
    for d, (table, given) in enumerate(zip(tables, labels, strict=True)):
        rows = [_labels(one, len(table), d, a) for a, one in enumerate(given)]
        whole = np.array(rows).reshape(len(rows), len(table))
        chosen.append(whole.sum(axis=0))
        asked.append(np.full(len(table), float(len(rows))))
    ones, alls = (np.concatenate([*parts, np.zeros(0)]) for parts in (chosen, asked))
    if ones.sum() in (0, alls.sum()):
        what = "no utterance is" if not ones.sum() else "every utterance is"
        raise ValueError(f"{what} chosen in any extract; a model needs both kinds")
    return ones, alls


def _labels(labels: ArrayLike, size: int, d: int, a: int) -> NDArray[float64]:
    import numpy as np

    try:
        found = np.asarray(labels, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.full(size, np.nan)
    if found.shape != (size,):
        raise ValueError(
            f"labels {a} of document {d} have the shape {found.shape} for {size} utterances; give"
            " one for each"
        )
    if not np.isin(found, (0.0, 1.0)).all():
        raise ValueError(f"labels {a} of document {d} are not all 0 or 1; give only these")
    return found
