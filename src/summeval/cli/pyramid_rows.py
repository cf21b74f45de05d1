"""`summeval pyramid ROWS --judgements-column NAME`: rows with judged content units."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from math import fsum
from typing import Any

from summeval._options import shown
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, put
from summeval.cli.shared.results import write_rows
from summeval.io import DataError
from summeval.io.rows import ALIASES, Row, not_found
from summeval.metrics.pyramid import normalised_acu, unit_score
from summeval.report.tables import text_lines
from summeval.table.cells import find
from summeval.table.table import Table, read_rows
from summeval.text import tokens

_FIELDS = ("unit_score", "weighted_score", "normalised_acu")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments for rows."""
    add = parser.add_argument_group("rows with judged units").add_argument
    add("--judgements-column", metavar="NAME")
    add("--units-column", metavar="NAME")
    add("--weights-column", metavar="NAME")
    add("--alpha", type=float, default=2.0, metavar="N")
    flags.add(parser, "system")
    add("--candidate-column", metavar="NAME")
    add("--references-column", metavar="NAME")


def asked(arguments: Namespace) -> bool:
    """Return whether rows are to be scored."""
    if arguments.judgements_column is not None:
        return True
    for option in ("units", "weights"):
        if getattr(arguments, f"{option}_column") is not None:
            needed = "needs --judgements-column; name the judgements too"
            raise UsageError(f"--{option}-column {needed}")
    return False


def run(arguments: Namespace) -> None:
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
    means = _means(table, arguments.system, scores, fields)
    if arguments.json:
        document = {"systems": means, "rows": scores}
        put(json.dumps(document, indent=1, allow_nan=False).splitlines())
        return
    if arguments.output != "-":
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
            told = [" + ".join(map(str, counts)) or "no" for counts in (sizes, wanted)]
            problem = f"{column!r} has {told[0]} items and there are {told[1]} judgements"
            raise ValueError(f"{problem}; give as many")
    found: dict[str, list[float]] = {"unit_score": [unit_score(one) for one in judged]}
    if arguments.weights_column is not None:
        weights = _lists(row, arguments.weights_column) or []
        pairs = zip(judged, weights, strict=True)
        found["weighted_score"] = [unit_score(one, weight) for one, weight in pairs]
    if texts is not None:
        lengths = _lengths(row, texts, len(judged))
        found["normalised_acu"] = [
            normalised_acu(one, lengths[0], length, alpha=arguments.alpha)
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


def _means(
    table: Table, system: str, scores: Sequence[dict[str, Any]], fields: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the means of each system, then of all rows; rows without judgements do not count."""
    groups: dict[str, list[dict[str, Any]]] = {}
    if system in table:
        for name, found in zip(table.values(system), scores, strict=True):
            groups.setdefault(str(name), []).append(found)
    groups = {**(groups if len(groups) > 1 else {}), "all rows": list(scores)}
    means = []
    for name, mine in groups.items():
        known = [found for found in mine if found["n_units"] is not None]
        line: dict[str, Any] = {"system": name, "rows": len(known)}
        for field in fields:
            values = [found[field] for found in known]
            line[field] = fsum(values) / len(values) if values else None
        means.append(line)
    return means
