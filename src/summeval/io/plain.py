"""Plain files as rows: a line is a text, or a file of a folder is one.

The n-th lines of all files, or the files of one name, make the rows of one id: a row for each
system. A row has `id` (the number of the line, or the name of the file), `system`, `candidate`,
`references`, and `source` if there are sources.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from summeval.io import BadRow, DataError
from summeval.io.jsonl import chunk_of
from summeval.io.rows import Chunk, Position, RowTaker, encode_json, invalid_utf8
from summeval.io.source import BLOCK_BYTES, InputFile, Source, shown

_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_ENDING = re.compile(r"(?<=.)\.[A-Za-z]\w*$")
_MOST_NAMED = 3
_DIGITS = re.compile(r"(\d+)")


Text = str | BadRow | None  # a text that cannot be read is the error that says why
Texts = tuple[str | int, Sequence[Text], Sequence[Text], Text]
"""What all systems say to one input: its id, their texts, the references, the source."""


@dataclass(frozen=True)
class Plain:
    """The files of a run.

    Attributes
    ----------
    systems : sequence of (str, str)
        The name of a system and its file or folder. A name that comes twice has several outputs for
        each input: their rows are told apart by `sample`, from 1.
    references, sources : sequence of str
        Files or folders; at most one of sources.
    newline : str
        A mark that stands for a line break in all texts; empty for none.
    """

    systems: Sequence[tuple[str, str]]
    references: Sequence[str] = ()
    sources: Sequence[str] = ()
    newline: str = ""

    @property
    def paths(self) -> list[str]:
        """All files and folders: those of systems, of references, of sources."""
        return [*(path for _, path in self.systems), *self.references, *self.sources]

    def heads(self) -> list[dict[str, Any]]:
        """For each file of a system what its rows have besides texts and the id."""
        names = [name for name, _ in self.systems]
        if len(set(names)) == len(names):
            return [{"system": name} for name in names]
        return [
            {"system": name, "sample": names[: place + 1].count(name)}
            for place, name in enumerate(names)
        ]


def system_names(paths: Sequence[str]) -> list[str]:
    """A name for each file: its own without endings, with folders where names would be equal.

    >>> system_names(["out/bart.txt", "out/t5.txt.gz", "gpt-4.1", "-"])
    ['bart', 't5', 'gpt-4.1', 'standard input']
    >>> system_names(["bart/test.txt", "t5/test.txt"]), system_names(["a.txt", "a.out"])
    (['bart/test', 't5/test'], ['a.txt', 'a.out'])
    """
    parts = [
        ["standard input"] if path == "-" else os.path.abspath(path).split(os.sep) for path in paths
    ]
    names: list[str] = []
    for strip in (bare_name, str):
        for depth in range(1, max(map(len, parts), default=0) + 1):
            bare = [strip(own[-1]) for own in parts]
            folders = ["/".join([*own[-depth:-1], ""]) for own in parts]
            names = [folder + name for folder, name in zip(folders, bare, strict=True)]
            if len(set(names)) == len(names):  # only those that need it have folders
                pairs = zip(bare, names, strict=True)
                return [one if bare.count(one) == 1 else name for one, name in pairs]
    return names


def bare_name(name: str) -> str:
    """Return the name of a file without `.gz` and its ending.

    >>> bare_name("bart.v2.txt.gz"), bare_name("gpt-4.1")
    ('bart.v2', 'gpt-4.1')
    """
    return _ENDING.sub("", name.removesuffix(".gz"))


def open_plain(plain: Plain) -> PlainInput:
    """Open plain files, or folders of them.

    Raises
    ------
    DataError
        A file cannot be read, files have different numbers of lines, or folders lack files.
    """
    folders = {path: path != "-" and os.path.isdir(path) for path in plain.paths}
    if not any(folders.values()):
        return _LineInput(plain)
    if alone := [path for path, is_folder in folders.items() if not is_folder]:
        folder = next(path for path, is_folder in folders.items() if is_folder)
        raise DataError(alone[0], f"is a file, but {folder} a folder", "pass files or folders")
    return _FolderInput(plain)


class PlainInput(InputFile):
    """Several plain files as one file of rows."""

    left_out = ""
    """One line about files that are not read; empty if there are none."""

    def __init__(self, plain: Plain) -> None:
        self.plain = plain
        self.path = plain.systems[0][1]
        names = [shown(path) for _, path in plain.systems]
        self.name = ", ".join(names[:2]) + ", …" * (len(names) > 2)

    def close(self) -> None:
        Source.close(self)

    def identity(self, whole: bool) -> dict[str, Any]:
        return super().identity(whole) | {"names": self.plain.heads()}

    def rows(self, skip: int) -> Iterator[Texts]:
        """Return what is said to each input, without the first few."""
        raise NotImplementedError

    def read(
        self, taker: RowTaker, start: Position, chunk_bytes: int = BLOCK_BYTES
    ) -> Iterator[Chunk]:
        """Yield the rows from `start`, in chunks of about `chunk_bytes` of text.

        Raises
        ------
        DataError
            A file cannot be read, files have different numbers of lines or, unless the taker skips
            bad rows, a text is not UTF-8.
        """
        heads = self.plain.heads()
        lines: list[bytes] = []
        errors: dict[int, str] = {}

        def chunk() -> Chunk:
            made = chunk_of(b"".join(lines), taker, start)
            made.errors |= errors
            lines.clear()
            errors.clear()
            return made

        length = 0
        for name, candidates, references, source in self.rows(start.line // len(heads)):
            beside: dict[str, Any] = {}
            if self.plain.references:
                beside["references"] = [text for text in references if text is not None]
            if self.plain.sources:
                beside["source"] = source
            shared = next((one for one in (*references, source) if isinstance(one, BadRow)), None)
            for head, text in zip(heads, candidates, strict=True):
                row = {"id": name, **head, "candidate": text, **beside}
                if (bad := text if isinstance(text, BadRow) else shared) is not None:
                    if taker.on_error == "raise":
                        raise bad
                    errors[len(lines)] = str(bad)
                    row |= dict.fromkeys(["candidate", *beside])
                lines.append(encode_json(row).encode() + b"\n")
            length += sum(map(len, lines[-len(heads) :]))
            if length >= chunk_bytes:
                made = chunk()
                yield made
                start, length = made.end, 0
        if lines or start == Position():
            yield chunk()


class _LineInput(PlainInput):
    """Files in which each line is a text."""

    def __init__(self, plain: Plain) -> None:
        super().__init__(plain)
        self._files: list[InputFile] = []
        try:
            for path in plain.paths:
                self._files.append(InputFile(path))
            sizes = [file.size for file in self._files if file.size is not None]
            self.size = sum(sizes) if len(sizes) == len(self._files) else None
            # Before anything is scored: those that can be read twice.
            kept = [file for file in self._files if file.is_kept]
            _check_equal({file.name: _count_lines(file) for file in kept})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        for file in self._files:
            file.close()

    @property
    def position(self) -> int:
        return sum(file.position for file in self._files)

    def files(self) -> list[str]:
        return self.plain.paths

    def rows(self, skip: int) -> Iterator[Texts]:
        texts = [_texts(file, self.plain.newline) for file in self._files]
        systems = len(self.plain.systems)
        end = systems + len(self.plain.references)
        for number, cells in enumerate(zip_longest(*texts), 1):
            if None in cells:
                there = [
                    number - (cell is None) + sum(1 for _ in rest)
                    for cell, rest in zip(cells, texts, strict=True)
                ]
                names = [file.name for file in self._files]
                _check_equal(dict(zip(names, there, strict=True)))
            if number > skip:
                source = cells[end] if self.plain.sources else None
                yield number, cells[:systems], cells[systems:end], source


class _FolderInput(PlainInput):
    """Folders in which each file is a text; files of the same name belong together."""

    _done = 0

    def __init__(self, plain: Plain) -> None:
        super().__init__(plain)
        self._folders = {path: _named_files(path) for path in plain.paths}
        systems = [path for _, path in plain.systems]
        self.ids = _ordered({name: None for path in systems for name in self._folders[path]})
        self.size = len(self.ids)
        for path in systems:
            _check_present(path, self._folders[path], self.ids)
        for paths in (plain.references, plain.sources):
            if paths:
                known = {name for path in paths for name in self._folders[path]}
                _check_present(", ".join(paths), known, self.ids)
        beside = (name for path in plain.paths for name in self._folders[path])
        known = {*self.ids}
        if others := [name for name in dict.fromkeys(beside) if name not in known]:
            self.left_out = (
                f"left out, because no candidate has their names: {len(others):,} of the files"
                f" of references and sources: {_listed(others)}"
            )

    @property
    def position(self) -> int:
        return self._done

    def files(self) -> list[str]:
        folders = self._folders.items()
        return [os.path.join(folder, file) for folder, own in folders for file in own.values()]

    def rows(self, skip: int) -> Iterator[Texts]:
        plain = self.plain
        for place, name in enumerate(self.ids[skip:], skip + 1):
            self._done = place
            texts = [self._file_text(path, name) for _, path in plain.systems]
            references = [self._file_text(path, name) for path in plain.references]
            source = self._file_text(plain.sources[0], name) if plain.sources else None
            yield name, texts, references, source

    def _file_text(self, folder: str, name: str) -> Text:
        plain, file = self.plain, self._folders[folder].get(name)
        if file is None:
            return None
        path = os.path.join(folder, file)
        with InputFile(path) as opened:
            data = b"".join(opened.blocks())
        try:
            text = data.removeprefix(_BOM).decode()
        except UnicodeDecodeError as error:
            return BadRow.of(path, invalid_utf8(error, 0))
        text = text.replace("\r\n", "\n").removesuffix("\n")
        return text.replace(plain.newline, "\n") if plain.newline else text


def _texts(file: InputFile, newline: str) -> Iterator[str | BadRow]:
    """Yield the lines of a file: one text each, without line ends, `newline` replaced by one."""
    offset = number = 0
    for block in file.blocks():
        data = block.removeprefix(_BOM) if offset == 0 else block
        for line in data.removesuffix(b"\n").split(b"\n"):
            number += 1
            try:
                text = line.decode().removesuffix("\r")
                yield text.replace(newline, "\n") if newline else text
            except UnicodeDecodeError as error:
                yield BadRow.of(f"{file.name}:{number}", invalid_utf8(error, offset))
            offset += len(line) + 1
        offset += len(block) - len(data)


def _count_lines(file: InputFile) -> int:
    count, last = 0, b"\n"
    for block in file.blocks():
        if not count and block.startswith(_UTF_16):  # whose line ends would be counted wrongly
            raise DataError(file.name, "it looks like UTF-16", "convert the file to UTF-8")
        count += block.count(b"\n")
        last = block[-1:]
    return count + (last != b"\n")


def _check_equal(counts: Mapping[str, int]) -> None:
    """Raise for numbers of lines by file that are not equal; names the first two that differ."""
    first = next(iter(counts), "")
    for name, count in counts.items():
        if count != counts[first]:
            raise DataError(
                name,
                f"has {count:,} lines, but {first} has {counts[first]:,}",
                "write each text on one line, in the same order in all files",
            )


def _named_files(folder: str) -> dict[str, str]:
    """Return the files of a folder by their names without endings."""
    found: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith(".") or not os.path.isfile(os.path.join(folder, name)):
            continue
        known = found.setdefault(bare_name(name), name)
        if known != name:
            raise DataError(folder, f"{known} and {name} have the same name", "rename one of them")
    if not found:
        raise DataError(folder, "the folder holds no files", "write a file for each text")
    return found


def _check_present(folder: str, names: Any, ids: Sequence[str]) -> None:
    if missing := [name for name in ids if name not in names]:
        raise DataError(
            folder,
            f"lacks {len(missing):,} of {len(ids):,} files: {_listed(missing)}",
            "add them, or remove them from the other folders",
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + ", …" * (len(names) > _MOST_NAMED)


def _ordered(names: Mapping[str, None]) -> list[str]:
    """Names in order, numbers in them by value.

    >>> _ordered(dict.fromkeys(["d10", "d9", "a"]))
    ['a', 'd9', 'd10']
    """

    def key(name: str) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name)]

    return sorted(names, key=lambda name: (key(name), name))
