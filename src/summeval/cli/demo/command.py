"""`summeval demo`: scores the bundled summaries, explains some, and shows the next commands."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import warnings
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import summeval
from summeval.cli.demo.page import Page, Scored
from summeval.cli.shared.arguments import add_workers, workers_of
from summeval.cli.shared.errors import put
from summeval.io import Chunk, InputFile, read_chunks

DESCRIPTION = """\
Score the summaries that come with summeval, which takes a few seconds. It prints one table with the
mean scores of four systems, the best and the worst summary, what explains the scores of the worst,
and commands to go on with your
own file. It writes two pages for a browser: the report on these scores, and the words behind each
of them. Metrics that need a package which is not installed are named and left out."""
EPILOG = "Exit status: 0 done, 1 bad data or files, 2 bad usage."

_SYSTEMS = {
    "abstract": "says what matters, in its own words",
    "lead": "the first sentences of the text",
    "partial": "leaves much out and gets facts wrong",
    "repeat": "repeats itself and says next to nothing",
}
_GROUPS = {
    "content, compared with references": ("rouge1", "rouge2", "rougeL", "tesla-s", "bewte"),
    "content, compared with the source": ("simetrix",),
    "readability, from the summary alone": ("readability", "dicomer", "coherence-order"),
    "overall quality, compared with references": ("cremer",),
}
_PAIRS_BY = "rouge1"
_EXPLAINED = ("rouge1", "tesla-s")
_MOST_LINES = 9  # of an explanation
_COMMANDS = {
    "Score each summary of your file:": (
        "summeval score summaries.jsonl -m rouge1,rougeL,tesla-s -o scores.jsonl"
    ),
    "Or the output of systems in plain files, a line a text:": (
        "summeval score --hyp a.txt b.txt --ref gold.txt -m rouge1 -o systems.jsonl"
    ),
    "See which system is better, and which metric agrees with people, in a browser:": (
        "summeval report scores.jsonl -o report.html"
    ),
    "See the words behind the three worst scores:": (
        "summeval explain summaries.jsonl -m rouge1 --worst 3"
    ),
    "Read what a metric measures, and its options:": "summeval metrics tesla-s",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_workers(parser)
    add = parser.add_argument
    add(
        "-o",
        "--output",
        metavar="FOLDER",
        help="where to write the pages [a new folder among the temporary files]",
    )
    add("--no-pages", action="store_true", help="write no pages")


def run(arguments: argparse.Namespace) -> int:
    """Print the page. Returns the exit status."""
    workers = workers_of(arguments)
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    page = Page.for_output(encoding, shutil.get_terminal_size().columns)
    with as_file(files("summeval.cli") / "data" / "demo.jsonl") as path:
        lines = report(path, page, workers)
        put(line.encode(encoding, "replace").decode(encoding) for line in lines)
        if not arguments.no_pages:
            put(["", *_written(path, page, arguments.output, workers)])
    return 0


def report(path: Path, page: Page, workers: int = 1) -> list[str]:
    """The lines that the command prints."""
    with InputFile(str(path)) as file:
        (chunk,) = read_chunks(file, "jsonl")
    metrics, lacking = _score(chunk, workers)
    people = Scored("people", [float(row["human"]) for row in chunk.rows], digits=2)
    systems = [str(row["system"]) for row in chunk.rows]
    marks = people.means(systems, _SYSTEMS)
    means = {name: scored.means(systems, _SYSTEMS) for name, scored in metrics.items()}
    groups = {
        title: [means[name] for name in names if name in means] for title, names in _GROUPS.items()
    }
    return [
        *_heading(chunk, page),
        "",
        *page.table(list(_SYSTEMS), marks, groups),
        "",
        *page.legend(list(_SYSTEMS), marks, means.values()),
        *(line for why in lacking for line in page.wrapped(why, indent=2)),
        *_pairs(chunk, page, people, metrics),
        "",
        *_explained(chunk, page, metrics),
        "",
        *_how_to_go_on(path, page),
    ]


def _score(chunk: Chunk, workers: int) -> tuple[dict[str, Scored], list[str]]:
    """The scores of the metrics that can run here, and why the others cannot."""
    # The warnings are about fields that the page does not show.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", summeval.ScoreWarning)
        usable, lacking = _usable([name for names in _GROUPS.values() for name in names])
        table = summeval.suite(usable).score_batch(
            chunk.candidates, chunk.references, sources=chunk.sources, workers=workers
        )
    scores = {
        metric.name: Scored(
            metric.name, table[metric.name].tolist(), metric.directions[metric.primary]
        )
        for metric in usable
    }
    return scores, lacking


def _usable(names: list[str]) -> tuple[list[summeval.Metric], list[str]]:
    """The metrics that can run here, and a line for each reason why others cannot."""
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
    return usable, [f"Left out: {', '.join(names)}. {why}" for why, names in lacking.items()]


def _heading(chunk: Chunk, page: Page) -> list[str]:
    topics = {row["topic"] for row in chunk.rows}
    counts = sorted({len(references or ()) for references in chunk.references})
    width = max(map(len, _SYSTEMS))
    return [
        *page.wrapped(
            f"{len(chunk)} summaries: {len(_SYSTEMS)} systems, {len(topics)} texts,"
            f" {counts[0]} to {counts[-1]} references for each. The systems:"
        ),
        *(
            line
            for system, what in _SYSTEMS.items()
            for line in page.wrapped(f"  {system:{width}}  {what}", indent=width + 4)
        ),
        "",
        *page.wrapped("Mean scores, and people's marks from 1 to 5 (made up, as the texts are):"),
    ]


def _pairs(chunk: Chunk, page: Page, people: Scored, metrics: dict[str, Scored]) -> list[str]:
    """The best and the worst summary by one metric, each with its first reference."""
    by = metrics[_PAIRS_BY]
    content = next(iter(_GROUPS.values()))
    scores = [people, *(metrics[name] for name in content if name in metrics)]
    lines: list[str] = []
    for which, (place, *_) in (("Best", by.best()), ("Worst", by.worst())):
        row = chunk.rows[place]
        candidate, references = chunk.candidates[place], chunk.references[place]
        assert candidate is not None and references
        texts = {"candidate": candidate, "reference": references[0]}
        title = f"{which} summary by {_PAIRS_BY}: {row['topic']}, by the system {row['system']}"
        lines += ["", *page.pair(title, texts, scores, place)]
    return lines


def _explained(chunk: Chunk, page: Page, metrics: dict[str, Scored]) -> list[str]:
    """What is behind the scores of the worst summary."""
    place, *_ = metrics[_PAIRS_BY].worst()
    row = chunk.rows[place]
    candidate, references = chunk.candidates[place], chunk.references[place]
    assert candidate is not None and references
    lines = page.wrapped(
        f"What is behind the scores of {row['topic']} by the system {row['system']}: what each"
        " piece adds, and the words of the references that it matches (summeval explain)"
    )
    for name in _EXPLAINED:
        told = summeval.metric(name).explain(candidate, list(references)).to_text(colour=False)
        first, *rest = told.splitlines()
        more = [f"  and {len(rest) - _MOST_LINES} lines more"] * (len(rest) > _MOST_LINES)
        lines += [page.cut(f"  {line}") for line in (first, *rest[:_MOST_LINES], *more)]
    return lines


def _written(path: Path, page: Page, output: str | None, workers: int) -> list[str]:
    """Write the pages with the commands that a user would call, and tell where they are."""
    from summeval.cli.explain import command as explain
    from summeval.cli.report import command as report_
    from summeval.cli.score import command as score

    folder = Path(output or tempfile.mkdtemp(prefix="summeval-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    names = [name for names in _GROUPS.values() for name in names]
    usable = [metric.name for metric in _usable(names)[0]]
    scores = str(folder / "scores.jsonl")
    report_page, told = str(folder / "report.html"), str(folder / "explained.html")
    pages = {
        report_page: "which system is better, and which metric agrees with people",
        told: "the words behind each score",
    }
    quiet = ["--no-progress"]
    ended = (
        _called(score, [str(path), "-m", *usable, "--keep-text", "-o", scores, *quiet])
        or _called(report_, [scores, "--level", "summary", "-o", report_page])
        or _called(explain, [str(path), "-m", *_EXPLAINED, "-o", told, *quiet])
    )
    if ended:
        raise OSError(f"{folder}: a page could not be written")
    lines = page.wrapped("Pages of these summaries, to be opened in a browser:")
    told_of = ((f"  {name}", f"    {what}") for name, what in pages.items())
    return [*lines, *(line for both in told_of for line in both)]


def _called(command: Any, arguments: list[str]) -> int:
    """Run another command; returns its exit status."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return int(command.run(parser.parse_args(arguments)))


def _how_to_go_on(path: Path, page: Page) -> list[str]:
    return [
        *page.wrapped(
            "Go on with a file of your own. Each line is a JSON object with the keys candidate and"
            " references; for the report also the name of the system, and people's marks if there"
            " are any."
            " The bundled file is an example:"
        ),
        f"  {path}",
        *(
            line
            for what, command in _COMMANDS.items()
            for line in (*page.wrapped(what), f"  {command}")
        ),
    ]
