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
from summeval._progress import Progress
from summeval.cli.explain import explainers, explanations
from summeval.cli.shared.arguments import add_format, add_option
from summeval.cli.shared.choice import DEFAULT, NAMES_HELP, choose
from summeval.cli.shared.columns import COLUMNS_HELP, add_columns, columns_of, settled
from summeval.cli.shared.errors import Interrupted, UsageError, say
from summeval.cli.shared.names import add_names
from summeval.cli.shared.parsing import open_provider, refusals
from summeval.cli.shared.printing import put, whole
from summeval.cli.shared.refused import (
    check_error_column,
    check_error_fields,
    in_file,
    told,
    with_row_of_file,
)
from summeval.cli.shared.summary import Totals, speed, summary
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.io import (
    FORMATS,
    IN_COLUMNS,
    IN_ROWS,
    DataError,
    InputFile,
    Position,
    SystemFailure,
    encoder,
    format_of,
    join_first,
    open_input,
    open_output,
    read_chunks,
    system_error,
)
from summeval.metrics.run.notices import Notices

if TYPE_CHECKING:
    from summeval.io import (
        ArrowChunk,
        Chunk,
        Columns,
        Finish,
        Format,
        LineChunk,
        Output,
        RowColumns,
        Rows,
        TableInput,
    )
    from summeval.io.ahead import WriteBehind
    from summeval.io.rows import Encoder

DESCRIPTION = f"""\
Score the rows of INPUT and write them with their scores, in the same order.

A row of JSON Lines is an object {{"id", "candidate", "references": [...], ...}} on one line. A null
candidate, or null or no references, gives null scores. Metrics that compare with the source read it
from "source", a text or a list of documents; they need no references. CSV has the same columns,
with the references as a JSON list in one cell or in columns reference_1, reference_2, ...; empty
reference cells are ignored. Parquet and Arrow files (extra arrow) have texts, or lists of texts, in
these columns; a directory holds Parquet files. For metrics that need sentences, put each sentence
on its own line within the text.
{COLUMNS_HELP}
Other columns are copied to the output; the texts are omitted without --keep-text.
Scores are written to columns named METRIC.FIELD, such as rouge1.fmeasure."""

EPILOG = """\
Formats, by extension: .jsonl .csv (both also with .gz) .parquet .arrow .feather .ipc
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted,
143 terminated.
Examples:
  summeval score rows.jsonl -m rouge1,rouge2,rougeLsum -o scores.jsonl --summary
  summeval score rows.parquet -m rouge1,rouge2,rougeL -o scores.parquet --workers -1 --resume
  zcat rows.jsonl.gz | summeval score - -m rougeSU4 --option rouge.stemmer=porter > scores.jsonl"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT", help="rows to score, see Formats; - is standard input")
    add_names(parser, "-m", "--metrics", help=NAMES_HELP)
    add("-o", "--output", default="-", metavar="OUT", help="file to write [standard output]")
    add_workers(parser)
    add_option(
        parser,
        "such as rouge.stemmer=porter; a list of words from a file: rouge.stopwords=@FILE",
    )
    add(
        "--tokenizer",
        metavar="NAME",
        help="tokenizer of all metrics that have one: rouge155, unicode",
    )
    add(
        "--summary",
        action="store_true",
        help="print means; on standard error if rows go to standard output",
    )
    add(
        "--on-error",
        choices=("raise", "skip"),
        default="raise",
        help="what to do with bad rows: stop, or write null scores [raise]",
    )
    add("--resume", action="store_true", help="continue an interrupted run with -o")
    add_format(parser, choices=FORMATS)
    add("--output-format", choices=FORMATS, help="format of OUT [by its ending; that of INPUT]")
    add("--keep-text", action="store_true", help="write the texts too")
    add_columns(parser)
    add("--annotations", metavar="FILE", help="parses written by summeval annotate")
    add("--no-cache", action="store_true", help="do not use the cache of parses")
    add(
        "--explain",
        action="store_true",
        help="write how each score is made up (bewte, support, tesla-e)",
    )
    add("--no-progress", action="store_true", help="no progress bar")


def run(arguments: argparse.Namespace) -> int:
    """Score a file; return the exit status."""
    workers = workers_of(arguments)
    if arguments.resume and "-" in (arguments.input, arguments.output):
        raise UsageError("--resume needs files, not pipes: pass INPUT and -o OUT")
    suite = choose(arguments.metrics or [DEFAULT], arguments.option, _parsing(arguments))
    if arguments.tokenizer is not None and all(m.tokenizer is None for m in suite.metrics):
        raise UsageError("--tokenizer: none of the metrics has a tokenizer; omit it")
    _check_parsers(suite)
    asked = columns_of(arguments, suite.reads)
    with open_input(arguments.input, _told_format(arguments)) as file:
        form = input_format(arguments, IN_ROWS if arguments.explain else FORMATS)
        output_form = _output_format(arguments, form)
        if arguments.output != "-" and file.same_file(arguments.output):
            raise UsageError("OUT is INPUT or one of its files; pass another file with -o")
        columns = settled(file, form, asked)
        if isinstance(file, InputFile) and arguments.explain:
            return _explain(arguments, file, suite, form, columns)
        if (
            not isinstance(file, InputFile)
            and output_form in IN_ROWS
            and arguments.on_error == "skip"
        ):
            check_error_column(file.name, file.carried(columns, arguments.keep_text))
        identity: dict[str, Any] | None = {
            # A run that cannot be resumed reads nothing twice.
            "input file": file.is_kept and file.identity(whole=arguments.resume),
            "version of summeval": summeval.__version__,
            "choice of metrics": list(suite.signature.items()),
            "set of options": [
                form,
                output_form,
                asdict(columns),
                arguments.on_error,
                arguments.keep_text,
            ],
        }
        finish = _finish_table(arguments, file, output_form, columns, suite)
        output = open_output(
            arguments.output, identity if file.is_kept else None, arguments.resume, finish
        )
        job = _Job(arguments, file, suite, output, workers)
        totals, pace = _score(job, form, output_form, columns)
    for line in job.notices.lines():
        say(line)
    _conclude(arguments, suite, totals, pace)
    return 0


def _score(
    job: _Job, form: Format, output_form: Format, columns: Columns
) -> tuple[Totals, list[str]]:
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
        totals = job.run(form, output_form, columns)
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


def _explain(
    arguments: argparse.Namespace,
    file: InputFile,
    suite: summeval.Suite,
    form: Format,
    columns: Columns,
) -> int:
    if arguments.resume:
        raise UsageError("--explain and --resume cannot be combined; omit one")

    metrics = explainers(suite)
    as_json = arguments.output_format == "jsonl" or format_of(arguments.output) == "jsonl"
    chunks = read_chunks(file, form, columns, on_error=arguments.on_error)
    with whole(open_output(arguments.output)) as output, refusals(file.name):
        for text in explanations(metrics, chunks, columns.id, as_json):
            output.write(text, {})
    return 0


def _parsing(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of all metrics that parse texts."""
    options: dict[str, Any] = {}
    if arguments.annotations is not None:
        options["parser"] = open_provider(f"file:{arguments.annotations}")
    if arguments.no_cache:
        options["cache"] = False
    if arguments.tokenizer is not None:
        options["tokenizer"] = arguments.tokenizer
    return options


def _check_parsers(suite: summeval.Suite) -> None:
    """Raise `UsageError` early if a parser is unknown or not installed."""
    for metric in suite.metrics:
        try:
            _ = metric.signature
        except OSError as error:
            raise system_error(str(error.filename), error) from None
        except ImportError as error:
            raise UsageError(f"{metric.name}: {error}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None


class _Job:
    """One run over a file."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        file: InputFile | TableInput,
        suite: summeval.Suite,
        output: Output,
        workers: int,
    ) -> None:
        self.arguments = arguments
        self.workers = workers
        self.file = file
        self.output = output
        self.suite = suite
        self.columns = _score_columns(suite)
        self.skips = arguments.on_error == "skip"
        self.notices = Notices(suite.metrics, command=True)

    def run(self, form: Format, output_form: Format, columns: Columns) -> Totals:
        """Read, score and write, from the start or from the state of the output."""
        writer = encoder(output_form, self.columns, errors=self.skips)
        start, totals, writer.header = self.begun()
        progress = Progress(self.file.size, self._wants_progress())
        writing = self._writing(writer, output_form)
        try:
            for chunk in self._chunks(form, output_form, columns, start):
                if self.skips:
                    check_error_fields(self.file.name, chunk, totals.rows, columns.id)
                scores = self._score(chunk, totals.rows, columns.id)
                totals.add(chunk, scores, partial(told, self.file.name, chunk, columns.id))
                state = {"position": asdict(chunk.end), "totals": totals.to_json()}
                writing.put(chunk, list(scores.values()), state)
                progress.update(self.file.position, len(chunk))
        finally:
            writing.finish()
            progress.finish()
        return totals

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

    def _chunks(
        self, form: Format, output_form: Format, columns: Columns, start: Position
    ) -> Iterator[Chunk] | Iterator[ArrowChunk] | Iterator[LineChunk]:
        arguments = self.arguments
        if not isinstance(self.file, InputFile):
            # A columnar output reads the carried columns at the end.
            carried = self.file.carried(columns, arguments.keep_text)
            pieces = self.file.chunks(columns, () if output_form in IN_COLUMNS else carried, start)
            return pieces if self.workers == 1 else self.file.ahead(pieces)
        read = partial(
            read_chunks,
            self.file,
            form,
            columns,
            keep_text=arguments.keep_text,
            on_error=arguments.on_error,
            start=start,
        )
        if output_form != "csv":
            chunks = read(as_columns=True)
            return chunks if self.workers == 1 else self.file.ahead(chunks)
        # The header of a CSV file depends on the usable rows.
        return join_first(read()) if start == Position() else read()

    def _score(
        self, chunk: Chunk | ArrowChunk | LineChunk, first: int, id_column: str
    ) -> dict[str, Any]:
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
        return {column: table[column] for column in self.columns}

    def _writing(self, writer: Encoder, form: Format) -> _Writing | WriteBehind:
        if self.workers == 1 or form != "jsonl":
            return _Writing(self.output, writer)
        from summeval.io.ahead import WriteBehind

        return WriteBehind(self.output, writer)

    def _wants_progress(self) -> bool:
        to_terminal = self.arguments.output == "-" and sys.stdout.isatty()
        return not self.arguments.no_progress and not to_terminal


class _Writing:
    """Writes chunks as they come; the methods are those of `WriteBehind`."""

    def __init__(self, output: Output, writer: Encoder) -> None:
        self._output = output
        self._writer = writer

    def put(self, chunk: Rows, scores: list[Any], state: dict[str, Any]) -> None:
        data = self._writer.encode(chunk, scores)
        self._output.write(data, state | {"header": self._writer.header})

    def finish(self) -> None:
        pass


def _is_header(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(v, str) for v in value))


def _conclude(
    arguments: argparse.Namespace, suite: summeval.Suite, totals: Totals, pace: list[str]
) -> None:
    for message in totals.messages:
        say(message)
    if totals.bad:
        rest = totals.bad - len(totals.messages)
        more = f", {rest:,} of them not shown" if rest else ""
        say(f"{totals.bad:,} of {totals.rows:,} rows got null scores{more}")
    if arguments.summary:
        fields = {metric.name: metric.fields for metric in suite.metrics}
        lines = [*summary(totals, fields, suite.signature, suite.directions), *pace]
        if arguments.output != "-":
            put(lines)
        elif sys.stderr is not None:  # closed
            print(*lines, sep="\n", file=sys.stderr, flush=True)


def _told_format(arguments: argparse.Namespace) -> Format | None:
    path: str = arguments.input
    told: Format | None = arguments.format or ("jsonl" if path == "-" else format_of(path))
    return "parquet" if told is None and os.path.isdir(path) else told


def input_format(arguments: argparse.Namespace, formats: Sequence[Format] = IN_ROWS) -> Format:
    """The format of INPUT, from the command line.

    Raises `UsageError` if it is unknown or not one of `formats`.
    """
    form = _told_format(arguments)
    if form is not None and form not in formats:
        raise UsageError(
            f"{arguments.input}: this command does not read {form}; write the rows as .jsonl"
        )
    if form is None:
        raise UsageError(
            f"{arguments.input}: unknown extension; pass --format jsonl or --format csv"
        )
    return form


def _score_columns(suite: summeval.Suite) -> list[str]:
    return [f"{metric.name}.{name}" for metric in suite.metrics for name in metric.fields]


def _finish_table(
    arguments: argparse.Namespace,
    file: InputFile | TableInput,
    form: Format,
    columns: Columns,
    suite: summeval.Suite,
) -> Finish | None:
    """The function that makes a columnar output at the end; None for other formats."""
    if form not in IN_COLUMNS:
        return None
    if arguments.output == "-":
        raise UsageError(f"{form} cannot be written to standard output; pass a file with -o")
    from summeval.io import RowColumns, check_pyarrow, check_writable, table_writer

    check_pyarrow(arguments.output)
    if not file.is_kept:
        raise UsageError(f"{form} reads INPUT twice, which a pipe does not allow; pass a file")
    if not isinstance(file, InputFile) and form == "parquet":
        check_writable(file.schema, file.carried(columns, arguments.keep_text))

    def read() -> tuple[TableInput | RowColumns, Sequence[str]]:
        if not isinstance(file, InputFile):
            return file, file.carried(columns, arguments.keep_text)
        again = partial(
            read_chunks,
            file,
            input_format(arguments),
            columns,
            keep_text=arguments.keep_text,
            on_error=arguments.on_error,
            as_columns=True,
        )
        ahead = workers_of(arguments) != 1
        rows = RowColumns(
            lambda: file.ahead(again()) if ahead else again(), arguments.on_error == "skip"
        )
        return rows, rows.schema.names

    return table_writer(read, suite.directions, suite.signature, form)


def _output_format(arguments: argparse.Namespace, form: Format) -> Format:
    path: str = arguments.output
    known: Format | None = arguments.output_format or format_of(path)
    if arguments.explain:
        return form
    if known is None and path != "-" and (os.path.isfile(path) or not os.path.exists(path)):
        raise UsageError(f"{path}: unknown extension; pass --output-format jsonl or csv")
    return known or ("jsonl" if form in IN_COLUMNS else form)
