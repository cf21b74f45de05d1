"""Comment lines common to tree files and CoNLL-U files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from summeval._options import shown
from summeval.annotate.document import ENTITY_LABELS, Document, Entity, Sentence

_NEW_DOCUMENT = re.compile(r"\s*#\s*newdoc\b")
_FIELD = re.compile(r"\s*#\s*(provider|document_text)\s*=\s*(.*\S)\s*")
_NER = re.compile(r"\s*#ner\b(.*)")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: line and column from 1; 0 for no column."""

    name: str
    line: int
    column: int = 0

    def error(self, problem: str, mend: str) -> ValueError:
        """Return the error for this place, as one line."""
        where = f"{self.name}:{self.line}" + (f":{self.column}" if self.column else "")
        return ValueError(f"{where}: {problem}; {mend}")


class Header:
    """What the comments state about a document: its text and its provider."""

    def __init__(self) -> None:
        self.written = False
        self._fields = {"provider": "", "document_text": ""}

    @staticmethod
    def begins(line: str) -> bool:
        """Whether a line starts a document: `# newdoc`."""
        return _NEW_DOCUMENT.match(line) is not None

    def take(self, line: str, place: Place) -> bool:
        """Read `# provider = "..."` or `# document_text = "..."`; False for other lines."""
        match = _FIELD.fullmatch(line)
        if match is None:
            return False
        try:
            value = json.loads(match[2])
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, str):
            raise place.error(f"{match[1]} is not a JSON string", "write it as one")
        self._fields[match[1]] = value
        self.written = True
        return True

    @property
    def has_text(self) -> bool:
        """Whether the comments gave the text of the document."""
        return bool(self._fields["document_text"])

    def document(
        self, sentences: Sequence[Sentence], entities: Sequence[Entity], form: str, place: Place
    ) -> Document:
        """Build the document of this header; `form` is its provider if no comment names one."""
        text, provider = self._fields["document_text"], self._fields["provider"]
        ordered = sorted(entities, key=lambda entity: (entity.first, entity.last))
        for sentence in sentences:
            for token in sentence.tokens:
                if token.end > len(text) and text:
                    raise place.error(
                        f"{shown(token.form)} ends at character {token.end} of a text that has"
                        f" {len(text)}",
                        "remove document_text, or correct TokenRange",
                    )
        return Document(tuple(sentences), tuple(ordered), text, provider or form)


def header_lines(document: Document) -> Iterator[str]:
    """The comments at the start of a document, as `Header` reads them."""
    yield "# newdoc"
    yield f"# provider = {json.dumps(document.provider, ensure_ascii=False)}"
    yield f"# document_text = {json.dumps(document.text, ensure_ascii=False)}"


def ner_line(line: str, before: int, length: int, place: Place) -> Iterator[Entity]:
    """The entity of a line `#ner LABEL first last`; None for other comments.

    Its tokens are counted from 1 in the preceding sentence, which has `length` tokens; `before`
    tokens of the document precede that sentence.
    """
    match = _NER.match(line)
    if match is None:
        return
    fields = match[1].split()
    if len(fields) != 3 or not all(re.fullmatch("[0-9]{1,9}", field) for field in fields[1:]):
        raise place.error(f"{shown(line.strip())} is not an entity", "write #ner LABEL first last")
    label, first, last = fields[0], int(fields[1]), int(fields[2])
    if label not in ENTITY_LABELS:
        raise place.error(f"unknown label {shown(label)}", f"use one of {', '.join(ENTITY_LABELS)}")
    if not 1 <= first <= last <= length:
        raise place.error(
            f"tokens {first} to {last} are outside the sentence of {length} tokens",
            "count from 1 in the sentence before this line; `last` is included",
        )
    yield Entity(label, before + first - 1, before + last - 1)
