"""`summeval study extracts`: rankers of utterances beside people."""

from __future__ import annotations

import argparse

from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.extracts import (
    ROWS_HELP,
    add_ranker,
    add_rows,
    check_ranker,
    place_of,
    read_documents,
)
from summeval.cli.shared.names import add_names, names_of, share
from summeval.cli.shared.parsing import refusals
from summeval.cli.study.output import add_output, check_output, show
from summeval.metrics.pyramid.extracts.ranker import MODELS

DESCRIPTION = f"""\
Compare rankers of utterances with people (Galley 2006, tables 5 to 7).

Printed are P, the position Pyramid, and ROUGE recall of extracts under one word budget: the first
utterances, random ones, the longest, those of each ranker by folds of documents, and the best
possible; and of people's own extracts, each beside those of the others. Further tables have the
difference of each other ranker to order0, and each ranker by posterior, cost and prediction.
Intervals are by bootstrap over documents.

{ROWS_HELP}"""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study extracts rows.jsonl --model order0,chain,skip-chain -o results
  summeval study extracts bc3_email.jsonl.gz --topic topic_id --annotator system_id \\
    --utterances-column source_sents"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add_rows(parser)
    add_names(parser, "--model", help=f"rankers: {', '.join(MODELS)} [all]")
    add_ranker(parser)
    add("--folds", type=int, metavar="N", help="folds of documents [5, or as many as documents]")
    add("--seed", type=int, default=0, metavar="N", help="seed of folds and draws [0]")
    add("--draws", type=int, default=20, metavar="N", help="random extracts of a document [20]")
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws of documents [1000]")
    add(
        "--confidence",
        type=share(0.95),
        default=0.95,
        metavar="SHARE",
        help="confidence level of intervals, 0 to 1 [0.95]",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    models = names_of("--model", arguments.model, "model", blanks=True) or list(MODELS)
    for name in models:
        if name not in MODELS:
            raise UsageError(f"--model names {name!r}; choose from {', '.join(MODELS)}")
    for option, least in (("folds", 2), ("seed", 0), ("draws", 1), ("bootstrap", 1)):
        number = getattr(arguments, option)
        if number is not None and number < least:
            raise UsageError(f"--{option} is {number}; give at least {least}")
    check_ranker(arguments)
    check_output(arguments)

    from summeval.study.extract_systems import Settings
    from summeval.study.extracts import extracts

    settings = Settings(
        models=models,
        order=arguments.order,
        normalisation=arguments.normalisation,
        rank_by=arguments.rank_by,
        l2=arguments.l2,
        folds=arguments.folds,
        seed=arguments.seed,
        draws=arguments.draws,
        resamples=arguments.bootstrap,
        confidence=arguments.confidence,
    )
    documents = read_documents(arguments)
    with refusals(place_of(arguments)):
        found = extracts(documents, settings)
    show(arguments, found)
    return 0
