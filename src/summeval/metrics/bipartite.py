"""Maximum bipartite matching between the nodes of a candidate and of a reference.

De Oliveira 2011, "CatolicaSC at TAC 2011": both summaries are sets of nodes, and the score is the
number of nodes that can be matched one to one along edges. The paper gives neither the kind of node
nor the rule for edges, so both are options here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import fsum
from operator import index
from typing import Any

from summeval._core.rows.record import Score
from summeval._options import option
from summeval.metrics.option_groups import AGGREGATE, LANGUAGE, TOKENIZER
from summeval.metrics.run.base import PairMetric
from summeval.metrics.run.explain.items import Asked, Items, Match
from summeval.metrics.run.explain.spans import attribute_pairs
from summeval.metrics.run.signature import Signed, label_of
from summeval.metrics.run.text_options import Tokenizer, tokens_signed

FIELDS = ("precision", "recall", "fmeasure", "matching")

Predicate = Callable[[Any, Any], object]
Edges = Predicate | Iterable[tuple[int, int]]
Pairs = Sequence[tuple[int, int]]  # places in the candidate and in the reference


class BipartiteMatching(PairMetric):
    """Nodes of candidate and reference that can be matched one to one.

    The nodes of a text are its tokens. A node of the candidate and one of the reference may be
    matched if there is an edge between them; M is the greatest number of pairs that can be matched
    at once. Precision is M by the nodes of the candidate, recall M by those of the reference, F
    their harmonic mean. Without nodes on one side all are 0. With equality for edges, M is
    the size of the multiset intersection, and the three are those of ROUGE-1.

    Fields: `precision`, `recall`, `fmeasure` (which is `value`) and `matching`, M: of the reference
    with the best F (the first of these), or the means. A single Score has `parts` too, for each
    reference a Score with the four and `pairs`, the matched places in candidate and reference,
    counted from 0, in the order of the candidate.

    Parameters
    ----------
    edge : callable or None
        A function of a node of the candidate and one of the reference: whether they can be matched;
        equality if not given.

        It must depend on the two alone: equal nodes are asked about once.
    tokenizer : {"rouge155", "unicode", "uax29", "icu"} or callable
        A callable gets a text and returns its nodes, which are str.
    language : str or None
        A code such as "de" sets the tokenizer, unless it is given.
    aggregate : {"max", "average"}
        Over several references: the highest score, or the mean.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError, TypeError
        For a value that an option does not take; when scoring, for an edge rule that fails.

    Examples
    --------
    >>> BipartiteMatching().score("the cat sat", ["the cat lay down"]).parts[0].pairs
    ((0, 0), (1, 1))
    >>> alike = BipartiteMatching(edge=lambda a, b: a[:3] == b[:3], label="prefixes")
    >>> alike.score("walking slowly", "he walked slow").matching
    2.0
    """

    names = ("bipartite",)
    summary = "tokens that can be matched one to one, along edges of any kind"
    fields = FIELDS
    primary = "fmeasure"
    unbounded = frozenset({"matching"})
    edge: Predicate | None = option(
        default=None, choices=(None,), kind="function", give="give a function of two nodes, or None"
    )
    tokenizer: str | Tokenizer = TOKENIZER
    language: str | None = LANGUAGE
    aggregate: str = AGGREGATE

    def signed(self) -> Signed:
        """Return the options and version that the numbers depend on.

        >>> BipartiteMatching().signature.split("|v:")[0]
        'bipartite|edge:equal|aggregate:max|tokenizer:rouge155'
        """
        return {
            "edge": label_of(self.edge or "equal", self.label),
            "aggregate": self.aggregate,
            **dict(tokens_signed(self)),
        }

    def unscored(self) -> Score:
        return Score((*FIELDS, "parts"), (*[float("nan")] * 4, ()), "fmeasure")

    def score_units(
        self, candidate: Iterable[Any], model: Iterable[Any], edges: Edges | None = None
    ) -> Score:
        """Score nodes of any kind against those of one model.

        Parameters
        ----------
        candidate, model : iterable of objects
        edges : callable, or iterable of (int, int), optional
            A rule in the place of the metric's own; or the edges themselves, as places of a node of
            the candidate and of one of the model, counted from 0.

        Returns
        -------
        Score
            `precision`, `recall`, `fmeasure`, `matching` and `pairs`.

        Raises
        ------
        TypeError
            If the nodes are a str or no sequence, or the edges are not pairs of whole numbers.
        ValueError
            If an edge names a place that there is not, or the rule fails.

        Examples
        --------
        >>> nodes = ["NN", "VB", "NN"], ["NN", "NN", "JJ"]
        >>> BipartiteMatching().score_units(*nodes).matching
        2.0
        >>> BipartiteMatching().score_units(*nodes, edges=[(0, 0), (1, 0), (1, 2)]).pairs
        ((0, 0), (1, 2))
        """
        own, others = _nodes(candidate, "candidate"), _nodes(model, "model")
        if edges is None or callable(edges):
            return _score(own, others, _match(own, others, edges or self.edge))
        if not hasattr(edges, "__iter__"):
            raise TypeError(f"edges is {type(edges).__name__}; pass a function or a list of pairs")
        checked = {_edge(edge, k, len(own), len(others)) for k, edge in enumerate(edges)}
        return _score(own, others, _largest(sorted(checked), len(own), len(others)))

    def explain_texts(self, asked: Asked) -> Items:
        """Return an item for each matched pair of nodes, then for the nodes that are not matched.

        Each of M pairs has the same share, F / M, of the reference with the best F; with
        aggregate="average" those of each reference are divided by the number of references. So the
        shares add up to the value.

        Examples
        --------
        >>> explanation = BipartiteMatching().explain("the cat", "a cat")
        >>> [(item.text, item.kind, item.share) for item in explanation.items]
        [('cat', 'match', 0.5), ('a', 'missing', 0.0), ('the', 'extra', 0.0)]
        """
        parts, counted = asked.score.parts, asked.counted(self.aggregate)
        matches: list[Match] = [
            (k, (row,), (column,), parts[k].value / len(counted) / len(parts[k].pairs), {})
            for k in counted
            for row, column in parts[k].pairs
        ]
        return attribute_pairs(asked, counted, matches)

    def read(self, text: str, place: str) -> list[str]:
        from summeval.text.tokenizers import words

        return words(text, self.tokenizer)

    def compare(self, candidate: list[str], references: Sequence[list[str]]) -> Score:
        parts = tuple(
            _score(candidate, nodes, _match(candidate, nodes, self.edge)) for nodes in references
        )
        some = (max(parts, key=lambda part: part.value),) if self.aggregate == "max" else parts
        numbers = [fsum(part[field] for part in some) / len(some) for field in FIELDS]
        return Score((*FIELDS, "parts"), (*numbers, parts), "fmeasure")


def _nodes(nodes: Iterable[Any], what: str) -> list[Any]:
    if isinstance(nodes, (str, bytes)) or not hasattr(nodes, "__iter__"):
        raise TypeError(f"{what} is {type(nodes).__name__}; pass a list of nodes")
    return list(nodes)


def _edge(edge: Any, number: int, rows: int, columns: int) -> tuple[int, int]:
    """Return an edge of a list, checked."""
    try:
        row, column = map(index, edge)
    except (TypeError, ValueError):
        raise TypeError(f"edges[{number}] is {edge!r}; give the places of two nodes") from None
    if not (0 <= row < rows and 0 <= column < columns):
        raise ValueError(
            f"edges[{number}] is ({row}, {column}), but there are {rows} nodes of the candidate "
            f"and {columns} of the model; count from 0"
        )
    return row, column


def _match(own: Sequence[Any], others: Sequence[Any], rule: Predicate | None) -> Pairs:
    """Return the pairs of a maximum matching along the edges of a rule (equality if None)."""
    left, right = _places(own), _places(others)
    if rule is None and not (left is None or right is None):
        return sorted(
            pair
            for node, places in left.items()
            for pair in zip(places, right.get(node, ()), strict=False)
        )
    # Nodes that cannot be hashed are compared one by one.
    rows = left.values() if left is not None else [[place] for place in range(len(own))]
    columns = right.values() if right is not None else [[place] for place in range(len(others))]
    edges: list[tuple[int, int]] = []
    for places, matches in product(rows, columns):
        if _holds(rule, own[places[0]], others[matches[0]]):
            edges += product(places, matches)
    return _largest(edges, len(own), len(others))


def _places(nodes: Sequence[Any]) -> dict[Any, list[int]] | None:
    """Return where each different node stands; None if some cannot be hashed."""
    places: dict[Any, list[int]] = defaultdict(list)
    try:
        for place, node in enumerate(nodes):
            places[node].append(place)
    except TypeError:
        return None
    return places


def _holds(rule: Predicate | None, a: Any, b: Any) -> bool:
    try:
        return bool(a == b if rule is None else rule(a, b))
    except Exception as error:
        name = "the equality of nodes" if rule is None else "edge"
        raise ValueError(f"{name} failed for {a!r} and {b!r}: {error!r}") from error


def _largest(edges: Pairs, rows: int, columns: int) -> Pairs:
    """Return a maximum matching, by the assignment kernel with all weights 1."""
    import numpy as np

    from summeval.solvers import assign_batch

    if not edges:
        return []
    row, column = np.array(edges, dtype=np.int64).T
    found = assign_batch([0, len(edges)], row, column, np.ones(len(edges)), [[rows, columns]])
    return list(zip(found.rows.tolist(), found.columns.tolist(), strict=True))


def _score(own: Sequence[Any], others: Sequence[Any], pairs: Pairs) -> Score:
    matching = len(pairs)
    precision = matching / len(own) if own else 0.0
    recall = matching / len(others) if others else 0.0
    below = precision + recall
    fmeasure = 2 * precision * recall / below if below else 0.0
    values = (precision, recall, fmeasure, float(matching), tuple(pairs))
    return Score((*FIELDS, "pairs"), values, "fmeasure")
