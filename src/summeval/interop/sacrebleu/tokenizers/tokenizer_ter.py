"""The tokenizer of TER, where sacrebleu has it."""

from __future__ import annotations

from dataclasses import dataclass

from summeval.interop.sacrebleu.tokenizers import Tokenizer
from summeval.text.tokenizers import tercom


@dataclass(eq=False, repr=False)
class TercomTokenizer(Tokenizer):
    """The words of tercom; the arguments are those of `TER`.

    >>> TercomTokenizer(normalized=True)("Jim's car.")
    "jim 's car ."
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    name = "tercom"

    def __call__(self, line: str) -> str:
        text = line if self.case_sensitive else line.lower()
        options = {"normalized": self.normalized, "asian": self.asian_support}
        return " ".join(tercom(text, punctuation=not self.no_punct, **options))
