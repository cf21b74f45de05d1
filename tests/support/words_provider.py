"""A provider of parses that needs no parser."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from summeval.annotate import Document, Sentence, Token


class Words:
    """A provider that splits at blanks and remembers what it was asked."""

    name = "words"
    signature = "words:1"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        for text in texts:
            self.asked.append(text)
            sentences = tuple(
                Sentence(tuple(Token(word) for word in line.split())) for line in text.split("\n")
            )
            yield Document(sentences, text=text, provider=self.signature)


class Lean(Words):
    """`Words` that can leave parts out; `asked` has each text with what was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_for: tuple[str, ...] = ("entities", "lemmas")

    def asking_for(self, what: Collection[str]) -> Lean:
        made = Lean()
        made.asked = self.asked
        made.asked_for = tuple(sorted(what))
        made.signature = f"words:{'+'.join(made.asked_for)}"
        return made

    def parse(self, texts: Sequence[str]) -> Iterator[Document]:
        for document in super().parse(texts):
            self.asked[-1] = f"{document.text}: {' '.join(self.asked_for)}"
            yield document
