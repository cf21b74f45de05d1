"""The files of a ROUGE-1.5.5 run: its settings, and the texts, which are read as bytes."""

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
_HINTS = {
    "no element found": "close the elements that are still open",
    "not well-formed (invalid token)": "correct the tag or characters there, and write < as &lt;",
    "mismatched tag": "close each element with its own name",
}
_SEE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


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
            hint = _HINTS.get(reason, "correct it there") if data else _EMPTY
            raise SettingsError(f"{path}: line {error.lineno}: not XML: {reason}; {hint}") from None
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
    """Return the EVAL sections of a file, as they stand there."""
    found: list[Evaluation] = []
    section: Evaluation | None = None
    peer, pieces = "", list[str]()
    parser = expat.ParserCreate()

    def fail(reason: str) -> SettingsError:
        return SettingsError(f"{path}: line {parser.CurrentLineNumber}: {reason}")

    def refuse_entity(name: str, *_: object) -> None:
        raise fail(f"entity {name} is declared; write its text in its place")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal section, peer
        name, values = tag.upper(), {key.upper(): text.strip() for key, text in attributes.items()}
        pieces.clear()
        if name != "EVAL" and section is None:
            return
        if name in ("EVAL", "P") and not values.get("ID"):
            raise fail(f"{name} without an ID; write <{name} ID=...>")
        if name == "EVAL":
            section = Evaluation(values["ID"])
            found.append(section)
        elif name == "P":
            peer = values["ID"]
        elif name == "INPUT-FORMAT" and section is not None:
            section.format = values.get("TYPE", "").upper()

    def end(tag: str) -> None:
        nonlocal section
        if section is None:
            return
        name, text = tag.upper(), "".join(pieces).strip()
        pieces.clear()
        if name == "EVAL":
            section = None
        elif name == "PEER-ROOT":
            section.peer_root = text
        elif name == "MODEL-ROOT":
            section.model_root = text
        elif name == "P":
            section.peers[peer] = text
        elif name == "M":
            section.models.append(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = pieces.append
    parser.EntityDeclHandler = refuse_entity
    parser.Parse(data, True)
    return found


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
        place = f"{path}: line {number}"
        if b"\0" in line:
            raise SettingsError(f"{place}: a NUL byte; pass a text file that lists files")
        if len(names) == 1:
            raise SettingsError(f"{place}: peer {names[0]} has no model after it; add one")
        own = str(len(evaluations) + 1)
        evaluations.append(Evaluation(own, format, peers={system: names[0]}, models=names[1:]))
    if not evaluations:
        raise SettingsError(f"{path}: no evaluation; write a peer and its models on each line")
    return evaluations


def sentences(data: bytes, format: str) -> list[bytes]:
    r"""Return the sentences of a file in format SPL, SEE or ISI.

    >>> sentences(b"one\n\ntwo\r\n", "SPL")
    [b'one', b'two\r']
    >>> sentences(b'<a name="1">[1]</a> <a href="#1" id=1>Costs rose.</a>\n', "SEE")
    [b'Costs rose.']
    """
    if format == "SPL":
        return [line for line in data.split(b"\n") if line]
    pattern = _SEE if format == "SEE" else _ISI
    found = [pattern.match(line) for line in re.findall(rb"[^\n]*\n|[^\n]+", data)]
    return [match[1] for match in found if match]


def read_sentences(path: str, format: str) -> bytes:
    """Return the sentences of a file, one per line.

    A sentence of a SEE file may end in a newline that counts as a byte under a length limit; it is
    replaced by a carriage return, which is also whitespace.

    Raises SettingsError for SIMPLE, which holds basic elements; OSError.
    """
    if format == "SIMPLE":
        raise SettingsError(f"{path}: Unknown input format: SIMPLE holds basic elements (-3) only")
    found = sentences(Path(path).read_bytes(), format)
    return b"\n".join(sentence.replace(b"\n", b"\r") for sentence in found)


def read_elements(path: str, format: str) -> list[tuple[bytes, bytes, bytes]]:
    """Return the basic elements of a SIMPLE file, one HEAD|MODIFIER|RELATION a line, in lower case.

    An ISI file is read as one without elements, as the script does.

    Raises SettingsError for other formats and for lines without exactly three fields; OSError.
    """
    if format not in ("SIMPLE", "ISI"):
        raise SettingsError(f"{path}: Unknown input format: -3 reads SIMPLE, not {format}")
    data = Path(path).read_bytes()
    if format == "ISI":
        return []
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    elements = []
    for number, line in enumerate(lines, start=1):
        fields = line.lower().split(b"|")
        if len(fields) < 3 or not fields[2] or any(fields[3:]):
            raise SettingsError(f"{path}: line {number}: not HEAD|MODIFIER|RELATION")
        elements.append((fields[0], fields[1], fields[2]))
    return elements
