from collections.abc import Collection, Iterable, Sequence

from numpy import bool_, int32, int64, uint32
from numpy.typing import NDArray
from typing_extensions import disjoint_base

_Sentences = Sequence[Sequence[tuple[str, str]]]

@disjoint_base
class Words:
    stems: list[list[str]]
    def __len__(self) -> int: ...

@disjoint_base
class Numbering: ...

def number_words(
    documents: Iterable[_Sentences], classes: Collection[str], named: bool = False
) -> Words: ...
def read_related(
    blocks: list[bytes], written: list[bytes], kinds: NDArray[uint32], classes: list[bytes]
) -> tuple[Words, tuple[NDArray[int64], NDArray[int32], NDArray[uint32]], NDArray[bool_]]: ...
def cells(
    words: Words,
    span_ptr: NDArray[int64],
    spans: NDArray[int32],
    bits: NDArray[uint32],
    highest: bool = False,
) -> list[NDArray[uint32]]: ...
def features(
    words: Words,
    span_ptr: NDArray[int64],
    spans: NDArray[int32],
    bits: NDArray[uint32],
    groups: NDArray[int64],
    skipped: NDArray[uint32],
    *,
    triples: bool = True,
    nil_only: bool = False,
    pairs: bool = False,
    pair_norm: bool = False,
    highest: bool = False,
    workers: int = 1,
) -> tuple[NDArray[int64], NDArray[int32], NDArray[int64], NDArray[int64]]: ...
