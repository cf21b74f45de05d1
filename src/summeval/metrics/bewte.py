"""BEwT-E: Basic Elements with transformations for evaluation (Tratz and Hovy 2008)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from summeval._core.record import Score
from summeval._version import __version__
from summeval._workers import check_workers
from summeval.metrics.base import check_choice, check_label
from summeval.units.elements import Element, Key, parse
from summeval.units.transformations import matches, read_coefficients, transformations

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

    from summeval.units.transformations import Matches

WEIGHTS = ("root", "binary", "total")
COMBINE = ("jackknife", "max")
COMPAT = (None, "0.5.1")
FIELDS = ("recall", "recall_per_reference")

Given = Mapping[str, Iterable["str | Element"]]


class Problem(NamedTuple):
    """A matching with one of the references, and those that the weights come from."""

    found: Matches
    reference: int
    others: Sequence[int]


class BEwTE:
    """How much of the references' Basic Elements a summary has, as they are or transformed.

    An element of the summary matches one of a reference that it equals, or that one of the fifteen
    transformations makes of it, or several in turn: lemmas and inflections, synonyms, prepositions,
    abbreviations, periods, names, pronouns, pertainyms, members, swapped appositions, prenominal
    and prepositional phrases, roles, nominalisations, adjectives and adverbs (and, with `hyper`,
    hypernyms and hyponyms). A pair is worth C(i, j) W(j): the largest product of coefficients of
    the transformations used, and the weight of the reference's element. The recall is the sum of
    the best one-to-one assignment by the sum of W over all elements of the reference; 0 if that is
    empty.

    Several references: W counts in how many of them an element is. `recall` is the mean, over the
    references left out one at a time, of the largest recall over the others with the weights of the
    others ("jackknife"), or the largest over all ("max").

    Parameters
    ----------
    weights : {"root", "binary", "total"}
        Of an element that f references have: the square root of f, 1, or f.
    duplicates : bool
        Whether equal elements of a document count each, or once.
    hyper : bool
        Whether to use hypernyms and hyponyms.
    combine : {"jackknife", "max"}
    coefficients : mapping of str to float
        For groups of transformations (`summeval.units.transformations.GROUPS`) numbers from 0 to 1;
        "others" for all groups that are not named, 1 if it is not given.
    compat : {None, "0.5.1"}
        "0.5.1" keeps the slips of that version of the original program, whose numbers it then gives
        (with exact means in place of an order-dependent one): no plurals in -ies, no verbs in -s,
        no table of abbreviations, no pronouns for names with capitals, no names with periods.
    solver : str
        One of ``summeval.solvers.methods("assignment")``.
    label : str, optional
        A name of its own in results.

    Raises
    ------
    ValueError, TypeError
        For a value that an option does not take.

    Examples
    --------
    >>> metric = BEwTE()
    >>> metric.score_elements(["r8 refinery|NN+fire|NN"], {"A": ["r26 fire|NN+in|IN+refinery|NN"]})
    Score(recall=1.0, recall_per_reference={'A': 1.0})
    """

    def __init__(
        self,
        *,
        weights: str = "root",
        duplicates: bool = False,
        hyper: bool = False,
        combine: str = "jackknife",
        coefficients: Mapping[str, float] | None = None,
        compat: str | None = None,
        solver: str = "kernel",
        label: str | None = None,
    ) -> None:
        check_choice("weights", weights, WEIGHTS)
        check_choice("duplicates", duplicates, (True, False))
        check_choice("hyper", hyper, (True, False))
        check_choice("combine", combine, COMBINE)
        check_choice("compat", compat, COMPAT)
        check_label(label)
        if not isinstance(solver, str):
            raise TypeError(f"solver is {type(solver).__name__}; give the name of a method")
        self.name = label or "bewte"
        self._weights, self._combine, self._compat = weights, combine, compat
        self._duplicates, self._hyper = bool(duplicates), bool(hyper)
        self._coefficients = read_coefficients(coefficients or {})
        self._shown = dict(sorted((coefficients or {}).items()))
        self._solver = solver

    @property
    def signature(self) -> str:
        """The options, resources and version that the numbers depend on.

        >>> BEwTE(coefficients={"syno": 0.5}).signature.split("|compat")[0]
        'bewte|w:root|dup:no|hyper:no|agg:jackknife|coef:syno=0.5'
        """
        told = ",".join(f"{name}={number:g}" for name, number in self._shown.items()) or "1"
        return (
            f"bewte|w:{self._weights}|dup:{'yes' if self._duplicates else 'no'}"
            f"|hyper:{'yes' if self._hyper else 'no'}|agg:{self._combine}|coef:{told}"
            f"|compat:{self._compat or 'no'}|wordnet:3.0|solver:{self._solver}|v:{__version__}"
        )

    def score_elements(self, candidate: Iterable[str | Element], references: Given) -> Score:
        """Score Basic Elements against those of the references.

        Parameters
        ----------
        candidate : iterable of str or Element
            Written as `r11 cat|NN+drank|VBD`: the rule, then parts with their types.
        references : mapping of str to iterable of str or Element
            The elements of each reference by its name.

        Returns
        -------
        Score
            `recall`, which is `value`, and `recall_per_reference`, with weights from all
            references. NaN if there is no reference.

        Raises
        ------
        ValueError
            For an element that cannot be read; the message names it.
        """
        return self.score_elements_batch([candidate], [references])[0]

    def score_elements_batch(
        self,
        candidates: Iterable[Iterable[str | Element]],
        references: Iterable[Given],
        *,
        workers: int = 1,
    ) -> list[Score]:
        """Score many candidates, each against the references of its own: as `score_elements`.

        Parameters
        ----------
        candidates : iterable of iterable of str or Element
        references : iterable of mapping of str to iterable of str or Element
            One for each candidate.
        workers : int
            Threads; -1 for every processor. The scores do not depend on it.

        Returns
        -------
        list of Score

        Examples
        --------
        >>> scores = BEwTE().score_elements_batch([["r1 dogs|NNS"], []], [{"A": ["r1 dog|NN"]}] * 2)
        >>> [score.recall for score in scores]
        [1.0, 0.0]
        """
        workers = check_workers(workers)
        mine = [self._read(of, f"candidates[{row}]") for row, of in enumerate(candidates)]
        theirs = [self._documents(of, f"references[{row}]") for row, of in enumerate(references)]
        if len(mine) != len(theirs):
            raise ValueError(f"references has {len(theirs)} rows; {len(mine)} are needed")
        found = self._matches(mine, [list(of.values()) for of in theirs], workers)
        problems = [self._problems(one) for one in found]
        recalls = iter(self._recalls([one for many in problems for one in many], workers))
        return [
            self._combined(list(of), [next(recalls) for _ in many])
            for of, many in zip(theirs, problems, strict=True)
        ]

    def score_references(self, references: Given) -> dict[str, float]:
        """The recall of each reference, taken for a summary, against the best of the others.

        The weights are those of the others; NaN if there is no other.

        >>> BEwTE().score_references({"A": ["r1 cat|NN"], "B": ["r1 cats|NNS", "r2 sat|VBD"]})
        {'A': 0.5, 'B': 1.0}
        """
        documents = self._documents(references, "references")
        own = list(documents.values())
        values = {}
        for number, found in enumerate(self._matches(own, [own] * len(own), 1)):
            others = [k for k in range(len(own)) if k != number]
            recalls = self._recalls([Problem(found, k, others) for k in others], 1)
            values[list(documents)[number]] = _largest(recalls)
        return values

    def transformations(
        self, candidate: Iterable[str | Element], references: Given
    ) -> list[dict[str, Any]]:
        """What elements of the candidate turn into that some reference has the text of.

        Returns
        -------
        list of dict
            `from` and `to`, the parts as they are written, and `path`, the transformations used in
            the order of the pipeline.

        Examples
        --------
        >>> BEwTE().transformations(["r4 biological|JJ"], {"A": ["r1 biology|NN"]})
        [{'from': 'biological|JJ', 'to': 'biology|NN', 'path': ['perl']}]
        """
        told = self._documents(references, "references")
        found = transformations(
            self._read(candidate, "candidate"),
            [element for document in told.values() for element in document],
            hyper=self._hyper,
            original=self._compat is not None,
        )
        return [
            {"from": _parts(old), "to": _parts(new), "path": list(path)} for old, new, path in found
        ]

    def _read(self, elements: Iterable[str | Element], place: str) -> list[Element]:
        if isinstance(elements, str):
            raise TypeError(f"{place} is a str; give a list of Basic Elements")
        read = [
            element if isinstance(element, Element) else parse(element, f"{place}[{number}]")
            for number, element in enumerate(elements)
        ]
        if self._duplicates:
            return read
        kept: dict[Key, Element] = {}
        for element in read:
            kept.setdefault(element.key, element)
        return list(kept.values())

    def _documents(self, references: Given, place: str) -> dict[str, list[Element]]:
        if not isinstance(references, Mapping):
            kind = type(references).__name__
            raise TypeError(f"{place} is {kind}; give a mapping from names to Basic Elements")
        return {name: self._read(of, f"{place}[{name!r}]") for name, of in references.items()}

    def _matches(
        self,
        candidates: Sequence[list[Element]],
        references: Sequence[Sequence[list[Element]]],
        workers: int,
    ) -> list[Matches]:
        return matches(
            candidates,
            references,
            coefficients=self._coefficients,
            hyper=self._hyper,
            original=self._compat is not None,
            workers=workers,
        )

    def _problems(self, found: Matches) -> list[Problem]:
        """Each reference with all weights; then, leaving out one at a time, each of the others."""
        everyone = range(len(found.units))
        problems = [Problem(found, k, everyone) for k in everyone]
        if self._combine == "jackknife" and len(everyone) > 1:
            left = [[k for k in everyone if k != out] for out in everyone]
            problems += [Problem(found, k, others) for others in left for k in others]
        return problems

    @staticmethod
    def _combined(names: Sequence[str], recalls: Sequence[float]) -> Score:
        """The score of the recalls of `_problems`."""
        alone, rest = recalls[: len(names)], recalls[len(names) :]
        value = _largest(alone)
        if rest:
            size = len(names) - 1
            best = [_largest(rest[at : at + size]) for at in range(0, len(rest), size)]
            value = fsum(best) / len(best)
        return Score(FIELDS, (value, dict(zip(names, alone, strict=True))), "recall")

    def _recalls(self, problems: Sequence[Problem], workers: int) -> list[float]:
        import numpy as np

        if not problems:
            return []
        weights = [self._weights_of(problem) for problem in problems]
        edges = [problem.found.edges[problem.reference] for problem in problems]
        values = [
            edge.value * weight[edge.column] for edge, weight in zip(edges, weights, strict=True)
        ]
        rows = [problem.found.rows for problem in problems]
        matched = self._assign(
            np.cumsum([0, *(len(edge.row) for edge in edges)]),
            np.concatenate([edge.row for edge in edges]),
            np.concatenate([edge.column for edge in edges]),
            np.concatenate(values),
            np.array([rows, [len(weight) for weight in weights]], dtype=np.int64).T,
            workers,
        )
        totals = [float(weight.sum()) for weight in weights]
        return [
            min(value / total, 1.0) if total else 0.0
            for value, total in zip(matched, totals, strict=True)
        ]

    def _weights_of(self, problem: Problem) -> NDArray[float64]:
        """What each element of the problem's reference weighs."""
        import numpy as np

        found, reference, others = problem
        units = found.units[reference]
        if len(others) == 1:  # the reference itself
            return np.ones(len(units))
        counts = np.zeros(found.distinct, dtype=np.int64)
        for other in others:
            its = np.zeros_like(counts)
            its[found.units[other]] = 1
            counts += its
        return self._weigh(counts[units])

    def _weigh(self, counts: NDArray[int64]) -> NDArray[float64]:
        import numpy as np

        if self._weights == "binary":
            return (counts > 0).astype(np.float64)
        weights: NDArray[np.float64] = counts.astype(np.float64)
        return np.sqrt(weights) if self._weights == "root" else weights

    def _assign(  # noqa: PLR0917
        self,
        indptr: NDArray[int64],
        row: NDArray[int64],
        column: NDArray[int64],
        weight: NDArray[float64],
        shapes: NDArray[int64],
        workers: int,
    ) -> list[float]:
        """The weights of the best assignments."""
        from scipy import sparse

        from summeval.solvers import assign, assign_batch

        if self._solver == "kernel":
            batch = assign_batch(indptr, row, column, weight, shapes, workers)
            values: list[float] = batch.values.tolist()
            return values
        values = []
        for problem, shape in enumerate(shapes.tolist()):
            part = slice(indptr[problem], indptr[problem + 1])
            matrix = sparse.coo_array((weight[part], (row[part], column[part])), shape=shape)
            values.append(assign(matrix, method=self._solver).value)
        return values


def _parts(element: Element) -> str:
    return str(element).split(" ", 1)[1]


def _largest(values: Sequence[float]) -> float:
    return max(values, default=float("nan"))
