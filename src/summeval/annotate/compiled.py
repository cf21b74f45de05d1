"""Annotation by the compiled parser: spaCy's small English model, run by our own kernels.

The file of the model has named sections, made by `ci/resources/parser_model.py`. It is
little-endian: 8 bytes of magic, then 32-bit numbers: version, CRC-32 of all that follows, number of
sections; for each section a name of 24 bytes, filled up with zeros, its size, and its size in the
file, which is less where it is deflated; the sections.
"""

from __future__ import annotations

import functools
import struct
import zlib
from collections.abc import Iterator, Sequence
from importlib.resources import files

from summeval._core.parsing.parsing import Parser
from summeval._forks import new_lock
from summeval.annotate import clean
from summeval.annotate.clean import check_lengths, clean_lines
from summeval.annotate.document import Document
from summeval.annotate.providers import MakesLess, in_parts

MAGIC, VERSION = b"summprs\0", 1
_HEADER, _ENTRY = struct.Struct("<8s3I"), struct.Struct("<24s2I")


def to_file(sections: dict[str, bytes]) -> bytes:
    """Return the bytes of a model file.

    >>> from_file(to_file({"norms": b"a" * 100, "tags": b"NN"}))["tags"]
    b'NN'
    """
    entries, stored = [], []
    for name, data in sections.items():
        if not 0 < len(name.encode("ascii")) <= 24:
            raise ValueError(f"{name!r} is no name of a section; use 1 to 24 characters")
        deflated = zlib.compress(data, 9)
        # Packed weights hardly shrink; inflating them would only cost time.
        stored.append(deflated if len(deflated) < 0.8 * len(data) else data)
        entries.append(_ENTRY.pack(name.encode("ascii"), len(data), len(stored[-1])))
    body = struct.pack("<I", len(sections)) + b"".join(entries + stored)
    return MAGIC + struct.pack("<II", VERSION, zlib.crc32(body)) + body


def from_file(data: bytes) -> dict[str, bytes]:
    """Return the sections of a model file.

    Raises
    ------
    ValueError
        The file is damaged, or of another version.
    """
    damaged = ValueError("the parser's model is damaged; install summeval again")
    if len(data) < _HEADER.size:
        raise damaged
    magic, version, checksum, count = _HEADER.unpack_from(data)
    if (magic, version) != (MAGIC, VERSION) or zlib.crc32(memoryview(data)[16:]) != checksum:
        raise damaged
    sections = {}
    at = _HEADER.size + count * _ENTRY.size
    for k in range(count):
        name, size, stored = _ENTRY.unpack_from(data, _HEADER.size + k * _ENTRY.size)
        found = data[at : at + stored]
        at += stored
        sections[name.rstrip(b"\0").decode("ascii")] = (
            found if stored == size else zlib.decompress(found, bufsize=size)
        )
    return sections


def sections() -> dict[str, bytes]:
    """Return the sections of the model that comes with the package."""
    return from_file((files(__package__) / "data" / "english.parser").read_bytes())


MODEL = "en-3.8.0"
MOST_CHARACTERS = 1_000_000
"""Of a line."""

_TOGETHER = 500_000  # characters; they and their documents are in memory at the same time
_LOADING = new_lock()


class CompiledProvider(MakesLess):
    """Annotation by the parser that comes with the package; it needs nothing installed.

    Its model is spaCy's `en_core_web_sm` 3.8.0 with weights of 12 bits, and its documents are those
    of `SpacyProvider` with that model, but for about one head in 10,000. Cleaning, offsets, tags,
    labels and entities are described there. Documents depend on the text alone, not on the machine
    or the number of threads.

    Examples
    --------
    >>> provider = CompiledProvider()
    >>> document, = provider.parse(["John Smith left Paris."])
    >>> [(token.form, token.tag, token.head, token.label) for token in document.sentences[0].tokens]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('John', 'NNP', 1, 'compound'), ('Smith', 'NNP', 2, 'nsubj'), ('left', 'VBD', -1, 'root'),
     ('Paris', 'NNP', 2, 'dobj'), ('.', '.', 2, 'punct')]
    >>> [(entity.label, entity.first, entity.last) for entity in document.entities]
    [('PER', 0, 1), ('LOC', 3, 3)]
    """

    def __init__(self, model: str | None = None) -> None:
        if model not in (None, MODEL):
            raise ValueError(f"unknown provider 'compiled:{model}'; write compiled")
        self.name = "compiled"
        self.signature = f"compiled-{MODEL}+clean:{clean.VERSION}"

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        """Yield the documents of texts, in their order, made as they are asked for.

        Raises
        ------
        ValueError
            A line is longer than 1,000,000 characters, or a document than 2^31 bytes.
        """
        return self.parse_on_threads(texts, 1)

    def parse_on_threads(self, texts: Sequence[str], workers: int) -> Iterator[Document]:
        """Yield the documents of texts as `parse` does, made by several threads without the GIL."""
        if not texts:
            return  # the model is not loaded
        with _LOADING:
            parser = _loaded()
        entities, lemmas = ("entities" in self.asked_for, "lemmas" in self.asked_for)
        for some in in_parts(texts, _TOGETHER):
            lines = [list(clean_lines(text)) for text in some]
            check_lengths(lines, MOST_CHARACTERS, "the parser")
            blocks = parser.parse(lines, entities, lemmas, workers)
            for text, block in zip(some, blocks, strict=True):
                yield Document.of_block(block, text, self.signature)


@functools.cache
def _loaded() -> Parser:
    return Parser(sections())
