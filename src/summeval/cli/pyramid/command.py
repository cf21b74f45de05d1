"""`summeval pyramid`: Pyramid scores of peers, from the annotators' files."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from summeval.cli.pyramid import folders, units
from summeval.cli.pyramid.row_files import ENDINGS, check_rows, write_rows
from summeval.cli.pyramid.scored import cell, described, model_scores, named, peer_scores, row
from summeval.cli.shared.errors import UsageError, put, say
from summeval.metrics.pyramid import read_pan, read_pyr
from summeval.report.tables import table

DESCRIPTION = """\
Score annotated summaries by Pyramids.

  PYR PAN …          one pyramid (.pyr) of several models, and annotations (.pan) of peers
  FOLDER …           all .pyr and .pan files in folders, paired by the names of DUC and TAC
  ROWS --judgements-column NAME
                     rows with a judgement for each content unit of the references

SCUs, unique and unmatched count the contributors of a peer, its distinct SCUs in the pyramid, and
those in none; D is the weight of the distinct SCUs. quality, coverage and comprehensive are
computed as in DucView 1.5: D divided by the best weight of as many SCUs, D divided by the best
weight of an average model's number of SCUs, and their harmonic mean. modified also divides D by the
best weight of an average model, rounded by --rounding. jackknife is the mean of modified over the
sets of all models but one; it is comparable with the scores printed by --models, where each model
is scored against the others.

For folders the means of peers over topics are printed, and Krippendorff's alpha of the presence of
SCUs where several annotators have annotated a peer: they stand in front of the name
(114.D0631.M.250.A.12.pan), or have a folder each. -o writes a row for each annotation.

For rows, unit_score is the share of the units that a summary has (LitePyramid; ACU), weighted_score
that of their weight, and normalised_acu is lower for summaries longer than the reference (RoSE)."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage.
Examples:
  summeval pyramid D0801-A.pyr D0801-A.*.pan --json > scores.json
  summeval pyramid manual/pyramids manual/peers --models -o scores.parquet
  summeval pyramid rows.jsonl --units-column acus --judgements-column labels -o scores.jsonl"""

_COLUMNS = {
    "SCUs": "total_scus",
    "unique": "unique_scus",
    "unmatched": "not_in_pyramid",
    "D": "total_weight",
    "quality": "quality",
    "coverage": "coverage",
    "comprehensive": "comprehensive",
    "modified": "modified",
    "jackknife": "jackknife",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("pyramid", metavar="PYR", help="the pyramid, a folder, or rows")
    add("annotations", metavar="PAN", nargs="*", help="annotations of peers, or more folders")
    add(
        "--rounding",
        choices=("floor", "ceil"),
        default="floor",
        help="rounding of an average model's SCUs: floor (DucView 1.5), ceil (SacreROUGE) [floor]",
    )
    add("--models", action="store_true", help="also score each model against the others")
    add(
        "--start-document",
        metavar="REGEX",
        help="start of a model's text, up to its name after a dot [as in the file]",
    )
    add("--json", action="store_true", help="print JSON, including repairs made to the files")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help=f"write a row for each annotation, or for each row of ROWS: {ENDINGS}",
    )
    units.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the scores; return the exit status."""
    start, rounding = arguments.start_document, arguments.rounding
    if start is not None:
        _check_pattern(start)
    if arguments.output is not None:
        check_rows(arguments.output)
    if units.asked(arguments):
        return units.run(arguments)
    if os.path.isdir(arguments.pyramid):
        return folders.run(arguments)
    if not arguments.annotations:
        raise UsageError(
            "no .pan is given; pass the annotations too, a folder, or rows with --judgements-column"
        )
    with named(arguments.pyramid):
        pyramid = read_pyr(arguments.pyramid, start_document=start)
        model_scus = pyramid.model_scus
    peers = []
    for path in arguments.annotations:
        with named(path):
            annotation = read_pan(path, start_document=start)
            peers.append(peer_scores(pyramid, model_scus, annotation, rounding))
    models = model_scores(pyramid, model_scus, rounding) if arguments.models else []
    if arguments.output is not None:
        names = {"topic": Path(pyramid.path).stem}
        rows = [row(names | {"system": each["peer"], "annotator": ""}, each) for each in peers]
        rows += [row(names | {"system": each["model"], "annotator": ""}, each) for each in models]
        write_rows(arguments.output, rows)
    if arguments.json:
        document = {"pyramid": described(pyramid), "peers": peers, "models": models}
        put(json.dumps(document, indent=1, allow_nan=False).splitlines())
        return 0
    put(_lines(peers, models))
    for each in (described(pyramid), *peers):
        if each["repairs"]:
            first, number = each["repairs"][0], len(each["repairs"])
            say(f"{each['path']}: {first}" + (f" ({number} such; --json)" if number > 1 else ""))
    return 0


def _check_pattern(start: str) -> None:
    try:
        re.compile(start)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageError(
            f"--start-document is not a valid regular expression ({error}); correct it"
        ) from None


def _lines(peers: Sequence[dict[str, Any]], models: Sequence[dict[str, Any]]) -> list[str]:
    rows = [[each["peer"], *(cell(each[name]) for name in _COLUMNS.values())] for each in peers]
    blank = [""] * (len(_COLUMNS) - 1)
    rows += [[f"model {each['model']}", *blank, cell(each["jackknife"])] for each in models]
    unscored = [f"{each['peer']}: {each['message']}" for each in peers if each["message"]]
    return [*table(["", *_COLUMNS], rows), *unscored]
