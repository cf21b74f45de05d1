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
--model: rankers: order0, chain, skip-chain [all]
ROWS: .jsonl, also with .gz, or .parquet; - is standard input
--topic: names the document [topic]
--annotator: names the person [annotator]
--rank-by: what utterances are ranked by [posterior]
--l2: penalty on squared weights [1]
--order: labels that count, 1 to 3; several [1]
--normalisation: of chains: global, local (label by label), or both [global]

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
--model: kind of ranker [order0]
--order: labels that count, 1 to 3 [1]
--normalisation: of a chain: over a document, or label by label [global]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval train extracts rows.jsonl --model skip-chain -o extracts.model
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, as_usage, put, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import check_output, save
from summeval.io import DataError
from summeval.io.rows import not_found
from summeval.io.source import shown
from summeval.learn.label_chain import MOST_ORDER, NORMALISATIONS, RANKED_BY
from summeval.metrics.pyramid.extracts.documents import RowColumns, read_extracts
from summeval.metrics.pyramid.extracts.ranker import MODELS, OPTIONS, ExtractRanker
from summeval.study.extracts import Settings, extracts
from summeval.table.table import read_rows

if TYPE_CHECKING:
    from summeval.metrics.pyramid.extracts.documents import Extracted


_COLUMNS = ("utterances", "extract", "speakers", "links", "title")


def _add_rows(parser: ArgumentParser) -> None:
    """Declare ROWS and the options that name its columns."""
    add = parser.add_argument
    add("rows", metavar="ROWS")
    flags.add(parser, "topic")
    add("--annotator", default="annotator", metavar="COLUMN")
    for name in _COLUMNS:
        add(f"--{name}-column", default=name, metavar="NAME")


def _add_ranker(parser: ArgumentParser) -> None:
    """Declare the options of a ranker that a study compares no values of."""
    add = parser.add_argument
    add("--rank-by", choices=RANKED_BY, default="posterior")
    add("--l2", type=float, default=1.0, metavar="X")


def add_study(parser: ArgumentParser) -> None:
    """Declare the arguments of `study extracts`."""
    _add_rows(parser)
    flags.add_names(parser, "--model")
    flags.add_names(parser, "--order", metavar="N")
    flags.add_names(parser, "--normalisation")
    _add_ranker(parser)
    flags.add_parameters(
        parser,
        Settings,
        folds="folds of documents [5, or as many as documents]",
        seed="seed of folds and draws",
        draws="random extracts of a document",
        resamples="draws of documents",
    )
    add_output(parser)


def run_study(arguments: Namespace) -> None:
    """Run the study."""
    models = flags.chosen_of(arguments, "model", MODELS) or list(MODELS)
    norms: Any = flags.chosen_of(arguments, "normalisation", NORMALISATIONS) or ["global"]
    orders = flags.chosen_of(arguments, "order", [str(n + 1) for n in range(MOST_ORDER)]) or ["1"]
    _check_ranker("l2", arguments.l2)
    chosen = flags.parameters(arguments, "give at least {}")
    check_folder_of(arguments)
    chosen |= flags.given(arguments, "rank_by", "l2")
    settings = Settings(models=models, orders=[*map(int, orders)], normalisations=norms, **chosen)
    documents = _documents(arguments)
    with refusals(shown(arguments.rows)):
        found = extracts(documents, settings)
    show_study(arguments, found)


def add_train(parser: ArgumentParser) -> None:
    """Declare the arguments of `train extracts`."""
    _add_rows(parser)
    add = parser.add_argument
    flags.add(parser, "output", required=True, default=None, metavar="MODEL")
    add("--model", choices=MODELS, default="order0")
    add("--order", type=int, default=1, metavar="N")
    add("--normalisation", choices=NORMALISATIONS, default="global")
    _add_ranker(parser)
    flags.add(parser, "note")


def run_train(arguments: Namespace) -> None:
    """Train a ranker."""
    _check_ranker("order", arguments.order)
    _check_ranker("l2", arguments.l2)
    check_output(arguments.output)
    if flags.same_file(arguments.output, arguments.rows):
        raise UsageError("MODEL is the same file as ROWS; pass another one with -o")
    documents = _documents(arguments)
    names = ("model", "order", "normalisation", "rank_by", "l2")
    ranker = ExtractRanker(**flags.given(arguments, *names))
    with refusals(shown(arguments.rows)):
        ranker.fit([one.document for one in documents], [one.extracts for one in documents])
    save(arguments, ranker)
    utterances = sum(len(one.document.utterances) for one in documents)
    number = sum(len(one.extracts) for one in documents)
    put(
        [
            f"{utterances} utterances of {len(documents)} documents, {number} extracts",
            ranker.signature,
        ]
    )


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
