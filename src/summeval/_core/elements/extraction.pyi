from collections.abc import Iterable, Mapping, Sequence

from typing_extensions import disjoint_base

_NodeRow = tuple[tuple[int, ...], bool, int, bool, bool, int, int, int]
_LinkRow = tuple[int, tuple[int, ...], int, int, int]

KINDS: tuple[str, ...]
MOST_LEVELS: int

@disjoint_base
class Elements:
    @staticmethod
    def of(rows: Iterable[tuple[str, tuple[tuple[str, str], ...]]]) -> Elements: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    def __len__(self) -> int: ...
    def rows(self) -> list[tuple[str, tuple[tuple[str, str], ...]]]: ...
    def places(self) -> list[tuple[tuple[int, int], ...]]: ...

@disjoint_base
class Rules:
    def __init__(
        self,
        names: tuple[str, ...],
        nodes: Iterable[_NodeRow],
        links: Iterable[_LinkRow],
        rules: Iterable[tuple[int, int, tuple[int, ...]]],
        *,
        tags: Mapping[str, int],
        relations: Mapping[str, int],
        words: Iterable[Iterable[str]],
        closed: Iterable[str],
        verbs: Iterable[str],
        clausal: Iterable[str],
        clausal_kinds: Iterable[str],
        be: int,
        negations: int,
        renames: Mapping[int, Sequence[tuple[int, int]]],
        by_relation: Mapping[int, Sequence[int]],
        anywhere: Sequence[int],
    ) -> None: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    def extract(
        self,
        blocks: list[bytes | None],
        texts: list[str],
        rules: str = "auto",
        workers: int = 1,
        units: Sequence[tuple[Sequence[tuple[str, int, int]], Sequence[int]]] | None = None,
        places: bool = False,
    ) -> list[Elements | None]: ...
