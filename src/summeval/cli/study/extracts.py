r"""`summeval study extracts` and `train extracts`: rankers of utterances, and people's extracts.

# summeval study extracts

Compare rankers of utterances with people (Galley 2006, tables 5 to 7).

Printed are P, the position Pyramid, and ROUGE recall of extracts under one word budget: the first
utterances, random ones, the longest, those of each ranker by folds of documents, and the best
possible; and of people's own extracts, each beside those of the others. Further tables have the
difference of each other ranker to order0, and each ranker by posterior, cost and prediction.
Intervals are by bootstrap over documents.

A row of ROWS has a topic, an annotator, the utterances of the document (a list of texts) and the
extract: a list of the utterances that the annotator selected, numbered from 0. All rows of a topic
have the same utterances. A row may also have speakers (a name for each utterance), links (lists
[from, to], from an utterance to the earlier one that it answers, at most one from each) and a
title.

[ARGUMENTS]
--utterances-column: texts of the document [utterances]
--extract-column: numbers of the selected utterances [extract]
--speakers-column: name of each utterance's speaker, if there [speakers]
--links-column: [from, to] of answers, if there [links]
--title-column: title of the document, if there [title]
ROWS: .jsonl, also with .gz, or .parquet; - is standard input
--topic: names the document [topic]
--annotator: names the person [annotator]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study extracts rows.jsonl --model order0,chain,skip-chain -o results
  summeval study extracts bc3_email.jsonl.gz --topic topic_id --annotator system_id \
    --utterances-column source_sents

# summeval train extracts

Train a ranker of utterances on people's extracts (Galley 2006), and write its model. In Python,
ExtractRanker.load(MODEL).rank(document) has the importance of each utterance, and
summeval.metrics.pyramid.select makes an extract of them.

A row of ROWS has a topic, an annotator, the utterances of the document (a list of texts) and the
extract: a list of the utterances that the annotator selected, numbered from 0. All rows of a topic
have the same utterances. A row may also have speakers (a name for each utterance), links (lists
[from, to], from an utterance to the earlier one that it answers, at most one from each) and a
title.

[ARGUMENTS]
--output: file to write

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval train extracts rows.jsonl --model skip-chain -o extracts.model
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, as_usage, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import check_output, train
from summeval.io import DataError
from summeval.io.rows import not_found
from summeval.io.source import shown
from summeval.learn.label_chain import MOST_ORDER, NORMALISATIONS
from summeval.metrics.pyramid.extract_documents import RowColumns, read_extracts
from summeval.metrics.pyramid.ranker import MODELS, OPTIONS, ExtractRanker
from summeval.study.extracts import Settings, extracts
from summeval.table.table import read_rows

if TYPE_CHECKING:
    from summeval.metrics.pyramid.extract_documents import Extracted


_COMPARED = {  # and the option that names them, and what it may name
    "models": ("model", MODELS),
    "orders": ("order", [str(n + 1) for n in range(MOST_ORDER)]),
    "normalisations": ("normalisation", NORMALISATIONS),
}
_COLUMNS = ("utterances", "extract", "speakers", "links", "title")


def _add_rows(parser: ArgumentParser) -> None:
    """Declare ROWS and the options that name its columns."""
    add = parser.add_argument
    add("rows", metavar="ROWS")
    flags.add(parser, "topic")
    add("--annotator", default="annotator", metavar="COLUMN")
    for name in _COLUMNS:
        add(f"--{name}-column", default=name, metavar="NAME")


def add_study(parser: ArgumentParser) -> None:
    """Declare the arguments of `study extracts`."""
    _add_rows(parser)
    flags.derive(parser, Settings, *_COMPARED, default=[])
    flags.derive(parser, ExtractRanker, "rank_by", "l2")
    flags.derive(parser, Settings, "folds", "seed", "draws", "resamples", "confidence")
    add_output(parser)


def run_study(arguments: Namespace) -> None:
    """Run the study."""
    several = {
        name: flags.chosen_of(arguments, option, known, dest=name)
        for name, (option, known) in _COMPARED.items()
    }
    _check_ranker("l2", arguments.l2)
    chosen = flags.parameters(arguments, "give at least {}") | several
    check_folder_of(arguments)
    chosen["orders"] = [*map(int, several["orders"])]
    settings = Settings(**{name: value for name, value in chosen.items() if value != []})
    documents = _documents(arguments)
    with refusals(shown(arguments.rows)):
        found = extracts(documents, settings)
    show_study(arguments, found)


def add_train(parser: ArgumentParser) -> None:
    """Declare the arguments of `train extracts`."""
    _add_rows(parser)
    flags.add(parser, "output", required=True, default=None, metavar="MODEL")
    flags.derive(parser, ExtractRanker, *(option.name for option in OPTIONS))
    flags.add(parser, "note")


def run_train(arguments: Namespace) -> None:
    """Train a ranker."""
    _check_ranker("order", arguments.order)
    _check_ranker("l2", arguments.l2)
    check_output(arguments.output)
    if flags.same_file(arguments.output, arguments.rows):
        raise UsageError("MODEL is the same file as ROWS; pass another one with -o")
    documents = _documents(arguments)
    ranker = ExtractRanker(**flags.parameters(arguments))
    utterances = sum(len(one.document.utterances) for one in documents)
    number = sum(len(one.extracts) for one in documents)
    summary = f"{utterances} utterances of {len(documents)} documents, {number} extracts"
    with train(arguments, arguments.rows) as done:
        ranker.fit([one.document for one in documents], [one.extracts for one in documents])
        done(ranker, [summary, ranker.signature])


def _check_ranker(name: str, value: object) -> None:
    """Raise `UsageError` for a value that an option of a ranker does not take.

    >>> _check_ranker("order", 4)
    Traceback (most recent call last):
    summeval.cli.shared.errors.UsageError: --order is 4; give a whole number from 1 to 3
    """
    option = next(option for option in OPTIONS if option.name == name)
    with as_usage(prefix="--"):
        option.check(value)


def _documents(arguments: Namespace) -> list[Extracted]:
    """Return the documents and extracts of ROWS, with the columns that the command line names."""
    texts = (getattr(arguments, f"{name}_column") for name in _COLUMNS)
    return documents_of(arguments.rows, RowColumns(arguments.topic, arguments.annotator, *texts))


def documents_of(path: str, columns: RowColumns) -> list[Extracted]:
    """Return the documents and extracts of a file of rows.

    Raises
    ------
    DataError
        An unreadable file, or rows that `read_extracts` refuses.
    """
    rows = read_rows(path).rows
    _check_columns(shown(path), rows, columns)
    with refusals(shown(path)):
        return read_extracts(rows, columns)


def _check_columns(place: str, rows: Sequence[Mapping[str, Any]], columns: RowColumns) -> None:
    """Raise if no row has a column that is needed, or if the columns cannot hold lists."""
    present = dict.fromkeys(key for row in rows for key in row)
    for name in ("topic", "annotator", "utterances", "extract"):
        column = getattr(columns, name)
        if rows and column not in present:
            option = f"--{name}-column" if name in _COLUMNS else f"--{name}"
            raise DataError(place, not_found(column, present), f"choose the column with {option}")
    if rows and all(isinstance(value, str) for row in rows for value in row.values()):
        problem = f"{columns.utterances!r} and {columns.extract!r} are lists, which CSV cannot hold"
        raise DataError(place, problem, "give JSON Lines or Parquet")
