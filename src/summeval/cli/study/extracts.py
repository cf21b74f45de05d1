"""`summeval study extracts`: rankers of utterances beside people."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from summeval.cli.shared.arguments import add_names, names_of
from summeval.cli.shared.errors import UsageError, refusals
from summeval.cli.shared.extracts import (
    ROWS_HELP,
    add_ranker,
    add_rows,
    check_ranker,
    place_of,
    read_documents,
)
from summeval.cli.study.shared import add_output, add_parameters, check_output, parameters, show
from summeval.learn.label_chain import MOST_ORDER, NORMALISATIONS
from summeval.metrics.pyramid.extracts.ranker import MODELS
from summeval.study.extracts import Settings, extracts

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
    add_rows(parser)
    add_names(parser, "--model", help=f"rankers: {', '.join(MODELS)} [all]")
    add_names(parser, "--order", metavar="N", help="labels that count, 1 to 3; several [1]")
    add_names(
        parser,
        "--normalisation",
        help="of chains: global, local (label by label), or both [global]",
    )
    add_ranker(parser)
    add_parameters(
        parser,
        Settings,
        folds="folds of documents [5, or as many as documents]",
        seed="seed of folds and draws",
        draws="random extracts of a document",
        resamples="draws of documents",
    )
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    models = _chosen("model", arguments.model, MODELS) or list(MODELS)
    norms = _chosen("normalisation", arguments.normalisation, NORMALISATIONS) or ["global"]
    orders = _chosen("order", arguments.order, [str(n + 1) for n in range(MOST_ORDER)]) or ["1"]
    check_ranker("l2", arguments.l2)
    chosen = parameters(arguments, "give at least")
    check_output(arguments)
    settings = Settings(
        models=models,
        orders=[int(order) for order in orders],
        normalisations=norms,
        rank_by=arguments.rank_by,
        l2=arguments.l2,
        **chosen,
    )
    documents = read_documents(arguments)
    with refusals(place_of(arguments.rows)):
        found = extracts(documents, settings)
    show(arguments, found)
    return 0


def _chosen(option: str, given: list[str], known: Sequence[str]) -> list[str]:
    """Return the names given to an option; raises for one that is not known."""
    names = names_of(f"--{option}", given, option, blanks=True)
    for name in names:
        if name not in known:
            raise UsageError(f"--{option} names {name!r}; choose from {', '.join(known)}")
    return names
