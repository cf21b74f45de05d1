"""Metrics on Basic Elements of texts: each distinct text is parsed once, whoever holds it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from summeval._core.rows.record import Score
from summeval._options import Option
from summeval.elements.elements import Element
from summeval.metrics.option_groups import CASE
from summeval.metrics.parsed import Last, TextParser
from summeval.metrics.run.base import Metric
from summeval.metrics.run.runner import Runner, one_case
from summeval.metrics.run.signature import label as label_of

if TYPE_CHECKING:
    from summeval._core.elements.extraction import Elements
    from summeval.annotate import Document, Provider
    from summeval.annotate.coreference import Chains, Resolver

Read = TypeVar("Read")
ReadRow = tuple[Read | None, Sequence[Read]]
Rows = Sequence[tuple[Read, Sequence[Read]]]
COREFERENCE = Option("coreference", None, (None, "simple"), "any")
_CUT: Last[Elements] = Last()


class Parser(TextParser):
    """Texts to Basic Elements: what annotates them, and the rules that cut them.

    Parameters
    ----------
    provider : str or Provider
        See `summeval.annotate.provider`.
    case : {"keep", "lower", "auto"}
        What becomes of capitals before parsing; see `summeval.metrics.run.runner`.
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
        super().__init__(provider, cache, ("entities", "lemmas"))
        self._resolver: Resolver | None = None
        if coreference is not None:
            from summeval.annotate.coreference import resolver

            called = callable(coreference) and not hasattr(coreference, "chains")
            told = label_of(coreference, label) if called else ""
            self._resolver = resolver(coreference, told)
        self.case: str = CASE.check(case)

    @classmethod
    def of(cls, metric: Any) -> Parser:
        """Return the parser that the options of a metric ask for."""
        names = ("case", "cache", "coreference", "label")
        return cls(metric.parser, **{name: getattr(metric, name) for name in names})

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The treatment of case; program, model and versions, known without loading; the rules.

        Then what finds coreference, if anything does.
        """
        told = (("case", self.case), ("parser", self.provider.signature), ("rules", "auto"))
        if self._resolver is None:
            return told
        return (*told, ("coreference", self._resolver.signature))

    def parse(self, texts: Iterable[str], workers: int = 1) -> dict[str, list[Element]]:
        """Return the elements of each distinct text."""
        found = self.cut(texts, workers).items()
        return {text: [Element(*row) for row in elements.rows()] for text, elements in found}

    def cut(self, texts: Iterable[str], workers: int = 1) -> dict[str, Elements]:
        """Return the elements of each distinct text, as kernels take them."""
        key = self.provider.signature
        if self._resolver is not None:
            key = f"{key}|{self._resolver.signature}"
        return _CUT.read(key, texts, lambda missing: self._cut(missing, workers))

    def _cut(self, texts: Sequence[str], workers: int) -> list[Elements]:
        """Return the elements of texts that are parsed now, or were by an earlier run."""
        from summeval.elements.extraction import cut_documents

        documents, chains = self.documents(texts, workers)
        return cut_documents(documents, chains=chains, workers=workers)

    def documents(
        self, texts: Sequence[str], workers: int = 1
    ) -> tuple[list[Document], list[Chains] | None]:
        """Return the annotated texts, and the chains of each if coreference is asked for."""
        documents = self.annotate(texts, workers)
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
    rows: Callable[[Rows[Read], int], Sequence[Score]],
    *,
    values: Callable[[Rows[Read], int], Sequence[float]] | None = None,
    unscored: Score | None = None,
) -> Runner[Read]:
    """Runs a metric on elements of texts, which are parsed in the case that the parser is made for.

    Parameters
    ----------
    metric : Metric
        Whose name and fields the scores have.
    parser : Parser
    read : callable
        What the metric makes of the elements of a text, once for each distinct text.
    rows : callable
        Of rows (candidate, references) that were read and a number of workers: a Score for each.
    values : callable, optional
        Of the same: the values of the only field, where that is faster than scores.
    unscored : Score, optional
        As of `Runner`.
    """

    def read_all(places: Mapping[str, str], workers: int) -> list[Read]:
        return [read(elements) for elements in parser.cut(places, workers).values()]

    def column(given: Rows[Read], workers: int) -> Any:
        assert values is not None
        return [[value] for value in values(given, workers)]

    return Runner(
        metric,
        read_all,
        rows,
        values=None if values is None else column,
        unscored=unscored,
        case=parser.case,
        width=1 << 30,
    )
