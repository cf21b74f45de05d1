"""Document files: JSON Lines, CoNLL-U and trees; a provider that looks documents up in one.

In JSON a document is one object per line, with its tokens as columns. Trees are those of the Penn
Treebank in brackets.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NoReturn

from summeval._options import shown
from summeval.annotate.conllu import DocumentReader, Place, is_new_document, read_conllu
from summeval.annotate.document import Document, Entity, Sentence, Token, head_problem

_TEXTS = ("forms", "tags", "lemmas", "labels")
_NUMBERS = ("heads", "starts", "ends")
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_SHOWN = 40
_PIECE = re.compile(r"[()]|[^\s()]+")
_TRACE = "-NONE-"

MOST_DEPTH = 250
"""Maximum nesting of trees, so that code may walk them recursively."""


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
    open_text = gzip.open if name.lower().endswith(".gz") else open
    with reading(name), open_text(name, "rt", encoding="utf-8", newline="\n") as file:
        if plain.endswith(".conllu"):
            yield from read_conllu(file, name)
        elif plain.endswith(".trees"):
            yield from read_trees(file, name)
        else:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield from_json(line, f"{name}:{number}")


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Raise `ValueError`, naming the file, where it is not UTF-8 or its compression is damaged."""
    try:
        yield
    except UnicodeDecodeError:
        raise ValueError(f"{name}: invalid UTF-8; convert the file to UTF-8") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(f"{name}: damaged gzip data ({error}); write it again") from None


def beginning(text: str) -> str:
    """Return the beginning of a text, as messages show it."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


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
        self._documents: dict[str, Document] = {}
        for document in read_documents(path):
            if document.sentences and not document.text:
                raise ValueError(
                    f"{path}: a document has no text; use a file written by summeval annotate"
                )
            self._documents[document.text] = document
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8))
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
                case = ", with the --case of the metric" if text.islower() else ""
                raise ValueError(
                    f"{self._path}: no annotation of the text {beginning(text)}; run summeval"
                    f" annotate on the same rows{case}"
                )
            yield self._documents[text]


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
    stored: dict[str, Any] = {"text": document.text, "provider": document.provider}
    stored["sentences"] = [_sentence(sentence) for sentence in document.sentences]
    stored["entities"] = [[one.label, one.first, one.last] for one in document.entities]
    return _encode(stored)


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
    sentences = _each(_read_sentence, value, "sentences", place)
    entities = _each(_read_entity, value, "entities", place)
    text = _field(value, "text", str, place)
    try:
        return Document(sentences, entities, text, _field(value, "provider", str, place))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _each(read: Callable[[Any, str], Any], value: Any, name: str, place: str) -> tuple[Any, ...]:
    items = enumerate(_field(value, name, list, place))
    return tuple(read(item, f"{place}: {name}[{number}]") for number, item in items)


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


@dataclass(frozen=True, slots=True)
class Tree:
    """A node: a category with children, or a part of speech with a word.

    >>> str(Tree("NP", (Tree("DT", word="the"), Tree("NN", word="cat"))))
    '(NP (DT the) (NN cat))'
    """

    label: str
    children: tuple[Tree, ...] = ()
    word: str | None = None

    def leaves(self) -> Iterator[Tree]:
        """Yield the preterminal nodes, from left to right."""
        if self.word is not None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def __str__(self) -> str:
        inside = self.word if self.word is not None else " ".join(map(str, self.children))
        return f"({self.label} {inside})"


@dataclass
class _Open:
    """A node with a bracket still open."""

    place: Place
    label: str | None = None
    word: str | None = None
    children: list[Tree] = field(default_factory=list)
    empty: bool = True


class _Builder:
    """Takes tokens one by one and returns each tree when it is closed."""

    def __init__(self) -> None:
        self.stack: list[_Open] = []

    def take(self, piece: str, place: Place) -> Tree | None:
        """Return the tree that the piece closes; a tree of traces alone has the label -NONE-."""
        if piece == "(":
            self._open(place)
            return None
        if not self.stack and piece == ")":
            raise place.error("this bracket closes nothing", "remove it, or add the missing (")
        if not self.stack:
            raise place.error(f"{shown(piece)} stands outside a tree", "write bracketed trees")
        if piece == ")":
            return self._close()
        node = self.stack[-1]
        if node.label is None and node.empty:
            node.label = piece
        elif node.word is None and node.empty:
            node.word = piece
            node.empty = False
        else:
            raise place.error(
                f"{shown(piece)} stands beside another word or bracket",
                "give each word a bracket of its own, with its part of speech",
            )
        return None

    def read(self, line: str, name: str, number: int) -> Iterator[Tree]:
        """Yield the trees that a line closes."""
        for match in _PIECE.finditer(line):
            tree = self.take(match[0], Place(name, number, match.start() + 1))
            if tree is not None:
                yield tree

    def finish(self) -> None:
        """Raise if a tree is not closed."""
        if self.stack:
            raise self.stack[-1].place.error("this bracket is never closed", "add the missing )")

    def _open(self, place: Place) -> None:
        if self.stack:
            if self.stack[-1].word is not None:
                raise place.error(
                    f"a bracket opens beside the word {shown(self.stack[-1].word)}",
                    "give each word a bracket of its own, with its part of speech",
                )
            if self.stack[-1].label is None and len(self.stack) > 1:
                raise place.error("a bracket opens where a label is expected", "write (CAT (...))")
            self.stack[-1].empty = False
        if len(self.stack) == MOST_DEPTH:
            raise place.error(f"more than {MOST_DEPTH} brackets are open", "check for a missing )")
        self.stack.append(_Open(place))

    def _close(self) -> Tree | None:
        node = self.stack.pop()
        if node.empty:
            raise node.place.error("this bracket holds no word", "write (TAG word) or (CAT (...))")
        # A node that holds only traces is removed too.
        gone = node.label == _TRACE or (node.word is None and not node.children)
        tree = Tree(_TRACE if gone else node.label or "", tuple(node.children), node.word)
        if not self.stack:
            return tree
        if not gone:
            self.stack[-1].children.append(tree)
        return None


def parse_tree(written: str, place: str = "tree") -> Tree:
    """Read one bracketed tree.

    Traces (`-NONE-`) and nodes that hold nothing else are removed.

    Raises
    ------
    ValueError
        Unbalanced brackets, a word without a tag, nesting deeper than `MOST_DEPTH`, or not exactly
        one tree. The message names `place`, line and column.

    Examples
    --------
    >>> tree = parse_tree("(S1 (S (NP (NN milk)) (VP (VBD ran) (NP (-NONE- *)))))")
    >>> str(tree)
    '(S1 (S (NP (NN milk)) (VP (VBD ran))))'
    """
    builder = _Builder()
    lines = enumerate(written.split("\n"), 1)
    found = [tree for number, line in lines for tree in builder.read(line, place, number)]
    builder.finish()
    if len(found) != 1:
        raise ValueError(f"{place}: {len(found)} trees instead of one; write exactly one")
    return found[0]


def read_trees(lines: Iterable[str], name: str = "trees") -> Iterator[Document]:
    r"""Read a file of bracketed trees: one per sentence, each on one or more lines.

    Comment lines between trees: `#ner LABEL first last` is a person (PER), organisation (ORG) or
    location (LOC) in the preceding tree, with tokens counted from 1; `# newdoc` starts another
    document; others are ignored. A file without `# newdoc` is one document.

    Raises
    ------
    ValueError
        As for `parse_tree`, or an entity out of range. The message names file, line and column.

    Examples
    --------
    >>> document, = read_trees(["(S1 (S (NP (NNP John)) (VP (VBD left))))", "#ner PER 1 1"])
    >>> [(token.form, token.tag) for token in document.sentences[0].tokens]
    [('John', 'NNP'), ('left', 'VBD')]
    >>> document.entities
    (Entity(label='PER', first=0, last=0),)
    """
    reader, builder = DocumentReader("trees"), _Builder()
    for number, line in enumerate(lines, 1):
        place = Place(name, number)
        if not builder.stack and line.lstrip().startswith("#"):
            if is_new_document(line):
                yield from reader.end(place)
            else:
                reader.comment(line, place)
            continue
        for tree in builder.read(line, name, number):
            if tree.label != _TRACE:
                tokens = tuple(Token(leaf.word or "", leaf.label) for leaf in tree.leaves())
                reader.add(tokens, str(tree))
    builder.finish()
    yield from reader.end(Place(name, 1))
