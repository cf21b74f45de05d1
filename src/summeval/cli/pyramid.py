"""`summeval pyramid`: Pyramid scores of peers, from the annotators' files."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from typing import Any

from summeval.cli.shared.errors import UsageError, say
from summeval.cli.shared.printing import put
from summeval.io import DataError, system_error
from summeval.metrics.pyramid import (
    Annotation,
    Pyramid,
    PyramidFileError,
    ducview_score,
    jackknife,
    modified_score,
    read_pan,
    read_pyr,
)
from summeval.report.tables import table

DESCRIPTION = """\
Score peers by a Pyramid. PYR is the pyramid (.pyr) of several models, each PAN the annotation
(.pan) of a peer with its SCUs.

SCUs, unique and unmatched count the contributors of a peer, its distinct SCUs in the pyramid, and
those in none; D is the weight of the distinct SCUs. quality, coverage and comprehensive are
computed as in DucView 1.5: D divided by the best weight of as many SCUs, D divided by the best
weight of an average model's number of SCUs, and their harmonic mean. modified also divides D by the
best weight of an average model, rounded by --rounding. jackknife is the mean of modified over the
sets of all models but one; it is comparable with the scores printed by --models, where each model
is scored against the others."""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage.
Example:
  summeval pyramid D0801-A.pyr D0801-A.*.pan --json > scores.json"""

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
    add("pyramid", metavar="PYR", help="the pyramid")
    add("annotations", metavar="PAN", nargs="+", help="annotation of a peer")
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


def run(arguments: argparse.Namespace) -> int:
    """Print the scores; return the exit status."""
    start, rounding = arguments.start_document, arguments.rounding
    if start is not None:
        _check_pattern(start)
    with _named(arguments.pyramid):
        pyramid = read_pyr(arguments.pyramid, start_document=start)
        model_scus = pyramid.model_scus
    peers = []
    for path in arguments.annotations:
        with _named(path):
            annotation = read_pan(path, start_document=start)
            peers.append(_peer(pyramid, model_scus, annotation, rounding))
    models = _models(pyramid, model_scus, rounding) if arguments.models else []
    if arguments.json:
        document = {"pyramid": _described(pyramid), "peers": peers, "models": models}
        put([json.dumps(document, indent=1, allow_nan=False)])
        return 0
    put(_lines(peers, models))
    for each in (_described(pyramid), *peers):
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


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Turn the errors of a file into errors of the command."""
    try:
        yield
    except PyramidFileError as error:
        raise DataError(error.place, error.problem, error.mend) from None
    except OSError as error:
        raise system_error(path, error) from None


def _described(pyramid: Pyramid) -> dict[str, Any]:
    return {
        "path": pyramid.path,
        "models": list(pyramid.models),
        "scus": len(pyramid.scus),
        "repairs": list(pyramid.repairs),
    }


def _peer(
    pyramid: Pyramid, model_scus: Sequence[Sequence[int]], peer: Annotation, rounding: str
) -> dict[str, Any]:
    """The scores of a peer; None means no score."""
    scores = {
        name: None if isinstance(number, float) and isnan(number) else number
        for name, number in ducview_score(pyramid, peer).items()
    }
    left_out = None
    if len(model_scus) > 1:
        left_out = jackknife(model_scus, peer.scu_ids, rounding=rounding).peer_mean
    return {
        "peer": Path(peer.path).stem,
        "path": peer.path,
        **scores,
        "modified": modified_score(model_scus, peer.scu_ids, rounding=rounding).value,
        "jackknife": left_out,
        "repairs": [*peer.repairs, *_differences(pyramid, peer)],
    }


def _differences(pyramid: Pyramid, peer: Annotation) -> list[str]:
    """Differences of the peer's SCUs between this pyramid and the annotators' one."""
    now = {scu.uid: (scu.label, len(scu.contributors)) for scu in pyramid.scus}
    then = {scu.uid: (scu.label, len(scu.contributors)) for scu in peer.pyramid.scus}
    return [
        f"SCU {uid} was {then[uid][0]!r} of weight {then[uid][1]} when it was annotated; it is"
        f" {now[uid][0]!r} of weight {now[uid][1]}"
        for uid in peer.contributors
        if now[uid] != then[uid]
    ]


def _models(
    pyramid: Pyramid, model_scus: Sequence[Sequence[int]], rounding: str
) -> list[dict[str, Any]]:
    if len(model_scus) < 2:
        raise UsageError(f"--models: {pyramid.path} has 1 model; leaving one out needs 2 or more")
    scores = jackknife(model_scus, [], rounding=rounding).human
    return [
        {"model": name, "jackknife": score}
        for name, score in zip(pyramid.models, scores, strict=True)
    ]


def _lines(peers: Sequence[dict[str, Any]], models: Sequence[dict[str, Any]]) -> list[str]:
    rows = [[each["peer"], *(_cell(each[name]) for name in _COLUMNS.values())] for each in peers]
    blank = [""] * (len(_COLUMNS) - 1)
    rows += [[f"model {each['model']}", *blank, _cell(each["jackknife"])] for each in models]
    unscored = [f"{each['peer']}: {each['message']}" for each in peers if each["message"]]
    return [*table(["", *_COLUMNS], rows), *unscored]


def _cell(number: float | None) -> str:
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.4f}"
