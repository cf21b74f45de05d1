from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from typing_extensions import disjoint_base

_NodeRow = tuple[tuple[int, ...], bool, int, bool, bool, int, int, int]
_LinkRow = tuple[int, tuple[int, ...], int, int, int]

KINDS: tuple[str, ...]
MOST_LEVELS: int

class _Tree(Protocol):
    @property
    def labels(self) -> Sequence[str]: ...
    @property
    def parents(self) -> Sequence[int]: ...
    @property
    def heads(self) -> Sequence[int]: ...
    @property
    def head_tokens(self) -> Sequence[int]: ...
    @property
    def tokens(self) -> Sequence[int]: ...
    @property
    def forms(self) -> Sequence[str]: ...

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
        clausal: Iterable[str] = (),
        clausal_kinds: Iterable[str] = (),
        be: int = 0,
        negations: int = 0,
        renames: Mapping[int, Sequence[tuple[int, int]]] | None = None,
        by_relation: Mapping[int, Sequence[int]] | None = None,
        anywhere: Sequence[int] = (),
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
    def extract_trees(
        self,
        trees: Iterable[_Tree],
        units: Iterable[tuple[str, str]],
        over: Sequence[int],
        places: bool = False,
    ) -> Elements: ...
