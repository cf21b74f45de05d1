"""Parse texts to documents with discourse relations, for discourse metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from threading import local
from typing import TYPE_CHECKING, Any

from summeval._options import checked
from summeval.metrics.option_groups import CACHE, RELATIONS
from summeval.metrics.run.signature import label

if TYPE_CHECKING:
    from summeval.annotate import Document, Provider
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.annotate.discourse.parser import Related

    FindRelations = Callable[[Document], DiscourseDocument]

_MOST_KEPT = 8192  # texts; what is kept of one takes a few kB


class _Kept(local):
    """The texts that this thread parsed last, by what parsed them."""

    told: tuple[str, frozenset[str]] | None = None  # signature of the provider; what was asked for
    given: object = None  # the provider itself, if it has no name
    found: dict[str, Related] = {}  # noqa: RUF012 - replaced where it is filled for another parser


_KEPT = _Kept()


class DiscourseParser:
    """A parser of texts and a parser of discourse relations.

    Parameters
    ----------
    provider : str or Provider
        See `summeval.annotate.provider`.
    relations : callable, optional
        Of a Document, its DiscourseDocument; `summeval.annotate.discourse.parse` by default.
    cache : bool
        Whether parses are kept on disk.
    named : str, optional
        A name for a `relations` callable that cannot be imported by name.
    asking_for : collection of str
        What the metric reads of a parse, as in `summeval.annotate.annotate`; everything with a
        `relations` callable.

    Attributes
    ----------
    asking_for : set of str
        Parsers in one suite ask for what any of them reads, so that a text is parsed once.
    """

    def __init__(
        self,
        provider: str | Provider,
        relations: FindRelations | None,
        *,
        cache: bool,
        named: str | None = None,
        asking_for: Collection[str] = ("entities", "lemmas"),
    ) -> None:
        chosen = checked((RELATIONS, CACHE), locals())
        self._relations, self._cache = relations, chosen["cache"]
        self.given = provider
        self.asking_for = {"entities", "lemmas"} if relations is not None else {*asking_for}
        self._label = None if relations is None else label(relations, named)
        self._opened: Provider | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_opened": None}

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Program, models and versions."""
        from summeval.annotate.discourse import parser

        relations = self._label or parser.default().signature
        return (("parser", self.provider.signature), ("relations", relations))

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

    @property
    def is_own(self) -> bool:
        """Whether the package's parser finds the relations."""
        return self._relations is None

    def read(self, texts: Sequence[str], workers: int = 1) -> list[Related]:
        """Return the parses of texts with the relations that the package's parser finds.

        Those that this thread parsed last are at hand: another metric on the same texts, or the
        same text again, need no second look.
        """
        from summeval.annotate.discourse.parser import related

        provider = self.provider
        told = provider.signature, frozenset(self.asking_for)
        given = None if isinstance(self.given, str) else provider
        if _KEPT.told != told or _KEPT.given is not given:
            _KEPT.told, _KEPT.given, _KEPT.found = told, given, {}
        kept = _KEPT.found
        missing = [text for text in dict.fromkeys(texts) if text not in kept]
        fresh = dict(zip(missing, related(self.annotate(missing, workers), workers), strict=True))
        found = [fresh[text] if text in fresh else kept[text] for text in texts]
        for text in missing[-_MOST_KEPT:]:
            kept[text] = fresh[text]
        for text in list(islice(kept, max(0, len(kept) - _MOST_KEPT))):
            del kept[text]
        return found

    def relate_all(
        self, documents: Iterable[Document], workers: int = 1
    ) -> list[DiscourseDocument]:
        """Parses with their relations."""
        if self._relations is not None:
            return [self._relations(document) for document in documents]
        from summeval.annotate.discourse.parser import related

        return [each.with_relations() for each in related(list(documents), workers)]

    def parse(self, texts: Sequence[str], workers: int = 1) -> list[DiscourseDocument]:
        """Return the documents of texts, with relations."""
        return self.relate_all(self.annotate(texts, workers), workers)


def forms_of(document: DiscourseDocument | Document) -> Iterator[str]:
    """Return the tokens of a text, without their tags."""
    for sentence in document.sentences:
        if isinstance(sentence, tuple):
            yield from (form for form, _ in sentence)
        else:
            yield from (token.form for token in sentence.tokens)
