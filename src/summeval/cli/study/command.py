"""`summeval study`: the studies that it runs."""

from __future__ import annotations

DESCRIPTION = "Repeat the experiments of a paper on your own rows: tables, figures, signatures."
EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval study aesop --help"""
DEST = "study"
COMMANDS: dict[str, tuple[str, str]] = {
    "ablation": ("study.ablation", "what the parts of DICOMER and CREMER add"),
    "aesop": ("study.aesop", "how well metrics rank systems and people as people do"),
}
