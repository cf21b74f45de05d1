r"""`summeval check-judge`: measure how a language model fails as judge, on your own summaries.

Ask the judge again, after harmless changes, for equal texts, in the other order and beside broken
copies, and print how often it is misled. Answers are kept: a second run asks nothing.

ROWS holds summaries with references, a source or both, and the names of their system and topic;
without ROWS the bundled summaries are used. The first of several references of a topic is judged
too, as a person's summary beside the others.
{COLUMNS}

[ARGUMENTS]
--judge: the judge: judge, or judge-RUBRIC [judge]
--option: an option of the judge, as for summeval score
--limit: only the first N topics [10]
--pairs: pairs of summaries that are compared in both orders [100]
--seed: of the pairs and the broken copies [0]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval check-judge rows.jsonl --option judge.url=http://localhost:8000/v1 \
      --option judge.model=qwen3-8b
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from summeval.cli.bench.gaming import summaries_of
from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose
from summeval.cli.shared.errors import UsageError, refusals
from summeval.cli.shared.results import add_output, check_folder_of, show_study
from summeval.cli.shared.rows import add_rows
from summeval.io import DataError
from summeval.metrics.judge.metric import Judge
from summeval.study.judge import study_judge


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_rows(parser, nargs="?")
    parser.add_argument("--judge", default="judge", metavar="NAME")
    flags.add(parser, "option")
    parser.add_argument("--limit", type=int, default=10, metavar="N")
    parser.add_argument("--pairs", type=int, default=100, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    add_output(parser, figures=False)


def run(arguments: Namespace) -> None:
    """Ask, and print."""
    check_folder_of(arguments)
    flags.check_least(arguments, limit=1, pairs=1)
    (judge,) = choose([arguments.judge], arguments.option).metrics
    if not isinstance(judge, Judge):
        raise UsageError(f"--judge {arguments.judge} is no judge; give judge or judge-RUBRIC")
    name, summaries = summaries_of(arguments)
    needed = {judge.compared_with, "source"} - {"nothing"}
    whole = [one for one in summaries if all(getattr(one.case, what) for what in needed)]
    if not whole:
        missing = " and ".join(sorted(needed))
        raise DataError(name, f"no row has its {missing}", "a judge and its comparisons need these")
    with refusals(name):
        preference = judge.with_rubric("preference")
        found = study_judge(judge, preference, whole, pairs=arguments.pairs, seed=arguments.seed)
    show_study(arguments, found)
