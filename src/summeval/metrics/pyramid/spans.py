"""Where a piece of text lies, when what a file says of its place may be a little off.

The order of the attempts is that of SacreROUGE, which mends the offsets of DUC and TAC files so.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

_BLANK = re.compile(r"\s")
_BLANKS = re.compile(r"\s+")


class SpanText:
    r"""A text whose parts are given by their label and by offsets in characters.

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
        self._flat = _Searched(_BLANK.sub(" ", text))  # as XML makes labels, which are attributes
        self.searched = 0

    def holds(self, label: str, start: int, end: int) -> bool:
        """Whether the label is what stands between the offsets; blanks are alike."""
        # The lengths first: parts of the whole text would each copy it.
        if not 0 <= start <= end or min(end, len(self.text)) - start != len(label):
            return False
        return self._flat.text[start:end] == _BLANK.sub(" ", label)

    def find(self, label: str, start: int) -> tuple[int, int] | None:
        """The offsets of the label nearest to `start`, None if it is nowhere in the text.

        Sought as it is, then without its blanks, then both once more with the quotes that were
        escaped twice. `searched` counts the characters that were looked at.
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
        """The text without blanks, and where its characters stand in the text."""
        flat = self._flat.text
        places = [place for place, char in enumerate(flat) if char != " "]
        return _Searched(flat.replace(" ", "")), places


class _Searched:
    """A text in which places are sought from both ends.

    str.rfind may take the length of the text times that of what is sought, str.find does not: so
    the text is kept backwards too.
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
