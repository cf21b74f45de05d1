"""`summeval train extracts`: train a ranker of utterances on people's extracts."""

from __future__ import annotations

import argparse
import os

from summeval.cli.shared.errors import UsageError, put, refusals
from summeval.cli.shared.extracts import (
    ROWS_HELP,
    add_ranker,
    add_rows,
    check_ranker,
    place_of,
    read_documents,
)
from summeval.cli.train.rows import check_output, save
from summeval.learn.label_chain import NORMALISATIONS
from summeval.metrics.pyramid.extracts.ranker import MODELS, ExtractRanker

DESCRIPTION = f"""\
Train a ranker of utterances on people's extracts (Galley 2006), and write its model. In Python,
ExtractRanker.load(MODEL).rank(document) has the importance of each utterance, and
summeval.metrics.pyramid.select makes an extract of them.

{ROWS_HELP}"""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval train extracts rows.jsonl --model skip-chain -o extracts.model"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_rows(parser)
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="MODEL", help="file to write")
    add("--model", choices=MODELS, default="order0", help="kind of ranker [order0]")
    add("--order", type=int, default=1, metavar="N", help="labels that count, 1 to 3 [1]")
    add(
        "--normalisation",
        choices=NORMALISATIONS,
        default="global",
        help="of a chain: over a document, or label by label [global]",
    )
    add_ranker(parser)
    add("--note", default="", metavar="TEXT", help="stored in MODEL, such as the training data")


def run(arguments: argparse.Namespace) -> int:
    """Train a ranker; return the exit status."""
    check_ranker("order", arguments.order)
    check_ranker("l2", arguments.l2)
    check_output(arguments.output)
    both = (arguments.output, arguments.rows)
    if all(map(os.path.exists, both)) and os.path.samefile(*both):
        raise UsageError("MODEL is the same file as ROWS; pass another one with -o")
    documents = read_documents(arguments)
    ranker = ExtractRanker(
        arguments.model,
        arguments.order,
        arguments.normalisation,
        arguments.rank_by,
        arguments.l2,
    )
    with refusals(place_of(arguments.rows)):
        ranker.fit([one.document for one in documents], [one.extracts for one in documents])
    save(arguments, ranker)
    utterances = sum(len(one.document.utterances) for one in documents)
    put(
        [
            f"{utterances} utterances of {len(documents)} documents,"
            f" {sum(len(one.extracts) for one in documents)} extracts",
            ranker.signature,
        ]
    )
    return 0
