"""The `summeval` command: its subcommands, errors and exit status.

# summeval study

Repeat the experiments of a paper on your own rows: tables, figures, signatures.

[ARGUMENTS]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval study aesop --help

# summeval train

Train a metric on rows with human scores, and write its model.

[ARGUMENTS]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval train dicomer --help

# summeval read

Turn the files of a campaign or of a set of human judgements, as published, into rows.

[ARGUMENTS]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval read tac --help

# summeval bench

Measure what the package has: its solvers, and how easily its metrics are gamed.

[ARGUMENTS]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval bench solvers --help
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn

import summeval
from summeval._options import nearest
from summeval.cli.shared import errors
from summeval.cli.shared.errors import UsageError, put

DESCRIPTION = "Score summaries, and measure how far the scores can be trusted."

SETS = (  # of human judgements, that `read` knows
    *("summeval", "realsumm", "pyrxsum", "newsroom", "dialsummeval", "opinsummeval", "squality"),
    *("qags", "frank", "aggrefact", "rank19", "polytope", "rose"),
)
_COMMANDS = {  # and the line of help of each
    "score": "score the rows of a file",
    "explain": "show what the scores of rows come from",
    "rank": "rank systems, and test which of them differ",
    "report": "write an HTML report on systems, metrics and human judgements",
    "cite": "print what a paper needs about metrics: BibTeX, a sentence, signatures",
    "recommend": "look at data, and say which metrics fit",
    "which": "find the program and options that print a given number",
    "join": "put files of scores together",
    "metrics": "list the metrics, or explain some",
    "correlate": "correlate metrics with human judgements",
    "compare": "test which metric agrees better with people",
    "agreement": "measure how far judges agree with each other",
    "qarla": "find the metrics that separate people from systems",
    "annotate": "parse the texts of a file once, for later runs",
    "pyramid": "score annotated summaries by Pyramids",
    "study": "repeat an experiment of a paper on your own data",
    "study extracts": "rankers of utterances beside people (Galley 2006)",
    "study inputs": "summaries judged by their input alone, beside ROUGE",
    "study metrics": "metrics beside people on sets of judgements, with r1s and length",
    "study qarla": "KING, JACK and QUEEN of sets of metrics, and people (QARLA 2005)",
    "study aesop": "how well metrics rank systems and people as people do",
    "study ablation": "what the parts of DICOMER and CREMER add",
    "study transformations": "what each transformation of BEwT-E adds (Tratz and Hovy 2008)",
    "train": "train a metric on human scores",
    "train readability": "how well a text reads, from its surface and relations",
    "train dicomer": "how well a text reads, from its discourse roles",
    "train cremer": "overall quality, from TESLA-S and DICOMER",
    "train combination": "a score from any metrics, cross-validated",
    "train extracts": "the importance of utterances, from people's extracts",
    "read": "turn files of a campaign or of a set of judgements into rows",
    "read tac": "folders of TAC 2008-2011 and DUC 2005-2007",
    **dict.fromkeys((f"read {name}" for name in SETS), "a public set of human judgements"),
    "background": "count the words of a corpus for SIMetrix",
    "check": "run the contract of metrics on your own",
    "check-judge": "measure how a language model fails as judge",
    "serve": "answer requests for scores, rewards and explanations over HTTP",
    "demo": "score the bundled summaries, and show how to go on",
    "completion": "print what completes commands and options in a shell",
    "man": "print the manual page",
    "bench": "time the solvers; game the metrics and rewards",
    "bench solvers": "time the solvers and check every answer",
    "bench gaming": "honest summaries beside degenerate twins, by metric and reward",
}
# The modules of commands that are not called so; after a colon, one of the commands of a module.
_HOMES = {
    "score": "score.command",
    "join": "score.join",
    **{name: f"metrics.{name}" for name in ("check", "cite", "recommend", "which")},
    "metrics": "metrics.listing",
    "check-judge": "check_judge",
    "completion": "shell.completion",
    "man": "shell.manual",
    "compare": "correlate:compare",
    "qarla": "study.qarla",
    "study extracts": "study.extracts:study",
    "study inputs": "study.metrics:inputs",
    "study metrics": "study.sets",
    "study qarla": "study.qarla:study",
    "study transformations": "study.metrics:transformations",
    "train readability": "train:discourse",
    "train dicomer": "train:discourse",
    "train cremer": "train:discourse",
    "train combination": "train:combination",
    "train extracts": "study.extracts:train",
    "read tac": "read",
    **dict.fromkeys((f"read {name}" for name in SETS), "read_set"),
}
# Where the command is held, and of the commands that have commands the chosen one.
_HELD = {"": "command", "study": "study", "train": "metric", "read": "layout", "bench": "what"}
_PACKAGE = os.path.dirname(os.path.abspath(summeval.__file__))


class _Parser(argparse.ArgumentParser):
    """A parser with one-line errors, also for errors while printing help or the version."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            near = nearest(str(value), map(str, action.choices))
            known = f"; did you mean {near[0]}?" if near else ""
            known = known or f" (choose from {', '.join(map(str, action.choices))})"
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}{known}")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, except for a file after an option that takes several names.

        In `correlate --human a b scores.jsonl` argparse gives the file to --human too, and reports
        it as missing. An existing file is preferred to a name that only ends like a file name; so
        the error then names the file. What is not known is an error, with advice.
        """
        try:
            known, rest = super().parse_known_args(args, namespace)
        except UsageError:
            for place in sorted(_files(args or ()), key=lambda place: not _is_there(args[place])):
                moved = [args[place], *args[:place], *args[place + 1 :]]
                with suppress(UsageError):
                    known, rest = super().parse_known_args(moved, namespace)
                    break
            else:
                raise
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}{self._advice(known, rest[0])}")
        return known, rest

    def _advice(self, known: argparse.Namespace, first: str) -> str:
        """Return what to do about arguments that a command does not take, if that is known."""
        if first.startswith("--"):
            options = {name.lstrip("-"): name for name in self._option_string_actions}
            near = nearest(first.partition("=")[0].lstrip("-"), options)
            return f"; did you mean {options[near[0]]}?" if near else ""
        if not self.prog.endswith(" score") or first.startswith("-"):
            return ""
        from summeval.io.formats import format_of

        if format_of(first):
            hint = "score each, or pass a folder of .parquet"
            return f"; one file of rows is scored at a time: {hint}"
        return f"; for plain files write --hyp {known.input} --ref {first}"

    def _print_message(self, message: str, file: object = None) -> None:
        # argparse itself is silent if standard output cannot be written.
        put(message.splitlines())


def _files(arguments: Sequence[str]) -> list[int]:
    """Return the positions of files, or `-`, that can be the last of an option's names.

    >>> _files(["-m", "rouge1", "rows.jsonl", "-o", "out.txt"]), _files(["-m", "rouge1", "-"])
    ([2], [2])
    """
    from summeval.io.formats import format_of

    ends = [following.startswith("-") for following in (*arguments[1:], "-o")]
    return [
        place
        for place, text in enumerate(arguments)
        if place and ends[place] and (_is_there(text) or format_of(text))
    ]


def _is_there(text: str) -> bool:
    return text == "-" or os.path.exists(text)


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """Build the parser of a command line: all commands, with the arguments of those named in it.

    Parsers contain reference cycles that only the garbage collector frees, so building all of them
    would cost memory.
    """
    plain = _formatter(argparse.HelpFormatter, given)
    top = _Parser("summeval", description=DESCRIPTION, allow_abbrev=False, formatter_class=plain)
    top.add_argument("--version", action="version", version=f"summeval {summeval.__version__}")
    _add_commands(top, "", given)
    return top


def _formatter(kind: type[argparse.HelpFormatter], given: Sequence[str]) -> Any:
    # Only help is as wide as the terminal; to ask how wide that is takes longer than all else here.
    return partial(kind, width=None if _asks_for_help(given) else 80)


def _asks_for_help(given: Sequence[str]) -> bool:
    return "-h" in given or "--help" in given


def _add_commands(parser: argparse.ArgumentParser, group: str, given: Sequence[str]) -> None:
    """Add the commands of a group, or of none; those of the command line with their arguments."""
    plain = _formatter(argparse.HelpFormatter, given)
    raw = _formatter(argparse.RawDescriptionHelpFormatter, given)
    held = _HELD[group]
    commands = parser.add_subparsers(
        metavar=held.upper(), required=True, dest=held, prog=parser.prog
    )
    for words, help_line in _COMMANDS.items():
        before, _, name = words.rpartition(" ")
        if before != group:
            continue
        if name not in given:
            commands.add_parser(name, help=help_line, formatter_class=plain)
            continue
        sub = commands.add_parser(name, help=help_line, formatter_class=raw, allow_abbrev=False)
        documentation, more = __doc__ or "", ""
        if words in _HELD:
            _add_commands(sub, words, given)
        else:
            home, _, one = _HOMES.get(words, words.replace(" ", ".")).partition(":")
            command = importlib.import_module(f"summeval.cli.{home}")
            getattr(command, f"add_{one or 'arguments'}")(sub)
            sub.add_argument("--debug", action="store_true", help="print the traceback of an error")
            sub.set_defaults(run=getattr(command, f"run_{one}" if one else "run"))
            documentation, more = command.__doc__ or "", getattr(command, "HELP_END", "")
        if _asks_for_help(given):
            from summeval.cli.shared.flags import describe

            describe(sub, documentation, words)
            sub.epilog = (sub.epilog or "") + more


def _show_as_lines(has_tokenizer: bool) -> None:
    """Print the package's own warnings in the style of the command, without a code location."""
    form = "--{} " if has_tokenizer else "--option METRIC.{}="
    plain = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], file: str, *place: Any) -> None:
        is_ours = os.path.abspath(file).startswith(os.path.join(_PACKAGE, ""))
        if issubclass(category, summeval.ScoreWarning) or is_ours:
            line = " ".join(str(message).split())
            for name in ("language", "tokenizer"):
                line = re.sub(rf'\b(pass )?{name}="(\w+)"', rf"\1{form.format(name)}\2", line)
            line = line.replace("pass --", "add --")
            errors.say(f"warning: {line}")
        else:
            plain(message, category, file, *place)

    warnings.showwarning = show  # type: ignore[assignment]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status.

    Raises `SystemExit` only if argparse prints help or the version.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    parsed = None
    try:
        with errors.obeying_sigterm(), warnings.catch_warnings():
            parsed = parser(given).parse_args(given)
            _show_as_lines(hasattr(parsed, "tokenizer"))
            status: int = parsed.run(parsed) or 0
            if sys.stdout is not None:
                sys.stdout.flush()
            return status
    except (Exception, KeyboardInterrupt) as error:
        return errors.report(
            error, debug, skips=hasattr(parsed, "on_error"), command=" ".join(_named(given))
        )


def _named(given: Sequence[str]) -> list[str]:
    """Return the command at the start of a command line: `["train", "dicomer"]`.

    >>> _named(["correlate", "--human"]), _named(["--human"])
    (['correlate'], [])
    """
    names: list[str] = []
    for name in given:
        if " ".join([*names, name]) not in _COMMANDS:
            break
        names.append(name)
    return names


if __name__ == "__main__":
    sys.exit(main())
