"""`summeval read tac`: rows from the folders of TAC and DUC.

Turn a folder of TAC 2008-2011 or DUC 2005-2007, as NIST publishes it, into rows.

Files are known by their names, at any depth: summaries in folders peers and models, named
D0801-A.M.100.A.1; manual.peer and manual.model (TAC), responsiveness.table, overall.table,
content.table, linguistic_quality.table, processed_pans.txt and 2007_modified_scores.txt (DUC);
what ROUGE and BE printed (rougejk_A.m.out); aesop_allpeers_A; and input documents in D0801A-A.

A row has id, topic, system, task (the set A, B or C, or main), is_human, candidate, references (of
the other people), source, and the scores found. Lines on standard error say what is missing.

[ARGUMENTS]
FOLDER: an unpacked archive, or a folder of several
--output: .jsonl or .jsonl.gz [standard output]
--encoding: such as latin-1 [utf-8]
--no-source: leave out the input documents, which are long

Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Example:
  summeval read tac GuidedSumm2011_eval -o rows.jsonl
  summeval study aesop rows.jsonl --human modified_pyramid_jk,responsiveness --task task
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from summeval.cli.shared import flags
from summeval.cli.shared.errors import UsageError, say, write_file
from summeval.io.rows import encode_json
from summeval.table.tac import read_tac

_ARCHIVES = (".tar", ".gz", ".tgz", ".zip", ".bz2", ".xz", ".7z")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add = parser.add_argument
    add("folder", metavar="FOLDER")
    add("-o", "--output", default="-", metavar="ROWS")
    add("--encoding", default="utf-8", metavar="NAME")
    add("--no-source", action="store_true")


def run(arguments: Namespace) -> None:
    """Read the folder and write the rows."""
    flags.output_form(arguments.output, None, ("jsonl",))
    if not os.path.isdir(arguments.folder) and os.path.exists(arguments.folder):
        if arguments.folder.lower().endswith(_ARCHIVES):
            raise UsageError(f"{arguments.folder} is a file; unpack it and pass the folder")
        raise UsageError(f"{arguments.folder} is not a folder; pass the folder of the campaign")
    found = read_tac(arguments.folder, arguments.encoding, sources=not arguments.no_source)
    for note in found.notes:
        say(f"{arguments.folder}: {note}")
    lines = "".join(f"{encode_json(row)}\n" for row in found.rows)
    write_file(arguments.output, lines.encode())
