"""Runners: what a metric does with texts, in a kernel or in Python, for a pair and for rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from summeval._core.columns import columns
from summeval._core.columns.lists import sizes
from summeval._core.rows.record import Score, new_block
from summeval.metrics.run.notices import ASCII_ONLY, warn_cut, warn_cut_texts
from summeval.metrics.run.refusals import RowErrors, by_halves
from summeval.metrics.run.text_options import TextOptions, one_or_more

if TYPE_CHECKING:
    from typing import Self

    from summeval._arrays import Floats
    from summeval._core.rows.kernel import PreparedTexts, TextKernel
    from summeval.metrics.run.declared import Declared


FIELDS = ("precision", "recall", "fmeasure")
CASES = ("keep", "lower", "auto")
WIDTH = 256

Text = str | None
Read = TypeVar("Read")
Row = tuple[Text, Sequence[Text]]  # a candidate and what it is compared with


class TextRunner:
    """Metrics of one kernel, which read texts in the same way and have `fields` fields each.

    `side` is the name, in messages, of the texts that a candidate is compared with. What `prepare`
    returns is of this class too: its kernel has read these texts.

    Attributes
    ----------
    run_pair : callable
        If the kernel reads texts unchanged, this is the kernel's own method, so a reward loop calls
        the kernel without a Python frame in between.
    few_rows : callable or None
        The kernel's own; None if Python prepares the texts.
    run_each : callable or None
        Of candidates, references and workers: the scores beside each reference alone, [metric,
        field, reference of all rows]. None if the kernel scores only all references of a row.
    """

    notes_rows = True

    def __init__(
        self,
        kernel: TextKernel | PreparedTexts,
        text_options: TextOptions,
        fields: int = len(FIELDS),
        *,
        side: str = "references",
        case: str = "keep",
        metrics: int = 0,
        statistics: int = 0,
    ) -> None:
        self._kernel = used = cast("Any", kernel)
        self._text_options, self._case = text_options, case
        self._shape = (metrics or len(used.names), fields + statistics)
        self._side = side
        self._takes_texts = text_options.plain  # unchanged
        plain = self._takes_texts and case == "keep"
        # which has no place for statistics
        self.few_rows = used.few_rows if plain and not (metrics or statistics) else None
        if text_options.tokenizer == ASCII_ONLY and not metrics:
            used.on_foreign = warn_cut
        self.run_pair: Callable[..., dict[str, Score]] = (
            used.score_pair if plain else partial(_run_pair, used, text_options, side, case)
        )

    @property
    def kernel(self) -> TextKernel | PreparedTexts:
        """The kernel or, of what `prepare` returned, what it has read."""
        kernel: TextKernel | PreparedTexts = self._kernel
        return kernel

    @property
    def run_each(self) -> Callable[..., Floats] | None:
        plain = self._text_options.plain and self._case == "keep"
        return self._each if plain and hasattr(self._kernel, "fill_each") else None

    def run_rows(self, *given: Any, refused: RowErrors | None = None) -> Floats:
        """Return the scores of candidates and, unless they were prepared, of references."""
        *sides, workers = given
        if self._case != "keep":
            sides = _in_case(self._case, *sides)
        names = ("candidates", self._side)
        read = [
            self._text_options.texts(column, name, refused)
            for column, name in zip(sides, names, strict=False)
        ]
        out = new_block(*self._shape, sides[0].size)
        self._kernel.fill_rows(*read, out, workers, refused)
        return out

    def _each(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> Floats:
        out = new_block(*self._shape, int(sizes(references).sum()))
        self._kernel.fill_each(candidates, references, out, workers)
        return out

    def prepare(self, references: Any) -> TextRunner | BoundTexts:
        if self._case != "keep":
            return BoundTexts(self, self._case, texts_of(references))
        return self.prepare_as_is(references)

    def prepare_as_is(self, references: Any) -> TextRunner:
        """Return the references in the case that they have."""
        if self._takes_texts:
            prepared = self._kernel.prepare(references)
            if self._case == "keep":  # a reward loop has no time to make it all anew
                ready = TextRunner.__new__(TextRunner)
                found = {"_kernel": prepared, "run_pair": prepared.score_pair, "few_rows": None}
                ready.__dict__ = self.__dict__ | found
                return ready
        else:
            references = self._text_options.references(references, self._side)
            prepared = self._kernel.prepare(references)
        metrics, fields = self._shape
        return TextRunner(prepared, self._text_options, fields, side=self._side, metrics=metrics)


def _run_pair(
    kernel: Any, text_options: TextOptions, side: str, case: str, candidate: Text, *references: Any
) -> dict[str, Score]:
    """Return the scores of texts that Python prepares for the kernel."""
    if case != "keep":
        columns.check_text(candidate, "candidate")
        candidate, *others = one_case(case, [candidate, *texts_of(*references)])
        references = (others,)
    own = text_options.text(candidate, "candidate")
    found: dict[str, Score] = kernel.score_pair(
        own, *(text_options.references(given, side) for given in references)
    )
    return found


class BoundTexts:
    """References for a kernel in the cases that candidates need; each is read when one needs it."""

    def __init__(self, runner: TextRunner, case: str, references: Sequence[Text]) -> None:
        self._runner, self._case, self._references = runner, case, references
        self._forms: dict[bool, TextRunner] = {}
        if lowers(case, references):
            self.run_pair(None)

    def run_pair(self, candidate: Text) -> dict[str, Score]:
        columns.check_text(candidate, "candidate")
        row = [candidate, *self._references]
        lower = lowers(self._case, row)
        own, *others = one_case(self._case, row)
        # Two threads may both read the references; they get the same from it.
        if lower not in self._forms:
            self._forms[lower] = self._runner.prepare_as_is(others)
        return self._forms[lower].run_pair(own)

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> Floats:
        references = [self._references] * len(candidates)
        side = columns.references(references, "references", first=candidates.first)
        return self._runner.run_rows(candidates, side, workers)


class Runner(Generic[Read]):
    """Runs a metric in Python: each distinct text of some rows is read once, then rows compared.

    Parameters
    ----------
    metric : Metric
        Whose name and fields the scores have, and which says what candidates are compared with.
    read : callable
        Of distinct texts, each with its place in the arguments for messages, and of a number of
        workers: what it makes of each, in their order.
    compare : callable
        Of rows (candidate, references) that were read and a number of workers: a Score for each.
    values : callable, optional
        Of the same: an array [row, field], where that is faster than scores.
    unscored : Score, optional
        For a candidate that is None, or nothing to compare it with; by default NaN in each field.
    case : {"keep", "lower", "auto"}
        What becomes of the texts of a row; see `lowers`.
    width : int
        How many rows are read together.
    references_first : bool
        Whether the references of a row are read before its candidate.
    """

    notes_rows = True

    def __init__(
        self,
        metric: Declared,
        read: Callable[[Mapping[str, str], int], Iterable[Read]],
        compare: Callable[[Sequence[tuple[Read, Sequence[Read]]], int], Sequence[Score]],
        *,
        values: Callable[..., Floats] | None = None,
        unscored: Score | None = None,
        case: str = "keep",
        width: int = WIDTH,
        references_first: bool = False,
    ) -> None:
        nans = (float("nan"),) * len(metric.fields)
        self._name, self._fields = metric.name, metric.fields
        self._side = metric.compared_with
        self._read, self._compare, self._values = read, compare, values
        self._unscored = unscored or Score(metric.fields, nans, metric.primary)
        self._case, self._width = case, width
        self._references_first = references_first
        self._strict = metric.tokenizer == ASCII_ONLY
        self._has_language = "language" in metric.declared
        self._texts: Sequence[Text] = ()  # what candidates are compared with, if known beforehand
        self._known: dict[str, Read] = {}

    @classmethod
    def of_pairs(
        cls,
        metric: Declared,
        read: Callable[[str, str], Read],
        compare: Callable[[Read, Sequence[Read]], Score],
        unscored: Score | None = None,
    ) -> Runner[Read]:
        """Return a runner that reads text by text, with its place, and compares row by row."""
        return cls(
            metric,
            lambda places, workers: [read(text, place) for text, place in places.items()],
            lambda rows, workers: [compare(own, others) for own, others in rows],
            unscored=unscored,
            references_first=True,
        )

    @classmethod
    def of_texts(
        cls, metric: Any, values: Callable[[Sequence[str], int], Floats]
    ) -> Runner[Sequence[float]]:
        """Return a runner of candidates alone.

        `values` gives texts with words, and a number of workers, the value of each, or of several
        fields [field, text]; others have the floor of the metric, or one of `floors` for each.
        """
        fields, primary = metric.fields, metric.primary

        def read(places: Mapping[str, str], workers: int) -> list[Sequence[float]]:
            worded = [text for text in places if has_words(text)]
            found = values(worded, workers).reshape(len(fields), -1).T.tolist() if worded else []
            by_text = dict(zip(worded, found, strict=True))
            floors = () if len(by_text) == len(places) else floors_of(metric)
            return [by_text.get(text, floors) for text in places]

        def compare(rows: Sequence[Any], workers: int) -> list[Score]:
            return [Score(fields, tuple(row), primary) for row, _ in rows]

        return cls(metric, read, compare, width=1 << 30)  # type: ignore[arg-type, return-value]

    def prepare(self, references: Any) -> Runner[Read]:
        runner = copy(self)
        runner._texts = texts = self._given(references)
        places: dict[str, str] = {}
        self._place(places, one_case(self._case, texts), self._side)
        runner._known = dict(zip(places, self._read(places, 1), strict=True))
        self.look(texts)
        return runner

    def run_pair(self, candidate: Text, *references: Any) -> dict[str, Score]:
        texts = self._given(*references) if references else self._texts
        columns.check_text(candidate, "candidate")
        if references:
            self.look(texts)
        self.look([candidate])
        (ready,), found = self._ready([(candidate, texts)], None, 1, self._known)
        if not references:  # kept for the candidates that follow
            self._known |= {k: found[k] for k in one_case(self._case, texts) if k in found}
        score = self._unscored if ready is None else self._compare([ready], 1)[0]
        return {self._name: score}

    def run_rows(
        self, candidates: columns.TextColumn, *given: Any, refused: RowErrors | None = None
    ) -> Floats:
        """Return the scores [1, field, row]; texts of the part before are not read again."""
        import numpy as np

        *references, workers = given
        sides: Sequence[Sequence[Text] | None] = [self._texts] * len(candidates)
        if references and self._side != "nothing":
            sides = references[0].to_list()
        rows: list[Row] = list(
            zip(candidates.to_list(), [texts or () for texts in sides], strict=True)
        )
        last = self._known

        def part(begin: int, end: int) -> Floats:
            nonlocal last
            ready, last = self._ready(rows[begin:end], candidates.first + begin, workers, last)
            last |= self._known
            return self._block(ready, workers)

        shape = (1, len(self._fields))
        starts = range(0, max(len(rows), 1), self._width)
        ends = [min(begin + self._width, len(rows)) for begin in starts]
        blocks = [
            by_halves(part, (begin, end), candidates.first, shape, refused)
            for begin, end in zip(starts, ends, strict=True)
        ]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=2)

    def look(self, texts: Sequence[Text]) -> None:
        """Warn of texts of which the tokenizer cuts or drops words."""
        if self._strict:
            warn_cut_texts([text for text in texts if text is not None], self._has_language)

    def _given(self, references: Any) -> list[Text]:
        """Return the texts of a single call that candidates are compared with."""
        return [] if self._side == "nothing" else texts_of(references, self._side)

    def _ready(
        self, rows: Sequence[Row], first: int | None, workers: int, known: Mapping[str, Read]
    ) -> tuple[list[tuple[Read, Sequence[Read]] | None], dict[str, Read]]:
        """The rows that can be compared, read, None for others; and the texts that were read.

        `first` is the number of the first row; None where there is a single one.
        """
        alone, batch = self._side == "nothing", first is not None
        side = "sources" if batch and self._side == "source" else self._side
        places: dict[str, str] = {}
        cased: list[tuple[str, list[str]] | None] = []
        for number, (candidate, references) in enumerate(rows, first or 0):
            own, *others = one_case(self._case, (candidate, *references))
            given = [text for text in others if text is not None]
            cased.append(None if own is None or not (given or alone) else (own, given))
            # what is not compared is read as well: it may be refused
            sides = [
                ([own], f"candidates[{number}]" if batch else "candidate", ""),
                (others, f"{side}[{number}]" if batch else side, "[{}]"),
            ]
            for one in reversed(sides) if self._references_first else sides:
                self._place(places, *one)
        new = {text: place for text, place in places.items() if text not in known}
        found = {text: known[text] for text in places if text in known}
        found |= zip(new, self._read(new, workers) if new else (), strict=True)
        return [
            None if row is None else (found[row[0]], [found[text] for text in row[1]])
            for row in cased
        ], found

    def _place(
        self, places: dict[str, str], texts: Sequence[Text], place: str, number: str = "[{}]"
    ) -> None:
        """Add each text, checked, with its first place in the arguments."""
        for k, text in enumerate(texts):
            if text is not None:
                columns.check_text(text, place + number.format(k))
                places.setdefault(text, place + number.format(k))

    def _block(self, ready: Sequence[tuple[Read, Sequence[Read]] | None], workers: int) -> Floats:
        import numpy as np

        out = np.full((1, len(self._fields), len(ready)), np.nan)
        places = [place for place, row in enumerate(ready) if row is not None]
        rows = [row for row in ready if row is not None]
        if not rows:
            return out
        if self._values is not None:
            out[0, :, places] = self._values(rows, workers)
        else:
            scores = self._compare(rows, workers)
            out[0, :, places] = [[score[field] for field in self._fields] for score in scores]
        return out


def has_words(texts: Iterable[str]) -> bool:
    """Return whether a letter or a digit, of any script, is in a text or in one of several.

    >>> has_words("...!?"), has_words(["(", "né", ")"])
    (False, True)
    """
    return any(any(map(str.isalnum, text)) for text in texts)


def lowers(case: str, texts: Sequence[Text]) -> bool:
    """Whether the texts of a row, candidate and references, are lower-cased (by `str.lower`).

    "keep": no; "lower": yes; "auto": where some text has letters but no capital. If no other text
    has one either, lower-casing changes nothing, so that only rows of mixed case change: some
    systems write only lower case, in which a parser finds other tags and no names.

    >>> lowers("auto", ["the cat sat", "The cat sat"]), lowers("auto", ["A cat", "The cat", "1984"])
    (True, False)
    """
    if case == "auto":
        return any(text is not None and text.islower() for text in texts)
    return case == "lower"


def one_case(case: str, texts: Sequence[Text]) -> Sequence[Text]:
    """Return the texts of a row, as passed to the metric.

    >>> one_case("auto", ["the cat sat", "The cat sat"])
    ['the cat sat', 'the cat sat']
    """
    if not lowers(case, texts):
        return texts
    return [None if text is None else text.lower() for text in texts]


def texts_of(references: Any, name: str = "references") -> list[Text]:
    """Return the references (or other texts, called `name`) of a single call, checked."""
    texts = list(one_or_more(references, name))
    for number, text in enumerate(texts):
        columns.check_text(text, f"{name}[{number}]")
    return texts


def _in_case(
    case: str, candidates: columns.TextColumn, references: columns.TextColumn
) -> list[columns.TextColumn]:
    """Return the columns with the texts of each row in their case; the same where none changes."""
    pairs = zip(candidates.to_list(), references.to_list(), strict=True)
    rows = [(own, *(others or ())) for own, others in pairs]
    if not any(lowers(case, row) for row in rows):
        return [candidates, references]
    made, first = [one_case(case, row) for row in rows], candidates.first
    return [
        columns.texts([row[0] for row in made], "candidates", first=first),
        columns.references([row[1:] for row in made], "references", first=first),
    ]


def floors_of(metric: Any) -> Sequence[float]:
    """Return what a text without words has in each field."""
    return getattr(metric, "floors", None) or (metric.floor,)


class ListRunner(ABC):
    """Runs a metric whose `scores` read the candidates and references of many rows."""

    progress_rows = 64  # a row takes milliseconds
    _given: Sequence[str] = ()  # the references, if they are known beforehand

    def __init__(self, metric: Declared) -> None:
        self.name, self.fields, self.primary = metric.name, metric.fields, metric.primary

    @abstractmethod
    def scores(
        self, candidates: Sequence[str | None], references: Sequence[Sequence[str]], workers: int
    ) -> Floats:
        """Return the scores [field, row]; NaN for a row without a candidate or references."""

    def reading(self, references: Sequence[str]) -> Self:
        """Return a runner that has read these references."""
        return self

    def prepare(self, references: Any) -> Self:
        given = _present(texts_of(references))
        runner = copy(self.reading(given))
        runner._given = given
        return runner

    def run_pair(self, candidate: str | None, *references: Any) -> dict[str, Score]:
        given = _present(texts_of(*references)) if references else self._given
        columns.check_text(candidate, "candidate")
        values = self.scores([candidate], [given], 1)[:, 0].tolist()
        return {self.name: Score(self.fields, tuple(values), self.primary)}

    def run_rows(self, candidates: Any, *given: Any) -> Floats:
        *references, workers = given
        right = [self._given] * len(candidates)
        if references:
            right = [_present(row or ()) for row in references[0].to_list()]
        return self.scores(candidates.to_list(), right, workers)[None]


def _present(texts: Iterable[Text]) -> list[str]:
    return [text for text in texts if text is not None]
