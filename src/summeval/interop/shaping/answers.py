"""The answer in a completion: what stands between two tags, or what a pattern finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from summeval.text.cleaning import answer_finder, last_match

Extract = str | re.Pattern[str] | Callable[[str], str | None]
Finder = Callable[[str], str | None]


def _found(function: Callable[[str], Any], text: str) -> str | None:
    """Return what a function of the user finds; None if there is nothing, or if it is blank."""
    answer = function(text)
    if answer is not None and not isinstance(answer, str):
        raise TypeError(f"extract returned {type(answer).__name__}; return a str or None")
    return answer.strip() or None if answer else None


def finder_of(extract: Extract) -> Finder:
    """Return what finds the answer in a completion.

    Parameters
    ----------
    extract : str, pattern or callable
        A tag, `<answer>` or `answer`: what stands between `<answer>` and `</answer>`, the last time
        that both are there. Another str or a compiled pattern is a regular expression: its last
        match that is not blank, or the first group of it that took part; `.` matches line ends in
        a str. A pattern that backtracks without end is not stopped. A callable takes the
        completion and returns the answer or None.

    Raises
    ------
    TypeError, ValueError
        Another type, or a str that is no regular expression.

    Examples
    --------
    >>> finder_of("answer")("It may rain. <answer>Take a coat.</answer>")
    'Take a coat.'
    >>> print(finder_of("<answer>")("<answer>Take a coat."))
    None
    """
    if callable(extract):
        return partial(_found, extract)
    if isinstance(extract, re.Pattern) and isinstance(extract.pattern, str):
        return partial(last_match, extract)
    if not isinstance(extract, str) or not extract:
        kind = "empty" if extract == "" else type(extract).__name__
        raise TypeError(f"extract is {kind}; give a tag, a regular expression or a callable")
    return answer_finder(extract)
