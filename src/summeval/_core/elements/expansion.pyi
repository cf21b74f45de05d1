from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from numpy import float64, int64
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from summeval._core.elements.extraction import Elements

COEFFICIENTS: tuple[str, ...]
RULES: tuple[str, ...]
GROUPS: tuple[str, ...]
ENTITIES: tuple[str, ...]
WEIGHTS: tuple[str, ...]

_Edges = tuple[NDArray[int64], NDArray[int64], NDArray[float64]]

class _Element(Protocol):
    @property
    def rule(self) -> str: ...
    @property
    def parts(self) -> tuple[tuple[str, str], ...]: ...

@disjoint_base
class Names:
    def __init__(self, titles: Iterable[str], suffixes: Iterable[str], original: bool) -> None: ...
    def person(self, text: str) -> tuple[str, str, str, frozenset[str]]: ...
    def acronyms(self, text: str, kind: str) -> list[str]: ...
    def shortened(self, text: str, kind: str) -> str | None: ...
    def redotted(self, text: str) -> str | None: ...

@disjoint_base
class Document:
    @property
    def lexicon(self) -> Lexicon: ...
    def __len__(self) -> int: ...

@disjoint_base
class Lexicon:
    def __init__(
        self,
        resources: Any,
        coefficients: dict[str, float],
        kind_of: Callable[[str], tuple[str, int, bool]],
        rules: Mapping[str, Iterable[str]],
        tables: Mapping[str, Any],
        hyper: bool,
    ) -> None: ...
    @property
    def strings(self) -> int: ...
    @property
    def parts(self) -> int: ...
    def weigh(self, coefficients: dict[str, float]) -> None: ...
    def read(
        self, elements: Iterable[_Element] | Elements, duplicates: bool = True
    ) -> Document: ...
    def read_all(
        self, texts: Sequence[Iterable[_Element] | Elements], duplicates: bool = True
    ) -> list[Document]: ...
    def match(
        self, candidates: list[Document], references: list[list[Document]], workers: int = 1
    ) -> list[tuple[list[_Edges], list[NDArray[int64]], int]]: ...
    def recalls(
        self,
        candidates: list[Document],
        references: list[list[Document]],
        weights: str,
        jackknife: bool,
        workers: int = 1,
    ) -> list[list[float]]: ...
