"""A trained ranker of utterances, extracts under a word budget, and what of people's these hold.

Galley 2006, "A skip-chain conditional random field for ranking meeting utterances by importance",
sections 3 to 7. A unit is a word at its place in the document, as in `PositionPyramid`; because an
extract holds whole utterances, sums over utterances suffice here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from summeval._arrays import AnyArray, Bools, Floats, Ints
from summeval._options import Option, checked, real, shown
from summeval.learn.label_chain import L2, MOST_ORDER, NORMALISATIONS, RANKED_BY, LabelChain
from summeval.learn.model_file import Saved, load_model, restoring
from summeval.metrics.pyramid.extract_documents import document_of, extract_of, label_vectors
from summeval.metrics.pyramid.extract_features import NAMES, features_of, links_of, terms_of
from summeval.metrics.run.signature import Signature, shortest
from summeval.text.tokenizers import tokens_of_all

Arrays = Sequence[ArrayLike]
Links = ArrayLike | None
MODELS = ("order0", "chain", "skip-chain")
OPTIONS = (
    Option("model", "order0", MODELS),
    Option("order", 1, kind="whole", low=1, high=MOST_ORDER),
    Option("normalisation", "global", NORMALISATIONS),
    Option("rank_by", "posterior", RANKED_BY),
    L2,
)


class ExtractRanker(Saved):
    """Ranks the utterances of a document by importance, as learnt from people's extracts.

    A document is a list of texts, or a row with `utterances` and, where known, `speakers` (a name
    for each), `links` (lists [from, to], from an utterance to the earlier one that it answers) and
    `title`. Links that are not given are found by rules (`links_of`).

    Parameters
    ----------
    model : {"order0", "chain", "skip-chain"}
        Logistic regression (order0); a chain, in which a label also depends on the `order` labels
        before it; or a skip-chain, in which also on that of the utterance that it answers.
    order : int
        Labels that count in a chain, 1 to 3.
    normalisation : {"global", "local"}
        Of a chain: over all labels of a document (a conditional random field), or of each label
        given those that it depends on (norm-CRF in the paper).
    rank_by : {"posterior", "cost", "prediction"}
        The probability that the utterance is selected; the log potential of the best labelling
        that selects it minus that of the best that does not; or whether the best one selects it.
    l2 : float
        The penalty: half of it times the sum of the squared weights.

    Raises
    ------
    ValueError
        For a value that an option does not take.

    Examples
    --------
    >>> documents = [["Shall we meet on Friday?", "Hi."], ["Yo.", "We must meet on Monday."]]
    >>> ranker = ExtractRanker().fit(documents, [[[0], [0]], [[1]]])
    >>> ranker.rank(["Hm.", "So we meet in Rome then."]).argmax()
    np.int64(1)
    """

    kind = "extract ranker"

    def __init__(
        self,
        model: str = "order0",
        order: int = 1,
        normalisation: str = "global",
        rank_by: str = "posterior",
        l2: float = 1.0,
    ) -> None:
        given = checked(OPTIONS, locals())
        self.model: str = given["model"]
        self.order: int = given["order"]
        self.normalisation: str = given["normalisation"]
        self.rank_by: str = given["rank_by"]
        self.l2: float = given["l2"]
        order, skips = 0 if self.model == "order0" else self.order, self.model == "skip-chain"
        self._chain = LabelChain(order, skips, self.normalisation, self.l2)
        self._trained = ""

    @property
    def signature(self) -> Signature:
        """The options, the features and the trained model that the numbers depend on.

        >>> ExtractRanker("chain", order=2).signature.rsplit("|", 1)[0]
        'extract-ranker|model:chain|order:2|normalisation:global|rank-by:posterior|l2:1|features:45|trained:none'
        """
        chain = {"order": str(self.order), "normalisation": self.normalisation}
        options = {
            "model": self.model,
            **(chain if self.model != "order0" else {}),
            "rank-by": self.rank_by,
            "l2": shortest(self.l2),
            "features": str(len(NAMES)),
            "trained": self._trained or "none",
        }
        return Signature.of("extract-ranker", options)

    @property
    def inference(self) -> str:
        """How the last document was ranked: "exact", or "loopy" for links that are too tangled."""
        return self._chain.inference

    def fit(
        self, documents: Sequence[Any], extracts: Sequence[Iterable[Iterable[int]]]
    ) -> ExtractRanker:
        """Learn from documents and their extracts; return the ranker.

        Parameters
        ----------
        documents : sequence of lists of str, or of rows
        extracts : for each document the extract of each annotator
            An extract is a list of the selected utterances, numbered from 0.

        Raises
        ------
        TypeError, ValueError
            For no documents, documents and extracts that do not belong together, a document
            without words, an extract that is out of range or names an utterance twice, and
            extracts that select all utterances or none; the message names the document.
        """
        for name, given in (("documents", documents), ("extracts", extracts)):
            if isinstance(given, (str, bytes, Mapping)) or not hasattr(given, "__len__"):
                raise TypeError(f"{name} is {type(given).__name__}; give a list")
        if len(documents) != len(extracts) or not documents:
            raise ValueError(
                f"{len(documents)} documents and extracts of {len(extracts)}; give one document"
                " or more, and the extracts of each"
            )
        features, links, labels = [], [], []
        for number, (given, people) in enumerate(zip(documents, extracts, strict=True)):
            place = f"documents[{number}]"
            document = document_of(given, place)
            size, at = len(document.utterances), f"extracts[{number}]"
            chosen = [extract_of(one, size, f"{at}[{k}]") for k, one in enumerate(people)]
            table, edges = self._described(document, place)
            features.append(table)
            links.append(edges)
            labels.append(label_vectors(chosen, size))
        return self.fit_features(features, labels, links)

    def fit_features(
        self, features: Arrays, labels: Sequence[Arrays], links: Sequence[Links] | None = None
    ) -> ExtractRanker:
        """As `fit`, with what `describe` returns, and labels: 1 for a selected utterance, else 0.

        Parameters
        ----------
        features : for each document an array [utterance, feature]
        labels : for each document an array [annotator, utterance]
        links : for each document an array [link, 2], optional
            Read by a skip chain only.
        """
        self._chain.fit(features, labels, links if self.model == "skip-chain" else None)
        self._trained = self._digest()
        return self

    def describe(self, document: Any) -> tuple[Floats, Ints | None]:
        """The features [utterance, feature] of a document, and its links [link, 2] in a skip chain.

        Raises
        ------
        TypeError, ValueError
            For a document that `fit` refuses.
        """
        return self._described(document, "document")

    def rank(self, document: Any) -> Floats:
        """The importance of each utterance of a document, array [utterance]; higher is better.

        Raises
        ------
        TypeError, ValueError
            For a document that `fit` refuses; before training.
        """
        return self.rank_features(*self._described(document, "document"))

    def rank_features(
        self, features: ArrayLike, links: Links = None, rank_by: str | None = None
    ) -> Floats:
        """As `rank`, with what `describe` returns; `rank_by` may be another than that of all."""
        return self._chain.rank(features, links, rank_by or self.rank_by)

    def kept(self) -> tuple[dict[str, Any], Mapping[str, AnyArray]]:
        """The content of a model file: options, names of features, and the trained weights."""
        chain, arrays = self._chain.kept()
        options = {option.name: getattr(self, option.name) for option in OPTIONS}
        return {"options": options, "features": list(NAMES), "chain": chain}, arrays

    @classmethod
    def load(cls, path: str | PathLike[str]) -> ExtractRanker:
        """Read a ranker that `save` wrote.

        Raises
        ------
        OSError, ValueError
            For a file that cannot be read, is no such model, was changed, or has other features
            than this version computes; the message names the file.
        """
        content, arrays = load_model(path, cls.kind)
        with restoring(path, "a ranker of utterances"):
            ranker = cls(**content["options"])
            if content["features"] != list(NAMES):
                raise ValueError("it was trained with other features")
            chain = LabelChain.restored(content["chain"], arrays)
            for name in ("order", "links", "normalisation", "l2"):
                if getattr(chain, name) != getattr(ranker._chain, name):
                    raise ValueError(f"its options differ in {name}")
            ranker._chain = chain
            if arrays["centre"].shape != (len(NAMES),):
                raise ValueError("it has another number of weights than features")
            ranker._trained = ranker._digest()
        return ranker

    def _described(self, given: Any, place: str) -> tuple[Floats, Ints | None]:
        document = document_of(given, place)
        terms = terms_of(document.utterances)
        links = links_of(document, terms) if self.model == "skip-chain" else None
        return features_of(document, terms), links

    def _digest(self) -> str:
        _, arrays = self._chain.kept()
        found = hashlib.sha256()
        for name in sorted(arrays):
            found.update(np.ascontiguousarray(arrays[name], dtype="<f8").tobytes())
        return found.hexdigest()[:8]


def select(utterances: Sequence[str], scores: ArrayLike, word_budget: float) -> list[int]:
    """Return the best utterances within a word budget.

    Utterances are taken best first, ties in document order, until the next one would pass the
    budget; nothing after that one is taken, even if it is shorter. Words are tokens of `rouge155`.

    Parameters
    ----------
    utterances : sequence of str
        The document.
    scores : array [utterance]
        Higher is better.
    word_budget : float
        The most words that the extract may have.

    Returns
    -------
    list of int
        The selected utterances, numbered from 0, in document order.

    Raises
    ------
    TypeError, ValueError
        Texts that are not str, another number of scores than utterances, a score that is NaN, a
        budget that is negative or no number.

    Examples
    --------
    >>> select(["So the cat sat.", "Yes.", "It slept all day."], [0.2, 0.1, 0.9], word_budget=8)
    [0, 2]
    >>> select(["So the cat sat.", "Yes.", "It slept all day."], [0.2, 0.1, 0.9], word_budget=7)
    [2]
    """
    budget = real(word_budget)
    if budget is None or not budget >= 0:
        raise ValueError(f"word_budget is {shown(word_budget)}; give a number of words, 0 or more")
    if isinstance(utterances, (str, bytes)) or not hasattr(utterances, "__len__"):
        raise TypeError(f"utterances is {shown(utterances)}; give a list of texts")
    for place, text in enumerate(utterances):
        if not isinstance(text, str):
            raise TypeError(f"utterances[{place}] is {shown(text)}; give a text")
    words = np.array(tokens_of_all(utterances)[1], dtype=np.int64)
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"scores is {shown(scores)}; give a number for each utterance") from None
    if (shape := values.shape) != words.shape:
        problem = f"has the shape {shape} for {len(words)} utterances"
        raise ValueError(f"scores {problem}; give a number for each")
    if np.isnan(values).any():
        place = int(np.isnan(values).argmax())
        raise ValueError(f"scores[{place}] is NaN; give a number for each utterance")
    return list(map(int, within_budget(words, values, budget)))


def within_budget(words: Ints, scores: Floats, budget: float) -> Ints:
    """As `select`, of checked numbers of words [utterance].

    >>> import numpy as np
    >>> within_budget(np.array([4, 1, 4]), np.array([0.2, 0.1, 0.9]), 8).tolist()
    [0, 2]
    """
    ranking = np.argsort(-scores, kind="stable")
    taken = int(np.searchsorted(np.cumsum(words[ranking]), budget, side="right"))
    return np.asarray(np.sort(ranking[:taken]))


def share_of_best(words: Ints, chosen: Bools, people: AnyArray) -> float:
    """P of an extract: the weight of its words beside the best weight of as many words.

    Parameters
    ----------
    words : array [utterance]
        Numbers of words.
    chosen : array [utterance]
        Whether the extract holds the utterance.
    people : array [annotator, utterance]
        Whether an annotator selected it.

    Returns
    -------
    float
        0 if the extract has no words, or the people selected none.

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([[1, 1, 0], [1, 0, 0]])
    >>> share_of_best(np.array([2, 3, 4]), np.array([False, True, False]), people)
    0.6
    """
    weight = people.sum(axis=0, dtype=np.int64)
    found = int((words * weight)[chosen].sum())
    left, best = int(words[chosen].sum()), 0
    sizes = np.bincount(weight, weights=words, minlength=1).astype(np.int64)
    for value in range(len(sizes) - 1, 0, -1):  # the heaviest words first
        taken = min(left, int(sizes[value]))
        best, left = best + value * taken, left - taken
    return found / best if best else 0.0


def left_out_mean(words: Ints, chosen: Bools, people: AnyArray) -> float:
    """The mean P of an extract beside all people but one, as people are scored by `people_mean`.

    >>> import numpy as np
    >>> people = np.array([[1, 1, 0], [1, 0, 0]])
    >>> left_out_mean(np.array([2, 3, 4]), np.array([False, True, False]), people)
    0.5
    """
    rests = [np.delete(people, each, axis=0) for each in range(len(people))]
    return float(np.mean([share_of_best(words, chosen, rest) for rest in rests]))


def people_mean(words: Ints, people: AnyArray) -> float:
    """Return the mean P of each person's extract beside those of the others.

    >>> import numpy as np
    >>> round(people_mean(np.array([2, 3, 4]), np.array([[1, 1, 0], [1, 0, 0]])), 3)
    1.0
    """
    pairs = [(one.astype(bool), np.delete(people, k, axis=0)) for k, one in enumerate(people)]
    return float(np.mean([share_of_best(words, one, rest) for one, rest in pairs]))
