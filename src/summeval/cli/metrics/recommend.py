"""`summeval recommend`: look at data, and say which metrics fit.

Look at the first rows of INPUT, or of plain files, and say which metrics fit them: why, at which
cost, with the agreement with people that was measured, what to report, and what to beware of. The
last lines are commands to copy.
{COLUMNS}
Rows are looked at, not scored: this takes no more than a second or two.

[ARGUMENTS]
--rows: look at the first N rows; 0 for all [1000]
INPUT: rows, see Formats; - is standard input
--format: [text]
--human: columns with human scores [all numeric columns that are not metrics]

Formats, by extension: .jsonl .csv .tsv (all also with .gz) .parquet .arrow .feather .ipc
Exit status: 0 done, 1 bad data or files, 2 bad usage.
Examples:
  summeval recommend rows.jsonl
  summeval recommend --hyp bart.txt t5.txt --ref gold.txt
  summeval recommend rows.csv --human coherence --format json
"""

from __future__ import annotations

import os
import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from textwrap import wrap
from types import SimpleNamespace
from typing import Any

from summeval.cli.score.settings import add_plain, open_files
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, put
from summeval.io import DataError
from summeval.io.formats import FORMATS, open_input, read_chunks
from summeval.io.rows import Columns, Row, not_found
from summeval.io.source import no_rows
from summeval.meta.advice import (
    Advice,
    DataProfile,
    Lengths,
    Recommended,
    agreement_of,
    cost_of_parsing,
    look,
    recommend,
    sources,
    to_dict,
)
from summeval.metrics.registry import options_of
from summeval.report.tables import json_lines, table
from summeval.table.cells import find

_ROWS = 1000
_CHUNK_BYTES = 1 << 18
_WIDTH = 96
_NO_METRICS: Any = SimpleNamespace(reads=(), metrics=())  # which need no texts yet


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    rows = add("input", metavar="INPUT")
    add_plain(parser, instead_of=rows)
    add("--rows", type=int, default=_ROWS, metavar="N")
    flags.add(parser, "format", choices=("text", "json"), default="text")
    flags.add(parser, "input-format", choices=FORMATS)
    parser.set_defaults(format_option="--input-format")
    flags.add(parser, "separator", "system", "topic", "human")
    flags.add_columns(parser)


def run(arguments: Namespace) -> None:
    """Print the advice."""
    flags.check_least(arguments, "give {} or more", rows=0)
    if arguments.hyp and arguments.input is not None:
        raise UsageError(f"pass INPUT ({arguments.input}) or --hyp, not both")
    if not arguments.hyp and (arguments.ref or arguments.src):
        raise UsageError("--ref and --src need --hyp FILE")
    read = _first_rows(arguments)
    if not read.rows:
        raise no_rows(read.name)
    if len(read.problems) == len(read.rows):
        raise DataError.of(read.name, ValueError(read.problems[0]))
    found = _look(arguments, read)
    advice = recommend(found)
    if read.problems:
        problem = f"rows that cannot be scored: {len(read.problems):,}; {read.problems[0]}"
        advice = advice._replace(warnings=(problem, *advice.warnings))
    commands = _commands(arguments, found, advice)
    if arguments.format == "json":
        document = {
            "input": read.name,
            "rows": len(read.rows),
            "all_rows": read.is_all,
            "data": {**asdict(found), "language": found.language},
            **to_dict(advice),
            "figures_from": sources(),
            "commands": commands,
        }
        put(json_lines(document), data=True)
    else:
        put(_lines(read, found, advice, commands))


@dataclass
class _Read:
    """The first rows: carried columns, texts of three sides, and problems of rows that are bad."""

    name: str
    rows: list[Row] = field(default_factory=list)
    texts: list[tuple[Any, Any, Any]] = field(default_factory=list)
    is_all: bool = True
    problems: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, file: Any, form: Any, columns: Columns, most: float) -> _Read:
        """Return the first rows of a file, at most so many."""
        found = cls(file.name)
        for chunk in read_chunks(file, form, columns, on_error="skip", chunk_bytes=_CHUNK_BYTES):
            sides = chunk.candidates, chunk.references, chunk.sources
            for index, (row, candidate, *texts) in enumerate(zip(chunk.rows, *sides, strict=True)):
                if len(found.rows) >= most:
                    found.is_all = False
                    return found
                lists = ([one] if isinstance(one, str) else one for one in texts)
                found.rows.append(row)
                found.texts.append((candidate, *lists))
                found.problems += [chunk.errors[index]] if index in chunk.errors else []
        return found


def _first_rows(arguments: Namespace) -> _Read:
    """Return the first rows of INPUT, or of the plain files."""
    most = arguments.rows or inf
    given = Namespace(**{**vars(arguments), "format": arguments.input_format})
    if arguments.hyp:
        sides = (("references", arguments.ref), ("source", arguments.src))
        columns = Columns(needs=tuple(what for what, path in sides if path))
        with open_files(given, _NO_METRICS) as file:
            return _Read.of(file, "plain", columns, most)
    form = flags.input_format(given, FORMATS)
    wanted = ("references", "source")
    asked = flags.columns_of(arguments, (), wanted)
    with open_input(arguments.input, form) as file:
        columns = flags.columns_for(file, form, asked)
        there = tuple(what for what in wanted if what not in columns.unnamed)
        return _Read.of(file, form, replace(columns, needs=there), most)


def _look(arguments: Namespace, read: _Read) -> DataProfile:
    human = flags.names_of("--human", arguments.human, "column") if arguments.human else None
    for column in human or ():
        if not any(find(row, column)[0] for row in read.rows):
            raise DataError(read.name, not_found(column, read.rows[0]), "choose it with --human")
    candidates, references, given = map(list, zip(*read.texts, strict=True))
    return look(
        read.rows,
        candidates,
        references if any(references) else None,
        given if any(given) else None,
        human=human,
        **flags.given(arguments, "system", "topic", "id_column"),
    )


def _commands(arguments: Namespace, found: DataProfile, advice: Recommended) -> list[str]:
    """Commands to copy: score, and what to do with the scores."""
    if not advice.metrics:
        return []

    def out(name: str) -> str:
        """Return a file that is not the input."""
        return f"new-{name}" if os.path.basename(arguments.input or "") == name else name

    scores = out("scores.jsonl")
    rows, kept = _input_words(arguments), ["--keep-text"] * (not arguments.hyp)
    words = ["score", *rows, "-m", ",".join(advice.metrics)]
    if found.needs_unicode and any("tokenizer" in options_of(name) for name in advice.metrics):
        words += ["--tokenizer", "unicode"]
    if "rougeLsum" in advice.metrics and not found.lines:
        words += ["--option", "rouge.sentences=rules"]
    if "npower" in advice.metrics and found.lower_case:
        words += ["--option", "npower.case=lower"]
    words += ["-o", scores, *kept]
    names = [
        word
        for option in ("system", "topic")
        if (given := getattr(arguments, option)) != option
        for word in (f"--{option}", given)
    ]
    human = ["--human", ",".join(found.human)] if found.human else []
    calls = []
    for one in (one for one in advice.advice if one.options):
        alone = out(f"{_label(one)}.jsonl")
        options = [word for option in one.options for word in ("--option", option)]
        calls.append(["score", *rows, "-m", *one.metrics, *options, "-o", alone, *kept])
        calls += [["correlate", alone, *human, *names]] * bool(human)
    calls += [["rank", scores, *names]] * (len(found.systems) > 1)
    if human:
        first = ["--human", found.human[0], "--metrics", ",".join(advice.metrics)]
        calls += [["correlate", scores, *human, *names], ["compare", scores, *first, *names]]
    calls += [["report", scores, *human, *names, "-o", "report.html"], ["cite", scores]]
    return [shlex.join(["summeval", *call]) for call in (words, *calls)]


def _label(one: Advice) -> str:
    """Return the name of a run of its own, which is that of its columns."""
    return next(word.partition(".label=")[2] for word in one.options if ".label=" in word)


def _input_words(arguments: Namespace) -> list[str]:
    """INPUT with the options that say how to read it."""
    given = arguments
    if given.hyp:
        words = ["--hyp", *given.hyp]
        words += ["--ref", *given.ref] if given.ref else []
        options = {"--src": given.src, "--newline": given.newline}
    else:
        words = [given.input]
        options = {"--format": given.input_format, "--separator": given.separator}
    for option, value in options.items():
        words += [option, value] if value else []
    for option in ("candidate", "references", "source", "id"):
        column = getattr(given, f"{option}_column")
        if column and column != "id" and not given.hyp:
            several = column if isinstance(column, list) else [column]
            words += [f"--{option}-column", ",".join(several)]
    return words


def _lines(
    read: _Read, found: DataProfile, advice: Recommended, commands: Sequence[str]
) -> list[str]:
    what = "all rows" if read.is_all else "the first rows; --rows 0 looks at all"
    lines = [f"{read.name}: {found.rows:,} rows ({what})", "", *_facts(found)]
    for number, one in enumerate(advice.advice, 1):
        lines += ["", f"{number}. {', '.join(one.metrics)}: {one.purpose}"]
        lines += _wrapped(f"why: {one.why}; {_cost(one)}", 3)
        lines += _wrapped(f"report: {one.report}", 3)
    if not advice.advice:
        lines += ["", "No metric fits these rows."]
    lines += _evidence(advice.advice)
    left_out = [f"{one.metric}: {one.why}" for one in advice.left_out]
    for title, items in (("Left out", left_out), ("Beware", advice.warnings)):
        lines += ["", title] * bool(items)
        lines += (line for item in items for line in _wrapped(item, 4, "  - "))
    return [*lines, *(["", "Commands", *(f"  {line}" for line in commands)] if commands else [])]


def _facts(found: DataProfile) -> list[str]:
    references = _lengths(found.references)
    if found.references:
        low, high = found.reference_count
        references += f"; {low} to {high} each" if low != high else f"; {high} each"
    facts = [
        ("candidates", _lengths(found.candidates)),
        ("references", references),
        ("source", _lengths(found.sources)),
        ("language", f"{found.language} (a guess)"),
    ]
    systems = f"{len(found.systems)}" + f", with {found.topics} topics" * bool(found.topics)
    facts += [("systems", systems)] * bool(found.systems)
    facts += [("human scores", ", ".join(found.human))] * bool(found.human)
    facts += [("scores", ", ".join(found.scored[:6]))] * bool(found.scored)
    return [f"  {what:12}  {said}" for what, said in facts]


def _lengths(lengths: Lengths | None) -> str:
    if lengths is None:
        return "none"
    return f"{lengths.median:g} words in the median, {lengths.least} to {lengths.most}"


def _cost(one: Advice) -> str:
    if one.microseconds is None:
        return "cost not measured"
    parsing = f" and {cost_of_parsing():,.0f} for parsing each text" if one.parsed else ""
    split = ", most of it for finding sentences" if "rougeLsum" in one.metrics else ""
    return f"{one.microseconds:,.3g} µs a pair{split}{parsing}"


def _evidence(advice: Sequence[Advice]) -> list[str]:
    """Return the table of agreement with people."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    evidence = [one for each in advice for one in each.evidence]
    places = {(one.data, one.judgement, one.level, one.split) for one in evidence}
    for one in [*evidence, *agreement_of("length")]:
        if (one.data, one.judgement, one.level, one.split) not in places:
            continue
        shown = f"{one.rho:.2f}{'*' * one.above_length}"
        shown += f" [{one.interval[0]:.2f}, {one.interval[1]:.2f}]" if one.interval else ""
        key = one.column, one.data, one.judgement, one.split
        cells = found.setdefault(key, {"note": one.note})
        cells[one.level] = shown
    if not found:
        return []
    rows = [
        [*key, cells.get("summary", ""), cells.get("system", ""), cells["note"]]
        for key, cells in found.items()
    ]
    heads = ["agreement with people", "data", "judgement", "topics", "summary level"]
    heads += ["system level", ""]
    better = "Spearman's rho with 95 % interval; * better than the number of words"
    note = f"{better} ({sources()['agreement']}); costs: {sources()['costs']}."
    return ["", *(line.rstrip() for line in table(heads, rows)), note]


def _wrapped(text: str, indent: int, first: str = "") -> list[str]:
    start, others = first or " " * indent, " " * indent
    how: Any = {"initial_indent": start, "subsequent_indent": others, "break_on_hyphens": False}
    return wrap(text, _WIDTH, **how)
