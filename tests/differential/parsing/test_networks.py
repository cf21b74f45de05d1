"""The networks of the compiled parser, bit for bit as defined, in every instruction set."""

from __future__ import annotations

import random

import numpy as np
import pytest
from definitions.parsing.parsing import Networks

from summeval._core.parsing.parsing import Parser, WordParser, instruction_sets
from summeval.annotate import compiled

SECTIONS = compiled.sections()
LENGTHS = (1, 2, 3, 7, 8, 9, 30, 61)


@pytest.fixture(scope="module")
def lines() -> list[list[list[int]]]:
    """Lines of words with attributes at random, few distinct ones; some are white space."""
    draw = random.Random(11)
    numbers = [[draw.getrandbits(64) for _ in range(size)] for size in (40, 12, 25, 10)]

    def word() -> list[int]:
        # Strings are drawn as in texts, of which a few make up most.
        known = [of[min(int(draw.expovariate(0.2)), len(of) - 1)] for of in numbers]
        return [*known, draw.choice((0, 1, 1, 1, 2 if draw.random() < 0.3 else 1))]

    return [[word() for _ in range(length)] for length in LENGTHS for _ in range(3)]


@pytest.fixture(scope="module")
def expected(lines: list[list[list[int]]]) -> list[object]:
    networks = Networks(SECTIONS)
    return [networks(line) for line in lines]


def analysed(parser: WordParser, lines: list[list[list[int]]]) -> list[object]:
    """What the kernel finds in lines that it reads together, line by line."""
    words = np.array([word for line in lines for word in line], dtype=np.uint64)
    ends = np.cumsum([len(line) for line in lines]).astype(np.uint32)
    tags, heads, labels, starts, entities = parser.parse(words, ends)
    found: list[object] = []
    for line, end in zip(lines, ends.tolist(), strict=True):
        first = end - len(line)
        spans = [(a - first, b - first, kind) for a, b, kind in entities if first <= a < end]
        parts = (column[first:end] for column in (tags, heads, labels, starts))
        found.append((*parts, spans))
    return found


@pytest.mark.parametrize("instructions", instruction_sets())
def test_networks_are_as_defined(
    instructions: str, lines: list[list[list[int]]], expected: list[object]
) -> None:
    assert analysed(WordParser(SECTIONS, instructions), lines) == expected


def test_lines_are_read_by_themselves(lines: list[list[list[int]]], expected: list[object]) -> None:
    parser = WordParser(SECTIONS)
    order = random.Random(3).sample(range(len(lines)), len(lines))
    assert analysed(parser, [lines[k] for k in order]) == [expected[k] for k in order]


def test_other_instructions_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot run 'abacus'; it runs "):
        WordParser(SECTIONS, "abacus")


@pytest.mark.parametrize("name", sorted({*SECTIONS} - {"patterns"}))
def test_damaged_sections_are_refused(name: str) -> None:
    cut = () if name in ("tags", "moves", "entity_moves") else (-1, 3)  # lines may end anywhere
    for data in (*(SECTIONS[name][:end] for end in cut), b""):
        with pytest.raises(ValueError, match="the parser's model is damaged"):
            Parser({**SECTIONS, name: data})
    without = {key: data for key, data in SECTIONS.items() if key != name}
    with pytest.raises(ValueError, match=f"it has no section {name}"):
        Parser(without)
