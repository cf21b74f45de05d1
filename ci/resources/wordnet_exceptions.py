"""Write the exception table of the rouge155 stemmer from WordNet's *.exc lists.

    python ci/resources/wordnet_exceptions.py [FOLDER]

FOLDER holds adj.exc, adv.exc, noun.exc and verb.exc of WordNet 3.0 (Debian: /usr/share/wordnet).
Without it Debian's package wordnet-base is fetched with apt-get and unpacked in a temporary folder.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).parents[2] / "src/summeval/text/data/wordnet_exceptions.tsv"

# A later list overrules an earlier one: "better" is "well" (adverb), not "good" (adjective).
LISTS = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")

# Keys of WordNet 3.0 that the table of ROUGE-1.5.5, made from WordNet 2.0, does not have.
NEW_IN_3 = frozenset(
    "ashes cognosenti gps halfpence houses_of_cards lisente loups-garous morses optic_axes"
    " staretsy".split()
)
ENTRIES = 5930


def read_exceptions(folder: Path) -> dict[str, str]:
    """The first base form of every inflected form in the four lists."""
    table = {}
    for name in LISTS:
        for line in (folder / name).read_text(encoding="ascii").splitlines():
            inflected, base = line.split()[:2]
            table[inflected] = base
    return {word: base for word, base in table.items() if word not in NEW_IN_3}


def unpack_debian_package(folder: Path) -> Path:
    """Fetch wordnet-base into the folder and return where its lists are."""
    subprocess.run(["apt-get", "download", "wordnet-base"], cwd=folder, check=True)
    (package,) = folder.glob("wordnet-base_*.deb")
    subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
    return folder / "usr/share/wordnet"


def main() -> None:
    """Write the table, one `inflected TAB base` a line, sorted."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else unpack_debian_package(Path(scratch))
        table = read_exceptions(folder)
    if len(table) != ENTRIES:
        sys.exit(f"{folder}: {len(table)} exceptions instead of {ENTRIES}; use WordNet 3.0")
    lines = [f"{word}\t{base}\n" for word, base in sorted(table.items())]
    TABLE.write_text("".join(lines), encoding="ascii", newline="\n")
    print(f"{TABLE}: {len(table)} entries")


if __name__ == "__main__":
    main()
