r"""`summeval train combination`, and `train cremer --parts`: any metrics, cross-validated.

Train a combination of any metrics on the rows of DATA and write its model: metrics that compare
with references, with the source, and with nothing, in one call. Use the model as a metric:
-m combination --option combination.model=MODEL.

A row has a candidate, what the metrics compare it with, its topic and a human score;
"scores.coherence" means the field coherence of the object scores; rows without a score are skipped.
The printed table has the combination on topics, systems and sets that it was not trained on, beside
the equal-weight mean of its columns, each column alone, and the length.

[ARGUMENTS]
--format: format of DATA [by its ending; jsonl for -]
--output: file to write
--no-cache: neither read nor write the cache of parses
--option: an option of a metric or a family, such as rouge.stemmer=porter; MODEL keeps it
--metrics: METRIC, its main field, or METRIC.FIELD
--kind: [linear]
-C: of svm kinds: a number, or cv [SVM-light's]
--system: column with the writer
--group: column with the set of data
--folds: hold out topic, system, set [all that are known]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval train combination rows.jsonl -m rouge2,simetrix.unsmoothedJSD,readability \
      --score overall --topic topic_id --system system_id -o mine.model --kind svm-rbf
The kinds with a kernel need scikit-learn: pip install 'summeval[learn]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from summeval import Combination
from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose, columns_of, usual
from summeval.cli.shared.errors import UsageError, put, refusals, say
from summeval.cli.shared.rows import Data, add_data, as_c, check_output, left_out, read_data, save
from summeval.io import DataError
from summeval.io.source import shown
from summeval.metrics.combination import KINDS
from summeval.metrics.parts import is_empty
from summeval.metrics.registry import split_field
from summeval.report.tables import text_lines
from summeval.study.combined import JudgedColumns, combination, held_out_by

if TYPE_CHECKING:
    from summeval import Cremer, Suite

_BY = ("topic", "system", "set")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_data(parser)
    add = parser.add_argument
    flags.add(parser, "metrics", required=True)
    add("--kind", choices=KINDS, default="linear")
    add("-C", default=None, metavar="C")
    flags.add(parser, "system", default=None)
    flags.add(parser, "option", "no-cache")
    add("--group", metavar="COLUMN")
    flags.add(parser, "score", "topic")
    flags.add_names(parser, "--folds", metavar="BY")
    flags.add(parser, "note", "workers", "format", "separator")
    flags.add_columns(parser)


def run(arguments: Namespace) -> None:
    """Train a combination."""
    machine = as_c(arguments.C)
    if machine is not None and not arguments.kind.startswith("svm-"):
        raise UsageError(f"-C is for the svm kinds; omit it with --kind {arguments.kind}")
    common = {"cache": False} if arguments.no_cache else {}
    suite, columns = chosen_parts("--metrics", arguments.metrics, arguments.option, common)
    metrics: Any = suite.metrics
    made = Combination(metrics, columns, kind=arguments.kind, C=machine)
    asked = flags.names_of("--folds", arguments.folds, "column", blanks=True)
    train(arguments, made, suite, asked)


def train(
    arguments: Namespace, made: Combination | Cremer, suite: Suite, asked: Sequence[str]
) -> None:
    """Cross-validate, fit on all rows and write the model."""
    workers = flags.workers_of(arguments)
    folds = _folds(arguments, asked)
    check_output(arguments.output)
    data = read_data(arguments, suite.reads, group=arguments.group)
    with refusals(shown(arguments.input)):
        judged, notes = _judged(data, suite, made.columns_used, workers, shown(arguments.input))
        found = combination(
            judged,
            made.new_model,
            [by for by in folds if _possible(judged, by, by in asked)],
            kind=f"{made.name}, {made.model_kind}",
            signatures={name: str(signature) for name, signature in suite.signature.items()},
        )
        rows = np.column_stack(list(judged.columns.values()))
        made.fit_rows(rows, judged.scores, judged.own_topics)
    save(arguments, made)
    (table,) = found.tables
    lines = [table.title, "", *text_lines(table.rows), ""]
    put([*lines, *found.told(), *(f"note: {note}" for note in notes)])


def chosen_parts(
    option: str, names: Sequence[str], options: Sequence[str], common: dict[str, Any]
) -> tuple[Suite, list[str]]:
    """The metrics of names such as `rouge2` and `simetrix.unsmoothedJSD`, and their columns."""
    listed = usual(flags.names_of(option, names, "metric", blanks=True))
    suite = choose([split_field(name)[0] for name in listed], options, common)
    return suite, list(dict.fromkeys(columns_of(suite, listed, "field ")))


def _folds(arguments: Namespace, asked: Sequence[str]) -> list[str]:
    """Return what to hold out: what is asked for, else all whose column is given."""
    given = {"topic": arguments.topic, "system": arguments.system, "set": arguments.group}
    for by in asked:
        if by not in _BY:
            raise UsageError(f"--folds names {by!r}; choose from {', '.join(_BY)}")
        if given[by] is None:
            option = "--group" if by == "set" else f"--{by}"
            raise UsageError(f"--folds names {by!r}; name its column with {option}")
    return list(asked) or [by for by in _BY if given[by] is not None]


def _possible(judged: JudgedColumns, by: str, is_asked: bool) -> bool:
    """Return whether there are two folds or more; those asked for must be."""
    try:
        held_out_by(judged, by)
    except ValueError as error:
        if is_asked:
            raise
        say(f"not cross-validated by {by}: {error}")
        return False
    return True


def _judged(
    data: Data, suite: Suite, columns: Sequence[str], workers: int, place: str
) -> tuple[JudgedColumns, list[str]]:
    """Return the columns of the metrics and the scores, of the rows that have all of them."""
    reads = suite.reads
    references = data.references if "references" in reads else None
    given = data.sources if "source" in reads else None
    table = suite.score_batch(data.candidates, references, sources=given, workers=workers)
    notes = left_out(data.left_out, "text or score")
    numbers = {column: table[column] for column in columns}
    known = {column: np.isfinite(values) for column, values in numbers.items()}
    for column, there in known.items():
        if not there.any():
            problem = f"{column} has no number in any row"
            raise DataError(place, problem, "leave it out, or give the metric what it needs")
    whole = np.logical_and.reduce(list(known.values()))
    if not whole.all():
        gaps = [column for column, there in known.items() if not there.all()]
        notes.append(f"{(~whole).sum()} rows left out, with no number in {', '.join(gaps)}")
    if "source" in reads:  # whose worst values depend on the source
        whole &= [not is_empty(text) for text in data.candidates]
    rows = np.flatnonzero(whole).tolist()
    if not rows:
        raise DataError(place, "no row has a number in every column", "leave a metric out")

    kept = data.where(rows)
    judged = JudgedColumns(
        {name: values[rows] for name, values in numbers.items()},
        {name: suite.directions[name] for name in columns},
        np.array(kept.scores),
        np.array([float(len((text or "").split())) for text in kept.candidates]),
        kept.topics,
        kept.systems or None,
        kept.groups or None,
    )
    return judged, notes
