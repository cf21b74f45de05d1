"""A linear model of ranks within topics, with given signs of its weights; norms of its features.

Ridge regression (Hoerl and Kennard 1970) under sign constraints, solved as non-negative least
squares (Lawson and Hanson 1974), with a random effect for each system as in a mixed model, so that
properties shared by all texts of a system count less than differences between its texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from summeval._arrays import AnyArray, Bools, Floats, Ints

STRENGTHS = (100.0, 300.0, 1000.0)
EFFECTS = (10.0, 1.0)
FLAT = 1e-9  # a deviation below is taken for none
FEWEST, MOST = 6, 140  # words; of norms by length, texts beyond are taken for such
_FURTHEST = 4.0  # features are clipped at so many standard deviations


class Judged(NamedTuple):
    """The training data.

    Attributes
    ----------
    rows : array [texts, features]
    ranks : array [texts]
        From -.5 to .5 within the topic, see `ranks_of`.
    topics, systems : array [texts]
        Numbers from 0; if systems are unknown, all are 0.
    """

    rows: Floats
    ranks: Floats
    topics: Ints
    systems: Ints

    def where(self, chosen: Bools) -> Judged:
        """Some of the texts."""
        rows, ranks, topics, systems = self
        return Judged(rows[chosen], ranks[chosen], topics[chosen], systems[chosen])


class Setting(NamedTuple):
    """Penalties on the squares of the weights and of the effects of systems; None: no effects."""

    strength: float
    effect: float | None


FOR_SEEN_SYSTEMS = tuple(Setting(strength, None) for strength in STRENGTHS)
FOR_OTHERS = tuple(Setting(strength, effect) for strength in STRENGTHS for effect in EFFECTS)


class Weights(NamedTuple):
    """A trained model; `values` returns its predictions.

    Attributes
    ----------
    centre, scale : array [features]
        Mean and standard deviation in training.
    weights : array [features]
        Of standardised features.
    offset : float
        So that the mean of the training texts is 0; the weights make their deviation 1.
    """

    centre: Floats
    scale: Floats
    weights: Floats
    offset: float

    def values(self, rows: Floats) -> Floats:
        """Return the value of each row, independent of the other rows."""
        # not a BLAS product, because its last bits depend on the number of rows
        return np.asarray(self.shares(rows).sum(axis=1) - self.offset)

    def shares(self, rows: Floats) -> Floats:
        """Return what each feature adds to each row's value [row, feature], before the offset."""
        return standard(rows, self.centre, self.scale) * self.weights

    @property
    def floor(self) -> float:
        """The lowest possible value: every feature at its worst bound."""
        return float((-_FURTHEST * np.abs(self.weights))[None].sum(axis=1)[0] - self.offset)


def ranks_of(scores: Floats, topics: Ints) -> Floats:
    """Ranks within topics, from -.5 to .5; equal scores share a rank.

    >>> import numpy as np
    >>> ranks_of(np.array([3.0, 1.0, 1.0, 5.0]), np.array([0, 0, 0, 1])).round(3).tolist()
    [0.333, -0.167, -0.167, 0.0]
    """
    from scipy.stats import rankdata

    found = np.zeros(len(scores))
    for topic in np.unique(topics):
        here = topics == topic
        found[here] = (rankdata(scores[here]) - 0.5) / here.sum() - 0.5
    return found


def fit(judged: Judged, directions: Ints, penalties: Floats, setting: Setting) -> Weights:
    """Return the weights with the least squared error of differences within topics.

    Parameters
    ----------
    judged : Judged
    directions : array [features]
        1 or -1 for the required sign of a weight, 0 for any sign.
    penalties : array [features]
        Multiples of the setting's strength.
    setting : Setting
    """
    centre, scale = norms(judged.rows)
    table = standard(judged.rows, centre, scale)
    groups = np.eye(judged.systems.max() + 1)[judged.systems]
    if setting.effect is None:
        groups = groups[:, :0]
    wholes = np.concatenate([setting.strength * penalties, np.zeros(groups.shape[1])])
    wholes[len(penalties) :] = setting.effect or 0.0
    signs = np.concatenate([directions, np.zeros(groups.shape[1], dtype=np.int64)])
    target = within(judged.ranks[:, None], judged)[:, 0]
    found = solved(within(np.hstack([table, groups]), judged), target, signs, wholes)
    weights = found[: len(penalties)]
    values = (table * weights).sum(axis=1)
    spread = float(values.std()) or 1.0
    return Weights(centre, scale, weights / spread, float(values.mean()) / spread)


def equal_weights(rows: Floats, directions: Ints) -> Weights:
    """Return the mean of standardised features, each in its direction, which needs no scores.

    >>> import numpy as np
    >>> rows = np.array([[0.0, 9.0], [1.0, 7.0]])
    >>> equal_weights(rows, np.array([1, -1])).values(rows).tolist()
    [-1.0, 1.0]
    """
    centre, scale = norms(rows)
    return Weights(centre, scale, directions / len(directions), 0.0)


def choose(judged: Judged, directions: Ints, penalties: Floats, systems: int = 4) -> Setting:
    """Return the best setting by `held_out` with so many folds; the first one on ties.

    A model for unseen systems always includes system effects.
    """
    settings = FOR_SEEN_SYSTEMS if systems == 1 else FOR_OTHERS
    scores = [
        agreement(held_out(judged, directions, penalties, setting, systems=systems), judged)
        for setting in settings
    ]
    return settings[scores.index(max(scores))]


def held_out(
    judged: Judged,
    directions: Ints,
    penalties: Floats,
    setting: Setting | None = None,
    *,
    topics: int = 4,
    systems: int = 4,
    seed: int = 0,
) -> Floats:
    """Predict each text with a model trained without its topic and its system.

    Without a setting, each fold chooses one on its training texts.

    Parameters
    ----------
    judged, directions, penalties
        As of `fit`.
    setting : Setting, optional
    topics, systems : int
        Numbers of folds. With fewer systems than folds, each system is a fold; use 1 if the systems
        may be in the training data.
    seed : int
        Seed of the assignment to folds.
    """
    values = np.zeros(len(judged.ranks))
    for trained, asked in parts(judged, topics, systems, seed):
        known = judged.where(trained)
        chosen = setting or choose(known, directions, penalties, min(systems, 4))
        values[asked] = fit(known, directions, penalties, chosen).values(judged.rows[asked])
    return values


def agreement(values: Floats, judged: Judged) -> float:
    """Spearman's correlation with the ranks, the mean over topics where both vary."""
    one = within(ranks_of(values, judged.topics)[:, None], judged)[:, 0]
    two = within(judged.ranks[:, None], judged)[:, 0]

    def sums(column: Floats) -> AnyArray:
        return np.bincount(judged.topics, weights=column)

    norms = np.sqrt(sums(one * one) * sums(two * two))
    usable = norms > 1e-12
    return float(np.mean(sums(one * two)[usable] / norms[usable])) if usable.any() else 0.0


def parts(
    judged: Judged, topics: int, systems: int, seed: int = 0
) -> Iterator[tuple[Bools, Bools]]:
    """Texts to train on and texts to predict, see `held_out`."""
    chance = np.random.default_rng(seed)
    topic_of = _dealt(judged.topics, topics, chance)
    system_of = _dealt(judged.systems, systems, chance)
    several = system_of.max() > 0
    for topic in np.unique(topic_of):
        for system in np.unique(system_of):
            here, own = topic_of == topic, system_of == system
            trained = ~here & ~own if several else ~here
            if trained.any() and (here & own).any():
                yield trained, here & own


def _dealt(groups: Ints, parts: int, chance: Any) -> Ints:
    """Return the fold of each text's group."""
    names, places = np.unique(groups, return_inverse=True)
    return np.asarray(chance.permutation(len(names))[places] % parts)


def norms(rows: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of each feature; 1 instead of a deviation of 0."""
    centre, scale = rows.mean(axis=0), rows.std(axis=0)
    scale[scale < FLAT] = 1.0
    return centre, scale


def standard(rows: Floats, centre: Floats, scale: Floats) -> Floats:
    """Return the rows in deviations from the mean, cut where they are furthest."""
    return np.asarray(np.clip((rows - centre) / scale, -_FURTHEST, _FURTHEST))


def within(table: Floats, judged: Judged) -> Floats:
    """Differences from the means of the topics."""
    sums = np.zeros((judged.topics.max() + 1, table.shape[1]))
    np.add.at(sums, judged.topics, table)
    counts = np.maximum(1, np.bincount(judged.topics))
    return np.asarray(table - (sums / counts[:, None])[judged.topics])


def solved(table: Floats, target: Floats, signs: Ints, penalties: Floats) -> Floats:
    """Weights with these signs; a free weight is the difference of two non-negative ones."""
    from scipy.optimize import nnls

    free = np.flatnonzero(signs == 0)
    factors = np.where(signs == 0, 1, signs)
    whole = np.hstack([table * factors, -table[:, free]])
    products = whole.T @ whole
    products[np.diag_indices_from(products)] += np.concatenate([penalties, penalties[free]]) + 1e-6
    root = np.linalg.cholesky(products)
    found, _ = nnls(root.T, np.linalg.solve(root, whole.T @ target))
    weights: Floats = found[: len(signs)] * factors
    weights[free] -= found[len(signs) :]
    return weights


class LengthNorms(NamedTuple):
    """The usual value of each feature and its deviation, for any number of words.

    Shares of repeated words grow with a text, so that a short broken text looks better than a long
    good one. Beside other texts of its length, each feature has one direction in every kind of
    text. Both are polynomials of the second degree in the logarithm of the number of words.

    Attributes
    ----------
    mean, spread : array [feature, 3]
        Coefficients, the highest power first.
    least : array [feature]
        The deviation is never less.

    Examples
    --------
    >>> import numpy as np
    >>> norms = LengthNorms(*(np.array([row]) for row in ([0.0, 1, 0], [0.0, 0, 1])), np.ones(1))
    >>> norms.standard(np.array([[1.0], [3.0]]), np.array([10.0, 20.0])).round(1).tolist()
    [[-1.3], [0.0]]
    """

    mean: Floats
    spread: Floats
    least: Floats

    def standard(self, rows: Floats, words: Floats) -> Floats:
        """Return the rows [text, feature] in deviations from what is usual for so many words."""
        usual, spread = self.usual(words)
        return np.asarray((rows - usual) / spread)

    def usual(self, words: Floats) -> tuple[Floats, Floats]:
        """Return the usual value of each feature and its deviation, for these numbers of words."""
        # not BLAS products, because their last bits depend on the number of rows
        logs = logs_of(words)[:, None]
        squares = logs * logs
        usual = squares * self.mean[:, 0] + logs * self.mean[:, 1] + self.mean[:, 2]
        spread = squares * self.spread[:, 0] + logs * self.spread[:, 1] + self.spread[:, 2]
        return np.asarray(usual), np.maximum(spread, self.least)


def logs_of(words: Floats) -> Floats:
    """The logarithms of numbers of words, of which lengths beyond the known ones are the last."""
    return np.asarray(np.log(np.minimum(np.maximum(words, FEWEST), MOST)))
