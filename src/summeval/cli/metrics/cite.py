"""`summeval cite`: what to print about metrics in a paper.

Print what a paper that reports metrics needs: BibTeX of their papers and of summeval, a sentence,
and the signature of each metric, which tells all that its numbers depend on. Pass the options with
which the scores were made, or the file of scores. The first format is a .bib file, with sentence
and signatures as comments at its end.

[ARGUMENTS]
--option: an option of a metric or a family, as for summeval score
NAMES: metrics or presets, between commas or blanks; or files of scores
--format: [by the ending of OUT, or bibtex]

Exit status: 0 done, 1 bad data or files, 2 bad usage.
Examples:
  summeval cite rouge1,rouge2,rougeLsum -o metrics.bib
  summeval cite rouge1 tesla-s --option rouge.stemmer=porter --format text
  summeval cite preset:aesop --format json
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

import summeval
from summeval.cli.shared import flags
from summeval.cli.shared.choice import add_shared, choose, shared, usual
from summeval.cli.shared.errors import UsageError, as_usage, deliver, refusals
from summeval.io import DataError
from summeval.io.arrow import TableInput
from summeval.io.directions import read_beside
from summeval.io.formats import IN_COLUMNS, format_of
from summeval.io.source import InputFile
from summeval.metrics.bibliography import cited
from summeval.metrics.citation import FORMATS, Citation, of, written
from summeval.metrics.registry import list_metrics
from summeval.metrics.run.signature import Signature


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("names", nargs="+", metavar="NAMES")
    flags.add(parser, "option")
    add_shared(parser)
    flags.add(parser, "format", choices=FORMATS)
    flags.add(parser, "output")


def run(arguments: Namespace) -> None:
    """Print the citations."""
    form = flags.output_form(arguments.output, arguments.format, FORMATS, "--format")
    lines = written(_citations(arguments), form).splitlines()
    deliver(arguments.output, lines, data=form == "json")


def _citations(arguments: Namespace) -> list[Citation]:
    """Those of the metrics, in the order of their names."""
    if any(map(_is_file, arguments.names)):
        return _of_files(arguments)
    named = flags.names_of("NAMES", arguments.names, "metric", blanks=True)
    with as_usage():
        named = usual(named)
        asked = [option.partition(".")[0] for option in arguments.option]
        listed = list_metrics()
        # what is no metric by its name alone, such as `pyramid`, is cited without a signature, and
        # what has no options, such as `cider-d`, without being made ready to score
        plain = not (arguments.option or shared(arguments))
        alone = {n for n in named if n in listed or cited(n) is not None}
        if not plain:
            alone = {n for n in alone - {*listed, *asked} if not can_be_made(n)}
        found = {name: of(name) for name in alone}
    metrics = [name for name in named if name not in alone]
    if metrics or arguments.option:
        made = choose(metrics, arguments.option, shared(arguments)).metrics
        with as_usage():  # a citation of others that cannot be read
            found |= {name: of(metric) for name, metric in zip(metrics, made, strict=True)}
    return [found[name] for name in named]


def _is_file(name: str) -> bool:
    return os.path.isfile(name) or format_of(name) is not None


def _of_files(arguments: Namespace) -> list[Citation]:
    """Those of the metrics whose signatures are in files of scores, or beside them."""
    if arguments.option or shared(arguments):
        raise UsageError("the signatures of a file tell its options; omit those of metrics")
    found: dict[str, str] = {}
    for path in arguments.names:
        if not _is_file(path):
            raise UsageError(f"{path} is no file, and others are; name metrics or files of scores")
        form = format_of(path)
        if form in IN_COLUMNS:
            with TableInput(path, form) as file:
                metadata = (file.schema.metadata or {}).items()
            signatures = {key.decode(): text.decode() for key, text in metadata if b"|v:" in text}
        else:
            InputFile(path).close()  # raises if it cannot be read
            signatures = read_beside(path)[0].signatures
        if not signatures:
            hint = "name its metrics, as in summeval cite rouge1"
            raise DataError(path, "holds no signatures of metrics", hint)
        found |= signatures
    with refusals(", ".join(arguments.names), "name its metrics", besides=True):
        known = {name: of(_name_of(Signature.parse(line))) for name, line in found.items()}
    return [one._replace(metric=name, signature=found[name]) for name, one in known.items()]


def _name_of(signature: Signature) -> str:
    """Return the name to cite; a judge's papers are those of its rubric.

    >>> _name_of(Signature.parse("judge|model:small|rubric:claims-1a2b3c4d")), _name_of(
    ...     Signature.parse("rouge1|v:0.1.0")
    ... )
    ('judge-claims', 'rouge1')
    """
    rubric = signature.options.get("rubric")
    if signature.name != "judge" or not isinstance(rubric, str):
        return signature.name
    return f"judge-{rubric.rpartition('-')[0]}"


def can_be_made(name: str) -> bool:
    """Return whether a name alone makes a metric."""
    try:
        summeval.metric(name)
    except (ValueError, ImportError):
        return False
    return True
