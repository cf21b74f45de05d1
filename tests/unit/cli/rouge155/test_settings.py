"""Settings, lists and texts of ROUGE-1.5.5, usual ones and invalid ones."""

import contextlib
import doctest
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from summeval.cli.rouge155 import files as rouge_texts
from summeval.cli.rouge155.files import Evaluation, SettingsError, read_list, read_settings

WHOLE = """<?xml version="1.0" encoding="UTF-8"?>
<!-- two systems -->
<rouge-eval VERSION="1.5.5">
 <Eval id=" 7 ">
  <PEER-ROOT> peers </PEER-ROOT>
  <Model-Root>
    models
  </Model-Root>
  <INPUT-FORMAT type="see"/>
  <peers><P ID="1">p1.html</P><p id="x"> p&amp;2.html
  </p></peers>
  <models><M ID="A">a.html</M><M>b.html</M></models>
 </Eval>
</rouge-eval>
"""


def read(tmp_path: Path, content: str | bytes) -> list[Evaluation]:
    path = tmp_path / "s.xml"
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return read_settings(str(path))


def test_examples_of_the_docstrings() -> None:
    assert doctest.testmod(rouge_texts).failed == 0


def test_names_have_any_case_and_values_are_trimmed(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == [
        Evaluation(
            id="7",
            format="SEE",
            peer_root="peers",
            model_root="models",
            peers={"1": "peers/p1.html", "x": "peers/p&2.html"},
            models=["models/a.html", "models/b.html"],
        )
    ]


@pytest.mark.parametrize("before", ["\n  ", "\ufeff"])
def test_what_editors_put_before_the_first_tag_is_no_fault(tmp_path: Path, before: str) -> None:
    assert len(read(tmp_path, before + WHOLE)) == 1


def test_a_bare_ampersand_stands_for_itself(tmp_path: Path) -> None:
    (found,) = read(tmp_path, WHOLE.replace("models\n", "R&D/x&#65;\n"))
    assert found.model_root == "R&D/xA"


def test_of_two_sections_with_one_id_the_later_counts(tmp_path: Path) -> None:
    section = WHOLE[WHOLE.index("<Eval") : WHOLE.index("</rouge-eval>")]
    both = f"<ROUGE-EVAL>{section}{section.replace('a.html', 'c.html')}</ROUGE-EVAL>"
    (found,) = read(tmp_path, both)
    assert found.models[0] == "models/c.html"


def test_other_encodings_are_read_as_declared(tmp_path: Path) -> None:
    text = WHOLE.replace("UTF-8", "ISO-8859-1").replace("a.html", "é.html")
    assert read(tmp_path, text.encode("latin-1"))[0].models[0] == "models/é.html"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</Eval>", "", "s.xml: line 14: not XML: mismatched tag; close each element with"),
        ("</rouge-eval>", "", "s.xml: line 15: not XML: no element found; close the elements"),
        (WHOLE, "", "s.xml: line 1: not XML: no element found; the file is empty: write"),
        (
            "<Eval",
            "<<Eval",
            "not XML: not well-formed (invalid token); correct the tag or characters",
        ),
        (WHOLE, "<a/>", "s.xml: no EVAL section; write <EVAL ID"),
        ('id=" 7 "', "", "s.xml: line 4: EVAL without an ID; write <EVAL ID"),
        ('ID="1"', "", "s.xml: line 10: P without an ID; write <P ID"),
        ('type="see"', 'type="TXT"', "s.xml: EVAL 7: INPUT-FORMAT TYPE is 'TXT'; use SEE, SPL"),
        ('<INPUT-FORMAT type="see"/>', "", "s.xml: EVAL 7: INPUT-FORMAT TYPE is missing; use SEE"),
        ('<M ID="A">a.html</M><M>b.html</M>', "", "s.xml: EVAL 7: no model; list at least one"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read(tmp_path, WHOLE.replace(old, new))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY secret SYSTEM "file:///etc/passwd">',
        '<!ENTITY a "aaaaaaaaaa"><!ENTITY secret "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY % more SYSTEM "http://localhost/x.dtd"> %more;',
    ],
)
def test_declared_entities_are_refused(tmp_path: Path, entity: str) -> None:
    document = WHOLE.replace("<!-- two systems -->", f"<!DOCTYPE r [{entity}]>")
    with pytest.raises(SettingsError, match=r"line 2: entity .* is declared"):
        read(tmp_path, document.replace("a.html", "&secret;"))


def test_an_unknown_entity_is_text(tmp_path: Path) -> None:
    (found,) = read(tmp_path, WHOLE.replace("a.html", "&secret;"))
    assert found.models[0] == "models/&secret;"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80), st.integers(0, len(WHOLE)), st.integers(0, 40))
def test_damaged_settings_are_read_or_refused(
    tmp_path: Path, noise: bytes, start: int, cut: int
) -> None:
    whole = WHOLE.encode()
    with contextlib.suppress(SettingsError):
        read(tmp_path, whole[:start] + noise + whole[start + cut :])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_any_bytes_are_a_list_or_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    with contextlib.suppress(SettingsError):
        for evaluation in read_list(str(path), "SPL", "X"):
            assert evaluation.models


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"p m\n\np\n", "line 3: peer p has no model after it"),
        (b"p m\0\n", "line 1: a NUL byte"),
        (b"# p m\n", "no evaluation"),
    ],
)
def test_a_fault_in_a_list_is_named_with_its_line(
    tmp_path: Path, data: bytes, message: str
) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    with pytest.raises(SettingsError, match=message):
        read_list(str(path), "SPL", "X")


# Texts


def see(text: str) -> str:
    return f'<a name="1">[1]</a> <a href="#1" id=1>{text}'


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (see("Costs rose.</a>"), b"Costs rose."),
        (see("Costs <b>rose</b>.</a>"), b"Costs "),
        (see("Costs rose.\n"), b"Costs rose.\r"),
        (see("AT&amp;T</a>"), b"AT&amp;T"),
        (see("x</a>").replace("<a name", '<a size="10" name'), b"x"),
        (see("</a>"), b""),
        (" " + see("indented</a>"), b""),
        (see("unquoted</a>").replace('"#1"', "#1"), b""),
        ("<title>t</title>", b""),
    ],
)
def test_see_sentences(tmp_path: Path, line: str, sentence: bytes) -> None:
    path = tmp_path / "t.html"
    path.write_bytes(line.encode())
    assert rouge_texts.read_sentences(str(path), "SEE") == sentence


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('<S SNTNO="1a,2">Costs rose.</S>', [b"Costs rose."]),
        ('<S SNTNO="1">Costs <b>rose</b></S>', []),
        (' <S SNTNO="1">Costs rose.</S>', []),
        ('<S SNTNO="A">Costs rose.</S>', []),
    ],
)
def test_isi_sentences(line: str, found: list[bytes]) -> None:
    assert rouge_texts.sentences(line.encode(), "ISI") == found


@given(st.binary(max_size=100))
def test_spl_loses_nothing_but_newlines(data: bytes) -> None:
    found = rouge_texts.sentences(data, "SPL")
    assert b"".join(found) == data.replace(b"\n", b"")
    assert all(found)
