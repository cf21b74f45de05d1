"""Metrics on Basic Elements of texts: each distinct text is parsed once, whoever holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import local
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from summeval._core.columns import columns
from summeval._core.rows.record import Score
from summeval.elements.elements import Element
from summeval.metrics.option_groups import CASE
from summeval.metrics.run.base import Metric
from summeval.metrics.run.callables import label as label_of
from summeval.metrics.run.casing import cased, one_case, texts_of
from summeval.metrics.run.protocols import Runner, block_of

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval._core.elements.extraction import Elements
    from summeval.annotate import Document, Provider
    from summeval.annotate.coreference import Chains, Resolver

Read = TypeVar("Read")
ReadRow = tuple[Read | None, Sequence[Read]]
Rows = Callable[[Sequence[ReadRow[Read]], int], Sequence[Score]]
Values = Callable[[Sequence[ReadRow[Read]], int], Sequence[float]]
_MOST_KEPT = 8192  # texts; the elements of one take about 5 kB


class _Last(local):
    """What this thread parsed last: how, and the elements by text."""

    def __init__(self) -> None:
        self.key: str | None = None
        self.found: dict[str, Elements] = {}
        self.lists: dict[str, list[Element]] = {}  # the same as Python has them, where asked for


_LAST = _Last()


def _as_list(text: str, cut: Elements) -> list[Element]:
    """The elements of a text as objects of Python, kept as long as `cut` is."""
    known = _LAST.lists.get(text)
    if known is not None and _LAST.found.get(text) is cut:
        return known
    made = [Element(*row) for row in cut.rows()]
    if _LAST.found.get(text) is cut:
        _LAST.lists[text] = made
    return made


class Parser:
    """Texts to Basic Elements: what annotates them, and the rules that cut them.

    Parameters
    ----------
    provider : str or Provider
        See `summeval.annotate.provider`.
    case : {"keep", "lower", "auto"}
        What becomes of capitals before parsing; see `summeval.metrics.run.casing`.
    cache : bool
        Whether parses are kept on disk.
    coreference : None, str, Resolver or callable
        See `summeval.annotate.coreference.resolver`.
    label : str or None
        That of the metric, for a callable that cannot be told from others.
    """

    def __init__(
        self,
        provider: str | Provider,
        *,
        case: str = "keep",
        cache: bool,
        coreference: Any = None,
        label: str | None = None,
    ) -> None:
        self.given = provider
        self.asking_for = {"entities", "lemmas"}
        self._opened: Provider | None = None
        self._resolver: Resolver | None = None
        if coreference is not None:
            from summeval.annotate.coreference import resolver

            called = callable(coreference) and not hasattr(coreference, "chains")
            told = label_of(coreference, label) if called else ""
            self._resolver = resolver(coreference, told)
        self.case: str = CASE.check(case)
        self._cache = cache

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """What becomes of case; program, model and versions, known without loading; the rules.

        Then what finds coreference, if anything does.
        """
        told = (("case", self.case), ("parser", self.provider.signature), ("rules", "auto"))
        if self._resolver is None:
            return told
        return (*told, ("coreference", self._resolver.signature))

    @property
    def provider(self) -> Provider:
        """What annotates; made when it is first asked for."""
        from summeval.annotate import provider
        from summeval.annotate.cache import largest_size

        if self._cache:
            largest_size()  # raised where every text is at hand, too
        if self._opened is None:
            self._opened = provider(self.given)
        return self._opened

    def parse(self, texts: Iterable[str], workers: int = 1) -> dict[str, list[Element]]:
        """The elements of each distinct text."""
        return {text: _as_list(text, cut) for text, cut in self.cut(texts, workers).items()}

    def cut(self, texts: Iterable[str], workers: int = 1) -> dict[str, Elements]:
        """The elements of each distinct text, as kernels take them.

        Those of the last calls in this thread are at hand: another metric on the same texts, or the
        same references again, need no second look.
        """
        distinct = list(dict.fromkeys(texts))
        key = self.provider.signature
        if self._resolver is not None:
            key = f"{key}|{self._resolver.signature}"
        kept = _LAST.found if _LAST.key == key else {}
        missing = [text for text in distinct if text not in kept]
        if not missing:
            return {text: kept[text] for text in distinct}
        fresh = dict(zip(missing, self._cut(missing, workers), strict=True))
        found = {text: fresh[text] if text in fresh else kept[text] for text in distinct}
        if kept and len(kept) + len(fresh) <= _MOST_KEPT:
            kept.update(fresh)
        elif len(found) <= _MOST_KEPT:
            _LAST.key, _LAST.found, _LAST.lists = key, dict(found), {}
        return found

    def _cut(self, texts: Sequence[str], workers: int) -> list[Elements]:
        """The elements of texts that are parsed now, or were by an earlier run."""
        from summeval.elements.extraction import cut_documents

        documents, chains = self.documents(texts, workers)
        return cut_documents(documents, chains=chains, workers=workers)

    def documents(
        self, texts: Sequence[str], workers: int = 1
    ) -> tuple[list[Document], list[Chains] | None]:
        """The annotated texts, and the chains of each if coreference is asked for."""
        from summeval.annotate import annotate

        found = annotate(texts, self.provider, workers=workers, cache=self._cache)
        documents = [document for document in found if document is not None]
        if self._resolver is None:
            return documents, None
        from summeval.annotate.coreference import chains_of

        return documents, [chains_of(document, self._resolver) for document in documents]

    def parse_rows(
        self,
        candidates: Sequence[str | None],
        references: Sequence[Sequence[str | None] | None],
        workers: int = 1,
    ) -> list[ReadRow[list[Element]]]:
        """The elements of the candidate and the references of each row, in the case they have."""
        rows = [
            one_case(self.case, [candidate, *(text for text in of or () if text is not None)])
            for candidate, of in zip(candidates, references, strict=True)
        ]
        texts = [text for row in rows for text in row if text is not None]
        found = self.parse(texts, workers)
        return [
            (
                None if own is None else found[own],
                [found[text] for text in others if text is not None],
            )
            for own, *others in rows
        ]


def parsed_runner(
    metric: Metric,
    parser: Parser,
    read: Callable[[Elements], Read],
    rows: Rows[Read],
    values: Values[Read] | None = None,
) -> Runner:
    """A `ParsedRunner` that gets the texts in the case that the parser was made for."""
    return cased(ParsedRunner(metric, parser, read, rows, values), parser.case)


class ParsedRunner(Generic[Read]):
    """Runs a metric on elements of texts, which are parsed as they stand.

    Parameters
    ----------
    metric : Metric
        Whose name and fields the scores have.
    parser : Parser
    read : callable
        What the metric makes of the elements of a text, once for each distinct text.
    rows : callable
        Of rows (candidate, references) that were read, None for no candidate, and a number of
        workers: a Score for each.
    values : callable, optional
        Of the same: the values of the only field, where that is faster than scores.
    """

    def __init__(
        self,
        metric: Metric,
        parser: Parser,
        read: Callable[[Elements], Read],
        rows: Rows[Read],
        values: Values[Read] | None = None,
    ) -> None:
        self._name = metric.name
        self._fields = metric.fields
        self._parser = parser
        self._read = read
        self._rows = rows
        self._values = values

    def run_pair(self, candidate: str | None, references: Any) -> dict[str, Score]:
        given = given_texts(references)
        columns.check_text(candidate, "candidate")
        found = self.read([*given, *([] if candidate is None else [candidate])])
        own = None if candidate is None else found[candidate]
        (score,) = self._rows([(own, [found[text] for text in given])], 1)
        return {self._name: score}

    def run_rows(
        self, candidates: columns.TextColumn, references: columns.TextColumn, workers: int
    ) -> NDArray[float64]:
        left, right = candidates.to_list(), references.to_list()
        given = [[text for text in texts or () if text is not None] for texts in right]
        texts = [text for text in left if text is not None]
        found = self.read((*texts, *(text for row in given for text in row)), workers)
        rows = [
            (None if text is None else found[text], [found[one] for one in others])
            for text, others in zip(left, given, strict=True)
        ]
        return self.table(rows, workers)

    def prepare(self, references: Any) -> PreparedParsed[Read]:
        given = given_texts(references)
        found = self.read(given)
        return PreparedParsed(self, [found[text] for text in given])

    def read(self, texts: Iterable[str], workers: int = 1) -> dict[str, Read]:
        """What the metric makes of each distinct text."""
        found = self._parser.cut(texts, workers)
        return {text: self._read(elements) for text, elements in found.items()}

    def table(self, rows: Sequence[ReadRow[Read]], workers: int) -> NDArray[float64]:
        """The scores of rows as [metric, field, row], of one metric."""
        if self._values is None:
            return block_of(self._rows(rows, workers), self._fields)
        import numpy as np

        return np.array(self._values(rows, workers), dtype=np.float64).reshape(1, 1, -1)


def given_texts(references: Any) -> list[str]:
    """The references of one candidate that are not None, as a str or a sequence has them."""
    return [text for text in texts_of(references) if text is not None]


class PreparedParsed(Generic[Read]):
    """References that were parsed and read."""

    def __init__(self, runner: ParsedRunner[Read], references: Sequence[Read]) -> None:
        self._runner = runner
        self._references = references

    def run_pair(self, candidate: str | None) -> dict[str, Score]:
        columns.check_text(candidate, "candidate")
        own = None if candidate is None else self._runner.read([candidate])[candidate]
        (score,) = self._runner._rows([(own, self._references)], 1)
        return {self._runner._name: score}

    def run_rows(self, candidates: columns.TextColumn, workers: int) -> NDArray[float64]:
        texts = candidates.to_list()
        found = self._runner.read([text for text in texts if text is not None], workers)
        rows = [(None if text is None else found[text], self._references) for text in texts]
        return self._runner.table(rows, workers)
