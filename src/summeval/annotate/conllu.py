"""CoNLL-U files, read and written; plain rows `index form tag head label`; comment lines.

Comment lines say the same in CoNLL-U files and in files of trees (`summeval.annotate.files`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from summeval._options import shown
from summeval.annotate.document import (
    ENTITY_LABELS,
    ONTONOTES_LABELS,
    Document,
    Entity,
    Sentence,
    Token,
    head_problem,
)

_NEW_DOCUMENT = re.compile(r"\s*#\s*newdoc\b")
_FIELD = re.compile(r"\s*#\s*(provider|document_text)\s*=\s*(.*\S)\s*")
_NER = re.compile(r"\s*#ner\b(.*)")
COLUMNS = 10
_PLAIN = 5
NOT_A_TOKEN = re.compile(r"[0-9]+[-.][0-9]+")  # multiword tokens; empty nodes
_NUMBER = re.compile("[0-9]{1,9}")  # no sentence has more tokens
_RANGE = re.compile("([0-9]{1,15}):([0-9]{1,15})")
_NER_TAG = re.compile(r"([BIESLU])-(.+)")
_ENTITIES = {**ONTONOTES_LABELS, "PER": "PER", "ORGANIZATION": "ORG", "LOCATION": "LOC"}


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file: line and column from 1; 0 for no column."""

    name: str
    line: int
    column: int = 0

    def error(self, problem: str, hint: str) -> ValueError:
        """Return the error for this place, as one line."""
        where = f"{self.name}:{self.line}" + (f":{self.column}" if self.column else "")
        return ValueError(f"{where}: {problem}; {hint}")


def is_new_document(line: str) -> bool:
    """Return whether a line starts a document: `# newdoc`."""
    return _NEW_DOCUMENT.match(line) is not None


class DocumentReader:
    """Collects the sentences and comments of a file into documents.

    Parameters
    ----------
    form : str
        The provider of a document that no comment names one for.
    """

    def __init__(self, form: str) -> None:
        self._form = form
        self._begin()

    def _begin(self) -> None:
        self._fields = {"provider": "", "document_text": ""}
        self._is_begun = False
        self._sentences: list[Sentence] = []
        self.size = 0  # number of tokens
        self.entities: list[Entity] = []

    @property
    def has_text(self) -> bool:
        """Whether the comments gave the text of the document."""
        return bool(self._fields["document_text"])

    def add(self, tokens: tuple[Token, ...], tree: str | None) -> None:
        """Add a sentence."""
        self._sentences.append(Sentence(tokens, tree))
        self.size += len(tokens)
        self._is_begun = True

    def comment(self, line: str, place: Place, opened: int = 0) -> None:
        """Read a comment of a document, after `opened` tokens of a sentence that is not added yet.

        `# provider = "..."` and `# document_text = "..."` are JSON strings. `#ner LABEL first last`
        is an entity of the preceding sentence, even after a blank line; its tokens are counted from
        1. Others are ignored.
        """
        if match := _FIELD.fullmatch(line):
            try:
                value = json.loads(match[2])
            except (ValueError, RecursionError):
                value = None
            if not isinstance(value, str):
                raise place.error(f"{match[1]} is not a JSON string", "write it as one")
            self._fields[match[1]] = value
            self._is_begun = True
        elif match := _NER.match(line):
            length, before = opened, self.size
            if not opened:
                length = len(self._sentences[-1].tokens) if self._sentences else 0
                before -= length
            first, last = _ner_range(line, match[1].split(), length, place)
            self.entities.append(Entity(match[1].split()[0], before + first - 1, before + last - 1))

    def end(self, place: Place) -> Iterator[Document]:
        """Yield the document read so far, if anything of it was read; begin another."""
        text, provider = self._fields["document_text"], self._fields["provider"]
        for token in (token for sentence in self._sentences for token in sentence.tokens):
            if token.end > len(text) and text:
                raise place.error(
                    f"{shown(token.form)} ends at character {token.end} of a text that has"
                    f" {len(text)}",
                    "remove document_text, or correct TokenRange",
                )
        if self._is_begun:
            entities = sorted(self.entities, key=lambda entity: (entity.first, entity.last))
            yield Document(tuple(self._sentences), tuple(entities), text, provider or self._form)
        self._begin()


def _ner_range(line: str, fields: list[str], length: int, place: Place) -> tuple[int, int]:
    if len(fields) != 3 or not all(re.fullmatch("[0-9]{1,9}", field) for field in fields[1:]):
        raise place.error(f"{shown(line.strip())} is not an entity", "write #ner LABEL first last")
    label, first, last = fields[0], *map(int, fields[1:])
    if label not in ENTITY_LABELS:
        raise place.error(f"unknown label {shown(label)}", f"use one of {', '.join(ENTITY_LABELS)}")
    if not 1 <= first <= last <= length:
        raise place.error(
            f"tokens {first} to {last} are outside the sentence of {length} tokens",
            "count from 1 in the sentence before this line; `last` is included",
        )
    return first, last


def notes_of(misc: str) -> dict[str, str]:
    """Return the notes `name=value` of a last column.

    >>> notes_of("NER=B-PER|SpaceAfter=No")
    {'NER': 'B-PER', 'SpaceAfter': 'No'}
    """
    return dict(note.partition("=")[::2] for note in misc.split("|"))


class _Row(NamedTuple):
    """A token whose head was not checked, whether it has one, and its mark of an entity."""

    place: Place
    token: Token
    has_head: bool
    mark: str


def _row(line: str, place: Place, number: int) -> _Row | None:
    """Read the row of a token; None for a range of tokens or an empty node."""
    is_plain = "\t" not in line
    fields = line.split() if is_plain else line.rstrip("\r\n").split("\t")
    if len(fields) != (_PLAIN if is_plain else COLUMNS):
        raise place.error(
            f"{len(fields)} columns",
            f"write {COLUMNS} separated by tabs, or index form tag head label",
        )
    if NOT_A_TOKEN.fullmatch(fields[0]):
        return None
    if fields[0] != str(number):
        raise place.error(
            f"token {shown(fields[0])} instead of {number}",
            "number the tokens of a sentence from 1; put a blank line between sentences",
        )
    if is_plain:
        _, form, tag, head, label = fields
        lemma = misc = "_"
    else:
        form, lemma, _, tag, _, head, label, _, misc = fields[1:]
    if head != "_" and not _NUMBER.fullmatch(head):
        raise place.error(f"head {shown(head)}", "write the number of a token, 0 for a root, or _")
    notes = notes_of(misc)
    found = _RANGE.fullmatch(notes.get("TokenRange", ""))
    lemma = lemma if lemma == form else _known(lemma)
    parent = -1 if head == "_" else int(head) - 1
    offsets = map(int, found.groups() if found else (-1, -1))
    token = Token(form, _known(tag), lemma, parent, _known(label).lower(), *offsets)
    return _Row(place, token, head != "_", notes.get("NER", "O"))


def _check_heads(rows: list[_Row]) -> None:
    has_head = [row.has_head for row in rows]
    if len(set(has_head)) > 1:
        raise rows[has_head.index(False)].place.error(
            f"no head, but token {has_head.index(True) + 1} has one",
            "give heads to all tokens or to none",
        )
    problem = head_problem([row.token.head for row in rows])
    if problem:
        raise rows[problem[0]].place.error(problem[1], "correct the head column")


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
    reader = DocumentReader("conllu")
    place = Place(name, 0)
    rows: list[_Row] = []
    tree: str | None = None

    def end_sentence() -> None:
        nonlocal tree
        if not rows:
            return
        reader.entities += _entities((row.mark for row in rows), reader.size)
        _check_heads(rows)
        tokens = [row.token for row in rows]
        if not reader.has_text:
            tokens = [
                token if token.start < 0 else replace(token, start=-1, end=-1) for token in tokens
            ]
        reader.add(tuple(tokens), tree)
        rows.clear()
        tree = None

    for number, line in enumerate(lines, 1):
        place = Place(name, number)
        if not line.strip():
            end_sentence()
        elif not line.startswith("#"):
            row = _row(line, place, len(rows) + 1)
            rows += [row] if row else []
        elif is_new_document(line):
            end_sentence()
            tree = None
            yield from reader.end(place)
        elif line.startswith("# tree = "):
            tree = line[len("# tree = ") :].strip()
        else:
            reader.comment(line.rstrip("\r\n"), place, len(rows))
    end_sentence()
    yield from reader.end(place)


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
    yield "# newdoc"
    yield f"# provider = {json.dumps(document.provider, ensure_ascii=False)}"
    yield f"# document_text = {json.dumps(document.text, ensure_ascii=False)}"
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
    """Yield the entities of a sentence from its BIO or BIOES marks; other classes are ignored."""
    label, first = "", before
    for number, mark in enumerate([*marks, ""], before):
        match = _NER_TAG.fullmatch(mark)
        kind = _ENTITIES.get(match[2].upper(), "") if match else ""
        if match and kind and kind == label and match[1] in "IEL":
            continue
        if label:
            yield Entity(label, first, number - 1)
        label, first = kind, number
