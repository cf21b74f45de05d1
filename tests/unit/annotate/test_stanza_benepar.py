"""Stanza and benepar, replaced by objects with their interface: the tests need neither."""

from __future__ import annotations

import importlib.metadata
import sys
from types import ModuleType, SimpleNamespace

import pytest

from summeval.annotate import Entity, annotate, parsers, provider


@pytest.fixture
def installed(monkeypatch):
    """Makes a module with the given contents stand for an installed package."""

    def install(name: str, **contents: object) -> None:
        module = ModuleType(name)
        vars(module).update(contents)
        monkeypatch.setitem(sys.modules, name, module)
        real = importlib.metadata.version
        monkeypatch.setattr(
            importlib.metadata, "version", lambda asked: "1.2" if asked == name else real(asked)
        )
        parsers._load_stanza.cache_clear()
        parsers._load_with_trees.cache_clear()

    yield install
    parsers._load_stanza.cache_clear()
    parsers._load_with_trees.cache_clear()


def word(text, xpos, head, deprel, place, parent=None) -> SimpleNamespace:  # noqa: PLR0917
    start, end = place
    return SimpleNamespace(
        text=text, xpos=xpos, lemma=None, head=head, deprel=deprel, start_char=start, end_char=end,
        parent=parent,
    )  # fmt: skip


class StandIn:
    """A pipeline that knows one line: `I can't see "Rome".`, cleaned."""

    def __init__(self, language, processors, download_method, verbose) -> None:
        assert (language, download_method) == ("en", None)
        self.has_trees = processors.endswith(",constituency")

    def __call__(self, text: str) -> SimpleNamespace:
        assert text == "I can't see ``Rome''."
        joined = SimpleNamespace(start_char=2, end_char=7)
        words = [
            word("I", "PRP", 4, "nsubj", (0, 1)),
            word("ca", "MD", 4, "AUX", (None, None), joined),
            word("n't", "RB", 4, "advmod", (None, None), joined),
            word("see", "VB", 0, "root", (8, 11)),
            word("Rome", "NNP", 4, "obj", (14, 18)),
        ]
        entities = [
            SimpleNamespace(type="GPE", start_char=14, end_char=18),
            SimpleNamespace(type="DATE", start_char=0, end_char=1),
        ]
        tree = "(ROOT (S))" if self.has_trees else None
        return SimpleNamespace(
            sentences=[SimpleNamespace(words=words, constituency=tree)], ents=entities
        )


def test_stanza(installed) -> None:
    installed("stanza", Pipeline=StandIn)
    text = '\nI ca n\'t see "Rome".'
    (document,) = annotate([text], "stanza", cache=False)
    tokens = document.sentences[0].tokens
    assert [(t.form, t.tag, t.head, t.label, text[t.start : t.end]) for t in tokens] == [
        ("I", "PRP", 3, "nsubj", "I"),
        ("ca", "MD", 3, "aux", "ca n't"),
        ("n't", "RB", 3, "advmod", "ca n't"),
        ("see", "VB", -1, "root", "see"),
        ("Rome", "NNP", 3, "obj", "Rome"),
    ]
    assert document.entities == (Entity("LOC", 4, 4),)
    assert document.sentences[0].tree is None
    assert document.provider == "stanza:1.2+clean:1"


def test_stanza_with_trees(installed) -> None:
    installed("stanza", Pipeline=StandIn)
    (document,) = annotate(['I can\'t see "Rome".'], "stanza:trees", cache=False)
    assert document.sentences[0].tree == "(ROOT (S))"
    assert document.provider == "stanza:trees:1.2+clean:1"


def test_stanza_without_models_says_how_to_get_them(installed) -> None:
    def absent(*_: object, **__: object) -> None:
        raise FileNotFoundError("resources.json")

    installed("stanza", Pipeline=absent)
    with pytest.raises(ImportError, match=r"models are not installed; .*stanza.download\('en'\)"):
        annotate(["a"], "stanza", cache=False)


def test_stanza_makes_trees_or_none() -> None:
    with pytest.raises(ValueError, match="provider 'stanza:de'; write stanza or stanza:trees"):
        provider("stanza:de")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stanza", "Stanza is not installed; pip install stanza"),
        ("benepar", "benepar is not installed; pip install benepar"),
    ],
)
def test_missing_program_error_says_how_to_install_it(name, line) -> None:
    if name == "benepar":
        pytest.importorskip("spacy")
    with pytest.raises(ImportError, match=line):
        provider(name)


def test_benepar_adds_trees(installed, monkeypatch) -> None:
    spacy = pytest.importorskip("spacy")
    from spacy.tokens import Span

    @spacy.Language.factory("benepar", default_config={"model": ""})
    def make(nlp, name, model):
        if model != "benepar_en3":
            raise LookupError(model)
        Span.set_extension("parse_string", getter=lambda span: f"(S {len(span)})", force=True)
        return lambda doc: doc

    installed("benepar")
    (document,) = annotate(["Yes. He left."], "benepar", cache=False)
    assert [sentence.tree for sentence in document.sentences] == ["(S 2)", "(S 3)"]
    assert document.provider.endswith("+benepar:1.2+benepar_en3")
    with pytest.raises(ImportError, match=r"model other is not installed; .*download\('other'\)"):
        annotate(["Yes."], "benepar:other", cache=False)
