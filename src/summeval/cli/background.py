"""`summeval background`: write the word counts and document frequencies of a corpus.

Count the words of CORPUS, and the number of documents that contain each, for SIMetrix:
summeval score ROWS -m simetrix --option simetrix.background=FILE --option simetrix.idf=FILE

CORPUS is a text file (.txt or any other extension), which counts as one document; a JSON Lines file
(.jsonl, .ndjson; - is standard input), where each text in a column is a document and a list of
texts is several; or a directory of such files at any depth. All may be compressed with gzip. Stop
words are left out, as in the background of the original program. Duplicate documents are counted
once.

[ARGUMENTS]
CORPUS: files and directories
--output: file to write; - is standard output
--column: column with the texts in JSON Lines [source, or document, article, input]
--stopwords: file of stop words, or none [those of SIMetrix]
--tokenizer: [rouge155]

The corpus should match the genre and language of the texts to score, but not contain them. Without
one, SIMetrix compares inputs with the frequencies of English words in general (wordfreq 3.1.1).

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval background corpus/ -o background.json
"""

from __future__ import annotations

import hashlib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from summeval._progress import Progress
from summeval.cli.shared import flags
from summeval.cli.shared.choice import read_words
from summeval.cli.shared.errors import UsageError, put, whole
from summeval.io import DataError, RowError, jsonl
from summeval.io.formats import format_of
from summeval.io.output import open_output
from summeval.io.rows import Columns, Row, RowTaker, not_found
from summeval.io.source import InputFile
from summeval.text.background import Background


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("corpus", metavar="CORPUS", nargs="+")
    flags.add(parser, "output", required=True, default=None, metavar="FILE")
    add("--column", metavar="NAME")
    add("--stopwords", metavar="WORDS")
    add("--tokenizer", choices=("rouge155", "unicode"), default="rouge155")
    flags.add(parser, "no-progress")


def run(arguments: Namespace) -> None:
    """Count and write."""
    flags.output_form(arguments.output, None, ("jsonl", "json"))
    words: bool | list[str] = True
    if arguments.stopwords is not None:
        words = [] if arguments.stopwords == "none" else read_words(arguments.stopwords)
    paths = [path for given in arguments.corpus for path in _files(given)]
    if any(flags.same_file(path, arguments.output) for path in paths):
        raise UsageError("FILE is part of CORPUS; pass another file with -o")
    seen: set[bytes] = set()
    repeats = 0
    found = Background(stopwords=words, tokenizer=arguments.tokenizer)
    with whole(open_output(arguments.output)) as output:
        with Progress(None, not arguments.no_progress) as progress:
            for text in _documents(paths, arguments.column):
                digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
                repeats += digest in seen
                if digest not in seen:
                    seen.add(digest)
                    found.add(text)
                progress.update(0, 1)
        if not found.counts:
            raise DataError(", ".join(arguments.corpus), "holds no words", "pass texts")
        output.write(found.to_json().encode(), {})
    if arguments.output != "-":
        total = sum(found.counts.values())
        lines = [f"{found.documents:,} documents, {total:,} words, {len(found.counts):,} types"]
        put(lines + [f"{repeats:,} duplicate documents were skipped"] * bool(repeats))


def _files(given: str) -> list[str]:
    """Return the given file, or the files of a directory in the order of their names."""
    if not os.path.isdir(given):
        return [given]
    places = ((folder, name) for folder, _, names in os.walk(given) for name in names)
    found = [os.path.join(*place) for place in places if not place[1].startswith(".")]
    if not found:
        raise DataError(given, "the directory holds no files", "pass another")
    return sorted(found)


class _Documents(RowTaker):
    """Takes the texts of one column; other columns are ignored."""

    def __init__(self, file: InputFile, column: str | None) -> None:
        nowhere = Columns(candidate="\0", references=("\0\0",), needs=("source",))
        if column is None:
            columns = flags.columns_for(file, "jsonl", replace(nowhere, unnamed=("source",)))
        else:
            columns = replace(nowhere, source=column)
        super().__init__(file.name, columns, keep_text=False, on_error="raise")

    def take(self, chunk: Any, row: Row) -> None:
        column = self.columns.source
        if column not in row:
            raise RowError(not_found(column, row, column), "name the column with --column")
        super().take(chunk, row | {self.columns.candidate: None})


def _documents(paths: Sequence[str], column: str | None) -> Iterator[str]:
    for path in paths:
        with InputFile(path) as file:
            if path != "-" and format_of(path) != "jsonl":
                try:
                    yield b"".join(file.blocks()).decode("utf-8-sig")
                except UnicodeDecodeError as error:
                    problem = f"not UTF-8 at byte {error.start}"
                    raise DataError(file.name, problem, "convert it to UTF-8") from None
                continue
            for chunk in jsonl.read(file, _Documents(file, column)):
                for source in chunk.listed().sources:
                    yield from (source,) if isinstance(source, str) else source or ()
