"""Files kept beside an output: the journal of a run, and the manifest of a finished output.

The journal, `NAME.journal`, has a line for the job and one for each written chunk. Each line ends
in its own CRC-32; the first damaged line and all after it are ignored. The manifest,
`.NAME.manifest`, holds the job of a finished file, its length and its CRC-32.
"""

from __future__ import annotations

import json
import os
import zlib
from typing import Any, BinaryIO, NamedTuple

from summeval._files import is_ours, open_ours, write_whole
from summeval.io.errors import DataError

_FORM = 1  # of the manifest
_MOST_LINE = 64 << 20  # bytes
_MOST_MANIFEST = 64 << 20  # bytes
_BLOCK = 1 << 20  # bytes

Job = dict[str, Any]
State = dict[str, Any]


class Step(NamedTuple):
    """A written chunk: length and CRC-32 of the file after it, and the state to resume from."""

    length: int
    crc32: int
    state: State


def line_of(record: dict[str, Any]) -> bytes:
    """Return a record as a line of a journal."""
    text = json.dumps(record).encode()
    return text + f"\t{zlib.crc32(text):08x}\n".encode()


def read_journal(path: str) -> list[tuple[bytes, dict[str, Any]]]:
    """Return the intact lines of a journal, and their contents."""
    found: list[tuple[bytes, dict[str, Any]]] = []
    if not is_ours(path):
        return found
    with open_ours(path) as file:
        while line := file.readline(_MOST_LINE):
            text, _, check = line.rpartition(b"\t")
            record = _object(text) if check == f"{zlib.crc32(text):08x}\n".encode() else None
            if record is None:
                break
            found.append((line, record))
    return found


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def job_of(path: str) -> tuple[Job, bool] | None:
    """The job of a journal, and whether its output is to be compared; None if it has no job."""
    lines = read_journal(path)
    job = lines[0][1].get("job") if lines else None
    return (job, lines[0][1].get("compare") is True) if isinstance(job, dict) else None


def step_of(record: dict[str, Any], least: int, most: int) -> Step | None:
    """The step of a line; None if it is invalid or its length is not from `least` to `most`."""
    length, crc32, state = (record.get(name) for name in ("length", "crc32", "state"))
    if type(length) is not int or type(crc32) is not int or not isinstance(state, dict):
        return None
    return Step(length, crc32, state) if least <= length <= most else None


def checksum(file: BinaryIO, length: int, start: int = 0) -> int:
    """Return the CRC-32 of the next `length` bytes of a file, continued from `start`."""
    while length > 0 and (block := file.read(min(length, _BLOCK))):
        start, length = zlib.crc32(block, start), length - len(block)
    return start


class Manifest(NamedTuple):
    """The description of a finished file: job, final state, length and CRC-32."""

    job: Job
    state: State
    length: int
    crc32: int

    def describes(self, path: str) -> bool:
        """Return whether the file is unchanged since it was finished."""
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size != self.length:
                return False
            return checksum(file, self.length) == self.crc32


def manifest_path(path: str) -> str:
    """Return the path of a file's manifest: hidden, so that readers of folders ignore it.

    >>> manifest_path("scores.jsonl")
    '.scores.jsonl.manifest'
    """
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.manifest")


def read_manifest(path: str) -> Manifest | None:
    """Return the manifest of the file at `path`; None if it is missing or damaged."""
    place = manifest_path(path)
    if not is_ours(place):
        return None
    with open_ours(place) as file:
        lines = file.read(_MOST_MANIFEST).split(b"\t")
    record = _object(lines[0])
    if len(lines) != 2 or lines[1] != f"{zlib.crc32(lines[0]):08x}\n".encode() or record is None:
        return None
    step = step_of(record, 0, record["length"]) if type(record.get("length")) is int else None
    job = record.get("job")
    if step is None or not isinstance(job, dict) or record.get("form") != _FORM:
        return None
    return Manifest(job, step.state, step.length, step.crc32)


def write_manifest(path: str, manifest: Manifest) -> None:
    """Write the manifest of the file at `path`."""
    write_whole(manifest_path(path), line_of({"form": _FORM, **manifest._asdict()}), follow=False)


def changed(then: Job, now: Job) -> list[str]:
    """Return the parts in which two jobs differ."""
    now = json.loads(json.dumps(now))
    return [key for key in {**then, **now} if not _same(then.get(key), now.get(key))]


def _same(one: Any, other: Any) -> bool:
    """Whether two parts of jobs are equal; input files are compared by contents if both are known.

    >>> _same({"mark": [1], "content": [7]}, {"mark": [2], "content": [7]})
    True
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for name in ("content", "mark"):
            if name in one and name in other:
                return bool(one[name] == other[name])
    return bool(one == other)


def check_same(path: str, then: Job, now: Job, what: str) -> None:
    """Raise `DataError` if the job differs; `what` names the earlier run `then`."""
    parts = changed(then, now)
    if parts:
        problem = f"cannot resume: {what} had another {' and '.join(parts)}"
        raise DataError(path, problem, "start again without --resume")
