"""Document files, and a provider that looks documents up in one."""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from typing import IO

from summeval.annotate.conllu import read_conllu
from summeval.annotate.document import Document
from summeval.annotate.serial import from_json
from summeval.annotate.trees import read_trees

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
    >>> from summeval.annotate.serial import to_json
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
