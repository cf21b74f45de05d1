"""The settings of a ROUGE-1.5.5 run: the files to compare and their format."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from summeval._problem import printable

FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")
_MOST_SHOWN = 1000  # characters of a message
# An ampersand that starts neither a character reference nor a predefined XML entity.
_BARE_AMPERSAND = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);)")
_EMPTY = "the file is empty: write its EVAL sections within <ROUGE-EVAL>"
_MENDS = {
    "no element found": "close the elements that are still open",
    "not well-formed (invalid token)": "correct the tag or characters there, and write < as &lt;",
    "mismatched tag": "close each element with its own name",
}


class SettingsError(ValueError):
    """Unusable settings or texts; the message is one line and names the place."""

    def __init__(self, message: str) -> None:
        plain = printable(message)
        super().__init__(plain if len(plain) <= _MOST_SHOWN else plain[:_MOST_SHOWN] + "…")


@dataclass
class Evaluation:
    """One evaluation: the files of its peers by peer ID, and of its models in order."""

    id: str
    format: str = ""
    peer_root: str = ""
    model_root: str = ""
    peers: dict[str, str] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)


def read_settings(path: str) -> list[Evaluation]:
    """Read a settings file: EVAL sections within ROUGE-EVAL.

    Names of elements and attributes may have any case. A bare ampersand, as in pasted paths, is
    read literally. Entity declarations are refused, so nothing is expanded and no other file is
    read. If two sections have the same ID, the later one is used.

    Raises SettingsError, naming the line, for malformed or incomplete XML; OSError.
    """
    data = Path(path).read_bytes().lstrip()
    try:
        evaluations = _parse(path, data)
    except expat.ExpatError as error:
        try:
            evaluations = _parse(path, _BARE_AMPERSAND.sub(b"&amp;", data))
        except expat.ExpatError:
            reason = expat.errors.messages[error.code]
            mend = _MENDS.get(reason, "correct it there") if data else _EMPTY
            raise SettingsError(f"{path}: line {error.lineno}: not XML: {reason}; {mend}") from None
    if not evaluations:
        raise SettingsError(f"{path}: no EVAL section; write <EVAL ID=...> within <ROUGE-EVAL>")
    for evaluation in evaluations:
        _complete(path, evaluation)
    return list({evaluation.id: evaluation for evaluation in evaluations}.values())


def _complete(path: str, evaluation: Evaluation) -> None:
    """Check a section and prepend the roots to the file names."""
    where = f"{path}: EVAL {evaluation.id}"
    if evaluation.format not in FORMATS:
        found = repr(evaluation.format) if evaluation.format else "missing"
        raise SettingsError(f"{where}: INPUT-FORMAT TYPE is {found}; use {', '.join(FORMATS)}")
    if not evaluation.models:
        raise SettingsError(f"{where}: no model; list at least one <M ID=...>file</M> in MODELS")
    evaluation.models = [f"{evaluation.model_root}/{name}" for name in evaluation.models]
    evaluation.peers = {
        peer: f"{evaluation.peer_root}/{name}" for peer, name in evaluation.peers.items()
    }


def _parse(path: str, data: bytes) -> list[Evaluation]:
    sections = _Sections(path)
    sections.parser.Parse(data, True)
    return sections.found


class _Sections:
    """Collects EVAL sections as the parser walks the file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[Evaluation] = []
        self.open: Evaluation | None = None
        self.peer_id = ""
        self.text: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.refuse_entity

    def fail(self, reason: str) -> SettingsError:
        return SettingsError(f"{self.path}: line {self.parser.CurrentLineNumber}: {reason}")

    def refuse_entity(self, name: str, *_: object) -> None:
        raise self.fail(f"entity {name} is declared; write its text in its place")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.upper()
        values = {key.upper(): value.strip() for key, value in attributes.items()}
        self.text = []
        if name == "EVAL":
            if not values.get("ID"):
                raise self.fail("EVAL without an ID; write <EVAL ID=...>")
            self.open = Evaluation(values["ID"])
            self.found.append(self.open)
        elif self.open is None:
            return
        elif name == "INPUT-FORMAT":
            self.open.format = values.get("TYPE", "").upper()
        elif name == "P":
            if not values.get("ID"):
                raise self.fail("P without an ID; write <P ID=...>")
            self.peer_id = values["ID"]

    def characters(self, text: str) -> None:
        self.text.append(text)

    def end(self, tag: str) -> None:
        if self.open is None:
            return
        name, text = tag.upper(), "".join(self.text).strip()
        self.text = []
        if name == "EVAL":
            self.open = None
        elif name == "PEER-ROOT":
            self.open.peer_root = text
        elif name == "MODEL-ROOT":
            self.open.model_root = text
        elif name == "P":
            self.open.peers[self.peer_id] = text
        elif name == "M":
            self.open.models.append(text)


def read_list(path: str, format: str, system: str) -> list[Evaluation]:
    """Read a list of evaluations (-z): a peer file and its model files on each line.

    Blank lines and lines that start with # are skipped; evaluations are numbered from 1.

    Raises SettingsError for a line without a model; OSError.
    """
    evaluations: list[Evaluation] = []
    for number, line in enumerate(Path(path).read_bytes().split(b"\n"), start=1):
        names = [os.fsdecode(name) for name in line.split()]
        if not names or line.startswith(b"#"):
            continue
        if b"\0" in line:
            raise SettingsError(
                f"{path}: line {number}: a NUL byte; pass a text file that lists files"
            )
        if len(names) == 1:
            raise SettingsError(
                f"{path}: line {number}: peer {names[0]} has no model after it; add one"
            )
        evaluations.append(
            Evaluation(
                str(len(evaluations) + 1), format, peers={system: names[0]}, models=names[1:]
            )
        )
    if not evaluations:
        raise SettingsError(f"{path}: no evaluation; write a peer and its models on each line")
    return evaluations
