"""Write the table of numbers, punctuation and symbols that the tokenizer "intl" reads.

    pip install regex && python ci/resources/categories.py 17.0

The module regex has newer character data than Python; sacrebleu reads it, too. The argument is the
version of Unicode that the changelog of regex names.
"""

import sys
from pathlib import Path

import regex

HEADER = Path(__file__).parents[2] / "src/summeval/_core/field/tokenizers/categories.hpp"
KINDS = {"N": 1, "P": 2, "S": 3}
TEMPLATE = """\
// Made by ci/resources/categories.py from Unicode {version}; do not edit.
#pragma once
#include <cstdint>

namespace summeval::categories {{

inline constexpr char VERSION[] = "{version}";

// Where the category changes: four times the code point, plus 1 for numbers, 2 for punctuation,
// 3 for symbols and 0 for all others.
inline constexpr uint32_t CHANGES[] = {{
{changes}
}};

}}  // namespace summeval::categories
"""


def kind_of(code: int) -> int:
    """The number of the category of a code point."""
    if 0xD800 <= code < 0xE000:
        return 0
    found = [kind for name, kind in KINDS.items() if regex.match(rf"\p{{{name}}}", chr(code))]
    return found[0] if found else 0


def main() -> None:
    """Write the header."""
    kinds = [kind_of(code) for code in range(0x110000)]
    changes = [0] + [
        4 * code + kinds[code] for code in range(1, 0x110000) if kinds[code] != kinds[code - 1]
    ]
    lines, line = [], "   "
    for change in changes:
        if len(line) + len(f" {change},") > 100:
            lines.append(line)
            line = "   "
        line += f" {change},"
    text = TEMPLATE.format(version=sys.argv[1], changes="\n".join([*lines, line]))
    HEADER.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
