"""Conversion of Python sequences to columns of texts, or of lists of texts."""

from collections.abc import Iterable


def text(item: object, place: str, raw: bool = False) -> bytes | None:
    """The UTF-8 bytes of one text, or None; `place` names it in errors.

    Bytes are accepted only if `raw`.
    """
    if item is None or (raw and isinstance(item, bytes)):
        return item
    if not isinstance(item, str):
        raise TypeError(f"{place} is {type(item).__name__}, expected str or None")
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
