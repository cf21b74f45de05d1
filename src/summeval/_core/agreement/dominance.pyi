from numpy import float64, int64
from numpy.typing import NDArray

TRIPLES: tuple[str, ...]
VARIANTS: tuple[str, ...]
MOST_METRICS: int
MOST_MODELS: int

def king_counts(
    similarities: NDArray[float64],
    models: int,
    triples: str,
    ties_win: bool,
    every_set: bool,
    workers: int = 1,
) -> NDArray[int64]: ...
def jack_counts(
    similarities: NDArray[float64],
    models: int,
    variant: str,
    triples: str,
    every_set: bool,
    workers: int = 1,
) -> NDArray[int64]: ...
def peer_hits(
    similarities: NDArray[float64], models: int, triples: str, workers: int = 1
) -> NDArray[int64]: ...
def set_hits(
    similarities: NDArray[float64], models: int, triples: str, workers: int = 1
) -> NDArray[int64]: ...
def left_out_hits(
    similarities: NDArray[float64], models: int, triples: str, workers: int = 1
) -> NDArray[int64]: ...
def row_hits(
    sets: NDArray[float64],
    sizes: NDArray[int64],
    peers: NDArray[float64],
    set_of_row: NDArray[int64],
    triples: str,
    workers: int = 1,
) -> NDArray[int64]: ...
