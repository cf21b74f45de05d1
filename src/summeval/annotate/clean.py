"""Clean-up of text before it is parsed: quotes, dashes, contractions, blanks.

The rules are those of BEwT-E 0.5.1 in its order, followed by two of our own for whitespace. Each is
one line of `RULES`. `Cleaned.span` maps a span of the cleaned text to the original text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

VERSION = 1
"""Part of each provider's signature; raise it when a rule changes."""


class Rule(NamedTuple):
    """Each match of `pattern` becomes `replacement`."""

    name: str
    pattern: re.Pattern[str]
    replacement: str


_RULES = (
    ("opening quotes", r"""(?<![^\s(\[{<])(?:''|")""", "``"),
    ("closing quotes", r'"', "''"),
    ("double quotes", "[\u0084\u0093\u0094\u00ab\u00bb\u201c-\u201f\u2033\u2034\u2036\u2037]", '"'),
    ("single quotes", "[\u0091\u0092\u2018-\u201b\u2032\u2035]", "'"),
    ("underscore as dash", r"(?<= )_(?= )", "-"),
    ("double dash", r"(?<= )--(?= )", "-"),
    ("spaced dashes", r"- -", " - "),
    ("detached contraction", r" (?=(?:'(?:s|re|ve|ll)|n't)(?!\w))", ""),
    ("ellipsis", r"\. \. \.|\.\.\.", "."),
    ("blank after dollar or bracket", r"(?<=[$(]) ", ""),
    ("blank before bracket", r" (?=\))", ""),
    ("separator", "\u0018", ""),
    ("missing blank", r"(?<=[a-z][.?!])(?=[A-Z])", " "),
    ("runs of blanks", r"[^\S ]\s*| \s+", " "),
    ("blanks at the ends", r"^ | $", ""),
)
RULES = tuple(Rule(name, re.compile(pattern), new) for name, pattern, new in _RULES)

# Each match of a rule in a line of printable ASCII holds one of these, or is at an end of the line.
_SIGNS = ('"', "''", " '", " n't", "--", "- -", " _ ", "...", ". . .", "$ ", "( ", " )", "  ")
_GLUED = re.compile("[.?!][A-Z]")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A cleaned text.

    Attributes
    ----------
    text : str
    starts, ends : list of int, or None
        The characters `starts[i]` to `ends[i]` of the original text became `text[i]`; None if no
        rule changed anything.
    """

    text: str
    starts: list[int] | None = None
    ends: list[int] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the original text that became `text[start:end]` (not empty)."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def clean(line: str, rules: tuple[Rule, ...] = RULES) -> Cleaned:
    r"""Apply the rules to a line, one after the other.

    Source: BEwT-E 0.5.1. The last two rules are ours: they leave only single spaces between words.

    Examples
    --------
    >>> cleaned = clean('He did n\'t say "yes" -- he left...')
    >>> cleaned.text
    "He didn't say ``yes'' - he left."
    >>> cleaned.span(6, 9), cleaned.span(14, 16)  # n't and the opening quotes
    ((7, 10), (15, 16))
    """
    cleaned = Cleaned(line)
    if rules is RULES and _is_clean(line):
        return cleaned
    for rule in rules:
        if rule.pattern.search(cleaned.text):
            cleaned = _apply(rule, cleaned)
    return cleaned


def clean_lines(text: str) -> Iterator[tuple[int, Cleaned]]:
    """Yield the lines of a text that are not blank, cleaned, each with the offset of its start."""
    offset = 0
    for line in text.split("\n"):
        cleaned = clean(line)
        if cleaned.text:
            yield offset, cleaned
        offset += len(line) + 1


def _is_clean(line: str) -> bool:
    """Whether no rule can match, found out faster than by trying each; False if in doubt.

    >>> _is_clean("He's gone."), _is_clean("He 's gone.")
    (True, False)
    """
    if not (line.isascii() and line.isprintable()) or line[:1] == " " or line[-1:] == " ":
        return False
    return not any(sign in line for sign in _SIGNS) and not _GLUED.search(line)


def _apply(rule: Rule, cleaned: Cleaned) -> Cleaned:
    text = cleaned.text
    old_starts = cleaned.starts if cleaned.starts is not None else list(range(len(text)))
    old_ends = cleaned.ends if cleaned.ends is not None else list(range(1, len(text) + 1))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    kept = 0
    length = len(rule.replacement)
    for match in rule.pattern.finditer(text):
        first, last = match.span()
        pieces += (text[kept:first], rule.replacement)
        starts += old_starts[kept:first]
        ends += old_ends[kept:first]
        starts += [old_starts[first]] * length
        # An inserted character corresponds to no original character.
        ends += [old_ends[last - 1] if last > first else old_starts[first]] * length
        kept = last
    pieces.append(text[kept:])
    return Cleaned("".join(pieces), starts + old_starts[kept:], ends + old_ends[kept:])


def check_lengths(texts: Iterable[Sequence[tuple[int, Cleaned]]], most: int, parser: str) -> None:
    """Raise for a line of texts that is longer than a parser accepts."""
    for _, line in itertools.chain.from_iterable(texts):
        if len(line.text) > most:
            raise ValueError(
                f"a line of {len(line.text):,} characters ({line.text[:20]!r}…), but {parser}"
                f" accepts {most:,}; put each sentence on its own line"
            )
