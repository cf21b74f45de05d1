"""The tokenizer of TER, where sacrebleu has it."""

from __future__ import annotations

from summeval.interop.sacrebleu.tokenizers import Tokenizer
from summeval.text.tokenizers import tercom


class TercomTokenizer(Tokenizer):
    """The words of tercom; the arguments are those of `TER`.

    >>> TercomTokenizer(normalized=True)("Jim's car.")
    "jim 's car ."
    """

    name = "tercom"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self._options = {
            "normalized": normalized,
            "punctuation": not no_punct,
            "asian": asian_support,
        }
        self._case_sensitive = case_sensitive

    def __call__(self, line: str) -> str:
        text = line if self._case_sensitive else line.lower()
        return " ".join(tercom(text, **self._options))
