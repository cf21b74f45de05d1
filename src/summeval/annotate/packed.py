"""Documents as packed blocks of bytes, which kernels read and the cache stores.

A block holds the sentences and entities of a document, not its text or its provider. The layout is
that of `summeval/_core/documents/packed.hpp`.
"""

from __future__ import annotations

from summeval._core.documents.packed import is_packed, pack
from summeval.annotate.document import ENTITY_LABELS, Document, head_problem

__all__ = ["from_packed", "packed"]


def packed(document: Document) -> bytes:
    """Return the block of a document; it is made once and kept on the document.

    Raises
    ------
    ValueError
        A head lies outside its sentence, heads form a cycle, or an offset does not fit into 32
        bits. Documents from providers and files have no such heads.

    Examples
    --------
    >>> from summeval.annotate import Sentence, Token
    >>> document = Document((Sentence((Token("Yes", "UH"),)),), text="Yes", provider="hand")
    >>> from_packed(packed(document), "Yes", "hand") == document
    True
    """
    block = document.block
    if block is None:
        block = _pack(document)
        document.keep(block)
    return block


def from_packed(block: bytes, text: str = "", provider: str = "") -> Document:
    """Return the document of a block; its sentences are made when they are first asked for.

    Raises
    ------
    ValueError
        The block is damaged.
    """
    if not is_packed(block, ENTITY_LABELS):
        raise ValueError("the packed document is damaged; parse the text again")
    return Document.of_block(block, text, provider)


def _pack(document: Document) -> bytes:
    sentences = document.sentences
    tokens = [token for sentence in sentences for token in sentence.tokens]
    try:
        block = pack(
            [len(sentence.tokens) for sentence in sentences],
            [sentence.tree for sentence in sentences],
            (
                [token.form for token in tokens],
                [token.tag for token in tokens],
                [token.lemma for token in tokens],
                [token.label for token in tokens],
            ),
            (
                [token.head for token in tokens],
                [token.start for token in tokens],
                [token.end for token in tokens],
            ),
            [(entity.label, entity.first, entity.last) for entity in document.entities],
        )
    except OverflowError as error:
        raise ValueError(f"document: {error}") from None
    if not is_packed(block, ENTITY_LABELS):
        for number, sentence in enumerate(sentences):
            found = head_problem([token.head for token in sentence.tokens])
            if found:
                place = f"document: sentences[{number}]: token {found[0] + 1}"
                raise ValueError(f"{place}: {found[1]}")
        raise ValueError("document: it cannot be packed; check its entities")
    return block
