"""`summeval read SET`: rows from a public set of human judgements.

Turn a set of human judgements, as its authors publish it, into rows, which summeval study metrics
and other commands read. Nothing is downloaded.

A row has id, topic, system, candidate, references, source and scores, an object with the mean of
the judges for each dimension. What the files of a set do not hold, its rows lack: SummEval the
articles, unless its script paired them; SQuALITY the stories; Newsroom, QAGS, AggreFact, Rank19 and
DialSummEval references; so do those of PolyTope, which say of each kind of error whether it is
absent.

[ARGUMENTS]
FILE: the file or folder of the set, see below
--output: .jsonl or .jsonl.gz [standard output]

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval read realsumm Lite2-3Pyramid/data/REALSumm -o realsumm.jsonl
  summeval study metrics realsumm.jsonl -m rouge1.recall,tesla-e
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from summeval.cli.shared import flags
from summeval.cli.shared.errors import write_file
from summeval.io.rows import encode_json
from summeval.table.sets import SETS, read_set

HELP_END = "\n\nFILE of each set:\n" + "\n".join(f"  {n}: {s.what}" for n, s in SETS.items())


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("-o", "--output", default="-", metavar="ROWS")


def run(arguments: Namespace) -> None:
    """Read the set and write the rows."""
    flags.output_form(arguments.output, None, ("jsonl",))
    found = read_set(arguments.layout, arguments.file)
    lines = "".join(f"{encode_json(row)}\n" for row in found.rows)
    write_file(arguments.output, lines.encode())
