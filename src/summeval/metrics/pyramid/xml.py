"""Safe parsing of the XML of Pyramid files into a tree.

Nothing is expanded and no other file is read: entity declarations and external document types are
refused. An internal document type may declare elements and attributes, as DucView's does; declared
default attributes are ignored.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from summeval.io.errors import DataError

_DEEPEST = 32


class PyramidFileError(DataError):
    """A Pyramid file that cannot be used.

    >>> str(PyramidFileError("d0801.pyr: line 7", "SCU 3 has no contributor", "remove it"))
    'd0801.pyr: line 7: SCU 3 has no contributor; remove it'
    """


@dataclass
class Node:
    """An element: its content, and the line on which it starts."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Node] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element, without that of its children."""
        return "".join(self.pieces)

    def all(self, tag: str) -> list[Node]:
        """The children of that name, in order."""
        return [child for child in self.children if child.tag == tag]


def read_tree(path: str | os.PathLike[str]) -> Node:
    """The root of an XML file.

    Raises
    ------
    PyramidFileError
        The XML is malformed or unsafe; the message names the line.
    OSError
    """
    return _Builder(os.fspath(path)).build(Path(path).read_bytes().lstrip())


class _Builder:
    """Builds the tree during parsing."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = Node("", {}, 0)
        self.open = [self.root]
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        # A long default of an attribute would otherwise be copied to each element.
        self.parser.specified_attributes = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.EntityDeclHandler = self.refuse_entity
        self.parser.SkippedEntityHandler = self.refuse_entity

    def build(self, data: bytes) -> Node:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.errors.messages[error.code]
            place = f"{self.path}: line {error.lineno}"
            raise PyramidFileError(place, f"not XML: {reason}", "correct it there") from None
        except PyramidFileError:
            raise
        except (LookupError, ValueError):  # an encoding that Python lacks or expat cannot use
            raise self.fail("unknown encoding", "convert the file to UTF-8") from None
        return self.root.children[0]

    def fail(self, problem: str, mend: str) -> PyramidFileError:
        return PyramidFileError(f"{self.path}: line {self.parser.CurrentLineNumber}", problem, mend)

    def doctype(self, name: str, system: str | None, public: str | None, inside: bool) -> None:
        if system is not None or public is not None:
            raise self.fail("it uses an external document type", "remove the DOCTYPE")

    def refuse_entity(self, name: str, *_: object) -> None:
        raise self.fail(f"entity {name!r} is declared or used", "write its text in its place")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self.open) > _DEEPEST:
            raise self.fail(f"elements nested more than {_DEEPEST} deep", "check the file")
        node = Node(tag, attributes, self.parser.CurrentLineNumber)
        self.open[-1].children.append(node)
        self.open.append(node)

    def end(self, tag: str) -> None:
        self.open.pop()

    def characters(self, text: str) -> None:
        self.open[-1].pieces.append(text)
