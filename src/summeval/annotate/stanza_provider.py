"""Annotation by Stanza (optional dependency)."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Iterator, Sequence
from typing import Any

from summeval.annotate import clean
from summeval.annotate.clean import Cleaned, clean_lines
from summeval.annotate.document import Document, Entity, Sentence, Token
from summeval.annotate.spacy_provider import ONTONOTES_LABELS

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse,ner"
_TREES = "trees"


class StanzaProvider:
    """Annotation by Stanza's English models; labels are Universal Dependencies in lower case.

    Lines and offsets are handled as in `SpacyProvider`. Source: Qi et al., Stanza: a Python natural
    language processing toolkit for many human languages, ACL 2020 demonstrations.

    Parameters
    ----------
    what : "trees", optional
        Also produce bracketed trees.

    Raises
    ------
    ImportError
        Stanza or its models are not installed; the message says how to install them.
    ValueError
        Another value of `what`.
    """

    def __init__(self, what: str | None = None) -> None:
        if what not in (None, _TREES):
            raise ValueError(f"unknown provider 'stanza:{what}'; write stanza or stanza:{_TREES}")
        try:
            version = importlib.metadata.version("stanza")
        except importlib.metadata.PackageNotFoundError:
            raise ImportError("Stanza is not installed; pip install stanza") from None
        self._has_trees = what == _TREES
        self.name = "stanza" + (f":{what}" if what else "")
        self.signature = f"{self.name}:{version}+clean:{clean.VERSION}"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """Yield the documents of texts, in their order, made as they are asked for."""
        if not texts:
            return  # the models are not loaded
        nlp = _load(self._has_trees)
        for text in texts:
            sentences: list[Sentence] = []
            entities: list[Entity] = []
            before = 0
            for offset, line in clean_lines(text):
                parsed = nlp(line.text)
                spans: list[tuple[int, int]] = []
                for sentence in parsed.sentences:
                    tokens, found = _tokens(sentence, line, offset)
                    tree = str(sentence.constituency) if self._has_trees else None
                    sentences.append(Sentence(tokens, tree))
                    spans += found
                entities += _entities(parsed.ents, spans, before)
                before += len(spans)
            yield Document(tuple(sentences), tuple(entities), text, self.signature)


@functools.cache
def _load(has_trees: bool) -> Any:
    import stanza

    processors = _PROCESSORS + (",constituency" if has_trees else "")
    try:
        # Never download anything without being asked.
        return stanza.Pipeline("en", processors=processors, download_method=None, verbose=False)
    except FileNotFoundError:
        raise ImportError(
            "Stanza's English models are not installed; python -c"
            " \"import stanza; stanza.download('en')\""
        ) from None


def _tokens(
    sentence: Any, line: Cleaned, offset: int
) -> tuple[tuple[Token, ...], list[tuple[int, int]]]:
    """Return the words of a sentence, each with its span in the cleaned line."""
    tokens, spans = [], []
    for word in sentence.words:
        # A word of a multiword token may have no span of its own.
        owner = word if word.start_char is not None else word.parent
        spans.append((owner.start_char, owner.end_char))
        start, end = line.span(*spans[-1])
        tokens.append(
            Token(
                form=word.text,
                tag=word.xpos or "",
                lemma=word.lemma or "",
                head=word.head - 1,
                label=word.deprel.lower(),
                start=offset + start,
                end=offset + end,
            )
        )
    return tuple(tokens), spans


def _entities(found: Any, spans: list[tuple[int, int]], before: int) -> Iterator[Entity]:
    for entity in found:
        label = ONTONOTES_LABELS.get(entity.type)
        inside = [
            number
            for number, (start, end) in enumerate(spans, before)
            if start < entity.end_char and entity.start_char < end
        ]
        if label and inside:
            yield Entity(label, inside[0], inside[-1])
