"""Write the stop lists of languages other than English from those of the project Snowball.

    python ci/resources/stop_lists.py [FOLDER]

FOLDER has them as PostgreSQL carries them, `german.stop` and others; by default that of Debian's
package postgresql-15 (15.18-0+deb12u1).
"""

import sys
from pathlib import Path

LISTS = Path(__file__).parents[2] / "src/summeval/text/data/stop_lists.txt"
FOLDER = "/usr/share/postgresql/15/tsearch_data"
CODES = {
    "danish": "da", "dutch": "nl", "finnish": "fi", "french": "fr", "german": "de",
    "hungarian": "hu", "italian": "it", "nepali": "ne", "norwegian": "no", "portuguese": "pt",
    "russian": "ru", "spanish": "es", "swedish": "sv", "turkish": "tr",
}  # fmt: skip


def main() -> None:
    """Write a line for each language: its code, and its words in one case, sorted."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else FOLDER)
    lines = []
    for name, code in sorted(CODES.items(), key=lambda item: item[1]):
        text = (folder / f"{name}.stop").read_text("utf-8")
        lines.append(" ".join([code, *sorted({word.casefold() for word in text.split()})]))
    LISTS.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
