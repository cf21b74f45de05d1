"""CoNLL-U files, read and written; plain rows `index form tag head label`; comment lines.

Comment lines say the same in CoNLL-U files and in files of trees (`summeval.annotate.trees`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from summeval._options import shown
from summeval.annotate.document import (
    ENTITY_LABELS,
    Document,
    Entity,
    Sentence,
    Token,
    head_problem,
)

_NEW_DOCUMENT = re.compile(r"\s*#\s*newdoc\b")
_FIELD = re.compile(r"\s*#\s*(provider|document_text)\s*=\s*(.*\S)\s*")
_NER = re.compile(r"\s*#ner\b(.*)")
_COLUMNS = 10
_PLAIN = 5
_NOT_A_TOKEN = re.compile(r"[0-9]+[-.][0-9]+")  # multiword tokens; empty nodes
_NUMBER = re.compile("[0-9]{1,9}")  # no sentence has more tokens
_RANGE = re.compile("([0-9]{1,15}):([0-9]{1,15})")
_NER_TAG = re.compile(r"([BIESLU])-(.+)")
_ENTITIES = {
    "PER": "PER",
    "PERSON": "PER",
    "ORG": "ORG",
    "ORGANIZATION": "ORG",
    "LOC": "LOC",
    "LOCATION": "LOC",
    "GPE": "LOC",
    "FAC": "LOC",
}
_UNKNOWN_HEAD = -2


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


class _Reader:
    """Collects rows into sentences and sentences into a document."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reset()

    def reset(self) -> None:
        """Start a document."""
        self.header = Header()
        self.sentences: list[Sentence] = []
        self.entities: list[Entity] = []
        self.begin_sentence()
        self.before = 0
        self.length = 0

    def begin_sentence(self) -> None:
        self.tokens: list[Token] = []
        self.places: list[Place] = []
        self.ner: list[str] = []
        self.tree: str | None = None

    def row(self, line: str, place: Place) -> None:
        """Read a row."""
        is_plain = "\t" not in line
        fields = line.split() if is_plain else line.rstrip("\r\n").split("\t")
        if len(fields) != (_PLAIN if is_plain else _COLUMNS):
            raise place.error(
                f"{len(fields)} columns",
                f"write {_COLUMNS} separated by tabs, or index form tag head label",
            )
        if _NOT_A_TOKEN.fullmatch(fields[0]):
            return
        if fields[0] != str(len(self.tokens) + 1):
            raise place.error(
                f"token {shown(fields[0])} instead of {len(self.tokens) + 1}",
                "number the tokens of a sentence from 1; put a blank line between sentences",
            )
        if is_plain:
            _, form, tag, head, label = fields
            lemma = misc = "_"
        else:
            form, lemma, _, tag, _, head, label, _, misc = fields[1:]
        if head != "_" and not _NUMBER.fullmatch(head):
            raise place.error(
                f"head {shown(head)}", "write the number of a token, 0 for a root, or _"
            )
        notes = dict(note.partition("=")[::2] for note in misc.split("|"))
        found = _RANGE.fullmatch(notes.get("TokenRange", ""))
        self.tokens.append(
            Token(
                form=form,
                tag=_known(tag),
                lemma=lemma if lemma == form else _known(lemma),
                head=_UNKNOWN_HEAD if head == "_" else int(head) - 1,
                label=_known(label).lower(),
                start=int(found[1]) if found else -1,
                end=int(found[2]) if found else -1,
            )
        )
        self.places.append(place)
        self.ner.append(notes.get("NER", "O"))

    def comment(self, line: str, place: Place) -> Document | None:
        """Read a comment; if it starts another document, return the previous one."""
        if Header.begins(line):
            return self.end_document(place)
        if self.header.take(line, place):
            return None
        if line.startswith("# tree = "):
            self.tree = line[len("# tree = ") :].strip()
        elif self.tokens:
            self.entities += ner_line(line, self.before, len(self.tokens), place)
        else:  # even after a blank line it belongs to the preceding sentence
            first = self.before - self.length
            self.entities += ner_line(line, first, self.length, place)
        return None

    def end_sentence(self) -> None:
        """Check the rows and build a sentence from them."""
        if not self.tokens:
            return
        heads = [token.head for token in self.tokens]
        if _UNKNOWN_HEAD in heads:
            known = next((i for i, head in enumerate(heads) if head != _UNKNOWN_HEAD), None)
            if known is not None:
                raise self.places[heads.index(_UNKNOWN_HEAD)].error(
                    f"no head, but token {known + 1} has one", "give heads to all tokens or to none"
                )
            heads = [-1] * len(heads)
        problem = head_problem(heads)
        if problem:
            raise self.places[problem[0]].error(problem[1], "correct the head column")
        has_text = self.header.has_text
        tokens = tuple(
            Token(
                token.form,
                token.tag,
                token.lemma,
                head,
                token.label,
                token.start if has_text else -1,
                token.end if has_text else -1,
            )
            for token, head in zip(self.tokens, heads, strict=True)
        )
        self.entities += _entities(self.ner, self.before)
        self.sentences.append(Sentence(tokens, self.tree))
        self.length = len(tokens)
        self.before += self.length
        self.begin_sentence()

    def end_document(self, place: Place) -> Document | None:
        """The document read so far; None if nothing of it was read."""
        self.end_sentence()
        has_some = self.sentences or self.header.written
        document = (
            self.header.document(self.sentences, self.entities, "conllu", place)
            if has_some
            else None
        )
        self.reset()
        return document


def read_conllu(lines: Iterable[str], name: str = "conllu") -> Iterator[Document]:
    r"""Read CoNLL-U, or plain rows `index form tag head label` separated by blanks.

    Tags are read from XPOS, labels from DEPREL (lower-cased). Entities come from MISC (`NER=B-PER`,
    in BIO or BIOES) or from lines `#ner LABEL first last` within or after a sentence; their tokens
    are counted from 1 in that sentence. `# newdoc` starts a document; a file without it is one
    document. Ranges (`3-4`) and empty nodes (`5.1`) are skipped. A sentence may have no heads at
    all (`_` for each). `TokenRange=start:end` gives offsets into the text of a comment
    `# document_text = "..."`.

    Raises
    ------
    ValueError
        Wrong columns, numbers or heads, a cycle of heads, or an entity out of range; the message
        names file and line.

    Examples
    --------
    >>> rows = ["1 John NNP 2 nsubj", "2 left VBD 0 ROOT", "#ner PER 1 1"]
    >>> document, = read_conllu(rows)
    >>> [(token.form, token.head, token.label) for token in document.sentences[0].tokens]
    [('John', 1, 'nsubj'), ('left', -1, 'root')]
    >>> document.entities
    (Entity(label='PER', first=0, last=0),)
    """
    reader = _Reader(name)
    number = 0
    for number, line in enumerate(lines, 1):
        place = Place(name, number)
        if not line.strip():
            reader.end_sentence()
        elif line.startswith("#"):
            document = reader.comment(line.rstrip("\r\n"), place)
            if document is not None:
                yield document
        else:
            reader.row(line, place)
    document = reader.end_document(Place(name, number))
    if document is not None:
        yield document


def write_conllu(document: Document) -> Iterator[str]:
    r"""Return the lines of a document in CoNLL-U, without newlines; `read_conllu` reads them.

    Tags are written to XPOS; entities (BIO), offsets and missing spaces to MISC; the text, the
    provider and trees to comments.

    Examples
    --------
    >>> tokens = (Token("Rome", "NNP", "Rome", 1, "nsubj", 0, 4), Token("fell", "VBD", "fall"))
    >>> document = Document((Sentence(tokens),), (Entity("LOC", 0, 0),), "Rome fell", "hand")
    >>> for line in write_conllu(document):
    ...     print(line.replace("\t", " "))
    # newdoc
    # provider = "hand"
    # document_text = "Rome fell"
    # text = Rome fell
    1 Rome Rome _ NNP _ 2 nsubj _ NER=B-LOC|TokenRange=0:4
    2 fell fall _ VBD _ 0 _ _ _
    <BLANKLINE>
    """
    yield from header_lines(document)
    marks = {}
    for entity in document.entities:
        for number in range(entity.first, entity.last + 1):
            marks[number] = f"NER={'B' if number == entity.first else 'I'}-{entity.label}"
    for first, sentence in zip(document.starts, document.sentences, strict=False):
        yield from _sentence_lines(sentence, first, marks)
        yield ""


def _sentence_lines(sentence: Sentence, first: int, marks: dict[int, str]) -> Iterator[str]:
    tokens = sentence.tokens
    joined = [token.end == after.start >= 0 for token, after in pairwise(tokens)] + [False]
    blanks = ("" if is_joined else " " for is_joined in joined)
    text = "".join(token.form + blank for token, blank in zip(tokens, blanks, strict=True))
    yield f"# text = {text.rstrip()}"
    if sentence.tree is not None:
        yield f"# tree = {sentence.tree}"
    has_parse = any(token.label or token.head != -1 for token in tokens)
    for number, (token, is_joined) in enumerate(zip(tokens, joined, strict=True)):
        notes = (
            marks.get(first + number, ""),
            "SpaceAfter=No" if is_joined else "",
            f"TokenRange={token.start}:{token.end}" if token.start >= 0 else "",
        )
        head = str(token.head + 1) if has_parse else ""
        fields = (token.form, token.lemma, "", token.tag, "", head, token.label, "")
        written = (field or "_" for field in (*fields, "|".join(filter(None, notes))))
        yield "\t".join((str(number + 1), *written))


def _known(field: str) -> str:
    return "" if field == "_" else field


def _entities(marks: Iterable[str], before: int) -> Iterator[Entity]:
    """The entities of a sentence from its BIO or BIOES marks; other classes are ignored."""
    label, first, last = "", 0, -1
    for number, mark in enumerate(marks, before):
        match = _NER_TAG.fullmatch(mark)
        kind = _ENTITIES.get(match[2].upper(), "") if match else ""
        goes_on = bool(kind) and kind == label and match is not None and match[1] in "IEL"
        if goes_on:
            last = number
            continue
        if label:
            yield Entity(label, first, last)
        label, first, last = kind, number, number
    if label:
        yield Entity(label, first, last)
