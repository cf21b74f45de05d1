"""Odd lines of JSON."""

from __future__ import annotations

import random

STRINGS = ["a cat", "", "é", "\\u00e9", "\\ud83d\\ude00", "😀", "\\n", '\\"', "\\\\", "\\/"]
STRINGS += ["\\b\\f\\r\\t", "\\u0000", "\\u001f", "\x7f", "кошка", "\\u0041", "x" * 15, "y" * 33]
BAD_STRINGS = [
    "\\ud83d",
    "\\ude00",
    "\\ude00\\ude01",
    "\\x",
    "\\u12",
    "\\u12g4",
    "\t",
    "\x01",
    '"',
    "\\ud83d\\u0041",
    "\\ud83d\\ue000",
    "\\ud83d\\ud83d",
    "\\ud83d\\n0041",
    "\\ud83d\\nde00",
    "\\ud83dxude00",
]
NUMBERS = ["0", "-0", "1", "-17", "1234567890123456789012", "0.5", "-0.0", "0.0", "1.0", "1.50"]
NUMBERS += ["1e5", "1E5", "1e-7", "1E+22", "123456789012345678.0", "0.30000000000000004", "1e15"]
NUMBERS += ["5e-324", "2.2250738585072014e-308", "0.0001", "0.00001", "9007199254740993.0", "1e16"]
NUMBERS += ["123456.789", "100.0", "0.00010", "1.7976931348623157e308", "4.35", "1." + "3" * 15]
NUMBERS += ["1e999", "-1e999", "1e-400", "NaN", "Infinity", "-Infinity"]
BAD_NUMBERS = ["01", "1.", "-", ".5", "1e", "+1", "0x1", "1_0", "nul", "True", "--1"]
KEYS = [
    '"id"',
    '"n"',
    '"k\\u00e9"',
    '"ké"',
    '"error"',
    '""',
    '"a b"',
    '"x"',
    '"\\"q"',
    '"i\\u0064"',
]


def _string(rng: random.Random) -> str:
    parts = [rng.choice(STRINGS) for _ in range(rng.randint(0, 4))]
    if rng.random() < 0.01:
        parts.append(rng.choice(BAD_STRINGS))
    return '"' + "".join(parts) + '"'


def _number(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.01:
        return rng.choice(BAD_NUMBERS)
    if kind < 0.5:
        return rng.choice(NUMBERS)
    return repr(rng.choice([rng.random(), rng.random() * 10.0 ** rng.randint(-25, 25)]))


def _blank(rng: random.Random) -> str:
    return rng.choice(["", "", "", " ", "\t", "\r", "  "])


def _joined(rng: random.Random, parts: list[str]) -> str:
    return _blank(rng) + (_blank(rng) + "," + _blank(rng)).join(parts) + _blank(rng)


def _member(rng: random.Random, key: str, value: str) -> str:
    return f"{key}{_blank(rng)}:{_blank(rng)}{value}"


def _value(rng: random.Random, depth: int = 0) -> str:
    kind = rng.random()
    if kind < 0.35:
        return _string(rng)
    if kind < 0.7:
        return _number(rng)
    if kind < 0.8 or depth > 3:
        return rng.choice(["true", "false", "null"])
    size = rng.randint(0, 3)
    if kind < 0.9:
        return "[" + _joined(rng, [_value(rng, depth + 1) for _ in range(size)]) + "]"
    keys = [rng.choice(KEYS) for _ in range(size)]
    return "{" + _joined(rng, [_member(rng, k, _value(rng, depth + 1)) for k in keys]) + "}"


def _texts(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.02:
        return _value(rng)
    if kind < 0.3:
        return rng.choice([_string(rng), "null"])
    items = [rng.choice([_string(rng), _string(rng), "null"]) for _ in range(rng.randint(0, 3))]
    return "[" + _joined(rng, items) + "]"


def odd_line(rng: random.Random) -> str:
    """A line that is mostly an object with a candidate and references, oddly written."""
    members = [_member(rng, rng.choice(KEYS), _value(rng)) for _ in range(rng.randint(0, 2))]
    members.append(_member(rng, '"candidate"', rng.choice([_string(rng), _texts(rng)])))
    members.append(_member(rng, '"references"', _texts(rng)))
    if rng.random() < 0.3:
        members.append(_member(rng, '"source"', _texts(rng)))
    if rng.random() < 0.2:
        rng.shuffle(members)
    line = _blank(rng) + "{" + _joined(rng, members) + "}" + _blank(rng)
    kind = rng.random()
    if kind < 0.02:
        place = rng.randint(0, len(line))
        line = line[:place] + rng.choice([*'{}[]",:\\x', ""]) + line[place + 1 :]
    return line[: rng.randint(0, len(line))] if kind > 0.99 else line
