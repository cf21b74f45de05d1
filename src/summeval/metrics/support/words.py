"""Words that `support` knows: numbers in letters, and function words."""

from __future__ import annotations

from functools import cache

from summeval._core.text.analyzer import Exceptions
from summeval.text.function_words import english
from summeval.text.stopwords import rouge155

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1000**2, "billion": 1000**3}


@cache
def numbers() -> dict[str, str]:
    """Numbers in letters, and their digits.

    >>> numbers()["seven"], numbers()["thousand"]
    ('7', '1000')
    """
    found = {word: str(number) for number, word in enumerate(_ONES.split())}
    found |= {word: str(10 * tens) for tens, word in enumerate(_TENS.split(), 2)}
    return found | {word: str(number) for word, number in _LARGE.items()}


@cache
def function_words() -> frozenset[str]:
    """Words that any text may have: those that hardly mean anything, and ROUGE's stop list.

    >>> {"the", "was", "not", "nt"} <= function_words()
    True
    """
    return english() | rouge155() | {"nt"}


@cache
def fixed_stems() -> Exceptions:
    """Numbers in letters for the analyzer, which makes digits of them."""
    return Exceptions({word.encode(): digits.encode() for word, digits in numbers().items()})
