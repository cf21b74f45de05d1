"""Columns: of Python sequences, of lines of JSON, and of packed documents."""

import itertools
import json
import struct
from collections.abc import Iterable
from typing import Any

from summeval._options import no_text


def text(item: object, place: str, raw: bool = False) -> bytes | None:
    """The UTF-8 bytes of one text, or None; `place` names it in errors.

    Bytes are accepted only if `raw`.
    """
    if item is None or (raw and isinstance(item, bytes)):
        return item
    if not isinstance(item, str):
        raise TypeError(no_text(item, place))
    try:
        return item.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{place} contains an unpaired surrogate at character {error.start}; replace it first"
        ) from None


def texts(rows: Iterable[object], name: str, raw: bool = False) -> list[bytes | None]:
    """One text per row.

    >>> texts(["the cat", None], "candidates")
    [b'the cat', None]
    """
    return [text(item, f"{name}[{row}]", raw) for row, item in enumerate(rows)]


def references(rows: Iterable[object], name: str, raw: bool = False) -> list[list[bytes | None]]:
    """A list of texts per row; a single text is a list of one, None an empty list.

    >>> references(["the cat", ["a", None], None], "references")
    [[b'the cat'], [b'a', None], []]
    """
    lists: list[list[bytes | None]] = []
    for row, source in enumerate(rows):
        if source is None:
            lists.append([])
        elif isinstance(source, str) or (raw and isinstance(source, bytes)):
            lists.append([text(source, f"{name}[{row}][0]", raw)])
        elif isinstance(source, (bytes, dict, set, frozenset, bytearray)) or not isinstance(
            source, Iterable
        ):
            raise TypeError(
                f"{name}[{row}] is {type(source).__name__}, expected str, a list of str, or None"
            )
        else:
            lists.append(
                [text(item, f"{name}[{row}][{place}]", raw) for place, item in enumerate(source)]
            )
    return lists


def sizes(rows: list[list[bytes | None]]) -> list[int]:
    """How many texts each row has, None not counted.

    >>> sizes([[b"a"], [b"b", None], []])
    [1, 1, 0]
    """
    return [len(row) for row in present(rows)]


def present(rows: list[list[bytes | None]]) -> list[list[bytes]]:
    """The rows without None.

    >>> present([[b"a", None], [None]])
    [[b'a'], []]
    """
    return [[item for item in row if item is not None] for row in rows]


def items(rows: list[list[bytes | None]]) -> list[bytes]:
    """The texts of all rows without None.

    >>> items([[b"a", None], [b"b", b"c"]])
    [b'a', b'b', b'c']
    """
    return [item for row in present(rows) for item in row]


def distinct(rows: list[list[bytes | None]]) -> tuple[list[int], list[int]]:
    """Each row that differs from all before it, and for each row where it is among these.

    >>> distinct([[b"a", b"b"], [b"c"], [b"a", b"b"]])
    ([0, 1], [0, 1, 0])
    """
    known: list[list[bytes | None]] = []
    first, places = [], []
    for number, row in enumerate(rows):
        if row not in known:
            known.append(row)
            first.append(number)
        places.append(known.index(row))
    return first, places


def read_document(block: bytes) -> dict[str, list[object]]:
    """The columns of a packed document, whose layout `_core/documents/packed.hpp` describes.

    Strings take the place of their numbers, and None that of a missing tree.
    """
    at = 0

    def take(kind: str, count: int) -> list[int]:
        nonlocal at
        numbers = struct.unpack_from(f"<{count}{kind}", block, at)
        at += 4 * count
        return list(numbers)

    _, _, size, _, tokens, sentences, entities, strings, string_bytes = take("I", 9)
    assert size == len(block)
    columns: dict[str, list[object]] = {"starts_of_sentences": [*take("I", sentences + 1)]}
    numbered = {"trees": take("I", sentences)}
    for name in ("forms", "tags", "lemmas", "labels"):
        numbered[name] = take("I", tokens)
    for name in ("heads", "starts", "ends"):
        columns[name] = [*take("i", tokens)]
    numbered["entity_labels"] = take("I", entities)
    columns["entity_firsts"], columns["entity_lasts"] = (
        [*take("I", entities)],
        [*take("I", entities)],
    )
    offsets = take("I", strings + 1)
    assert offsets[-1] == string_bytes and at + (string_bytes + 3) // 4 * 4 == size
    pairs = itertools.pairwise(offsets)
    known = [block[at + a : at + b].decode("utf-8", "surrogatepass") for a, b in pairs]
    for name, numbers in numbered.items():
        columns[name] = [None if k == 0xFFFFFFFF else known[k] for k in numbers]
    return columns


def json_row(line: str) -> tuple[str, str | None, list[str], list[str]] | None:
    """A line of JSON: its carried columns as JSON, candidate, references and documents of source.

    None for a line that is not such a row.

    >>> json_row('{"id": 1.50, "candidate": "a cat", "references": ["a", null]}')
    ('{"id": 1.5}', 'a cat', ['a'], [])
    """
    try:
        row = json.loads(line, parse_constant=lambda _: None)
        candidate, references = row.pop("candidate"), row.pop("references")
        source = row.pop("source", None)
        carried = json.dumps(row, ensure_ascii=False, allow_nan=False)
        f"{carried}{candidate}{references}{source}".encode()
    except (ValueError, TypeError, LookupError, AttributeError):
        return None
    kept = [_documents(references), _documents(source)]
    if not isinstance(candidate, str | None) or None in kept:
        return None
    return carried, candidate, kept[0] or [], kept[1] or []


def _documents(value: Any) -> list[str] | None:
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str | None) for item in items):
        return None
    return [item for item in items if item is not None]
