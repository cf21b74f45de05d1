"""Invalid files for every reader: see readers.py."""

from __future__ import annotations

import random

from readers import READERS, check
from targets import TARGETS, Target

FILES = 20


def reader_target(name: str) -> Target:
    """A target that gives a reader wrong files."""

    def block(rng: random.Random) -> int:
        wrong = check(name, FILES, rng.getrandbits(48))
        assert not wrong, "; ".join(line[:400] for line in wrong[:5])
        return FILES

    return Target(f"reader:{name}", block)


for each in map(reader_target, READERS):
    TARGETS[each.name] = each
