from typing import Any, TypeVar

_Made = TypeVar("_Made")

class Items:
    def compact(self, digits: int) -> dict[str, Any]: ...
    def make(self, kind: type[_Made]) -> tuple[_Made, ...]: ...
