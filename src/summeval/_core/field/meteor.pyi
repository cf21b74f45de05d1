from mmap import mmap

from typing_extensions import disjoint_base

from summeval._core.rows.kernel import TextKernel

FIELDS: tuple[str, ...]

@disjoint_base
class MeteorKernel(TextKernel):
    def __init__(
        self,
        name: str,
        tokenizer: str,
        wordnet: mmap | bytes | None,
        alpha: float,
        beta: float,
        gamma: float,
        tells: bool = False,
    ) -> None: ...
