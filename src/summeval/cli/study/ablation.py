"""`summeval study ablation`: what the parts of DICOMER and CREMER add."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import summeval
from summeval.cli.shared.columns import COLUMNS_HELP, add_columns, columns_of, settled
from summeval.cli.shared.errors import UsageError
from summeval.cli.shared.judged import paths
from summeval.cli.shared.parsing import open_provider, refusals
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.cli.study.output import add_output, check_output, show
from summeval.cli.train.rows import as_c, documents_of, number_of, parse_of
from summeval.io import DataError, InputFile, format_of, read_chunks
from summeval.io.column_names import not_found
from summeval.meta.tables.arrays import COEFFICIENTS
from summeval.meta.tables.scores import find

if TYPE_CHECKING:
    from summeval.annotate.discourse import DiscourseDocument
    from summeval.io import Chunk
    from summeval.study.ablation import Rated

DESCRIPTION = f"""\
Train each feature set of DICOMER (LIN, LIN+C, LIN+E, DICOMER) and CREMER with each kernel on human
scores, predict topics that were not trained on, and correlate with people, as Lin, Liu, Ng and Kan
(2012) do; beside them TESLA-S and the number of words.

A row of ROWS has a candidate, its system and topic and a human score; rows without a score are
skipped. CREMER and TESLA-S need references. Candidates are parsed, and the parses kept in the
cache; a row may hold its parse instead, as "document" (see summeval train dicomer --help).
{COLUMNS_HELP}"""

EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study ablation rows.jsonl --human overall --readability fluency
  summeval study ablation rows.jsonl --human scores.coherence --topic topic_id --system system_id
Needs scikit-learn: pip install 'summeval[learn]'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("input", metavar="ROWS", help=".jsonl or .csv, also with .gz; - is standard input")
    add("--human", required=True, metavar="COLUMN", help="the human score that is predicted")
    add("--readability", metavar="COLUMN", help="the human score that DICOMER learns [--human]")
    add("--system", default="system", metavar="COLUMN", help="names the system [system]")
    add("--topic", default="topic", metavar="COLUMN", help="names the topic [topic]")
    add("--folds", type=int, default=5, metavar="N", help="number of folds of topics [5]")
    add("-C", default=None, metavar="C", help="a number, or cv to choose it [SVM-light's]")
    add("--coefficient", choices=COEFFICIENTS, default="pearson", help="of intervals [pearson]")
    add("--resamples", type=int, default=1000, metavar="N", help="draws for intervals [1000]")
    add("--seed", type=int, default=0, metavar="N", help="random seed [0]")
    add("--provider", default="spacy", metavar="NAME[:MODEL]", help="the parser [spacy]")
    add("--no-cache", action="store_true", help="neither read nor write the cache of parses")
    add_workers(parser)
    add_columns(parser, ("candidate", "references"))
    add_output(parser)


@dataclass
class _Rows:
    """The rows that have a human score."""

    candidates: list[str | None] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    parses: list[DiscourseDocument | None] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    readability: list[float] = field(default_factory=list)
    skipped: int = 0


def run(arguments: argparse.Namespace) -> int:
    """Read, train and predict, and print; return the exit status."""
    workers = workers_of(arguments)
    for option, least in (("folds", 2), ("resamples", 1), ("seed", 0)):
        if getattr(arguments, option) < least:
            raise UsageError(
                f"--{option} is {getattr(arguments, option)}; give a number from {least}"
            )
    machine_c = as_c(arguments.C)
    check_output(arguments)
    name = "standard input" if arguments.input == "-" else arguments.input
    rows, notes = _complete(_read(arguments), name, arguments.human)
    if not all(rows.parses):
        open_provider(arguments.provider)
    from summeval.study.ablation import ablation

    with refusals(name):
        rated, signatures = _rated(arguments, rows, workers)
        study = ablation(
            rated,
            human=arguments.human,
            folds=arguments.folds,
            C=machine_c,
            coefficient=arguments.coefficient,
            resamples=arguments.resamples,
            seed=arguments.seed,
            workers=workers,
        )
    show(arguments, replace(study, signatures=signatures, notes=[*notes, *study.notes]))
    return 0


def _read(arguments: argparse.Namespace) -> _Rows:
    asked = columns_of(arguments, (), ("references",))
    form = "jsonl" if arguments.input == "-" else format_of(arguments.input)
    if form not in ("jsonl", "csv"):
        raise UsageError(f"{arguments.input} does not end in .jsonl or .csv; write such a file")
    rows, seen = _Rows(), 0
    columns = [("human", arguments.human), ("readability", arguments.readability)]
    columns += [("system", arguments.system), ("topic", arguments.topic)]
    lacking = {option: column for option, column in columns if column is not None}
    present: dict[str, None] = {}
    with InputFile(arguments.input) as file:
        for chunk in read_chunks(file, form, settled(file, form, asked)):
            for number, row in enumerate(chunk.rows):
                seen += 1
                found = [option for option in lacking if find(row, lacking[option])[0]]
                lacking = {key: name for key, name in lacking.items() if key not in found}
                if lacking:
                    present |= dict.fromkeys(paths([row]))
                _take(rows, chunk, number, arguments, f"{file.name}: row {seen}")
        if not seen:
            raise DataError(file.name, "holds no rows", "write one row on each line")
        for option, column in lacking.items():
            mend = f"choose the column with --{option}"
            raise DataError(file.name, not_found(column, present), mend)
    return rows


def _take(
    rows: _Rows, chunk: Chunk, number: int, arguments: argparse.Namespace, place: str
) -> None:
    """Add a row if it has a text and all human scores."""
    row, candidate = chunk.rows[number], chunk.candidates[number]
    score = number_of(row, arguments.human, place)
    readable = number_of(row, arguments.readability or arguments.human, place)
    if candidate is None or score is None or readable is None:
        rows.skipped += 1
        return
    names = []
    for option in ("system", "topic"):
        column = getattr(arguments, option)
        value = find(row, column)[1]
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
            mend = f"choose its column with --{option}"
            raise DataError(place, f"no {option} in {column!r}", mend)
        names.append(str(value))
    rows.systems.append(names[0])
    rows.topics.append(names[1])
    rows.candidates.append(candidate)
    rows.references.append(chunk.references[number] or [])
    rows.parses.append(parse_of(row, place))
    rows.scores.append(score)
    rows.readability.append(readable)


def _complete(rows: _Rows, name: str, human: str) -> tuple[_Rows, list[str]]:
    """The rows that have references, if any has; and notes on what was left out."""
    if not rows.scores:
        raise DataError(name, f"no row has a text and a number in {human!r}", "score some")
    notes = [f"{rows.skipped} rows without a text or a score were left out"] * bool(rows.skipped)
    kept = [place for place, references in enumerate(rows.references) if references]
    if 0 < len(kept) < len(rows.scores):
        notes.append(f"{len(rows.scores) - len(kept)} rows without references were left out")
        columns: dict[str, Any] = {
            one.name: [getattr(rows, one.name)[place] for place in kept]
            for one in fields(rows)
            if one.name != "skipped"
        }
        rows = _Rows(**columns)
    seen = set[tuple[str, str]]()
    for key in zip(rows.systems, rows.topics, strict=True):
        if key in seen:
            problem = f"the system {key[0]!r} has two rows on the topic {key[1]!r}"
            raise DataError(name, problem, "keep one")
        seen.add(key)
    for option, found in (("system", rows.systems), ("topic", rows.topics)):
        if len(set(found)) < 2:
            problem = f"1 {option}, {found[0]!r}; the study needs two or more"
            raise DataError(name, problem, f"add rows, or choose the column with --{option}")
    return rows, notes


def _rated(
    arguments: argparse.Namespace, rows: _Rows, workers: int
) -> tuple[Rated, dict[str, str]]:
    """The rows with parses and TESLA-S, and the signatures of what made them."""
    import numpy as np

    from summeval.study.ablation import CONTENT, Rated

    dicomer = summeval.Dicomer(parser=arguments.provider, cache=not arguments.no_cache)
    documents = documents_of(rows.candidates, rows.parses, dicomer, workers)
    signatures = {}
    if not all(rows.parses):
        signatures["parses"] = ", ".join(" ".join(pair) for pair in dicomer.parser.options)
    content = None
    if any(rows.references):
        tesla = summeval.TeslaS()
        table = tesla.score_batch(rows.candidates, rows.references, workers=workers)
        content = table[f"{tesla.name}.{tesla.primary}"]
        signatures[CONTENT] = str(tesla.signature)
    words = np.array([float(len((text or "").split())) for text in rows.candidates])
    scores, readability = np.array(rows.scores), np.array(rows.readability)
    return (
        Rated(documents, rows.systems, rows.topics, scores, readability, content, words),
        signatures,
    )
