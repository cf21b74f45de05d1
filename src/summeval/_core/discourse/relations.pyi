from numpy import int16
from numpy.typing import NDArray
from typing_extensions import disjoint_base

_Component = tuple[bytes, NDArray[int16], list[float], list[float]]

@disjoint_base
class Relations:
    def __init__(
        self,
        components: dict[str, _Component],
        lexicon: list[list[bytes]],
        senses: list[tuple[bytes, int, int]],
        sense_kinds: list[int],
        neighbour_kinds: list[int],
    ) -> None: ...
    def find(self, blocks: list[bytes], workers: int = 1) -> list[bytes | None]: ...
