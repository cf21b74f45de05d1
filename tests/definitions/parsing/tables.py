"""A reader of the parts of the parser's model; ci/resources/parser_*.py say what is in them."""

from __future__ import annotations


class Tables:
    """Reads a section from its beginning."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int = 1) -> int:
        return int.from_bytes(self.take(size), "little")

    def spelt(self) -> str:
        return self.take(self.number()).decode()

    def pieces(self, text: str) -> list[str]:
        """A string that is cut: the number of its pieces, their sizes."""
        sizes = self.take(self.number())
        data, ends = text.encode(), [sum(sizes[: k + 1]) for k in range(len(sizes))]
        return [data[end - size : end].decode() for end, size in zip(ends, sizes, strict=True)]

    def tails(self, count: int, before: list[str] | None = None) -> list[str]:
        """Strings, each of which begins as another one: the one in `before`, or the last one."""
        common, own = self.take(count), self.take(count)
        ends = Tables(self.take(self.number(4)))
        found = [b""]
        for k in range(count):
            other = found[-1] if before is None else before[k].encode()
            found.append(other[: common[k]] + ends.take(own[k]))
        return [data.decode() for data in found[1:]]
