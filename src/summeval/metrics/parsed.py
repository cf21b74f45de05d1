"""Texts parsed for metrics, each distinct text once: their Basic Elements, their discourse."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from threading import local
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from summeval._options import Option
from summeval.metrics.run.base import Metric
from summeval.metrics.run.runner import Runner, one_case
from summeval.metrics.run.signature import label_of

if TYPE_CHECKING:
    from summeval._core.elements.extraction import Elements
    from summeval.annotate import Document, Provider
    from summeval.annotate.coreference import Chains, Resolver
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.annotate.discourse.parser import Related
    from summeval.elements.elements import Element

    FindRelations = Callable[[Document], DiscourseDocument]

Read = TypeVar("Read")
ReadRow = tuple[Read | None, Sequence[Read]]
Texts = Sequence[str | None]
COREFERENCE = Option("coreference", None, (None, "simple"), "any")
_MOST_KEPT = 8192  # texts; what is kept of one takes a few kB


class Last(local, Generic[Read]):
    """What this thread read last of texts, by what read them.

    Another metric on the same texts, or the same references again, need no second look.
    """

    def __init__(self) -> None:
        self.reader: object = None
        self.found: dict[str, Read] = {}

    def read(
        self, reader: object, texts: Iterable[str], make: Callable[[list[str]], Sequence[Read]]
    ) -> dict[str, Read]:
        """Return what a reader makes of each distinct text; `make` is asked for those not kept."""
        if self.reader != reader:
            self.reader, self.found = reader, {}
        kept, distinct = self.found, dict.fromkeys(texts)
        missing = [text for text in distinct if text not in kept]
        if not missing:
            return {text: kept[text] for text in distinct}
        fresh = dict(zip(missing, make(missing), strict=True))
        found = {text: fresh[text] if text in fresh else kept[text] for text in distinct}
        for text in missing[-_MOST_KEPT:]:
            kept[text] = fresh[text]
        for text in list(islice(kept, max(0, len(kept) - _MOST_KEPT))):
            del kept[text]
        return found


class TextParser:
    """What annotates the texts of a metric.

    Parameters
    ----------
    provider : str or Provider
        See `summeval.annotate.provider`.
    cache : bool
        Whether parses are kept on disk.
    asking_for : collection of str
        What the metric reads of a parse, as in `summeval.annotate.annotate`.

    Attributes
    ----------
    asking_for : set of str
        Parsers in one suite ask for what any of them reads, so that a text is parsed once.
    """

    def __init__(self, provider: str | Provider, cache: bool, asking_for: Collection[str]) -> None:
        self.given = provider
        self.asking_for = {*asking_for}
        self._cache = cache
        self._opened: Provider | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": None}

    @property
    def provider(self) -> Provider:
        """The parser; made when it is first asked for."""
        from summeval.annotate import provider
        from summeval.annotate.cache import largest_size

        if self._cache:
            largest_size()  # raised where every text is at hand, too
        if self._opened is None:
            self._opened = provider(self.given)
        return self._opened

    def annotate(self, texts: Sequence[str], workers: int = 1) -> list[Document]:
        """Return the parses of texts."""
        from summeval.annotate import annotate

        found = annotate(
            texts, self.provider, workers=workers, cache=self._cache, asking_for=self.asking_for
        )
        return [document for document in found if document is not None]


_CUT: Last[Elements] = Last()
_RELATED: Last[Related] = Last()


class Parser(TextParser):
    """Texts to Basic Elements: what annotates them, and the rules that cut them.

    Of the options of a metric `parser`, `case`, `cache`, `coreference` and `label`.
    """

    def __init__(self, metric: Any) -> None:
        super().__init__(metric.parser, metric.cache, ("entities", "lemmas"))
        self._resolver: Resolver | None = None
        given = metric.coreference
        if given is not None:
            from summeval.annotate.coreference import resolver

            called = callable(given) and not hasattr(given, "chains")
            self._resolver = resolver(given, label_of(given, metric.label) if called else "")
        self.case: str = metric.case

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The treatment of case; program, model and versions, known without loading; the rules.

        Then what finds coreference, if anything does.
        """
        settings = (("case", self.case), ("parser", self.provider.signature), ("rules", "auto"))
        if self._resolver is None:
            return settings
        return (*settings, ("coreference", self._resolver.signature))

    def parse(self, texts: Iterable[str], workers: int = 1) -> dict[str, list[Element]]:
        """Return the elements of each distinct text."""
        from summeval.elements.elements import Element

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
        self, candidates: Texts, references: Sequence[Texts | None], workers: int = 1
    ) -> list[ReadRow[list[Element]]]:
        """The elements of the candidate and the references of each row, in the case they have."""
        rows = [
            one_case(self.case, [candidate, *(text for text in of or () if text is not None)])
            for candidate, of in zip(candidates, references, strict=True)
        ]
        texts = [text for row in rows for text in row if text is not None]
        found = self.parse(texts, workers)
        read = [[None if text is None else found[text] for text in row] for row in rows]
        return [(own, [one for one in others if one is not None]) for own, *others in read]

    def runner(
        self, metric: Metric, read: Callable[[Elements], Read], compare: Any, **more: Any
    ) -> Runner[Read]:
        """Return the runner of a metric that compares what `read` makes of the elements."""

        def read_all(places: Mapping[str, str], workers: int) -> list[Read]:
            return [read(elements) for elements in self.cut(places, workers).values()]

        return Runner(metric, read_all, compare, case=self.case, width=1 << 30, **more)


class DiscourseParser(TextParser):
    """A parser of texts and a parser of discourse relations.

    Parameters
    ----------
    provider, cache
        As of `TextParser`.
    relations : callable, optional
        Of a Document, its DiscourseDocument, from all that a provider may tell;
        `summeval.annotate.discourse.parse` by default.
    label : str, optional
        A name for a `relations` callable that cannot be imported by name.
    """

    def __init__(
        self, provider: Any, relations: FindRelations | None, cache: bool, label: str | None
    ) -> None:
        super().__init__(provider, cache, () if relations is None else ("entities", "lemmas"))
        self._relations = relations
        self._label = None if relations is None else label_of(relations, label)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Program, models and versions."""
        from summeval.annotate.discourse import parser

        relations = self._label or parser.default().signature
        return (("parser", self.provider.signature), ("relations", relations))

    @property
    def is_own(self) -> bool:
        """Whether the package's parser finds the relations."""
        return self._relations is None

    def read(self, texts: Sequence[str], workers: int = 1) -> list[Related]:
        """Return the parses of texts with the relations that the package's parser finds."""
        from summeval.annotate.discourse.parser import related

        provider = self.provider
        given = None if isinstance(self.given, str) else provider
        reader = provider.signature, frozenset(self.asking_for), given
        found = _RELATED.read(
            reader, texts, lambda missing: related(self.annotate(missing, workers), workers)
        )
        return [found[text] for text in texts]

    def parse(self, texts: Sequence[str], workers: int = 1) -> list[DiscourseDocument]:
        """Return the documents of texts, with relations."""
        if self._relations is None:
            return [each.with_relations() for each in self.read(texts, workers)]
        return [self._relations(document) for document in self.annotate(texts, workers)]


def forms_of(document: DiscourseDocument | Document) -> Iterator[str]:
    """Return the tokens of a text, without their tags."""
    for sentence in document.sentences:
        if isinstance(sentence, tuple):
            yield from (form for form, _ in sentence)
        else:
            yield from (token.form for token in sentence.tokens)
