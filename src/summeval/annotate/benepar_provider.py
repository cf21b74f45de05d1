"""Annotation by spaCy with the trees of the Berkeley Neural Parser (optional dependency)."""

from __future__ import annotations

import functools
import importlib.metadata
from typing import Any

from summeval.annotate import spacy_provider
from summeval.annotate.spacy_provider import SpacyProvider

DEFAULT_TREES = "benepar_en3"


class BeneparProvider(SpacyProvider):
    """`SpacyProvider` whose sentences have bracketed trees.

    Source: Kitaev and Klein, Constituency parsing with a self-attentive encoder, ACL 2018.

    Parameters
    ----------
    trees : str, optional
        The benepar model; default `benepar_en3`.

    Raises
    ------
    ImportError
        benepar, spaCy or one of their models is not installed; the message says how to install it.
    """

    def __init__(self, trees: str | None = None) -> None:
        super().__init__()
        try:
            version = importlib.metadata.version("benepar")
        except importlib.metadata.PackageNotFoundError:
            raise ImportError("benepar is not installed; pip install benepar") from None
        self.trees = trees or DEFAULT_TREES
        self.name = f"benepar:{self.trees}"
        self.signature += f"+benepar:{version}+{self.trees}"

    def pipeline(self) -> Any:
        """The spaCy pipeline with benepar added at its end."""
        return _load(self.model, self.trees)

    def tree(self, span: Any) -> str | None:
        """The bracketed tree of a sentence."""
        return str(span._.parse_string)


@functools.cache
def _load(model: str, trees: str) -> Any:
    import benepar  # noqa: F401 - it registers itself with spaCy

    nlp = spacy_provider.load(model)
    try:
        nlp.add_pipe("benepar", config={"model": trees})
    except LookupError:
        raise ImportError(
            f"benepar's model {trees} is not installed; python -c"
            f" \"import benepar; benepar.download('{trees}')\""
        ) from None
    return nlp
