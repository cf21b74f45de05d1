from collections.abc import Iterable, Sequence
from typing import TypeVar

_T = TypeVar("_T")

def pack(
    sizes: Sequence[int],
    trees: Sequence[str | None],
    texts: tuple[Sequence[str], ...],
    numbers: tuple[Sequence[int], ...],
    entities: Iterable[tuple[str, int, int]],
) -> bytes: ...
def is_packed(block: bytes, labels: Iterable[str]) -> bool: ...
def sealed(block: bytes) -> bytes: ...
def unsealed(
    rows: Iterable[tuple[bytes, bytes]],
    texts: dict[bytes, str],
    provider: str,
    kind: type[_T],
    labels: Iterable[str],
) -> dict[str, _T]: ...
def unpack(
    block: bytes, kind: type[_T]
) -> tuple[list[tuple[tuple[_T, ...], str | None]], list[tuple[str, int, int]]]: ...
