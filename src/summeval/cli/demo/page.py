"""The page that `summeval demo` prints, laid out for the width and the encoding of the output."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from summeval.report.tables import table

_WIDEST = 100
_NARROWEST = 24
_NO_BREAK = "\xa0"


@dataclass(frozen=True)
class Scored:
    """Values under one name: the scores of a metric, or the marks that people gave.

    `rising` says whether a higher value is better, `digits` how many are shown after the point.
    """

    name: str
    values: Sequence[float]
    rising: bool = True
    digits: int = 3

    def best(self) -> list[int]:
        """The places of the best value; several where it occurs more than once.

        >>> Scored("rouge1", [0.2, 0.7, 0.7]).best(), Scored("distance", [0.2, 0.7], False).best()
        ([1, 2], [0])
        """
        best = (max if self.rising else min)(self.values)
        return [place for place, value in enumerate(self.values) if value == best]

    def worst(self) -> list[int]:
        """The places of the worst value.

        >>> Scored("rouge1", [0.2, 0.7, 0.7]).worst(), Scored("distance", [0.2, 0.7], False).worst()
        ([0], [1])
        """
        return replace(self, rising=not self.rising).best()

    def means(self, labels: Sequence[str], order: Iterable[str]) -> Scored:
        """The mean for each label in `order`, over the values with this label.

        >>> Scored("rouge1", [0.25, 0.75, 1.0]).means(["a", "a", "b"], ["b", "a"]).values
        [1.0, 0.5]
        """
        parts = [
            [value for value, label in zip(self.values, labels, strict=True) if label == wanted]
            for wanted in order
        ]
        return replace(self, values=[sum(part) / len(part) for part in parts])

    def shown(self, place: int) -> str:
        """A value as people read it.

        >>> Scored("rouge1", [0.25]).shown(0)
        '0.250'
        """
        return f"{self.values[place]:.{self.digits}f}"


@dataclass(frozen=True)
class Page:
    """How wide lines may be, the sign of a falling metric, and the sign for text that is cut off.

    >>> Page.for_output("utf-8", 80), Page.for_output("ascii", 500)
    (Page(width=80, falling='↓', more='…'), Page(width=100, falling='v', more='...'))
    """

    width: int = 80
    falling: str = "↓"
    more: str = "…"

    @classmethod
    def for_output(cls, encoding: str, width: int) -> Page:
        """The page for an output with this encoding; its width is kept between 24 and 100.

        >>> Page.for_output("latin-1", 0)
        Page(width=24, falling='v', more='...')
        """
        width = min(max(width, _NARROWEST), _WIDEST)
        try:
            "↓…".encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return cls(width, falling="v", more="...")
        return cls(width)

    def table(
        self, systems: Sequence[str], people: Scored, groups: Mapping[str, Sequence[Scored]]
    ) -> list[str]:
        """A column for each system, a line for people and for each metric, `*` behind the best.

        Where the output is narrower, the values stand on a line below their name. A group without
        metrics is left out.

        >>> rouge = Scored("rouge1", [0.25, 0.5])
        >>> for line in Page().table(["A", "B"], Scored("people", [2, 1]), {"content": [rouge]}):
        ...     print(line)
                      A       B
        people    2.000*  1.000
        <BLANKLINE>
        content
          rouge1  0.250   0.500*
        """
        groups = {title: members for title, members in groups.items() if members}
        rows = [people, *(scored for members in groups.values() for scored in members)]
        names = [people.name, *(f"  {self._label(scored)}" for scored in rows[1:])]
        cells = [_marked(scored) for scored in rows]
        header = ["", *(f"{system} " for system in systems)]
        first, *lines = table(
            header, [[name, *row] for name, row in zip(names, cells, strict=True)]
        )
        blocks = [[line] for line in lines]
        if max(map(len, [first, *lines])) > self.width:
            first, *lines = table(header, [["", *row] for row in cells])
            blocks = [list(block) for block in zip(names, lines, strict=True)]
        left = iter(blocks)
        result = [first, *next(left)]
        for title, members in groups.items():
            result += ["", title, *(line for _ in members for line in next(left))]
        return result

    def pair(
        self, title: str, texts: Mapping[str, str], scores: Iterable[Scored], place: int
    ) -> list[str]:
        """A summary: its scores, and the texts by what they are, each cut to one line.

        >>> scores = [Scored("rouge1", [0.2, 0.7])]
        >>> for line in Page(24).pair("best", {"text": "one two three four"}, scores, 1):
        ...     print(line)
        best
          rouge1 0.700
          text  one two three…
        """
        # A name stays on one line with its score.
        told = (f"{self._label(scored)} {scored.shown(place)}" for scored in scores)
        line = "  " + ", ".join(one.replace(" ", _NO_BREAK) for one in told)
        indent = max(map(len, texts)) + 4
        return [
            *self.wrapped(title),
            *(part.replace(_NO_BREAK, " ") for part in self.wrapped(line, indent=2)),
            *(
                f"  {what:{indent - 4}}  "
                + textwrap.shorten(
                    text, self.width - indent, placeholder=self.more, break_on_hyphens=False
                )
                for what, text in texts.items()
            ),
        ]

    def legend(
        self, systems: Sequence[str], people: Scored, metrics: Iterable[Scored]
    ) -> list[str]:
        """What the signs mean, and the metrics that put another system first than people do.

        >>> odd = Scored("distance", [0.2, 0.7], rising=False)
        >>> for line in Page().legend(["A", "B"], Scored("people", [1, 2]), [odd]):
        ...     print(line)
        * best of its line   ↓ lower is better
        People put B first, these metrics another system: distance (A).
        """
        favourites = people.best()
        others = [
            f"{scored.name} ({', '.join(systems[place] for place in scored.best())})"
            for scored in metrics
            if scored.best() != favourites
        ]
        first = ", ".join(systems[place] for place in favourites)
        told = f"People put {first} first, these metrics another system: {', '.join(others)}."
        return [
            *self.wrapped(f"* best of its line   {self.falling} lower is better"),
            *(self.wrapped(told) if others else []),
        ]

    def wrapped(self, text: str, indent: int = 0) -> list[str]:
        """A sentence on as many lines as it needs; those after the first are indented.

        >>> Page(24).wrapped("more than fits into one line", indent=2)
        ['more than fits into one', '  line']
        """
        return textwrap.wrap(
            text,
            self.width,
            subsequent_indent=" " * indent,
            break_on_hyphens=False,
            break_long_words=False,
        )

    def cut(self, line: str) -> str:
        """A line, or as much of it as fits.

        >>> Page(24).cut("  more than fits into one line")
        '  more than fits into…'
        """
        blank = line[: len(line) - len(line.lstrip())]
        told = textwrap.shorten(line, self.width - len(blank), placeholder=self.more)
        return blank + told

    def _label(self, scored: Scored) -> str:
        return scored.name if scored.rising else f"{scored.name} {self.falling}"


def _marked(scored: Scored) -> list[str]:
    best = scored.best()
    return [
        scored.shown(place) + ("*" if place in best else " ") for place in range(len(scored.values))
    ]
