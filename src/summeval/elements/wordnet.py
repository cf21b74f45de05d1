"""WordNet 3.0 as a table in a memory-mapped file: the parts that transformations use.

`ci/resources/wordnet.py` makes the table. It is little-endian: 8 bytes of magic, then 32-bit
numbers: version, CRC-32 of all that follows, number of sections, their sizes in numbers, and the
sections.

    pool     string offsets, then the sorted strings; a string's number is its position
    entries  for each part of speech: words (numbers of strings, sorted), the synsets of the senses
             of each, the most frequent first; for each sense, counted over all words, the
             derivationally related forms of the word and its pertainyms (string | part of
             speech << 30); irregular forms with their base forms, and base forms with their
             irregular forms
    synsets  words, member meronyms and holonyms, hypernyms and hyponyms

Multi-word entries are included but never produced, because transformations only produce single
words.

Source: Fellbaum (ed.) 1998, "WordNet: an electronic lexical database"; Princeton University 2006.
"""

from __future__ import annotations

import mmap
import sys
import zlib
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from summeval._core.elements.wordnet import WordNet

MAGIC, VERSION = b"summwn30", 3
NOUN, VERB, ADJECTIVE, ADVERB = range(4)
_SECTIONS = 60
_HEADER = 20


def check_table(data: mmap.mmap | bytes, name: str) -> None:
    """Raise ValueError unless the bytes are a whole table of this version."""
    mend = "reinstall summeval, or run ci/resources/wordnet.py"
    if sys.byteorder != "little":
        raise ValueError(
            f"{name} is little-endian, but this machine is not; use a little-endian machine"
        )
    if len(data) < _HEADER or data[:8] != MAGIC:
        raise ValueError(f"{name} is not summeval's table of WordNet 3.0; {mend}")
    version, checksum, sections = memoryview(data)[8:_HEADER].cast("I")
    if version != VERSION:
        raise ValueError(f"{name} has version {version}; this summeval reads {VERSION}: {mend}")
    if zlib.crc32(memoryview(data)[16:]) != checksum or sections != _SECTIONS:
        raise ValueError(f"{name} is damaged; {mend}")


def open_table(path: Path) -> WordNet:
    """Map a table into memory.

    Raises
    ------
    ValueError
        It is not such a table, is of another version, or is damaged; the message names the file.
    """
    with path.open("rb") as file:
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:  # an empty file cannot be mapped
            data = b""  # type: ignore[assignment]
    check_table(data, str(path))
    return WordNet(data)


@cache
def wordnet() -> WordNet:
    """Return the bundled table, memory-mapped at the first call.

    >>> net = wordnet()
    >>> net.entry("Dogs", NOUN), net.entry("ran", VERB), net.entry("xyzzy", NOUN)
    ('dog', 'run', None)
    >>> net.synonyms("car", NOUN)
    ['car', 'auto', 'automobile', 'machine', 'motorcar']
    >>> net.synonyms("car", NOUN, senses=2)[5:]
    ['railcar']
    >>> net.pertainyms("biological", ADJECTIVE)
    [('biology', 0)]
    """
    with as_file(files(__package__) / "data" / "wordnet.bin") as path:
        return open_table(path)
