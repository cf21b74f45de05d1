"""The file of the compiled parser's model: named sections, made by `ci/resources/parser_model.py`.

It is little-endian: 8 bytes of magic, then 32-bit numbers: version, CRC-32 of all that follows,
number of sections; for each section a name of 24 bytes, filled up with zeros, its size, and its
size in the file, which is less where it is deflated; the sections.
"""

from __future__ import annotations

import struct
import zlib
from importlib.resources import files

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
