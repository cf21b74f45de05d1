"""`summeval demo`: scores the bundled summaries, explains some, and shows the next commands.

Score the summaries that come with summeval, which takes a few seconds. It prints one table with the
mean scores of four systems, the best and the worst summary, what explains the scores of the worst,
and commands to go on with your
own file. It writes two pages for a browser: the report on these scores, and the words behind each
of them. Metrics that need a package which is not installed are named and left out.

[ARGUMENTS]
--output: where to write the pages [a new folder among the temporary files]
--no-pages: write no pages

Exit status: 0 done, 1 bad data or files, 2 bad usage.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import textwrap
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import as_file, files
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, put
from summeval.io.formats import read_chunks
from summeval.io.rows import Chunk
from summeval.io.source import InputFile
from summeval.report.tables import table

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
_WIDEST, _NARROWEST = 100, 24
_NO_BREAK = "\xa0"
_COMMANDS = {
    "score summaries.jsonl -m rouge1,rougeL,tesla-s -o scores.jsonl": (
        "Score each summary of your file:"
    ),
    "score --hyp a.txt b.txt --ref gold.txt -m rouge1 -o systems.jsonl": (
        "Or the output of systems in plain files, a line a text:"
    ),
    "report scores.jsonl -o report.html": (
        "See which system is better, and which metric agrees with people, in a browser:"
    ),
    "explain summaries.jsonl -m rouge1 --worst 3": "See the words behind the three worst scores:",
    "metrics tesla-s": "Read what a metric measures, and its options:",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    flags.add(parser, "workers")
    flags.add(parser, "output", default=None, metavar="FOLDER")
    parser.add_argument("--no-pages", action="store_true")


def run(arguments: Namespace) -> None:
    """Print the page."""
    workers = flags.workers_of(arguments)
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    if (
        arguments.output
        and os.path.exists(arguments.output)
        and not os.path.isdir(arguments.output)
    ):
        raise UsageError(f"{arguments.output} is a file; name a folder with -o")
    page = Page.for_output(encoding, shutil.get_terminal_size().columns)
    with as_file(files("summeval.cli") / "data" / "demo.jsonl") as path:
        lines = report(path, page, workers)
        put(line.encode(encoding, "replace").decode(encoding) for line in lines)
        if not arguments.no_pages:
            put(["", *_written(path, page, arguments.output)])


class Scored(NamedTuple):
    """Values under one name: the scores of a metric, or the marks that people gave.

    `digits` says how many digits are shown after the point.
    """

    name: str
    values: Sequence[float]
    higher_is_better: bool = True
    digits: int = 3

    def best(self, worst: bool = False) -> list[int]:
        """Return the places of the best (or worst) value; several where it occurs more than once.

        >>> Scored("rouge1", [0.2, 0.7, 0.7]).best(), Scored("distance", [0.2, 0.7], False).best()
        ([1, 2], [0])
        """
        best = (max if self.higher_is_better != worst else min)(self.values)
        return [place for place, value in enumerate(self.values) if value == best]

    def means(self, labels: Sequence[str], order: Iterable[str]) -> Scored:
        """Return the mean for each label in `order`, over the values with this label.

        >>> Scored("rouge1", [0.25, 0.75, 1.0]).means(["a", "a", "b"], ["b", "a"]).values
        [1.0, 0.5]
        """
        parts: dict[str, list[float]] = {label: [] for label in order}
        for value, label in zip(self.values, labels, strict=True):
            parts[label].append(value)
        return self._replace(values=[sum(part) / len(part) for part in parts.values()])

    def shown(self, place: int) -> str:
        """Return a value as people read it.

        >>> Scored("rouge1", [0.25]).shown(0)
        '0.250'
        """
        return f"{self.values[place]:.{self.digits}f}"


class Page(NamedTuple):
    """How wide lines may be, the sign of what should fall, and the sign for text that is cut off.

    >>> Page.for_output("ascii", 500)
    Page(width=100, lower_is_better='v', more='...')
    """

    width: int = 80
    lower_is_better: str = "↓"
    more: str = "…"

    @classmethod
    def for_output(cls, encoding: str, width: int) -> Page:
        """Return the page for an output with this encoding; its width is kept between 24 and 100.

        >>> Page.for_output("latin-1", 0)
        Page(width=24, lower_is_better='v', more='...')
        """
        width = min(max(width, _NARROWEST), _WIDEST)
        try:
            "↓…".encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return cls(width, lower_is_better="v", more="...")
        return cls(width)

    def table(
        self, systems: Sequence[str], people: Scored, groups: Mapping[str, Sequence[Scored]]
    ) -> list[str]:
        """A column for each system, a line for people and for each metric, `*` behind the best.

        Where the output is narrower, the values stand on a line below their name. A group without
        metrics is left out.

        >>> rouge = Scored("rouge1", [0.25, 0.5])
        >>> for line in Page().table(["A", "B"], Scored("people", [2, 1]), {"content": [rouge]}):
        ...     print(line)
                      A       B
        people    2.000*  1.000
        <BLANKLINE>
        content
          rouge1  0.250   0.500*
        """
        rows = [people, *(scored for members in groups.values() for scored in members)]
        names = [people.name, *(f"  {self.label(scored)}" for scored in rows[1:])]
        cells = []
        for scored in rows:
            best = scored.best()
            places = range(len(scored.values))
            cells.append([scored.shown(n) + ("*" if n in best else " ") for n in places])
        header = ["", *(f"{system} " for system in systems)]
        named = [[name, *row] for name, row in zip(names, cells, strict=True)]
        first, *lines = table(header, named)
        blocks = [[line] for line in lines]
        if max(map(len, [first, *lines])) > self.width:
            first, *lines = table(header, [["", *row] for row in cells])
            blocks = [list(block) for block in zip(names, lines, strict=True)]
        left = iter(blocks)
        result = [first, *next(left)]
        for title, members in groups.items():
            if members:
                result += ["", title, *(line for _ in members for line in next(left))]
        return result

    def wrapped(self, text: str, indent: int = 0) -> list[str]:
        """Return a sentence on as many lines as it needs; those after the first are indented.

        >>> Page(24).wrapped("more than fits into one line", indent=2)
        ['more than fits into one', '  line']
        """
        how: Any = {"break_on_hyphens": False, "break_long_words": False}
        return textwrap.wrap(text, self.width, subsequent_indent=" " * indent, **how)

    def cut(self, line: str) -> str:
        """Return a line, or as much of it as fits.

        >>> Page(24).cut("  more than fits into one line")
        '  more than fits into…'
        """
        blank = line[: len(line) - len(line.lstrip())]
        return blank + textwrap.shorten(line, self.width - len(blank), placeholder=self.more)

    def label(self, scored: Scored) -> str:
        """Return the name of a metric, with the sign of those in which lower is better."""
        return scored.name if scored.higher_is_better else f"{scored.name} {self.lower_is_better}"


def report(path: Path, page: Page, workers: int = 1) -> list[str]:
    """Return the lines that the command prints."""
    with InputFile(str(path)) as file:
        (chunk,) = read_chunks(file, "jsonl")
    usable, missing = _usable()
    # about fields that the page does not show
    with warnings.catch_warnings(action="ignore", category=summeval.ScoreWarning):
        found = summeval.suite(usable).score_batch(
            chunk.candidates, chunk.references, sources=chunk.sources, workers=workers
        )
    metrics = {
        one.name: Scored(one.name, found[one.name].tolist(), one.directions[one.primary])
        for one in usable
    }
    people = Scored("people", [float(row["human"]) for row in chunk.rows], digits=2)
    labels = [str(row["system"]) for row in chunk.rows]
    marks = people.means(labels, _SYSTEMS)
    means = {name: scored.means(labels, _SYSTEMS) for name, scored in metrics.items()}
    groups = {
        title: [means[name] for name in names if name in means] for title, names in _GROUPS.items()
    }
    by = metrics[_PAIRS_BY]
    content = next(iter(_GROUPS.values()))
    scores = [people, *(metrics[name] for name in content if name in metrics)]
    best, worst = by.best()[0], by.best(worst=True)[0]
    return [
        *_heading(chunk, page),
        "",
        *page.table(list(_SYSTEMS), marks, groups),
        "",
        *_legend(page, marks, means.values()),
        *(line for why in missing for line in page.wrapped(why, indent=2)),
        "",
        *_pair("Best", chunk, best, scores, page),
        "",
        *_pair("Worst", chunk, worst, scores, page),
        "",
        *_explained(chunk, worst, page),
        "",
        *page.wrapped(
            "Go on with a file of your own. Each line is a JSON object with the keys candidate and"
            " references; for the report also the name of the system, and people's marks if there"
            " are any. The bundled file is an example:"
        ),
        f"  {path}",
        *(
            line
            for command, what in _COMMANDS.items()
            for line in (*page.wrapped(what), f"  summeval {command}")
        ),
    ]


def _usable() -> tuple[list[summeval.Metric], list[str]]:
    """Return the metrics that can run here, and a line for each reason why others cannot."""
    usable: list[summeval.Metric] = []
    missing: dict[str, list[str]] = {}
    with warnings.catch_warnings(action="ignore", category=summeval.ScoreWarning):
        for metric in map(summeval.metric, chain.from_iterable(_GROUPS.values())):
            try:
                metric.score("A cat.", "A cat.", source="A cat.")
                usable.append(metric)
            except ImportError as error:
                missing.setdefault(str(error), []).append(metric.name)
    return usable, [f"Left out: {', '.join(names)}. {why}" for why, names in missing.items()]


def _heading(chunk: Chunk, page: Page) -> list[str]:
    topics = {row["topic"] for row in chunk.rows}
    counts = sorted({len(references or ()) for references in chunk.references})
    width = max(map(len, _SYSTEMS))
    lines = page.wrapped(
        f"{len(chunk)} summaries: {len(_SYSTEMS)} systems, {len(topics)} texts,"
        f" {counts[0]} to {counts[-1]} references for each. The systems:"
    )
    for system, what in _SYSTEMS.items():
        lines += page.wrapped(f"  {system:{width}}  {what}", indent=width + 4)
    marks = "Mean scores, and people's marks from 1 to 5 (made up, as the texts are):"
    return [*lines, "", *page.wrapped(marks)]


def _legend(page: Page, people: Scored, metrics: Iterable[Scored]) -> list[str]:
    """Return what the signs mean, and the metrics that put another system first than people do."""

    def first(scored: Scored) -> str:
        return ", ".join(list(_SYSTEMS)[place] for place in scored.best())

    lines = page.wrapped(f"* best of its line   {page.lower_is_better} lower is better")
    others = [f"{one.name} ({first(one)})" for one in metrics if one.best() != people.best()]
    if others:
        message = f"People put {first(people)} first, these metrics another system:"
        lines += page.wrapped(f"{message} {', '.join(others)}.")
    return lines


def _pair(which: str, chunk: Chunk, place: int, scores: Iterable[Scored], page: Page) -> list[str]:
    """Return a summary: its scores, and it and its first reference, each cut to one line."""
    entries = (f"{page.label(scored)} {scored.shown(place)}" for scored in scores)
    # A name stays on one line with its score.
    line = "  " + ", ".join(one.replace(" ", _NO_BREAK) for one in entries)
    topic, system = (chunk.rows[place][key] for key in ("topic", "system"))
    lines = page.wrapped(f"{which} summary by {_PAIRS_BY}: {topic}, by the system {system}")
    lines += (part.replace(_NO_BREAK, " ") for part in page.wrapped(line, indent=2))
    candidate, references = chunk.candidates[place] or "", chunk.references[place] or ("",)
    for what, text in (("candidate", candidate), ("reference", references[0])):
        room = page.width - len(what) - 4
        shown = textwrap.shorten(text, room, placeholder=page.more, break_on_hyphens=False)
        lines.append(f"  {what}  {shown}")
    return lines


def _explained(chunk: Chunk, place: int, page: Page) -> list[str]:
    """Return what is behind the scores of a summary."""
    topic, system = (chunk.rows[place][key] for key in ("topic", "system"))
    lines = page.wrapped(
        f"What is behind the scores of {topic} by the system {system}: what each piece adds, and"
        " the words of the references that it matches (summeval explain)"
    )
    for name in _EXPLAINED:
        found = summeval.metric(name).explain(chunk.candidates[place], chunk.references[place])
        first, *rest = found.to_text(colour=False).splitlines()
        more = [f"  and {len(rest) - _MOST_LINES} lines more"] * (len(rest) > _MOST_LINES)
        lines += [page.cut(f"  {line}") for line in (first, *rest[:_MOST_LINES], *more)]
    return lines


def _written(path: Path, page: Page, output: str | None) -> list[str]:
    """Write the pages with the commands that a user would call, and tell where they are."""
    from summeval.cli import explain, report
    from summeval.cli.score import command as score

    folder = Path(output or tempfile.mkdtemp(prefix="summeval-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    usable = [metric.name for metric in _usable()[0]]
    scores, *pages = (str(folder / n) for n in ("scores.jsonl", "report.html", "explained.html"))
    calls: list[tuple[Any, list[str]]] = [
        (score, [str(path), "-m", *usable, "--keep-text", "-o", scores, "--no-progress"]),
        (report, [scores, "--level", "summary", "-o", pages[0]]),
        (explain, [str(path), "-m", *_EXPLAINED, "-o", pages[1], "--no-progress"]),
    ]
    for command, arguments in calls:
        parser = ArgumentParser()
        command.add_arguments(parser)
        if command.run(parser.parse_args(arguments)):
            raise OSError(f"{folder}: a page could not be written")
    return [
        *page.wrapped("Pages of these summaries, to be opened in a browser:"),
        f"  {pages[0]}",
        "    which system is better, and which metric agrees with people",
        f"  {pages[1]}",
        "    the words behind each score",
    ]
