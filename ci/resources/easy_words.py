"""Write the list of easy English words that formulas of reading ease know.

    python ci/resources/easy_words.py WHEEL

WHEEL is that of textstat 0.7.13 (pypi.org/project/textstat, MIT license), whose
textstat/resources/en/easy_words.txt it is: the list of Dale and Chall, with inflections.
"""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

TABLE = Path(__file__).parents[2] / "src/summeval/text/data/easy_words.txt"
SOURCE = "textstat/resources/en/easy_words.txt"
HEAD = (
    "# Easy English words, from textstat 0.7.13 (S. Bansal and others, MIT license): see NOTICE\n"
)


def main() -> None:
    """Sort the words and write them."""
    with ZipFile(sys.argv[1]) as wheel:
        words = sorted({line.strip().lower() for line in wheel.read(SOURCE).decode().split("\n")})
    TABLE.write_text(HEAD + "\n".join(filter(None, words)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
