"""`summeval score`: read rows and write them with scores, in chunks.

Score texts and write them with their scores, in the same order: the rows of INPUT, or plain files.

Plain files follow --hyp, --ref and --src: each line is a text (--newline names a mark that means a
line break), or each file of a folder is one, by its name. Each file after --hyp is a system, called
by its file or as in NAME=FILE; each after --ref holds one reference for each text. The rows have
id, system, candidate, references, source and the scores.

A row of JSON Lines is an object {"id", "candidate", "references": [...], ...} on one line. A null
candidate, or null or no references, gives null scores. Metrics that compare with the source read it
from "source", a text or a list of documents; they need no references. CSV and TSV have the same
columns, with the references as a JSON list in one cell or in columns reference_1, reference_2, ...;
empty reference cells are ignored. Parquet and Arrow files (extra arrow) have texts, or lists of
texts, in these columns; a directory holds Parquet files. For metrics that need sentences, put each
sentence on its own line within the text.
{COLUMNS}
Other columns are copied to the output; the texts are omitted without --keep-text.
Scores are written to columns named METRIC.FIELD, such as rouge1.fmeasure.

[ARGUMENTS]
--option: an option of a metric or a family, such as rouge.stemmer=porter; a list of words from a
    file: rouge.stopwords=@FILE
INPUT: rows to score, see Formats; - is standard input
--output: file to write [standard output]
--on-error: what to do with bad rows: stop, or write null scores [raise]
--max-null: end with status 1 if more than this share of the rows has a null score; OUT is kept
--resume: continue an interrupted run with -o
--output-format: format of OUT [by its ending; that of INPUT]; with --means alone csv or json
--safe-csv: write ' before texts in CSV that a spreadsheet would take for formulas
--keep-text: write the texts too; those of --hyp always are
--means: print means by system, or scores of the corpus for metrics such as BLEU; without -o nothing
    else, with -o - on standard error; -o means.json or means.csv has them instead of rows
--sums: write the statistics of each row for metrics such as BLEU, in columns METRIC.sum1, …: of
    such files rank and report show scores of the corpus
--ci: with half the width of their 95 % interval
--digits: digits after the point [5]
--samples: what --means takes of several outputs of one system for one id [all]
--seed: of --samples draw [0]
--extract: score the last match of it, or of its first group; or what stands in a tag: answer
--strip: remove from candidates: think, markdown

Formats, by extension: .jsonl .csv .tsv (all also with .gz) .parquet .arrow .feather .ipc; INPUT may
also be a .json array of objects. OUT.signatures is written beside an OUT of JSON Lines, CSV or TSV:
the signatures of the metrics, which rank, report, cite and others read.
Exit status: 0 done, 1 bad data or files, no rows, or more null scores than --max-null allows,
2 bad usage, 130 interrupted, 143 terminated.
Examples:
  summeval score --hyp bart.txt t5.txt --ref gold.txt -m rouge1,rouge2,rougeLsum --means --ci
  summeval score --hyp bart.txt t5.txt --ref gold.txt -m rouge1,tesla-s -o scores.jsonl
  summeval score rows.jsonl -m rouge1,rouge2,rougeLsum -o scores.jsonl --means
  summeval score rows.parquet -m rouge1,rouge2,rougeL -o scores.parquet --workers -1 --resume
  zcat rows.jsonl.gz | summeval score - -m rougeSU4 --option rouge.stemmer=porter > scores.jsonl
"""

from __future__ import annotations

import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import summeval
from summeval._problem import printable, row_of
from summeval._progress import Progress
from summeval.cli.score import settings
from summeval.cli.score.totals import Totals, speed
from summeval.cli.shared import errors, flags
from summeval.cli.shared.choice import DEFAULT, add_shared, choose
from summeval.cli.shared.errors import UsageError, deliver, put, refusals, say
from summeval.io import DataError, SystemFailure, formats
from summeval.io.directions import write_beside
from summeval.io.formats import read_chunks
from summeval.io.output import open_output
from summeval.io.rows import ERROR, Position, encode_json, join_first
from summeval.io.source import InputFile
from summeval.metrics.run.notices import Notices
from summeval.metrics.run.signature import Signature

if TYPE_CHECKING:
    from summeval.cli.score.cleaned import Cleaning
    from summeval.cli.score.means import Means
    from summeval.io.arrow import TableInput
    from summeval.io.arrow_output import TableWriter
    from summeval.io.formats import Format
    from summeval.io.output import Output
    from summeval.io.rows import Chunk, Columns

# Once glibc saw a block of this size freed, it keeps freed memory of up to twice the size for the
# next chunk. Otherwise it gives it back each time, and new pages take a twelfth of the run.
_FREED = 16 << 20
# Where rows take long, of parsing or a model, an interrupted run shall not lose minutes of work.
_SLOW_BYTES = 512 << 10


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    rows = add("input", metavar="INPUT")
    settings.add_plain(parser, instead_of=rows)
    flags.add(parser, "metrics")
    flags.add(parser, "output", default=None)
    settings.add_means(parser)
    flags.add(parser, "workers", "option")
    add_shared(parser)
    settings.add_cleaning(parser)
    flags.add(parser, "on-error")
    add("--max-null", type=float, metavar="SHARE")
    add("--resume", action="store_true")
    flags.add(parser, "format", choices=formats.FORMATS)
    flags.add(parser, "separator")
    add("--output-format", choices=(*formats.FORMATS, "json"))
    add("--safe-csv", action="store_true")
    add("--keep-text", action="store_true")
    flags.add_columns(parser)
    flags.add(parser, "annotations", "no-cache", "no-progress")


def run(arguments: Namespace) -> int:
    """Score a file; return the exit status."""
    flags.workers_of(arguments)
    settings.check_usage(arguments)
    suite = choose(arguments.metrics or [DEFAULT], arguments.option, settings.parsing(arguments))
    settings.check_parsers(suite)
    asked = flags.columns_of(arguments, suite.reads)
    opened = (
        settings.open_files(arguments, suite)
        if arguments.hyp
        else formats.open_input(arguments.input, flags.given_format(arguments))
    )
    with opened as file:
        form = "plain" if arguments.hyp else flags.input_format(arguments, formats.FORMATS)
        output_form = settings.output_format(arguments, form)
        if arguments.output != "-" and file.same_file(arguments.output):
            raise UsageError("OUT is INPUT or one of its files; pass another file with -o")
        columns = asked if arguments.hyp else flags.columns_for(file, form, asked)
        in_rows, skips = output_form in formats.IN_ROWS, arguments.on_error == "skip"
        if skips and in_rows and not isinstance(file, InputFile):
            check_error_column(file.name, file.carried(columns, arguments.keep_text))
        if arguments.safe_csv and output_form not in formats.DELIMITERS:
            raise UsageError(f"--safe-csv is for CSV and TSV, not for {output_form}; omit it")
        job = _Job(arguments, file, suite, columns, (form, output_form))
        totals, pace = job.run()
    if not totals.rows:
        raise DataError(file.name, "holds no rows", "write one row on each line")
    return _conclude(job, totals, pace)


class _Job:
    """One run over a file."""

    cleaning: Cleaning | None = None
    means: Means | None = None
    table: TableWriter | None = None  # of an output in columns
    stored: Sequence[str] = ()  # the columns that it copies from columns

    def __init__(
        self,
        arguments: Namespace,
        file: InputFile | TableInput,
        suite: summeval.Suite,
        columns: Columns,
        forms: tuple[Format, Format],
    ) -> None:
        self.arguments, self.file, self.suite, self.columns = arguments, file, suite, columns
        self.form, self.output_form = forms
        summed: list[Any] = [one for one in suite.metrics if arguments.sums and one.summed]
        self.statistics = {
            one.name: [f"{one.name}.sum{k}" for k in range(1, one.statistics_size + 1)]
            for one in summed
        }
        if arguments.sums and not self.statistics:
            raise UsageError("--sums is for metrics such as bleu and chrf, of which none is chosen")
        self.score_columns = [*suite.directions, *chain(*self.statistics.values())]
        self.value_columns = [f"{metric.name}.{metric.primary}" for metric in suite.metrics]
        self.skips = arguments.on_error == "skip"
        self.notices = Notices(suite.metrics, command=True)
        done = {"newline": arguments.newline} if arguments.newline else {}
        if arguments.extract is not None or arguments.strip:
            from summeval.cli.score.cleaned import Cleaning

            self.cleaning = Cleaning(arguments, file.name, columns)
            done |= self.cleaning.options
        if arguments.means:
            from summeval.cli.score.means import Means

            self.means = Means(arguments, suite, columns)
        # with what is done to the texts before they are scored
        self.signatures = dict(suite.signature)
        if done:
            for name, one in suite.signature.items():
                signature = Signature.of(one.name, {**one.options, **done}, one.version)
                self.signatures[name] = signature
        self.output = self._opened()

    def _opened(self) -> Output:
        arguments, file, output_form = self.arguments, self.file, self.output_form
        options = flags.given(arguments, "on_error", "keep_text", "safe_csv", "sums")
        identity: dict[str, Any] = {
            # A run that cannot be resumed reads nothing twice.
            "input file": file.is_kept and file.identity(whole=arguments.resume),
            "version of summeval": summeval.__version__,
            "choice of metrics": list(self.signatures.items()),
            "set of options": [self.form, output_form, asdict(self.columns), *options.values()],
        }
        if output_form in formats.IN_COLUMNS:
            settings.check_columnar(arguments, file, output_form, self.columns)
            from summeval.io.arrow_output import TableWriter

            fields: list[Any] = []
            read: Any = None
            if not isinstance(file, InputFile):
                self.stored = file.carried(self.columns, arguments.keep_text)
                fields = [file.schema.field(name) for name in self.stored]
                read = file.batches if self.cleaning is None else self.cleaning.batches(file)
            directions = {name: self.suite.directions.get(name) for name in self.score_columns}
            self.table = TableWriter(
                output_form, directions, self.signatures, fields, read, errors=self.skips
            )
        kept = identity if file.is_kept else None
        return open_output(arguments.output, kept, arguments.resume, self.table)

    def run(self) -> tuple[Totals, list[str]]:
        """Do the remaining work. Returns the totals, and the speed."""
        output, path = self.output, self.arguments.output
        try:
            start, totals, header = self._begun()
            before, began = totals.rows, time.monotonic()
            if output.finished:
                say(f"{path}: already finished by the same job; nothing to do")
            else:
                if output.compares:
                    say(f"{path}: exists without a manifest; scoring again to compare")
                self._write(start, totals, header)
                output.commit()
        except BaseException as error:
            raise self._ended(error) from error.__cause__
        if self.output_form in formats.IN_ROWS and os.path.isfile(path):
            write_beside(path, self.signatures, self.suite.directions)
        return totals, speed(totals.rows - before, time.monotonic() - began)

    def _ended(self, error: BaseException) -> BaseException:
        """Keep the output of a failed run for `--resume`, or remove it; the error to raise."""
        # Keep it if the system or the user stopped the run, or if the user resumes.
        kept = isinstance(error, (KeyboardInterrupt, SystemFailure)) or self.arguments.resume
        if not (kept and self.output.resumable):
            self.output.discard()
            return error
        self.output.close()
        if isinstance(error, KeyboardInterrupt):
            return errors.Interrupted.by(error, "run the same command with --resume to continue")
        return error

    def _begun(self) -> tuple[Position, Totals, list[str] | None]:
        """Return the state of an earlier run: position, totals and the header of a CSV file.

        Raises `DataError` if the state is invalid.
        """
        state = self.output.state
        if state is None:
            return Position(), Totals(), None
        try:
            header: Any = state["header"]
            place, totals = Position(**state["position"]), Totals.from_json(state["totals"])
            names = [] if header is None else header
            if min(place.offset, place.line) < 0 or not isinstance(names, list):
                raise ValueError
            if not all(isinstance(name, str) for name in names):
                raise ValueError
        except (KeyError, TypeError, ValueError, AttributeError):
            problem = "its state for --resume is damaged"
            hint = "start again without --resume"
            raise DataError(self.arguments.output, problem, hint) from None
        return place, totals, header

    def _write(self, start: Position, totals: Totals, header: list[str] | None) -> None:
        """Read, score and write, from the start or from the state of the output."""
        arguments = self.arguments
        how = {"errors": self.skips, "safe": arguments.safe_csv}
        writer = self.table or formats.encoder(self.output_form, self.score_columns, **how)
        writer.header = header
        to_terminal = arguments.output == "-" and sys.stdout.isatty()
        bytes(_FREED)
        progress = Progress(self.file.size, not arguments.no_progress and not to_terminal)
        behind = None
        in_text = self.output_form in formats.DELIMITERS  # which Python encodes
        if arguments.workers != 1 and not in_text and not arguments.table_only:
            from summeval.io.output import WriteBehind

            behind = WriteBehind(self.output, writer)
        try:
            for chunk in self._chunks(start):
                scores = list(self._scored(chunk, totals).values())
                state = {"position": asdict(chunk.end), "totals": totals.to_json()}
                if behind is not None:
                    behind.put(chunk, scores, state)
                elif not arguments.table_only:
                    data = writer.encode(chunk, scores)
                    self.output.write(data, state | {"header": writer.header})
                passed = self.file.passed
                progress.update(self.file.position if passed is None else passed, len(chunk))
        finally:
            if behind is not None:
                behind.finish()
            progress.finish()

    def _chunks(self, start: Position) -> Iterator[Chunk]:
        arguments = self.arguments
        chunks: Iterator[Chunk]
        size: Any = {} if self.suite.computes else {"chunk_bytes": _SLOW_BYTES}
        ahead = arguments.workers != 1
        if not isinstance(self.file, InputFile):
            carried = self.file.carried(self.columns, arguments.keep_text)
            if self.table is not None:  # it copies columns, not rows
                carried = [name for name in carried if self.means and name in self.means.reads]
            chunks = self.file.chunks(self.columns, carried, start, also=self.stored, **size)
        else:
            in_rows = self.output_form in formats.DELIMITERS
            how = {**flags.given(arguments, "keep_text", "on_error"), "as_columns": not in_rows}
            how |= size
            chunks = read_chunks(self.file, self.form, self.columns, start=start, **how)
            ahead = ahead and not in_rows
            if in_rows and start == Position():  # its header depends on the usable rows
                chunks = join_first(chunks)
        if ahead:
            chunks = self.file.ahead(chunks)
        return chunks if self.cleaning is None else self.cleaning.chunks(chunks)

    def _scored(self, chunk: Chunk, totals: Totals) -> dict[str, Any]:
        """Return the scores of a chunk, which are added to the totals."""
        file, first = self.file.name, totals.rows
        if self.skips and chunk.has_any([ERROR]):
            check_error_column(file, chunk.columns)
            for index, row in enumerate(chunk.rows):
                place = f" in row {first + index + 1}{self._id(chunk, index)}"
                check_error_column(file, row, place)
        with refusals(file):
            try:
                how = flags.given(self.arguments, "workers", "on_error")
                how |= {"sources": chunk.sources, "notices": self.notices}
                table = self.suite.score_batch(chunk.candidates, chunk.references, **how)
            except ValueError as error:
                if (number := row_of(error)) is None:
                    raise
                raise ValueError(self._in_file(chunk, first, number, str(error))) from error
        for number, problem in table.errors.items():
            chunk.errors[number] = self._in_file(chunk, first, number, problem)
        scores = {column: table[column] for column in self.suite.directions}
        totals.add(chunk, scores, self.value_columns, partial(self._message, chunk))
        if self.cleaning is not None:
            totals.add_cleaned(self.cleaning.taken())
        if self.means is not None:
            self.means.add(chunk, table, totals)
        for name, columns in self.statistics.items():
            scores |= zip(columns, table.statistics(name).T, strict=True)
        return scores

    def _in_file(self, chunk: Chunk, first: int, row: int, problem: str) -> str:
        """Return the problem of a row of a chunk, numbered from 1 as in the file."""
        own = problem.removeprefix(f"row {row}: ")
        return f"row {first + row + 1}{self._id(chunk, row)}: {own}"

    def _message(self, chunk: Chunk, row: int) -> str:
        """The message of a refused row as if it ended the run: with file, line or row, and id."""
        place, _, problem = chunk.errors[row].partition(": ")
        if not place.startswith("line "):  # of what a metric refuses, which has its id
            return f"{self.file.name}: {chunk.errors[row]}"
        line = place.removeprefix("line ")
        return f"{self.file.name}:{line}{self._id(chunk, row)}: {problem}"

    def _id(self, chunk: Chunk, row: int) -> str:
        identity = chunk.rows[row].get(self.columns.id)
        return "" if identity is None else f" (id {encode_json(identity)[:60]})"


def check_error_column(file: str, names: Iterable[str], place: str = "") -> None:
    """Raise `DataError` for a column with the name of the error column."""
    if ERROR in names:
        problem = f"has a column {ERROR!r}{place}, to which --on-error skip writes messages"
        raise DataError(file, problem, "rename it, or use --on-error raise")


def _conclude(job: _Job, totals: Totals, pace: list[str]) -> int:
    """Tell what is to be told in the end; return the exit status."""
    arguments = job.arguments
    for line in (*job.notices.lines(), *totals.messages):
        say(line)
    cleaned = [] if job.cleaning is None else [job.cleaning.summary(totals)]
    if job.means is None:
        for line in cleaned:
            say(line)
    elif arguments.means_form:
        found = job.means.data(totals, job.signatures, arguments.means_form)
        deliver(arguments.means_file, found, data=True)
    else:
        lines = [*job.means.lines(totals, cleaned, job.signatures), *pace]
        if arguments.output != "-":
            put(lines)
        elif sys.stderr is not None:  # closed
            print(*map(printable, lines), sep="\n", file=sys.stderr, flush=True)
    if os.path.isfile(arguments.output) and sys.stderr is not None and sys.stderr.isatty():
        say(f"wrote {totals.rows:,} rows, {len(job.score_columns)} scores each: {arguments.output}")
    most, null = arguments.max_null, max(totals.null, totals.bad)
    line = f"{null:,} of {totals.rows:,} rows got null scores"
    if most is not None and null > most * totals.rows:
        say(f"{job.file.name}: {line}, more than --max-null {most:g}; correct them, or allow more")
        return errors.BAD_DATA
    if totals.bad or (null and job.means is None):
        rest = totals.bad - len(totals.messages)
        say(line + (f", {rest:,} of them not shown" if rest else ""))
    return 0
