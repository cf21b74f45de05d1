from typing import TypeVar

_Made = TypeVar("_Made")

class Items:
    def make(self, kind: type[_Made]) -> tuple[_Made, ...]: ...
