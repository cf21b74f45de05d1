"""Words of Unicode Standard Annex 29 in plain Python, rule by rule."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from pathlib import Path

HEADER = Path(__file__).parents[3] / "src/summeval/_core/field/tokenizers/word_breaks.hpp"
KINDS = """
    Other Newline Extend ZWJ Katakana Hebrew_Letter ALetter MidLetter MidNum MidNumLet Single_Quote
    Double_Quote Numeric ExtendNumLet Regional_Indicator WSegSpace
""".split()
LETTERS = {"ALetter", "Hebrew_Letter"}
BETWEEN = {"MidNumLet", "Single_Quote"}
IN_WORD = {*LETTERS, "Numeric", "Katakana", "ExtendNumLet"}
PAIRS = {
    *((a, b) for a in LETTERS for b in LETTERS),  # WB5
    *((a, "Numeric") for a in LETTERS),  # WB9
    *(("Numeric", b) for b in LETTERS),  # WB10
    ("Numeric", "Numeric"),  # WB8
    ("Katakana", "Katakana"),  # WB13
    *((a, "ExtendNumLet") for a in IN_WORD),  # WB13a
    *(("ExtendNumLet", b) for b in IN_WORD),  # WB13b
    ("Hebrew_Letter", "Single_Quote"),  # WB7a
}


@cache
def table() -> list[int]:
    text = HEADER.read_text("ascii").partition("CHANGES[] = {")[2]
    return [*map(int, re.findall(r"\d+", text))]


def kind_of(char: str) -> tuple[str, bool, bool]:
    """Return the kind of a character, whether it is a letter or number, and a pictograph."""
    changes = table()
    bits = changes[bisect_right(changes, ord(char) * 64 + 63) - 1] % 64
    return KINDS[bits % 16], bool(bits & 16), bool(bits & 32)


def is_apart(kind: str) -> bool:
    """Whether a character counts for itself, rather than belonging to the one before it."""
    return kind not in ("Extend", "ZWJ")


def joins(kinds: list[str], at: int, pictures: list[bool]) -> bool:
    """Whether a character belongs to the segment of the one before it."""
    before, here = kinds[at - 1], kinds[at]
    if "Newline" in (before, here):  # WB3a, WB3b
        return False
    if not is_apart(here) or before == here == "WSegSpace":  # WB4, WB3d
        return True
    if before == "ZWJ" and pictures[at]:  # WB3c
        return True
    left = [
        kind
        for k, kind in enumerate(kinds[:at])
        if k == 0 or is_apart(kind) or kinds[k - 1] == "Newline"
    ]
    right = [*filter(is_apart, kinds[at + 1 :])]
    z, a = ["", *left][-2:]
    c = "" if kinds[at + 1 : at + 2] == ["Newline"] or not right else right[0]
    flags = 0
    while flags < len(left) and left[-1 - flags] == "Regional_Indicator":
        flags += 1
    return any(
        [
            (a, here) in PAIRS,
            held(a, here, c),  # WB6, WB7b, WB12
            held(z, a, here),  # WB7, WB7c, WB11
            here == "Regional_Indicator" and flags % 2 == 1,  # WB15, WB16
        ]
    )


def held(left: str, mark: str, right: str) -> bool:
    """Whether a mark holds what stands on both sides of it."""
    if left == right == "Numeric":
        return mark in {"MidNum", *BETWEEN}
    if left == right == "Hebrew_Letter" and mark == "Double_Quote":
        return True
    return left in LETTERS and right in LETTERS and mark in {"MidLetter", *BETWEEN}


def of_uax29(text: str) -> list[str]:
    """Return the segments that hold a letter or a number.

    >>> of_uax29("Ms. O'Hara's 1,250.5 km")
    ['Ms', "O'Hara's", '1,250.5', 'km']
    """
    told = [kind_of(char) for char in text]
    kinds, pictures = [one[0] for one in told], [one[2] for one in told]
    edges = [at for at in range(1, len(text)) if not joins(kinds, at, pictures)]
    spans = zip([0, *edges], [*edges, len(text)], strict=True)
    return [text[a:b] for a, b in spans if any(one[1] for one in told[a:b])]
