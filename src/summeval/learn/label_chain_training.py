"""The penalised log likelihood of a label chain, and the weights at its maximum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.chains.label_chain import Chains
from summeval.learn.label_chain_data import Documents

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

LEAST_SCALE = 1e-100
_SEARCH = {"maxiter": 1000, "maxfun": 2000, "ftol": 1e-13, "gtol": 1e-6, "maxcor": 20}


class Weights(NamedTuple):
    """A trained model.

    Attributes
    ----------
    centre, scale : array [feature]
        Mean and standard deviation in training.
    features : array [feature]
        Weights of the standardised features.
    bias : array [1]
    contexts : array [context]
        Log potentials of the labels of an utterance and of those before it: 4 with one before, then
        8 with two, 16 with three; each adds to those with fewer. In the order of
        `summeval._core.chains`.
    link : array [4]
        Log potentials [label of the linked utterance, own label].
    """

    centre: NDArray[float64]
    scale: NDArray[float64]
    features: NDArray[float64]
    bias: NDArray[float64]
    contexts: NDArray[float64]
    link: NDArray[float64]

    def scores(self, table: NDArray[float64]) -> NDArray[float64]:
        """The log potential of label 1 for each utterance, by its features."""
        found: NDArray[float64] = (table - self.centre) / self.scale @ self.features + self.bias[0]
        return found

    def whole_contexts(self) -> NDArray[float64]:
        """The log potential of each context, with those of its parts."""
        return whole_contexts(self.contexts)


class Likelihood:
    """The negative penalised log likelihood of the labels of documents, and its gradient.

    The numbers are the weights of the features, the bias, and, as far as the model has them, the
    potentials of contexts and of links. The penalty is half of l2 times the squared weights, and l2
    times the squared potentials: with these, a difference of 1 between the potentials of two labels
    costs as much as a weight of 1. The bias is free.

    Parameters
    ----------
    documents : Documents
        With standardised features.
    order, links, normalisation, l2
        As of `LabelChain`.
    """

    def __init__(
        self, documents: Documents, order: int, links: bool, normalisation: str, l2: float
    ) -> None:
        import numpy as np

        self.documents = documents
        self.features = documents.table.shape[1]
        self.contexts = (4 << order) - 4
        self.penalty = np.full(self.features + 1 + self.contexts + 4 * links, 2.0 * l2)
        self.penalty[: self.features] = l2
        self.penalty[self.features] = 0.0
        self.loopy = 0
        self._alone = normalisation == "local" or (order == 0 and not links)
        cases = documents.cases
        size = len(documents.table)
        self._chosen = np.bincount(cases.utterance, cases.chosen, size)
        if not self._alone:
            parents = documents.parents if links else np.full(size, -1, dtype=np.int64)
            self._chains = Chains(documents.ends, parents, order)
            self.loopy = self._chains.loopy
            counts = (cases.asked - cases.chosen, cases.chosen)
            linked = cases.parent >= 0
            self._contexts, self._links = np.zeros(self.contexts + 2), np.zeros(4)
            for label, count in enumerate(counts):
                self._contexts += np.bincount(cases.context + label, count, self.contexts + 2)
                pair = 2 * cases.parent[linked] + label
                self._links += np.bincount(pair, count[linked], 4)

    def start(self) -> NDArray[float64]:
        """All 0 but the bias."""
        import numpy as np

        numbers = np.zeros(len(self.penalty))
        cases = self.documents.cases
        numbers[self.features] = np.log(cases.chosen.sum() / (cases.asked - cases.chosen).sum())
        return numbers

    def curvature(self) -> NDArray[float64]:
        """The second derivatives at the start, nearly: what makes the search short.

        As if the labels of a context did not depend on the features, nor on other contexts.
        """
        import numpy as np

        cases = self.documents.cases
        rate = cases.chosen.sum() / cases.asked.sum()
        asked = np.bincount(cases.utterance, cases.asked, len(self.documents.table))
        found = np.diag(self.penalty)
        weighed = self.documents.table * (rate * (1.0 - rate) * asked)[:, None]
        found[: self.features, : self.features] += weighed.T @ self.documents.table
        kinds, place = np.unique(
            np.stack([cases.context, cases.parent + 1]), axis=1, return_inverse=True
        )
        place = place.ravel()
        # as if there were one label more in each context
        counts = [
            np.bincount(place, number) + share
            for number, share in (
                (cases.asked - cases.chosen, 1.0 - rate),
                (cases.chosen, rate),
            )
        ]
        rows = np.array(
            [[self._indicators(c, p, label) for label in (0, 1)] for c, p in kinds.T.tolist()]
        )
        if self._alone:
            both = counts[0] + counts[1]
            difference = rows[:, 1] - rows[:, 0]
            own = (difference.T * (counts[0] * counts[1] / both)) @ difference
        else:
            depth = np.frexp(kinds[0] + 2)[1] * 2 + (kinds[1] > 0)  # of the context; linked or not
            own = sum(_scatter(rows, counts, depth == one) for one in np.unique(depth))
        found[self.features :, self.features :] += own
        return found

    def _indicators(self, context: int, parent: int, label: int) -> NDArray[float64]:
        """Which of the bias and the potentials count for a label."""
        import numpy as np

        found = np.zeros(len(self.penalty) - self.features)
        found[0] = label
        size = 1 << (context + 2).bit_length() - 1  # numbers of its depth
        history = (context - (size - 2)) // 2
        while size > 2:
            found[1 + size - 4 + 2 * history + label] = 1.0
            size, history = size // 2, history // 2
        if parent and len(found) > 1 + self.contexts:
            found[1 + self.contexts + 2 * (parent - 1) + label] = 1.0
        return found

    def __call__(self, numbers: NDArray[float64]) -> tuple[float, NDArray[float64]]:
        import numpy as np

        weights, bias, contexts, link = self.parts(numbers)
        scores = self.documents.table @ weights + bias[0]
        measure = self._of_each if self._alone else self._of_documents
        value, *slopes = measure(scores, whole_contexts(contexts), link)
        slope = np.concatenate(
            [
                slopes[0] @ self.documents.table,
                [slopes[0].sum()],
                _of_parts(slopes[1]),
                slopes[2][: len(numbers) - self.features - 1 - self.contexts],
            ]
        )
        penalised = 0.5 * float(self.penalty @ numbers**2) - value
        return penalised, self.penalty * numbers - slope

    def parts(self, numbers: NDArray[float64]) -> list[NDArray[float64]]:
        """The weights, the bias, the potentials of contexts and of links."""
        import numpy as np

        at = [self.features, self.features + 1, self.features + 1 + self.contexts]
        *found, link = np.split(numbers, at)
        return [*found, link if len(link) else np.zeros(4)]

    def _of_documents(
        self, scores: NDArray[float64], contexts: NDArray[float64], link: NDArray[float64]
    ) -> tuple[float, Any, Any, Any]:
        """The log likelihood normalised over the labellings of documents, and its slopes."""
        import numpy as np
        from scipy.special import expit

        documents = self.documents
        totals, odds, *expected = self._chains.sums(scores, contexts, link, documents.annotators)
        told = self._chosen @ scores + self._contexts @ contexts + self._links @ link
        times = np.repeat(documents.annotators, np.diff(documents.ends))
        return (
            float(told - documents.annotators @ totals),
            self._chosen - times * expit(odds),
            self._contexts - expected[0],
            self._links - expected[1],
        )

    def _of_each(
        self, scores: NDArray[float64], contexts: NDArray[float64], link: NDArray[float64]
    ) -> tuple[float, Any, Any, Any]:
        """The log likelihood of each label given those that it depends on, and its slopes."""
        import numpy as np
        from scipy.special import expit

        cases = self.documents.cases
        linked = cases.parent >= 0
        odds = scores[cases.utterance] + (contexts[1::2] - contexts[::2])[cases.context // 2]
        odds[linked] += (link[1::2] - link[::2])[cases.parent[linked]]
        value = cases.chosen @ odds - cases.asked @ np.logaddexp(0.0, odds)
        rest = cases.chosen - cases.asked * expit(odds)
        of_context = np.bincount(cases.context // 2, rest, len(contexts) // 2)
        of_link = np.bincount(cases.parent[linked], rest[linked], 2)
        return (
            float(value),
            np.bincount(cases.utterance, rest, len(scores)),
            np.column_stack([-of_context, of_context]).ravel(),
            np.column_stack([-of_link, of_link]).ravel(),
        )


def train(
    documents: Documents, order: int, links: bool, normalisation: str, l2: float
) -> tuple[Weights, bool]:
    """The weights with the greatest penalised log likelihood; whether inference was exact."""
    import numpy as np

    centre, scale = documents.table.mean(axis=0), documents.table.std(axis=0)
    scale[(scale <= 1e-12 * np.abs(centre)) | (scale < LEAST_SCALE)] = 1.0  # constant
    standard = documents._replace(table=(documents.table - centre) / scale)
    likelihood = Likelihood(standard, order, links, normalisation, l2)
    numbers = search(likelihood)
    return Weights(centre, scale, *likelihood.parts(numbers)), not likelihood.loopy


def search(likelihood: Likelihood) -> NDArray[float64]:
    """The numbers with the least loss, by L-BFGS in directions of about equal curvature."""
    import numpy as np
    from scipy.optimize import minimize

    steepness, directions = np.linalg.eigh(likelihood.curvature())
    turn = directions / np.sqrt(np.maximum(steepness, 1e-10 * steepness[-1]))
    start = likelihood.start()

    def turned(numbers: NDArray[float64]) -> tuple[float, NDArray[float64]]:
        value, slope = likelihood(start + turn @ numbers)
        return value, slope @ turn

    options = {"method": "L-BFGS-B", "options": _SEARCH}
    found = minimize(turned, np.zeros(len(start)), jac=True, **options)
    return np.asarray(start + turn @ found.x)


def _scatter(rows: NDArray[float64], counts: Any, chosen: NDArray[Any]) -> NDArray[float64]:
    """The covariance of some rows [row, label] with these counts, times their number."""
    import numpy as np

    some = rows[chosen].reshape(-1, rows.shape[2])
    times = np.stack(counts, axis=1)[chosen].ravel()
    mean = times @ some / times.sum()
    return np.asarray((some.T * times) @ some - times.sum() * np.outer(mean, mean))


def whole_contexts(parts: NDArray[float64]) -> NDArray[float64]:
    """Add to the potential of each context those of its last labels."""
    import numpy as np

    found = [np.zeros(2)]
    at = 0
    while at < len(parts):
        shorter = found[-1].reshape(-1, 2)
        longer = parts[at : at + 2 * shorter.size].reshape(-1, 2) + np.repeat(shorter, 2, axis=0)
        found.append(longer.ravel())
        at += longer.size
    return np.concatenate(found)


def _of_parts(slopes: NDArray[float64]) -> NDArray[float64]:
    """The slopes for the parts of contexts, from those for whole contexts."""
    import numpy as np

    found = slopes.copy()
    size = (len(found) + 2) // 2
    while size > 2:
        longer = found[size - 2 : 2 * size - 2].reshape(-1, 2, 2)
        found[size // 2 - 2 : size - 2] += longer.sum(axis=1).ravel()
        size //= 2
    return np.asarray(found[2:])
