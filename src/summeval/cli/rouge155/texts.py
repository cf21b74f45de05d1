"""The text formats of ROUGE-1.5.5: they are read as bytes and split into sentences."""

import re
from pathlib import Path

from summeval.cli.rouge155.settings import SettingsError

_SEE = re.compile(
    rb'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>\s+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
_ISI = re.compile(rb'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


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
    """The basic elements of a SIMPLE file, one HEAD|MODIFIER|RELATION a line, in lower case.

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
