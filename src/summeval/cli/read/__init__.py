"""`summeval read`: the layouts that it reads."""

from __future__ import annotations

DESCRIPTION = "Turn the files of a campaign, as published, into rows for the other commands."
EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval read tac --help"""
DEST = "layout"
COMMANDS: dict[str, tuple[str, str]] = {
    "tac": ("read.tac", "folders of TAC 2008-2011 and DUC 2005-2007")
}
