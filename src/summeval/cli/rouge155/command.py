"""The command rouge155: takes the arguments of ROUGE-1.5.5.pl and prints the same output."""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from summeval import __version__
from summeval._core.overlap import rouge as kernel
from summeval._core.text.analyzer import Analyzer
from summeval.cli.rouge155.help import HELP, USAGE, install_home
from summeval.cli.rouge155.options import Options, UsageError, read_options, split_arguments
from summeval.cli.rouge155.report import report
from summeval.cli.rouge155.settings import Evaluation, SettingsError, read_list, read_settings
from summeval.cli.rouge155.texts import read_elements, read_sentences
from summeval.metrics.elements import be_counts
from summeval.metrics.rouge.script import ScriptMeasure, Totals, pool
from summeval.metrics.run.text_options import TextOptions
from summeval.text import stopwords

# One peer in one evaluation: for each model and measure hits, reference, candidate, base.
Counts: TypeAlias = Sequence[Sequence[Sequence[float]]]

# The exit status of a Perl program that dies.
DIED = 255


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status: 0, 2 for wrong usage, else that of Perl's die."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return run(arguments)
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


def run(arguments: Sequence[str]) -> int:
    """Carry out the arguments."""
    if arguments[:1] == ["--install-home"]:
        if len(arguments) != 2:
            raise UsageError("--install-home needs one folder")
        write(f"{install_home(arguments[1])}\n")
        return 0
    if arguments[:1] == ["--version"]:
        write(f"rouge155 (summeval {__version__})\n")
        return 0
    if arguments[:1] == ["--help"]:
        write(HELP)
        return 0
    given, operands = split_arguments(arguments)
    if "h" in given or "H" in given:
        write(HELP)
        return 0
    options = read_options(given, operands)
    if options.list_format:
        evaluations = read_list(options.settings, options.list_format, options.system)
    else:
        evaluations = read_settings(options.settings)
    if options.all_systems:
        systems = sorted({peer for one in evaluations for peer in one.peers}, key=os.fsencode)
    else:
        systems = [options.system]
    results = evaluate(options, evaluations, systems)
    write("".join(report(options, system, found) for system, found in results.items()))
    return 0


# Counting


def evaluate(
    options: Options, evaluations: Iterable[Evaluation], systems: Sequence[str]
) -> dict[str, dict[str, list[Totals]]]:
    """For each system in any evaluation: evalID.peerID -> the totals of each measure."""
    results: dict[str, dict[str, list[Totals]]] = {system: {} for system in systems}
    for evaluation in evaluations:
        present = [system for system in systems if is_present(evaluation, system)]
        if not present:
            continue
        for system, counts in zip(present, count(options, evaluation, present), strict=True):
            results[system][f"{evaluation.id}.{system}"] = [
                pool(measure, [model[m] for model in counts], options.takes_best)
                for m, measure in enumerate(options.measures)
            ]
    scored = {system: found for system, found in results.items() if found}
    if not scored:
        peer = "a peer" if options.all_systems else f"peer {options.system}"
        raise SettingsError(
            f"{options.settings}: no evaluation has {peer}; choose a peer of this file"
        )
    return scored


def is_present(evaluation: Evaluation, system: str) -> bool:
    """Whether the evaluation has a file of the system; warns if not."""
    path = evaluation.peers.get(system)
    if path is not None and os.path.exists(path):
        return True
    reason = f"peer {system} is not listed" if path is None else f"no peer file {path}"
    complain(f"warning: EVAL {evaluation.id}: {reason}; left out of its average")
    return False


def count(options: Options, evaluation: Evaluation, systems: Sequence[str]) -> list[Counts]:
    """The counts of several systems in one evaluation."""
    peers = [evaluation.peers[system] for system in systems]
    measures = [measure for measure in options.measures if measure.kernel]
    found: list[list[list[Sequence[float]]]] = [[[] for _ in evaluation.models] for _ in peers]
    if measures:
        texts = count_texts(options, measures, evaluation, peers)
        found = [[list(model) for model in peer] for peer in texts]
    if options.elements_mode:
        for peer, rows in zip(found, count_elements(options, evaluation, peers), strict=True):
            for model, row in zip(peer, rows, strict=True):
                model.append(row)
    return list(found)


def count_texts(
    options: Options,
    measures: Sequence[ScriptMeasure],
    evaluation: Evaluation,
    peers: Sequence[str],
) -> list[Counts]:
    """Count the overlaps of peers and models in texts."""
    models = [read_sentences(path, evaluation.format) for path in evaluation.models]
    candidates = [read_sentences(path, evaluation.format) for path in peers]
    counted = [measure.kernel for measure in measures if measure.kernel]
    try:
        _, table = kernel.counts(analyzer(options), counted, candidates, [models] * len(peers))
    except (ValueError, MemoryError) as error:
        raise SettingsError(f"{options.settings}: EVAL {evaluation.id}: {error}") from None
    warn_of_empty_models(measures, evaluation, table[: len(models)])
    if not np.isfinite(table).all():
        raise SettingsError(
            f"{options.settings}: EVAL {evaluation.id}: ROUGE-W overflows; use a smaller -w"
        )
    counts: list[Counts] = table.reshape(len(peers), len(models), len(measures), 4).tolist()
    return counts


@functools.lru_cache(maxsize=1)
def analyzer(options: Options) -> Analyzer:
    """The kernel's text options."""
    return TextOptions(
        stemmer="rouge155" if options.stems else None,
        stopwords=stopwords.rouge155() if options.drops_stopwords else frozenset(),
        max_words=options.max_words,
        max_bytes=options.max_bytes,
    ).analyzer()


def warn_of_empty_models(
    measures: Sequence[ScriptMeasure], evaluation: Evaluation, models: Iterable[Counts]
) -> None:
    """Warn where the script would divide by zero."""
    for path, counts in zip(evaluation.models, models, strict=True):
        for measure, (_, reference, _, _) in zip(measures, counts, strict=True):
            if measure.is_weighted and not reference:
                complain(
                    f"warning: EVAL {evaluation.id}: model {path} has no words; it adds 0 to "
                    f"ROUGE-{measure.label} (the Perl script dies here)"
                )


def count_elements(
    options: Options, evaluation: Evaluation, peers: Sequence[str]
) -> list[list[Sequence[float]]]:
    """Count the overlaps of peers and models in basic elements."""

    def read(path: str) -> be_counts.Units:
        return be_counts.units(
            read_elements(path, evaluation.format),
            options.elements_mode,
            be_counts.stem_word if options.stems else None,
        )

    models = [read(path) for path in evaluation.models]
    return [[be_counts.counts(model, peer) for model in models] for peer in map(read, peers)]


if __name__ == "__main__":
    sys.exit(main())
