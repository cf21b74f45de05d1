"""Write the table of the kinds of characters that the tokenizer "uax29" tells words by.

    pip install PyICU-wheels && python ci/resources/word_breaks.py

From the properties Word_Break, Extended_Pictographic and General_Category of ICU.
"""

from pathlib import Path

import icu

HEADER = Path(__file__).parents[2] / "src/summeval/_core/field/tokenizers/word_breaks.hpp"
KINDS = """
    Newline Extend ZWJ Katakana Hebrew_Letter ALetter MidLetter MidNum MidNumLet Single_Quote
    Double_Quote Numeric ExtendNumLet Regional_Indicator WSegSpace
""".split()  # from 1; 0 is any other
SAME = {"CR": "Newline", "LF": "Newline", "Format": "Extend"}  # what the rules treat alike
WORD, PICTURE = 16, 32
CATEGORIES = (
    *("UPPERCASE_LETTER", "LOWERCASE_LETTER", "TITLECASE_LETTER", "MODIFIER_LETTER"),
    *("OTHER_LETTER", "DECIMAL_DIGIT_NUMBER", "LETTER_NUMBER", "OTHER_NUMBER"),
)
TEMPLATE = """\
// Made by ci/resources/word_breaks.py from Unicode {version}; do not edit.
#pragma once
#include <cstdint>

namespace summeval::word_breaks {{

inline constexpr char VERSION[] = "{version}";

enum Kind : uint32_t {{
    OTHER,
{names}
    WORD = 16,     // added to the kinds of letters and numbers
    PICTURE = 32,  // added to those of pictographs
}};

// Where the kind changes: 64 times the code point, plus the kind.
inline constexpr uint32_t CHANGES[] = {{
{changes}
}};

}}  // namespace summeval::word_breaks
"""


def kinds() -> list[int]:
    """The kind of every code point."""
    category = {getattr(icu.UCharCategory, name) for name in CATEGORIES}
    value = icu.UProperty.WORD_BREAK
    found = []
    for code in range(0x110000):
        number = icu.Char.getIntPropertyValue(code, value)
        name = icu.Char.getPropertyValueName(
            value, number, icu.UPropertyNameChoice.LONG_PROPERTY_NAME
        )
        name = SAME.get(name, name)
        kind = KINDS.index(name) + 1 if name in KINDS else 0
        kind += WORD * (icu.Char.charType(code) in category)
        picture = icu.Char.hasBinaryProperty(code, icu.UProperty.EXTENDED_PICTOGRAPHIC)
        found.append(kind + PICTURE * picture)
    return found


def main() -> None:
    """Write the header."""
    found = kinds()
    changes = [found[0]] + [
        64 * code + found[code] for code in range(1, len(found)) if found[code] != found[code - 1]
    ]
    lines, line = [], "   "
    for change in changes:
        if len(line) + len(f" {change},") > 100:
            lines.append(line)
            line = "   "
        line += f" {change},"
    text = TEMPLATE.format(
        version=icu.UNICODE_VERSION,
        names="\n".join(f"    {name.upper()}," for name in KINDS),
        changes="\n".join([*lines, line]),
    )
    HEADER.write_text(text, encoding="ascii", newline="\n")


if __name__ == "__main__":
    main()
