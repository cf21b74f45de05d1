"""The command rouge155: takes the arguments of ROUGE-1.5.5.pl and prints what it prints."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from summeval import __version__
from summeval._reference import rouge, stemmer
from summeval.cli.rouge155_help import HELP, USAGE, install_home
from summeval.cli.rouge155_options import Options, UsageError, read_options
from summeval.cli.rouge155_report import report
from summeval.io.rouge_settings import Evaluation, SettingsError, read_list, read_settings
from summeval.io.rouge_texts import read_elements, read_sentences
from summeval.metrics import basic_elements
from summeval.metrics.rouge_script import Measure, Totals, pool
from summeval.text import stemmers, stopwords

# Of one peer in one evaluation: for each model and measure hits, reference, candidate, base.
Counts: TypeAlias = Sequence[Sequence[Sequence[float]]]

# The exit status of a Perl program that dies.
DIED = 255


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status: 0, 2 for wrong usage, that of a dying script otherwise."""
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
        # The reader has gone; what Python still holds must not be written when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DIED
    except OSError as error:
        reason = error.strerror or str(error)
        complain(f"{error.filename}: {reason}" if error.filename else reason)
        return error.errno or DIED
    except KeyboardInterrupt:
        return 130


def complain(message: str) -> None:
    """Write a line about the run to standard error."""
    print(f"rouge155: {message}", file=sys.stderr)


def write(text: str) -> None:
    """Write to standard output: the bytes of names as they came, newlines as they are."""
    sys.stdout.buffer.write(os.fsencode(text))
    sys.stdout.buffer.flush()


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for."""
    if arguments[:1] == ["--install-home"]:
        if len(arguments) != 2:
            raise UsageError("--install-home wants one folder")
        write(f"{install_home(arguments[1])}\n")
        return 0
    if arguments[:1] == ["--version"]:
        write(f"rouge155 (summeval {__version__})\n")
        return 0
    if set(arguments[:1]) & {"-h", "-H", "--help"}:
        write(HELP)
        return 0
    options = read_options(arguments)
    if options.list_format:
        evaluations = read_list(options.settings, options.list_format, options.system)
    else:
        evaluations = read_settings(options.settings)
    if options.all_systems:
        systems = sorted({peer for one in evaluations for peer in one.peers}, key=os.fsencode)
    else:
        systems = [options.system]
    results = evaluate(options, evaluations, systems)
    write("".join(report(options, system, results[system]) for system in systems))
    return 0


# Counting


def evaluate(
    options: Options, evaluations: Iterable[Evaluation], systems: Sequence[str]
) -> dict[str, dict[str, list[Totals]]]:
    """For each system: evalID.peerID -> the totals of each measure."""
    results: dict[str, dict[str, list[Totals]]] = {system: {} for system in systems}
    for evaluation in evaluations:
        present = [system for system in systems if is_present(evaluation, system)]
        for system, counts in zip(present, count(options, evaluation, present), strict=True):
            results[system][f"{evaluation.id}.{system}"] = [
                pool(measure, [model[m] for model in counts], options.takes_best)
                for m, measure in enumerate(options.measures)
            ]
    for system, found in results.items():
        if not found:
            raise SettingsError(f"{options.settings}: no evaluation has peer {system}")
    return results


def is_present(evaluation: Evaluation, system: str) -> bool:
    """Whether the evaluation has a file of the system; a warning if not."""
    path = evaluation.peers.get(system)
    if path is not None and os.path.exists(path):
        return True
    reason = f"peer {system} is not listed" if path is None else f"no peer file {path}"
    complain(f"warning: EVAL {evaluation.id}: {reason}; left out of its average")
    return False


def count(options: Options, evaluation: Evaluation, systems: Sequence[str]) -> list[Counts]:
    """The counts of several systems in one evaluation."""
    peers = [evaluation.peers[system] for system in systems]
    measures = [measure for measure in options.measures if not measure.label.startswith("BE-")]
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
    options: Options, measures: Sequence[Measure], evaluation: Evaluation, peers: Sequence[str]
) -> list[Counts]:
    """Count what peers and models share in their texts."""

    def read(path: str) -> rouge.Text:
        return rouge.analyse(
            read_sentences(path, evaluation.format),
            stem=stem_token if options.stems else None,
            stopwords=dropped_words() if options.drops_stopwords else frozenset(),
            max_words=options.max_words,
            max_bytes=options.max_bytes,
        )

    parsed = [rouge.parse_measure(measure.name) for measure in measures]
    models = [read(path) for path in evaluation.models]
    warn_of_empty_models(measures, evaluation, [not model.flat for model in models])
    return [
        [[rouge.count(model, peer, measure) for measure in parsed] for model in models]
        for peer in map(read, peers)
    ]


def warn_of_empty_models(
    measures: Iterable[Measure], evaluation: Evaluation, is_empty: Iterable[bool]
) -> None:
    """Say where the script would divide by zero."""
    weighted = [measure for measure in measures if measure.label.startswith("W-")]
    for path, empty in zip(evaluation.models, is_empty, strict=True):
        if weighted and empty:
            complain(
                f"warning: EVAL {evaluation.id}: model {path} has no word left; it adds 0 to "
                f"ROUGE-{weighted[0].label} (the Perl script dies here)"
            )


def dropped_words() -> frozenset[bytes]:
    """The words that -s leaves out."""
    return frozenset(word.encode("ascii") for word in stopwords.rouge155())


@functools.cache
def stem_token(token: bytes) -> bytes:
    """The stem under -m of a word of any length."""
    word = token.decode("latin-1")
    table = stemmers.exceptions()
    return (table[word] if word in table else stemmer.rouge155_rules(word)).encode("latin-1")


def count_elements(
    options: Options, evaluation: Evaluation, peers: Sequence[str]
) -> list[list[Sequence[float]]]:
    """Count what peers and models share in their basic elements."""

    def read(path: str) -> basic_elements.Units:
        return basic_elements.units(
            read_elements(path, evaluation.format),
            options.elements_mode,
            stem_token if options.stems else None,
        )

    models = [read(path) for path in evaluation.models]
    return [[basic_elements.counts(model, peer) for model in models] for peer in map(read, peers)]


if __name__ == "__main__":
    sys.exit(main())
