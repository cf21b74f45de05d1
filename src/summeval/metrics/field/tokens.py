"""How metrics of other packages make tokens: by the names of their tokenizers, or by a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from summeval._options import Option
from summeval.metrics.run.explain.items import Asked, ExplainedItem, GramShares, Token
from summeval.metrics.run.explain.spans import lowered, original, tokens_of
from summeval.metrics.run.signature import label_of
from summeval.metrics.run.text_options import TextOptions
from summeval.text.tokenizers import COMPILED, NAMES, SENTENCEPIECE, tokenizer_of, version_of

TOKENIZER: Any = Option("tokenizer", "13a", NAMES, "function")
TOKENIZER_MODEL: Any = Option("tokenizer_model", None, (None,), "path")
CASES = {"keep": "mixed", "lower": "lc", "auto": "auto"}


def function_of(metric: Any) -> Callable[[str], Iterable[str]]:
    """Return the tokenizer of a metric as a function."""
    if callable(metric.tokenizer):
        found: Callable[[str], Iterable[str]] = metric.tokenizer
        return found
    return tokenizer_of(metric.tokenizer, getattr(metric, "tokenizer_model", None))


@dataclass(frozen=True, eq=False)
class WholeTexts(TextOptions):
    """How texts are read whose lines are not tokenized one by one."""

    def lines(self, text: str) -> Sequence[str]:
        return [text]


def text_options_of(metric: Any) -> TextOptions:
    """Return how a runner reads texts: unchanged where the kernel has the tokenizer."""
    tokenizer = "unicode" if metric.tokenizer in COMPILED else function_of(metric)
    return WholeTexts(tokenizer=tokenizer, named=metric.label)


def kernel_name(metric: Any) -> str:
    """Return the tokenizer of the kernel: "marked" where Python makes the tokens."""
    return metric.tokenizer if metric.tokenizer in COMPILED else "marked"


def case_and_tokens(metric: Any) -> Mapping[str, str]:
    """Return the case and the tokenizer for the signature, in sacrebleu's words.

    >>> import summeval
    >>> case_and_tokens(summeval.metric("bleu", tokenizer="intl"))["tok"].rpartition("-")[0]
    'intl-unicode'
    """
    return {"case": CASES[metric.case], "tok": tokenizer_label(metric)}


def tokenizer_label(metric: Any) -> str:
    """Return the tokenizer for the signature, with the version that its tokens depend on."""
    name: str = metric.tokenizer
    if callable(name):
        return label_of(name, metric.label)
    if name in SENTENCEPIECE and metric.tokenizer_model:
        from hashlib import sha256
        from pathlib import Path

        return f"{name}-{sha256(Path(metric.tokenizer_model).read_bytes()).hexdigest()[:8]}"
    return version_of(name)


def explained(
    asked: Asked, numbers: Iterable[int], weights: Mapping[int, Any]
) -> tuple[ExplainedItem, ...]:
    """Return the tokens with what their n-grams add, by the weight of one of each order.

    `numbers` are the references that count. See `GramShares.add`.
    """
    texts = asked.candidate, *(asked.references[number] for number in numbers)
    own, *others = (_tokens(asked, text) for text in texts)
    spans = [[(token.begin, token.end) for token in side] for side in (own, *others)]
    units = [([token.form for token in side], range(len(side))) for side in (own, *others)]
    there = zip(texts[1:], spans[1:], strict=True)
    shares = GramShares((texts[0], spans[0]), dict(zip(numbers, there, strict=True)))
    shares.add(units[0], units[1:], weights)
    return shares.items()


def _tokens(asked: Asked, text: str) -> list[Token]:
    """Return the tokens of a text with their places in the text as it was given."""
    read, origin = lowered(text, asked.lower)
    found = tokens_of(read, function_of(asked.metric))
    return [Token(form, *original((begin, end), origin)) for form, begin, end in found]
