from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import disjoint_base

from summeval._core.columns.columns import TextColumn
from summeval._core.rows.kernel import PreparedTexts, TextKernel

BITS: dict[str, int]

_Part = tuple[list[tuple[int, float, bool]], float, float, float, float, float]

@disjoint_base
class GuardTables:
    def __init__(
        self,
        words: dict[bytes, tuple[int | None, bool]],
        endings: list[tuple[bytes, int]],
        number: int,
        other: int,
        pairs: bytes,
        describe: Callable[[str], tuple[str, int, str | None]],
        ngrams: bytes | None = None,
        fits: dict[str, tuple[list[float], float, float]] | None = None,
    ) -> None: ...

@disjoint_base
class GuardKernel(TextKernel):
    tables: GuardTables
    def __init__(self, tables: GuardTables, run: int = 3) -> None: ...
    def ground(
        self, references: tuple[str | None, ...], source: tuple[str | None, ...]
    ) -> PreparedTexts: ...
    def factors(self, ground: PreparedTexts, text: str) -> tuple[float, ...]: ...
    def repeated(self, ground: PreparedTexts, text: str) -> float: ...
    def seams(self, ground: PreparedTexts, text: str) -> tuple[float, ...]: ...

@disjoint_base
class PresetKernel:
    guards: GuardKernel
    def __init__(
        self,
        guards: GuardKernel,
        parts: list[_Part],
        form: float,
        beyond: float,
        repetition: float,
    ) -> None: ...
    def reward(self, scaled: Sequence[float], guard: float) -> float: ...
    def judge(
        self,
        prepared: tuple[PreparedTexts, ...],
        ground: PreparedTexts,
        texts: TextColumn,
        workers: int = 1,
        refused: Any = None,
    ) -> tuple[list[float], list[list[float]], bool]: ...
