"""The command rouge155: takes the arguments of ROUGE-1.5.5.pl and prints the same output."""

from __future__ import annotations

import errno
import functools
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from summeval import __version__
from summeval._core.overlap import rouge as kernel
from summeval._core.text.analyzer import Analyzer
from summeval.cli.rouge155 import files
from summeval.cli.rouge155.files import Evaluation, SettingsError
from summeval.cli.rouge155.help import HELP, USAGE, install_home
from summeval.metrics.elements import be_counts
from summeval.metrics.rouge import measures as measuring
from summeval.metrics.rouge.measures import ScriptMeasure, Totals, score
from summeval.metrics.run.text_options import TextOptions
from summeval.text import stopwords

# One peer in one evaluation: for each model and measure hits, reference, candidate, base.
Counts: TypeAlias = list[list[Any]]

# The exit status of a Perl program that dies.
DIED = 255

_VALUED = "bceflnprtwz23"
_FLAGS = "adhHmsuUvx"
_LARGEST = 2**31 - 1  # the kernel's limit
# Of each option with a number its type, default, least and greatest value, and what to give.
_NUMBERS: dict[str, tuple[Callable[[str], float], float, float, float, str]] = {
    "n": (int, 0, 0, 100, "a whole number from 0 to 100"),
    "w": (float, 1.0, math.ulp(0.0), sys.float_info.max, "a number above 0"),
    "2": (int, 0, -math.inf, _LARGEST, f"a whole number up to {_LARGEST}"),
    "l": (int, 0, 0, _LARGEST, f"a whole number from 0 to {_LARGEST}"),
    "b": (int, 0, 0, _LARGEST, f"a whole number from 0 to {_LARGEST}"),
    "p": (float, 0.5, 0, 1, "a number from 0 to 1"),
    "t": (int, 0, 0, 2, "0, 1 or 2"),
    "r": (int, 1000, 1, 10_000_000, "a whole number from 1 to 10000000"),
    "c": (float, 95.0, 0, 100, "a number from 0 to 100"),
}


class UsageError(Exception):
    """Invalid arguments; the message says which and why."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status: 0, 2 for wrong usage, else that of Perl's die."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        write(run(arguments))
        return 0
    except UsageError as error:
        complain(f"{error}\n{USAGE.rstrip()}")
        return 2
    except SettingsError as error:
        complain(str(error))
        return DIED
    except BrokenPipeError:
        # The reader closed the pipe; Python must not flush its buffers at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIED
    except OSError as error:
        reason = error.strerror or str(error)
        complain(f"{error.filename}: {reason}" if error.filename else reason)
        return error.errno or DIED
    except KeyboardInterrupt:
        return 130


def complain(message: str) -> None:
    """Write a message to standard error."""
    print(f"rouge155: {message}", file=sys.stderr)


def write(text: str) -> None:
    """Write to standard output, with the bytes of names and newlines unchanged."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")
    try:
        sys.stdout.buffer.write(os.fsencode(text))
        sys.stdout.buffer.flush()
    except OSError as error:
        error.filename = "standard output"
        raise


def run(arguments: Sequence[str]) -> str:
    """Carry out the arguments; return what is printed."""
    first = arguments[0] if arguments else ""
    if first == "--install-home":
        if len(arguments) != 2:
            raise UsageError("--install-home needs one folder")
        return f"{install_home(arguments[1])}\n"
    if first == "--version":
        return f"rouge155 (summeval {__version__})\n"
    given, operands = ({"h": ""}, []) if first == "--help" else split_arguments(arguments)
    if "h" in given or "H" in given:
        return HELP
    options = Options(given, operands)
    if options.list_format:
        evaluations = files.read_list(options.settings, options.list_format, options.system)
    else:
        evaluations = files.read_settings(options.settings)
    systems = [options.system]
    if options.all_systems:
        systems = sorted({peer for one in evaluations for peer in one.peers}, key=os.fsencode)
    results = evaluate(options, evaluations, systems)
    return "".join(f"{line}\n" for each in results.items() for line in report(options, *each))


# Arguments


class Options:
    """The arguments of one run, checked; UsageError names the first error."""

    def __init__(self, given: dict[str, str], operands: Sequence[str]) -> None:
        if not operands:
            raise UsageError("no settings file; pass one")
        if "l" in given and "b" in given:
            raise UsageError("-l and -b cannot be combined: limit words or bytes")
        self.list_format = _choice(given, "z", files.FORMATS)
        self.all_systems = "a" in given and not self.list_format
        if len(operands) < 2 and not self.all_systems and not self.list_format:
            raise UsageError("no system: name one after the settings file, or give -a for all")
        _number(given, "c")
        self.settings = operands[0]
        self.system = operands[1] if len(operands) > 1 else "X"
        self.measures = tuple(_measures(given))
        self.elements_mode = _choice(given, "3", be_counts.MODES)
        self.stems = "m" in given
        self.drops_stopwords = "s" in given
        self.max_words: int = _number(given, "l")
        self.max_bytes: int = _number(given, "b")
        self.takes_best = given.get("f") == "B"
        self.alpha: float = _number(given, "p")
        self.totals: int = _number(given, "t")
        self.resamples: int = _number(given, "r")
        self.confidence = given.get("c", "95")  # as it is printed
        self.prints_evaluations = "d" in given


def split_arguments(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Separate options from operands like Perl's getopts.

    Letters may share a dash. A value is the rest of the argument or the next argument, whatever it
    looks like. The first argument that is not an option ends the options.

    >>> split_arguments(["-mn4", "-2", "-1", "settings.xml", "-a"])
    ({'m': '', 'n': '4', '2': '-1'}, ['settings.xml', '-a'])
    """
    options: dict[str, str] = {}
    rest = list(arguments)
    while rest and len(rest[0]) > 1 and rest[0].startswith("-"):
        argument = rest.pop(0)
        if argument == "--":
            break
        letter, tail = argument[1], argument[2:]
        if letter in _VALUED:
            if not tail and not rest:
                raise UsageError(f"-{letter} needs a value")
            options[letter] = tail or rest.pop(0)
        elif letter in _FLAGS:
            options[letter] = ""
            if tail:
                rest.insert(0, "-" + tail)
        else:
            raise UsageError(f"unknown option -{letter}")
    return options, rest


def _number(given: dict[str, str], letter: str) -> Any:
    """Return the value of an option with a number."""
    kind, default, least, most, wanted = _NUMBERS[letter]
    if letter not in given:
        return default
    try:
        value = kind(given[letter])
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise UsageError(f"-{letter} must be {wanted}, not {given[letter]!r}")
    return value


def _choice(given: dict[str, str], letter: str, choices: Sequence[str]) -> str:
    """Return the value of an option with a name, in capitals; empty if it is not given."""
    value = given.get(letter, "").upper()
    if letter in given and value not in choices:
        raise UsageError(f"-{letter} must be one of {', '.join(choices)}, not {given[letter]!r}")
    return value


def _measures(given: dict[str, str]) -> Iterator[ScriptMeasure]:
    """Yield the measures of a run, in the order of printing."""
    for n in range(1, _number(given, "n") + 1):
        yield ScriptMeasure(str(n), ("ngram", n, False, 0.0))
    if "x" not in given and "3" not in given:
        yield ScriptMeasure("L", ("union-lcs", 0, False, 0.0))
    if "w" in given:
        yield ScriptMeasure(f"W-{given['w']}", ("weighted-lcs", 0, False, _number(given, "w")))
    if "2" in given:
        gap = max(_number(given, "2"), -1)
        size = "*" if gap < 0 else given["2"]
        if "U" in given or "u" not in given:
            yield ScriptMeasure(f"S{size}", ("skip", gap, False, 0.0))
        if "U" in given or "u" in given:
            yield ScriptMeasure(f"SU{size}", ("skip", gap, True, 0.0))
    if "3" in given:
        yield ScriptMeasure(f"BE-{_choice(given, '3', be_counts.MODES)}")


# Counting


def evaluate(
    options: Options, evaluations: Iterable[Evaluation], systems: Sequence[str]
) -> dict[str, dict[str, list[Totals]]]:
    """For each system in any evaluation: evalID.peerID -> the totals of each measure."""
    results: dict[str, dict[str, list[Totals]]] = {}
    for evaluation in evaluations:
        present = [system for system in systems if is_present(evaluation, system)]
        for system, counts in zip(present, count(options, evaluation, present), strict=True):
            results.setdefault(system, {})[f"{evaluation.id}.{system}"] = [
                measuring.pool(measure, column, options.takes_best)
                for measure, column in zip(options.measures, zip(*counts, strict=True), strict=True)
            ]
    if not results:
        peer = "a peer" if options.all_systems else f"peer {options.system}"
        problem = f"no evaluation has {peer}; choose a peer of this file"
        raise SettingsError(f"{options.settings}: {problem}")
    return {system: results[system] for system in systems if system in results}


def is_present(evaluation: Evaluation, system: str) -> bool:
    """Return whether the evaluation has a file of the system; warns if not."""
    path = evaluation.peers.get(system)
    if path is not None and os.path.exists(path):
        return True
    reason = f"peer {system} is not listed" if path is None else f"no peer file {path}"
    complain(f"warning: EVAL {evaluation.id}: {reason}; left out of its average")
    return False


def count(options: Options, evaluation: Evaluation, systems: Sequence[str]) -> list[Counts]:
    """Return the counts of several systems in one evaluation."""
    if not systems:
        return []
    peers = [evaluation.peers[system] for system in systems]
    found: list[Counts] = [[[] for _ in evaluation.models] for _ in peers]
    if len(options.measures) > bool(options.elements_mode):
        found = count_texts(options, evaluation, peers)
    if options.elements_mode:
        stem = be_counts.stem_word if options.stems else None

        def read(path: str) -> be_counts.Units:
            elements = files.read_elements(path, evaluation.format)
            return be_counts.units(elements, options.elements_mode, stem)

        models = [read(path) for path in evaluation.models]
        for peer, rows in zip(map(read, peers), found, strict=True):
            for model, row in zip(models, rows, strict=True):
                row.append(be_counts.counts(model, peer))
    return found


def count_texts(options: Options, evaluation: Evaluation, peers: Sequence[str]) -> list[Counts]:
    """Count the overlaps of peers and models in texts; warn where the script divides by zero."""
    models = [files.read_sentences(path, evaluation.format) for path in evaluation.models]
    candidates = [files.read_sentences(path, evaluation.format) for path in peers]
    measures = [measure for measure in options.measures if measure.kernel]
    kernels = [measure.kernel for measure in measures if measure.kernel]
    place = f"EVAL {evaluation.id}"
    try:
        _, table = kernel.counts(analyzer(options), kernels, candidates, [models] * len(peers))
    except (ValueError, MemoryError) as error:
        raise SettingsError(f"{options.settings}: {place}: {error}") from None
    for path, counts in zip(evaluation.models, table[: len(models)], strict=True):
        for measure, (_, reference, _, _) in zip(measures, counts, strict=True):
            if measure.is_weighted and not reference:
                complain(
                    f"warning: {place}: model {path} has no words; it adds 0 to "
                    f"ROUGE-{measure.label} (the Perl script dies here)"
                )
    if not np.isfinite(table).all():
        raise SettingsError(f"{options.settings}: {place}: ROUGE-W overflows; use a smaller -w")
    found: list[Counts] = table.reshape(len(peers), len(models), -1, 4).tolist()
    return found


@functools.lru_cache(maxsize=1)
def analyzer(options: Options) -> Analyzer:
    """Return the kernel's text options."""
    return TextOptions(
        stemmer="rouge155" if options.stems else None,
        stopwords=stopwords.rouge155() if options.drops_stopwords else frozenset(),
        max_words=options.max_words,
        max_bytes=options.max_bytes,
    ).analyzer()


# Output


def report(options: Options, system: str, results: Mapping[str, Sequence[Totals]]) -> Iterator[str]:
    """Yield the lines for one system, given evalID.peerID -> the totals of each measure."""
    for number, measure in enumerate(options.measures):
        name = f"{system} ROUGE-{measure.label}"
        totals = {key: results[key][number] for key in sorted(results, key=os.fsencode)}
        yield "-" * 45
        yield from averages(options, name, measure, list(totals.values()))
        if not options.prints_evaluations:
            continue
        yield "." * 45
        for key in sorted(totals, key=functools.cmp_to_key(compare_keys)):
            columns = [f"{total:.15g}" for total in totals[key]]
            if not options.totals:  # else the columns R, P and F hold totals
                columns = [f"{part:7.5f}" for part in score(measure, totals[key], options.alpha)]
            yield f"{name} Eval {key} R:{columns[0]} P:{columns[1]} F:{columns[2]}"


def averages(
    options: Options, name: str, measure: ScriptMeasure, totals: Sequence[Totals]
) -> Iterator[str]:
    """Yield the lines of averages with their intervals, or of sums."""
    sampling = measuring.Sampling(options.resamples, float(options.confidence))
    if options.totals == 2:
        model, peer, hits = (int(measuring.added(column)) for column in zip(*totals, strict=True))
        yield f"{name} M_count: {model} P_count: {peer} H_count: {hits}"
        return
    if options.totals == 1:
        interval = measuring.bootstrap_totals(totals, options.alpha, sampling)
    else:
        scores = [score(measure, evaluation, options.alpha) for evaluation in totals]
        interval = measuring.bootstrap_scores(scores, sampling)
    for letter, average, lower, upper in zip("RPF", *interval, strict=True):
        bounds = f"{options.confidence}%-conf.int. {lower:7.5f} - {upper:7.5f}"
        yield f"{name} Average_{letter}: {average:7.5f} ({bounds})"


def compare_keys(one: str, other: str) -> int:
    """Order by the leading numbers of both keys, or as strings if one has none.

    >>> sorted(["10.S", "9.S", "x.S"], key=functools.cmp_to_key(compare_keys))
    ['9.S', '10.S', 'x.S']
    """
    numbers = [re.match("[0-9]+", key) for key in (one, other)]
    first: Any = os.fsencode(one)
    second: Any = os.fsencode(other)
    if numbers[0] and numbers[1]:
        first, second = int(numbers[0][0]), int(numbers[1][0])
    return int(first > second) - int(first < second)


if __name__ == "__main__":
    sys.exit(main())
