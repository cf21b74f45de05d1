"""`summeval score`: read rows and write them with scores, in chunks."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import summeval
from summeval._problem import printable
from summeval._progress import Progress
from summeval.cli.score.settings import (
    add_cleaning,
    add_means,
    add_plain,
    check_columnar,
    check_parsers,
    check_usage,
    output_format,
    parsing,
    score_columns,
    value_columns,
)
from summeval.cli.shared.arguments import (
    add_flags,
    add_format,
    add_names,
    add_option,
    add_workers,
    input_format,
    told_format,
    workers_of,
)
from summeval.cli.shared.choice import DEFAULT, NAMES_HELP, add_shared, choose
from summeval.cli.shared.columns import COLUMNS_HELP, add_columns, columns_of, settled
from summeval.cli.shared.errors import (
    BAD_DATA,
    Interrupted,
    UsageError,
    deliver,
    put,
    refusals,
    say,
)
from summeval.cli.shared.refused import (
    check_error_column,
    check_error_fields,
    in_file,
    told,
    with_row_of_file,
)
from summeval.cli.shared.summary import Totals, speed
from summeval.io import DataError, SystemFailure
from summeval.io.directions import write_beside
from summeval.io.output import encoder, open_output
from summeval.io.rows import Position, join_first
from summeval.io.source import (
    DELIMITERS,
    FORMATS,
    IN_COLUMNS,
    IN_ROWS,
    InputFile,
    open_input,
    read_chunks,
)
from summeval.metrics.run.notices import Notices
from summeval.metrics.run.signature import Signature

if TYPE_CHECKING:
    from summeval.cli.score.cleaned import Cleaning
    from summeval.cli.score.means import Means
    from summeval.io.arrow import TableInput
    from summeval.io.arrow_output import Carried
    from summeval.io.column_names import Columns
    from summeval.io.output import Encoder, Finish, Output, WriteBehind
    from summeval.io.rows import Chunk
    from summeval.io.source import Format

DESCRIPTION = f"""\
Score texts and write them with their scores, in the same order: the rows of INPUT, or plain files.

Plain files follow --hyp, --ref and --src: each line is a text (--newline names a mark that means a
line break), or each file of a folder is one, by its name. Each file after --hyp is a system, called
by its file or as in NAME=FILE; each after --ref holds one reference for each text. The rows have
id, system, candidate, references, source and the scores.

A row of JSON Lines is an object {{"id", "candidate", "references": [...], ...}} on one line. A null
candidate, or null or no references, gives null scores. Metrics that compare with the source read it
from "source", a text or a list of documents; they need no references. CSV and TSV have the same
columns, with the references as a JSON list in one cell or in columns reference_1, reference_2, ...;
empty reference cells are ignored. Parquet and Arrow files (extra arrow) have texts, or lists of
texts, in these columns; a directory holds Parquet files. For metrics that need sentences, put each
sentence on its own line within the text.
{COLUMNS_HELP}
Other columns are copied to the output; the texts are omitted without --keep-text.
Scores are written to columns named METRIC.FIELD, such as rouge1.fmeasure."""

EPILOG = """\
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
  zcat rows.jsonl.gz | summeval score - -m rougeSU4 --option rouge.stemmer=porter > scores.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    rows = add("input", metavar="INPUT", help="rows to score, see Formats; - is standard input")
    add_plain(parser, instead_of=rows)
    add_names(parser, "-m", "--metrics", help=NAMES_HELP)
    add("-o", "--output", metavar="OUT", help="file to write [standard output]")
    add_means(parser)
    add_workers(parser)
    add_option(
        parser,
        "such as rouge.stemmer=porter; a list of words from a file: rouge.stopwords=@FILE",
    )
    add_shared(parser)
    add_cleaning(parser)
    add_flags(
        parser, "on-error", help="what to do with bad rows: stop, or write null scores [raise]"
    )
    add(
        "--max-null",
        type=float,
        metavar="SHARE",
        help="end with status 1 if more than this share of the rows has a null score; OUT is kept",
    )
    add("--resume", action="store_true", help="continue an interrupted run with -o")
    add_format(parser, choices=FORMATS)
    add(
        "--output-format",
        choices=(*FORMATS, "json"),
        help="format of OUT [by its ending; that of INPUT]; with --means alone csv or json",
    )
    add(
        "--safe-csv",
        action="store_true",
        help="write ' before texts in CSV that a spreadsheet would take for formulas",
    )
    add("--keep-text", action="store_true", help="write the texts too; those of --hyp always are")
    add_columns(parser)
    add_flags(parser, "annotations", "no-cache", "no-progress")


def run(arguments: argparse.Namespace) -> int:
    """Score a file; return the exit status."""
    workers_of(arguments)
    check_usage(arguments)
    suite = choose(arguments.metrics or [DEFAULT], arguments.option, parsing(arguments))
    check_parsers(suite)
    asked = columns_of(arguments, suite.reads)
    with _opened(arguments, suite) as file:
        form = "plain" if arguments.hyp else input_format(arguments, FORMATS)
        output_form = output_format(arguments, form)
        if arguments.output != "-" and file.same_file(arguments.output):
            raise UsageError("OUT is INPUT or one of its files; pass another file with -o")
        columns = asked if arguments.hyp else settled(file, form, asked)
        if (
            not isinstance(file, InputFile)
            and output_form in IN_ROWS
            and arguments.on_error == "skip"
        ):
            check_error_column(file.name, file.carried(columns, arguments.keep_text))
        if arguments.safe_csv and output_form not in DELIMITERS:
            raise UsageError(f"--safe-csv is for CSV and TSV, not for {output_form}; omit it")
        job = _Job(arguments, file, suite, columns, (form, output_form))
        job.open()
        totals, pace = _score(job)
        job.tell_beside()
    if not totals.rows:
        raise DataError(file.name, "holds no rows", "write one row on each line")
    for line in job.notices.lines():
        say(line)
    _conclude(job, totals, pace)
    if os.path.isfile(arguments.output) and sys.stderr is not None and sys.stderr.isatty():
        say(f"wrote {totals.rows:,} rows, {len(job.score_columns)} scores each: {arguments.output}")
    return _told_null(job, totals)


def _opened(arguments: argparse.Namespace, suite: summeval.Suite) -> InputFile | TableInput:
    if not arguments.hyp:
        return open_input(arguments.input, told_format(arguments))
    from summeval.cli.score.plain import open_files

    return open_files(arguments, suite)


def _score(job: _Job) -> tuple[Totals, list[str]]:
    """Do the remaining work. Returns the totals, and the speed."""
    output, path = job.output, job.arguments.output
    try:
        _, before, _ = job.begun()
        if output.finished:
            say(f"{path}: already finished by the same job; nothing to do")
            return before, []
        if output.compares:
            say(f"{path}: exists without a manifest; scoring again to compare")
        began = time.monotonic()
        totals = job.run()
        output.commit()
        return totals, speed(totals.rows - before.rows, time.monotonic() - began)
    except BaseException as error:
        raise _ended(output, error, job.arguments.resume) from error.__cause__


def _ended(output: Output, error: BaseException, resume: bool) -> BaseException:
    """Keep the output of a failed run for `--resume`, or remove it.

    Returns the error to raise.
    """
    # Keep the output if the system or the user stopped the run, or if the user resumes.
    kept = isinstance(error, (KeyboardInterrupt, SystemFailure)) or resume
    if not (kept and output.resumable):
        output.discard()
        return error
    output.close()
    if isinstance(error, KeyboardInterrupt):
        return Interrupted.by(error, "run the same command with --resume to continue")
    return error


class _Job:
    """One run over a file."""

    output: Output
    cleaning: Cleaning | None = None
    means: Means | None = None

    def __init__(
        self,
        arguments: argparse.Namespace,
        file: InputFile | TableInput,
        suite: summeval.Suite,
        columns: Columns,
        forms: tuple[Format, Format],
    ) -> None:
        self.arguments = arguments
        self.workers = workers_of(arguments)
        self.file = file
        self.suite = suite
        self.form, self.output_form = forms
        self.columns = columns
        self.score_columns = score_columns(suite)
        self.skips = arguments.on_error == "skip"
        self.notices = Notices(suite.metrics, command=True)
        if arguments.extract is not None or arguments.strip:
            from summeval.cli.score.cleaned import Cleaning

            self.cleaning = Cleaning(arguments, file.name, columns)
        if arguments.means:
            from summeval.cli.score.means import Means

            self.means = Means(arguments, suite, columns)

    @property
    def signatures(self) -> dict[str, str]:
        """The signatures of the metrics, with what is done to the texts before they are scored."""
        done = {"newline": self.arguments.newline} if self.arguments.newline else {}
        if self.cleaning is not None:
            done |= self.cleaning.options
        found = self.suite.signature
        if not done:
            return dict(found)
        return {
            name: Signature.of(one.name, {**one.options, **done}, one.version)
            for name, one in found.items()
        }

    def open(self) -> None:
        """Open the output."""
        arguments, file = self.arguments, self.file
        identity: dict[str, Any] = {
            # A run that cannot be resumed reads nothing twice.
            "input file": file.is_kept and file.identity(whole=arguments.resume),
            "version of summeval": summeval.__version__,
            "choice of metrics": list(self.signatures.items()),
            "set of options": [
                self.form,
                self.output_form,
                asdict(self.columns),
                arguments.on_error,
                arguments.keep_text,
                arguments.safe_csv,
            ],
        }
        finish: Finish | None = None
        if self.output_form in IN_COLUMNS:
            check_columnar(arguments, file, self.output_form, self.columns)
            from summeval.io.arrow_output import table_writer

            directions = self.suite.directions
            table: Carried | None = None
            names: Sequence[str] = ()
            if not isinstance(file, InputFile):
                names = file.carried(self.columns, arguments.keep_text)
                table = file if self.cleaning is None else self.cleaning.table(file)
            meaning = directions, self.signatures
            finish = table_writer(*meaning, self.output_form, table, names, errors=self.skips)
        self.output = open_output(
            arguments.output, identity if file.is_kept else None, arguments.resume, finish
        )

    def run(self) -> Totals:
        """Read, score and write, from the start or from the state of the output."""
        safe = self.arguments.safe_csv
        writer = encoder(self.output_form, self.score_columns, errors=self.skips, safe=safe)
        start, totals, writer.header = self.begun()
        progress = Progress(self.file.size, self._wants_progress())
        writing = self._writing(writer)
        names = self.columns.id
        try:
            for chunk in self._chunks(start):
                if self.skips:
                    check_error_fields(self.file.name, chunk, totals.rows, names)
                scores = self._score(chunk, totals.rows)
                tell = partial(told, self.file.name, chunk, names)
                totals.add(chunk, scores, value_columns(self.suite), tell)
                if self.cleaning is not None:
                    totals.add_cleaned(self.cleaning.taken())
                if self.means is not None:
                    self.means.add(chunk, scores, totals)
                state = {"position": asdict(chunk.end), "totals": totals.to_json()}
                writing.put(chunk, list(scores.values()), state)
                progress.update(self.file.position, len(chunk))
        finally:
            writing.finish()
            progress.finish()
        return totals

    def tell_beside(self) -> None:
        """Write what the scores mean beside an output that has no room for it."""
        path = self.arguments.output
        if self.output_form in IN_ROWS and os.path.isfile(path):
            write_beside(path, self.signatures, self.suite.directions)

    def begun(self) -> tuple[Position, Totals, list[str] | None]:
        """The state of an earlier run: position, totals and the header of a CSV file.

        Raises `DataError` if the state is invalid.
        """
        state = self.output.state
        if state is None:
            return Position(), Totals(), None
        try:
            place, totals, header = (state[name] for name in ("position", "totals", "header"))
            found = Position(**place), Totals.from_json(totals), header
            if min(found[0].offset, found[0].line) < 0 or not _is_header(header):
                raise ValueError
        except (KeyError, TypeError, ValueError, AttributeError):
            problem = "its state for --resume is damaged"
            raise DataError(
                self.arguments.output, problem, "start again without --resume"
            ) from None
        return found

    def _chunks(self, start: Position) -> Iterator[Chunk]:
        found = self._read(start)
        return found if self.cleaning is None else self.cleaning.chunks(found)

    def _read(self, start: Position) -> Iterator[Chunk]:
        if not isinstance(self.file, InputFile):
            # A columnar output reads the carried columns at the end.
            carried = self.file.carried(self.columns, self.arguments.keep_text)
            if self.output_form in IN_COLUMNS:
                carried = [name for name in carried if self.means and name in self.means.reads]
            pieces = self.file.chunks(self.columns, carried, start)
            return pieces if self.workers == 1 else self.file.ahead(pieces)
        if self.output_form in DELIMITERS:
            chunks = self._read_rows(start=start)
            # The header of a CSV file depends on the usable rows.
            return join_first(chunks) if start == Position() else chunks
        lines = self._read_rows(start=start, as_columns=True)
        return lines if self.workers == 1 else self.file.ahead(lines)

    def _read_rows(self, **more: Any) -> Iterator[Any]:
        assert isinstance(self.file, InputFile)
        return read_chunks(
            self.file,
            self.form,
            self.columns,
            keep_text=self.arguments.keep_text,
            on_error=self.arguments.on_error,
            **more,
        )

    def _score(self, chunk: Chunk, first: int) -> dict[str, Any]:
        id_column = self.columns.id
        with refusals(self.file.name):
            try:
                table = self.suite.score_batch(
                    chunk.candidates,
                    chunk.references,
                    sources=chunk.sources,
                    workers=self.workers,
                    on_error=self.arguments.on_error,
                    notices=self.notices,
                )
            except ValueError as error:
                raise ValueError(with_row_of_file(str(error), chunk, first, id_column)) from error
        for row, problem in table.errors.items():
            chunk.errors[row] = in_file(row, problem, chunk, first, id_column)
        return {column: table[column] for column in self.score_columns}

    def _writing(self, writer: Encoder) -> _Writing | WriteBehind:
        if self.arguments.table_only:
            return _NotWriting(self.output, writer)
        if self.workers == 1 or self.output_form != "jsonl":
            return _Writing(self.output, writer)
        from summeval.io.output import WriteBehind

        return WriteBehind(self.output, writer)

    def _wants_progress(self) -> bool:
        to_terminal = self.arguments.output == "-" and sys.stdout.isatty()
        return not self.arguments.no_progress and not to_terminal


class _Writing:
    """Writes chunks as they come; the methods are those of `WriteBehind`."""

    def __init__(self, output: Output, writer: Encoder) -> None:
        self._output = output
        self._writer = writer

    def put(self, chunk: Chunk, scores: list[Any], state: dict[str, Any]) -> None:
        data = self._writer.encode(chunk, scores)
        self._output.write(data, state | {"header": self._writer.header})

    def finish(self) -> None:
        pass


class _NotWriting(_Writing):
    """Writes nothing, where only the table of means is asked for."""

    def put(self, chunk: Chunk, scores: list[Any], state: dict[str, Any]) -> None:
        pass


def _is_header(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(v, str) for v in value))


def _told_null(job: _Job, totals: Totals) -> int:
    """Tell how many rows got null scores; return the exit status."""
    most, null = job.arguments.max_null, max(totals.null, totals.bad)
    line = f"{null:,} of {totals.rows:,} rows got null scores"
    if most is not None and null > most * totals.rows:
        say(f"{job.file.name}: {line}, more than --max-null {most:g}; correct them, or allow more")
        return BAD_DATA
    if totals.bad or (null and job.means is None):
        rest = totals.bad - len(totals.messages)
        say(line + (f", {rest:,} of them not shown" if rest else ""))
    return 0


def _conclude(job: _Job, totals: Totals, pace: list[str]) -> None:
    for message in totals.messages:
        say(message)
    cleaned = [] if job.cleaning is None else [job.cleaning.told(totals)]
    if job.means is None:
        for line in cleaned:
            say(line)
        return
    if job.arguments.means_form:
        found = job.means.data(totals, job.signatures, job.arguments.means_form)
        deliver(job.arguments.means_file, found, data=True)
        return
    lines = [*job.means.lines(totals, cleaned, job.signatures), *pace]
    if job.arguments.output != "-":
        put(lines)
    elif sys.stderr is not None:  # closed
        print(*map(printable, lines), sep="\n", file=sys.stderr, flush=True)
