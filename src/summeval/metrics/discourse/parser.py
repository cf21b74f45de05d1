"""Parse texts to documents with discourse relations, for discourse metrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from summeval._options import checked
from summeval.metrics.option_groups import CACHE, RELATIONS
from summeval.metrics.run.callables import label

if TYPE_CHECKING:
    from summeval.annotate import Document, Provider
    from summeval.annotate.discourse import DiscourseDocument

    FindRelations = Callable[[Document], DiscourseDocument]


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
        A name for a `relations` callable that cannot be identified.
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
        self._provider, self._relations, self._cache = provider, relations, chosen["cache"]
        self.given = provider
        self.asking_for = {"entities", "lemmas"} if relations is not None else {*asking_for}
        self._label = None if relations is None else label("relations", relations, named)

    @property
    def options(self) -> tuple[tuple[str, str], ...]:
        """Program, models and versions."""
        from summeval.annotate import provider
        from summeval.annotate.discourse import model

        relations = self._label or model.default().signature
        return (("parser", provider(self._provider).signature), ("relations", relations))

    def annotate(self, texts: Sequence[str], workers: int = 1) -> list[Document]:
        """The parses of texts."""
        from summeval.annotate import annotate

        found = annotate(
            texts,
            self._provider,
            workers=workers,
            cache=self._cache,
            asking_for=self.asking_for,
        )
        return [document for document in found if document is not None]

    def relate(self, document: Document) -> DiscourseDocument:
        """A parse with its relations."""
        from summeval.annotate.discourse import parse

        return parse(document) if self._relations is None else self._relations(document)

    def parse(self, texts: Sequence[str], workers: int = 1) -> list[DiscourseDocument]:
        """The documents of texts, with relations."""
        return [self.relate(document) for document in self.annotate(texts, workers)]


def forms_of(document: DiscourseDocument | Document) -> Iterator[str]:
    """The tokens of a text, without their tags."""
    for sentence in document.sentences:
        if isinstance(sentence, tuple):
            yield from (form for form, _ in sentence)
        else:
            yield from (token.form for token in sentence.tokens)
