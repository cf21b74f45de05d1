"""The tokenizers of sacrebleu in plain Python."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from definitions.field.uax29 import of_uax29

ENTITIES = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
CHINESE = (
    (0x2001, 0x2A6D), (0x2E80, 0x2FDF), (0x2FF0, 0x303F), (0x3100, 0x312F), (0x31A0, 0x31BF),
    (0x31C0, 0x31EF), (0x3200, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF),
)  # fmt: skip


def marks_apart(text: str) -> str:
    """Return a text with blanks around its marks."""
    text = re.sub(r"([{-~\[-` -&(-+:-@/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])(-)", r"\1 \2 ", text)


def of_13a(text: str) -> list[str]:
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, char in ENTITIES.items():
        text = text.replace(entity, char)
    return marks_apart(f" {text} ").split()


def of_zh(text: str) -> list[str]:
    apart = [
        f" {char} " if any(low <= ord(char) <= high for low, high in CHINESE) else char
        for char in text.strip()
    ]
    return marks_apart("".join(apart)).split()


def of_intl(text: str) -> list[str]:
    def kind(char: str) -> str:
        return unicodedata.category(char)[0]

    def pairs(text: str, match: Callable[[str, str], bool], form: str) -> str:
        found, at = [], 0
        while at < len(text):
            if at + 1 < len(text) and match(kind(text[at]), kind(text[at + 1])):
                found.append(form.format(text[at], text[at + 1]))
                at += 2
            else:
                found.append(text[at])
                at += 1
        return "".join(found)

    text = pairs(text, lambda a, b: a != "N" and b == "P", "{} {} ")
    text = pairs(text, lambda a, b: a == "P" and b != "N", " {} {}")
    return "".join(f" {char} " if kind(char) == "S" else char for char in text).split()


def of_char(text: str) -> list[str]:
    return [char for char in text if not char.isspace()]


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": of_13a,
    "zh": of_zh,
    "intl": of_intl,
    "char": of_char,
    "none": str.split,
    "whitespace": str.split,
    "uax29": of_uax29,
}


def tokens(text: str, tokenizer: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokens("U.S. sales: 3.5%-4%", "13a")
    ['U', '.', 'S', '.', 'sales', ':', '3.5', '%', '-4', '%']
    """
    return TOKENIZERS[tokenizer](text.rstrip())
