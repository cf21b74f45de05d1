"""`summeval pyramid`: Pyramid scores of peers, from the annotators' files.

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
that of their weight, and normalised_acu is lower for summaries longer than the reference (RoSE).

[ARGUMENTS]
--output: write a row for each annotation, or for each row of ROWS: .jsonl, .csv, .tsv, .parquet or
    .arrow
PYR: the pyramid, a folder, or rows
PAN: annotations of peers, or more folders
--rounding: rounding of an average model's SCUs: floor (DucView 1.5), ceil (SacreROUGE) [floor]
--models: also score each model against the others
--start-document: start of a model's text, up to its name after a dot [as in the file]
--json: print JSON, including repairs made to the files
--judgements-column: a list for each row: 0, 1, true, false or a probability for each unit; a list
    of such lists for several references, whose scores are averaged
--units-column: the units, as many as judgements [not read]
--weights-column: the weight of each unit [all equal]
--alpha: of normalised_acu: how little length matters [2, as in RoSE's CNN/DailyMail]
--candidate-column: [candidate, or as data sets name it]
--references-column: [references, or as data sets name it]

Exit status: 0 done, 1 bad data or files, 2 bad usage.
Examples:
  summeval pyramid D0801-A.pyr D0801-A.*.pan --json > scores.json
  summeval pyramid manual/pyramids manual/peers --models -o scores.parquet
  summeval pyramid rows.jsonl --units-column acus --judgements-column labels -o scores.jsonl
"""

from __future__ import annotations

import json
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isnan
from pathlib import Path
from typing import Any, NamedTuple

from summeval._options import shown
from summeval._progress import Progress
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, put, say
from summeval.cli.shared.results import check_rows, write_rows
from summeval.io import DataError, naming
from summeval.io.rows import ALIASES, Row, not_found
from summeval.metrics import pyramid as pyramids
from summeval.report.tables import text_lines
from summeval.table.cells import find
from summeval.table.table import Table, read_rows
from summeval.text import tokens

_COUNTS = ("total_scus", "unique_scus", "not_in_pyramid", "total_weight")
_MEANS = ("quality", "coverage", "comprehensive", "modified", "jackknife")
_FIELDS = ("unit_score", "weighted_score", "normalised_acu")
_NUMBERS = (*_COUNTS, "max_total", "quality", "average_scus", "max_average", *_MEANS[1:])


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("pyramid", metavar="PYR")
    add("annotations", metavar="PAN", nargs="*")
    add("--rounding", choices=("floor", "ceil"), default="floor")
    add("--models", action="store_true")
    add("--start-document", metavar="REGEX")
    add("--json", action="store_true")
    add("-o", "--output", metavar="FILE")
    add = parser.add_argument_group("rows with judged units").add_argument
    add("--judgements-column", metavar="NAME")
    add("--units-column", metavar="NAME")
    add("--weights-column", metavar="NAME")
    add("--alpha", type=float, default=2.0, metavar="N")
    flags.add(parser, "system")
    add("--candidate-column", metavar="NAME")
    add("--references-column", metavar="NAME")


def run(arguments: Namespace) -> None:
    """Print the scores."""
    try:
        re.compile(arguments.start_document or "")
    except (re.error, OverflowError, RecursionError) as error:
        problem = f"--start-document is not a valid regular expression ({error})"
        raise UsageError(f"{problem}; correct it") from None
    if arguments.output is not None:
        check_rows(arguments.output)
    if arguments.judgements_column is not None:
        _of_rows(arguments)
        return
    for option in ("units", "weights"):
        if getattr(arguments, f"{option}_column") is not None:
            needed = "needs --judgements-column; name the judgements too"
            raise UsageError(f"--{option}-column {needed}")
    (_of_folders if os.path.isdir(arguments.pyramid) else _of_one)(arguments)


def _put_json(**document: Any) -> None:
    put(json.dumps(document, indent=1, allow_nan=False).splitlines())


def _of_one(arguments: Namespace) -> None:
    """Score the annotations of one pyramid."""
    if not arguments.annotations:
        hint = "pass the annotations too, a folder, or rows with --judgements-column"
        raise UsageError(f"no .pan is given; {hint}")
    path = arguments.pyramid
    topic = Path(path).stem
    own = [pyramids.Pair(path, each, topic, Path(each).stem, "") for each in arguments.annotations]
    found = _scored(path, own, arguments)
    _write(arguments, _rows(found, own))
    if arguments.json:
        _put_json(pyramid=found.summary, peers=found.peers, models=found.models)
        return
    put(_lines(found.peers, found.models))
    for each in (found.summary, *found.peers):
        if each["repairs"]:
            first, number = each["repairs"][0], len(each["repairs"])
            say(f"{each['path']}: {first}" + (f" ({number} such; --json)" if number > 1 else ""))


def _of_folders(arguments: Namespace) -> None:
    """Score all annotations in folders, each by its pyramid."""
    given = [arguments.pyramid, *arguments.annotations]
    for path in given:
        with naming(path):
            os.stat(path)  # a folder that is not there would hold no files
    with naming(", ".join(given)):
        found = pyramids.pairs(*pyramids.pyramid_files(given))
    by_pyramid: dict[str, list[pyramids.Pair]] = {}
    for pair in found:
        by_pyramid.setdefault(pair.pyramid, []).append(pair)
    summaries, rows = [], list[dict[str, Any]]()
    judged: list[tuple[pyramids.Pair, list[int]]] = []
    with Progress(len(found)) as progress:
        for path, pairs in sorted(by_pyramid.items()):
            scored = _scored(path, pairs, arguments)
            summaries.append(scored.summary)
            rows += _rows(scored, pairs)
            judged += zip(pairs, scored.present, strict=True)
            progress.update(len(pairs), len(pairs))
    agreement = _agreement(judged)
    _write(arguments, rows)
    if arguments.json:
        _put_json(pyramids=summaries, rows=rows, agreement=agreement)
        return
    put(_means(rows, agreement, len(summaries)))
    if repairs := sum(len(each["repairs"]) for each in (*summaries, *rows)):
        say(f"{repairs} irregularities of the files were repaired; --json lists them")


class _Scored(NamedTuple):
    """The results of a pyramid: its description, the scores, and which SCUs each peer has."""

    summary: dict[str, Any]
    peers: list[dict[str, Any]]
    models: list[dict[str, Any]]
    present: list[list[int]]


def _scored(path: str, pairs: Sequence[pyramids.Pair], arguments: Namespace) -> _Scored:
    """Score the annotations of a pyramid, and its models if they are asked for."""
    start, rounding = arguments.start_document, arguments.rounding
    with naming(path):
        pyramid = pyramids.read_pyr(path, start_document=start)
        models = pyramid.model_scus
    summary: dict[str, Any] = {"path": pyramid.path, "models": list(pyramid.models)}
    summary |= {"scus": len(pyramid.scus), "repairs": list(pyramid.repairs)}
    found = _Scored(summary, [], [], [])
    for pair in pairs:
        with naming(pair.annotation):
            annotation = pyramids.read_pan(pair.annotation, start_document=start)
            found.peers.append(_peer(pyramid, annotation, rounding))
            found.present.append(pyramids.presence(annotation, [scu.uid for scu in pyramid.scus]))
    if arguments.models:
        if len(models) < 2:
            raise UsageError(f"--models: {path} has 1 model; leaving one out needs 2 or more")
        scores = zip(
            pyramid.models, pyramids.jackknife(models, [], rounding=rounding).human, strict=True
        )
        found.models.extend({"model": name, "jackknife": score} for name, score in scores)
    return found


def _peer(pyramid: pyramids.Pyramid, peer: pyramids.Annotation, rounding: str) -> dict[str, Any]:
    """Return the scores of a peer; None means no score."""
    models = pyramid.model_scus
    scores = {
        name: None if isinstance(number, float) and isnan(number) else number
        for name, number in pyramids.ducview_score(pyramid, peer).items()
    }
    left_out = None
    if len(models) > 1:
        left_out = pyramids.jackknife(models, peer.scu_ids, rounding=rounding).peer_mean
    now, then = (
        {scu.uid: f"{scu.label!r} of weight {len(scu.contributors)}" for scu in one.scus}
        for one in (pyramid, peer.pyramid)  # this one, and the annotators' one
    )
    differences = [
        f"SCU {uid} was {then[uid]} when it was annotated; it is {now[uid]}"
        for uid in peer.contributors
        if now[uid] != then[uid]
    ]
    return {
        "peer": Path(peer.path).stem,
        "path": peer.path,
        **scores,
        "modified": pyramids.modified_score(models, peer.scu_ids, rounding=rounding).value,
        "jackknife": left_out,
        "repairs": [*peer.repairs, *differences],
    }


def _rows(found: _Scored, pairs: Sequence[pyramids.Pair]) -> list[dict[str, Any]]:
    """The rows of the output: names, then the numbers, of which a model has the jackknife alone."""
    names = [(pair.topic, pair.peer, pair.annotator, "peer") for pair in pairs]
    names += [(pairs[0].topic, each["model"], "", "model") for each in found.models]
    columns = ("topic", "system", "annotator", "kind")
    return [
        {
            **dict(zip(columns, name, strict=True)),
            **{number: each.get(number) for number in _NUMBERS},
            "path": each.get("path", found.summary["path"]),
            "repairs": each.get("repairs", []),
        }
        for name, each in zip(names, [*found.peers, *found.models], strict=True)
    ]


def _write(arguments: Namespace, rows: Sequence[dict[str, Any]]) -> None:
    if arguments.output is not None:
        own = ("path", "repairs")
        plain = [{key: row[key] for key in row if key not in own} for row in rows]
        write_rows(arguments.output, plain)


def _agreement(judged: Iterable[tuple[pyramids.Pair, list[int]]]) -> list[dict[str, Any]]:
    """Krippendorff's alpha of the presence of SCUs, of all topics and of each, if there is any."""
    peers: dict[tuple[str, str], dict[str, list[int]]] = {}
    for pair, present in judged:
        peers.setdefault((pair.topic, pair.peer), {})[pair.annotator] = present
    several = {key: found for key, found in peers.items() if len(found) > 1}
    topics = list(dict.fromkeys(topic for topic, _ in several))
    return [
        _alpha(topic, [found for (of, _), found in several.items() if topic in ("all", of)])
        for topic in [*["all"] * bool(topics), *topics]
    ]


def _alpha(topic: str, peers: Sequence[Mapping[str, list[int]]]) -> dict[str, Any]:
    from summeval.meta.alpha import krippendorff_alpha

    names = list(dict.fromkeys(name for found in peers for name in found))
    ratings: list[list[int | None]] = [[] for _ in names]
    for found in peers:
        missing = [None] * len(next(iter(found.values())))
        for name, ratings_of in zip(names, ratings, strict=True):
            ratings_of.extend(found.get(name, missing))
    alpha = krippendorff_alpha(ratings)
    return {
        "topic": topic,
        "annotators": len(names),
        "peers": len(peers),
        "units": len(ratings[0]),
        "alpha": None if isnan(alpha) else alpha,
    }


def _lines(peers: Sequence[dict[str, Any]], models: Sequence[dict[str, Any]]) -> list[str]:
    """Return the table of one pyramid."""
    columns = dict(
        zip(("SCUs", "unique", "unmatched", "D", *_MEANS), (*_COUNTS, *_MEANS), strict=True)
    )
    rows = [{"": each["peer"]} | {c: each[name] for c, name in columns.items()} for each in peers]
    for each in models:
        blank = dict.fromkeys(columns, "")
        rows.append({"": f"model {each['model']}", **blank, "jackknife": each["jackknife"]})
    unscored = [f"{each['peer']}: {each['message']}" for each in peers if each["message"]]
    return [*text_lines(rows), *unscored]


def _means(
    rows: Sequence[dict[str, Any]], agreement: Sequence[dict[str, Any]], number: int
) -> list[str]:
    """Return the means of systems over topics, then the agreement."""
    systems: dict[tuple[bool, str], list[dict[str, Any]]] = {}
    for each in rows:
        systems.setdefault((each["kind"] == "model", each["system"]), []).append(each)
    lines = []
    for is_model, name in sorted(systems, key=lambda key: (key[0], _by_number(key[1]))):
        own = systems[is_model, name]
        topics = str(len({each["topic"] for each in own}))
        line = {"mean": f"model {name}" if is_model else name, "topics": topics}
        lines.append(line | {column: _mean(each[column] for each in own) for column in _MEANS})
    annotations = sum(row["kind"] == "peer" for row in rows)
    parts = [f"{number} pyramids, {annotations} annotations", "", *text_lines(lines)]
    found = [{"agreement": each.pop("topic"), **each} for each in map(dict, agreement)]
    return [*parts, "", *text_lines(found)] if found else parts


def _mean(numbers: Iterable[float | None]) -> float | None:
    """Return the mean of what has a number."""
    known = [number for number in numbers if number is not None]
    return fsum(known) / len(known) if known else None


def _by_number(name: str) -> tuple[bool, int, str]:
    """Systems with numbers in their order, before others.

    >>> sorted(["10", "9", "B"], key=_by_number)
    ['9', '10', 'B']
    """
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


# Rows with judged content units


def _of_rows(arguments: Namespace) -> None:
    """Score the rows."""
    if arguments.annotations or arguments.models:
        extra = "--models" if arguments.models else arguments.annotations[0]
        raise UsageError(f"{extra} does not go with --judgements-column; leave it out")
    if not arguments.alpha > 0:
        raise UsageError(f"--alpha is {arguments.alpha}; give a number above 0")
    table = read_rows(arguments.pyramid)
    for option in ("judgements", "units", "weights"):
        if (column := getattr(arguments, f"{option}_column")) is not None:
            table.check(f"{option}-column", column)
    texts = _text_columns(arguments, table)
    scores = []
    for number, row in enumerate(table.rows, 1):
        try:
            scores.append(_score(arguments, row, texts))
        except (ValueError, TypeError) as error:
            raise DataError.of(f"{table.origin}: row {number}", error) from None
    fields = [field for field in ("n_units", *_FIELDS) if field in scores[0]]
    if arguments.output is not None:
        write_rows(arguments.output, [a | b for a, b in zip(table.rows, scores, strict=True)])
    means = _unit_means(table, arguments.system, scores, fields)
    if arguments.json:
        _put_json(systems=means, rows=scores)
    elif arguments.output != "-":
        alpha = f", alpha {arguments.alpha:g}" * ("normalised_acu" in fields)
        put([f"{len(table)} rows{alpha}", "", *text_lines(means)])


def _text_columns(arguments: Namespace, table: Table) -> tuple[str, str] | None:
    """Return the columns of the candidate and of the references; None if the rows have no texts."""
    found = []
    for what in ("candidate", "references"):
        given = getattr(arguments, f"{what}_column")
        if given is not None and given not in table.columns:
            hint = f"choose the column with --{what}-column"
            raise DataError(table.origin, not_found(given, table.rows[0], what), hint)
        names = [given] if given else [what, *ALIASES[what]]
        found.append(next((name for name in names if name in table.columns), None))
    candidate, references = found
    return None if candidate is None or references is None else (candidate, references)


def _score(
    arguments: Namespace, row: Row, texts: tuple[str, str] | None
) -> dict[str, float | int | None]:
    """The scores of a row: the mean over its references; None for a row without judgements."""
    judged = _lists(row, arguments.judgements_column)
    fields = ["unit_score"]
    fields += ["weighted_score"] * (arguments.weights_column is not None)
    fields += ["normalised_acu"] * (texts is not None)
    if judged is None:
        return dict.fromkeys(["n_units", *fields])
    wanted = [len(one) for one in judged]
    for column in filter(None, (arguments.units_column, arguments.weights_column)):
        sizes = [len(one) for one in _lists(row, column) or []]
        if sizes != wanted:
            counted = [" + ".join(map(str, counts)) or "no" for counts in (sizes, wanted)]
            problem = f"{column!r} has {counted[0]} items and there are {counted[1]} judgements"
            raise ValueError(f"{problem}; give as many")
    found: dict[str, list[float]] = {"unit_score": [pyramids.unit_score(one) for one in judged]}
    if arguments.weights_column is not None:
        weights = _lists(row, arguments.weights_column) or []
        pairs = zip(judged, weights, strict=True)
        found["weighted_score"] = [pyramids.unit_score(one, weight) for one, weight in pairs]
    if texts is not None:
        lengths = _lengths(row, texts, len(judged))
        found["normalised_acu"] = [
            pyramids.normalised_acu(one, lengths[0], length, alpha=arguments.alpha)
            for one, length in zip(judged, lengths[1:], strict=True)
        ]
    means = {name: fsum(numbers) / len(numbers) for name, numbers in found.items()}
    return {"n_units": sum(map(len, judged)), **means}


def _lists(row: Row, column: str) -> list[list[Any]] | None:
    """Return the list for each reference that a column holds; None for none."""
    value = find(row, column)[1]
    if isinstance(value, str) and value.strip():  # a cell of CSV
        try:
            value = json.loads(value)
        except ValueError:
            raise ValueError(f"{column!r} is {shown(value)}; give a list of numbers") from None
    if value is None or value == "":
        return None
    if not isinstance(value, list):
        raise ValueError(f"{column!r} is {shown(value)}; give a list with an item for each unit")
    nested = bool(value) and all(isinstance(one, list) for one in value)
    return value if nested else [value]


def _lengths(row: Row, texts: tuple[str, str], references: int) -> list[int]:
    """Return the words of the candidate and of each reference."""
    candidate, given = row.get(texts[0]), row.get(texts[1])
    listed = [given] if isinstance(given, str) else given
    if not isinstance(candidate, str) or not isinstance(listed, list) or not listed:
        problem = f"{texts[0]!r} or {texts[1]!r} holds no text"
        raise ValueError(f"{problem}; give both, or drop one column")
    if len(listed) != references and references > 1:
        problem = f"{texts[1]!r} has {len(listed)} texts and there are {references} lists"
        raise ValueError(f"{problem} of judgements; give as many")
    sizes = [len(tokens(text, "unicode")) for text in listed]
    if references == 1:  # units of all references together
        sizes = [round(fsum(sizes) / len(sizes))]
    if not all(sizes):
        raise ValueError(f"{texts[1]!r} has a text without words; give one with words")
    return [len(tokens(candidate, "unicode")), *sizes]


def _unit_means(
    table: Table, system: str, scores: Sequence[dict[str, Any]], fields: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the means of each system, then of all rows; rows without judgements do not count."""
    groups: dict[str, list[dict[str, Any]]] = {}
    if system in table:
        for name, found in zip(table.values(system), scores, strict=True):
            groups.setdefault(str(name), []).append(found)
    groups = {**(groups if len(groups) > 1 else {}), "all rows": list(scores)}
    means = []
    for name, own in groups.items():
        judged = sum(found["n_units"] is not None for found in own)
        line = {field: _mean(found[field] for found in own) for field in fields}
        means.append({"system": name, "rows": judged, **line})
    return means
