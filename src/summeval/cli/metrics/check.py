"""`summeval check`: run the contract of metrics on some.

Run on metrics, most of all on your own, the contract that summeval's metrics keep, and print a line
for each check. Your own metrics are those of installed packages (entry points of the group
summeval.metrics); --import runs a module first, which may register more.

[ARGUMENTS]
--option: an option of a metric or a family, as for summeval score
NAMES: metrics, or presets
--import: module that registers metrics

Exit status: 0 all checks hold, 1 one failed, 2 bad usage.
Examples:
  summeval check type-token
  summeval check mine --import my_metrics --option mine.weight=2
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.choice import choose, imported, usual
from summeval.cli.shared.errors import BAD_DATA, put
from summeval.metrics.own.contract import CHECKS, Checked, check
from summeval.metrics.registry import own_of


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("names", nargs="+", metavar="NAMES")
    flags.add(parser, "option")
    parser.add_argument("--import", dest="module", metavar="MODULE")


def run(arguments: Namespace) -> int:
    """Check the metrics. Returns the exit status."""
    if arguments.module is not None:
        imported("--import", arguments.module)
    names = usual(flags.names_of("NAMES", arguments.names, "metric", blanks=True))
    failed = False
    for name in names:
        found = _checked(name, [one for one in arguments.option if _concerns(one, name)])
        failed |= any(one.result == "failed" for one in found)
        put(_lines(name, found))
    return BAD_DATA if failed else 0


def _concerns(option: str, name: str) -> bool:
    """Return whether an option is one of this metric: any that names another is not."""
    target = option.partition("=")[0].rpartition(".")[0]
    return target == name or (name.startswith(target) and own_of(name) is None)


def _checked(name: str, options: list[str]) -> list[Checked]:
    try:
        own = own_of(name)
    except ValueError:
        own = None
    if own is not None:
        try:
            own.load()
        except (ValueError, TypeError) as error:
            return [Checked("load", "failed", str(error))]

    def make() -> summeval.Metric:
        (metric,) = choose([name], options).metrics
        assert isinstance(metric, summeval.Metric)
        return metric

    with warnings.catch_warnings(action="ignore", category=summeval.ScoreWarning):
        make()  # of an unknown name or option, an error of usage
        try:
            return check(make)
        except ImportError as error:  # of an extra
            return [Checked("load", "skipped", str(error))]


def _lines(name: str, found: list[Checked]) -> list[str]:
    wide = max(map(len, CHECKS))
    count = sum(one.result == "failed" for one in found)
    end = f"{count} of {len(found)} checks failed" if count else "all checks hold"
    end = "not checked" if found[0] == found[-1] and found[0].result == "skipped" else end
    lines = [f"{one.result:7}  {one.name:{wide}}  {one.said}" for one in found]
    return [f"{name}", *(f"  {line}" for line in lines), f"  {end}"]
