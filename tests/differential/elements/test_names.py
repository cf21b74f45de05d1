"""Names: the kernel finds in them what their definition finds, in any script."""

from __future__ import annotations

from definitions.elements import names as twin
from hypothesis import example, given, settings
from hypothesis import strategies as st

from summeval._core.elements.expansion import ENTITIES, Names
from summeval.elements.resources import company_suffixes, titles

WORDS = """
    Mr. mr Dr. John JOHN S. S Smith Smith, Jr. jr IV ii Élodie É. É Øre (J.) [x] "q" İ. Σ ΣΑΣ ß ǅ.
    Google Inc Inc. incorporated Incoporated corp, Co. of Of and AND & the The US USA U.S.A. ABCDE
    southern Southern Westfalen north- eastΔ Straße a.b. _. 7. ٣. 日本 語. 𝒜. 𝒜b - . .. \u00a0 \x1c
""".split(" ")
pieces = st.one_of(
    st.sampled_from(WORDS),
    st.text(max_size=4),
    st.text(alphabet="AbÉσς. \t\u3000\ud800", max_size=5),
)
texts = st.builds(
    "".join, st.lists(st.one_of(pieces, st.sampled_from([" ", "  ", "\u2009"])), max_size=9)
)


@settings(max_examples=300, deadline=None)
@given(texts, st.booleans())
@example(". .", False)
@example("", True)
@example("Ὀδυσσεύς Σ. ΣΑΣ", False)
@example("ACME Incorporated", True)
def test_names_are_read_as_their_definition_reads_them(text: str, original: bool) -> None:
    names = Names(titles(), company_suffixes(), original)
    assert names.person(text) == twin.person(text, original)
    assert names.redotted(text) == twin.redotted(text)
    for kind in ENTITIES:
        assert names.acronyms(text, kind) == twin.acronyms(text, kind)
        assert names.shortened(text, kind) == twin.shortened(text, kind, original)
