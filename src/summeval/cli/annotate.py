"""`summeval annotate`: parse the texts of rows once, into a file that later runs read.

Parse the candidates, references and sources of INPUT (rows as for `summeval score`) and write the
parses: sentences, parts of speech, lemmas, dependencies, named entities.

Each distinct text is parsed and written once. FILE holds one document per line (JSON), or CoNLL-U;
later runs look documents up by their text, with the provider file:FILE. Parses are cached in the
folder SUMMEVAL_CACHE, or in summeval within the user's cache folder, so an interrupted run
continues where it stopped.

With --discourse each line holds the text, its tagged sentences and the discourse relations found
in them (read by summeval.annotate.discourse.from_json).

[ARGUMENTS]
--texts: which texts of a row [all of candidate,references,source]
INPUT: .jsonl or .csv, also with .gz; - is standard input
--output: file to write [standard output]
--case: same as the metric's option [keep]
--no-cache: neither read nor write the cache
--discourse: write discourse relations, as JSON Lines
--output-format: format of FILE [by its ending; jsonl]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval annotate rows.jsonl -o parses.jsonl --workers 4
  summeval annotate rows.jsonl -o parses.conllu --provider spacy:en_core_web_lg --no-cache
"""

from __future__ import annotations

import hashlib
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from summeval._progress import Progress
from summeval.annotate import Document, annotate, discourse, to_json, write_conllu
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, open_provider, refusals, say, whole
from summeval.io.formats import read_chunks
from summeval.io.jsonl import unfold
from summeval.io.output import open_output
from summeval.io.rows import Chunk
from summeval.io.source import InputFile, no_rows
from summeval.metrics.run.runner import CASES, one_case

OUTPUT_FORMATS = ("jsonl", "conllu")
TEXTS = ("candidate", "references", "source")
_CHUNK_BYTES = 2 << 20  # large enough that starting several processes pays off


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT")
    flags.add(parser, "output", metavar="FILE")
    flags.add(parser, "provider")
    add("--texts", metavar="A,B")
    add("--case", choices=CASES, default="keep")
    flags.add(parser, "workers", "no-cache")
    add("--discourse", action="store_true")
    flags.add(parser, "format", "separator")
    add("--output-format", choices=OUTPUT_FORMATS)
    flags.add_columns(parser)
    flags.add(parser, "no-progress")


def run(arguments: Namespace) -> None:
    """Annotate a file."""
    workers = flags.workers_of(arguments)
    form, write = flags.input_format(arguments), _writer(arguments)
    texts = _texts(arguments.texts)
    needs = tuple(name for name in texts if name != "candidate")
    asked = flags.columns_of(arguments, () if arguments.texts is None else needs, needs)
    source = open_provider(arguments.provider)
    with InputFile(arguments.input) as file, warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = lambda message, *_: say(str(message))
        if arguments.output != "-" and file.same_file(arguments.output):
            raise UsageError("FILE is the same file as INPUT; pass another one with -o")
        if form == "jsonl":
            unfold(file)
        columns = flags.columns_for(file, form, asked)
        written: set[bytes] = set()
        before = rows = 0
        with (
            whole(open_output(arguments.output)) as output,
            Progress(file.size, not arguments.no_progress) as progress,
        ):
            for chunk in read_chunks(file, form, columns, chunk_bytes=_CHUNK_BYTES):
                fresh = list(_fresh(_texts_of(chunk, texts, arguments.case), written))
                shown = _between(progress, before, file.position)
                how: Any = {"workers": workers, "cache": not arguments.no_cache, "progress": shown}
                with refusals(file.name):
                    documents = annotate(fresh, source, **how)
                before, rows = file.position, rows + len(chunk)
                progress.update(before, len(chunk))
                lines = (line for document in documents if document for line in write(document))
                output.write("".join(f"{line}\n" for line in lines).encode(), {})
            if not rows:
                raise no_rows(arguments.input)


def _between(progress: Progress, start: int, end: int) -> Callable[[int, int], None]:
    """Return what shows the part of a chunk that is done, as a place in the file."""
    return lambda done, total: progress.update(start + (end - start) * done // max(total, 1), 0)


def _fresh(texts: Iterable[str], written: set[bytes]) -> Iterator[str]:
    """Yield the texts that have not occurred before."""
    for text in texts:
        digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        if digest not in written:
            written.add(digest)
            yield text


def _writer(arguments: Namespace) -> Callable[[Document], Iterable[str]]:
    """Return what makes the lines of a document."""
    form: str | None = arguments.output_format
    if arguments.discourse and form == "conllu":
        raise UsageError("discourse relations are written as jsonl; omit --output-format")
    form = flags.output_form(arguments.output, form, OUTPUT_FORMATS, "--output-format")
    if arguments.discourse:
        return lambda document: [discourse.to_json(discourse.parse(document), document.text)]
    return write_conllu if form == "conllu" else lambda document: [to_json(document)]


def _texts_of(chunk: Chunk, names: Iterable[str], case: str) -> Iterator[str]:
    pairs = zip(chunk.candidates, chunk.references, strict=True)
    rows = [one_case(case, [own, *(others or ())]) for own, others in pairs]
    if "candidate" in names:
        yield from (row[0] for row in rows if row[0] is not None)
    if "references" in names:
        yield from (text for row in rows for text in row[1:] if text is not None)
    if "source" in names:
        for source in chunk.sources:
            yield from [source] if isinstance(source, str) else source or ()


def _texts(given: str | None) -> tuple[str, ...]:
    if given is None:
        return TEXTS
    names = tuple(filter(None, (name.strip() for name in given.split(","))))
    if not names or not set(names) <= set(TEXTS):
        raise UsageError(f"--texts is {given!r}; choose from {','.join(TEXTS)}")
    return names
