from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

class _Line(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def starts(self) -> list[int] | None: ...
    @property
    def ends(self) -> list[int] | None: ...

def instruction_sets() -> list[str]: ...

class Parser:
    def __init__(self, sections: dict[str, bytes], instructions: str | None = None) -> None: ...
    def parse(
        self,
        texts: Sequence[Iterable[tuple[int, _Line]]],
        entities: bool = True,
        lemmas: bool = True,
        workers: int = 1,
    ) -> list[bytes]: ...

class WordParser:
    def __init__(self, sections: dict[str, bytes], instructions: str | None = None) -> None: ...
    def parse(
        self, words: npt.NDArray[np.uint64], ends: npt.NDArray[np.uint32], entities: bool = True
    ) -> tuple[list[str], list[int], list[str], list[bool], list[tuple[int, int, str]]]: ...
