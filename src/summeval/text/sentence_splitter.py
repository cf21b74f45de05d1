"""A small rule-based sentence splitter, for text without one sentence per line."""

import re

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

# Abbreviations before a name or another part; no sentence ends here.
_NEVER_LAST = frozenset(
    "adm atty brig capt cdr cmdr col cpl cpt dr fr gen gov hon insp lt lieut maj messrs mlle mme mr"
    " mrs ms mt pfc pres prof pvt rep reps rev rt sen sens sgt st ste supt"
    " al approx ca cf eg ie vs viz e.g i.e".split()
)
# Abbreviations before a number (`No. 5`, `Jan. 3`, `pp. 4-5`), words or last words elsewhere.
_BEFORE_NUMBER = frozenset(
    "apr art aug ch chap circa dec eq feb fig figs jan jul jun mar no nos nov oct op p para pp sec"
    " sect sep sept tel v vol vols".split()
)
# Abbreviations that may be the last word of a sentence: the next word decides.
_MAYBE_LAST = frozenset(
    "apr aug ave blvd bros co corp ct dec dept dist ed eds esp est etc ext feb fri hwy inc intl jan"
    " jr jul jun ln ltd mfg mon nov oct ph.d phd plc rd sat sep sept sq sr thu thurs tue tues univ"
    " wed".split()
)
# Words that start sentences but do not continue names.
_STARTERS = frozenset(
    "a according after all also although among an and another any are as at because before both but"
    " by can could did do does during each even every few first for from given had has have he her"
    " here his how however i if in instead is it its just last later like many may meanwhile more"
    " most mr mrs ms my no nor not now of on once one only or other others our over perhaps police"
    " see several she since so some still such than that the their them then there these they this"
    " those though through to today two under until we were what when where whether which while who"
    " why will with yes yet you your".split()
)


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
    return _NEVER_LAST, _BEFORE_NUMBER, _MAYBE_LAST, _STARTERS


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
        and word.lower() in _STARTERS
    )


def _is_last_word(word: str, follower: str, is_first_word: bool) -> bool:
    """Return whether a single stop between `word` and `follower` ends the sentence."""
    key = word.lower()
    is_letter = len(word) == 1 and word.isalpha()
    if is_first_word and (is_letter or (word.isdecimal() and len(word) < 4)):
        return False
    if key in _NEVER_LAST or (key in _BEFORE_NUMBER and follower[:1].isdigit()):
        return False
    if is_letter or key in _MAYBE_LAST or _ACRONYM.fullmatch(key):
        return follower in _STARTERS
    return True
