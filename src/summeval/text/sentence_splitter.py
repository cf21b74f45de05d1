"""A small rule-based sentence splitter, for text without one sentence per line."""

import re
from functools import cache
from os.path import dirname, join

# A run of terminators and the closing quotes and brackets after it.
_END = re.compile(r"""[.!?…]+["'”’»)\]}]*|[。！？｡।॥؟۔]+["'”’»)\]}」』）】]*""")
_UNSPACED_ENDS = "。！？｡"
_BLANKS = re.compile(r"\s*")
_OPENERS = re.compile(r"""["'“‘«(\[{`¿¡]*""")
_WORD = re.compile(r"[^\W_]*")
_ACRONYM = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
# A quote after the stop in tokenised text: `he left . '' she`.
_LOOSE_QUOTE = re.compile(r"\s(?:''|”)(?!\S)")

# Characters searched for the word before a stop; the bound keeps the time linear.
_LOOK_BACK = 24


@cache
def known_words() -> tuple[frozenset[str], ...]:
    """Return the words that the rules know, in lower case.

    Returns
    -------
    tuple of frozenset of str
        Abbreviations that no sentence ends with, those before a number, those that may end a
        sentence, and words that begin sentences.

    Examples
    --------
    >>> never_last, before_number, maybe_last, starters = known_words()
    >>> "dr" in never_last, "no" in before_number, "inc" in maybe_last, "the" in starters
    (True, True, True, True)
    """
    with open(join(dirname(__file__), "data", "sentence_words.txt"), encoding="ascii") as file:
        return tuple(frozenset(line.split()) for line in file if line[0] != "#")


def sentences(text: str) -> list[str]:
    r"""Split a text into sentences, stripped of surrounding whitespace.

    A newline always ends a sentence. Within a line a sentence ends at `.`, `!`, `?`, `…` or their
    equivalents in other scripts, except after an abbreviation, an initial or the number of a list
    item, or before a lower-case letter. Closing quotes and brackets stay with the sentence. A line
    without capitals is split only by its stops and abbreviations. Time is linear in the length.

    Parameters
    ----------
    text : str
        An empty or blank text has no sentences.

    Raises
    ------
    TypeError
        The text is not a str.

    Examples
    --------
    >>> sentences('Mr. Smith paid $3.50 in the U.S. for it. "Why?" he asked. He left.')
    ['Mr. Smith paid $3.50 in the U.S. for it.', '"Why?" he asked.', 'He left.']
    >>> sentences("one line\nthe next . and more .")
    ['one line', 'the next .', 'and more .']
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}; pass a str")
    found = []
    for line in text.split("\n"):
        start = 0
        is_cased = line != line.lower()
        for match in _END.finditer(line):
            if _ends_sentence(line, start, match, is_cased):
                loose = _LOOSE_QUOTE.match(line, match.end())
                end = loose.end() if loose else match.end()
                found.append(line[start:end].strip())
                start = end
        found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def _ends_sentence(line: str, start: int, end: re.Match[str], is_cased: bool) -> bool:
    """Return whether the terminators `end` end the sentence that started at `start`."""
    blanks = _BLANKS.match(line, end.end())
    assert blanks
    opened = _OPENERS.match(line, blanks.end())
    assert opened
    first = line[opened.end() : opened.end() + 1]
    if not first:
        return False
    terminator = end.group()[0]
    if terminator in _UNSPACED_ENDS:
        return True
    if blanks.end() == end.end():
        return _is_missing_blank(line, end)
    stands_alone = line[end.start() - 1 : end.start()].isspace()
    if is_cased and first.islower() and not stands_alone:
        return False
    if terminator != "." or end.group().startswith(".."):
        return not (is_cased and first.islower())
    before = line[max(start, end.start() - _LOOK_BACK) : end.start()].split()
    word = before[-1].lstrip("\"'“‘«([{`") if before else ""
    follower = _WORD.match(line, opened.end())
    assert follower
    is_first_word = len(before) == 1 and end.start() - start < _LOOK_BACK
    return _is_last_word(word, follower.group().lower(), is_first_word)


def _is_missing_blank(line: str, end: re.Match[str]) -> bool:
    """Whether a sentence ends at `left.The`, a common typing error; file names are excluded."""
    follower = _WORD.match(line, end.end())
    assert follower
    word = follower.group()
    return (
        line[end.start() - 1 : end.start()].islower()
        and word[:1].isupper()
        and word.lower() in known_words()[-1]
    )


def _is_last_word(word: str, follower: str, is_first_word: bool) -> bool:
    """Return whether a single stop between `word` and `follower` ends the sentence."""
    key = word.lower()
    is_letter = len(word) == 1 and word.isalpha()
    if is_first_word and (is_letter or (word.isdecimal() and len(word) < 4)):
        return False
    never_last, before_number, maybe_last, starters = known_words()
    if key in never_last or (key in before_number and follower[:1].isdigit()):
        return False
    if is_letter or key in maybe_last or _ACRONYM.fullmatch(key):
        return follower in starters
    return True
