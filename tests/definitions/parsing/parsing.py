"""The networks of the compiled parser in plain NumPy: the same numbers, step by step.

Products are sums of whole numbers, exact in any order. Floats have 32 bits, and sums of 96 of them
are taken in 16 lanes, which are then folded in halves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

WIDTH, HIDDEN, LANES = 96, 64, 16
MOST = np.float32(8191)  # of a row in whole numbers
LEAST = np.float32(1e-30)  # rows of less are zeros
DEPTH = 4  # convolutions; as many rows of zeros beside a line matter


class Rows(NamedTuple):
    """Rows in whole numbers, and what 1 stands for in each."""

    whole: Whole
    scales: Floats


class Matrix(NamedTuple):
    """An affine map; the whole numbers of a row stand for themselves times its scale."""

    whole: Whole
    scales: Floats
    addends: Floats

    def __call__(self, rows: Rows) -> Floats:
        sums = (rows.whole @ self.whole.T).astype(np.float32)
        return sums * rows.scales[:, None] * self.scales + self.addends


class Reader:
    """Reads the numbers of a section."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, kind: str, count: int) -> npt.NDArray[np.generic]:
        found = np.frombuffer(self._data, kind, count, self._at)
        self._at += found.nbytes
        return found

    def number(self) -> int:
        return int(self.take("<u4", 1)[0])

    def floats(self, count: int) -> Floats:
        return self.take("<f4", count).astype(np.float32)

    def packed(self, count: int, bits: int) -> Whole:
        """Numbers of so many bits, the low bits first."""
        digits = np.unpackbits(self.take("u1", count // 8 * bits), bitorder="little")
        numbers = digits.reshape(-1, bits).astype(np.int64) @ (1 << np.arange(bits))
        return np.where(numbers >> (bits - 1), numbers - (1 << bits), numbers)

    def matrix(self) -> Matrix:
        rows, columns = self.number(), self.number()
        scales, addends = self.floats(rows), self.floats(rows)
        return Matrix(self.packed(rows * columns, 14).reshape(rows, columns), scales, addends)


def sums_of(rows: Floats) -> Floats:
    """The sum of each row of 96 numbers.

    >>> float(sums_of(np.ones((1, 96), np.float32))[0])
    96.0
    """
    lanes = rows.reshape(len(rows), -1, LANES)
    total = lanes[:, 0]
    for part in range(1, lanes.shape[1]):
        total = total + lanes[:, part]
    while total.shape[1] > 1:
        half = total.shape[1] // 2
        total = total[:, :half] + total[:, half:]
    return total[:, 0]


def quantized(rows: Floats) -> Rows:
    """Rows in whole numbers, whose largest is 8191.

    >>> quantized(np.float32([[0.5, -1.0]])).whole.tolist()
    [[4096, -8191]]
    """
    most = np.abs(rows).max(axis=1)
    inverse = np.divide(MOST, most, out=np.zeros_like(most), where=most > LEAST)
    return Rows(np.rint(rows * inverse[:, None]).astype(np.int64), most / MOST)


@dataclass
class Maxout:
    """The largest of three affine maps of some rows together, then layer norm."""

    map: Matrix
    gain: Floats
    shift: Floats

    @classmethod
    def read(cls, reader: Reader) -> Maxout:
        return cls(reader.matrix(), reader.floats(WIDTH), reader.floats(WIDTH))

    def __call__(self, blocks: Sequence[Rows]) -> Floats:
        parts = self.map.whole.reshape(-1, len(blocks), WIDTH)
        sums = np.zeros((len(blocks[0].whole), len(parts)), np.float32)
        for number, rows in enumerate(blocks):
            products = (rows.whole @ parts[:, number].T).astype(np.float32)
            sums = sums + products * rows.scales[:, None]
        pieces = (sums * self.map.scales + self.map.addends).reshape(len(sums), WIDTH, 3)
        best = pieces.max(axis=2)
        rest = best - (sums_of(best) / np.float32(WIDTH))[:, None]
        spread = sums_of(rest * rest) / np.float32(WIDTH) + np.float32(1e-8)
        factor = np.float32(1) / np.sqrt(spread)
        return rest * factor[:, None] * self.gain + self.shift


def hashed(number: int, seed: int) -> list[int]:
    """MurmurHash3 (128 bits) of the eight bytes of a number, in four parts."""
    mask = (1 << 64) - 1

    def mixed(h: int) -> int:
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            h = (h ^ h >> 33) * factor & mask
        return h ^ h >> 33

    first = number * 0x87C37B91114253D5 & mask
    first = (first << 31 | first >> 33) & mask
    first = (first * 0x4CF5AD432745937F & mask) ^ seed ^ 8
    second = seed ^ 8
    first = first + second & mask
    second = second + first & mask
    first, second = mixed(first), mixed(second)
    first = first + second & mask
    second = second + first & mask
    return [part for half in (first, second) for part in (half & 0xFFFFFFFF, half >> 32)]


class Encoder:
    """From the attributes of words to vectors of tokens in their line."""

    def __init__(self, section: bytes) -> None:
        reader = Reader(section)
        tables, depth = reader.number(), reader.number()
        self.tables: list[tuple[Floats, int]] = []
        for _ in range(tables):
            rows, seed = reader.number(), reader.number()
            scales = reader.floats(1) * reader.take("u1", rows).astype(np.float32)
            whole = reader.packed(rows * WIDTH, 12).reshape(rows, WIDTH)
            self.tables.append((whole.astype(np.float32) * scales[:, None], seed))
        self.mix = Maxout.read(reader)
        self.layers = [Maxout.read(reader) for _ in range(depth)]

    def __call__(self, words: Sequence[Sequence[int]]) -> Rows:
        """The vectors of the words (norm, prefix, suffix, shape, flags) of a line."""
        blocks = []
        for column, (table, seed) in enumerate(self.tables):
            found = [
                sum(table[row % len(table)] for row in hashed(attributes(word)[column], seed))
                for word in words
            ]
            blocks.append(quantized(np.stack(found)))
        mixed = quantized(self.mix(blocks))
        beside = ((DEPTH, DEPTH), (0, 0))
        rows = Rows(np.pad(mixed.whole, beside), np.pad(mixed.scales, DEPTH))
        vectors = rows.whole.astype(np.float32) * rows.scales[:, None]
        for layer in self.layers:
            padded = Rows(np.pad(rows.whole, ((1, 1), (0, 0))), np.pad(rows.scales, 1))
            window = [
                Rows(padded.whole[k : k + len(vectors)], padded.scales[k : k + len(vectors)])
                for k in range(3)
            ]
            vectors = vectors + layer(window)
            rows = quantized(vectors)
        return Rows(rows.whole[DEPTH:-DEPTH], rows.scales[DEPTH:-DEPTH])


def attributes(word: Sequence[int]) -> tuple[int, ...]:
    """The columns of the tables: the last two are whether a blank follows, and white space."""
    return (*word[:4], word[4] & 1, word[4] >> 1)


class Decider:
    """Scores moves from the tokens of a state."""

    def __init__(self, section: bytes, slots: int) -> None:
        reader = Reader(section)
        self.map = reader.matrix()
        self.absent = reader.floats(slots * 2 * HIDDEN).reshape(slots, -1)
        self.bias = reader.floats(2 * HIDDEN)
        self.last = reader.matrix()
        self.slots = slots

    def given(self, rows: Rows) -> Floats:
        """What each token gives to each slot."""
        return self.map(rows).reshape(len(rows.whole), self.slots, -1)

    def best(self, given: Floats, tokens: Sequence[int], valid: npt.NDArray[np.bool_]) -> int:
        """The first of the valid moves with the highest score; a token is -1 if absent."""
        parts = [
            self.absent[slot] if token < 0 else given[token, slot]
            for slot, token in enumerate(tokens)
        ]
        sums = parts[0]
        for part in (*parts[1:], self.bias):
            sums = sums + part
        hidden = quantized(sums.reshape(HIDDEN, 2).max(axis=1)[None])
        scores = self.last(hidden)[0]
        return int(np.argmax(np.where(valid, scores, -np.inf)))


def parsed(
    decider: Decider, moves: Sequence[str], rows: Rows, spaces: Sequence[bool]
) -> tuple[list[int], list[str], list[bool]]:
    """Heads (of a root, itself), labels, and where sentences begin: arc-eager moves with Break."""
    given = decider.given(rows)
    length = len(spaces)
    heads, labels = [-1] * length, ["ROOT"] * length
    left: list[list[int]] = [[] for _ in spaces]
    right: list[list[int]] = [[] for _ in spaces]
    stack: list[int] = []
    buffer = list(range(length))
    back: set[int] = set()  # words that went back to the buffer, not to be shifted again
    breaks: set[int] = set()
    while stack or buffer:
        first, second = (*buffer[:2], -1, -1)[:2]
        top = (*stack[::-1], -1, -1, -1)[:3]
        inside = bool(buffer) and first not in breaks
        can = {
            "S": not stack or (len(buffer) > 1 and inside and first not in back),
            "D": bool(stack),
            "L": bool(stack) and inside,
            "R": bool(stack) and inside,
            "B": len(buffer) > 1 and second == first + 1 and second not in breaks,
        }
        tokens = (
            *(first, second, *top),
            *(last(left, first), last(left, top[0]), last(right, top[0])),
        )
        move = moves[decider.best(given, tokens, np.array([can[name[0]] for name in moves]))]
        label = move[2:]
        if move[0] == "S":
            stack.append(buffer.pop(0))
        elif move[0] == "D":
            if heads[top[0]] < 0 and len(stack) > 1:
                back.add(top[0])
                buffer.insert(0, top[0])
            stack.pop()
        elif move[0] == "L":
            if heads[top[0]] >= 0:
                right[heads[top[0]]].remove(top[0])
            left[first].append(top[0])
            heads[top[0]], labels[top[0]] = first, label
            back.discard(first)
            stack.pop()
        elif move[0] == "R":
            right[top[0]].append(first)
            heads[first], labels[first] = top[0], label
            stack.append(buffer.pop(0))
        else:
            breaks.add(second)
    heads = [token if head < 0 else head for token, head in enumerate(heads)]
    for token, label in enumerate(labels):
        plain, split, of_head = label.partition("||")
        if split:
            heads[token] = head_with(of_head, token, heads, labels, spaces)
            labels[token] = plain
    below = {token: min(under(token, heads)) for token in range(length) if heads[token] == token}
    return heads, labels, [token == 0 or token in below.values() for token in range(length)]


def last(children: Sequence[Sequence[int]], token: int) -> int:
    """The child of a token that was found last, or -1."""
    return children[token][-1] if token >= 0 and children[token] else -1


def head_with(
    label: str, token: int, heads: Sequence[int], labels: Sequence[str], spaces: Sequence[bool]
) -> int:
    """The nearest token with a label below a token's head, or that head."""
    level = [heads[token]]
    while level:
        level = [
            child
            for above in level
            for child, head in enumerate(heads)
            if head == above != child != token and not spaces[child]
        ]
        found = [child for child in level if labels[child] == label]
        if found:
            return found[0]
    return heads[token]


def under(token: int, heads: Sequence[int]) -> Iterator[int]:
    """A token and all tokens below it.

    >>> list(under(1, [1, 1, 0]))
    [1, 0, 2]
    """
    yield token
    for child, head in enumerate(heads):
        if head == token != child:
            yield from under(child, heads)


def entities_of(
    decider: Decider,
    moves: Sequence[str],
    rows: Rows,
    starts: Sequence[bool],
    spaces: Sequence[bool],
) -> Iterator[tuple[int, int, str]]:
    """First token, last token and label of each entity: moves Begin, In, Last, Unit and Out."""
    given = decider.given(rows)
    begun, label = -1, ""
    for token, space in enumerate(spaces):
        goes_on = token + 1 < len(spaces) and not starts[token + 1]

        can = partial(is_valid, open_label=label, goes_on=goes_on, space=space)
        tokens = (token, begun, -1 if begun < 0 else token - 1)
        move = moves[decider.best(given, tokens, np.array([can(name) for name in moves]))]
        kind, _, of = move.partition("-")
        if kind == "B":
            begun, label = token, of
        elif kind == "U":
            yield token, token, of
        elif kind == "L":
            yield begun, token, of
            begun, label = -1, ""


def is_valid(move: str, open_label: str, goes_on: bool, space: bool) -> bool:
    """Whether a move is valid; `open_label` is that of the entity so far, or empty.

    >>> [is_valid(move, "", goes_on=False, space=False) for move in ("B-ORG", "U-ORG", "O")]
    [False, True, True]
    """
    kind, _, label = move.partition("-")
    if open_label:
        return label == open_label and (kind == "L" or (kind == "I" and goes_on))
    if not label:
        return kind == "O"
    return not space and (kind == "U" or (kind == "B" and goes_on))


class Networks:
    """All networks of a model's sections."""

    def __init__(self, sections: dict[str, bytes]) -> None:
        lines = {name: sections[name].decode().split("\n") for name in ("tags", "moves")}
        self.tags, self.moves = lines["tags"], lines["moves"]
        self.entity_moves = sections["entity_moves"].decode().split("\n")
        self.words, self.entity_words = (
            Encoder(sections[name]) for name in ("words", "entity_words")
        )
        self.tagger = Reader(sections["tagger"]).matrix()
        self.parser = Decider(sections["parser"], 8)
        self.entities = Decider(sections["entities"], 3)

    def __call__(
        self, words: Sequence[Sequence[int]]
    ) -> tuple[list[str], list[int], list[str], list[bool], list[tuple[int, int, str]]]:
        """Tags, heads, labels, starts of sentences, and entities of a line."""
        rows = self.words(words)
        spaces = [bool(word[4] >> 1) for word in words]
        best = self.tagger(rows).argmax(axis=1)
        tags = ["_SP" if space else self.tags[tag] for tag, space in zip(best, spaces, strict=True)]
        heads, labels, starts = parsed(self.parser, self.moves, rows, spaces)
        found = entities_of(
            self.entities, self.entity_moves, self.entity_words(words), starts, spaces
        )
        return tags, heads, labels, starts, list(found)
