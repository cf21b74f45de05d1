"""The files of the Pyramid: their content, repairs, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyramid_cases import (
    DOCTYPE,
    annotation,
    cases,
    contributor,
    head,
    of_peer,
    of_weights,
    part,
    peer_scu,
    pyramid,
    scu,
    text,
)
from pytest import approx

from summeval.metrics.pyramid import (
    Part,
    PyramidFileError,
    ducview_score,
    modified_score,
    original_score,
    read_pan,
    read_pyr,
)
from summeval.metrics.pyramid.files import SpanText

TEXT = head("A") + "the cat sat\n" + head("B") + "a dog slept\n"
CAT, DOG = TEXT.index("the cat"), TEXT.index("a dog")
ONE = scu(1, contributor(part("the cat", CAT)))


@pytest.fixture
def read(tmp_path):
    """Writes a file and reads it."""

    def read(content, reader=read_pyr, **options):
        path = tmp_path / "file.xml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return reader(path, **options)

    return read


@pytest.fixture
def refused(read, tmp_path):
    """The message, without the path, for a file that cannot be used."""

    def refused(content, reader=read_pyr, **options):
        with pytest.raises(PyramidFileError) as caught:
            read(content, reader, **options)
        message = str(caught.value)
        assert message.startswith(str(tmp_path / "file.xml")) and "\n" not in message
        return message.removeprefix(f"{tmp_path / 'file.xml'}: ")

    return refused


@pytest.mark.parametrize("case", cases("ducview_score"))
def test_files_score_as_ducview_scores_them(case, read):
    given = case["input"]
    models = of_weights(given["scu_weights"], given["n_models"])
    peer = of_peer(models, given["scu_weights"], given["peer_contributors"], given["non_matching"])
    found = ducview_score(read(models), read(peer, read_pan))
    assert found == ducview_score(given, given) or found.message == case["expected"]["message"]
    assert read(models).repairs == read(peer, read_pan).repairs == ()


def test_a_pyramid_is_read_as_it_is_written(read):
    both = [
        contributor(part("the cat", CAT)),
        contributor(part("a dog", DOG), part("slept", DOG + 6)),
    ]
    found = read(DOCTYPE + pyramid(TEXT, scu(7, *both, label="An animal (2.0)"), ONE))
    assert found.text == TEXT and found.models == ("A", "B") and found.repairs == ()
    assert [each.uid for each in found.scus] == [7, 1]
    assert found.scus[0].label == "An animal"
    assert [each.model for each in found.scus[0].contributors] == [0, 1]
    assert found.scus[0].contributors[1].parts[1] == Part("slept", DOG + 6, DOG + 11)
    assert found.contributors == {7: 2, 1: 1} and found.model_scus == [[7, 1], [7]]


def test_a_year_that_ends_a_label_stays(read):
    found = read(pyramid(TEXT, scu(1, contributor(part("cat", CAT + 4)), label="A vote (2004)")))
    assert found.scus[0].label == "A vote (2004)"


def test_an_annotation_is_read_as_it_is_written(read):
    peer = [
        peer_scu(
            1, contributor(part("cats", 0)), contributor(part("sat", 5)), label="(1) Cats (1.0)"
        ),
        peer_scu(0, contributor(part("here", 9)), label="All non-matching SCUs go here"),
    ]
    found = read(annotation(pyramid(TEXT, ONE), "cats sat here\n", *peer), read_pan)
    assert [each.label for each in found.scus] == ["Cats"]
    assert found.contributors == {1: 2} and len(found.non_matching) == 1
    assert found.scu_ids == [1, 1, 0] and found.pyramid.contributors == {1: 1}
    assert found.text == "cats sat here\n" and found.repairs == ()
    score = original_score(found.pyramid.model_scus, found.scu_ids)
    assert (score.D, score.X) == (1, 3)


# What is mended


def test_an_offset_that_is_off_is_mended_to_the_nearest_place_of_the_label(read):
    content = head("A") + "a cat, a cat, a cat\n"
    start = content.index("a cat")
    found = read(pyramid(content, scu(1, contributor(part("a cat", start + 9)))))
    assert found.scus[0].contributors[0].parts == (Part("a cat", start + 7, start + 12),)
    place = f"{start + 9}-{start + 14}"
    assert found.repairs[0].endswith(f"{place} is not 'a cat'; taken as {start + 7}-{start + 12}")


@pytest.mark.parametrize(
    ("label", "stands"),
    [
        ("the  cat sat", "the cat sat"),
        ("thecatsat", "the cat sat"),
        ("say &quot;hi&quot;", 'say "hi"'),
        ("say&quot;hi&quot;", 'say "hi"'),
    ],
)
def test_blanks_and_quotes_escaped_twice_are_mended(label, stands, read):
    content = head("A") + 'the cat sat and\nsay "hi"\n'
    found = read(pyramid(content, scu(1, contributor(part(label, len(head("A")) + 2)))))
    (mended,) = found.scus[0].contributors[0].parts
    assert content[mended.start : mended.end] == stands and len(found.repairs) == 1


def test_a_label_over_two_lines_needs_no_mending(read):
    content = head("A") + "the cat\nsat\n"
    found = read(pyramid(content, scu(1, contributor(part("cat sat", len(head("A")) + 4)))))
    assert found.repairs == ()


def test_a_label_that_passes_the_end_is_mended(read):
    found = read(pyramid(TEXT, scu(1, contributor(part("slept", len(TEXT) - 3)))))
    (mended,) = found.scus[0].contributors[0].parts
    assert TEXT[mended.start : mended.end] == "slept"


def test_a_label_that_is_nowhere_keeps_its_offsets(read):
    found = read(pyramid(TEXT, scu(1, contributor(part("a bird", CAT)))))
    assert found.scus[0].contributors[0].parts == (Part("a bird", CAT, CAT + 6),)
    assert found.repairs[0].endswith(f"'a bird' is not in the text; {CAT}-{CAT + 6} is kept")


def test_a_contributor_in_two_models_counts_for_ducview_alone(read):
    both = contributor(part("the cat", CAT), part("a dog", DOG))
    found = read(pyramid(TEXT, scu(1, both), scu(2, contributor(part("a dog", DOG)))))
    assert found.contributors == {1: 1, 2: 1} and found.model_scus == [[], [2]]
    assert found.repairs[0].endswith("a contributor to SCU 1 spans several models")


def test_an_scu_with_two_contributors_of_one_model_counts_for_ducview_alone(read):
    twice = [contributor(part("the cat", CAT)), contributor(part("sat", CAT + 8))]
    found = read(pyramid(TEXT, scu(1, *twice, contributor(part("a dog", DOG))), scu(2, *twice[:1])))
    assert found.contributors == {1: 3, 2: 1} and found.model_scus == [[2], []]
    assert found.repairs[0].endswith("a model contributes to SCU 1 more than once")


def test_where_models_begin_can_be_told(read):
    content = pyramid(TEXT, ONE, heads=None)
    assert read(content).models == ()
    with pytest.raises(
        PyramidFileError, match="no startDocumentRegEx, so the start of each model is"
    ):
        _ = read(content).model_scus
    told = read(content, start_document=r"^-+\nD1\.M\..\n-+$")
    assert told.models == ("A", "B") and told.model_scus == [[1], []]
    assert read(pyramid(TEXT, ONE, heads="\n  " + r"-+\nD1\.M\.[A-Z]\n-+" + "\n ")).n_models == 2


SPANS = st.text(alphabet="ab \n", max_size=12)


@given(SPANS, SPANS, st.integers(0, 12))
def test_the_place_found_holds_the_label_and_none_is_nearer(content, label, start):
    found = SpanText(content).find(label, start)
    wanted, flat = label.replace("\n", " "), content.replace("\n", " ")
    exact = [i for i in range(len(flat) + 1) if flat[i : i + len(wanted)] == wanted]
    if exact:
        assert found == (found[0], found[0] + len(wanted)) and found[0] in exact
        assert abs(found[0] - start) == min(abs(i - start) for i in exact)
    elif found:
        assert flat[slice(*found)].replace(" ", "") == wanted.replace(" ", "")
    else:
        assert wanted.replace(" ", "") not in flat.replace(" ", "") or not wanted.strip()


# What is refused

LAUGHS = "<!DOCTYPE pyramid [<!ENTITY a 'ha'>" + "".join(
    f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS + "]><pyramid>&i;</pyramid>", "line 1: entity 'a' is declared or used"),
        (
            "<!DOCTYPE p [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><pyramid>&x;</pyramid>",
            "line 1: entity 'x' is declared or used; write its text in its place",
        ),
        ("<!DOCTYPE p [<!ENTITY % x SYSTEM 'http://h/x'> %x;]><pyramid/>", "line 1: entity 'x'"),
        ("<!DOCTYPE p [%x;]><pyramid>&y;</pyramid>", "is declared or used; write its text"),
        (
            "<!DOCTYPE pyramid SYSTEM 'pyramid.dtd'><pyramid/>",
            "line 1: it uses an external document",
        ),
        ("<!DOCTYPE p PUBLIC 'a' 'b'><pyramid/>", "line 1: it uses an external document type"),
        ("<pyramid>\n&nbsp;</pyramid>", "line 2: not XML: undefined entity; correct it there"),
        ("<pyramid>\n<text>\n</pyramid>", "line 3: not XML: mismatched tag; correct it there"),
        ("", "line 1: not XML: no element found; correct it there"),
        ("<?xml version='1.0' encoding='utf-7'?><pyramid/>", "unknown encoding"),
        ("<?xml version='1.0' encoding='none'?><pyramid/>", "unknown encoding"),
        (b"<pyramid>\n\xff</pyramid>", "line 2: not XML: not well-formed (invalid token)"),
        ("<a>" * 40 + "</a>" * 40, "line 1: elements nested more than 32 deep; check the file"),
    ],
)
def test_hostile_and_malformed_xml_is_refused(content, message, refused):
    assert message in refused(content)
    assert message in refused(content, read_pan)


def test_a_default_of_an_attribute_does_not_count(read):
    default = DOCTYPE.replace("comment CDATA #IMPLIED", f"comment CDATA '{'x' * 999}'")
    assert read(default + pyramid(TEXT, ONE)).scus[0].comment == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html/>", "line 1: the file begins with <html>; give one of <pyramid>"),
        (annotation(pyramid(TEXT, ONE), "x\n"), "this is the annotation of a peer; read it with"),
        ("<pyramid>\n</pyramid>", "line 1: <pyramid> has 0 <text>; it has just one"),
        (pyramid(TEXT), "line 1: the pyramid has no SCU; give one that has"),
        (pyramid(TEXT, ONE, ONE), "line 14: SCU 1 is already on line 12; give each uid once"),
        (pyramid(TEXT, scu(4)), "line 12: SCU 4 has no contributor; remove it or add one"),
        (pyramid(TEXT, scu(1, contributor())), "the contributor 'words' has no part; add one"),
        (pyramid(TEXT, scu("one", contributor(part("the", CAT)))), "uid is 'one'; give a whole"),
        (pyramid(TEXT, scu("9" * 5000)), "uid is '9999999999999999999999999999999999999999'"),
        (pyramid(TEXT, ONE.replace("label=", "name=", 1)), "<scu> has no label; add it"),
        (
            pyramid(TEXT, scu(1, contributor(part("the cat", 9999)))),
            f"line 12: the part from 9999 to 10006 is outside the text of {len(TEXT)} characters;",
        ),
        (pyramid(TEXT, scu(1, contributor(part("the", 0, 999)))), "part from 0 to 999 is outside"),
        (pyramid(TEXT, scu(1, contributor(part("the", -1)))), "part from -1 to 2 is outside"),
        (pyramid(TEXT, scu(1, contributor(part("the", 9, 4)))), "part from 9 to 4 is outside"),
        (
            pyramid(TEXT, scu(1, contributor(part("bird", len(TEXT) - 2)))),
            f"the part from {len(TEXT) - 2} to {len(TEXT) + 2} is outside the text",
        ),
        (
            pyramid(TEXT, ONE, heads="("),
            "line 2: startDocumentRegEx is not a valid regular expression",
        ),
        (
            pyramid(TEXT, ONE, heads="(" * 9999 + ")" * 9999),
            "line 2: startDocumentRegEx is not a valid regu",
        ),
        (
            pyramid(TEXT, ONE, heads="x{99999999999}"),
            "line 2: startDocumentRegEx is not a valid regular",
        ),
        (
            pyramid(TEXT, ONE, heads="x*"),
            "line 2: startDocumentRegEx matches an empty string; correct",
        ),
        (pyramid(TEXT, ONE, heads="x"), "line 2: startDocumentRegEx matches nowhere in the text"),
    ],
)
def test_a_pyramid_that_cannot_be_used_is_refused(content, message, refused):
    assert message in refused(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (pyramid(TEXT, ONE), "line 1: this is a pyramid; read it with read_pyr"),
        ("<peerAnnotation/>", "line 1: <peerAnnotation> has 0 <pyramid>; it has just one"),
        (f"<peerAnnotation>{pyramid(TEXT, ONE)}</peerAnnotation>", "has 0 <annotation>"),
        (
            annotation(pyramid(TEXT, ONE), "x\n", peer_scu(9, contributor(part("x", 0)))),
            "SCU 9 is not in the pyramid; correct its uid",
        ),
        (
            annotation(pyramid(TEXT, ONE), "x\n", peer_scu(1), peer_scu(1)),
            "SCU 1 is already on line",
        ),
        (
            annotation(pyramid(TEXT, ONE), "x\n", peer_scu(1, contributor(part("x", 5)))),
            "the part from 5 to 6 is outside the text of 2 characters; correct its offsets",
        ),
        (
            annotation(pyramid(TEXT, ONE), "x\n", peer_scu(1, label="(3) It says")),
            "the label of SCU 1 says 3, the pyramid 1; mend the label",
        ),
        (
            annotation(pyramid(TEXT, ONE), "x\n", peer_scu(1, label="(0) It")),
            "says 0, the pyramid 1",
        ),
        (
            annotation(pyramid(TEXT, scu(0, contributor(part("the", CAT)))), "x\n"),
            "SCU 0 is in the pyramid, but 0 is reserved; number SCUs from 1",
        ),
    ],
)
def test_an_annotation_that_cannot_be_used_is_refused(content, message, refused):
    assert message in refused(content, read_pan)


def test_a_weight_that_the_pyramid_no_longer_has_is_told(read):
    found = read(annotation(pyramid(TEXT, ONE), "x\n", peer_scu(1, label="(2) It")), read_pan)
    assert found.repairs[0].endswith("the label of SCU 1 says weight 2; 1 is taken")


def test_an_annotation_of_another_pyramid_is_refused(read):
    peer = peer_scu(2, contributor(part("x", 0)))
    other = pyramid(TEXT, scu(2, contributor(part("the cat", CAT))))
    given = read(annotation(other, "x\n", peer), read_pan)
    with pytest.raises(PyramidFileError, match=r"file\.xml: SCU 2 is not in the pyramid; score"):
        ducview_score(read(pyramid(TEXT, ONE)), given)


def test_offsets_count_characters_of_lines_each_with_its_newline(read):
    content = head("A") + "Ärger & 𝒳 <b>\n\nthe end\n"
    found = read(pyramid(content, scu(1, contributor(part("the end", content.index("the end"))))))
    assert found.text == content and found.repairs == ()
    assert modified_score(found.model_scus, [1]).score == approx(1)
    assert text("a\n\n").count("<line>") == 2
