"""`summeval pyramid FOLDER …`: many pyramids, means of systems, agreement of annotators."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from typing import Any

from summeval._progress import Progress
from summeval.cli.pyramid.row_files import write_rows
from summeval.cli.pyramid.scored import cell, described, model_scores, named, peer_scores, row
from summeval.cli.shared.errors import put, say
from summeval.metrics.pyramid import Pair, pairs, presence, pyramid_files, read_pan, read_pyr
from summeval.report.tables import table

_MEANS = ("quality", "coverage", "comprehensive", "modified", "jackknife")


def run(arguments: argparse.Namespace) -> int:
    """Score the folders; return the exit status."""
    given = [arguments.pyramid, *arguments.annotations]
    for path in given:
        with named(path):
            os.stat(path)  # a folder that is not there would hold no files
    with named(", ".join(given)):
        found = pairs(*pyramid_files(given))
    by_pyramid: dict[str, list[Pair]] = {}
    for pair in found:
        by_pyramid.setdefault(pair.pyramid, []).append(pair)
    rows: list[dict[str, Any]] = []
    pyramids, agreed, repairs = [], [], 0
    progress = Progress(len(found))
    try:
        for path, mine in sorted(by_pyramid.items()):
            more, pyramid, judged = _pyramid(path, mine, arguments)
            rows += more
            agreed += judged
            pyramids.append(pyramid)
            repairs += sum(len(each["repairs"]) for each in (pyramid, *more))
            progress.update(len(mine), len(mine))
    finally:
        progress.finish()
    agreement = _agreement(agreed)
    plain = [{k: v for k, v in each.items() if k not in ("path", "repairs")} for each in rows]
    if arguments.output is not None:
        write_rows(arguments.output, plain)
    if arguments.json:
        document = {"pyramids": pyramids, "rows": rows, "agreement": agreement}
        put(json.dumps(document, indent=1, allow_nan=False).splitlines())
        return 0
    put(_lines(plain, agreement, len(pyramids)))
    if repairs:
        say(f"{repairs} irregularities of the files were repaired; --json lists them")
    return 0


def _pyramid(
    path: str, mine: Sequence[Pair], arguments: argparse.Namespace
) -> tuple[list[dict[str, Any]], dict[str, Any], list[dict[str, Any]]]:
    """The rows of a pyramid, its description, and which SCUs each annotator found."""
    start, rounding = arguments.start_document, arguments.rounding
    with named(path):
        pyramid = read_pyr(path, start_document=start)
        model_scus = pyramid.model_scus
    rows, judged = [], []
    uids = [scu.uid for scu in pyramid.scus]
    for pair in mine:
        with named(pair.annotation):
            annotation = read_pan(pair.annotation, start_document=start)
            scores = peer_scores(pyramid, model_scus, annotation, rounding)
        names = {"topic": pair.topic, "system": pair.peer, "annotator": pair.annotator}
        rows.append(row(names, scores) | {"path": pair.annotation, "repairs": scores["repairs"]})
        judged.append(names | {"present": presence(annotation, uids)})
    models = model_scores(pyramid, model_scus, rounding) if arguments.models else []
    for each in models:
        names = {"topic": mine[0].topic, "system": each["model"], "annotator": ""}
        rows.append(row(names, each) | {"path": path, "repairs": []})
    return rows, described(pyramid), judged


def _agreement(judged: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Krippendorff's alpha of the presence of SCUs, of all topics and of each, if there is any."""
    peers: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for each in judged:
        peers.setdefault((each["topic"], each["system"]), []).append(each)
    several = {key: found for key, found in peers.items() if len(found) > 1}
    topics = list(dict.fromkeys(topic for topic, _ in several))
    return [
        _alpha(topic, [found for (of, _), found in several.items() if topic in ("all", of)])
        for topic in [*["all"] * bool(topics), *topics]
    ]


def _alpha(topic: str, peers: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    from summeval.meta.judges.alpha import krippendorff_alpha

    names = list(dict.fromkeys(each["annotator"] for found in peers for each in found))
    ratings: list[list[int | None]] = [[] for _ in names]
    for found in peers:
        mine = {each["annotator"]: each["present"] for each in found}
        missing = [None] * len(found[0]["present"])
        for name, ratings_of in zip(names, ratings, strict=True):
            ratings_of.extend(mine.get(name, missing))
    alpha = krippendorff_alpha(ratings)
    return {
        "topic": topic,
        "annotators": len(names),
        "peers": len(peers),
        "units": len(ratings[0]),
        "alpha": None if isnan(alpha) else alpha,
    }


def _lines(
    rows: Sequence[dict[str, Any]], agreement: Sequence[dict[str, Any]], pyramids: int
) -> list[str]:
    """The means of systems over topics, then the agreement."""
    systems: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for each in rows:
        systems.setdefault((each["kind"], each["system"]), []).append(each)
    order = sorted(systems, key=lambda key: (key[0] == "model", _by_number(key[1])))
    lines = []
    for kind, name in order:
        mine = systems[kind, name]
        shown = f"model {name}" if kind == "model" else name
        means = [cell(_mean(each[column] for each in mine)) for column in _MEANS]
        lines.append([shown, str(len({each["topic"] for each in mine})), *means])
    parts = [f"{pyramids} pyramids, {sum(row['kind'] == 'peer' for row in rows)} annotations", ""]
    parts += table(["mean", "topics", *_MEANS], lines)
    if agreement:
        header = ["agreement", "annotators", "peers", "units", "alpha"]
        cells = [[each["topic"], *map(cell, list(each.values())[1:])] for each in agreement]
        parts += ["", *table(header, cells)]
    return parts


def _mean(numbers: Iterable[float | None]) -> float | None:
    """The mean of what has a number."""
    known = [number for number in numbers if number is not None]
    return float(sum(known) / len(known)) if known else None


def _by_number(name: str) -> tuple[bool, int, str]:
    """Systems with numbers in their order, before others.

    >>> sorted(["10", "9", "B"], key=_by_number)
    ['9', '10', 'B']
    """
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)
