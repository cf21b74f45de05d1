"""Basic Elements of parsed text, by rules over phrase structure trees or over dependencies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from summeval._core.elements.extraction import Elements
from summeval._options import unknown
from summeval.annotate.coreference import Chains
from summeval.annotate.document import ENTITY_LABELS, Document, Entity, Sentence, packed
from summeval.elements.dependencies import check_heads, kernel_rules, read_rows
from summeval.elements.elements import TYPES, Element, Placed, Span, covering_of, distinct, longest
from summeval.elements.trees import Tree, kernel_of_trees, read_tree, tree_rules

RULES = ("auto", "dependencies", "trees")

# The text of an entity.
Written = Callable[[Span], str]


def extract_from_trees(
    trees: Iterable[str], entities: Iterable[tuple[str, int, int]] = ()
) -> list[str]:
    """Extract the Basic Elements of a document of phrase structure trees.

    Rules r1 to r52 of BEwT-E 0.1 to 0.4 (Tratz and Hovy 2008). If no tree has the tag AUX, forms of
    be, have and do are first tagged AUX, as by the Charniak parser.

    Parameters
    ----------
    trees : iterable of str
        One bracketed tree for each sentence. A string `#ner PER 1 2` marks tokens 1 to 2 of the
        preceding tree as an entity.
    entities : iterable of (label, first, last)
        Label PER, ORG or LOC; the first and last token, counted from 1 over the document.

    Returns
    -------
    list of str
        `rule text|type+text|type`, by sentence, in the order of the rules.

    Raises
    ------
    TypeError, ValueError
        A malformed tree (the message gives line and column) or an entity outside the document.

    Examples
    --------
    From the authors' slides, "John's cat drank milk":

    >>> cat = "(NP (NP (NNP John) (POS 's)) (NN cat))"
    >>> tree = f"(S1 (S {cat} (VP (VBD drank) (NP (NN milk)))))"
    >>> for element in extract_from_trees([tree], [("PER", 1, 1)]):
    ...     print(element)
    r1 John|Person
    r1 cat|NN
    r1 milk|NN
    r2 drank|VBD
    r7 John|Person+cat|NN
    r11 cat|NN+drank|VBD
    r21 drank|VBD+milk|NN
    """
    read, spans = _with_marks(_read_trees(trees), entities)
    forms = [form for tree in read for form in tree.forms]
    found = _from_trees(read, longest(spans), _joined(forms))
    return [str(Element(*row)) for row in found.rows()]


def extract_from_dependencies(
    rows: Iterable[str | Sequence[Any]], entities: Iterable[tuple[str, int, int]] = ()
) -> list[str]:
    """Extract the Basic Elements of a document of dependency parses.

    Rules of BEwT-E 0.5.1, the program of Tratz and Hovy 2008. Labels may be those of Stanford's
    basic dependencies, of CLEAR (spaCy) or of Universal Dependencies.

    Parameters
    ----------
    rows : iterable of str or sequences
        `index form tag head label`, as a string separated by blanks or tabs, or as five values.
        Tags are those of the Penn Treebank; the head of a root is 0. Index 1 starts a new sentence.
        A string `#ner PER 1 2` marks tokens 1 to 2 of the preceding sentence as an entity.
    entities : iterable of (label, first, last)
        As in `extract_from_trees`.

    Returns
    -------
    list of str
        `rule text|type+text|type`, by sentence, sorted within each sentence.

    Raises
    ------
    TypeError, ValueError
        Missing fields, a head outside the sentence, a cycle, or an entity outside the document; the
        message names the row.

    Examples
    --------
    >>> extract_from_dependencies(["1 Dogs NNS 2 nsubj", "2 bark VBP 0 ROOT"])
    ['r1 Dogs|NNS', 'r11 Dogs|NNS+bark|VBP', 'r2 bark|VBP']
    """
    sentences, spans = _with_marks(read_rows(_lines(rows, "rows")), entities)
    document = Document(tuple(sentences), tuple(Entity(*span) for span in spans))
    return [str(element) for element in extract(document, "dependencies")]


def extract(
    document: Document, rules: str = "auto", *, duplicates: bool = True, chains: Chains = ()
) -> list[Element]:
    """Extract the Basic Elements of an annotated document.

    Parameters
    ----------
    document : Document
    rules : {"auto", "dependencies", "trees"}
        "auto" uses dependencies if the document has any, else trees.
    duplicates : bool
        False keeps only the first of equal elements (`Element.key`).
    chains : sequence of sequence of (first, last), optional
        The mentions of each thing, by their tokens from 0 over the document: pronouns and names
        are replaced by the name of their chain (`summeval.elements.elements`).

    Returns
    -------
    list of Element
        Elements in the order of the sentences.

    Raises
    ------
    ValueError
        The document lacks the trees or dependencies that the rules need; the message names the
        sentence.

    Examples
    --------
    >>> from summeval.annotate.document import Document, Sentence, Token
    >>> tokens = (Token("Dogs", "NNS", head=1, label="nsubj"), Token("bark", "VBP", label="root"))
    >>> [str(element) for element in extract(Document((Sentence(tokens),)))]
    ['r1 Dogs|NNS', 'r11 Dogs|NNS+bark|VBP', 'r2 bark|VBP']
    """
    if rules not in RULES:
        raise ValueError(unknown("rules", rules, RULES))
    (cut,) = cut_documents([document], rules, chains=[chains] if chains else None)
    found = [Element(*row) for row in cut.rows()]
    return found if duplicates else distinct(found)


def placed(document: Document, rules: str = "auto", chains: Chains = ()) -> list[Placed]:
    """As `extract`, each element with the tokens of its parts.

    >>> from summeval.annotate.document import Document, Sentence, Token
    >>> tokens = (Token("Dogs", "NNS", head=1, label="nsubj"), Token("bark", "VBP", label="root"))
    >>> [found.tokens for found in placed(Document((Sentence(tokens),)))]
    [((0, 0),), ((0, 0), (1, 1)), ((1, 1),)]
    """
    given = [chains] if chains else None
    (cut,) = cut_documents([document], rules, chains=given, places=True)
    return [
        Placed(Element(*row), tokens) for row, tokens in zip(cut.rows(), cut.places(), strict=True)
    ]


def cut_documents(
    documents: Sequence[Document],
    rules: str = "auto",
    *,
    chains: Sequence[Chains] | None = None,
    workers: int = 1,
    places: bool = False,
) -> list[Elements]:
    """Return the elements of many documents, as the kernels of Basic Elements take them.

    Parameters
    ----------
    documents : sequence of Document
    rules : {"auto", "dependencies", "trees"}
        As in `extract`.
    chains : sequence of chains, optional
        For each document, as in `extract`.
    workers : int
        Threads; the result does not depend on it.
    places : bool
        Whether `Elements.places` tells the tokens of parts.

    Raises
    ------
    ValueError
        As `extract`, for the first document that lacks something.

    Examples
    --------
    >>> from summeval.annotate.document import Document, Sentence, Token
    >>> tokens = (Token("Dogs", "NNS", head=1, label="nsubj"), Token("bark", "VBP", label="root"))
    >>> (found,) = cut_documents([Document((Sentence(tokens),))])
    >>> found.rows()[0]
    ('r1', (('Dogs', 'NNS'),))
    """
    units = None
    if chains is not None:
        both = zip(documents, chains, strict=True)
        units = [_numbered(covering_of(one, of), one.starts[-1]) for one, of in both]
    blocks = [_block(document) for document in documents]
    texts = [str(document.text) for document in documents]  # a kernel takes no subclass
    found = kernel_rules().extract(blocks, texts, rules, workers, units, places)
    return [
        _left(documents[number], rules, () if chains is None else chains[number], places)
        if elements is None
        else elements
        for number, elements in enumerate(found)
    ]


def _block(document: Document) -> bytes | None:
    """Return the packed document; None if it has heads or offsets that cannot be packed."""
    try:
        return packed(document)
    except ValueError:
        return None


def _left(document: Document, rules: str, chains: Chains, places: bool) -> Elements:
    """The elements of a document without dependencies: one of trees, or one to be refused."""
    sentences = document.sentences
    is_parsed = any(token.label for sentence in sentences for token in sentence.tokens)
    has_tree = any(sentence.tree for sentence in sentences)
    if rules == "trees" or (rules == "auto" and has_tree and not is_parsed):
        trees = [_tree_of(*each) for each in enumerate(sentences, 1)]
        return _from_trees(trees, covering_of(document, chains), slices(document), places)
    for number, sentence in enumerate(sentences, 1):
        place = f"sentence {number}"
        if sentence.tokens and not any(token.label for token in sentence.tokens):
            raise ValueError(
                f'{place}: no dependencies; annotate with a parser or pass rules="trees"'
            )
        heads = [token.head for token in sentence.tokens]
        check_heads(heads, lambda token, place=place: f"{place}, token {token + 1}")  # type: ignore[misc]
    packed(document)
    raise AssertionError("the kernel refuses only documents that lack something")


def _numbered(covering: dict[int, Span], size: int) -> tuple[list[Span], list[int]]:
    """Return the units with their types, and for each token 0 or one more than its unit."""
    numbers = {span: number for number, span in enumerate(dict.fromkeys(covering.values()), 1)}
    over = [0] * size
    for token, span in covering.items():
        over[token] = numbers[span]
    return [span._replace(label=TYPES.get(span.label, span.label)) for span in numbers], over


def _from_trees(
    trees: Sequence[Tree], covering: dict[int, Span], written: Written, places: bool = False
) -> Elements:
    if not any(label in ("AUX", "AUXG") for tree in trees for label in tree.labels):
        trees = [tree.retagged() for tree in trees]
    size = max([sum(len(tree.tokens) for tree in trees), *(token + 1 for token in covering)])
    spans, over = _numbered(covering, size)
    units = [(written(span), span.label) for span in spans]
    return kernel_of_trees(tree_rules()).extract_trees(trees, units, over, places)


def _lines(given: Any, name: str, hint: str = "with one item per line") -> Iterable[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise TypeError(f"{name} is {type(given).__name__}; pass a list {hint}")
    return given


def _read_trees(trees: Iterable[str]) -> Iterator[tuple[str, Tree | str]]:
    for number, line in enumerate(_lines(trees, "trees")):
        place = f"trees[{number}]"
        if not isinstance(line, str):
            raise TypeError(f"{place} is {type(line).__name__}; pass bracketed trees as str")
        yield place, line if line.lstrip().startswith("#ner") else read_tree(line, place)


def _with_marks(
    found: Iterable[tuple[str, Any]], entities: Iterable[Sequence[Any]]
) -> tuple[list[Any], list[Span]]:
    """Sentences, and the entities of the marks between them and of those that are given."""
    sentences: list[Any] = []
    marks: list[Span] = []
    starts = [0]
    for place, sentence in found:
        if isinstance(sentence, str):
            marks.append(_mark(sentence, place, starts))
        else:
            sentences.append(sentence)
            starts.append(starts[-1] + len(sentence.tokens))
    return sentences, marks + _spans(entities, starts[-1])


def _mark(line: str, place: str, starts: Sequence[int]) -> Span:
    """Return the span of a line `#ner PER 1 2` after the sentence that ends at `starts[-1]`."""
    if len(starts) < 2:
        raise ValueError(f"{place}: {line!r} before any sentence; write it after its sentence")
    span = _span(line.split()[1:], place, starts[-1] - starts[-2])
    return Span(span.label, span.first + starts[-2], span.last + starts[-2])


def _spans(entities: Iterable[Sequence[Any]], tokens: int) -> list[Span]:
    listed = enumerate(_lines(entities, "entities", "of (label, first, last)"))
    return [_span(entity, f"entities[{n}]", tokens) for n, entity in listed]


def _span(entity: Any, place: str, tokens: int) -> Span:
    """Check an entity (label, first, last), counted from 1 in a text of `tokens` tokens."""
    if isinstance(entity, str) or not isinstance(entity, Sequence) or len(entity) != 3:
        raise ValueError(f"{place}: {entity!r}; write (label, first, last)")
    label = entity[0]
    if label not in ENTITY_LABELS:
        raise ValueError(f"{place}: {unknown('label', label, ENTITY_LABELS)}")
    try:
        first, last = int(entity[1]), int(entity[2])
    except (TypeError, ValueError):
        raise ValueError(f"{place}: {entity!r}; pass whole numbers as first and last") from None
    if not 1 <= first <= last <= tokens:
        raise ValueError(
            f"{place}: tokens {first} to {last} exceed the text of {tokens}; count from 1, `last`"
            " included"
        )
    return Span(label, first - 1, last - 1)


def _joined(forms: Sequence[str]) -> Written:
    """Return the tokens of a span joined by spaces, without a final full-stop or comma token."""

    def written(span: Span) -> str:
        last = span.last
        while last > span.first and forms[last] in (".", ","):
            last -= 1
        return " ".join(forms[span.first : last + 1])

    return written


def slices(document: Document) -> Written:
    """Return the document's text in a span, or the joined tokens if they have no offsets."""
    tokens = [token for sentence in document.sentences for token in sentence.tokens]
    joined = _joined([token.form for token in tokens])

    def written(span: Span) -> str:
        start, end = tokens[span.first].start, tokens[span.last].end
        found = " ".join(document.text[start:end].split()) if start >= 0 else ""
        return found or joined(span)

    return written


def _tree_of(number: int, sentence: Sentence) -> Tree:
    place = f"sentence {number}"
    if not sentence.tree:
        if not sentence.tokens:
            return Tree((), (), (), ())
        raise ValueError(f'{place}: no tree; annotate with a parser or pass rules="dependencies"')
    tree = read_tree(sentence.tree, place)
    if sentence.tokens and len(sentence.tokens) != len(tree.tokens):
        raise ValueError(
            f"{place}: a tree of {len(tree.tokens)} words, but {len(sentence.tokens)} tokens"
        )
    return tree
