"""`summeval annotate`: parse the texts of rows once, into a file that later runs read."""

from __future__ import annotations

import argparse
import hashlib
import warnings
from collections.abc import Iterable, Iterator

from summeval._progress import Progress
from summeval.annotate import (
    Document,
    Provider,
    annotate,
    discourse,
    to_json,
    write_conllu,
)
from summeval.cli.shared.arguments import (
    add_flags,
    add_format,
    add_workers,
    input_format,
    output_form,
    workers_of,
)
from summeval.cli.shared.columns import add_columns, columns_of, settled
from summeval.cli.shared.errors import UsageError, open_provider, refusals, say, whole
from summeval.io import DataError
from summeval.io.jsonl import unfold
from summeval.io.output import Output, open_output
from summeval.io.rows import Chunk
from summeval.io.source import InputFile, read_chunks
from summeval.metrics.run.runner import CASES, one_case

DESCRIPTION = """\
Parse the candidates, references and sources of INPUT (rows as for `summeval score`) and write the
parses: sentences, parts of speech, lemmas, dependencies, named entities.

Each distinct text is parsed and written once. FILE holds one document per line (JSON), or CoNLL-U;
later runs look documents up by their text, with the provider file:FILE. Parses are cached in the
folder SUMMEVAL_CACHE, or in summeval within the user's cache folder, so an interrupted run
continues where it stopped.

With --discourse each line holds the text, its tagged sentences and the discourse relations found
in them (read by summeval.annotate.discourse.from_json)."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval annotate rows.jsonl -o parses.jsonl --workers 4
  summeval annotate rows.jsonl -o parses.conllu --provider spacy:en_core_web_lg --no-cache"""

OUTPUT_FORMATS = ("jsonl", "conllu")
TEXTS = ("candidate", "references", "source")
_CHUNK_BYTES = 2 << 20  # large enough that starting several processes pays off


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help=".jsonl or .csv, also with .gz; - is standard input")
    add("-o", "--output", default="-", metavar="FILE", help="file to write [standard output]")
    add("--provider", default="spacy", metavar="NAME[:MODEL]", help="the parser [spacy]")
    add("--texts", metavar="A,B", help=f"which texts of a row [all of {','.join(TEXTS)}]")
    add("--case", choices=CASES, default="keep", help="same as the metric's option [keep]")
    add_workers(parser)
    add("--no-cache", action="store_true", help="neither read nor write the cache")
    add("--discourse", action="store_true", help="write discourse relations, as JSON Lines")
    add_format(parser)
    add("--output-format", choices=OUTPUT_FORMATS, help="format of FILE [by its ending; jsonl]")
    add_columns(parser)
    add_flags(parser, "no-progress")


def run(arguments: argparse.Namespace) -> int:
    """Annotate a file; return the exit status."""
    workers = workers_of(arguments)
    form, _ = input_format(arguments), _output_format(arguments)
    texts = _texts(arguments.texts)
    asked = columns_of(arguments, () if arguments.texts is None else _needs(texts), _needs(texts))
    source = open_provider(arguments.provider)
    with InputFile(arguments.input) as file, warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = lambda message, *_: say(str(message))
        if arguments.output != "-" and file.same_file(arguments.output):
            raise UsageError("FILE is the same file as INPUT; pass another one with -o")
        if form == "jsonl":
            unfold(file)
        columns = settled(file, form, asked)
        with whole(open_output(arguments.output)) as output:
            job = _Job(arguments, file, source, output, workers)
            try:
                for chunk in read_chunks(file, form, columns, chunk_bytes=_CHUNK_BYTES):
                    job.annotate(chunk, texts)
            finally:
                job.progress.finish()
            if not job.rows:
                raise DataError(file.name, "holds no rows", "write one row on each line")
    return 0


class _Job:
    """One run over a file."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        file: InputFile,
        source: Provider,
        output: Output,
        workers: int,
    ) -> None:
        self.file = file
        self.source = source
        self.output = output
        self.workers = workers
        self.cache = not arguments.no_cache
        self.progress = Progress(file.size, not arguments.no_progress)
        self.form = _output_format(arguments)
        self.discourse: bool = arguments.discourse
        self.case: str = arguments.case
        self.written: set[bytes] = set()
        self.position = self.rows = 0

    def annotate(self, chunk: Chunk, names: Iterable[str]) -> None:
        """Parse and write the texts of a chunk that have not occurred before."""
        texts = []
        for text in _texts_of(chunk, names, self.case):
            digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
            if digest not in self.written:
                self.written.add(digest)
                texts.append(text)
        start, end = self.position, self.file.position

        def show(done: int, total: int) -> None:
            self.progress.update(start + (end - start) * done // max(total, 1), 0)

        with refusals(self.file.name):
            documents = annotate(
                texts, self.source, workers=self.workers, cache=self.cache, progress=show
            )
        self.position = end
        self.rows += len(chunk)
        self.progress.update(end, len(chunk))
        lines = [line for document in documents if document for line in self._lines(document)]
        self.output.write("".join(f"{line}\n" for line in lines).encode(), {})

    def _lines(self, document: Document) -> Iterator[str]:
        if self.discourse:
            return iter([discourse.to_json(discourse.parse(document), document.text)])
        if self.form == "conllu":
            return write_conllu(document)
        return iter([to_json(document)])


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


def _needs(texts: Iterable[str]) -> tuple[str, ...]:
    """The columns that rows must have because the user asked for them."""
    return tuple(name for name in texts if name != "candidate")


def _output_format(arguments: argparse.Namespace) -> str:
    path: str = arguments.output
    form: str | None = arguments.output_format
    if arguments.discourse and form == "conllu":
        raise UsageError("discourse relations are written as jsonl; omit --output-format")
    return output_form(path, form, OUTPUT_FORMATS, "--output-format")
