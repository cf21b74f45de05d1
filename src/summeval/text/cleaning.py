"""Clean the outputs of models: take the answer out, remove thoughts and marks of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise

_TAG = re.compile(r"<?([A-Za-z][\w-]*)>?")
_THINK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)

# No repeat goes on over the mark that another match could begin with: each takes linear time.
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*\n?", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$\n?", re.MULTILINE)
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+", re.MULTILINE)
_CLOSING = re.compile(r"(?<=\S)[ \t]#{1,6}$", re.MULTILINE)
_QUOTE = re.compile(r"^[ ]{0,3}(?:>[ \t]?)+", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*[-*+•][ \t]+(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
_NUMBER = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*(?:[ \t]+\"[^\"\n]*\")?\)")
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]+)\1(?!`)")
_STRONG = re.compile(r"(?<!\*)(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1(?!\*)")
_UNDERLINED = re.compile(  # underscores within words belong to the words
    r"(?<![\w_])(_{1,3})(?=[^\s_])([^_\n]*(?:(?<=\w)_(?=\w)[^_\n]*)*(?<=\S))\1(?![\w_])"
)
_STRUCK = re.compile(r"~~(?=[^\s~])([^~\n]*[^\s~])~~")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>~|])")
_CELLS = re.compile(r"^[ \t]*\|(.*)\|[ \t]*$", re.MULTILINE)
_DIVIDER = re.compile(r"^[ \t]*\|[ \t:|-]+\|[ \t]*$\n?", re.MULTILINE)


def last_match(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the last match of a pattern that is not blank, or its first group that took part.

    A pattern without groups gives the whole match. A pattern that backtracks without end is not
    stopped.

    The last one counts, for a model that thinks aloud may name the tag before it answers.

    >>> pattern = re.compile(r"Summary: (.*)")
    >>> last_match(pattern, "Summary: a dog"), last_match(pattern, "a dog")
    ('a dog', None)
    """
    found = None
    for match in pattern.finditer(text):
        groups = match.groups() if pattern.groups else (match[0],)
        answer = next((group for group in groups if group is not None), "")
        found = answer.strip() or found
    return found


def answer_finder(extract: str) -> Callable[[str], str | None]:
    """Return what finds the answer by a tag, `answer` or `<answer>`, or by a regular expression.

    Between the tags stands the answer, the last time that both are there. In a regular expression
    `.` matches line ends.

    Raises
    ------
    ValueError
        A text that is no regular expression.

    Examples
    --------
    >>> answer_finder("answer")("It may rain. <answer>Take a coat.</answer>")
    'Take a coat.'
    """
    tag = _TAG.fullmatch(extract)
    # No `<tag>` inside, so that what stands before an unclosed one does not belong to the answer.
    text = extract if tag is None else rf"<{tag[1]}>((?:(?!<{tag[1]}>).)*?)</{tag[1]}>"
    try:
        return partial(last_match, re.compile(text, re.DOTALL))
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"extract {extract!r} is no regular expression: {error}") from None


def without_thoughts(text: str) -> str:
    """Return the text without what stands between `<think>` and `</think>`, and without these tags.

    `<thinking>` counts too. Of an unclosed tag everything after it is a thought; of a closing tag
    alone everything before it, for the prompt may have held the first tag.

    >>> without_thoughts("<think>Short.</think> A cat sat."), without_thoughts("<think>Well")
    ('A cat sat.', '')
    >>> without_thoughts("Short.</think>A cat sat."), without_thoughts("I think so")
    ('A cat sat.', 'I think so')
    """
    kept: list[str] = []
    depth = begin = 0
    found = False
    for tag in _THINK.finditer(text):
        found = True
        if tag[1]:
            if depth == 0:
                kept.clear()
            depth = max(depth - 1, 0)
        else:
            if depth == 0:
                kept.append(text[begin : tag.start()])
            depth += 1
        begin = tag.end()
    if not found:
        return text
    if depth == 0:
        kept.append(text[begin:])
    return "".join(kept).strip()


def without_markdown(text: str) -> str:
    r"""Return the text without the marks of Markdown; words and line breaks stay.

    Removed are the marks of headings, quotations, lists (a number only where the next number
    follows), emphasis, code, links and pictures (their text stays), tables, and lines across.
    Underscores within words and asterisks between blanks are no marks.

    >>> without_markdown("## News\n- **Cats** sat on [mats](https://example.org).\n- 2 * 3 = 6")
    'News\nCats sat on mats.\n2 * 3 = 6'
    """
    text = _FENCE.sub("", text)
    text = _RULE.sub("", text)
    text = _CELLS.sub(_row, _DIVIDER.sub("", text))
    text = _QUOTE.sub("", text)
    text = _CLOSING.sub("", _HEADING.sub("", text))
    text = _BULLET.sub("", text)
    numbers = [int(match[1]) for match in _NUMBER.finditer(text)]
    if numbers[:1] == [1] and any(later == one + 1 for one, later in pairwise(numbers)):
        text = _NUMBER.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _CODE.sub(r"\2", text)
    for _ in range(2):  # emphasis within emphasis
        text = _UNDERLINED.sub(r"\2", _STRONG.sub(r"\2", text))
    text = _STRUCK.sub(r"\1", text)
    return _ESCAPED.sub(r"\1", text)


def _row(match: re.Match[str]) -> str:
    return " ".join(filter(None, (cell.strip() for cell in match[1].split("|"))))


STRIPS: dict[str, Callable[[str], str]] = {"think": without_thoughts, "markdown": without_markdown}
"""What can be removed, in the order in which it is: thoughts before answers are looked for."""


class Cleaner:
    """Cleans candidates and counts what it changed.

    Thoughts are removed first, then the answer is taken out, then Markdown is removed. A text
    without an answer becomes the empty text, as in rewards.

    Parameters
    ----------
    extract : str
        As `answer_finder` takes it; empty to keep texts whole.
    strip : iterable of str
        Names of `STRIPS`.

    Raises
    ------
    ValueError
        A name that is not known, or a text that is no regular expression.

    Examples
    --------
    >>> clean = Cleaner("answer", ["think"])
    >>> clean("<think>An <answer>?</think><answer>A cat.</answer>"), clean("A dog.")
    ('A cat.', '')
    >>> clean.changed, clean.without_answer, clean.options
    ({'think': 1, 'extract': 2}, 1, {'strip': 'think', 'extract': 'answer'})
    """

    def __init__(self, extract: str = "", strip: Iterable[str] = ()) -> None:
        asked = set(strip)
        for name in sorted(asked - set(STRIPS)):
            raise ValueError(f"strip takes {', '.join(STRIPS)}, not {name!r}")
        names = [name for name in STRIPS if name in asked]
        self._steps = [(name, STRIPS[name]) for name in names]
        if extract:
            self._find = answer_finder(extract)
            self._steps.insert(int("think" in asked), ("extract", self._answer))
        self.options = {"strip": "+".join(names)} if names else {}
        self.options |= {"extract": extract} if extract else {}
        self.changed = dict.fromkeys((name for name, _ in self._steps), 0)
        self.without_answer = 0

    def __call__(self, text: str) -> str:
        """Return the text as it is scored."""
        for name, step in self._steps:
            after = step(text)
            self.changed[name] += after != text
            text = after
        return text

    def _answer(self, text: str) -> str:
        found = self._find(text)
        self.without_answer += found is None and text != ""
        return found or ""
