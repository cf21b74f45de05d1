"""Documents as packed blocks of bytes, which kernels read and the cache stores.

A block holds the sentences and entities of a document, not its text or its provider. The layout is
that of `summeval/_core/documents/packed.hpp`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from summeval._core.documents.packed import is_packed, pack, sealed, unsealed
from summeval.annotate.document import ENTITY_LABELS, Document, head_problem

__all__ = ["from_columns", "from_packed", "from_sealed", "packed", "sealed"]


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


def from_columns(
    sizes: Sequence[int],
    trees: Sequence[str | None],
    texts: tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]],
    numbers: tuple[Sequence[int], Sequence[int], Sequence[int]],
    entities: Iterable[tuple[str, int, int]],
    *,
    text: str,
    provider: str,
) -> Document:
    """Return the document of columns, as a provider has them.

    Parameters
    ----------
    sizes, trees
        The number of tokens of each sentence, and its bracketed tree or None.
    texts
        The forms, tags, lemmas and labels of all tokens.
    numbers
        Their heads (in the sentence, -1 for none), starts and ends.
    entities
        Label, first and last token of each.
    text, provider
        Those of the document.

    Raises
    ------
    ValueError
        Columns differ in length, or heads or entities are out of range.

    Examples
    --------
    >>> columns = (["Yes"], ["UH"], ["yes"], ["root"]), ([-1], [0], [3])
    >>> document = from_columns([1], [None], *columns, [], text="Yes", provider="hand")
    >>> document.sentences[0].tokens[0].lemma
    'yes'
    """
    return from_packed(pack(sizes, trees, texts, numbers, entities), text, provider)


def from_sealed(
    rows: Iterable[tuple[bytes, bytes]], texts: dict[bytes, str], provider: str
) -> dict[str, Document]:
    """Return the documents of a store, by text; damaged ones are left out.

    Parameters
    ----------
    rows
        Pairs of a key and the block that `sealed` made.
    texts
        The text of each key.
    provider
        That of all documents.

    Examples
    --------
    >>> rows = [(b"1", sealed(packed(Document()))), (b"2", b"damaged")]
    >>> from_sealed(rows, {b"1": "Yes", b"2": "No"}, "hand")
    {'Yes': Document(sentences=(), entities=(), text='Yes', provider='hand')}
    """
    return unsealed(rows, texts, provider, Document, ENTITY_LABELS)


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
