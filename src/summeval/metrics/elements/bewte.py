"""BEwT-E: Basic Elements with transformations for evaluation (Tratz and Hovy 2008)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import fsum
from typing import TYPE_CHECKING, Any

from summeval._core.rows.record import Score
from summeval._options import check_workers, option
from summeval.elements import transformations as matching_of
from summeval.elements.elements import Element, Given, distinct, read_documents, read_elements
from summeval.metrics import option_groups as group
from summeval.metrics.parsed import COREFERENCE, Parser, ReadRow, Texts
from summeval.metrics.run.base import Metric, check_solver, solver_label
from summeval.metrics.run.runner import Runner
from summeval.metrics.run.signature import Signed, Value, shortest

if TYPE_CHECKING:
    from summeval.annotate import Provider
    from summeval.metrics.elements.explain import ElementMatches
    from summeval.metrics.run.explain.items import Asked, Items

FIELDS = ("recall", "recall_per_reference")
Elements = Iterable[str | Element]
Row = tuple[matching_of.Cut, Sequence[matching_of.Cut]]
PART_ROWS = 4096  # matched at once: bounds what their edges take


class BEwTE(Metric):
    """The share of the references' Basic Elements in a summary, unchanged or transformed.

    An element of the summary matches one of a reference that it equals, or that one of the fifteen
    transformations makes of it, or several in turn: lemmas and inflections, synonyms, prepositions,
    abbreviations, periods, names, pronouns, pertainyms, members, swapped appositions, prenominal
    and prepositional phrases, roles, nominalisations, adjectives and adverbs (and, with `hyper`,
    hypernyms and hyponyms). A pair is worth C(i, j) W(j): the largest product of coefficients of
    the transformations used, and the weight of the reference's element. The recall is the sum of
    the best one-to-one assignment by the sum of W over all elements of the reference; 0 if either
    side is empty.

    Several references: W counts in how many of them an element is. `recall` is the mean, over the
    references left out one at a time, of the largest recall over the others with the weights of the
    others (`jackknife`), or the largest over all. With aggregate="average" the mean of the recalls
    takes the place of the largest.

    Parameters
    ----------
    weights : {"root", "binary", "total"}
        The weight of an element that f references have: the square root of f, 1, or f.
    duplicates : bool
        Whether equal elements of a document are counted separately, or once.
    hyper : bool
        Whether to use hypernyms and hyponyms.
    aggregate : {"max", "average"}
        Over several references: the largest recall, or the mean.
    jackknife : bool
        Mean over the sets that leave one reference out.
    coefficients : mapping of str to float
        For groups of transformations (`summeval.elements.transformations.GROUPS`) numbers from 0 to
        1; "others" for all groups that are not named, 1 if it is not given.
    compat : {None, "0.5.1"}
        "0.5.1" reproduces the bugs of that version of the original program, and gives its numbers
        (with exact means in place of an order-dependent one): no plurals in -ies, no verbs in -s,
        no table of abbreviations, no pronouns for names with capitals, no names with periods, no
        book about what a book is on, no author of those who authored.
    senses : {"first", "all"} or int
        How many senses of a word of WordNet the transformations look at, the most frequent first:
        one (as the original program), all, or this number.
    coreference : {None, "simple"}, str, Resolver or callable
        What finds mentions of one thing: their pronouns and names are replaced by its name before
        elements are cut. "simple" joins names that share words and pronouns of the nearest name;
        "file:PATH" reads what another program found; a function gets a `Document` and returns its
        chains. See `summeval.annotate.coreference`.
    solver : str
        One of ``summeval.solvers.list_solvers("assignment")``.
    case : {"keep", "lower", "auto"}
        How capitals are changed before texts are parsed, as in `BasicElements`.
    parser : str or Provider
        The parser of texts; see `summeval.annotate.provider`.
    cache : bool
        Keep parses on disk, so that later runs need not parse again.
    label : str or None
        Its name in results; distinguishes metrics of the same name.

    Raises
    ------
    ValueError, TypeError
        For a value that an option does not take.

    Examples
    --------
    Of the authors' slides, a refinery fire, which is a fire in a refinery:

    >>> metric = BEwTE()
    >>> metric.score_units(["r8 refinery|NN+fire|NN"], {"A": ["r26 fire|NN+in|IN+refinery|NN"]})
    Score(recall=1.0, recall_per_reference={'A': 1.0})
    """

    names = ("bewte",)
    summary = "Basic Elements of the reference, unchanged or transformed"
    fields = ("recall",)
    primary = "recall"
    languages = ("en",)
    immutable = True
    weights: str = option(default="root", choices=("root", "binary", "total"))
    duplicates: bool = option(default=False, kind="bool")
    hyper: bool = option(default=False, kind="bool")
    aggregate: str = group.AGGREGATE
    jackknife: bool = group.JACKKNIFE._replace(default=True)
    coefficients: Mapping[str, float] | None = option(default=None, choices=(None,), kind="object")
    compat: str | None = option(default=None, choices=(None, "0.5.1"))
    senses: str | int = option(
        default="first", choices=("first", "all"), kind="whole", low=1, high=1000
    )
    coreference: Any = COREFERENCE
    solver: str = group.SOLVER
    case: str = group.CASE
    parser: str | Provider = group.PARSER
    cache: bool = group.CACHE

    def __post_init__(self) -> None:
        check_solver("assignment", self.solver)
        given = self.coefficients or {}
        self.coefficients = matching_of.read_coefficients(given)
        self._shown = dict(sorted(given.items()))
        self.matching = matching_of.Matching(
            self.coefficients,
            hyper=self.hyper,
            original=self.compat is not None,
            senses={"first": 1, "all": 0}[self.senses]
            if isinstance(self.senses, str)
            else self.senses,
            duplicates=self.duplicates,
        )
        self._parser = Parser(self)
        self.parsers = (self._parser,)

    def signed(self) -> Signed:
        """Return the options, resources and version that the numbers depend on.

        >>> BEwTE(coefficients={"syno": 0.5}).signature.split("|compat")[0]
        'bewte|w:root|dup:no|hyper:no|aggregate:max|jackknife|coef:syno=0.5'
        """
        shown = ",".join(f"{name}={shortest(value)}" for name, value in self._shown.items())
        yes, matching = {True: "yes", False: "no"}, self.matching
        options: dict[str, Value] = {
            "w": self.weights,
            "dup": yes[matching.duplicates],
            "hyper": yes[matching.hyper],
            "aggregate": self.aggregate,
            "jackknife": self.jackknife,
            "coef": shown or "1",
            "compat": self.compat or "none",
            "wordnet": "3.0",
            **({} if matching.senses == 1 else {"senses": str(matching.senses or "all")}),
            "solver": solver_label("assignment", self.solver, self.label),
            **dict(self._parser.options),
        }
        return options

    def new_runner(self) -> Runner[Any]:
        unscored = Score(FIELDS, (float("nan"), {}), "recall")
        more: dict[str, Any] = {"values": self._values, "unscored": unscored}
        return self._parser.runner(self, lambda cut: cut, self._rows, **more)

    def score_units(self, candidate: Elements, references: Given) -> Score:
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
        own = read_elements(candidate, "candidate")
        documents = read_documents(references, "references")
        (recalls,) = self._recalls_of([(own, list(documents.values()))], 1)
        return self._combined(list(documents), recalls)

    def score_units_batch(
        self, candidates: Iterable[Elements], references: Iterable[Given], *, workers: int = 1
    ) -> list[Score]:
        """Score many candidates, each against the references of its own: as `score_units`.

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
        >>> scores = BEwTE().score_units_batch([["r1 dogs|NNS"], []], [{"A": ["r1 dog|NN"]}] * 2)
        >>> [score.recall for score in scores]
        [1.0, 0.0]
        """
        workers = check_workers(workers)
        left = [read_elements(of, f"candidates[{row}]") for row, of in enumerate(candidates)]
        right = [read_documents(of, f"references[{row}]") for row, of in enumerate(references)]
        if len(left) != len(right):
            raise ValueError(f"references has {len(right)} rows; {len(left)} are needed")
        rows = [(own, list(of.values())) for own, of in zip(left, right, strict=True)]
        recalls = self._recalls_of(rows, workers)
        return [self._combined(list(of), row) for of, row in zip(right, recalls, strict=True)]

    def explain_units(self, candidate: Elements, references: Given) -> ElementMatches:
        """Return the elements shared with each reference, and by which transformations.

        Returns
        -------
        ElementMatches
            The elements of both sides and the pairs of the best assignment, as data; `str` of it
            is for people. Of several assignments that are worth the same it is the one that
            `summeval.solvers.assign_batch` finds, whatever the `solver`.

        >>> found = BEwTE().explain_units(["r2 running|VBG"], {"A": ["r2 ran|VBD", "r1 dog|NN"]})
        >>> print(found)
        recall 0.5000
        reference A: recall 0.5000, 1 of 2 elements
          running|VBG  =  ran|VBD  by dlml
          missed: dog|NN
        """
        from summeval.metrics.elements.explain import matched

        documents = read_documents(references, "references")
        own = self._distinct(read_elements(candidate, "candidate"))
        documents = {name: self._distinct(of) for name, of in documents.items()}
        (found,) = self.matching.matches([own], [list(documents.values())])
        return matched(
            self.score_units(own, documents),
            own,
            documents,
            problems=matching_of.problems_of(found, self.weights, False),
            transformations=self.matching.transformations(own, [*chain(*documents.values())]),
            coefficients=matching_of.of_stages(self.matching.coefficients),
        )

    def explain_texts(self, asked: Asked) -> Items:
        """Return an item for each match of elements, then for the elements that one side has alone.

        A match is told by its words and the transformations. Its share is C W by the sum of W, of
        the largest recall or by the number of those that are averaged; jackknifed, the mean over
        the sets. So they add up to the value. Details: `coefficient` C, `weight` W among them all.
        """
        from summeval.metrics.elements import explain

        own, *others = (
            placed if self.matching.duplicates else explain.distinct(placed)
            for placed in explain.placed_row(self._parser, asked.texts)
        )
        elements = [one.element for one in own]
        documents = {str(k): [one.element for one in of] for k, of in enumerate(others)}
        (found,) = self.matching.matches([elements], [list(documents.values())])
        problems = matching_of.problems_of(found, self.weights, self.jackknife)
        recalls = matching_of.best_recalls(problems, self.solver, 1)
        average = self.aggregate == "average"
        return explain.matched_items(
            own,
            others,
            explain.counted(problems, recalls, len(others), average=average),
            weights=[problem.weights for problem in problems[: len(others)]],
            transformations=lambda of: self.matching.transformations(
                elements, [*chain(*documents.values())], of
            ),
            coefficients=matching_of.of_stages(self.matching.coefficients),
        )

    def extract(
        self, candidates: Texts, references: Sequence[Texts | None], *, workers: int = 1
    ) -> list[ReadRow[list[Element]]]:
        """Return the elements of rows of texts, to score them several times.

        Returns
        -------
        list of (elements or None, list of elements)
            For each row the elements of the candidate, and of each reference that is not None.
        """
        return self._parser.parse_rows(candidates, references, workers)

    def _rows(self, rows: Sequence[Row], workers: int) -> list[Score]:
        """Return the scores of rows of elements."""
        return [
            self._combined([str(number) for number, _ in enumerate(others, 1)], recalls)
            for (_, others), recalls in zip(rows, self._recalls_of(rows, workers), strict=True)
        ]

    def _values(self, rows: Sequence[Row], workers: int) -> list[list[float]]:
        """Return the recall alone of rows of elements."""
        return [
            [self._value(len(others), recalls)]
            for (_, others), recalls in zip(rows, self._recalls_of(rows, workers), strict=True)
        ]

    def _recalls_of(self, rows: Sequence[Row], workers: int) -> Iterator[list[float]]:
        """For each row the recalls of its `problems_of`."""
        for begin in range(0, len(rows), PART_ROWS):
            own, others = zip(*rows[begin : begin + PART_ROWS], strict=True)
            if self.solver != "kernel":
                yield from self._recalls(self.matching.matches(own, others, workers), workers)
                continue
            yield from self.matching.recalls(
                own, others, weights=self.weights, jackknife=self.jackknife, workers=workers
            )

    def _recalls(self, rows: Sequence[matching_of.Matches], workers: int) -> list[list[float]]:
        problems = [matching_of.problems_of(found, self.weights, self.jackknife) for found in rows]
        every = [one for many in problems for one in many]
        recalls = iter(matching_of.best_recalls(every, self.solver, workers))
        return [[next(recalls) for _ in many] for many in problems]

    def combine(self, rows: Sequence[matching_of.Matches], workers: int = 1) -> list[Score]:
        """Return the scores of what was found to match (`Matching.matches`)."""
        names = [list(map(str, range(1, len(found.units) + 1))) for found in rows]
        recalls = self._recalls(rows, workers)
        return [self._combined(*row) for row in zip(names, recalls, strict=True)]

    def score_references(self, references: Given) -> dict[str, float]:
        """Return the recall of each reference, taken for a summary, against the best of the others.

        The weights are those of the others; NaN if there is no other.

        >>> BEwTE().score_references({"A": ["r1 cat|NN"], "B": ["r1 cats|NNS", "r2 sat|VBD"]})
        {'A': 0.5, 'B': 1.0}
        """
        documents = read_documents(references, "references")
        own, values = list(documents.values()), {}
        every = zip(documents, self.matching.matches(own, [own] * len(own)), strict=True)
        for number, (name, found) in enumerate(every):
            table = matching_of.weight_table(found, self.weights)
            others = matching_of.left_out(found, table, number)
            values[name] = largest(matching_of.best_recalls(others, self.solver, 1))
        return values

    def transformations(self, candidate: Elements, references: Given) -> list[dict[str, Any]]:
        """Return what elements of the candidate turn into that some reference has the text of.

        Returns
        -------
        list of dict
            `from` and `to`, the parts as they are written, and `path`, the transformations used in
            the order of the pipeline.

        Examples
        --------
        Of the slides, what is biological found in biology:

        >>> BEwTE().transformations(["r4 biological|JJ"], {"A": ["r1 biology|NN"]})
        [{'from': 'biological|JJ', 'to': 'biology|NN', 'path': ['perl']}]
        """
        documents = read_documents(references, "references")
        own = self._distinct(read_elements(candidate, "candidate"))
        found = self.matching.transformations(own, [*chain(*documents.values())])
        return [
            {"from": old.content, "to": new.content, "path": list(path)} for old, new, path in found
        ]

    def _distinct(self, elements: Sequence[Element]) -> list[Element]:
        """Return the elements, equal ones once unless duplicates count."""
        return list(elements) if self.matching.duplicates else distinct(elements)

    def _combined(self, names: Sequence[str], recalls: Sequence[float]) -> Score:
        """Return the score of the recalls of `problems_of`."""
        alone = dict(zip(names, recalls, strict=False))
        return Score(FIELDS, (self._value(len(names), recalls), alone), "recall")

    def _value(self, references: int, recalls: Sequence[float]) -> float:
        """Return the recall over all references, of the recalls of `problems_of`."""
        if len(recalls) == 1:
            return recalls[0]
        of_all = largest if self.aggregate == "max" else mean
        rest = recalls[references:]
        if not rest:
            return of_all(recalls)
        size = references - 1
        return mean([of_all(rest[at : at + size]) for at in range(0, len(rest), size)])


def largest(values: Sequence[float]) -> float:
    """Return the largest of some recalls; NaN of none.

    >>> largest([0.5, 1.0]), largest([])
    (1.0, nan)
    """
    return max(values, default=float("nan"))


def mean(values: Sequence[float]) -> float:
    """Return the mean of some recalls; NaN of none.

    >>> mean([0.5, 1.0]), mean([])
    (0.75, nan)
    """
    return fsum(values) / len(values) if values else float("nan")
