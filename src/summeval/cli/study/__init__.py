"""`summeval study`: the studies that it runs, a file each."""

DESCRIPTION = "Repeat the experiments of a paper on your own rows: tables, figures, signatures."
EPILOG = """\
Exit status: 0 done, 1 bad data or files, 2 bad usage, 130 interrupted.
Arguments of one: summeval study aesop --help"""
DEST = "study"
COMMANDS: dict[str, tuple[str, str]] = {
    "extracts": ("study.extracts", "rankers of utterances beside people (Galley 2006)"),
    "inputs": ("study.inputs", "summaries judged by their input alone, beside ROUGE"),
    "qarla": ("study.qarla", "KING, JACK and QUEEN of sets of metrics, and people (QARLA 2005)"),
    "aesop": ("study.aesop", "how well metrics rank systems and people as people do"),
    "ablation": ("study.ablation", "what the parts of DICOMER and CREMER add"),
    "transformations": (
        "study.transformations",
        "what each transformation of BEwT-E adds (Tratz and Hovy 2008)",
    ),
}
