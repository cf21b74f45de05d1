"""Write the tables of the unicode tokeniser from the character data that this Python carries.

    python ci/resources/unicode_tables.py

`kind_of` in tests/definitions/text/tokens.py says what is a letter, a mark or a separator,
str.casefold how a character folds. The Unicode version is that of the running Python.
"""

import sys
import unicodedata
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "src/summeval/_core/text/unicode_tables.hpp"
sys.path.insert(0, str(ROOT / "tests"))

from definitions.text.tokens import kind_of  # noqa: E402

KINDS = {"separator": 0, "letter": 1, "mark": 2, "unspaced": 3}
FOLDS, EXPANDS = 4, 8
BLOCK = 64
# Beyond the ideographs of plane 3 there are only the variation selectors of plane 14: marks.
SELECTORS = range(0xE0100, 0xE01F0)

TEMPLATE = """\
// Made by ci/resources/unicode_tables.py from Unicode {version}; do not edit.
#pragma once
#include <cstdint>

namespace summeval::unicode {{

inline constexpr char VERSION[] = "{version}";

// 4 bits for each code point below END: the kind (0 separator, 1 letter or number, 2 mark, 3 letter
// of a script without spaces), 4 if it folds to another code point, 8 if it folds to several.
// Code point c: nibble c % 16 of CLASSES[4 * BLOCKS[c / 64] + c / 16 % 4].
inline constexpr uint32_t END = {end:#x};
inline constexpr uint16_t BLOCKS[] = {{
{blocks}
}};
inline constexpr uint64_t CLASSES[] = {{
{classes}
}};

// Marks beyond END.
inline constexpr uint32_t FIRST_SELECTOR = {first_selector:#x}, LAST_SELECTOR = {last_selector:#x};

// Code points first, first + stride, ... last fold to themselves plus delta.
struct Fold {{
    uint32_t first, last;
    int32_t delta;
    uint32_t stride;
}};
inline constexpr Fold FOLDS[] = {{
{folds}
}};

// Code points that fold to two or three others; 0 fills up.
struct Expansion {{
    uint32_t from;
    uint16_t to[3];
}};
inline constexpr Expansion EXPANSIONS[] = {{
{expansions}
}};

}}  // namespace summeval::unicode
"""


def class_of(character: str) -> int:
    """The four bits of a character; that a separator folds is of no use."""
    kind = KINDS[kind_of(character)]
    folded = character.casefold()
    if kind == 0 or folded == character:
        return kind
    return kind | (FOLDS if len(folded) == 1 else EXPANDS)


def blocks_and_classes(classes: list[int]) -> tuple[list[int], list[int]]:
    """Number of the block of every 64 code points; the distinct blocks in 64-bit words."""
    numbers: dict[tuple[int, ...], int] = {}
    blocks = [
        numbers.setdefault(tuple(classes[start : start + BLOCK]), len(numbers))
        for start in range(0, len(classes), BLOCK)
    ]
    words = [
        sum(bits << 4 * k for k, bits in enumerate(block[start : start + 16]))
        for block in numbers
        for start in range(0, BLOCK, 16)
    ]
    return blocks, words


def fold_ranges() -> list[tuple[int, int, int, int]]:
    """(first, last, delta, stride) for all characters that fold to a single one."""
    ranges: list[tuple[int, int, int, int]] = []
    for code in range(sys.maxunicode + 1):
        folded = chr(code).casefold()
        if not class_of(chr(code)) & FOLDS:
            continue
        delta = ord(folded) - code
        if ranges:
            first, last, same, stride = ranges[-1]
            step = code - last
            if delta == same and step <= 2 and (first == last or step == stride):
                ranges[-1] = (first, code, delta, step)
                continue
        ranges.append((code, code, delta, 1))
    return ranges


def expansions() -> list[tuple[int, list[int]]]:
    """Characters that fold to several, with what they fold to."""
    return [
        (code, [*map(ord, chr(code).casefold())])
        for code in range(sys.maxunicode + 1)
        if class_of(chr(code)) & EXPANDS
    ]


def lines(items: Iterable[str]) -> str:
    """The items of an initialiser, packed into lines."""
    packed = ["    "]
    for item in items:
        if len(packed[-1]) + len(item) + 1 > 100:
            packed.append("    ")
        packed[-1] += f"{item},"
    return "\n".join(packed)


def main() -> None:
    """Write the header."""
    classes = [class_of(chr(code)) for code in range(sys.maxunicode + 1)]
    for code in SELECTORS:
        assert classes[code] == KINDS["mark"]
        classes[code] = 0
    used = max(code for code, bits in enumerate(classes) if bits)
    end = (used // BLOCK + 1) * BLOCK
    blocks, words = blocks_and_classes(classes[:end])
    HEADER.write_text(
        TEMPLATE.format(
            version=unicodedata.unidata_version,
            end=end,
            blocks=lines(map(str, blocks)),
            classes=lines(f"{word:#x}" for word in words),
            first_selector=SELECTORS[0],
            last_selector=SELECTORS[-1],
            folds=lines(f"{{{a:#x},{b:#x},{d},{s}}}" for a, b, d, s in fold_ranges()),
            expansions=lines(
                f"{{{code:#x},{{{','.join(f'{c:#x}' for c in to)}}}}}" for code, to in expansions()
            ),
        ),
        encoding="ascii",
        newline="\n",
    )
    print(f"{HEADER}: {len(HEADER.read_text().splitlines())} lines")


if __name__ == "__main__":
    main()
