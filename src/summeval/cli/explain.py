"""`summeval explain`: what the scores of rows come from, as text, JSON or a page.

Show what the scores of the rows of INPUT come from: the words that candidate and references (or the
source) share, those that are missing, those that only the candidate has, and what each adds.

INPUT has rows as summeval score reads them, or as it writes them with --keep-text or from --hyp.
{COLUMNS}
Rows are chosen by --row, --worst, --best or --apart. Without a choice, text has the first few rows;
JSON Lines and a page have all. The page is one HTML file that opens from disk, with a list of the
rows to sort and to filter; it stays fluid with 10,000 rows.

[ARGUMENTS]
INPUT: rows with texts; - is standard input
--output: file to write [standard output]
--row: the row of this id, or number if no row has one; repeated, or with commas
--worst: the N rows that the first metric puts last
--best: the N rows that the first metric puts first
--apart: the N rows [10] whose ranks by two metrics differ most
--format: text, json (a JSON object a line) or html [by the ending of OUT; text]
--system: column with the systems [system]
--on-error: what to do with bad rows: stop, or say why they are not explained [raise]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted,
143 terminated.
Examples:
  summeval explain rows.jsonl -m rouge1 --row d31
  summeval explain rows.jsonl -m rouge2,tesla-s --worst 10
  summeval explain scores.jsonl --apart rouge1,tesla-e 20 -o apart.html
"""

from __future__ import annotations

import json
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

import summeval
from summeval._problem import printable
from summeval._progress import Progress
from summeval.cli.score.settings import check_parsers, parsing
from summeval.cli.shared import flags
from summeval.cli.shared.choice import DEFAULT, add_shared, choose
from summeval.cli.shared.errors import UsageError, refusals, say, whole
from summeval.io import DataError
from summeval.io.formats import FORMATS, open_input, read_chunks
from summeval.io.output import open_output
from summeval.io.rows import Chunk
from summeval.io.source import InputFile
from summeval.metrics import registry

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from summeval.io.arrow import TableInput
    from summeval.io.rows import Columns
    from summeval.metrics.run.explain.explanation import Explanation


FIRST = 5  # rows on a terminal, if none are asked for
APART = 10  # rows on which two metrics part, if no number is given
LAYOUTS = ("text", "json", "html", "jsonl")  # JSON is an object a line in both


@dataclass(frozen=True)
class TextRow:
    """A row: its place in the file, what names it, its texts, and why it cannot be used."""

    number: int
    id: str
    system: str
    candidate: str | None
    references: Sequence[str] | None
    source: str | Sequence[str] | None
    problem: str = ""

    @property
    def label(self) -> str:
        """How the row is named in what people read.

        >>> TextRow(3, "d1", "bart", "a", ["a"], None).label
        'row 3 (d1), bart'
        """
        named = f" ({self.id})" if self.id else ""
        return f"row {self.number}{named}" + (f", {self.system}" if self.system else "")

    def lacks(self, metric: summeval.Metric) -> str:
        """Say which texts a metric reads that the row does not have, if any."""
        reads = metric.compared_with
        lacks = ["no candidate"] * (self.candidate is None)
        lacks += ["no reference"] * (not self.references and reads in ("references", "both"))
        lacks += ["no source"] * (not self.source and reads in ("source", "both"))
        return " and ".join(lacks)


ExplainedRow = tuple[TextRow, list["Explanation | str"]]


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="INPUT")
    flags.add(parser, "metrics")
    flags.add(parser, "output")
    add("--row", action="append", metavar="ID")
    add("--worst", type=int, metavar="N")
    add("--best", type=int, metavar="N")
    add("--apart", nargs="+", metavar=("A,B", "N"))
    flags.add(parser, "format", dest="layout", choices=LAYOUTS[:-1])
    flags.add(parser, "system", "option")
    add_shared(parser)
    flags.add(parser, "on-error")
    flags.add(parser, "input-format", dest="format", choices=FORMATS)
    parser.set_defaults(format_option="--input-format")
    flags.add(parser, "separator")
    flags.add_columns(parser)
    flags.add(parser, "annotations", "no-cache", "no-progress")


def run(arguments: Namespace) -> None:
    """Explain rows."""
    check_asked(arguments)
    layout = flags.output_form(arguments.output, arguments.layout, LAYOUTS, "--format")
    apart, _ = apart_of(arguments.apart)
    named = arguments.metrics or ([] if apart else [DEFAULT])
    suite = choose([*named, *apart], arguments.option, parsing(arguments))
    check_parsers(suite)
    rows = read_rows(arguments, suite)
    metrics = [metric for metric in suite.metrics if isinstance(metric, summeval.Metric)]
    rows = chosen(arguments, metrics, rows, page=layout != "text")
    pairs = _explained(arguments, metrics, rows)
    with whole(open_output(arguments.output)) as output:
        if layout == "html":
            from summeval.report.explanation_page import explanation_page

            names = ", ".join(metric.name for metric in metrics)
            title = f"{os.path.basename(arguments.input)}: {names}"
            for piece in explanation_page(pairs, metrics, title):
                output.write(piece, {})
            return
        pieces = (
            _json(pairs) if layout.startswith("json") else _text(pairs, arguments.output == "-")
        )
        for line in pieces:
            output.write(line.encode(), {})


def _explained(
    arguments: Namespace, metrics: Sequence[summeval.Metric], rows: Sequence[TextRow]
) -> Iterator[ExplainedRow]:
    """Each row with its explanations, or why there is none."""
    with Progress(len(rows), not arguments.no_progress and arguments.output != "-") as progress:
        for done, row in enumerate(rows, 1):
            yield row, [_of(arguments, metric, row) for metric in metrics]
            progress.update(done, 1)


def _of(arguments: Namespace, metric: summeval.Metric, row: TextRow) -> Explanation | str:
    if problem := row.problem or row.lacks(metric):
        return problem
    try:
        with refusals(f"{arguments.input}, {row.label}"):
            return metric.explain(row.candidate, row.references, source=row.source)
    except DataError as error:
        if arguments.on_error == "raise":
            raise
        return str(error)


def _text(pairs: Iterator[ExplainedRow], to_terminal: bool) -> Iterator[str]:
    for row, found in pairs:
        for one in found:
            body = one if isinstance(one, str) else one.to_text(None if to_terminal else False)
            yield f"{printable(row.label)}\n{body}\n\n"


def _json(pairs: Iterator[ExplainedRow]) -> Iterator[str]:
    for row, found in pairs:
        for one in found:
            record: dict[str, Any] = {"row": row.number, "id": row.id or None}
            record |= {"system": row.system or None, "explanation": None}
            record |= {"problem": one} if isinstance(one, str) else {"explanation": one.to_dict()}
            yield json.dumps(record, ensure_ascii=False) + "\n"


def apart_of(given: Sequence[str] | None) -> tuple[list[str], int]:
    """Return the two metrics and the number of rows of `--apart`.

    >>> apart_of(["rouge1,rouge2", "5"]), apart_of(["rouge1", "tesla-s"]), apart_of(None)
    ((['rouge1', 'rouge2'], 5), (['rouge1', 'tesla-s'], 10), ([], 10))
    """
    words = [word for text in given or () for word in text.replace(",", " ").split()]
    number = words.pop() if words and words[-1].isdecimal() else str(APART)
    if given is not None and (len(set(words)) != 2 or len(words) != 2 or int(number) < 1):
        raise UsageError("--apart takes two metrics and how many rows: --apart rouge1,rougeL 10")
    return words, int(number)


def check_asked(arguments: Namespace) -> None:
    """Raise `UsageError` for ways to choose rows that exclude each other, or take no rows."""
    asked = [n for n in ("row", "worst", "best", "apart") if getattr(arguments, n) is not None]
    if len(asked) > 1:
        raise UsageError(f"pass one of {' and '.join(f'--{name}' for name in asked)}")
    for name in ("worst", "best"):
        if getattr(arguments, name) is not None and getattr(arguments, name) < 1:
            raise UsageError(f"--{name} takes a number of rows from 1")


def chosen(
    arguments: Namespace, metrics: Sequence[summeval.Metric], rows: Sequence[TextRow], page: bool
) -> list[TextRow]:
    """Return the rows that are asked for, in the order in which they are shown.

    Without a choice a page has all of them, a terminal the first few.
    """
    if arguments.row is not None:
        return _named(arguments, rows)
    apart, number = apart_of(arguments.apart)
    places = list(range(len(rows)))
    if apart:
        by_name = {metric.name: metric for metric in metrics}
        places = parting(*(values_of(arguments, by_name[name], rows) for name in apart))[:number]
    elif (most := arguments.best or arguments.worst) is not None:
        column = values_of(arguments, metrics[0], rows)
        places = ranked(column if arguments.best is not None else -column)[:most]
    elif not page and len(rows) > FIRST:
        text = f"the first {FIRST} of {len(rows):,} rows; choose others with --row, --worst, --best"
        say(f"{text} or --apart, or write a page of all with -o FILE.html")
        places = places[:FIRST]
    return [rows[k] for k in places]


def ranked(values: NDArray[float64]) -> list[int]:
    """Return the places of values from the highest on; ties in their order, without NaN.

    >>> import numpy as np
    >>> ranked(np.array([0.1, np.nan, 0.5, 0.1]))
    [2, 0, 3]
    """
    import numpy as np

    return [k for k in np.argsort(-values, kind="stable").tolist() if not np.isnan(values[k])]


def parting(one: NDArray[float64], other: NDArray[float64]) -> list[int]:
    """Return the places of two columns where their ranks differ most first; without NaN.

    Equal values share the mean of their ranks.

    >>> import numpy as np
    >>> parting(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 1.0, 3.0, 0.0]))
    [3, 0, 2, 1]
    """
    import numpy as np

    there = np.flatnonzero(~(np.isnan(one) | np.isnan(other)))
    ranks = []
    for values in (one[there], other[there]):
        _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(counts) - (counts - 1) / 2)[place])
    difference = np.full(len(one), np.nan)
    difference[there] = np.abs(ranks[0] - ranks[1])
    return ranked(difference)


def values_of(
    arguments: Namespace, metric: summeval.Metric, rows: Sequence[TextRow]
) -> NDArray[float64]:
    """Return the values of a metric for all rows, negated where lower is better."""
    reads = metric.compared_with
    with refusals(arguments.input):
        table = metric.score_batch(
            [row.candidate for row in rows],
            [row.references for row in rows] if reads in ("references", "both") else None,
            sources=[row.source for row in rows] if reads in ("source", "both") else None,
            on_error=arguments.on_error,
        )
    column: NDArray[float64] = table[f"{metric.name}.{metric.primary}"]
    return column if metric.higher_is_better else -column


def _named(arguments: Namespace, rows: Sequence[TextRow]) -> list[TextRow]:
    """Return the rows of ids; where no row has an id, those of numbers."""
    by_number = not any(row.id for row in rows)
    names = [str(row.number) if by_number else row.id for row in rows]
    wanted: list[str] = []
    for text in arguments.row:
        wanted += [text] if text in names else [part for part in text.split(",") if part]
    for name in [name for name in wanted if name not in names]:
        if by_number:
            number = f"pass a number from 1 to {len(rows)}"
            raise UsageError(f"--row {name}: no row has an id, so {number}")
        import difflib

        near = difflib.get_close_matches(name, sorted({*names}), 1, 0.0)
        hint = f"; did you mean {near[0]}?" if near else ""
        which = f"{arguments.input} has no row with this {arguments.id_column}"
        raise UsageError(f"--row {name}: {which}{hint}")
    found = [k for k, name in enumerate(names) if name in wanted]
    return [rows[k] for k in sorted(found, key=lambda k: wanted.index(names[k]))]


def read_rows(arguments: Namespace, suite: summeval.Suite) -> list[TextRow]:
    """Return all rows of INPUT.

    Raises
    ------
    DataError
        If it cannot be read, has no rows, or scores without texts.
    """
    with open_input(arguments.input, flags.given_format(arguments)) as file:
        form = flags.input_format(arguments, FORMATS)
        columns = flags.columns_for(file, form, flags.columns_of(arguments, suite.reads))
        try:
            rows = list(_rows(arguments, file, form, columns))
        except DataError as error:
            if not _has_scores(error):
                raise
            problem = "has scores, but the texts that they are of are not in it"
            hint = "keep them with summeval score --keep-text, or pass the rows that were scored"
            raise DataError(file.name, problem, hint) from None
    if not rows:
        raise DataError(file.name, "has no rows", "pass a file with at least one")
    return rows


def _has_scores(error: DataError) -> bool:
    """Return whether a text was not found among columns that have scores of a registered metric."""
    found = re.findall(r"'([^']+\.\w+)'", str(error))
    return ": no '" in str(error) and any(registry.direction_of(c) is not None for c in found)


def _rows(
    arguments: Namespace, file: InputFile | TableInput, form: Any, columns: Columns
) -> Iterator[TextRow]:
    numbers, named = count(1), (columns.id, arguments.system)
    if isinstance(file, InputFile):
        chunks = read_chunks(file, form, columns, on_error=arguments.on_error)
    else:
        chunks = file.chunks(columns, [n for n in file.carried(columns, False) if n in named])
    for chunk in map(Chunk.listed, chunks):
        texts = zip(chunk.rows, chunk.candidates, chunk.references, chunk.sources, strict=True)
        for index, (row, candidate, references, source) in enumerate(texts):
            row_id, system = ("" if row.get(n) is None else str(row[n]) for n in named)
            names = next(numbers), row_id, system
            yield TextRow(*names, candidate, references, source, chunk.errors.get(index, ""))
