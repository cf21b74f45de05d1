"""`summeval demo`: the bundled summaries, scored with every metric."""

from __future__ import annotations

import argparse
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

import summeval
from summeval.cli.shared.printing import put
from summeval.cli.shared.summary import table
from summeval.cli.shared.workers import add_workers, workers_of
from summeval.io import Chunk, InputFile, read_chunks

DESCRIPTION = "Score the summaries that come with summeval with every metric and print the means."
EPILOG = "Exit status: 0 done, 1 bad data or files, 2 bad usage."

_SYSTEMS = {
    "abstract": "says what matters, in its own words",
    "lead": "the first sentences of the text",
    "partial": "leaves much out and gets facts wrong",
    "repeat": "repeats itself and says next to nothing",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_workers(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the table. Returns the exit status."""
    workers = workers_of(arguments)
    with as_file(files("summeval.cli") / "data" / "demo.jsonl") as path:
        put(report(path, workers))
    return 0


def report(path: Path, workers: int = 1) -> list[str]:
    """The lines that the command prints."""
    rows = _read(path)
    usable, lacking = _usable(summeval.list_metrics())
    suite = summeval.suite(usable)
    scores = suite.score_batch(
        rows.candidates, rows.references, sources=rows.sources, workers=workers
    )
    systems = np.array([row["system"] for row in rows.rows])
    topics = {row["topic"] for row in rows.rows}
    lines = [
        ["people", *_means(np.array([row["human"] for row in rows.rows]), systems, 2)],
        *([metric.name, *_means(scores[metric.name], systems, 4)] for metric in suite.metrics),
    ]
    counts = sorted({len(references or ()) for references in rows.references})
    return [
        f"{len(rows)} summaries: {len(_SYSTEMS)} systems, {len(topics)} texts,"
        f" {counts[0]} to {counts[-1]} references for each.",
        f"Scored with {len(suite.metrics)} metrics; means for each system:",
        "",
        *table(["", *_SYSTEMS], lines),
        "",
        *(f"{name:9} {text}" for name, text in _SYSTEMS.items()),
        "people    marks from 1 to 5, made up with the texts",
        *(
            f"{metric.name:9} {metric.primary}, a distance: lower is better"
            for metric in suite.metrics
            if not metric.directions[metric.primary]
        ),
        *lacking,
        "",
        "The texts lie in",
        f"  {path}",
        "Score them yourself, one line for each summary or only the means:",
        "  summeval score FILE -m rouge1,rouge2,rougeLsum -o scores.jsonl --summary",
        "Then your own: see summeval score --help, and summeval metrics for the names.",
    ]


def _usable(names: list[str]) -> tuple[list[summeval.Metric], list[str]]:
    """The metrics that can score here, and lines that name the others and say why."""
    usable: list[summeval.Metric] = []
    lacking: dict[str, list[str]] = {}
    for name in names:
        metric = summeval.metric(name)
        try:
            metric.score("A cat.", "A cat.", source="A cat.")
        except ImportError as error:
            lacking.setdefault(str(error), []).append(name)
        else:
            usable.append(metric)
    return usable, [
        line
        for why, names in lacking.items()
        for line in (f"left out  {', '.join(names)}", f"          {why}")
    ]


def _read(path: Path) -> Chunk:
    with InputFile(str(path)) as file:
        (chunk,) = read_chunks(file, "jsonl")
    return chunk


def _means(
    values: np.ndarray[tuple[int], np.dtype[np.float64]],
    systems: np.ndarray[tuple[int], np.dtype[np.str_]],
    digits: int,
) -> list[str]:
    return [f"{values[systems == system].mean():.{digits}f}" for system in _SYSTEMS]
