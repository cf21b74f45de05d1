"""The comment lines that files of trees and of CoNLL-U share."""

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
        """The error of what stands there, one line."""
        where = f"{self.name}:{self.line}" + (f":{self.column}" if self.column else "")
        return ValueError(f"{where}: {problem}; {mend}")


class Header:
    """What comments tell about a document: its text and what annotated it."""

    def __init__(self) -> None:
        self.written = False
        self._fields = {"provider": "", "document_text": ""}

    @staticmethod
    def begins(line: str) -> bool:
        """Whether a line begins a document: `# newdoc`."""
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
            raise place.error(f"{match[1]} is no JSON string", "write it as one")
        self._fields[match[1]] = value
        self.written = True
        return True

    @property
    def has_text(self) -> bool:
        """Whether the text of the document was among the comments."""
        return bool(self._fields["document_text"])

    def document(
        self, sentences: Sequence[Sentence], entities: Sequence[Entity], form: str, place: Place
    ) -> Document:
        """The document of this header; `form` names its provider where no comment does."""
        text, provider = self._fields["document_text"], self._fields["provider"]
        ordered = sorted(entities, key=lambda entity: (entity.first, entity.last))
        for sentence in sentences:
            for token in sentence.tokens:
                if token.end > len(text) and text:
                    raise place.error(
                        f"{shown(token.form)} ends at character {token.end} of a text that has"
                        f" {len(text)}",
                        "leave document_text out, or mend TokenRange",
                    )
        return Document(tuple(sentences), tuple(ordered), text, provider or form)


def header_lines(document: Document) -> Iterator[str]:
    """The comments that begin a document and that `Header` reads."""
    yield "# newdoc"
    yield f"# provider = {json.dumps(document.provider, ensure_ascii=False)}"
    yield f"# document_text = {json.dumps(document.text, ensure_ascii=False)}"


def ner_line(line: str, before: int, length: int, place: Place) -> Iterator[Entity]:
    """The entity of a line `#ner LABEL first last`; none for other comments.

    Its tokens are counted from 1 in the sentence before, which has `length` of them, `before` the
    document's that lie before it.
    """
    match = _NER.match(line)
    if match is None:
        return
    fields = match[1].split()
    if len(fields) != 3 or not all(re.fullmatch("[0-9]{1,9}", field) for field in fields[1:]):
        raise place.error(f"{shown(line.strip())} is no entity", "write #ner LABEL first last")
    label, first, last = fields[0], int(fields[1]), int(fields[2])
    if label not in ENTITY_LABELS:
        raise place.error(f"label {shown(label)}", f"use one of {', '.join(ENTITY_LABELS)}")
    if not 1 <= first <= last <= length:
        raise place.error(
            f"tokens {first} to {last} of a sentence that has {length}",
            "count from 1 in the sentence before this line, the last one included",
        )
    yield Entity(label, before + first - 1, before + last - 1)
