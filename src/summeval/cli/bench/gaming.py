"""`summeval bench gaming`: how easily metrics and rewards are gamed.

Put honest summaries beside degenerate twins made by rule from a seed, and print, for each metric
and preset of rewards, the share of pairs in which the honest one has the higher score. A tie is no
win. Where a topic has two references or more, the first stands in as a person's summary, with the
others as its references.

ROWS holds summaries with references, a source or both; without ROWS the bundled summaries are
used. A metric or preset is left out for the rows that lack what it sees.
{COLUMNS}

[ARGUMENTS]
--limit: only the first N topics
--push: search instead [20]
--climb: search instead from broken texts [200]

Attacks: a sentence three times; a phrase that loops; sentences of the source added; the
references' words in a bag; words shuffled; the first half; no text; the whole source; words to a
judge; another topic's summary; odd characters; 50 times the text; and 18 further ones, from
keywords after a first sentence to empty talk. Copying the first, middle or last sentences of the
source, or the summary's in reverse, is judged apart, for it may be as good.
--push shows instead how far a seeded search drives each score: rounds of the best of 256 edits.
--climb shows how often a search reaches the score of an honest summary: steps of the best of 24
edits, from random words of the source, from the best of 24 mosaics of it, and from its clauses.
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval bench gaming rows.jsonl -m rouge1,rougeL --presets content,overall -o gaming
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from importlib.resources import as_file, files
from typing import Any

from summeval.cli.shared import flags
from summeval.cli.shared.choice import usual
from summeval.cli.shared.errors import UsageError, as_usage, put, say, write_file
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import add_rows, read_study
from summeval.interop.shaping.presets import PRESETS
from summeval.io import DataError
from summeval.study import gaming
from summeval.study.attacks import APART
from summeval.study.climbing import study_climbs
from summeval.study.further_attacks import PLACES
from summeval.study.result import Study

_APART = (gaming.MEAN, gaming.MEAN_FURTHER, *APART, *PLACES)
DEFAULT = ("rouge1", "rougeL", "tesla-e", "support")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_rows(parser, nargs="?")
    listed = ",".join(DEFAULT)
    flags.add(parser, "metrics", help=f"metrics; METRIC.FIELD names a field [{listed}]")
    flags.add_names(
        parser, "--presets", metavar="NAME", help=f"presets of rewards [{','.join(PRESETS)}]"
    )
    add = parser.add_argument
    add("--limit", type=int, metavar="N")
    add("--push", type=int, metavar="ROUNDS", nargs="?", const=20)
    add("--climb", type=int, metavar="STEPS", nargs="?", const=200)
    flags.derive(parser, gaming.study_gaming, "resamples", "confidence", "seed")
    add_output(parser, figures=False)


def run(arguments: Namespace) -> None:
    """Measure and print."""
    check_folder_of(arguments)
    chosen = flags.parameters(arguments, resamples=2)
    flags.check_least(arguments, limit=1, push=1, climb=1)
    if arguments.push is not None and arguments.climb is not None:
        raise UsageError("--push and --climb cannot be combined; give one of them")
    named = flags.names_of("--metrics", arguments.metrics, "metric", blanks=True)
    metrics = usual(named) or list(DEFAULT)
    presets = flags.names_of("--presets", arguments.presets, "preset", blanks=True) or list(PRESETS)
    scorers, signatures = scorers_of(metrics, presets)
    name, summaries = summaries_of(arguments)
    known = []
    for scorer in scorers:
        if any(all(getattr(one.case, what) for what in scorer.sees) for one in summaries):
            known.append(scorer)
        else:
            missing = " and ".join(scorer.sees)
            say(f"{name}: {scorer.name} is left out, for no row has its {missing}")
    if not known:
        raise DataError(name, "no row has what the metrics see", "add references or a source")
    common = {**chosen, "signatures": {s.name: signatures[s.name] for s in known}}
    found = _study(arguments, name, summaries, known, common)
    show_study(arguments, found)
    if arguments.climb is not None:
        _put_worst(arguments, found)
    elif arguments.push is not None:
        if arguments.format == "table":
            first = {str(row["scorer"]): row["pushed"] for row in reversed(found.tables[1].rows)}
            for scorer_name, pushed in reversed(first.items()):
                put(["", f"{scorer_name}: {pushed}"])
    elif arguments.output is not None:
        path = os.path.join(arguments.output, "gaming.svg")
        write_file(path, _picture(found.tables[1].rows).encode())


def _study(
    arguments: Namespace,
    name: str,
    summaries: Sequence[gaming.Honest],
    scorers: Sequence[gaming.Scorer],
    common: dict[str, Any],
) -> Study:
    """Compare the summaries with their twins, or search for texts that win."""
    from summeval._progress import Progress

    searches = arguments.push is not None or arguments.climb is not None
    if arguments.push is not None:
        summaries = [one for one in summaries if one.case.source and one.case.references]
        if not summaries:
            raise DataError(name, "no row has references and a source", "--push needs both")
    with Progress(None if searches else len(summaries)) as progress:
        common["update"] = lambda done: progress.update(done, 1)
        if not searches:
            return gaming.study_gaming(summaries, scorers, **common)
        del common["resamples"], common["confidence"]
        if arguments.climb is not None:
            return study_climbs(summaries, scorers, arguments.climb, usual=usual_beside, **common)
        return gaming.study_push(summaries, scorers, arguments.push, **common)


def usual_beside(honest: gaming.Honest) -> Callable[[str], float]:
    """Return how unusual the runs of words of a text are, for searches from clauses."""
    from summeval.interop.shaping.guards import ground_of

    ground = ground_of((), honest.case.source or honest.case.references)
    return lambda text: ground.seams(text)[0]


def _put_worst(arguments: Namespace, found: Study) -> None:
    """Print of each score and start the text that got furthest."""
    if arguments.format != "table" or len(found.tables) < 2:
        return
    worst = {(str(row["scorer"]), str(row["start"])): row for row in reversed(found.tables[1].rows)}
    for (scorer, start), row in reversed(worst.items()):
        put(["", f"{scorer} from {start}, {row['score']:.2f}: {row['text']}"])


def _picture(pairs: Sequence[dict[str, Any]]) -> str:
    """Return the heat map of the rows of the table `pairs`."""
    from summeval.report.figures import heat_map

    attacks = list(dict.fromkeys(row["attack"] for row in pairs))
    known = [row for row in pairs if row["share"] is not None]
    return heat_map(
        "Share of pairs that the honest summary wins",
        attacks,
        list(dict.fromkeys(row["scorer"] for row in pairs)),
        {(row["attack"], row["scorer"]): row["share"] for row in known},
        apart=[name for name in attacks if name in _APART],
    )


def scorers_of(
    metrics: Sequence[str], presets: Sequence[str]
) -> tuple[list[gaming.Scorer], dict[str, str]]:
    """Scorers of metrics and presets, and the signature of each by its name."""
    from summeval.interop.reward import Rewards

    with as_usage((TypeError, ValueError)):
        made = [
            *(Rewards(name, on_error="skip") for name in metrics),
            *(Rewards.preset(name, on_error="skip") for name in presets),
        ]

    def scorer(rewards: Rewards) -> gaming.Scorer:
        def score(
            texts: list[str], references: list[list[str]], sources: list[list[str]]
        ) -> list[float | None]:
            given = sources if "source" in rewards.reads else None
            return rewards(texts, references if "references" in rewards.uses else None, given)

        return gaming.Scorer(rewards.name, rewards.reads, score)

    signatures = {one.name: "; ".join(map(str, one.signature.values())) for one in made}
    return [scorer(one) for one in made], signatures


def summaries_of(arguments: Namespace) -> tuple[str, list[gaming.Honest]]:
    """Return the honest summaries of the rows, and the name of their file."""
    if arguments.input is None:
        with as_file(files("summeval.cli") / "data" / "demo.jsonl") as path:
            arguments.input = str(path)
            return "the bundled summaries", summaries_of(arguments)[1]
    rows = read_study(arguments, wants=("references", "source"))
    topics = rows.names(arguments.topic, "topic")
    systems = rows.names(arguments.system, "system")
    kept = list(dict.fromkeys(topics))[: arguments.limit]
    none: list[list[str] | None] = [None] * len(topics)
    texts = rows.candidates, rows.references or none, rows.sources or none
    columns = zip(topics, systems, *texts, strict=True)
    found = gaming.honest_summaries([row for row in columns if row[0] in set(kept)])
    if not found:
        raise DataError(rows.name, "holds no summary of five words", "give longer summaries")
    return str(arguments.input), found
