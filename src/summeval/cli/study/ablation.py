"""`summeval study ablation`: what the parts of DICOMER and CREMER add.

Train each feature set of DICOMER (LIN, LIN+C, LIN+E, DICOMER) and CREMER with each kernel on human
scores, predict topics that were not trained on, and correlate with people, as Lin, Liu, Ng and Kan
(2012) do; beside them TESLA-S and the number of words.

A row of ROWS has a candidate, its system and topic and a human score; rows without a score are
skipped. CREMER and TESLA-S need references. Candidates are parsed, and the parses kept in the
cache; a row may hold its parse instead, as "document" (see summeval train dicomer --help).
{COLUMNS}

[ARGUMENTS]
--no-cache: neither read nor write the cache of parses
--human: the human score that is predicted
--readability: the human score that DICOMER learns [--human]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Examples:
  summeval study ablation rows.jsonl --human overall --readability fluency
  summeval study ablation rows.jsonl --human scores.coherence --topic topic_id --system system_id
Needs scikit-learn: pip install 'summeval[learn]'.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace

import numpy as np

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared import rows as of_rows
from summeval.cli.shared.errors import open_provider, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import Data, StudyRows, documents_of, left_out
from summeval.io import DataError
from summeval.study.ablation import CONTENT, Rated, ablation


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    of_rows.add_rows(parser, ("candidate", "references"))
    add = parser.add_argument
    add("--human", required=True, metavar="COLUMN")
    add("--readability", metavar="COLUMN")
    flags.derive(parser, ablation, "folds", "C", "coefficient", "resamples", "seed")
    flags.add(parser, "provider", "no-cache", "workers")
    add_output(parser)


def run(arguments: Namespace) -> None:
    """Read, train and predict, and print."""
    workers = flags.workers_of(arguments)
    chosen = flags.parameters(arguments)
    check_folder_of(arguments)
    read = of_rows.read_study(arguments, (), ("references",))
    rows, notes = _complete(_scored(arguments, read), read.name, arguments.human)
    if not all(rows.parses):
        open_provider(arguments.provider)
    with refusals(read.name):
        rated, signatures = _rated(arguments, rows, workers)
        study = ablation(rated, human=arguments.human, workers=workers, **chosen)
    show_study(arguments, replace(study, signatures=signatures, notes=[*notes, *study.notes]))


def _scored(arguments: Namespace, read: StudyRows) -> Data:
    """Return the rows that have a text and all human scores."""
    data = Data()
    scores = read.numbers(arguments.human)
    said = arguments.readability
    readability = scores if said is None else read.numbers(said, "readability")
    systems, topics = (read.names(getattr(arguments, key), key) for key in ("system", "topic"))
    for index, row in enumerate(read.rows):
        candidate, score, readable = read.candidates[index], scores[index], readability[index]
        if candidate is None or score is None or readable is None:
            data.left_out += 1
            continue
        data.add(
            systems=systems[index],
            topics=topics[index],
            candidates=candidate,
            references=(read.references[index] if read.references else None) or [],
            parses=of_rows.parse_of(row, f"{read.name}: row {index + 1}"),
            scores=score,
            readability=readable,
        )
    return data


def _complete(rows: Data, name: str, human: str) -> tuple[Data, list[str]]:
    """Return the rows that have references, if any has; and notes on what was left out."""
    if not rows.scores:
        raise DataError(name, f"no row has a text and a number in {human!r}", "score some")
    notes = left_out(rows.left_out, "text or score")
    kept = [place for place, references in enumerate(rows.references) if references]
    if 0 < len(kept) < len(rows.scores):
        notes += left_out(len(rows.scores) - len(kept), "references")
        rows = rows.where(kept)
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


def _rated(arguments: Namespace, rows: Data, workers: int) -> tuple[Rated, dict[str, str]]:
    """Return the rows with parses and TESLA-S, and the signatures of what made them."""
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
    people = np.array(rows.scores), np.array(rows.readability)
    return Rated(documents, rows.systems, rows.topics, *people, content, words), signatures
