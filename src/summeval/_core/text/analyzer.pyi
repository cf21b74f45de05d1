from collections.abc import Iterable

from typing_extensions import disjoint_base

TOKENIZERS: dict[str, int]
STEMMERS: dict[str | None, int]

@disjoint_base
class Exceptions:
    def __init__(self, stems: dict[bytes, bytes]) -> None: ...
    def __len__(self) -> int: ...

@disjoint_base
class Analyzer:
    def __init__(
        self,
        tokenizer: str = "rouge155",
        stemmer: str | None = None,
        exceptions: Exceptions | None = None,
        stopwords: Iterable[bytes] = (),
        function_words: Iterable[bytes] | None = None,
        max_words: int = 0,
        max_bytes: int = 0,
        fold: bool = True,
        unstemmed: int = 3,
        looked_up: int = 0,
    ) -> None: ...
