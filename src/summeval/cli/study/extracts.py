"""`summeval study extracts`: rankers of utterances beside people."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from summeval.cli.shared.arguments import add_confidence, add_names, names_of
from summeval.cli.shared.errors import UsageError, refusals
from summeval.cli.shared.extracts import (
    ROWS_HELP,
    add_ranker,
    add_rows,
    check_ranker,
    place_of,
    read_documents,
)
from summeval.cli.study.output import add_output, check_output, show
from summeval.learn.label_chain import MOST_ORDER, NORMALISATIONS
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
    add_names(parser, "--order", metavar="N", help="labels that count, 1 to 3; several [1]")
    add_names(
        parser,
        "--normalisation",
        help="of chains: global, local (label by label), or both [global]",
    )
    add_ranker(parser)
    add("--folds", type=int, metavar="N", help="folds of documents [5, or as many as documents]")
    add("--seed", type=int, default=0, metavar="N", help="seed of folds and draws [0]")
    add("--draws", type=int, default=20, metavar="N", help="random extracts of a document [20]")
    add("--bootstrap", type=int, default=1000, metavar="N", help="draws of documents [1000]")
    add_confidence(parser)
    add_output(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the study; return the exit status."""
    models = _chosen("model", arguments.model, MODELS) or list(MODELS)
    norms = _chosen("normalisation", arguments.normalisation, NORMALISATIONS) or ["global"]
    orders = _chosen("order", arguments.order, [str(n + 1) for n in range(MOST_ORDER)]) or ["1"]
    check_ranker("l2", arguments.l2)
    for option, least in (("folds", 2), ("seed", 0), ("draws", 1), ("bootstrap", 1)):
        number = getattr(arguments, option)
        if number is not None and number < least:
            raise UsageError(f"--{option} is {number}; give at least {least}")
    check_output(arguments)

    from summeval.study.extracts import Settings, extracts

    settings = Settings(
        models=models,
        orders=[int(order) for order in orders],
        normalisations=norms,
        rank_by=arguments.rank_by,
        l2=arguments.l2,
        folds=arguments.folds,
        seed=arguments.seed,
        draws=arguments.draws,
        resamples=arguments.bootstrap,
        confidence=arguments.confidence,
    )
    documents = read_documents(arguments)
    with refusals(place_of(arguments.rows)):
        found = extracts(documents, settings)
    show(arguments, found)
    return 0


def _chosen(option: str, given: list[str], known: Sequence[str]) -> list[str]:
    """The names given to an option; raises for one that is not known."""
    names = names_of(f"--{option}", given, option, blanks=True)
    for name in names:
        if name not in known:
            raise UsageError(f"--{option} names {name!r}; choose from {', '.join(known)}")
    return names
