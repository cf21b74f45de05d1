"""`summeval study inputs` and `study transformations`: SIMetrix and BEwT-E in their parts.

# summeval study inputs

Compare summaries with their input and correlate each feature of SIMetrix, the regression of all of
them, and ROUGE-1 and ROUGE-2 with people (Louis and Nenkova 2009). "macro" correlates the means of
systems over inputs; "micro" correlates the systems of each input, and gives the share of inputs
with a significant correlation. The regression predicts a row from other topics and other systems,
and "regression, topics" from other topics. Features in which lower is better are negated.

A row has a candidate, its source (a text or a list of documents), the names of its system and
topic, and human scores; with references it is also scored by ROUGE.

[ARGUMENTS]
--option: an option of a metric or a family, such as simetrix.background=FILE
--task: names the set of a row, such as query-focused or update; sets are kept apart [one]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study inputs rows.jsonl --human relevance
  summeval study inputs rows.jsonl --human pyramid,responsiveness --task set -o study

# summeval study transformations

Score the rows of ROWS by BEwT-E with all its transformations, with none of them, with each one
alone and with all but each one, and correlate the scores with people (Tratz and Hovy 2008). The
texts are parsed once. A second table says how many matched pairs of elements need each
transformation.

A row has a candidate, its references, the names of its system and topic, and human scores.

[ARGUMENTS]
--option: an option of a metric or a family, such as bewte.weights=binary

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study transformations rows.jsonl --human relevance
  summeval study transformations rows.jsonl --human relevance --coefficient spearman -o study
Needs a parser: pip install 'summeval[nlp]', or --annotations.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any

from summeval.cli.score.settings import parsing
from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose
from summeval.cli.shared.errors import as_usage, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import StudyRows, add_rows, read_study
from summeval.io import naming
from summeval.study.inputs import inputs
from summeval.study.result import Study
from summeval.study.transformations import transformations

_USUAL = {"idf": "wordfreq"}  # the cosine of the paper is weighted


def add_inputs(parser: ArgumentParser) -> None:
    """Declare the arguments of `study inputs`."""
    add_rows(parser)
    flags.add(parser, "human", required=True)
    parser.add_argument("--task", metavar="COLUMN")
    flags.derive(parser, inputs, "coefficient", "alpha", "resamples", "confidence", "seed")
    flags.add(parser, "option", "workers")
    add_output(parser)


def run_inputs(arguments: Namespace) -> None:
    """Run the study of SIMetrix."""
    usual = {} if any("simetrix.idf=" in option for option in arguments.option) else _USUAL

    def study(simetrix: Any, rows: StudyRows, *columns: Any, **how: Any) -> Study:
        how["tasks"] = rows.names(arguments.task, "task") if arguments.task else None
        sides = rows.candidates, rows.sources or []
        return inputs(*sides, *columns, references=rows.references, simetrix=simetrix, **how)

    _run(arguments, "simetrix", usual, study, ("source",), ("references",))


def add_transformations(parser: ArgumentParser) -> None:
    """Declare the arguments of `study transformations`."""
    add_rows(parser, ("candidate", "references"))
    flags.add(parser, "human", required=True)
    flags.derive(parser, transformations, "coefficient", "resamples", "confidence", "seed")
    flags.add(parser, "option", "annotations", "no-cache", "workers")
    add_output(parser)


def run_transformations(arguments: Namespace) -> None:
    """Run the study of BEwT-E."""

    def study(bewte: Any, rows: StudyRows, *columns: Any, **how: Any) -> Study:
        return transformations(
            rows.candidates, rows.references or [], *columns, metric=bewte, **how
        )

    _run(arguments, "bewte", parsing(arguments), study, ("references",))


def _run(
    arguments: Namespace,
    name: str,
    common: dict[str, Any],
    study: Callable[..., Study],
    *sides: tuple[str, ...],
) -> None:
    """Run a study of a metric; `sides` are the texts that rows must and may have."""
    workers = flags.workers_of(arguments)
    human = flags.names_of("--human", arguments.human, "column")
    chosen = flags.parameters(arguments)
    check_folder_of(arguments)
    metric = choose([name], arguments.option, common).metrics[0]
    with naming(), as_usage((ValueError, ImportError)):
        _ = metric.signature  # raises where a parser is missing
    rows = read_study(arguments, *sides)
    with refusals(rows.name):
        names = [rows.names(getattr(arguments, key), key) for key in ("system", "topic")]
        scores = {column: rows.numbers(column) for column in human}
        found = study(metric, rows, *names, scores, workers=workers, **chosen)
    show_study(arguments, found)
