"""Compile WordNet 3.0 to the table that the transformations of Basic Elements look words up in.

    python ci/resources/wordnet.py [FOLDER]

FOLDER holds index.*, data.* and *.exc of WordNet 3.0 (by default /usr/share/wordnet, where Debian's
package wordnet-base puts them). `summeval.elements.resources` describes what is kept and reads it.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).parents[2] / "src/summeval/elements/data/wordnet.bin"
MAGIC, VERSION = b"summwn30", 3

NAMES = ("noun", "verb", "adj", "adv")
POS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
SYNSETS = 117_659
DERIVED, PERTAINS = "+", "\\"
MEMBERS = ("%m", "#m")
KIN = ("@", "@i", "~", "~i")

Synset = tuple[int, str]  # part of speech and offset
Word = tuple[str, int]  # and its part of speech


class Pointer(NamedTuple):
    """A line's pointer; word numbers count from 1, 0 is the whole synset."""

    symbol: str
    target: Synset
    source_word: int
    target_word: int


class Line(NamedTuple):
    """A synset."""

    words: list[str]
    pointers: list[Pointer]


def read_synsets(folder: Path) -> dict[Synset, Line]:
    """Every synset of the four data files."""
    found = {}
    for pos, name in enumerate(NAMES):
        for line in (folder / f"data.{name}").read_text(encoding="ascii").splitlines():
            if line.startswith("  "):
                continue  # the licence
            fields = line.split(" | ")[0].split()
            count = int(fields[3], 16)
            words = [word.split("(")[0] for word in fields[4 : 4 + 2 * count : 2]]
            at = 5 + 2 * count
            pointers = [
                Pointer(symbol, (POS[kind], offset), int(numbers[:2], 16), int(numbers[2:], 16))
                for symbol, offset, kind, numbers in (
                    fields[k : k + 4] for k in range(at, at + 4 * int(fields[at - 1]), 4)
                )
            ]
            found[pos, fields[0]] = Line(words, pointers)
    return found


def read_index(folder: Path, pos: int) -> dict[str, list[Synset]]:
    """The synsets of the senses of every entry, the most frequent first."""
    lines = (folder / f"index.{NAMES[pos]}").read_text(encoding="ascii").splitlines()
    entries = (line.split() for line in lines if not line.startswith("  "))
    return {
        fields[0]: [(pos, offset) for offset in fields[6 + int(fields[3]) :]] for fields in entries
    }


def read_exceptions(folder: Path, pos: int) -> dict[str, list[str]]:
    """The base forms of every irregular form."""
    lines = (folder / f"{NAMES[pos]}.exc").read_text(encoding="ascii").splitlines()
    table: dict[str, list[str]] = defaultdict(list)
    for form, *bases in map(str.split, lines):
        table[form] += [base for base in bases if base not in table[form]]
    return table


def own_targets(synsets: dict[Synset, Line], entry: str, synset: Synset, symbol: str) -> list[Word]:
    """Where the pointers of the entry's own word in the synset lead, single words only."""
    line = synsets[synset]
    own = next(n for n, word in enumerate(line.words, 1) if word.lower() == entry)
    targets = [
        (synsets[p.target].words[p.target_word - 1], p.target[0])
        for p in line.pointers
        if p.symbol == symbol and p.source_word == own and p.target_word
    ]
    return [word for word in dict.fromkeys(targets) if "_" not in word[0]]


class Writer:
    """Sections of 32-bit numbers, and the strings that the numbers of some stand for."""

    def __init__(self, strings: Iterable[str]) -> None:
        self.pool = sorted({string.encode("ascii") for string in strings})
        self.ids = {string.decode(): n for n, string in enumerate(self.pool)}
        self.sections: list[bytes] = []
        text = b"".join(self.pool)
        self.add([0, *_sums(map(len, self.pool))])
        self.sections.append(text + bytes(-len(text) % 4))

    def add(self, numbers: Iterable[int]) -> None:
        """A section of numbers."""
        self.sections.append(_bytes(numbers))

    def add_lists(self, lists: list[list[int]]) -> None:
        """Two sections: where each list starts, and the lists."""
        self.add([0, *_sums(map(len, lists))])
        self.add(number for numbers in lists for number in numbers)

    def add_table(self, table: dict[str, list[str]]) -> None:
        """Three sections: sorted keys, where each one's list starts, and the lists."""
        keys = sorted(table, key=self.ids.__getitem__)
        self.add(self.ids[key] for key in keys)
        self.add_lists([[self.ids[value] for value in table[key]] for key in keys])

    def write(self, path: Path) -> int:
        """Write the table: header, sizes of the sections, sections."""
        sizes = _bytes(len(section) // 4 for section in self.sections)
        body = struct.pack("<I", len(self.sections)) + sizes + b"".join(self.sections)
        return path.write_bytes(MAGIC + struct.pack("<II", VERSION, zlib.crc32(body)) + body)


def _sums(numbers: Iterable[int]) -> list[int]:
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def _bytes(numbers: Iterable[int]) -> bytes:
    flat = array("I", numbers)
    assert flat.itemsize == 4
    if sys.byteorder == "big":
        flat.byteswap()
    return flat.tobytes()


def compile_table(folder: Path) -> Writer:
    """The sections, in the order that `summeval.elements.resources` names."""
    synsets = read_synsets(folder)
    if len(synsets) != SYNSETS:
        sys.exit(f"{folder}: {len(synsets)} synsets instead of {SYNSETS}; use WordNet 3.0")
    index = [read_index(folder, pos) for pos in range(4)]
    exceptions = [read_exceptions(folder, pos) for pos in range(4)]
    strings = {word for line in synsets.values() for word in line.words if "_" not in word}
    strings.update(entry for entries in index for entry in entries)
    strings.update(form for table in exceptions for form in table)
    strings.update(base for table in exceptions for bases in table.values() for base in bases)
    writer = Writer(strings)
    numbers = {synset: n for n, synset in enumerate(sorted(synsets))}
    for pos in range(4):
        entries = sorted(index[pos], key=writer.ids.__getitem__)
        writer.add(writer.ids[entry] for entry in entries)
        writer.add_lists([[numbers[synset] for synset in index[pos][entry]] for entry in entries])
        senses = [(entry, synset) for entry in entries for synset in index[pos][entry]]
        for symbol in (DERIVED, PERTAINS):
            targets = [own_targets(synsets, *sense, symbol) for sense in senses]
            writer.add_lists([[writer.ids[w] | kind << 30 for w, kind in own] for own in targets])
        writer.add_table(exceptions[pos])
        inverse: dict[str, list[str]] = defaultdict(list)
        for form, bases in exceptions[pos].items():
            for base in bases:
                inverse[base].append(form)
        writer.add_table(inverse)
    lines = [synsets[synset] for synset in sorted(synsets)]
    writer.add_lists([[writer.ids[w] for w in line.words if "_" not in w] for line in lines])
    for symbols in (MEMBERS, KIN):
        writer.add_lists(
            [[numbers[p.target] for p in line.pointers if p.symbol in symbols] for line in lines]
        )
    return writer


def main() -> None:
    """Write the table."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        sys.exit(f"{folder} has no data.noun; install Debian's wordnet-base, or name the folder")
    writer = compile_table(folder)
    size = writer.write(TABLE)
    print(f"{TABLE}: {len(writer.pool)} strings, {size} bytes")


if __name__ == "__main__":
    main()
