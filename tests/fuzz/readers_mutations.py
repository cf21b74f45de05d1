"""Invalid files made from valid ones: bytes, lines, numbers and JSON values changed at random.

All chance comes from the `random.Random` that is passed in, so a seed names a file.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

_PIECES = [
    b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\\ud800", b"\n", b"\r", b"\n\n", b'"', b"'", b"<",
    b">", b"&", b"&amp;", b"&#0;", b"&#1114111;", b"&x;", b"<!--", b"]]>", b"|", b";", b"..", b"(",
    b")", b"((", b"[", b"]", b"{", b"}", b",", b"\t", b" ", b"#", b"# newdoc\n", b"#ner PER 1 1\n",
    b"NaN", b"null", b"Infinity", b"-", b"_", b"\xe2\x80\xa8", b"\x1f\x8b", b"PAR1", b"ARROW1",
]  # fmt: skip
_NUMBERS = [
    b"-1", b"0", b"1", b"2147483648", b"-2147483649", b"9223372036854775808", b"1e400", b"-1e400",
    b"1.5", b"99999999999999999999999", b"9" * 5000, b"1_0", b"0x10", "\u0663".encode(), b"",
]  # fmt: skip
_NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one to four changes, of JSON mostly in its values."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if chance.random() < 0.5:
            changed = _in_json(data, chance)
            if changed is not None:
                data = changed
                continue
        data = chance.choice(_CHANGES)(data, chance)
    return data


def _span(data: bytes, chance: random.Random, most: int = 40) -> tuple[int, int]:
    begin = chance.randint(0, len(data))
    return begin, min(len(data), begin + chance.randint(1, most))


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return b"\x01"
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _remove(data: bytes, chance: random.Random) -> bytes:
    begin, end = _span(data, chance)
    return data[:begin] + data[end:]


def _repeat(data: bytes, chance: random.Random) -> bytes:
    begin, end = _span(data, chance)
    return data[:begin] + data[begin:end] * chance.choice((2, 2, 3, 300)) + data[end:]


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(_PIECES) * chance.choice((1, 1, 1, 2, 1500)) + data[at:]


def _number(data: bytes, chance: random.Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return _insert(data, chance)
    match = chance.choice(found)
    return data[: match.start()] + chance.choice(_NUMBERS) + data[match.end() :]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    way = chance.randrange(3)
    if way == 0:
        lines[one], lines[other] = lines[other], lines[one]
    elif way == 1:
        lines.insert(other, lines[one])
    else:
        del lines[one]
    return b"\n".join(lines)


_CHANGES = (_flip, _remove, _repeat, _cut, _insert, _number, _lines)


def odd_values(chance: random.Random) -> Any:
    """A JSON value that hardly any reader waits for."""
    values: list[Any] = [
        None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**400, 1.5, float("inf"),
        float("-inf"), float("nan"), "", "x", "x" * 3000, "\0", "\ud800", "\n", [], [[]], ["d"],
        [None], [1], [1, 2], [[1, 2], 3], {}, {"a": 1}, {"": None}, [0] * 3000,
    ]  # fmt: skip
    if chance.random() < 0.05:
        deep: Any = 0
        for _ in range(400):
            deep = [deep]
        return deep
    return chance.choice(values)


def _in_json(data: bytes, chance: random.Random) -> bytes | None:
    """The file with a value of its JSON, or of that on a line, changed; None where it has none."""
    try:
        return _dumped(change_value(json.loads(data), chance))
    except (ValueError, RecursionError):
        pass
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return None
    lines[at] = _dumped(change_value(value, chance))
    return b"\n".join(lines)


def _dumped(value: Any) -> bytes:
    return json.dumps(value).replace("Infinity", "1e400").encode("utf-8", "surrogatepass")


def change_value(value: Any, chance: random.Random) -> Any:
    """A JSON value in which one value, at any depth, is odd, gone, or there twice."""
    if not isinstance(value, (dict, list)) or not value or chance.random() < 0.12:
        return odd_values(chance)
    if isinstance(value, dict):
        key = chance.choice(list(value))
        changed = dict(value)
        way = chance.random()
        if way < 0.15:
            del changed[key]
        elif way < 0.25:
            changed[chance.choice((key + "x", "", "type", "id"))] = changed.pop(key)
        else:
            changed[key] = change_value(value[key], chance)
        return changed
    at = chance.randrange(len(value))
    items = list(value)
    way = chance.random()
    if way < 0.1:
        del items[at]
    elif way < 0.2:
        items.insert(at, items[at])
    else:
        items[at] = change_value(items[at], chance)
    return items
