"""Locate spans of text by label when the offsets in the file may be slightly wrong.

The order of the attempts is that of SacreROUGE, which corrects DUC and TAC files in this way.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from summeval._cached import cached_property

_BLANK = re.compile(r"\s")
_BLANKS = re.compile(r"\s+")


class SpanText:
    r"""A text with spans given by label and character offsets.

    Examples
    --------
    >>> text = SpanText("the cat saw the dog\n")
    >>> text.holds("the cat", 0, 7), text.holds("the cat", 1, 8)
    (True, False)
    >>> text.find("the", 14), text.find("thecat", 5), text.find("a bird", 0)
    ((12, 15), (0, 7), None)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._flat = _Searched(
            _BLANK.sub(" ", text)
        )  # labels are XML attributes, which are normalised like this
        self.searched = 0

    def holds(self, label: str, start: int, end: int) -> bool:
        """Whether the label equals the text between the offsets; all blanks are equal."""
        # Compare lengths first, to avoid copying long spans.
        if not 0 <= start <= end or min(end, len(self.text)) - start != len(label):
            return False
        return self._flat.text[start:end] == _BLANK.sub(" ", label)

    def find(self, label: str, start: int) -> tuple[int, int] | None:
        """The offsets of the label nearest to `start`, None if it is nowhere in the text.

        The label is searched unchanged, then without blanks, then both ways with doubly escaped
        quotes. `searched` counts the characters searched.
        """
        plain = label.replace("&quot;", '"')
        for wanted in dict.fromkeys((label, plain)):
            found = self._exact(wanted, start) or self._without_blanks(wanted, start)
            if found:
                return found
        return None

    def _exact(self, label: str, start: int) -> tuple[int, int] | None:
        wanted = _BLANK.sub(" ", label)
        self.searched += len(self.text)
        place = self._flat.nearest(wanted, start)
        return None if place is None else (place, place + len(wanted))

    def _without_blanks(self, label: str, start: int) -> tuple[int, int] | None:
        wanted = _BLANKS.sub("", label)
        if not wanted:
            return None
        text, places = self._dense
        self.searched += len(places)
        place = text.nearest(wanted, bisect_left(places, start))
        return None if place is None else (places[place], places[place + len(wanted) - 1] + 1)

    @cached_property
    def _dense(self) -> tuple[_Searched, list[int]]:
        """The text without blanks, and the position of each character in the text."""
        flat = self._flat.text
        places = [place for place, char in enumerate(flat) if char != " "]
        return _Searched(flat.replace(" ", "")), places


class _Searched:
    """A text that is searched from both ends.

    str.rfind may take quadratic time, str.find does not; so a reversed copy of the text is kept.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _backwards(self) -> str:
        return self.text[::-1]

    def nearest(self, wanted: str, start: int) -> int | None:
        """The occurrence that begins nearest to `start`, the earlier of two.

        >>> _Searched("the cat saw the dog").nearest("the", 11)
        12
        """
        start = max(start, 0)
        length = len(self.text)
        end = min(start + len(wanted), length)
        turned = self._backwards.find(wanted[::-1], length - end)
        before = -1 if turned < 0 else length - turned - len(wanted)
        after = self.text.find(wanted, start)
        found = [place for place in (before, after) if place >= 0]
        return min(found, key=lambda place: abs(place - start), default=None)
