from numpy import float64
from numpy.typing import NDArray

from summeval._core.columns.columns import TextColumn

def read(
    tokens: TextColumn, texts: TextColumn, tokenizer: str, near: float, workers: int = 1
) -> tuple[NDArray[float64], NDArray[float64]]: ...
