"""A provider of parses that needs no parser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
