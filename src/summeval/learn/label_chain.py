"""A model of which utterances of a document are chosen: logistic, chain and skip chain.

Galley 2006, "A Skip-Chain Conditional Random Field for Ranking Meeting Utterances by Importance",
sections 5 to 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from summeval._core.chains.label_chain import Chains
from summeval._options import Option, check_choice, checked
from summeval.learn.label_chain_data import read_documents, read_links, read_table
from summeval.learn.label_chain_training import LEAST_SCALE, Weights, train
from summeval.learn.model_file import Saved, load_model, restoring

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import ArrayLike, NDArray

NORMALISATIONS = ("global", "local")
RANKED_BY = ("posterior", "cost", "prediction")
MOST_ORDER = 3
_OPTIONS = (
    Option("order", 0, kind="whole", low=0, high=MOST_ORDER),
    Option("links", False, kind="bool"),
    Option("normalisation", "global", NORMALISATIONS),
    Option("l2", 1.0, kind="number", low=0.0, above=True),
)


class LabelChain(Saved):
    """Labels of utterances, 1 (chosen) or 0: learnt from extracts, used to rank utterances.

    Features are standardised with the mean and the standard deviation in training. Label 1 of an
    utterance has the log potential bias + weights · features; to it come the potentials of its
    label with those before it (for one before, for two, up to `order`, as far as there are so
    many), and of its label with that of the utterance that it answers. With global normalisation
    the probability of a labelling is proportional to the exponential of the sum over the document
    (a conditional random field). With local normalisation each label has a probability given those
    that it depends on, and the probability of a labelling is their product.

    Sums and maxima over labellings are exact if, going through the document, at most 12 labels are
    needed at a time: the last ones and those that later links go to. Otherwise some links are cut,
    and their ends exchange messages (loopy belief propagation); training is then by Bethe's
    approximation of the likelihood.

    Parameters
    ----------
    order : int
        The number of labels before an utterance's own that its label depends on, 0 to 3. Order 0
        without links is logistic regression.
    links : bool
        Whether it also depends on the label of the earlier utterance that it answers.
    normalisation : {"global", "local"}
    l2 : float
        The penalty: half of it times the sum of the squared weights, and it times the sum of the
        squared potentials of labels, are subtracted from the log likelihood, which is summed over
        documents and annotators. The bias has no penalty.

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

    @property
    def weights(self) -> Weights:
        """The weights and potentials; a ValueError before training."""
        if self._weights is None:
            raise ValueError("the model is not trained; call fit or load one")
        return self._weights

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
        documents = read_documents(features, labels, links, self.order)
        options = (self.order, self.links, self.normalisation, self.l2)
        self._weights, exact = train(documents, *options)
        self._inference = "exact" if exact else "loopy"
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
        weights = self.weights
        table = read_table(features, "the document", len(weights.centre))
        parents = read_links(links if self.links else None, len(table), "the document")
        scores = weights.scores(table)
        if self.order or (parents >= 0).any():
            ends = np.array([0, len(table)])
            chains = Chains(ends, parents, self.order)
            infer = chains.marginals if by == "posterior" else chains.margins
            local = self.normalisation == "local"
            scores = infer(scores, weights.whole_contexts(), weights.link, local)
            self._inference = "loopy" if chains.loopy else "exact"
        else:
            self._inference = "exact"
        if by == "posterior":
            return np.asarray(expit(scores))
        return np.asarray(scores if by == "cost" else scores > 0, dtype=np.float64)

    def kept(self) -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
        """The options, and the arrays of the weights; `restored` makes the model from them."""
        content = {name: getattr(self, name) for name in ("order", "links", "normalisation", "l2")}
        return content, self.weights._asdict()

    @classmethod
    def restored(cls, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> LabelChain:
        """The model that `kept` gave.

        Raises
        ------
        KeyError, TypeError, ValueError
            For other content than that of `kept`.
        """
        model = cls(*(content[name] for name in ("order", "links", "normalisation", "l2")))
        model._weights = _weights_of(arrays, model.order)
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


def _weights_of(arrays: Mapping[str, NDArray[Any]], order: int) -> Weights:
    import numpy as np

    found = Weights(*(np.array(arrays[name], dtype=np.float64) for name in Weights._fields))
    size = len(found.features)
    sizes = (size, size, size, 1, (4 << order) - 4, 4)
    for (name, array), wanted in zip(found._asdict().items(), sizes, strict=True):
        least = LEAST_SCALE if name == "scale" else -np.inf
        if array.shape != (wanted,) or not (np.isfinite(array) & (array >= least)).all():
            raise ValueError(f"its array {name} is damaged")
    return found
