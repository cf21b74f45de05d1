"""Document files: JSON Lines, CoNLL-U and trees; a provider that looks documents up in one.

In JSON a document is one object per line, with its tokens as columns.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
import zlib
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import IO, Any, NoReturn

from summeval.annotate.conllu import read_conllu
from summeval.annotate.document import Document, Entity, Sentence, Token, head_problem
from summeval.annotate.trees import read_trees

_TEXTS = ("forms", "tags", "lemmas", "labels")
_NUMBERS = ("heads", "starts", "ends")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SHOWN = 40


def read_documents(path: str | os.PathLike[str]) -> Iterator[Document]:
    """Yield the documents of a .jsonl, .conllu or .trees file, which may end in .gz.

    Raises
    ------
    ValueError
        Not a valid document (the message names file, line and column), or another extension.
    OSError
    """
    name = os.fspath(path)
    plain = name.lower().removesuffix(".gz")
    if not plain.endswith((".jsonl", ".conllu", ".trees")):
        raise ValueError(f"{name}: unknown extension; use .jsonl, .conllu or .trees")
    with _open(name) as file:
        try:
            if plain.endswith(".conllu"):
                yield from read_conllu(file, name)
            elif plain.endswith(".trees"):
                yield from read_trees(file, name)
            else:
                for number, line in enumerate(file, 1):
                    if line.strip():
                        yield from_json(line, f"{name}:{number}")
        except UnicodeDecodeError:
            raise ValueError(f"{name}: invalid UTF-8; convert the file to UTF-8") from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{name}: damaged gzip data ({error}); write it again") from None


class FileProvider:
    """A provider that looks up previously annotated documents by their text.

    Parameters
    ----------
    path : str
        A file written by `summeval annotate`, or another whose documents include their text.

    Raises
    ------
    ValueError
        The file holds no documents, or a document without its text.
    OSError

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "parses.jsonl")
    ...     with open(path, "w") as file:
    ...         _ = file.write(to_json(Document(text="Yes", provider="hand")))
    ...     next(FileProvider(path).parse(["Yes"])).provider
    'hand'
    """

    def __init__(self, path: str | None) -> None:
        if path is None:
            raise ValueError("provider 'file' needs a file; write file:PATH")
        self.name = f"file:{path}"
        self._path = path
        digest = hashlib.blake2b(digest_size=8)
        self._documents: dict[str, Document] = {}
        for document in read_documents(path):
            if document.sentences and not document.text:
                raise ValueError(
                    f"{path}: a document has no text; use a file written by summeval annotate"
                )
            self._documents[document.text] = document
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
        programs = sorted({document.provider for document in self._documents.values()})
        self.signature = f"file:{digest.hexdigest()}+{'+'.join(programs)}"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """Yield the documents of texts, in their order.

        Raises
        ------
        ValueError
            The file does not contain a text.
        """
        for text in texts:
            if text not in self._documents:
                shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
                case = ", with the --case of the metric" if text.islower() else ""
                raise ValueError(
                    f"{self._path}: no annotation of the text {shown!r}; run summeval annotate on"
                    f" the same rows{case}"
                )
            yield self._documents[text]


def _open(name: str) -> IO[str]:
    if name.lower().endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8", newline="\n")
    return open(name, encoding="utf-8", newline="\n")


def to_json(document: Document) -> str:
    """Return a document as one line of JSON, which `from_json` reads.

    Examples
    --------
    >>> document = Document((Sentence((Token("Yes", "UH"),)),), text="Yes", provider="hand")
    >>> to_json(document)  # doctest: +NORMALIZE_WHITESPACE
    '{"text":"Yes","provider":"hand","sentences":[{"forms":["Yes"],"tags":["UH"],"lemmas":[""],"labels":[""],"heads":[-1],"starts":[-1],"ends":[-1]}],"entities":[]}'
    >>> from_json(to_json(document)) == document
    True
    """
    return _encode(
        {
            "text": document.text,
            "provider": document.provider,
            "sentences": [_sentence(sentence) for sentence in document.sentences],
            "entities": [[entity.label, entity.first, entity.last] for entity in document.entities],
        }
    )


def from_json(written: str, place: str = "document") -> Document:
    """Read a document that `to_json` wrote.

    Raises
    ------
    ValueError
        Not such a document: invalid JSON, a missing field or one of another type, columns of
        different lengths, heads or entities out of range, or a cycle of heads. The message names
        `place`.
    """
    try:
        value = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{place}: not JSON ({error}); create it with summeval annotate or to_json"
        ) from None
    if not isinstance(value, dict):
        _fail(place, "not a JSON object")
    sentences = tuple(
        _read_sentence(item, f"{place}: sentences[{number}]")
        for number, item in enumerate(_field(value, "sentences", list, place))
    )
    entities = tuple(
        _read_entity(item, f"{place}: entities[{number}]")
        for number, item in enumerate(_field(value, "entities", list, place))
    )
    text = _field(value, "text", str, place)
    try:
        return Document(sentences, entities, text, _field(value, "provider", str, place))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _sentence(sentence: Sentence) -> dict[str, Any]:
    columns: dict[str, Any] = {
        name: [*map(attrgetter(name[:-1]), sentence.tokens)] for name in (*_TEXTS, *_NUMBERS)
    }
    return columns if sentence.tree is None else {**columns, "tree": sentence.tree}


def _read_sentence(value: Any, place: str) -> Sentence:
    if not isinstance(value, dict):
        _fail(place, "not a JSON object")
    columns = {name: _column(value, name, str, place) for name in _TEXTS}
    columns |= {name: _column(value, name, int, place) for name in _NUMBERS}
    if len({len(column) for column in columns.values()}) != 1:
        _fail(place, "the columns differ in length")
    found = head_problem(columns["heads"])
    if found:
        _fail(place, f"token {found[0] + 1}: {found[1]}")
    for name in ("tags", "labels"):  # few distinct values: shared
        columns[name] = list(map(sys.intern, columns[name]))
    tree = value.get("tree")
    if tree is not None and not isinstance(tree, str):
        _fail(place, "'tree' is not a string")
    order = ("forms", "tags", "lemmas", "heads", "labels", "starts", "ends")
    return Sentence(tuple(map(Token, *(columns[name] for name in order))), tree)


def _read_entity(value: Any, place: str) -> Entity:
    if not isinstance(value, list) or [type(item) for item in value] != [str, int, int]:
        _fail(place, "not [label, first token, last token]")
    return Entity(*value)


def _column(value: dict[str, Any], name: str, kind: type, place: str) -> list[Any]:
    column: list[Any] = _field(value, name, list, place)
    if not set(map(type, column)) <= {kind}:
        _fail(place, f"{name!r} may hold only {'strings' if kind is str else 'whole numbers'}")
    return column


def _field(value: dict[str, Any], name: str, kind: type, place: str) -> Any:
    if not isinstance(value.get(name), kind):
        _fail(place, f"{name!r} is missing or not a {'list' if kind is list else 'string'}")
    return value[name]


def _fail(place: str, problem: str) -> NoReturn:
    raise ValueError(f"{place}: {problem}; create it with summeval annotate or to_json")
