"""How TESLA reads texts: tokens, case, punctuation, and which words are function words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from summeval._core.text.analyzer import Analyzer
from summeval._options import Option
from summeval.metrics.run.text_options import TextOptions
from summeval.metrics.tesla import tagged
from summeval.text.word_lists import word_list

FUNCTION_WEIGHT: Any = Option(
    "function_weight",
    0.1,
    kind="share",
)
FUNCTION_TAGS: Any = Option(
    "function_tags",
    None,
    (None,),
    "words",
)
FUNCTION_WORDS: Any = Option(
    "function_words",
    None,
    (None,),
    "words",
)
KEEP_PUNCTUATION: Any = Option(
    "keep_punctuation",
    False,
    kind="bool",
)


@dataclass(frozen=True, eq=False)
class TeslaTextOptions(TextOptions):
    """As TextOptions; the tokens of a callable lose case and punctuation too."""

    keep_punctuation: bool = False

    def tagged_analyzer(self) -> Analyzer:
        """The analyzer of tagged text, where marks alone tell function words."""
        return Analyzer("split", self.stemmer, self.exceptions(), function_words=())

    def _marked(self, tokens: Sequence[str]) -> bytes:
        return tagged.mark(
            ((token, False) for token in tokens),
            lowercase=self.lowercase,
            keep_punctuation=self.keep_punctuation,
        )


def tag_list(tags: Iterable[str] | None) -> tuple[frozenset[str], str]:
    """The tags of function words, and their label."""
    return (tagged.FUNCTION_TAGS, "ptb") if tags is None else word_list("function_tags", tags)


def function_list(words: Iterable[str] | None, *, unicode: bool) -> tuple[frozenset[str], str]:
    """The function words, with the case that tokens have, and their label."""
    if words is None:
        from summeval.text.function_words import english

        return english(), "english"
    found, _ = word_list("function_words", words)
    folded = [word.casefold() if unicode else word.lower() for word in found]
    return word_list("function_words", folded)
