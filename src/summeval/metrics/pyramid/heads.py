"""Match the start pattern of a Pyramid file in a bounded number of steps.

`re` backtracks, which takes exponential time for some patterns, and files are untrusted. Here all
alternatives are followed in parallel (Thompson 1968, with Pike's priorities, so that the matches
equal those of `re`), and the steps are counted.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

try:  # the readers of patterns, whose names Python 3.11 changed
    parser: Any = importlib.import_module("re._parser")
    ops: Any = importlib.import_module("re._constants")
except ImportError:
    parser = importlib.import_module("sre_parse")
    ops = importlib.import_module("sre_constants")

MOST_STATES = 1000
MOST_STEPS = 5_000_000
_FLAGS = int(re.MULTILINE | re.UNICODE | re.DOTALL | re.VERBOSE)
_CATEGORIES = {
    ops.CATEGORY_DIGIT: r"\d",
    ops.CATEGORY_NOT_DIGIT: r"\D",
    ops.CATEGORY_SPACE: r"\s",
    ops.CATEGORY_NOT_SPACE: r"\S",
    ops.CATEGORY_WORD: r"\w",
    ops.CATEGORY_NOT_WORD: r"\W",
}


class Head(NamedTuple):
    """A match: its position and its text."""

    start: int
    text: str


class TooHard(ValueError):
    """The pattern uses an unsupported construct or takes too many steps."""


def find_heads(pattern: str, text: str) -> list[Head]:
    r"""The matches of a pattern, as those of `re.finditer` with `re.MULTILINE`.

    Raises
    ------
    TooHard
        Look-around, back references, flags other than s and x, atomic groups, repeats of possibly
        empty parts; more than `MOST_STATES` states or, in this text, `MOST_STEPS` steps.
    re.error, OverflowError, RecursionError
        The pattern is invalid.

    Examples
    --------
    >>> find_heads(r"-+\nD\d\.[A-Z]\n", "--\nD1.A\n the cat\n-\nD1.B\n a dog\n")
    [Head(start=0, text='--\nD1.A\n'), Head(start=17, text='-\nD1.B\n')]
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's warnings about the syntax of the pattern
        parsed = parser.parse(pattern, re.MULTILINE)
    if parsed.state.flags & ~_FLAGS:
        raise TooHard("it has flags")
    program = _Program(bool(parsed.state.flags & re.DOTALL))
    program.add(parsed)
    program.emit(("match",))
    return list(_matches(program.codes, text))


Code = tuple[Any, ...]


class _Program:
    """A compiled pattern: consume a character, split (first alternative preferred), or assert."""

    def __init__(self, dot_all: bool) -> None:
        self.codes: list[Code] = []
        self.dot_all = dot_all

    def emit(self, code: Code) -> int:
        if len(self.codes) >= MOST_STATES:
            raise TooHard(f"it has more than {MOST_STATES} states")
        self.codes.append(code)
        return len(self.codes) - 1

    def add(self, parts: Any) -> None:
        for op, given in parts:
            if op is ops.AT:
                self.emit(("at", _places[given]))
            elif op is ops.SUBPATTERN:
                if given[1] or given[2]:
                    raise TooHard("it has flags")
                self.add(given[3])
            elif op is ops.BRANCH:
                self.branch(given[1])
            elif op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
                self.repeat(given, eager=op is ops.MAX_REPEAT)
            else:
                self.emit(("take", self.test(op, given)))

    def branch(self, ways: Any) -> None:
        ends = []
        for way in ways[:-1]:
            split = self.emit(())
            self.add(way)
            ends.append(self.emit(()))
            self.codes[split] = ("split", split + 1, len(self.codes))
        self.add(ways[-1])
        for end in ends:
            self.codes[end] = ("split", len(self.codes), len(self.codes))

    def repeat(self, given: Any, eager: bool) -> None:
        least, most, parts = given
        if most > 1 and parts.getwidth()[0] == 0:
            raise TooHard("it repeats a part that may be empty")
        for _ in range(int(least)):
            self.add(parts)
        splits = []
        again = len(self.codes)
        if most is ops.MAXREPEAT:
            splits.append(self.emit(()))
            self.add(parts)
            self.emit(("split", again, again))
        else:
            for _ in range(int(most) - int(least)):
                splits.append(self.emit(()))
                self.add(parts)
        for split in splits:
            ways = (split + 1, len(self.codes))
            self.codes[split] = ("split", *(ways if eager else ways[::-1]))

    def test(self, op: Any, given: Any) -> Callable[[str], bool]:
        """The test whether a character is consumed."""
        if op is ops.LITERAL:
            wanted = chr(given)
            return lambda char: char == wanted
        if op is ops.NOT_LITERAL:
            other = chr(given)
            return lambda char: char != other
        if op is ops.ANY:
            return (lambda char: True) if self.dot_all else (lambda char: char != "\n")
        if op is ops.IN:
            inside = [self.member(*item) for item in given if item[0] is not ops.NEGATE]
            negated = len(inside) < len(given)
            return lambda char: any(test(char) for test in inside) is not negated
        raise TooHard("it uses look-around or back references")

    def member(self, op: Any, given: Any) -> Callable[[str], bool]:
        if op is ops.RANGE:
            low, high = map(chr, given)
            return lambda char: low <= char <= high
        if op is ops.CATEGORY:
            found = re.compile(_CATEGORIES[given]).match
            return lambda char: found(char) is not None
        return self.test(op, given)


def _is_word(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] == "_")


def _begins(text: str, at: int) -> bool:
    return at == 0 or text[at - 1] == "\n"


def _ends(text: str, at: int) -> bool:
    return at == len(text) or text[at] == "\n"


_places: dict[Any, Callable[[str, int], bool]] = {
    ops.AT_BEGINNING: _begins,
    ops.AT_BEGINNING_STRING: lambda text, at: at == 0,
    ops.AT_END: _ends,
    ops.AT_END_STRING: lambda text, at: at == len(text),
    ops.AT_BOUNDARY: lambda text, at: _is_word(text, at - 1) != _is_word(text, at),
    ops.AT_NON_BOUNDARY: lambda text, at: _is_word(text, at - 1) == _is_word(text, at),
}


def _matches(codes: list[Code], text: str) -> Iterator[Head]:
    walk = _Walk(codes, text)
    at = 0
    while at <= len(text):
        found = walk.first(at)
        if found is None:
            return
        yield Head(found[0], text[found[0] : found[1]])
        at = found[1] + (found[0] == found[1])


class _Walk:
    """Runs all alternatives in parallel, those with an earlier start first."""

    def __init__(self, codes: list[Code], text: str) -> None:
        self.codes, self.text = codes, text
        self.steps = 0

    def first(self, at: int) -> tuple[int, int] | None:
        """The start and end of the first match from `at` on."""
        ways: list[tuple[int, int]] = []  # code and start, by priority
        found = None
        while True:
            reached: list[tuple[int, int]] = []
            seen: set[int] = set()
            for code, begin in ways:
                self.follow(code, begin, at, reached, seen)
            if found is None:
                self.follow(0, at, at, reached, seen)
            ways = []
            for code, begin in reached:
                step = self.codes[code]
                if step[0] == "match":
                    found = (begin, at)
                    break  # all later ones have lower priority
                if at < len(self.text) and step[1](self.text[at]):
                    ways.append((code + 1, begin))
            if at >= len(self.text) or (found is not None and not ways):
                return found
            at += 1

    def follow(
        self, code: int, begin: int, at: int, reached: list[tuple[int, int]], seen: set[int]
    ) -> None:
        """Follow a step to the steps that consume a character or end the match, and add them."""
        waiting = [code]
        while waiting:
            code = waiting.pop()
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise TooHard(f"it takes more than {MOST_STEPS:,} steps")
            if code in seen:
                continue
            seen.add(code)
            step = self.codes[code]
            if step[0] == "split":
                waiting += (step[2], step[1])
            elif step[0] == "at":
                if step[1](self.text, at):
                    waiting.append(code + 1)
            else:
                reached.append((code, begin))
